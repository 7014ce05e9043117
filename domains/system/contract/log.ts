import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  action,
  among,
  anything,
  day,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  nothing,
  orNone,
  personal,
  pick,
  shaped,
  target,
  text,
  orSaid,
  whole,
} from '../../../platform/contract/field.ts'
import { NounsTold } from '../../../platform/contract/nouns.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'

export const SignInOutcome = dictionary('sign_in_outcome', ['登录结果', 'Sign-in result'], {
  right: [1, '成功', 'Signed in', 'success'],
  wrong: [2, '用户名或密码错误', 'Wrong name or password', 'warning'],
  locked: [3, '账号锁定', 'Locked', 'error'],
})
export const SignIn = { right: 1, wrong: 2, locked: 3 } as const

export const LoginLine = entity({
  id: id<'LoginId'>(),
  at: instant('时间', 'Time'),
  username: text('用户名', 'Username'),
  outcome: among('结果', 'Result', SignInOutcome),
  loginType: whole('登录方式', 'Sign-in method'),
  ip: text('登录地址', 'IP address'),
  browser: orNone(text('浏览器', 'Browser', { max: 200 })),
  userSystem: orNone(text('操作系统', 'Operating system', { max: 100 })),
})
export const loginSearch = searchOf(LoginLine, { at: 'between', username: 'equals', outcome: 'among', ip: 'equals' }, { sort: ['at'] })

/** One change of one row, as the audit stream keeps it: who, when, through which call, before and after. */
export const Change = entity({
  id: id<'ChangeId'>(),
  at: instant('时间', 'Time'),
  authorName: orSaid(text('操作人', 'Operator')),
  authorId: orNone(text('操作人编号', 'Operator (id)')),
  via: text('操作', 'Operation'),
  entity: text('对象', 'Record type'),
  rowId: text('对象编号', 'Record id', { max: 100 }),
  event: text('动作', 'Action'),
  before: orNone(personal('account', shaped('变更前', 'Before', anything))),
  after: orNone(personal('account', shaped('变更后', 'After', anything))),
  reason: orNone(account('原因', 'Reason', { max: 500 })),
  requestId: orNone(text('请求号', 'Request number')),
})
export const changeSearch = searchOf(
  Change,
  { at: 'between', authorId: 'equals', authorName: 'equals', via: 'startsWith', entity: 'equals', rowId: 'equals', event: 'equals' },
  { sort: ['at'] },
)

export const OperationOutcome = dictionary('operation_outcome', ['操作结果', 'Operation result'], {
  done: [1, '成功', 'Done', 'success'],
  refused: [2, '被拒绝', 'Refused', 'warning'],
  failed: [3, '出错', 'Failed', 'error'],
})
/** One act or try of a person: on which page, on what, its outcome and how long it took. */
export const Operation = entity({
  id: id<'OperationId'>(),
  at: instant('时间', 'Time'),
  authorName: text('操作人', 'Operator'),
  authorId: text('操作人编号', 'Operator (id)'),
  ip: text('地址', 'IP address'),
  page: orNone(text('页面', 'Page', { max: 120 })),
  call: action('操作', 'Action'),
  target: orNone(target('对象', 'Target', { max: 200 })),
  outcome: among('结果', 'Result', OperationOutcome),
  status: whole('状态码', 'Status code'),
  said: orNone(text('说明', 'Message', { max: 300 })),
  saidEn: orNone(text('英文说明', 'Message in English', { max: 300 })),
  tookMs: whole('耗时（毫秒）', 'Took (ms)'),
  requestId: text('请求号', 'Request number'),
})
export const operationSearch = searchOf(
  Operation,
  { at: 'between', authorName: 'equals', call: 'startsWith', outcome: 'among', page: 'startsWith', ip: 'equals', requestId: 'equals' },
  { sort: ['at'] },
)
/** With the rows that it changed. */
export const OperationWhole = entity({ ...Operation.properties, changes: shaped('数据变更', 'Data changes', listOf(Change)) })

export const PdaLevel = dictionary('pda_log_level', ['日志级别', 'Log level'], {
  information: [1, '信息', 'Information', 'default'],
  warning: [2, '警告', 'Warning', 'warning'],
  error: [3, '错误', 'Error', 'error'],
})
/** A log line of a handheld: its own clock, and when the line arrived. */
export const PdaLine = entity({
  id: id<'PdaLineId'>(),
  receivedAt: instant('接收时间', 'Received at'),
  deviceTime: instant('设备时间', 'Device time'),
  deviceNo: text('设备编号', 'Device', { max: 64 }),
  tollNo: orNone(text('收费员', 'Collector', { max: 32 })),
  level: among('级别', 'Level', PdaLevel),
  tag: orNone(text('类型', 'Type', { max: 32 })),
  content: account('内容', 'Content', { max: 2_000 }),
  appVersion: orNone(text('程序版本', 'App version', { max: 32 })),
  parkCode: orNone(text('车场', 'Car park', { max: 16 })),
})
export const pdaSearch = searchOf(
  PdaLine,
  { receivedAt: 'between', deviceNo: 'equals', tollNo: 'equals', level: 'among', tag: 'equals' },
  { sort: ['receivedAt'] },
)

