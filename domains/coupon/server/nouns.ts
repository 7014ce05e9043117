import { text, whole } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Coupon } from '../contract/coupon.ts'
import { Goods } from '../contract/goods.ts'
import { Sold } from '../contract/sold.ts'
import { Use } from '../contract/use.ts'

export const nouns: Noun[] = [
  { table: 'coupon.goods', entity: Goods },
  { table: 'coupon.sold_record', entity: Sold },
  { table: 'coupon.coupon', entity: Coupon, also: { seq: whole('序号', 'Number in the book') } },
  { table: 'coupon.use_record', entity: Use, also: { heldFen: text('占用金额', 'Kept for it') } },
]
