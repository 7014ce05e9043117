import type { Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { CarAt, Covered, Parked, Standing } from '../../parking/server/api.ts'
import { BookingKind, BookingState } from '../contract/booking.ts'
import { MAY_COME } from './life.ts'
import { stretchesOf, type Window, within } from '../contract/windows.ts'
import { plus } from './hours.ts'
import { EARLY_MIN } from './row.ts'

/** A car with a booking, within its time: the answer to `parking.admission`. Early only if nobody is in the bay. */
export async function standingOf(tx: Tx, { parkCode, plateNo, at }: CarAt): Promise<Standing | undefined> {
  const rows = await run<{ id: string; windows: Window[] | null; monthly: boolean }>(tx, { sql: MAY }, [parkCode, plateNo, at])
  const found = rows.find(({ monthly, windows }) => !monthly || within(windows!, at, plus(at, 1)))
  return found && { reserve: { reserveId: found.id } }
}
const INSIDE = `state in (${BookingState.inUse}, ${BookingState.overrun})`
const MAY = `select b.id, o.windows, b.kind = ${BookingKind.monthly} as monthly from share.booking b left join share.offer o on o.enterprise_id = b.enterprise_id and o.id = b.offer_id
  where b.enterprise_id = scope_enterprise() and b.park_code = $1 and b.plate_no = $2
    and b.id in (select id from share.booking where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and (${INSIDE} or (${MAY_COME})))
    and not (b.offer_id is not null and b.state = ${BookingState.booked} and b.start_at > $3 and exists (select from share.booking n where n.enterprise_id = b.enterprise_id and n.offer_id = b.offer_id and n.id <> b.id
      and n.state in (${BookingState.inUse}, ${BookingState.overrun})))
  order by b.start_at limit 5`

/** Time that a bay's booking has paid for, and its overrun, which is an order of its own: the answer to `parking.cover`. A place is kept, and its stay is paid like every other. */
export async function coverOf(tx: Tx, { parkCode, plateNo, from, to }: Parked): Promise<Covered[] | undefined> {
  if (!plateNo) return undefined
  const rows = await run<Covered & { windows: Window[] | null; endAt: Instant }>(tx, { sql: COVERS }, [parkCode, plateNo, from, to])
  const covered = rows.flatMap(({ windows, endAt, ...all }) => (windows ? monthOf(windows, endAt, all) : [all]))
  return covered.length ? covered : undefined
}
/** A month's pass is good in its windows; time after its end is its overrun. */
const monthOf = (windows: readonly Window[], endAt: Instant, { from, to }: Covered): Covered[] => [
  ...stretchesOf(windows, from, msOf(to) < msOf(endAt) ? to : endAt),
  ...(msOf(to) > msOf(endAt) ? [{ from: endAt, to }] : []),
]
const COVERS = `select greatest(start_at - interval '${EARLY_MIN} minutes', $3::timestamptz) as "from",
    least(case when ${INSIDE} then $4::timestamptz when state = ${BookingState.completed} then coalesce(left_at, end_at) else end_at end, $4::timestamptz) as "to", (case when kind = ${BookingKind.monthly} then (select o.windows from share.offer o where o.enterprise_id = b.enterprise_id and o.id = b.offer_id) end) as windows, end_at
  from share.booking b where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and offer_id is not null
    and state in (${BookingState.booked}, ${BookingState.inUse}, ${BookingState.completed}, ${BookingState.overrun})
    and start_at - interval '${EARLY_MIN} minutes' < $4 and coalesce(case when ${INSIDE} then $4::timestamptz else left_at end, end_at) > $3
    and (kind = ${BookingKind.monthly} or state <> ${BookingState.booked} or start_at + hold_min * interval '1 minute' >= $3)`

/** Places that are kept, by park: the answer to `parking.held`. */
export const heldIn = (tx: Tx, { parkCodes }: { parkCodes: readonly string[] }): Promise<{ parkCode: string; held: number }[]> =>
  run(tx, { sql: HELD }, [parkCodes])
const HELD = `select park_code, count(*)::int as held from share.booking where enterprise_id = scope_enterprise() and park_code = any ($1) and state = ${BookingState.booked} and kind = ${BookingKind.place} group by park_code`

/** Bookings to come keep a park from being deleted: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const sql = `select 1 from share.booking where enterprise_id = scope_enterprise() and park_code = $1 and state in (${BookingState.booked}, ${BookingState.inUse}, ${BookingState.overrun}) limit 1`
  return (await run(tx, { sql }, [parkCode])).length ? { zh: '有未完成的共享或停车预约', en: 'it has open bookings or reservations' } : undefined
}
