import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { count } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { channel, ChannelDetail, channelSearch, ChannelStatus, ChannelType, type ChannelTypeCode } from '../contract/channel.ts'
import { CHANNEL_CHANGES } from './changes.ts'
import { ChannelDialog, type Doing, INNER, MAIL, type Row } from './ChannelDialog.tsx'
import './message.css'

const STAYS: Text = ['站内渠道始终可用', 'The in-app channel is always available']

/** The ways by which messages leave: where they lead, how fast, and what takes over when one fails. */
export default function ChannelScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const set = useSwitch()
  const remove = useRemove(CHANNEL_CHANGES)
  return (
    <>
      <ListScreen
        purpose={[
          '发送消息的渠道：速率、每日上限与失败后的备用渠道',
          'The channels that send messages: rate, daily cap and the backup after failures',
        ]}
        query={channel.queryPage}
        search={channelSearch}
        find={['name', 'type', 'status']}
        columns={columnsOf(say)}
        hidden={['account', 'sender', 'hasSecret', 'updatedAt', 'remark']}
        roomy={['ratePerSec', 'url']}
        live="message.record"
        toolbar={can(channel.insert.needs) && <Add onDo={setDoing} />}
        actions={(row) => [
          { text: ['测试', 'Test'], needs: channel.test.needs, run: () => setDoing({ what: 'test', of: row }), not: row.type === INNER && STAYS },
          { text: Label.edit, needs: channel.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: row.status === ChannelStatus.inUse ? Label.disable : Label.enable,
            needs: channel.update.needs,
            run: () => void set(row),
            not: row.type === INNER && STAYS,
          },
          {
            ...deleting(remove, channel.delete, { id: row.id }, row.name, { kind: 'message.channel', key: row.id }),
            not: row.type === INNER && STAYS,
          },
        ]}
        detail={{
          call: channel.detail,
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={ChannelStatus} value={row.status} />
            </>
          ),
          act: (row) =>
            row.type !== INNER &&
            can(channel.test.needs) && <Button onClick={() => setDoing({ what: 'test', of: row })}>{say(['测试', 'Test'])}</Button>,
          body: (row) => <ChannelStory row={row} />,
        }}
      />
      {doing && <ChannelDialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Puts a channel in use or out of it, the latter after a question. */
function useSwitch() {
  const act = useAct(CHANNEL_CHANGES)
  return ({ id, version, status, name }: Row) =>
    act(
      channel.update,
      { id, version, status: status === ChannelStatus.inUse ? ChannelStatus.disabled : ChannelStatus.inUse },
      status === ChannelStatus.inUse
        ? {
            question: [
              `停用渠道「${name}」？排队中的消息会转备用渠道或失败。`,
              `Disable “${name}”? Queued messages move to the backup channel or fail.`,
            ],
            act: Label.disable,
            done: ['已停用', 'Disabled'],
          }
        : { done: ['已启用', 'Enabled'] },
    )
}

const columnsOf = (say: Say): Column<Row>[] => [
  { dataIndex: 'name', ellipsis: true, width: 130 },
  'type',
  'status',
  { dataIndex: 'ratePerSec', title: say(['每秒', 'Per second']) },
  {
    dataIndex: 'sentToday',
    title: say(['今日已发 / 上限', 'Sent today / cap']),
    render: (_, { sentToday, dayCap }) => (
      <>
        {sentToday} <span className="faint">/ {count(dayCap)}</span>
      </>
    ),
  },
  'waiting',
  {
    dataIndex: 'failedToday',
    render: (_, { id, failedToday }) =>
      failedToday > 0 ? (
        <Link to={`/operation/message/record?view=all&channelId=${id}&sendState=3`}>{failedToday}</Link>
      ) : (
        <span className="faint">0</span>
      ),
  },
  { dataIndex: 'backupName', ellipsis: true, width: 130 },
  {
    dataIndex: 'url',
    ellipsis: true,
    width: 200,
    render: (_, { url, host, port }) => url ?? (host ? `${host}:${port}` : <span className="faint">--</span>),
  },
  'account',
  'sender',
  'hasSecret',
  'updatedAt',
  'remark',
]

function Add({ onDo }: { onDo: (doing: Doing) => void }) {
  const say = useText()
  const types = (Object.keys(ChannelType.entries).map(Number) as ChannelTypeCode[]).filter((type) => type !== INNER)
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: types.map((type) => ({ key: type, label: say(ChannelType.entries[type]), onClick: () => onDo({ what: 'new', type }) })),
        }}
      >
        <Button type="primary">
          {say(Label.add)} <DownOutlined />
        </Button>
      </Dropdown>
      <Button onClick={() => onDo({ what: 'rule' })}>{say(['静默与上限', 'Quiet hours and caps'])}</Button>
    </>
  )
}

function ChannelStory({ row }: { row: Row }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={ChannelDetail}
        of={row}
        show={[
          'type',
          'sentToday',
          'waiting',
          'failedToday',
          'ratePerSec',
          'dayCap',
          ...(row.type === MAIL
            ? (['host', { label: ['端口', 'Port'] as const, value: row.port }, 'tls'] as const)
            : row.type === INNER
              ? []
              : (['url'] as const)),
          'account',
          'sender',
          'hasSecret',
          'backupName',
          'updatedAt',
          'remark',
        ]}
      />
      <p className="section">
        <Link to={`/operation/message/record?view=all&channelId=${row.id}`}>{say(['经此渠道的消息', 'Messages via this channel'])}</Link>
      </p>
    </>
  )
}
