import gcoord from 'gcoord'
import type { Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { type PhasedContext, phased, serve } from '../../../../platform/server/serve.ts'
import { ConnectorStatus } from '../../contract/connector.ts'
import { mine, type MyRoaming, type MyStation } from '../../contract/mine.ts'
import { PlatformRole, PlatformStatus } from '../../contract/platform.ts'
import { StopReason } from '../../contract/session.ts'
import { theHouse } from '../house.ts'
import { ownerOf } from '../questions.ts'
import { startRoaming, stopRoaming } from './drive.ts'

type Mine = Of<typeof MyRoaming>
/** What a charge usually comes to at most; the driver says how much they want to set aside. */
const USUAL_FEN = 10_000

export const calls = serve(mine, {
  stations: ({ tx, input }) => stationsNear(tx, input),
  charges: ({ tx, actor }) => run<Mine>(tx, { sql: MINE }, [actor.userId, null]),
  start: phased(async (context) => {
    const { input: { platformId, connectorId, plateNo, holdFen = USUAL_FEN }, actor, read } = context // prettier-ignore
    const write = asHouse(context, mine.start.id)
    if (plateNo !== undefined) await write((tx) => mustBeTheirs(tx, actor.userId, plateNo))
    const id = await startRoaming(write, { platformId, connectorId, ownerId: actor.userId, plateNo: plateNo ?? null, holdFen })
    return read((tx) => myCharge(tx, actor.userId, id))
  }),
  stop: phased(async (context) => {
    const { input: { id }, actor, read } = context // prettier-ignore
    await read((tx) => myCharge(tx, actor.userId, id))
    await stopRoaming(asHouse(context, mine.stop.id), id, StopReason.user)
    return read((tx) => myCharge(tx, actor.userId, id))
  }),
})
/** Stored value and partners are no driver's to write to: the house does it, once it is known whose it is. */
const asHouse =
  ({ actor }: Pick<PhasedContext<unknown>, 'actor'>, via: string) =>
  <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    theHouse().writing(actor.enterprise, via, work)

async function mustBeTheirs(tx: Tx, ownerId: string, plateNo: string): Promise<void> {
  const [whose] = await ownerOf.ask(tx, { plateNo })
  if (whose?.answer.ownerId !== ownerId) throw NotFound()
}
async function myCharge(tx: Tx, ownerId: string, id: string): Promise<Mine> {
  const [found] = await run<Mine>(tx, { sql: MINE }, [ownerId, id])
  if (!found) throw NotFound()
  return found
}
/** Those that run, and the last of the others. */
const MINE = `select id, order_no, platform_name, station_name, connector_id, plate_no, status, fail_reason, start_time, end_time, energy_wh, elec_fen, service_fen, cost_fen, soc, said_at, hold_fen, held, captured_fen,
    released_fen, shortfall_fen, created_at from charging.roaming_shown where enterprise_id = scope_enterprise() and owner_id = $1 and ($2::uuid is null or id = $2) order by created_at desc limit 20`

type Where = Of<typeof mine.stations.input>
type Gun = Of<typeof MyStation>['guns'][number]
interface Found extends Omit<Of<typeof MyStation>, 'metres' | 'free'> {
  stationLng: number
  stationLat: number
}
const STATIONS_MOST = 50
/** The nearest first, or by name. A station that is shut is not shown. */
async function stationsNear(tx: Tx, { keyword = '', lng, lat }: Where): Promise<Of<typeof MyStation>[]> {
  const rows = await run<Found>(tx, { sql: STATIONS }, [keyword.replaceAll(/[\\%_]/g, '\\$&')])
  const here = lng === undefined || lat === undefined ? undefined : gcoord.transform([lng, lat] as [number, number], gcoord.WGS84, gcoord.GCJ02)
  const shown = rows.map(({ stationLng, stationLat, ...one }) => ({
    ...one,
    metres: here ? Math.round(metresBetween(here, [stationLng, stationLat])) : null,
    free: one.guns.filter(({ status }: Gun) => status === ConnectorStatus.free || status === ConnectorStatus.plugged).length,
  }))
  return shown.sort((a, b) => (a.metres ?? 0) - (b.metres ?? 0) || (a.stationName < b.stationName ? -1 : 1)).slice(0, STATIONS_MOST)
}
const STATIONS = `select g.platform_id, g.platform_name, g.station_id, g.station_name, g.address, g.busine_hours, g.park_fee, g.station_lng, g.station_lat,
    jsonb_agg(jsonb_build_object('connectorId', g.connector_id, 'connectorName', g.connector_name, 'connectorType', g.connector_type, 'power', g.power, 'parkNo', g.park_no, 'status', g.status,
      'statusAt', g.status_at, 'prices', g.prices, 'elecPriceE4', g.elec_price_e4, 'servicePriceE4', g.service_price_e4) order by g.connector_id) as guns
  from charging.partner_gun g join charging.platform p on p.enterprise_id = g.enterprise_id and p.id = g.platform_id
  where g.enterprise_id = scope_enterprise() and g.station_status = 50 and p.status = ${PlatformStatus.inUse} and p.role in (${PlatformRole.operator}, ${PlatformRole.both})
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having $1 = '' or g.station_name ilike '%' || $1 || '%' or bool_or(g.connector_id ilike $1 || '%') limit 2000`

const EARTH_M = 6_371_000
function metresBetween([lng, lat]: number[], [toLng, toLat]: number[]): number {
  const rad = Math.PI / 180
  const [a, b] = [Math.sin(((toLat! - lat!) * rad) / 2), Math.sin(((toLng! - lng!) * rad) / 2)]
  return 2 * EARTH_M * Math.asin(Math.sqrt(a * a + Math.cos(lat! * rad) * Math.cos(toLat! * rad) * b * b))
}
