import type { Day, Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { data } from '../contract/data.ts'
import { AdminStatus } from '../contract/pile.ts'
import { ChargeStatus } from '../contract/session.ts'
import { SUMS } from './income.ts'
import { durationsOf, meanMin, usedIn } from './usage.ts'
import { Said } from '../contract/said.ts'

type Where = Of<typeof data.chargeCount.input>
const HOUR_MS = 3_600_000
const placed = ({ regionCode, stationId }: Where) => [regionCode ?? null, stationId ?? null]
const OF_PLACES = `s.enterprise_id = scope_enterprise() and ($1::text is null or s.region_code ^@ platform.region_prefix($1)) and ($2::text is null or s.station_id = $2)`

export const calls = serve(data, {
  async chargeCount({ tx, input, at }) {
    const [[counts], byStatus] = await Promise.all([
      run<{ stations: number; piles: number; connectors: number }>(tx, { sql: COUNTS }, placed(input)),
      gunsByStatus(tx, input),
    ])
    return { at, ...counts!, byStatus } as Of<typeof data.chargeCount.reply>
  },
  async chargeOrder({ tx, input, at }) {
    const today = startOf(dayOf(at))
    const back = (from: Instant) => instantAt(msOf(from) - DAY_MS)
    const [now, yesterday, month, hours, best] = await Promise.all([
      sumOf(tx, input, today, at),
      sumOf(tx, input, back(today), back(at)),
      sumOf(tx, input, startOf(`${dayOf(at).slice(0, 8)}01` as Day), at),
      run(tx, { sql: HOURS }, [...placed(input), instantAt(Math.floor(msOf(at) / HOUR_MS) * HOUR_MS - 23 * HOUR_MS), at]),
      bestOf(tx, input, today, at, 'receivable_fen'),
    ])
    return { at, today: now, yesterday, month, hours, best } as Of<typeof data.chargeOrder.reply>
  },
  async chargeTime({ tx, input, at }) {
    const timeFrom = startOf(dayOf(at))
    const here = new Set(
      (await run<{ stationId: string }>(tx, { sql: `select s.station_id from charging.station s where ${OF_PLACES}` }, placed(input))).map(
        ({ stationId }) => stationId,
      ),
    )
    const used = (await usedIn(tx, { timeFrom, timeTo: at, ...(input.stationId && { stationId: input.stationId }) }, at)).filter(({ stationId }) =>
      here.has(stationId),
    )
    const sum = (of: 'chargingMin' | 'inUseMin') => used.reduce((all, one) => all + one[of], 0)
    const durations = await durationsOf(tx, [timeFrom, at, null, null, at], [...here])
    return {
      ...{ at, minutes: sum('chargingMin'), mean: meanMin(used) },
      ...{ timeUse: permilleOf(sum('chargingMin'), sum('inUseMin')), durations },
    }
  },
  async chargeCar({ tx, input, at }) {
    const found = await carsOf(tx, input, startOf(dayOf(at)), at)
    const by = await run<{ by: string; count: number }>(tx, { sql: CARS_BY }, [...placed(input), startOf(dayOf(at)), at])
    return { at, ...found, returning: found.cars - found.fresh, by }
  },
})

/** Charges that never charged. */
const NEVER = [ChargeStatus.waiting, ChargeStatus.failed, ChargeStatus.cancelled].join(', ')
const COUNTS = `select count(*)::int as stations,
    coalesce(sum((select count(*) from charging.equipment e where e.enterprise_id = s.enterprise_id and e.station_id = s.station_id and e.admin_status <> ${AdminStatus.scrapped})), 0)::int as piles,
    coalesce(sum((select count(*) from charging.connector c where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id)), 0)::int as connectors
  from charging.station s where ${OF_PLACES}`
const BY_STATUS = `select g.status, count(*)::int as count from charging.gun g join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
  where ${OF_PLACES} group by 1 order by 1`
/** How many guns are in each state. */
export const gunsByStatus = (tx: Tx, input: Where) => run<{ status: number; count: number }>(tx, { sql: BY_STATUS }, placed(input))
const BILLS = `from charging.bill b join charging.station s on s.enterprise_id = b.enterprise_id and s.station_id = b.station_id where ${OF_PLACES} and b.final_at >= $3 and b.final_at <= $4`
type Sum = { orders: number; wh: number; receivableFen: Fen; netFen: Fen }
export const sumOf = async (tx: Tx, input: Where, from: Instant, to: Instant): Promise<Sum> => {
  const [{ orders, billedWh, receivableFen, netFen }] = (await run<Sum & { billedWh: number }>(tx, { sql: `select ${SUMS} ${BILLS}` }, [
    ...placed(input),
    from,
    to,
  ])) as [Sum & { billedWh: number }]
  return { orders, wh: billedWh, receivableFen, netFen }
}
/** The ten stations with the most of something. */
export const bestOf = (tx: Tx, input: Where, from: Instant, to: Instant, by: 'receivable_fen' | 'billed_wh') =>
  run<Of<typeof data.chargeOrder.reply>['best'][number]>(tx, { sql: BEST }, [...placed(input), from, to, by === 'billed_wh'])
const BEST = `select x.station_id, x.name, x.orders, x.billed_wh as wh, x.receivable_fen from (
    select b.station_id, min(s.station_name) as name, ${SUMS} ${BILLS} group by b.station_id) x
  order by case when $5 then x.billed_wh else x.receivable_fen end desc, x.station_id limit 10`
/** What began in each hour, and what was billed in it. */
const HOURS = `select h.at, (select count(*)::int from charging.charge c join charging.station s on s.enterprise_id = c.enterprise_id and s.station_id = c.station_id
      where ${OF_PLACES} and c.start_time >= h.at and c.start_time < h.at + interval '1 hour' and c.status not in (${NEVER})) as orders,
    (select coalesce(sum(b.energy_wh), 0)::bigint from charging.bill b join charging.station s on s.enterprise_id = b.enterprise_id and s.station_id = b.station_id
      where ${OF_PLACES} and b.final_at >= h.at and b.final_at < h.at + interval '1 hour') as wh
  from generate_series($3::timestamptz, $4::timestamptz, interval '1 hour') h (at) order by 1`
/** A car is known by its VIN, its plate, its owner or its card: the first of them that is there. */
const KEY = `case when c.vin is not null then 'VIN ' || c.vin when c.plate_no is not null then '${Said.plate} ' || c.plate_no when c.owner_id is not null then '${Said.user} ' || c.owner_id when c.card_no is not null then '${Said.card} ' || c.card_no end`
const STARTED = `from charging.charge c join charging.station s on s.enterprise_id = c.enterprise_id and s.station_id = c.station_id
  where ${OF_PLACES} and c.start_time >= $3 and c.start_time <= $4 and c.status not in (${NEVER})`
/** Cars that began to charge. */
export const carsOf = async (tx: Tx, input: Where, from: Instant, to: Instant) =>
  (await run<{ cars: number; fresh: number; unknown: number }>(tx, { sql: CARS }, [...placed(input), from, to]))[0]!
const CARS = `select (count(distinct x.key))::int as cars, (count(*) filter (where x.key is null))::int as unknown,
    (count(distinct x.key) filter (where x.key is not null and not exists (select from charging.charge c where c.enterprise_id = scope_enterprise() and c.start_time < $3 and c.status not in (${NEVER}) and ${KEY} = x.key)))::int as fresh
  from (select ${KEY} as key ${STARTED}) x`
const CARS_BY = `select split_part(x.key, ' ', 1) as by, count(distinct x.key)::int as count from (select ${KEY} as key ${STARTED}) x where x.key is not null group by 1 order by 2 desc`
