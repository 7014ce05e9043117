import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  id,
  type Instant,
  instant,
  listOf,
  message,
  minutes,
  type Of,
  orNone,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Collector, tollNo } from './collector.ts'
import { placeCodes } from './workGroup.ts'
import { WorkShift } from './workShift.ts'

export const CellState = dictionary('cell_state', ['排班状态', 'Shift status'], {
  planned: [1, '正常', 'As planned', 'success'],
  leave: [2, '请假', 'On leave', 'warning'],
  swapped: [3, '调班', 'Swapped'],
  stoodIn: [4, '替班', 'Stand-in'],
  rest: [5, '休息', 'Day off'],
})
export const Attendance = dictionary('attendance', ['考勤结果', 'Attendance'], {
  none: [0, '未打卡', 'Not clocked in'],
  right: [1, '正常', 'Present', 'success'],
  late: [2, '迟到', 'Late', 'warning'],
  early: [3, '早退', 'Left early', 'warning'],
  both: [4, '迟到且早退', 'Late and left early', 'warning'],
  absent: [5, '缺勤', 'Absent', 'error'],
  leave: [6, '请假', 'On leave'],
  elsewhere: [7, '外勤/地点异常', 'Off site', 'warning'],
  granted: [8, '补卡', 'Missed punch'],
})
/** Attendance of people who came, in time or not. */
export const CAME = [Attendance.right, Attendance.late, Attendance.early, Attendance.both, Attendance.elsewhere, Attendance.granted]
/** Conflicts of a cell. Those of the first kind prevent saving; those of the second are warnings. */
export const Conflict = dictionary('roster_conflict', ['排班冲突', 'Roster conflict'], {
  overlap: [1, '时间重叠', 'Overlapping times', 'error'],
  leaver: [2, '离职或无此人', 'Left or unknown', 'error'],
  disabled: [3, '班次停用或不存在', 'Shift disabled or unknown', 'error'],
  past: [4, '过去日期或已开始', 'Past or already started', 'error'],
  place: [5, '地点不存在', 'No such place', 'error'],
  there: [6, '当日已有排班', 'Already rostered that day', 'error'],
  requested: [7, '已请假、调班或替班', 'On leave, swapped or stand-in', 'error'],
  rest: [8, '两班间隔不足 8 小时', 'Less than 8 h between shifts', 'warning'],
  week: [9, '周工时超过 44 小时', 'More than 44 h a week', 'warning'],
  before: [10, '早于目标日期', 'Before the target start', 'error'],
})
const workDate = day('日期', 'Day')
const shiftId = orNone({ ...WorkShift.properties.id, 'x-zh': '班次', 'x-en': 'Work shift' })
/** One person on one day, by one shift (排班), with what the cards say of it. */
export const Cell = entity(['排班', 'Shift'], {
  ...rowFields<'CellId'>(),
  tollNo,
  name: Collector.properties.name,
  tollType: Collector.properties.tollType,
  groupId: Collector.properties.groupId,
  parkCode: Collector.properties.parkCode,
  workDate,
  shiftId,
  shiftName: text('班次', 'Work shift', { max: 20 }),
  startAt: orNone(instant('上班时间', 'Starts at')),
  endAt: orNone(instant('下班时间', 'Ends at')),
  plannedMin: minutes('计划工时', 'Planned'),
  placeCodes,
  state: among('状态', 'Status', CellState),
  checkInAt: orNone(instant('签到', 'Checked in')),
  checkOutAt: orNone(instant('签退', 'Checked out')),
  distM: orNone(whole('签到距离', 'Check-in distance', { unit: 'metre', min: 0 })),
  attendance: among('考勤', 'Attendance', Attendance),
  lateMin: minutes('迟到', 'Late by'),
  earlyMin: minutes('早退', 'Left early by'),
  workMin: minutes('实际工时', 'Worked'),
})
/** Whether a card could be missing: not on a day of rest, nor before the shift begins. A decision or a clocking made beforehand stands in any case. */
export const isDue = ({ startAt, attendance }: Pick<Of<typeof Cell>, 'startAt' | 'attendance'>, at: Instant): boolean =>
  attendance !== Attendance.none || (startAt !== null && startAt <= at)
export const cellSearch = searchOf(
  Cell,
  {
    workDate: 'between',
    tollNo: 'equals',
    name: 'contains',
    groupId: 'equals',
    parkCode: 'equals',
    shiftId: 'equals',
    state: 'among',
    attendance: 'among',
    startAt: 'between',
    endAt: 'between',
  },
  { sort: ['workDate'] },
)

