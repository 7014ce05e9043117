import { type Call, call, type Page, type Paged, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  type Of,
  orNone,
  pick,
  plate,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { MeterSample } from './meter.ts'
import { Bill, billSearch, Hold, holdSearch } from './money.ts'
import { BillLine, ChargeMove, ChargeOrder, chargeSearch } from './session.ts'
import { PeriodKind } from './strategy.ts'
import { parkCode, priceE4, wattHours } from './units.ts'

const { orderNo } = ChargeOrder.properties
/** Money that was sent back for a charge. */
export const RefundKind = dictionary('charging_refund_kind', ['退款类型', 'Refund type'], {
  rest: [1, '预付余款', 'Unused prepayment'],
  afterSale: [2, '售后', 'After sale'],
  adjustment: [3, '调整', 'Adjustment'],
})
export const RechargeRefund = entity(['充电退款', 'Charging refund'], {
  id: id<'RefundId'>(),
  refundNo: text('退款单号', 'Refund number', { max: 40 }),
  orderNo,
  parkCode,
  refundKind: among('退款类型', 'Type', RefundKind),
  state: among('状态', 'Status', RefundState),
  appliedAt: instant('申请时间', 'Requested at'),
  doneAt: orNone(instant('完成时间', 'Done at')),
  /** Of its charge, not of this refund: what was paid for it, and what of that its bills took. Two refunds of one charge say the same, so neither is ever summed. */
  holdFen: fen('预付', 'Prepaid', { min: 0 }),
  usedFen: fen('已结算', 'Billed', { min: 0 }),
  refundFen: fen('退款', 'Refunded', { min: 0 }),
  applicant: text('申请人', 'Requested by', { max: 64 }),
  checker: orNone(text('审核人', 'Approved by', { max: 64 })),
})
export const rechargeRefundSearch = searchOf(
  RechargeRefund,
  { refundNo: 'equals', orderNo: 'equals', refundKind: 'among', state: 'among', appliedAt: 'between', doneAt: 'between', parkCode: 'equals' },
  { sort: ['appliedAt'] },
)
const count = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** hold = captured + released + open. */
const HoldSum = entity({
  count: count('笔数', 'Holds'),
  holdFen: Hold.properties.holdFen,
  capturedFen: Hold.properties.capturedFen,
  releasedFen: Hold.properties.releasedFen,
  openFen: Hold.properties.openFen,
  shortfallFen: Hold.properties.shortfallFen,
})
const OfState = entity({ state: RechargeRefund.properties.state, count: count('笔数', 'Refunds'), refundFen: RechargeRefund.properties.refundFen })
/** A charge with all that happened to it. */
export const ChargeStory = entity({
  ...ChargeOrder.properties,
  /** The reading that the energy is counted from: a nought that was told before the meter was read is not believed. None: the energy is not known. */
  baseWh: orNone(wattHours('计量起始底度', 'Counted from')),
  lines: shaped('分段费用', 'Cost by period', listOf(BillLine)),
  moves: shaped('经过', 'What happened', listOf(ChargeMove)),
  samples: shaped('采样', 'Samples', listOf(MeterSample)),
  holds: shaped('预付', 'Holds', listOf(Hold)),
  bills: shaped('账单', 'Bills', listOf(Bill)),
  refunds: shaped('退款', 'Refunds', listOf(RechargeRefund)),
  /** What was paid for it and may still go back by hand. */
  refundableFen: fen('可退金额', 'Refundable', { min: 0 }),
  entries: shaped('总账分录', 'Ledger entries', listOf(NamedLine)),
})
export const BillStory = entity({
  ...Bill.properties,
  holds: shaped('支付', 'Payments', listOf(Hold)),
  entries: shaped('总账分录', 'Ledger entries', listOf(NamedLine)),
})
/** A line of a bill as a sheet has it. */
export const BillLines = entity({
  id: text('编号', 'Id', { max: 60 }),
  parkCode,
  billNo: Bill.properties.billNo,
  kind: among('时段类型', 'Period type', PeriodKind),
  from: instant('开始', 'From'),
  to: instant('结束', 'To'),
  wh: wattHours('电量', 'Energy'),
  elecPriceE4: priceE4('电价', 'Electricity'),
  servicePriceE4: priceE4('服务费', 'Service'),
  elecFen: fen('电费', 'Electricity'),
  serviceFen: fen('服务费', 'Service'),
})
/** An end that a pile told of no charge we know. */
export const Orphan = entity(['无订单的结束记录', 'Stop without a session'], {
  id: id<'OrphanId'>(),
  equipmentId: ChargeOrder.properties.equipmentId,
  connectorId: orNone(ChargeOrder.properties.connectorId),
  parkCode,
  transactionId: ChargeOrder.properties.transactionId,
  idTag: orNone(text('卡号', 'Card', { max: 40 })),
  meterWh: orNone(wattHours('电表底度', 'Meter reading')),
  at: instant('结束时间', 'Ended at'),
  receivedAt: instant('接收时间', 'Received at'),
  reason: orNone(text('原因', 'Reason', { max: 40 })),
})
export const orphanSearch = searchOf(Orphan, { equipmentId: 'equals', at: 'between', parkCode: 'equals' }, { sort: ['at'] })

const at = '/pc/charge'
const view = { service: 'charging', needs: 'charging:order:view' } as const
const edit = { service: 'charging', needs: 'charging:order:edit', writes: true, own: true } as const
const money = { service: 'charging', needs: 'charging:order:finance', writes: true, own: true } as const
const reason = text('原因', 'Reason', { max: 200 })
const recordList = call('charging.order.record-list', { ...view, post: `${at}/recordList`, body: paged(chargeSearch), reply: pageOf(ChargeOrder) })
const tradeList = call('charging.order.trade-record-list', { ...view, post: `${at}/tradeRecordList`, body: paged(billSearch), reply: pageOf(Bill) })
const holdList = call('charging.order.query-order-recharge-detail', {
  ...view,
  post: `${at}/queryOrderRechargeDetail`,
  body: paged(holdSearch),
  reply: pageOf(Hold),
})
const refundList = call('charging.order.query-order-recharge-refund', {
  ...view,
  post: `${at}/queryOrderRechargeRefund`,
  body: paged(rechargeRefundSearch),
  reply: pageOf(RechargeRefund),
})
const lineSearch = searchOf(BillLines, { billNo: 'equals' }, { sort: ['billNo'] })
const lineList = { input: paged(lineSearch), reply: pageOf(BillLines) } as Call<Paged<{ billNo?: string }>, Page<Of<typeof BillLines>>>

const calls = {
  recordList,
  recordDetail: call('charging.order.record-detail', {
    ...view,
    post: `${at}/recordDetail`,
    heavy: true,
    body: pick(ChargeOrder, 'orderNo'),
    reply: ChargeStory,
  }),
  recordExport: exportOf('charging.order.record-list-export', {
    ...view,
    get: `${at}/recordListExport`,
    title: ['充电订单', 'Charging sessions'],
    query: recordList,
    columns: [
      'orderNo',
      'startMode',
      'stationId',
      'connectorId',
      'plateNo',
      'cardNo',
      'status',
      'startTime',
      'endTime',
      'energyWh',
      'soc',
      'stopReason',
      'failReason',
      'elecFen',
      'serviceFen',
      'occupyFen',
      'discountFen',
      'costFen',
      'startChargeSeq',
    ],
  }),
  tradeList,
  tradeDetail: call('charging.order.trade-detail', { ...view, get: `${at}/tradeDetail`, query: pick(Bill, 'billNo'), reply: BillStory }),
  tradeDetailExport: exportOf('charging.order.trade-detail-export', {
    ...view,
    get: `${at}/tradeDetailExport`,
    title: ['充电账单明细', 'Lines of a charging bill'],
    query: lineList,
    columns: ['billNo', 'kind', 'from', 'to', 'wh', 'elecPriceE4', 'servicePriceE4', 'elecFen', 'serviceFen'],
  }),
  tradeExport: exportOf('charging.order.trade-record-list-export', {
    ...view,
    get: `${at}/tradeRecordListExport`,
    title: ['充电账单', 'Charging bills'],
    query: tradeList,
    columns: [
      'billNo',
      'orderNo',
      'kind',
      'finalAt',
      'energyWh',
      'elecFen',
      'serviceFen',
      'occupyFen',
      'adjustFen',
      'discountFen',
      'payableFen',
      'capturedFen',
      'shortfallFen',
      'waivedFen',
      'arrearsFen',
      'paidBy',
      'payMethod',
      'discountName',
      'reason',
    ],
  }),
  holdList,
  holdSum: call('charging.order.query-order-recharge-sum', { ...view, post: `${at}/queryOrderRechargeSum`, body: paged(holdSearch), reply: HoldSum }),
  holdExport: exportOf('charging.order.query-order-recharge-detail-export', {
    ...view,
    get: `${at}/queryOrderRechargeDetailExport`,
    title: ['充电预付', 'Charging holds'],
    query: holdList,
    columns: [
      'holdNo',
      'orderNo',
      'holdKind',
      'state',
      'holdAt',
      'payer',
      'payMethod',
      'tradeNo',
      'holdFen',
      'capturedFen',
      'releasedFen',
      'openFen',
      'shortfallFen',
    ],
  }),
  refundList,
  refundSum: call('charging.order.query-order-recharge-refund-sum', {
    ...view,
    post: `${at}/queryOrderRechargeRefundSum`,
    body: paged(rechargeRefundSearch),
    reply: entity({
      count: count('笔数', 'Refunds'),
      refundFen: RechargeRefund.properties.refundFen,
      byState: shaped('按状态', 'By status', listOf(OfState)),
    }),
  }),
  refundExport: exportOf('charging.order.query-order-recharge-refund-export', {
    ...view,
    get: `${at}/queryOrderRechargeRefundExport`,
    title: ['充电退款', 'Charging refunds'],
    query: refundList,
    columns: ['refundNo', 'orderNo', 'refundKind', 'state', 'appliedAt', 'doneAt', 'holdFen', 'usedFen', 'refundFen', 'applicant', 'checker'],
  }),

  /** One that is to be looked at ends at the register that a person read, else at the last one that is believed, and is billed. With the start reading no energy is billed. */
  close: call('charging.order.close', {
    ...edit,
    post: `${at}/close`,
    does: ['人工结束充电订单', 'Closed a charging session by hand'],
    body: message({ orderNo, reason }, { endWh: wattHours('结束底度', 'End reading') }),
    reply: ChargeOrder,
  }),
  bindPlate: call('charging.order.bind-plate', {
    ...edit,
    post: `${at}/bindPlate`,
    does: ['绑定充电车牌', 'Linked a plate to a charging session'],
    body: message({ orderNo, plateNo: plate(), plateColor: among('车牌颜色', 'Plate colour', PlateColor) }),
    reply: ChargeOrder,
  }),
  /** A bill of today with a sign: what was taken too much goes back; what was too little is a company's, debited, or let off. Up to 2000 fen at once. */
  adjust: call('charging.order.adjust', {
    ...money,
    post: `${at}/adjust`,
    does: ['调整充电账单', 'Adjusted the bill of a charging session'],
    body: message({ orderNo, adjustFen: fen('调整金额', 'Adjustment'), reason }),
    reply: Bill,
  }),
  /** Money that was taken for the charge goes back the way that it came, the last first; another person approves it where refunds are approved. */
  refund: call('charging.order.refund', {
    ...money,
    post: `${at}/refund`,
    does: ['申请充电退款', 'Requested a charging refund'],
    body: message({ orderNo, refundFen: fen('退款金额', 'Amount', { min: 1 }), reason }),
    reply: Bill,
  }),
  orphans: call('charging.order.orphans', { ...view, own: true, post: `${at}/orphans`, body: paged(orphanSearch), reply: pageOf(Orphan) }),
}

const refundStates = Object.keys(RefundState.entries).map(Number) as (keyof typeof RefundState.entries)[]
export const order = { calls, lineSearch, refundStates }
