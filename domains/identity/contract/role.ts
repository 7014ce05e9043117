import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { MenuNodes } from './menuTree.ts'
import { parkCodes } from './parks.ts'

export const DataScope = dictionary('data_scope', ['数据范围', 'Data scope'], {
  all: [1, '全部', 'All'],
  enterprise: [2, '本企业', 'Own enterprise'],
  departmentBelow: [3, '本部门及下级', 'Own department and below'],
  department: [4, '本部门', 'Own department'],
  self: [5, '本人', 'Self only'],
  parks: [6, '指定车场', 'Chosen car parks'],
})
export const RoleGrants = dictionary('role_grants', ['授权方式', 'Grant type'], {
  chosen: [1, '逐项选择', 'Chosen items'],
  everything: [2, '全部权限', 'All permissions'],
  viewing: [3, '全部查看', 'View everything'],
})

/** A set of permissions, and the parks that its people see. Scopes by department show the parks of the department. */
export const Role = entity(['角色', 'Role'], {
  id: id<'RoleId'>(),
  name: text('角色名称', 'Role name'),
  grants: among('授权方式', 'Grant type', RoleGrants),
  dataScope: among('数据范围', 'Data scope', DataScope),
  parks: parkCodes('指定车场', 'Chosen car parks'),
  builtIn: yes('系统内置', 'Built-in'),
  secondFactor: yes('须动态验证码', 'Second factor required'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const roleSearch = searchOf(Role, { name: 'contains', dataScope: 'among' }, { sort: ['createdAt', 'name'], ascending: true })

export const RoleDetail = entity({
  ...Role.properties,
  holders: shaped('持有人员', 'Holders', listOf(entity({ id: id<'PersonId'>(), name: text('姓名', 'Name'), username: text('用户名', 'Username') }))),
  /** More hold it than the one who asks may see. */
  holdersUnseen: whole('范围外持有人数', 'Holders outside scope'),
  opens: shaped('打开的菜单', 'Menus', MenuNodes),
  buttons: shaped(
    '按钮',
    'Buttons',
    listOf(
      entity({ id: id<'ButtonId'>(), resourceId: id<'ResourceId'>(), name: text('按钮名称', 'Button'), nameEn: text('英文名称', 'English name') }),
    ),
  ),
})

const chosen = {
  resourceIds: shaped('菜单', 'Menus', listOf(id<'ResourceId'>(), { max: 2000 })),
  buttonIds: shaped('按钮', 'Buttons', listOf(id<'ButtonId'>(), { max: 5000 })),
}

const view = { service: 'custom', needs: 'identity:role:view' } as const
const edit = { service: 'custom', needs: 'identity:role:edit', writes: true } as const
export const role = {
  query: call('identity.role.query', { ...view, get: '/roleNew/roleQueryNew', query: paged(roleSearch), reply: pageOf(Role) }),
  /** Returns a role with its people and its rights. */
  detail: call('identity.role.detail', { ...view, get: '/roleNew/roleDetail', own: true, query: message({ id: id<'RoleId'>() }), reply: RoleDetail }),
  queryNoPage: call('identity.role.query-no-page', { ...view, get: '/roleNew/roleQueryNewNoPage', query: message({}), reply: listOf(Role) }),
  add: call('identity.role.add', {
    ...edit,
    post: '/roleNew/roleAddNew',
    does: ['新增角色', 'Added a role'],
    body: message(
      { name: Role.properties.name, dataScope: Role.properties.dataScope },
      {
        grants: Role.properties.grants,
        parks: Role.properties.parks,
        remark: Role.properties.remark,
        secondFactor: Role.properties.secondFactor,
        ...chosen,
      },
    ),
    reply: message({ id: id<'RoleId'>() }),
  }),
  update: call('identity.role.update', {
    ...edit,
    post: '/roleNew/roleUpdateNew',
    does: ['修改角色', 'Changed a role'],
    body: message(
      { id: Role.properties.id, version: Role.properties.version },
      {
        name: Role.properties.name,
        dataScope: Role.properties.dataScope,
        grants: Role.properties.grants,
        parks: Role.properties.parks,
        remark: Role.properties.remark,
        secondFactor: Role.properties.secondFactor,
        ...chosen,
      },
    ),
    reply: nothing,
  }),
  del: call('identity.role.del', {
    ...edit,
    post: '/roleNew/roleDelNew',
    does: ['删除角色', 'Deleted a role'],
    query: message({ id: id<'RoleId'>() }),
    reply: nothing,
  }),
}
