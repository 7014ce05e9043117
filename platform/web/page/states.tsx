import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Refusal } from '../ask.ts'
import { type Text, useText } from '../text.ts'

/** The message that a page or a part of it shows instead of its data. */
function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="nothing">
      <b>{title}</b>
      {children}
    </div>
  )
}

/** Lines that keep the layout, shown only when the answer takes longer than 200 ms. */
export const Waiting = ({ lines = 12 }: { lines?: number }) => (
  <div className="waiting late" aria-busy>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)

/** The room of a name that is being asked for: its code does not stand there first. */
export const NameWaits = () => <span className="name-waits" aria-busy />

/** Nothing there: why, and what to do. `clear` is given when a filter may hide it. */
export function Nothing({ clear, children }: { clear?: (() => void) | undefined; children?: ReactNode }) {
  const say = useText()
  if (!clear) {
    return (
      <Notice title={say(['还没有记录', 'Nothing here yet'])}>
        <p>{children ?? say(['有了数据会显示在这里。', 'Records appear here once there are any.'])}</p>
      </Notice>
    )
  }
  return (
    <Notice title={say(['没有符合条件的记录', 'No matching records'])}>
      <p>{say(['放宽条件，或查看全部。', 'Widen the search or show everything.'])}</p>
      <Button onClick={clear}>{say(['清空条件', 'Clear filters'])}</Button>
    </Notice>
  )
}

/** A page behind the last one, after a deletion or from an old link. */
export function PastTheEnd({ first }: { first: () => void }) {
  const say = useText()
  return (
    <Notice title={say(['没有这么多页', 'There is no such page'])}>
      <p>{say(['记录比原来少了。', 'There are fewer records than before.'])}</p>
      <Button onClick={first}>{say(['回到第一页', 'Back to the first page'])}</Button>
    </Notice>
  )
}

/** The account of a failure: the fault, what was kept, what to do, and the number that finds it in the log. */
export function Failed({ error, retry }: { error: Refusal; retry?: () => void }) {
  const say = useText()
  if (error.status === 403) return <NoPermission />
  return (
    <Notice title={say(['没有取到数据', 'The data could not be loaded'])}>
      <p>
        {error.message} {say(['条件已保留，可以重试。', 'The search is kept; try again.'])}
      </p>
      {retry && (
        <Button type="primary" onClick={retry}>
          {say(['重试', 'Try again'])}
        </Button>
      )}
      <RequestId id={error.requestId} />
    </Notice>
  )
}

/** A part of a page that asks for itself: its room while it waits, why when it failed, and what it is about only once that is known. */
export function Loaded<T>({ of, lines = 4, children }: { of: UseQueryResult<T>; lines?: number; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  return of.error ? <Failed error={of.error as Refusal} retry={() => void of.refetch()} /> : <Waiting lines={lines} />
}

/** The text of an empty list of choices: it says that there are none only once that is known. */
export function NoChoice({ of, none }: { of: UseQueryResult<unknown>; none: Text }) {
  const say = useText()
  if (of.data !== undefined) return say(none)
  if (!of.error) return say(['正在读取…', 'Loading…'])
  return (
    <>
      {say(['没有取到数据', 'The data could not be loaded'])}{' '}
      <Button size="small" onClick={() => void of.refetch()}>
        {say(['重试', 'Try again'])}
      </Button>
    </>
  )
}

export function NoPermission() {
  const say = useText()
  return (
    <div data-state="no-permission">
      <Notice title={say(['您没有查看这里的权限', 'You do not have permission to view this'])}>
        <p>{say(['需要时请联系管理员分配权限。', 'Ask an administrator for access if you need it.'])}</p>
      </Notice>
    </div>
  )
}

/** The request's number, with a button that copies it. */
export function RequestId({ id }: { id: string }) {
  const say = useText()
  const [copied, setCopied] = useState(false)
  if (!id) return null
  const copy = () => void navigator.clipboard?.writeText(id).then(() => setCopied(true))
  return (
    <p className="faint request-id">
      {say(['请求号', 'Request'])} <code>{id}</code>
      <button type="button" aria-label={say(['复制', 'Copy'])} onClick={copy}>
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </p>
  )
}
