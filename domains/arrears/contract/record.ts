import { call, paged, pageOf } from '../../../platform/contract/call.ts'
import { entity, fen, listOf, message, orNone, permille, pick, pictures, shaped, text, whole } from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Quote } from '../../fee/contract/quote.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { Appeal } from './appeal.ts'
import { Closing } from './closing.ts'
import { Dun } from './dun.ts'
import { ArrearsRecord, Evidence, PaidPart, recordSearch } from './file.ts'
import { DebtWhy } from './why.ts'

/** The file with all that belongs to it. */
export const ArrearsStory = entity({
  ...ArrearsRecord.properties,
  /** The money of it that nobody has refunded or requested back yet. */
  refundableFen: fen('可退', 'Refundable', { min: 0 }),
  why: shaped('欠费由来', 'Why it is owed', DebtWhy),
  evidence: shaped('证据', 'Evidence', listOf(Evidence)),
  quote: orNone(shaped('计费', 'Fee', Quote)),
  parts: shaped('补缴', 'Repayments', listOf(PaidPart)),
  appeals: shaped('申诉', 'Appeals', listOf(Appeal)),
  closings: shaped('坏账核销与撤销', 'Write-offs and revocations', listOf(Closing)),
  duns: shaped('催缴', 'Reminders', listOf(Dun)),
  entries: shaped('记账', 'Ledger entries', listOf(NamedLine)),
})
/** Over the whole filter, every state counted: amount = repaid + waived + written off + revoked + owed. */
export const ArrearsSummary = entity({
  count: whole('笔数', 'Debts', { min: 0 }),
  amountFen: ArrearsRecord.properties.amountFen,
  paidFen: ArrearsRecord.properties.paidFen,
  waivedFen: ArrearsRecord.properties.waivedFen,
  writtenOffFen: ArrearsRecord.properties.writtenOffFen,
  revokedFen: ArrearsRecord.properties.revokedFen,
  owedFen: ArrearsRecord.properties.owedFen,
  collectableFen: ArrearsRecord.properties.collectableFen,
  /** Of what may be asked for (all but what was revoked), how much was repaid; none where there is nothing. */
  repayRate: orNone(permille('追缴率', 'Repayment rate')),
})

const { id: recordId, version } = ArrearsRecord.properties
const reason = text('原因', 'Reason', { max: 200 })
const view = { service: 'business', needs: 'arrears:record:view' } as const
const laneView = { service: 'fee', needs: 'arrears:record:view' } as const
const edit = { service: 'business', needs: 'arrears:record:edit', writes: true, own: true } as const
const SHEET = [
  'arrearsNo',
  'plateNo',
  'plateColor',
  'parkCode',
  parkName,
  'sectionCode',
  'pType',
  'sourceType',
  'escapeType',
  'state',
  'exceptionType',
  'arrivedAt',
  'leftAt',
  'createdAt',
  'amountFen',
  'paidFen',
  'waivedFen',
  'writtenOffFen',
  'revokedFen',
  'owedFen',
  'dunCount',
  'lastDunAt',
  'orderNo',
] as const

const list = call('arrears.escape.record-list', { ...view, get: '/escape/recordList', query: paged(recordSearch), reply: pageOf(ArrearsRecord) })
const escapeList = call('arrears.escape.escape-list', {
  ...view,
  get: '/escape/escapeList',
  query: paged(recordSearch),
  reply: pageOf(ArrearsRecord),
})
const exceptionList = call('arrears.escape.exception-list', {
  ...view,
  get: '/escape/exceptionList',
  query: paged(recordSearch),
  reply: pageOf(ArrearsRecord),
})
const laneList = call('arrears.park-escape.query-list', {
  ...laneView,
  get: '/parkEscape/queryList',
  query: paged(recordSearch),
  reply: pageOf(ArrearsRecord),
})
export const record = {
  /** Returns every stay that ended unpaid, whatever became of it. */
  list,
  listExport: exportOf('arrears.record.export', {
    ...view,
    own: true,
    get: '/escape/recordExport',
    title: ['离场未缴记录', 'Stays that ended unpaid'],
    query: list,
    columns: SHEET,
  }),
  /** Those that are still to be collected. */
  escapeList,
  exceptionList,
  exceptionExport: exportOf('arrears.exception.export', {
    ...view,
    own: true,
    get: '/escape/exceptionExport',
    title: ['异常欠费', 'Abnormal arrears'],
    query: exceptionList,
    columns: [...SHEET, 'missing'],
  }),
  summary: call('arrears.escape.escape-summary', { ...view, get: '/escape/escapeSummary', query: paged(recordSearch), reply: ArrearsSummary }),
  detail: call('arrears.escape.escape-detail', {
    ...view,
    get: '/escape/escapeDetail',
    heavy: true,
    query: pick(ArrearsRecord, 'id'),
    reply: ArrearsStory,
  }),
  export: exportOf('arrears.escape.escape-export', {
    ...view,
    get: '/escape/escapeExport',
    title: ['欠费记录', 'Arrears records'],
    query: escapeList,
    columns: SHEET,
  }),
  laneList,
  laneExport: exportOf('arrears.park-escape.export', {
    ...laneView,
    own: true,
    get: '/parkEscape/queryExport',
    title: ['停车场欠费', 'Car park arrears'],
    query: laneList,
    columns: SHEET,
  }),
  laneSummary: call('arrears.park-escape.query-summary', {
    ...laneView,
    get: '/parkEscape/querySummary',
    query: paged(recordSearch),
    reply: ArrearsSummary,
  }),

  /** The car of an ended stay left unpaid and nobody noticed: its order becomes arrears. */
  create: call('arrears.record.create', {
    ...edit,
    post: '/escape/recordCreate',
    does: ['欠费建档', 'Opened an arrears file'],
    body: message({
      orderNo: ArrearsRecord.properties.orderNo,
      sourceType: ArrearsRecord.properties.sourceType,
      evidence: pictures('证据', 'Evidence'),
    }),
    reply: ArrearsRecord,
  }),
  addEvidence: call('arrears.record.add-evidence', {
    ...edit,
    post: '/escape/recordAddEvidence',
    does: ['补充欠费证据', 'Added evidence to arrears'],
    body: message(
      {
        id: recordId,
        kind: Evidence.properties.kind,
        image: Evidence.properties.image,
        showsBerth: Evidence.properties.showsBerth,
        showsPlate: Evidence.properties.showsPlate,
        takenAt: Evidence.properties.takenAt,
      },
      { note: text('说明', 'Note', { max: 200 }) },
    ),
    reply: Evidence,
  }),
  /** Releases a debt, which may be asked for again. */
  release: call('arrears.record.release', {
    ...edit,
    post: '/escape/recordRelease',
    does: ['解除异常欠费', 'Cleared an abnormal mark'],
    body: message({ id: recordId, version, reason }),
    reply: ArrearsRecord,
  }),
  /** Marks a debt as abnormal: it may not be asked for until somebody has looked at it. */
  suspect: call('arrears.record.suspect', {
    ...edit,
    post: '/escape/recordSuspect',
    does: ['标记异常欠费', 'Marked arrears as abnormal'],
    body: message({ id: recordId, version, exceptionType: ArrearsRecord.properties.exceptionType, reason }),
    reply: ArrearsRecord,
  }),
}
