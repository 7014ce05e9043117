import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  shaped,
  text,
  whole,
  yes,
  orSaid,
} from '../../../platform/contract/field.ts'
import { Channel, ChannelType } from './channel.ts'
import { MessageKind, Template, Values } from './template.ts'

export const ReadState = dictionary('read_state', ['阅读状态', 'Read status'], {
  unread: [0, '未读', 'Unread', 'warning'],
  read: [1, '已读', 'Read', 'success'],
})
export const SendState = dictionary('message_send_state', ['发送状态', 'Send status'], {
  waiting: [0, '待发', 'Waiting', 'warning'],
  sending: [1, '发送中', 'Sending', 'warning'],
  sent: [2, '成功', 'Sent', 'success'],
  failed: [3, '失败', 'Failed', 'error'],
  withdrawn: [4, '已撤回', 'Withdrawn', 'default'],
  overCap: [5, '超出发送上限', 'Over the limit', 'error'],
  unsubscribed: [6, '退订', 'Unsubscribed', 'default'],
})
export type SendStateCode = keyof typeof SendState.entries
export const recordCan = moves(SendState, {
  take: { 0: 1, 1: 1 },
  succeed: { 1: 2 },
  fail: { 0: 3, 1: 3 },
  again: { 1: 0 },
  withdraw: { 0: 4 },
  limit: { 0: 5 },
  resend: { 3: 0 },
})
/** The reason why a message has not left yet. */
export const WaitsFor = dictionary('message_waits_for', ['等待原因', 'Waiting for'], {
  time: [1, '计划时间', 'Scheduled time'],
  quietHours: [2, '静默时段结束', 'End of quiet hours'],
  retry: [3, '重试', 'Retry'],
  rate: [4, '渠道限速', 'Channel rate limit'],
})

/** One message to one recipient. `toShown` is where it goes, with the middle left out. */
export const MessageRecord = entity({
  id: id<'MessageId'>(),
  custId: orNone(id<'PersonId'>('接收人', 'To')),
  toName: orSaid(text('接收人', 'Recipient', { min: 0 })),
  toShown: text('接收地址', 'Address', { min: 0 }),
  kind: among('消息类型', 'Type', MessageKind),
  urgent: yes('紧急', 'Urgent'),
  channelId: id<'ChannelId'>('渠道', 'Channel'),
  channelType: among('渠道类型', 'Channel type', ChannelType),
  taskId: orNone(id<'TaskId'>('任务', 'Task')),
  templateCode: orNone(text('模板编码', 'Template code')),
  title: account('标题', 'Title', { min: 0, max: 500 }),
  titleEn: account('英文标题', 'English title', { min: 0, max: 500 }),
  content: account('内容', 'Text', { min: 0, max: 5000 }),
  contentEn: account('英文内容', 'English text', { min: 0, max: 5000 }),
  link: orNone(text('链接', 'Link', { max: 300, pattern: '^/' })),
  sendState: among('发送状态', 'Send status', SendState),
  readState: among('阅读状态', 'Read status', ReadState),
  readAt: orNone(instant('阅读时间', 'Read at')),
  retries: whole('重试次数', 'Retries', { min: 0 }),
  backup: yes('经备用渠道', 'Via backup channel'),
  waits: orNone(among('等待', 'Waiting for', WaitsFor)),
  error: orNone(text('失败原因', 'Failure reason', { max: 300 })),
  nextAt: orNone(instant('下次发送', 'Next send')),
  sentAt: orNone(instant('送达时间', 'Sent at')),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created'),
})
export const mineSearch = searchOf(
  MessageRecord,
  { readState: 'equals', urgent: 'equals', kind: 'among', title: 'contains', createdAt: 'between' },
  { sort: ['createdAt'] },
)
export const recordSearch = searchOf(
  MessageRecord,
  {
    sendState: 'among',
    channelType: 'among',
    channelId: 'equals',
    kind: 'among',
    taskId: 'equals',
    toName: 'contains',
    title: 'contains',
    templateCode: 'equals',
    readState: 'equals',
    createdAt: 'between',
  },
  { sort: ['createdAt'] },
)
export const platSearch = searchOf(
  MessageRecord,
  { readState: 'equals', kind: 'among', title: 'contains', toName: 'contains', createdAt: 'between' },
  { sort: ['createdAt'] },
)

export const AttemptOutcome = dictionary('message_attempt_outcome', ['发送结果', 'Attempt result'], {
  running: [0, '进行中', 'In progress', 'warning'],
  accepted: [1, '成功', 'Accepted', 'success'],
  failed: [2, '失败', 'Failed', 'error'],
  throttled: [3, '被渠道限速', 'Throttled', 'warning'],
  refused: [4, '被拒绝', 'Refused', 'error'],
  unknown: [5, '结果不明', 'Unknown', 'warning'],
})
export const Attempt = entity({
  id: id<'AttemptId'>(),
  channelName: text('渠道', 'Channel'),
  backup: yes('备用', 'Backup'),
  outcome: among('结果', 'Outcome', AttemptOutcome),
  answer: orNone(text('渠道应答', 'Provider response', { max: 500 })),
  providerNo: orNone(text('渠道流水号', 'Provider message ID')),
  ms: orNone(whole('耗时', 'Duration', { unit: 'ms' })),
  key: text('幂等键', 'Idempotency key'),
  at: instant('时间', 'Time'),
  endedAt: orNone(instant('结束', 'Ended')),
})
/** A message's whole story. */
export const RecordDetail = entity({
  ...MessageRecord.properties,
  channelName: Channel.properties.name,
  taskName: orNone(text('任务', 'Task')),
  attempts: shaped('发送经过', 'Attempts', listOf(Attempt)),
})

