import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, orNone, pick, rowFields, text, whole } from '../../../platform/contract/field.ts'
import { Park } from './park.ts'

export const ClearingState = dictionary('clearing_state', ['清场状态', 'Clearing status'], {
  waiting: [0, '待审核', 'Pending approval', 'warning'],
  cleared: [1, '已清场', 'Cleared', 'success'],
  rejected: [2, '驳回', 'Rejected', 'default'],
  withdrawn: [3, '撤回', 'Withdrawn', 'default'],
})
/** From this amount on, in one go or in parts within a day, the fees that a person gives up by clearing wait for another person. */
export const SECOND_PERSON_FEN = 50_000

export const Cleared = entity(['批量清场', 'Clearing'], {
  ...rowFields<'ClearingId'>(),
  parkCode: Park.properties.parkCode,
  reason: text('原因', 'Reason', { max: 200 }),
  count: whole('清场数量', 'Cars cleared'),
  amountFen: fen('放弃金额', 'Fees given up'),
  state: among('状态', 'Status', ClearingState),
  applicantId: id<'PersonId'>('操作员编号', 'By (id)'),
  clearedBy: text('操作员', 'By'),
  approverId: orNone(id<'PersonId'>('审核人编号', 'Decided by (id)')),
  approverName: orNone(text('审核人', 'Decided by')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  appliedAt: instant('提交时间', 'Submitted at'),
  clearedAt: orNone(instant('清场时间', 'Cleared at')),
  revertedAt: orNone(instant('撤销时间', 'Undone at')),
})
export const clearedSearch = searchOf(Cleared, { parkCode: 'equals', state: 'among', appliedAt: 'between' }, { sort: ['appliedAt'] })

const one = pick(Cleared, 'id', 'version')
const verdict = text('审核意见', 'Review comment', { max: 200 })
const decide = { service: 'fee', needs: 'parking:clearing:approve', writes: true, own: true } as const
export const clearing = {
  query: call('parking.clearing.query', {
    service: 'fee',
    get: '/parkClearing/query',
    needs: 'parking:stay:view',
    own: true,
    query: paged(clearedSearch),
    reply: pageOf(Cleared),
  }),
  approve: call('parking.clearing.approve', {
    ...decide,
    post: '/parkClearing/approve',
    does: ['清场审核通过', 'Approved a clearing'],
    body: message({ ...one.properties }, { verdict }),
    reply: Cleared,
  }),
  reject: call('parking.clearing.reject', {
    ...decide,
    post: '/parkClearing/reject',
    does: ['驳回清场', 'Rejected a clearing'],
    body: message({ ...one.properties, verdict }),
    reply: Cleared,
  }),
  /** The applicant withdraws a clearing. */
  withdraw: call('parking.clearing.withdraw', {
    ...decide,
    needs: 'parking:stay:clear',
    post: '/parkClearing/withdraw',
    does: ['撤回清场申请', 'Withdrew a clearing request'],
    body: one,
    reply: Cleared,
  }),
}
