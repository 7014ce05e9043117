import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { type Placing, PlacePick } from '../../parking/web/api/PlacePick.tsx'
import { Box, box, type BoxLine, boxSearch } from '../contract/box.ts'
import { BOX_CHANGES, LAMP_TOPIC } from './changes.ts'
import { ControllerSelect, seesControllers } from './choices.tsx'

type Row = Of<typeof BoxLine>

/** The electric boxes: their places, their readings, and their plans. */
export default function BoxScreen() {
  const say = useText()
  const remove = useRemove(BOX_CHANGES)
  const [asked, setAsked] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={[
          '路边的配电箱：在线状态、箱门、电表读数，以及箱内运行的照明计划',
          'Roadside electric boxes: online state, door, meter reading and the lighting plan they run',
        ]}
        query={box.query}
        search={boxSearch}
        find={['boxCode', 'status', 'name', 'regionCode', 'gatewayNo', 'useState']}
        columns={columnsOf(say)}
        hidden={['regionCode', 'phaseCount', 'meterNo', 'ratioCt', 'lng', 'lat', 'remark', 'useState', 'lux']}
        roomy={['saidAt', 'gatewayNo']}
        live={LAMP_TOPIC}
        add={{ call: box.add, open: () => setAsked({}) }}
        empty={['还没有配电箱：先在设备管理登记集控器，再新增配电箱', 'No boxes yet: register a lamp controller under Devices, then add its box']}
        actions={(row) => [
          { text: Label.edit, needs: box.update.needs, run: () => setAsked({ of: row }) },
          deleting(remove, box.delete, { id: row.id, version: row.version }, `${row.boxCode} ${row.name}`),
        ]}
      />
      {asked && <BoxForm of={asked.of} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'boxCode',
  'name',
  'status',
  'circuits',
  'door',
  {
    dataIndex: 'register',
    title: say(['电表（kWh）', 'Meter (kWh)']),
    align: 'right',
    render: (_, { register }) => (register === null ? '--' : (register / 100).toFixed(2)),
  },
  { dataIndex: 'planAcked', title: say(['计划 箱内/应为', 'Plan in box / expected']), render: (_, row) => <Plan row={row} /> },
  'gatewayNo',
  'saidAt',
  'regionCode',
  'phaseCount',
  'meterNo',
  'ratioCt',
  'lux',
  'lng',
  'lat',
  'useState',
  'remark',
]
function Plan({ row: { planAcked, planVersion } }: { row: Row }) {
  const say = useText()
  const isBehind = planAcked < planVersion
  return (
    <span className={isBehind ? 'state warning' : 'state success'}>
      {planAcked}/{planVersion} {isBehind && say(['待应答', 'not acknowledged'])}
    </span>
  )
}

const BOX: Placing = {
  what: ['新配电箱', 'The new box'],
  label: ['配电箱位置', 'Box location'],
  hint: ['在地图上点配电箱，经纬度自动填入', 'Click the box on the map to fill in longitude and latitude'],
}
/** Both halves of where it stands, and the map that fills them. */
const place = (name?: string) =>
  [
    { name: 'lng', half: true },
    { name: 'lat', half: true, under: <PlacePick name={name} of={BOX} /> },
  ] as const

function BoxForm({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const shared = { entity: Box, changes: BOX_CHANGES, onClose }
  const more = [
    {
      name: 'gatewayNo',
      optional: true,
      ...(seesControllers()
        ? { control: <ControllerSelect /> }
        : { help: ['「停车场设备」里登记的集控器编号', 'Controller number as registered under “Park devices”'] as const }),
    },
    { name: 'regionCode', optional: true },
    { name: 'meterNo', optional: true },
    { name: 'ratioCt', optional: true },
    { name: 'remark', optional: true },
  ] as const
  if (of) {
    const { id, version, name, lng, lat, phaseCount, gatewayNo, regionCode, meterNo, ratioCt, remark, useState: use } = of
    return (
      <FormDialog
        {...shared}
        mode="edit"
        value={{ id, version, name, lng, lat, phaseCount, gatewayNo, regionCode, meterNo, ratioCt, remark, useState: use }}
        save={box.update}
        fields={[
          'name',
          ...place(name),
          'phaseCount',
          ...more,
          { name: 'useState', help: ['停用后不再下发任何指令', 'Once out of use, no commands are sent to it'] },
        ]}
      />
    )
  }
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{ phaseCount: 3, ratioCt: 1 }}
      save={box.add}
      fields={['boxCode', 'name', ...place(), 'phaseCount', ...more]}
    />
  )
}
