import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { TreeSelect } from '../../../platform/web/form/TreeSelect.tsx'
import { useText } from '../../../platform/web/text.ts'
import { enterprise, type EnterpriseNode } from '../contract/enterprise.ts'
import { department, type DepartmentNode } from '../contract/department.ts'
import { person } from '../contract/person.ts'
import { resource, type ResourceNode } from '../contract/resource.ts'
import { role } from '../contract/role.ts'

interface Picked<V> {
  id?: string
  value?: V
  onChange?: (value: V) => void
}
/** Names change seldom: read once and shared by all dialogs of the page. */
const STALE_MS = 60_000

interface Branch {
  value: string
  title: string
  children: Branch[]
}
const branches = (nodes: readonly DepartmentNode[]): Branch[] =>
  nodes.map(({ id, name, children }) => ({ value: id, title: name, children: branches(children) }))

export function DepartmentSelect(props: Picked<string | null>) {
  const say = useText()
  const { data = [], isLoading } = useQuery({
    ...asks(department.tree, {}, { quiet: true }),
    staleTime: STALE_MS,
    enabled: can(department.tree.needs),
  })
  return (
    <TreeSelect
      waits={isLoading}
      allowClear
      treeDefaultExpandAll
      placeholder={say(['选择部门', 'Choose a department'])}
      treeData={branches(data)}
      {...(props as object)}
    />
  )
}

export function RoleSelect(props: Picked<string[]>) {
  const say = useText()
  const { data = [] } = useQuery({ ...asks(role.queryNoPage, {}, { quiet: true }), staleTime: STALE_MS, enabled: can(role.queryNoPage.needs) })
  return (
    <Select
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['选择角色', 'Choose roles'])}
      options={data.map(({ id, name }) => ({ value: id as string, label: name }))}
      {...(props as object)}
    />
  )
}

export const useResources = () =>
  useQuery({ ...asks(resource.queryTree, {}, { quiet: true }), staleTime: STALE_MS, enabled: can(resource.queryTree.needs) })
export function ResourceSelect(props: Picked<string | null>) {
  const say = useText()
  const { data = [], isLoading } = useResources()
  const nodes = (of: readonly ResourceNode[]): Branch[] =>
    of.map(({ id, name, nameEn, children }) => ({ value: id as string, title: say([name, nameEn]), children: nodes(children) }))
  return (
    <TreeSelect
      waits={isLoading}
      allowClear
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={say(['选择菜单', 'Choose a menu'])}
      treeData={nodes(data)}
      {...(props as object)}
    />
  )
}

/** Companies as a tree; `but` and what lies below it cannot be chosen: nothing becomes a unit of itself. */
export function EnterpriseSelect({ but, ...props }: Picked<number | null> & { but?: number }) {
  const say = useText()
  const { data = [], isLoading } = useQuery({
    ...asks(enterprise.tree, {}, { quiet: true }),
    staleTime: STALE_MS,
    enabled: can(enterprise.tree.needs),
  })
  const nodes = (of: readonly EnterpriseNode[], not = false): object[] =>
    of.map(({ id, name, children }) => {
      const disabled = not || id === but
      return { value: id, title: name, disabled, children: nodes(children, disabled) }
    })
  return (
    <TreeSelect
      waits={isLoading}
      allowClear
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder={say(['选择企业', 'Choose an enterprise'])}
      style={{ minWidth: 180 }}
      treeData={nodes(data) as never}
      {...(props as object)}
    />
  )
}

const PEOPLE_SHOWN = 500
/** One of the company's people, by name or username. */
export function PersonSelect(props: Picked<string | undefined>) {
  const say = useText()
  const { data } = useQuery({ ...asks(person.queryPage, { limit: PEOPLE_SHOWN }, { quiet: true }), staleTime: STALE_MS })
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      style={{ minWidth: 220 }}
      placeholder={say(['选择本企业人员', 'Choose a person of your enterprise'])}
      options={(data?.records ?? []).map(({ id, name, username }) => ({ value: id as string, label: `${name} ${username}` }))}
      {...(props as object)}
    />
  )
}
