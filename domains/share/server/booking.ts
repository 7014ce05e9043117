import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { openOrder } from '../../settlement/server/api.ts'
import { booking, BookingKind, BookingState, PayLine, paySearch } from '../contract/booking.ts'
import { FeesKind, OfferState, UseState } from '../contract/sharing.ts'
import { within } from '../contract/windows.ts'
import { monthAfter, plus, priceOf } from './hours.ts'
import { dropOrder, earn, inTime, payBack, unearn } from './money.ts'
import { bayBookings, type Booking, bookingOf, lockWithMoney, moveBooking, notSuspended, overran, PAY_WITHIN_MIN, setBooking, used } from './row.ts'
import { ACTIVE, offers } from './sharing.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const pays = listOver(PayLine, 'share.payLine', paySearch, { sums: ['receivedFen', 'returnedFen', 'splitFen', 'paidOutFen'] })
const NotOnOffer = refusal(
  'share.not-on-offer',
  41821,
  '该车位未上架，不能预约；请换一个车位',
  'The bay is not on offer and cannot be booked: choose another bay',
  422,
)
const NoTerms = refusal(
  'share.no-terms',
  41822,
  '车场 {parkCode} 没有启用这种预约的计费；请先设置计费',
  'Car park {parkCode} has no enabled rates for this type of booking: set its rates first',
  422,
)
const OutsideWindows = refusal(
  'share.outside-windows',
  41823,
  '预约时间不在该车位的开放时段内；请换一个时间或车位',
  'The booking is outside the bay’s windows: choose another time or bay',
  422,
)
export const Booked = refusal(
  'share.booked',
  41824,
  '与预约 {bookingNo}（{from} 至 {to}）冲突；请换一个时间',
  'It clashes with booking {bookingNo} ({from} to {to}): choose another time',
)
export const OwnBooking = refusal(
  'share.car-booked',
  41825,
  '该车同一时间已有预约 {bookingNo}；请换一个时间或取消该预约',
  'The car already has booking {bookingNo} at that time: choose another time, or cancel that booking',
)
const SplitAlready = refusal(
  'share.split-already',
  41845,
  '分成已入账，不能作废',
  'The owner’s share has been booked: the no-show cannot be voided',
  422,
)
const TooFar = refusal('share.too-far', 41827, '最多可提前 {days} 天预约', 'Book {days:day} ahead at most', 422)
const TooLong = refusal('share.too-long', 41828, '一次最多预约 {days} 天', 'Book {days:day} at a time at most', 422)
export const InThePast = refusal(
  'share.in-the-past',
  41826,
  '预约开始时间已过，请选择以后的时间',
  'The start of the booking has passed: choose a later time',
  422,
)

export const calls = serve(booking, {
  appointments: ({ tx, input }) => page(tx, bayBookings, input),
  parkings: ({ tx, input }) => page(tx, used, input),
  timeouts: ({ tx, input }) => page(tx, overran, input),
  pays: ({ tx, input }) => page(tx, pays, input),
  appointmentExport: exporting(booking.appointmentExport, bayBookings),
  parkingExport: exporting(booking.parkingExport, used),
  timeoutExport: exporting(booking.timeoutExport, overran),
  payExport: exporting(booking.payExport, pays),
  book: ({ tx, input, at }) => bookBay(tx, input, at),
  async cancel({ tx, input, at }) {
    await because(tx, input.reason)
    const found = await lockWithMoney(tx, input.id, input.version)
    if (found.kind === BookingKind.place) throw NotFound()
    if (found.state === BookingState.noShow) await voidDefault(tx, found, input.reason, at)
    else await cancel(tx, found, { reason: input.reason, at, whole: false })
    return bookingOf(tx, found.id)
  },
})

interface Terms {
  priceFen: number
  capFen: number | null
  graceMin: number
  overtimePermille: number
  cancelFreeMin: number
}
/** Kept so long for a car that does not come, before it is a default. */
const HOLD_MIN = 30

