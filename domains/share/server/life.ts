import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { cityTime, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { SessionStatus } from '../../parking/contract/stay.ts'
import { lookAgainAt } from '../../parking/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { sendInner, sendToCustomer } from '../../message/server/api.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { ownerOf } from '../../owner/server/api.ts'
import { type Settled } from '../../settlement/server/api.ts'
import { booking, BookingKind, BookingState } from '../contract/booking.ts'
import { cancel } from './booking.ts'
import { plus } from './hours.ts'
import { billOver, dropOver, earn, earnOver, giveOwner, oweOver, payBack, unearn } from './money.ts'
import { isFree, untilOf } from './over.ts'
import { before, type Booking, type Changes, EARLY_MIN, lockBooking, lockWithMoney, moveBooking, setBooking } from './row.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

/** An order was settled: a booking is good from now on, an overrun is income. In the transaction that settles it. */
export async function hearPaid(tx: Tx, { orderId, type, status, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.reservation && type !== OrderType.sharedParking) return undefined
  const [of] = await run<{ id: string; over: boolean }>(tx, { sql: OF_ORDER }, [orderId])
  if (!of || ENDED.includes(status)) return undefined
  const found = await lockBooking(tx, of.id)
  if (of.over) await overPaid(tx, found, orderId, at)
  else if (found.state === BookingState.unpaid) await moveBooking(tx, found, 'paid', {}, at)
  return true
}
/** Its car may stand at an exit because of it. */
async function overPaid(tx: Tx, found: Booking, orderId: string, at: Instant): Promise<void> {
  await earnOver(tx, found, orderId, at)
  if (found.stayId) await lookAgainAt(tx, found.stayId)
}
const ENDED: readonly number[] = [OrderStatus.cancelled, OrderStatus.refunded]
const OF_ORDER = `select id, over_order_id = $1 as over from share.booking where enterprise_id = scope_enterprise() and (order_id = $1 or over_order_id = $1)`

interface Passed {
  stayId: string
  parkCode: string
  plateNo: string | null
}
const stayTime = async (tx: Tx, stayId: string, column: 'entry' | 'exit', otherwise: Instant): Promise<Instant> => {
  const [stay] = await run<{ entry: Instant | null; exit: Instant | null }>(
    tx,
    { sql: 'select entry_time as entry, exit_time as exit from parking.stay where enterprise_id = scope_enterprise() and id = $1' },
    [stayId],
  )
  return stay?.[column] ?? otherwise
}
/**
 * Most cars have none: nothing is to be done for them. A booking under way is found by its car, because a car may leave before its coming has been heard; and by
 * its stay, whose plate may have been put right since.
 */
export async function hasBooking({ stayId, parkCode, plateNo }: Passed, tx: Tx): Promise<boolean> {
  if (!plateNo) return false
  return (await run(tx, { sql: HAS }, [parkCode, plateNo, stayId])).length > 0
}
const FROM = 'select id from share.booking b where enterprise_id = scope_enterprise() and'
const UNDER_WAY = `state in (${BookingState.inUse}, ${BookingState.overrun})`
const HAS = `select from share.booking where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and (state = ${BookingState.booked} or (state = ${BookingState.noShow} and split_at is null) or ${UNDER_WAY})
  union all select from share.booking where enterprise_id = scope_enterprise() and stay_id = $3 and ${UNDER_WAY} limit 1`
/** A car has come in, or is found to be the one that did: its booking is in use. One that came too late came as a temporary car. */
export async function hearEntered(tx: Tx, { stayId, parkCode, plateNo }: Passed, at: Instant): Promise<void> {
  if (!plateNo) return
  await eachWithMoney(tx, MISTAKEN_FOR, [stayId, plateNo], (one) => notCome(tx, one, at))
  const enteredAt = await stayTime(tx, stayId, 'entry', at)
  await eachWithMoney(tx, CAME_AGAIN, [parkCode, plateNo, stayId, enteredAt], (one) => cameAgain(tx, one, { stayId, enteredAt }, at))
  const [due] = await run<{ id: string }>(tx, { sql: DUE }, [parkCode, plateNo, enteredAt])
  if (!due) return
  const found = await lockWithMoney(tx, due.id)
  const came = { stayId, enteredAt: found.enteredAt ?? enteredAt }
  if (found.state === BookingState.booked) await arrive(tx, found, came, at)
  if (found.state === BookingState.noShow) await arrive(tx, await forgiven(tx, found, at), came, at)
}
/**
 * Handles a car that nobody saw leave, and that comes again: within its time the booking goes on with the stay that it is in now. One whose time is over ended with it, for
 * nobody knows of an overrun.
 */
async function cameAgain(tx: Tx, found: Booking, { stayId, enteredAt }: { stayId: string; enteredAt: Instant }, at: Instant): Promise<void> {
  if (msOf(enteredAt) < msOf(found.endAt)) return void (await setBooking(tx, found, { stayId }, at))
  const dropped = await dropOver(tx, found, Said.again, at)
  const over = found.kind === BookingKind.place ? { completedAt: at } : await earn(tx, found, at)
  await moveBooking(tx, found, 'leave', { ...dropped, ...over, leftAt: found.endAt }, at)
}
/** Takes back a no-show whose car did come in time, under a plate that was misread, and the suspension for it. */
async function forgiven(tx: Tx, found: Booking, at: Instant): Promise<Booking> {
  await unearn(tx, found, at)
  await run(tx, { sql: LIFT }, [found.phone, found.completedAt, at])
  return setBooking(tx, found, { splitFen: 0 as Fen, completedAt: null }, at)
}
const LIFT = `update share.ban set lifted_at = $3, reason = '${Said.corrected}', version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and phone = $1 and created_at >= $2 and lifted_at is null`
/** The car was misread for another: that one's booking waits for it again, and what nobody has paid of its overrun is not asked for. */
async function notCome(tx: Tx, found: Booking, at: Instant): Promise<void> {
  const enteredAt = found.leftAt === null ? null : found.enteredAt
  await moveBooking(tx, found, 'notCome', { ...(await dropOver(tx, found, Said.misread, at)), stayId: null, enteredAt }, at)
}
/** A place was kept for a car that has come: its deposit has done what it was for. */
async function arrive(tx: Tx, found: Booking, came: Pick<Changes, 'stayId' | 'enteredAt'>, at: Instant): Promise<Booking> {
  const back = found.kind === BookingKind.place ? await payBack(tx, found, Said.arrived, at) : {}
  return moveBooking(tx, found, 'arrive', { ...came, ...back }, at)
}
/** Early by a quarter of an hour at most, late by as long as it is held; a month's car whenever. */
export const MAY_COME = `state = ${BookingState.booked} and start_at <= $3::timestamptz + interval '${EARLY_MIN} minutes' and end_at > $3
  and (kind = ${BookingKind.monthly} or start_at + hold_min * interval '1 minute' >= $3)`
/** Counted as not come, and still to be put right: the owner has not got the part of it, and the bay is nobody else's. */
const MISSED = `state = ${BookingState.noShow} and split_at is null and start_at <= $3::timestamptz + interval '${EARLY_MIN} minutes' and start_at + hold_min * interval '1 minute' >= $3
  and not exists (select from share.booking n where n.enterprise_id = b.enterprise_id and n.state in (${BookingState.unpaid}, ${BookingState.booked}, ${BookingState.inUse}, ${BookingState.overrun})
    and n.start_at < b.end_at and n.end_at > b.start_at and (n.offer_id = b.offer_id or (n.park_code = b.park_code and n.plate_no = b.plate_no)))`
const DUE = `${FROM} park_code = $1 and plate_no = $2 and (${MAY_COME} or (${MISSED})) order by state, start_at limit 1`

/** The car has left: the booking is over, and an overrun that was not paid is arrears. A month's car comes again. */
export async function hearLeft(tx: Tx, { stayId, plateNo }: Passed, at: Instant): Promise<void> {
  await eachWithMoney(tx, MISTAKEN_FOR, [stayId, plateNo], (one) => notCome(tx, one, at))
  const [of] = await run<{ id: string }>(
    tx,
    {
      sql: `select id from share.booking where enterprise_id = scope_enterprise() and stay_id = $1 and ${UNDER_WAY}`,
    },
    [stayId],
  )
  if (!of) return
  const found = await lockWithMoney(tx, of.id)
  const leftAt = await stayTime(tx, stayId, 'exit', at)
  if (found.kind === BookingKind.monthly && found.state === BookingState.inUse && msOf(leftAt) < msOf(found.endAt))
    return void (await moveBooking(tx, found, 'goOut', { leftAt }, at))
  await finish(tx, found, leftAt, at)
}
/** Records arrival and departure of a car where no lane could tell of them. */
export async function wasUsed(tx: Tx, { id, enteredAt, leftAt }: { id: string; enteredAt: Instant; leftAt: Instant }, at: Instant): Promise<void> {
  const inside = await arrive(tx, await lockWithMoney(tx, id), { enteredAt }, at)
  await finish(tx, inside, leftAt, at)
}
async function finish(tx: Tx, found: Booking, leftAt: Instant, at: Instant): Promise<void> {
  if (found.kind === BookingKind.place) return void (await moveBooking(tx, found, 'leave', { leftAt, completedAt: at }, at))
  const over = await billOver(tx, found, leftAt)
  const billed = { ...found, ...over }
  await oweOver(tx, billed, at)
  await moveBooking(tx, found, 'leave', { ...over, ...(await earn(tx, found, at)), leftAt }, at)
}

/** Moves bookings on with time, every minute. */
export async function tick(tx: Tx, at: Instant): Promise<void> {
  await each(tx, UNPAID, [at], async (one) => (await isFree(tx, one.orderId)) && cancel(tx, one, { reason: Said.unpaid, at, whole: true }))
  await each(tx, NOT_COME, [at], (one) => noShow(tx, one, at))
  await each(tx, RAN_OUT, [at], async (one) => moveBooking(tx, one, 'complete', await earn(tx, one, at), at))
  await each(tx, NEVER_WAS, [], async (one) => (await isFree(tx, one.overOrderId)) && notCome(tx, one, at))
  await each(tx, OVER, [at], (one) => runOver(tx, one, at))
  await each(tx, STILL_OVER, [], async (one) => setBooking(tx, one, await overNow(tx, one, at), at))
  await each(tx, TO_SPLIT, [before(at, 1)], (one) => split(tx, one, at))
}
/** An order that somebody pays just now is brought up to date the next minute: they hold it, and wait for its booking. */
const overNow = async (tx: Tx, one: Booking, at: Instant): Promise<Changes> =>
  (await isFree(tx, one.overOrderId)) ? billOver(tx, one, await untilOf(tx, one, at)) : {}
const AT_ONCE = 200
async function each(tx: Tx, sql: string, values: readonly unknown[], work: (one: Booking) => Promise<unknown>): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql }, [...values])) await work(await lockBooking(tx, id))
}
/** Locks their money before them, as a payment does. A booking that changed during the wait is left alone. */
async function eachWithMoney(tx: Tx, sql: string, values: readonly unknown[], work: (one: Booking) => Promise<unknown>): Promise<void> {
  const found = () => run<{ id: string }>(tx, { sql }, [...values])
  for (const { id } of await found()) {
    const held = await lockWithMoney(tx, id)
    if ((await found()).some((one) => one.id === id)) await work(held)
  }
}
/** Held, each as it stands then: one that was paid, or whose car left, a moment ago is none of these any more. */
const NEXT = `limit ${AT_ONCE} for no key update of b skip locked`
/** Cars that came within their time, while the news of it is still on its way. */
const IN_TIME = `select from parking.present p join parking.stay s on s.enterprise_id = p.enterprise_id and s.id = p.stay_id where p.enterprise_id = b.enterprise_id and p.park_code = b.park_code and p.plate_no = b.plate_no
  and s.entry_time between b.start_at - interval '${EARLY_MIN} minutes' and b.start_at + b.hold_min * interval '1 minute'`
