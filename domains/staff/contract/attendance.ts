import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  degrees,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  minutes,
  nothing,
  orNone,
  permille,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Collector, tollNo } from './collector.ts'
import { Cell } from './roster.ts'

export const CardKind = dictionary('card_kind', ['打卡类型', 'Clocking type'], {
  in: [1, '签到', 'In', 'success'],
  out: [2, '签退', 'Out'],
})
export const CardSource = dictionary('card_source', ['打卡方式', 'Clocking method'], {
  handheld: [1, '手持机', 'Handheld'],
  booth: [2, '岗亭登录', 'Booth'],
  granted: [3, '补卡', 'Granted'],
})
export const ReportKind = dictionary('staff_report_kind', ['上报类型', 'Report type'], {
  in: [1, '签到', 'In', 'success'],
  out: [2, '签退', 'Out'],
  granted: [3, '补卡', 'Missed punch'],
  money: [4, '收费', 'Payment'],
  photo: [5, '拍照', 'Picture'],
  note: [6, '上报', 'Report'],
})
/** A month by whose figures people are paid: nothing of it changes any more. */
export const ClosedMonth = entity(['已锁定月份', 'Closed month'], {
  id: id<'ClosedMonthId'>(),
  version: whole('版本', 'Version'),
  month: day('月份', 'Month'),
  closedBy: text('锁定人', 'Closed by'),
  closedAt: instant('锁定时间', 'Closed at'),
})
/** A handheld says by its own number what it said, so that it may say it again. */
export const mid = text('消息编号', 'Message', { max: 64 })
export const placeCode = text('地点', 'Place', { max: 24 })
export const Report = entity({
  id: id('编号', 'Id'),
  parkCode: Collector.properties.parkCode,
  tollNo,
  at: instant('时间', 'Time'),
  kind: among('类型', 'Type', ReportKind),
  placeCode: orNone(placeCode),
  inFence: orNone(yes('在围栏内', 'In geofence')),
  distM: orNone(whole('距离', 'Distance', { unit: 'metre', min: 0 })),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  image: orNone(images('照片', 'Picture')),
  bizNo: orNone(text('业务单号', 'Number', { max: 40 })),
})
export const reportSearch = searchOf(Report, { tollNo: 'equals', at: 'between', kind: 'among' }, { sort: ['at'] })

const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
export const attended = {
  due: counted('应到', 'Due'),
  present: counted('实到', 'Attended'),
  late: counted('迟到', 'Late'),
  early: counted('早退', 'Left early'),
  absent: counted('缺勤', 'Absent'),
  leave: counted('请假', 'On leave'),
  attendanceRate: orNone(permille('出勤率', 'Attendance rate')),
}
const PersonFigures = entity({ tollNo, name: Collector.properties.name, ...attended, workMin: minutes('工时', 'Worked') })
export const Month = entity({
  tollNo,
  name: Collector.properties.name,
  groupName: orNone(text('班组', 'Group', { max: 40 })),
  parkCode: Collector.properties.parkCode,
  ...attended,
  workMin: minutes('工时', 'Worked'),
  lateMin: minutes('迟到时长', 'Late by'),
  ...(Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`d${n + 1}`, orNone(text(`${n + 1}日`, `Day ${n + 1}`, { max: 100 }))])) as Record<
    'd1',
    ReturnType<typeof orNone<string>>
  >),
})
const month = text('月份', 'Month', { max: 7, pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$' })
const groupId = id<'WorkGroupId'>('班组', 'Group')
const view = { service: 'business', needs: 'staff:attendance:view' } as const
const range = { workDateFrom: day('自', 'From'), workDateTo: day('至', 'To') }
const monthSheet = call('staff.work.month', {
  ...view,
  own: true,
  post: '/api/work/month',
  body: message({ month }, { groupId, current: whole('页', 'Page', { min: 1, max: 1000 }), limit: whole('每页', 'Rows', { min: 1, max: 5001 }) }),
  reply: pageOf(Month),
})
export const attendance = {
  /** Of oneself alone, whichever handheld says it. */
  card: call('staff.card.save', {
    service: 'business',
    needs: 'staff:card:add',
    writes: true,
    own: true,
    post: '/api/staff/card/save',
    does: ['打卡', 'Clocked'],
    body: message(
      { mid, kind: among('类型', 'Type', CardKind) },
      {
        deviceTime: instant('设备时间', 'Device time'),
        lng: degrees('经度', 'Longitude'),
        lat: degrees('纬度', 'Latitude', 90),
        placeCode,
        image: images('照片', 'Picture'),
      },
    ),
    reply: message({
      at: instant('时间', 'Time'),
      inFence: yes('在围栏内', 'In geofence'),
      distM: orNone(whole('距离', 'Distance', { unit: 'metre' })),
      cellId: orNone(Cell.properties.id),
    }),
  }),
  statistics: call('staff.work.statistics', {
    ...view,
    get: '/api/work/statistics',
    query: message({}, { ...range, groupId }),
    reply: entity({
      ...attended,
      at: instant('截至', 'As of'),
      days: shaped('按日', 'By day', listOf(entity({ workDate: Cell.properties.workDate, ...attended }))),
      groups: shaped('按班组', 'By group', listOf(entity({ groupName: text('班组', 'Group', { min: 0, max: 40 }), ...attended }))),
      people: shaped('按人', 'By person', listOf(PersonFigures)),
    }),
  }),
  monthSheet,
  export: exportOf('staff.work.info-export', {
    ...view,
    get: '/api/work/workInfoExport',
    title: ['考勤月表', 'Monthly attendance'],
    query: monthSheet,
    columns: [
      'tollNo',
      'name',
      'groupName',
      ...(Array.from({ length: 31 }, (_, n) => `d${n + 1}`) as 'd1'[]),
      'due',
      'present',
      'late',
      'early',
      'absent',
      'leave',
      'attendanceRate',
      'workMin',
      'lateMin',
    ],
  }),
  /** Works out attendance again; results that still hold are kept. A caller who asks for days that are being worked out gets that task. */
  task: call('staff.schedule.work-card-statistics-task', {
    service: 'business',
    needs: 'staff:attendance:run',
    writes: true,
    heavy: true,
    get: '/api/staff/parkSchedule/workCardStatisticsTask',
    does: ['重新计算考勤', 'Recalculated attendance'],
    query: message({}, range),
    reply: message({
      taskId: id('任务编号', 'Task'),
      done: counted('已计算', 'Recalculated'),
      total: counted('班次', 'Shifts'),
      locked: counted('已锁定', 'Closed'),
    }),
  }),
  closeMonth: call('staff.work.close-month', {
    service: 'business',
    needs: 'staff:attendance:close',
    writes: true,
    own: true,
    post: '/api/work/closeMonth',
    does: ['锁定考勤月份', 'Closed an attendance month'],
    body: message({ month }),
    reply: nothing,
  }),
  /** Where somebody was: looking is in the log. */
  locations: call('staff.schedule.page-query-location', {
    service: 'business',
    needs: 'staff:location:view',
    writes: true,
    get: '/api/staff/parkSchedule/pageQueryLocation/{tollNo}',
    does: ['查看人员上报地点', 'Viewed staff report locations'],
    query: paged(reportSearch),
    reply: pageOf(Report),
  }),
}
