import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  images,
  instant,
  message,
  moves,
  orNone,
  pickSome,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { GoodsStatus } from './goods.ts'
import { PointsAccount } from './pointsAccount.ts'

/** An article that points buy. */
export const PointsGoods = entity(['积分商品', 'Points article'], {
  ...rowFields<'PointsGoodsId'>(),
  name: text('名称', 'Name'),
  image: orNone(images('图片', 'Picture')),
  pointsPrice: whole('所需积分', 'Points needed', { min: 1 }),
  /** Paid beside the points, for each. */
  cashFen: fen('加价', 'Plus cash', { min: 0, max: 10_000_000 }),
  stock: whole('库存', 'Stock', { min: 0 }),
  perUserLimit: orNone(whole('每人限兑', 'Limit per person', { min: 1 })),
  status: among('状态', 'Status', GoodsStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const pointsGoodsSearch = searchOf(PointsGoods, { name: 'contains', status: 'among' }, { sort: ['createdAt'] })
export const PointsOrderState = dictionary('points_order_state', ['兑换状态', 'Exchange status'], {
  toPay: [0, '待支付', 'To pay'],
  toDeliver: [1, '待发放', 'To deliver', 'warning'],
  done: [2, '已完成', 'Done', 'success'],
  cancelled: [3, '已取消', 'Cancelled'],
  givenBack: [4, '已退回', 'Returned'],
})
const { toPay, toDeliver, done, cancelled, givenBack } = PointsOrderState
export const pointsOrderCan = moves(PointsOrderState, {
  pay: { [toPay]: toDeliver },
  deliver: { [toDeliver]: done },
  cancel: { [toPay]: cancelled, [toDeliver]: cancelled, [done]: givenBack },
})
export const PointsOrder = entity(['积分兑换', 'Points exchange'], {
  ...rowFields<'PointsOrderId'>(),
  orderNo: text('兑换单号', 'Number', { max: 40 }),
  accountId: id<'PointsAccountId'>('账户', 'Account'),
  phone: PointsAccount.properties.phone,
  goodId: id<'PointsGoodsId'>('商品', 'Article'),
  goodName: text('商品', 'Article'),
  qty: whole('数量', 'Quantity', { min: 1, max: 100 }),
  points: whole('积分', 'Points', { min: 1 }),
  cashFen: fen('加价', 'Plus cash', { min: 0 }),
  orderId: orNone(id<'OrderId'>('加价订单', 'Cash order')),
  payUntil: orNone(instant('支付截止', 'Pay by')),
  state: among('状态', 'Status', PointsOrderState),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  operatorName: text('操作员', 'Operator'),
  at: instant('兑换时间', 'Exchanged at'),
  endedAt: orNone(instant('完结时间', 'Ended at')),
})
export const pointsOrderSearch = searchOf(
  PointsOrder,
  { phone: 'equals', accountId: 'equals', goodId: 'equals', state: 'among', orderNo: 'equals', at: 'between' },
  { sort: ['at'] },
)
const view = { service: 'business', needs: 'coupon:points:view' } as const
const edit = { service: 'business', needs: 'coupon:points-goods:edit', writes: true } as const
const deal = { service: 'business', needs: 'coupon:points-order:deal', writes: true, own: true } as const
const qty = whole('数量', 'Quantity', { min: 1, max: 1_000_000 })
const which = { id: PointsOrder.properties.id, version: PointsOrder.properties.version }
export const pointsGoods = {
  pageQuery: call('coupon.points-goods.page-query', {
    ...view,
    post: '/pointsGoods/pageQuery',
    body: paged(pointsGoodsSearch),
    reply: pageOf(PointsGoods),
  }),
  add: call('coupon.points-goods.add', {
    ...edit,
    post: '/pointsGoods/add',
    does: ['新增积分商品', 'Added a points article'],
    body: pickSome(PointsGoods, ['name', 'pointsPrice'], ['image', 'cashFen', 'stock', 'perUserLimit', 'status', 'remark']),
    reply: PointsGoods,
  }),
  update: call('coupon.points-goods.update', {
    ...edit,
    post: '/pointsGoods/update',
    does: ['修改积分商品', 'Changed a points article'],
    body: pickSome(PointsGoods, ['id', 'version'], ['name', 'pointsPrice', 'cashFen', 'image', 'perUserLimit', 'status', 'remark']),
    reply: PointsGoods,
  }),
  numberAddition: call('coupon.points-goods.number-addition', {
    ...edit,
    post: '/pointsGoods/numberAddition',
    does: ['积分商品补货', 'Restocked a points article'],
    body: message({ id: PointsGoods.properties.id, num: qty }),
    reply: PointsGoods,
  }),
}
export const pointsOrder = {
  pageQuery: call('coupon.points-order.page-query', {
    ...view,
    post: '/pointsOrder/pageQuery',
    body: paged(pointsOrderSearch),
    reply: pageOf(PointsOrder),
  }),
  /** Stock and points are taken at once, or neither. Where cash is due beside them it is taken now. */
  exchange: call('coupon.points-order.exchange', {
    ...deal,
    post: '/pointsOrder/exchange',
    does: ['积分兑换', 'Exchanged points'],
    body: message({ accountId: PointsOrder.properties.accountId, goodId: PointsOrder.properties.goodId, qty: PointsOrder.properties.qty }),
    reply: PointsOrder,
  }),
  deliver: call('coupon.points-order.deliver', {
    ...deal,
    post: '/pointsOrder/deliver',
    does: ['发放兑换商品', 'Delivered an exchanged article'],
    body: message(which),
    reply: PointsOrder,
  }),
  cancel: call('coupon.points-order.cancel', {
    ...deal,
    post: '/pointsOrder/cancel',
    does: ['取消积分兑换', 'Cancelled an exchange'],
    body: message({ ...which, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: PointsOrder,
  }),
}
