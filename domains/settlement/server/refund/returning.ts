import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { listOver } from '../../../../platform/server/page.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { post, type PostingLine } from '../../../ledger/server/api.ts'
import { Refund, RefundLine, refundSearch, RefundState, RefundKind } from '../../contract/refund.ts'
import { OrderStatus } from '../../contract/order.ts'
import { PaymentState } from '../../contract/payment.ts'
import { orderRefunded, owedAgain, purseReturned, refundEnded, refundFailed } from '../events.ts'
import { holdCredited } from '../hold.ts'
import { backTo, isPurse } from '../legs.ts'
import { askToSend } from '../pay/queue.ts'
import { assetOf, change, type Changed, moved, type OrderRow, orderOf, PAYMENT, type PaymentRow, revenueOf, soldAs, told } from '../row.ts'
import { Said } from '../../contract/said.ts'
import { SYSTEM } from '../../../../platform/contract/said.ts'

export type RefundRow = Of<typeof Refund>
/** The row alone, and with whose order it is. */
export const refunds = listOver(Refund, 'settlement.refund', refundSearch)
export const refundLines = listOver(RefundLine, 'settlement.refundLine', refundSearch, { sums: ['amountFen'] })
export const TooMuch = refusal(
  'settlement.refund-too-much',
  40508,
  '退款金额超过可退金额 ¥{left}；请减少金额',
  'The refund exceeds the refundable amount of ¥{left}: enter less',
  422,
)
export const REFUND = columnsIn(Refund)

/**
 * `orderId` is the order that gets the money back: the payment's own, or one of those that a repayment paid.
 * Sets an amount of a payment apart, so that refunds under way and done never pass what came in: one guarded UPDATE of the payment, and one of the order for money
 * that had paid it. `false`: there is not so much left.
 */
export async function setAside(tx: Tx, payment: Pick<PaymentRow, 'id' | 'orderId'>, amountFen: number, ofOrder: boolean): Promise<boolean> {
  const sql = `update settlement.payment set refunding_fen = refunding_fen + $2, version = version + 1, updated_at = $3
    where enterprise_id = scope_enterprise() and id = $1 and refund_fen + refunding_fen + $2 <= received_fen returning id`
  if (!(await run(tx, { sql }, [payment.id, amountFen, begunAt(tx)])).length) return false
  if (!ofOrder) return true
  const part = `update settlement.allocation set refunding_fen = refunding_fen + $3 where enterprise_id = scope_enterprise() and payment_id = $1 and order_id = $2
    and refund_fen + refunding_fen + $3 <= amount_fen returning id`
  const [parts] = await run<{ n: number }>(tx, PARTS, [payment.id, payment.orderId])
  if (parts!.n > 0 && !(await run(tx, { sql: part }, [payment.id, payment.orderId, amountFen])).length) return false
  const guard = `${HAS_PAID} and refund_fen + refunding_fen + $2 <= paid_fen`
  return (await change(tx, payment.orderId, 'refunding_fen = refunding_fen + $2', guard, [amountFen])) !== undefined
}
/** A debt that is not paid in full: a refund of it is owed again. */
const STILL_OWED = `(owed and status in (${OrderStatus.paying}, ${OrderStatus.arrears}))`
/** Orders that hold money that may go back: a paid order, a debt paid in part, and one whose rest was waived or written off. */
const HAS_PAID = `(status in (${OrderStatus.paid}, ${OrderStatus.partlyRefunded}, ${OrderStatus.refunded}, ${OrderStatus.waived}) or ${STILL_OWED})`
/** Whether the payment was spread over orders: then no order gets back more than its part. */
const PARTS = {
  sql: 'select count(*)::int as n from settlement.allocation where enterprise_id = scope_enterprise() and payment_id = $1 and order_id = $2',
}
const OF_PART = 'where enterprise_id = scope_enterprise() and payment_id = $1 and order_id = $2'

/** Gives free again what was set apart. */
export async function release(tx: Tx, refund: RefundRow): Promise<void> {
  const sql = `update settlement.payment set refunding_fen = refunding_fen - $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1`
  await run(tx, { sql }, [refund.paymentId, refund.amountFen, begunAt(tx)])
  if (refund.kind !== RefundKind.asked) return
  await run(tx, { sql: `update settlement.allocation set refunding_fen = refunding_fen - $3 ${OF_PART}` }, [
    refund.paymentId,
    refund.orderId,
    refund.amountFen,
  ])
  await change(tx, refund.orderId, 'refunding_fen = refunding_fen - $2', 'true', [refund.amountFen])
}

