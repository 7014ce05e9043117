import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW } from '../../../platform/contract/figure.ts'
import { suggestion, SuggestionSummary } from './suggestion.ts'
import { OPEN_STATES, OrderSummary, RespondState, SlaState, workOrder } from './workOrder.ts'

type Text = readonly [zh: string, en: string]

const ORDERS = '/operation/afterSale/order/all'
const CAME: Text = ['按工单创建时间', 'by when the order was created']
const made = (counts: Text, more: Record<string, string> = {}): Listed => ({
  ...{ counts, time: CAME },
  opens: {
    ...{ path: ORDERS, call: workOrder.query },
    filter: ({ from, to, parkCode }) => ({ createdAtFrom: `${from} 00:00:00`, createdAtTo: `${to} 23:59:59`, parkCode, ...more }),
  },
})
const open = (counts: Text, more: Record<string, string> = {}): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: ORDERS, call: workOrder.query, filter: ({ parkCode }) => ({ state: OPEN_STATES.join(','), parkCode, ...more }) },
})
/** Work orders, and how they were seen to. */
export const WORK_ORDERS = figures(
  undefined,
  {
    ...OrderSummary.properties,
    total: whole('新建工单', 'New work orders'),
    pending: whole('待处理工单', 'Open work orders'),
    overdue: whole('超时工单', 'Overdue work orders'),
  },
  {
    total: made(['创建的工单，不论现在是什么状态', 'orders that were created, whatever their status is now']),
    createdToday: made(['今天创建的工单，不论现在是什么状态', 'orders that were created today, whatever their status is now']),
    pending: open([
      '还没有解决的工单，不论哪天创建；已解决待客户确认的不计',
      'orders not solved yet, whenever they were created; those solved and to be confirmed are not counted',
    ]),
    overdue: open(['还没有解决、已过解决时限的工单', 'orders not solved yet whose deadline is over'], { slaState: String(SlaState.over) }),
    respondRate: made(
      [
        '按时响应的 ÷ 已响应或已过响应时限的；还在时限内等响应的不计，没有时为 --。点开是超时响应的',
        'responded in time ÷ responded or past the limit; those still within it are not counted; -- where there are none. The list has the late ones',
      ],
      { respondState: String(RespondState.late) },
    ),
    csat: made(['评价中 4、5 分的占比；没有评价时为 --', 'the share of 4s and 5s among ratings; -- without ratings']),
    reopenRate: made(['重开过的 ÷ 关闭过的；没有时为 --', 'reopened ÷ closed at least once; -- where there are none'], { reopensFrom: '1' }),
  },
)
/** Feedback of customers. */
export const FEEDBACK = figures(
  undefined,
  { total: { ...SuggestionSummary.properties.total, 'x-zh': '收到的反馈', 'x-en': 'Feedback received' } },
  {
    total: {
      ...{
        counts: ['收到的建议和投诉，不论现在是什么状态', 'suggestions and complaints that came in, whatever their status is now'],
        time: ['按反馈时间', 'by when it came in'],
      },
      opens: {
        ...{ path: '/operation/afterSale/feedback', call: suggestion.query },
        filter: ({ from, to, parkCode }) => ({ createdAtFrom: `${from} 00:00:00`, createdAtTo: `${to} 23:59:59`, parkCode }),
      },
    },
  },
)
