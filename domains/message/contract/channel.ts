import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  exact,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  text,
  whole,
  yes,
  orSaid,
} from '../../../platform/contract/field.ts'

export const ChannelType = dictionary('message_channel_type', ['消息渠道类型', 'Channel type'], {
  inner: [1, '站内', 'In-app'],
  sms: [2, '短信', 'SMS'],
  wechat: [3, '微信公众号', 'WeChat official account'],
  miniProgram: [4, '小程序订阅', 'Mini program'],
  email: [5, '邮件', 'E-mail'],
  push: [6, 'APP 推送', 'App push'],
  voice: [7, '语音', 'Voice call'],
  webhook: [8, 'Webhook', 'Webhook'],
})
export type ChannelTypeCode = keyof typeof ChannelType.entries
export const ChannelStatus = dictionary('message_channel_status', ['渠道状态', 'Channel status'], {
  inUse: [1, '启用', 'In use', 'success'],
  disabled: [2, '停用', 'Disabled', 'default'],
})
/** Settings that a channel of each type requires before it can send. */
export const NEEDED: Record<ChannelTypeCode, readonly ('url' | 'host' | 'port' | 'sender' | 'account' | 'secret')[]> = {
  1: [],
  2: ['url', 'account', 'secret'],
  3: ['url', 'account', 'secret'],
  4: ['url', 'account', 'secret'],
  5: ['host', 'port', 'sender'],
  6: ['url', 'account', 'secret'],
  7: ['url', 'account', 'secret'],
  8: ['url', 'secret'],
}

/** A way by which messages leave. Its secret is written and never read again: `hasSecret` says whether there is one. */
export const Channel = entity(['消息渠道', 'Channel'], {
  id: id<'ChannelId'>(),
  name: orSaid(text('渠道名称', 'Channel', { max: 64 })),
  type: among('类型', 'Type', ChannelType),
  url: orNone(text('接口地址', 'Address', { max: 500, pattern: '^https?://[^\\s]+$' })),
  host: orNone(text('SMTP 服务器', 'SMTP server', { max: 200, pattern: '^[^\\s/]+$' })),
  port: orNone(whole('端口', 'Port', { min: 1, max: 65_535 })),
  tls: yes('加密连接', 'TLS connection'),
  // The account is sent in a header.
  account: orNone(text('账号', 'Account', { max: 200, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' })),
  sender: orNone(text('发件人或签名', 'Sender', { max: 200, pattern: '^[^\\r\\n]*$' })),
  hasSecret: yes('已设密钥', 'Secret set'),
  ratePerSec: whole('每秒上限', 'Limit per second', { min: 1, max: 1_000 }),
  dayCap: whole('每日上限', 'Limit per day', { min: 1, max: 10_000_000 }),
  status: among('状态', 'Status', ChannelStatus),
  backupChannelId: orNone(id<'ChannelId'>('备用渠道', 'Backup channel')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created'),
  updatedAt: instant('更新时间', 'Updated'),
})
export const channelSearch = searchOf(Channel, { name: 'contains', type: 'among', status: 'among' }, { sort: ['createdAt'], ascending: true })
export const ChannelChoice = pick(Channel, 'id', 'name', 'type', 'status')
/** A channel with what it did today. */
export const ChannelDetail = entity({
  ...Channel.properties,
  backupName: orNone(text('备用渠道', 'Backup channel')),
  sentToday: whole('今日已发', 'Sent today'),
  waiting: whole('排队中', 'Waiting'),
  failedToday: whole('今日失败', 'Failed today'),
})

const SECRET = { secret: orNone(exact(text('密钥', 'Secret', { min: 8, max: 200 }))) }
const { name, type, status, version } = Channel.properties
const { url, host, port, tls, account, sender, ratePerSec, dayCap, backupChannelId, remark } = Channel.properties
const WRITTEN = { url, host, port, tls, account, sender, ratePerSec, dayCap, backupChannelId, remark, ...SECRET }

const view = { service: 'message', needs: 'message:channel:view' } as const
const edit = { service: 'message', needs: 'message:channel:edit', writes: true } as const
export const channel = {
  queryPage: call('message.channel.query-page', {
    ...view,
    post: '/messageChannel/queryPage',
    body: paged(channelSearch),
    reply: pageOf(ChannelDetail),
  }),
  insert: call('message.channel.insert', {
    ...edit,
    post: '/messageChannel/insert',
    does: ['新增渠道', 'Added a channel'],
    body: message({ name, type }, WRITTEN),
    reply: Channel,
  }),
  /** Changes a channel; fields left out stay. A secret that is sent replaces the old one, and is required when the channel's address changes. */
  update: call('message.channel.update', {
    ...edit,
    put: '/messageChannel/update',
    does: ['修改渠道', 'Changed a channel'],
    query: message({ id: Channel.properties.id, version }, { name, status, ...WRITTEN }),
    reply: Channel,
  }),
  delete: call('message.channel.delete', {
    ...edit,
    delete: '/messageChannel/delete/{id}',
    does: ['删除渠道', 'Deleted a channel'],
    query: message({ id: Channel.properties.id }),
    reply: nothing,
  }),
  list: call('message.channel.list', {
    forPrograms: true,
    service: 'message',
    post: '/messageChannel/list',
    needs: 'signed-in',
    body: message({}, { type, status }),
    reply: listOf(ChannelChoice),
  }),
  detail: call('message.channel.detail', {
    ...view,
    get: '/messageChannel/detail',
    query: message({ id: Channel.properties.id }),
    reply: ChannelDetail,
    own: true,
  }),
  /** Sends one message at once and says what the provider answered; nothing is retried. */
  test: call('message.channel.test', {
    ...edit,
    post: '/messageChannel/test',
    does: ['渠道试发', 'Tested a channel'],
    body: message({ id: Channel.properties.id }, { address: text('接收地址', 'Recipient address', { max: 200, pattern: '^[^\\s]+$' }) }),
    reply: message({
      ok: yes('成功', 'Accepted'),
      answer: text('应答', 'Response', { min: 0, max: 500 }),
      ms: whole('耗时', 'Duration', { unit: 'ms' }),
    }),
    own: true,
  }),
}
