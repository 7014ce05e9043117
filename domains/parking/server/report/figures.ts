import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { type Bays, insideOf, occupancyOf } from '../place/occupancy.ts'
import { Direction } from '../../contract/gate.ts'
import { PassMode, SessionAbnormal, SessionStatus } from '../../contract/stay.ts'
import { UseStatus } from '../../contract/park.ts'
import type { FlowHour, ParkMove } from '../../contract/screen.ts'

/** Entries and exits in the parks of the scope between two instants, the first included. Records of other platforms and void ones are not counted. */
export interface Passed {
  entered: number
  left: number
  abnormal: number
}
const COUNTED = `s.enterprise_id = scope_enterprise() and s.third_platform is null and s.status <> ${SessionStatus.void}`
// Exits are looked up park by park, as their index is.
const PARKS = '(select array_agg(p.park_code) from parking.park p where p.enterprise_id = scope_enterprise())::text[]'
const LEFT = `s.park_code = any (${PARKS}) and s.status = ${SessionStatus.left}`

export async function passedBetween(tx: Tx, from: Instant, to: Instant): Promise<Passed> {
  const [[seen], [gone]] = await Promise.all([
    run<{ entered: number; abnormal: number }>(
      tx,
      {
        sql: `select (count(*) filter (where s.entry_time is not null))::int as entered, (count(*) filter (where s.abnormal_type <> ${SessionAbnormal.none}))::int as abnormal
          from parking.stay s where ${COUNTED} and s.seen_at >= $1 and s.seen_at < $2`,
      },
      [from, to],
    ),
    run<{ left: number }>(
      tx,
      { sql: `select count(*)::int as left from parking.stay s where ${COUNTED} and ${LEFT} and s.exit_time >= $1 and s.exit_time < $2` },
      [from, to],
    ),
  ])
  return { ...seen!, ...gone! }
}

/** The same by whole hours since `from`: `hour` 0 is the first one. Hours in which nothing happened are missing. */
export async function flowBetween(tx: Tx, from: Instant, to: Instant): Promise<{ hour: number; entered: number; left: number }[]> {
  const hourly = (what: string, time: string, where: string) =>
    `select floor(extract(epoch from ${time} - $1::timestamptz) / 3600)::int as hour, ${what} from parking.stay s where ${COUNTED} and ${where} group by 1`
  return run(
    tx,
    {
      sql: `select hour, sum(entered)::int as entered, sum(gone)::int as left from (
          ${hourly('count(*) as entered, 0 as gone', 's.seen_at', 's.seen_at >= $1 and s.seen_at < $2 and s.entry_time is not null')} union all
          ${hourly('0, count(*)', 's.exit_time', `${LEFT} and s.exit_time >= $1 and s.exit_time < $2`)}) h group by hour order by hour`,
    },
    [from, to],
  )
}

const HOURS = 24
const HOUR_MS = 3_600_000
/** The hours of the day so far, each beside the same of the day before. */
export async function hoursOf(tx: Tx, at: Instant): Promise<Of<typeof FlowHour>[]> {
  const from = startOf(dayOf(at))
  const [today, before] = await Promise.all([flowBetween(tx, from, at), flowBetween(tx, instantAt(msOf(from) - DAY_MS), from)])
  const now = Math.floor((msOf(at) - msOf(from)) / HOUR_MS)
  return Array.from({ length: HOURS }, (_, hour) => {
    const [one, then] = [today, before].map((rows) => rows.find((row) => row.hour === hour))
    const past = hour <= now
    return {
      hour,
      entered: past ? (one?.entered ?? 0) : null,
      left: past ? (one?.left ?? 0) : null,
      enteredBefore: then?.entered ?? 0,
      leftBefore: then?.left ?? 0,
    }
  })
}

