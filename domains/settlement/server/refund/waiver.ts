import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { columnsIn } from '../../../../platform/contract/names.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal, Stale } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { post } from '../../../ledger/server/api.ts'
import { TWO_APPROVERS_FEN, Waiver, waiver, WaiverLine, waiverSearch, WaiverState } from '../../contract/waiver.ts'
import { isAhead, OrderStatus } from '../../contract/order.ts'
import { waiverAsked } from '../events.ts'
import { holdOrder } from '../hold.ts'
import { bookDue } from '../opening.ts'
import { NotPayable } from '../receiving.ts'
import { ApprovedAlready, NotYours, SelfApproval } from './refund.ts'
import { change, moved, orderOf, REPAYMENT, refuseMove, soldAs, tellSettled } from '../row.ts'

export type WaiverRow = Of<typeof Waiver>
const waivers = listOver(Waiver, 'settlement.waiver', waiverSearch)
const waiverLines = listOver(WaiverLine, 'settlement.waiverLine', waiverSearch, { sums: ['amountFen'] })
export const WAIVER = columnsIn(Waiver)
const PaidAhead = refusal(
  'settlement.waiver-of-prepaid',
  40513,
  '预付款（月卡、充值、保证金、充电预付）不能减免',
  'Money paid in advance (passes, recharges, earnest money, charging prepayments) cannot be waived',
  422,
)
const OtherAmount = refusal(
  'settlement.waiver-of-other-amount',
  40519,
  '该订单现在应付 ¥{due}，与申请时不同：请驳回，按现在的金额重新申请',
  'This order asks ¥{due} now, another amount than the request: reject it and request the waiver again',
)
type Person = { userId: string; userName: string }

export const calls = serve(waiver, {
  list: ({ tx, input }) => page(tx, waiverLines, input),
  export: exporting(waiver.export, waiverLines),
  async apply({ tx, input, actor, at }) {
    await holdOrder(tx, input.orderId)
    const order = await orderOf(tx, input.orderId)
    if (isAhead(order)) throw PaidAhead()
    if ((order.status !== OrderStatus.unpaid && order.status !== OrderStatus.arrears) || order.type === REPAYMENT)
      throw IllegalMove({ status: order.status })
    if (order.payableFen - order.paidFen !== input.amountFen) throw NotPayable()
    await waiverAsked.ask(tx, { orderId: order.id, type: order.type })
    const sql = `insert into settlement.waiver (order_id, park_code, amount_fen, reason, applicant_id, applicant_name, applied_at, approvals_needed) values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${WAIVER}`
    const needed = input.amountFen >= TWO_APPROVERS_FEN ? 2 : 1
    const [made] = await run<WaiverRow>(tx, { sql }, [
      order.id,
      order.parkCode,
      input.amountFen,
      input.reason,
      actor.userId,
      actor.userName,
      at,
      needed,
    ])
    return made!
  },
  async approve({ tx, input, actor, at }) {
    // The order is locked before its request: a payment of it lets the request lapse.
    const [about] = await run<{ orderId: string }>(tx, ABOUT, [input.id])
    if (about) await holdOrder(tx, about.orderId)
    const decided = await decide(tx, input, actor, at, APPROVES)
    if (decided.state === WaiverState.granted) await waive(tx, decided, at)
    return decided
  },
  reject: ({ tx, input, actor, at }) => decide(tx, input, actor, at, REJECTS),
  withdraw: ({ tx, input, actor, at }) => withdraw(tx, input, actor, at),
})

/** The applicant withdraws a waiver. @throws NotYours */
async function withdraw(tx: Tx, { id, version }: { id: string; version: number }, { userId }: Person, at: Instant): Promise<WaiverRow> {
  const [withdrawn] = await run<WaiverRow>(tx, WITHDRAW, [id, version, userId, at])
  if (withdrawn) return withdrawn
  const found = await find(tx, waivers, id)
  if (!found) throw NotFound()
  if (found.applicantId !== (userId as string)) throw NotYours()
  throw found.version === version ? IllegalMove({ state: found.state }) : Stale({ ...found })
}
const WITHDRAW = {
  sql: `update settlement.waiver set state = ${WaiverState.withdrawn}, decided_at = $4, version = version + 1, updated_at = $4
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = ${WaiverState.waiting} and applicant_id = $3::uuid returning ${WAIVER}`,
}

