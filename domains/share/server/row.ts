import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { holdCredited } from '../../settlement/server/api.ts'
import { bookingCan, bookingSearch, BookingState, KeptBooking, ShareBooking } from '../contract/booking.ts'
import './tables.ts'

export type Booking = Of<typeof KeptBooking>
type Shown = Of<typeof ShareBooking>
export const bookingTopic = topic('share.booking', 'share:share:view')
const SUMS = ['prepaidFen', 'paidFen', 'refundFen', 'refundedFen', 'splitFen', 'overFen'] as const
const OF_BAYS = 'offer_id is not null'
const over = (only: string) => listOver(ShareBooking, 'share.bookingLine', bookingSearch, { sums: SUMS, only })
/** The columns of a stored booking: rows are written by this list. */
const bookings = listOver(KeptBooking, 'share.booking', bookingSearch)
/** Bookings of bays: as they were made; those that were used; those that ran over. */
export const allBookings = listOver(ShareBooking, 'share.bookingLine', bookingSearch, { sums: SUMS })
export const bayBookings = over(OF_BAYS)
export const used = over(
  `${OF_BAYS} and state in (${BookingState.inUse}, ${BookingState.completed}, ${BookingState.overrun}) and entered_at is not null`,
)
export const overran = over(`${OF_BAYS} and over_min > 0`)

/** A car may come this much earlier, if the bay is free. */
export const EARLY_MIN = 15
/** A booking not paid within this time loses the bay. */
export const PAY_WITHIN_MIN = 15
export const Suspended = refusal(
  'share.suspended',
  41820,
  '因多次违约暂停预约至 {until}，在此之前不能预约',
  'Suspended from booking until {until} for repeated no-shows',
  422,
)

export async function bookingOf(tx: Tx, id: string): Promise<Shown> {
  const found = await find(tx, allBookings, id)
  if (!found) throw NotFound()
  return found
}
/** A booking, held until the transaction ends. @throws NotFound, Stale */
export async function lockBooking(tx: Tx, id: string, version?: number): Promise<Booking> {
  return lockRow(tx, bookings, { id, version })
}
/** Locks it after its money, as a payment locks the two: so neither waits for the other in a ring. @throws NotFound, Stale */
export async function lockWithMoney(tx: Tx, id: string, version?: number): Promise<Booking> {
  await holdCredited(tx, id)
  return lockBooking(tx, id, version)
}
export type Changes = Partial<
  Pick<
    Booking,
    | 'prepaidFen'
    | 'refundFen'
    | 'splitFen'
    | 'overMin'
    | 'overFen'
    | 'overOrderId'
    | 'earlierOver'
    | 'stayId'
    | 'enteredAt'
    | 'leftAt'
    | 'completedAt'
    | 'reason'
    | 'splitAt'
    | 'orderId'
  >
>
/** Sets fields of a held booking, with the next version. */
export async function setBooking(tx: Tx, booking: Booking, changes: Changes & { state?: Booking['state'] }, at: Instant): Promise<Booking> {
  const set = await setRow(tx, bookings, booking, changes, at)
  await tell(tx, bookingTopic, { park: booking.parkCode, ids: [booking.id] })
  return set
}
/** The one way by which a booking changes its state. @throws IllegalMove */
export async function moveBooking(tx: Tx, booking: Booking, move: keyof typeof bookingCan, changes: Changes, at: Instant): Promise<Booking> {
  const state = bookingCan[move](booking.state)
  if (state === undefined) throw IllegalMove({ state: booking.state })
  return setBooking(tx, booking, { ...changes, state }, at)
}
export const minutesAfter = (from: Instant, to: Instant): number => Math.max(0, Math.floor((msOf(to) - msOf(from)) / 60_000))
export const before = (at: Instant, days: number): Instant => instantAt(msOf(at) - days * 86_400_000)

/** @throws Suspended while the telephone is, or the car */
export async function notSuspended(tx: Tx, { plateNo, phone }: Pick<Booking, 'plateNo' | 'phone'>, at: Instant): Promise<void> {
  const sql = `select until from share.ban where enterprise_id = scope_enterprise() and (phone = $2 or (with_car and plate_no = $1)) and lifted_at is null and until > $3 limit 1`
  const [ban] = await run<{ until: Instant }>(tx, { sql }, [plateNo, phone, at])
  if (ban) throw Suspended({ until: ban.until })
}
