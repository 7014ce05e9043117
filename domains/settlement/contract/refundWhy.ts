import { call } from '../../../platform/contract/call.ts'
import { account, among, dictionary, entity, fen, instant, listOf, orNone, pick, shaped, text } from '../../../platform/contract/field.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { Order } from './order.ts'
import { Payment } from './payment.ts'
import { Refund } from './refund.ts'

export const RefundStepKind = dictionary('refund_step', ['退款经过', 'Refund step'], {
  asked: [1, '申请', 'Requested'],
  returned: [2, '自动退回', 'Returned automatically'],
  approved: [3, '审核通过', 'Approved', 'success'],
  rejected: [4, '驳回', 'Rejected', 'error'],
  sent: [5, '提交渠道', 'Sent to the channel'],
  done: [6, '已退到账', 'Paid out', 'success'],
  failed: [7, '渠道拒绝', 'Refused by channel', 'error'],
  withdrawn: [8, '申请人撤回', 'Withdrawn by whoever asked'],
})
export const RefundStep = entity({
  kind: among('步骤', 'Step', RefundStepKind),
  at: instant('时间', 'Time'),
  /** Null: the system or the channel. */
  by: orNone(text('操作人', 'By')),
  says: orNone(account('说明', 'Description', { max: 500 })),
})
/** Why so much was refunded, and who decided: the payments by way, their earlier refunds, and each step of this one. */
export const RefundWhy = entity({
  refund: shaped('退款', 'Refund', Refund),
  order: shaped(
    '订单',
    'Order',
    pick(Order, 'id', 'orderNo', 'type', 'subject', 'plateNo', 'plateColor', 'parkCode', 'stayId', 'payableFen', 'paidFen', 'refundFen', 'status'),
  ),
  payment: shaped('支付', 'Payment', Payment),
  /** Of the same payment: other refunds that took, or hold, a part of it. */
  others: shaped('同一支付的其他退款', 'Other refunds of this payment', listOf(Refund)),
  othersFen: fen('其他已退与退款中', 'Otherwise refunded or pending', { min: 0 }),
  /** The highest amount that this refund may have. */
  mostFen: fen('可退上限', 'Maximum refund', { min: 0 }),
  steps: shaped('经过', 'Steps', listOf(RefundStep)),
  entries: shaped('记账', 'Ledger entries', listOf(NamedLine)),
})
export const refundWhy = {
  show: call('settlement.refund-why.show', {
    service: 'business',
    get: '/orderRefund/why',
    heavy: true,
    needs: 'settlement:refund:view',
    own: true,
    query: pick(Refund, 'id'),
    reply: RefundWhy,
  }),
}