const ABOUT = { sql: 'select order_id from settlement.waiver where enterprise_id = scope_enterprise() and id = $1' }

const APPROVES = `approvals = approvals + 1, state = case when approvals + 1 >= approvals_needed then ${WaiverState.granted} else ${WaiverState.waiting} end,
  second_approver_id = case when approver_id is null then null else $3::uuid end, second_approver_name = case when approver_id is null then null else $4 end,
  approver_id = coalesce(approver_id, $3::uuid), approver_name = coalesce(approver_name, $4)`
const REJECTS = `state = ${WaiverState.rejected}, approver_id = coalesce(approver_id, $3::uuid), approver_name = coalesce(approver_name, $4)`
/** The applicant never decides, and nobody approves twice. */
async function decide(
  tx: Tx,
  { id, version, verdict }: { id: string; version: number; verdict?: string },
  actor: Person,
  at: Instant,
  set: string,
): Promise<WaiverRow> {
  const sql = `update settlement.waiver set ${set}, verdict = coalesce($5, verdict), decided_at = $6, version = version + 1, updated_at = $6
    where enterprise_id = scope_enterprise() and id = $1 and version = $2 and state = ${WaiverState.waiting} and applicant_id <> $3::uuid and approver_id is distinct from $3::uuid returning ${WAIVER}`
  const [decided] = await run<WaiverRow>(tx, { sql }, [id, version, actor.userId, actor.userName, verdict ?? null, at])
  if (decided) return decided
  const found = await find(tx, waivers, id)
  if (!found) throw NotFound()
  if (found.state !== WaiverState.waiting) throw IllegalMove({ state: found.state })
  if (found.applicantId === (actor.userId as string)) throw SelfApproval()
  throw found.version === version ? ApprovedAlready() : Stale({ ...found })
}

/** @throws OtherAmount where the order asks another amount by now */
async function refuseOther(tx: Tx, orderId: string, amountFen: number): Promise<void> {
  const { status, payableFen, paidFen } = await orderOf(tx, orderId)
  const open = status === OrderStatus.unpaid || status === OrderStatus.arrears
  if (open && payableFen - paidFen !== amountFen) throw OtherAmount({ due: ((payableFen - paidFen) / 100).toFixed(2) })
  await refuseMove(tx, orderId)
}
/** 0 or 4 → 8. The amount must still be asked: an order that was paid or got another amount meanwhile is refused. */
export async function waive(tx: Tx, { orderId, amountFen, reason }: Pick<WaiverRow, 'orderId' | 'amountFen' | 'reason'>, at: Instant): Promise<void> {
  const order = await change(
    tx,
    orderId,
    `status = ${OrderStatus.waived}, waived_fen = payable_fen - paid_fen, pay_time = $3`,
    `status in (${OrderStatus.unpaid}, ${OrderStatus.arrears}) and payable_fen - paid_fen = $2`,
    [amountFen, at],
  )
  if (!order) return refuseOther(tx, orderId, amountFen)
  await moved(tx, order, order.was, OrderStatus.waived, 'waived', at, reason)
  const off = { account: 'contra.waiver', debitFen: amountFen } as const
  if (!order.owed) await bookDue(tx, order, 'order.waived', at, [off])
  else
    await post(tx, {
      bizType: 'order.waived',
      bizNo: order.orderNo,
      about: order.orderNo,
      eventId: `waived:${order.orderNo}`,
      at,
      parkCode: order.parkCode,
      business: soldAs(order.type).business,
      lines: [off, { account: 'asset.arrears', creditFen: amountFen }],
    })
  await tellSettled(tx, order, at)
}
