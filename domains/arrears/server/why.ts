import type { Instant, Of } from '../../../platform/contract/field.ts'
import { type Change, historyOf } from '../../../platform/server/record/audit.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { ArrearsSource, OrderStatus } from '../../settlement/contract/order.ts'
import { type OrderRow, ordersOfStay, type RefundRow } from '../../settlement/server/api.ts'
import { AppealState } from '../contract/appeal.ts'
import { ClosingKind, ClosingState } from '../contract/closing.ts'
import { DunState } from '../contract/dun.ts'
import { ArrearsState, EvidenceKind, ExceptionType } from '../contract/file.ts'
import type { ArrearsStory } from '../contract/record.ts'
import { type DebtCheck, type DebtStep, DebtStepKind, type DebtWhy, DemandCheck } from '../contract/why.ts'
import type { File } from './file.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

type Told = Pick<Of<typeof ArrearsStory>, 'evidence' | 'parts' | 'appeals' | 'closings' | 'duns'> & { refunds: readonly RefundRow[] }
type Check = Of<typeof DebtCheck>
type Step = Of<typeof DebtStep>

/** Explains how a debt arose, and whether it may be asked for. */
export async function whyOf(tx: Tx, file: File, order: OrderRow, told: Told): Promise<Of<typeof DebtWhy>> {
  const [history, ofStay] = await Promise.all([historyOf(tx, 'arrears.record', file.id), file.stayId ? ordersOfStay(tx, file.stayId) : []])
  return { ...moneyOf(order, ofStay), checks: checksOf(file, told), steps: stepsOf(file, order, told, history) }
}

/** Each order of a stay asks for what its receivable is less its discount; those that were cancelled asked for nothing. */
function moneyOf(order: OrderRow, ofStay: readonly OrderRow[]) {
  const others = ofStay.filter(({ id, status }) => id !== order.id && status !== OrderStatus.cancelled)
  const sum = (rows: readonly OrderRow[], field: 'receivableFen' | 'discountFen' | 'payableFen') =>
    rows.reduce((all, one) => all + one[field], 0) as OrderRow['payableFen']
  const all = [order, ...others]
  return { feeFen: sum(all, 'receivableFen'), discountFen: sum(all, 'discountFen'), otherOrdersFen: sum(others, 'payableFen') }
}

/** Returns the checks in order. A check stands in the way exactly when it keeps `collectableFen` at 0. */
function checksOf(file: File, { evidence }: Told): Check[] {
  const { state, exceptionType, plateNo } = file
  const check = (what: Check['check'], bars: boolean, zh: string, en: string, doubts = bars): Check => ({ check: what, bars, doubts, zh, en })
  const of = (type: number) => exceptionType === type
  const over = file.owedFen === 0
  const [stateZh, stateEn] = ArrearsState.entries[state]
  const pictures = picturesOf(file, evidence)
  const amount = of(ExceptionType.amount) ? ExceptionType.amount : of(ExceptionType.twice) ? ExceptionType.twice : undefined
  return [
    check(DemandCheck.settled, over, over ? `${stateZh}，不再追缴` : '尚有欠款', over ? `${stateEn}: no longer collected` : 'Still owed'),
    check(DemandCheck.evidence, of(ExceptionType.evidence), pictures.zh, pictures.en, pictures.lack),
    plateNo === null || of(ExceptionType.plate)
      ? check(DemandCheck.plate, of(ExceptionType.plate), '车牌未知或存疑', 'The plate is unknown or in doubt', true)
      : check(DemandCheck.plate, false, '车牌已确认', 'The plate is confirmed'),
    amount
      ? check(DemandCheck.amount, true, ExceptionType.entries[amount][0], ExceptionType.entries[amount][1])
      : check(DemandCheck.amount, false, '金额按停车时的规则版本计算', 'Calculated by the rule version in force for the stay'),
    of(ExceptionType.etcUnknown)
      ? check(DemandCheck.etc, true, '等待发行方清分文件说明是否已扣', 'Waiting for the issuer’s clearing file to show whether it was deducted')
      : check(DemandCheck.etc, false, '没有未知的 ETC 扣费', 'No ETC deduction with an unknown result'),
    state === ArrearsState.appealed
      ? check(DemandCheck.appeal, true, '申诉处理前不追缴', 'Not collected until the appeal is decided')
      : check(DemandCheck.appeal, false, '没有待处理的申诉', 'No pending appeal'),
  ]
}
function picturesOf({ pType }: File, evidence: Told['evidence']): { zh: string; en: string; lack: boolean } {
  const berth = pType === ParkType.roadside
  const shows = (kind: number) => evidence.some((one) => one.kind === kind && one.showsPlate && (one.showsBerth || !berth))
  const [comes, leaves] = [shows(EvidenceKind.coming), shows(EvidenceKind.leaving)]
  const what = berth ? (['看清泊位和车牌', 'that show the berth and plate'] as const) : (['看清车牌', 'that show the plate'] as const)
  if (comes && leaves) return { zh: `驶入、驶离均有${what[0]}的图片`, en: `Arrival and departure pictures ${what[1]}`, lack: false }
  const lacks = [comes ? undefined : '驶入', leaves ? undefined : '驶离'].filter(Boolean).join('、')
  const lacksEn = [comes ? undefined : 'arrival', leaves ? undefined : 'departure'].filter(Boolean).join(' and ')
  return { zh: `缺少${what[0]}的${lacks}图片`, en: `No ${lacksEn} pictures ${what[1]}`, lack: true }
}

