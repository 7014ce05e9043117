import { PlusOutlined } from '@ant-design/icons'
import { Button as Press } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ButtonType } from '../../../platform/contract/menu.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { button, Button, buttonSearch } from '../contract/button.ts'
import { ResourceSelect } from './pickers.tsx'

type Row = Of<typeof Button>
const CHANGES = [button.getCurrent, button.getAll, button.getCurrentNoPage]

/** The buttons that one holds: each stands on a screen and carries one capability. */
export default function ButtonScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Row | 'new'>()
  const remove = useRemove(CHANGES)
  return (
    <>
      <ListScreen
        purpose={['您拥有的按钮：每个按钮属于一个菜单，带一项权限', 'The buttons you hold: each belongs to a menu and carries one permission']}
        query={button.getCurrent}
        search={buttonSearch}
        find={['name', 'code', { name: 'resourceId', control: <ResourceSelect /> }]}
        columns={[
          { dataIndex: 'name', render: (_, { name, nameEn }) => say([name, nameEn]) },
          'code',
          'type',
          'shippedName',
          { dataIndex: 'resourceName', render: (_, { resourceName, resourceNameEn }) => say([resourceName, resourceNameEn]) },
          'resourceUrl',
          'capability',
        ]}
        hidden={['shippedName']}
        roomy={['resourceUrl']}
        toolbar={
          can(button.add.needs) && (
            <Press type="primary" icon={<PlusOutlined />} onClick={() => setDoing('new')}>
              {say(Label.add)}
            </Press>
          )
        }
        actions={(row) => [
          { text: Label.edit, needs: button.update.needs, run: () => setDoing(row) },
          deleting(remove, button.del, { id: row.id }, say([row.name, row.nameEn]), { kind: 'identity.button', key: row.id }),
        ]}
      />
      {doing && <ButtonForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function ButtonForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const common = { entity: Button, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  const named = ['code', 'name', 'nameEn', 'type', 'capability'] as const
  if (of) return <FormDialog {...common} mode="edit" fields={named} value={of} save={button.update} />
  return (
    <FormDialog
      {...common}
      mode="new"
      fields={[{ name: 'resourceId', control: <ResourceSelect /> }, ...named]}
      value={{ type: ButtonType.asBuilt }}
      save={button.add}
    />
  )
}
