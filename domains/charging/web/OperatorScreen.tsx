import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Operator, operator, operatorSearch, OperatorStatus } from '../contract/operator.ts'

type Row = Of<typeof Operator>
const CHANGES = [operator.list]

/** Who runs charging stations. */
export default function OperatorScreen() {
  const remove = useRemove(CHANGES)
  const [doing, setDoing] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={['充电站的运营商：组织机构代码、联系方式与状态', 'Charging station operators: organisation code, contacts and state']}
        query={operator.list}
        exports={operator.export}
        search={operatorSearch}
        find={['operatorName', 'operatorId', 'status']}
        columns={['operatorName', 'operatorId', 'operatorTel1', 'regAddress', 'own', 'status', 'note', 'updatedAt']}
        hidden={['note', 'updatedAt']}
        add={{ call: operator.saveOrUpdate, open: () => setDoing({}) }}
        actions={(row) => [
          { text: Label.edit, needs: operator.saveOrUpdate.needs, run: () => setDoing({ of: row }) },
          {
            text: Label.delete,
            needs: operator.delete.needs,
            run: () => void remove(operator.delete, { id: row.id, version: row.version }, row.operatorName),
            danger: true,
          },
        ]}
        empty={['还没有充电运营商。先登记本企业，再建充电站。', 'No operators yet: add your own enterprise first, then stations.']}
      />
      {doing && <Save {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Save({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = ['operatorName', 'operatorTel1', 'operatorTel2', 'regAddress', 'own', 'status', 'note'] as const
  const shared = { entity: Operator, save: operator.saveOrUpdate, done: ['已保存', 'Saved'] as const, changes: CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} fields={[...fields]} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{ own: false, status: OperatorStatus.active }}
      fields={[
        {
          name: 'operatorId',
          needed: true,
          help: ['9 位组织机构代码，保存后不可修改', 'The 9-character organisation code; cannot be changed later'],
        },
        ...fields,
      ]}
    />
  )
}
