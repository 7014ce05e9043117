import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { fence, Fence, FenceKind, type FenceLine, fenceSearch, FenceStatus } from '../contract/fence.ts'
import { supervise } from '../contract/supervise.ts'
import { vehicle } from '../contract/vehicle.ts'
import { AreaPick, hasArea } from './AreaPick.tsx'
import type { PickProps } from './parts.tsx'
import { WasThere } from './WasThere.tsx'
import './fleet.css'

type Row = Of<typeof FenceLine>
const CHANGES = [fence.query, supervise.query]

/** Areas that vehicles are told of by coming in or going out, and who was in one. */
export default function FenceScreen() {
  const say = useText()
  const go = useNavigate()
  const [doing, setDoing] = useState<Row | 'new'>()
  const [asking, setAsking] = useState<Row | 'any'>()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const vehicles = useVehicles()
  const named = (row: Row) =>
    [...row.depts, ...row.vehicleIds.map((id) => vehicles.find((one) => one.id === id)?.vehicleNo ?? '…')].join(say(['、', ', '])) ||
    say(['全部车辆', 'All vehicles'])
  const turn = (row: Row) => {
    const status = row.status === FenceStatus.on ? FenceStatus.off : FenceStatus.on
    void act(
      fence.update,
      { id: row.id, version: row.version, status },
      { done: status === FenceStatus.on ? ['已启用', 'Enabled'] : ['已停用', 'Disabled'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={[
          '车辆进出围栏会记录；驶入禁区、驶出不得离开的区域会在「车辆监管」中标记',
          'Crossings are recorded; entering a no-entry area or leaving one to stay in is flagged in “Vehicle monitoring”',
        ]}
        query={fence.query}
        search={fenceSearch}
        find={['name', 'kind', 'status']}
        columns={[
          'name',
          'kind',
          { dataIndex: 'area', render: (_, row) => areaWords(row.area, say) },
          {
            dataIndex: 'timeFrom',
            title: say(['时段', 'Hours']),
            render: (_, row) => (row.timeFrom === row.timeTo ? say(['全天', 'All day']) : `${row.timeFrom}–${row.timeTo}`),
          },
          { dataIndex: 'vehicleIds', title: say(['适用车辆', 'Applies to']), render: (_, row) => named(row) },
          'inside',
          'status',
          'remark',
        ]}
        hidden={['remark']}
        roomy={['timeFrom']}
        add={{ call: fence.add, open: () => setDoing('new') }}
        toolbar={can(fence.wasThere.needs) && <Button onClick={() => setAsking('any')}>{say(['区域查车', 'Vehicles in this area'])}</Button>}
        history={{ kind: 'fleet.fence', changes: CHANGES }}
        actions={(row) => [
          { text: ['进出记录', 'Crossings'], needs: fence.events.needs, run: () => void go(`/car/fenceEvent?fenceId=${row.id}`) },
          { text: ['区域查车', 'Vehicles in this area'], needs: fence.wasThere.needs, run: () => setAsking(row) },
          { text: Label.edit, needs: fence.update.needs, run: () => setDoing(row) },
          { text: row.status === FenceStatus.on ? Label.disable : Label.enable, needs: fence.update.needs, run: () => turn(row) },
          {
            text: Label.delete,
            needs: fence.delete.needs,
            run: () => void remove(fence.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
          },
        ]}
        empty={['还没有电子围栏；新增一个圆或多边形', 'No fences yet: add a circle or a polygon']}
      />
      {doing && <FenceForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
      {asking && <WasThere {...(asking !== 'any' && { name: asking.name, area: asking.area })} onClose={() => setAsking(undefined)} />}
    </>
  )
}

const METRES = 1_000
const areaWords = ({ ring, radiusM }: Row['area'], say: Say) =>
  radiusM === undefined
    ? say([`多边形，${ring.length} 个角`, `Polygon, ${ring.length} ${plural(ring.length, 'corner')}`])
    : say(
        radiusM < METRES
          ? [`圆，半径 ${radiusM} 米`, `Circle, radius ${radiusM} m`]
          : [`圆，半径 ${radiusM / METRES} 公里`, `Circle, radius ${radiusM / METRES} km`],
      )

const FIELDS = [
  'name',
  {
    name: 'kind',
    help: ['到达提醒只记录进出；后两种会在「车辆监管」中标记', 'Arrivals are only recorded; the other two are flagged in “Vehicle monitoring”'],
  },
  {
    name: 'area',
    control: <AreaPick />,
    check: ({ area }: Readonly<Record<string, unknown>>) => (hasArea(area as Row['area'] | undefined) ? undefined : NO_AREA),
  },
  { name: 'timeFrom', half: true, help: ['如 22:00；起止相同为全天', 'For example 22:00; the same start and end is all day'] },
  { name: 'timeTo', half: true },
  {
    name: 'depts',
    control: <Depts />,
    optional: true,
    help: ['部门和车辆都不选为全部车辆', 'With neither departments nor vehicles it applies to all'],
  },
  { name: 'vehicleIds', control: <Vehicles />, optional: true },
  { name: 'remark', optional: true },
] as const
const NO_AREA = ['请在地图上画出范围', 'Draw the area on the map'] as const
const NEW = { kind: FenceKind.noGo, timeFrom: '00:00', timeTo: '00:00', vehicleIds: [], depts: [], status: FenceStatus.on }
function FenceForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: Fence, changes: CHANGES, fields: FIELDS, onClose }
  return of ? (
    <FormDialog {...shared} mode="edit" value={of} save={fence.update} />
  ) : (
    <FormDialog {...shared} mode="new" value={NEW} save={fence.add} />
  )
}

/** More cars than a picker shows are found by their list. */
const VEHICLES_SHOWN = 500
function useVehicles() {
  const { data } = useQuery({ ...asks(vehicle.query, { limit: VEHICLES_SHOWN }, { quiet: true }), enabled: can(vehicle.query.needs) })
  return data?.records ?? []
}
function Vehicles(props: PickProps<string[]>) {
  const options = useVehicles().map((one) => ({ value: one.id as string, label: `${one.vehicleNo} ${one.dept}` }))
  return <Select {...(props as object)} mode="multiple" allowClear showSearch={{ optionFilterProp: 'label' }} options={options} />
}
function Depts(props: PickProps<string[]>) {
  const options = [...new Set(useVehicles().map(({ dept }) => dept))].map((dept) => ({ value: dept, label: dept }))
  return <Select {...(props as object)} mode="tags" allowClear options={options} />
}
