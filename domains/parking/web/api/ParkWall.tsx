import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import type { Figure } from '../../../../platform/contract/figure.ts'
import { listOf } from '../../../../platform/web/draw/Explain.tsx'
import { count, nearTime } from '../../../../platform/web/format.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { Fullest, toneOf, Wall, type WallFigure } from '../../../../platform/web/draw/Wall.tsx'
import { TRAFFIC } from '../../contract/figures.ts'
import { Direction } from '../../contract/gate.ts'
import type { FlowHour, ParkMove, ParkPoint } from '../../contract/screen.ts'
import { CarKind } from '../../contract/stay.ts'

type Row = Of<typeof ParkPoint>
const FlowChart = lazy(() => import('./FlowChart.tsx'))
const FLOW_PX = 180
const FULLEST = 12
const usedIn = ({ totalBays, remainingBays }: Row) =>
  totalBays === 0 ? 0 : Math.min(100, Math.max(0, Math.round(((totalBays - remainingBays) / totalBays) * 100)))
const sumOf = (rows: readonly Row[], field: 'totalBays' | 'presentCount' | 'remainingBays' | 'entriesToday' | 'exitsToday') =>
  rows.reduce((sum, row) => sum + row[field], 0)

interface Props {
  rows: readonly Row[]
  /** Left out until it is answered. */
  flow: readonly Of<typeof FlowHour>[] | undefined
  moves: readonly Of<typeof ParkMove>[] | undefined
  /** When they were taken. */
  at: string
  name?: string
  more?: readonly WallFigure[]
  /** Shown below, about the park that is pointed at. */
  children?: (of: Row) => ReactNode
}
/** How full the district is, which parks are, and where. */
export function ParkWall({ rows, flow, moves, at, name, more = [], children }: Props) {
  const say = useText()
  const [parkCode, setParkCode] = useState<string>()
  const points = useMemo(() => rows.filter(hasPlace).map(pointOf), [rows])
  const pointedAt = rows.find((one) => one.parkCode === parkCode)
  return (
    <Wall title={['停车场大屏', 'Car parks']} name={name} at={at} figures={[...figuresOf(rows), ...more]}>
      <div className="wall-body">
        <Fullest title={['占用率最高的车场', 'Highest occupancy']} rows={fullest(rows, say)} onOpen={setParkCode} />
        <PlaceMap label={['车场地图', 'Car park map']} points={points} chosen={parkCode} height="100%" onOpen={setParkCode} />
      </div>
      <div className="wall-charts">
        <Suspense fallback={<Waiting lines={4} />}>
          {flow && <FlowChart hours={flow} title={['每小时进出', 'Entries and exits per hour']} height={FLOW_PX} />}
        </Suspense>
        {moves && <LastMoves of={moves} />}
      </div>
      {pointedAt && children?.(pointedAt)}
    </Wall>
  )
}
/** The last cars in and out: strangers read a wall, so place and kind only, and no plate. */
function LastMoves({ of }: { of: readonly Of<typeof ParkMove>[] }) {
  const say = useText()
  return (
    <section>
      <h3>{say(['最近进出', 'Latest entries and exits'])}</h3>
      {of.length === 0 ? (
        <Nothing>{say(['还没有车辆进出', 'No car has come or left yet'])}</Nothing>
      ) : (
        <table className="wall-moves">
          <thead>
            <tr>
              <th>{say(['时间', 'Time'])}</th>
              <th>{say(['进出', 'In or out'])}</th>
              <th>{say(['车场', 'Car park'])}</th>
              <th>{say(['通道', 'Lane'])}</th>
              <th>{say(['车辆类型', 'Car type'])}</th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ at, direction, parkCode, parkName, gateName, carKind }) => (
              <tr key={`${at} ${direction} ${parkCode} ${gateName}`}>
                <td>{nearTime(at, 'second')}</td>
                <td>
                  <span className={`state ${direction === Direction.entrance ? 'success' : 'default'}`}>
                    {say(direction === Direction.entrance ? ['进场', 'In'] : ['出场', 'Out'])}
                  </span>
                </td>
                <td>{parkName}</td>
                <td>{gateName ?? '--'}</td>
                <td>
                  <State dictionary={CarKind} value={carKind} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
const hasPlace = (row: Row): row is Row & { lng: number; lat: number } => row.lng !== null && row.lat !== null
const pointOf = (row: Row & { lng: number; lat: number }): MapPoint => ({
  ...{ id: row.parkCode, name: `${row.name} ${row.remainingBays}`, lng: row.lng, lat: row.lat },
  tone: toneOf(usedIn(row)),
})
const fullest = (parks: readonly Row[], say: Say) =>
  parks
    .toSorted((a, b) => usedIn(b) - usedIn(a))
    .slice(0, FULLEST)
    .map((row) => ({
      ...{ key: row.parkCode, name: row.name, used: usedIn(row) },
      says: say([`余 ${count(row.remainingBays)}`, `${count(row.remainingBays)} free`]),
    }))

const PARKS = '/assetManage/parkingAndFacility/selfParking'
const shown = (figure: Figure, value: string, name: Text = figure.name): WallFigure => ({ name, value, figure, to: listOf(figure) ?? PARKS })
/** How often its bays changed cars: who left today, by bay. */
const turnoverOf = (left: number, bays: number) => (bays === 0 ? '--' : (left / bays).toFixed(2))
function figuresOf(of: readonly Row[]): WallFigure[] {
  const bays = sumOf(of, 'totalBays')
  const left = sumOf(of, 'exitsToday')
  return [
    { name: ['总车位', 'Bays'], value: count(bays), to: PARKS },
    shown(TRAFFIC.present, count(sumOf(of, 'presentCount'))),
    { name: ['余位', 'Free'], value: count(sumOf(of, 'remainingBays')), to: PARKS },
    shown(TRAFFIC.entered, count(sumOf(of, 'entriesToday')), ['今日进场', 'Entries today']),
    shown(TRAFFIC.left, count(left), ['今日出场', 'Exits today']),
    shown(TRAFFIC.turnover, turnoverOf(left, bays)),
  ]
}
