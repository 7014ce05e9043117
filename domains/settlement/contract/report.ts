import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, day, entity, fen, id, instant, listOf, message, orNone, pick, plate, text, whole } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Payment, PaymentState, PayMethod } from './payment.ts'

/**
 * Income as the ledger has it. 应收 = 实收 + 优惠 + 减免 + 欠费 for every row and every sum: every amount booked as due was paid, given as discount, waived, or is owed;
 * arrears paid later count as 实收 and take as much off 欠费 on the day they were paid. 净收 = 实收 - 退款.
 */
const figures = {
  orders: whole('入账单数', 'Orders booked'),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  paidFen: fen('实收', 'Paid'),
  waivedFen: fen('减免', 'Waived'),
  arrearsFen: fen('欠费', 'Arrears'),
  refundFen: fen('退款', 'Refunded'),
  netFen: fen('净收', 'Net'),
}
const ways = {
  wechatFen: fen('微信', 'WeChat'),
  alipayFen: fen('支付宝', 'Alipay'),
  cashFen: fen('现金', 'Cash'),
  otherFen: fen('其他方式', 'Other methods'),
}
const parkCode = text('车场编号', 'Car park code', { max: 16 })
/** Temporary parking of one park on one business day. */
export const Income = entity({ id: text('编号', 'Id', { max: 40 }), day: day('日期', 'Day'), parkCode, ...figures })
export const incomeSearch = searchOf(Income, { day: 'between', parkCode: 'equals' }, { sort: ['day', 'parkCode'] })
/** One park over the days asked for, with what came by which way (less what went back). */
export const ParkIncome = entity({ id: parkCode, parkCode, ...figures, ...ways })

/** A payment with its order: the parts of the income. */
export const PaymentLine = entity({
  id: id<'PaymentId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  parkCode,
  payNo: Payment.properties.payNo,
  payMethod: among('支付方式', 'Payment method', PayMethod),
  channel: Payment.properties.channel,
  tradeNo: Payment.properties.tradeNo,
  receivableFen: figures.receivableFen,
  discountFen: figures.discountFen,
  receivedFen: Payment.properties.receivedFen,
  refundFen: figures.refundFen,
  state: among('状态', 'Status', PaymentState),
  paidAt: instant('支付时间', 'Paid at'),
  operatorName: orNone(text('收费员', 'Collector')),
})
export const paymentSearch = searchOf(
  PaymentLine,
  { parkCode: 'equals', plateNo: 'plate', payMethod: 'among', state: 'among', paidAt: 'between', orderNo: 'equals', tradeNo: 'equals' },
  { sort: ['paidAt'] },
)

/** Temporary parking of one park in one hour of the city's day. Hours in which nothing was booked are missing. */
export const HourIncome = entity({ hour: whole('小时', 'Hour', { min: 0, max: 23 }), parkCode, ...figures })

/** Money that nobody asked for, with who sees to it. */
export const DoubleLine = entity(['待退款项', 'To be refunded'], {
  ...PaymentLine.properties,
  version: Payment.properties.version,
  ownerId: orNone(id<'PersonId'>('处理人编号', 'Handler id')),
  ownerName: orNone(text('处理人', 'Handler')),
  ownedAt: orNone(instant('接手时间', 'Taken at')),
})
export const doubleSearch = searchOf(
  DoubleLine,
  {
    ...{ parkCode: 'equals', plateNo: 'plate', payMethod: 'among', state: 'among', paidAt: 'between', orderNo: 'equals', tradeNo: 'equals' },
    ownerId: 'equals',
  },
  { sort: ['paidAt'] },
)

const view = { service: 'fee', needs: 'settlement:report:view' } as const
export const report = {
  temporaryStop: call('settlement.report.temporary-stop', {
    ...view,
    get: '/report/temporaryStop',
    query: paged(incomeSearch),
    reply: pageOf(Income),
  }),
  details: call('settlement.report.temporary-stop-details', {
    ...view,
    get: '/report/temporaryStopDetails',
    query: paged(paymentSearch),
    reply: pageOf(PaymentLine),
  }),
  parks: call('settlement.report.park-statistics-report', {
    ...view,
    get: '/report/parkStatisticsReport',
    query: paged(incomeSearch),
    reply: pageOf(ParkIncome),
  }),
  /** One day by park and hour, from sums that the ledger keeps with each posting. */
  hours: call('settlement.report.temporary-stop-hours', {
    ...view,
    get: '/report/temporaryStopHours',
    own: true,
    query: message({ day: Income.properties.day }, { parkCode }),
    reply: listOf(HourIncome),
  }),
  /** Figures above the income list: everything the filter holds. */
  sum: call('settlement.report.temporary-stop-sum', {
    ...view,
    get: '/report/temporaryStopSum',
    own: true,
    query: paged(incomeSearch),
    reply: pick(Income, 'orders', 'receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen'),
  }),
  /** Returns the money that each way of paying brought in over the filter; only paid, refunded and net can be split this way. */
  methods: call('settlement.report.temporary-stop-methods', {
    ...view,
    get: '/report/temporaryStopMethods',
    own: true,
    query: paged(incomeSearch),
    reply: pageOf(
      entity({
        id: text('编号', 'Id'),
        payMethod: among('支付方式', 'Payment method', PayMethod),
        paidFen: figures.paidFen,
        refundFen: figures.refundFen,
        netFen: figures.netFen,
      }),
    ),
  }),
}
