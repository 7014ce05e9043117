import { call } from '../../../platform/contract/call.ts'
import { empty, entity, id, instant, listOf, message, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'
import { opened } from './session.ts'

/** The signed-in person, their permissions and scope. `capabilities` are those of the server's permission gate: a button asks the same list. */
export const UserInfo = entity({
  custId: id<'PersonId'>('用户编号', 'Person'),
  name: text('姓名', 'Name'),
  username: text('用户名', 'Username'),
  /** The end of their number, for the mark over what they look at. */
  phoneTail: orNone(text('手机尾号', 'Phone ending', { max: 4 })),
  enterpriseId: whole('企业编号', 'Enterprise'),
  enterpriseName: text('企业名称', 'Enterprise name'),
  capabilities: shaped('权限', 'Permissions', listOf(text('权限', 'Permission', { max: 100 }))),
  parks: orNone(shaped('数据范围内的车场', 'Car parks in scope', listOf(text('车场编号', 'Car park code')))),
  mustChangePassword: yes('须修改密码', 'Must change password'),
  mustEnrol: yes('须启用动态验证码', 'Must enable second factor'),
  /** One's own company; it differs from `enterpriseId` while one acts for another. */
  homeId: whole('所属企业', 'Own enterprise'),
  signedInAt: orNone(instant('登录时间', 'Signed in at')),
})

/** An enterprise for which the signed-in person can act. */
export const Account = entity({
  id: whole('企业编号', 'Enterprise'),
  name: text('企业名称', 'Enterprise name'),
  current: yes('当前企业', 'Current enterprise'),
})

const signedIn = { service: 'custom', needs: 'signed-in' } as const
export const account = {
  getUserInfo: call('identity.account.get-user-info', {
    ...signedIn,
    forPrograms: true,
    get: '/account/getUserInfo',
    whenLocked: true,
    query: empty,
    reply: UserInfo,
  }),
  /** Ends this session and opens one that acts for another of one's companies; it lasts no longer than this one would have. */
  switch: call('identity.account.switch', {
    ...signedIn,
    post: '/account/switch',
    writes: true,
    own: true,
    does: ['切换企业', 'Switched enterprise'],
    body: message({ id: whole('企业编号', 'Enterprise', { min: 1 }) }),
    reply: opened,
  }),
  getList: call('identity.account.get-list', { ...signedIn, get: '/account/getList', query: empty, reply: listOf(Account) }),
}
