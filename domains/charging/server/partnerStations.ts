import type { Instant, Of } from '../../../platform/contract/field.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Connector, type Gun } from '../contract/connector.ts'
import { AdminStatus, Equipment } from '../contract/pile.ts'
import { PlatformRole, PlatformStatus } from '../contract/platform.ts'
import { Station } from '../contract/station.ts'
import type { Period } from '../contract/strategy.ts'
import { type Place, placeOf, tableAt } from './charge.ts'
import { pricesFor } from './platformReduce.ts'
import { energyOfGuns } from './usage.ts'

/** A station as a partner may know it. */
export type OpenStation = Of<typeof Station> & { piles: (Of<typeof Equipment> & { guns: Of<typeof Connector>[] })[] }

/** What is open to a partner, and no other station's name. */
const OPEN_TO = `s.enterprise_id = scope_enterprise() and s.station_id in (select unnest(p.open_stations) from charging.platform p where p.enterprise_id = scope_enterprise() and p.id = $1)`

/** Stations that are open to a partner and changed since, they or anything that stands there; a page of them. */
export async function openStations(
  tx: Tx,
  { platformId, since, page, size }: { platformId: string; since: Instant | null; page: number; size: number },
): Promise<{ total: number; stations: OpenStation[] }> {
  const [{ total }] = (await run<{ total: number }>(tx, { sql: HOW_MANY }, [platformId, since])) as [{ total: number }]
  const stations = await run<Of<typeof Station>>(tx, { sql: STATIONS }, [platformId, since, size, (page - 1) * size])
  const ids = [stations.map(({ stationId }) => stationId)]
  const [piles, guns] = await Promise.all([run<Of<typeof Equipment>>(tx, { sql: PILES }, ids), run<Of<typeof Connector>>(tx, { sql: GUNS }, ids)])
  const gunsOf = Map.groupBy(guns, ({ equipmentId }) => equipmentId)
  const pilesOf = Map.groupBy(piles, ({ stationId }) => stationId)
  const withGuns = (pile: Of<typeof Equipment>) => ({ ...pile, guns: gunsOf.get(pile.equipmentId) ?? [] })
  return { total, stations: stations.map((one) => ({ ...one, piles: (pilesOf.get(one.stationId) ?? []).map(withGuns) })) }
}
/** A station that was opened to the partner later counts as changed then. */
const CHANGED = `from charging.station s where ${OPEN_TO} and ($2::timestamptz is null or s.updated_at > $2
    or exists (select from charging.platform p where p.enterprise_id = s.enterprise_id and p.id = $1 and p.updated_at > $2)
    or exists (select from charging.equipment e where e.enterprise_id = s.enterprise_id and e.station_id = s.station_id and e.updated_at > $2)
    or exists (select from charging.connector c where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id and c.updated_at > $2))`
const HOW_MANY = `select count(*)::int as total ${CHANGED}`
const STATIONS = `select ${columnsIn(Station)} ${CHANGED} order by s.station_id limit $3 offset $4`
const PILES = `select ${columnsIn(Equipment)} from charging.equipment where enterprise_id = scope_enterprise() and station_id = any($1) and admin_status <> ${AdminStatus.scrapped} order by equipment_id`
const GUNS = `select ${columnsIn(Connector)} from charging.connector where enterprise_id = scope_enterprise() and station_id = any($1) order by connector_id`

export type OpenGun = Pick<Of<typeof Gun>, 'connectorId' | 'stationId' | 'status' | 'parkStatus' | 'lockStatus'>
/** These guns, or those of these stations, as they are now, as far as they are open to the partner. */
export const openGuns = (
  tx: Tx,
  platformId: string,
  { stationIds = null, connectorId = null }: { stationIds?: readonly string[] | null; connectorId?: string | null },
): Promise<OpenGun[]> => run(tx, { sql: STATES }, [platformId, stationIds, connectorId])
const STATES = `select g.connector_id, g.station_id, g.status, g.park_status, g.lock_status from charging.gun g join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id
  where ${OPEN_TO} and ($2::text[] is null or g.station_id = any($2)) and ($3::text is null or g.connector_id = $3) order by g.station_id, g.connector_id`

/** Where a gun is, if its station is open to the partner. */
export async function openPlace(tx: Tx, platformId: string, connectorId: string): Promise<Place | undefined> {
  const [found] = await run<object>(tx, { sql: IS_OPEN }, [platformId, connectorId])
  return found && placeOf(tx, connectorId)
}
const IS_OPEN = `select 1 from charging.connector g join charging.station s on s.enterprise_id = g.enterprise_id and s.station_id = g.station_id where ${OPEN_TO} and g.connector_id = $2`

export type PriceRun = Pick<Of<typeof Period>, 'from' | 'elecPriceE4' | 'servicePriceE4'>
/** What a partner's drivers pay at a station through the day, each run of one price once: what is said here is what is billed. */
export async function openPrices(tx: Tx, platformId: string, stationId: string, at: Instant): Promise<PriceRun[] | undefined> {
  const table = await tableAt(tx, stationId, at)
  if (!table) return undefined
  const periods = await pricesFor(tx, { platformId, stationId, periods: table.periods, at })
  const alike = (a: PriceRun, b: PriceRun) => a.elecPriceE4 === b.elecPriceE4 && a.servicePriceE4 === b.servicePriceE4
  return periods.filter((one, place) => place === 0 || !alike(one, periods[place - 1]!))
}

/** What each gun of an open station gave between two moments. */
export async function openEnergy(
  tx: Tx,
  { platformId, stationId, from, to, at }: { platformId: string; stationId: string; from: Instant; to: Instant; at: Instant },
): Promise<{ equipmentId: string; connectorId: string; wh: number }[] | undefined> {
  const [open] = await run<object>(tx, { sql: `select 1 from charging.station s where ${OPEN_TO} and s.station_id = $2` }, [platformId, stationId])
  return open && energyOfGuns(tx, { stationId, from, to, at })
}

/** The partners that hear of a gun's state: they have drivers, its station is open to them, and we know how to reach them. */
export const partnersAt = async (tx: Tx, connectorId: string): Promise<string[]> =>
  (await run<{ id: string }>(tx, { sql: WATCHING }, [connectorId])).map(({ id }) => id)
const REACHED = `p.enterprise_id = scope_enterprise() and not p.deleted and not p.built_in and p.status = ${PlatformStatus.inUse} and p.role in (${PlatformRole.demand}, ${PlatformRole.both})
    and p.base_url is not null and p.theirs is not null`
const WATCHING = `select p.id from charging.platform p join charging.connector c on c.enterprise_id = p.enterprise_id and c.connector_id = $1 and c.station_id = any(p.open_stations)
  where ${REACHED}`
/** Whether anybody hears of guns at all. */
export const hasPartners = async (tx: Tx): Promise<boolean> =>
  (await run(tx, { sql: `select 1 from charging.platform p where ${REACHED} limit 1` }, [])).length > 0
