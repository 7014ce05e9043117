import { DownOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { labelOf, type Shape, shapesOf, State, Time, Value } from '../../../platform/web/value.tsx'
import { CommandState } from '../../device/contract/command.ts'
import { Connector, connector } from '../contract/connector.ts'
import { Equipment, equipment } from '../contract/pile.ts'
import { actionName, OperateKind, type OperateLog, operateLog } from '../contract/operateLog.ts'
import { PileFailure, pileCommand, PileMethod } from '../contract/pileCommand.ts'
import { Direction, FrameKind, PileLink, pileLink } from '../contract/pileLink.ts'
import { AddGun, Guns } from './Guns.tsx'
import { PileTell, SECRET, type Secret, type Tell, TELLS } from './PileTell.tsx'

const OnceSecret = lazy(() => import('../../../platform/web/form/OnceSecret.tsx'))
type Link = Of<typeof PileLink>
const LATEST = 10
const AGAIN_MS = 5_000

/** What may be told to a pile, by whoever may tell it; its secret is a matter of its own. */
export function PileActs({ of }: { of: Link }) {
  const say = useText()
  const [tell, setTell] = useState<Tell>()
  const [secret, setSecret] = useState<Secret>()
  const guns = useQuery(asks(connector.list, { equipmentId: of.equipmentId }, { quiet: true })).data ?? []
  const allowed = TELLS.filter(({ call }) => can(call.needs))
  return (
    <>
      {can(SECRET.call.needs) && (
        <Button onClick={() => setTell(SECRET)}>{say(of.hasSecret ? SECRET.text : ['生成密钥', 'Generate the secret'])}</Button>
      )}
      {allowed.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{ items: allowed.map((one) => ({ key: one.call.id, label: say(one.text), onClick: () => setTell(one) })) }}
        >
          <Button>
            {say(['下发指令', 'Send a command'])} <DownOutlined />
          </Button>
        </Dropdown>
      )}
      {tell && (
        <PileTell of={of.equipmentId} tell={tell} guns={guns.map((one) => one.connectorId)} onClose={() => setTell(undefined)} onSecret={setSecret} />
      )}
      {secret && (
        <Suspense>
          <OnceSecret secret={secret.secret} use={howTo(secret)} onClose={() => setSecret(undefined)} />
        </Suspense>
      )}
    </>
  )
}
/** Where a pile connects to: the console's own address. */
const addressOf = (chargePointId: string) => `${location.protocol === 'http:' ? 'ws' : 'wss'}://${location.host}/ocpp/${chargePointId}`
function howTo({ chargePointId, told }: Secret): Text {
  const address = addressOf(chargePointId)
  const [zh, en] = told
    ? ['新密钥已下发到桩，桩下次以它连接后旧密钥失效。', 'The pile has been sent the new secret; the old one ends once it connects with it.']
    : ['请在桩的后台设置中填写以下三项。', 'Enter these three in the settings of the pile.']
  return [
    `${zh}服务器地址 ${address}，用户名（通信编号）${chargePointId}，密码即下方密钥。`,
    `${en} Server address ${address}, user name (charge point id) ${chargePointId}; the password is the secret below.`,
  ]
}

/** A pile as its engineer looks at it: the line, the guns, what it was told and what it said. */
export function PileStory({ of }: { of: Link }) {
  return (
    <div className="story">
      <Facts
        entity={PileLink}
        of={of}
        show={[
          'chargePointId',
          { label: ['桩连接地址', 'Address for the pile'], value: of.chargePointId === null ? NONE : addressOf(of.chargePointId) },
          'protocol',
          'subProtocol',
          'online',
          'lastSeenAt',
          'connectedAt',
          'bootAt',
          'boots',
          'vendor',
          'model',
          'serialNo',
          'firmware',
          'skewSec',
          'ip',
          'hasSecret',
          'renewing',
          'refusedAt',
          'refusal',
        ]}
      />
      <Section title={['充电枪', 'Connectors']}>
        <GunsOf of={of.equipmentId} />
      </Section>
      <Section title={['最近指令', 'Latest commands']}>
        <Commands of={of.equipmentId} />
      </Section>
      <Section title={['操作记录', 'Operations']}>
        <Operations of={of.equipmentId} />
      </Section>
      {can(pileLink.frames.needs) && (
        <Section title={['原始报文', 'Frames']}>
          <Frames of={of.equipmentId} />
        </Section>
      )}
    </div>
  )
}

