import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, empty, entity, id, instant, message, orNone, pick, rowFields, text, whole } from '../../../platform/contract/field.ts'
import { PointsAccount } from './pointsAccount.ts'

/** The most points that one person may grant an account by hand within thirty days where the company sets no other limit: worth a hundred yuan. */
export const ALONE_POINTS = 10_000
export const GRANT_MAX = 1_000_000
export const GrantState = dictionary('points_grant_state', ['积分发放状态', 'Points grant status'], {
  waiting: [0, '待审核', 'Pending approval', 'warning'],
  granted: [1, '已发放', 'Granted', 'success'],
  rejected: [2, '驳回', 'Rejected', 'default'],
  withdrawn: [3, '撤回', 'Withdrawn', 'default'],
})
/** More points than one person may grant: asked for by one, granted by another. */
export const PointsGrant = entity(['积分发放申请', 'Points grant request'], {
  ...rowFields<'PointsGrantId'>(),
  accountId: id<'PointsAccountId'>('账户', 'Account'),
  points: whole('积分', 'Points', { min: 1, max: GRANT_MAX }),
  reason: text('原因', 'Reason', { max: 200 }),
  state: among('状态', 'Status', GrantState),
  applicantId: id<'PersonId'>('申请人编号', 'Requested by (id)'),
  applicantName: text('申请人', 'Requested by'),
  approverId: orNone(id<'PersonId'>('审核人编号', 'Decided by (id)')),
  approverName: orNone(text('审核人', 'Decided by')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  appliedAt: instant('申请时间', 'Requested at'),
  decidedAt: orNone(instant('审核时间', 'Decided at')),
})
/** With whose points they are. */
export const PointsGrantLine = entity(['积分发放申请', 'Points grant request'], {
  ...PointsGrant.properties,
  name: PointsAccount.properties.name,
  phone: PointsAccount.properties.phone,
})
export const grantSearch = searchOf(
  PointsGrantLine,
  { state: 'among', name: 'contains', phone: 'equals', accountId: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)
const alone = whole('单人发放上限', 'Limit for one person', { min: 0, max: GRANT_MAX })
export const PointsLimit = entity({ alone })

const view = { service: 'business', needs: 'coupon:points:view', own: true } as const
const decide = { service: 'business', needs: 'coupon:points:approve', writes: true, own: true } as const
const one = pick(PointsGrant, 'id', 'version')
const verdict = text('审核意见', 'Review comment', { max: 200 })
export const pointsGrant = {
  query: call('coupon.points-grant.query', { ...view, post: '/pointsGrant/query', body: paged(grantSearch), reply: pageOf(PointsGrantLine) }),
  approve: call('coupon.points-grant.approve', {
    ...decide,
    post: '/pointsGrant/approve',
    does: ['积分发放审核通过', 'Approved a points grant'],
    body: message({ ...one.properties }, { verdict }),
    reply: PointsGrant,
  }),
  reject: call('coupon.points-grant.reject', {
    ...decide,
    post: '/pointsGrant/reject',
    does: ['驳回积分发放', 'Rejected a points grant'],
    body: message({ ...one.properties, verdict }),
    reply: PointsGrant,
  }),
  /** The applicant withdraws a grant. */
  withdraw: call('coupon.points-grant.withdraw', {
    ...decide,
    needs: 'coupon:points:edit',
    post: '/pointsGrant/withdraw',
    does: ['撤回积分发放申请', 'Withdrew a points grant request'],
    body: one,
    reply: PointsGrant,
  }),
  limit: call('coupon.points-grant.limit', { ...view, post: '/pointsGrant/limit', body: empty, reply: PointsLimit }),
  setLimit: call('coupon.points-grant.set-limit', {
    ...decide,
    post: '/pointsGrant/setLimit',
    does: ['设置单人发放上限', 'Set the limit for one person'],
    body: PointsLimit,
    reply: PointsLimit,
  }),
}
