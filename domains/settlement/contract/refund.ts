import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, moves, orNone, pick, plate, text, whole } from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { PayMethod } from './payment.ts'

export const RefundState = dictionary('refund_state', ['退款状态', 'Refund status'], {
  waiting: [0, '待审核', 'Pending approval', 'warning'],
  approved: [1, '通过待退', 'Approved', 'warning'],
  sending: [2, '退款中', 'Refunding', 'warning'],
  done: [3, '成功', 'Done', 'success'],
  failed: [4, '失败', 'Failed', 'error'],
  rejected: [5, '驳回', 'Rejected', 'default'],
  withdrawn: [6, '撤回', 'Withdrawn', 'default'],
})
export const RefundKind = dictionary('refund_kind', ['退款类型', 'Refund type'], {
  asked: [1, '申请退款', 'Requested'],
  automatic: [2, '自动退回', 'Returned automatically'],
  wrongAmount: [3, '异常款退回', 'Wrong amount returned'],
})
export const refundCan = moves(RefundState, {
  approve: { 0: 1 },
  reject: { 0: 5 },
  withdraw: { 0: 6 },
  send: { 1: 2, 2: 2, 4: 2 },
  /** Out of 4 too: a channel that said no and then yes has paid, and the truth about the money counts. */
  succeed: { 1: 3, 2: 3, 4: 3 },
  fail: { 1: 4, 2: 4 },
  payOut: { 1: 3 },
})
/** From this amount on two people approve. */
export const TWO_APPROVERS_FEN = 50_000

/** Money on its way back to the payer. The amount is set aside from the moment it is asked for. */
export const Refund = entity(['退款', 'Refund'], {
  id: id<'RefundId'>(),
  refundNo: text('退款单号', 'Refund number', { max: 40 }),
  orderId: id<'OrderId'>('订单', 'Order'),
  paymentId: id<'PaymentId'>('支付', 'Payment'),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  kind: among('类型', 'Type', RefundKind),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  reason: text('原因', 'Reason', { max: 200 }),
  state: among('状态', 'Status', RefundState),
  applicantId: orNone(id<'PersonId'>('申请人编号', 'Applicant id')),
  applicantName: text('申请人', 'Requested by'),
  approvals: whole('已审核人数', 'Approvals'),
  approvalsNeeded: whole('需审核人数', 'Approvals needed'),
  firstApproverId: orNone(id<'PersonId'>('一审编号', 'First approver id')),
  firstApproverName: orNone(text('一审', 'First approver')),
  secondApproverName: orNone(text('二审', 'Second approver')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  channelRefundNo: orNone(text('渠道退款号', 'Channel refund number', { max: 64 })),
  failure: orNone(text('失败原因', 'Failure reason', { max: 200 })),
  appliedAt: instant('申请时间', 'Requested at'),
  decidedAt: orNone(instant('审核时间', 'Decided at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  version: whole('版本', 'Version'),
})
/** With whose order it is, and the way the money came. */
export const RefundLine = entity(['退款', 'Refund'], {
  ...Refund.properties,
  orderNo: text('订单号', 'Order number', { max: 40 }),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
})
export const refundSearch = searchOf(
  RefundLine,
  {
    state: 'among',
    plateNo: 'plate',
    parkCode: 'equals',
    refundNo: 'equals',
    orderNo: 'equals',
    orderId: 'equals',
    payMethod: 'among',
    appliedAt: 'between',
  },
  { sort: ['appliedAt'] },
)
const verdict = text('审核意见', 'Review comment', { max: 200 })
const one = pick(Refund, 'id', 'version')

const approve = { service: 'business', needs: 'settlement:refund:approve', writes: true, own: true } as const
const list = call('settlement.refund.list', {
  service: 'business',
  get: '/orderRefund/list',
  needs: 'settlement:refund:view',
  own: true,
  query: paged(refundSearch),
  reply: pageOf(RefundLine),
})
export const refund = {
  list,
  export: exportOf('settlement.refund.export', {
    service: 'business',
    get: '/orderRefund/export',
    needs: list.needs,
    own: true,
    title: ['退款', 'Refunds'],
    query: list,
    columns: [
      'refundNo',
      'orderNo',
      'plateNo',
      'parkCode',
      parkName,
      'kind',
      'state',
      'amountFen',
      'reason',
      'payMethod',
      'applicantName',
      'appliedAt',
      'firstApproverName',
      'secondApproverName',
      'verdict',
      'decidedAt',
      'finishedAt',
      'channelRefundNo',
      'failure',
    ],
  }),
  /** Without `paymentId` the order's own payment goes back; with it a payment of the wrong amount. */
  apply: call('settlement.refund.apply', {
    service: 'business',
    post: '/orderRefund/apply',
    writes: true,
    needs: 'settlement:refund:apply',
    own: true,
    does: ['申请退款', 'Requested a refund'],
    body: message(
      { orderId: Refund.properties.orderId, amountFen: Refund.properties.amountFen, reason: Refund.properties.reason },
      { paymentId: Refund.properties.paymentId },
    ),
    reply: Refund,
  }),
  approve: call('settlement.refund.approve', {
    ...approve,
    post: '/orderRefund/approve',
    does: ['退款审核通过', 'Approved a refund'],
    body: message({ ...one.properties }, { verdict }),
    reply: Refund,
  }),
  reject: call('settlement.refund.reject', {
    ...approve,
    post: '/orderRefund/reject',
    does: ['驳回退款', 'Rejected a refund'],
    body: message({ ...one.properties, verdict }),
    reply: Refund,
  }),
  /** The applicant withdraws a refund while nobody has decided for good. */
  withdraw: call('settlement.refund.withdraw', {
    service: 'business',
    post: '/orderRefund/withdraw',
    writes: true,
    needs: 'settlement:refund:apply',
    own: true,
    does: ['撤回退款申请', 'Withdrew a refund request'],
    body: one,
    reply: Refund,
  }),
  /** Cash handed back by the person whose shift it leaves. */
  payOut: call('settlement.refund.pay-out', {
    service: 'business',
    post: '/orderRefund/payOut',
    writes: true,
    needs: 'settlement:order:cash',
    own: true,
    does: ['退款打款', 'Paid out a refund'],
    body: one,
    reply: Refund,
  }),
  /** Sends a failed refund again. */
  retry: call('settlement.refund.retry', {
    ...approve,
    post: '/orderRefund/retry',
    does: ['重试退款', 'Retried a refund'],
    body: one,
    reply: Refund,
  }),
}
