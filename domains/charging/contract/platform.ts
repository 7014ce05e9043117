import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  exact,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  permille,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Connector } from './connector.ts'
import { Operator } from './operator.ts'
import { Station } from './station.ts'

export const PlatformRole = dictionary('charging_platform_role', ['互联平台角色', 'Role of a partner platform'], {
  demand: [1, '需求方', 'Demand side (drivers)'],
  operator: [2, '运营方', 'Operator side (stations)'],
  both: [3, '双向', 'Both'],
})
export const PlatformStatus = dictionary('charging_platform_status', ['互联平台状态', 'Partner platform status'], {
  inUse: [1, '启用', 'In use', 'success'],
  stopped: [2, '停用', 'Stopped', 'warning'],
})
/** How a partner spells what the standard misspells. */
export const Dialect = dictionary('charging_dialect', ['字段拼写', 'Field spelling'], {
  standard: [1, '国标（Sevice）', 'Standard (Sevice)'],
  service: [2, '更正（Service）', 'Corrected (Service)'],
})
const { stationId } = Station.properties
const STATIONS_MAX = 500

/** Another charging platform whose drivers charge here, or whose stations ours use; and, built in, our own. Its secrets are written and never read again. */
export const PlatformRow = entity(['充电平台', 'Charging platform'], {
  ...rowFields<'ChargingPlatformId'>(),
  name: text('平台名称', 'Platform', { max: 64 }),
  operatorId: Operator.properties.operatorId,
  role: among('角色', 'Role', PlatformRole),
  status: among('状态', 'Status', PlatformStatus),
  builtIn: yes('本平台', 'Our own'),
  baseUrl: orNone(text('对方地址', 'Address', { max: 300, pattern: '^https?://[^\\s?#]+$' })),
  dialect: among('字段拼写', 'Field spelling', Dialect),
  openStations: shaped('开放充电站', 'Open stations', listOf(stationId, { max: STATIONS_MAX })),
  creditLimitFen: fen('授信额度', 'Credit limit', { min: 0 }),
  splitPermille: permille('服务费分成', 'Share of the service fee'),
  oursAt: orNone(instant('我方密钥更换时间', 'Our secrets renewed')),
  theirsAt: orNone(instant('对方密钥录入时间', 'Their secrets entered')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
/** A platform with what is known of its secrets, and what it did not take. */
export const Platform = entity({
  ...PlatformRow.properties,
  hasOurs: yes('我方密钥', 'Our secrets'),
  hasTheirs: yes('对方密钥', 'Their secrets'),
  deadLetters: whole('未送达', 'Undelivered', { min: 0 }),
})
export const platformSearch = searchOf(
  Platform,
  { name: 'contains', operatorId: 'equals', role: 'among', status: 'among' },
  { sort: ['createdAt'], ascending: true },
)
export const PlatformChoice = pick(Platform, 'id', 'name', 'operatorId', 'role', 'status', 'builtIn')

const secretText = (zh: string, en: string, exact?: number) => text(zh, en, { min: exact ?? 8, max: exact ?? 64, pattern: '^[\\x21-\\x7e]+$' })
/** The four secrets of one side, as the standard has them. */
export const Secrets = entity({
  operatorSecret: secretText('运营商密钥', 'Operator secret'),
  dataSecret: secretText('消息密钥', 'Data secret', 16),
  dataSecretIv: secretText('初始化向量', 'Data secret IV', 16),
  sigSecret: secretText('签名密钥', 'Signature secret'),
})

export const Way = dictionary('charging_message_way', ['消息方向', 'Message direction'], { incoming: [1, '收', 'In'], outgoing: [2, '发', 'Out'] })
export const MessageState = dictionary('charging_message_state', ['消息状态', 'Message status'], {
  waiting: [0, '待发送', 'Waiting', 'warning'],
  done: [1, '成功', 'Done', 'success'],
  refused: [2, '被拒绝', 'Refused', 'error'],
  dead: [3, '未送达', 'Undelivered', 'error'],
  /** A dead letter of something that has changed since: another letter tells what is so now, or there is nothing more to tell. */
  superseded: [4, '已失效', 'Superseded', 'default'],
})
const ANSWER_MAX = 2_000
/** One try to hand a letter over, and what came of it. */
const Try = entity({
  at: instant('时间', 'Time'),
  ret: orNone(whole('返回码', 'Return code')),
  answer: orNone(account('应答', 'Answer', { max: ANSWER_MAX })),
})
/** What was said between a partner and us, either way. */
export const PlatformMessage = entity(['互联消息', 'Partner message'], {
  id: id<'PartnerMessageId'>(),
  platformId: id<'ChargingPlatformId'>('平台', 'Platform'),
  way: among('方向', 'Direction', Way),
  interface: text('接口', 'Interface', { max: 64 }),
  connectorId: orNone(Connector.properties.connectorId),
  orderNo: orNone(text('订单号', 'Session number', { max: 40 })),
  state: among('状态', 'Status', MessageState),
  ret: orNone(whole('返回码', 'Return code')),
  said: orNone(account('内容', 'Content', { max: 20_000 })),
  answer: orNone(account('应答', 'Answer', { max: ANSWER_MAX })),
  /** Every time that it was sent, also before a person sent it again. */
  sendings: shaped('发送记录', 'Send log', listOf(Try)),
  tries: whole('次数', 'Tries', { min: 0 }),
  nextAt: orNone(instant('下次发送', 'Next try')),
  doneAt: orNone(instant('完成时间', 'Done at')),
  createdAt: instant('时间', 'Time'),
  version: whole('版本', 'Version'),
})
export const messageSearch = searchOf(
  PlatformMessage,
  { platformId: 'equals', way: 'among', interface: 'equals', state: 'among', connectorId: 'equals', orderNo: 'equals', createdAt: 'between' },
  { sort: ['createdAt'] },
)

const Reached = entity({
  ok: yes('连通', 'Connected'),
  ret: orNone(whole('返回码', 'Return code')),
  answer: text('应答', 'Answer', { min: 0, max: 500 }),
  ms: whole('耗时', 'Time taken', { unit: 'ms' }),
})
const byVersion = { id: Platform.properties.id, version: Platform.properties.version }
const confirmation = { password: exact(text('登录密码', 'Your password', { max: 200 })) }
const WRITTEN = ['role', 'baseUrl', 'dialect', 'openStations', 'creditLimitFen', 'splitPermille', 'remark'] as const
const view = { service: 'charging', needs: 'charging:platform:view' } as const
const edit = { service: 'charging', needs: 'charging:platform:edit', writes: true } as const
const secret = { service: 'charging', needs: 'charging:secret:edit', writes: true, own: true } as const

const getTableList = call('charging.platform.get-table-list', {
  ...view,
  post: '/chargingPlatform/getTableList',
  body: paged(platformSearch),
  reply: pageOf(Platform),
})
export const platform = {
  add: call('charging.platform.add', {
    ...edit,
    post: '/chargingPlatform/add',
    does: ['新增充电平台', 'Added a charging platform'],
    body: pickSome(Platform, ['name', 'operatorId', 'role'], WRITTEN),
    reply: Platform,
  }),
  getList: call('charging.platform.get-list', {
    forPrograms: true,
    service: 'charging',
    needs: 'signed-in',
    post: '/chargingPlatform/getList',
    body: message({}, { role: Platform.properties.role, status: Platform.properties.status }),
    reply: listOf(PlatformChoice),
  }),
  getTableList,
  export: exportOf('charging.platform.export', {
    service: 'charging',
    needs: 'charging:platform:view',
    own: true,
    post: '/chargingPlatform/export',
    title: ['充电平台', 'Partner platforms'],
    query: getTableList,
    columns: ['name', 'operatorId', 'role', 'status', 'hasOurs', 'hasTheirs', 'deadLetters', 'baseUrl', 'creditLimitFen', 'splitPermille'],
  }),
  /** Stopped, its tokens are void at once; charges that run go on and are told of to the end. At another address its secrets are entered again. */
  update: call('charging.platform.update', {
    ...edit,
    post: '/chargingPlatform/update',
    does: ['修改充电平台', 'Changed a charging platform'],
    body: pickSome(Platform, ['id', 'version'], ['name', 'operatorId', 'status', ...WRITTEN]),
    reply: Platform,
  }),
  delete: call('charging.platform.delete', {
    ...edit,
    post: '/chargingPlatform/delete',
    does: ['删除充电平台', 'Deleted a charging platform'],
    query: message(byVersion),
    reply: nothing,
  }),
  /** Makes the four secrets that the partner calls us with. The answer is the only time that they are shown. */
  rotateSecret: call('charging.platform.rotate-secret', {
    ...secret,
    post: '/chargingPlatform/rotateSecret',
    does: ['更换互联密钥', 'Renewed our secrets for a partner'],
    body: message(byVersion, confirmation),
    reply: Secrets,
  }),
  /** Keeps the four secrets that the partner gave us to call it with. */
  saveSecret: call('charging.platform.save-secret', {
    ...secret,
    post: '/chargingPlatform/saveSecret',
    does: ['录入对方密钥', 'Entered the secrets of a partner'],
    body: message({ ...byVersion, ...Secrets.properties }, confirmation),
    reply: Platform,
  }),
  /** Asks the partner for a token, now. */
  test: call('charging.platform.test', {
    ...edit,
    own: true,
    post: '/chargingPlatform/test',
    does: ['测试互联', 'Tested a partner connection'],
    body: pick(Platform, 'id'),
    reply: Reached,
  }),
  messages: call('charging.platform.messages', {
    ...view,
    own: true,
    post: '/chargingPlatform/messages',
    body: paged(messageSearch),
    reply: pageOf(PlatformMessage),
  }),
  deadLetters: call('charging.platform.dead-letters', {
    ...view,
    own: true,
    post: '/chargingPlatform/deadLetters',
    body: message({}, { platformId: Platform.properties.id, ...PAGE }),
    reply: pageOf(PlatformMessage),
  }),
  /** Sends dead letters once more, in their order; of a state they tell the one of now, once. */
  replay: call('charging.platform.replay', {
    ...edit,
    own: true,
    post: '/chargingPlatform/replay',
    does: ['重发未送达的消息', 'Resent undelivered messages'],
    body: message({ ids: listOf(PlatformMessage.properties.id, { max: 200 }) }),
    reply: message({ count: whole('条数', 'Messages', { min: 0 }), superseded: whole('失效', 'Superseded', { min: 0 }) }),
  }),
}
