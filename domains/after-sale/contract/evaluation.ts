import { call } from '../../../platform/contract/call.ts'
import { account, among, entity, instant, message, orNone, text, whole, yes } from '../../../platform/contract/field.ts'
import { OrderType } from './workOrder.ts'

/** A customer's word on an order, once. */
export const Evaluation = entity(['服务评价', 'Evaluation'], {
  score: whole('评分', 'Score', { min: 1, max: 5 }),
  content: orNone(account('评价', 'Comment', { max: 500 })),
  at: instant('评价时间', 'Rated at'),
})
/** The order shown behind a rating link: this order alone, and nothing that names anybody. */
export const Rated = entity({
  orderNo: text('工单号', 'Work order number', { max: 40 }),
  type: among('类型', 'Type', OrderType),
  closedAt: orNone(instant('关闭时间', 'Closed at')),
  /** Whether it can be rated now. */
  open: yes('可评价', 'Can be rated'),
  score: orNone(Evaluation.properties.score),
})
/** The company, and what nobody can guess. */
const code = text('评价链接', 'Link', { max: 200 })
/** A link is good for so long after the order was closed. */
export const LINK_DAYS = 30
const open = { service: 'basic', needs: 'public', own: true, heavy: true } as const
/** Behind the link that a customer is sent when an order is closed. */
export const evaluation = {
  show: call('after-sale.evaluation.show', { ...open, get: '/workOrder/evaluation', query: message({ code }), reply: Rated }),
  rate: call('after-sale.evaluation.rate', {
    ...open,
    post: '/workOrder/evaluate',
    writes: true,
    does: ['评价工单', 'Rated a work order'],
    body: message({ code, score: Evaluation.properties.score }, { content: account('评价', 'Comment', { max: 500 }) }),
    reply: Rated,
  }),
}
