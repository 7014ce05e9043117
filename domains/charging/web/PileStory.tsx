import { DownOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section } from '../../../platform/web/DetailDrawer.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { CommandState } from '../../device/contract/command.ts'
import { connector, ConnectorStatus } from '../contract/connector.ts'
import { OperateKind, operateLog } from '../contract/operateLog.ts'
import { PileFailure, pileCommand, PileMethod } from '../contract/pileCommand.ts'
import { Direction, FrameKind, PileLink, pileLink } from '../contract/pileLink.ts'
import { PileTell, type Tell, TELLS } from './PileTell.tsx'

const OnceSecret = lazy(() => import('../../../platform/web/OnceSecret.tsx'))
type Link = Of<typeof PileLink>
const LATEST = 10
const AGAIN_MS = 5_000

/** What may be told to a pile, by whoever may tell it. */
export function PileActs({ of: { equipmentId } }: { of: Link }) {
  const say = useText()
  const [tell, setTell] = useState<Tell>()
  const [secret, setSecret] = useState<string>()
  const guns = useQuery(asks(connector.list, { equipmentId }, { quiet: true })).data ?? []
  const allowed = TELLS.filter(({ call }) => can(call.needs))
  if (allowed.length === 0) return null
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items: allowed.map((one) => ({ key: one.call.id, label: say(one.text), onClick: () => setTell(one) })) }}>
        <Button>
          {say(['下发指令', 'Send a command'])} <DownOutlined />
        </Button>
      </Dropdown>
      {tell && (
        <PileTell of={equipmentId} tell={tell} guns={guns.map((one) => one.connectorId)} onClose={() => setTell(undefined)} onSecret={setSecret} />
      )}
      {secret && (
        <Suspense>
          <OnceSecret
            secret={secret}
            use={[
              '桩以通信编号为用户名、以此密钥为密码连接。',
              'The pile connects with its charge point id as the user name and this secret as the password.',
            ]}
            onClose={() => setSecret(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

/** A pile as its engineer looks at it: the line, the guns, what it was told and what it said. */
export function PileStory({ of }: { of: Link }) {
  return (
    <div className="story">
      <Facts
        entity={PileLink}
        of={of}
        show={['chargePointId', 'protocol', 'subProtocol', 'online', 'lastSeenAt', 'connectedAt', 'bootAt', 'boots', 'vendor', 'model', 'serialNo', 'firmware', 'skewSec', 'ip', 'hasSecret', 'renewing', 'refusedAt', 'refusal']}
      />
      <Section title={['充电枪', 'Connectors']}>
        <Guns of={of.equipmentId} />
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
} // prettier-ignore

const table = (rows: ReactNode[] | undefined, none: string) =>
  rows === undefined ? null : rows.length === 0 ? (
    <p className="faint">{none}</p>
  ) : (
    <table className="lines">
      <tbody>{rows}</tbody>
    </table>
  )

function Guns({ of: equipmentId }: { of: string }) {
  const say = useText()
  const { data } = useQuery({ ...asks(connector.list, { equipmentId }, { quiet: true }), refetchInterval: AGAIN_MS })
  const rows = data?.map((gun) => (
    <tr key={gun.connectorId}>
      <td>{gun.connectorId}</td>
      <td>{gun.power} kW</td>
      <td>
        <State dictionary={ConnectorStatus} value={gun.status} />
      </td>
      <td className="faint">{gun.orderNo}</td>
    </tr>
  ))
  return table(rows, say(['还没有充电枪', 'No connectors yet']))
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
      <td>{one.action}</td>
      <td>{one.reason}</td>
      <td className="faint">{one.who}</td>
    </tr>
  ))
  return table(rows, say(['还没有操作记录', 'No operations yet']))
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
