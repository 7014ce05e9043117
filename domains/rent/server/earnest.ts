import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { post } from '../../ledger/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import {
  applyRefund,
  cancelOrder,
  holdOrder,
  lockOrders,
  openOrder,
  orderOf,
  returnRest,
  type Refunded,
  type Settled,
} from '../../settlement/server/api.ts'
import { Award, EarnestBack, EarnestState, EnrollState } from '../contract/enrollment.ts'
import { BillState } from '../contract/lease.ts'
import { RentState } from '../contract/project.ts'
import { periodsOf, workdaysAfter } from './days.ts'
import { type EnrollRow, lockEnroll, lockProject, moveEnroll, type Person, type ProjectRow, setEnroll } from './row.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { Said } from '../contract/said.ts'
import { paired, SYSTEM } from '../../../platform/contract/said.ts'

const NotWaived = refusal(
  'rent.earnest-not-waived',
  42430,
  '保证金不能减免，只能缴纳或放弃报名',
  'Earnest money cannot be waived: it must be paid, or the enrolment withdrawn',
  422,
)

interface Earnest {
  enrollId: string
  subject: string
  parkCode: string
  earnestFen: number
  at: Instant
}
/** Asks an enrolled bidder for earnest money; it stays theirs until the lease is signed. */
export async function askEarnest(tx: Tx, { enrollId, subject, parkCode, earnestFen, at }: Earnest): Promise<string> {
  const order = await openOrder(tx, { type: OrderType.deposit, creditedTo: enrollId, subject, parkCode, receivableFen: earnestFen, at })
  return order.id
}
export async function dropEarnest(tx: Tx, { orderId }: Pick<EnrollRow, 'orderId'>, reason: string, at: Instant): Promise<void> {
  const { status } = await orderOf(tx, orderId)
  if (status === OrderStatus.unpaid || status === OrderStatus.paying) await cancelOrder(tx, orderId, { reason, at })
}
/**
 * Cancels the earnest-money order of a bidder whom a project let go. A payment locks its order and then the project, so a holder of a project does not lock an order but leaves
 * it to this job.
 */
export const dropLater: Task<{ orderId: string; reason: string }> = task<{ orderId: string; reason: string }>(
  'rent.drop-earnest',
  async ({ tx, data: { orderId, reason }, at }) => {
    await lockOrders(tx, [orderId])
    await dropEarnest(tx, { orderId }, reason, at)
  },
)
/** Cancels the demand for earnest money of a bidder whom a project lets go, or who has lost the award that they should have paid it again for. */
export async function askNoMore(tx: Tx, { orderId, earnestState }: EnrollRow, reason: string): Promise<void> {
  if (earnestState === EarnestState.unpaid) await addJob(tx, dropLater, { orderId, reason })
}
/** Locks an enrolment after its money, as a payment does. @throws NotFound, Stale */
export async function lockWithMoney(tx: Tx, id: string, version: number): Promise<EnrollRow> {
  const [of] = await run<{ orderId: string }>(tx, { sql: ORDER_OF }, [id])
  if (of) await holdOrder(tx, of.orderId)
  return lockEnroll(tx, id, version)
}
const ORDER_OF = 'select order_id from rent.enrollment where enterprise_id = scope_enterprise() and id = $1'
type Why = NonNullable<EnrollRow['backFor']>
/** Returns all of it at once, without a review: no decision was made against the payer. */
export async function giveBack(
  tx: Tx,
  { id, orderId, earnestFen }: EnrollRow,
  { why, reason = Said.back({ why: paired(EarnestBack.entries[why]) }) }: { why: Why; reason?: string },
  at: Instant,
): Promise<EnrollRow> {
  const refund = await returnRest(tx, { orderId, amountFen: earnestFen, reason, at })
  // A refund to a purse has arrived already, and has changed the row.
  return setEnroll(tx, await lockEnroll(tx, id), { refundId: refund.id, backFor: why }, at)
}
/** The next bidder in rank pays it again within the company's period, or not at all. */
export const isLate = ({ payAgainUntil }: EnrollRow, at: Instant): boolean => payAgainUntil !== null && msOf(at) >= msOf(payAgainUntil)
const NOBODY = { userId: null, userName: SYSTEM }
/** Held, whether or not it is frozen, and not on its way back. */
export const isHeld = ({ earnestState, refundId }: EnrollRow): boolean =>
  (earnestState === EarnestState.paid || earnestState === EarnestState.frozen) && refundId === null
