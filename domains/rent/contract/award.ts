import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  attachments,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  message,
  orNone,
  pick,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { EnrollLine, Enrollment, type EnrollmentId } from './enrollment.ts'
import { ContractState } from './lease.ts'
import { Project, type ProjectId, ProjectType } from './project.ts'

export const BiddingAct = dictionary('rent_bidding_act', ['定标操作', 'Award action'], {
  live: [1, '现场代报', 'Bid entered on site'],
  award: [2, '定标', 'Award'],
})
export const ChangeReason = dictionary('rent_award_change', ['变更原因', 'Change reason'], {
  gaveUp: [1, '放弃', 'Gave up'],
  disqualified: [2, '取消资格', 'Disqualified'],
  objection: [3, '异议成立', 'Objection upheld'],
})
export const ChangeState = dictionary('rent_award_change_state', ['变更状态', 'Change status'], {
  waiting: [0, '待确认', 'To be confirmed', 'warning'],
  confirmed: [1, '已确认', 'Confirmed', 'success'],
  refused: [2, '不同意', 'Rejected', 'error'],
})
const evidence = attachments('佐证', 'Evidence')
/** Another winner, or none: it holds once a second person has confirmed it. */
export const AwardChange = entity(['中标变更', 'Award change'], {
  ...rowFields<'RentAwardChangeId'>(),
  projectId: id<ProjectId>('项目', 'Project'),
  parkCode: Project.properties.parkCode,
  fromId: id<EnrollmentId>('原中标', 'Previous winner'),
  toId: orNone(id<EnrollmentId>('改为', 'New winner')),
  reason: among('变更原因', 'Change reason', ChangeReason),
  evidence,
  state: among('变更状态', 'Status', ChangeState),
  makerId: orNone(id<'PersonId'>('提出人编号', 'Requested by (id)')),
  makerName: text('提出人', 'Requested by'),
  checkerName: orNone(text('确认人', 'Confirmed by')),
  decidedAt: orNone(instant('确认时间', 'Confirmed at')),
  opinion: orNone(text('确认意见', 'Opinion', { max: 200 })),
})
const { projectId } = AwardChange.properties
/** An enrolment with its rank, its award, its contract and its money. */
export const AwardLine = entity({
  ...pick(
    EnrollLine,
    'id',
    'version',
    'createdAt',
    'updatedAt',
    'parkCode',
    'projectId',
    'projectNo',
    'projectName',
    'projectState',
    'enrollNo',
    'bidderName',
    'phone',
    'bidderNo',
    'rank',
    'bidFen',
    'bidAt',
    'earnestState',
    'earnestFen',
    'award',
    'payAgainUntil',
  ).properties,
  projectVersion: whole('项目版本', 'Project version'),
  projectMakerId: Project.properties.makerId,
  projectType: among('出租方式', 'Letting method', ProjectType),
  endsAt: Project.properties.endsAt,
  publicUntil: Project.properties.publicUntil,
  signBy: Project.properties.signBy,
  attested: yes('已认证', 'Verified'),
  contractId: orNone(id<'RentContractId'>('合同', 'Lease')),
  contractNo: orNone(text('合同编号', 'Lease number', { max: 40 })),
  contractState: orNone(among('合同状态', 'Lease status', ContractState)),
  fromDay: orNone(day('租期开始', 'Lease from')),
  toDay: orNone(day('租期结束', 'Lease to')),
  winner: yes('中标', 'Winner'),
  hasContract: yes('有合同', 'Has lease'),
  hasOrder: yes('有账单', 'Has bills'),
  billsFen: fen('账单金额', 'Billed'),
  paidFen: fen('已收', 'Paid'),
  overdueFen: fen('逾期', 'Overdue'),
  changeId: orNone(id<'RentAwardChangeId'>('待确认变更', 'Open change')),
  changeVersion: orNone(whole('变更版本', 'Change version')),
  changeMakerId: orNone(id<'PersonId'>('变更提出人', 'Change requested by')),
  changeMakerName: orNone(text('变更提出人', 'Change requested by')),
  changeReason: orNone(among('变更原因', 'Change reason', ChangeReason)),
  changeToName: orNone(text('改为', 'New winner')),
  changeEvidence: evidence,
  /** The newest project first, and in it by rank. */
  ranking: text('排名顺序', 'Order of the ranking', { max: 64 }),
})
export const awardSearch = searchOf(
  AwardLine,
  {
    id: 'equals',
    projectId: 'equals',
    projectNo: 'equals',
    projectName: 'contains',
    projectState: 'among',
    bidderName: 'contains',
    phone: 'equals',
    award: 'among',
    contractState: 'among',
    rank: 'equals',
    winner: 'equals',
    hasContract: 'equals',
    hasOrder: 'equals',
    parkCode: 'equals',
    contractNo: 'equals',
    toDay: 'between',
    createdAt: 'between',
  },
  { sort: ['ranking', 'createdAt', 'rank'], ascending: true },
)
/** A bid as everybody may see it: by numbers. */
export const Bid = entity(['出价', 'Bid'], {
  id: id<'RentBidId'>(),
  seq: whole('序号', 'No.', { min: 1 }),
  bidderNo: whole('竞买号', 'Bidder number', { min: 1 }),
  bidFen: fen('报价（年租金）', 'Bid (annual rent)'),
  at: instant('时间', 'Time'),
  enteredBy: orNone(text('代报人', 'Entered by')),
})
export const bidSearch = searchOf(Bid, {}, { sort: ['seq'] })
const view = { service: 'business', needs: 'rent:award:view' } as const
const queryEnrollProject = call('rent.project.query-enroll-project', {
  ...view,
  post: '/rentProject/queryEnrollProject',
  body: paged(awardSearch),
  reply: pageOf(AwardLine),
})
const award = { service: 'business', needs: 'rent:award:edit', writes: true } as const
export const awards = {
  queryEnrollProject,
  bids: call('rent.project.bids', { ...view, own: true, post: '/rentProject/bids', body: pick(AwardLine, 'projectId'), reply: pageOf(Bid) }),
  bidding: call('rent.project.bidding', {
    ...award,
    post: '/rentProject/bidding',
    does: ['定标或现场代报', 'Awarded a project or entered a bid'],
    body: message(
      { projectId, enrollId: Enrollment.properties.id },
      { bidFen: fen('报价（年租金）', 'Bid (annual rent)', { min: 1 }), act: among('操作', 'Action', BiddingAct), evidence },
    ),
    reply: Project,
  }),
  updateBidding: call('rent.project.update-bidding', {
    ...award,
    post: '/rentProject/updateBidding',
    does: ['提出中标变更', 'Requested an award change'],
    body: message({ projectId, reason: AwardChange.properties.reason }, { enrollId: Enrollment.properties.id, evidence }),
    reply: AwardChange,
  }),
  /** By another than who asked; where a time limit has passed nobody did. */
  confirm: call('rent.project.confirm-bidding', {
    service: 'business',
    needs: 'rent:award:confirm',
    writes: true,
    own: true,
    post: '/rentProject/confirmBidding',
    does: ['确认中标变更', 'Decided an award change'],
    body: message(
      { ...pick(AwardChange, 'id', 'version').properties, pass: yes('同意', 'Agree') },
      { opinion: text('确认意见', 'Opinion', { max: 200 }) },
    ),
    reply: AwardChange,
  }),
  export: exportOf('rent.project.export-enroll-project', {
    ...view,
    get: '/rentProject/exportEnrollProject',
    title: ['报名项目', 'Enrolled projects'],
    query: queryEnrollProject,
    columns: [
      'projectNo',
      'projectName',
      'projectState',
      'enrollNo',
      'bidderName',
      'bidderNo',
      'rank',
      'bidFen',
      'earnestFen',
      'earnestState',
      'award',
      'contractNo',
      'contractState',
      'fromDay',
      'toDay',
      'billsFen',
      'paidFen',
      'overdueFen',
    ],
  }),
}
