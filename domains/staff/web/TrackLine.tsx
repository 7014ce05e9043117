import { useQuery } from '@tanstack/react-query'
import { Slider } from 'antd'
import { useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { tracker, type TrackPoint } from '../contract/tracker.ts'
import './staff.css'

/** As many dots as can be told apart on the map; the slider goes through all points. */
const DOTS_MAX = 300

/** The way that somebody took during a day's work, played through by hand; looking is in the log. */
export function TrackLine({ tollNo, workDate }: { tollNo: string; workDate: Day }) {
  const say = useText()
  const { data, error, refetch } = useQuery(asks(tracker.line, { tollNo, workDate }, { quiet: true }))
  const [at, setAt] = useState(0)
  if (error) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={6} />
  if (data.length === 0)
    return (
      <Nothing>
        {say(['没有轨迹：当天未上班、未上报位置，或已超过 90 天', 'No track: not at work that day, no position reported, or older than 90 days'])}
      </Nothing>
    )
  const here = data[Math.min(at, data.length - 1)]!
  return (
    <>
      <PlaceMap
        label={['轨迹', 'Track']}
        points={[...dotsOf(data), { id: 'here', lng: here.lng, lat: here.lat, name: tollNo, tone: 'success' }]}
        chosen="here"
        height={360}
        onOpen={(id) => id !== 'here' && setAt(Number(id))}
      />
      <div className="roster-bar">
        <Slider
          className="track-slider"
          min={0}
          max={data.length - 1}
          value={at}
          onChange={setAt}
          ariaLabelForHandle={say(['轨迹位置', 'Position on the track'])}
          tooltip={{ open: false }}
        />
        <span>
          <Time at={here.at} /> <Fence of={here} />{' '}
          {here.gapBefore && <span className="state warning">{say(['此前中断超过 5 分钟', 'Gap of more than 5 min before this'])}</span>}
        </span>
      </div>
    </>
  )
}
function dotsOf(points: readonly Of<typeof TrackPoint>[]): MapPoint[] {
  const every = Math.ceil(points.length / DOTS_MAX)
  return points.flatMap(({ lng, lat, at, inFence, gapBefore }, n) =>
    n % every === 0 || gapBefore
      ? [{ id: String(n), lng, lat, name: at, tone: gapBefore ? 'error' : inFence === false ? 'warning' : 'default' }]
      : [],
  )
}
function Fence({ of }: { of: Of<typeof TrackPoint> }) {
  const say = useText()
  if (of.inFence === null) return null
  return (
    <span className={`state ${of.inFence ? 'success' : 'warning'}`}>
      {say(of.inFence ? ['在围栏内', 'In geofence'] : ['在围栏外', 'Out of geofence'])}
    </span>
  )
}
