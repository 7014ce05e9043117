import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  images,
  instant,
  message,
  orNone,
  personal,
  pick,
  rowFields,
  text,
  orSaid,
} from '../../../platform/contract/field.ts'

export const UserType = dictionary('rent_user_type', ['用户类型', 'Bidder type'], {
  person: [1, '个人', 'Person'],
  company: [2, '企业', 'Enterprise'],
})
export const Attestation = dictionary('rent_attestation', ['认证状态', 'Verification'], {
  waiting: [0, '待审', 'Pending review', 'warning'],
  attested: [1, '通过', 'Verified', 'success'],
  rejected: [2, '驳回', 'Rejected', 'error'],
})
export type BidderId = 'RentBidderId'
/** A person or company that may enrol for a letting (竞租人). */
export const Bidder = entity(['竞租人', 'Bidder'], {
  ...rowFields<BidderId>(),
  userType: among('用户类型', 'Type', UserType),
  name: orSaid(text('名称', 'Name', { max: 60 })),
  certNo: personal('document', text('证件号', 'ID number', { min: 6, max: 32, pattern: '^[0-9A-Za-z*-]{6,32}$' })),
  phone: personal('phone', text('手机', 'Phone', { max: 20, pattern: '^[0-9+*-]{5,20}$' })),
  images: images('证照', 'Documents'),
  ownerId: orNone(id<'OwnerId'>('车主账户', 'Account')),
  state: among('认证状态', 'Verification', Attestation),
  applicantId: orNone(id<'PersonId'>('申请人编号', 'Applicant (id)')),
  applicantName: text('申请人', 'Applicant'),
  auditorName: orNone(text('审核人', 'Reviewed by')),
  auditedAt: orNone(instant('审核时间', 'Reviewed at')),
  opinion: orNone(text('审核意见', 'Review comment', { max: 200 })),
})
export const bidderSearch = searchOf(
  Bidder,
  { name: 'contains', userType: 'equals', certNo: 'equals', phone: 'equals', state: 'among', createdAt: 'between', id: 'equals' },
  { sort: ['createdAt'] },
)
/** The results of a review, of an attestation and of an enrolment alike. */
export const Verdict = dictionary('rent_verdict', ['审核结论', 'Review result'], {
  pass: [1, '通过', 'Pass', 'success'],
  reject: [2, '驳回', 'Reject', 'error'],
})
const one = pick(Bidder, 'id', 'version').properties
const asked = pick(Bidder, 'userType', 'name', 'certNo', 'phone', 'images')
const del = call('rent.user.del', {
  service: 'business',
  needs: 'rent:user:delete',
  writes: true,
  get: '/rentUser/del',
  does: ['删除竞租人', 'Deleted a bidder'],
  query: message(one),
  reply: message({}),
})
export const bidder = {
  query: call('rent.user.query', {
    service: 'business',
    needs: 'rent:user:view',
    post: '/rentUser/query',
    body: paged(bidderSearch),
    reply: pageOf(Bidder),
  }),
  /** Records papers at the counter, new or changed ones: a bidder known by the number is reviewed again. */
  apply: call('rent.user.apply', {
    service: 'business',
    needs: 'rent:user:edit',
    writes: true,
    own: true,
    post: '/rentUser/apply',
    does: ['登记竞租人认证', 'Recorded a bidder for verification'],
    body: asked,
    reply: Bidder,
  }),
  audit: call('rent.user.audit', {
    service: 'business',
    needs: 'rent:user:audit',
    writes: true,
    own: true,
    post: '/rentUser/audit',
    does: ['审核竞租人认证', 'Reviewed a bidder verification'],
    body: message({ ...one, state: among('结论', 'Result', Verdict) }, { opinion: text('审核意见', 'Review comment', { max: 200 }) }),
    reply: Bidder,
  }),
  del,
  delPost: posted('rent.user.del-post', del),
}
