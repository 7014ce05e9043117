import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import { listOver } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { NO_PARK } from '../../owner/contract/asset.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { cancelOrder, lockOrders, openOrder, orderOf, returnRest, type Settled } from '../../settlement/server/api.ts'
import { GoodsStatus } from '../contract/goods.ts'
import { PointsGoods, pointsGoodsSearch, PointsOrder, pointsOrderCan, pointsOrderSearch, PointsOrderState } from '../contract/pointsGoods.ts'
import { comeBack, lockAccount, spend } from './pointsBook.ts'
import { refuseFrozen } from './pointsPaying.ts'
import './pointsTables.ts'
import { Said } from '../contract/said.ts'

const NotOffered = refusal('coupon.points-goods-off', 41660, '该商品已下架，请选择其他商品', 'No longer available. Choose another reward', 422)
const OutOfStock = refusal(
  'coupon.points-goods-stock',
  41661,
  '库存不足，仅剩 {left} 件；请减少数量',
  'Not enough stock: {left} left: choose fewer',
  422,
)
const PerPerson = refusal('coupon.points-goods-limit', 41662, '每人限兑 {max} 件，请减少数量', 'Limit {max} per person: choose fewer', 422)
const PriceMoved = refusal(
  'coupon.points-goods-price',
  41663,
  '价格已变为 {points} 积分加 ¥{yuan}，请核对后重试',
  'The price is now {points:point} and ¥{yuan}: check it and try again',
)
const Unpaid = refusal(
  'coupon.points-order-unpaid',
  41664,
  '您有兑换待支付，请先支付或取消',
  'You have an exchange to pay for: pay or cancel it first',
)
const ByExchange = refusal(
  'coupon.points-order-refund',
  41665,
  '积分商品的加价请在积分兑换中取消后退回',
  'What was paid beside points goes back when the exchange is cancelled under Exchanges',
  422,
)

export const articles = listOver(PointsGoods, 'coupon.pointsGoods', pointsGoodsSearch)
export const orders = listOver(PointsOrder, 'coupon.pointsOrder', pointsOrderSearch, { sums: ['points', 'cashFen'] })
type Order = Of<typeof PointsOrder>

/** The time in which the cash of an exchange may be paid: as long as a recharge. */
const UNPAID_MS = 30 * 60_000
/** One that is being paid just now is looked at again after so long. */
const AGAIN_MS = 5 * 60_000

interface Wanted {
  accountId: string
  goodId: string
  qty: number
  /** The price that the person who exchanges was shown, if they were shown one. */
  shown?: { points: number; cashFen: number }
  by: string
  at: Instant
}
/**
 * Stock and points are taken at once, or neither. Where cash is due beside them, there is an order for it, and the exchange waits for its money.
 * The article is held, then the account. @throws NotOffered, OutOfStock, PerPerson, PriceMoved, Unpaid, NotEnough
 */
export async function exchange(tx: Tx, { accountId, goodId, qty, shown, by, at }: Wanted): Promise<Order> {
  const article = await lockRow(tx, articles, { id: goodId })
  const { name, stock, perUserLimit, status } = article
  if (status !== GoodsStatus.on) throw NotOffered()
  const [points, cashFen] = [article.pointsPrice * qty, (article.cashFen * qty) as Fen]
  if (shown && (shown.points !== points || shown.cashFen !== cashFen)) throw PriceMoved({ points: String(points), yuan: (cashFen / 100).toFixed(2) })
  if (stock < qty) throw OutOfStock({ left: String(stock) })
  const { phone } = await lockAccount(tx, accountId)
  await refuseFrozen(tx, accountId)
  const [{ had, waiting }] = (await run<{ had: number; waiting: number }>(tx, HAD, [accountId, goodId])) as [{ had: number; waiting: number }]
  if (perUserLimit !== null && had + qty > perUserLimit) throw PerPerson({ max: String(perUserLimit) })
  if (cashFen > 0 && waiting > 0) throw Unpaid()
  const [{ orderNo }] = (await run<{ orderNo: string }>(tx, NUMBER, [])) as [{ orderNo: string }]
  await spend(tx, accountId, { points, bizNo: orderNo, memo: name, at })
  await setRow(tx, articles, article, { stock: stock - qty }, at)
  const facts = {
    orderNo,
    accountId: accountId as Order['accountId'],
    phone,
    goodId: article.id,
    goodName: name,
    qty,
    points,
    cashFen,
    operatorName: by,
    at,
  }
  return addRow(tx, orders, { ...facts, ...(cashFen > 0 && (await billOf(tx, { name, qty, cashFen, at }))) })
}
const HAD = {
  sql: `select coalesce(sum(qty) filter (where good_id = $2), 0)::int as had, count(*) filter (where state = ${PointsOrderState.toPay})::int as waiting from coupon.points_order
    where enterprise_id = scope_enterprise() and account_id = $1 and state not in (${PointsOrderState.cancelled}, ${PointsOrderState.givenBack})`,
}
const NUMBER = { sql: `select platform.business_no('JF') as order_no` }

