import type { Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { analysis, EnergyRow, Operation } from '../contract/analysis.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { AdminStatus, EquipmentType } from '../contract/pile.ts'
import { ChargeStatus } from '../contract/session.ts'
import { GroupBy } from '../contract/span.ts'
import { unbelieved } from './charge.ts'
import { placesOf } from './income.ts'
import { type Asked, groupOf, ratioOf, type Span, spanOf } from './span.ts'
import { Said } from '../contract/said.ts'

/** Charges that ever charged. */
const REACHED = `(${[ChargeStatus.charging, ChargeStatus.stopping, ChargeStatus.billing, ChargeStatus.done, ChargeStatus.abnormal, ChargeStatus.refunding, ChargeStatus.refunded]})`
/** How long a charge lasts that has not ended: until now. $5 */
const END = 'coalesce(c.end_time, greatest(c.start_time, $5::timestamptz))'
/** $1 from, $2 to, $3 station, $4 operator, $5 now. */
const PLACED = `from charging.charge c join charging.station s on s.enterprise_id = c.enterprise_id and s.station_id = c.station_id
  where c.enterprise_id = scope_enterprise() and ($3::text is null or c.station_id = $3) and ($4::text is null or s.operator_id = $4)`
const CHARGING = `${PLACED} and c.status in ${REACHED} and c.start_time <= $2::timestamptz and ${END} >= $1::timestamptz`
const valuesOf = (asked: Asked, { from, to }: Pick<Span, 'from' | 'to'>, at: Instant) => [from, to, ...placesOf(asked), at]

/** So many watt hours of a charge had come by a moment: it is taken to charge evenly, and all parts of it add up to it. */
const energyBy = (moment: string) =>
  `case when ${unbelieved('c.')} then 0 else floor(c.energy_wh * least(1, greatest(0, extract(epoch from ${moment} - c.start_time) / greatest(1, extract(epoch from ${END} - c.start_time))))) end`
const energyIn = (from: string, to: string) => `(${energyBy(to)} - ${energyBy(from)})`
/** The last moment belongs to a time; an energy is up to it, and not including it. */
const TO = `($2::timestamptz + interval '1 microsecond')`
const WITHIN = energyIn('$1::timestamptz', TO)

interface Used {
  stationId: string
  name: string
  connectors: number
  ratedW: number
  inUseMin: number
  ratedWMin: number
  chargingMin: number
  sessions: number
  deliveredWh: number
  ended: number
  endedMin: number
  reached: number
  asked: number
  onlineMin: number
  dueMin: number
}
/** How each station was used. In use is what people said of its piles; a pile that charged before anybody said so was in use from then on. */
export async function operations(tx: Tx, asked: Asked, at: Instant): Promise<Of<typeof Operation>[]> {
  const span = spanOf(asked, at)
  const days = Math.max(1, (Date.parse(span.to) - Date.parse(span.from)) / 86_400_000)
  return (await usedIn(tx, asked, at)).map((one) => ({
    ...{ stationId: one.stationId, name: one.name, connectors: one.connectors, inUseMin: one.inUseMin, chargingMin: one.chargingMin },
    timeUse: permilleOf(one.chargingMin, one.inUseMin),
    powerUse: permilleOf(one.deliveredWh * 60, one.ratedWMin),
    ...{ sessions: one.sessions, deliveredWh: one.deliveredWh },
    sessionsPerDay: one.connectors === 0 ? null : Math.round((one.sessions * 10) / (one.connectors * days)),
    whPerDay: one.connectors === 0 ? null : Math.round(one.deliveredWh / (one.connectors * days)),
    avgMin: meanMin([one]),
    startRate: permilleOf(one.reached, one.asked),
    onlineRate: permilleOf(one.onlineMin, one.dueMin),
  }))
}
/** Minutes of each that has ended; one that runs is not as long as it will be. */
export function meanMin(used: readonly Pick<Used, 'ended' | 'endedMin'>[]): number | null {
  const sum = (of: 'ended' | 'endedMin') => used.reduce((all, one) => all + one[of], 0)
  return sum('ended') === 0 ? null : Math.round(sum('endedMin') / sum('ended'))
}
export const usedIn = (tx: Tx, asked: Asked, at: Instant) => run<Used>(tx, { sql: OPERATIONS }, valuesOf(asked, spanOf(asked, at), at))
const OVERLAP = (from: string, to: string) =>
  `greatest(0, extract(epoch from least(${to}, $2::timestamptz) - greatest(${from}, $1::timestamptz)) / 60)`
const OPERATIONS = `with guns as (
    select g.connector_id, g.equipment_id, g.station_id, (g.power * 1000)::bigint as rated_w, e.id::text as row_id,
      (select min(c.start_time) from charging.charge c where c.enterprise_id = g.enterprise_id and c.connector_id = g.connector_id) as charged_from
    from charging.connector g join charging.equipment e on e.enterprise_id = g.enterprise_id and e.equipment_id = g.equipment_id
      join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
    where g.enterprise_id = scope_enterprise() and ($3::text is null or g.station_id = $3) and ($4::text is null or s.operator_id = $4)),
  said as (
    select h.row_id, (h.after ->> 'admin_status')::int as status, h.at, lead(h.at, 1, $5::timestamptz) over (partition by h.row_id order by h.at, h.id) as until,
      row_number() over (partition by h.row_id, h.after ->> 'admin_status' order by h.at, h.id) as place
    from platform.change h where h.enterprise_id = scope_enterprise() and h.entity = 'charging.equipment' and h.row_id in (select row_id from guns) and h.after ? 'admin_status'),
  in_use as (
    select g.connector_id, sum(${OVERLAP('case when h.place = 1 then least(h.at, g.charged_from) else h.at end', 'h.until')}) as minutes
    from guns g join said h on h.row_id = g.row_id and h.status = ${AdminStatus.enabled} group by 1),
  states as (
    select x.connector_id, x.status, x.at, lead(x.at, 1, $5::timestamptz) over (partition by x.connector_id order by x.at, x.id) as until
    from charging.status_change x where x.enterprise_id = scope_enterprise() and x.connector_id in (select connector_id from guns)),
  online as (
    select connector_id, sum(${OVERLAP('at', 'until')}) filter (where status <> ${ConnectorStatus.offline}) as minutes, sum(${OVERLAP('at', 'until')}) as due from states group by 1),
  charged as (
    select c.station_id, sum(${OVERLAP('c.start_time', END)}) filter (where c.status in ${REACHED}) as minutes, sum(${WITHIN}) filter (where c.status in ${REACHED}) as wh,
      count(*) filter (where c.status in ${REACHED} and c.start_time >= $1) as sessions,
      count(*) filter (where c.status in ${REACHED} and c.start_time >= $1 and c.end_time is not null) as ended,
      sum(extract(epoch from c.end_time - c.start_time) / 60) filter (where c.status in ${REACHED} and c.start_time >= $1) as ended_min,
      count(*) filter (where c.start_time >= $1 and c.status not in (${ChargeStatus.waiting}, ${ChargeStatus.starting}, ${ChargeStatus.cancelled})) as asked
    ${PLACED} and c.start_time <= $2::timestamptz and ${END} >= $1::timestamptz group by 1)
  select s.station_id, s.station_name as name, count(g.connector_id)::int as connectors, coalesce(sum(g.rated_w), 0)::bigint as rated_w,
    floor(coalesce(sum(u.minutes), 0))::int as in_use_min, floor(coalesce(sum(u.minutes * g.rated_w), 0))::bigint as rated_w_min,
    floor(coalesce(max(c.minutes), 0))::int as charging_min, coalesce(max(c.sessions), 0)::int as sessions, coalesce(max(c.wh), 0)::bigint as delivered_wh,
    coalesce(max(c.ended), 0)::int as ended, coalesce(max(c.ended_min), 0)::int as ended_min, coalesce(max(c.sessions), 0)::int as reached, coalesce(max(c.asked), 0)::int as asked,
    floor(coalesce(sum(o.minutes), 0))::int as online_min, floor(coalesce(sum(o.due), 0))::int as due_min
  from charging.station s left join guns g on g.station_id = s.station_id left join in_use u on u.connector_id = g.connector_id left join online o on o.connector_id = g.connector_id
    left join charged c on c.station_id = s.station_id
  where s.enterprise_id = scope_enterprise() and ($3::text is null or s.station_id = $3) and ($4::text is null or s.operator_id = $4)
  group by s.station_id, s.station_name order by charging_min desc, s.station_id`

type Times = Of<typeof analysis.queryTime.reply>
/** A charge counts for each hour that it touches, by its minutes of it. */
export async function times(tx: Tx, asked: Asked, at: Instant): Promise<Times> {
  const values = valuesOf(asked, spanOf(asked, at), at)
  const [week, durations, day] = await Promise.all([
    run<Times['week'][number]>(tx, { sql: WEEK }, values),
    durationsOf(tx, values),
    run<Times['day'][number]>(tx, { sql: HALVES }, values),
  ])
  return { week, durations, day }
}
const stretches = (
  unit: string,
) => `cross join lateral generate_series(date_bin('${unit}', greatest(c.start_time, $1::timestamptz), timestamptz '2000-01-01 00:00+08'),
    least(${END}, $2::timestamptz), interval '${unit}') h (at)`
const joined = (more: string) => CHARGING.replace('  where', `${more}\n  where`)
const CITY = `at time zone 'Asia/Shanghai'`
const WEEK = `with cells as (
    select extract(isodow from h.at ${CITY})::int as weekday, extract(hour from h.at ${CITY})::int as hour, ${OVERLAP('greatest(c.start_time, h.at)', `least(${END}, h.at + interval '1 hour')`)} as minutes,
      (c.start_time >= h.at and c.start_time < h.at + interval '1 hour' and c.start_time >= $1)::int as starts ${joined(stretches('1 hour'))})
  select w.weekday, h.hour, coalesce(floor(sum(x.minutes)), 0)::int as charging_min, coalesce(sum(x.starts), 0)::int as starts
  from generate_series(1, 7) w (weekday) cross join generate_series(0, 23) h (hour) left join cells x on x.weekday = w.weekday and x.hour = h.hour group by 1, 2 order by 1, 2`
const HALVES = `with cells as (
    select (extract(hour from h.at ${CITY}) * 2 + floor(extract(minute from h.at ${CITY}) / 30))::int as half,
      ${energyIn('greatest(h.at, $1::timestamptz)', `least(h.at + interval '30 minutes', ${TO})`)} as wh ${joined(stretches('30 minutes'))})
  select h.half, coalesce(sum(x.wh), 0)::bigint as wh from generate_series(0, 47) h (half) left join cells x on x.half = h.half group by 1 order by 1`

/** The lengths that charges are sorted into once they have ended, in minutes. */
const LENGTHS = [0, 15, 30, 60, 120, 240] as const
export async function durationsOf(tx: Tx, values: readonly unknown[], stationIds: readonly string[] | null = null): Promise<Times['durations']> {
  const rows = await run<{ place: number; count: number }>(tx, { sql: DURATIONS }, [...values, stationIds])
  return LENGTHS.map((fromMin, index) => ({
    fromMin,
    toMin: LENGTHS[index + 1] ?? null,
    count: rows.find(({ place }) => place === index + 1)?.count ?? 0,
  }))
}
const DURATIONS = `select width_bucket(floor(extract(epoch from c.end_time - c.start_time) / 60)::int, array[${LENGTHS}]) as place, count(*)::int as count ${CHARGING} and c.start_time >= $1 and c.end_time is not null
  and ($6::text[] is null or c.station_id = any($6)) group by 1`

type Capacity = Of<typeof analysis.chargingCapacity.reply>
type EnergyKey = Pick<Of<typeof EnergyRow>, 'key' | 'name' | 'deliveredWh'>
/** What guns gave, as it happened; beside it what bills came to. */
export async function capacity(tx: Tx, asked: Asked, at: Instant): Promise<Capacity> {
  const span = spanOf(asked, at)
  const values = valuesOf(asked, span, at)
  const thenValues = span.thenFrom && valuesOf(asked, { from: span.thenFrom, to: span.thenTo! }, at)
  const [rows, thenRows, billed, peaks, [{ peakW, limitW }], byKind, byCurrent] = (await Promise.all([
    run<EnergyKey>(tx, { sql: energyRows(asked) }, values),
    thenValues ? run<EnergyKey>(tx, { sql: energyRows(asked, span.shift) }, thenValues) : null,
    run<{ key: string; wh: number }>(tx, { sql: billedRows(asked) }, values.slice(0, 4)),
    run<{ key: string; peakW: number | null; limitW: number | null }>(tx, { sql: peakRows(asked) }, values.slice(0, 4)),
    run<{ peakW: number | null; limitW: number | null }>(tx, { sql: PEAK }, values.slice(0, 4)),
    run<Capacity['byKind'][number]>(tx, { sql: BY_KIND }, values.slice(0, 4)),
    run<Capacity['byCurrent'][number]>(tx, { sql: BY_CURRENT }, values),
  ])) as [
    EnergyKey[],
    EnergyKey[] | null,
    { key: string; wh: number }[],
    { key: string; peakW: number | null; limitW: number | null }[],
    [{ peakW: number | null; limitW: number | null }],
    Capacity['byKind'],
    Capacity['byCurrent'],
  ]
  const sum = (all: readonly { deliveredWh: number }[]) => all.reduce((total, { deliveredWh }) => total + deliveredWh, 0)
  const deliveredWh = sum(rows)
  const prevDeliveredWh = thenRows && sum(thenRows)
  return {
    ...{
      deliveredWh,
      billedWh: billed.reduce((total, { wh }) => total + wh, 0),
      peakW,
      limitW,
      prevDeliveredWh,
      ratio: ratioOf(deliveredWh, prevDeliveredWh),
      byKind,
      byCurrent,
    },
    rows: keysOf(rows, billed).map((key) => {
      const row = rows.find((one) => one.key === key)
      const then = thenRows?.find((one) => one.key === key)?.deliveredWh ?? null
      const peak = peaks.find((one) => one.key === key)
      return {
        ...{ key, name: row?.name ?? key, deliveredWh: row?.deliveredWh ?? 0, billedWh: billed.find((one) => one.key === key)?.wh ?? 0 },
        ...{ peakW: peak?.peakW ?? null, limitW: peak?.limitW ?? null, prevDeliveredWh: then, ratio: ratioOf(row?.deliveredWh ?? 0, then) },
      }
    }),
  }
}
const keysOf = (...lists: readonly { key: string }[][]): string[] => [...new Set(lists.flat().map(({ key }) => key))].sort()
const UNITS: Record<number, string> = { [GroupBy.hour]: '1 hour', [GroupBy.day]: '1 day', [GroupBy.month]: '1 day' }
function energyRows({ groupBy = GroupBy.day }: Asked, shift?: string): string {
  const isStation = groupBy === GroupBy.station
  const moment = shift ? `(h.at + interval '${shift}')` : 'h.at'
  const key = groupOf(groupBy, moment, 'c.station_id')
  const name = isStation ? 'min(s.station_name)' : `min(${key})`
  if (isStation) return `select ${key} as key, ${name} as name, coalesce(sum(${WITHIN}), 0)::bigint as delivered_wh ${CHARGING} group by 1 order by 1`
  const unit = UNITS[groupBy]!
  const wh = energyIn('greatest(h.at, $1::timestamptz)', `least(h.at + interval '${unit}', ${TO})`)
  return `select ${key} as key, ${name} as name, coalesce(sum(${wh}), 0)::bigint as delivered_wh ${joined(stretches(unit))} group by 1 order by 1`
}
const BILLS = `from charging.bill b join charging.station s on s.enterprise_id = b.enterprise_id and s.station_id = b.station_id
  where b.enterprise_id = scope_enterprise() and b.final_at >= $1 and b.final_at <= $2 and ($3::text is null or b.station_id = $3) and ($4::text is null or s.operator_id = $4)`
const billedRows = ({ groupBy }: Asked) =>
  `select ${groupOf(groupBy, 'b.final_at', 'b.station_id')} as key, sum(b.energy_wh)::bigint as wh ${BILLS} group by 1`
/** A station's power is what its guns measured within five minutes, each gun's mean, together. */
const MEANS = `means as (
    select station_id, bin, sum(mean)::int as power_w from (
      select g.station_id, m.connector_id, date_bin('5 minutes', m.at, timestamptz '2000-01-01') as bin, avg(m.power_w) as mean
      from charging.meter_sample m join charging.connector g on g.enterprise_id = m.enterprise_id and g.connector_id = m.connector_id
        join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
      where m.enterprise_id = scope_enterprise() and m.at >= $1 and m.at <= $2 and m.power_w is not null and ($3::text is null or g.station_id = $3) and ($4::text is null or s.operator_id = $4)
      group by 1, 2, 3) each group by 1, 2)`
const peakRows = ({ groupBy }: Asked) => `with ${MEANS}, together as (
    select ${groupOf(groupBy, 'x.bin', 'x.station_id')} as key, x.bin, sum(x.power_w)::int as power_w from means x group by 1, 2)
  select key, max(power_w)::int as peak_w, ${groupBy === GroupBy.station ? '(select s.limit_w from charging.station s where s.enterprise_id = scope_enterprise() and s.station_id = key)' : 'null::int'} as limit_w from together group by 1`
/** Of several stations there is a limit where each has one: a limit of some says nothing of the peak of all. */
const PEAK = `with ${MEANS}, together as (select bin, sum(power_w)::int as power_w from means group by 1)
  select (select max(power_w)::int from together) as peak_w, (select case when count(*) = count(s.limit_w) then sum(s.limit_w)::int end from charging.station s where s.enterprise_id = scope_enterprise()
    and ($3::text is null or s.station_id = $3) and ($4::text is null or s.operator_id = $4)) as limit_w`
const BY_KIND = `select line ->> 'kind' as key, line ->> 'kind' as name, sum((line ->> 'wh')::bigint)::bigint as wh ${BILLS.replace('\n  where', ' cross join lateral jsonb_array_elements(b.lines) line\n  where')} group by 1 order by 1`
const BY_CURRENT = `select case when e.equipment_type = ${EquipmentType.ac} then 'AC' else 'DC' end as key, case when e.equipment_type = ${EquipmentType.ac} then '${Said.ac}' else '${Said.dc}' end as name, sum(${WITHIN})::bigint as wh
  ${joined('join charging.equipment e on e.enterprise_id = c.enterprise_id and e.equipment_id = c.equipment_id')} group by 1, 2 order by 1`

/** What guns gave in each hour from a full hour on, as it happened; an hour without is left out. */
export const energyByHour = (tx: Tx, from: Instant, at: Instant): Promise<{ hour: number; wh: number }[]> =>
  run(tx, { sql: BY_HOUR }, [from, at, null, null, at])
const IN_HOUR = energyIn('greatest(h.at, $1::timestamptz)', `least(h.at + interval '1 hour', ${TO})`)
const BY_HOUR = `select floor(extract(epoch from h.at - $1::timestamptz) / 3600)::int as hour, sum(${IN_HOUR})::bigint as wh
  ${joined(stretches('1 hour'))} group by 1 order by 1`

/** What each gun of a station gave, as it happened. */
export const energyOfGuns = (
  tx: Tx,
  { stationId, from, to, at }: { stationId: string; from: Instant; to: Instant; at: Instant },
): Promise<{ equipmentId: string; connectorId: string; wh: number }[]> => run(tx, { sql: OF_GUNS }, [from, to, stationId, null, at])
const OF_GUNS = `with given as (select c.connector_id, sum(${WITHIN})::bigint as wh ${CHARGING} group by 1)
  select g.equipment_id, g.connector_id, coalesce(given.wh, 0)::bigint as wh from charging.connector g left join given on given.connector_id = g.connector_id
  where g.enterprise_id = scope_enterprise() and g.station_id = $3 order by g.equipment_id, g.connector_id`
