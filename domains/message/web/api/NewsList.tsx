import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { news, NewsType } from '../../contract/news.ts'
import '../message.css'
import { asks } from '../../../../platform/web/ask.ts'
import { useFrames } from '../../../../platform/web/live.ts'
import { RichText } from '../../../../platform/web/rich/RichText.tsx'
import { Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Time } from '../../../../platform/web/value.tsx'

const SHOWN = 5
/** The enterprise's news, pinned ones first, then newest. `otherwise` where there is none. */
export default function NewsList({ otherwise = null }: { otherwise?: ReactNode }) {
  const say = useText()
  const [openId, setOpenId] = useState<string>()
  const { data = [], isPending, refetch } = useQuery(asks(news.published, {}, { quiet: true }))
  useFrames('message.news', () => void refetch())
  const open = data.find(({ id }) => id === openId)
  if (data.length === 0) return isPending ? <Waiting /> : otherwise
  return (
    <div className="news-panel">
      <ul>
        {data.slice(0, SHOWN).map(({ id, title, top, type, publishAt }) => (
          <li key={id}>
            <button type="button" className="link" onClick={() => setOpenId(id)}>
              {top && <b>{say(['置顶', 'Pinned'])} </b>}
              {title}
            </button>
            <span className="faint">
              {say(NewsType.entries[type])} · <Time at={publishAt} />
            </span>
          </li>
        ))}
      </ul>
      <Drawer open={open !== undefined} size={640} title={open?.title} onClose={() => setOpenId(undefined)}>
        {open && (
          <>
            <p className="faint">
              {open.authorName} · <Time at={open.publishAt} />
            </p>
            <RichText html={open.content} />
          </>
        )}
      </Drawer>
    </div>
  )
}
