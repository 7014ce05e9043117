import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { FenceKind } from '../contract/fence.ts'
import { Flag } from '../contract/supervise.ts'
import { Trust } from '../contract/track.ts'
import { type Crossed, EDGE_M, follow, type Spot, type Standing, UNKNOWN } from './crossing.ts'
import { AHEAD_MS } from './trust.ts'

/** A position older than this is history: it raises no alarm. */
const LIVE_MS = 10 * MINUTE_MS
/** Before what comes late: enough to know on which side it was. Behind it: where what follows is known already. */
const BEFORE = 8
const BEHIND = 2
/** A track that is looked at again is no longer. */
const AGAIN_MAX = 5_000

interface Fenced {
  id: string
  timeFrom: string
  timeTo: string
  drawnAt: Instant
  inside: boolean | null
  since: Instant | null
  pendingInside: boolean | null
  pendingAt: Instant | null
  pendingLng: number | null
  pendingLat: number | null
  /** A letter for each place. */
  sides: string
}
interface Told {
  blind: boolean
  at: Instant
}

/**
 * Good places of a vehicle, in the order of their time, and the fences that hold for it. A position newer than all before goes on from the last; a late one is judged again
 * with
 * the positions around it, and changes nothing of now.
 */
export async function hearFences(tx: Tx, vehicleId: string, spots: readonly Spot[], { blind, at }: Told): Promise<void> {
  const [now] = await run<{ fencedAt: Instant | null; fenced: boolean }>(tx, SINCE, [vehicleId])
  if (!now?.fenced || spots.length === 0) return
  // A last look that lies ahead was dated before the clock was put back.
  const isNew = (spot: Spot) => now.fencedAt === null || msOf(spot.at) > msOf(now.fencedAt) || msOf(now.fencedAt) > msOf(at) + AHEAD_MS
  const late = spots.filter((spot) => !isNew(spot))
  if (late.length > 0) await lookAgain(tx, vehicleId, late, at)
  const fresh = spots.filter(isNew)
  if (fresh.length > 0) await goOn(tx, vehicleId, fresh, { blind, at })
}
/** Forgets on which side of each fence a vehicle is, when its earlier positions were wrong: as before its first sight. */
export const forgetSides = (tx: Tx, vehicleId: string) =>
  run(tx, { sql: 'delete from fleet.fence_state where enterprise_id = scope_enterprise() and vehicle_id = $1' }, [vehicleId])
const SINCE = {
  sql: `select fenced_at, exists (select from fleet.fence_of f where f.enterprise_id = t.enterprise_id and f.vehicle_id = t.vehicle_id) as fenced from fleet.terminal t where t.enterprise_id = scope_enterprise() and t.vehicle_id = $1`,
}

