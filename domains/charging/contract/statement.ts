import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  moves,
  orNone,
  permille,
  pick,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Bill } from './money.ts'
import { PlatformRow } from './platform.ts'
import { ChargeOrder } from './session.ts'
import { parkCode } from './units.ts'

export const StatementState = dictionary('charging_statement_state', ['对账单状态', 'Statement status'], {
  draft: [0, '草稿', 'Draft'],
  sent: [1, '已发', 'Sent', 'warning'],
  differing: [2, '有差异', 'With differences', 'error'],
  confirmed: [3, '已确认', 'Confirmed', 'success'],
  settled: [4, '已结清', 'Settled'],
})
/** Who pays whom. */
export const Direction = dictionary('charging_statement_direction', ['结算方向', 'Direction'], {
  receivable: [1, '应收', 'Receivable'],
  payable: [2, '应付', 'Payable'],
})
/** What may become of a statement; a difference moves it between sent and differing by itself. */
export const statementCan = moves(StatementState, { send: { 0: 1 }, confirm: { 1: 3 }, settle: { 3: 4 } })
const { name: platformName } = PlatformRow.properties
const platformId = id<'ChargingPlatformId'>('互联平台', 'Platform')
/** A month, as `2026-03`. */
export const month = text('月份', 'Month', { max: 7, pattern: '^\\d{4}-(0[1-9]|1[0-2])$' })
/** More than one charge has. */
const muchEnergy = (zh: string, en: string) => whole(zh, en, { min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'watt-hour' })

/** What the charges of a month between a partner and us come to, its drivers' here or ours there: every bill of the month, by when it became final. */
export const StatementRow = entity(['互联对账单', 'Partner statement'], {
  ...rowFields<'ChargingStatementId'>(),
  statementNo: text('对账单号', 'Statement number', { max: 40 }),
  platformId,
  direction: among('结算方向', 'Direction', Direction),
  month,
  state: among('状态', 'Status', StatementState),
  orders: whole('订单数', 'Sessions', { min: 0 }),
  energyWh: muchEnergy('电量', 'Energy'),
  elecFen: fen('电费', 'Electricity'),
  serviceFen: fen('服务费', 'Service'),
  adjustFen: fen('调整', 'Adjustments'),
  splitPermille: permille('服务费分成', 'Share of the service fee'),
  splitFen: fen('平台分成', 'The platform’s share', { min: 0 }),
  netFen: fen('应结金额', 'To be paid'),
  sentAt: orNone(instant('发出时间', 'Sent at')),
  senderId: orNone(id<'PersonId'>('发出人编号', 'Sender id')),
  senderName: orNone(text('发出人', 'Sent by')),
  confirmedAt: orNone(instant('确认时间', 'Confirmed at')),
  confirmerName: orNone(text('确认人', 'Confirmed by')),
  settledAt: orNone(instant('结清时间', 'Settled at')),
  settlerName: orNone(text('登记人', 'Settlement recorded by')),
  tradeNo: orNone(text('银行流水号', 'Bank reference', { max: 64 })),
})
export const Statement = entity({
  ...StatementRow.properties,
  platformName,
  openDifferences: whole('未处理差异', 'Open differences', { min: 0 }),
})
export const statementSearch = searchOf(
  Statement,
  { platformId: 'equals', direction: 'among', month: 'equals', state: 'among', statementNo: 'equals' },
  { sort: ['month', 'createdAt'] },
)

/** A bill of a partner's charge, as both sides know it. */
export const PartnerBill = entity(['互联账单', 'Partner bill'], {
  ...pick(Bill, 'id', 'billNo', 'orderNo', 'stationId', 'kind', 'finalAt', 'energyWh', 'elecFen', 'serviceFen', 'adjustFen', 'reason').properties,
  ...pick(ChargeOrder, 'startChargeSeq', 'connectorId').properties,
  platformId,
  parkCode,
  partnerFen: fen('平台应付', 'Payable by platform'),
})
export const partnerBillSearch = searchOf(
  PartnerBill,
  { platformId: 'equals', finalAt: 'between', kind: 'among', startChargeSeq: 'equals', orderNo: 'equals' },
  { sort: ['finalAt'], ascending: true },
)

