import { Alert } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { allDrafts } from '../../../platform/web/form/drafts.ts'
import { time } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'

/** Unsaved input of the last session, each with a way back. Shown once, when the console opens. */
export default function DraftNotice() {
  const say = useText()
  const [drafts, setDrafts] = useState(allDrafts)
  if (drafts.length === 0) return null
  return (
    <Alert
      banner
      type="info"
      closable={{ onClose: () => setDrafts([]) }}
      title={
        <>
          {say(['上次有未保存的内容，打开原来的表单即可恢复：', 'You have unsaved entries from last time; open the form again to restore them: '])}
          {drafts.map(({ at, path, page, form }, place) => (
            <span key={`${path} ${at}`}>
              {place > 0 && say(['、', ', '])}
              <Link to={path} onClick={() => setDrafts([])}>
                {say(page)} · {say(form)}
              </Link>{' '}
              <span className="faint">{time(new Date(at)).slice(5, 16)}</span>
            </span>
          ))}
        </>
      }
    />
  )
}
