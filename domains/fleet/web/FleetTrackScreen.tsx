import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Slider } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay, dayEnd, dayStart } from '../../../platform/web/format.ts'
import { DayField } from '../../../platform/web/inputs.tsx'
import { ask, download } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { type DrawnPoint, track, TrackEvent, type Trip } from '../contract/track.ts'
import { kmh } from './FleetSuperviseScreen.tsx'
import { km, VehicleSelect } from './parts.tsx'
import './fleet.css'

type Point = Of<typeof DrawnPoint>
const PAGE_POINTS = 500
const STEP_MS = 200
/** As many dots as can be told apart on the map; the slider goes through all points. */
const DOTS_MAX = 300

/** Where a vehicle drove on one day: on the map, played again, and stretch by stretch. */
export default function FleetTrackScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const vehicleId = params.get('vehicleId') ?? undefined
  const day = params.get('day') ?? cityDay()
  const put = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(changes)) if (value) next.set(name, value)
      else next.delete(name)
    setParams(next, { replace: true })
  }
  const asked = { vehicleId: vehicleId as never, timeFrom: dayStart(day) as never, timeTo: dayEnd(day) as never }
  return (
    <div className="page fleet-page">
      <PageHead purpose={['选择车辆和日期，看当天走过的路、停留与事件，可以回放', 'Choose a vehicle and a day to see and replay its route, stops and events']} />
      <div className="fleet-tools">
        <div style={{ minWidth: 220 }}>
          <VehicleSelect value={vehicleId} onChange={(value) => put({ vehicleId: value })} />
        </div>
        <DayField value={day} onChange={(value: string | null | undefined) => put({ day: value ?? undefined })} />
        {can(track.export.needs) && vehicleId && (
          <Button onClick={() => void download(track.export, { ...asked, format: 'xlsx' } as never).catch(() => {})}>{say(['导出原始点', 'Export raw points'])}</Button>
        )}
      </div>
      {vehicleId ? <Track key={`${vehicleId} ${day}`} asked={asked} /> : <Nothing>{say(['请先选择一辆车', 'Choose a vehicle first'])}</Nothing>}
    </div>
  )
} // prettier-ignore

type Asked = { vehicleId: never; timeFrom: never; timeTo: never }
/** All pages of it: some ten at most. */
async function pointsOf(asked: Asked, signal: AbortSignal): Promise<Point[]> {
  const points: Point[] = []
  for (let current = 1; ; current++) {
    const { records, total } = await ask(track.query, { ...asked, limit: PAGE_POINTS, current } as never, { quiet: true, signal })
    points.push(...records)
    if (points.length >= total || records.length === 0) return points
  }
}
function Track({ asked }: { asked: Asked }) {
  const say = useText()
  const query = useQuery({ queryKey: [track.query.id, 'whole', asked], queryFn: ({ signal }) => pointsOf(asked, signal) })
  const trips = useQuery(asks(track.trips, { ...asked, limit: PAGE_POINTS } as never, { quiet: true }))
  const [at, setAt] = useState(0)
  const points = query.data ?? []
  const here = points[Math.min(at, points.length - 1)]
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  if (query.isPending) return <Waiting lines={8} />
  if (!here) return <Nothing>{say(['这一天没有轨迹', 'No track on this day'])}</Nothing>
  const every = Math.ceil(points.length / DOTS_MAX)
  const dots = points.flatMap((one, n): MapPoint[] =>
    n % every === 0 || one.event !== null
      ? [{ id: String(n), lng: one.lng, lat: one.lat, name: one.deviceTime, tone: one.event === TrackEvent.alarm ? 'error' : one.event === null ? 'default' : 'warning' }]
      : [],
  )
  return (
    <div className="fleet-map">
      <div>
        <PlaceMap label={['轨迹', 'Track']} points={[...dots, { id: 'here', lng: here.lng, lat: here.lat, name: here.vehicleNo, tone: 'success' }]} chosen="here" height="calc(100% - 72px)" onOpen={(id) => id !== 'here' && setAt(Number(id))} />
        <Replay points={points} at={Math.min(at, points.length - 1)} onMove={setAt} />
      </div>
      <aside aria-label={say(['行程', 'Trips'])}>
        <Trips of={trips.data?.records ?? []} onOpen={(from) => setAt(Math.max(0, points.findIndex(({ deviceTime }) => deviceTime >= from)))} />
      </aside>
    </div>
  )
} // prettier-ignore

function Replay({ points, at, onMove }: { points: readonly Point[]; at: number; onMove: (at: number) => void }) {
  const say = useText()
  const [speed, setSpeed] = useState(0)
  useEffect(() => {
    if (speed === 0) return
    const timer = setTimeout(() => (at + speed >= points.length ? (onMove(points.length - 1), setSpeed(0)) : onMove(at + speed)), STEP_MS)
    return () => clearTimeout(timer)
  }, [speed, at, points.length])
  const here = points[at]!
  return (
    <div className="fleet-tools">
      <Segmented
        value={speed}
        onChange={setSpeed}
        options={[{ value: 0, label: say(['暂停', 'Pause']) }, { value: 1, label: '1×' }, { value: 5, label: '5×' }, { value: 20, label: '20×' }]}
      />
      <Slider style={{ flex: 1, minWidth: 160 }} min={0} max={points.length - 1} value={at} onChange={onMove} ariaLabelForHandle={say(['回放位置', 'Replay position'])} tooltip={{ open: false }} />
      <span>
        <Time at={here.deviceTime} /> {kmh(here.speed)} {here.event !== null && <State dictionary={TrackEvent} value={here.event} />}
      </span>
    </div>
  )
} // prettier-ignore

function Trips({ of, onOpen }: { of: readonly Of<typeof Trip>[]; onOpen: (from: string) => void }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['没有行驶', 'No trips'])}</p>
  return (
    <ul>
      {of.map((one) => (
        <li key={one.fromAt}>
          <button type="button" onClick={() => onOpen(one.fromAt)}>
            <Time at={one.fromAt} /> – <Time at={one.toAt} />
            <span className="faint">
              {km(one.distanceM)} · {say(['最高', 'top'])} {kmh(one.topSpeed)}
              {one.stoodMin !== null && say([` · 停 ${one.stoodMin} 分钟`, ` · stood ${one.stoodMin} min`])}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
