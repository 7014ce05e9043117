import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, entity, fen, id, instant, message, rowFields, text, whole } from '../../../platform/contract/field.ts'
import { mchId, SettleMode } from '../../merchant/contract/merchant.ts'
import { Goods } from './goods.ts'

const qty = whole('数量', 'Quantity', { min: 1, max: 1_000_000 })
/** Coupons that a merchant bought, and what is left of them to issue. */
export const Sold = entity(['券销售', 'Coupon sale'], {
  ...rowFields<'CouponSoldId'>(),
  soldNo: text('销售单号', 'Number', { max: 40 }),
  goodId: id<'CouponGoodsId'>('券商品', 'Article'),
  goodName: Goods.properties.name,
  templateId: Goods.properties.templateId,
  mchId,
  mchName: text('商户', 'Merchant'),
  qty: whole('数量', 'Quantity', { min: 1 }),
  leftQty: whole('未发放', 'Left to issue', { min: 0 }),
  returnedQty: whole('已退', 'Returned', { min: 0 }),
  expiredQty: whole('过期', 'Expired', { min: 0 }),
  priceFen: fen('单价', 'Price', { min: 0 }),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  balancePaidFen: fen('余额支付', 'From balance', { min: 0 }),
  creditPaidFen: fen('授信支付', 'From credit', { min: 0 }),
  settleMode: among('结算方式', 'Settlement', SettleMode),
  operatorName: text('操作员', 'Operator'),
  at: instant('销售时间', 'Sold at'),
})
export const soldSearch = searchOf(
  Sold,
  { mchId: 'equals', goodId: 'equals', templateId: 'equals', soldNo: 'equals', settleMode: 'among', at: 'between' },
  { sort: ['at'] },
)
const buy = { service: 'coupon', needs: 'coupon:sold:buy', writes: true } as const
export const sold = {
  queryPage: call('coupon.sold-record.query-page', {
    service: 'coupon',
    post: '/couponSoldRecord/queryPage',
    needs: 'coupon:sold:view',
    body: paged(soldSearch),
    reply: pageOf(Sold),
  }),
  /** `payableFen` is the amount that the buyer was shown: 0 for a merchant that settles as deducted. Balance first, then credit, or nothing at all. */
  buy: call('coupon.sold-record.buy', {
    ...buy,
    post: '/couponSoldRecord/buyCoupons',
    does: ['商户购券', 'Sold coupons to a merchant'],
    body: message({ mchId, goodId: Sold.properties.goodId, qty, payableFen: fen('应付', 'To pay', { min: 0 }) }),
    reply: Sold,
  }),
  /** Returns coupons that were not issued to stock, and their price to the merchant. */
  giveBack: call('coupon.sold-record.give-back', {
    ...buy,
    post: '/soldRecord/giveBack',
    own: true,
    does: ['商户退券', 'Took coupons back from a merchant'],
    body: message({ id: Sold.properties.id, version: Sold.properties.version, qty }),
    reply: Sold,
  }),
}
