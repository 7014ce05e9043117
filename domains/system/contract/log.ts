import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, anything, dictionary, entity, id, instant, orNone, pick, shaped, text, whole } from '../../../platform/contract/field.ts'

export const SignInOutcome = dictionary('sign_in_outcome', ['登录结果', 'Outcome of a sign-in'], {
  1: ['成功', 'Signed in', 'success'],
  2: ['用户名或密码错误', 'Wrong name or password', 'warning'],
  3: ['账号锁定', 'Locked', 'error'],
})
export const SignIn = { right: 1, wrong: 2, locked: 3 } as const

export const LoginLine = entity({
  id: id<'LoginId'>(),
  at: instant('时间', 'When'),
  username: text('用户名', 'Username'),
  outcome: among('结果', 'Outcome', SignInOutcome),
  loginType: whole('登录方式', 'Kind of sign-in'),
  ip: text('登录地址', 'Address'),
  browser: orNone(text('浏览器', 'Browser', { max: 200 })),
  userSystem: orNone(text('操作系统', 'Operating system', { max: 100 })),
})
export const loginSearch = searchOf(LoginLine, { at: 'between', username: 'equals', outcome: 'among' }, { sort: ['at'] })

/** One change of one row, as the audit stream keeps it: who, when, through which call, before and after. */
export const Operation = entity({
  id: id<'ChangeId'>(),
  at: instant('时间', 'When'),
  authorName: text('操作人', 'Who'),
  authorId: orNone(text('操作人编号', 'Person')),
  via: text('操作', 'Through'),
  entity: text('对象', 'What'),
  rowId: text('对象编号', 'Record', { max: 100 }),
  event: text('动作', 'Action'),
  before: orNone(shaped('变更前', 'Before', anything)),
  after: orNone(shaped('变更后', 'After', anything)),
  reason: orNone(text('原因', 'Reason', { max: 500 })),
  requestId: orNone(text('请求号', 'Request')),
})
export const operationSearch = searchOf(
  Operation,
  { at: 'between', authorId: 'equals', authorName: 'equals', via: 'startsWith', entity: 'equals', rowId: 'equals', event: 'equals' },
  { sort: ['at'] },
)

export const log = {
  loginPage: call('system.log.login-page', {
    service: 'business',
    post: '/system/selectSystemLoginLogPage',
    needs: 'system:login-log:view',
    body: paged(loginSearch),
    reply: pageOf(LoginLine),
  }),
  operationPage: call('system.log.operation-page', {
    service: 'business',
    post: '/system/selectSystemOperationLogPage',
    needs: 'system:operation-log:view',
    body: paged(operationSearch),
    reply: pageOf(Operation),
  }),
  operation: call('system.log.operation', {
    service: 'business',
    get: '/system/operationLog',
    needs: 'system:operation-log:view',
    own: true,
    query: pick(Operation, 'id'),
    reply: Operation,
  }),
}
