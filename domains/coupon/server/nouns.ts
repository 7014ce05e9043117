import { text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Coupon } from '../contract/coupon.ts'
import { Goods } from '../contract/goods.ts'
import { PointsAccount, PointsPark } from '../contract/pointsAccount.ts'
import { PointsGoods, PointsOrder } from '../contract/pointsGoods.ts'
import { PointsGrant, PointsLimit } from '../contract/pointsGrant.ts'
import { PointsRule } from '../contract/pointsRule.ts'
import { Sold } from '../contract/sold.ts'
import { Use } from '../contract/use.ts'

export const nouns: Noun[] = [
  { table: 'coupon.goods', entity: Goods },
  { table: 'coupon.sold_record', entity: Sold },
  { table: 'coupon.coupon', entity: Coupon, also: { seq: whole('序号', 'No. in the book'), cameBack: yes('曾退回', 'Returned before') } },
  { table: 'coupon.points_rule', entity: PointsRule, also: { stopped: yes('停用', 'Stopped'), used: yes('已使用', 'Used') } },
  { table: 'coupon.points_park', label: ['积分车场', 'Points car park'], entity: PointsPark },
  { table: 'coupon.points_account', entity: PointsAccount },
  { table: 'coupon.points_grant', entity: PointsGrant },
  { table: 'coupon.points_limit', label: ['单人发放上限', 'Limit for one person'], entity: PointsLimit },
  { table: 'coupon.points_goods', entity: PointsGoods },
  { table: 'coupon.points_order', entity: PointsOrder },
  { table: 'coupon.use_record', entity: Use, also: { heldFen: text('冻结金额', 'On hold') } },
]
