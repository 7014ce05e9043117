import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { holdRegion } from '../../system/server/api.ts'
import { AdminStatus, PileProtocol } from '../contract/pile.ts'
import { Station, station, type StationOpening, StationRow, stationRowSearch, stationCan, stationSearch, StationStatus } from '../contract/station.ts'
import { OPEN } from './charge.ts'
import { BY_CERTIFICATE } from './link.ts'
import { placed } from './near.ts'
import { giveStations } from './strategy.ts'
import './tables.ts'

const OpenCharges = refusal(
  'charging.station-busy',
  41321,
  '还有进行中的充电订单，不能关闭；请待充电结束后再关闭',
  'Sessions are still in progress at the station: it cannot be closed: close it once they have ended',
)
const stations = listOver(Station, 'charging.station', stationSearch)
const shown = listOver(StationRow, 'charging.stationRow', stationRowSearch)
type Row = Of<typeof Station>

export const calls = serve(station, {
  tableList: ({ tx, input }) => page(tx, shown, input),
  export: exporting(station.export, shown),
  async detail({ tx, input }) {
    const [found] = await run<Of<typeof StationOpening>>(tx, { sql: OPENING }, [input.stationId])
    if (!found) throw NotFound()
    return found
  },
  list: ({ tx }) =>
    run(
      tx,
      {
        sql: 'select station_id, station_name, operator_id, park_code, station_status, region_code from charging.station where enterprise_id = scope_enterprise() order by station_name',
      },
      [],
    ),
  async save({ tx, input: { id, version, stationId, operatorId, parkCode, stationStatus, strategyId, lng, lat, ...said }, at }) {
    const found = id ? await lockRow(tx, stations, { id, version }) : undefined
    if (!found && !(stationId && operatorId && parkCode))
      throw BadInput({ zh: '请填写充电站 ID、运营商和车场', en: 'enter the station id, operator and car park' })
    const changes = { ...said, ...placeOf(found, { lng, lat }) }
    const isHalf = (lng === undefined) !== (lat === undefined)
    if (isHalf || (!found && (changes.stationLng === undefined || changes.stationLat === undefined)))
      throw BadInput({ zh: '请填写经度和纬度', en: 'enter the longitude and the latitude' })
    if (changes.regionCode !== found?.regionCode) await holdRegion(tx, changes.regionCode)
    const made = found
      ? await setRow(
          tx,
          stations,
          found,
          { ...changes, ...(stationStatus !== undefined && { stationStatus: await moved(tx, found, stationStatus) }) },
          at,
        )
      : await addRow(tx, stations, {
          stationId: stationId!,
          operatorId: operatorId!,
          parkCode: parkCode!,
          stationStatus: stationStatus ?? StationStatus.building,
          ...changes,
        } as never)
    if (strategyId && strategyId !== (await find(tx, shown, made.id))?.strategyId) await giveStations(tx, strategyId, [made.stationId], at)
    return made
  },
})

/** There and back a place moves by less than this: what nobody changed stays to the last digit. */
const SAME_DEGREES = 0.000002
/** A place that somebody typed, in the datum in which stations are told to partners. */
function placeOf(
  found: Row | undefined,
  { lng, lat }: { lng?: number | undefined; lat?: number | undefined },
): Partial<Pick<Row, 'stationLng' | 'stationLat'>> {
  const place = placed({ lng, lat })
  if (!place) return {}
  const [stationLng, stationLat] = place.map((degrees) => Number(degrees.toFixed(6))) as [number, number]
  const same = found && Math.max(Math.abs(found.stationLng - stationLng), Math.abs(found.stationLat - stationLat)) < SAME_DEGREES
  return same ? {} : { stationLng, stationLat }
}

const FIELDS = shown.columns.map((name) => `r.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)
/** Scrapped piles are none any more; one that partners' platforms speak for needs no secret of ours. */
const OPENING = `select ${FIELDS.join(', ')}, p.*
  from charging.station_row r cross join lateral (
    select count(*)::int as piles, (count(*) filter (where e.admin_status = ${AdminStatus.enabled}))::int as enabled_piles,
      (count(*) filter (where l.has_secret or e.security_profile = ${BY_CERTIFICATE} or e.protocol = ${PileProtocol.platform}))::int as keyed_piles, (count(*) filter (where l.online))::int as online_piles
    from charging.equipment e join charging.pile_link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id
    where e.enterprise_id = r.enterprise_id and e.station_id = r.station_id and e.admin_status <> ${AdminStatus.scrapped}) p
  where r.enterprise_id = scope_enterprise() and r.station_id = $1`

/** A region in which a station of any enterprise stands stays: the answer to `system.regionHeld`. */
export async function stationsHold(tx: Tx, { code }: { code: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ used: boolean }>(tx, { sql: 'select charging.region_is_used($1) as used' }, [code])
  return found?.used ? { zh: '有充电站位于该区划', en: 'a charging station stands in this region' } : undefined
}

/** @throws IllegalMove, OpenCharges */
async function moved(tx: Tx, { stationId, stationStatus }: Row, to: Row['stationStatus']): Promise<Row['stationStatus']> {
  if (to === stationStatus) return to
  if (!Object.values(stationCan).some((move) => move(stationStatus) === to)) throw IllegalMove({ stationStatus })
  if (to !== StationStatus.closed) return to
  const [open] = await run(
    tx,
    { sql: `select 1 from charging.charge where enterprise_id = scope_enterprise() and station_id = $1 and status in (${OPEN}) limit 1` },
    [stationId],
  )
  if (open) throw OpenCharges()
  return to
}
