import { PlayCircleOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import type { Moment } from '../../../../platform/web/map/Replay.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { imagesOf } from '../../../../platform/web/value.tsx'
import { StoryEventKind, type Story } from '../../contract/stay.ts'
import { GateName } from '../api/names.tsx'

const Replay = lazy(() => import('../../../../platform/web/map/Replay.tsx'))
type StoryOf = Of<typeof Story>

/** A visit told again: its pictures and what happened, in the order of time. Only where there is a picture. */
export default function StayReplay({ story }: { story: StoryOf }) {
  const say = useText()
  const [open, setOpen] = useState(false)
  const moments = momentsOf(story, say)
  if (!moments.some(({ image }) => image)) return null
  return (
    <>
      <Button size="small" icon={<PlayCircleOutlined />} onClick={() => setOpen(true)}>
        {say(['回放', 'Replay'])}
      </Button>
      {open && (
        <Suspense>
          <Replay
            title={[`停车回放 ${story.stay.plateNo}`, `Replay of the stay · ${story.stay.plateNo}`]}
            moments={moments}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function momentsOf({ events, stay }: StoryOf, say: ReturnType<typeof useText>): Moment[] {
  // The pictures of coming and going belong to the stay; an event may have its own.
  const ofStay: Partial<Record<number, string | null>> = { [StoryEventKind.entered]: stay.entryImage, [StoryEventKind.left]: stay.exitImage }
  return events
    .map((one, place) => ({
      key: String(place),
      at: one.at,
      image: imagesOf(one.image ?? ofStay[one.kind])[0],
      title: (
        <>
          <b>{say(StoryEventKind.entries[one.kind])}</b> {say([one.zh, one.en])} {one.gateCode && <GateName code={one.gateCode} />}
        </>
      ),
    }))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
