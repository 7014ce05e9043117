import { call } from '../../../platform/contract/call.ts'
import { empty, id, message, nothing, text } from '../../../platform/contract/field.ts'
import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { SEES_PLATES, SEES_WHOLE } from '../../../platform/contract/personal.ts'
import { MenuNodes } from './menuTree.ts'

const signedIn = { service: 'custom', needs: 'signed-in' } as const
export const menuCalls = {
  tree: call('identity.menu.tree', { ...signedIn, get: '/menu/getCurrTreeMenu', query: empty, reply: MenuNodes }),
  click: call('identity.menu.click', {
    ...signedIn,
    post: '/system/clickMenuRecord',
    writes: true,
    // `custId` is the session's: a sent one is read and not believed.
    does: ['打开页面', 'Opened a page'],
    query: message({ menuId: id<'ResourceId'>('菜单编号', 'Menu') }, { custId: text('用户编号', 'Person') }),
    reply: nothing,
  }),
}

export const menu: MenuEntry[] = [
  screen(
    '/assetManage/firmMode',
    'FirmScreen',
    ['企业模式', 'Enterprise view'],
    ['identity:enterprise:view'],
    [
      { code: 'edit', name: ['新增、编辑、启停、删除', 'Add, edit, enable, delete'], needs: 'identity:enterprise:edit' },
      { code: 'reset', name: ['重置管理员密码', 'Reset an administrator’s password'], needs: 'identity:enterprise:reset' },
    ],
  ),
  screen(
    '/appManage/organization/staff',
    'StaffScreen',
    ['员工管理', 'Users'],
    ['identity:person:view', 'identity:department:view', 'identity:role:view', 'identity:session:view'],
    [
      { code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'identity:person:edit' },
      { code: 'lock', name: ['锁定、解锁', 'Lock, unlock'], needs: 'identity:person:lock' },
      { code: 'reset', name: ['重置密码', 'Reset password'], needs: 'identity:person:reset' },
      { code: 'why', name: ['权限诊断', 'Explain permissions'], needs: 'identity:access:explain' },
      { code: 'whole', name: ['查看完整的手机号、邮箱', 'View full phone numbers and e-mails'], needs: SEES_WHOLE },
      { code: 'plate', name: ['查看完整车牌与车辆图片', 'View full plates and car pictures'], needs: SEES_PLATES },
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
  screen(
    '/appManage/permission/apiKeys',
    'ApiKeyScreen',
    ['接口密钥', 'API keys'],
    ['identity:api-key:view'],
    [{ code: 'edit', name: ['新建、吊销', 'Create, revoke'], needs: 'identity:api-key:edit' }],
  ),
  screen(
    '/appManage/permission/directory',
    'DirectoryScreen',
    ['目录服务', 'Directory (LDAP)'],
    ['identity:directory:view', 'identity:person:view'],
    [{ code: 'edit', name: ['设置、试查、关联', 'Set up, try, link'], needs: 'identity:directory:edit' }],
  ),
]
