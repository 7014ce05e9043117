import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Of, Tone } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay, dayEnd, dayStart } from '../../../platform/web/format.ts'
import { DayField } from '../../../platform/web/form/inputs.tsx'
import { ask, download } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { ReplayBar, useReplay } from '../../../platform/web/map/ReplayBar.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { alarmsIn, type DrawnPoint, track, TrackEvent, type Trip } from '../contract/track.ts'
import { kmh } from './SuperviseScreen.tsx'
import { km, VehicleSelect } from './parts.tsx'
import './fleet.css'

type Point = Of<typeof DrawnPoint>
const PAGE_POINTS = 500
const STEP_MS = 200
const SPEEDS = [1, 5, 20]
const HERE = 'here'

/** Where a vehicle drove on one day: on the map, played again, and stretch by stretch. */
export default function TrackScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const vehicleId = params.get('vehicleId') ?? undefined
  const day = params.get('day') ?? cityDay()
  const put = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(changes))
      if (value) next.set(name, value)
      else next.delete(name)
    setParams(next, { replace: true })
  }
  const asked = { vehicleId: vehicleId as never, timeFrom: dayStart(day) as never, timeTo: dayEnd(day) as never }
  return (
    <div className="page fleet-page">
      <PageHead
        purpose={['选择车辆和日期，看当天走过的路、停留与事件，可以回放', 'Choose a vehicle and a day to see and replay its route, stops and events']}
      />
      <div className="fleet-tools">
        <div style={{ minWidth: 220 }}>
          <VehicleSelect value={vehicleId} onChange={(value) => put({ vehicleId: value })} />
        </div>
        <DayField value={day} onChange={(value: string | null | undefined) => put({ day: value ?? undefined })} />
        {can(track.export.needs) && vehicleId && (
          <Button onClick={() => void download(track.export, { ...asked, format: 'xlsx' } as never).catch(() => {})}>
            {say(['导出原始点', 'Export raw points'])}
          </Button>
        )}
      </div>
      {vehicleId ? <Track key={`${vehicleId} ${day}`} asked={asked} /> : <Nothing>{say(['请先选择一辆车', 'Choose a vehicle first'])}</Nothing>}
    </div>
  )
}

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
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  if (query.isPending) return <Waiting lines={8} />
  if (query.data.length === 0) return <Nothing>{say(['这一天没有轨迹', 'No track on this day'])}</Nothing>
  return <Played points={query.data} trips={trips.data?.records ?? NO_TRIPS} />
}
const NO_TRIPS: readonly Of<typeof Trip>[] = []

/** The way on the map with the car on it, played again from event to event. */
function Played({ points, trips }: { points: readonly Point[]; trips: readonly Of<typeof Trip>[] }) {
  const say = useText()
  const happened = useMemo(() => happenedOn(points, trips), [points, trips])
  const replay = useReplay({ last: points.length - 1, stepMs: STEP_MS, events: useMemo(() => happened.map(({ place }) => place), [happened]) })
  const here = points[replay.place]!
  const marks = useMemo(
    () =>
      happened.map((one): MapPoint => ({
        id: String(one.place),
        lng: points[one.place]!.lng,
        lat: points[one.place]!.lat,
        name: say(wordsOf(one)),
        tone: toneOf(one),
      })),
    [happened, points, say],
  )
  const shown = useMemo(() => [...marks, { id: HERE, lng: here.lng, lat: here.lat, name: here.vehicleNo, tone: 'success' as const }], [marks, here])
  return (
    <div className="fleet-map">
      <div>
        <PlaceMap
          label={['轨迹', 'Track']}
          points={shown}
          way={points}
          chosen={HERE}
          height="calc(100% - 132px)"
          onOpen={(id) => id !== HERE && replay.to(Number(id))}
        />
        <p className="replay-told" aria-live={replay.playing ? 'off' : 'polite'}>
          <Time at={here.deviceTime} /> {kmh(here.speed)}{' '}
          {happened
            .filter(({ place }) => place === replay.place)
            .map((one) => (
              <Said key={one.place + wordsOf(one)[1]} of={one} />
            ))}
        </p>
        <ReplayBar of={replay} speeds={SPEEDS} label={['回放位置', 'Playback position']} />
      </div>
      <aside aria-label={say(['行程与事件', 'Trips and events'])}>
        <h2>{say(['行程', 'Trips'])}</h2>
        <Trips of={trips} onOpen={(from) => replay.to(placeAt(points, from))} />
        <h2>{say(['事件', 'Events'])}</h2>
        <Events of={happened} at={replay.place} onOpen={replay.to} />
      </aside>
    </div>
  )
}

/** An event on the way: the terminal's report, or a stop. */
interface Happened {
  place: number
  at: string
  event: Point['event']
  alarms: readonly Text[]
  stoodMin: number | null
}
/** In the order of the way. A stop begins where its trip ended. */
function happenedOn(points: readonly Point[], trips: readonly Of<typeof Trip>[]): Happened[] {
  const said = points.flatMap(({ event, deviceTime, alarmBits }, place): Happened[] =>
    event === null ? [] : [{ place, at: deviceTime, event, alarms: event === TrackEvent.alarm ? alarmsIn(alarmBits) : [], stoodMin: null }],
  )
  const stops = trips.flatMap(({ toAt, stoodMin }): Happened[] =>
    stoodMin === null ? [] : [{ place: placeAt(points, toAt), at: toAt, event: null, alarms: [], stoodMin }],
  )
  return [...said, ...stops].sort((a, b) => a.place - b.place)
}
const placeAt = (points: readonly Point[], at: string) =>
  Math.max(
    0,
    points.findIndex(({ deviceTime }) => deviceTime >= at),
  )
const toneOf = ({ event }: Happened): Tone => (event === null ? 'warning' : (TrackEvent.entries[event][2] ?? 'default'))
function wordsOf({ event, alarms, stoodMin }: Happened): Text {
  if (event === null) {
    const [zhLong, enLong] = lasting(stoodMin ?? 0)
    return [`停留 ${zhLong}`, `Stood for ${enLong}`]
  }
  const [zh, en] = TrackEvent.entries[event]
  return alarms.length === 0 ? [zh, en] : [`${zh}：${alarms.map(([word]) => word).join('、')}`, `${en}: ${alarms.map(([, word]) => word).join(', ')}`]
}
function Said({ of }: { of: Happened }) {
  const say = useText()
  return <span className={`state ${toneOf(of)}`}>{say(wordsOf(of))}</span>
}

function Events({ of, at, onOpen }: { of: readonly Happened[]; at: number; onOpen: (place: number) => void }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['没有停留、报警或点火', 'No stops, alarms or ignition events'])}</p>
  return (
    <ul>
      {of.map((one) => (
        <li key={one.place + wordsOf(one)[1]}>
          <button type="button" aria-current={one.place === at || undefined} onClick={() => onOpen(one.place)}>
            <Time at={one.at} /> <Said of={one} />
          </button>
        </li>
      ))}
    </ul>
  )
}

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
              {one.stoodMin !== null && say([` · 停 ${lasting(one.stoodMin)[0]}`, ` · stood ${lasting(one.stoodMin)[1]}`])}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
