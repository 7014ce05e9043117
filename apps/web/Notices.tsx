import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { record } from '../../domains/message/contract/record.ts'
import { asks } from '../../platform/web/ask.ts'
import { failures } from '../../platform/web/failures.ts'
import { time } from '../../platform/web/format.ts'
import { useFrames } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { useAct } from '../../platform/web/remove.tsx'
import { RequestId, Waiting } from '../../platform/web/states.tsx'
import { useText } from '../../platform/web/text.ts'

type Shown = 'unread' | 'all' | 'failed'
/** The last ones; the whole history is the page of messages. */
const LAST = 10
const MESSAGES = '/operation/message/record'

/** What the person was told, read and unread, and what went wrong since the console was opened, with the number that finds it in the log. */
export default function Notices({ onClose }: { onClose: () => void }) {
  const say = useText()
  const failed = failures.use().length
  const [shown, show] = useState<Shown>(failed > 0 ? 'failed' : 'unread')
  return (
    <div className="notices">
      <Segmented<Shown>
        block
        value={shown}
        onChange={show}
        options={[
          { value: 'unread', label: say(['未读', 'Unread']) },
          { value: 'all', label: say(['全部', 'All']) },
          { value: 'failed', label: `${say(['出错', 'Failed'])} ${failed || ''}` },
        ]}
      />
      {shown === 'failed' ? <Failed onClose={onClose} /> : <Messages unread={shown === 'unread'} onClose={onClose} />}
    </div>
  )
}

function Failed({ onClose }: { onClose: () => void }) {
  const say = useText()
  const all = failures.use()
  if (all.length === 0) return <p className="faint none">{say(['打开控制台以来没有出错', 'Nothing went wrong since the console was opened'])}</p>
  return (
    <>
      <ol className="failures">
        {all.map((one, place) => (
          <li key={`${one.at.getTime()} ${place}`}>
            <time className="faint">{time(one.at).slice(11)}</time>
            <div>
              {one.text}
              <div className="faint">{one.call}</div>
              <RequestId id={one.requestId} />
            </div>
          </li>
        ))}
      </ol>
      <Link to="/log" onClick={onClose}>
        {say(['前端日志', 'Console log'])}
      </Link>{' '}
      <Button size="small" onClick={() => failures.set([])}>
        {say(['清空', 'Clear'])}
      </Button>
    </>
  )
}

function Messages({ unread, onClose }: { unread: boolean; onClose: () => void }) {
  const say = useText()
  const act = useAct([record.queryMessageRecord])
  const custId = person.use()?.custId ?? ''
  const input = { custId, current: 1, limit: LAST, ...(unread && { readState: 0 as const }) }
  const list = useQuery(asks(record.queryMessageRecord, input, { quiet: true }))
  useFrames('message.', () => void list.refetch())
  const read = (id: string) => act(record.tag, { id: id as never })
  const all = list.data?.records
  const readAll = async () => {
    for (const { id, readState } of all ?? []) if (readState === 0 && !(await read(id))) return
  }
  return (
    <>
      {!all ? (
        <Waiting lines={3} />
      ) : all.length === 0 ? (
        <p className="faint none">{say(unread ? ['没有未读消息', 'Nothing unread'] : ['还没有消息', 'No messages yet'])}</p>
      ) : (
        <ol className="failures">
          {all.map(({ id, title, titleEn, content, contentEn, link, readState, createdAt }) => (
            <li key={id}>
              <time className="faint">{time(createdAt).slice(5, 16)}</time>
              <div>
                {link ? (
                  <Link
                    to={link}
                    onClick={() => {
                      onClose()
                      if (readState === 0) void read(id)
                    }}
                  >
                    {say([title, titleEn])}
                  </Link>
                ) : (
                  say([title, titleEn])
                )}
                <div className="faint">{say([content, contentEn])}</div>
              </div>
              {readState === 0 && (
                <Button size="small" type="link" onClick={() => void read(id)}>
                  {say(['已读', 'Read'])}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <footer>
        <Button size="small" disabled={!all?.some(({ readState }) => readState === 0)} onClick={() => void readAll()}>
          {say(['全部标为已读', 'Mark all as read'])}
        </Button>
        <Link to={MESSAGES} onClick={onClose}>
          {say(['全部消息', 'All messages'])}
        </Link>
      </footer>
    </>
  )
}
