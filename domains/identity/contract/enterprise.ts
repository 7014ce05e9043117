import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  type Schema,
  shaped,
  telephone,
  text,
  treeOf,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { LockState, Person } from './person.ts'
import { digest } from './session.ts'

export const EnterpriseStatus = dictionary('enterprise_status', ['企业状态', 'Enterprise status'], {
  active: [1, '启用', 'Active', 'success'],
  disabled: [2, '停用', 'Disabled', 'warning'],
})

/** A company on the platform. Its rows are its own; the platform's operator alone sees the others, and only as companies. */
export const Enterprise = entity(['企业', 'Enterprise'], {
  id: whole('企业编号', 'Enterprise id', { min: 1 }),
  name: text('企业名称', 'Enterprise name', { max: 100 }),
  parentId: orNone(whole('上级企业', 'Parent enterprise', { min: 1 })),
  platform: yes('平台运营方', 'Platform operator'),
  contact: orNone(text('联系人', 'Contact')),
  phone: orNone(telephone('联系电话', 'Phone')),
  address: orNone(text('地址', 'Address', { max: 200 })),
  status: among('状态', 'Status', EnterpriseStatus),
  secondFactor: yes('全员须动态验证码', 'Second factor for everyone'),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const enterpriseSearch = searchOf(
  Enterprise,
  { name: 'contains', status: 'among', parentId: 'equals' },
  { sort: ['id', 'createdAt'], ascending: true },
)

/** Somebody who may change the roles and people of their enterprise: all that the platform sees of its people. */
export const Administrator = entity({
  id: id<'PersonId'>(),
  username: text('用户名', 'Username'),
  name: text('姓名', 'Name'),
  lockState: among('锁定状态', 'Lock status', LockState),
  mustChange: yes('须修改密码', 'Must change password'),
  seenAt: orNone(instant('最近活动', 'Last active')),
})
/** Somebody of another company who may act for this one. */
export const Guest = entity({
  id: id<'PersonId'>(),
  username: text('用户名', 'Username'),
  name: text('姓名', 'Name'),
  home: text('所属企业', 'Own enterprise'),
  admittedAt: instant('准入时间', 'Admitted at'),
  admittedBy: text('准入人', 'Admitted by'),
})
export const EnterpriseDetail = entity({
  ...Enterprise.properties,
  parentName: orNone(text('上级企业', 'Parent enterprise')),
  people: whole('人员数', 'People'),
  administrators: shaped('管理员', 'Administrators', listOf(Administrator)),
  units: shaped('下属单位', 'Subordinate units', listOf(Enterprise)),
  guests: shaped('可代管人员', 'Guests', listOf(Guest)),
})
export interface EnterpriseNode {
  id: number
  name: string
  status: number
  children: EnterpriseNode[]
}
const EnterpriseNodes: Schema<EnterpriseNode[]> = treeOf(pick(Enterprise, 'id', 'name', 'status').properties, ['下属单位', 'Subordinate units'])
/** Made by the server, shown this once; it has to be changed at the first sign-in. */
const oncePassword = text('一次性密码', 'One-time password')

const edit = { service: 'custom', needs: 'identity:enterprise:edit', writes: true } as const
const view = { service: 'custom', needs: 'identity:enterprise:view' } as const
export const enterprise = {
  /**
   * One's own password: after it every other session of the person is over. `oldPassword` is needed when the sign-in is older than FRESH_MIN.
   * With the `custId` of another company's administrator, a person who looks after companies gives them one that the server makes; it is in the reply.
   */
  resetEnterprisePassword: call('identity.enterprise.reset-enterprise-password', {
    service: 'custom',
    post: '/enterprise/resetEnterprisePassword',
    needs: 'signed-in',
    writes: true,
    does: ['修改本人密码', 'Changed their own password'],
    body: message(
      {
        newPassword: digest('新密码', 'New password'),
        confirmPassword: digest('确认密码', 'Confirm password'),
        type: text('类型', 'Type', { max: 1, pattern: '^1$' }),
      },
      { custId: id<'PersonId'>('用户编号', 'Person'), oldPassword: digest('原密码', 'Old password') },
    ),
    reply: message({ password: orNone(oncePassword) }),
  }),
  /** The same for another company's administrator, without a password that is not taken. */
  resetAdministrator: call('identity.enterprise.reset-administrator', {
    service: 'custom',
    post: '/enterprise/resetAdministrator',
    needs: 'identity:enterprise:reset',
    writes: true,
    own: true,
    does: ['重置管理员密码', 'Reset an administrator’s password'],
    body: message({ custId: id<'PersonId'>('用户编号', 'Person') }),
    reply: message({ password: oncePassword }),
  }),
  /** One of the platform's people may act for this company, as one of its administrators. */
  admit: call('identity.enterprise.admit', {
    ...edit,
    post: '/enterprise/admit',
    own: true,
    does: ['准入代管', 'Admitted a guest'],
    body: message({ enterpriseId: Enterprise.properties.id, custId: id<'PersonId'>('用户编号', 'Person') }),
    reply: nothing,
  }),
  dismiss: call('identity.enterprise.dismiss', {
    ...edit,
    post: '/enterprise/dismiss',
    own: true,
    does: ['取消代管', 'Removed a guest'],
    body: message({ enterpriseId: Enterprise.properties.id, custId: id<'PersonId'>('用户编号', 'Person') }),
    reply: nothing,
  }),
  tree: call('identity.enterprise.tree', { ...view, get: '/enterprise/queryTree', own: true, query: empty, reply: EnterpriseNodes }),
  detail: call('identity.enterprise.detail', {
    ...view,
    get: '/enterprise/detail',
    own: true,
    query: message({ id: Enterprise.properties.id }),
    reply: EnterpriseDetail,
  }),
  queryPage: call('identity.enterprise.query-page', {
    ...view,
    post: '/enterprise/queryPage',
    body: paged(enterpriseSearch),
    reply: pageOf(Enterprise),
  }),
  add: call('identity.enterprise.add', {
    ...edit,
    post: '/enterprise/add',
    does: ['新增企业', 'Added an enterprise'],
    body: message(
      { name: Enterprise.properties.name },
      {
        parentId: Enterprise.properties.parentId,
        contact: Enterprise.properties.contact,
        phone: Enterprise.properties.phone,
        address: Enterprise.properties.address,
        adminUsername: Person.properties.username,
        adminName: Person.properties.name,
      },
    ),
    reply: message({ id: whole('企业编号', 'Enterprise id'), username: orNone(text('用户名', 'Username')), password: orNone(oncePassword) }),
  }),
  /** Only a company that nobody has worked in; any other is disabled. */
  delete: call('identity.enterprise.delete', {
    ...edit,
    post: '/enterprise/delete',
    does: ['删除企业', 'Deleted an enterprise'],
    body: message({ id: Enterprise.properties.id }),
    reply: nothing,
  }),
  update: call('identity.enterprise.update', {
    ...edit,
    post: '/enterprise/update',
    does: ['修改企业', 'Changed an enterprise'],
    body: pickSome(Enterprise, ['id', 'version'], ['name', 'parentId', 'contact', 'phone', 'address', 'status', 'secondFactor']),
    reply: nothing,
  }),
}

export const customerRelation = {
  /** All units below an enterprise, at whatever depth; one's own enterprise when none is named. */
  subunits: call('identity.customer-relation.subunits', {
    service: 'basic',
    post: '/V2/customerRelation/selectCustomerSubunitInfo',
    needs: 'identity:enterprise:view',
    body: message({}, { enterpriseId: Enterprise.properties.id, name: text('企业名称', 'Enterprise name', { max: 100 }) }),
    reply: listOf(Enterprise),
  }),
}
/** A sign-in this young may set a new own password without the old one. */
export const FRESH_MIN = 5
