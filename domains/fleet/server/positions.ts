import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, dayOf, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { AllocationState } from '../contract/allocation.ts'
import { Flag, Motion } from '../contract/supervise.ts'
import { Trust } from '../contract/track.ts'
import { forgetSides, hearFences } from './fencing.ts'
import { closeFlags, openFlag } from './flags.ts'
import { MOVING_FROM } from './moving.ts'
import { cameBy, type Standing } from './odometer.ts'
import { AHEAD_MS, type Belief, SPEED_MAX, trusted, type Turn } from './trust.ts'
import './tables.ts'

/** A position as a terminal says it, WGS-84. */
export interface Said {
  /** Null where its clock gives no date. */
  deviceTime: Instant | null
  lng: number
  lat: number
  /** Tenths of km/h. */
  speed: number
  heading: number
  alt: number
  acc: boolean
  fixed: boolean
  mileageM: number | null
  alarmBits: number
  statusBits: number
  satellites: number | null
}
interface Dated extends Said {
  deviceTime: Instant
  clockFixed: boolean
}
interface Kept extends Dated {
  trust: 1 | 2 | 3
}
interface Terminal {
  deviceTime: Instant | null
  lng: number | null
  lat: number | null
  mileageM: number | null
  standingSince: Instant | null
  looseSince: Instant | null
  looseM: number
  day: string | null
  dayM: number
  belief: Belief | null
  odometer: Standing | null
}

/** Earlier clocks are no clocks: such a position is dated by when it came, as is one that lies ahead. */
const CLOCK_FROM = Date.parse('2020-01-01T00:00:00Z')
const STANDS_MS = 5 * MINUTE_MS
const LOOSE_M = 500
const LOOSE_MS = 3 * MINUTE_MS
const NIGHT = { from: 22, until: 6 }

/** Keeps a terminal's positions, each once. The newest place, and what follows from it, only moves forwards, and not at all by positions that were recorded in a blind spot. */
export async function hearPositions(tx: Tx, vehicleId: string, said: readonly Said[], { blind, at }: { blind: boolean; at: Instant }): Promise<void> {
  const [held] = await run<Terminal>(tx, HELD, [vehicleId])
  if (!held) return
  const now = remembered(held, at)
  const before = (!blind && now.belief) || NOTHING
  const { kept, belief, turns } = trusted(
    said.map((one) => dated(one, at)).sort((a, b) => msOf(a.deviceTime) - msOf(b.deviceTime)),
    before,
  )
  await run(tx, KEEP, [vehicleId, at, blind, JSON.stringify(kept)])
  await run(tx, HEARD, [vehicleId, at])
  if (!blind) for (const turn of turns) await judgeAnew(tx, vehicleId, turn)
  await hearFences(
    tx,
    vehicleId,
    kept.filter(({ trust }) => trust === Trust.good).map(({ deviceTime, lng, lat }) => ({ at: deviceTime, lng, lat })),
    { blind, at },
  )
  if (blind) return
  const allocated = kept.length > 0 && (await isOut(tx, vehicleId))
  const { state, newest, flags } = follow(now, kept, allocated)
  await run(tx, BELIEVED, [vehicleId, JSON.stringify(belief), state.odometer && JSON.stringify(state.odometer)])
  if (!newest) return
  await run(tx, NEWEST, [
    vehicleId,
    state.deviceTime,
    state.lng,
    state.lat,
    newest.speed,
    newest.heading,
    newest.acc,
    state.mileageM,
    newest.alarmBits,
    newest.speed > MOVING_FROM ? Motion.driving : Motion.standing,
    state.standingSince,
    state.looseSince,
    state.looseM,
    state.day,
    state.dayM,
  ])
  for (const { open, since } of flags)
    await (open ? openFlag(tx, vehicleId, open, since) : closeFlags(tx, vehicleId, [Flag.unallocated, Flag.night], since))
}
const NOTHING: Belief = { last: null, elsewhere: null }
/** A newest place that lies ahead was dated by a clock that was put back since: the car goes on from nowhere. */
function remembered(now: Terminal, at: Instant): Terminal {
  if (now.deviceTime === null || msOf(now.deviceTime) <= msOf(at) + AHEAD_MS) return now
  return { ...now, deviceTime: null, lng: null, lat: null, mileageM: null, standingSince: null, looseSince: null, belief: null, odometer: null }
}
/** Judges kept positions again in the light of later ones. */
async function judgeAnew(tx: Tx, vehicleId: string, { from, until, wrongFrom }: Turn): Promise<void> {
  await run(tx, RIGHT, [vehicleId, from, until])
  if (wrongFrom === null) return
  await run(tx, WRONG, [vehicleId, wrongFrom, from])
  await forgetSides(tx, vehicleId)
}
const RIGHT = {
  sql: `update fleet.position set trust = ${Trust.good} where enterprise_id = scope_enterprise() and vehicle_id = $1 and device_time between $2 and $3 and trust = ${Trust.impossible} and not blind
    and speed <= ${SPEED_MAX} and abs(lat) <= 90 and abs(lng) <= 180 and (lat <> 0 or lng <> 0)`,
}
const WRONG = {
  sql: `update fleet.position set trust = ${Trust.impossible} where enterprise_id = scope_enterprise() and vehicle_id = $1 and device_time >= $2 and device_time < $3 and trust = ${Trust.good} and not blind`,
}
const BELIEVED = {
  sql: 'update fleet.terminal set belief = $2::jsonb, odometer = $3::jsonb where enterprise_id = scope_enterprise() and vehicle_id = $1',
}
const HELD = {
  sql: 'select device_time, lng, lat, mileage_m, standing_since, loose_since, loose_m, day::text as day, day_m, belief, odometer from fleet.terminal where enterprise_id = scope_enterprise() and vehicle_id = $1 and code_hash is not null for update',
}
const KEEP = {
  sql: `insert into fleet.position (vehicle_id, device_time, received_at, lng, lat, speed, heading, alt, acc, mileage_m, alarm_bits, status_bits, satellites, blind, clock_fixed, trust)
    select $1, p."deviceTime", $2, p.lng, p.lat, p.speed, p.heading, p.alt, p.acc, p."mileageM", p."alarmBits", p."statusBits", p.satellites, $3, p."clockFixed", p.trust
    from jsonb_to_recordset($4::jsonb) as p ("deviceTime" timestamptz, lng double precision, lat double precision, speed integer, heading smallint, alt integer, acc boolean, "mileageM" bigint, "alarmBits" bigint, "statusBits" bigint,
      satellites smallint, "clockFixed" boolean, trust smallint) on conflict do nothing`,
}
const HEARD = {
  sql: `update fleet.terminal set heard_at = $2, motion = case motion when ${Motion.offline} then ${Motion.standing} else motion end where enterprise_id = scope_enterprise() and vehicle_id = $1`,
}

