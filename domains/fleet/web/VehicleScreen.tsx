import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Plate, State } from '../../../platform/web/value.tsx'
import { allocation } from '../contract/allocation.ts'
import { brand } from '../contract/brand.ts'
import { vehicle, vehicleCan, Vehicle, VehicleLine, vehicleSearch, VehicleStatus } from '../contract/vehicle.ts'
import { AllocationLines } from './AllocationLines.tsx'
import { BrandSelect, km, KmInput, METRES, PaperDay } from './parts.tsx'
import { vehicleFigures } from './vehicleFigures.ts'

type Row = Of<typeof VehicleLine>
const CHANGES = [vehicle.query, vehicle.one, vehicle.queryAllocating]

/** The company's own cars: their facts, the state of their papers, whether they can be given out. */
export default function VehicleScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Row | 'new'>()
  const actions = useActions(setDoing)
  return (
    <>
      <ListScreen
        purpose={[
          '车队的车辆与证件；保险、年检 30 天内到期标黄',
          'Fleet vehicles and documents; amber when insurance or inspection expires within 30 days',
        ]}
        query={vehicle.query}
        search={vehicleSearch}
        find={[
          'vehicleNo',
          'status',
          'dept',
          { name: 'brandId', label: ['品牌型号', 'Model'], control: <BrandSelect /> },
          'insuranceEnd',
          'inspectEnd',
          'deviceNo',
        ]}
        sum={{ figures: vehicleFigures(Date.now()) }}
        columns={columnsOf(say)}
        hidden={['energy', 'purpose', 'vin', 'buyDate', 'image', 'remark']}
        roomy={['seats', 'deviceNo']}
        add={{ call: vehicle.add, open: () => setDoing('new') }}
        history={{ kind: 'fleet.vehicle', restore: vehicle.update as never, changes: CHANGES }}
        actions={actions}
        detail={{
          call: vehicle.one,
          input: (id) => ({ id: id as never }),
          head: (row) => (
            <>
              <Plate number={row.vehicleNo} color={row.plateColor} /> <State dictionary={VehicleStatus} value={row.status} />
            </>
          ),
          body: (row) => <Story row={row} />,
        }}
        empty={['还没有车辆；先在「车辆品牌」中登记品牌型号', 'No vehicles yet: add a brand and model under “Vehicle brands” first']}
      />
      {doing && <VehicleForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function useActions(edit: (row: Row) => void) {
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const move = (row: Row, status: number, question?: Text) =>
    void act(vehicle.update, { id: row.id, version: row.version, status } as never, {
      ...(question && { question, act: question }),
      done: ['状态已修改', 'Status changed'],
    })
  return (row: Row): RowAction[] => [
    { text: Label.edit, needs: vehicle.update.needs, run: () => edit(row) },
    {
      text: row.status === VehicleStatus.repair ? ['修好', 'Mark repaired'] : ['送修', 'Send for repair'],
      needs: vehicle.update.needs,
      run: () => move(row, row.status === VehicleStatus.repair ? VehicleStatus.idle : VehicleStatus.repair),
      not:
        vehicleCan.repair(row.status) === undefined &&
        vehicleCan.free(row.status) === undefined &&
        (['使用中的车先还车；报废的不再使用', 'Take back a vehicle in use first; a scrapped one stays scrapped'] as Text),
    },
    {
      text: Label.scrap,
      needs: vehicle.update.needs,
      run: () => move(row, VehicleStatus.scrapped, [`报废 ${row.vehicleNo}`, `Scrap ${row.vehicleNo}`]),
      not:
        vehicleCan.scrap(row.status) === undefined &&
        (['使用中的车先还车；报废的不再使用', 'Take back a vehicle in use first; a scrapped one stays scrapped'] as Text),
      danger: true,
    },
    {
      text: Label.delete,
      needs: vehicle.delete.needs,
      run: () => void remove(vehicle.delete, { id: row.id, version: row.version }, row.vehicleNo),
      danger: true,
    },
  ]
}

const columnsOf = (say: Say): Column<Row>[] => [
  { dataIndex: 'vehicleNo', render: (_, row) => <Plate number={row.vehicleNo} color={row.plateColor} /> },
  { key: 'make', title: say(['品牌型号', 'Model']), render: (_, row) => `${row.brandName} ${row.model}` },
  'dept',
  'status',
  { dataIndex: 'inspectEnd', render: (_, row) => <PaperDay day={row.inspectEnd} /> },
  { dataIndex: 'insuranceEnd', render: (_, row) => <PaperDay day={row.insuranceEnd} /> },
  { dataIndex: 'mileageM', render: (_, row) => km(row.mileageM) },
  'seats',
  'deviceNo',
  'energy',
  'purpose',
  'vin',
  'buyDate',
  'image',
  'remark',
]

function Story({ row }: { row: Row }) {
  return (
    <>
      <Facts
        entity={VehicleLine}
        of={row}
        show={[
          { label: ['品牌型号', 'Model'], value: `${row.brandName} ${row.model}` },
          'energy',
          'dept',
          'purpose',
          'seats',
          'vin',
          'buyDate',
          { label: ['年检到期', 'Inspection expires'], value: <PaperDay day={row.inspectEnd} /> },
          { label: ['保险到期', 'Insurance expires'], value: <PaperDay day={row.insuranceEnd} /> },
          { label: ['里程', 'Odometer'], value: km(row.mileageM) },
          'deviceNo',
          'image',
          'remark',
        ]}
      />
      {can(allocation.query.needs) && (
        <Section title={['最近派车', 'Latest allocations']}>
          <AllocationLines only={{ vehicleId: row.id }} />
        </Section>
      )}
    </>
  )
}

function VehicleForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  return (
    <FormDialog
      entity={Vehicle}
      mode={of ? 'edit' : 'new'}
      value={of ?? {}}
      save={of ? (vehicle.update as never) : (vehicle.add as never)}
      changes={[...CHANGES, brand.queryList]}
      fields={[
        { name: 'vehicleNo', section: ['车辆', 'Vehicle'] },
        { name: 'brandId', label: ['品牌型号', 'Model'], control: <BrandSelect /> },
        { name: 'vin', optional: true, half: true, help: ['17 位，不含 I、O、Q', '17 characters, without I, O and Q'] },
        { name: 'seats', half: true },
        { name: 'dept', half: true },
        { name: 'purpose', optional: true, half: true },
        { name: 'mileageM', optional: true, half: true, control: <KmInput />, per: METRES },
        {
          name: 'deviceNo',
          optional: true,
          half: true,
          help: [
            'JT/T 808 终端的手机号；换终端时先清空保存，再填新号',
            'Phone number of the JT/T 808 terminal; to change the terminal, clear and save it before entering the new one',
          ],
        },
        { name: 'inspectEnd', section: ['证件', 'Documents'], half: true },
        { name: 'insuranceEnd', half: true },
        { name: 'buyDate', optional: true, half: true },
        { name: 'image', optional: true },
        { name: 'remark', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
