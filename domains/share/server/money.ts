import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { post } from '../../ledger/server/api.ts'
import { cancelOrder, leaveUnpaid, openOrder, orderOf, requote, returnRest } from '../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { BookingKind } from '../contract/booking.ts'
import { overtimeOf } from './hours.ts'
import { type Booking, type Changes, minutesAfter } from './row.ts'
import { Said } from '../contract/said.ts'

/** Returns the money kept of a booking: paid, and neither refunded nor on its way back. */
async function keptOf(tx: Tx, { orderId }: Booking): Promise<{ keptFen: number; backFen: number; waivedFen: number }> {
  if (!orderId) return { keptFen: 0, backFen: 0, waivedFen: 0 }
  const { paidFen, refundFen, refundingFen, waivedFen } = await orderOf(tx, orderId)
  return { keptFen: paidFen - refundFen - refundingFen, backFen: refundFen + refundingFen, waivedFen }
}

/** Earns a booking whose time was used, or lost: the prepayment is income now, except the owner's part, which stays where it is until it is theirs. */
export async function earn(tx: Tx, booking: Booking, at: Instant): Promise<Changes> {
  const { keptFen, backFen, waivedFen } = await keptOf(tx, booking)
  const splitFen = booking.kind === BookingKind.place || !booking.ownerId ? 0 : Math.floor((keptFen * booking.splitPermille) / 1000)
  const account = booking.kind === BookingKind.place ? ('income.penalty' as const) : ('income.parking' as const)
  // The waived part is set against its waiver; the owner gets no share of it.
  const earnedFen = keptFen - splitFen + waivedFen
  await post(tx, {
    bizType: 'share.earned',
    bizNo: booking.bookingNo,
    eventId: `share-earned:${booking.id}:${booking.version}`,
    at,
    parkCode: booking.parkCode,
    business: 'share',
    lines: [
      { account: 'liability.deposit', sub: booking.id, debitFen: earnedFen },
      { account, creditFen: earnedFen },
    ],
  })
  return { splitFen: splitFen as Fen, refundFen: backFen as Fen, completedAt: at }
}
/** Reverses what was earned, before the money goes back. */
export async function unearn(tx: Tx, booking: Booking, at: Instant): Promise<void> {
  const { keptFen, waivedFen } = await keptOf(tx, booking)
  const account = booking.kind === BookingKind.place ? ('income.penalty' as const) : ('income.parking' as const)
  const fen = keptFen - booking.splitFen + waivedFen
  await post(tx, {
    bizType: 'share.voided',
    bizNo: booking.bookingNo,
    eventId: `share-voided:${booking.id}:${booking.version}`,
    at,
    parkCode: booking.parkCode,
    business: 'share',
    lines: [
      { account, debitFen: fen },
      { account: 'liability.deposit', sub: booking.id, creditFen: fen },
    ],
  })
}
/** A day after completion the owner's part is theirs. */
export async function giveOwner(tx: Tx, booking: Booking, at: Instant): Promise<void> {
  await post(tx, {
    bizType: 'share.split',
    bizNo: booking.bookingNo,
    eventId: `share-split:${booking.id}`,
    at,
    parkCode: booking.parkCode,
    business: 'share',
    lines: [
      { account: 'liability.deposit', sub: booking.id, debitFen: booking.splitFen },
      { account: 'liability.share', sub: booking.ownerId!, creditFen: booking.splitFen },
    ],
  })
}

/** Returns all the kept money to its payer. */
export async function payBack(tx: Tx, booking: Booking, reason: string, at: Instant): Promise<Changes> {
  const { keptFen, backFen } = await keptOf(tx, booking)
  if (keptFen > 0) await returnRest(tx, { orderId: booking.orderId!, amountFen: keptFen, reason, at })
  return { refundFen: (keptFen + backFen) as Fen }
}
/** An order that nobody pays any more. */
export async function dropOrder(tx: Tx, { orderId }: Booking, reason: string, at: Instant): Promise<void> {
  if (orderId) await cancelOrder(tx, orderId, { reason, at })
}

