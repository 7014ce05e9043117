import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { plural } from '../../../platform/contract/plural.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { connector } from '../contract/connector.ts'
import { adminCan, AdminStatus, Equipment, equipment, EquipmentType, MeterKind, type Pile, pile, pileSearch, TimeMode } from '../contract/pile.ts'
import { fault, faultName, FaultState } from '../contract/fault.ts'
import { operateLog } from '../contract/operateLog.ts'
import { pileLink } from '../contract/pileLink.ts'
import { enablesFaulty } from './acts.ts'
import { FAULTS, PILES } from './figures.ts'
import { AddGun } from './Guns.tsx'
import { Online } from './Online.tsx'
import { StationSelect } from './stations.tsx'
import { PileActs, PileStory } from './PileStory.tsx'

type Row = Of<typeof Pile>
type Doing = { of?: Row; status?: 1 | 2 | 3; gun?: true }
const CHANGES = [pile.query, pileLink.link, equipment.tableList, connector.ofPiles, operateLog.query]
const WRITTEN = [
  'equipmentName',
  'equipmentType',
  'power',
  'chargePointId',
  'protocol',
  'securityProfile',
  'meterKind',
  'timeMode',
  'loadPriority',
  'manufacturerName',
  'equipmentModel',
  'lng',
  'lat',
  'remark',
] as const

