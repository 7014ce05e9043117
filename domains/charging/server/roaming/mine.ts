import type { Of } from '../../../../platform/contract/field.ts'
import { impliedColor } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { NotFound } from '../../../../platform/server/refusal.ts'
import { type PhasedContext, phased, serve } from '../../../../platform/server/serve.ts'
import { ConnectorStatus } from '../../contract/connector.ts'
import { mine, type MyRoaming, type MyStation } from '../../contract/mine.ts'
import { PlatformRole, PlatformStatus } from '../../contract/platform.ts'
import { ChargeStatus, StartMode, StopReason } from '../../contract/session.ts'
import { StationStatus } from '../../contract/station.ts'
import { PartnerSaid } from '../../contract/why.ts'
import { lockCharge } from '../charge.ts'
import { stop as endCharge } from '../door.ts'
import { mustBeHeard } from '../doorShown.ts'
import { lockWithMoney } from '../hold.ts'
import { escapedLike, GUNS_MOST, metresBetween, placed, STATIONS_MOST, type Where } from '../near.ts'
import { ownStationsNear } from '../ownStations.ts'
import { ownerOf } from '../questions.ts'
import { askStart } from '../start.ts'
import { startRoaming, stopRoaming } from './drive.ts'
import { bothOf, isSaid } from '../../../../platform/contract/said.ts'

type Mine = Of<typeof MyRoaming>
/** What a charge usually comes to at most; the driver says how much they want to set aside. */
const USUAL_FEN = 10_000

export const calls = serve(mine, {
  ownStations: phased(({ input, actor, at, house }) => house.reading(actor.enterprise, (tx) => ownStationsNear(tx, input, at))),
  begin: phased(async (context) => {
    const {
      input: { connectorId, holdFen, plateNo },
      actor,
      at,
    } = context
    return asHouse(
      context,
      mine.begin.id,
    )(async (tx) => {
      if (plateNo !== undefined) await mustBeTheirs(tx, actor.userId, plateNo)
      await mustBeHeard(tx, connectorId)
      const plateColor = plateNo === undefined ? null : impliedColor(plateNo)
      const { charge } = await askStart(tx, {
        connectorId,
        startMode: StartMode.scan,
        pays: 'stored',
        prepayFen: holdFen,
        ownerId: actor.userId,
        plateNo: plateNo ?? null,
        plateColor,
        at,
      })
      return { orderNo: charge.orderNo, status: charge.status }
    })
  }),
  end: phased(async (context) => {
    const {
      input: { orderNo },
      actor,
      at,
    } = context
    return asHouse(
      context,
      mine.end.id,
    )(async (tx) => {
      const [own] = await run(tx, { sql: OWN_CHARGE }, [orderNo, actor.userId])
      if (!own) throw NotFound()
      await endCharge(tx, await lockWithMoney(tx, orderNo), at)
      return { orderNo, status: (await lockCharge(tx, orderNo)).status }
    })
  }),
  stations: ({ tx, input }) => stationsNear(tx, input),
  charges: ({ tx, actor }) => chargesOf(tx, actor.userId),
  start: phased(async (context) => {
    const {
      input: { platformId, connectorId, plateNo, holdFen = USUAL_FEN },
      actor,
      read,
      house,
    } = context
    const write = asHouse(context, mine.start.id)
    if (plateNo !== undefined) await write((tx) => mustBeTheirs(tx, actor.userId, plateNo))
    const id = await startRoaming(write, house.log, { platformId, connectorId, ownerId: actor.userId, plateNo: plateNo ?? null, holdFen })
    return read((tx) => myCharge(tx, actor.userId, id))
  }),
  stop: phased(async (context) => {
    const {
      input: { id },
      actor,
      read,
    } = context
    await read((tx) => myCharge(tx, actor.userId, id))
    await stopRoaming(asHouse(context, mine.stop.id), id, StopReason.user)
    return read((tx) => myCharge(tx, actor.userId, id))
  }),
})
/** Stored value and partners are no driver's to write to: the house does it, once it is known whose it is. */
const asHouse = ({ actor, asSteps, house }: Pick<PhasedContext<unknown>, 'actor' | 'asSteps' | 'house'>, via: string) =>
  asSteps((work) => house.writing(actor.enterprise, via, work))

const OWN_CHARGE = 'select from charging.charge where enterprise_id = scope_enterprise() and order_no = $1 and owner_id = $2'

