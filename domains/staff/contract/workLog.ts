import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  degrees,
  dictionary,
  entity,
  fen,
  images,
  instant,
  listOf,
  message,
  minutes,
  moves,
  nothing,
  orNone,
  permille,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Collector, tollNo } from './collector.ts'
import { Cell } from './roster.ts'

export const LogState = dictionary('work_log_state', ['日志状态', 'Log status'], {
  running: [0, '进行中', 'At work', 'success'],
  toSubmit: [1, '待提交', 'To be submitted', 'warning'],
  submitted: [2, '已提交', 'Submitted'],
  rated: [3, '已点评', 'Rated', 'success'],
  overdue: [4, '逾期', 'Overdue', 'error'],
})
/** Overdue is what time alone brings about. */
export const logCan = moves(LogState, {
  end: { [LogState.running]: LogState.toSubmit },
  resume: { [LogState.toSubmit]: LogState.running },
  submit: { [LogState.toSubmit]: LogState.submitted },
  rate: { [LogState.submitted]: LogState.rated },
  expire: { [LogState.toSubmit]: LogState.overdue },
})
export const PinKind = dictionary('staff_pin_kind', ['地图标记', 'Map pin'], {
  in: [1, '签到', 'In', 'success'],
  out: [2, '签退', 'Out'],
  granted: [3, '补卡', 'Missed punch'],
  money: [4, '收费', 'Payment', 'success'],
  photo: [5, '拍照', 'Picture'],
  note: [6, '上报', 'Report'],
  incident: [7, '事件', 'Incident', 'warning'],
  warning: [8, '预警', 'Warning', 'error'],
})
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
const counts = {
  entries: counted('驶入', 'Entries'),
  exits: counted('驶出', 'Exits'),
  orders: counted('收费笔数', 'Receipts'),
  paidFen: fen('实收', 'Paid'),
  photos: counted('照片', 'Pictures'),
  patrols: counted('巡查', 'Patrols'),
  walkM: whole('步行', 'Walked', { unit: 'metre', min: 0 }),
  warnings: counted('预警', 'Warnings'),
}
export const INCIDENTS_MAX = 20
const lng = degrees('经度', 'Longitude')
const lat = degrees('纬度', 'Latitude', 90)
/** Something that happened during the work, with where and a picture where there is one. */
const Incident = message(
  { at: instant('时间', 'Time'), text: text('经过', 'What happened', { max: 300 }) },
  { lng, lat, images: images('照片', 'Pictures') },
)
/** The log of one piece of work (工作日志): opened and counted by the system, told by the collector, rated by the leader. */
export const WorkLog = entity(['工作日志', 'Work log'], {
  ...rowFields<'WorkLogId'>(),
  tollNo,
  name: Collector.properties.name,
  tollType: Collector.properties.tollType,
  groupId: Collector.properties.groupId,
  parkCode: Collector.properties.parkCode,
  workDate: Cell.properties.workDate,
  shiftName: Cell.properties.shiftName,
  openedAt: instant('签到', 'Checked in'),
  outAt: orNone(instant('签退', 'Checked out')),
  workMin: minutes('工时', 'Worked'),
  state: among('状态', 'Status', LogState),
  ...counts,
  content: orNone(text('工作内容', 'Work done', { max: 2000 })),
  images: orNone(images('照片', 'Pictures')),
  submittedAt: orNone(instant('提交时间', 'Submitted at')),
  score: orNone(whole('评分', 'Score', { min: 1, max: 5 })),
  verdict: orNone(text('点评', 'Comment', { max: 300 })),
  reviewerName: orNone(text('点评人', 'Rated by', { max: 64 })),
  reviewedAt: orNone(instant('点评时间', 'Rated at')),
})
export const logSearch = searchOf(
  WorkLog,
  { workDate: 'between', tollNo: 'equals', name: 'contains', groupId: 'equals', parkCode: 'equals', state: 'among', score: 'between' },
  { sort: ['workDate'] },
)
const incidents = shaped('事件', 'Incidents', listOf(Incident, { max: INCIDENTS_MAX }))
export const WorkLogDetail = entity({ ...WorkLog.properties, incidents, dueAt: orNone(instant('提交期限', 'Submit by')) })
export const Pin = entity({
  kind: among('类型', 'Type', PinKind),
  at: instant('时间', 'Time'),
  tollNo,
  name: Collector.properties.name,
  lng,
  lat,
  bizNo: orNone(text('业务单号', 'Number', { max: 64 })),
  text: orNone(text('说明', 'Note', { max: 300 })),
})
/** Totals of one collector's logs over some days. */
export const LogTotals = entity({
  tollNo,
  name: Collector.properties.name,
  groupName: orNone(text('班组', 'Group', { max: 40 })),
  logs: counted('日志', 'Logs'),
  submitted: counted('已提交', 'Submitted'),
  submitRate: orNone(permille('提交率', 'Submission rate')),
  /** Tenths: 4.5 is 45. */
  scoreTenths: orNone(whole('平均评分', 'Average score', { unit: 'tenth', min: 10, max: 50 })),
  workMin: minutes('工时', 'Worked'),
  ...counts,
})
const { id, version } = WorkLog.properties
const { content, images: shown } = WorkLog.properties
const parkCode = Collector.properties.parkCode
const view = { service: 'business', needs: 'staff:log:view' } as const
const mine = { service: 'business', needs: 'staff:log:write', writes: true, own: true } as const
const told = { content, images: shown, incidents }
const query = call('staff.work-log.page-query-work-log', {
  ...view,
  post: '/api/staff/workLog/pageQueryWorkLog',
  body: paged(logSearch),
  reply: pageOf(WorkLog),
})

