import type { CodeOf, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, page } from '../../../../platform/server/page.ts'
import { IllegalMove, NotFound, type Refusal, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { recall, sendInner } from '../../../message/server/api.ts'
import { OrderType } from '../../contract/order.ts'
import { PaymentState } from '../../contract/payment.ts'
import { refund, TWO_APPROVERS_FEN, RefundState, RefundKind } from '../../contract/refund.ts'
import { refundAsked, refundEnded } from '../events.ts'
import { holdCredited, holdOrder } from '../hold.ts'
import { REPAYMENT } from '../row.ts'
import { giveBack, paymentOf, REFUND, refundLines, type RefundRow, refunds, release, sendBack, setAside, THAT_PAID, TooMuch } from './returning.ts'
import { orderOf, type OrderRow, told } from '../row.ts'
import { cashOf, sumOf } from '../shift/shiftCash.ts'
import { holdRunning } from '../shift/shiftRow.ts'

export const SelfApproval = refusal(
  'settlement.self-approval',
  40506,
  '申请人与审核人不能是同一人',
  'You cannot decide on a request that you made',
  422,
)
export const NotYours = refusal(
  'settlement.not-your-request',
  40517,
  '只有申请人可以撤回；由他人申请的请驳回',
  'Only the person who asked can withdraw it; reject what somebody else asked for',
  403,
)
/** Refuses a second approval by the same person; telling them that they are the applicant would be wrong. */
export const ApprovedAlready = refusal(
  'settlement.approved-already',
  40518,
  '您已审核过，须由另一人再审核',
  'You have approved it already: another person has to approve it too',
  422,
)
const NothingPaid = refusal(
  'settlement.nothing-paid',
  40507,
  '该订单没有可退的支付（未支付或已全部退回）',
  'This order has no payment to refund (unpaid or already refunded)',
  422,
)
const OfItsDebts = refusal(
  'settlement.refund-of-repayment',
  40591,
  '补缴单按欠费逐笔退款：请打开所补缴的欠费记录申请退款',
  'A repayment is refunded debt by debt: request the refund on the arrears record it paid',
  422,
)
/** A recharge may be spent by now, or has earned a bonus: the domain that keeps the purse knows how much may go back. */
const OfStoredValue = refusal(
  'settlement.refund-of-recharge',
  40593,
  '充值单请在「储值退款」中申请',
  'Request the refund of a recharge under “Stored value refunds”',
  422,
)
/** A deposit or a payment for a lease may be rent, a penalty or earnest money by now: the domain that keeps the leases knows which part may go back. */
const OfLease = refusal(
  'settlement.refund-of-lease',
  40594,
  '租赁保证金请在「保证金管理」中申请退还，押金和未到期的租金请在「合同管理」中申请退还',
  'Request the return of earnest money under “Earnest money”, and of a deposit or unused rent under “Contracts”',
  422,
)
/** The bills of a charging session record its cost: money goes back only with a bill that says so, or the books would have it twice. */
const OfCharge = refusal(
  'settlement.refund-of-charge',
  40597,
  '充电请在「充电订单」中申请退款',
  'Request the refund of a charging session under “Charging sessions”',
  422,
)
/** The money is the merchant's balance by now, or has paid back its credit: the domain that keeps both would not hear of the refund. */
const OfMerchant = refusal(
  'settlement.refund-of-merchant',
  40512,
  '商户充值已记入商户余额或归还授信，不能按订单退款',
  'A merchant’s recharge is in its balance or has repaid its credit: it cannot be refunded by its order',
  422,
)
/** Orders that cannot be refunded by themselves, and the refusal for each type. */
const ELSEWHERE: Partial<Record<number, () => Refusal>> = {
  [OrderType.storedValue]: OfStoredValue,
  [OrderType.deposit]: OfLease,
  [OrderType.rent]: OfLease,
  [OrderType.charging]: OfCharge,
  [OrderType.merchantRecharge]: OfMerchant,
}
const NotInTill = refusal(
  'settlement.refund-not-in-till',
  40599,
  '您的收银班次现金（含备用金）只有 {left} 元，不够退 {amount} 元：请由现金足够的收费员付出，或带足备用金重新开班后付出',
  'Your till holds ¥{left}, float included, and ¥{amount} is to be paid out: let a cashier whose till holds enough pay it, or open a new shift with enough float',
  422,
)
type Person = { userId: string; userName: string }
const yuan = (fen: number) => (fen / 100).toFixed(2)

export const calls = serve(refund, {
  list: ({ tx, input }) => page(tx, refundLines, input),
  export: exporting(refund.export, refundLines),
  async apply({ tx, input, actor, at }) {
    const elsewhere = input.paymentId ? undefined : ELSEWHERE[(await orderOf(tx, input.orderId)).type]
    if (elsewhere) throw elsewhere()
    if (!input.paymentId) {
      await holdOrder(tx, input.orderId)
      await refundAsked.ask(tx, { orderId: input.orderId, amountFen: input.amountFen, refundId: null, at })
    }
    return applyRefund(tx, { ...input, actor, at })
  },
  approve: ({ tx, input, actor, at }) => approveRefund(tx, input, actor, at),
  reject: ({ tx, input, actor, at }) => rejectRefund(tx, input, actor, at),
  withdraw: ({ tx, input, actor, at }) => withdrawRefund(tx, input, actor, at),
  payOut: ({ tx, input, actor, at }) => payOut(tx, input, actor, at),
  retry: ({ tx, input, at }) => retry(tx, input, at),
})

type Decided = { id: string; version: number; verdict?: string }
export async function approveRefund(tx: Tx, which: Decided, actor: Person, at: Instant): Promise<RefundRow> {
  const approved = await decide(tx, which, actor, at, APPROVES)
  if (approved.state !== RefundState.approved) return approved
  await sendBack(tx, approved.id, await paymentOf(tx, approved.paymentId), at)
  return refundOf(tx, approved.id)
}
export async function rejectRefund(tx: Tx, which: Decided, actor: Person, at: Instant): Promise<RefundRow> {
  const rejected = await decide(tx, which, actor, at, REJECTS)
  return endUnpaid(tx, rejected, at)
}
/** The applicant withdraws a refund, also where one of two approvers has approved it. @throws NotYours */
export async function withdrawRefund(tx: Tx, { id, version }: Decided, actor: Person, at: Instant): Promise<RefundRow> {
  const [withdrawn] = await run<RefundRow>(tx, WITHDRAW, [id, version, actor.userId, at])
  if (withdrawn) {
    await told(tx, withdrawn.orderId, withdrawn.parkCode)
    await recall(tx, concernsOf(id), at)
    return endUnpaid(tx, withdrawn, at)
  }
  if ((await refundOf(tx, id)).applicantId !== actor.userId) throw NotYours()
  return refuse(tx, id, version)
}
const WITHDRAW = {
  sql: `update settlement.refund set state = ${RefundState.withdrawn}, decided_at = $4, version = version + 1, updated_at = $4
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = ${RefundState.waiting} and applicant_id = $3::uuid returning ${REFUND}`,
}
/** Releases the amount that was set apart, and tells the seller that the order stays paid. */
async function endUnpaid(tx: Tx, ended: RefundRow, at: Instant): Promise<RefundRow> {
  const { type, creditedTo } = await orderOf(tx, ended.orderId)
  // A charge has several orders, and its listener bills it anew: all of its money is held before a part of it.
  if (type === OrderType.charging) await holdCredited(tx, creditedTo)
  await release(tx, ended)
  if (ended.kind === RefundKind.asked)
    await refundEnded.ask(tx, { refundId: ended.id, orderId: ended.orderId, amountFen: ended.amountFen, paidOut: false, at })
  return refundOf(tx, ended.id)
}

interface Application {
  /** Only payments of this channel, or this payment; left out, the latest payment. */
  channel?: string
  cameBy?: string
  orderId: string
  paymentId?: string
  amountFen: number
  reason: string
  /** Without an id it is the house itself that asks. */
  actor: { userId: string | null; userName: string }
  at: Instant
}
/**
 * Asks for a refund and sets the amount apart at once: from the last payment, then from those before it, each by a refund of its own; a part laid beside one (points)
 * before it. Returns the last refund made.
 * @throws TooMuch when less is left, NothingPaid
 */
export async function applyRefund(tx: Tx, { channel, cameBy, orderId, paymentId, amountFen, ...asked }: Application): Promise<RefundRow> {
  const order = await orderOf(tx, orderId)
  if (order.type === REPAYMENT && !paymentId) throw OfItsDebts()
  const payments = await run<Source>(tx, { sql: paymentId ? OF_WRONG : SOURCES }, [orderId, paymentId ?? cameBy ?? null, channel ?? null])
  if (payments.length === 0) throw NothingPaid()
  const leftFen = payments.reduce((sum, one) => sum + one.leftFen, 0)
  if (amountFen > leftFen) throw TooMuch({ left: yuan(leftFen) })
  const approvals = amountFen + (await askedLately(tx, orderId, asked.at)) >= TWO_APPROVERS_FEN ? 2 : 1
  const what = { ...asked, order, kind: paymentId ? RefundKind.wrongAmount : RefundKind.asked, approvals, leftFen }
  let made: RefundRow | undefined
  let rest = amountFen
  for (const { id, leftFen: most } of payments.filter((one) => one.leftFen > 0)) {
    if (rest <= 0) break
    made = await askOf(tx, id, Math.min(rest, most), what)
    rest -= most
  }
  return made!
}
interface Source {
  id: string
  leftFen: number
}
const LEFT = 'received_fen - refund_fen - refunding_fen'
const OF_WRONG = `select id, ${LEFT} as left_fen from settlement.payment
  where enterprise_id = scope_enterprise() and order_id = $1 and id = $2 and state = ${PaymentState.wrongAmount} and ($3::text is null or channel = $3)`
// Of a payment for several orders it is this one's part. A payment laid beside another goes back with it, and not by itself where a payment or a channel is named.
const SOURCES = `select id, least(${LEFT}, (select a.amount_fen - a.refund_fen - a.refunding_fen from settlement.allocation a
      where a.enterprise_id = p.enterprise_id and a.payment_id = p.id and a.order_id = $1)) as left_fen
  from settlement.payment p left join lateral (select m.id as main_id, m.paid_at as main_paid_at from settlement.payment m
      where m.enterprise_id = p.enterprise_id and m.order_id = p.order_id and m.beside_id = p.id and m.state = ${PaymentState.received}) m on true
  where enterprise_id = scope_enterprise() and ${THAT_PAID} and ($3::text is null or channel = $3) and (main_id is null or ($2::uuid is null and $3::text is null))
  order by coalesce(main_paid_at, paid_at) desc, coalesce(main_id, id) desc, main_id is null`

type Asked = Pick<Application, 'reason' | 'actor' | 'at'> & { order: OrderRow; kind: CodeOf<typeof RefundKind>; approvals: number; leftFen: number }
async function askOf(
  tx: Tx,
  paymentId: string,
  amountFen: number,
  { order, kind, reason, actor, approvals, at, leftFen }: Asked,
): Promise<RefundRow> {
  if (!(await setAside(tx, { id: paymentId, orderId: order.id }, amountFen, kind === RefundKind.asked))) throw TooMuch({ left: yuan(leftFen) })
  const [made] = await run<RefundRow>(
    tx,
    {
      sql: `insert into settlement.refund (refund_no, order_id, payment_id, park_code, kind, amount_fen, reason, applicant_id, applicant_name, approvals_needed, applied_at)
        values (platform.business_no('TK'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${REFUND}`,
    },
    [order.id, paymentId, order.parkCode, kind, amountFen, reason, actor.userId, actor.userName, approvals, at],
  )
  await told(tx, order.id, order.parkCode)
  await tellApprovers(tx, made!, at)
  return made!
}

/** Tells everybody who may decide on the refund, except its applicant and an earlier approver. */
const tellApprovers = (tx: Tx, { id, refundNo, parkCode, amountFen, reason, applicantId, firstApproverId }: RefundRow, at: Instant) =>
  sendInner(tx, {
    to: { capability: refund.approve.needs as string, parkCode, not: [applicantId, firstApproverId] },
    title: [`待审核退款：¥${yuan(amountFen)}`, `Refund of ¥${yuan(amountFen)} to approve`],
    body: [`${refundNo}：${reason}`, `${refundNo}: ${reason}`],
    link: WAITING,
    concerns: concernsOf(id),
    at,
  })
const concernsOf = (id: string) => `refund:${id}`
const WAITING = `/operation/finance?tab=refunds&state=${RefundState.waiting}`

/** The codes of a refund that was refused or taken back, and of one that nobody asked for. */
const REJECTED = RefundState.rejected
const WITHDRAWN = RefundState.withdrawn
const RETURNED = 2
/** Returns the sum of refunds requested for an order within 30 days, except rejected and withdrawn ones: requesting it in parts does not make an amount small. */
async function askedLately(tx: Tx, orderId: string, at: Instant): Promise<number> {
  const sql = `select coalesce(sum(amount_fen), 0)::bigint as fen from settlement.refund
    where enterprise_id = scope_enterprise() and order_id = $1 and state not in (${REJECTED}, ${WITHDRAWN}) and kind <> ${RETURNED} and applied_at > $2::timestamptz - interval '30 days'`
  return Number((await run<{ fen: number }>(tx, { sql }, [orderId, at]))[0]!.fen)
}

const APPROVES = `approvals = approvals + 1, state = case when approvals + 1 >= approvals_needed then ${RefundState.approved} else ${RefundState.waiting} end,
  first_approver_id = coalesce(first_approver_id, $3), first_approver_name = coalesce(first_approver_name, $4),
  second_approver_id = case when first_approver_id is null then second_approver_id else $3 end, second_approver_name = case when first_approver_id is null then second_approver_name else $4 end`
const REJECTS = `state = ${RefundState.rejected}, first_approver_id = coalesce(first_approver_id, $3), first_approver_name = coalesce(first_approver_name, $4)`
/** Of two people who decide at once, one does and the other finds it changed. The applicant never decides, and nobody approves twice. */
async function decide(
  tx: Tx,
  { id, version, verdict }: { id: string; version: number; verdict?: string },
  actor: Person,
  at: Instant,
  set: string,
): Promise<RefundRow> {
  const sql = `update settlement.refund set ${set}, verdict = coalesce($5, verdict), decided_at = $6, version = version + 1, updated_at = $6
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = ${RefundState.waiting} and applicant_id is distinct from $3::uuid and first_approver_id is distinct from $3::uuid
    returning ${REFUND}`
  const [decided] = await run<RefundRow>(tx, { sql }, [id, version, actor.userId, actor.userName, verdict ?? null, at])
  if (decided) {
    await told(tx, decided.orderId, decided.parkCode)
    await recall(tx, concernsOf(id), at)
    if (decided.state === RefundState.waiting) await tellApprovers(tx, decided, at)
    return decided
  }
  const found = await refundOf(tx, id)
  if (found.state !== RefundState.waiting) throw IllegalMove({ state: found.state })
  if (found.applicantId === actor.userId) throw SelfApproval()
  if (found.firstApproverId === actor.userId) throw ApprovedAlready()
  throw Stale({ ...found })
}

async function payOut(tx: Tx, { id, version }: { id: string; version: number }, actor: Person, at: Instant): Promise<RefundRow> {
  const sql = `update settlement.refund r set state = ${RefundState.done}, finished_at = $3, version = r.version + 1, updated_at = $3 from settlement.payment p
    where r.enterprise_id = scope_enterprise() and r.id = $1 and r.version = $2 and r.state = ${RefundState.approved} and p.enterprise_id = r.enterprise_id and p.id = r.payment_id and p.channel = 'cash'
    returning r.id`
  if (!(await run(tx, { sql }, [id, version, at])).length) return refuse(tx, id, version)
  const out = await refundOf(tx, id)
  const till = await holdRunning(tx, actor.userId)
  const holdsFen = till ? till.openingFloatFen + sumOf(await cashOf(tx, till.id)) : 0
  if (!till || holdsFen < out.amountFen) throw NotInTill({ left: yuan(Math.max(holdsFen, 0)), amount: yuan(out.amountFen) })
  await giveBack(tx, out, await paymentOf(tx, out.paymentId), [{ account: 'asset.cash', sub: till.id, creditFen: out.amountFen }], at)
  return out
}

async function retry(tx: Tx, { id, version }: { id: string; version: number }, at: Instant): Promise<RefundRow> {
  const sql = `update settlement.refund set state = ${RefundState.sending}, failure = null, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = ${RefundState.failed} returning ${REFUND}`
  const [again] = await run<RefundRow>(tx, { sql }, [id, version, at])
  if (!again) return refuse(tx, id, version)
  const { orderId, amountFen } = again
  await holdOrder(tx, orderId)
  await refundAsked.ask(tx, { orderId, amountFen, refundId: id, at })
  if (!(await setAside(tx, { id: again.paymentId, orderId }, amountFen, again.kind === RefundKind.asked))) throw TooMuch({ left: '0.00' })
  await sendBack(tx, again.id, await paymentOf(tx, again.paymentId), at)
  return again
}

async function refuse(tx: Tx, id: string, version: number): Promise<never> {
  const found = await refundOf(tx, id)
  throw found.version === version ? IllegalMove({ state: found.state }) : Stale({ ...found })
}
async function refundOf(tx: Tx, id: string): Promise<RefundRow> {
  const found = await find(tx, refunds, id)
  if (!found) throw NotFound()
  return found
}
