import { type ReactNode, useMemo, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { cityDay, count, dayEnd, dayStart } from '../../../../platform/web/format.ts'
import { listAt } from '../../../../platform/web/listAt.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/PlaceMap.tsx'
import { type Say, useText } from '../../../../platform/web/text.ts'
import { Fullest, toneOf, Wall, type WallFigure } from '../../../../platform/web/Wall.tsx'
import type { ParkPoint } from '../../contract/screen.ts'

type Row = Of<typeof ParkPoint>
const FULLEST = 12
const usedIn = ({ totalBays, remainingBays }: Row) =>
  totalBays === 0 ? 0 : Math.min(100, Math.max(0, Math.round(((totalBays - remainingBays) / totalBays) * 100)))
const sumOf = (rows: readonly Row[], field: 'totalBays' | 'presentCount' | 'remainingBays' | 'entriesToday' | 'exitsToday') =>
  rows.reduce((sum, row) => sum + row[field], 0)

interface Props {
  rows: readonly Row[]
  /** When they were taken. */
  at: string
  name?: string
  more?: readonly WallFigure[]
  /** What is said below of the park that was pointed at. */
  children?: (of: Row) => ReactNode
}
/** How full the district is, which parks are, and where. */
export function ParkWall({ rows, at, name, more = [], children }: Props) {
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
      {pointedAt && children?.(pointedAt)}
    </Wall>
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
const STAYS = '/operation/record/parking/parkingRecord'
/** How often its bays changed cars: who left today, by bay. */
const turnoverOf = (left: number, bays: number) => (bays === 0 ? '--' : (left / bays).toFixed(2))
function figuresOf(of: readonly Row[]): WallFigure[] {
  const bays = sumOf(of, 'totalBays')
  const left = sumOf(of, 'exitsToday')
  return [
    { name: ['总车位', 'Bays'], value: count(bays), to: PARKS },
    { name: ['在场', 'Present'], value: count(sumOf(of, 'presentCount')), to: '/operation/record/parking/present' },
    { name: ['余位', 'Free'], value: count(sumOf(of, 'remainingBays')), to: PARKS },
    {
      name: ['今日进', 'Entries today'],
      value: count(sumOf(of, 'entriesToday')),
      to: listAt(STAYS, { entryTimeFrom: dayStart(cityDay()), entryTimeTo: dayEnd(cityDay()), status: '1,2,3,4', entered: 'true' }),
    },
    {
      name: ['今日出', 'Exits today'],
      value: count(left),
      to: listAt(STAYS, { exitTimeFrom: dayStart(cityDay()), exitTimeTo: dayEnd(cityDay()), status: '3' }),
    },
    { name: ['周转率', 'Turnover'], value: turnoverOf(left, bays), to: PARKS },
  ]
}