/** Returns the minutes beyond the end and their cost by now. */
export const overOf = (booking: Booking, at: Instant) => {
  const overMin = minutesAfter(booking.endAt, at)
  const counts = overMin > booking.graceMin
  return { overMin: counts ? overMin : 0, overFen: counts ? overtimeOf(overMin, booking.priceFen, booking.overtimePermille) : 0 }
}
/** The overrun is an order of its own, which grows while nobody pays. Once paid, there is time to drive out; a later overrun is another order. */
export async function billOver(tx: Tx, booking: Booking, at: Instant): Promise<Changes> {
  const { overMin, overFen } = overOf(booking, at)
  const known = { overMin, overFen: overFen as Fen }
  if (overFen === 0) return known
  if (!booking.overOrderId) return { ...known, overOrderId: await open(tx, booking, overFen, at) }
  const order = await orderOf(tx, booking.overOrderId)
  if (order.status === OrderStatus.unpaid || order.status === OrderStatus.paying) {
    const earlier = booking.overFen - order.receivableFen
    await requote(tx, order.id, { receivableFen: overFen - earlier, at })
    return known
  }
  if (order.payTime && minutesAfter(order.payTime, at) <= TO_LEAVE_MIN) return {}
  return overFen > booking.overFen
    ? { ...known, overOrderId: await open(tx, booking, overFen - booking.overFen, at), earlierOver: [...booking.earlierOver, order.id] }
    : known
}
const TO_LEAVE_MIN = 15
async function open(tx: Tx, { id, bookingNo, plateNo, plateColor, parkCode }: Booking, receivableFen: number, at: Instant): Promise<string> {
  const subject = Said.overrun({ bookingNo })
  const order = await openOrder(tx, { type: OrderType.sharedParking, creditedTo: id, subject, plateNo, plateColor, parkCode, receivableFen, at })
  return order.id
}
/** Drops an overrun whose car or length is not known: its unpaid rest is not asked for. */
export async function dropOver(tx: Tx, { overOrderId, earlierOver, overFen }: Booking, reason: string, at: Instant): Promise<Changes> {
  if (!overOrderId) return {}
  const { status, receivableFen } = await orderOf(tx, overOrderId)
  if (status !== OrderStatus.unpaid && status !== OrderStatus.paying) return {}
  await cancelOrder(tx, overOrderId, { reason, at })
  return { overMin: 0, overFen: (overFen - receivableFen) as Fen, overOrderId: earlierOver.at(-1) ?? null, earlierOver: earlierOver.slice(0, -1) }
}
/** The car is gone: an overrun that nobody paid is arrears, and income by then. */
export async function oweOver(tx: Tx, booking: Booking, at: Instant): Promise<void> {
  if (!booking.overOrderId) return
  const { status } = await orderOf(tx, booking.overOrderId)
  if (status !== OrderStatus.unpaid && status !== OrderStatus.paying) return
  await leaveUnpaid(tx, booking.overOrderId, { at })
  await earnOver(tx, booking, booking.overOrderId, at)
}
/** Once, when it is paid or owed: whichever comes first. */
export async function earnOver(tx: Tx, booking: Booking, orderId: string, at: Instant): Promise<void> {
  const { receivableFen } = await orderOf(tx, orderId)
  await post(tx, {
    bizType: 'share.overrun',
    bizNo: booking.bookingNo,
    eventId: `share-over:${orderId}`,
    at,
    parkCode: booking.parkCode,
    business: 'share',
    lines: [
      { account: 'liability.deposit', sub: booking.id, debitFen: receivableFen },
      { account: 'income.parking', creditFen: receivableFen },
    ],
  })
}
/** Free to cancel until so many minutes before the beginning. */
export const inTime = ({ startAt, cancelFreeMin }: Booking, at: Instant): boolean => msOf(startAt) - msOf(at) >= cancelFreeMin * 60_000
