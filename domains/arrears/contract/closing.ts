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
  orNone,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { ArrearsRecord } from './file.ts'

export const ClosingKind = dictionary('arrears_closing_kind', ['结案类型', 'Closing type'], {
  revoke: [1, '撤销', 'Revoke'],
  writeOff: [2, '坏账核销', 'Write off'],
})
export const WriteOffCause = dictionary('write_off_cause', ['坏账核销原因', 'Write-off reason'], {
  old: [1, '超期', 'Too old'],
  lost: [2, '失联', 'Owner unreachable'],
  gone: [3, '注销', 'Deregistered'],
  lawsuit: [4, '诉讼终结', 'Lawsuit closed'],
  cost: [5, '不经济', 'Not worth the cost'],
})
export const ClosingState = dictionary('arrears_closing_state', ['审核状态', 'Request status'], {
  waiting: [0, '待审核', 'Pending approval', 'warning'],
  granted: [1, '通过', 'Approved', 'success'],
  rejected: [2, '驳回', 'Rejected'],
})
/** A debt is written off no earlier than so many days after it arose. */
export const WRITE_OFF_DAYS = 365
/** From this amount on two people approve. */
export const TWO_APPROVERS_FEN = 50_000

/** A debt that is to end without being paid. Asked for by one person, granted by another, or by two others. */
export const Closing = entity(['欠费结案', 'Arrears closing'], {
  ...rowFields<'ClosingId'>(),
  recordId: id<'ArrearsRecordId'>('欠费记录', 'Arrears record'),
  parkCode: ArrearsRecord.properties.parkCode,
  kind: among('类型', 'Type', ClosingKind),
  cause: orNone(among('坏账核销原因', 'Write-off reason', WriteOffCause)),
  reason: text('说明', 'Reason', { max: 200 }),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  state: among('状态', 'Status', ClosingState),
  applicantId: id<'PersonId'>('申请人编号', 'Requested by (id)'),
  applicantName: text('申请人', 'Requested by'),
  approvals: whole('已审核人数', 'Approvals'),
  approvalsNeeded: whole('需审核人数', 'Approvals needed'),
  firstApproverId: orNone(id<'PersonId'>('一审编号', 'First approver id')),
  firstApproverName: orNone(text('一审', 'First approver')),
  secondApproverName: orNone(text('二审', 'Second approver')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  appliedAt: instant('申请时间', 'Requested at'),
  decidedAt: orNone(instant('审核时间', 'Decided at')),
})
export const closingSearch = searchOf(
  Closing,
  { kind: 'among', state: 'among', parkCode: 'equals', recordId: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)

/** The most debts in one request. */
const TOGETHER_MAX = 200
const { id: closingId, version, reason } = Closing.properties
const { id: recordId, version: recordVersion } = ArrearsRecord.properties
const decision = message({ id: closingId, version, pass: yes('通过', 'Approved') }, { verdict: text('审核意见', 'Review comment', { max: 200 }) })
const apply = { service: 'business', needs: 'arrears:closing:apply', writes: true, own: true } as const
const decide = { service: 'business', needs: 'arrears:closing:approve', writes: true, own: true } as const
export const closing = {
  list: call('arrears.write-off.list', {
    service: 'business',
    needs: 'arrears:closing:view',
    own: true,
    get: '/escape/closingList',
    query: paged(closingSearch),
    reply: pageOf(Closing),
  }),
  /** Requests to revoke a debt: it was another car, or no debt at all. */
  revoke: call('arrears.record.revoke', {
    ...apply,
    post: '/escape/recordRevoke',
    does: ['申请撤销欠费', 'Requested to revoke arrears'],
    body: message({ id: recordId, version: recordVersion, reason }),
    reply: Closing,
  }),
  writeOff: call('arrears.write-off.apply', {
    ...apply,
    post: '/escape/writeOffApply',
    does: ['申请坏账核销', 'Requested to write off arrears'],
    body: message({ ids: listOf(recordId, { max: TOGETHER_MAX }), cause: among('坏账核销原因', 'Write-off reason', WriteOffCause), reason }),
    reply: listOf(Closing),
  }),
  decide: call('arrears.write-off.decide', {
    ...decide,
    post: '/escape/writeOffDecide',
    does: ['审核坏账核销或撤销', 'Reviewed a write-off or revocation'],
    body: decision,
    reply: Closing,
  }),
}
