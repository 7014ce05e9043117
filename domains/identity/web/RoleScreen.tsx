import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Failed } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParksSelect } from '../../parking/web/api/names.tsx'
import { resource, type ResourceNode } from '../contract/resource.ts'
import { DataScope, role, Role, RoleGrants, roleSearch } from '../contract/role.ts'
import { roleSheet } from '../contract/roleSheet.ts'
import { GrantsOf } from './GrantsOf.tsx'
import { parksColumn } from './parks.tsx'
import { RoleStory } from './RoleStory.tsx'

type Row = Of<typeof Role>
const CHANGES = [role.query, role.queryNoPage, role.detail]
const WHOLE: Text = ['该角色拥有整类权限，无需逐项选择', 'This role holds a whole class of permissions, so there is nothing to choose']

/** Roles: the rights of their people, and the parks they see. */
export default function RoleScreen() {
  const say = useText()
  const [doing, setDoing] = useState<{ what: 'new' } | { what: 'edit' | 'grants' | 'copy'; of: Row }>()
  const remove = useRemove(CHANGES)
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '角色决定能做什么、能看哪些车场；修改立即生效',
          'Roles define what people can do and which car parks they see; changes take effect immediately',
        ]}
        query={role.query}
        search={roleSearch}
        find={['name', 'dataScope']}
        columns={['name', 'grants', 'dataScope', parksColumn, 'secondFactor', 'remark', 'createdAt']}
        roomy={['secondFactor', 'remark', 'createdAt']}
        toolbar={
          <>
            {can(role.add.needs) && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing({ what: 'new' })}>
                {say(Label.add)}
              </Button>
            )}
            <ImportButton call={roleSheet.import} template={roleSheet.exportTemplate} changes={CHANGES} />
          </>
        }
        history={{ kind: 'identity.role', restore: role.update, changes: CHANGES }}
        actions={(row) => [
          { text: ['权限', 'Permissions'], run: () => setDoing({ what: 'grants', of: row }), not: row.grants !== RoleGrants.chosen && WHOLE },
          { text: Label.edit, needs: role.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          { text: ['复制', 'Copy'], needs: role.add.needs, run: () => setDoing({ what: 'copy', of: row }) },
          deleting(remove, role.del, { id: row.id }, row.name, { kind: 'identity.role', key: row.id }),
        ]}
        detail={{
          call: role.detail,
          head: (row) => <b>{row.name}</b>,
          act: (row) =>
            can(role.update.needs) && (
              <>
                <Button
                  disabled={row.grants !== RoleGrants.chosen}
                  title={row.grants !== RoleGrants.chosen ? say(WHOLE) : ''}
                  onClick={() => setDoing({ what: 'grants', of: row })}
                >
                  {say(['权限', 'Permissions'])}
                </Button>{' '}
                <Button onClick={() => setDoing({ what: 'edit', of: row })}>{say(Label.edit)}</Button>
              </>
            ),
          body: (row) => <RoleStory of={row} />,
        }}
      />
      {doing?.what === 'grants' && <GrantsOf of={doing.of} onClose={close} />}
      {doing?.what === 'new' && <RoleForm onClose={close} />}
      {doing?.what === 'edit' && <RoleForm of={doing.of} onClose={close} />}
      {doing?.what === 'copy' && <RoleCopy of={doing.of} onClose={close} />}
    </>
  )
}

/** Another role with the same rights; they are changed from there. */
function RoleCopy({ of, onClose }: { of: Row; onClose: () => void }) {
  const { data, error, refetch } = useQuery(asks(resource.queryRoleTree, { roleId: of.id }, { quiet: true }))
  if (error) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return null
  const { grants, dataScope, parks, secondFactor, remark } = of
  const also = { resourceIds: heldOf(data.tree), buttonIds: data.buttonIds }
  return (
    <RoleForm
      title={[`复制角色「${of.name}」`, `Copy role “${of.name}”`]}
      from={{ grants, dataScope, parks, secondFactor, remark }}
      also={also}
      onClose={onClose}
    />
  )
}
const heldOf = (nodes: readonly ResourceNode[]): ResourceNode['id'][] =>
  nodes.flatMap(({ id, held, children }) => [...(held ? [id] : []), ...heldOf(children)])

interface FormOf {
  of?: Row
  title?: Text
  from?: Partial<Row>
  also?: Pick<Of<typeof role.add.input>, 'resourceIds' | 'buttonIds'>
  onClose: () => void
}
const FRESH: Partial<Row> = { grants: RoleGrants.chosen, dataScope: DataScope.enterprise, parks: [] }
function RoleForm({ of, title, from = FRESH, also, onClose }: FormOf) {
  const fields = [
    'name',
    'grants',
    'dataScope',
    { name: 'parks', control: <ParksSelect />, optional: true, help: ['仅当数据范围为指定车场', 'Only if the data scope is Chosen car parks'] },
    {
      name: 'secondFactor',
      optional: true,
      help: ['持有人登录后须先启用动态验证码', 'Holders must enable a second factor after sign-in'],
    },
    'remark',
  ] as const
  const common = { entity: Role, fields, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (!of) return <FormDialog {...common} {...(title && { title })} {...(also && { also })} mode="new" value={from} save={role.add} />
  return <FormDialog {...common} mode="edit" value={of} save={role.update} />
}
