import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { empty, entity, id, instant, message, nothing, orNone, pickSome, type Schema, text, treeOf, whole } from '../../../platform/contract/field.ts'
import { parkCodes } from './parks.ts'

/** A part of an enterprise. `parks` are those that its people see when a role's scope goes by department. */
export const Department = entity(['部门', 'Department'], {
  id: id<'DepartmentId'>(),
  parentId: orNone(id<'DepartmentId'>('上级部门', 'Parent')),
  name: text('部门名称', 'Department'),
  code: orNone(text('部门编码', 'Code', { max: 32 })),
  sort: whole('排序', 'Sort order', { min: 0, max: 100_000 }),
  parks: parkCodes('管辖车场', 'Car parks'),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const departmentSearch = searchOf(Department, { name: 'contains', parentId: 'equals' }, { sort: ['sort', 'createdAt'], ascending: true })
export interface DepartmentNode {
  id: string
  name: string
  children: DepartmentNode[]
}
const DepartmentNodes: Schema<DepartmentNode[]> = treeOf({ id: id<'DepartmentId'>(), name: text('部门名称', 'Department') })

const view = { service: 'custom', needs: 'identity:department:view' } as const
const edit = { service: 'custom', needs: 'identity:department:edit', writes: true } as const
export const department = {
  tree: call('identity.department.tree', { ...view, post: '/department/getTreeDepartment', query: empty, reply: DepartmentNodes }),
  queryPage: call('identity.department.query-page', {
    ...view,
    post: '/department/queryPage',
    body: paged(departmentSearch),
    reply: pageOf(Department),
  }),
  add: call('identity.department.add', {
    ...edit,
    post: '/department/add',
    does: ['新增部门', 'Added a department'],
    body: pickSome(Department, ['name'], ['parentId', 'code', 'sort', 'parks']),
    reply: message({ id: id<'DepartmentId'>() }),
  }),
  update: call('identity.department.update', {
    ...edit,
    post: '/department/update',
    does: ['修改部门', 'Changed a department'],
    body: pickSome(Department, ['id', 'version'], ['name', 'parentId', 'code', 'sort', 'parks']),
    reply: nothing,
  }),
  delete: call('identity.department.delete', {
    ...edit,
    post: '/department/delete',
    does: ['删除部门', 'Deleted a department'],
    body: message({ id: id<'DepartmentId'>() }),
    reply: nothing,
  }),
}
