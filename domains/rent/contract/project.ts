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
  moves,
  orNone,
  pick,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'

export const ProjectType = dictionary('rent_project_type', ['出租方式', 'Letting method'], {
  fixed: [1, '固定价', 'Fixed price'],
  open: [2, '公开竞价', 'Open bidding'],
  sealed: [3, '密封竞价', 'Sealed bidding'],
})
export const RentState = dictionary('rent_state', ['项目状态', 'Project status'], {
  draft: [0, '草稿', 'Draft'],
  announced: [1, '公告中', 'Announced', 'warning'],
  enrolling: [2, '报名中', 'Registration open', 'success'],
  closed: [3, '报名截止', 'Registration closed', 'warning'],
  bidding: [4, '竞价中', 'Bidding', 'success'],
  toAward: [5, '待定标', 'To be awarded', 'warning'],
  shown: [6, '中标公示', 'Award published', 'warning'],
  signed: [7, '已签约', 'Signed', 'success'],
  running: [8, '履约中', 'Lease running', 'success'],
  done: [9, '已完成', 'Completed'],
  failed: [10, '流标', 'No award', 'error'],
  terminated: [11, '终止', 'Terminated', 'error'],
})
export const projectCan = moves(RentState, {
  announce: { 0: 1 },
  enrol: { 1: 2 },
  close: { 2: 3 },
  /** A correction put the end of enrolment on. */
  reopen: { 1: 1, 2: 2, 3: 2 },
  bid: { 3: 4 },
  toAward: { 3: 5, 4: 5 },
  award: { 5: 6 },
  awardAnother: { 6: 6 },
  sign: { 6: 7 },
  run: { 7: 8 },
  finish: { 8: 9 },
  fail: { 3: 10, 4: 10, 5: 10, 6: 10 },
  terminate: { 1: 11, 2: 11, 3: 11, 4: 11, 5: 11, 6: 11, 7: 11, 8: 11 },
})
/** The project's name in the lists of what belongs to it. */
export const projectName = text('项目名称', 'Project name', { max: 80 })
/** The longest lease. */
export const LEASE_MONTHS_MAX = 60
/** The largest rent for a year that anybody means: ten thousand million yuan. */
export const BID_MAX_FEN = 1_000_000_000_000

export type ProjectId = 'RentProjectId'
const amount = (zh: string, en: string) => fen(zh, en, { min: 1 })
/** Something that is let: a site, a building, a whole park. Amounts of rent are for a year. */
export const Project = entity(['租赁项目', 'Rental project'], {
  ...rowFields<ProjectId>(),
  projectNo: text('项目编号', 'Project number', { max: 40 }),
  name: text('项目名称', 'Name', { max: 80 }),
  type: among('出租方式', 'Letting method', ProjectType),
  parkCode: text('所属车场', 'Car park', { max: 16 }),
  assets: text('出租标的', 'Subject of letting', { max: 500 }),
  baseFen: amount('起始价（年租金）', 'Starting price (annual rent)'),
  stepFen: fen('加价幅度', 'Bid step', { min: 0 }),
  reserveFen: orNone(amount('保留价（年租金）', 'Reserve price (annual rent)')),
  earnestFen: amount('保证金', 'Earnest money'),
  minBidders: whole('最少竞租人数', 'Minimum bidders', { min: 1, max: 100 }),
  extendMin: whole('延时', 'Extension', { unit: 'minute', min: 1, max: 60 }),
  leaseMonths: whole('租期', 'Lease term', { unit: 'month', min: 1, max: LEASE_MONTHS_MAX }),
  enrollFrom: instant('报名开始', 'Enrolment opens'),
  enrollTo: instant('报名截止', 'Enrolment closes'),
  bidFrom: instant('竞价开始', 'Bidding opens'),
  bidTo: instant('竞价截止', 'Bidding closes'),
  endsAt: instant('实际截止', 'Actual close'),
  currentFen: orNone(fen('当前价', 'Current price')),
  bids: whole('出价次数', 'Bids', { min: 0 }),
  winnerId: orNone(id<'RentEnrollmentId'>('中标报名', 'Winner')),
  publicUntil: orNone(day('公示至', 'Shown until')),
  signBy: orNone(day('签约期限', 'Sign by')),
  state: among('状态', 'Status', RentState),
  files: attachments('附件', 'Files'),
  makerId: id<'PersonId'>('经办人编号', 'Handled by (id)'),
  makerName: text('经办人', 'Handled by'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  sealKey: orNone(text('密封公钥', 'Sealing key', { max: 43 })),
  openedAt: orNone(instant('开标时间', 'Bids opened at')),
})
export const projectSearch = searchOf(
  Project,
  {
    id: 'equals',
    projectNo: 'equals',
    name: 'contains',
    type: 'among',
    parkCode: 'equals',
    state: 'among',
    enrollTo: 'between',
    createdAt: 'between',
  },
  { sort: ['createdAt', 'enrollTo'] },
)
const NEEDED = ['name', 'type', 'parkCode', 'assets', 'baseFen', 'earnestFen', 'leaseMonths', 'enrollFrom', 'enrollTo', 'bidFrom', 'bidTo'] as const
const OPTIONAL = ['stepFen', 'reserveFen', 'minBidders', 'extendMin', 'files', 'remark'] as const
/** The terms of a project that bidders read: once it is announced, only a correction changes them. */
export const Terms = message(
  {},
  pick(
    Project,
    'name',
    'assets',
    'baseFen',
    'stepFen',
    'reserveFen',
    'earnestFen',
    'minBidders',
    'extendMin',
    'leaseMonths',
    'enrollFrom',
    'enrollTo',
    'bidFrom',
    'bidTo',
    'files',
    'remark',
  ).properties,
)
const edit = { service: 'business', needs: 'rent:project:edit', writes: true } as const
const optional = pick(Project, ...OPTIONAL).properties
const view = { service: 'business', needs: 'rent:project:view' } as const
export const project = {
  query: call('rent.project.query', { ...view, post: '/rentProject/query', body: paged(projectSearch), reply: pageOf(Project) }),
  one: call('rent.project.one', { ...view, own: true, post: '/rentProject/one', body: pick(Project, 'id'), reply: Project }),
  add: call('rent.project.add', {
    ...edit,
    post: '/rentProject/add',
    does: ['新增租赁项目', 'Added a rental project'],
    body: message(pick(Project, ...NEEDED).properties, optional),
    reply: Project,
  }),
  /** As a draft, freely; once announced it is asked for as a correction, and holds once another has published that. */
  update: call('rent.project.update', {
    ...edit,
    post: '/rentProject/update',
    does: ['修改或申请更正租赁项目', 'Changed a rental project or asked for a correction'],
    body: message(pick(Project, 'id', 'version').properties, {
      ...pick(Project, ...NEEDED).properties,
      ...optional,
      correction: text('更正说明', 'Correction', { max: 2000 }),
    }),
    reply: Project,
  }),
  del: call('rent.project.del', {
    ...edit,
    own: true,
    post: '/rentProject/del',
    does: ['删除租赁项目草稿', 'Deleted a draft project'],
    body: pick(Project, 'id', 'version'),
    reply: message({}),
  }),
  terminate: call('rent.project.terminate', {
    service: 'business',
    needs: 'rent:project:terminate',
    writes: true,
    own: true,
    post: '/rentProject/terminate',
    does: ['终止租赁项目', 'Terminated a rental project'],
    body: message({ ...pick(Project, 'id', 'version').properties, reason: text('终止原因', 'Reason', { max: 500 }) }),
    reply: Project,
  }),
}
