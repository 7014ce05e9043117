import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  day,
  empty,
  entity,
  fen,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { channelInWords } from './payment.ts'
import { DoubleLine, doubleSearch } from './report.ts'

export const CheckState = dictionary('check_state', ['对账状态', 'Clearing status'], {
  awaited: [0, '待文件', 'Awaiting file', 'warning'],
  differs: [1, '有差异', 'Has differences', 'error'],
  even: [2, '已平', 'Balanced', 'success'],
  closed: [3, '已关账', 'Closed'],
})
export const TradeKind = dictionary('check_trade_kind', ['交易类型', 'Transaction type'], {
  payment: [1, '支付', 'Payment'],
  refund: [2, '退款', 'Refund'],
})
export const CheckResult = dictionary('check_result', ['对账结果', 'Result'], {
  same: [1, '一致', 'Matched', 'success'],
  over: [2, '长款', 'Surplus (channel only)', 'error'],
  short: [3, '短款', 'Shortage (ours only)', 'error'],
  amount: [4, '金额不符', 'Amount mismatch', 'error'],
  state: [5, '状态不符', 'Status mismatch', 'error'],
  crossDay: [6, '跨日', 'Cross-day', 'warning'],
})
export const DiffState = dictionary('check_diff_state', ['差异状态', 'Difference status'], {
  unclaimed: [0, '待认领', 'Unclaimed', 'error'],
  claimed: [1, '处理中', 'Claimed', 'warning'],
  toReview: [2, '待复核', 'Pending review', 'warning'],
  even: [3, '已平', 'Settled', 'success'],
})
export const Closing = dictionary('check_closing', ['处理方式', 'Resolution'], {
  added: [1, '补单', 'Order added'],
  returned: [2, '退回', 'Returned'],
  overShort: [3, '长短款', 'Surplus/shortage'],
  reversed: [4, '冲正', 'Reversed'],
  crossDay: [5, '跨日', 'Cross-day'],
  corrected: [6, '渠道更正', 'Corrected by channel'],
})
export const AdditionState = dictionary('addition_state', ['补单状态', 'Added order status'], {
  waiting: [0, '待复核', 'Pending review', 'warning'],
  added: [1, '已补', 'Added', 'success'],
  rejected: [2, '驳回', 'Rejected'],
})
/** Reasons why a waiting addition cannot be granted; it can still be rejected. */
export const AdditionBar = dictionary('addition_bar', ['不能补单的原因', 'Why it cannot be added'], {
  settled: [1, '长款已另行处理，只能驳回', 'The surplus was settled another way: it can only be rejected'],
  dayClosed: [2, '对账日已关账，请先反关账', 'The day is closed: reopen it first'],
  orderOver: [3, '订单已不需要这笔款项，只能驳回', 'The order no longer needs this amount: it can only be rejected'],
})
/** A difference is claimed, settled by its owner and confirmed by another; a reviewer who disagrees gives it back. */
export const diffCan = moves(DiffState, { claim: { 0: 1, 1: 1 }, settle: { 0: 2, 1: 2 }, confirm: { 2: 3 }, giveBack: { 2: 1 } })
/** The closings that a person may choose for each kind of difference. An order is added through its own request. */
export const CLOSINGS: Readonly<Record<number, readonly number[]>> = {
  [CheckResult.over]: [Closing.overShort, Closing.returned],
  [CheckResult.short]: [Closing.overShort],
  [CheckResult.amount]: [Closing.overShort],
  [CheckResult.state]: [Closing.added],
}
/** From this amount on two people confirm an addition. */
export const TWO_APPROVERS_FEN = 50_000

