import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { CITY_OFFSET_MS, DAY_MS, dayBy, dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { type BoxEnergy, type electricity, TrendUnit } from '../contract/box.ts'
import { type Place, sunrise, sunset } from './sun.ts'

const HOUR_MS = 60 * MINUTE_MS
/** One step of a register is 0.01 kWh. */
const WH_A_STEP = 10
const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

export interface Reading {
  boxCode: string
  register: number
  at: Instant
  /** The reading before it; none is known of a meter that is read for the first time. */
  before: number | null
  beforeAt: Instant | null
}
/**
 * Gives what was used between two readings to the hours in which it was used. A register that has gone back was changed: from there it counts anew. Across more than an
 * hour nobody knows in which one it was used: it is kept aside, for the day or month that holds the whole gap, and the hours of the gap stay unknown.
 */
export async function meter(tx: Tx, { boxCode, register, at, before, beforeAt }: Reading): Promise<void> {
  if (before === null || beforeAt === null || at <= beforeAt) return
  const [from, to] = [msOf(beforeAt), msOf(at)]
  const isReset = register < before
  const wh = isReset ? 0 : (register - before) * WH_A_STEP
  if (to - from > HOUR_MS) return gap(tx, boxCode, from, to, wh, isReset)
  const boundary = hourOf(to)
  const early = from < boundary ? Math.round((wh * (boundary - from)) / (to - from)) : 0
  if (from < boundary) await add(tx, boxCode, hourOf(from), early, false)
  await add(tx, boxCode, boundary, wh - early, isReset)
}
const add = (tx: Tx, boxCode: string, hour: number, wh: number, isReset: boolean) =>
  run(tx, { sql: ADD }, [boxCode, instantAt(hour), wh, isReset ? 1 : 0])
// An hour in which a gap ends is not known in full: the rest of it belongs to the gap.
const ADD = `insert into lamp.energy as e (box_code, hour, wh, resets) values ($1, $2, $3::int, $4::int) on conflict (enterprise_id, box_code, hour) do update set
  wh = case when e.gap_from is null then coalesce(e.wh, 0) + excluded.wh end, gap_wh = e.gap_wh + case when e.gap_from is null then 0 else excluded.wh end, resets = e.resets + excluded.resets`
async function gap(tx: Tx, boxCode: string, from: number, to: number, wh: number, isReset: boolean): Promise<void> {
  await run(tx, { sql: BROKEN_OFF }, [boxCode, instantAt(hourOf(from)), instantAt(from)])
  await run(tx, { sql: GAP }, [boxCode, instantAt(hourOf(to)), wh, instantAt(from), isReset ? 1 : 0])
}
const BROKEN_OFF =
  'update lamp.energy set gap_wh = gap_wh + coalesce(wh, 0), wh = null, gap_from = coalesce(gap_from, hour) where enterprise_id = scope_enterprise() and box_code = $1 and hour = $2 and $3::timestamptz is not null'
const GAP = `insert into lamp.energy as e (box_code, hour, wh, gap_wh, gap_from, resets) values ($1, $2, null, $3::int, $4, $5::int) on conflict (enterprise_id, box_code, hour) do update set
  gap_wh = e.gap_wh + coalesce(e.wh, 0) + excluded.gap_wh, wh = null, gap_from = excluded.gap_from, resets = e.resets + excluded.resets`

const RANGES: Record<number, { most: number; usual: number; zh: string; en: string }> = {
  [TrendUnit.hour]: { most: 31 * DAY_MS, usual: DAY_MS, zh: '按时最多 31 天', en: 'at most 31 days by hour' },
  [TrendUnit.day]: { most: 366 * DAY_MS, usual: 30 * DAY_MS, zh: '按日最多 366 天', en: 'at most 366 days by day' },
  [TrendUnit.month]: { most: 1100 * DAY_MS, usual: 365 * DAY_MS, zh: '按月最多 36 个月', en: 'at most 36 months by month' },
}
const RangeTooLong = refusal('lamp.trend-range', 42223, '时间范围过长：{zh}，请缩短', 'The time range is too long ({en}): shorten it', 422)
const NoRange = refusal('lamp.trend-order', 42224, '开始时间应早于结束时间，请修改时间', 'The start must be before the end: change one of them', 422)

type Asked = Of<typeof electricity.trend.input>
export async function trend(tx: Tx, { boxCodes, regionCode, unit = TrendUnit.hour, timeFrom, timeTo }: Asked, at: Instant) {
  const range = RANGES[unit]!
  const to = timeTo ? msOf(timeTo) : msOf(at)
  const from = startIn(unit, timeFrom ? msOf(timeFrom) : to - range.usual)
  if (from >= to) throw NoRange()
  if (to - from > range.most + DAY_MS) throw RangeTooLong({ zh: range.zh, en: range.en })
  const which = [boxCodes ?? null, regionCode ?? null]
  const [used, hours, lit, tagged, measured] = await Promise.all([
    run<{ at: Instant; wh: number | null }>(tx, { sql: USED[unit]! }, [...which, instantAt(from), instantAt(to)]),
    run<{ missing: number }>(tx, { sql: MISSING }, [...which, instantAt(from), instantAt(Math.min(to, hourOf(msOf(at))))]),
    run<Place & { ratedW: number }>(tx, { sql: RATED }, which),
    run<{ hour: Instant; taggedW: number }>(tx, { sql: TAGGED }, [...which, instantAt(from), instantAt(to)]),
    run<Measured>(tx, { sql: MEASURED }, [...which, instantAt(from), instantAt(to)]),
  ])
  const known = new Map(used.map((one) => [msOf(one.at), one.wh]))
  const dark = await darknessOf(lit[0]!, from, to)
  const out = new Map(tagged.map(({ hour, taggedW }) => [msOf(hour), taggedW]))
  const full = [...dark.keys()].map((hour) => ({ hour, wh: atFull(dark, hour, { ratedW: lit[0]!.ratedW, taggedW: out.get(hour) ?? 0 }) }))
  const points = [...sumsIn(unit, from, to, full)].map(([start, wh]) => ({
    at: instantAt(start),
    wh: known.get(start) ?? null,
    baselineWh: Math.round(wh),
  }))
  const totalWh = points.reduce((sum, { wh }) => sum + (wh ?? 0), 0)
  return { points, totalWh, ...savedOf(measured, dark), missingHours: hours[0]!.missing }
}
interface Measured {
  hour: Instant
  wh: number
  /** Of the boxes that were measured in that hour. */
  ratedW: number
  taggedW: number
}
/** The baseline of an hour, the same for what is drawn and for what was saved: every lamp at full while it is dark, but for what was tagged out. */
const atFull = (dark: ReadonlyMap<number, number>, hour: number, { ratedW, taggedW }: Pick<Measured, 'ratedW' | 'taggedW'>): number =>
  (ratedW - taggedW) * (dark.get(hour) ?? 0)
/** Against the hours that were measured, box by box: hours that nobody measured save nothing, in any unit. */
function savedOf(measured: readonly Measured[], dark: ReadonlyMap<number, number>): { baselineWh: number; savedRate: number | null } {
  const baselineWh = Math.round(measured.reduce((sum, one) => sum + atFull(dark, msOf(one.hour), one), 0))
  const usedWh = measured.reduce((sum, { wh }) => sum + wh, 0)
  return { baselineWh, savedRate: permilleOf(baselineWh - usedWh, baselineWh) }
}
const WHICH = `b.enterprise_id = scope_enterprise() and ($1::text[] is null or b.box_code = any($1)) and ($2::text is null or b.region_code ^@ platform.region_prefix($2))`
const E_OF = `from lamp.energy e join lamp.box b on b.enterprise_id = e.enterprise_id and b.box_code = e.box_code where ${WHICH} and e.hour >= $3 and e.hour < $4`
const inUnit = (unit: 'day' | 'month') => `select date_trunc('${unit}', e.hour, 'Asia/Shanghai') as at,
  (case when bool_or(e.wh is not null or e.gap_from >= date_trunc('${unit}', e.hour, 'Asia/Shanghai')) then coalesce(sum(e.wh), 0) + coalesce(sum(e.gap_wh) filter (where e.gap_from >= date_trunc('${unit}', e.hour, 'Asia/Shanghai')), 0) end)::bigint as wh ${E_OF} group by 1`
const USED: Record<number, string> = {
  [TrendUnit.hour]: `select e.hour as at, sum(e.wh)::bigint as wh ${E_OF} group by 1`,
  [TrendUnit.day]: inUnit('day'),
  [TrendUnit.month]: inUnit('month'),
}
const RATED_OF = `select box_code, sum(rated_power_w)::float8 as w from lamp.wiring where enterprise_id = scope_enterprise() group by 1`
/** The power of a box's tagged-out lamps in an hour, by the part of the hour: nobody meant them to burn. */
const TAGGED_OF = `select w.box_code, h.hour, sum(w.rated_power_w * extract(epoch from least(coalesce(t.to_at, 'infinity'), h.hour + interval '1 hour') - greatest(t.from_at, h.hour)) / 3600)::float8 as w
  from lamp.tagging t join lamp.wiring w on w.enterprise_id = t.enterprise_id and w.id = t.wiring_id
  cross join lateral generate_series(date_trunc('hour', greatest(t.from_at, $3::timestamptz)), least(coalesce(t.to_at, 'infinity'), $4::timestamptz), interval '1 hour') h (hour)
  where t.enterprise_id = scope_enterprise() group by 1, 2`
const TAGGED = `select t.hour, sum(t.w)::float8 as tagged_w from (${TAGGED_OF}) t join lamp.box b on b.box_code = t.box_code where ${WHICH} group by 1`
// A reading before it and one behind it: an hour that has just begun, or was the first, is not measured as a whole.
const MEASURED = `select e.hour, sum(e.wh)::float8 as wh, coalesce(sum(r.w), 0)::float8 as rated_w, coalesce(sum(t.w), 0)::float8 as tagged_w from (
    select e.box_code, e.hour, e.wh, lag(e.hour) over by_hour as before, lead(e.hour) over by_hour as after from lamp.energy e join lamp.box b on b.enterprise_id = e.enterprise_id and b.box_code = e.box_code
    where ${WHICH} and e.hour >= $3::timestamptz - interval '1 hour' and e.hour < $4::timestamptz + interval '1 hour' window by_hour as (partition by e.box_code order by e.hour)) e
  left join (${RATED_OF}) r on r.box_code = e.box_code left join (${TAGGED_OF}) t on t.box_code = e.box_code and t.hour = e.hour
  where e.hour >= $3 and e.hour < $4 and e.wh is not null and e.before = e.hour - interval '1 hour' and e.after = e.hour + interval '1 hour' group by 1`
/** Hours that are over and that no reading closes, of boxes that are metered, since they are. */
const MISSING = `select greatest(0, coalesce(sum(greatest(0, ceil(extract(epoch from $4::timestamptz - greatest($3::timestamptz, f.first)) / 3600)) - k.known), 0))::int as missing from lamp.box b
  cross join lateral (select min(e.hour) as first from lamp.energy e where e.enterprise_id = b.enterprise_id and e.box_code = b.box_code) f
  cross join lateral (select count(*) as known from lamp.energy e where e.enterprise_id = b.enterprise_id and e.box_code = b.box_code and e.hour >= $3 and e.hour < $4 and e.wh is not null) k where ${WHICH} and f.first is not null`
const RATED = `select coalesce(avg(b.lng), 0)::float8 as lng, coalesce(avg(b.lat), 0)::float8 as lat, coalesce(sum((select sum(w.rated_power_w) from lamp.wiring w where w.enterprise_id = b.enterprise_id and w.box_code = b.box_code)), 0)::float8 as rated_w from lamp.box b where ${WHICH}`

/** A month of each box. Of the hours that are over and since it is metered, so many are missing. */
export async function byBox(tx: Tx, { month: asked, regionCode, current = 1, limit = 20 }: Of<typeof electricity.byBox.input>, at: Instant) {
  const month = asked ?? dayOf(at).slice(0, 7)
  const from = msOf(startOf(`${month}-01` as Day))
  const to = Math.min(nextMonth(from), Math.max(from, hourOf(msOf(at))))
  const rows = await run<Of<typeof BoxEnergy>>(tx, { sql: BY_BOX }, [
    null,
    regionCode ?? null,
    instantAt(from),
    instantAt(nextMonth(from)),
    instantAt(to),
    month,
  ])
  return { records: rows.slice((current - 1) * limit, current * limit), total: rows.length, totalExact: true }
}
const BY_BOX = `with used as (select e.box_code, count(e.wh)::int as hours, count(e.wh) filter (where e.hour < $5)::int as over,
    (case when bool_or(e.wh is not null or e.gap_from >= $3) then coalesce(sum(e.wh), 0) + coalesce(sum(e.gap_wh) filter (where e.gap_from >= $3), 0) end)::bigint as wh ${E_OF} group by 1)
  select b.box_code, b.name, b.region_code, $6::text as month, u.wh, coalesce(u.hours, 0) as measured_hours,
    case when f.first is null then 0 else greatest(0, ceil(extract(epoch from $5::timestamptz - greatest($3::timestamptz, f.first)) / 3600)::int - coalesce(u.over, 0)) end::int as missing_hours
  from lamp.box b left join used u on u.box_code = b.box_code cross join lateral (select min(e.hour) as first from lamp.energy e where e.enterprise_id = b.enterprise_id and e.box_code = b.box_code) f
  where ${WHICH} order by b.box_code`

const startIn = (unit: number, ms: number) =>
  unit === TrendUnit.hour ? hourOf(ms) : unit === TrendUnit.day ? msOf(startOf(dayOf(instantAt(ms)))) : monthOf(ms)
const monthOf = (ms: number) => {
  const city = new Date(ms + CITY_OFFSET_MS)
  return Date.UTC(city.getUTCFullYear(), city.getUTCMonth(), 1) - CITY_OFFSET_MS
}
const nextMonth = (ms: number) => monthOf(ms + 32 * DAY_MS)

/** How much of each hour is dark: from sunset to sunrise. Three years of nights are looked up in pieces, between which others are served. */
async function darknessOf(place: Place, from: number, to: number): Promise<Map<number, number>> {
  const dark = new Map<number, number>()
  const last = dayOf(instantAt(to))
  let nights = 0
  for (let night = dayBy(dayOf(instantAt(from)), -1); night <= last; night = dayBy(night, 1)) {
    for (let at = sunset(night, place), up = sunrise(dayBy(night, 1), place); at < up;) {
      const until = Math.min(up, hourOf(at) + HOUR_MS)
      if (at >= from) dark.set(hourOf(at), (dark.get(hourOf(at)) ?? 0) + (until - at) / HOUR_MS)
      at = until
    }
    if (++nights % NIGHTS_AT_ONCE === 0) await new Promise((go) => setImmediate(go))
  }
  return dark
}
const NIGHTS_AT_ONCE = 200
/** Sums hours by hour, day or month; 0 where it is light all the time. */
function sumsIn(unit: number, from: number, to: number, hours: readonly { hour: number; wh: number }[]): Map<number, number> {
  const points = new Map<number, number>()
  for (let start = from; start < to; start = unit === TrendUnit.hour ? start + HOUR_MS : unit === TrendUnit.day ? start + DAY_MS : nextMonth(start))
    points.set(start, 0)
  for (const { hour, wh } of hours) {
    const start = startIn(unit, hour)
    const known = points.get(start)
    if (known !== undefined) points.set(start, known + wh)
  }
  return points
}
