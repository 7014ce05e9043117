import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, listOf, message, orNone, plate, shaped, text, whole } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Payment, PayMethod } from '../../settlement/contract/payment.ts'
import { ArrearsRecord } from './file.ts'

export const RepayPlace = dictionary('repay_place', ['补缴地点', 'Repayment place'], {
  pda: [1, 'PDA', 'PDA'],
  booth: [2, '岗亭', 'Booth'],
  console: [3, '后台', 'Console'],
  owner: [4, '车主', 'Owner'],
  exit: [5, '出口', 'Exit'],
})

const { parkCode, sectionCode, pType, orderType, plateNo, plateColor, arrearsNo, state, amountFen, owedFen } = ArrearsRecord.properties
const common = {
  repayNo: text('补缴单号', 'Repayment number', { max: 48 }),
  payMethod: among('支付方式', 'Payment method', PayMethod),
  place: orNone(among('补缴地点', 'Repayment place', RepayPlace)),
  operatorName: orNone(text('收费员', 'Collector')),
  at: instant('补缴时间', 'Repaid at'),
}
/** One payment for debts: its amount, and the number of debts. */
export const Repayment = entity({
  id: id<'PaymentId'>(),
  ...common,
  plateNo,
  plateColor,
  parkCode,
  pType,
  paidFen: fen('补缴金额', 'Repaid', { min: 0 }),
  refundFen: fen('已退', 'Refunded', { min: 0 }),
  records: whole('欠费笔数', 'Debts', { min: 1 }),
})
/** The part of a payment that one debt got. */
export const RepaidPart = entity({
  id: id<'AllocationId'>(),
  ...common,
  arrearsNo,
  recordId: id<'ArrearsRecordId'>('欠费记录', 'Arrears record'),
  plateNo,
  plateColor,
  parkCode,
  sectionCode,
  pType,
  orderType,
  state,
  amountFen,
  owedFen,
  allocatedFen: fen('分摊金额', 'Allocated', { min: 1 }),
  refundFen: fen('已退', 'Refunded', { min: 0 }),
  createdAt: instant('欠费时间', 'Owed since'),
})
export const repaymentSearch = searchOf(
  Repayment,
  { plateNo: 'plate', parkCode: 'equals', pType: 'among', payMethod: 'among', place: 'among', repayNo: 'equals', at: 'between' },
  { sort: ['at'] },
)
export const partSearch = searchOf(
  RepaidPart,
  {
    plateNo: 'plate',
    parkCode: 'equals',
    sectionCode: 'equals',
    pType: 'among',
    orderType: 'among',
    payMethod: 'among',
    place: 'among',
    repayNo: 'equals',
    arrearsNo: 'equals',
    at: 'between',
  },
  { sort: ['at'] },
)
const OfMethod = entity({ payMethod: common.payMethod, paidFen: Repayment.properties.paidFen, count: whole('笔数', 'Repayments', { min: 0 }) })
const OfKind = entity({ pType, paidFen: Repayment.properties.paidFen, count: whole('笔数', 'Debts', { min: 0 }) })
export const RepaySummary = entity({
  count: whole('补缴笔数', 'Repayments', { min: 0 }),
  paidFen: Repayment.properties.paidFen,
  refundFen: Repayment.properties.refundFen,
  byMethod: shaped('按支付方式', 'By payment method', listOf(OfMethod)),
  byKind: shaped('按车场类型', 'By type of car park', listOf(OfKind)),
})

/** The most debts paid at once; a driver who owes more pays twice. */
export const TOGETHER_MAX = 200
/** The debts of a vehicle that may be asked for, oldest first, and the stay that it is to pay now. */
export const RepayQuote = entity({
  records: shaped('欠费', 'Debts', listOf(ArrearsRecord)),
  owedFen: fen('欠费合计', 'Total owed', { min: 0 }),
  current: orNone(
    shaped(
      '本次停车',
      'This stay',
      entity({
        orderNo: ArrearsRecord.properties.orderNo,
        parkCode,
        payableFen: fen('应付', 'Payable', { min: 1 }),
        createdAt: instant('下单时间', 'Created at'),
      }),
    ),
  ),
})
export const Collected = entity({
  repayNo: common.repayNo,
  paidFen: Repayment.properties.paidFen,
  records: Repayment.properties.records,
  /** Where the payer pays, and until when; none where the money is in hand. */
  payUrl: orNone(text('支付地址', 'Payment URL', { max: 500 })),
  expiresAt: orNone(instant('有效期至', 'Valid until')),
})

const view = { service: 'business', needs: 'arrears:repay:view' } as const
const laneView = { service: 'fee', needs: 'arrears:repay:view' } as const
const list = call('arrears.escape.repay-list', { ...view, get: '/escape/repayList', query: paged(repaymentSearch), reply: pageOf(Repayment) })
const laneList = call('arrears.park-repay.query-list', {
  ...laneView,
  get: '/parkRepay/queryList',
  query: paged(partSearch),
  reply: pageOf(RepaidPart),
})
const collect = { service: 'business', needs: 'arrears:repay:collect', own: true } as const
export const repay = {
  list,
  summary: call('arrears.escape.repay-summary', { ...view, get: '/escape/repaySummary', query: paged(partSearch), reply: RepaySummary }),
  export: exportOf('arrears.escape.repay-export', {
    ...view,
    get: '/escape/repayExport',
    title: ['欠费补缴', 'Arrears repayments'],
    query: list,
    columns: ['repayNo', 'plateNo', 'parkCode', parkName, 'pType', 'records', 'paidFen', 'refundFen', 'payMethod', 'place', 'operatorName', 'at'],
  }),
  laneList,
  laneExport: exportOf('arrears.park-repay.export', {
    ...laneView,
    own: true,
    get: '/parkRepay/queryExport',
    title: ['停车场补缴', 'Car park repayments'],
    query: laneList,
    columns: [
      'repayNo',
      'arrearsNo',
      'plateNo',
      'parkCode',
      parkName,
      'allocatedFen',
      'amountFen',
      'owedFen',
      'refundFen',
      'payMethod',
      'place',
      'operatorName',
      'at',
      'createdAt',
    ],
  }),

  quote: call('arrears.repay.quote', {
    ...collect,
    get: '/escape/repayQuote',
    query: message({ plateNo: plate() }, { plateColor: among('车牌颜色', 'Plate colour', PlateColor), parkCode }),
    reply: RepayQuote,
  }),
  /**
   * One payment for these debts, oldest first, and with `currentOrderNo` for the stay that is paid now: all of it commits, or nothing. `paidFen` is what the payer
   * was told; less than all leaves the last debt partly repaid.
   */
  collect: call('arrears.repay.collect', {
    ...collect,
    writes: true,
    post: '/escape/repayCollect',
    does: ['收取欠费补缴', 'Collected arrears'],
    body: message(
      {
        ids: listOf(id<'ArrearsRecordId'>('欠费记录', 'Arrears record'), { max: TOGETHER_MAX }),
        paidFen: fen('补缴金额', 'Amount', { min: 1 }),
        payMethod: Payment.properties.payMethod,
        place: among('补缴地点', 'Repayment place', RepayPlace),
      },
      { currentOrderNo: ArrearsRecord.properties.orderNo },
    ),
    reply: Collected,
  }),
}
