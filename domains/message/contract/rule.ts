import { call } from '../../../platform/contract/call.ts'
import { empty, entity, listOf, message, nothing, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

const HOUR = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** How an enterprise wants its people disturbed. */
export const SendRule = entity(['发送规则', 'Sending rule'], {
  quiet: yes('静默时段', 'Quiet hours'),
  quietFrom: text('静默开始', 'Quiet from', { max: 5, pattern: HOUR }),
  quietTo: text('静默结束', 'Quiet until', { max: 5, pattern: HOUR }),
  recipientDayCap: whole('每人每日上限', 'Daily cap per recipient', { min: 1, max: 10_000 }),
  enterpriseDayCap: whole('全企业每日上限', 'Daily cap per enterprise', { min: 1, max: 10_000_000 }),
  version: whole('版本', 'Version'),
})
const { version, ...written } = SendRule.properties
/** Kinds that a person does not want. */
const kinds = shaped('退订的类型', 'Unsubscribed types', listOf(whole('消息类型', 'Type', { min: 1, max: 4 }), { max: 4 }))

const signedIn = { service: 'message', needs: 'signed-in', own: true } as const
export const rule = {
  get: call('message.rule.get', {
    service: 'message',
    get: '/messageRule/get',
    needs: 'message:channel:view',
    query: empty,
    reply: SendRule,
    own: true,
  }),
  update: call('message.rule.update', {
    service: 'message',
    post: '/messageRule/update',
    needs: 'message:channel:edit',
    writes: true,
    does: ['修改消息规则', 'Changed a message rule'],
    body: message({ version }, written),
    reply: SendRule,
    own: true,
  }),
  /** Returns the types of messages that the signed-in person has unsubscribed from. */
  unwanted: call('message.subscription.get', { ...signedIn, get: '/messageSubscription/get', query: empty, reply: message({ kinds }) }),
  refuse: call('message.subscription.update', {
    ...signedIn,
    post: '/messageSubscription/update',
    writes: true,
    does: ['修改消息订阅', 'Changed message subscriptions'],
    body: message({ kinds }),
    reply: nothing,
  }),
}
