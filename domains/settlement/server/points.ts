import type { Fen } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { PaymentState, PayMethod } from '../contract/payment.ts'

export interface ByPoints {
  paidFen: Fen
  refundFen: Fen
}
const NONE: ByPoints = { paidFen: 0 as Fen, refundFen: 0 as Fen }
/** Returns what points paid of each order, and how much of that went back. */
export async function pointsOn(tx: Tx, orderIds: readonly string[]): Promise<(orderId: string) => ByPoints> {
  const rows = await run<ByPoints & { orderId: string }>(tx, POINTS, [orderIds])
  const found = new Map(rows.map(({ orderId, ...sums }) => [orderId, sums]))
  return (orderId) => found.get(orderId) ?? NONE
}
const POINTS = {
  sql: `select order_id, sum(received_fen)::bigint as paid_fen, sum(refund_fen)::bigint as refund_fen from settlement.payment
    where enterprise_id = scope_enterprise() and order_id = any($1::uuid[]) and pay_method = ${PayMethod.points} and state = ${PaymentState.received} group by order_id`,
}