/** Of a stay that is another car's, and of one that a person has voided. */
const MISTAKEN_FOR = `${FROM} stay_id = $1 and ${UNDER_WAY} and plate_no <> $2 order by id`
const CAME_AGAIN = `${FROM} park_code = $1 and plate_no = $2 and ${UNDER_WAY} and stay_id <> $3 and entered_at <= $4
  and exists (select from parking.stay s where s.enterprise_id = b.enterprise_id and s.id = b.stay_id and s.status = ${SessionStatus.abnormal}) order by id`
const NEVER_WAS = `${FROM} ${UNDER_WAY} and exists (select from parking.stay s where s.enterprise_id = b.enterprise_id and s.id = b.stay_id and s.status = ${SessionStatus.void}) order by updated_at ${NEXT}`
const UNPAID = `${FROM} state = ${BookingState.unpaid} and pay_until < $1 order by updated_at ${NEXT}`
const NOT_COME = `${FROM} state = ${BookingState.booked} and kind <> ${BookingKind.monthly} and start_at + hold_min * interval '1 minute' < $1 and not exists (${IN_TIME}) order by updated_at ${NEXT}`
const RAN_OUT = `${FROM} state = ${BookingState.booked} and kind = ${BookingKind.monthly} and end_at < $1 order by updated_at ${NEXT}`
const OVER = `${FROM} state = ${BookingState.inUse} and kind <> ${BookingKind.place} and end_at + grace_min * interval '1 minute' < $1 order by updated_at ${NEXT}`
const STILL_OVER = `${FROM} state = ${BookingState.overrun} order by updated_at ${NEXT}`
const TO_SPLIT = `${FROM} split_at is null and completed_at < $1 order by updated_at ${NEXT}`

