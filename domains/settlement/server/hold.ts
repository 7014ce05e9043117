import { run, type Tx } from '../../../platform/server/database.ts'

/*
 * Rows of money, held until the transaction ends, several of a kind by their id and kind after kind as CONTRIBUTING.md says: so nobody waits in a ring.
 */

/** Payments by their ids, and after them their orders and those that one of these repays. */
export async function holdPayments(tx: Tx, ids: readonly string[]): Promise<void> {
  const held = await run<{ orderId: string }>(tx, { sql: HOLD_PAYMENTS }, [ids])
  await run(tx, { sql: HOLD_REPAID }, [held.map(({ orderId }) => orderId)])
}
const HOLD_REPAID = `select id from settlement.order where enterprise_id = scope_enterprise()
  and (id = any($1) or id in (select order_id from settlement.repay_item where enterprise_id = scope_enterprise() and repay_id = any($1))) order by id for no key update`
const HOLD_PAYMENTS =
  'select order_id from settlement.payment where enterprise_id = scope_enterprise() and id = any($1) order by id for no key update'
export const lockOrders = (tx: Tx, ids: readonly string[]) =>
  run(tx, { sql: 'select id from settlement.order where enterprise_id = scope_enterprise() and id = any($1) order by id for no key update' }, [ids])

/** The same for the round of a job: those that nobody holds just now. */
export const takeOrders = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await run<{ id: string }>(tx, { sql: TAKE_ORDERS }, [ids])).map(({ id }) => id))
const TAKE_ORDERS =
  'select id from settlement.order where enterprise_id = scope_enterprise() and id = any($1) order by id for no key update skip locked'

/** Locks the payments of these orders, repayments too, and then the orders. */
async function holdPaid(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await run(tx, { sql: HOLD_PAID }, [orderIds])
  await lockOrders(tx, orderIds)
}
const HOLD_PAID = `select id from settlement.payment where enterprise_id = scope_enterprise() and received_fen > 0
  and (order_id = any($1) or id in (select payment_id from settlement.allocation where enterprise_id = scope_enterprise() and order_id = any($1))) order by id for no key update`
export const holdOrder = (tx: Tx, orderId: string) => holdPaid(tx, [orderId])
/** Locks the orders and payments credited to one thing. */
export async function holdCredited(tx: Tx, creditedTo: string): Promise<void> {
  const orders = await run<{ id: string }>(tx, { sql: CREDITED }, [creditedTo])
  await holdPaid(
    tx,
    orders.map(({ id }) => id),
  )
}
const CREDITED = 'select id from settlement.order where enterprise_id = scope_enterprise() and credited_to = $1'
