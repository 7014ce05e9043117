import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { refusal, Stale } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import {
  Load,
  load,
  LoadChange,
  loadChangeSearch,
  LoadEvent,
  type LoadGun,
  LoadMode,
  loadSearch,
  LoadWhy,
  type StationLoad,
} from '../contract/load.ts'
import { Station, stationSearch } from '../contract/station.ts'
import { heldSum, leastLimit, shareOut } from './loadRule.ts'
import { changed, loadMoved } from './loadShare.ts'
import { gunNow, HAS_POWER, type Stand, standsOf } from './loadStand.ts'
import './linkTables.ts'
import './tables.ts'

const LimitTooLow = refusal(
  'charging.limit-too-low',
  41312,
  '上限不能低于 {least} kW：离线和不接受限功率的桩计 {pinned} kW，其余各充电枪的来车预留计 {kept} kW；请先恢复离线的桩或降低来车预留功率',
  'The limit cannot be below {least} kW: piles that are offline or take no limit count {pinned} kW, and the reserves of the other connectors count {kept} kW. Bring offline piles back online or lower the reserve',
  422,
)
const changes = listOver(LoadChange, 'charging.loadChange', loadChangeSearch)
const stations = listOver(Station, 'charging.station', stationSearch, { key: 'stationId' })
const loads = listOver(Load, 'charging.load', loadSearch, { key: 'stationId' })
type Row = Of<typeof Load>
const NEVER: Pick<Row, 'mode' | 'fallbackW' | 'zeroModels'> = { mode: LoadMode.equal, fallbackW: 7_000, zeroModels: [] }

export const calls = serve(load, {
  query: ({ tx, input, at }) => loadsOf(tx, input, at),
  queryPage: ({ tx, input, at }) => gunsOf(tx, input, at),
  export: exporting(load.export, ({ tx, input, at }) => gunsOf(tx, input, at)),
  exportHistory: exporting(load.exportHistory, changes),
  async save({ tx, input: { stationId, version, limitW = null, mode, fallbackW, zeroModels = [] }, actor, at }) {
    const station = await lockRow(tx, stations, { id: stationId })
    const before = (await find(tx, loads, stationId)) && (await lockRow(tx, loads, { id: stationId }))
    if (version !== undefined && (before?.version ?? 0) !== version) throw Stale({ version: before?.version ?? 0, sent: version })
    const wanted = { limitW, mode, fallbackW, zeroModels }
    const stands = await standsOf(tx, stationId)
    if (limitW !== null) mustBeKept(limitW, stands, wanted, at)
    const values = { ...wanted, zeroModels: json(zeroModels) }
    const made = before ? await setRow(tx, loads, before, values, at) : await addRow(tx, loads, { ...values, stationId, parkCode: station.parkCode })
    if (station.limitW !== limitW) await setRow(tx, stations, station, { limitW }, at)
    await changed(tx, made, stands, at, {
      stand: null,
      event: LoadEvent.saved,
      fromW: before?.limitW ?? null,
      toW: limitW,
      why: null,
      byName: actor.userName,
    })
    await loadMoved(tx, { stationId })
    return made
  },
  history: ({ tx, input }) => page(tx, changes, input),
})
/** A page of the stations, each worked out as it is now. */
async function loadsOf(tx: Tx, { stationId, current = 1, limit = PAGE_ROWS }: Of<typeof load.query.input>, at: Instant) {
  const of = [stationId ?? null]
  const found = await run<{ stationId: string; stationName: string; parkCode: string }>(tx, { sql: STATIONS }, [...of, limit, (current - 1) * limit])
  const records: Of<typeof StationLoad>[] = []
  for (const one of found) records.push(await shown(tx, one, at))
  const [all] = await run<{ total: number }>(tx, { sql: `select count(*)::int as total ${FROM_STATIONS}` }, of)
  return { records, total: all!.total, totalExact: true }
}
/** A page of the guns of all stations: only those stations are worked out that it shows some of. */
async function gunsOf(tx: Tx, { stationId, current = 1, limit = PAGE_ROWS }: Of<typeof load.queryPage.input>, at: Instant) {
  const found = await run<{ stationId: string; stationName: string; parkCode: string; guns: number }>(tx, { sql: WITH_GUNS }, [stationId ?? null])
  const [from, to] = [(current - 1) * limit, current * limit]
  const records: Of<typeof LoadGun>[] = []
  let total = 0
  for (const { guns, ...station } of found) {
    const before = total
    total += guns
    if (total > from && before < to) records.push(...(await shown(tx, station, at)).guns.slice(Math.max(0, from - before), to - before))
  }
  return { records, total, totalExact: true }
}
const PAGE_ROWS = 20
const WITH_GUNS = `select s.station_id, s.station_name, s.park_code, count(e.id)::int as guns from charging.station s
    join charging.connector g on g.enterprise_id = s.enterprise_id and g.station_id = s.station_id
    join charging.equipment e on e.enterprise_id = g.enterprise_id and e.equipment_id = g.equipment_id and ${HAS_POWER}
  where s.enterprise_id = scope_enterprise() and ($1::text is null or s.station_id = $1) group by s.station_id, s.station_name, s.park_code order by s.station_name, s.station_id`