/** Tells the operator of an overrun, and which car is due next: it may need another bay. */
async function runOver(tx: Tx, found: Booking, at: Instant): Promise<void> {
  await moveBooking(tx, found, 'overrun', await overNow(tx, found, at), at)
  const [next] = await run<{ plateNo: string }>(tx, { sql: NEXT_OF_BAY }, [found.offerId, found.endAt, plus(at, SOON_MIN)])
  await sendInner(tx, {
    to: { capability: booking.book.needs, parkCode: found.parkCode },
    title: [`共享车位 ${found.seatNo} 超时`, `Shared bay ${found.seatNo}: overrun`],
    body: [
      `${found.plateNo} 应于预约结束时离场${next ? `；下一预约 ${next.plateNo} 即将到达，请安排车位` : ''}`,
      `${found.plateNo} should have left by the end of its booking${next ? `; ${next.plateNo} is due next: find it a bay` : ''}`,
    ],
    link: '/share/timeout',
    at,
  })
  await tellOwner(tx, found)
}
/** The bay's owner cannot use it yet. Whose car stands there is nobody else's to know. */
async function tellOwner(tx: Tx, { id, ownerId, seatNo, parkCode, endAt }: Booking): Promise<void> {
  if (!ownerId) return
  const [{ phone, nickname }, park] = [
    await ownerOf(tx, ownerId),
    await tx.selectFrom('parking.park').select('name').where('parkCode', '=', parkCode).executeTakeFirstOrThrow(),
  ]
  const vars = { seat: seatNo!, park: park.name, until: cityTime(endAt).slice(0, 16) }
  await sendToCustomer(tx, { template: TEMPLATE, phone, name: nickname, vars, dedupe: `share-over:${id}` })
}
const TEMPLATE = 'share.overrun'
const SOON_MIN = 120
const NEXT_OF_BAY = `select plate_no from share.booking where enterprise_id = scope_enterprise() and offer_id = $1 and state = ${BookingState.booked} and start_at >= $2 and start_at < $3 order by start_at limit 1`

