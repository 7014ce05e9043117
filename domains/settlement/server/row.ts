import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { AccountCode } from '../../ledger/contract/account.ts'
import type { Business } from '../../ledger/server/api.ts'
import { Order, orderSearch, OrderStatus, OrderType } from '../contract/order.ts'
import { Payment } from '../contract/payment.ts'
import { WaiverState } from '../contract/waiver.ts'
import { orderPaid, orderTopic, paid, type Settled } from './events.ts'
import { snakeOf } from '../../../platform/contract/names.ts'
import './tables.ts'

export type OrderRow = Of<typeof Order>
export type OrderId = Id<'OrderId'>
export type StatusCode = keyof typeof OrderStatus.entries
export const orders = listOver(Order, 'settlement.order', orderSearch, {
  sums: ['receivableFen', 'discountFen', 'payableFen', 'paidFen', 'waivedFen', 'refundFen', 'arrearsFen'],
})

/**
 * The orders that sums are made of: the money of a repayment stands with the orders that it paid, and counts once; where repayments alone are asked for, or orders by their
 * number, they are summed.
 */
export function summed<F extends { type?: OrderRow['type'][]; orderNo?: string }>(filter: F): F {
  if (filter.orderNo) return filter
  const type = (filter.type ?? TYPES).filter((one) => one !== REPAYMENT)
  return type.length > 0 ? { ...filter, type } : filter
}
const TYPES = Object.keys(OrderType.entries).map(Number) as OrderRow['type'][]

/** @throws NotFound when there is none, or the scope hides it. */
export async function orderOf(tx: Tx, id: string): Promise<OrderRow> {
  const found = await find(tx, orders, id)
  if (!found) throw NotFound()
  return found
}

/** The row that a guarded change of an order returns: its values after the change, and its state before. */
export type Changed = OrderRow & { was: StatusCode; owed: boolean }
const COLUMNS = Object.keys(Order.properties).map(snakeOf)

/**
 * `update settlement.order set <set> where id = $1 and <guard>`, in one statement, so that two at once never both pass. `undefined`: the guard said no.
 * Both texts are written in code; values stand in `values` from $2 on.
 */
export async function change(tx: Tx, id: string, set: string, guard: string, values: readonly unknown[] = []): Promise<Changed | undefined> {
  const sql = `update settlement.order set ${set}, version = version + 1, updated_at = $${values.length + 2}::timestamptz where enterprise_id = scope_enterprise() and id = $1 and ${guard}
    returning ${COLUMNS.map((column) => `new.${column}`)}, old.status as was, new.owed`
  const [row] = await run<Changed>(tx, { sql }, [id, ...values, begunAt(tx)])
  return row
}

/** Says why a guarded change did not happen. */
export async function refuseMove(tx: Tx, id: string): Promise<never> {
  const { status } = await orderOf(tx, id)
  throw IllegalMove({ status })
}

export type PaymentRow = Of<typeof Payment>
/** The columns of a payment, for `returning`. */
export const PAYMENT = Object.keys(Payment.properties).map(snakeOf).join(', ')
/** Where the money of a payment lies: in a till, or at its channel until that pays out. */
export const assetOf = ({ channel, shiftId }: Pick<PaymentRow, 'channel' | 'shiftId'>) =>
  channel === 'cash' ? ({ account: 'asset.cash', sub: shiftId ?? '' } as const) : ({ account: 'asset.channel', sub: channel } as const)

export const moved = async (
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'parkCode'>,
  from: StatusCode,
  to: StatusCode,
  event: string,
  at: Instant,
  reason?: string,
) => {
  await run(
    tx,
    { sql: 'insert into settlement.move (order_id, park_code, from_status, to_status, event, at, reason) values ($1, $2, $3, $4, $5, $6, $7)' },
    [order.id, order.parkCode, from, to, event, at, reason ?? null],
  )
  if (!OPEN.includes(to)) await run(tx, LAPSE, [order.id, at])
  await told(tx, order.id, order.parkCode)
}
const OPEN: readonly StatusCode[] = [OrderStatus.unpaid, OrderStatus.paying, OrderStatus.arrears]
/** A waiver lapses when its order is paid, cancelled or over: the applicant and the decider see so. */
const LAPSE = {
  sql: `update settlement.waiver set state = ${WaiverState.lapsed}, decided_at = $2, version = version + 1, updated_at = $2
    where enterprise_id = scope_enterprise() and order_id = $1 and state = ${WaiverState.waiting} returning id`,
}
/** Open pages look at the order again. */
export const told = (tx: Tx, orderId: string, parkCode: string) => tell(tx, orderTopic, { park: parkCode, ids: [orderId] })

/** The order is settled: those above act now, in this transaction; the rest hears of it later. */
export async function tellSettled(tx: Tx, order: OrderRow, at: Instant, inTime = true): Promise<void> {
  const { id: orderId, orderNo, type, stayId, parkCode, plateNo, status, paidFen, receivableFen, discountFen, payTime } = order
  const settled: Settled = {
    orderId,
    orderNo,
    type,
    stayId,
    parkCode,
    plateNo,
    status,
    paidFen,
    receivableFen,
    discountFen,
    inTime,
    paidAt: payTime ?? at,
    at,
  }
  await orderPaid.ask(tx, settled)
  await announce(tx, paid, settled)
}

const NotSold = refusal(
  'settlement.not-sold',
  40509,
  '该类订单尚未开通收款，请联系管理员开通',
  'Orders of this type cannot be paid yet: ask your administrator',
  422,
)
/** The type of an order that pays for others (补缴). */
export const REPAYMENT = OrderType.arrears

/** Where the money of an order ends up. Types that are missing come with the domain that sells them. */
const SOLD: Partial<Record<number, { revenue: AccountCode; business: Business }>> = {
  [OrderType.temporaryParking]: { revenue: 'income.parking', business: 'parking' },
  // A repayment is no income again: it settles what is owed.
  [OrderType.arrears]: { revenue: 'asset.arrears', business: 'parking' },
  [OrderType.pass]: { revenue: 'liability.pass', business: 'pass' },
  [OrderType.storedValue]: { revenue: 'liability.stored', business: 'stored' },
  [OrderType.charging]: { revenue: 'liability.charge-prepaid', business: 'charging' },
  // Until the place was used, or not, it is the driver's money.
  [OrderType.reservation]: { revenue: 'liability.deposit', business: 'share' },
  [OrderType.sharedParking]: { revenue: 'liability.deposit', business: 'share' },
  // A deposit goes back to its bidder, or becomes rent or a penalty; a bill is income once it is paid.
  [OrderType.deposit]: { revenue: 'liability.deposit', business: 'rent' },
  [OrderType.rent]: { revenue: 'liability.deposit', business: 'rent' },
  [OrderType.coupon]: { revenue: 'liability.coupon', business: 'coupon' },
  [OrderType.merchantRecharge]: { revenue: 'liability.merchant', business: 'coupon' },
  // Money that a driver adds to points lowers the cost of the article, as the points do.
  [OrderType.pointsGoods]: { revenue: 'expense.marketing', business: 'coupon' },
}
/** The ledger's line for what an order asked. */
export const revenueOf = ({ type, creditedTo }: Pick<OrderRow, 'type' | 'creditedTo'>) => ({ account: soldAs(type).revenue, sub: creditedTo })
export function soldAs(type: number): { revenue: AccountCode; business: Business } {
  const sold = SOLD[type]
  if (!sold) throw NotSold()
  return sold
}
