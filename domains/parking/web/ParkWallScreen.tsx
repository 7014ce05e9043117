import { FullscreenOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { count, time } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/PlaceMap.tsx'
import { Failed, NoPermission, Waiting } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { type ParkPoint, screen } from '../contract/screen.ts'
import './parkWall.css'

type Row = Of<typeof ParkPoint>
/** A wall is read in passing: it looks again by itself. */
const AGAIN_MS = 15_000
const FULLEST = 12
/** Of its bays in percent: from here on a park is nearly full, and full. */
const TIGHT = 80
const FULL = 95

const usedIn = ({ totalBays, remainingBays }: Row) =>
  totalBays === 0 ? 0 : Math.min(100, Math.max(0, Math.round(((totalBays - remainingBays) / totalBays) * 100)))
const toneOf = (used: number) => (used >= FULL ? 'error' : used >= TIGHT ? 'warning' : 'success')
const sumOf = (rows: readonly Row[], field: 'totalBays' | 'presentCount' | 'remainingBays') => rows.reduce((sum, row) => sum + row[field], 0)

/** For a wall in the control room: how full the district is, which parks are, and where. No plate, no name, no money. */
export default function ParkWallScreen() {
  return can(screen.overview.needs) ? <Wall /> : <NoPermission />
}

function Wall() {
  const say = useText()
  const wall = useRef<HTMLDivElement>(null)
  const [parkCode, setParkCode] = useState<string>()
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...asks(screen.overview, {}, { quiet: true }), refetchInterval: AGAIN_MS })
  const points = useMemo(() => (data ?? []).filter(hasPlace).map(pointOf), [data])
  if (!data) return error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={8} />
  return (
    <div className="park-wall" ref={wall}>
      <header>
        <h1>{say(['停车场大屏', 'Parks'])}</h1>
        <span className="push" />
        <time>{time(new Date(dataUpdatedAt).toISOString())}</time>
        <Button
          type="text"
          icon={<FullscreenOutlined />}
          aria-label={say(['全屏', 'Full screen'])}
          onClick={() => void wall.current?.requestFullscreen().catch(() => {})}
        />
      </header>
      <Figures of={data} />
      <div className="park-wall-body">
        <Fullest parks={data} onChoose={setParkCode} />
        <PlaceMap label={['车场地图', 'Map of the parks']} points={points} chosen={parkCode} height="100%" onOpen={setParkCode} />
      </div>
      {parkCode && <Areas of={data.find((one) => one.parkCode === parkCode)} />}
    </div>
  )
}
const hasPlace = (row: Row): row is Row & { lng: number; lat: number } => row.lng !== null && row.lat !== null
const pointOf = (row: Row & { lng: number; lat: number }): MapPoint => ({
  ...{ id: row.parkCode, name: `${row.name} ${row.remainingBays}`, lng: row.lng, lat: row.lat },
  tone: toneOf(usedIn(row)),
})

const PARKS = '/assetManage/parkingAndFacility/selfParking'
function Figures({ of }: { of: readonly Row[] }) {
  const say = useText()
  const bays = sumOf(of, 'totalBays')
  const free = sumOf(of, 'remainingBays')
  const shares = of.map(usedIn)
  const figures = [
    [['车场', 'Parks'], count(of.length), PARKS],
    [['总车位', 'Bays'], count(bays), PARKS],
    [['在场', 'Present'], count(sumOf(of, 'presentCount')), '/operation/record/parking/present'],
    [['余位', 'Free'], count(free), PARKS],
    [['利用率', 'In use'], bays === 0 ? '--' : `${Math.round(((bays - free) / bays) * 100)}%`, PARKS],
    [['满位 / 紧张', 'Full / nearly'], `${shares.filter((used) => used >= FULL).length} / ${shares.filter((used) => used >= TIGHT && used < FULL).length}`, PARKS],
  ] as const
  return (
    <dl>
      {figures.map(([name, value, to]) => (
        <Link key={name[0]} to={to}>
          <dt>{say(name)}</dt>
          <dd>{value}</dd>
        </Link>
      ))}
    </dl>
  )
} // prettier-ignore

function Fullest({ parks, onChoose }: { parks: readonly Row[]; onChoose: (code: string) => void }) {
  const say = useText()
  const fullest = parks.toSorted((a, b) => usedIn(b) - usedIn(a)).slice(0, FULLEST)
  return (
    <section>
      <h3>{say(['最满的车场', 'The fullest'])}</h3>
      <ol>
        {fullest.map((row) => (
          <li key={row.parkCode}>
            <button type="button" onClick={() => onChoose(row.parkCode)}>
              <span>{row.name}</span>
              <b>{say([`余 ${count(row.remainingBays)}`, `${count(row.remainingBays)} free`])}</b>
              <i className={toneOf(usedIn(row))} style={{ inlineSize: `${usedIn(row)}%` }} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The areas of the park that was pointed at. */
function Areas({ of }: { of: Row | undefined }) {
  const say = useText()
  const { data } = useQuery({ ...asks(screen.areaList, { parkCode: of?.parkCode ?? '' }, { quiet: true }), enabled: of !== undefined, refetchInterval: AGAIN_MS })
  if (!of) return null
  return (
    <footer>
      <b>{of.name}</b>
      <span>{say([`余位 ${count(of.remainingBays)} / ${count(of.totalBays)}`, `${count(of.remainingBays)} of ${count(of.totalBays)} free`])}</span>
      {data?.map(({ areaCode, name, totalBays }) => (
        <span key={areaCode}>
          {name} {count(totalBays)}
        </span>
      ))}
    </footer>
  )
} // prettier-ignore
