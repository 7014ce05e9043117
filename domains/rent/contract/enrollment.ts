import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { Bidder, type BidderId, Verdict } from './bidder.ts'
import { Project, type ProjectId, RentState, projectName } from './project.ts'

export const EnrollState = dictionary('rent_enroll_state', ['报名状态', 'Enrolment status'], {
  toPay: [0, '待缴保证金', 'Deposit due', 'warning'],
  waiting: [1, '待审', 'Pending review', 'warning'],
  qualified: [2, '通过', 'Qualified', 'success'],
  rejected: [3, '驳回', 'Rejected', 'error'],
  withdrawn: [4, '放弃', 'Withdrawn'],
})
export const enrollCan = moves(EnrollState, {
  pay: { 0: 1 },
  pass: { 1: 2 },
  reject: { 1: 3 },
  withdraw: { 0: 4, 1: 4, 2: 4 },
})
export const EarnestState = dictionary('rent_earnest_state', ['保证金状态', 'Earnest money'], {
  unpaid: [0, '未缴', 'Not paid', 'warning'],
  paid: [1, '已缴', 'Paid', 'success'],
  frozen: [2, '冻结', 'Frozen', 'warning'],
  rent: [3, '转租金', 'Applied to rent', 'success'],
  returned: [4, '已退', 'Refunded'],
  forfeited: [5, '没收', 'Forfeited', 'error'],
})
export const Award = dictionary('rent_award', ['中标情况', 'Award'], {
  none: [0, '未中标', 'None'],
  won: [1, '中标', 'Won', 'success'],
  gaveUp: [2, '放弃', 'Gave up', 'error'],
  disqualified: [3, '取消资格', 'Disqualified', 'error'],
  setAside: [4, '异议成立', 'Overturned on objection', 'warning'],
})
/** Why earnest money goes back. */
export const EarnestBack = dictionary('rent_earnest_back', ['退还原因', 'Refunded because'], {
  rejected: [1, '报名未通过', 'Enrolment rejected'],
  withdrawn: [2, '放弃报名', 'Enrolment withdrawn'],
  unreviewed: [3, '竞价开始前未完成审核', 'Not reviewed before bidding'],
  unverified: [4, '竞价开始时未通过认证', 'Not verified when bidding opened'],
  void: [5, '密封报价无效', 'Sealed bid void'],
  lost: [6, '未中标', 'Not awarded'],
  objection: [7, '异议成立', 'Objection upheld'],
  signed: [8, '项目已签约', 'Lease signed'],
  failed: [9, '流标', 'Project failed'],
  terminated: [10, '项目终止', 'Project terminated'],
  afterClosing: [11, '报名截止后缴纳', 'Paid after enrolment closed'],
  afterTermination: [12, '项目终止后缴纳', 'Paid after the project was terminated'],
  afterChange: [13, '中标变更后缴纳', 'Paid after the award was changed'],
  afterPayAgain: [14, '重缴期限后缴纳', 'Paid after the pay-again deadline'],
  requested: [15, '经办人申请', 'Requested by staff'],
})
export type EnrollmentId = 'RentEnrollmentId'
const kept = {
  ...rowFields<EnrollmentId>(),
  enrollNo: text('报名编号', 'Enrolment number', { max: 40 }),
  projectId: id<ProjectId>('项目', 'Project'),
  bidderId: id<BidderId>('竞租人', 'Bidder'),
  parkCode: Project.properties.parkCode,
  state: among('报名状态', 'Status', EnrollState),
  earnestState: among('保证金状态', 'Earnest money status', EarnestState),
  earnestFen: Project.properties.earnestFen,
  orderId: id<'OrderId'>('保证金订单', 'Earnest money order'),
  paidAt: orNone(instant('缴纳时间', 'Paid at')),
  bidderNo: orNone(whole('竞买号', 'Bidder number', { min: 1 })),
  bidFen: orNone(fen('报价（年租金）', 'Bid (annual rent)')),
  bidAt: orNone(instant('出价时间', 'Bid at')),
  award: among('中标情况', 'Award', Award),
  payAgainUntil: orNone(instant('重缴截止', 'Pay again until')),
  refundId: orNone(id<'RefundId'>('退款', 'Refund')),
  refundDue: orNone(day('应退日期', 'Refund by')),
  backFor: orNone(among('退还原因', 'Refunded because', EarnestBack)),
  applicantId: orNone(id<'PersonId'>('登记人编号', 'Recorded by (id)')),
  applicantName: text('登记人', 'Recorded by'),
  auditorName: orNone(text('审核人', 'Reviewed by')),
  auditedAt: orNone(instant('审核时间', 'Reviewed at')),
  opinion: orNone(text('审核意见', 'Review comment', { max: 200 })),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
}
/** A bidder's enrolment for a project, with their earnest money. */
export const Enrollment = entity(['报名', 'Enrolment'], kept)
export const EnrollLine = entity({
  ...kept,
  projectNo: Project.properties.projectNo,
  projectName,
  projectState: among('项目状态', 'Project status', RentState),
  bidderName: text('竞租人', 'Bidder', { max: 60 }),
  userType: Bidder.properties.userType,
  certNo: Bidder.properties.certNo,
  phone: Bidder.properties.phone,
  orderNo: orNone(text('保证金订单号', 'Order number', { max: 40 })),
  refundNo: orNone(text('退款单号', 'Refund number', { max: 40 })),
  refundState: orNone(among('退款状态', 'Refund status', RefundState)),
  rank: orNone(whole('名次', 'Rank', { min: 1 })),
})
export const enrollSearch = searchOf(
  EnrollLine,
  {
    id: 'equals',
    projectId: 'equals',
    projectNo: 'equals',
    projectName: 'contains',
    bidderName: 'contains',
    bidderId: 'equals',
    certNo: 'equals',
    phone: 'equals',
    state: 'among',
    earnestState: 'among',
    award: 'among',
    refundState: 'among',
    parkCode: 'equals',
    paidAt: 'between',
    refundDue: 'between',
    createdAt: 'between',
  },
  { sort: ['createdAt'] },
)
const one = pick(Enrollment, 'id', 'version').properties
const edit = { service: 'business', needs: 'rent:enroll:edit', writes: true, own: true } as const
const view = { service: 'business', needs: 'rent:enroll:view' } as const
const query = call('rent.enroll.query', { ...view, post: '/rentEnroll/query', body: paged(enrollSearch), reply: pageOf(EnrollLine) })
const del = call('rent.enroll.del', {
  service: 'business',
  needs: 'rent:enroll:edit',
  writes: true,
  get: '/rentEnroll/del',
  does: ['删除报名', 'Deleted an enrolment'],
  query: message(one),
  reply: message({}),
})
/** The page where the payer pays; null where the money is paid in cash. */
export const payUrl = orNone(text('支付地址', 'Payment URL', { max: 500 }))
export const Paying = entity({ amountFen: fen('应付', 'To pay'), payUrl })
export const REFUNDS_MAX = 100
export const enroll = {
  query,
  apply: call('rent.enroll.apply', {
    ...edit,
    post: '/rentEnroll/apply',
    does: ['登记报名', 'Enrolled a bidder'],
    body: pick(Enrollment, 'projectId', 'bidderId'),
    reply: Enrollment,
  }),
  /** `amountFen` is what the cashier was shown: cash is counted in, every other way is opened at its channel. */
  pay: call('rent.enroll.pay', {
    service: 'business',
    needs: 'rent:enroll:pay',
    writes: true,
    own: true,
    post: '/rentEnroll/pay',
    does: ['收取保证金', 'Took earnest money'],
    body: message({ id: one.id, payMethod: among('支付方式', 'Payment method', PayMethod), amountFen: fen('金额', 'Amount', { min: 1 }) }),
    reply: Paying,
  }),
  audit: call('rent.enroll.audit', {
    service: 'business',
    needs: 'rent:enroll:audit',
    writes: true,
    own: true,
    post: '/rentEnroll/audit',
    does: ['审核报名', 'Reviewed an enrolment'],
    body: message({ ...one, state: among('结论', 'Result', Verdict) }, { opinion: text('审核意见', 'Review comment', { max: 200 }) }),
    reply: Enrollment,
  }),
  withdraw: call('rent.enroll.withdraw', {
    ...edit,
    post: '/rentEnroll/withdraw',
    does: ['放弃报名', 'Withdrew an enrolment'],
    body: message({ ...one, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Enrollment,
  }),
  del,
  delPost: posted('rent.enroll.del-post', del),
  /** All of them or none; each waits for settlement's approval and goes back the way it came. */
  refund: call('rent.enroll.refund', {
    service: 'business',
    needs: 'rent:enroll:refund',
    writes: true,
    post: '/rentEnroll/refundRentEnroll',
    does: ['申请退还保证金', 'Requested an earnest money refund'],
    body: message({ ids: shaped('报名', 'Enrolments', listOf(one.id, { max: REFUNDS_MAX })), reason: text('原因', 'Reason', { max: 200 }) }),
    reply: nothing,
  }),
  export: exportOf('rent.enroll.export', {
    ...view,
    get: '/rentEnroll/exportRentEnroll',
    title: ['报名', 'Enrolments'],
    query,
    columns: [
      'enrollNo',
      'projectNo',
      'projectName',
      'bidderName',
      'userType',
      'certNo',
      'phone',
      'state',
      'earnestFen',
      'earnestState',
      'paidAt',
      'orderNo',
      'bidderNo',
      'rank',
      'bidFen',
      'award',
      'refundNo',
      'refundState',
      'auditorName',
      'auditedAt',
      'opinion',
      'createdAt',
    ],
  }),
}