/** A roster that is read, copied or gone through at once has at most so many days. */
export const DAYS_MAX = 62
/** More minutes a week than these are said. */
export const WEEK_MIN_MAX = 44 * 60
/** 400 people for a month. */
export const CELLS_MAX = 12_400
const Planned = dictionary('cell_planned', ['排班类型', 'Shift type'], { work: [1, '上班', 'Work'], rest: [5, '休息', 'Day off'] })
/** On one day, or by the same shift on several: a month of 400 people is one request. */
const Wanted = message(
  { tollNo },
  { workDate, workDates: shaped('日期', 'Days', listOf(workDate, { max: 62 })), shiftId, placeCodes, state: among('状态', 'Status', Planned) },
)
const list = shaped('排班', 'Shifts', listOf(Wanted, { max: CELLS_MAX }))
const removed = shaped('移除', 'Removed', listOf(Cell.properties.id, { max: CELLS_MAX }))
const Met = entity({
  tollNo,
  workDate,
  code: among('冲突', 'Conflict', Conflict),
  with: orNone(text('与', 'With', { max: 200 })),
  /** Of a week with too many: how many they are. */
  workMin: orNone(minutes('周工时', 'Week hours')),
  blocks: yes('不可保存', 'Blocks saving'),
})
const conflicts = shaped('冲突', 'Conflicts', listOf(Met))
const GridCell = entity({
  id: Cell.properties.id,
  workDate,
  shiftId,
  /** The shift as it was when this was planned: it may have other hours by now, or be disabled. */
  shiftName: Cell.properties.shiftName,
  segments: WorkShift.properties.segments,
  placeCodes,
  state: Cell.properties.state,
  begun: yes('已开始', 'Started'),
  /** The person who decides the request decides about the cell: nobody moves it until then. */
  requested: yes('有待办申请', 'Open request'),
  requestNo: orNone(text('申请编号', 'Request no.', { max: 40 })),
  plannedMin: minutes('计划工时', 'Planned'),
  conflicts: shaped('提示', 'Warnings', listOf(among('冲突', 'Conflict', Conflict))),
})
const Line = entity({
  tollNo,
  name: Collector.properties.name,
  groupId: Collector.properties.groupId,
  parkCode: Collector.properties.parkCode,
  weekMin: minutes('最高周工时', 'Peak week'),
  /** Each week that the range touches, whole. */
  weeks: shaped('周工时', 'Hours by week', listOf(entity({ monday: day('周一', 'Monday'), plannedMin: minutes('计划工时', 'Planned') }))),
  cells: shaped('排班', 'Shifts', listOf(GridCell)),
})
export const CopyMode = dictionary('roster_copy', ['复制方式', 'Copy mode'], {
  daily: [1, '逐日', 'Day by day'],
  weekday: [2, '按星期', 'By weekday'],
})
const { groupId, parkCode } = { groupId: id<'WorkGroupId'>('班组', 'Group'), parkCode: Collector.properties.parkCode }
const view = { service: 'business', needs: 'staff:roster:view' } as const
const edit = { service: 'business', needs: 'staff:roster:edit', writes: true } as const
const cells = call('staff.schedule.page-query-shift', {
  ...view,
  post: '/api/staff/parkSchedule/pageQueryShift',
  body: paged(cellSearch),
  reply: pageOf(Cell),
})
export const schedule = {
  cells,
  query: call('staff.schedule.schedule-query', {
    ...view,
    post: '/api/staff/parkSchedule/scheduleQuery',
    body: message(
      { workDateFrom: workDate, workDateTo: workDate },
      { groupId, tollNos: shaped('工号', 'Staff numbers', listOf(tollNo, { max: 500 })), parkCode },
    ),
    reply: listOf(Line),
  }),
  /** All or nothing: with one conflict that blocks, nothing is stored and the answer says what meets what. `dryRun` says how many would be. */
  save: call('staff.schedule.save-or-update-list', {
    ...edit,
    heavy: true,
    post: '/api/staff/parkSchedule/saveOrUpdateList',
    does: ['保存排班', 'Saved a roster'],
    body: message({ list }, { removed, dryRun: yes('只检查', 'Check only') }),
    reply: message({ saved: whole('已保存', 'Saved', { min: 0 }), conflicts }),
  }),
  /** A conflicting cell is left out and named; an existing cell is replaced only with `overwrite`. */
  copy: call('staff.schedule.copy-schedule', {
    ...edit,
    heavy: true,
    post: '/api/staff/parkSchedule/copySchedule',
    does: ['复制排班', 'Copied a roster'],
    query: message(
      { sourceFrom: day('来源自', 'Source start'), sourceTo: day('来源至', 'Source end'), targetFrom: day('目标自', 'Target start') },
      { mode: among('方式', 'Mode', CopyMode), groupId, overwrite: yes('覆盖已有', 'Overwrite existing'), dryRun: yes('只检查', 'Check only') },
    ),
    reply: message({ copied: whole('已复制', 'Copied', { min: 0 }), skipped: whole('已跳过', 'Skipped', { min: 0 }), conflicts }),
  }),
  export: exportOf('staff.schedule.page-query-shift-export', {
    ...view,
    get: '/api/staff/parkSchedule/pageQueryShiftExport',
    title: ['排班', 'Roster'],
    query: cells,
    columns: [
      'workDate',
      'tollNo',
      'name',
      'tollType',
      'parkCode',
      parkName,
      'shiftName',
      'startAt',
      'endAt',
      'plannedMin',
      'state',
      'checkInAt',
      'checkOutAt',
      'attendance',
      'lateMin',
      'earlyMin',
      'workMin',
    ],
  }),
  /** When a place that a group has to keep is kept by nobody, once what is given is saved too. */
  uncovered: call('staff.schedule.uncovered', {
    ...view,
    own: true,
    post: '/api/staff/parkSchedule/uncovered',
    body: message({ workDateFrom: workDate, workDateTo: workDate }, { groupId, list, removed }),
    reply: listOf(
      entity({
        groupId,
        groupName: text('班组', 'Group', { max: 40 }),
        placeCode: text('地点', 'Place', { max: 24 }),
        placeName: text('地点', 'Place', { max: 64 }),
        workDate,
        from: instant('自', 'From'),
        to: instant('至', 'To'),
      }),
    ),
  }),
}
