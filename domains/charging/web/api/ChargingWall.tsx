import gcoord from 'gcoord'
import { useMemo } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import type { Figure, Listed } from '../../../../platform/contract/figure.ts'
import { Chart } from '../../../../platform/web/draw/Chart.tsx'
import { listOf } from '../../../../platform/web/draw/Explain.tsx'
import { count, percent } from '../../../../platform/web/format.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { Fullest, Wall, type WallFigure } from '../../../../platform/web/draw/Wall.tsx'
import { ConnectorStatus } from '../../contract/connector.ts'
import { CHARGED, GUNS, USED } from '../../contract/figures.ts'
import type { ChargingWall as Shown } from '../../contract/wall.ts'
import { kw, kwh, PLACE_TONES } from '../figures.ts'

const HEIGHT_PX = 200

/** How the guns of the district are used: what is free, what is drawn, and where most. */
export function ChargingWall({ of, name, more = [] }: { of: Of<typeof Shown>; name?: string; more?: readonly WallFigure[] }) {
  const say = useText()
  const { figures, hours, best, used, spots } = of
  const points = useMemo(() => spots.map(pointOf), [spots])
  const series = useMemo(
    () => [
      { name: ['今日', 'Today'] as const, values: hours.map(({ powerW }) => powerW), running: true },
      { name: ['昨日', 'Yesterday'] as const, values: hours.map(({ powerBeforeW }) => powerBeforeW), beside: 'dashed' as const },
    ],
    [hours],
  )
  const busy = used.map(({ stationId, name, timeUse }) => ({ key: stationId, name, says: percent(timeUse), used: timeUse / 10 }))
  return (
    <Wall title={['充电大屏', 'Charging']} name={name} at={of.at} figures={[...figuresOf(figures, say), ...more]}>
      <div className="wall-body">
        <div className="wall-side">
          <Fullest title={[`时间利用率 ${percent(figures.timeUse)}`, `Time utilisation ${percent(figures.timeUse)}`]} rows={busy} onOpen={() => {}} />
        </div>
        <PlaceMap label={['充电站地图', 'Map of stations']} points={points} height="100%" />
      </div>
      <div className="wall-charts">
        <Chart
          kind="line"
          title={['每小时平均功率（kW）', 'Average power per hour (kW)']}
          figures={[USED.meanW]}
          label={['每小时平均功率', 'Average power per hour']}
          by={['小时', 'Hour']}
          height={HEIGHT_PX}
          categories={hours.map(({ hour }) => `${hour}:00`)}
          series={series}
          written={kw}
        />
        <Chart
          kind="rank"
          title={['今日计费电量前十站点（度）', 'Top ten stations by energy billed today (kWh)']}
          figures={[CHARGED.billedWh]}
          label={['今日计费电量', 'Energy billed today']}
          by={['充电站', 'Station']}
          height={HEIGHT_PX}
          categories={best.map(({ name }) => name)}
          series={[{ name: CHARGED.billedWh.name, values: best.map(({ wh }) => wh) }]}
          written={kwh}
          empty={['今日还没有账单', 'Nothing billed yet today']}
        />
      </div>
    </Wall>
  )
}
const pointOf = ({ name, gcjLng, gcjLat, free, total, state }: Of<typeof Shown>['spots'][number]): MapPoint => {
  const [lng, lat] = gcoord.transform([gcjLng, gcjLat] as [number, number], gcoord.GCJ02, gcoord.WGS84)
  return { id: name, name: `${name} ${free}/${total}`, lng, lat, tone: PLACE_TONES[state] }
}

const shown = (figure: Figure<Listed>, value: string, name: Text = figure.name): WallFigure => ({
  name,
  value,
  figure,
  to: listOf(figure) ?? figure.opens.path,
})
function figuresOf(of: Of<typeof Shown>['figures'], say: Say): WallFigure[] {
  return [
    shown(GUNS.total, count(of.connectors), ['充电枪', 'Connectors']),
    shown(GUNS.free, count(of.free)),
    shown(GUNS.charging, count(of.charging), ['充电中', 'Charging']),
    {
      ...{ name: ['故障 / 离线', 'Faulty / offline'], value: `${count(of.faulty)} / ${count(of.offline)}` },
      to: `${GUNS.faulty.opens.path}?status=${ConnectorStatus.faulty},${ConnectorStatus.offline}`,
    },
    { ...shown(CHARGED.billedWh, kwh(of.wh), ['今日计费电量', 'Energy billed today']), more: say(['度', 'kWh']) },
    shown(USED.cars, count(of.cars), ['今日车辆', 'Cars today']),
  ]
}