/** Money that nobody asked for goes back whole, without anybody's approval. */
export async function returnUnasked(tx: Tx, payment: PaymentRow, order: OrderRow, at: Instant): Promise<void> {
  if (!(await setAside(tx, payment, payment.receivedFen, false))) return
  const sql = `insert into settlement.refund (refund_no, order_id, payment_id, park_code, kind, amount_fen, reason, state, applicant_name, approvals, approvals_needed, applied_at, decided_at)
    values (platform.business_no('TK'), $1, $2, $3, ${RefundKind.automatic}, $4, $5, ${RefundState.approved}, '${SYSTEM}', 0, 0, $6, $6) returning id`
  const reason = order.status === OrderStatus.cancelled ? Said.afterCancel : Said.paidTwice
  const [made] = await run<{ id: string }>(tx, { sql }, [order.id, payment.id, payment.parkCode, payment.receivedFen, reason, at])
  await sendBack(tx, made!.id, payment, at)
}

/** An approved refund goes its way: to its channel once this is committed, or at once into the purse that it came from. Cash waits at the counter. */
export async function sendBack(tx: Tx, refundId: string, payment: PaymentRow, at: Instant): Promise<void> {
  if (payment.channel === 'cash') return
  if (!isPurse(payment)) return askToSend(tx, refundId)
  const [due] = await run<{ refundNo: string }>(tx, { sql: NUMBER }, [refundId])
  await finishRefund(tx, { refundNo: due!.refundNo, ok: true, at })
}
const NUMBER = 'select refund_no from settlement.refund where enterprise_id = scope_enterprise() and id = $1'

/** The payments of repayments that paid this order among others. */
const PAID_BY =
  'select payment_id from settlement.allocation a where a.enterprise_id = scope_enterprise() and a.order_id = $1 and a.refund_fen + a.refunding_fen < a.amount_fen'
/** Of the payments that paid an order: of this one, or of all of them. */
export const THAT_PAID = `state = ${PaymentState.received} and (order_id = $1 or id in (${PAID_BY})) and ($2::uuid is null or id = $2)`

/** A payment credited to one thing, and how much of it may go back. */
export interface Returnable {
  orderId: string
  cameBy: string
  leftFen: number
}
/** Returns the payments credited to one thing, the last first, less refunds made and under way; a failed refund still counts as to be sent. The rows are locked. */
export async function returnable(tx: Tx, creditedTo: string): Promise<Returnable[]> {
  await holdCredited(tx, creditedTo)
  return returnableNow(tx, creditedTo)
}
/** The same, only to be read: it may be another amount a moment later. */
export const returnableNow = (tx: Tx, creditedTo: string): Promise<Returnable[]> => run(tx, { sql: RETURNABLE }, [creditedTo])
const RETURNABLE = `select o.id as order_id, p.id as came_by,
    p.left_fen - (select coalesce(sum(r.amount_fen), 0)::bigint from settlement.refund r
      where r.enterprise_id = o.enterprise_id and r.order_id = o.id and r.payment_id = p.id and r.kind = ${RefundKind.asked} and r.state = ${RefundState.failed}) as left_fen
  from settlement.order o cross join lateral (
    select p.id, p.paid_at, p.received_fen - p.refund_fen - p.refunding_fen as left_fen from settlement.payment p
      where p.enterprise_id = o.enterprise_id and p.order_id = o.id and p.state = ${PaymentState.received}
        and not exists (select from settlement.allocation a where a.enterprise_id = p.enterprise_id and a.payment_id = p.id)
    union all select p.id, p.paid_at, a.amount_fen - a.refund_fen - a.refunding_fen from settlement.allocation a
      join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id where a.enterprise_id = o.enterprise_id and a.order_id = o.id) p
  where o.enterprise_id = scope_enterprise() and o.credited_to = $1 order by p.paid_at desc, p.id desc`

