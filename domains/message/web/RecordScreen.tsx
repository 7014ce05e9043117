import { plural } from '../../../platform/contract/plural.ts'
import { Button, Segmented } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { MessageKind } from '../contract/template.ts'
import { MessageRecord, mineSearch, record, recordCan, recordSearch, WaitsFor, SendState, ReadState } from '../contract/record.ts'
import { RECORD_CHANGES, TASK_CHANGES } from './changes.ts'
import { ChannelName, ChannelSelect } from './pickers.tsx'
import { Answer } from './Answer.tsx'
import { againTo, mayTakeBack, recordStory } from './RecordStory.tsx'

type Row = Of<typeof MessageRecord>

/** The person's own messages, where the bell leads; and, for people with the permission, all messages. */
export default function RecordScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const all = params.get('view') === 'all' && can(record.queryPage.needs)
  const which = can(record.queryPage.needs) && (
    <Segmented
      value={all ? 'all' : 'mine'}
      options={[
        { value: 'mine', label: say(['我的消息', 'My messages']) },
        { value: 'all', label: say(['发送记录', 'Sent messages']) },
      ]}
      onChange={(view) => setParams(view === 'all' ? { view } : {})}
    />
  )
  return all ? <Sent which={which} /> : <Mine which={which} />
}

/** More at once would be more calls than a person waits for. */
const AT_ONCE = 100
function Mine({ which }: { which: ReactNode }) {
  const say = useText()
  const act = useAct([record.queryMessageRecord])
  const remove = useRemove([record.queryMessageRecord])
  const read = (id: Row['id']) => act(record.tag, { id })
  return (
    <ListScreen
      key="mine"
      purpose={['发给您的站内消息；打开即为已读', 'In-app messages to you; opening one marks it as read']}
      query={record.queryMessageRecord}
      search={mineSearch}
      find={['readState', 'title', 'createdAt', 'kind']}
      columns={[
        {
          dataIndex: 'title',
          render: (_, row) => (row.readState === ReadState.unread ? <b>{say([row.title, row.titleEn])}</b> : say([row.title, row.titleEn])),
        },
        {
          dataIndex: 'content',
          ellipsis: true,
          width: 420,
          render: (_, { content, contentEn }) => say([content, contentEn]) || <span className="faint">--</span>,
        },
        'kind',
        'readState',
        'createdAt',
        'readAt',
      ]}
      hidden={['readAt']}
      roomy={['kind']}
      live="message.inner"
      ticks
      sum={{ figures: [{ text: ['未读', 'unread'], leads: { readState: ReadState.unread } }] }}
      toolbar={({ ticked, untick }) => {
        const unread = ticked.filter(({ readState }) => readState === ReadState.unread).slice(0, AT_ONCE)
        const markAll = async () => {
          for (const { id } of unread) if (!(await read(id))) break
          untick()
        }
        return (
          <>
            {which}
            <Button disabled={unread.length === 0} onClick={() => void markAll()}>
              {say(['标为已读', 'Mark as read'])}
            </Button>
          </>
        )
      }}
      actions={({ id, readState, title, titleEn }) => [
        { text: ['标为已读', 'Mark as read'], run: () => void read(id), not: readState === ReadState.read && ['已经读过', 'Already read'] },
        { text: Label.delete, run: () => void remove(record.delete, { id }, say([title, titleEn])), danger: true },
      ]}
      detail={{
        call: record.mine,
        head: (row) => <b>{say([row.title, row.titleEn])}</b>,
        act: (row) =>
          row.link && (
            <Link to={row.link}>
              <Button type="primary">{say(['去处理', 'Go to page'])}</Button>
            </Link>
          ),
        body: (row) => <Letter row={row} read={read} />,
      }}
    />
  )
}

/** Opening a message reads it. */
function Letter({ row, read }: { row: Row; read: (id: Row['id']) => Promise<boolean> }) {
  const say = useText()
  const unread = row.readState === ReadState.unread
  useEffect(() => {
    if (unread) void read(row.id)
  }, [row.id, unread])
  return (
    <>
      <p className="faint">
        {say(MessageKind.entries[row.kind])} ·{' '}
        <time dateTime={row.createdAt}>{new Date(row.createdAt).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })}</time>
      </p>
      <div className="message-text">{say([row.content, row.contentEn]) || say([row.title, row.titleEn])}</div>
    </>
  )
}

