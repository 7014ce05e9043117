import { PlusOutlined } from '@ant-design/icons'
import { Button, Table } from 'antd'
import { useState } from 'react'
import type { Refusal } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { ActionsHead, RowActions } from '../../../platform/web/list/RowActions.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useTelephone } from '../../../platform/web/page/small.ts'
import { useText } from '../../../platform/web/text.ts'
import { menuCalls } from '../contract/menu.ts'
import { resource, Resource, type ResourceNode } from '../contract/resource.ts'
import { resourceSheet } from '../contract/resourceSheet.ts'
import { ResourceSelect, useResources } from './pickers.tsx'

const CHANGES = [resource.queryTree, menuCalls.tree]
const FOLDER = 'layoutHeaderAside'

/** The menu of the console as everybody's roles draw from it: names, order, places, links. */
export default function ResourceScreen() {
  const say = useText()
  const tree = useResources()
  const [doing, setDoing] = useState<ResourceNode | 'new'>()
  return (
    <div className="page">
      <PageHead
        purpose={[
          '菜单的名称、顺序与位置；产品自带的条目可改名、移动、隐藏',
          'Menu names, order and position; built-in menus can be renamed, moved or hidden',
        ]}
      >
        <span className="push" />
        {can(resource.add.needs) && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing('new')}>
            {say(['新增链接', 'Add link'])}
          </Button>
        )}
        <ImportButton call={resourceSheet.import} template={resourceSheet.exportTemplate} changes={CHANGES} />
      </PageHead>
      {tree.data ? (
        <ResourceTable tree={tree.data} edit={setDoing} />
      ) : tree.isError ? (
        <Failed error={tree.error as Refusal} retry={() => void tree.refetch()} />
      ) : (
        <Waiting />
      )}
      {doing && <ResourceForm {...(doing !== 'new' && { of: doing })} onClose={() => setDoing(undefined)} />}
    </div>
  )
}

function ResourceTable({ tree, edit }: { tree: ResourceNode[]; edit: (row: ResourceNode) => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const remove = useRemove(CHANGES)
  const narrow = useTelephone()
  const hide = ({ id, version, hidden }: ResourceNode) =>
    act(resource.update, { id, version, hidden: !hidden }, { done: hidden ? ['已显示', 'Shown'] : ['已隐藏', 'Hidden'] })
  return (
    <Table
      size="small"
      style={{ marginTop: 8 }}
      rowKey="id"
      pagination={false}
      {...(narrow && { scroll: { x: 'max-content' } })}
      dataSource={tree.map(withoutEmpty)}
      columns={[
        {
          key: 'name',
          title: say(['名称', 'Name']),
          render: (_, row) => (row.hidden ? <s>{say([row.name, row.nameEn])}</s> : say([row.name, row.nameEn])),
        },
        { dataIndex: 'url', title: say(['地址', 'Address']) },
        {
          dataIndex: 'component',
          title: say(['组件', 'Component']),
          render: (name: string) => (name && name !== FOLDER ? name : <span className="faint">--</span>),
        },
        { dataIndex: 'sort', title: say(['排序', 'Sort order']), align: 'right' },
        { key: 'needs', title: say(['权限', 'Permissions']), render: (_, { needs }) => <span className="soft">{needs.join(' ')}</span> },
        {
          key: 'actions',
          width: 1,
          ...(narrow && { fixed: 'right' as const }),
          title: <ActionsHead folded={narrow} />,
          render: (_, row) => (
            <RowActions
              folded={narrow}
              actions={[
                { text: Label.edit, needs: resource.update.needs, run: () => edit(row) },
                { text: row.hidden ? ['显示', 'Show'] : ['隐藏', 'Hide'], needs: resource.update.needs, run: () => void hide(row) },
                deleting(remove, resource.del, { id: row.id }, say([row.name, row.nameEn]), { kind: 'identity.resource', key: row.id }),
              ]}
            />
          ),
        },
      ]}
    />
  )
}
/** antd draws an opener for an empty list of children. */
function withoutEmpty(node: ResourceNode): ResourceNode {
  const { children, ...row } = node
  return (children.length ? { ...row, children: children.map(withoutEmpty) } : row) as ResourceNode
}

function ResourceForm({ of, onClose }: { of?: ResourceNode; onClose: () => void }) {
  const placed = ['name', 'nameEn', { name: 'parentId', control: <ResourceSelect /> }, { name: 'sort', optional: true }, 'icon'] as const
  const common = { entity: Resource, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (of) return <FormDialog {...common} mode="edit" fields={placed} value={of} save={resource.update} />
  const url = { name: 'url', help: ['本平台的路径，或 http(s) 链接', 'A path on this platform, or an http(s) link'] } as const
  return <FormDialog {...common} mode="new" fields={[url, ...placed]} value={{ sort: 1000 }} save={resource.add} />
}
