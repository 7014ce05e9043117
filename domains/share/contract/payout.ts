import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  orNone,
  personal,
  pick,
  rowFields,
  text,
  whole,
  yes,
  orSaid,
} from '../../../platform/contract/field.ts'

export const PayoutState = dictionary('share_payout', ['提现状态', 'Payout status'], {
  waiting: [0, '待审', 'Pending review', 'warning'],
  granted: [1, '通过', 'Approved', 'warning'],
  paying: [2, '打款中', 'Transfer in progress', 'warning'],
  paid: [3, '成功', 'Paid', 'success'],
  failed: [4, '失败', 'Failed', 'error'],
  rejected: [5, '驳回', 'Rejected'],
})
export const TransferResult = dictionary('share_transfer', ['打款结果', 'Transfer result'], {
  paid: [3, '成功', 'Paid', 'success'],
  failed: [4, '失败', 'Failed', 'error'],
})
export const TRANSFERRED = TransferResult.paid
/** Less is not paid out; from the other amount on two people review. */
export const PAYOUT_MIN_FEN = 1_000
export const TWO_REVIEWERS_FEN = 500_000
export const Payout = entity(['分成提现', 'Payout'], {
  ...rowFields<'SharePayoutId'>(),
  payoutNo: text('提现单号', 'Payout number', { max: 40 }),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  ownerId: id<'OwnerId'>('车主编号', 'Owner id'),
  ownerName: orSaid(text('业主', 'Owner', { max: 40 })),
  amountFen: fen('提现金额', 'Amount', { min: PAYOUT_MIN_FEN }),
  bank: personal('document', text('收款账户', 'Bank account for payouts', { max: 64 })),
  state: among('状态', 'Status', PayoutState),
  applicantId: id<'PersonId'>('申请人编号', 'Applicant id'),
  applicantName: text('申请人', 'Requested by'),
  firstApproverId: orNone(id<'PersonId'>('一审编号', 'First reviewer id')),
  firstApproverName: orNone(text('一审', 'First reviewer')),
  secondApproverName: orNone(text('二审', 'Second reviewer')),
  approvals: whole('已审人数', 'Reviews', { min: 0 }),
  approvalsNeeded: whole('需审人数', 'Reviews needed', { min: 1 }),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  paidAt: orNone(instant('打款时间', 'Paid at')),
  transferNo: orNone(text('银行流水号', 'Bank reference', { max: 64 })),
  settledName: orNone(text('打款登记人', 'Transfer recorded by')),
  failure: orNone(text('失败原因', 'Failure reason', { max: 200 })),
})
export const payoutSearch = searchOf(
  Payout,
  { ownerName: 'contains', ownerId: 'equals', state: 'among', payoutNo: 'equals', createdAt: 'between' },
  { sort: ['createdAt'] },
)
const own = { service: 'business', own: true } as const
export const payout = {
  page: call('share.payout.page', {
    ...own,
    needs: 'share:payout:view',
    post: '/share/payoutPage',
    body: paged(payoutSearch),
    reply: pageOf(Payout),
  }),
  apply: call('share.payout.apply', {
    ...own,
    needs: 'share:payout:apply',
    writes: true,
    post: '/share/payoutApply',
    does: ['申请分成提现', 'Requested a payout'],
    body: pick(Payout, 'ownerId', 'amountFen', 'bank'),
    reply: Payout,
  }),
  /** Another than who asked; with the last yes it may be transferred. */
  audit: call('share.payout.audit', {
    ...own,
    needs: 'share:payout:audit',
    writes: true,
    post: '/share/payoutAudit',
    does: ['审核分成提现', 'Reviewed a payout'],
    body: message(
      { ...pick(Payout, 'id', 'version').properties, pass: yes('通过', 'Approved') },
      { verdict: text('审核意见', 'Review comment', { max: 200 }) },
    ),
    reply: Payout,
  }),
  /** Records the bank's answer to the transfer: only then the money has left, or stays the owner's. */
  settle: call('share.payout.settle', {
    ...own,
    needs: 'share:payout:settle',
    writes: true,
    post: '/share/payoutSettle',
    does: ['登记分成打款', 'Recorded a payout transfer'],
    body: message(
      { ...pick(Payout, 'id', 'version').properties, result: among('打款结果', 'Result', TransferResult) },
      { transferNo: text('银行流水号', 'Bank reference', { max: 64 }), failure: text('失败原因', 'Failure reason', { max: 200 }) },
    ),
    reply: Payout,
  }),
}
