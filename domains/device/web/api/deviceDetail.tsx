import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { type Detail, Facts, Section, Timeline } from '../../../../platform/web/record/DetailDrawer.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { GateName, ParkName } from '../../../parking/web/api/names.tsx'
import { command } from '../../contract/command.ts'
import { device, DeviceStatus, DeviceUse } from '../../contract/device.ts'
import { message } from '../../contract/message.ts'
import { GATE, PARK } from '../places.tsx'
import { endWords, saidWords, toldWords } from './words.ts'
import './device.css'

type Row = Of<typeof DeviceStatus>
/** The number of its last messages and commands to show, about one screen. */
const LATEST = 20

/** A device's story: its place, its last messages, and its commands with their outcome. */
export const deviceDetail: Detail<Row> = {
  call: device.findOne as never,
  head: (row) => (
    <>
      <b>{row.deviceNo}</b> {row.name} <Online of={row} /> {row.useStatus !== IN_USE && <State dictionary={DeviceUse} value={row.useStatus} />}
    </>
  ),
  body: (row) => <DeviceStory of={row} />,
}

/** `DeviceUse`: in use, which says nothing of whether it is there. */
const IN_USE = 1

function DeviceStory({ of }: { of: Row }) {
  return (
    <>
      <Facts
        entity={DeviceStatus}
        of={of}
        show={[
          'type',
          { label: ['在线', 'Online'], value: <Online of={of} /> },
          'since',
          'lastSeenAt',
          { label: PARK, value: <ParkName code={of.parkCode} /> },
          { label: GATE, value: <GateName code={of.gateCode} /> },
          'ip',
          'firmware',
          'intervalSec',
          'createdAt',
          'remark',
        ]}
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
  return (
    <Section title={['最近指令', 'Latest commands']}>
      {!data && <Waiting lines={3} />}
      {data?.records.length === 0 && <p className="faint">{say(['还没有下发过指令', 'No commands sent yet'])}</p>}
      {data && (
        <Timeline
          events={data.records.map((row) => ({
            key: row.id,
            at: row.createdAt,
            title: `${say(toldWords(row))} · ${say(endWords(row))}`,
            tone: TONES[row.state as keyof typeof TONES] ?? 'default',
            body: <Raw name={row.method} of={row.params} />,
          }))}
        />
      )}
    </Section>
  )
}

function Messages({ deviceNo }: { deviceNo: string }) {
  const say = useText()
  const { data } = useQuery(asks(message.query, { deviceNo, limit: LATEST, queryMode: 'rows' }))
  return (
    <Section title={['最近消息', 'Latest messages']}>
      {!data && <Waiting lines={3} />}
      {data?.records.length === 0 && <p className="faint">{say(['还没有收到消息', 'No messages received yet'])}</p>}
      {data && (
        <Timeline
          events={data.records.map((row) => ({
            key: row.id,
            at: row.deviceTime,
            title: say(saidWords(row)),
            tone: row.offline ? 'warning' : 'default',
            body: <Raw name={row.type} of={row.payload} />,
          }))}
        />
      )}
    </Section>
  )
}

/** Whether the device is there now: a mark and a word. One that never came is not the same as one that went away. */
export function Online({ of }: { of: Pick<Row, 'online' | 'lastSeenAt'> }) {
  const say = useText()
  if (of.online) return <span className="state success">{say(['在线', 'Online'])}</span>
  if (of.lastSeenAt === null) return <span className="state default">{say(['从未上线', 'Never online'])}</span>
  return <span className="state error">{say(['离线', 'Offline'])}</span>
}

/** Shows the message as it was sent, on demand. */
function Raw({ name, of }: { name: string; of: unknown }) {
  const say = useText()
  return (
    <details className="device-raw">
      <summary>{say(['原始内容', 'Raw data'])}</summary>
      <code>{name}</code>
      <Said of={of} />
    </details>
  )
}

/** Shows a device's message or command, name by name; a picture or a nested part stays as it was sent. */
function Said({ of }: { of: unknown }) {
  const pairs = typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.entries(of) : []
  if (pairs.length === 0) return Array.isArray(of) && of.length > 0 ? <code>{JSON.stringify(of)}</code> : null
  return (
    <dl className="device-said">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
