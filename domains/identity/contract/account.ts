import { call } from '../../../platform/contract/call.ts'
import { empty, entity, id, instant, listOf, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** Who is signed in, what they may do and where. `capabilities` are those of the server's permission gate: a button asks the same list. */
export const UserInfo = entity({
  custId: id<'PersonId'>('用户编号', 'Person'),
  name: text('姓名', 'Name'),
  username: text('用户名', 'Username'),
  enterpriseId: whole('企业编号', 'Enterprise'),
  enterpriseName: text('企业名称', 'Enterprise name'),
  capabilities: shaped('权限', 'Capabilities', listOf(text('权限', 'Capability', { max: 100 }))),
  parks: orNone(shaped('数据范围内的车场', 'Parks in scope', listOf(text('车场编号', 'Park code')))),
  mustChangePassword: yes('须修改密码', 'Must change the password'),
  signedInAt: instant('登录时间', 'Signed in'),
})

/** An enterprise for which the signed-in person can act. */
export const Account = entity({
  id: whole('企业编号', 'Enterprise'),
  name: text('企业名称', 'Enterprise name'),
  current: yes('当前企业', 'Acting for it now'),
})

export const account = {
  getUserInfo: call('identity.account.get-user-info', {
    service: 'custom',
    get: '/account/getUserInfo',
    needs: 'signed-in',
    query: empty,
    reply: UserInfo,
  }),
  getList: call('identity.account.get-list', {
    service: 'custom',
    get: '/account/getList',
    needs: 'signed-in',
    query: empty,
    reply: listOf(Account),
  }),
}