/** More lines nobody reads from across a room. */
const LAST_MOVES = 6
/** The cars that came in and left last, the newest first, of the parks of the scope. A car that was cleared drove through no lane: it is none of them. */
export const lastMoves = (tx: Tx, at: Instant): Promise<Of<typeof ParkMove>[]> => run(tx, { sql: LAST }, [at])
// Each park gives its last ones out of its index, and the newest of them are taken.
const LAST = `select m.at, m.direction, p.park_code, p.name as park_name, g.name as gate_name, m.car_kind
  from parking.park p cross join lateral (
    (select s.entry_time as at, ${Direction.entrance} as direction, s.entry_gate as gate_code, s.car_kind_in as car_kind from parking.stay s
      where ${COUNTED} and s.park_code = p.park_code and s.entry_time is not null and s.seen_at <= $1 order by s.seen_at desc, s.id desc limit ${LAST_MOVES}) union all
    (select s.exit_time, ${Direction.exit}, s.exit_gate, coalesce(s.car_kind_out, s.car_kind_in) from parking.stay s
      where ${COUNTED} and s.park_code = p.park_code and s.status = ${SessionStatus.left} and s.exit_mode is distinct from ${PassMode.cleared} and s.exit_time <= $1
      order by s.exit_time desc limit ${LAST_MOVES})) m
    left join parking.gate g on g.enterprise_id = p.enterprise_id and g.gate_code = m.gate_code
  where p.enterprise_id = scope_enterprise() and not p.deleted order by m.at desc, m.direction desc, p.park_code limit ${LAST_MOVES}`

/** Cars that came in, by the colour of their plates and by the plates' first two characters (province and city), most first. */
export async function platesBetween(tx: Tx, from: Instant, to: Instant, places: number) {
  const came = `parking.stay s where ${COUNTED} and s.entry_time is not null and s.seen_at >= $1 and s.seen_at < $2`
  const [colors, from_] = await Promise.all([
    run<{ plateColor: PlateColorCode | null; entered: number }>(
      tx,
      { sql: `select plate_color, count(*)::int as entered from ${came} group by 1 order by 2 desc, 1` },
      [from, to],
    ),
    run<{ place: string; entered: number }>(
      tx,
      {
        sql: `select left(plate_no, 2) as place, count(*)::int as entered from ${came} and plate_no !~ '^无' group by 1 order by 2 desc, 1 limit $3`,
      },
      [from, to, places],
    ),
  ])
  return { colors, places: from_ }
}

type ParkFigures = Bays & { name: string; entered: number; left: number }
/** How many cars came into each of these parks and left it since then. Those of which none did are missing. */
export async function movesSince(
  tx: Tx,
  parkCodes: readonly string[],
  from: Instant,
): Promise<Map<string, { entriesToday: number; exitsToday: number }>> {
  const rows = await run<{ parkCode: string; entriesToday: number; exitsToday: number }>(tx, { sql: MOVES }, [parkCodes, from])
  return new Map(rows.map(({ parkCode, ...moves }) => [parkCode, moves]))
}
const MOVES = `select park_code, sum(came)::int as entries_today, sum(gone)::int as exits_today from (
    select s.park_code, 1 as came, 0 as gone from parking.stay s where ${COUNTED} and s.park_code = any ($1) and s.seen_at >= $2 and s.entry_time is not null union all
    select s.park_code, 0, 1 from parking.stay s where ${COUNTED} and s.park_code = any ($1) and s.status = ${SessionStatus.left} and s.exit_time >= $2) moves
  group by park_code`

/** The parks of the scope in use, how many cars are in each, and what passed since `from`. */
export async function parksSince(tx: Tx, from: Instant) {
  const parks = await run<ParkFigures>(
    tx,
    {
      sql: `select p.park_code, p.name, p.total_bays, p.remainder_offset, p.count_pass_in_avail,
          (select count(*)::int from parking.stay s where ${COUNTED} and s.park_code = p.park_code and s.seen_at >= $1 and s.entry_time is not null) as entered,
          (select count(*)::int from parking.stay s where ${COUNTED} and s.park_code = p.park_code and s.status = ${SessionStatus.left} and s.exit_time >= $1) as left
        from parking.park p where p.enterprise_id = scope_enterprise() and p.status = ${UseStatus.inUse} and not p.deleted order by p.park_code`,
    },
    [from],
  )
  const inside = await insideOf(
    tx,
    parks.map(({ parkCode }) => parkCode),
  )
  return parks.map((park) => {
    const { parkCode, name, totalBays, entered, left } = park
    const here = inside.get(parkCode)
    const { presentCount, remainingBays } = occupancyOf(park, here)
    return { parkCode, name, totalBays, entered, left, present: presentCount, freeBays: remainingBays, heldBays: here?.held ?? 0 }
  })
}
