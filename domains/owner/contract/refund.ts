import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  pictures,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { ownerId, phone } from './account.ts'
import type { PurseId } from './asset.ts'

export const StoredRefundState = dictionary('stored_refund_state', ['储值退款状态', 'Stored value refund status'], {
  waiting: [0, '待审核', 'To review', 'warning'],
  firstPassed: [1, '初审通过', 'First review approved', 'warning'],
  secondPassed: [2, '复审通过', 'Second review approved', 'warning'],
  paying: [3, '打款中', 'Transfer in progress', 'warning'],
  paid: [4, '已退款', 'Refunded', 'success'],
  rejected: [5, '驳回', 'Rejected', 'error'],
  failed: [6, '打款失败', 'Payment failed', 'error'],
})
export const storedRefundCan = moves(StoredRefundState, {
  passFirst: { 0: 1 },
  passSecond: { 1: 2 },
  reject: { 0: 5, 1: 5 },
  pay: { 2: 3 },
  finish: { 3: 4 },
  fail: { 2: 6, 3: 6 },
})
export const ReviewLevel = dictionary('stored_refund_level', ['审核级别', 'Review'], { first: [1, '初审', 'First'], second: [2, '复审', 'Second'] })
export const ReviewStage = dictionary('stored_refund_stage', ['审核阶段', 'Stage'], {
  first: [1, '初审', 'First review'],
  second: [2, '复审', 'Second review'],
  mine: [3, '我审过', 'Reviewed by me'],
})
export const RefundStep = dictionary('stored_refund_step', ['审核步骤', 'Review step'], {
  request: [1, '申请', 'Request'],
  first: [2, '初审', 'First review'],
  second: [3, '复审', 'Second review'],
})
export const RefundRoute = dictionary('stored_refund_route', ['退款方式', 'Refund route'], {
  original: [1, '原路退回', 'Original route'],
  transfer: [2, '银行转账', 'Bank transfer'],
})
export const PartState = dictionary('stored_refund_part_state', ['打款状态', 'Refund payment status'], {
  waiting: [0, '待打款', 'Waiting', 'warning'],
  paying: [1, '打款中', 'Transfer in progress', 'warning'],
  paid: [2, '已到账', 'Paid', 'success'],
  failed: [3, '失败', 'Failed', 'error'],
})
/** A channel takes nothing back that it received longer ago: that goes by transfer. */
export const CHANNEL_DAYS = 365

