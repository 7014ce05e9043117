import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { AdminStatus } from '../contract/pile.ts'
import type { OwnStation } from '../contract/mine.ts'
import { StationStatus } from '../contract/station.ts'
import { tableAt } from './charge.ts'
import { escapedLike, GUNS_MOST, metresBetween, placed, STATIONS_MOST, type Where } from './near.ts'

type Station = Of<typeof OwnStation>
interface Found extends Omit<Station, 'metres' | 'prices' | 'elecPriceE4' | 'servicePriceE4'> {
  stationLng: number
  stationLat: number
}
/** Stations of the house that are in use, the nearest first or by name, each with what it costs through the day. */
export async function ownStationsNear(tx: Tx, { keyword = '', ...at }: Where, now: Instant): Promise<Station[]> {
  const here = placed(at)
  const found = await run<Found>(tx, { sql: STATIONS }, [escapedLike(keyword), here?.[0] ?? null, here?.[1] ?? null])
  return Promise.all(
    found.map(async ({ stationLng, stationLat, ...one }) => ({
      ...one,
      metres: here ? Math.round(metresBetween(here, [stationLng, stationLat])) : null,
      ...(await pricesOf(tx, one.stationId, now)),
    })),
  )
}
/** Each run of one price once, and the one of this minute. */
async function pricesOf(tx: Tx, stationId: string, at: Instant): Promise<Pick<Station, 'prices' | 'elecPriceE4' | 'servicePriceE4'>> {
  const { periods = [] } = (await tableAt(tx, stationId, at)) ?? {}
  const runs = periods.filter((one, i) => {
    const last = periods[i - 1]
    return last?.elecPriceE4 !== one.elecPriceE4 || last.servicePriceE4 !== one.servicePriceE4
  })
  const clock = cityTime(at).slice(11, 16)
  const now = periods.findLast(({ from }) => from <= clock)
  const prices = runs.map(({ from, elecPriceE4, servicePriceE4 }) => ({ from, elecPriceE4, servicePriceE4 }))
  return { prices, elecPriceE4: now?.elecPriceE4 ?? null, servicePriceE4: now?.servicePriceE4 ?? null }
}
const CAN_BE_HAD = `g.status in (${ConnectorStatus.free}, ${ConnectorStatus.plugged})`
/** Guns of the number that is looked for come first, then those that can be had. Of so few degrees the earth is flat. */
const STATIONS = `select s.station_id, s.station_name, s.address, s.busine_hours, s.park_fee, s.service_tel, charging.grave_danger(scope_enterprise(), s.station_id) is not null as halted, s.station_lng, s.station_lat, g.free, g.total, g.guns
  from (select s.*, power((s.station_lng - $2::float8) * cos(radians($3::float8)), 2) + power(s.station_lat - $3, 2) as far from charging.station s
    where s.enterprise_id = scope_enterprise() and s.station_status = ${StationStatus.inUse}
      and exists (select from charging.connector c join charging.equipment e on e.enterprise_id = c.enterprise_id and e.equipment_id = c.equipment_id and e.admin_status <> ${AdminStatus.scrapped}
        where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id and ($1 = '' or s.station_name ilike '%' || $1 || '%' or c.connector_id ilike $1 || '%'))
    order by far nulls first, s.station_name, s.station_id limit ${STATIONS_MOST}) s
  cross join lateral (select count(*) filter (where c.can_be_had)::int as free, count(*)::int as total,
      jsonb_agg(jsonb_build_object('connectorId', c.connector_id, 'connectorName', c.connector_name, 'connectorType', c.connector_type, 'power', c.power, 'parkNo', c.park_no, 'status', c.status) order by c.n) filter (where c.n <= ${GUNS_MOST}) as guns
    from (select g.*, ${CAN_BE_HAD} as can_be_had, row_number() over (order by ($1 <> '' and g.connector_id ilike $1 || '%') desc, ${CAN_BE_HAD} desc, g.connector_id) as n
      from charging.gun g join charging.equipment e on e.enterprise_id = g.enterprise_id and e.equipment_id = g.equipment_id and e.admin_status <> ${AdminStatus.scrapped}
      where g.enterprise_id = scope_enterprise() and g.station_id = s.station_id) c) g
  order by s.far nulls first, s.station_name, s.station_id`