const checkDate = day('对账日期', 'Day')
const channel = text('渠道', 'Channel', { max: 20 })
const personId = id<'PersonId'>('人员编号', 'Person id')
/** A day of a channel: our trades beside those of its file. */
export const CheckTotal = entity(['渠道对账', 'Channel clearing'], {
  ...rowFields<'CheckTotalId'>(),
  checkDate,
  channel,
  mchId: orNone(text('商户号', 'Merchant ID', { max: 40 })),
  platCount: whole('平台笔数', 'Our transactions', { min: 0 }),
  platFen: fen('平台收款', 'Our payments'),
  platRefundFen: fen('平台退款', 'Our refunds'),
  chanCount: whole('渠道笔数', 'Channel transactions', { min: 0 }),
  chanFen: fen('渠道收款', 'Channel payments'),
  chanRefundFen: fen('渠道退款', 'Channel refunds'),
  feeFen: fen('手续费', 'Fees'),
  diffCount: whole('差异笔数', 'Differences', { min: 0 }),
  diffFen: fen('差异金额', 'Difference'),
  openCount: whole('未平笔数', 'Open differences', { min: 0 }),
  /** It falls with each difference that is settled; `diffFen` stays as it was found. */
  openFen: fen('未平差额', 'Open amount'),
  state: among('状态', 'Status', CheckState),
  fileName: orNone(text('对账文件', 'File', { max: 200 })),
  importedName: orNone(text('导入人', 'Imported by')),
  importedAt: orNone(instant('导入时间', 'Imported at')),
  closedName: orNone(text('关账人', 'Closed by')),
  closedAt: orNone(instant('关账时间', 'Closed at')),
  reopenId: orNone(personId),
  reopenName: orNone(text('申请反关账', 'Reopening requested by')),
  reopenReason: orNone(text('反关账原因', 'Reopening reason', { max: 200 })),
  beforeCount: orNone(whole('启用前笔数', 'Transactions before clearing began', { min: 0 })),
  beforeFen: orNone(fen('启用前净额', 'Net amount before clearing began')),
  beforeFrom: orNone(day('启用前最早日期', 'Earliest day before clearing began')),
})
/**
 * Money that a channel took and gave back before its first closed day, which is compared with no file: `fen` is net. Days are closed in order: if an earlier day is open, it is
 * `first`, and the sums cover the days before it.
 */
export const Uncleared = entity(['启用前的收款', 'Before clearing began'], {
  count: whole('笔数', 'Transactions', { min: 0 }),
  fen: fen('净额', 'Net amount'),
  from: orNone(day('最早日期', 'Earliest day')),
  first: orNone(shaped('最早未关账的对账日', 'First day still open', pick(CheckTotal, 'checkDate', 'channel', 'state', 'chanFen', 'chanRefundFen'))),
})
export const totalSearch = searchOf(CheckTotal, { checkDate: 'between', channel: 'equals', state: 'among' }, { sort: ['checkDate'] })
const range = { dateFrom: day('日期自', 'From'), dateTo: day('日期至', 'To') }
export const CheckSum = entity({
  days: whole('天数', 'Days', { min: 0 }),
  awaited: whole('待文件', 'Awaiting file', { min: 0 }),
  differs: whole('有差异', 'Days with differences', { min: 0 }),
  ...pick(
    CheckTotal,
    'platCount',
    'platFen',
    'platRefundFen',
    'chanCount',
    'chanFen',
    'chanRefundFen',
    'feeFen',
    'diffCount',
    'diffFen',
    'openCount',
    'openFen',
  ).properties,
})