export const RECEIVERS_MAX = 500
const { custId: _, ...free } = pick(MessageRecord, 'custId', 'title', 'content', 'kind', 'urgent', 'link', 'channelId').properties
const address = text('接收地址', 'Address', { max: 200, pattern: '^[^\\s]+$' })

const signedIn = { service: 'message', needs: 'signed-in' } as const
const view = { service: 'message', needs: 'message:record:view' } as const
const send = { service: 'message', needs: 'message:record:send', writes: true } as const
export const record = {
  /** Returns the signed-in person's own messages, whatever `custId` says. */
  queryMessageRecord: call('message.record.query-message-record', {
    ...signedIn,
    post: '/messageRecord/queryMessageRecord',
    body: paged(mineSearch, { custId: text('用户编号', 'Person') }),
    reply: pageOf(MessageRecord),
  }),
  /** Returns the messages inside the console, of everybody. */
  queryPlatMessageRecord: call('message.user-message.query-plat-message-record', {
    ...view,
    post: '/userMessage/queryPlatMessageRecord',
    body: paged(platSearch),
    reply: pageOf(MessageRecord),
  }),
  /** All that was sent, through every channel. */
  queryPage: call('message.record.query-page', {
    ...view,
    post: '/messageRecord/queryPage',
    body: paged(recordSearch),
    reply: pageOf(MessageRecord),
  }),
  /** Sends to people and to addresses: a template with its values, or a text of one's own inside the console. */
  insert: call('message.record.insert', {
    ...send,
    post: '/messageRecord/insert',
    does: ['发送消息', 'Sent a message'],
    body: message(
      {},
      {
        ...free,
        custIds: shaped('接收人', 'To', listOf(id<'PersonId'>('人员', 'Person'), { max: RECEIVERS_MAX })),
        addresses: shaped('接收地址', 'Addresses', listOf(address, { max: RECEIVERS_MAX })),
        templateId: Template.properties.id,
        vars: Values,
      },
    ),
    reply: message({ sent: whole('已提交', 'Submitted'), refused: whole('未提交', 'Not submitted') }),
  }),
  /** Takes back what has not left, or what is still unread inside the console: `sendState` 4. */
  update: call('message.record.update', {
    ...send,
    put: '/messageRecord/update',
    does: ['修改消息', 'Changed a message'],
    query: message({ id: MessageRecord.properties.id, version: MessageRecord.properties.version }, { sendState: MessageRecord.properties.sendState }),
    reply: MessageRecord,
  }),
  /** One's own message is gone from one's own list; with the right to delete, a record that is over is gone from the records. */
  delete: call('message.record.delete', {
    ...signedIn,
    delete: '/messageRecord/delete/{id}',
    writes: true,
    does: ['删除消息', 'Deleted a message'],
    query: message({ id: MessageRecord.properties.id }),
    reply: nothing,
  }),
  /** Deletes finished records, many at once; messages that have not left yet stay. */
  deleteMany: call('message.record.delete-many', {
    service: 'message',
    post: '/messageRecord/deleteMany',
    needs: 'message:record:delete',
    writes: true,
    does: ['批量删除消息', 'Deleted messages'],
    body: message({ ids: shaped('记录', 'Records', listOf(MessageRecord.properties.id, { max: RECEIVERS_MAX })) }),
    reply: message({ deleted: whole('已删除', 'Deleted') }),
    own: true,
  }),
  /** All own messages of the console, however many pages they fill. */
  tagAll: call('message.record.tag-all', {
    ...signedIn,
    post: '/messageRecord/tagAllMsg',
    writes: true,
    does: ['全部消息标为已读', 'Marked all messages as read'],
    body: message({}),
    reply: message({ read: whole('已读', 'Read', { min: 0 }) }),
    own: true,
  }),
  /** Marks one own message read; another person's is not found. */
  tag: call('message.record.tag', {
    ...signedIn,
    get: '/messageRecord/tagMsgById',
    writes: true,
    does: ['标记消息已读', 'Marked a message as read'],
    query: message({ id: MessageRecord.properties.id }),
    reply: nothing,
  }),
  /** Again, if and only if it failed. */
  resend: call('message.record.resend', {
    service: 'message',
    get: '/messageRecord/resend',
    needs: 'message:record:resend',
    writes: true,
    does: ['重新发送消息', 'Resent a message'],
    query: message({ id: MessageRecord.properties.id }),
    reply: MessageRecord,
  }),
  detail: call('message.record.detail', {
    ...view,
    get: '/messageRecord/detail',
    query: message({ id: MessageRecord.properties.id }),
    reply: RecordDetail,
    own: true,
  }),
  mine: call('message.record.mine', {
    ...signedIn,
    get: '/messageRecord/mine',
    query: message({ id: MessageRecord.properties.id }),
    reply: MessageRecord,
    own: true,
  }),
}
