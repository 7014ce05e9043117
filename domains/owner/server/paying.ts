import { searchOf } from '../../../platform/contract/call.ts'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { CHANNELS, PayMethod } from '../../settlement/contract/payment.ts'
import { applyRefund, approveRefund, orderOf } from '../../settlement/server/api.ts'
import { MovementKind } from '../contract/asset.ts'
import { KeptRefund, PartState, RefundRoute, storedRefundCan, StoredRefundState } from '../contract/refund.ts'
import { book } from './purse.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { paired } from '../../../platform/contract/said.ts'

export const refunds = listOver(KeptRefund, 'owner.refund', searchOf(KeptRefund, {}, { sort: ['appliedAt'] }))
export type KeptRow = Of<typeof KeptRefund>
type Row = KeptRow

interface Part {
  id: string
  refundId: string
  rechargeId: string
  orderId: string
  amountFen: number
  clawbackFen: number
  shortfallFen: number
  payFen: number
  route: number
  state: number
}
const PART = `select p.id, p.refund_id, p.recharge_id, r.order_id, p.amount_fen, p.clawback_fen, p.shortfall_fen, p.pay_fen, p.route, p.state
  from owner.refund_part p join owner.recharge r on r.enterprise_id = p.enterprise_id and r.id = p.recharge_id where p.enterprise_id = scope_enterprise()`
const partsOf = (tx: Tx, refundId: string) => run<Part>(tx, { sql: `${PART} and p.refund_id = $1 order by r.paid_at desc` }, [refundId])

/** After the second review: each recharge goes back by a refund of its order, approved by the same two persons. A recharge that is too old for its channel waits for a transfer. */
export const payTask = task<{ refundId: string }>('owner.refund-pay', async ({ tx, data, at }) => {
  const found = await lockRow(tx, refunds, { id: data.refundId })
  if (storedRefundCan.pay(found.state) === undefined) return
  const paying = await setRow(tx, refunds, found, { state: StoredRefundState.paying }, at)
  for (const part of await partsOf(tx, found.id)) if (part.state === PartState.waiting) await payPart(tx, paying, part, at)
  await conclude(tx, found.id, at)
})

async function payPart(tx: Tx, refund: Row, part: Part, at: Instant): Promise<void> {
  if (part.payFen === 0) return partDone(tx, refund, part, at)
  if (part.route === RefundRoute.transfer) return
  await run(tx, { sql: 'savepoint part' }, [])
  try {
    await sendPart(tx, refund, part, at)
    await run(tx, { sql: 'release savepoint part' }, [])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await run(tx, { sql: 'rollback to savepoint part' }, [])
    await failPart(tx, part, paired(error.texts))
  }
}

async function sendPart(tx: Tx, refund: Row, { id, orderId, payFen }: Part, at: Instant): Promise<void> {
  const person = (userId: string | null, userName: string | null) => ({ userId: userId!, userName: userName! })
  const asked = await applyRefund(tx, {
    orderId,
    amountFen: payFen,
    reason: Said.refund({ refundNo: refund.refundNo }),
    actor: person(refund.applicantId, refund.applicantName),
    at,
  })
  await run(tx, { sql: SENT }, [id, asked.id])
  const first = await approveRefund(tx, { id: asked.id, version: asked.version }, person(refund.firstId, refund.firstName), at)
  if (first.state === RefundState.waiting)
    await approveRefund(tx, { id: asked.id, version: first.version }, person(refund.secondId, refund.secondName), at)
}
const SENT = `update owner.refund_part set state = ${PartState.paying}, order_refund_id = $2 where enterprise_id = scope_enterprise() and id = $1`

interface RefundEnd {
  refundId: string
  paidOut: boolean
  failure?: string | null
  at: Instant
}
/** The answer to `settlement.refundEnded` and `settlement.refundFailed`. A success after a failure is the truth about the money: it is taken off even so. */
export async function hearRefundEnd(tx: Tx, { refundId, paidOut, failure, at }: RefundEnd): Promise<void> {
  const [about] = await run<Part>(tx, { sql: `${PART} and p.order_refund_id = $1` }, [refundId])
  if (!about) return
  const refund = await lockRow(tx, refunds, { id: about.refundId })
  const [part] = await run<Part>(tx, { sql: `${PART} and p.id = $1 for update of p` }, [about.id])
  if (part!.state === PartState.paid) return
  if (paidOut) await partDone(tx, refund, part!, at)
  else await failPart(tx, part!, failure ?? Said.notRefunded)
  await conclude(tx, refund.id, at)
}
const AskAnew = refusal(
  'owner.refund-ask-anew',
  41565,
  '储值退款 {refundNo} 打款失败后已解冻，余额可能已消费，请在「储值退款」中重新申请',
  'The payout of stored value refund {refundNo} failed and its money was unfrozen: it may have been spent, so request a new one under “Stored value refunds”',
  422,
)
/** The answer to `settlement.refundAsked`: a failed refund is in the purse again, to be spent or requested anew. */
export async function refuseAgain(tx: Tx, { refundId }: { refundId: string | null }): Promise<void> {
  const [of] = await run<{ refundNo: string }>(tx, { sql: OF_REFUND }, [refundId])
  if (of) throw AskAnew(of)
}
const OF_REFUND = `select r.refund_no from owner.refund_part p join owner.refund r on r.enterprise_id = p.enterprise_id and r.id = p.refund_id
  where p.enterprise_id = scope_enterprise() and p.order_refund_id = $1`
