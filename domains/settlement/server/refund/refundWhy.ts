import type { Id, Of } from '../../../../platform/contract/field.ts'
import { type Change, historyOf } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find } from '../../../../platform/server/page.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { linesAbout } from '../../../ledger/server/api.ts'
import { RefundKind, RefundState } from '../../contract/refund.ts'
import { type RefundStep, RefundStepKind, refundWhy, type RefundWhy } from '../../contract/refundWhy.ts'
import { paymentOf, REFUND, type RefundRow, refunds } from './returning.ts'
import { orderOf } from '../row.ts'

export const calls = serve(refundWhy, { show: ({ tx, input }) => whyOf(tx, input.id) })

async function whyOf(tx: Tx, id: Id<'RefundId'>): Promise<Of<typeof RefundWhy>> {
  const refund = await find(tx, refunds, id)
  if (!refund) throw NotFound()
  const [order, payment, others, history] = await Promise.all([
    orderOf(tx, refund.orderId),
    paymentOf(tx, refund.paymentId),
    run<RefundRow>(tx, OTHERS, [refund.paymentId, id]),
    historyOf(tx, 'settlement.refund', id),
  ])
  const entries = await linesAbout(tx, order.orderNo)
  // One that was rejected, taken back or refused by the channel holds nothing.
  const gone = others.filter(({ state }) => !HOLDS_NOTHING.includes(state))
  const othersFen = gone.reduce((sum, { amountFen }) => sum + amountFen, 0)
  return {
    refund,
    order,
    payment,
    others,
    othersFen: othersFen as RefundRow['amountFen'],
    mostFen: Math.max(0, payment.receivedFen - othersFen) as RefundRow['amountFen'],
    steps: stepsOf(refund, history.toReversed()),
    entries: entries.filter(({ bizNo }) => bizNo === refund.refundNo || bizNo === payment.payNo),
  }
}
const HOLDS_NOTHING: readonly number[] = [RefundState.rejected, RefundState.withdrawn, RefundState.failed]
const OTHERS = {
  sql: `select ${REFUND} from settlement.refund where enterprise_id = scope_enterprise() and payment_id = $1 and id <> $2 order by applied_at, id limit 100`,
}

type Step = Of<typeof RefundStep>
type Row = Partial<Pick<RefundRow, 'state' | 'approvals' | 'verdict' | 'failure'>>
/** Every change of the row was one step; who made it is known from the audit stream, which keeps of a change only what became different. */
function stepsOf(refund: RefundRow, history: readonly Change[]): Step[] {
  const kind = refund.kind === RefundKind.asked && refund.applicantId !== null ? RefundStepKind.asked : RefundStepKind.returned
  const steps: Step[] = [{ kind, at: refund.appliedAt, by: refund.applicantId ? refund.applicantName : null, says: refund.reason }]
  let verdict: string | null = null
  for (const { event, at, authorId, authorName, after } of history) {
    if (event !== 'update' || !after) continue
    const is = after as Row
    if (is.verdict !== undefined) verdict = is.verdict
    const next = kindOf(is)
    if (!next) continue
    const says = {
      [RefundStepKind.approved]: verdict,
      [RefundStepKind.rejected]: verdict,
      [RefundStepKind.done]: refund.channelRefundNo,
      [RefundStepKind.failed]: is.failure ?? null,
    }
    steps.push({ kind: next, at, by: authorId === null ? null : authorName, says: says[next as keyof typeof says] ?? null })
  }
  return steps
}
const kindOf = ({ state, approvals }: Row): Step['kind'] | undefined =>
  approvals !== undefined && state !== RefundState.rejected && state !== RefundState.withdrawn
    ? RefundStepKind.approved
    : state === undefined
      ? undefined
      : ENDS[state]
const ENDS: Record<number, Step['kind']> = {
  [RefundState.rejected]: RefundStepKind.rejected,
  [RefundState.withdrawn]: RefundStepKind.withdrawn,
  [RefundState.sending]: RefundStepKind.sent,
  [RefundState.done]: RefundStepKind.done,
  [RefundState.failed]: RefundStepKind.failed,
}
