import { call } from '../../../platform/contract/call.ts'
import {
  among,
  empty,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  shaped,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { AwardLine, Bid } from './award.ts'
import { Bidder } from './bidder.ts'
import { Enrollment, Paying } from './enrollment.ts'
import { Bill, Contract } from './lease.ts'
import { Project, projectName } from './project.ts'
import { Sealed, SealedLine } from './seal.ts'

/** A project as everybody may see it, with one's own enrolment. */
export const MyProject = entity({
  ...pick(
    Project,
    'id',
    'projectNo',
    'name',
    'type',
    'assets',
    'baseFen',
    'stepFen',
    'earnestFen',
    'leaseMonths',
    'extendMin',
    'enrollFrom',
    'enrollTo',
    'bidFrom',
    'endsAt',
    'state',
  ).properties,
  parkName: text('车场', 'Car park', { max: 64 }),
  notice: orNone(text('公告', 'Notice', { max: 20_000 })),
  enrollId: orNone(Enrollment.properties.id),
  enrollVersion: orNone(whole('报名版本', 'Version')),
  enrollState: orNone(Enrollment.properties.state),
  earnestState: orNone(Enrollment.properties.earnestState),
  payAgainUntil: Enrollment.properties.payAgainUntil,
  award: orNone(Enrollment.properties.award),
  opinion: Enrollment.properties.opinion,
})
/** A bill with its sum: the amount, less the part that the earnest money paid, with the penalty by today. */
export const MyBill = entity({
  ...pick(Bill, 'id', 'billNo', 'kind', 'periodFrom', 'periodTo', 'dueDay', 'state', 'amountFen', 'creditFen', 'penaltyFen', 'paidAt').properties,
  projectName,
  dueFen: fen('应付', 'To pay'),
  lateDays: whole('逾期天数', 'Days late', { min: 0 }),
})
/** One's own lease, to be signed or signed. */
export const MyLease = entity({
  ...pick(Contract, 'id', 'version', 'contractNo', 'fromDay', 'toDay', 'rentFen', 'cycle', 'freeDays', 'depositFen', 'state').properties,
  ...pick(Contract, 'lessorSignedAt', 'lesseeSignedAt', 'endedAt', 'endReason').properties,
  projectName,
  /** Both have to sign by then. */
  signBy: Project.properties.signBy,
})
/** The room: the standing bid, the next step, the end, the driver's own rank; others are numbers. */
export const Room = entity({
  ...pick(Project, 'type', 'state', 'baseFen', 'stepFen', 'currentFen', 'bidFrom', 'endsAt', 'bids', 'sealKey', 'openedAt').properties,
  enrollId: Enrollment.properties.id,
  nextFen: fen('最低出价', 'Minimum bid'),
  now: instant('服务器时间', 'Server time'),
  bidderNo: orNone(whole('竞买号', 'Bidder number')),
  attested: AwardLine.properties.attested,
  mayBid: yes('可出价', 'May bid'),
  rank: orNone(whole('名次', 'Rank')),
  mineFen: orNone(fen('我的报价', 'My bid')),
  last: shaped('最近出价', 'Latest bids', listOf(Bid)),
  sealed: shaped('密封报价', 'Sealed bids', listOf(SealedLine)),
})
export const MyBidder = entity({
  ...pick(Bidder, 'id', 'name', 'userType', 'state', 'opinion').properties,
  pictures: whole('证照', 'Pictures of papers', { min: 0 }),
})
/** Pictures of one bidder's papers. */
export const PAPERS_MOST = 3
const look = { service: 'business', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const
const payMethod = among('支付方式', 'Payment method', PayMethod)
const projectId = id<'RentProjectId'>('项目', 'Project')
/** All of a bidder's own: they come in as drivers do, and see what is theirs. */
export const mine = {
  me: call('rent.mine.me', { ...look, post: '/rentUser/mine', body: empty, reply: listOf(MyBidder) }),
  /** A picture of the papers, while they wait to be reviewed. */
  paper: call('rent.mine.paper', {
    ...act,
    heavy: true,
    post: '/rentUser/mine/paper',
    does: ['竞租人上传证照', 'Bidder added a picture of papers'],
    multipart: message({ file: upload('图片', 'Picture') }),
    reply: MyBidder,
  }),
  attest: call('rent.mine.attest', {
    ...act,
    post: '/rentUser/mine/apply',
    does: ['竞租人申请认证', 'Bidder requested verification'],
    body: pick(Bidder, 'userType', 'name', 'certNo'),
    reply: nothing,
  }),
  projects: call('rent.mine.projects', { ...look, post: '/rentProject/mine', body: empty, reply: listOf(MyProject) }),
  enroll: call('rent.mine.enroll', {
    ...act,
    post: '/rentEnroll/mine/apply',
    does: ['竞租人报名', 'Bidder enrolled'],
    body: message({ projectId }),
    reply: nothing,
  }),
  pay: call('rent.mine.pay', {
    ...act,
    post: '/rentEnroll/mine/pay',
    does: ['竞租人缴纳保证金', 'Bidder paid earnest money'],
    body: message({ id: Enrollment.properties.id, payMethod }),
    reply: Paying,
  }),
  withdraw: call('rent.mine.withdraw', {
    ...act,
    post: '/rentEnroll/mine/withdraw',
    does: ['竞租人放弃报名', 'Bidder withdrew an enrolment'],
    body: message(pick(Enrollment, 'id', 'version').properties),
    reply: nothing,
  }),
  room: call('rent.mine.room', { ...look, post: '/rentBid/room', body: message({ projectId }), reply: Room }),
  place: call('rent.mine.place', {
    ...act,
    post: '/rentBid/place',
    does: ['竞租人出价', 'Bidder placed a bid'],
    body: message({ projectId, bidFen: fen('报价（年租金）', 'Bid (annual rent)', { min: 1 }) }),
    reply: Room,
  }),
  seal: call('rent.mine.seal', {
    ...act,
    post: '/rentBid/seal',
    does: ['竞租人提交密封报价', 'Bidder placed a sealed bid'],
    body: message({ projectId, ...pick(Sealed, 'cipher', 'commitment').properties }),
    reply: Room,
  }),
  leases: call('rent.mine.leases', { ...look, post: '/rentContract/mine', body: empty, reply: listOf(MyLease) }),
  sign: call('rent.mine.sign', {
    ...act,
    post: '/rentContract/mine/sign',
    does: ['承租人签署租赁合同', 'Lessee signed a lease'],
    body: message(pick(Contract, 'id', 'version').properties),
    reply: nothing,
  }),
  bills: call('rent.mine.bills', { ...look, post: '/rentBill/mine', body: empty, reply: listOf(MyBill) }),
  payBill: call('rent.mine.pay-bill', {
    ...act,
    post: '/rentBill/mine/pay',
    does: ['承租人支付租金', 'Lessee paid rent'],
    body: message({ id: Bill.properties.id, payMethod }),
    reply: Paying,
  }),
}
