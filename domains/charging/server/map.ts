import gcoord from 'gcoord'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, dayOf, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ConnectorStatus, ConnectorType } from '../contract/connector.ts'
import { FaultState } from '../contract/fault.ts'
import { map, type PilePlace, type Place, PlaceState, type Spot, SpotKind } from '../contract/map.ts'
import { StationStatus } from '../contract/station.ts'
import type { Period } from '../contract/strategy.ts'
import { totalOf } from './income.ts'
import { gunsNow } from './live.ts'

type Where = { lng: number; lat: number }
/** The middle of the city, in GCJ-02. */
const CITY: Where = { lng: 112.232195, lat: 32.095691 }
/** Below this zoom, stations of one cell are one spot. */
const CLUSTERED_BELOW = 12
/** A station with a fifth of its guns free is busy. */
const BUSY_PART = 5

export const calls = serve(map, {
  async queryList({ tx, input: { keyword, free, lng, lat }, at }) {
    const from = lng !== undefined && lat !== undefined ? { lng, lat } : CITY
    const places = await placesOf(tx, { keyword: keyword ?? null, stationId: null }, from, at)
    return places.filter(({ fastFree, slowFree }) => !free || fastFree + slowFree > 0).sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
  },
  async queryMap({ tx, input: { west, south, east, north, zoom }, at }) {
    const within = (value: number, low: number | undefined, high: number | undefined) =>
      (low === undefined || value >= low) && (high === undefined || value <= high)
    const places = await placesOf(tx, { keyword: null, stationId: null }, CITY, at)
    const seen = places.filter(({ gcjLng, gcjLat }) => within(gcjLng, west, east) && within(gcjLat, south, north))
    return zoom === undefined || zoom >= CLUSTERED_BELOW ? seen.map((one) => spotOf([one])) : clustered(seen, zoom)
  },
  async queryMapDetails({ tx, input: { stationId }, at }) {
    const [place] = await placesOf(tx, { keyword: null, stationId }, CITY, at)
    if (!place) throw NotFound()
    const [guns, faults, { orders, billedWh, receivableFen }] = await Promise.all([
      gunsNow(tx, { stationId }, at),
      run(tx, { sql: FAULTS }, [stationId]),
      totalOf(tx, { timeFrom: startOf(dayOf(at)), timeTo: at, stationId }, startOf(dayOf(at)), at),
    ])
    return { ...place, guns, faults, orders, billedWh, receivableFen } as Of<typeof map.queryMapDetails.reply>
  },
  async pileGis({ tx, input }) {
    const rows = await run<Of<typeof PilePlace> & { lng: number | null; lat: number | null }>(tx, { sql: PILES }, [input.parkCode ?? null])
    return rows.map(({ lng, lat, ...row }) => {
      if (lng === null || lat === null) return { ...row, approx: 1 }
      const [gcjLng, gcjLat] = gcoord.transform([lng, lat] as [number, number], gcoord.WGS84, gcoord.GCJ02)
      return { ...row, gcjLng, gcjLat, approx: 0 }
    })
  },
})

/** Every station as a spot of its own. */
export const spotsNow = async (tx: Tx, at: Instant): Promise<Of<typeof Spot>[]> =>
  (await placesOf(tx, { keyword: null, stationId: null }, CITY, at)).map((one) => spotOf([one]))

interface Found extends Omit<Of<typeof Place>, 'state' | 'price' | 'distance'> {
  stationStatus: number
  offline: number
  periods: Of<typeof Period>[] | null
}
async function placesOf(
  tx: Tx,
  { keyword, stationId }: { keyword: string | null; stationId: string | null },
  from: Where,
  at: Instant,
): Promise<Of<typeof Place>[]> {
  const rows = await run<Found>(tx, { sql: PLACES }, [keyword && `%${keyword.replace(/[\\%_]/g, '\\$&')}%`, stationId, at])
  return rows.map(({ stationStatus, offline, periods, ...row }) => {
    const [free, total] = [row.fastFree + row.slowFree, row.fastTotal + row.slowTotal]
    return {
      ...row,
      state: stateOf({ stationStatus, halted: row.dangerNo !== null, offline, free, total }),
      price: priceNow(periods, at),
      distance: metres(from, { lng: row.gcjLng, lat: row.gcjLat }),
    }
  })
}
function stateOf({
  stationStatus,
  halted,
  offline,
  free,
  total,
}: {
  stationStatus: number
  halted: boolean
  offline: number
  free: number
  total: number
}): Of<typeof Place>['state'] {
  if (stationStatus !== StationStatus.inUse) return PlaceState.shut
  if (halted) return PlaceState.halted
  if (total === 0) return PlaceState.bare
  if (offline === total) return PlaceState.offline
  if (free === 0) return PlaceState.full
  return free * BUSY_PART <= total ? PlaceState.busy : PlaceState.free
}
function priceNow(periods: Of<typeof Period>[] | null, at: Instant): Of<typeof Place>['price'] {
  const time = new Date(msOf(at) + CITY_OFFSET_MS).toISOString().slice(11, 16)
  const now = periods?.find(({ from, to }) => from <= time && time < to)
  return now ? { kind: now.kind, elecPriceE4: now.elecPriceE4, servicePriceE4: now.servicePriceE4, until: now.to } : null
}
const EARTH_M = 6_371_000
function metres(a: Where, b: Where): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2
  return Math.round(2 * EARTH_M * Math.asin(Math.sqrt(h)))
}

