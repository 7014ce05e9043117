import type { Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { onlyFields } from '../../../platform/server/row.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { type ChargingFigures, type ChargingWall, WallSpot } from '../contract/wall.ts'
import { bestOf, carsOf, gunsByStatus, sumOf } from './data.ts'
import { spotsNow } from './map.ts'
import { energyByHour, operations } from './usage.ts'

const EVERYWHERE = {}
const HOURS = 24
const HOUR_MS = 3_600_000
/** More bars nobody reads from across a room. */
const SHOWN = 10
const onMap = onlyFields(WallSpot)

/** Charging as a wall shows it, of the parks of whoever looks: the figures of the console's charging screen. */
export async function chargingWallOf(tx: Tx, at: Instant): Promise<Of<typeof ChargingWall>> {
  const from = startOf(dayOf(at))
  const [byStatus, today, { cars }, used, energy, best, spots] = await Promise.all([
    gunsByStatus(tx, EVERYWHERE),
    sumOf(tx, EVERYWHERE, from, at),
    carsOf(tx, EVERYWHERE, from, at),
    operations(tx, { timeFrom: from, timeTo: at }, at),
    energyByHour(tx, instantAt(msOf(from) - DAY_MS), at),
    bestOf(tx, EVERYWHERE, from, at, 'billed_wh'),
    spotsNow(tx, at),
  ])
  const guns = (...states: number[]) => byStatus.reduce((sum, { status, count }) => sum + (states.includes(status) ? count : 0), 0)
  const minutes = (of: 'chargingMin' | 'inUseMin') => used.reduce((sum, one) => sum + one[of], 0)
  const figures: Of<typeof ChargingFigures> = {
    connectors: byStatus.reduce((sum, { count }) => sum + count, 0),
    free: guns(ConnectorStatus.free),
    charging: guns(ConnectorStatus.charging),
    faulty: guns(ConnectorStatus.faulty),
    offline: guns(ConnectorStatus.offline),
    wh: today.wh,
    cars,
    timeUse: permilleOf(minutes('chargingMin'), minutes('inUseMin')),
  }
  const now = Math.floor((msOf(at) - msOf(from)) / HOUR_MS)
  const powerIn = (hour: number) => energy.find((one) => one.hour === hour)?.wh ?? 0
  return {
    ...{ at, figures },
    // A watt hour within an hour is a watt on average.
    hours: Array.from({ length: HOURS }, (_, hour) => ({
      hour,
      powerW: hour <= now ? powerIn(HOURS + hour) : null,
      powerBeforeW: powerIn(hour),
    })),
    best: best.map(({ stationId, name, wh }) => ({ stationId, name, wh })),
    used: used
      .flatMap(({ stationId, name, timeUse }) => (timeUse === null ? [] : [{ stationId, name, timeUse }]))
      .sort((a, b) => b.timeUse - a.timeUse)
      .slice(0, SHOWN),
    spots: spots.map(onMap),
  }
}
/** What a wall shows of charging where its link says that it shows money: billed today so far. */
export async function chargingMoneyOf(tx: Tx, at: Instant) {
  const { receivableFen, netFen } = await sumOf(tx, EVERYWHERE, startOf(dayOf(at)), at)
  return { receivableFen, netFen }
}