async function billOf(tx: Tx, { name, qty, cashFen, at }: { name: string; qty: number; cashFen: number; at: Instant }) {
  const subject = Said.points({ name: name.slice(0, NAME_MAX), qty })
  const { id } = await openOrder(tx, { type: OrderType.pointsGoods, subject, parkCode: NO_PARK, receivableFen: cashFen, at })
  const payUntil = instantAt(msOf(at) + UNPAID_MS)
  await addJob(tx, unpaidOver, { orderId: id }, { key: `${unpaidOver.name}:${id}`, runAt: payUntil })
  return { orderId: id, payUntil, state: PointsOrderState.toPay }
}
const NAME_MAX = 100

/** Held before the exchange, as a payment does it. */
export async function holdBill(tx: Tx, id: string): Promise<void> {
  const [of] = await run<{ orderId: string | null }>(tx, BILL, [id])
  if (of?.orderId) await lockOrders(tx, [of.orderId])
}
const BILL = { sql: 'select order_id from coupon.points_order where enterprise_id = scope_enterprise() and id = $1' }

/** The points and the article go back, and what was paid beside them. Its bill is held. @throws IllegalMove */
export async function undo(tx: Tx, found: Order, reason: string, at: Instant): Promise<Order> {
  const state = pointsOrderCan.cancel(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  if (found.orderId) await undoBill(tx, found.orderId, reason, at)
  const article = await lockRow(tx, articles, { id: found.goodId })
  await setRow(tx, articles, article, { stock: article.stock + found.qty }, at)
  await comeBack(tx, found.accountId, { points: found.points, takenBy: found.orderNo, bizNo: found.orderNo, memo: reason, at })
  return setRow(tx, orders, found, { state, reason, endedAt: at }, at)
}
async function undoBill(tx: Tx, orderId: string, reason: string, at: Instant): Promise<void> {
  const { status, paidFen, refundFen, refundingFen } = await orderOf(tx, orderId)
  const amountFen = paidFen - refundFen - refundingFen
  if (amountFen > 0) await returnRest(tx, { orderId, amountFen, reason, at })
  else if (status === OrderStatus.unpaid || status === OrderStatus.paying) await cancelOrder(tx, orderId, { reason, at })
}

/** The answer to `settlement.orderPaid`: nothing is left to pay beside the points. */
export async function hearExchangePaid(tx: Tx, { type, orderId, status, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.pointsGoods || status === OrderStatus.cancelled || status === OrderStatus.refunded) return undefined
  const found = await ofBill(tx, orderId)
  const state = found && pointsOrderCan.pay(found.state)
  if (found && state !== undefined) await setRow(tx, orders, found, { state }, at)
  return true
}
const ofBill = async (tx: Tx, orderId: string): Promise<Order | undefined> => {
  const [of] = await run<{ id: string }>(tx, OF_BILL, [orderId])
  return of && lockRow(tx, orders, of)
}
const OF_BILL = { sql: 'select id from coupon.points_order where enterprise_id = scope_enterprise() and order_id = $1' }

/** The answer to `settlement.orderCancelled`: a person has cancelled the bill, and with it the exchange. */
export async function hearBillCancelled(tx: Tx, { orderId, at }: { orderId: string; at: Instant }): Promise<true | undefined> {
  const found = await ofBill(tx, orderId)
  if (found?.state === PointsOrderState.toPay) await undo(tx, found, Said.billCancelled, at)
  return found && true
}
/** The answer to `settlement.refundAsked`. @throws ByExchange: points and article go back with it */
export async function refuseRefund(tx: Tx, { orderId, refundId }: { orderId: string; refundId: string | null }): Promise<undefined> {
  if (refundId === null && (await run(tx, OF_BILL, [orderId])).length > 0) throw ByExchange()
}

/** Cancels an exchange that nobody paid in time: later money goes back by itself. */
export const unpaidOver: Task<{ orderId: string }> = task<{ orderId: string }>('coupon.exchange-unpaid', async ({ tx, data: { orderId }, at }) => {
  await lockOrders(tx, [orderId])
  const { status } = await orderOf(tx, orderId)
  if (status === OrderStatus.paying) return addJob(tx, unpaidOver, { orderId }, { runAt: instantAt(msOf(at) + AGAIN_MS) })
  const found = await ofBill(tx, orderId)
  if (found?.state === PointsOrderState.toPay) await undo(tx, found, Said.unpaid, at)
})