export const workLog = {
  query,
  detail: call('staff.work-log.query-work-log-detail', {
    ...view,
    post: '/api/staff/workLog/queryWorkLogDetail',
    body: message({ id }),
    reply: WorkLogDetail,
  }),
  pins: call('staff.work-log.map-info', {
    service: 'business',
    needs: 'staff:location:view',
    post: '/api/staff/workLog/mapInfo',
    query: message({ workDate: day('日期', 'Day') }, { tollNos: shaped('工号', 'Staff numbers', listOf(tollNo, { max: 500 })), parkCode }),
    reply: listOf(Pin),
  }),
  totals: call('staff.work-log.work-log-statistic', {
    ...view,
    post: '/api/staff/workLog/workLogStatistic',
    body: message(
      {},
      {
        workDateFrom: day('自', 'From'),
        workDateTo: day('至', 'To'),
        groupId: WorkLog.properties.groupId,
        parkCode,
        tollNos: shaped('工号', 'Staff numbers', listOf(tollNo, { max: 200 })),
        ...PAGE,
      },
    ),
    reply: pageOf(LogTotals),
  }),
  export: exportOf('staff.work-log.page-query-export', {
    ...view,
    get: '/api/staff/workLog/pageQueryExport',
    title: ['工作日志', 'Work logs'],
    query,
    columns: [
      'workDate',
      'tollNo',
      'name',
      'parkCode',
      parkName,
      'shiftName',
      'openedAt',
      'outAt',
      'workMin',
      'state',
      'entries',
      'exits',
      'orders',
      'paidFen',
      'photos',
      'patrols',
      'walkM',
      'warnings',
      'content',
      'submittedAt',
      'score',
      'verdict',
      'reviewerName',
    ],
  }),
  /** Returns the logs of the signed-in person, the newest first. */
  mine: call('staff.work-log.mine', {
    service: 'business',
    needs: 'staff:log:write',
    own: true,
    post: '/api/staff/workLog/mine',
    body: message({}, PAGE),
    reply: pageOf(WorkLogDetail),
  }),
  /** Of one's own log alone, until a day after the work. */
  write: call('staff.work-log.content', {
    ...mine,
    post: '/api/staff/workLog/content',
    does: ['填写工作日志', 'Wrote a work log'],
    body: message({ id, version }, told),
    reply: nothing,
  }),
  submit: call('staff.work-log.submit', {
    ...mine,
    post: '/api/staff/workLog/submit',
    does: ['提交工作日志', 'Submitted a work log'],
    body: message({ id, version }, told),
    reply: nothing,
  }),
  /** By the leader; nobody rates themselves. */
  review: call('staff.work-log.review', {
    service: 'business',
    needs: 'staff:log:review',
    writes: true,
    own: true,
    post: '/api/staff/workLog/review',
    does: ['点评工作日志', 'Rated a work log'],
    body: message({ id, version, score: whole('评分', 'Score', { min: 1, max: 5 }) }, { verdict: text('点评', 'Comment', { max: 300 }) }),
    reply: nothing,
  }),
}