const table = (rows: ReactNode[] | undefined, none: string) =>
  rows === undefined ? null : rows.length === 0 ? (
    <p className="faint">{none}</p>
  ) : (
    <table className="lines">
      <tbody>{rows}</tbody>
    </table>
  )

function GunsOf({ of: equipmentId }: { of: string }) {
  const say = useText()
  const { data } = useQuery({ ...asks(connector.list, { equipmentId }, { quiet: true }), refetchInterval: AGAIN_MS })
  if (!data) return null
  return (
    <>
      {data.length === 0 ? <p className="faint">{say(['还没有充电枪', 'No connectors yet'])}</p> : <Guns of={data} />}
      <NewGun of={equipmentId} guns={data.length} />
    </>
  )
}
/** Where a pile was just added, its connectors are what comes next. */
function NewGun({ of: equipmentId, guns }: { of: string; guns: number }) {
  const [adding, setAdding] = useState(false)
  const { data } = useQuery({ ...asks(equipment.tableList, { equipmentId }, { quiet: true }), enabled: can(connector.save.needs) })
  const host = data?.records.find((one) => one.equipmentId === equipmentId)
  if (!host) return null
  return (
    <>
      <Act text={['新增充电枪', 'Add a connector']} needs={connector.save.needs} onClick={() => setAdding(true)} />
      {adding && <AddGun of={host} guns={guns} onClose={() => setAdding(false)} />}
    </>
  )
}
function Commands({ of: equipmentId }: { of: string }) {
  const say = useText()
  const { data } = useQuery({ ...asks(pileCommand.commands, { equipmentId, limit: LATEST }, { quiet: true }), refetchInterval: AGAIN_MS })
  const rows = data?.records.map((one) => (
    <tr key={one.id}>
      <td>
        <Time at={one.createdAt} />
      </td>
      <td>{say(PileMethod.entries[one.method])}</td>
      <td>
        <State dictionary={CommandState} value={one.state} />
      </td>
      <td>{one.failure ? say(PileFailure.entries[one.failure]) : one.reason}</td>
      <td className="faint">{one.byName}</td>
    </tr>
  ))
  return table(rows, say(['还没有下发过指令', 'No commands sent yet']))
}
function Operations({ of: equipmentId }: { of: string }) {
  const say = useText()
  const { data } = useQuery(asks(operateLog.query, { equipmentId, limit: LATEST }, { quiet: true }))
  const rows = data?.records.map((one) => (
    <tr key={one.id}>
      <td>
        <Time at={one.at} />
      </td>
      <td>{say(OperateKind.entries[one.kind])}</td>
      <td>
        {say(actionName(one.action))} <Changed of={one} />
      </td>
      <td>{one.reason}</td>
      <td className="faint">{one.who}</td>
    </tr>
  ))
  return table(rows, say(['还没有操作记录', 'No operations yet']))
}
const SHAPES = { ...shapesOf(Equipment), ...shapesOf(Connector) }
/** Which gun, and what was changed from what to what: by the names and in the words of its form. */
function Changed({ of: { params, before, after } }: { of: Of<typeof OperateLog> }) {
  const gun = (params as { connectorId?: string } | null)?.connectorId
  const [was, is] = [before, after] as (Record<string, unknown> | null)[]
  const fields = was && is ? Object.keys(is).filter((name) => SHAPES[name] && was[name] !== is[name]) : []
  return (
    <>
      {gun}
      {fields.map((name) => (
        <div key={name} className="faint">
          <Labelled shape={SHAPES[name]!} /> <Value shape={SHAPES[name]!} value={was![name]} /> → <Value shape={SHAPES[name]!} value={is![name]} />
        </div>
      ))}
    </>
  )
}
function Labelled({ shape }: { shape: Shape }) {
  return useText()(labelOf(shape))
}
function Frames({ of: equipmentId }: { of: string }) {
  const say = useText()
  const { data } = useQuery({ ...asks(pileLink.frames, { equipmentId, limit: LATEST * 2 }, { quiet: true }), refetchInterval: AGAIN_MS })
  const rows = data?.records.map((one) => (
    <tr key={one.id}>
      <td>
        <Time at={one.at} />
      </td>
      <td>{say(Direction.entries[one.direction])}</td>
      <td>
        <State dictionary={FrameKind} value={one.kind} />
      </td>
      <td>{one.action}</td>
      <td className="charging-said">{one.body}</td>
    </tr>
  ))
  return table(rows, say(['七天内没有报文', 'No frames in the last 7 days']))
}
