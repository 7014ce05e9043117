import { lasting } from '../../../platform/contract/duration.ts'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { AlsoDue } from '../../parking/server/api.ts'
import { SessionStatus } from '../../parking/contract/stay.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { type DriverBill, DriverState } from '../../settlement/contract/scan.ts'
import { type DriverAsks, orderOf, type OrderRow, requote, takeOrders } from '../../settlement/server/api.ts'
import { BookingKind, BookingState } from '../contract/booking.ts'
import { billOver, earnOver } from './money.ts'
import { type Booking, lockBooking, lockWithMoney, setBooking } from './row.ts'

/** Returns what the car of a stay owes for its overrun: the answer to `parking.alsoDue`. */
export async function overDue(tx: Tx, { stayId, at }: { stayId: string; at: Instant }): Promise<AlsoDue[] | undefined> {
  const asked = await askedNow(tx, await underWay(tx, OF_STAY, [stayId]), at)
  return asked && [{ orderId: asked.order.id, dueFen: dueOf(asked.order), zh: '共享车位超时费', en: 'Shared bay overrun' }]
}
/** The same to its driver, as a bill of its own: for `settlement.driverAsks`. */
export async function overBill(tx: Tx, { parkCode, plateNo, at }: DriverAsks): Promise<Of<typeof DriverBill> | undefined> {
  const asked = await askedNow(tx, await underWay(tx, OF_CAR, [parkCode, normalizePlate(plateNo)]), at)
  if (!asked) return undefined
  const { order, booking } = asked
  const [zhLong, enLong] = booking.earlierOver.length ? ['', ''] : lasting(booking.overMin)
  return {
    plateNo: booking.plateNo,
    state: order.status === OrderStatus.paying ? DriverState.paying : DriverState.toPay,
    orderNo: order.orderNo,
    dueFen: dueOf(order) as Fen,
    paidFen: order.paidFen,
    discountFen: 0 as Fen,
    unaskedFen: 0 as Fen,
    backFen: 0 as Fen,
    goodUntil: order.goodUntil,
    leaveBy: null,
    ruleName: null,
    lines: [{ zh: `共享车位超时费${zhLong && ` ${zhLong}`}`, en: `Shared bay overrun${enLong && `, ${enLong}`}`, amountFen: order.receivableFen }],
    since: null,
    parkedMin: null,
    helpPhone: null,
  }
}

interface UnderWay {
  id: string
  overOrderId: string | null
}
const underWay = async (tx: Tx, where: string, values: readonly unknown[]): Promise<UnderWay | undefined> =>
  (await run<UnderWay>(tx, { sql: `${UNDER_WAY} and ${where} order by start_at desc limit 1` }, [...values]))[0]
const UNDER_WAY = `select id, over_order_id from share.booking where enterprise_id = scope_enterprise() and state in (${BookingState.inUse}, ${BookingState.overrun}) and kind <> ${BookingKind.place}`
const OF_STAY = 'stay_id = $1'
const OF_CAR = 'park_code = $1 and plate_no = $2'

interface Asked {
  booking: Booking
  order: OrderRow
}
/** The overrun that is asked for now, brought up to this moment; none: there is none, or it is paid. */
async function askedNow(tx: Tx, of: UnderWay | undefined, at: Instant): Promise<Asked | undefined> {
  if (!of) return undefined
  const booking = (await billedNow(tx, of, at)) ?? (await asItIs(tx, of.id))
  const order = booking?.overOrderId ? await orderOf(tx, booking.overOrderId) : undefined
  return booking && order && ASKED.includes(order.status) && dueOf(order) > 0 ? { booking, order } : undefined
}
const ASKED: readonly number[] = [OrderStatus.unpaid, OrderStatus.paying]
const dueOf = ({ payableFen, paidFen }: OrderRow): number => payableFen - paidFen
/**
 * Brings the overrun's order up to now, unless somebody holds the order or the booking: a payment locks the order and then the booking, a change of the booking the other way
 * round, and a car's stay comes last. Waiting
 * here would block them, and their result is asked next.
 */
async function billedNow(tx: Tx, { id, overOrderId }: UnderWay, at: Instant): Promise<Booking | undefined> {
  if (!(await isFree(tx, overOrderId))) return undefined
  if ((await run(tx, { sql: FREE }, [id])).length === 0) return undefined
  const found = await lockBooking(tx, id)
  const billed = await billOver(tx, found, await untilOf(tx, found, at))
  return billed.overFen === undefined || isSame(found, billed) ? found : setBooking(tx, found, billed, at)
}
/** Held from now on, unless somebody else has it just now; none is free. */
export const isFree = async (tx: Tx, orderId: string | null): Promise<boolean> => orderId === null || (await takeOrders(tx, [orderId])).has(orderId)
const isSame = (found: Booking, { overMin, overOrderId = found.overOrderId }: Partial<Booking>) =>
  overMin === found.overMin && overOrderId === found.overOrderId
const FREE = 'select from share.booking where enterprise_id = scope_enterprise() and id = $1 for no key update skip locked'
/** Held by somebody else just now: as it was before them. */
const asItIs = async (tx: Tx, id: string): Promise<Booking | undefined> =>
  (await run<Booking>(tx, { sql: 'select * from share.booking where enterprise_id = scope_enterprise() and id = $1' }, [id]))[0]

/** A car that stands at an exit has left its bay: its overrun grows no more, unless it goes back in. */
export async function untilOf(tx: Tx, { stayId }: Pick<Booking, 'stayId'>, at: Instant): Promise<Instant> {
  if (!stayId) return at
  const sql = `select exit_time from parking.stay where enterprise_id = scope_enterprise() and id = $1 and status = ${SessionStatus.leaving}`
  const [leaving] = await run<{ exitTime: Instant | null }>(tx, { sql }, [stayId])
  return leaving?.exitTime && msOf(leaving.exitTime) < msOf(at) ? leaving.exitTime : at
}

/** A person lets the car out without it: the answer to `parking.alsoLetOff`. An amount that somebody pays just now is still theirs to pay. */
export async function letOverOff(tx: Tx, { stayId, at }: { stayId: string; at: Instant }): Promise<true | undefined> {
  const of = await underWay(tx, OF_STAY, [stayId])
  if (!of?.overOrderId) return undefined
  const found = await lockWithMoney(tx, of.id)
  const order = await orderOf(tx, of.overOrderId)
  if (!ASKED.includes(order.status)) return undefined
  const { receivableFen } = order
  const free = await requote(tx, order.id, { receivableFen, discountFen: receivableFen, at })
  if (free.status === OrderStatus.free) await earnOver(tx, found, order.id, at)
  return true
}
