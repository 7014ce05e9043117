import { plural } from '../../../platform/contract/plural.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import type { Figure } from '../../../platform/contract/figure.ts'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { count, percent } from '../../../platform/web/format.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Fullest, toneOf, Wall, type WallFigure } from '../../../platform/web/draw/Wall.tsx'
import { ROAD, ROAD_BERTHS } from '../../roadside/contract/figures.ts'
import type { RoadPark, RoadResources } from '../../roadside/contract/screen.ts'
import type { RoadWall as Flow } from '../../roadside/contract/wall.ts'
import type { StreetFigures } from '../contract/wall.ts'

const RoadWallCharts = lazy(() => import('./RoadWallCharts.tsx'))
const BERTHS = '/assetManage/roadParking/berth'
const to = (path: string, more: Record<string, string>) => `${path}?${new URLSearchParams(more)}`

interface Props {
  overview: Figures
  /** A call without an answer yet is left out. */
  flow: Of<typeof Flow> | undefined
  resources: Of<typeof RoadResources> | undefined
  districts: readonly Of<typeof RoadPark>[] | undefined
  name?: string
  more?: readonly WallFigure[]
}
/** The street at a glance: which sections are full, what came in today and whether it was paid. */
export function RoadWall({ overview, flow, resources, districts, name, more = [] }: Props) {
  const say = useText()
  const go = useNavigate()
  const [parkCode, setParkCode] = useState<string>()
  const points = useMemo(() => (districts ?? []).flatMap(pointOf), [districts])
  const sections = (flow?.sections ?? []).map(({ sectionCode, name, seats, occupied, free }) => ({
    ...{ key: sectionCode, name, used: Math.round((occupied / seats) * 100) },
    says: say([`余 ${count(free)} / ${count(seats)}`, `${count(free)} of ${count(seats)} free`]),
  }))
  return (
    <Wall title={['路内停车大屏', 'Roadside parking']} name={name} at={overview.at} figures={[...figuresOf(overview, say), ...more]}>
      <div className="wall-body">
        <div className="wall-side">
          <Fullest title={['最紧张的路段', 'Busiest sections']} rows={sections} onOpen={(sectionCode) => void go(to(BERTHS, { sectionCode }))} />
        </div>
        <PlaceMap label={['片区地图', 'District map']} points={points} chosen={parkCode} height="100%" onOpen={setParkCode} />
      </div>
      <Suspense fallback={<Waiting lines={4} />}>{flow && resources && <RoadWallCharts flow={flow} resources={resources} />}</Suspense>
      {parkCode && <District of={districts?.find((one) => one.parkCode === parkCode)} />}
    </Wall>
  )
}

const shown = (figure: Figure, value: string, name = figure.name): WallFigure => ({ name, value, figure, to: listOf(figure) ?? BERTHS })
type Figures = Of<typeof StreetFigures>
function figuresOf(of: Figures, say: ReturnType<typeof useText>): WallFigure[] {
  const off = of.abnormal + of.disabled
  return [
    {
      ...shown(ROAD_BERTHS.seatTotal, count(of.seatTotal), ['泊位', 'Berths']),
      ...(off > 0 && { more: say([`异常 ${of.abnormal}，停用 ${of.disabled}`, `${of.abnormal} abnormal, ${of.disabled} disabled`]) }),
    },
    shown(ROAD_BERTHS.occupied, count(of.occupied), ['占用', 'Occupied']),
    shown(ROAD_BERTHS.free, count(of.free), ['空闲', 'Free']),
    shown(ROAD.orders, count(of.orders)),
    {
      ...shown(ROAD.payRate, percent(of.payRate)),
      more: say([`已缴 ${count(of.paidOrders)}`, `${count(of.paidOrders)} paid`]),
    },
  ]
}

type District = Of<typeof RoadPark>
const takenIn = ({ seatTotal, seatFree }: District) => (seatTotal === 0 ? 0 : Math.round(((seatTotal - seatFree) / seatTotal) * 100))
const pointOf = (of: District): MapPoint[] =>
  of.lng === null || of.lat === null
    ? []
    : [{ id: of.parkCode, name: `${of.name} ${of.seatFree}`, lng: of.lng, lat: of.lat, tone: toneOf(takenIn(of)) }]

/** The district that was pointed at. */
function District({ of }: { of: District | undefined }) {
  const say = useText()
  if (!of) return null
  return (
    <footer>
      <b>{of.name}</b>
      <span>{say([`空闲 ${count(of.seatFree)} / ${count(of.seatTotal)}`, `${count(of.seatFree)} of ${count(of.seatTotal)} free`])}</span>
      <span>{say([`离线设备 ${count(of.offlineDevices)}`, `${count(of.offlineDevices)} ${plural(of.offlineDevices, 'device')} offline`])}</span>
    </footer>
  )
}
