import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed } from '../../../platform/contract/figure.ts'
import { ChannelType } from './channel.ts'
import { ReadState, record, SendState } from './record.ts'
import { Summary } from './statistics.ts'

type Text = readonly [zh: string, en: string]

const RECORDS = '/operation/message/record'
const sent = (counts: Text, more: Record<string, string> = {}): Listed => ({
  ...{ counts, time: ['按消息产生的时间', 'by when the message was made'] },
  opens: {
    ...{ path: RECORDS, call: record.queryPage },
    filter: ({ from, to }) => ({ view: 'all', createdAtFrom: `${from} 00:00:00`, createdAtTo: `${to} 23:59:59`, ...more }),
  },
})
const lost = [SendState.failed, SendState.overCap].join(',')
/** Messages by their outcome. */
export const MESSAGES = figures(
  undefined,
  {
    ...Summary.properties,
    total: whole('消息', 'Messages'),
    failed: whole('发送失败', 'Failed to send'),
    waiting: whole('待发', 'Waiting to be sent'),
    lost: whole('失败或超限', 'Failed or over the limit'),
  },
  {
    total: sent(['产生的消息，不论是否送达', 'messages that were made, delivered or not']),
    succeeded: sent(['已送达的消息', 'messages that were delivered'], { sendState: String(SendState.sent) }),
    failed: sent(['重试后仍没有送达的消息；超出发送上限的另计', 'messages not delivered after all retries; those over the limit are counted apart'], {
      sendState: String(SendState.failed),
    }),
    waiting: sent(['还没有发出的消息，含静默时段和重试中的', 'messages that are not sent yet, quiet hours and retries included'], {
      sendState: '0,1',
    }),
    limited: sent(['超出发送上限、没有发出的消息', 'messages that were not sent because the limit was reached'], {
      sendState: String(SendState.overCap),
    }),
    lost: sent(['没有送达的消息：发送失败的和超出发送上限的', 'messages that were not delivered: failed ones and those over the limit'], {
      sendState: lost,
    }),
    sentRate: sent(
      [
        '已送达 ÷（已送达 + 发送失败 + 超出发送上限）；还没有发出的、退订和撤回的不计，没有时为 --',
        'delivered ÷ (delivered + failed + over the limit); those not sent yet, unsubscribed and withdrawn ones are not counted; -- where there are none',
      ],
      { sendState: String(SendState.sent) },
    ),
    readRate: sent(
      [
        '站内消息中已读的占比；没有时为 --。点开是未读的',
        'the share of in-app messages that were read; -- where there are none. The list has the unread ones',
      ],
      {
        channelType: String(ChannelType.inner),
        readState: String(ReadState.unread),
      },
    ),
  },
)