async function goOn(tx: Tx, vehicleId: string, spots: readonly Spot[], { blind, at }: Told): Promise<void> {
  const events: (Crossed & { fenceId: string; live: boolean })[] = []
  const states: object[] = []
  const isLive = (when: Instant) => !blind && msOf(at) - msOf(when) <= LIVE_MS
  for (const fence of await fencesOf(tx, vehicleId, spots)) {
    const before = standingOf(fence)
    const { standing, crossed } = followed(before, fence, spots)
    if (standing !== before) states.push(rowOf(fence.id, standing))
    for (const one of crossed) if (inHours(fence, one.at)) events.push({ ...one, fenceId: fence.id, live: isLive(one.at) })
  }
  const last = spots.at(-1)!.at
  if (states.length > 0) await run(tx, STAND, [vehicleId, JSON.stringify(states)])
  if (events.length > 0) await run(tx, CROSSED, [vehicleId, JSON.stringify(events), at])
  await run(tx, LOOKED, [vehicleId, last, isLive(last)])
  await flagFences(tx, at, vehicleId)
}
const followed = (before: Standing, { drawnAt, sides }: Fenced, spots: readonly Spot[]) => {
  const from = spots.findIndex(({ at }) => msOf(at) >= msOf(drawnAt))
  return from === -1 ? { standing: before, crossed: [] } : follow(before, spots.slice(from), sides.slice(from))
}
const standingOf = ({ inside, since, pendingInside, pendingAt, pendingLng, pendingLat }: Fenced): Standing => ({
  inside,
  since,
  pending: pendingInside === null ? null : { inside: pendingInside, at: pendingAt!, lng: pendingLng!, lat: pendingLat! },
})
const rowOf = (fenceId: string, { inside, since, pending }: Standing) => ({
  ...{ fenceId, inside, since, pendingInside: pending?.inside ?? null, pendingAt: pending?.at ?? null },
  ...{ pendingLng: pending?.lng ?? null, pendingLat: pending?.lat ?? null },
})
const STAND = {
  sql: `insert into fleet.fence_state (fence_id, vehicle_id, inside, since, pending_inside, pending_at, pending_lng, pending_lat)
    select s."fenceId", $1, s.inside, s.since, s."pendingInside", s."pendingAt", s."pendingLng", s."pendingLat" from jsonb_to_recordset($2::jsonb)
      as s ("fenceId" uuid, inside boolean, since timestamptz, "pendingInside" boolean, "pendingAt" timestamptz, "pendingLng" double precision, "pendingLat" double precision)
    on conflict (enterprise_id, fence_id, vehicle_id) do update set inside = excluded.inside, since = excluded.since, pending_inside = excluded.pending_inside, pending_at = excluded.pending_at,
      pending_lng = excluded.pending_lng, pending_lat = excluded.pending_lat`,
}
const CROSSED = {
  sql: `insert into fleet.fence_event (fence_id, vehicle_id, kind, at, lng, lat, live, created_at) select e."fenceId", $1, e.kind, e.at, e.lng, e.lat, e.live, $3
    from jsonb_to_recordset($2::jsonb) as e ("fenceId" uuid, kind smallint, at timestamptz, lng double precision, lat double precision, live boolean) on conflict do nothing`,
}
const LOOKED = { sql: 'update fleet.terminal set fenced_at = $2, fenced_live = $3 where enterprise_id = scope_enterprise() and vehicle_id = $1' }

/** Each fence of a vehicle, with where it stands to it and on which side of it the places lie. */
const fencesOf = (tx: Tx, vehicleId: string, spots: readonly Spot[]) =>
  run<Fenced>(tx, FENCES, [vehicleId, spots.map(({ lng }) => lng), spots.map(({ lat }) => lat)])
const FENCES = {
  sql: `select f.id, f.time_from, f.time_to, f.drawn_at, s.inside, s.since, s.pending_inside, s.pending_at, s.pending_lng, s.pending_lat,
      (select string_agg(case when o.m = 0 then 'i' when o.m <= ${EDGE_M} then 'b' else 'o' end, '' order by p.n)
        from unnest($2::double precision[], $3::double precision[]) with ordinality as p (lng, lat, n) cross join lateral (select fleet.off_m(f.area, f.flat, p.lng, p.lat) as m) o) as sides
    from fleet.fence_of f left join fleet.fence_state s on s.enterprise_id = f.enterprise_id and s.fence_id = f.id and s.vehicle_id = f.vehicle_id
    where f.enterprise_id = scope_enterprise() and f.vehicle_id = $1`,
}
function inHours({ timeFrom, timeTo }: Pick<Fenced, 'timeFrom' | 'timeTo'>, at: Instant): boolean {
  const clock = cityTime(at).slice(11, 16)
  if (timeFrom === timeTo) return true
  return timeFrom < timeTo ? clock >= timeFrom && clock < timeTo : clock >= timeFrom || clock < timeTo
}