/** Piles as devices: whether they are on line, what people say of them, how they speak. */
export default function PileScreen() {
  const say = useText()
  const remove = useRemove(CHANGES)
  const [doing, setDoing] = useState<Doing>()
  return (
    <>
      <ListScreen
        purpose={['充电桩的在线、管理状态、协议与故障', 'Charging piles: online state, admin state, protocol and faults']}
        query={pile.query}
        search={pileSearch}
        exports={pile.export}
        toolbar={<ImportButton call={pile.import} changes={CHANGES} />}
        find={[
          'equipmentId',
          { name: 'stationId', control: <StationSelect />, label: ['充电站', 'Station'] },
          'adminStatus',
          'online',
          'protocol',
          'equipmentName',
          findPark,
        ]}
        columns={columnsOf(say)}
        hidden={['firmware', 'chargePointId', 'equipmentType', 'parkCode', 'manufacturerName', 'equipmentModel', 'skewSec', 'remark']}
        roomy={['power', 'connectors', 'protocol']}
        live="charging.gun"
        rowKey="equipmentId"
        detail={{
          call: pileLink.link,
          input: (equipmentId) => ({ equipmentId }),
          head: (row) => (
            <>
              {row.equipmentId} <Online is={row.online} />
            </>
          ),
          act: (row) => <PileActs of={row} />,
          body: (row) => <PileStory of={row} />,
        }}
        add={{ call: pile.saveInfo, open: () => setDoing({}) }}
        actions={(row) => actionsOf(row, setDoing, remove)}
        empty={['还没有充电桩。新增后启用，桩连上平台即在线。', 'No piles yet. Add a pile and enable it; it goes online once it connects.']}
      />
      {doing?.gun && <AddGun of={doing.of!} guns={doing.of!.connectors} onClose={() => setDoing(undefined)} />}
      {doing?.status && <Switch of={doing.of!} status={doing.status} onClose={() => setDoing(undefined)} />}
      {doing && !doing.gun && !doing.status && <Save {...(doing.of && { of: doing.of })} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'equipmentName',
  'equipmentId',
  { dataIndex: 'stationName', title: say(['充电站', 'Station']) },
  'adminStatus',
  { dataIndex: 'online', render: (online: boolean) => <Online is={online} /> },
  'power',
  'connectors',
  'protocol',
  'faultCount',
  'lastSeenAt',
  'firmware',
  'chargePointId',
  'equipmentType',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
  'manufacturerName',
  'equipmentModel',
  'skewSec',
  'remark',
]

const actionsOf = (row: Row, setDoing: (doing: Doing) => void, remove: ReturnType<typeof useRemove>): RowAction[] => {
  const to = (status: 1 | 2 | 3) => () => setDoing({ of: row, status })
  return [
    { text: Label.edit, needs: pile.saveInfo.needs, run: () => setDoing({ of: row }) },
    { text: ['新增充电枪', 'Add a connector'], needs: connector.save.needs, run: () => setDoing({ of: row, gun: true }) },
    {
      text: Label.enable,
      needs: pile.updateStatus.needs,
      run: to(AdminStatus.enabled),
      not: !adminCan.enable(row.adminStatus) && ['已经启用或不能启用', 'Already enabled, or cannot be enabled'],
    },
    {
      text: Label.disable,
      needs: pile.updateStatus.needs,
      run: to(AdminStatus.disabled),
      not: !adminCan.disable(row.adminStatus) && ['只有启用的桩可以停用', 'Only an enabled pile can be disabled'],
    },
    {
      text: ['维护', 'Maintain'],
      needs: pile.updateStatus.needs,
      run: to(AdminStatus.maintained),
      not: !adminCan.maintain(row.adminStatus) && ['当前状态不能转维护', 'Not possible in its current state'],
    },
    {
      text: Label.delete,
      needs: pile.del.needs,
      run: () => void remove(pile.del, { id: row.id, version: row.version }, row.equipmentName),
      danger: true,
      not: row.adminStatus !== AdminStatus.waiting && row.adminStatus !== AdminStatus.scrapped && ['用过的桩请报废', 'Scrap a used pile instead'],
    },
  ]
}

const NEEDED: readonly string[] = ['equipmentName', 'equipmentType', 'power']
function Save({ of, onClose }: { of?: Row; onClose: () => void }) {
  const navigate = useNavigate()
  const shared = { entity: Equipment, save: pile.saveInfo, done: ['已保存', 'Saved'] as const, changes: CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} fields={[...WRITTEN]} />
  // Sorted among the others it would be on a page that nobody looks at: its record opens, and its connectors are added there.
  const opens = (made: unknown) => void navigate(`${PILES}/${(made as Row).equipmentId}`)
  return (
    <FormDialog
      {...shared}
      mode="new"
      onSaved={opens}
      value={{
        equipmentType: EquipmentType.dc,
        securityProfile: 1,
        meterKind: MeterKind.register,
        timeMode: TimeMode.utc,
        loadPriority: 5,
      }}
      fields={[
        { name: 'equipmentId', needed: true, help: ['保存后不可修改', 'It cannot be changed later'] },
        { name: 'stationId', needed: true, control: <StationSelect choose />, label: ['充电站', 'Station'] },
        ...WRITTEN.map((name) => (NEEDED.includes(name) ? { name, needed: true as const } : name)),
      ]}
    />
  )
}
function Switch({ of, status, onClose }: { of: Row; status: 1 | 2 | 3; onClose: () => void }) {
  const [zh, en] = AdminStatus.entries[status]
  const question = enablesFaulty(of, status)
  return (
    <FormDialog
      title={[`${of.equipmentName} · ${zh}`, `${of.equipmentName} · ${en}`]}
      entity={pile.updateStatus.input}
      mode="new"
      value={{ id: of.id, status }}
      save={pile.updateStatus}
      done={['已切换', 'Done']}
      changes={CHANGES}
      about={question && <OpenFaults of={of} />}
      sure={() => question}
      fields={['reason']}
      onClose={onClose}
    />
  )
}
const FAULTS_SHOWN = 100
/** What is still wrong with a pile, each leading to where it is seen to. */
function OpenFaults({ of: { equipmentId, stationId, faultCount } }: { of: Row }) {
  const say = useText()
  const guns = useQuery(asks(connector.list, { equipmentId }, { quiet: true })).data ?? []
  const wanted = { stationId, state: [FaultState.waiting, FaultState.dispatched, FaultState.working], limit: FAULTS_SHOWN }
  const { data } = useQuery({ ...asks(fault.query, wanted, { quiet: true }), enabled: can(fault.query.needs) })
  const open = (data?.records ?? []).filter((one) => guns.some(({ connectorId }) => connectorId === one.connectorId))
  return (
    <div>
      <span className="state error">{say([`还有 ${faultCount} 条未恢复故障`, `${faultCount} open ${plural(faultCount, 'fault')}`])}</span>
      {open.map((one) => (
        <div key={one.id}>
          {one.connectorId} <Link to={`${FAULTS}/${one.id}`}>{say(faultName(one.code))}</Link> <State dictionary={FaultState} value={one.state} />
        </div>
      ))}
    </div>
  )
}
