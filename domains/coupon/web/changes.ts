import { MERCHANT_CHANGES } from '../../merchant/web/api/changes.ts'
import { coupon } from '../contract/coupon.ts'
import { goods, goodsRecord } from '../contract/goods.ts'
import { pointsAccount, pointsDetail } from '../contract/pointsAccount.ts'
import { pointsGoods, pointsOrder } from '../contract/pointsGoods.ts'
import { pointsRule } from '../contract/pointsRule.ts'
import { sold } from '../contract/sold.ts'
import { template } from '../contract/template.ts'

/** Calls that are read again when one of these changes. */
export const TEMPLATE_CHANGES = [template.queryPage, template.selectByParkCode]
export const GOODS_CHANGES = [goods.queryPage, goods.selectByMerchant, goodsRecord.queryPage, ...TEMPLATE_CHANGES]
export const SALE_CHANGES = [sold.queryPage, ...GOODS_CHANGES, ...MERCHANT_CHANGES]
export const COUPON_CHANGES = [coupon.queryPage, coupon.queryByCar, coupon.queryStatistics, ...SALE_CHANGES]
export const RULE_CHANGES = [pointsRule.pageQuery, pointsAccount.chargingParkCode]
export const POINTS_CHANGES = [
  pointsAccount.pageQuery,
  pointsAccount.statistics,
  pointsDetail.pageQuery,
  pointsOrder.pageQuery,
  pointsGoods.pageQuery,
]
