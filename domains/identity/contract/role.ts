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

export const DataScope = dictionary('data_scope', ['数据范围', 'Data scope'], {
  1: ['全部', 'All'],
  2: ['本企业', 'Own enterprise'],
  3: ['本部门及下级', 'Own department and below'],
  4: ['本部门', 'Own department'],
  5: ['本人', 'Own'],
  6: ['指定车场', 'Chosen parks'],
})
export const RoleGrants = dictionary('role_grants', ['授权方式', 'What it grants'], {
  1: ['逐项选择', 'What is chosen'],
  2: ['全部权限', 'Everything'],
  3: ['全部查看', 'Looking at everything'],
})

/** What a person may do and which parks they see. Scopes by department show the parks of the department. */
export const Role = entity({
  id: id<'RoleId'>(),
  name: text('角色名称', 'Role name'),
  grants: among('授权方式', 'Grants', RoleGrants),
  dataScope: among('数据范围', 'Data scope', DataScope),
  parks: shaped('指定车场', 'Chosen parks', listOf(text('车场编号', 'Park code', { max: 16 }), { max: 2000 })),
  builtIn: yes('系统内置', 'Built in'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  createdAt: instant('创建时间', 'Created'),
  version: whole('版本', 'Version'),
})
export const roleSearch = searchOf(Role, { name: 'contains', dataScope: 'among' }, { sort: ['createdAt', 'name'], ascending: true })

const chosen = {
  resourceIds: shaped('菜单', 'Menus', listOf(id<'ResourceId'>(), { max: 2000 })),
  buttonIds: shaped('按钮', 'Buttons', listOf(id<'ButtonId'>(), { max: 5000 })),
}

export const role = {
  query: call('identity.role.query', {
    service: 'custom',
    get: '/roleNew/roleQueryNew',
    needs: 'identity:role:view',
    query: paged(roleSearch),
    reply: pageOf(Role),
  }),
  queryNoPage: call('identity.role.query-no-page', {
    service: 'custom',
    get: '/roleNew/roleQueryNewNoPage',
    needs: 'identity:role:view',
    query: message({}),
    reply: listOf(Role),
  }),
  add: call('identity.role.add', {
    service: 'custom',
    post: '/roleNew/roleAddNew',
    needs: 'identity:role:edit',
    writes: true,
    body: message(
      { name: Role.properties.name, dataScope: Role.properties.dataScope },
      { grants: Role.properties.grants, parks: Role.properties.parks, remark: Role.properties.remark, ...chosen },
    ),
    reply: message({ id: id<'RoleId'>() }),
  }),
  update: call('identity.role.update', {
    service: 'custom',
    post: '/roleNew/roleUpdateNew',
    needs: 'identity:role:edit',
    writes: true,
    body: message(
      { id: Role.properties.id, version: Role.properties.version },
      {
        name: Role.properties.name,
        dataScope: Role.properties.dataScope,
        grants: Role.properties.grants,
        parks: Role.properties.parks,
        remark: Role.properties.remark,
        ...chosen,
      },
    ),
    reply: nothing,
  }),
  del: call('identity.role.del', {
    service: 'custom',
    post: '/roleNew/roleDelNew',
    needs: 'identity:role:edit',
    writes: true,
    query: message({ id: id<'RoleId'>() }),
    reply: nothing,
  }),
}
