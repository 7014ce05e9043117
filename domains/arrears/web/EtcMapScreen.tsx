import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { percent } from '../../../platform/web/format.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money, State } from '../../../platform/web/value.tsx'
import { etc as antenna, EtcStatus } from '../../device/contract/etc.ts'
import { park } from '../../parking/contract/park.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import { etc, type EtcFigures, type EtcPark, EtcState } from '../contract/etc.ts'
import { ENDED, ETC, TAKEN } from '../contract/figures.ts'
import { deductsIn, type EtcWithin, passagesIn } from './lists.ts'

type Place = Of<typeof EtcPark>
const MAP_PX = 460

/** Where ETC stands, and how it does: over all parks, or one that is chosen on the map. */
export default function EtcMapScreen() {
  const [chosen, setChosen] = useState<string>()
  const [days, setDays] = useState<[string, string]>()
  const within = days ? { dayFrom: days[0] as Day, dayTo: days[1] as Day } : {}
  const all = useQuery(asks(etc.overview, within))
  const one = useQuery({ ...asks(etc.overview, { ...within, parkCode: chosen ?? '' }), enabled: chosen !== undefined })
  const places = useQuery(asks(park.queryPage, { limit: 500, queryMode: 'rows' }, { quiet: true }))
  if (all.error) return <Failed error={all.error as Refusal} retry={() => void all.refetch()} />
  if (!all.data) return <Waiting />
  const at = new Map(all.data.parks.map((row) => [row.parkCode, row]))
  const points = (places.data?.records ?? []).flatMap(({ parkCode, name, lng, lat }): MapPoint[] => {
    const here = at.get(parkCode)
    return here && lng !== null && lat !== null ? [{ id: parkCode, name, lng, lat, tone: here.online === here.antennas ? 'success' : 'error' }] : []
  })
  const shown = chosen === undefined ? all.data : (one.data ?? all.data)
  return (
    <div className="list">
      <PageHead
        purpose={[
          'ETC 车道分布与扣费情况；点选车场看该车场',
          'ETC lanes on the map and their deductions; choose a car park to see that car park only',
        ]}
      />
      <DateRange plain value={days ?? null} onChange={(next) => setDays(next ? [String(next[0]), String(next[1])] : undefined)} />
      <Figures of={shown} within={{ ...within, parkCode: one.data && chosen }} />
      <PlaceMap
        label={['ETC地图', 'ETC map']}
        points={points}
        chosen={chosen}
        height={MAP_PX}
        onOpen={(id) => setChosen(id === chosen ? undefined : id)}
      />
      <Places of={all.data.parks} />
      {chosen !== undefined && can(antenna.query.needs) && <Antennas of={chosen} />}
    </div>
  )
}

/** Each leads to the list of what it counts: of the same park and days. */
export function Figures({ of, within }: { of: Of<typeof EtcFigures>; within: EtcWithin }) {
  return (
    <Tiles label={['ETC 概况', 'ETC overview']}>
      <Tile figure={ETC.attempts} value={of.attempts} to={deductsIn(within)} />
      <Tile
        figure={ETC.successRate}
        value={percent(of.successRate)}
        to={deductsIn(
          within,
          ENDED.filter((state) => state !== EtcState.unknown),
        )}
      />
      <Tile figure={ETC.successFen} value={<Money fen={of.successFen} />} to={deductsIn(within, TAKEN)} />
      <Tile figure={ETC.escapedFen} value={<Money fen={of.escapedFen} />} to={passagesIn(within)} />
      <Tile figure={ETC.recoverRate} value={percent(of.recoverRate)} to={passagesIn(within)} />
      <Tile figure={ETC.unknown} value={of.unknown} tone={of.unknown > 0 && 'warning'} to={deductsIn(within, [EtcState.unknown])} />
    </Tiles>
  )
}

const HEADS: readonly Text[] = [
  ['车场', 'Car park'],
  ['天线', 'Antennas'],
  ['在线', 'Online'],
  ['扣费次数', 'Attempts'],
  ['成功金额', 'Amount deducted'],
]
function Places({ of }: { of: readonly Place[] }) {
  const say = useText()
  if (of.length === 0)
    return (
      <p className="faint">
        {say(['还没有 ETC 设备：在设备管理中登记天线后在此显示', 'No ETC devices yet: antennas registered under devices are shown here'])}
      </p>
    )
  return (
    <table className="lines">
      <thead>
        <tr>
          {HEADS.map((head, at) => (
            <th key={head[1]} className={at > 0 ? 'right' : undefined}>
              {say(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.map((row) => (
          <tr key={row.parkCode}>
            <td>
              <ParkName code={row.parkCode} />
            </td>
            <td className="right">{row.antennas}</td>
            <td className="right">{row.online}</td>
            <td className="right">{row.attempts}</td>
            <td className="right">
              <Money fen={row.successFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The antennas of a park, as they are heard of. */
function Antennas({ of }: { of: string }) {
  const { data } = useQuery(asks(antenna.query, { parkCode: of, limit: 100 }, { quiet: true }))
  return (
    <table className="lines">
      <tbody>
        {data?.records.map((row) => (
          <tr key={row.id}>
            <td>{row.laneNo}</td>
            <td>{row.deviceNo}</td>
            <td>
              <State dictionary={EtcStatus} value={row.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
