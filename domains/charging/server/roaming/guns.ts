import type { CodeOf, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { ConnectorStatus } from '../../contract/connector.ts'
import type { HeardBy } from '../../contract/partnerStation.ts'
import { PlatformRole, PlatformStatus } from '../../contract/platform.ts'
import type { TheirPrice, TheirState, TheirStation } from '../partnerWire.ts'

/** Partners with stations that we know how to reach. */
export const operatorsOf = async (tx: Tx): Promise<string[]> => (await run<{ id: string }>(tx, { sql: OPERATORS }, [])).map(({ id }) => id)
const OPERATORS = `select id from charging.platform where enterprise_id = scope_enterprise() and not deleted and not built_in and status = ${PlatformStatus.inUse}
  and role in (${PlatformRole.operator}, ${PlatformRole.both}) and base_url is not null and theirs is not null order by id`

/** Stations as they were told. Guns that a station has no more are gone with it; `whole`: so are stations that were not named. */
export async function keepStations(
  tx: Tx,
  platformId: string,
  stations: readonly TheirStation[],
  { whole, at }: { whole: boolean; at: Instant },
): Promise<void> {
  const told = stations.map(({ guns: _, ...station }) => station)
  await run(tx, { sql: STATIONS }, [platformId, JSON.stringify(told), at])
  const guns = stations.flatMap(({ stationId, guns: all }) => all.map((one) => ({ stationId, ...one })))
  await run(tx, { sql: GUNS }, [platformId, JSON.stringify(guns), at])
  await run(tx, { sql: GONE_GUNS }, [platformId, told.map(({ stationId }) => stationId), guns.map(({ connectorId }) => connectorId)])
  if (whole) await run(tx, { sql: GONE_STATIONS }, [platformId, told.map(({ stationId }) => stationId)])
}
const STATIONS = `insert into charging.partner_station (platform_id, station_id, station_name, operator_id, address, service_tel, station_type, station_status, station_lng, station_lat, busine_hours, park_fee, heard_at)
  select $1, s."stationId", s."stationName", s."operatorId", s.address, s."serviceTel", s."stationType", s."stationStatus", s."stationLng", s."stationLat", s."busineHours", s."parkFee", $3
  from jsonb_to_recordset($2::jsonb) s ("stationId" text, "stationName" text, "operatorId" text, address text, "serviceTel" text, "stationType" smallint, "stationStatus" smallint, "stationLng" double precision,
    "stationLat" double precision, "busineHours" text, "parkFee" text) order by 2
  on conflict (enterprise_id, platform_id, station_id) do update set station_name = excluded.station_name, operator_id = excluded.operator_id, address = excluded.address, service_tel = excluded.service_tel,
    station_type = excluded.station_type, station_status = excluded.station_status, station_lng = excluded.station_lng, station_lat = excluded.station_lat, busine_hours = excluded.busine_hours,
    park_fee = excluded.park_fee, heard_at = excluded.heard_at`
const GUNS = `insert into charging.partner_connector (platform_id, station_id, equipment_id, connector_id, connector_name, connector_type, power, park_no, heard_at)
  select $1, g."stationId", g."equipmentId", g."connectorId", g."connectorName", g."connectorType", g.power, g."parkNo", $3
  from jsonb_to_recordset($2::jsonb) g ("stationId" text, "equipmentId" text, "connectorId" text, "connectorName" text, "connectorType" smallint, power double precision, "parkNo" text) order by 4
  on conflict (enterprise_id, platform_id, connector_id) do update set station_id = excluded.station_id, equipment_id = excluded.equipment_id, connector_name = excluded.connector_name,
    connector_type = excluded.connector_type, power = excluded.power, park_no = excluded.park_no, heard_at = excluded.heard_at`
const GONE_GUNS =
  'delete from charging.partner_connector where enterprise_id = scope_enterprise() and platform_id = $1 and station_id = any($2) and connector_id <> all($3)'
const GONE_STATIONS = 'delete from charging.partner_station where enterprise_id = scope_enterprise() and platform_id = $1 and station_id <> all($2)'

/** States of guns; an older word never takes the place of a newer one, and of a gun that we do not know nothing is kept. @returns how many guns we know of them */
export async function keepStates(
  tx: Tx,
  platformId: string,
  states: readonly TheirState[],
  { by, at }: { by: CodeOf<typeof HeardBy>; at: Instant },
): Promise<number> {
  const [known] = await run<{ n: number }>(tx, { sql: STATES }, [platformId, JSON.stringify(states), by, at])
  return known!.n
}
const STATES = `with told as (select * from jsonb_to_recordset($2::jsonb) s ("connectorId" text, status smallint, "parkStatus" smallint, "lockStatus" smallint)),
  kept as (update charging.partner_connector c set status = t.status, park_status = t."parkStatus", lock_status = t."lockStatus", heard_by = $3, status_at = $4
    from told t where c.enterprise_id = scope_enterprise() and c.platform_id = $1 and c.connector_id = t."connectorId" and (c.status_at is null or c.status_at <= $4))
  select count(*)::int as n from charging.partner_connector c join told t on t."connectorId" = c.connector_id where c.enterprise_id = scope_enterprise() and c.platform_id = $1`

export const keepPrices = (tx: Tx, platformId: string, connectorId: string, prices: readonly TheirPrice[], at: Instant): Promise<unknown> =>
  run(tx, { sql: PRICES }, [platformId, connectorId, JSON.stringify(prices), at])
const PRICES =
  'update charging.partner_connector set prices = $3, priced_at = $4, price_asked_at = $4 where enterprise_id = scope_enterprise() and platform_id = $1 and connector_id = $2'

/** Guns whose prices were not asked for, or so long ago that they are asked for again; the longest ago first, so that those that get no answer keep no others from theirs. */
export const takeUnpriced = async (
  tx: Tx,
  platformId: string,
  { before, most, at }: { before: Instant; most: number; at: Instant },
): Promise<string[]> =>
  (await run<{ connectorId: string }>(tx, { sql: UNPRICED }, [platformId, before, most, at])).map(({ connectorId }) => connectorId)
const UNPRICED = `update charging.partner_connector set price_asked_at = $4 where enterprise_id = scope_enterprise() and id = any(array(
    select id from charging.partner_connector where enterprise_id = scope_enterprise() and platform_id = $1 and (price_asked_at is null or price_asked_at < $2)
    order by price_asked_at nulls first, connector_id limit $3 for update)) returning connector_id`
export const stationsKept = async (tx: Tx, platformId: string): Promise<string[]> =>
  (
    await run<{ stationId: string }>(
      tx,
      { sql: 'select station_id from charging.partner_station where enterprise_id = scope_enterprise() and platform_id = $1 order by station_id' },
      [platformId],
    )
  ).map(({ stationId }) => stationId)

export interface GunOfPartner {
  stationId: string
  stationName: string
  power: number
  status: CodeOf<typeof ConnectorStatus>
}
/** A gun at a partner whose stations are open to our drivers now. */
export const gunOfPartner = async (tx: Tx, platformId: string, connectorId: string): Promise<GunOfPartner | undefined> =>
  (await run<GunOfPartner>(tx, { sql: GUN }, [platformId, connectorId]))[0]
const GUN = `select c.station_id, s.station_name, c.power, c.status from charging.partner_connector c
    join charging.partner_station s on s.enterprise_id = c.enterprise_id and s.platform_id = c.platform_id and s.station_id = c.station_id
  where c.enterprise_id = scope_enterprise() and c.platform_id = $1 and c.connector_id = $2 and c.platform_id in (${OPERATORS.replace(' order by id', '')})`
