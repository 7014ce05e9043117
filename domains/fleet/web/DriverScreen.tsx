import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { cityDay } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { driver, Driver, driverCan, driverSearch, DriverStatus } from '../contract/driver.ts'
import { PAPERS_DUE_DAYS } from '../contract/vehicle.ts'
import { PaperDay } from './parts.tsx'

type Row = Of<typeof Driver>
const CHANGES = [driver.query, driver.queryAllocating]
const DAY_MS = 86_400_000
const OUT: Text = ['出车中，还车后再改', 'Out driving: change it after the return']

/** Drivers of the company's cars, and the expiry of their licences. */
export default function DriverScreen() {
  const [doing, setDoing] = useState<Row | 'new'>()
  const remove = useRemove(CHANGES)
  const act = useAct(CHANGES)
  const move = (row: Row, status: number) =>
    void act(driver.update, { id: row.id, version: row.version, status } as never, { done: ['状态已修改', 'Status changed'] })
  return (
    <>
      <ListScreen
        purpose={[
          '驾驶员与驾驶证；30 天内到期标黄，过期后不能派车',
          'Drivers and licences; amber when expiring within 30 days, not allocated once expired',
        ]}
        query={driver.query}
        search={driverSearch}
        find={['name', 'status', 'licenceClass', 'licenceEnd', 'phone', 'licenceNo']}
        sum={{
          figures: [
            { text: ['空闲', 'available'], leads: { status: [DriverStatus.free] } },
            { text: ['出车', 'driving'], leads: { status: [DriverStatus.driving] } },
            { text: ['驾驶证将到期', 'licences expiring'], leads: { licenceEndTo: cityDay(new Date(Date.now() + PAPERS_DUE_DAYS * DAY_MS)) } },
          ],
        }}
        columns={COLUMNS}
        hidden={['image', 'remark']}
        roomy={['createdAt', 'licenceNo']}
        add={{ call: driver.add, open: () => setDoing('new') }}
        history={{ kind: 'fleet.driver', restore: driver.update as never, changes: CHANGES }}
        actions={(row) => [
          { text: Label.edit, needs: driver.update.needs, run: () => setDoing(row) },
          {
            text: driverCan.back(row.status) ? ['销假', 'End leave'] : ['休假', 'Start leave'],
            needs: driver.update.needs,
            run: () => move(row, driverCan.back(row.status) ?? DriverStatus.leave),
            not: row.status === DriverStatus.driving && OUT,
          },
          {
            text: Label.disable,
            needs: driver.update.needs,
            run: () => move(row, DriverStatus.disabled),
            not: driverCan.disable(row.status) === undefined && OUT,
          },
          {
            text: Label.delete,
            needs: driver.delete.needs,
            run: () => void remove(driver.delete, { id: row.id, version: row.version }, row.name),
            danger: true,
          },
        ]}
        empty={['还没有驾驶员', 'No drivers yet']}
      />
      {doing && <DriverForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  'name',
  'phone',
  'status',
  'licenceClass',
  { dataIndex: 'licenceEnd', render: (_, row) => <PaperDay day={row.licenceEnd} /> },
  'licenceNo',
  'image',
  'remark',
  'createdAt',
]

function DriverForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  return (
    <FormDialog
      entity={Driver}
      mode={of ? 'edit' : 'new'}
      value={of ?? {}}
      save={of ? (driver.update as never) : (driver.add as never)}
      changes={CHANGES}
      fields={['name', 'phone', 'licenceNo', 'licenceClass', 'licenceEnd', { name: 'image', optional: true }, { name: 'remark', optional: true }]}
      onClose={onClose}
    />
  )
}