async function mustBeTheirs(tx: Tx, ownerId: string, plateNo: string): Promise<void> {
  const [whose] = await ownerOf.ask(tx, { plateNo })
  if (whose?.answer.ownerId !== ownerId) throw NotFound()
}
async function myCharge(tx: Tx, ownerId: string, id: string): Promise<Mine> {
  const [found] = await chargesOf(tx, ownerId, id)
  if (!found) throw NotFound()
  return found
}
async function chargesOf(tx: Tx, ownerId: string, id: string | null = null): Promise<Mine[]> {
  const rows = await run<Omit<Mine, 'why'> & { failReason: string | null }>(tx, { sql: MINE }, [ownerId, id])
  return rows.map(({ failReason, ...one }) => ({ ...one, why: one.status === ChargeStatus.failed ? whyOf(failReason) : null }))
}
/** A partner's own answer may be anything, a line of its log or another language: the console shows that, the driver is told what to do. */
function whyOf(failReason: string | null): Mine['why'] {
  return failReason === null || !isSaid(failReason) || failReason.startsWith(OPAQUE) ? NOT_STARTED : bothOf(failReason)
}
const OPAQUE = PartnerSaid.failed({ code: '' }).slice(0, -1)
const NOT_STARTED = {
  zh: '对方平台未能启动，请换一把充电枪或稍后再试',
  en: 'The partner platform could not start it: try another connector, or try again later',
}
/** Those that run, and the last of the others. */
const MINE = `select id, order_no, platform_name, station_name, connector_id, plate_no, status, fail_reason, start_time, end_time, energy_wh, elec_fen, service_fen, cost_fen, soc, said_at, hold_fen, held, captured_fen,
    released_fen, shortfall_fen, created_at from charging.roaming_shown where enterprise_id = scope_enterprise() and owner_id = $1 and ($2::uuid is null or id = $2) order by created_at desc limit 20`

interface Found extends Omit<Of<typeof MyStation>, 'metres'> {
  stationLng: number
  stationLat: number
}
/** The nearest first, or by name. A station that is shut is not shown. */
async function stationsNear(tx: Tx, { keyword = '', lng, lat }: Where): Promise<Of<typeof MyStation>[]> {
  const here = placed({ lng, lat })
  const rows = await run<Found>(tx, { sql: STATIONS }, [escapedLike(keyword), here?.[0] ?? null, here?.[1] ?? null])
  return rows.map(({ stationLng, stationLat, ...one }) => ({
    ...one,
    metres: here ? Math.round(metresBetween(here, [stationLng, stationLat])) : null,
  }))
}
/** Guns of the number that is looked for come first, then those that can be had. Of so few degrees the earth is flat. */
const STATIONS = `select s.platform_id, s.platform_name, s.station_id, s.station_name, s.address, s.busine_hours, s.park_fee, s.station_lng, s.station_lat, g.free, g.total, g.guns
  from (select s.*, p.name as platform_name, power((s.station_lng - $2::float8) * cos(radians($3::float8)), 2) + power(s.station_lat - $3, 2) as far
    from charging.partner_station s join charging.platform p on p.enterprise_id = s.enterprise_id and p.id = s.platform_id
    where s.enterprise_id = scope_enterprise() and s.station_status = ${StationStatus.inUse} and not p.deleted and p.status = ${PlatformStatus.inUse} and p.role in (${PlatformRole.operator}, ${PlatformRole.both})
      and exists (select from charging.partner_connector c where c.enterprise_id = s.enterprise_id and c.platform_id = s.platform_id and c.station_id = s.station_id
        and ($1 = '' or s.station_name ilike '%' || $1 || '%' or c.connector_id ilike $1 || '%'))
    order by far nulls first, s.station_name, s.station_id limit ${STATIONS_MOST}) s
  cross join lateral (select count(*) filter (where c.can_be_had)::int as free, count(*)::int as total,
      jsonb_agg(jsonb_build_object('connectorId', c.connector_id, 'connectorName', c.connector_name, 'connectorType', c.connector_type, 'power', c.power, 'parkNo', c.park_no, 'status', c.status,
        'statusAt', c.status_at, 'prices', c.prices, 'elecPriceE4', c.elec_price_e4, 'servicePriceE4', c.service_price_e4) order by c.connector_id) filter (where c.n <= ${GUNS_MOST}) as guns
    from (select c.*, c.status in (${ConnectorStatus.free}, ${ConnectorStatus.plugged}) as can_be_had,
        row_number() over (order by ($1 <> '' and c.connector_id ilike $1 || '%') desc, c.status in (${ConnectorStatus.free}, ${ConnectorStatus.plugged}) desc, c.connector_id) as n
      from charging.partner_gun c where c.enterprise_id = scope_enterprise() and c.platform_id = s.platform_id and c.station_id = s.station_id) c) g
  order by s.far nulls first, s.station_name, s.station_id`