async function noShow(tx: Tx, found: Booking, at: Instant): Promise<void> {
  await moveBooking(tx, found, 'noShow', await earn(tx, found, at), at)
  const [counted] = await run<{ defaults: number; most: number; days: number }>(tx, { sql: DEFAULTS }, [
    found.phone,
    before(at, WITHIN_DAYS),
    found.parkCode,
  ])
  if (counted!.defaults < counted!.most) return
  const until = new Date(msOf(at) + counted!.days * 24 * 60 * MINUTE_MS).toISOString()
  await run(tx, { sql: BAN }, [found.parkCode, found.plateNo, found.phone, counted!.defaults, until, at])
}
const WITHIN_DAYS = 30
const DEFAULTS = `select count(*)::int as defaults, coalesce(max(p.default_limit), 3) as most, coalesce(max(p.ban_days), 7) as days from share.booking b
    left join share.place p on p.enterprise_id = b.enterprise_id and p.park_code = $3
  where b.enterprise_id = scope_enterprise() and b.phone = $1 and b.state = ${BookingState.noShow} and b.start_at > greatest($2, coalesce((select max(coalesce(n.lifted_at, n.until)) from share.ban n
    where n.enterprise_id = scope_enterprise() and n.phone = $1 and coalesce(n.lifted_at, n.until) <= now()), $2))`
/** Suspends the phone number, and its car only where that is verified as theirs: anybody may type anybody's plate. One at a time: a suspended person is not suspended again. */
const BAN = `insert into share.ban (park_code, plate_no, phone, with_car, defaults, until, created_at, updated_at) select $1, $2, $3, w.with_car, $4, $5, $6, $6
  from (select exists (select from owner.car c join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $2 and c.verify_state = ${VerifyState.verified} and a.phone = $3) as with_car) w
  where not exists (select from share.ban where enterprise_id = scope_enterprise() and (phone = $3 or (with_car and w.with_car and plate_no = $2)) and lifted_at is null and until > $6)`

async function split(tx: Tx, found: Booking, at: Instant): Promise<void> {
  if (found.splitFen > 0) await giveOwner(tx, found, at)
  await setBooking(tx, found, { splitAt: at }, at)
}
export const tasks = [task('share.tick', ({ tx, at }) => tick(tx, at), { every: '* * * * *' })]