/** Returns the rest of an advance payment by itself, or as much as `actor` may refund alone. @throws TooMuch when less is left */
export async function returnRest(
  tx: Tx,
  {
    orderId,
    cameBy,
    amountFen,
    reason,
    actor = { userId: null, userName: SYSTEM },
    at,
  }: { orderId: string; cameBy?: string; amountFen: number; reason: string; actor?: { userId: string | null; userName: string }; at: Instant },
): Promise<RefundRow> {
  const order = await orderOf(tx, orderId)
  const sql = `select ${PAYMENT} from settlement.payment where enterprise_id = scope_enterprise() and ${THAT_PAID} order by paid_at desc limit 1`
  const [payment] = await run<PaymentRow>(tx, { sql }, [orderId, cameBy ?? null])
  if (!payment || !(await setAside(tx, { id: payment.id, orderId: order.id }, amountFen, true))) throw TooMuch({ left: '0.00' })
  const [made] = await run<RefundRow>(
    tx,
    {
      sql: `insert into settlement.refund (refund_no, order_id, payment_id, park_code, kind, amount_fen, reason, state, applicant_id, applicant_name, approvals, approvals_needed, applied_at, decided_at)
        values (platform.business_no('TK'), $1, $2, $3, ${RefundKind.asked}, $4, $5, ${RefundState.approved}, $7, $8, 0, 0, $6, $6) returning ${REFUND}`,
    },
    [order.id, payment.id, order.parkCode, amountFen, reason, at, actor.userId, actor.userName],
  )
  await sendBack(tx, made!.id, payment, at)
  await told(tx, order.id, order.parkCode)
  return made!
}

export interface RefundResult {
  refundNo: string
  ok: boolean
  channelRefundNo?: string | null
  failure?: string
  at: Instant
}
/**
 * The channel says how a refund ended. Told twice, it counts once. `undefined`: no such refund, or it has ended already.
 * A success after a failure is the truth about the money: the amount is set apart again and booked.
 */
export async function finishRefund(tx: Tx, { refundNo, ok, channelRefundNo = null, failure, at }: RefundResult): Promise<RefundRow | undefined> {
  const sql = `update settlement.refund set state = $2, channel_refund_no = coalesce($3, channel_refund_no), failure = $4, finished_at = $5, version = version + 1, updated_at = $5
    where enterprise_id = scope_enterprise() and refund_no = $1 and state = any ($6) returning ${REFUND.split(', ')
      .map((c) => `new.${c}`)
      .join(', ')}, old.state as was`
  const from = [RefundState.approved, RefundState.sending, ...(ok ? [RefundState.failed] : [])]
  const [done] = await run<RefundRow & { was: number }>(tx, { sql }, [
    refundNo,
    ok ? RefundState.done : RefundState.failed,
    channelRefundNo,
    failure ?? null,
    at,
    from,
  ])
  if (!done) return undefined
  await told(tx, done.orderId, done.parkCode)
  if (!ok) {
    await release(tx, done)
    if (done.kind === ASKED) await refundFailed.ask(tx, { refundId: done.id, failure: done.failure, at })
    return done
  }
  const payment = await paymentOf(tx, done.paymentId)
  if (
    done.was === RefundState.failed &&
    !(await setAside(tx, { id: payment.id, orderId: done.orderId }, done.amountFen, done.kind === RefundKind.asked))
  )
    throw TooMuch({ left: '0.00' })
  await giveBack(
    tx,
    done,
    payment,
    isPurse(payment) ? await intoPurse(tx, done, payment, at) : [{ ...assetOf(payment), creditFen: done.amountFen }],
    at,
  )
  return done
}

async function intoPurse(tx: Tx, { orderId, refundNo, amountFen }: RefundRow, payment: PaymentRow, at: Instant): Promise<PostingLine[]> {
  const legs = await backTo(tx, payment, amountFen)
  const { orderNo, parkCode } = await orderOf(tx, orderId)
  await purseReturned.ask(tx, { orderId, orderNo, refundNo, parkCode, legs, at })
  return legs.map(({ account, sub, fen }) => ({ account, sub, creditFen: fen }))
}

