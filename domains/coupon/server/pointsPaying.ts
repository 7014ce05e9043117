import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { type Actor, phased, type PhasedContext } from '../../../platform/server/serve.ts'
import { OwnerStatus } from '../../owner/contract/account.ts'
import { myOrder, payStored, refuseWay } from '../../owner/server/api.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { freshen, type Lay, layBeside, orderOf, type OrderRow, payFromPurse, startPayment } from '../../settlement/server/api.ts'
import type { mine } from '../contract/mine.ts'
import { type Account, NotEnough, spend } from './pointsBook.ts'

const NotHere = refusal(
  'coupon.points-not-here',
  41651,
  '该车场不可用积分抵扣，请选择其他支付方式',
  'Points do not pay at this car park: choose another payment method',
  422,
)
const OverMost = refusal(
  'coupon.points-over-most',
  41652,
  '该车场积分最多抵扣应付的 {most}%',
  'At this car park points pay {most}% of a fee at most',
  422,
)
const Frozen = refusal(
  'coupon.points-frozen',
  41653,
  '车主已锁定或已注销，积分不可使用；请全额收款',
  'The owner’s account is locked or deleted: their points cannot be used: take the full amount',
)
const ParkingOnly = refusal('coupon.points-parking-only', 41654, '积分只能支付停车费', 'Points pay parking fees only', 422)
const NothingLeft = refusal(
  'coupon.points-are-all',
  41655,
  '积分已够支付全部应付，请直接用积分支付',
  'The points are all that is due: pay with points alone',
  422,
)
const Changed = refusal('coupon.points-due-changed', 41656, '应付已变为 ¥{fen}，请刷新后再支付', 'It is ¥{fen} by now: refresh, and pay again')
const WHOLE = 1000

/** Returns how many points may pay of an order, a fen each, at its park. @throws NotHere, ParkingOnly */
async function mostOn(tx: Tx, order: OrderRow): Promise<{ mostFen: number; most: string }> {
  const capPermille = await capAt(tx, order.parkCode)
  if (capPermille === undefined) throw NotHere()
  if (order.type !== OrderType.temporaryParking) throw ParkingOnly()
  return { mostFen: mostOf(order, capPermille), most: String(capPermille / 10) }
}
export const mostOf = ({ payableFen }: Pick<OrderRow, 'payableFen'>, capPermille: number) => Math.floor((payableFen * capPermille) / WHOLE)
/** Which part of a fee points pay at most at a park; none where they do not pay. */
export const capAt = async (tx: Tx, parkCode: string): Promise<number | undefined> =>
  (await run<{ capPermille: number }>(tx, PARK, [parkCode]))[0]?.capPermille
const PARK = { sql: 'select cap_permille from coupon.points_park where enterprise_id = scope_enterprise() and park_code = $1 and spend' }

/** @throws Frozen for the points of an owner who is locked */
export async function refuseFrozen(tx: Tx, accountId: string): Promise<void> {
  if ((await run(tx, FROZEN, [accountId])).length > 0) throw Frozen()
}
const FROZEN = {
  sql: `select from coupon.points_account p join owner.account a on a.enterprise_id = p.enterprise_id and a.phone = p.phone and a.status = ${OwnerStatus.locked}
    where p.enterprise_id = scope_enterprise() and p.id = $1`,
}
const legsOf = (accountId: string, fen: number) => [{ account: 'liability.points' as const, sub: accountId, fen }]

interface Offset {
  accountId: string
  orderId: string
  at: Instant
  actor?: { userId: string; userName: string }
}
/** All that an order asks, out of points: a payment like one out of a purse, a refund of it brings them back. @throws NotHere, ParkingOnly, OverMost, Frozen, NotEnough */
export async function payWhole(tx: Tx, { accountId, orderId, at, actor }: Offset): Promise<Account> {
  await freshen(tx, orderId, at)
  const order = await orderOf(tx, orderId)
  const { mostFen, most } = await mostOn(tx, order)
  const fen = order.payableFen - order.paidFen
  if (fen > mostFen) throw OverMost({ most })
  await refuseFrozen(tx, accountId)
  await payFromPurse(tx, { orderId, payMethod: PayMethod.points, legs: legsOf(accountId, fen), at, ...(actor && { actor }) })
  return spend(tx, accountId, { points: fen, bizNo: order.orderNo, at, parkCode: order.parkCode, booked: false })
}

/** Lays points beside the payment of the rest. @throws NotHere, ParkingOnly, OverMost, NothingLeft, Frozen, NotEnough */
export const layPoints =
  (accountId: string, points: number, at: Instant): Lay =>
  async (tx, order) => {
    const { mostFen, most } = await mostOn(tx, order)
    if (points > mostFen) throw OverMost({ most })
    if (points >= order.payableFen - order.paidFen) throw NothingLeft()
    await refuseFrozen(tx, accountId)
    return layBeside(tx, { order, payMethod: PayMethod.points, legs: legsOf(accountId, points), at })
  }

/** A driver's bill: with points alone, or with points beside a channel or their stored value. */
export const pay = phased(async ({ input: { orderNo, points, payMethod }, actor, at, write }: PhasedContext<Of<typeof mine.pay.input>>) => {
  const accountId = await write((tx) => myAccount(tx, actor, points))
  if (payMethod === PayMethod.points) return write((tx) => payMine(tx, actor, { accountId, orderNo, points }, at))
  const lay = layPoints(accountId, points, at)
  if (payMethod === PayMethod.storedValue) {
    const { amountFen, ...paid } = await write((tx) => payStored(tx, actor, orderNo, at, lay))
    return { ...paid, amountFen: (amountFen - points) as typeof amountFen }
  }
  refuseWay(payMethod)
  const { id: orderId } = await write((tx) => myOrder(tx, actor.userId, orderNo))
  const { amountFen, payUrl, expiresAt } = await startPayment(write, { orderId, payMethod, merchant: actor.enterprise, at, lay })
  return { orderNo, amountFen, payUrl, expiresAt }
})
/** Returns the driver's account; without one they have no points. @throws NotEnough */
export async function myAccount(tx: Tx, { userId }: Pick<Actor, 'userId'>, points: number): Promise<string> {
  const [account] = await run<{ id: string }>(tx, MINE, [userId])
  if (!account) throw NotEnough({ left: '0', needed: String(points) })
  return account.id
}
const MINE = {
  sql: `select p.id from owner.account a join coupon.points_account p on p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null
    where a.enterprise_id = scope_enterprise() and a.id = $1`,
}
/** All that is due, as it was shown. @throws Changed when it is another amount by now */
export async function payAll(tx: Tx, { points, ...offset }: Offset & { points: number }): Promise<void> {
  await freshen(tx, offset.orderId, offset.at)
  const { payableFen, paidFen } = await orderOf(tx, offset.orderId)
  if (points !== payableFen - paidFen) throw Changed({ fen: ((payableFen - paidFen) / 100).toFixed(2) })
  await payWhole(tx, offset)
}
async function payMine(tx: Tx, actor: Actor, { accountId, orderNo, points }: { accountId: string; orderNo: string; points: number }, at: Instant) {
  const { id: orderId } = await myOrder(tx, actor.userId, orderNo)
  await payAll(tx, { accountId, orderId, points, at })
  return { orderNo, amountFen: points as OrderRow['paidFen'], payUrl: null, expiresAt: null }
}
