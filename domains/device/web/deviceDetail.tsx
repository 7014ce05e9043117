import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { type Detail, Facts, Section, Timeline } from '../../../platform/web/DetailDrawer.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { type Command, command, CommandState } from '../contract/command.ts'
import { device, DeviceStatus, DeviceUse } from '../contract/device.ts'
import { type Message, message, MessageKind } from '../contract/message.ts'

type Row = Of<typeof DeviceStatus>
export const DEVICE_TOPIC = 'device.status'
/** What it last said and was told, as much as one looks through. */
const LATEST = 20

/** A device's story: where it stands, what it last said, what it was told and whether it did it. */
export const deviceDetail: Detail<Row> = {
  call: device.findOne as never,
  head: (row) => (
    <>
      <b>{row.deviceNo}</b> {row.name} <State dictionary={DeviceUse} value={row.useStatus} />
    </>
  ),
  body: (row) => <DeviceStory of={row} />,
}

function DeviceStory({ of }: { of: Row }) {
  return (
    <>
      <Facts
        entity={DeviceStatus}
        of={of}
        show={['type', 'online', 'since', 'lastSeenAt', 'parkCode', 'gateCode', 'ip', 'firmware', 'intervalSec', 'createdAt', 'remark']}
      />
      {can(command.query.needs) && <Commands deviceNo={of.deviceNo} />}
      {can(message.query.needs) && <Messages deviceNo={of.deviceNo} />}
    </>
  )
}

const TONES = { 3: 'success', 4: 'error', 5: 'warning' } as const

function Commands({ deviceNo }: { deviceNo: string }) {
  const say = useText()
  const { data } = useQuery(asks(command.query, { deviceNo, limit: LATEST, queryMode: 'rows' }))
  const said = (row: Of<typeof Command>) => say(CommandState.entries[row.state])
  return (
    <Section title={['最近指令', 'Latest commands']}>
      {!data && <Skeleton active />}
      {data?.records.length === 0 && <p className="faint">{say(['还没有下发过指令', 'It was never told anything'])}</p>}
      {data && (
        <Timeline
          events={data.records.map((row) => ({
            key: row.id,
            at: row.createdAt,
            title: `${row.method} · ${said(row)}`,
            tone: TONES[row.state as keyof typeof TONES] ?? 'default',
            body: <code>{JSON.stringify(row.params)}</code>,
          }))}
        />
      )}
    </Section>
  )
}

function Messages({ deviceNo }: { deviceNo: string }) {
  const say = useText()
  const { data } = useQuery(asks(message.query, { deviceNo, limit: LATEST, queryMode: 'rows' }))
  const kind = (row: Of<typeof Message>) => say(MessageKind.entries[row.kind])
  return (
    <Section title={['最近消息', 'Latest messages']}>
      {!data && <Skeleton active />}
      {data?.records.length === 0 && <p className="faint">{say(['还没有收到消息', 'It has said nothing yet'])}</p>}
      {data && (
        <Timeline
          events={data.records.map((row) => ({
            key: row.id,
            at: row.deviceTime,
            title: `${kind(row)} · ${row.type}`,
            tone: row.offline ? 'warning' : 'default',
            body: <code>{JSON.stringify(row.payload)}</code>,
          }))}
        />
      )}
    </Section>
  )
}