/** One trade as both sides have it. */
export const CheckDetail = entity(['对账明细', 'Clearing transaction'], {
  ...rowFields<'CheckDetailId'>(),
  checkDate,
  channel,
  kind: among('交易类型', 'Type', TradeKind),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  payNo: orNone(text('支付单号', 'Payment number', { max: 64 })),
  tradeNo: orNone(text('渠道流水号', 'Transaction ID', { max: 64 })),
  parkCode: text('车场编号', 'Car park code', { min: 0, max: 16 }),
  platFen: orNone(fen('平台金额', 'Our amount')),
  chanFen: orNone(fen('渠道金额', 'Channel amount')),
  diffFen: fen('差额', 'Difference'),
  feeFen: fen('手续费', 'Fee'),
  platTime: orNone(instant('平台时间', 'Our time')),
  chanTime: orNone(instant('渠道时间', 'Channel time')),
  result: among('对账结果', 'Result', CheckResult),
  diffState: among('差异状态', 'Status', DiffState),
  ownerId: orNone(personId),
  ownerName: orNone(text('处理人', 'Handler')),
  closing: orNone(among('处理方式', 'Resolution', Closing)),
  note: orNone(text('说明', 'Note', { max: 200 })),
  settledId: orNone(personId),
  settledName: orNone(text('提交人', 'Submitted by')),
  decidedName: orNone(text('复核人', 'Reviewed by')),
  entryId: orNone(id<'EntryId'>('分录', 'Entry')),
})
export const detailSearch = searchOf(
  CheckDetail,
  {
    checkDate: 'equals',
    channel: 'equals',
    kind: 'among',
    result: 'among',
    diffState: 'among',
    orderNo: 'equals',
    tradeNo: 'equals',
    parkCode: 'equals',
  },
  { sort: ['checkDate'] },
)
/** An order made afterwards for money that the channel has. */
export const Addition = entity(['补单', 'Added order'], {
  ...rowFields<'AdditionId'>(),
  additionNo: text('补单编号', 'Addition number', { max: 40 }),
  detailId: id<'CheckDetailId'>('对账明细', 'Transaction'),
  checkDate,
  channel,
  tradeNo: text('渠道流水号', 'Transaction ID', { max: 64 }),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  reason: text('原因', 'Reason', { max: 200 }),
  evidence: images('凭证', 'Evidence'),
  applicantId: personId,
  applicantName: text('申请人', 'Requested by'),
  firstApproverId: orNone(personId),
  firstApproverName: orNone(text('一审', 'First reviewer')),
  secondApproverName: orNone(text('二审', 'Second reviewer')),
  approvals: whole('已复核人数', 'Approvals', { min: 0 }),
  approvalsNeeded: whole('需复核人数', 'Approvals needed', { min: 1 }),
  state: among('状态', 'Status', AdditionState),
  verdict: orNone(text('复核意见', 'Review comment', { max: 200 })),
})
export const AdditionLine = entity({ ...Addition.properties, bar: orNone(among('不能补单的原因', 'Why it cannot be added', AdditionBar)) })
export const additionSearch = searchOf(
  Addition,
  { checkDate: 'between', channel: 'equals', state: 'among', tradeNo: 'equals', additionNo: 'equals' },
  { sort: ['createdAt'] },
)

const view = { service: 'checkBill', needs: 'settlement:liquidation:view' } as const
const handle = { service: 'checkBill', needs: 'settlement:liquidation:handle', writes: true, own: true } as const
const review = { service: 'checkBill', needs: 'settlement:liquidation:review', writes: true, own: true } as const
const close = { service: 'checkBill', needs: 'settlement:liquidation:close', writes: true, own: true } as const
const which = pick(CheckDetail, 'id', 'version')
const ofDouble = pick(DoubleLine, 'id', 'version')
export const Handler = entity(['处理人', 'Handler'], { id: personId, name: text('姓名', 'Name') })
const decision = { pass: yes('通过', 'Approved') }
const verdict = text('复核意见', 'Review comment', { max: 200 })
const note = text('说明', 'Note', { max: 200 })
const ofDay = { checkDate, channel }

