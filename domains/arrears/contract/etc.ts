import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  permille,
  personal,
  plate,
  rowFields,
  shaped,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { ArrearsRecord, ArrearsState } from './file.ts'

export const EtcState = dictionary('etc_state', ['ETC 扣费状态', 'ETC deduction status'], {
  waiting: [0, '待扣', 'Waiting'],
  running: [1, '扣费中', 'Deducting', 'warning'],
  done: [2, '成功', 'Succeeded', 'success'],
  failed: [3, '失败', 'Failed', 'error'],
  unknown: [4, '结果未知', 'Result unknown', 'warning'],
  manual: [5, '转人工', 'Manual handling', 'warning'],
  refunded: [6, '已退款', 'Refunded'],
})
export const EtcFailCode = dictionary('etc_fail_code', ['ETC 失败原因', 'ETC failure reason'], {
  poor: [1, '余额不足', 'Insufficient balance'],
  listed: [2, '状态名单', 'On the status list'],
  mismatch: [3, '卡签异常', 'Card/tag mismatch'],
  unread: [4, '未读到', 'Not read'],
  silent: [5, '超时', 'Timed out'],
  tac: [6, 'TAC 错', 'TAC error'],
})
export const EtcReason = dictionary('etc_refund_reason', ['ETC 退款原因', 'ETC refund reason'], {
  twice: [1, '重复', 'Duplicate'],
  amount: [2, '金额错', 'Wrong amount'],
  mistake: [3, '误扣', 'Deducted by mistake'],
  appeal: [4, '申诉', 'Appeal'],
})
export const Verdict = dictionary('etc_verdict', ['审核结果', 'Review result'], {
  granted: [1, '通过', 'Approved'],
  rejected: [2, '驳回', 'Rejected'],
})

