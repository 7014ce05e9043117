import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { Select } from '../../../platform/web/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Fault, fault, faultCan, FaultLevel, faultSearch, FaultSource, FaultState, faultName } from '../contract/fault.ts'
import { monitor } from '../contract/monitor.ts'
import { StationName, StationSelect } from './stations.tsx'

type Asked = 'new' | { of: Row; to: Row['state'] }
type Row = Of<typeof Fault>
const CHANGES = [fault.query]
const MOVES = [
  ['dispatch', ['派单', 'Dispatch']],
  ['work', ['开始处理', 'Start work']],
  ['recover', ['已恢复', 'Recovered']],
  ['close', ['关闭', 'Close']],
  ['dismiss', ['误报', 'False alarm']],
] as const

/** What does not work at which gun; severe ones keep it from starting. */
export default function FaultScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '充电枪的故障：严重及以上未恢复前该充电枪不能启动充电',
          'Faults of connectors: with a severe or urgent fault a connector starts no charge until it recovers',
        ]}
        query={fault.query}
        search={faultSearch}
        find={[
          'state',
          'level',
          { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect /> },
          'connectorId',
          'source',
          'code',
          'startAt',
          'faultNo',
        ]}
        columns={[
          'faultNo',
          'connectorId',
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
        roomy={['description', 'source', 'handler']}
        live="charging.fault"
        exports={fault.export}
        add={{ call: fault.insert, open: () => setDoing('new'), text: ['上报故障', 'Report a fault'] }}
        actions={(row) =>
          MOVES.map(([verb, text]) => {
            const to = faultCan[verb](row.state)
            return {
              text,
              needs: fault.update.needs,
              run: () => to !== undefined && setDoing({ of: row, to }),
              not: to === undefined && (['当前状态不允许', 'Not possible in this state'] as const),
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
          { name: 'connectorId', control: <GunSelect /> },
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
      title={['处理故障', 'Handle the fault']}
      entity={Fault}
      mode="edit"
      value={{ ...doing.of, state: doing.to }}
      also={{ state: doing.to }}
      save={fault.update}
      changes={CHANGES}
      act={FaultState.entries[doing.to].slice(0, 2) as [string, string]}
      done={['已更新', 'Updated']}
      fields={['level', { name: 'handler', optional: true }, { name: 'note', optional: true }]}
      onClose={onClose}
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
