import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  type CodeOf,
  account,
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  permille,
  pick,
  plate,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { Payment, PayMethod } from './payment.ts'
import { Refund } from './refund.ts'
import { Waiver } from './waiver.ts'

export const OrderType = dictionary('order_type', ['订单类型', 'Order type'], {
  temporaryParking: [1, '临停', 'Temporary parking'],
  arrears: [2, '补缴', 'Repayment'],
  pass: [3, '月卡', 'Pass'],
  storedValue: [4, '储值充值', 'Stored value'],
  charging: [5, '充电', 'Charging'],
  reservation: [6, '预约', 'Reservation'],
  sharedParking: [7, '共享', 'Shared parking'],
  deposit: [8, '租赁保证金', 'Earnest money'],
  coupon: [9, '优惠券采购', 'Coupon purchase'],
  merchantRecharge: [10, '商户充值', 'Merchant recharge'],
  pointsGoods: [11, '积分商品', 'Rewards'],
  rent: [12, '租金', 'Rent'],
})
export const OrderStatus = dictionary('order_status', ['订单状态', 'Order status'], {
  unpaid: [0, '待支付', 'Unpaid', 'warning'],
  paying: [1, '支付中', 'Paying', 'warning'],
  paid: [2, '已支付', 'Paid', 'success'],
  free: [3, '免费', 'Free', 'success'],
  arrears: [4, '欠费', 'In arrears', 'error'],
  cancelled: [5, '已取消', 'Cancelled', 'default'],
  partlyRefunded: [6, '部分退款', 'Partly refunded', 'warning'],
  refunded: [7, '已退款', 'Refunded', 'default'],
  waived: [8, '已减免', 'Waived', 'default'],
})
/** How an arrears came about. */
export const ArrearsSource = dictionary('arrears_source', ['欠费来源', 'Arrears source'], {
  roadside: [1, '路内未缴', 'Roadside, unpaid'],
  droveThrough: [2, '闯闸', 'Drove through the barrier'],
  tailgated: [3, '跟车', 'Tailgated'],
  letOut: [4, '欠费放行', 'Let out unpaid'],
  etcFailed: [5, 'ETC 扣费失败', 'ETC deduction failed'],
  storedValueShort: [6, '余额不足', 'Insufficient balance'],
  falsePlate: [7, '遮挡或套牌', 'Covered or cloned plate'],
  charging: [8, '充电欠费', 'Charging'],
})
export const InvoiceState = dictionary('invoice_state', ['开票状态', 'Invoice'], {
  none: [0, '未开票', 'None'],
  issuing: [1, '开票中', 'Issuing'],
  issued: [2, '已开票', 'Issued'],
})

/** 1 falls back to where it came from: 0, or 4 when the arrears were already booked. */
export const orderCan = moves(OrderStatus, {
  pay: { 0: 1, 1: 1, 4: 1 },
  paid: { 0: 2, 1: 2, 4: 2 },
  timeOut: { 1: 0 },
  free: { 0: 3 },
  leaveUnpaid: { 0: 4, 1: 4 },
  cancel: { 0: 5, 1: 5 },
  refundPart: { 2: 6, 6: 6 },
  refundAll: { 2: 7, 6: 7 },
  /** A debt that is not whole gives back a part of what it got: that much is owed again. One whose rest was let off stays so. */
  giveBackPart: { 1: 1, 4: 4, 8: 8 },
  waive: { 0: 8, 4: 8 },
  writeOff: { 4: 8 },
  /** A debt that was written off is paid after all. */
  recover: { 8: 2 },
  /** Revokes a debt that should never have been one: void where nothing was paid, else all of it goes back. */
  void: { 4: 5 },
  revoke: { 2: 7, 4: 7, 6: 7 },
})

const AHEAD: readonly number[] = [OrderType.pass, OrderType.storedValue, OrderType.deposit, OrderType.merchantRecharge]
/** Whether the order asks for money that is kept until it is used: nobody is let off that. The cost that a charge has already is a debt. */
export const isAhead = ({ type, status }: { type: number; status: number }): boolean =>
  AHEAD.includes(type) || (type === OrderType.charging && status !== OrderStatus.arrears)

