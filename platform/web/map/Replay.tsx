import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { ReplayBar, useReplay } from './ReplayBar.tsx'
import { type Text, useText } from '../text.ts'
import { Time } from '../value.tsx'

/** An event at a time, with its picture where there is one. */
export interface Moment {
  key: string
  at: string
  title: ReactNode
  image?: string | undefined
}
/** One second a moment at the plain speed: what took hours is told in one breath. */
const STEP_MS = 1_000
const SPEEDS = [0.5, 1, 2, 4]

/** A record's moments one after another, the oldest first; a moment without a picture keeps the last one, said so. Esc closes. */
export default function Replay({ title, moments, onClose }: { title: Text; moments: readonly Moment[]; onClose: () => void }) {
  const say = useText()
  const replay = useReplay({ last: moments.length - 1, stepMs: STEP_MS })
  const moment = moments[replay.place]!
  const shown = moments.slice(0, replay.place + 1).findLast(({ image }) => image)
  return (
    <Modal open width="min(960px, 100%)" className="replay" title={say(title)} footer={null} onCancel={onClose}>
      <div>
        <div className="replay-picture">
          {shown ? (
            <img src={shown.image} alt={say(['该时刻的图片', 'Picture of that moment'])} />
          ) : (
            <div className="no-picture">{say(['没有图片', 'No picture'])}</div>
          )}
          {shown && shown !== moment && <small>{say(['此刻没有图片，显示上一张', 'No picture at this moment; showing the last one'])}</small>}
        </div>
        <p className="replay-told" aria-live="polite">
          <Time at={moment.at} /> {moment.title}
        </p>
        <ReplayBar of={replay} speeds={SPEEDS} label={['时刻', 'Moment']} focus />
      </div>
    </Modal>
  )
}