function Sent({ which }: { which: ReactNode }) {
  const say = useText()
  const act = useAct([...RECORD_CHANGES, ...TASK_CHANGES])
  return (
    <ListScreen
      key="all"
      purpose={['经各渠道发出的每条消息：是否送达，未送达的原因', 'Every message sent through each channel: whether it arrived, and if not, why']}
      query={record.queryPage}
      search={recordSearch}
      find={[
        'sendState',
        'toName',
        'createdAt',
        { name: 'channelId', control: <ChannelSelect /> },
        'kind',
        'channelType',
        'title',
        'templateCode',
        'readState',
      ]}
      columns={sentColumns(say)}
      hidden={['channelType', 'templateCode', 'readState', 'readAt', 'urgent', 'backup', 'nextAt', 'retries']}
      roomy={['channelId', 'kind', 'sentAt']}
      live="message.record"
      bulk={{
        nameOf: ({ toName, toShown, title, content }) => `${toName || toShown} ${title || content}`,
        changes: [...RECORD_CHANGES, ...TASK_CHANGES],
        acts: [
          {
            text: ['重发', 'Resend'],
            call: record.resend,
            input: ({ id }) => ({ id }),
            not: ({ sendState }) => recordCan.resend(sendState) === undefined && ONLY_FAILED,
          },
        ],
      }}
      sum={{
        figures: [
          { text: ['失败', 'failed'], leads: { sendState: [SendState.failed] } },
          { text: ['待发', 'waiting'], leads: { sendState: [SendState.waiting, SendState.sending] } },
          { text: ['被限流', 'over limit'], leads: { sendState: [SendState.overCap] } },
        ],
      }}
      toolbar={({ ticked, untick }) => (
        <>
          {which}
          <DeleteTicked ticked={ticked} untick={untick} />
        </>
      )}
      actions={(row) => [
        {
          text: ['重发', 'Resend'],
          needs: record.resend.needs,
          run: () => void act(record.resend, { id: row.id }, againTo(row)),
          not: recordCan.resend(row.sendState) === undefined && ONLY_FAILED,
        },
        {
          text: ['撤回', 'Withdraw'],
          needs: record.update.needs,
          run: () => void act(record.update, { id: row.id, version: row.version, sendState: SendState.withdrawn }, { done: ['已撤回', 'Withdrawn'] }),
          not: !mayTakeBack(row) && ['已送达或已结束，不能撤回', 'Already sent or ended, so it cannot be withdrawn'],
        },
      ]}
      detail={recordStory(say)}
    />
  )
}

const ONLY_FAILED: Text = ['只有失败的消息可以重发', 'Only failed messages can be resent']

function DeleteTicked({ ticked, untick }: { ticked: Row[]; untick: () => void }) {
  const say = useText()
  const remove = useRemove(RECORD_CHANGES)
  if (!can(record.deleteMany.needs)) return null
  return (
    <Button
      disabled={ticked.length === 0}
      onClick={() =>
        void remove(
          record.deleteMany,
          { ids: ticked.map(({ id }) => id) },
          say([`${ticked.length} 条消息`, `${ticked.length} ${plural(ticked.length, 'message')}`]),
        ).then((done) => done && untick())
      }
    >
      {say(Label.delete)}
    </Button>
  )
}

const sentColumns = (say: Say): Column<Row>[] => [
  {
    dataIndex: 'title',
    ellipsis: true,
    width: 180,
    render: (_, { title, titleEn, content, contentEn }) => say([title || content, titleEn || contentEn]),
  },
  {
    dataIndex: 'toName',
    render: (_, { toName, toShown }) => (
      <>
        {toName || toShown} {toName && <span className="faint">{toShown}</span>}
      </>
    ),
  },
  {
    dataIndex: 'channelId',
    render: (_, row) => (
      <>
        <ChannelName id={row.channelId} />
        {row.backup && <span className="faint"> {say(['备用', 'backup'])}</span>}
      </>
    ),
  },
  'kind',
  { dataIndex: 'sendState', render: (_, row) => <Sending row={row} /> },
  'createdAt',
  'sentAt',
  'retries',
  { dataIndex: 'error', ellipsis: true, width: 200, render: (_, { error }) => (error ? <Answer of={error} /> : <span className="faint">--</span>) },
  'channelType',
  'templateCode',
  'readState',
  'readAt',
  'urgent',
  'backup',
  'nextAt',
]

/** The state, and what one that waits is waiting for. */
function Sending({ row }: { row: Row }) {
  const say = useText()
  return (
    <>
      <State dictionary={MessageRecord.properties.sendState['x-dictionary']!} value={row.sendState} />
      {row.waits !== null && <span className="faint"> {say(WaitsFor.entries[row.waits])}</span>}
    </>
  )
}