const failPart = (tx: Tx, { id }: Part, failure: string) =>
  run(tx, { sql: `update owner.refund_part set state = ${PartState.failed}, failure = $2 where enterprise_id = scope_enterprise() and id = $1` }, [
    id,
    failure,
  ])

/** A part was paid: it leaves the purse, the bonus that it had earned leaves with it, and the recharge knows. */
async function partDone(tx: Tx, { purseId, refundNo, parkCode }: Row, part: Part, at: Instant): Promise<void> {
  const { id, rechargeId, payFen, clawbackFen, shortfallFen, amountFen, state } = part
  // A part that failed before is no longer frozen.
  const held = state === PartState.failed ? 0 : 1
  if (payFen > 0)
    await book(tx, purseId, { kind: MovementKind.refunded, principalFen: -payFen, frozenPrincipalFen: -payFen * held, bizNo: refundNo, parkCode, at })
  if (clawbackFen + shortfallFen > 0)
    await book(tx, purseId, {
      kind: MovementKind.takenBack,
      principalFen: -shortfallFen,
      bonusFen: -clawbackFen,
      frozenPrincipalFen: -shortfallFen * held,
      frozenBonusFen: -clawbackFen * held,
      bizNo: refundNo,
      parkCode,
      at,
    })
  await post(tx, {
    bizType: 'stored.refund',
    bizNo: refundNo,
    about: refundNo,
    eventId: `stored-refund:${id}`,
    at,
    parkCode,
    business: 'stored',
    lines: [
      { account: 'liability.stored', sub: purseId, debitFen: shortfallFen },
      { account: 'liability.stored-bonus', sub: purseId, debitFen: clawbackFen },
      { account: 'expense.marketing', creditFen: shortfallFen + clawbackFen },
    ],
  })
  await run(tx, { sql: DONE }, [id, at])
  await run(tx, { sql: TAKEN }, [rechargeId, amountFen, clawbackFen + shortfallFen])
}
const DONE = `update owner.refund_part set state = ${PartState.paid}, done_at = $2, failure = null where enterprise_id = scope_enterprise() and id = $1`
const TAKEN =
  'update owner.recharge set refund_fen = refund_fen + $2, clawed_fen = clawed_fen + $3 where enterprise_id = scope_enterprise() and id = $1'

/** When nothing is under way any more: all was paid, or what failed is free again. */
async function conclude(tx: Tx, refundId: string, at: Instant): Promise<void> {
  const refund = await lockRow(tx, refunds, { id: refundId })
  const parts = await partsOf(tx, refundId)
  const sum = (state: number, field: 'payFen' | 'amountFen' | 'clawbackFen') =>
    parts.filter((part) => part.state === state).reduce((total, part) => total + part[field], 0)
  const doneFen = sum(PartState.paid, 'payFen') as Fen
  const over = parts.every(({ state }) => state === PartState.paid || state === PartState.failed)
  const failed = parts.some(({ state }) => state === PartState.failed)
  const state = !over ? refund.state : failed ? StoredRefundState.failed : StoredRefundState.paid
  const was = refund.state
  await setRow(
    tx,
    refunds,
    refund,
    { doneFen, state, ...(over && { finishedAt: at }), failure: over && failed ? await failureOf(tx, refundId) : null },
    at,
  )
  if (state === StoredRefundState.failed && was !== StoredRefundState.failed)
    await book(tx, refund.purseId, {
      kind: MovementKind.unfrozen,
      frozenPrincipalFen: -sum(PartState.failed, 'amountFen'),
      frozenBonusFen: -sum(PartState.failed, 'clawbackFen'),
      bizNo: refund.refundNo,
      remark: Said.payoutFailed,
      parkCode: refund.parkCode,
      at,
    })
}
const failureOf = async (tx: Tx, refundId: string): Promise<string | null> =>
  (
    await run<{ failure: string | null }>(
      tx,
      {
        sql: `select failure from owner.refund_part where enterprise_id = scope_enterprise() and refund_id = $1 and state = ${PartState.failed} limit 1`,
      },
      [refundId],
    )
  )[0]?.failure ?? null

/** Money that went by transfer: it left the account behind the other channels. @returns the refund's id */
export async function transferred(
  tx: Tx,
  { partId, transferNo, slip }: { partId: string; transferNo: string; slip?: string },
  at: Instant,
): Promise<string> {
  const [about] = await run<Part>(tx, { sql: `${PART} and p.id = $1` }, [partId])
  if (!about) throw NotFound()
  const refund = await lockRow(tx, refunds, { id: about.refundId })
  const [part] = await run<Part>(tx, { sql: `${PART} and p.id = $1 for update of p` }, [partId])
  if (part!.route !== RefundRoute.transfer || part!.state !== PartState.waiting || refund.state !== StoredRefundState.paying)
    throw IllegalMove({ state: part!.state })
  await run(tx, { sql: 'update owner.refund_part set slip = $2, transfer_no = $3 where enterprise_id = scope_enterprise() and id = $1' }, [
    partId,
    slip ?? null,
    transferNo,
  ])
  const { orderNo } = await orderOf(tx, part!.orderId)
  await post(tx, {
    bizType: 'stored.transferred',
    bizNo: refund.refundNo,
    about: orderNo,
    eventId: `stored-transferred:${partId}`,
    at,
    parkCode: refund.parkCode,
    business: 'stored',
    lines: [
      { account: 'liability.stored', sub: refund.purseId, debitFen: part!.payFen },
      { account: 'asset.channel', sub: CHANNELS[PayMethod.other], creditFen: part!.payFen },
    ],
  })
  await partDone(tx, refund, part!, at)
  await conclude(tx, refund.id, at)
  return refund.id
}