export interface Asked {
  why: Why
  reason: string
  by?: Person | typeof NOBODY
  at: Instant
}
/** On its way back, once settlement's approvers say so. Without a person it is the procedure that proposes it. */
export async function askBack(tx: Tx, found: EnrollRow, { why, reason, by = NOBODY, at }: Asked): Promise<EnrollRow> {
  const refund = await applyRefund(tx, { orderId: found.orderId, amountFen: found.earnestFen, reason, actor: by, at })
  const refundDue = found.refundDue ?? (await workdaysAfter(tx, at, (await periodsOf(tx)).refund))
  return setEnroll(tx, found, { refundId: refund.id, refundDue, backFor: why }, at)
}
/** Takes the earnest money of a winner who gave up: it is a penalty from now on. */
export async function forfeit(tx: Tx, found: EnrollRow, award: typeof Award.gaveUp | typeof Award.disqualified, at: Instant): Promise<EnrollRow> {
  if (!isHeld(found)) return setEnroll(tx, found, { award }, at)
  await post(tx, {
    bizType: 'rent.forfeited',
    bizNo: found.enrollNo,
    eventId: `rent-forfeit:${found.id}:${found.orderId}`,
    at,
    parkCode: found.parkCode,
    business: 'rent',
    lines: [
      { account: 'liability.deposit', sub: found.id, debitFen: found.earnestFen },
      { account: 'income.penalty', creditFen: found.earnestFen },
    ],
  })
  return setEnroll(tx, found, { award, earnestState: EarnestState.forfeited }, at)
}
/** Turns the winner's earnest money into rent, once the lease is signed. */
export async function turnIntoRent(tx: Tx, found: EnrollRow, at: Instant): Promise<EnrollRow> {
  await post(tx, {
    bizType: 'rent.earnest',
    bizNo: found.enrollNo,
    eventId: `rent-earnest:${found.id}`,
    at,
    parkCode: found.parkCode,
    business: 'rent',
    lines: [
      { account: 'liability.deposit', sub: found.id, debitFen: found.earnestFen },
      { account: 'income.rent', creditFen: found.earnestFen },
    ],
  })
  return setEnroll(tx, found, { earnestState: EarnestState.rent }, at)
}

/** Earnest money was settled, in the transaction that settles it. A late payment goes back by itself. */
export async function hearEarnest(tx: Tx, { orderId, type, status, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.deposit) return undefined
  const [of] = await run<{ id: string; projectId: string }>(tx, { sql: OF_ORDER }, [orderId])
  if (!of) return undefined
  if (status === OrderStatus.waived) throw NotWaived()
  if (status !== OrderStatus.paid) return undefined
  const project = await lockProject(tx, of.projectId)
  const found = await lockEnroll(tx, of.id)
  const paid = { earnestState: EarnestState.paid, paidAt: at }
  if (found.award === Award.won && project.state === RentState.shown && !isLate(found, at)) return paidAgain(tx, found, at)
  const enrolling = project.state === RentState.announced || project.state === RentState.enrolling
  if (found.state === EnrollState.toPay && enrolling && msOf(at) < msOf(project.enrollTo)) await moveEnroll(tx, found, 'pay', paid, at)
  else {
    const late =
      found.state === EnrollState.toPay
        ? await moveEnroll(tx, found, 'withdraw', { ...paid, reason: Said.late }, at)
        : await setEnroll(tx, found, paid, at)
    await giveBack(tx, late, { why: whyTooLate(project, late) }, at)
  }
  return true
}
/** Says why a payment came too late. */
function whyTooLate({ state }: ProjectRow, { award, payAgainUntil }: EnrollRow): Why {
  if (state === RentState.terminated) return EarnestBack.afterTermination
  if (payAgainUntil === null) return EarnestBack.afterClosing
  return award === Award.won ? EarnestBack.afterPayAgain : EarnestBack.afterChange
}
async function paidAgain(tx: Tx, found: EnrollRow, at: Instant): Promise<true> {
  await setEnroll(tx, found, { earnestState: EarnestState.frozen, payAgainUntil: null }, at)
  return true
}
const OF_ORDER = 'select id, project_id from rent.enrollment where enterprise_id = scope_enterprise() and order_id = $1'

/** Records that the money is back with its payer. */
export async function hearRefunded(tx: Tx, { orderId, type, whole, at }: Refunded): Promise<true | undefined> {
  if (type !== OrderType.deposit || !whole) return undefined
  const [of] = await run<{ id: string }>(tx, { sql: OF_ORDER }, [orderId])
  if (!of) return undefined
  await setEnroll(tx, await lockEnroll(tx, of.id), { earnestState: EarnestState.returned }, at)
  return true
}
/** An approver said no: it may be asked for again. */
export async function hearRefundEnded(
  tx: Tx,
  { refundId, paidOut, at }: { refundId: string; paidOut: boolean; at: Instant },
): Promise<true | undefined> {
  if (paidOut) return undefined
  const [of] = await run<{ id: string }>(tx, { sql: OF_REFUND }, [refundId])
  if (!of) return undefined
  await setEnroll(tx, await lockEnroll(tx, of.id), { refundId: null, backFor: null }, at)
  return true
}
const OF_REFUND = 'select id from rent.enrollment where enterprise_id = scope_enterprise() and refund_id = $1'
/** A person cancelled the order: nobody waits for that money any more. */
export async function hearCancelled(tx: Tx, { orderId, at }: { orderId: string; at: Instant }): Promise<true | undefined> {
  await run(
    tx,
    {
      sql: `update rent.bill set order_id = null, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and order_id = $1 and state = ${BillState.toPay}`,
    },
    [orderId, at],
  )
  const [of] = await run<{ id: string }>(tx, { sql: OF_ORDER }, [orderId])
  if (!of) return undefined
  const found = await lockEnroll(tx, of.id)
  if (found.state === EnrollState.toPay) await moveEnroll(tx, found, 'withdraw', { reason: Said.orderCancelled }, at)
  return true
}