const personIn = (name: string) => (name === SYSTEM ? null : name)
function stepsOf(file: File, order: OrderRow, told: Told, history: readonly Change[]): Step[] {
  const steps = [
    arose(file),
    ...told.evidence.filter(({ addedName }) => addedName !== SYSTEM).map(evidenceAdded),
    ...told.duns.map(reminded),
    ...told.appeals.flatMap(appealSteps),
    ...told.closings.flatMap(closingSteps),
    ...told.parts.map((part) =>
      step(DebtStepKind.repaid, part.at, { by: part.operatorName, zh: part.repayNo, en: part.repayNo, amountFen: part.allocatedFen }),
    ),
    ...told.refunds.map(refunded),
    ...history.flatMap(exceptionStep),
    ...(order.waivedFen > 0 ? history.flatMap(waiving(order)) : []),
  ]
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
const NOTHING = { by: null, zh: '', en: '', says: null, amountFen: null } as const
const step = (kind: Step['kind'], at: Instant, more: Partial<Step>): Step => ({ ...NOTHING, ...more, kind, at })

function arose({ sourceType, createdAt, operatorOut, amountFen }: File): Step {
  const [zh, en] = ArrearsSource.entries[sourceType]
  return step(DebtStepKind.arose, createdAt, { by: operatorOut, zh, en, amountFen })
}
function evidenceAdded({ takenAt, addedName, kind, note }: Told['evidence'][number]): Step {
  const [zh, en] = EvidenceKind.entries[kind]
  return step(DebtStepKind.evidence, takenAt, { by: personIn(addedName), zh, en, says: note })
}
function reminded({ sentAt, dueAt, state, byName, amountFen }: Told['duns'][number]): Step {
  const [zh, en] = DunState.entries[state]
  return step(DebtStepKind.reminded, sentAt ?? dueAt, { by: personIn(byName), zh, en, amountFen })
}
function appealSteps({ appealNo, appliedAt, applicantName, reason, decidedAt, approverName, state, verdict }: Told['appeals'][number]): Step[] {
  const asked = step(DebtStepKind.appealed, appliedAt, { by: applicantName, zh: appealNo, en: appealNo, says: reason })
  if (!decidedAt || state === AppealState.waiting) return [asked]
  const [zh, en] = AppealState.entries[state]
  return [asked, step(DebtStepKind.decided, decidedAt, { by: approverName, zh, en, says: verdict })]
}
function closingSteps(of: Told['closings'][number]): Step[] {
  const [zh, en] = ClosingKind.entries[of.kind]
  const asked = step(DebtStepKind.closingAsked, of.appliedAt, { by: of.applicantName, zh, en, says: of.reason, amountFen: of.amountFen })
  if (!of.decidedAt || of.state === ClosingState.waiting) return [asked]
  const [saysZh, saysEn] = ClosingState.entries[of.state]
  const by = [of.firstApproverName, of.secondApproverName].filter(Boolean).join('、') || null
  return [asked, step(DebtStepKind.closed, of.decidedAt, { by, zh: `${zh}：${saysZh}`, en: `${en}: ${saysEn}`, says: of.verdict })]
}
function refunded({ refundNo, finishedAt, appliedAt, firstApproverName, secondApproverName, reason, amountFen }: RefundRow): Step {
  const by = [firstApproverName, secondApproverName].filter(Boolean).join('、') || null
  return step(DebtStepKind.refunded, finishedAt ?? appliedAt, { by, zh: refundNo, en: refundNo, says: reason, amountFen })
}

/** As the audit stream keeps it: by its columns, and of a change only what became different. */
interface Row {
  state?: number
  exception_type?: File['exceptionType']
}
/** Tells who marked the debt as abnormal or released it, with the reason that they gave. */
function exceptionStep({ event, at, authorId, authorName, after, reason }: Change): Step[] {
  if (event !== 'update') return []
  const type = (after as Row).exception_type
  if (type === undefined) return []
  const [zh, en] = ExceptionType.entries[type]
  const more = { by: authorId === null ? null : authorName, says: reason }
  return type === ExceptionType.none ? [step(DebtStepKind.released, at, more)] : [step(DebtStepKind.suspected, at, { ...more, zh, en })]
}
const waiving =
  ({ waivedFen }: OrderRow) =>
  ({ event, at, authorName, after, reason }: Change): Step[] =>
    event === 'update' && (after as Row).state === ArrearsState.waived
      ? [step(DebtStepKind.waived, at, { by: authorName, says: reason, amountFen: waivedFen })]
      : []
