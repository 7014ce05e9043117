import { searchOf } from '../../../platform/contract/call.ts'
import { account, among, dictionary, entity, fen, id, instant, listOf, orNone, rowFields, shaped, text } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { BillLine, ChargeOrder } from './session.ts'
import { parkCode } from './units.ts'

export const HoldKind = dictionary('charging_hold_kind', ['资金类型', 'Hold type'], {
  prepaid: [1, '预付', 'Prepayment'],
  stored: [2, '储值冻结', 'Stored value'],
  credit: [3, '授信', 'Credit'],
})
export const HoldState = dictionary('charging_hold_state', ['资金状态', 'Hold status'], {
  waiting: [0, '待支付', 'To be paid', 'warning'],
  held: [1, '持有', 'Prepaid', 'success'],
  settled: [2, '已结', 'Settled'],
  released: [3, '已释放', 'Released'],
  void: [4, '失效', 'Void'],
})
const orderNo = ChargeOrder.properties.orderNo
/** Money that a charge may cost: hold = captured + released + open. */
export const Hold = entity(['充电预付', 'Charging hold'], {
  ...rowFields<'HoldId'>(),
  holdNo: text('预付单号', 'Prepayment number', { max: 40 }),
  orderNo,
  parkCode,
  holdKind: among('资金类型', 'Type', HoldKind),
  state: among('状态', 'Status', HoldState),
  holdAt: instant('预付时间', 'Prepaid at'),
  payer: account('付款人', 'Payer', { max: 64 }),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  tradeNo: orNone(text('渠道流水号', 'Trade number', { max: 64 })),
  holdFen: fen('预付', 'Prepaid', { min: 0 }),
  capturedFen: fen('结算', 'Captured', { min: 0 }),
  releasedFen: fen('退回', 'Returned', { min: 0 }),
  openFen: fen('未结', 'Open', { min: 0 }),
  shortfallFen: fen('不足', 'Shortfall', { min: 0 }),
})
export const holdSearch = searchOf(
  Hold,
  { holdNo: 'equals', orderNo: 'equals', holdKind: 'among', state: 'among', holdAt: 'between', parkCode: 'equals' },
  { sort: ['holdAt'] },
)

export const BillKind = dictionary('charging_bill_kind', ['账单类型', 'Bill type'], {
  charge: [1, '充电', 'Charging'],
  occupancy: [2, '占位', 'Idle'],
  adjustment: [3, '调整', 'Adjustment'],
})
/** How what no hold paid was paid. */
export const PaidBy = dictionary('charging_paid_by', ['结算方式', 'Payment source'], {
  prepaid: [1, '预付', 'Prepayment'],
  stored: [2, '储值', 'Stored value'],
  credit: [3, '单位授信', 'Company credit'],
  partner: [4, '互联平台', 'Partner platform'],
  waived: [5, '减免', 'Waived'],
  arrears: [6, '欠费', 'Arrears'],
  nothing: [7, '无需支付', 'Nothing to pay'],
})
/** A final bill; it never changes. payable = captured + shortfall, and the shortfall is waived, owed, or a partner's. */
export const Bill = entity(['充电账单', 'Charging bill'], {
  id: id<'BillId'>(),
  billNo: text('账单号', 'Bill number', { max: 40 }),
  orderNo,
  parkCode,
  stationId: ChargeOrder.properties.stationId,
  kind: among('类型', 'Type', BillKind),
  finalAt: instant('结算时间', 'Billed at'),
  energyWh: ChargeOrder.properties.energyWh,
  elecFen: fen('电费', 'Electricity'),
  serviceFen: fen('服务费', 'Service'),
  occupyFen: fen('占位费', 'Idle fee'),
  adjustFen: fen('调整', 'Adjustment'),
  discountFen: fen('优惠', 'Discount', { min: 0 }),
  payableFen: fen('应付', 'Payable'),
  capturedFen: fen('预付结算', 'Captured', { min: 0 }),
  shortfallFen: fen('不足', 'Shortfall'),
  waivedFen: fen('减免', 'Waived'),
  partnerFen: fen('平台应收', 'Partner receivable'),
  arrearsFen: fen('转欠费', 'Moved to arrears'),
  paidBy: among('结算方式', 'Payment source', PaidBy),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  discountName: orNone(text('优惠名称', 'Discount name', { max: 64 })),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  lines: shaped('明细', 'Lines', listOf(BillLine)),
})
export const billSearch = searchOf(
  Bill,
  { billNo: 'equals', orderNo: 'equals', kind: 'among', finalAt: 'between', stationId: 'equals', parkCode: 'equals' },
  { sort: ['finalAt'] },
)
