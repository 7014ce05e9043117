import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('message', {
  customer: ['客户', 'Customer'],
  inner: ['站内消息', 'Inbox messages'],
  channelCap: ['渠道今日已达上限 {cap}', 'Channel daily cap reached: {cap}'],
  enterpriseCap: ['企业今日已达上限 {cap}', 'Enterprise daily cap reached: {cap}'],
  recipientCap: ['该接收人今日已达上限 {cap}', 'Recipient daily cap reached: {cap}'],
  interrupted: ['进程中断', 'Interrupted'],
  noProvider: ['没有发送方式', 'No provider'],
  noAddress: ['没有可用的接收地址', 'No address for this channel'],
  nobody: ['没有收件人', 'No recipients'],
  disabled: ['模板或渠道已停用', 'The template or the channel is disabled'],
})