/** One thing that somebody owes the operator for, and what became of it. Money in fen. */
export const Order = entity(['订单', 'Order'], {
  id: id<'OrderId'>(),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  type: among('类型', 'Type', OrderType),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  subject: orNone(account('说明', 'Subject', { max: 128 })),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  creditedTo: text('记入账户', 'Credited to', { min: 0, max: 64 }),
  receivableFen: fen('应收', 'Receivable', { min: 0 }),
  discountFen: fen('优惠', 'Discount', { min: 0 }),
  payableFen: fen('应付', 'Payable', { min: 0 }),
  paidFen: fen('实收', 'Paid', { min: 0 }),
  waivedFen: fen('减免', 'Waived', { min: 0 }),
  refundFen: fen('退款', 'Refunded', { min: 0 }),
  refundingFen: fen('退款中', 'Being refunded', { min: 0 }),
  arrearsFen: fen('欠费', 'Arrears', { min: 0 }),
  status: among('状态', 'Status', OrderStatus),
  sourceType: orNone(among('欠费来源', 'Arrears source', ArrearsSource)),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  payChannel: orNone(text('支付渠道', 'Channel', { max: 20 })),
  tradeNo: orNone(text('渠道流水号', 'Transaction ID', { max: 64 })),
  payTime: orNone(instant('支付时间', 'Paid at')),
  goodUntil: orNone(instant('金额有效至', 'Amount valid until')),
  operatorName: orNone(text('收费员', 'Collector')),
  shiftId: orNone(id<'ShiftId'>('收银班次', 'Cash shift')),
  invoiceState: among('开票状态', 'Invoice', InvoiceState),
  remark: orNone(account('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('下单时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const orderSearch = searchOf(
  Order,
  {
    parkCode: 'equals',
    plateNo: 'plate',
    status: 'among',
    type: 'among',
    payMethod: 'among',
    sourceType: 'among',
    orderNo: 'equals',
    stayId: 'equals',
    createdAt: 'between',
    /** As the channel clears it: what was paid on a day, whenever the order was made. */
    payTime: 'between',
  },
  { sort: ['createdAt'] },
)

/** One move of an order. */
export const Move = entity({
  fromStatus: among('原状态', 'From', OrderStatus),
  toStatus: among('新状态', 'To', OrderStatus),
  event: text('事件', 'Event'),
  at: instant('时间', 'Time'),
  reason: orNone(account('原因', 'Reason', { max: 500 })),
})
/** The order with all that happened to it. */
export const OrderStory = entity({
  ...Order.properties,
  payments: shaped('支付', 'Payments', listOf(Payment)),
  refunds: shaped('退款', 'Refunds', listOf(Refund)),
  waivers: shaped('减免', 'Waivers', listOf(Waiver)),
  moves: shaped('状态变化', 'Status changes', listOf(Move)),
  entries: shaped('记账', 'Ledger entries', listOf(NamedLine)),
})
/** Of these it is decided what becomes of their amount; others wait to be paid, or were cancelled, and are in no 应收. */
export const DECIDED: readonly CodeOf<typeof OrderStatus>[] = [
  OrderStatus.paid,
  OrderStatus.free,
  OrderStatus.arrears,
  OrderStatus.partlyRefunded,
  OrderStatus.refunded,
  OrderStatus.waived,
]
/** Of all orders that were chosen: 应收 = 实收 + 优惠 + 减免 + 欠费. The amount asked and not paid yet is beside the sum. */
export const OrderSummary = entity({
  orders: whole('订单数', 'Orders'),
  unpaid: whole('待支付', 'Unpaid'),
  inArrears: whole('欠费单', 'In arrears'),
  receivableFen: Order.properties.receivableFen,
  discountFen: Order.properties.discountFen,
  payableFen: Order.properties.payableFen,
  paidFen: Order.properties.paidFen,
  waivedFen: Order.properties.waivedFen,
  refundFen: Order.properties.refundFen,
  arrearsFen: Order.properties.arrearsFen,
  netFen: fen('净收', 'Net'),
  /** Asked, and neither paid nor owed yet. */
  openFen: fen('待支付', 'To be paid'),
})
/** The channel's page that the payer opens, or that is drawn as a QR code. */
export const Prepay = entity({
  orderNo: Order.properties.orderNo,
  payNo: Payment.properties.payNo,
  amountFen: Payment.properties.amountFen,
  payUrl: orNone(text('支付地址', 'Payment URL', { max: 500 })),
  expiresAt: orNone(instant('有效期至', 'Valid until')),
})
/** The driver's points that may pay part of an order, at one fen each. */
export const PointsOffer = entity(['可用积分', 'Points'], {
  usable: whole('可用积分', 'Usable points', { min: 0 }),
  most: whole('本单最多可用', 'At most here', { min: 0 }),
  capPermille: permille('抵扣上限', 'Max share of fee'),
})
const reason = text('原因', 'Reason', { max: 200 })

const view = { service: 'business', needs: 'settlement:order:view' } as const
export const order = {
  summary: call('settlement.order.summary', {
    ...view,
    get: '/order/summary',
    query: paged(orderSearch),
    reply: OrderSummary,
  }),
  list: call('settlement.order.list', { ...view, get: '/order/list', query: paged(orderSearch), reply: pageOf(Order) }),
  info: call('settlement.order.info', { ...view, get: '/order/info', heavy: true, query: pick(Order, 'id'), reply: OrderStory }),
  pay: call('settlement.order.pay', {
    service: 'business',
    post: '/order/pay',
    writes: true,
    needs: 'settlement:order:pay',
    own: true,
    does: ['支付订单', 'Paid an order'],
    body: message({ id: Order.properties.id, payMethod: Payment.properties.payMethod }),
    reply: Prepay,
  }),
  /** Returns the points of the car's verified owner that may pay beside cash: all 0 where there are none. */
  points: call('settlement.order.points', {
    service: 'business',
    needs: 'settlement:order:cash',
    own: true,
    get: '/order/points',
    query: pick(Order, 'id'),
    reply: PointsOffer,
  }),
  /** `amountFen` is what the cashier was shown, less the driver's `points`, a fen each: another amount is refused. */
  cash: call('settlement.order.cash', {
    service: 'business',
    post: '/order/cash',
    writes: true,
    needs: 'settlement:order:cash',
    own: true,
    does: ['现金收款', 'Took cash'],
    body: message(
      { id: Order.properties.id, amountFen: fen('金额', 'Amount', { min: 0 }) },
      { deviceTime: instant('设备时间', 'Device time'), points: whole('使用积分', 'Points', { min: 1 }) },
    ),
    reply: Order,
  }),
  cancel: call('settlement.order.cancel', {
    service: 'business',
    post: '/order/cancel',
    writes: true,
    needs: 'settlement:order:cancel',
    own: true,
    does: ['取消订单', 'Cancelled an order'],
    body: message({ id: Order.properties.id, reason }),
    reply: nothing,
  }),
}
