import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { department, Department, departmentSearch } from '../contract/department.ts'
import { departmentSheet } from '../contract/departmentSheet.ts'
import { ParksSelect } from '../../parking/web/api/names.tsx'
import { parksColumn } from './parks.tsx'
import { DepartmentSelect } from './pickers.tsx'

type Row = Of<typeof Department>
const CHANGES = [department.queryPage, department.tree]

/** The parts of the company, and the parks that the people of each look after. */
export default function DepartmentScreen() {
  const [doing, setDoing] = useState<Row | 'new'>()
  const remove = useRemove(CHANGES)
  return (
    <>
      <ListScreen
        purpose={['企业的部门，以及各部门管辖的车场', 'The departments of the enterprise, and the car parks each one manages']}
        query={department.queryPage}
        search={departmentSearch}
        find={['name', { name: 'parentId', control: <DepartmentSelect /> }]}
        columns={['name', 'code', parksColumn, 'sort', 'createdAt']}
        add={{ call: department.add, open: () => setDoing('new') }}
        toolbar={<ImportButton call={departmentSheet.import} changes={CHANGES} />}
        exports={departmentSheet.export}
        history={{ kind: 'identity.department', restore: department.update, changes: CHANGES }}
        actions={(row) => [
          { text: Label.edit, needs: department.update.needs, run: () => setDoing(row) },
          deleting(remove, department.delete, { id: row.id }, row.name, { kind: 'identity.department', key: row.id }),
        ]}
      />
      {doing && <DepartmentForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function DepartmentForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = [
    'name',
    { name: 'parentId', control: <DepartmentSelect /> },
    'code',
    { name: 'sort', optional: true },
    {
      name: 'parks',
      control: <ParksSelect />,
      optional: true,
      help: ['数据范围按部门的角色，看到的就是这些车场', 'Roles with a department data scope see these car parks'],
    },
  ] as const
  const common = { entity: Department, fields, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (!of) return <FormDialog {...common} mode="new" value={{ sort: 0, parks: [] }} save={department.add} />
  return <FormDialog {...common} mode="edit" value={of} save={department.update} />
}
