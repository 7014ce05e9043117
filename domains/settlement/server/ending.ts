import type { Instant } from '../../../platform/contract/field.ts'
import { OrderStatus } from '../contract/order.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { post } from '../../ledger/server/api.ts'
import { sendBack, setAside, TooMuch } from './refund/returning.ts'
import { type Changed, change, moved, type OrderRow, PAYMENT, type PaymentRow, refuseMove, soldAs, tellSettled } from './row.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'
import { RefundKind, RefundState } from '../contract/refund.ts'

/** 4 → 8, the rest of a debt is bad: it is not asked for any more, and becomes a loss of income. If it is paid all the same later, it is recovered (`openRepayment`). */
export async function writeOff(
  tx: Tx,
  orderId: string,
  { amountFen, reason, at }: { amountFen: number; reason: string; at: Instant },
): Promise<OrderRow> {
  const guard = `status = ${OrderStatus.arrears} and owed and payable_fen - paid_fen = $2`
  const order =
    (await change(tx, orderId, `status = ${OrderStatus.waived}, written_off_fen = $2`, guard, [amountFen])) ?? (await refuseMove(tx, orderId))
  await moved(tx, order, order.was, OrderStatus.waived, 'writtenOff', at, reason)
  await end(tx, order, 'order.written-off', 'contra.bad-debt', amountFen, at)
  return order
}

/**
 * It should never have been asked for (an appeal was upheld, a plate was misread): 4 → 5 where nothing was paid, else 2, 4 or 6 → 7 and all that was paid goes back,
 * each payment by its own way, without anybody's further approval.
 */
export async function revoke(
  tx: Tx,
  orderId: string,
  { reason, at, actor }: { reason: string; at: Instant; actor: { userId: string; userName: string } },
): Promise<OrderRow> {
  const order =
    (await change(
      tx,
      orderId,
      `status = case when paid_fen = 0 then ${OrderStatus.cancelled} else ${OrderStatus.refunded} end, remark = $2, paying_until = null`,
      `status in (${OrderStatus.paid}, ${OrderStatus.arrears}, ${OrderStatus.partlyRefunded}) and owed`,
      [reason],
    )) ?? (await refuseMove(tx, orderId))
  await moved(tx, order, order.was, order.status, 'revoked', at, reason)
  const leftFen = order.payableFen - order.paidFen
  await end(tx, order, 'order.revoked', 'contra.waiver', leftFen, at)
  await returnAll(tx, order, { reason, at, actor })
  if (order.was === OrderStatus.arrears) await tellSettled(tx, { ...order, paidFen: 0 as OrderRow['paidFen'] }, at)
  return order
}

const end = (tx: Tx, order: Changed, bizType: string, account: 'contra.bad-debt' | 'contra.waiver', amountFen: number, at: Instant) =>
  post(tx, {
    bizType,
    bizNo: order.orderNo,
    about: order.orderNo,
    eventId: `${bizType}:${order.orderNo}:${order.version}`,
    at,
    parkCode: order.parkCode,
    business: soldAs(order.type).business,
    lines: [
      { account, debitFen: amountFen },
      { account: 'asset.arrears', creditFen: amountFen },
    ],
  })

type Came = PaymentRow & { cameFen: number }
async function returnAll(
  tx: Tx,
  order: OrderRow,
  { reason, at, actor }: { reason: string; at: Instant; actor: { userId: string; userName: string } },
) {
  for (const payment of await run<Came>(tx, { sql: CAME }, [order.id])) {
    if (payment.cameFen <= 0) continue
    if (!(await setAside(tx, { id: payment.id, orderId: order.id }, payment.cameFen, true))) throw TooMuch({ left: '0.00' })
    const values = [order.id, payment.id, order.parkCode, payment.cameFen, reason, actor.userId, actor.userName, at]
    const [made] = await run<{ id: string }>(tx, { sql: RETURN }, values)
    await sendBack(tx, made!.id, payment, at)
  }
}
const CAME = `select ${PAYMENT.split(', ')
  .map((column) => `p.${column}`)
  .join(', ')}, a.amount_fen - a.refund_fen - a.refunding_fen as came_fen
  from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
  where a.enterprise_id = scope_enterprise() and a.order_id = $1 order by a.at`
/** The decision that revoked the debt, by another than who asked for it, is the approval of the refund. */
const RETURN = `insert into settlement.refund (refund_no, order_id, payment_id, park_code, kind, amount_fen, reason, state, applicant_name, first_approver_id, first_approver_name, approvals, approvals_needed, applied_at, decided_at)
  values (platform.business_no('TK'), $1, $2, $3, ${RefundKind.asked}, $4, $5, ${RefundState.approved}, '${SYSTEM}', $6, $7, 1, 1, $8, $8) returning id`