export const CheckState = dictionary('charging_check_state', ['日对账状态', 'Daily check status'], {
  asked: [0, '待应答', 'Awaiting answer', 'warning'],
  agreed: [1, '一致', 'Matches', 'success'],
  differs: [2, '有差异', 'Differs', 'error'],
})
/** Whether a partner knows the same charges of a day; a long day is asked in pieces. */
export const PartnerCheck = entity(['日对账', 'Daily check'], {
  id: id<'PartnerCheckId'>(),
  platformId,
  day: day('日期', 'Day'),
  piece: whole('批次', 'Batch', { min: 1 }),
  checkSeq: text('对账流水号', 'Check number', { max: 27 }),
  orderCount: whole('订单数', 'Sessions', { min: 1 }),
  energyWh: muchEnergy('电量', 'Energy'),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  state: among('状态', 'Status', CheckState),
  differences: whole('差异笔数', 'Differences', { min: 0 }),
  answeredAt: orNone(instant('应答时间', 'Answered at')),
  createdAt: instant('发起时间', 'Started at'),
})
export const checkSearch = searchOf(PartnerCheck, { platformId: 'equals', day: 'between', state: 'among' }, { sort: ['day'] })

export const DifferenceKind = dictionary('charging_difference_kind', ['差异类型', 'Difference type'], {
  missingThere: [1, '对方无', 'Missing on their side'],
  missingHere: [2, '我方无', 'Missing on our side'],
  energy: [3, '电量', 'Energy'],
  amount: [4, '金额', 'Amount'],
  state: [5, '状态', 'Status'],
})
export const DifferenceState = dictionary('charging_difference_state', ['差异状态', 'Difference status'], {
  open: [0, '待处理', 'Open', 'error'],
  ours: [1, '以我方为准', 'Our figure stands'],
  theirs: [2, '以对方为准', 'Their figure stands'],
  submitted: [3, '待复核', 'Awaiting review', 'warning'],
})
/** Where their figure stands money moves: another person reviews it. */
export const differenceCan = moves(DifferenceState, { keep: { 0: 1 }, carry: { 0: 0 }, submit: { 0: 3 }, confirm: { 3: 2 }, giveBack: { 3: 0 } })
/** How a difference is closed; one for the next month stays open there. */
export const Closing = dictionary('charging_difference_closing', ['处理方式', 'How to close it'], {
  ours: [1, '以我方为准', 'Our figure stands'],
  theirs: [2, '以对方为准（复核后出调整账单）', 'Their figure stands (an adjusting bill after review)'],
  nextMonth: [3, '转下月', 'Carry to next month'],
})
const { orderNo, startChargeSeq, energyWh } = ChargeOrder.properties
const wh = (zh: string, en: string) => orNone({ ...energyWh, 'x-zh': zh, 'x-en': en } as typeof energyWh)
export const Difference = entity(['对账差异', 'Difference'], {
  ...rowFields<'PartnerDifferenceId'>(),
  platformId,
  direction: among('结算方向', 'Direction', Direction),
  month,
  day: day('日期', 'Day'),
  kind: among('差异类型', 'Type', DifferenceKind),
  startChargeSeq,
  orderNo: orNone(orderNo),
  ourWh: wh('我方电量', 'Our energy'),
  theirWh: wh('对方电量', 'Their energy'),
  ourFen: orNone(fen('我方金额', 'Our amount')),
  theirFen: orNone(fen('对方金额', 'Their amount')),
  state: among('状态', 'Status', DifferenceState),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  billNo: orNone(Bill.properties.billNo),
  submitterId: orNone(id<'PersonId'>('提交人编号', 'Submitter id')),
  submitterName: orNone(text('提交人', 'Submitted by')),
  closedAt: orNone(instant('处理时间', 'Closed at')),
  closedBy: orNone(text('处理人', 'Closed by')),
})
export const differenceSearch = searchOf(
  Difference,
  { platformId: 'equals', direction: 'among', month: 'equals', state: 'among', kind: 'among', startChargeSeq: 'equals' },
  { sort: ['createdAt'] },
)