/** Stations of one cell of the zoom: the fewer cells, the farther one looks from. */
function clustered(places: readonly Of<typeof Place>[], zoom: number): Of<typeof Spot>[] {
  const cell = 90 / 2 ** zoom
  const cells = Map.groupBy(places, ({ gcjLng, gcjLat }) => `${Math.floor(gcjLng / cell)} ${Math.floor(gcjLat / cell)}`)
  return [...cells.values()].map(spotOf)
}
/** What a driver would rather find comes first; a station that had to be stopped is not hidden behind one that is closed. */
const BEST_FIRST = [PlaceState.free, PlaceState.busy, PlaceState.full, PlaceState.halted, PlaceState.offline, PlaceState.shut, PlaceState.bare]
function spotOf(places: readonly Of<typeof Place>[]): Of<typeof Spot> {
  const [first] = places as [Of<typeof Place>]
  const sum = (of: (one: Of<typeof Place>) => number) => places.reduce((all, one) => all + of(one), 0)
  const alone = places.length === 1
  return {
    ...{
      stationId: alone ? first.stationId : null,
      name: alone ? first.stationName : `${first.stationName} +${places.length - 1}`,
      kind: alone ? SpotKind.station : SpotKind.cluster,
      count: places.length,
    },
    ...{ gcjLng: sum(({ gcjLng }) => gcjLng) / places.length, gcjLat: sum(({ gcjLat }) => gcjLat) / places.length },
    ...{ free: sum(({ fastFree, slowFree }) => fastFree + slowFree), total: sum(({ fastTotal, slowTotal }) => fastTotal + slowTotal) },
    state: BEST_FIRST.find((one) => places.some(({ state }) => state === one))!,
  }
}

const FAST = `c.connector_type = ${ConnectorType.dcPlug}`
const FREE = `c.status = ${ConnectorStatus.free}`
const PLACES = `select s.station_id, s.station_name, s.address, s.park_code, s.station_lng as gcj_lng, s.station_lat as gcj_lat, s.station_status, charging.grave_danger(s.enterprise_id, s.station_id) as danger_no,
    (count(*) filter (where ${FAST} and ${FREE}))::int as fast_free, (count(*) filter (where ${FAST}))::int as fast_total,
    (count(*) filter (where c.id is not null and not ${FAST} and ${FREE}))::int as slow_free, (count(*) filter (where c.id is not null and not ${FAST}))::int as slow_total,
    (count(*) filter (where c.status = ${ConnectorStatus.offline}))::int as offline,
    (select y.periods from charging.station_price p join charging.strategy y on y.enterprise_id = p.enterprise_id and y.id = p.strategy_id
      where p.enterprise_id = s.enterprise_id and p.station_id = s.station_id and p.from_at <= $3 and (p.to_at is null or $3 < p.to_at) limit 1) as periods
  from charging.station s left join charging.gun c on c.enterprise_id = s.enterprise_id and c.station_id = s.station_id
  where s.enterprise_id = scope_enterprise() and ($1::text is null or s.station_name ilike $1 or s.address ilike $1) and ($2::text is null or s.station_id = $2)
  group by s.enterprise_id, s.id, s.station_id, s.station_name, s.address, s.park_code, s.station_lng, s.station_lat, s.station_status order by s.station_id limit 2000`
const FAULTS = `select fault_no, connector_id, code, start_at from charging.fault where enterprise_id = scope_enterprise() and station_id = $1
  and state in (${FaultState.waiting}, ${FaultState.dispatched}, ${FaultState.working}) order by level desc, start_at limit 100`
/** Of a pile's guns the one that needs looking at most: faulty, then off line, then taken. */
const WORST_FIRST = [
  ConnectorStatus.faulty,
  ConnectorStatus.offline,
  ConnectorStatus.charging,
  ConnectorStatus.plugged,
  ConnectorStatus.reserved,
  ConnectorStatus.free,
]
const PILES = `select e.equipment_id, e.charge_point_id as device_no, e.park_code, e.lng, e.lat, s.station_lng as gcj_lng, s.station_lat as gcj_lat, coalesce(p.online, false) as online, e.admin_status,
    (select g.status from charging.gun g where g.enterprise_id = e.enterprise_id and g.equipment_id = e.equipment_id order by array_position(array[${WORST_FIRST.join(', ')}], g.status::int) limit 1) as worst
  from charging.equipment e join charging.station s on s.enterprise_id = e.enterprise_id and s.station_id = e.station_id
    left join charging.pile_state p on p.enterprise_id = e.enterprise_id and p.equipment_id = e.equipment_id
  where e.enterprise_id = scope_enterprise() and ($1::text is null or e.park_code = $1) order by e.equipment_id limit 5000`