/** Stored value on its way back to its owner. Of what was paid the bonus that it earned goes first; two persons review, neither of whom asked. */
export const StoredRefund = entity(['储值退款', 'Stored value refund'], {
  ...rowFields<'StoredRefundId'>(),
  refundNo: text('退款单号', 'Number', { max: 40 }),
  purseId: id<PurseId>('钱包编号', 'Wallet'),
  ownerId: orNone(ownerId),
  holder: text('申请车主', 'Owner', { max: 40 }),
  phone,
  cardNo: orNone(text('卡号', 'Card number', { max: 20 })),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  amountFen: fen('退款本金', 'Principal', { min: 1 }),
  clawbackFen: fen('收回赠送', 'Bonus taken back', { min: 0 }),
  shortfallFen: fen('已用赠送抵扣', 'Less bonus spent', { min: 0 }),
  payFen: fen('应退', 'To refund', { min: 0 }),
  doneFen: fen('已退', 'Refunded', { min: 0 }),
  reason: text('申请原因', 'Reason', { max: 200 }),
  state: among('状态', 'Status', StoredRefundState),
  applicantId: id<'PersonId'>('登记人编号', 'Requested by (id)'),
  applicantName: text('登记人', 'Requested by'),
  appliedAt: instant('申请时间', 'Requested at'),
  firstId: orNone(id<'PersonId'>('初审人编号', 'First reviewer (id)')),
  firstName: orNone(text('初审人', 'First reviewer')),
  firstVerdict: orNone(text('初审意见', 'First verdict', { max: 200 })),
  firstAt: orNone(instant('初审时间', 'First review at')),
  secondId: orNone(id<'PersonId'>('复审人编号', 'Second reviewer (id)')),
  secondName: orNone(text('复审人', 'Second reviewer')),
  secondVerdict: orNone(text('复审意见', 'Second verdict', { max: 200 })),
  secondAt: orNone(instant('复审时间', 'Second review at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  failure: orNone(text('失败原因', 'Failure', { max: 200 })),
})
const { holder: _, phone: __, ...kept } = StoredRefund.properties
/** A refund as it is kept: whom it is for keep their name and telephone themselves. */
export const KeptRefund = entity(['储值退款', 'Stored value refund'], kept)
export const storedRefundSearch = searchOf(
  StoredRefund,
  { state: 'among', refundNo: 'equals', phone: 'startsWith', holder: 'contains', ownerId: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)
/** The same for those that somebody is to review, who are named. */
export const reviewSearch = searchOf(
  StoredRefund,
  { state: 'among', refundNo: 'equals', phone: 'startsWith', holder: 'contains', ownerId: 'equals', appliedAt: 'between', id: 'among' },
  { sort: ['appliedAt'] },
)
/** One recharge that goes back, in whole or in part. */
export const RefundPart = entity({
  id: id<'RefundPartId'>(),
  orderNo: text('充值单号', 'Recharge', { max: 40 }),
  rechargedFen: fen('充值', 'Recharged'),
  givenFen: fen('赠送', 'Given'),
  paidAt: instant('充值时间', 'Paid at'),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  amountFen: fen('退本金', 'Principal'),
  clawbackFen: fen('收回赠送', 'Bonus taken back'),
  payFen: fen('应退', 'To refund'),
  route: among('方式', 'Refund route', RefundRoute),
  state: among('状态', 'Status', PartState),
  slip: orNone(pictures('转账凭证', 'Slip')),
  transferNo: orNone(text('转账流水号', 'Transfer number', { max: 64 })),
  failure: orNone(text('失败原因', 'Failure', { max: 200 })),
})
const Step = entity({
  step: among('步骤', 'Step', RefundStep),
  name: text('经办人', 'Handled by'),
  verdict: orNone(text('意见', 'Verdict', { max: 200 })),
  at: instant('时间', 'Time'),
})
export const RefundDetail = entity({
  ...StoredRefund.properties,
  steps: shaped('审核步骤', 'Steps', listOf(Step)),
  recharges: shaped('退回的充值', 'Recharges refunded', listOf(RefundPart)),
  entries: shaped('记账', 'Ledger entries', listOf(NamedLine)),
})
/** A refund's amounts, before it is requested. */
export const Quote = entity({
  principalFen: fen('可退本金', 'Refundable principal'),
  bonusFen: fen('赠送余额', 'Bonus left'),
  amountFen: fen('退款本金', 'Principal'),
  clawbackFen: fen('收回赠送', 'Bonus taken back'),
  shortfallFen: fen('已用赠送抵扣', 'Less bonus spent'),
  payFen: fen('应退', 'To refund'),
  recharges: whole('涉及充值', 'Recharges'),
})

const { id: refundId, version, amountFen, reason } = StoredRefund.properties
const view = { service: 'custom', needs: 'owner:stored-refund:view' } as const
const whose = { ownerId, cardNo: text('卡号', 'Card number', { max: 20 }) }
export const storedRefund = {
  list: call('owner.stored-refund.list', { ...view, post: '/assetsStore/refund/list', body: paged(storedRefundSearch), reply: pageOf(StoredRefund) }),
  /** Without those that one asked for oneself. */
  auditList: call('owner.stored-refund.audit-list', {
    ...view,
    post: '/assetsStore/refund/auditList',
    body: paged(storedRefundSearch, { stage: among('阶段', 'Stage', ReviewStage) }),
    reply: pageOf(StoredRefund),
  }),
  detail: call('owner.stored-refund.detail', { ...view, post: '/assetsStore/refund/detail', body: message({ id: refundId }), reply: RefundDetail }),
  audit: call('owner.stored-refund.audit', {
    service: 'custom',
    needs: 'owner:stored-refund:audit',
    writes: true,
    post: '/assetsStore/refund/audit',
    does: ['审核储值退款', 'Reviewed a stored value refund'],
    body: message(
      { id: refundId, version, level: among('审核级别', 'Review', ReviewLevel), pass: yes('通过', 'Approved') },
      { verdict: text('审核意见', 'Review comment', { max: 200 }) },
    ),
    reply: StoredRefund,
  }),
  /** Of an owner's account, or of a card; without an amount all of it. `dryRun` answers what would go back and writes nothing. */
  apply: call('owner.stored-refund.apply', {
    service: 'custom',
    needs: 'owner:stored-refund:apply',
    own: true,
    writes: true,
    post: '/assetsStore/refund/apply',
    does: ['申请储值退款', 'Requested a stored value refund'],
    body: message({ reason }, { ...whose, amountFen, dryRun: yes('仅试算', 'Trial only') }),
    reply: message({ quote: Quote, refund: orNone(shaped('退款', 'Refund', StoredRefund)) }),
  }),
  /** A part that goes by transfer was transferred: its slip is kept. */
  transfer: call('owner.stored-refund.transfer', {
    service: 'custom',
    needs: 'owner:stored-refund:transfer',
    own: true,
    writes: true,
    post: '/assetsStore/refund/transfer',
    does: ['登记储值退款转账', 'Recorded a refund transfer'],
    body: message(
      { partId: id<'RefundPartId'>('打款', 'Payment'), transferNo: text('转账流水号', 'Transfer number', { max: 64 }) },
      { slip: pictures('转账凭证', 'Slip') },
    ),
    reply: StoredRefund,
  }),
}
