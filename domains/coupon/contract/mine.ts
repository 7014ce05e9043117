import { call } from '../../../platform/contract/call.ts'
import {
  among,
  empty,
  entity,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  plate,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Order, Prepay } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Coupon, Weighed } from './coupon.ts'
import { PointsAccount, PointsDetail, PointsPark } from './pointsAccount.ts'
import { Goods } from './goods.ts'
import { PointsGoods, PointsOrder } from './pointsGoods.ts'
import { CouponType, Template } from './template.ts'

/** A coupon that a driver's car has, and where it may be used: no parks named are all of them. */
export const MyCoupon = entity({
  ...pick(Coupon, 'id', 'couponNo', 'name', 'type', 'value', 'plateNo', 'state', 'validFrom', 'validTo', 'takeFen').properties,
  ...pick(Template, 'thresholdFen', 'maxDiscountFen', 'timeFrom', 'timeTo').properties,
  parkNames: shaped('适用车场', 'Car parks', listOf(text('车场', 'Car park', { max: 64 }))),
})
/** A coupon that a driver may take for a car of theirs, for nothing. */
export const MyOffer = entity({
  ...pick(Goods, 'id', 'name', 'stock').properties,
  type: among('类型', 'Type', CouponType),
  ...pick(Template, 'value', 'thresholdFen', 'maxDiscountFen').properties,
  perCar: whole('每车可领', 'Per car', { min: 1 }),
  parkNames: MyCoupon.properties.parkNames,
})
export const MyPoints = entity({
  ...pick(PointsAccount, 'balance', 'debt', 'totalEarned', 'totalSpent').properties,
  /** The points that a check-in gives just now, and whether it was done today; null where no rule runs. */
  checkIn: orNone(shaped('签到', 'Check-in', entity({ points: whole('签到积分', 'Points', { min: 0 }), done: yes('今日已签到', 'Done today') }))),
  /** Batches with their expiry, the next to expire first. */
  batches: shaped('批次', 'Batches', listOf(entity({ points: PointsAccount.properties.balance, expireAt: instant('到期时间', 'Expires at') }))),
  /** Neither expired nor set apart for a payment under way. */
  usable: whole('可用积分', 'Usable', { min: 0 }),
  laid: shaped('支付中冻结', 'On hold', listOf(entity({ orderNo: Order.properties.orderNo, points: PointsAccount.properties.balance }))),
  expiring: whole('30 日内到期', 'Expiring within 30 days', { min: 0 }),
  parks: shaped('可用车场', 'Where points can be used', listOf(pick(PointsPark, 'parkCode', 'parkName', 'earn', 'spend', 'capPermille'))),
  details: shaped('明细', 'Transactions', listOf(pick(PointsDetail, 'id', 'kind', 'points', 'balanceAfter', 'memo', 'at'))),
})
/** An article for points, and how many of it this driver may still take. */
export const MyArticle = entity({
  ...pick(PointsGoods, 'id', 'name', 'image', 'pointsPrice', 'cashFen', 'stock', 'perUserLimit', 'remark').properties,
  most: whole('还可兑换', 'Can still take', { min: 0 }),
})
export const MyExchange = pick(
  PointsOrder,
  'id',
  'version',
  'orderNo',
  'goodName',
  'qty',
  'points',
  'cashFen',
  'state',
  'reason',
  'at',
  'payUntil',
  'endedAt',
)
/** Where the driver goes to pay; nowhere when nothing is to be paid. */
const Exchanged = message({ orderNo: PointsOrder.properties.orderNo, payUrl: orNone(text('支付地址', 'Payment link', { max: 500 })) })
const payMethod = among('支付方式', 'Paid with', PayMethod)
/** A coupon beside the others: its present discount, or why it has none. */
const MyWeighed = pick(Weighed, 'id', 'name', 'verdict', 'aloneFen', 'togetherFen', 'validTo')
const look = { service: 'coupon', needs: 'driver', own: true } as const
export const mine = {
  /** Those that may be used, and what was used or ran out within thirty days. */
  list: call('coupon.mine.list', { ...look, post: '/mine/list', body: empty, reply: listOf(MyCoupon) }),
  offers: call('coupon.mine.offers', { ...look, post: '/mine/offers', body: empty, reply: listOf(MyOffer) }),
  claim: call('coupon.mine.claim', {
    ...look,
    writes: true,
    post: '/mine/claim',
    does: ['车主领券', 'A driver claimed a coupon'],
    body: message({ goodId: Goods.properties.id, plateNo: plate() }),
    reply: MyCoupon,
  }),
  /** The code that a merchant shows: one coupon of theirs, for a car that the driver has bound. */
  scan: call('coupon.mine.scan', {
    ...look,
    writes: true,
    post: '/mine/scan',
    does: ['车主扫商户码领券', 'A driver claimed a coupon by a merchant’s code'],
    body: message({ code: text('领券码', 'Code', { min: 20, max: 100 }), plateNo: plate() }),
    reply: message({ name: MyCoupon.properties.name, plateNo: plate(), validTo: MyCoupon.properties.validTo }),
  }),
  /** Of a car that is verified as theirs and stands in a park: which coupons its bill takes, best first, and why not the others. */
  best: call('coupon.mine.best', {
    ...look,
    post: '/mine/best',
    body: message({ plateNo: plate(), parkCode: text('车场编号', 'Car park code', { max: 16 }) }),
    reply: listOf(MyWeighed),
  }),
  /** A parking fee with points alone, or with points beside a channel or the driver's own stored value: a point is a fen. */
  pay: call('coupon.mine.pay', {
    ...look,
    writes: true,
    post: '/mine/pay',
    does: ['车主积分抵扣支付', 'A driver paid with points'],
    body: message({
      orderNo: Order.properties.orderNo,
      points: whole('使用积分', 'Points to use', { min: 1 }),
      payMethod,
    }),
    reply: pick(Prepay, 'orderNo', 'amountFen', 'payUrl', 'expiresAt'),
  }),
  /** Once a day of the city. */
  checkIn: call('coupon.mine.check-in', {
    ...look,
    writes: true,
    post: '/mine/checkIn',
    does: ['车主签到', 'A driver checked in'],
    body: empty,
    reply: message({ points: whole('获得积分', 'Points', { min: 1 }) }),
  }),
  goods: call('coupon.mine.goods', { ...look, post: '/mine/goods', body: empty, reply: listOf(MyArticle) }),
  /** Of an article that is on the shelf, by the address that its `image` has here: no other file is a driver's to read. */
  picture: call('coupon.mine.picture', {
    ...look,
    get: '/mine/picture',
    file: true,
    query: message({ fileName: text('文件名', 'File name', { max: 200 }) }),
    reply: nothing,
  }),
  exchanges: call('coupon.mine.exchanges', { ...look, post: '/mine/exchanges', body: empty, reply: listOf(MyExchange) }),
  /** At the price that the driver was shown, in points and cash; how the cash is paid where there is any. */
  exchange: call('coupon.mine.exchange', {
    ...look,
    writes: true,
    post: '/mine/exchange',
    does: ['车主积分兑换', 'A driver exchanged points'],
    body: message({ goodId: PointsGoods.properties.id, ...pick(PointsOrder, 'qty', 'points', 'cashFen').properties }, { payMethod }),
    reply: Exchanged,
  }),
  payExchange: call('coupon.mine.pay-exchange', {
    ...look,
    writes: true,
    post: '/mine/payExchange',
    does: ['车主支付积分兑换', 'A driver paid for an exchange'],
    body: message({ id: PointsOrder.properties.id, payMethod }),
    reply: Exchanged,
  }),
  /** Of what is not paid yet. */
  cancelExchange: call('coupon.mine.cancel-exchange', {
    ...look,
    writes: true,
    post: '/mine/cancelExchange',
    does: ['车主取消积分兑换', 'A driver cancelled an exchange'],
    body: pick(PointsOrder, 'id', 'version'),
    reply: MyExchange,
  }),
  points: call('coupon.mine.points', { ...look, post: '/mine/points', body: empty, reply: MyPoints }),
}
