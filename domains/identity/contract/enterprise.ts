import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, nothing, orNone, pickSome, text, whole, yes } from '../../../platform/contract/field.ts'
import { digest } from './session.ts'

export const EnterpriseStatus = dictionary('enterprise_status', ['企业状态', 'Enterprise state'], {
  1: ['启用', 'Active', 'success'],
  2: ['停用', 'Disabled', 'warning'],
})

/** A company on the platform. Its rows are its own; the platform's operator alone sees the others, and only as companies. */
export const Enterprise = entity({
  id: whole('企业编号', 'Enterprise id', { min: 1 }),
  name: text('企业名称', 'Enterprise name', { max: 100 }),
  parentId: orNone(whole('上级企业', 'Parent enterprise', { min: 1 })),
  platform: yes('平台运营方', 'Runs the platform'),
  contact: orNone(text('联系人', 'Contact')),
  phone: orNone(text('联系电话', 'Phone', { max: 32 })),
  address: orNone(text('地址', 'Address', { max: 200 })),
  status: among('状态', 'State', EnterpriseStatus),
  createdAt: instant('创建时间', 'Created'),
  version: whole('版本', 'Version'),
})
export const enterpriseSearch = searchOf(
  Enterprise,
  { name: 'contains', status: 'among', parentId: 'equals' },
  { sort: ['id', 'createdAt'], ascending: true },
)

export const enterprise = {
  /** One's own password: after it every other session of the person is over. `oldPassword` is needed when the sign-in is older than FRESH_MIN. */
  resetEnterprisePassword: call('identity.enterprise.reset-enterprise-password', {
    service: 'custom',
    post: '/enterprise/resetEnterprisePassword',
    needs: 'signed-in',
    writes: true,
    body: message(
      {
        newPassword: digest('新密码', 'New password'),
        confirmPassword: digest('确认密码', 'Confirm password'),
        type: text('类型', 'Type', { max: 1, pattern: '^1$' }),
      },
      { custId: id<'PersonId'>('用户编号', 'Person'), oldPassword: digest('原密码', 'Old password') },
    ),
    reply: nothing,
  }),
  queryPage: call('identity.enterprise.query-page', {
    service: 'custom',
    post: '/enterprise/queryPage',
    needs: 'identity:enterprise:view',
    body: paged(enterpriseSearch),
    reply: pageOf(Enterprise),
  }),
  add: call('identity.enterprise.add', {
    service: 'custom',
    post: '/enterprise/add',
    needs: 'identity:enterprise:edit',
    writes: true,
    body: pickSome(Enterprise, ['name'], ['parentId', 'contact', 'phone', 'address']),
    reply: message({ id: whole('企业编号', 'Enterprise id') }),
  }),
  update: call('identity.enterprise.update', {
    service: 'custom',
    post: '/enterprise/update',
    needs: 'identity:enterprise:edit',
    writes: true,
    body: pickSome(Enterprise, ['id', 'version'], ['name', 'parentId', 'contact', 'phone', 'address', 'status']),
    reply: nothing,
  }),
}
/** A sign-in this young may set a new own password without the old one. */
export const FRESH_MIN = 5