/** The money is out: payment, order and ledger say so. `from` is where it left. */
export async function giveBack(tx: Tx, refund: RefundRow, payment: PaymentRow, from: readonly PostingLine[], at: Instant): Promise<void> {
  const sql = `update settlement.payment set refund_fen = refund_fen + $2, refunding_fen = refunding_fen - $2, version = version + 1, updated_at = $3
    where enterprise_id = scope_enterprise() and id = $1 and refunding_fen >= $2 returning id`
  if (!(await run(tx, { sql }, [refund.paymentId, refund.amountFen, at])).length) throw TooMuch({ left: '0.00' })
  const order = refund.kind === RefundKind.asked ? await refundOrder(tx, refund, at) : await orderOf(tx, refund.orderId)
  const against = {
    [RefundKind.asked]: revenueOf(order),
    [RefundKind.automatic]: { account: 'clearing.duplicate', sub: payment.channel },
    [RefundKind.wrongAmount]: { account: 'clearing.over-short', sub: payment.channel },
  } as const
  const lines: PostingLine[] = [{ ...against[refund.kind], debitFen: refund.amountFen }, ...from]
  // The revenue is reversed, and the debt asked for again.
  if (refund.kind === ASKED && isOwed(order))
    lines.push({ account: 'asset.arrears', debitFen: refund.amountFen }, { ...revenueOf(order), creditFen: refund.amountFen })
  await post(tx, {
    bizType: 'refund.done',
    bizNo: refund.refundNo,
    about: order.orderNo,
    eventId: `refund:${refund.refundNo}`,
    at,
    parkCode: refund.parkCode,
    business: soldAs(order.type).business,
    lines,
  })
  if (refund.kind === ASKED)
    await refundEnded.ask(tx, { refundId: refund.id, orderId: refund.orderId, amountFen: refund.amountFen, paidOut: true, at })
}
const ASKED = 1

const isOwed = ({ status, owed = false }: OrderRow & { owed?: boolean }): boolean =>
  owed && (status === OrderStatus.arrears || status === OrderStatus.paying)
async function refundOrder(tx: Tx, refund: RefundRow, at: Instant): Promise<Changed> {
  const { orderId, paymentId, amountFen, reason } = refund
  const part = `update settlement.allocation set refund_fen = refund_fen + $3, refunding_fen = refunding_fen - $3 ${OF_PART}`
  await run(tx, { sql: part }, [paymentId, orderId, amountFen])
  const set = `refunding_fen = refunding_fen - $2, refund_fen = refund_fen + case when ${STILL_OWED} then 0 else $2::bigint end, paid_fen = paid_fen - case when ${STILL_OWED} then $2::bigint else 0 end,
    status = case when ${STILL_OWED} or status = ${OrderStatus.waived} then status when status = ${OrderStatus.refunded} or refund_fen + $2 = paid_fen then ${OrderStatus.refunded} else ${OrderStatus.partlyRefunded} end`
  const order = await change(tx, orderId, set, `${HAS_PAID} and refunding_fen >= $2`, [amountFen])
  if (!order) throw TooMuch({ left: '0.00' })
  if (isOwed(order)) {
    await moved(tx, order, order.was, order.status, 'owedAgain', at, reason)
    await owedAgain.ask(tx, { orderId, amountFen, paidFen: order.paidFen, at })
    return order
  }
  await moved(tx, order, order.was, order.status, order.status === OrderStatus.refunded ? 'refunded' : 'refundedPart', at, reason)
  const { orderNo, type, parkCode, plateNo, paidFen, refundFen } = order
  await orderRefunded.ask(tx, { orderId, orderNo, type, parkCode, plateNo, amountFen, paidFen, refundFen, whole: refundFen === paidFen, at })
  return order
}

/** Returns an order's refunds that reached the payer, the oldest first. */
export const paidBack = (tx: Tx, orderId: string): Promise<RefundRow[]> => run(tx, PAID_BACK, [orderId])
const PAID_BACK = {
  sql: `select ${REFUND} from settlement.refund where enterprise_id = scope_enterprise() and order_id = $1 and state = ${RefundState.done} and kind = ${RefundKind.asked} order by finished_at, id limit 100`,
}

export async function paymentOf(tx: Tx, id: string): Promise<PaymentRow> {
  const [found] = await run<PaymentRow>(
    tx,
    { sql: `select ${PAYMENT} from settlement.payment where enterprise_id = scope_enterprise() and id = $1` },
    [id],
  )
  return found!
}
