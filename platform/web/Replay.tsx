import { CaretRightOutlined, PauseOutlined, StepBackwardOutlined, StepForwardOutlined } from '@ant-design/icons'
import { Button, Modal, Segmented, Slider } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useKeys } from './keys.tsx'
import { type Text, useText } from './text.ts'
import { Time } from './value.tsx'
import './replay.css'

/** What happened at a time, with the picture of it where there is one. */
export interface Moment {
  key: string
  at: string
  title: ReactNode
  image?: string | undefined
}
/** One second a moment at the plain speed: what took hours is told in one breath. */
const STEP_MS = 1_000
const SPEEDS = [0.5, 1, 2, 4]

/** A record's moments one after another, the oldest first; a moment without a picture keeps the last one, said so. By keyboard: ← → a step, space plays, Home and End, Esc closes. */
export default function Replay({ title, moments, onClose }: { title: Text; moments: readonly Moment[]; onClose: () => void }) {
  const say = useText()
  const [place, setPlace] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const last = moments.length - 1
  const to = (next: number) => setPlace(Math.max(0, Math.min(last, next)))
  const step = (by: number) => [setPlaying(false), to(place + by)]
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => (place < last ? to(place + 1) : setPlaying(false)), STEP_MS / speed)
    return () => clearTimeout(timer)
  }, [playing, place, speed])
  const play = () => {
    if (!playing && place >= last) setPlace(0)
    setPlaying(!playing)
  }
  useKeys({
    ArrowLeft: { text: ['回放：上一步', 'Replay: previous'], run: () => step(-1) },
    ArrowRight: { text: ['回放：下一步', 'Replay: next'], run: () => step(1) },
    Home: { text: ['回放：开头', 'Replay: start'], run: () => step(-last) },
    End: { text: ['回放：结尾', 'Replay: end'], run: () => step(last) },
  })
  const moment = moments[place]!
  const shown = moments.slice(0, place + 1).findLast(({ image }) => image)
  return (
    <Modal open width="min(960px, 100%)" className="replay" title={say(title)} footer={null} onCancel={onClose}>
      <div>
        <div className="replay-picture">
          {shown ? (
            <img src={shown.image} alt={say(['该时刻的图片', 'Picture of that moment'])} />
          ) : (
            <div className="no-picture">{say(['没有图片', 'No picture'])}</div>
          )}
          {shown && shown !== moment && <small>{say(['此刻没有图片，显示上一张', 'No picture of this moment; showing the previous one'])}</small>}
        </div>
        <p className="replay-told" aria-live="polite">
          <Time at={moment.at} /> {moment.title}
        </p>
        <Slider
          min={0}
          max={last}
          value={place}
          onChange={(next) => [setPlaying(false), to(next)]}
          tooltip={{ open: false }}
          ariaLabelForHandle={say(['时刻', 'Moment'])}
          dots
        />
        <div className="replay-buttons">
          <Button icon={<StepBackwardOutlined />} disabled={place === 0} aria-label={say(['上一步 (←)', 'Previous (←)'])} onClick={() => step(-1)} />
          <Button type="primary" ref={focused} icon={playing ? <PauseOutlined /> : <CaretRightOutlined />} onClick={play}>
            {say(playing ? ['暂停', 'Pause'] : ['播放', 'Play'])}
          </Button>
          <Button icon={<StepForwardOutlined />} disabled={place === last} aria-label={say(['下一步 (→)', 'Next (→)'])} onClick={() => step(1)} />
          <Segmented
            aria-label={say(['速度', 'Speed'])}
            value={speed}
            onChange={setSpeed}
            options={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
          />
          <span className="faint">
            {place + 1} / {moments.length}
          </span>
        </div>
      </div>
    </Modal>
  )
}
/** Space plays at once. The dialog takes the focus itself when it opens. */
const FOCUS_AFTER_MS = 200
const focused = (box: HTMLElement | null) => {
  if (!box) return
  const wait = setTimeout(() => box.focus(), FOCUS_AFTER_MS)
  return () => clearTimeout(wait)
}
