import { call } from '../../../platform/contract/call.ts'
import { anything, empty, entity, id, listOf, message, nothing, orNone, type Schema, shaped, text, whole } from '../../../platform/contract/field.ts'
import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** One entry of the signed-in person's menu. A folder has no component; an `http(s)` url is a link out of the console. */
export interface MenuNode {
  id: string
  name: string
  nameEn: string
  url: string
  funcCode: string
  component: string
  icon: string | null
  level: number
  children: MenuNode[]
}
export const MenuNodes: Schema<MenuNode[]> = listOf(
  entity({
    id: id<'ResourceId'>(),
    name: text('名称', 'Name'),
    nameEn: text('英文名称', 'English name'),
    url: text('地址', 'Address', { min: 0, max: 200 }),
    funcCode: text('功能码', 'Function code', { min: 0 }),
    component: text('组件', 'Component', { min: 0 }),
    icon: orNone(text('图标', 'Icon')),
    level: whole('层级', 'Level'),
    children: shaped('下级', 'Children', listOf(anything)),
  }),
) as never

export const menuCalls = {
  tree: call('identity.menu.tree', { service: 'custom', get: '/menu/getCurrTreeMenu', needs: 'signed-in', query: empty, reply: MenuNodes }),
  click: call('identity.menu.click', {
    service: 'custom',
    post: '/system/clickMenuRecord',
    needs: 'signed-in',
    writes: true,
    // custId is the session's: what is sent is read and not believed.
    query: message({ menuId: id<'ResourceId'>('菜单编号', 'Menu') }, { custId: text('用户编号', 'Person') }),
    reply: nothing,
  }),
}

export const menu: MenuEntry[] = [
  screen(
    '/appManage/organization/staff',
    'StaffScreen',
    ['员工管理', 'Users'],
    ['identity:person:view', 'identity:department:view', 'identity:role:view', 'identity:session:view'],
    [
      { code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:person:edit' },
      { code: 'lock', name: ['锁定、解锁', 'Lock, unlock'], needs: 'identity:person:lock' },
      { code: 'reset', name: ['重置密码', 'Reset the password'], needs: 'identity:person:reset' },
      { code: 'sessions', name: ['结束会话', 'End sessions'], needs: 'identity:session:end' },
    ],
  ),
  screen(
    '/appManage/organization/department',
    'DepartmentScreen',
    ['部门管理', 'Departments'],
    ['identity:department:view'],
    [{ code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:department:edit' }],
  ),
  screen(
    '/appManage/permission/roles',
    'RoleScreen',
    ['角色管理', 'Roles'],
    ['identity:role:view', 'identity:resource:view', 'identity:button:view'],
    [{ code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:role:edit' }],
  ),
  screen(
    '/appManage/permission/rescource',
    'ResourceScreen',
    ['资源管理', 'Menu resources'],
    ['identity:resource:view', 'identity:button:view'],
    [{ code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:resource:edit' }],
  ),
  screen(
    '/appManage/permission/buttons',
    'ButtonScreen',
    ['按钮管理', 'Button permissions'],
    ['identity:button:view', 'identity:resource:view'],
    [{ code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:button:edit' }],
  ),
]