const totals = call('settlement.liquidation.search-check-total', {
  ...view,
  post: '/liquidation/searchCheckTotal',
  body: paged(totalSearch, range),
  reply: pageOf(CheckTotal),
})
const details = call('settlement.liquidation.search-check-detail', {
  ...view,
  post: '/liquidation/searchCheckDetail',
  body: paged(detailSearch),
  reply: pageOf(CheckDetail),
})
const additions = call('settlement.liquidation.addition-order-detail', {
  ...view,
  post: '/liquidation/additionOrderDetail',
  body: paged(additionSearch),
  reply: pageOf(AdditionLine),
})
const liquidationImport = { service: 'checkBill', needs: 'settlement:liquidation:import', writes: true, own: true } as const
const doubles = call('settlement.liquidation.double-payments', {
  ...view,
  own: true,
  post: '/liquidation/doublePayments',
  body: paged(doubleSearch),
  reply: pageOf(DoubleLine),
})
export const liquidation = {
  totals,
  statistics: call('settlement.liquidation.search-check-total-statistics', {
    ...view,
    post: '/liquidation/searchCheckTotalStatistics',
    body: paged(totalSearch, range),
    reply: CheckSum,
  }),
  details,
  additions,
  totalExport: exportOf('settlement.liquidation.search-check-total-export', {
    ...view,
    post: '/liquidation/searchCheckTotalExport',
    title: ['渠道对账', 'Channel clearing'],
    query: totals,
    columns: [
      'checkDate',
      channelInWords,
      'mchId',
      'platCount',
      'platFen',
      'platRefundFen',
      'chanCount',
      'chanFen',
      'chanRefundFen',
      'feeFen',
      'diffCount',
      'diffFen',
      'openCount',
      'openFen',
      'state',
      'closedName',
    ],
  }),
  detailExport: exportOf('settlement.liquidation.search-check-detail-export', {
    ...view,
    post: '/liquidation/searchCheckDetailExport',
    title: ['对账明细', 'Clearing transactions'],
    query: details,
    columns: [
      'checkDate',
      channelInWords,
      'kind',
      'orderNo',
      'payNo',
      'tradeNo',
      'parkCode',
      parkName,
      'platFen',
      'chanFen',
      'diffFen',
      'feeFen',
      'platTime',
      'chanTime',
      'result',
      'diffState',
      'ownerName',
      'closing',
      'note',
      'settledName',
      'decidedName',
    ],
  }),
  additionExport: exportOf('settlement.liquidation.addition-order-detail-export', {
    ...view,
    post: '/liquidation/additionOrderDetailExport',
    title: ['补单', 'Added orders'],
    query: additions,
    columns: [
      'additionNo',
      'checkDate',
      channelInWords,
      'tradeNo',
      'amountFen',
      'parkCode',
      parkName,
      'orderNo',
      'reason',
      'applicantName',
      'firstApproverName',
      'secondApproverName',
      'state',
      'createdAt',
    ],
  }),
  /** Money that came twice, late or in a wrong amount, of every kind of order, as long as it waits to go back. */
  doubles,
  doubleExport: exportOf('settlement.liquidation.double-payments-export', {
    ...view,
    own: true,
    post: '/liquidation/doublePaymentsExport',
    title: ['重复支付', 'Duplicate payments'],
    query: doubles,
    columns: [
      'orderNo',
      'plateNo',
      'parkCode',
      parkName,
      'state',
      'payMethod',
      'payNo',
      'tradeNo',
      'receivedFen',
      'refundFen',
      'paidAt',
      'ownerName',
      'ownedAt',
    ],
  }),
  /** Makes a double payment the caller's own; one that another person has is theirs to hand over. */
  doubleTake: call('settlement.liquidation.double-take', {
    ...handle,
    post: '/liquidation/doubleTake',
    does: ['接手重复支付', 'Took on a duplicate payment'],
    body: ofDouble,
    reply: DoubleLine,
  }),
  /** Hands a double payment to a person who may handle it, or back to nobody. Its owner does so, or a reviewer in their place. */
  doubleHandOver: call('settlement.liquidation.double-hand-over', {
    ...handle,
    post: '/liquidation/doubleHandOver',
    does: ['移交重复支付', 'Handed over a duplicate payment'],
    body: message({ ...ofDouble.properties }, { personId }),
    reply: DoubleLine,
  }),
  /** Returns the people who may handle such money. */
  doublePeople: call('settlement.liquidation.double-people', {
    ...view,
    own: true,
    get: '/liquidation/doublePeople',
    query: empty,
    reply: listOf(Handler),
  }),
  /** The channel's file of a day. The same bytes again change nothing; a file that was cut or does not add up is refused whole. */
  importFile: call('settlement.liquidation.import-file', {
    ...liquidationImport,
    post: '/liquidation/importFile',
    does: ['导入渠道对账文件', 'Imported a channel file'],
    multipart: message({ file: upload('文件', 'File'), ...ofDay }),
    reply: CheckTotal,
  }),
  /** Asks the channel for the day's file again. */
  fetch: call('settlement.liquidation.fetch', {
    ...liquidationImport,
    post: '/liquidation/fetch',
    does: ['获取渠道对账文件', 'Requested a channel file'],
    body: message(ofDay),
    reply: nothing,
  }),
  assign: call('settlement.liquidation.assign', {
    ...handle,
    post: '/liquidation/assign',
    does: ['认领对账差异', 'Claimed a difference'],
    body: which,
    reply: CheckDetail,
  }),
  settle: call('settlement.liquidation.settle', {
    ...handle,
    post: '/liquidation/settle',
    does: ['处理对账差异', 'Settled a difference'],
    body: message({ ...which.properties, closing: among('处理方式', 'Resolution', Closing), note }),
    reply: CheckDetail,
  }),
  settleDecide: call('settlement.liquidation.settle-decide', {
    ...review,
    post: '/liquidation/settleDecide',
    does: ['复核对账差异', 'Reviewed a difference'],
    body: message({ ...which.properties, ...decision }, { verdict }),
    reply: CheckDetail,
  }),
  additionApply: call('settlement.liquidation.addition-apply', {
    ...handle,
    post: '/liquidation/additionApply',
    does: ['申请补单', 'Requested an added order'],
    body: message(
      { tradeNo: Addition.properties.tradeNo, reason: Addition.properties.reason, evidence: images('凭证', 'Evidence') },
      { stayId: id<'StayId'>('停车记录', 'Stay'), orderNo: text('订单号', 'Order number', { max: 40 }) },
    ),
    reply: Addition,
  }),
  additionDecide: call('settlement.liquidation.addition-decide', {
    ...review,
    post: '/liquidation/additionDecide',
    does: ['复核补单', 'Reviewed an added order'],
    body: message({ ...pick(Addition, 'id', 'version').properties, ...decision }, { verdict }),
    reply: Addition,
  }),
  /** Compares a day again, with the payments and refunds booked since its file came: a day that has differences may be even by now. */
  compareDay: call('settlement.liquidation.compare-day', {
    ...handle,
    post: '/liquidation/compareDay',
    does: ['重新核对对账日', 'Compared a day again'],
    body: message(ofDay),
    reply: CheckTotal,
  }),
  /** Returns the money before a day that would be the channel's first closed one; nothing where an earlier day is closed. */
  uncleared: call('settlement.liquidation.uncleared', {
    service: close.service,
    needs: close.needs,
    own: true,
    get: '/liquidation/uncleared',
    query: message(ofDay),
    reply: Uncleared,
  }),
  /** A channel's first closing says with `begins` that what came before it is compared on no day. */
  closeDay: call('settlement.liquidation.close-day', {
    ...close,
    post: '/liquidation/closeDay',
    does: ['关账', 'Closed a day'],
    body: message(ofDay, { begins: yes('从此日起对账', 'Clearing begins here') }),
    reply: CheckTotal,
  }),
  reopenDay: call('settlement.liquidation.reopen-day', {
    ...close,
    post: '/liquidation/reopenDay',
    does: ['申请反关账', 'Requested to reopen a day'],
    body: message({ ...ofDay, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: CheckTotal,
  }),
  reopenDecide: call('settlement.liquidation.reopen-decide', {
    ...close,
    post: '/liquidation/reopenDecide',
    does: ['复核反关账', 'Reviewed a reopening request'],
    body: message({ ...ofDay, ...decision }),
    reply: CheckTotal,
  }),
}