/** Looks again at the positions around late ones, from before them to where the rest is known: crossings there follow from all of them. */
async function lookAgain(tx: Tx, vehicleId: string, late: readonly Spot[], at: Instant): Promise<void> {
  const spots = await run<Spot>(tx, AROUND, [vehicleId, late[0]!.at, late.at(-1)!.at])
  const [from, to] = [spots.findLast((spot) => msOf(spot.at) < msOf(late[0]!.at))?.at ?? late[0]!.at, spots.at(-1)!.at]
  for (const fence of await fencesOf(tx, vehicleId, spots)) {
    const { crossed } = followed(UNKNOWN, fence, spots)
    const events = crossed.filter(({ at }) => msOf(at) >= msOf(from) && inHours(fence, at)).map((one) => ({ ...one, fenceId: fence.id, live: false }))
    await run(tx, OTHERWISE, [vehicleId, fence.id, from, to, JSON.stringify(events)])
    if (events.length > 0) await run(tx, CROSSED, [vehicleId, JSON.stringify(events), at])
  }
}
const PLACE = 'device_time as at, lng, lat from fleet.position where enterprise_id = scope_enterprise() and vehicle_id = $1'
const AROUND = {
  sql: `select at, lng, lat from (
    (select ${PLACE} and trust = ${Trust.good} and device_time < $2 order by device_time desc limit ${BEFORE}) union all
    (select ${PLACE} and trust = ${Trust.good} and device_time between $2 and $3 order by device_time limit ${AGAIN_MAX}) union all
    (select ${PLACE} and trust = ${Trust.good} and device_time > $3 order by device_time limit ${BEHIND})) p order by at`,
}
const OTHERWISE = {
  sql: `delete from fleet.fence_event e where e.enterprise_id = scope_enterprise() and e.vehicle_id = $1 and e.fence_id = $2 and e.at >= $3 and e.at < $4
    and not exists (select from jsonb_to_recordset($5::jsonb) as k (kind smallint, at timestamptz) where k.kind = e.kind and k.at = e.at)`,
}

/**
 * Flags vehicles inside a forbidden fence, or outside one they must stay in, while that lasts: by live positions, never by late ones. Of one vehicle, or of all when the hours
 * change.
 */
export async function flagFences(tx: Tx, at: Instant, vehicleId: string | null = null): Promise<void> {
  await run(tx, { sql: RAISE }, [at, vehicleId])
  await run(tx, { sql: LOWER }, [at, vehicleId])
}
const WRONG = `(select f.vehicle_id, case f.kind when ${FenceKind.noGo} then ${Flag.noGo} else ${Flag.outside} end as kind, s.since from fleet.fence_of f
  join fleet.fence_state s on s.enterprise_id = f.enterprise_id and s.fence_id = f.id and s.vehicle_id = f.vehicle_id
  where f.enterprise_id = scope_enterprise() and ($2::uuid is null or f.vehicle_id = $2) and fleet.in_hours(f.time_from, f.time_to, $1::timestamptz)
    and ((f.kind = ${FenceKind.noGo} and s.inside) or (f.kind = ${FenceKind.keepIn} and not s.inside and s.since is not null)))`
const RAISE = `insert into fleet.flag (vehicle_id, kind, since) select w.vehicle_id, w.kind, min(coalesce(w.since, $1::timestamptz)) from ${WRONG} w
  join fleet.terminal t on t.enterprise_id = scope_enterprise() and t.vehicle_id = w.vehicle_id where t.fenced_live and t.fenced_at > $1::timestamptz - interval '${LIVE_MS} milliseconds' group by 1, 2 on conflict do nothing`
const LOWER = `update fleet.flag f set until = greatest(since, $1::timestamptz) where enterprise_id = scope_enterprise() and kind in (${Flag.noGo}, ${Flag.outside}) and until is null and ($2::uuid is null or f.vehicle_id = $2)
  and not exists (select from ${WRONG} w where w.vehicle_id = f.vehicle_id and w.kind = f.kind)`