const parkCode = ArrearsRecord.properties.parkCode
const deductNo = text('扣费流水号', 'Deduction number', { max: 48 })
const laneNo = text('车道号', 'Lane number', { max: 24 })
/** A car that left though ETC did not say that it paid. */
export const EtcPassage = entity({
  ...rowFields<'EtcDeductId'>(),
  deductNo,
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  orderId: id<'OrderId'>('订单', 'Order'),
  parkCode,
  laneNo,
  psamNo: text('PSAM 号', 'PSAM number', { max: 12 }),
  psamSeq: orNone(whole('PSAM 序号', 'PSAM sequence', { min: 0 })),
  cardNo: orNone(personal('document', text('卡号', 'Card', { max: 32 }))),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  amountFen: fen('扣费金额', 'Amount', { min: 1 }),
  owedFen: fen('尚欠', 'Still owed', { min: 0 }),
  tradeTime: instant('交易时间', 'Transaction time'),
  etcState: among('状态', 'Status', EtcState),
  failCode: orNone(among('失败原因', 'Failure reason', EtcFailCode)),
  matched: yes('已对账', 'Cleared'),
  fileNo: orNone(text('清分文件', 'Clearing file', { max: 64 })),
  recordId: orNone(id<'ArrearsRecordId'>('欠费记录', 'Arrears record')),
  arrearsNo: orNone(text('欠费编号', 'Arrears number', { max: 40 })),
  arrearsState: orNone(among('欠费状态', 'Arrears status', ArrearsState)),
  leftAt: orNone(instant('驶离时间', 'Left at')),
})
export const passageSearch = searchOf(
  EtcPassage,
  { plateNo: 'plate', parkCode: 'equals', laneNo: 'equals', etcState: 'among', failCode: 'among', deductNo: 'equals', tradeTime: 'between' },
  { sort: ['tradeTime'] },
)
export const EtcRefund = entity({
  id: id<'RefundId'>(),
  refundNo: text('退款单号', 'Refund number', { max: 40 }),
  deductNo,
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  laneNo,
  parkCode,
  amountFen: fen('退款金额', 'Amount', { min: 1 }),
  reason: among('退款原因', 'Refund reason', EtcReason),
  note: text('说明', 'Note', { max: 200 }),
  state: among('状态', 'Status', RefundState),
  applicantId: orNone(id<'PersonId'>('申请人编号', 'Requested by (id)')),
  applicantName: text('申请人', 'Requested by'),
  verifierName: orNone(text('审核人', 'Reviewed by')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  matched: yes('已对账', 'Cleared'),
  fileNo: orNone(text('清分文件', 'Clearing file', { max: 64 })),
  appliedAt: instant('申请时间', 'Requested at'),
  decidedAt: orNone(instant('审核时间', 'Reviewed at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  version: whole('版本', 'Version'),
})
export const etcRefundSearch = searchOf(
  EtcRefund,
  { plateNo: 'plate', parkCode: 'equals', state: 'among', reason: 'among', refundNo: 'equals', deductNo: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)
/** A day's file of the issuer, and what it settled here. */
export const EtcFile = entity(['ETC 清分文件', 'ETC clearing file'], {
  ...rowFields<'EtcFileId'>(),
  fileNo: text('文件名', 'File', { max: 64 }),
  issuer: text('发行方', 'Issuer', { max: 20 }),
  clearDate: day('清分日', 'Clearing date'),
  seq: whole('序号', 'Sequence', { min: 1 }),
  rows: whole('行数', 'Rows', { min: 0 }),
  chargeFen: fen('扣费合计', 'Deducted', { min: 0 }),
  refundFen: fen('退款合计', 'Refunded', { min: 0 }),
  matched: whole('一致', 'Matched', { min: 0 }),
  settled: whole('补记成功', 'Settled by file', { min: 0 }),
  failed: whole('补记失败', 'Failed by file', { min: 0 }),
  differing: whole('不符', 'Differing', { min: 0 }),
  surplus: whole('长款（多收）', 'Surplus', { min: 0 }),
  importedName: text('导入人', 'Imported by'),
  importedAt: instant('导入时间', 'Imported at'),
})
export const etcFileSearch = searchOf(EtcFile, { issuer: 'equals', clearDate: 'between', fileNo: 'startsWith' }, { sort: ['importedAt'] })

const count = (zh: string, en: string) => whole(zh, en, { min: 0 })
const share = (zh: string, en: string) => orNone(permille(zh, en))
/** attempts = success (refunded too) + fail + unknown + manual. */
export const EtcFigures = entity({
  attempts: count('扣费次数', 'Attempts'),
  success: count('成功', 'Succeeded'),
  fail: count('失败', 'Failed'),
  unknown: count('结果未知', 'Result unknown'),
  manual: count('转人工', 'Manual handling'),
  attemptsFen: fen('扣费金额', 'Amount', { min: 0 }),
  successFen: fen('成功金额', 'Amount deducted', { min: 0 }),
  failFen: fen('失败金额', 'Amount failed', { min: 0 }),
  unknownFen: fen('未知金额', 'Amount unknown', { min: 0 }),
  manualFen: fen('转人工金额', 'Amount for manual handling', { min: 0 }),
  escapedFen: fen('未缴离场金额', 'Amount left unpaid', { min: 0 }),
  recoveredFen: fen('追回金额', 'Recovered', { min: 0 }),
  refundFen: fen('退款金额', 'Refunded', { min: 0 }),
  reads: count('读到标签', 'Tags read'),
  exits: count('ETC 车道出场', 'Exits at ETC lanes'),
  successRate: share('成功率', 'Success rate'),
  readRate: share('读取率', 'Read rate'),
  escapeRate: share('逃缴率', 'Unpaid exit rate'),
  recoverRate: share('追回率', 'Recovery rate'),
  refundRate: share('退款率', 'Refund rate'),
})
export const EtcPark = entity({
  parkCode,
  antennas: count('天线', 'Antennas'),
  online: count('在线', 'Online'),
  attempts: count('扣费次数', 'Attempts'),
  successFen: fen('成功金额', 'Amount deducted', { min: 0 }),
})
const Overview = entity({ ...EtcFigures.properties, parks: shaped('车场', 'Car parks', listOf(EtcPark)) })

const view = { service: 'business', needs: 'arrears:etc:view' } as const
const escape = call('arrears.etc.escape', { ...view, get: '/etc/etcEscape', query: paged(passageSearch), reply: pageOf(EtcPassage) })
/** Everything that an antenna was told to take, whatever became of it. */
const deduct = call('arrears.etc.deduct', { ...view, own: true, get: '/etc/etcDeduct', query: paged(passageSearch), reply: pageOf(EtcPassage) })
const refund = call('arrears.etc.refund', { ...view, get: '/etc/etcRefund', query: paged(etcRefundSearch), reply: pageOf(EtcRefund) })
export const etc = {
  escape,
  escapeExport: exportOf('arrears.etc.escape-export', {
    ...view,
    get: '/etc/etcEscapeExport',
    title: ['ETC欠费', 'ETC arrears'],
    query: escape,
    columns: [
      'deductNo',
      'plateNo',
      'parkCode',
      parkName,
      'laneNo',
      'psamNo',
      'psamSeq',
      'amountFen',
      'owedFen',
      'tradeTime',
      'etcState',
      'failCode',
      'matched',
      'fileNo',
      'arrearsNo',
    ],
  }),
  deduct,
  deductExport: exportOf('arrears.etc.deduct-export', {
    ...view,
    own: true,
    get: '/etc/etcDeductExport',
    title: ['ETC 扣费记录', 'ETC deductions'],
    query: deduct,
    columns: [
      'deductNo',
      'plateNo',
      'parkCode',
      parkName,
      'laneNo',
      'psamNo',
      'psamSeq',
      'amountFen',
      'tradeTime',
      'etcState',
      'failCode',
      'matched',
      'fileNo',
      'arrearsNo',
    ],
  }),
  refund,
  refundExport: exportOf('arrears.etc.refund-export', {
    ...view,
    get: '/etc/etcRefundExport',
    title: ['ETC退款', 'ETC refunds'],
    query: refund,
    columns: [
      'refundNo',
      'deductNo',
      'plateNo',
      'parkCode',
      parkName,
      'laneNo',
      'amountFen',
      'reason',
      'state',
      'applicantName',
      'verifierName',
      'verdict',
      'fileNo',
      'appliedAt',
      'finishedAt',
    ],
  }),
  /** Only money that the issuer has cleared goes back, and the applicant does not verify. */
  refundVerify: call('arrears.etc.refund-verify', {
    service: 'business',
    needs: 'arrears:etc:verify',
    writes: true,
    get: '/etc/etcRefundVerify',
    does: ['审核 ETC 退款', 'Reviewed an ETC refund'],
    query: message(
      { id: EtcRefund.properties.id, result: among('审核结果', 'Review result', Verdict) },
      { verdict: text('审核意见', 'Review comment', { max: 200 }) },
    ),
    reply: nothing,
  }),
  refundApply: call('arrears.etc.refund-apply', {
    service: 'business',
    needs: 'arrears:etc:refund',
    writes: true,
    own: true,
    post: '/etc/etcRefundApply',
    does: ['申请 ETC 退款', 'Requested an ETC refund'],
    body: message({ deductNo, amountFen: EtcRefund.properties.amountFen, reason: EtcRefund.properties.reason, note: EtcRefund.properties.note }),
    reply: nothing,
  }),
  overview: call('arrears.etc.overview', {
    ...view,
    get: '/etc/etcOverview',
    query: message({}, { parkCode, dayFrom: day('自', 'From'), dayTo: day('至', 'To') }),
    reply: Overview,
  }),
  /** The same bytes again are the same answer; the same name with other bytes is refused, and so is a file that was cut. */
  fileImport: call('arrears.etc.file-import', {
    service: 'business',
    needs: 'arrears:etc:clear',
    writes: true,
    own: true,
    post: '/etc/etcFileImport',
    does: ['导入 ETC 清分文件', 'Imported an ETC clearing file'],
    multipart: message({ file: upload('文件', 'File') }),
    reply: EtcFile,
  }),
  fileList: call('arrears.etc.file-list', { ...view, own: true, get: '/etc/etcFileList', query: paged(etcFileSearch), reply: pageOf(EtcFile) }),
}
