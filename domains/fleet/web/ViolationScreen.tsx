import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { NONE } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import type { Text } from '../../../platform/web/text.ts'
import { Plate } from '../../../platform/web/value.tsx'
import { supervise } from '../contract/supervise.ts'
import { Violation, violation, type ViolationLine, violationCan, violationSearch, ViolationState } from '../contract/violation.ts'
import { VehicleSelect } from './parts.tsx'

type Row = Of<typeof ViolationLine>
const CHANGES = [violation.query, supervise.query]
const SETTLED: Text = ['已处理', 'Settled already']

/** Violations that the police hold against the company's own cars, with their drivers. */
export default function ViolationScreen() {
  const [doing, setDoing] = useState<{ what: 'edit' | 'settle'; of: Row } | 'new'>()
  const remove = useRemove(CHANGES)
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '自有车辆的交通违章：登记或导入交管清单，驾驶员按当时的派车自动匹配',
          'Traffic violations of own vehicles: recorded, or imported from the police; the driver is found by the allocation of that time',
        ]}
        query={violation.query}
        search={violationSearch}
        exports={violation.export}
        find={['vehicleNo', 'state', 'at', 'driverName', 'source', 'violationNo']}
        sum={{ totals: ['fineFen', 'points'], figures: [{ text: ['待处理', 'open'], leads: { state: [ViolationState.open] } }] }}
        columns={COLUMNS}
        hidden={['dept', 'source', 'settledBy', 'settledAt', 'remark', 'allocationNo']}
        roomy={['violationNo', 'place']}
        add={{ call: violation.add, open: () => setDoing('new'), text: ['登记违章', 'Record violation'] }}
        toolbar={() => <ImportButton call={violation.import} changes={CHANGES} />}
        history={{ kind: 'fleet.violation', changes: CHANGES }}
        actions={(row) => [
          {
            text: ['处理', 'Settle'],
            needs: violation.settle.needs,
            run: () => setDoing({ what: 'settle', of: row }),
            not: violationCan.settle(row.state) === undefined && SETTLED,
          },
          { text: Label.edit, needs: violation.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          deleting(remove, violation.delete, { id: row.id, version: row.version }, row.violationNo, { kind: 'fleet.violation', key: row.id }),
        ]}
        empty={['没有车队违章；可从交管平台导出清单后导入', 'No fleet violations; a list exported from the police platform can be imported']}
      />
      {doing && (doing === 'new' || doing.what === 'edit') && <Form of={doing === 'new' ? undefined : doing.of} onClose={close} />}
      {doing && doing !== 'new' && doing.what === 'settle' && <Settle of={doing.of} onClose={close} />}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  { dataIndex: 'vehicleNo', render: (_, row) => <Plate number={row.vehicleNo} color={row.plateColor} /> },
  'state',
  'at',
  'conduct',
  'place',
  'fineFen',
  'points',
  'driverName',
  {
    dataIndex: 'allocationNo',
    render: (_, row) =>
      row.allocationId ? <Link to={`/car/distribution/${row.allocationId}`}>{row.allocationNo}</Link> : <span className="faint">{NONE}</span>,
  },
  'violationNo',
  'dept',
  'source',
  'settledBy',
  'settledAt',
  'remark',
]

function Settle({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`处理违章 · ${of.vehicleNo} ${of.violationNo}`, `Settle violation · ${of.vehicleNo} ${of.violationNo}`]}
      entity={violation.settle.input}
      mode="edit"
      value={{ id: of.id, version: of.version }}
      save={violation.settle}
      act={['确认已处理', 'Mark as settled']}
      done={['已登记处理', 'Settled']}
      changes={CHANGES}
      fields={[{ name: 'remark', optional: true, help: ['如：缴款单号、由谁承担', 'E.g. the receipt number, and who bears the fine'] }]}
      onClose={onClose}
    />
  )
}

function Form({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const shared = { changes: CHANGES, fields: FIELDS, onClose }
  return of ? (
    <FormDialog {...shared} entity={Violation} mode="edit" value={of} save={violation.update} />
  ) : (
    <FormDialog {...shared} entity={Violation} mode="new" value={{ points: 0 }} save={violation.add} />
  )
}
const FIELDS = [
  'violationNo',
  { name: 'vehicleId', control: <VehicleSelect /> },
  'at',
  'place',
  'conduct',
  { name: 'fineFen', optional: true },
  { name: 'points', optional: true },
  { name: 'remark', optional: true },
] as const
