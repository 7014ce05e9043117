import type { Instant } from '../../../platform/contract/field.ts'
import { OrderStatus } from '../contract/order.ts'
import { PaymentState } from '../contract/payment.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { change, moved } from './row.ts'

const CLOSE = {
  sql: 'update settlement.repay_item set open = false where enterprise_id = scope_enterprise() and repay_id = $1 and open returning order_id',
}

/** A repayment that is paid asks for nothing any more. */
export const closeItems = (tx: Tx, repayId: string) => run<{ orderId: string }>(tx, CLOSE, [repayId])

/** Ends a repayment without money: its debts are free again, and a stay that was not owed yet is to be paid as before. */
export async function letGo(tx: Tx, repayId: string, at: Instant): Promise<void> {
  for (const { orderId } of await closeItems(tx, repayId)) {
    const free = await change(
      tx,
      orderId,
      `status = ${OrderStatus.unpaid}, paying_until = null`,
      `status = ${OrderStatus.paying} and not owed and ${NO_ATTEMPT}`,
    )
    if (free) await moved(tx, free, OrderStatus.paying, OrderStatus.unpaid, 'timedOut', at)
  }
}
const NO_ATTEMPT = `not exists (select from settlement.payment p where p.enterprise_id = scope_enterprise() and p.order_id = $1 and p.state = ${PaymentState.waiting})`
