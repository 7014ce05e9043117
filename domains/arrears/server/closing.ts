import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { revoke, writeOff } from '../../settlement/server/api.ts'
import {
  Closing,
  closing,
  ClosingKind,
  closingSearch,
  ClosingState,
  TWO_APPROVERS_FEN,
  WRITE_OFF_DAYS,
  type WriteOffCause,
} from '../contract/closing.ts'
import { ArrearsState } from '../contract/file.ts'
import { OwnRequest } from './appeal.ts'
import { type File, fileOf, holdFiles, lockFile, lockPaidFile, moveFile } from './file.ts'
import { NotThis } from './repayment.ts'
import './tables.ts'

const TooYoung = refusal(
  'arrears.too-young',
  41230,
  '欠费 {arrearsNo} 未满 365 天，不能坏账核销，请继续追缴',
  'Arrears {arrearsNo} are less than 365 days old and cannot be written off: keep collecting them',
  422,
)
const AskedAlready = refusal(
  'arrears.asked-already',
  41231,
  '欠费 {arrearsNo} 已有待审核的坏账核销或撤销申请',
  'Arrears {arrearsNo} already have a write-off or revocation request pending approval',
)

export const closings = listOver(Closing, 'arrears.closing', closingSearch)
type Row = Of<typeof Closing>
type Person = { userId: string; userName: string }
type Cause = keyof typeof WriteOffCause.entries

export const calls = serve(closing, {
  list: ({ tx, input }) => page(tx, closings, input),
  async revoke({ tx, input, actor, at }) {
    return ask(tx, await lockFile(tx, input.id, input.version), { kind: ClosingKind.revoke, cause: null, reason: input.reason }, actor, at)
  },
  async writeOff({ tx, input, actor, at }) {
    const asked: Row[] = []
    const ids = [...new Set(input.ids)]
    await holdFiles(tx, await Promise.all(ids.map((id) => fileOf(tx, id))))
    for (const id of ids) {
      const file = await lockFile(tx, id)
      if (msOf(at) - msOf(file.createdAt) <= WRITE_OFF_DAYS * DAY_MS) throw TooYoung({ arrearsNo: file.arrearsNo })
      asked.push(await ask(tx, file, { kind: ClosingKind.writeOff, cause: input.cause, reason: input.reason }, actor, at))
    }
    return asked
  },
  decide: ({ tx, input, actor, at }) => decide(tx, input, actor, at),
})

interface Asked {
  kind: 1 | 2
  cause: Cause | null
  reason: string
}
async function ask(tx: Tx, file: File, { kind, cause, reason }: Asked, { userId, userName }: Person, at: Instant): Promise<Row> {
  if (file.state !== ArrearsState.open && file.state !== ArrearsState.partly) throw IllegalMove({ state: file.state })
  const [waiting] = await run(tx, { sql: WAITING }, [file.id])
  if (waiting) throw AskedAlready({ arrearsNo: file.arrearsNo })
  const two = kind === ClosingKind.writeOff && file.owedFen >= TWO_APPROVERS_FEN
  return addRow(tx, closings, {
    recordId: file.id,
    parkCode: file.parkCode,
    kind,
    cause,
    reason,
    amountFen: file.owedFen,
    applicantId: userId as Row['applicantId'],
    applicantName: userName,
    approvalsNeeded: two ? 2 : 1,
    appliedAt: at,
  })
}
const WAITING = `select id from arrears.closing where enterprise_id = scope_enterprise() and record_id = $1 and state = ${ClosingState.waiting}`

/** The applicant never decides, and nobody approves twice. The last approval ends the debt. */
async function decide(
  tx: Tx,
  { id, version, pass, verdict }: Of<typeof closing.decide.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Row> {
  const [about] = await run<{ recordId: string }>(
    tx,
    { sql: 'select record_id from arrears.closing where enterprise_id = scope_enterprise() and id = $1' },
    [id],
  )
  const file = about && (await lockPaidFile(tx, about.recordId))
  const found = await lockRow(tx, closings, { id, version })
  if (found.state !== ClosingState.waiting || !file) throw IllegalMove({ state: found.state })
  if (found.applicantId === (userId as string) || found.firstApproverId === (userId as string)) throw OwnRequest()
  const approvals = found.approvals + (pass ? 1 : 0)
  const state = pass ? (approvals >= found.approvalsNeeded ? ClosingState.granted : ClosingState.waiting) : ClosingState.rejected
  const who = found.firstApproverId
    ? { secondApproverId: userId, secondApproverName: userName }
    : { firstApproverId: userId as Row['applicantId'], firstApproverName: userName }
  const decided = await setRow(
    tx,
    closings,
    found,
    { ...who, approvals, state, verdict: verdict ?? found.verdict, ...(state !== ClosingState.waiting && { decidedAt: at }) },
    at,
  )
  if (state === ClosingState.granted) await end(tx, file, found, { userId, userName }, at)
  return decided
}

async function end(tx: Tx, file: File, { kind, amountFen, reason }: Row, actor: Person, at: Instant): Promise<void> {
  if (file.owedFen !== amountFen) throw NotThis({ owedFen: file.owedFen })
  if (kind === ClosingKind.writeOff) {
    await writeOff(tx, file.orderId, { amountFen, reason, at })
    await moveFile(tx, file, 'writeOff', at)
  } else {
    await moveFile(tx, file, 'revoke', at)
    await revoke(tx, file.orderId, { reason, at, actor })
  }
}