/** Books a bay. The bay is locked meanwhile, so that of two who book it at once one finds the other's booking; the database refuses any overlap. */
export async function bookBay(tx: Tx, input: Of<typeof booking.book.input>, at: Instant): Promise<Of<typeof booking.book.reply>> {
  const { kind, plateColor = null, phone, startAt } = input
  const plateNo = ordinaryPlate(input.plateNo)
  const monthly = kind === FeesKind.monthly
  const endAt = endOf(input, at)
  const offer = await lockRow(tx, offers, { id: input.offerId })
  if (offer.status !== OfferState.offered) throw NotOnOffer()
  const terms = await termsOf(tx, offer.parkCode, kind)
  if (!monthly && !within(offer.windows, startAt, endAt)) throw OutsideWindows()
  await notSuspended(tx, { plateNo, phone }, at)
  await free(tx, { offerId: offer.id, parkCode: offer.parkCode, plateNo, startAt, endAt })
  const id = randomUUIDv7()
  const prepaidFen = monthly ? terms.priceFen : priceOf(startAt, endAt, terms.priceFen, terms.capFen)
  // The hour of a month's overrun is what an hour costs there.
  const hourFen = monthly ? Math.ceil(terms.priceFen / MONTH_HOURS) : terms.priceFen
  const order = await openOrder(tx, {
    type: OrderType.sharedParking,
    creditedTo: id,
    subject: Said.bay({ seatNo: offer.seatNo, plateNo }),
    plateNo,
    plateColor,
    parkCode: offer.parkCode,
    receivableFen: prepaidFen,
    at,
  })
  await tx
    .insertInto('share.booking')
    .values({
      id,
      bookingNo: await numberOf(tx),
      kind: monthly ? BookingKind.monthly : BookingKind.hourly,
      parkCode: offer.parkCode,
      offerId: offer.id,
      seatNo: offer.seatNo,
      ownerId: offer.ownerId,
      plateNo,
      plateColor,
      phone,
      startAt,
      endAt,
      prepaidFen: prepaidFen as Fen,
      priceFen: hourFen as Fen,
      graceMin: terms.graceMin,
      overtimePermille: terms.overtimePermille,
      cancelFreeMin: terms.cancelFreeMin,
      holdMin: HOLD_MIN,
      splitPermille: offer.splitPermille,
      orderId: order.id,
      payUntil: plus(at, PAY_WITHIN_MIN),
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return bookingOf(tx, id)
}
const MONTH_HOURS = 720
/** A form takes a while to fill in. */
const LATE_MS = 10 * MINUTE_MS
/** Longer than that a bay is let by the month. */
const DAYS_MAX = 31
/** The longest time ahead: nobody knows what a bay costs, or whose it is, in a year. */
const AHEAD_DAYS_MAX = 90

/** When a bay is free again that is asked for from then on. @throws InThePast, TooFar, TooLong */
export function endOf({ kind, startAt, endAt: asked }: Pick<Of<typeof booking.book.input>, 'kind' | 'startAt' | 'endAt'>, at: Instant): Instant {
  if (msOf(startAt) < msOf(at) - LATE_MS) throw InThePast()
  if (msOf(startAt) > msOf(at) + AHEAD_DAYS_MAX * DAY_MS) throw TooFar({ days: AHEAD_DAYS_MAX })
  const endAt = kind === FeesKind.monthly ? monthAfter(startAt) : asked
  refuseStretch(startAt, endAt)
  return endAt
}
/** Refuses a booking that is too long: a bay held for one car is held from all others. @throws TooLong */
export function refuseStretch(startAt: Instant, endAt: Instant | undefined): asserts endAt is Instant {
  if (!endAt || msOf(endAt) <= msOf(startAt)) throw BadInput({ zh: '结束时间应晚于开始时间', en: 'the end must be after the start' })
  if (msOf(endAt) > msOf(startAt) + DAYS_MAX * DAY_MS) throw TooLong({ days: DAYS_MAX })
}
export const numberOf = async (tx: Tx): Promise<string> =>
  (await run<{ no: string }>(tx, { sql: `select platform.business_no('GY') as no` }, []))[0]!.no

/** Of an hour what the park has put up, of a month the newest terms in use. */
async function termsOf(tx: Tx, parkCode: string, kind: 1 | 2): Promise<Terms> {
  const [found] = await run<Terms>(tx, { sql: TERMS }, [parkCode, kind])
  if (!found) throw NoTerms({ parkCode })
  return found
}
const TERMS = `select f.price_fen, f.cap_fen, f.grace_min, f.overtime_permille, f.cancel_free_min from share.park p join share.fees f on f.enterprise_id = p.enterprise_id and f.park_code = p.park_code
  where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.status = ${UseState.on} and f.status = ${UseState.on} and f.kind = $2 order by f.id = p.fees_id desc nulls last, f.created_at desc limit 1`

interface Wanted {
  offerId: string | null
  parkCode: string
  plateNo: string
  startAt: Instant
  endAt: Instant
}
/** Says with which booking it would meet. @throws Booked, OwnBooking */
export async function free(tx: Tx, { offerId, parkCode, plateNo, startAt, endAt }: Wanted): Promise<void> {
  const [other] = await run<{ bookingNo: string; startAt: Instant; endAt: Instant; own: boolean }>(tx, { sql: MEETS }, [
    offerId,
    parkCode,
    plateNo,
    startAt,
    endAt,
  ])
  if (!other) return
  throw other.own ? OwnBooking({ bookingNo: other.bookingNo }) : Booked({ bookingNo: other.bookingNo, from: other.startAt, to: other.endAt })
}
const MEETS = `select booking_no, start_at, end_at, ($1::uuid is null or offer_id is distinct from $1::uuid) as own from share.booking
  where enterprise_id = scope_enterprise() and ${ACTIVE} and start_at < $5 and end_at > $4 and (offer_id = $1::uuid or (park_code = $2 and plate_no = $3)) limit 1`

/** In time, all of it goes back; later it is kept, and split as if the time had been used. `whole`: by the operator, who gives everything back. */
export async function cancel(tx: Tx, found: Booking, { reason, at, whole }: { reason: string; at: Instant; whole: boolean }): Promise<Booking> {
  if (found.state === BookingState.unpaid) {
    await dropOrder(tx, found, reason, at)
    return moveBooking(tx, found, 'cancel', { reason }, at)
  }
  const gone = await moveBooking(tx, found, 'cancel', { reason }, at)
  return setBooking(tx, gone, whole || inTime(found, at) ? await payBack(tx, found, reason, at) : await earn(tx, found, at), at)
}

/** Voids a no-show whose car could not come for a fault of ours, and returns the money. @throws SplitAlready */
export async function voidDefault(tx: Tx, found: Booking, reason: string, at: Instant): Promise<void> {
  if (found.splitAt && found.splitFen > 0) throw SplitAlready()
  await unearn(tx, found, at)
  await moveBooking(tx, found, 'void', { ...(await payBack(tx, found, reason, at)), splitFen: 0 as Fen, reason }, at)
}
