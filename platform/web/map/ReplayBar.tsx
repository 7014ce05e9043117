import {
  CaretRightOutlined,
  FastBackwardOutlined,
  FastForwardOutlined,
  PauseOutlined,
  StepBackwardOutlined,
  StepForwardOutlined,
} from '@ant-design/icons'
import { Button, Segmented, Slider } from 'antd'
import { useEffect, useState } from 'react'
import { useKeys } from '../page/keys.tsx'
import { type Text, useText } from '../text.ts'
import './replay.css'

interface Reel {
  /** The last place; the first is 0. */
  last: number
  /** How long a place is shown at the plain speed. */
  stepMs: number
  /** Places at which something happened, in their order: no speed passes over them, and one may go from one to the next. */
  events?: readonly number[]
}
/** Where a replay stands, and how it goes on. */
export interface Replaying extends Reel {
  place: number
  playing: boolean
  speed: number
  /** Goes to a place and stays there. */
  to: (place: number) => void
  play: () => void
  setSpeed: (speed: number) => void
}
/** Nothing is drawn more often; what is faster takes several steps at once. */
const TICK_MS = 200

export function useReplay(reel: Reel): Replaying {
  const { last, stepMs, events = [] } = reel
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const place = Math.min(at, last)
  useEffect(() => {
    if (!playing) return
    const wait = Math.max(TICK_MS, stepMs / speed)
    const on = () => {
      if (place >= last) return setPlaying(false)
      const next = Math.min(last, place + Math.round((wait * speed) / stepMs))
      setAt(events.find((event) => event > place && event < next) ?? next)
    }
    const timer = setTimeout(on, wait)
    return () => clearTimeout(timer)
  }, [playing, place, last, speed])
  const to = (next: number) => {
    setPlaying(false)
    setAt(Math.max(0, Math.min(last, next)))
  }
  const play = () => {
    if (!playing && place >= last) setAt(0)
    setPlaying(!playing)
  }
  return { ...reel, place, playing, speed, to, play, setSpeed }
}

interface BarProps {
  of: Replaying
  speeds: readonly number[]
  /** The name of a place on the bar: a moment, a point. */
  label: Text
  /** Space plays at once. */
  focus?: boolean
}
/** The line of a replay with its buttons. By keyboard: ← → a step, Page Up and Page Down from event to event, P plays and pauses, Home and End. */
export function ReplayBar({ of, speeds, label, focus }: BarProps) {
  const say = useText()
  const { place, last, playing, events = [], to } = of
  const [before, after] = [events.findLast((event) => event < place), events.find((event) => event > place)]
  const event = (next: number | undefined) => next !== undefined && to(next)
  useKeys({
    ArrowLeft: { text: ['回放：上一步', 'Replay: previous step'], run: () => to(place - 1) },
    ArrowRight: { text: ['回放：下一步', 'Replay: next step'], run: () => to(place + 1) },
    Home: { text: ['回放：开头', 'Replay: first'], run: () => to(0) },
    End: { text: ['回放：结尾', 'Replay: last'], run: () => to(last) },
    p: { text: ['回放：播放、暂停', 'Replay: play, pause'], run: of.play },
    ...(of.events && {
      PageUp: { text: ['回放：上一事件', 'Replay: previous event'], run: () => event(before) },
      PageDown: { text: ['回放：下一事件', 'Replay: next event'], run: () => event(after) },
    }),
  })
  return (
    <>
      <Slider
        min={0}
        max={last}
        value={place}
        onChange={to}
        tooltip={{ open: false }}
        ariaLabelForHandle={say(label)}
        {...(of.events ? { marks: marksOf(events) } : { dots: true })}
      />
      <div className="replay-buttons">
        {of.events && (
          <Button
            icon={<FastBackwardOutlined />}
            disabled={before === undefined}
            aria-label={say(['上一事件（PageUp）', 'Previous event (Page Up)'])}
            onClick={() => event(before)}
          />
        )}
        <Button
          icon={<StepBackwardOutlined />}
          disabled={place === 0}
          aria-label={say(['上一步（←）', 'Previous step (←)'])}
          onClick={() => to(place - 1)}
        />
        <Button type="primary" {...(focus && { ref: focused })} icon={playing ? <PauseOutlined /> : <CaretRightOutlined />} onClick={of.play}>
          {say(playing ? ['暂停', 'Pause'] : ['播放', 'Play'])}
        </Button>
        <Button
          icon={<StepForwardOutlined />}
          disabled={place === last}
          aria-label={say(['下一步（→）', 'Next step (→)'])}
          onClick={() => to(place + 1)}
        />
        {of.events && (
          <Button
            icon={<FastForwardOutlined />}
            disabled={after === undefined}
            aria-label={say(['下一事件（PageDown）', 'Next event (Page Down)'])}
            onClick={() => event(after)}
          />
        )}
        <Speeds of={of} speeds={speeds} />
        <span className="faint">
          {place + 1} / {last + 1}
        </span>
      </div>
    </>
  )
}
/** Its own arrows choose a speed. */
function Speeds({ of, speeds }: Pick<BarProps, 'of' | 'speeds'>) {
  const say = useText()
  return (
    <div onKeyDown={(pressed) => pressed.key.startsWith('Arrow') && pressed.stopPropagation()}>
      <Segmented
        aria-label={say(['速度', 'Speed'])}
        value={of.speed}
        onChange={of.setSpeed}
        options={speeds.map((value) => ({ value, label: `${value}×` }))}
      />
    </div>
  )
}
/** More dots than these run into one another. */
const MARKS_MAX = 100
const marksOf = (events: readonly number[]) => (events.length > MARKS_MAX ? {} : Object.fromEntries(events.map((place) => [place, ''])))
/** The dialog takes the focus itself when it opens. */
const FOCUS_AFTER_MS = 200
const focused = (box: HTMLElement | null) => {
  if (!box) return
  const wait = setTimeout(() => box.focus(), FOCUS_AFTER_MS)
  return () => clearTimeout(wait)
}
