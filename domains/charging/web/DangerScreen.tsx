import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { time } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Danger, danger, dangerCan, DangerKind, DangerLevel, dangerSearch, DangerState } from '../contract/danger.ts'
import { GunSelect } from './FaultScreen.tsx'
import { StationName, StationSelect } from './stations.tsx'

type Asked = 'new' | { of: Row; to: Row['state'] }
type Row = Of<typeof Danger>
const CHANGES = [danger.query, danger.hiddenDangerCnt, danger.hiddenDangerCount]
const MOVES = [
  ['work', ['开始整改', 'Start fixing']],
  ['submit', ['提交复查', 'Submit for review']],
  ['close', ['复查通过', 'Close']],
  ['giveBack', ['退回整改', 'Send back']],
] as const

/** What may become an accident: found, put right in time, reviewed by another. */
export default function DangerScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Asked>()
  return (
    <>
      <ListScreen
        purpose={[
          '充电场站的隐患：在期限内整改，由另一人复查；重大隐患停止该站新的充电',
          'Safety hazards at stations: fixed before the deadline and reviewed by another person; a critical one stops new charges at its station',
        ]}
        query={danger.query}
        search={dangerSearch}
        find={[
          'state',
          'level',
          { name: 'stationId', label: ['充电站', 'Station'], control: <StationSelect /> },
          'kind',
          'foundAt',
          'connectorId',
          'dangerNo',
          'late',
        ]}
        columns={[
          'dangerNo',
          'level',
          'state',
          { dataIndex: 'stationId', title: say(['充电站', 'Station']), render: (_, row) => <StationName id={row.stationId} /> },
          'connectorId',
          'kind',
          'foundAt',
          { dataIndex: 'deadline', render: (_, row) => <Deadline of={row} /> },
          'handler',
          'reviewer',
          'source',
          'closedAt',
          'description',
          'note',
        ]}
        hidden={['source', 'closedAt', 'note', 'reviewer', 'description']}
        roomy={['handler']}
        live="charging.danger"
        exports={danger.export}
        add={{ call: danger.insert, open: () => setDoing('new'), text: ['登记隐患', 'Record a hazard'] }}
        toolbar={<Badge />}
        actions={(row) =>
          MOVES.map(([verb, text]) => {
            const to = dangerCan[verb](row.state)
            return {
              text,
              needs: danger.update.needs,
              run: () => to !== undefined && setDoing({ of: row, to }),
              not: to === undefined && (['当前状态不允许', 'Not possible in this state'] as const),
            }
          })
        }
        empty={['没有隐患', 'No hazards']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Doing({ doing, onClose }: { doing: Asked; onClose: () => void }) {
  if (doing === 'new')
    return (
      <FormDialog
        title={['登记隐患', 'Record a hazard']}
        entity={Danger}
        mode="new"
        value={{ level: DangerLevel.common, kind: DangerKind.cable }}
        save={danger.insert}
        changes={CHANGES}
        done={['已登记', 'Recorded']}
        fields={[
          { name: 'stationId', control: <StationSelect choose /> },
          'level',
          'kind',
          { name: 'connectorId', optional: true, control: <GunSelect /> },
          { name: 'description', optional: true },
        ]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={['处理隐患', 'Handle the hazard']}
      entity={Danger}
      mode="edit"
      value={{ ...doing.of, state: doing.to }}
      also={{ state: doing.to }}
      save={danger.update}
      changes={CHANGES}
      act={DangerState.entries[doing.to].slice(0, 2) as [string, string]}
      done={['已更新', 'Updated']}
      fields={[{ name: 'note', optional: true }]}
      onClose={onClose}
    />
  )
}

/** Until when, and whether that passed: also of what is being reviewed, or is closed. */
function Deadline({ of: { deadline, late } }: { of: Row }) {
  const say = useText()
  return (
    <>
      {time(deadline)} {late && <span className="state error">{say(['逾期', 'Overdue'])}</span>}
    </>
  )
}

function Badge() {
  const say = useText()
  const { data } = useQuery(asks(danger.hiddenDangerCnt, {}, { quiet: true }))
  if (!data) return null
  return (
    <span className={data.overdue > 0 ? 'state error' : 'faint'}>
      {say([`未闭环 ${data.open} · 逾期 ${data.overdue}`, `${data.open} open · ${data.overdue} overdue`])}
    </span>
  )
}