function dated(one: Said, at: Instant): Dated {
  const ms = one.deviceTime === null ? NaN : msOf(one.deviceTime)
  const wrong = !(ms >= CLOCK_FROM && ms <= msOf(at) + AHEAD_MS)
  return { ...one, deviceTime: wrong ? at : one.deviceTime!, clockFixed: wrong }
}

async function isOut(tx: Tx, vehicleId: string): Promise<boolean> {
  const [row] = await run<{ out: boolean }>(
    tx,
    {
      sql: `select exists (select from fleet.allocation where enterprise_id = scope_enterprise() and vehicle_id = $1 and state = ${AllocationState.out}) as out`,
    },
    [vehicleId],
  )
  return row!.out
}

interface Change {
  /** Which flag; none ends those of driving. */
  open?: 1 | 4
  since: Instant
}
/** From place to place, forwards only: how far it came, whether it drives or stands, and what is to be looked at. */
function follow(from: Terminal, kept: readonly Kept[], allocated: boolean): { state: Terminal; newest: Kept | undefined; flags: Change[] } {
  let state = from
  let newest: Kept | undefined
  const flags: Change[] = []
  for (const one of kept) {
    if (one.trust !== Trust.good || (state.deviceTime !== null && msOf(one.deviceTime) <= msOf(state.deviceTime))) continue
    state = moved(state, one, allocated)
    newest = one
    for (const flag of flagsOf(state, one)) if (!same(flags.at(-1), flag)) flags.push(flag)
  }
  return { state, newest, flags }
}
const same = (before: Change | undefined, flag: Change) => before !== undefined && before.open === flag.open
function moved(before: Terminal, one: Kept, allocated: boolean): Terminal {
  const { came, standing: odometer } = fromTo(before, one)
  const moves = one.speed > MOVING_FROM
  const day = dayOf(one.deviceTime)
  const standingSince = moves ? null : (before.standingSince ?? one.deviceTime)
  const stands = standingSince !== null && msOf(one.deviceTime) - msOf(standingSince) >= STANDS_MS
  const loose = !allocated && !stands && (moves || before.looseSince !== null)
  return {
    ...{ deviceTime: one.deviceTime, lng: one.lng, lat: one.lat, mileageM: one.mileageM, standingSince, day, belief: before.belief, odometer },
    looseSince: loose ? (before.looseSince ?? one.deviceTime) : null,
    looseM: loose ? before.looseM + (before.looseSince ? came : 0) : 0,
    dayM: (before.day === day ? before.dayM : 0) + came,
  }
}
function flagsOf({ looseSince, looseM }: Terminal, one: Kept): Change[] {
  if (looseSince === null) return [{ since: one.deviceTime }]
  const unallocated = looseM > LOOSE_M && msOf(one.deviceTime) - msOf(looseSince) >= LOOSE_MS
  const night = one.speed > MOVING_FROM && isNight(one.deviceTime)
  return [...(unallocated ? [{ open: Flag.unallocated, since: looseSince }] : []), ...(night ? [{ open: Flag.night, since: one.deviceTime }] : [])]
}
const NEWEST = {
  sql: `update fleet.terminal set device_time = $2, lng = $3, lat = $4, speed = $5, heading = $6, acc = $7, mileage_m = $8, alarm_bits = $9, motion = $10, standing_since = $11, loose_since = $12, loose_m = $13, day = $14, day_m = $15
    where enterprise_id = scope_enterprise() and vehicle_id = $1`,
}
function isNight(at: Instant): boolean {
  const hour = Number(cityTime(at).slice(11, 13))
  return hour >= NIGHT.from || hour < NIGHT.until
}
const fromTo = ({ deviceTime, lng, lat, mileageM, odometer }: Terminal, one: Kept) =>
  deviceTime === null || lng === null || lat === null ? { came: 0, standing: null } : cameBy({ deviceTime, lng, lat, mileageM }, one, odometer)

/** A heartbeat, or anything else that says the terminal is there. */
export const heardTerminal = async (tx: Tx, vehicleId: string, at: Instant): Promise<void> => void (await run(tx, HEARD, [vehicleId, at]))