const view = { service: 'charging', needs: 'charging:statement:view', own: true } as const
const edit = { service: 'charging', needs: 'charging:statement:edit', writes: true, own: true } as const
const byVersion = pick(Statement, 'id', 'version')
const bills = call('charging.statement.bills', { ...view, post: '/statement/bills', body: paged(partnerBillSearch), reply: pageOf(PartnerBill) })
const query = call('charging.statement.query', { ...view, post: '/statement/query', body: paged(statementSearch), reply: pageOf(Statement) })
const checks = call('charging.statement.checks', { ...view, post: '/statement/checks', body: paged(checkSearch), reply: pageOf(PartnerCheck) })
const differences = call('charging.statement.differences', {
  ...view,
  post: '/statement/differences',
  body: paged(differenceSearch),
  reply: pageOf(Difference),
})
export const statement = {
  query,
  exportMonths: exportOf('charging.statement.export-months', {
    service: 'charging',
    needs: 'charging:statement:view',
    own: true,
    post: '/statement/monthsExport',
    title: ['月对账单', 'Monthly statements'],
    query,
    columns: [
      'month',
      'platformName',
      'direction',
      'state',
      'netFen',
      'openDifferences',
      'orders',
      'elecFen',
      'serviceFen',
      'splitFen',
      'energyWh',
      'adjustFen',
      'statementNo',
      'splitPermille',
      'sentAt',
      'senderName',
      'confirmedAt',
      'confirmerName',
      'settledAt',
      'settlerName',
      'tradeNo',
    ],
  }),
  /** The bills behind the figures. */
  bills,
  /** What the partner gets: its bills of a time, as a sheet. */
  export: exportOf('charging.statement.export', {
    ...view,
    post: '/statement/export',
    title: ['互联对账单明细', 'Partner statement'],
    query: bills,
    columns: [
      'startChargeSeq',
      'billNo',
      'orderNo',
      'connectorId',
      'kind',
      'finalAt',
      'energyWh',
      'elecFen',
      'serviceFen',
      'adjustFen',
      'partnerFen',
      'reason',
    ],
  }),
  checks,
  exportChecks: exportOf('charging.statement.export-checks', {
    service: 'charging',
    needs: 'charging:statement:view',
    own: true,
    post: '/statement/checksExport',
    title: ['日对账', 'Daily checks'],
    query: checks,
    columns: ['day', 'piece', 'orderCount', 'energyWh', 'amountFen', 'state', 'differences', 'createdAt', 'answeredAt', 'checkSeq'],
  }),
  differences,
  exportDifferences: exportOf('charging.statement.export-differences', {
    service: 'charging',
    needs: 'charging:statement:view',
    own: true,
    post: '/statement/differencesExport',
    title: ['对账差异', 'Differences'],
    query: differences,
    columns: [
      'day',
      'direction',
      'kind',
      'startChargeSeq',
      'ourFen',
      'theirFen',
      'ourWh',
      'theirWh',
      'state',
      'month',
      'orderNo',
      'reason',
      'submitterName',
      'billNo',
      'closedAt',
      'closedBy',
    ],
  }),
  /** Asks a partner now whether it knows the charges of a day that is over: each once, and what was asked already is told apart from what there is not. */
  check: call('charging.statement.check', {
    ...edit,
    post: '/statement/check',
    does: ['发起日对账', 'Started a daily check'],
    body: pick(PartnerCheck, 'platformId', 'day'),
    reply: message({ count: whole('订单数', 'Sessions', { min: 0 }), askedBefore: whole('此前已发起', 'Asked before', { min: 0 }) }),
  }),
  settleDifference: call('charging.statement.settle-difference', {
    ...edit,
    post: '/statement/settleDifference',
    does: ['处理对账差异', 'Closed a difference'],
    body: message({
      ...pick(Difference, 'id', 'version').properties,
      closing: among('处理方式', 'How to close it', Closing),
      reason: text('原因', 'Reason', { max: 200 }),
    }),
    reply: Difference,
  }),
  /** Another than who submitted it: with the yes their figure stands, by an adjusting bill. */
  decideDifference: call('charging.statement.decide-difference', {
    ...edit,
    post: '/statement/decideDifference',
    does: ['复核对账差异', 'Reviewed a difference'],
    body: message(
      { ...pick(Difference, 'id', 'version').properties, pass: yes('通过', 'Approved') },
      { verdict: text('复核意见', 'Review comment', { max: 200 }) },
    ),
    reply: Difference,
  }),
  /** It has gone to the partner: from now on it is theirs to agree to. */
  send: call('charging.statement.send', {
    ...edit,
    post: '/statement/send',
    does: ['发出对账单', 'Sent a statement'],
    body: byVersion,
    reply: Statement,
  }),
  /** Another than who sent it; no difference is open. The platform's share becomes a debt of ours. */
  confirm: call('charging.statement.confirm', {
    ...edit,
    post: '/statement/confirm',
    does: ['确认对账单', 'Confirmed a statement'],
    body: byVersion,
    reply: Statement,
  }),
  /** The money came, or went. */
  settle: call('charging.statement.settle', {
    ...edit,
    post: '/statement/settle',
    does: ['登记对账单结清', 'Recorded a statement as paid'],
    body: message({ ...byVersion.properties, tradeNo: text('银行流水号', 'Bank reference', { max: 64 }) }),
    reply: Statement,
  }),
}
