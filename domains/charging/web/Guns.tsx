import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Act } from '../../../platform/web/form/catalogued.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { State, Time } from '../../../platform/web/value.tsx'
import { connector, ConnectorStatus, ConnectorType, type Gun, NationalStandard } from '../contract/connector.ts'
import { type Equipment, equipment, pile } from '../contract/pile.ts'
import { operateLog } from '../contract/operateLog.ts'
import { pileLink } from '../contract/pileLink.ts'
import { ChargeLink, GunLink } from './links.tsx'

type Row = Of<typeof Gun>
type Host = Pick<Of<typeof Equipment>, 'equipmentId' | 'equipmentName' | 'power'>
const CHANGES = [connector.list, connector.ofPiles, pile.query, pileLink.link, equipment.tableList, operateLog.query]
const PLATE = [
  'connectorName',
  'connectorType',
  'power',
  'voltageUpper',
  'voltageLower',
  'current',
  'nationalStandard',
  'ocppConnectorNo',
  'evseId',
  'parkNo',
  'seatCode',
] as const

/** The guns of a pile, each changed or deleted where it stands. */
export function Guns({ of }: { of: readonly Row[] }) {
  const remove = useRemove(CHANGES)
  const [edited, setEdited] = useState<Row>()
  const acts = (gun: Row) => (
    <>
      <Act text={Label.edit} needs={connector.save.needs} type="link" size="small" onClick={() => setEdited(gun)} />
      <Act
        text={Label.delete}
        needs={connector.del.needs}
        type="link"
        size="small"
        danger
        onClick={() => void remove(connector.del, { id: gun.id, version: gun.version }, gun.connectorId)}
      />
    </>
  )
  return (
    <>
      <Lines of={of} keyOf={(gun) => gun.connectorId} columns={COLUMNS} {...(can(connector.save.needs) && { act: acts })} />
      {edited && <EditGun of={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
const COLUMNS: LineColumn<Row>[] = [
  { name: ['充电枪 ID', 'Connector ID'], cell: (gun) => <GunLink id={gun.connectorId} /> },
  { name: ['功率', 'Power'], cell: (gun) => `${gun.power} kW` },
  { name: ['车位', 'Bay'], cell: (gun) => gun.parkNo ?? gun.seatCode ?? NONE },
  { name: ['状态', 'Status'], cell: (gun) => <State dictionary={ConnectorStatus} value={gun.status} /> },
  { name: ['状态时间', 'Since'], cell: (gun) => (gun.statusAt ? <Time at={gun.statusAt} /> : NONE) },
  { name: ['充电订单', 'Session'], cell: (gun) => (gun.orderNo ? <ChargeLink orderNo={gun.orderNo} /> : NONE) },
]

function EditGun({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`编辑充电枪 · ${of.connectorId}`, `Edit connector · ${of.connectorId}`]}
      entity={connector.save.input}
      mode="edit"
      value={of}
      save={connector.save}
      changes={CHANGES}
      fields={[...PLATE]}
      onClose={onClose}
    />
  )
}
export function AddGun({ of, guns, onClose }: { of: Host; guns: number; onClose: () => void }) {
  return (
    <FormDialog
      title={[`新增充电枪 · ${of.equipmentName}`, `Add a connector · ${of.equipmentName}`]}
      entity={connector.save.input}
      mode="new"
      value={{
        ...{ connectorId: `${of.equipmentId}-${guns + 1}`, connectorType: ConnectorType.dcPlug, ocppConnectorNo: guns + 1 },
        ...{ nationalStandard: NationalStandard.gb2015, power: of.power, voltageUpper: 750, voltageLower: 200, current: 250 },
      }}
      also={{ equipmentId: of.equipmentId }}
      save={connector.save}
      done={['已新增', 'Added']}
      changes={CHANGES}
      fields={['connectorId', ...PLATE]}
      onClose={onClose}
    />
  )
}