const FROM_STATIONS = 'from charging.station where enterprise_id = scope_enterprise() and ($1::text is null or station_id = $1)'
const STATIONS = `select station_id, station_name, park_code ${FROM_STATIONS} order by station_name, station_id limit $2 offset $3`

const kw = (w: number) => (Math.ceil(w / 100) / 10).toFixed(1)
/** A limit that cannot be kept would be a number on a screen. @throws LimitTooLow */
function mustBeKept(limitW: number, stands: readonly Stand[], wanted: Pick<Row, 'fallbackW' | 'zeroModels'>, at: Instant): void {
  const guns = stands.map((stand) => gunNow(stand, wanted, at))
  const least = leastLimit(guns)
  const pinned = heldSum(guns.filter((gun) => gun.pinned !== null))
  if (least > limitW) throw LimitTooLow({ least: kw(least), pinned: kw(pinned), kept: kw(least - pinned) })
}

async function shown(tx: Tx, station: { stationId: string; stationName: string; parkCode: string }, at: Instant): Promise<Of<typeof StationLoad>> {
  const [found] = await run<Row>(
    tx,
    { sql: 'select version, limit_w, mode, fallback_w, zero_models from charging.load where enterprise_id = scope_enterprise() and station_id = $1' },
    [station.stationId],
  )
  const row = found ?? { ...NEVER, version: null, limitW: null }
  const stands = await standsOf(tx, station.stationId)
  const guns = stands.map((stand) => gunNow(stand, row, at))
  const shares = row.limitW === null ? undefined : shareOut(row.limitW, row.mode, guns)
  const { version, limitW, mode, fallbackW, zeroModels } = row
  const rows = stands.map((stand, place): Of<typeof LoadGun> => {
    const gun = guns[place]!
    const share = shares?.get(stand.connectorId)
    const { connectorId, connectorName, equipmentId, online, orderNo, plateNo, since, loadPriority, ratedW, powerW, askedW, unsureW, defaultW } =
      stand
    const agreed = orderNo !== null && stand.shareOrder === orderNo && stand.shareW !== null ? stand.shareW : defaultW
    return {
      ...{ connectorId, connectorName, equipmentId, online, orderNo, plateNo, since, loadPriority, ratedW, powerW },
      ...{ leastW: gun.leastW, shareW: agreed, askedW: askedW ?? unsureW, wantW: share?.wantW ?? ratedW, heldW: gun.heldW },
      why: share?.why ?? LoadWhy.unlimited,
    }
  })
  const heldW = heldSum(guns)
  return {
    ...station,
    version,
    limitW,
    mode,
    fallbackW,
    zeroModels,
    heldW,
    powerW: rows.reduce((sum, one) => sum + (one.powerW ?? 0), 0),
    leastLimitW: leastLimit(guns),
    settled: rows.every((one) => one.askedW === null && (limitW === null ? one.shareW === null : one.heldW === one.wantW)),
    guns: rows,
  }
}
