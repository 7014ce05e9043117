import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../platform/contract/field.ts'
import { type MessageRecord, record } from '../../domains/message/contract/record.ts'
import { asks } from '../../platform/web/ask.ts'
import { failures } from '../../platform/web/page/failures.ts'
import { time } from '../../platform/web/format.ts'
import { useFrames } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { useAct } from '../../platform/web/form/remove.tsx'
import { RequestId, Waiting } from '../../platform/web/page/states.tsx'
import { useText } from '../../platform/web/text.ts'
import { useOpens } from './session.ts'

type Shown = 'unread' | 'all' | 'failed'
/** The last ones; the whole history is the page of messages. */
const LAST = 10
const MESSAGES = '/operation/message/record'

/** The person's messages, read and unread, and the faults since the console was opened, each with the number that finds it in the log. */
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
  if (all.length === 0) return <p className="faint none">{say(['打开控制台以来没有出错', 'No errors since you opened the console'])}</p>
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
  const opens = useOpens(MESSAGES)
  const custId = person.use()?.custId ?? ''
  const page = { custId, current: 1, limit: LAST }
  const list = useQuery(asks(record.queryMessageRecord, { ...page, ...(unread && { readState: 0 as const }) }, { quiet: true }))
  const alarms = useQuery(asks(record.queryMessageRecord, { ...page, readState: 0 as const, urgent: true, kind: [ALARM] }, { quiet: true }))
  useFrames('message.', () => void Promise.all([list.refetch(), alarms.refetch()]))
  const read = (id: string) => act(record.tag, { id: id as never })
  const urgent = alarms.data?.records ?? []
  const all = list.data && [...urgent, ...list.data.records.filter(({ id }) => !urgent.some((one) => one.id === id))]
  const readAll = () => act(record.tagAll, {})
  return (
    <>
      {!all ? (
        <Waiting lines={3} />
      ) : all.length === 0 ? (
        <p className="faint none">{say(unread ? ['没有未读消息', 'No unread messages'] : ['还没有消息', 'No messages yet'])}</p>
      ) : (
        <ol className="failures">
          {all.map((one) => (
            <Notice key={one.id} of={one} read={() => void read(one.id)} onClose={onClose} />
          ))}
        </ol>
      )}
      <footer>
        <Button size="small" disabled={!all?.some(({ readState }) => readState === 0)} onClick={() => void readAll()}>
          {say(['全部标为已读', 'Mark all as read'])}
        </Button>
        {opens && (
          <Link to={MESSAGES} onClick={onClose}>
            {say(['全部消息', 'All messages'])}
          </Link>
        )}
      </footer>
    </>
  )
}

/** `MessageKind`: something at a device that cannot wait. */
const ALARM = 2
/** One message. An urgent alarm says so and carries its act. */
function Notice({ of, read, onClose }: { of: Of<typeof MessageRecord>; read: () => void; onClose: () => void }) {
  const say = useText()
  const { title, titleEn, content, contentEn, link, readState, createdAt } = of
  const isNew = readState === 0
  const urgent = of.urgent && of.kind === ALARM && isNew
  const follow = () => {
    onClose()
    if (isNew) read()
  }
  const name = say([title, titleEn])
  return (
    <li className={urgent ? 'urgent' : ''}>
      <time className="faint">{time(createdAt).slice(5, 16)}</time>
      <div>
        {urgent && <b className="bad">{say(['紧急', 'Urgent'])} </b>}
        {link ? (
          <Link to={link} onClick={follow}>
            {name}
          </Link>
        ) : (
          name
        )}
        <div className="faint">{say([content, contentEn])}</div>
        {urgent && link && (
          <Link to={link} onClick={follow} className="act">
            {say(['去处理', 'Handle'])}
          </Link>
        )}
      </div>
      {isNew && (
        <Button size="small" type="link" onClick={read}>
          {say(['标为已读', 'Mark as read'])}
        </Button>
      )}
    </li>
  )
}
