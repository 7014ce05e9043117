import { call } from '../../../platform/contract/call.ts'
import { dictionary, empty, entity, id, instant, listOf, message, nothing, orNone, text, whole, yes } from '../../../platform/contract/field.ts'

export const LoginType = dictionary('login_type', ['登录方式', 'Sign-in method'], {
  console: [1, '控制台', 'Console'],
  code: [2, '第三方一次性码', 'One-time code'],
  oidc: [3, '单点登录', 'Single sign-on'],
  directory: [4, '目录服务', 'Directory (LDAP)'],
})

/** `form`: hex SHA-256 of lowercase(username) + ":" + password. Nothing else is taken, so that no raw password ever reaches a log. */
export const DIGEST = '^[0-9a-f]{64}$'
/** A one-time code for a third-party entry lives this long, and is good once. */
export const CODE_S = 60

export const digest = (zh: string, en: string) => text(zh, en, { min: 64, max: 64, pattern: DIGEST })
/** The password by which a person confirms a change of a way in, where their sign-in is old. */
export const ownPassword = { password: digest('登录密码', 'Your password') }

export const client = {
  loginType: whole('登录方式', 'Sign-in method', { min: 0, max: 9 }),
  browser: text('浏览器', 'Browser', { min: 0, max: 200 }),
  userSystem: text('操作系统', 'Operating system', { min: 0, max: 100 }),
}
export const opened = message({ access_token: text('访问令牌', 'Access token', { max: 128 }) })

/** One of a person's open sessions, as they see it themselves. */
export const Session = entity({
  id: id<'SessionId'>(),
  startedAt: instant('登录时间', 'Signed in at'),
  seenAt: instant('最近活动', 'Last active'),
  expiresAt: instant('到期时间', 'Expires at'),
  ip: text('登录地址', 'IP address', { min: 0 }),
  browser: orNone(text('浏览器', 'Browser', { max: 200 })),
  userSystem: orNone(text('操作系统', 'Operating system', { max: 100 })),
  current: yes('当前会话', 'This session'),
})

const anybody = { service: 'security', needs: 'public', writes: true } as const
const signedIn = { service: 'security', needs: 'signed-in', own: true } as const
export const session = {
  login: call('identity.session.login', {
    ...anybody,
    post: '/authentication/form',
    does: ['登录', 'Signed in'],
    form: message({ username: text('用户名', 'Username'), password: digest('密码', 'Password') }, client),
    reply: opened,
  }),
  mintCode: call('identity.session.mint-code', {
    ...signedIn,
    post: '/authentication/code',
    writes: true,
    does: ['签发一次性码', 'Issued a one-time code'],
    body: empty,
    reply: message({ code: text('一次性码', 'One-time code'), expiresAt: instant('到期时间', 'Valid until') }),
  }),
  exchange: call('identity.session.exchange', {
    ...anybody,
    post: '/authentication/exchange',
    own: true,
    does: ['用一次性码登录', 'Signed in with a one-time code'],
    body: message({ code: text('一次性码', 'One-time code', { max: 128 }) }, client),
    reply: opened,
  }),
  logout: call('identity.session.logout', {
    ...signedIn,
    post: '/authentication/logout',
    whenLocked: true,
    writes: true,
    does: ['退出登录', 'Signed out'],
    body: empty,
    reply: nothing,
  }),
  listMine: call('identity.session.list-mine', { ...signedIn, get: '/authentication/mySessions', query: empty, reply: listOf(Session) }),
  end: call('identity.session.end', {
    ...signedIn,
    post: '/authentication/endSession',
    writes: true,
    does: ['结束会话', 'Ended a session'],
    body: message({ id: id<'SessionId'>() }),
    reply: nothing,
  }),
  /** All of one's own but this one. */
  endOthers: call('identity.session.end-others', {
    ...signedIn,
    post: '/authentication/endOtherSessions',
    writes: true,
    does: ['结束其他会话', 'Ended the other sessions'],
    body: empty,
    reply: nothing,
  }),
  /** Open sessions of somebody else in the enterprise. */
  listOf: call('identity.session.list-of', {
    service: 'security',
    get: '/authentication/sessionsOf',
    needs: 'identity:session:view',
    own: true,
    query: message({ custId: id<'PersonId'>('用户编号', 'Person') }),
    reply: listOf(Session),
  }),
  endOf: call('identity.session.end-of', {
    service: 'security',
    post: '/authentication/endSessionOf',
    needs: 'identity:session:end',
    writes: true,
    own: true,
    does: ['结束他人会话', 'Ended another user’s session'],
    body: message({ id: id<'SessionId'>() }),
    reply: nothing,
  }),
}
