import { call } from '../../../platform/contract/call.ts'
import { among, day, entity, id, instant, listOf, message, permille, orNone, text, whole } from '../../../platform/contract/field.ts'
import { ChannelType } from './channel.ts'
import { MessageKind } from './template.ts'

const Counts = {
  total: whole('消息数', 'Messages', { min: 0 }),
  succeeded: whole('成功', 'Sent', { min: 0 }),
  failed: whole('失败', 'Failed', { min: 0 }),
}
/** Of the days asked for, and the same number of days before them. Shares are none where nothing was sent. */
export const Summary = entity({
  from: day('自', 'From'),
  to: day('至', 'To'),
  ...Counts,
  waiting: whole('待发', 'Waiting', { min: 0 }),
  limited: whole('超出发送上限', 'Over the limit', { min: 0 }),
  unsubscribed: whole('退订', 'Unsubscribed', { min: 0 }),
  withdrawn: whole('撤回', 'Withdrawn', { min: 0 }),
  sentRate: orNone(permille('送达率', 'Delivery rate')),
  readRate: orNone(permille('站内已读率', 'In-app read rate')),
  before: whole('上一周期', 'Previous period', { min: 0 }),
  failedBefore: whole('上一周期失败', 'Failed in previous period', { min: 0 }),
})
export const ChannelShare = entity({
  channelId: id<'ChannelId'>('渠道', 'Channel'),
  name: text('渠道', 'Channel'),
  channelType: among('渠道类型', 'Channel type', ChannelType),
  ...Counts,
})
export const KindDay = entity({ day: day('日期', 'Day'), kind: among('消息类型', 'Type', MessageKind), total: Counts.total })
export const TimePoint = entity({ at: instant('时间', 'Time'), ...Counts })

/** Days of the city, both included; the last seven when none are named. */
export const Period = message({}, { from: day('自', 'From'), to: day('至', 'To') })
export const PERIOD_DAYS_MAX = 92

const view = { service: 'message', needs: 'message:statistics:view' } as const
export const statistics = {
  summary: call('message.statistics.summary', { ...view, get: '/messageStatics/summary', query: Period, reply: Summary }),
  channelPieChart: call('message.statistics.channel-pie-chart', {
    ...view,
    get: '/messageStatics/channelPieChart',
    query: Period,
    reply: listOf(ChannelShare),
  }),
  messageTypeCurve: call('message.statistics.message-type-curve', {
    ...view,
    get: '/messageStatics/messageTypeCurve',
    query: Period,
    reply: listOf(KindDay),
  }),
  /** By the hour within two days, by the day otherwise; hours and days without a message are zero. */
  timeCurve: call('message.statistics.time-curve', { ...view, get: '/messageStatics/timeCurve', query: Period, reply: listOf(TimePoint) }),
}
