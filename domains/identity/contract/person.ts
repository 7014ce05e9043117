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
  personal,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { MenuNodes } from './menuTree.ts'
import { digest } from './session.ts'

export const LockState = dictionary('lock_state', ['锁定状态', 'Lock status'], {
  normal: [1, '正常', 'Normal', 'success'],
  locked: [2, '锁定', 'Locked', 'error'],
})

/** Somebody who signs in. The username is theirs alone on the whole platform, in any case of letters. */
export const Person = entity(['员工', 'Person'], {
  id: id<'PersonId'>(),
  username: text('用户名', 'Username', { max: 32, pattern: '^[A-Za-z][A-Za-z0-9._-]{2,31}$' }),
  name: text('姓名', 'Name'),
  staffNo: orNone(text('工号', 'Staff number', { max: 32 })),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20, pattern: '^[0-9+ *-]*$' }))),
  email: orNone(personal('email', text('邮箱', 'E-mail', { max: 100 }))),
  departmentId: orNone(id<'DepartmentId'>('部门', 'Department')),
  departmentName: orNone(text('部门', 'Department')),
  roles: shaped('角色', 'Roles', listOf(entity({ id: id<'RoleId'>(), name: text('角色名称', 'Role name') }), { max: 50 })),
  lockState: among('锁定状态', 'Lock status', LockState),
  mustChange: yes('须修改密码', 'Must change password'),
  secondFactor: yes('动态验证码', 'Second factor'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const personSearch = searchOf(
  Person,
  { username: 'startsWith', name: 'equals', phone: 'equals', staffNo: 'equals', departmentId: 'equals', lockState: 'among' },
  { sort: ['createdAt'], ascending: true },
)

/** An entry of the menu that somebody is not offered, and why: the capabilities that they lack, or that it is hidden from everybody. */
export const Unseen = entity({
  url: text('地址', 'Address'),
  name: text('名称', 'Name'),
  nameEn: text('英文名称', 'English name'),
  lacks: shaped('缺少的权限', 'Missing permissions', listOf(text('权限', 'Permission'))),
  hidden: yes('隐藏', 'Hidden'),
})
export const PersonDetail = entity({
  ...Person.properties,
  parks: orNone(shaped('可见车场', 'Visible car parks', listOf(text('车场编号', 'Car park code')))),
  departments: orNone(shaped('可见部门', 'Visible departments', listOf(text('部门', 'Department')))),
  capabilities: shaped('权限', 'Permissions', listOf(text('权限', 'Permission'))),
  opens: shaped('可用菜单', 'Available menus', MenuNodes),
  unseen: shaped('看不到的菜单', 'Menus not visible', listOf(Unseen)),
})

const { username, name, staffNo, phone, email, departmentId, remark, version } = Person.properties
const roleIds = shaped('角色', 'Roles', listOf(id<'RoleId'>('角色', 'Role'), { max: 50 }))
const personId = { id: Person.properties.id }
/** One row of a sheet of people. Departments and roles stand in it by name; a department of a name that others have too by its path: `总部/工程部`. */
const PersonRow = message(
  { username, name },
  {
    staffNo,
    phone,
    email,
    departmentName: Person.properties.departmentName,
    roles: shaped('角色', 'Roles', listOf(text('角色', 'Role'), { max: 50 })),
    remark,
  },
)
/** Made by the server, shown this once; it has to be changed at the first sign-in. */
const password = text('一次性密码', 'One-time password')

const view = { service: 'custom', needs: 'identity:person:view' } as const
const edit = { service: 'custom', needs: 'identity:person:edit' } as const
const reset = { service: 'custom', needs: 'identity:person:reset', writes: true } as const
const queryPage = call('identity.person.query-page', { ...view, post: '/person/queryPage', body: paged(personSearch), reply: pageOf(Person) })

export const person = {
  queryPage,
  /** Imports people: a new person gets no password (a reset makes one and shows it once), a known one is changed. */
  import: importOf('identity.person.import', {
    ...edit,
    post: '/person/import',
    title: ['员工', 'Users'],
    row: PersonRow,
    unique: 'username',
    note: [
      '新增人员没有密码：导入后在列表里勾选他们并重置密码，把一次性密码交给本人，首次登录须修改。已有人员的密码不变。',
      'New users have no password: after the import, select them in the list, reset their passwords, and give the one-time passwords to the users, who must change them at first sign-in. Existing passwords stay unchanged.',
    ],
  }),
  export: exportOf('identity.person.export', {
    ...view,
    get: '/person/export',
    title: ['员工', 'Users'],
    query: queryPage,
    columns: ['username', 'name', 'staffNo', 'phone', 'email', 'departmentName', { name: 'roles', pick: 'name' }, 'lockState', 'remark', 'createdAt'],
  }),
  /** Returns a person with the rights of their roles and the parks they see; and for the rest of the menu, the missing rights. */
  detail: call('identity.person.detail', { ...view, get: '/person/detail', own: true, query: message(personId), reply: PersonDetail }),
  add: call('identity.person.add', {
    ...edit,
    post: '/person/add',
    writes: true,
    does: ['新增人员', 'Added a person'],
    body: message({ username, name }, { staffNo, phone, email, departmentId, remark, roleIds }),
    reply: message({ ...personId, username, password }),
  }),
  /** Renaming the username makes a new one-time password, because the digest holds the name: it is in the reply then. */
  update: call('identity.person.update', {
    ...edit,
    post: '/person/update',
    writes: true,
    does: ['修改人员', 'Changed a person'],
    body: message({ ...personId, version }, { username, name, staffNo, phone, email, departmentId, remark, roleIds }),
    reply: message({ username, password: orNone(password) }),
  }),
  delete: call('identity.person.delete', {
    ...edit,
    post: '/person/delete',
    writes: true,
    does: ['删除人员', 'Deleted a person'],
    body: message(personId),
    reply: nothing,
  }),
  /** To `newPassword`, said twice, where one is given; the server makes one otherwise, and answers it. It is changed at the next sign-in. Ends all sessions of the person. */
  resetPassword: call('identity.person.reset-password', {
    ...reset,
    post: '/person/resetPassword',
    does: ['重置密码', 'Reset a password'],
    body: message(
      { custId: id<'PersonId'>('用户编号', 'Person') },
      {
        newPassword: digest('新密码', 'New password'),
        confirmPassword: digest('确认密码', 'Confirm password'),
        type: text('类型', 'Type', { max: 1 }),
      },
    ),
    reply: message({ password: orNone(password) }),
  }),
  /** Resets the second factor of a person who has lost their phone and their recovery codes. Ends all their sessions. */
  resetSecondFactor: call('identity.person.reset-second-factor', {
    ...reset,
    post: '/person/resetSecondFactor',
    own: true,
    does: ['重置动态验证码', 'Reset a second factor'],
    body: message({ custId: id<'PersonId'>('用户编号', 'Person') }),
    reply: nothing,
  }),
  updateLock: call('identity.person.update-lock', {
    service: 'custom',
    post: '/person/updateLock',
    needs: 'identity:person:lock',
    writes: true,
    does: ['锁定或解锁人员', 'Locked or unlocked a person'],
    body: message({ ...personId, version, lockState: Person.properties.lockState }),
    reply: nothing,
  }),
}
