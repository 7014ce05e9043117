import { Button } from 'antd'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { type Detail, Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { AttemptOutcome, record, recordCan, RecordDetail, SendState, WaitsFor, ReadState } from '../contract/record.ts'
import { RECORD_CHANGES, TASK_CHANGES } from './changes.ts'
import './message.css'
import { NONE } from '../../../platform/web/format.ts'
import { Answer } from './Answer.tsx'
import { ChannelType } from '../contract/channel.ts'

type Story = Of<typeof RecordDetail>
const TONES = { 0: 'warning', 1: 'success', 2: 'error', 3: 'warning', 4: 'error', 5: 'warning' } as const

/** A message's story: its text, every try with the provider's answer, and the next step. */
export const recordStory = (say: Say): Detail<Story> => ({
  call: record.detail,
  head: (row) => (
    <>
      <b>{say([row.title || row.content.slice(0, 20), row.titleEn || row.contentEn.slice(0, 30)])}</b>{' '}
      <State dictionary={SendState} value={row.sendState} />
    </>
  ),
  act: (row) => <Acts row={row} />,
  body: (row) => <Body row={row} />,
})

export const mayTakeBack = ({ sendState, channelType, readState }: Pick<Story, 'sendState' | 'channelType' | 'readState'>) =>
  recordCan.withdraw(sendState) !== undefined || (sendState === SendState.sent && channelType === ChannelType.inner && readState === ReadState.unread)

/** Sent once more, after a question that says to whom. */
export const againTo = ({ toName, title }: Pick<Story, 'toName' | 'title'>) =>
  ({
    question: [`将「${title}」重发给 ${toName} 1 人？`, `Resend “${title}” to ${toName} only?`],
    act: ['重发', 'Resend'],
    done: ['已重新发送', 'Resent'],
  }) as const

function Acts({ row }: { row: Story }) {
  const say = useText()
  const act = useAct([...RECORD_CHANGES, ...TASK_CHANGES])
  if (recordCan.resend(row.sendState) !== undefined && can(record.resend.needs))
    return <Act text={['重发', 'Resend']} needs={record.resend.needs} onClick={() => void act(record.resend, { id: row.id }, againTo(row))} />
  if (!mayTakeBack(row) || !can(record.update.needs)) return null
  return (
    <Button
      onClick={() =>
        void act(
          record.update,
          { id: row.id, version: row.version, sendState: SendState.withdrawn },
          { question: ['撤回这条消息？', 'Withdraw this message?'], act: ['撤回', 'Withdraw'], done: ['已撤回', 'Withdrawn'] },
        )
      }
    >
      {say(['撤回', 'Withdraw'])}
    </Button>
  )
}

function Body({ row }: { row: Story }) {
  const say = useText()
  return (
    <>
      <div className="message-text">
        <b>{say([row.title, row.titleEn])}</b>
        {say([row.content, row.contentEn])}
      </div>
      <Facts
        entity={RecordDetail}
        of={row}
        show={[
          'toName',
          'toShown',
          'kind',
          'channelName',
          'channelType',
          'urgent',
          'templateCode',
          {
            label: ['任务', 'Task'],
            value: row.taskId ? <Link to={`/operation/message/task/${row.taskId}`}>{row.taskName}</Link> : <span className="faint">--</span>,
          },
          'createdAt',
          'sentAt',
          ...(row.channelType === ChannelType.inner ? (['readState', 'readAt'] as const) : []),
          'retries',
          'backup',
          { label: ['失败原因', 'Failure reason'], value: row.error ? <Answer of={row.error} /> : NONE },
          { label: ['链接', 'Link'], value: row.link ? <Link to={row.link}>{row.link}</Link> : <span className="faint">--</span> },
        ]}
      />
      <Section title={['经过', 'What happened']}>
        <Timeline events={eventsOf(row, say)} />
      </Section>
    </>
  )
}

function eventsOf(row: Story, say: Say) {
  const tries = row.attempts.map((one) => ({
    key: one.id as string,
    at: one.at as string,
    tone: TONES[one.outcome],
    title: (
      <>
        {one.channelName}
        {one.backup && <span className="faint"> {say(['备用渠道', 'backup'])}</span>} · {say(AttemptOutcome.entries[one.outcome])}
      </>
    ),
    by: one.ms === null ? undefined : `${one.ms} ms`,
    body: (
      <>
        {one.answer && <Answer of={one.answer} />} <span className="faint">{one.providerNo ?? ''}</span>
      </>
    ),
  }))
  const next = row.nextAt && {
    key: 'next',
    at: row.nextAt as string,
    tone: 'default' as const,
    title:
      row.waits === null
        ? say(['将发送', 'Will be sent'])
        : say([`将发送：等待${WaitsFor.entries[row.waits][0]}`, `Will be sent; waiting for: ${WaitsFor.entries[row.waits][1]}`]),
  }
  const read = row.readAt && { key: 'read', at: row.readAt as string, tone: 'success' as const, title: say(['已读', 'Read']) }
  const sent = row.sentAt &&
    row.attempts.length === 0 && {
      key: 'sent',
      at: row.sentAt as string,
      tone: 'success' as const,
      title: say(['送达站内', 'Delivered in-app']),
    }
  return [{ key: 'made', at: row.createdAt as string, title: say(['创建', 'Created']) }, ...tries, ...[sent, read, next].filter((one) => !!one)]
}