export const LogKind = dictionary('log_kind', ['日志类型', 'Log type'], {
  operation: [1, '操作日志', 'Operation log'],
  signIn: [2, '登录日志', 'Sign-in log'],
  handheld: [3, '手持机日志', 'Handheld log'],
  change: [4, '变更日志', 'Change log'],
})
/** How far a log is sealed, and what the last look at its chain found. `brokenDay` is the first day whose lines are not what was sealed. */
export const LogChain = entity({
  log: among('日志', 'Log', LogKind),
  days: whole('已封存天数', 'Days sealed'),
  lines: whole('已封存行数', 'Lines sealed'),
  sealedTo: orNone(day('封存至', 'Sealed to')),
  /** The last link: noted elsewhere, it proves later that nothing before it was changed. */
  head: orNone(text('链尾校验码', 'Chain head hash', { max: 64 })),
  checkedAt: orNone(instant('校验时间', 'Checked at')),
  brokenDay: orNone(day('不符日期', 'Broken on')),
})

const seesLogins = { service: 'business', needs: 'system:login-log:view' } as const
const seesOperations = { service: 'business', needs: 'system:operation-log:view' } as const
const seesHandhelds = { service: 'business', needs: 'system:pda-log:view' } as const
const loginPage = call('system.log.login-page', {
  ...seesLogins,
  post: '/system/selectSystemLoginLogPage',
  body: paged(loginSearch),
  reply: pageOf(LoginLine),
})
const operationPage = call('system.log.operation-page', {
  ...seesOperations,
  post: '/system/selectSystemOperationLogPage',
  body: paged(operationSearch),
  reply: pageOf(Operation),
})
const pdaQuery = call('system.log.pda-query', { ...seesHandhelds, post: '/pda/log/query', body: paged(pdaSearch), reply: pageOf(PdaLine) })
const changePage = call('system.log.change-page', {
  ...seesOperations,
  post: '/system/selectSystemChangeLogPage',
  own: true,
  body: paged(changeSearch),
  reply: pageOf(Change),
})
export const log = {
  loginPage,
  operationPage,
  operation: call('system.log.operation', {
    ...seesOperations,
    get: '/system/operationLog',
    own: true,
    query: pick(Operation, 'id'),
    reply: OperationWhole,
  }),
  pdaQuery,
  changePage,
  change: call('system.log.change', { ...seesOperations, get: '/system/changeLog', own: true, query: pick(Change, 'id'), reply: Change }),
  operationExport: exportOf('system.log.operation-export', {
    ...seesOperations,
    get: '/system/exportOperationLog',
    own: true,
    title: ['操作日志', 'Operation log'],
    query: operationPage,
    columns: ['at', 'authorName', 'ip', 'page', 'call', 'target', 'outcome', 'status', { name: 'said', nameEn: 'saidEn' }, 'tookMs', 'requestId'],
  }),
  loginExport: exportOf('system.log.login-export', {
    ...seesLogins,
    get: '/system/exportLoginLog',
    own: true,
    title: ['登录日志', 'Sign-in log'],
    query: loginPage,
    columns: ['at', 'username', 'outcome', 'ip', 'browser', 'userSystem'],
  }),
  pdaExport: exportOf('system.log.pda-export', {
    ...seesHandhelds,
    get: '/pda/log/export',
    own: true,
    title: ['手持机日志', 'Handheld log'],
    query: pdaQuery,
    columns: ['receivedAt', 'deviceTime', 'deviceNo', 'tollNo', 'level', 'tag', 'content', 'appVersion', 'parkCode', parkName],
  }),
  /** Returns the words for tables and columns, by which the change log keeps its entries. */
  nouns: call('system.log.nouns', { ...seesOperations, get: '/system/changeLogNouns', own: true, query: empty, reply: NounsTold }),
  chains: call('system.log.chains', {
    service: 'business',
    get: '/system/logChains',
    needs: 'signed-in',
    own: true,
    query: empty,
    reply: listOf(LogChain),
  }),
  /** Looks at every sealed day now instead of at night; the answer comes with the chains when the job is done. */
  checkChains: call('system.log.check-chains', {
    ...seesOperations,
    post: '/system/checkLogChains',
    own: true,
    writes: true,
    does: ['校验日志', 'Checked the logs'],
    body: empty,
    reply: nothing,
  }),
}
