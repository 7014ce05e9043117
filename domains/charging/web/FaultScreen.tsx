import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { Fault, fault, faultCan, FaultLevel, faultSearch, FaultSource, FaultState, faultName } from '../contract/fault.ts'
import { monitor } from '../contract/monitor.ts'
import { HandlerSelect } from './handlers.tsx'
import { GunLink } from './links.tsx'
import { StationName, StationSelect } from './stations.tsx'

type Asked = 'new' | { of: Row; to: Row['state']; text: Text }
type Row = Of<typeof Fault>
const CHANGES = [fault.query, fault.detail, monitor.queryConnectorinfoList, monitor.queryConnectorinfo]
const MOVES = [
  ['dispatch', ['派单', 'Dispatch']],
  ['work', ['开始处理', 'Start work']],
  ['recover', ['已恢复', 'Recovered']],
  ['close', ['关闭', 'Close']],
  ['dismiss', ['误报', 'False alarm']],
] as const

const GUN: Text = ['充电枪', 'Connector']
/** What does not work at which gun; severe ones keep it from starting. */
export default function FaultScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '充电枪的故障：严重及以上未恢复前该充电枪不能启动充电',
          'Faults of connectors: with a severe or urgent fault a connector starts no session until it recovers',
        ]}
        query={fault.query}
        search={faultSearch}
        find={[
          'state',
          'level',
          { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect /> },
          { name: 'connectorId', label: GUN },
          'source',
          'code',
          'startAt',
          'faultNo',
        ]}
        columns={[
          'faultNo',
          { dataIndex: 'connectorId', title: say(GUN), render: (id: string) => <GunLink id={id} /> },
          { dataIndex: 'stationId', title: say(['充电站', 'Station']), render: (_, row) => <StationName id={row.stationId} /> },
          { dataIndex: 'code', render: (code: string) => <span title={code}>{say(faultName(code))}</span> },
          'level',
          'state',
          'source',
          'startAt',
          'endAt',
          'times',
          'handler',
          'description',
          'note',
        ]}
        hidden={['times', 'note']}
        roomy={['faultNo', 'description', 'source', 'endAt']}
        detail={{
          call: fault.detail,
          head: (row) => (
            <>
              {row.faultNo} <State dictionary={FaultState} value={row.state} />
            </>
          ),
          act: (row) => <Moves of={row} move={setDoing} />,
          body: (row) => <Story of={row} />,
        }}
        live="charging.fault"
        exports={fault.export}
        add={{ call: fault.insert, open: () => setDoing('new'), text: ['上报故障', 'Report a fault'] }}
        actions={(row) =>
          MOVES.map(([verb, text]) => {
            const to = faultCan[verb](row.state)
            return {
              text,
              needs: fault.update.needs,
              run: () => to !== undefined && setDoing({ of: row, to, text }),
              not: to === undefined && (['当前状态不允许', 'Not possible in its current state'] as const),
            }
          })
        }
        empty={['没有故障', 'No faults']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Doing({ doing, onClose }: { doing: Asked; onClose: () => void }) {
  if (doing === 'new')
    return (
      <FormDialog
        title={['上报故障', 'Report a fault']}
        entity={Fault}
        mode="new"
        value={{ level: FaultLevel.common, source: FaultSource.inspection }}
        save={fault.insert}
        changes={CHANGES}
        done={['已上报', 'Reported']}
        fields={[
          { name: 'connectorId', label: GUN, control: <GunSelect /> },
          'code',
          'level',
          { name: 'source', control: <SourceSelect /> },
          { name: 'description', optional: true },
        ]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={[`${doing.text[0]} · ${doing.of.faultNo} ${doing.of.connectorId}`, `${doing.text[1]} · ${doing.of.faultNo} ${doing.of.connectorId}`]}
      entity={Fault}
      mode="edit"
      value={{ ...doing.of, state: doing.to }}
      also={{ state: doing.to }}
      save={fault.update}
      changes={CHANGES}
      act={doing.text}
      done={['已更新', 'Updated']}
      fields={[
        'level',
        ...(doing.to === FaultState.dispatched || doing.to === FaultState.working ? [handler(doing)] : []),
        { name: 'note', optional: true },
      ]}
      onClose={onClose}
    />
  )
}

/** Whom it is given to; who takes it up without a name is the one who does. */
const handler = ({ of: { parkCode }, to }: { of: Row; to: Row['state'] }) => ({
  name: 'handlerId' as const,
  control: <HandlerSelect of="fault" parkCode={parkCode} />,
  ...(to === FaultState.dispatched
    ? { needed: true as const, help: ['站内消息会通知处理人', 'The handler is told by a message'] as const }
    : { optional: true, help: ['不选则由您处理', 'Left empty, it is yours'] as const }),
})
/** What may be done with a fault now. */
function Moves({ of, move }: { of: Row; move: (asked: Asked) => void }) {
  return MOVES.map(([verb, text]) => {
    const to = faultCan[verb](of.state)
    return to !== undefined && <Act key={verb} text={text} needs={fault.update.needs} onClick={() => move({ of, to, text })} />
  })
}
function Story({ of }: { of: Row }) {
  const say = useText()
  return (
    <Facts
      entity={Fault}
      of={of}
      show={[
        { label: GUN, value: <GunLink id={of.connectorId} /> },
        { label: ['充电站', 'Station'], value: <StationName id={of.stationId} /> },
        { label: ['故障', 'Fault'], value: `${say(faultName(of.code))} (${of.code})` },
        ...(['level', 'state', 'source', 'startAt', 'endAt', 'times', 'handler', 'description', 'note'] as const),
      ]}
    />
  )
}
interface Picked {
  id?: string
  value?: unknown
  onChange?: (value: never) => void
}
/** Guns by their station. */
export function GunSelect(props: Picked) {
  const say = useText()
  const { data = [] } = useQuery(asks(monitor.queryConnectorinfoList, {}, { quiet: true }))
  const options = data.map(({ connectorId, stationName, connectorName }) => ({
    value: connectorId,
    label: `${stationName} · ${connectorName ?? connectorId}`,
  }))
  return (
    <Select
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['请选择充电枪', 'Choose a connector'])}
      options={options}
      {...(props as object)}
    />
  )
}
function SourceSelect(props: Picked) {
  const say = useText()
  const options = [FaultSource.driver, FaultSource.inspection].map((value) => ({
    value,
    label: say([FaultSource.entries[value][0], FaultSource.entries[value][1]]),
  }))
  return <Select options={options} {...(props as object)} />
}
