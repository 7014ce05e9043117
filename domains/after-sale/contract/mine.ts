import { call } from '../../../platform/contract/call.ts'
import { account, among, dictionary, entity, listOf, message, orNone, pick, shaped, text, yes } from '../../../platform/contract/field.ts'
import { Order } from '../../settlement/contract/order.ts'
import { WorkOrder } from './workOrder.ts'

export const ObjectionReason = dictionary('objection_reason', ['异议原因', 'Reason for the objection'], {
  amount: [1, '金额不对', 'Wrong amount'],
  times: [2, '入离场时间不对', 'Wrong entry or exit time'],
  car: [3, '不是我的车', 'Not my car'],
  twice: [4, '重复收费', 'Charged twice'],
  benefit: [5, '优惠或月卡未生效', 'Discount or pass not applied'],
  other: [6, '其他', 'Other'],
})
/** A work order about a bill, as the driver who objected to the bill sees it. */
export const MyObjection = entity({
  objectionNo: text('异议单号', 'Objection number', { max: 40 }),
  ...pick(WorkOrder, 'content', 'state', 'createdAt', 'solvedAt', 'finding', 'remedyFen').properties,
  /** The answer of the staff: the decision, what is still missing, or why it was cancelled. */
  answer: orNone(account('处理意见', 'Answer', { max: 1000 })),
})
/** The objections to a bill, the latest first. */
export const MyObjections = entity({
  mayObject: yes('可提出异议', 'Can be objected to'),
  objections: shaped('异议', 'Objections', listOf(MyObjection)),
})

const look = { service: 'basic', needs: 'driver', own: true } as const
const orderNo = Order.properties.orderNo
/** Of the bills that are the driver's: whatever other is named, there is no such thing. */
export const mine = {
  objections: call('after-sale.mine.objections', { ...look, post: '/workOrder/mine/objections', body: message({ orderNo }), reply: MyObjections }),
  /** Against a bill that is paid: it becomes a fee dispute among the work orders. */
  object: call('after-sale.mine.object', {
    ...look,
    writes: true,
    post: '/workOrder/mine/object',
    does: ['车主对账单提出异议', 'A driver objected to a bill'],
    body: message({
      orderNo,
      reason: among('异议原因', 'Reason for the objection', ObjectionReason),
      content: account('说明', 'Explanation', { max: 500 }),
    }),
    reply: MyObjections,
  }),
}
