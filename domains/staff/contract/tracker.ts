import { call } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  degrees,
  dictionary,
  entity,
  images,
  instant,
  listOf,
  message,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { mid } from './attendance.ts'
import { Collector, tollNo } from './collector.ts'

/** Where somebody stands in their working day. */
export const DutyState = dictionary('duty_state', ['在岗状态', 'Duty status'], {
  before: [0, '未上班', 'Not started'],
  there: [1, '在岗', 'On duty', 'success'],
  away: [2, '离岗', 'Off post', 'warning'],
  over: [3, '下班', 'Off work'],
  leave: [4, '请假', 'On leave'],
})
export const NoteKind = dictionary('field_note_kind', ['现场上报', 'Field report'], {
  photo: [5, '拍照', 'Picture'],
  note: [6, '上报', 'Report'],
})
/** A handheld that had no network sends what it kept; more are a second message. */
export const POINTS_AT_ONCE = 500
/** A line is thinned to so many points; where it broke off is kept. */
export const LINE_MAX = 5_000
/** After so long without a report the line of a track breaks. */
export const GAP_MIN = 5
/** How many people's places are asked for at once. */
export const PEOPLE_MAX = 500

const lng = degrees('经度', 'Longitude')
const lat = degrees('纬度', 'Latitude', 90)
const battery = whole('电量', 'Battery', { unit: 'percent', min: 0, max: 100 })
const metres = (zh: string, en: string) => whole(zh, en, { unit: 'metre', min: 0, max: 100_000 })
/** A place where a handheld was, WGS-84. */
const Fix = message({ at: instant('设备时间', 'Device time'), lng, lat }, { accuracyM: metres('精度', 'Accuracy'), battery })
export const TrackPoint = entity({
  at: instant('时间', 'Time'),
  lng,
  lat,
  inFence: orNone(yes('在围栏内', 'In geofence')),
  distM: orNone(whole('距离', 'Distance', { unit: 'metre', min: 0 })),
  battery: orNone(battery),
  gapBefore: yes('此前中断', 'Gap before'),
})
export const NowAt = entity({
  tollNo,
  name: Collector.properties.name,
  parkCode: Collector.properties.parkCode,
  groupName: orNone(text('班组', 'Group', { max: 40 })),
  shiftName: orNone(text('班次', 'Work shift', { max: 20 })),
  dutyState: among('在岗状态', 'Duty status', DutyState),
  deviceTime: orNone(instant('定位时间', 'Position time')),
  lng: orNone(lng),
  lat: orNone(lat),
  battery: orNone(battery),
  inFence: orNone(yes('在围栏内', 'In geofence')),
  ageSec: orNone(whole('距今', 'Age', { unit: 'second', min: 0 })),
  warnings: whole('未处理预警', 'Open warnings', { min: 0 }),
})
const workDate = day('日期', 'Day')
const look = { service: 'business', needs: 'staff:location:view' } as const
const own = { service: 'business', needs: 'staff:card:add', writes: true, own: true } as const

export const tracker = {
  /** The line that somebody walked: looking is in the log. */
  line: call('staff.tracker.query-tracker', {
    ...look,
    writes: true,
    post: '/api/staff/tollTracker/queryTracker',
    does: ['查看人员轨迹', 'Viewed a staff track'],
    query: message({ tollNo, workDate }),
    reply: listOf(TrackPoint),
  }),
  now: call('staff.tracker.query-tracker-now-list', {
    ...look,
    post: '/api/staff/tollTracker/queryTrackerNowList',
    query: message(
      {},
      { tollNos: shaped('工号', 'Staff numbers', listOf(tollNo, { max: PEOPLE_MAX })), workDate, parkCode: Collector.properties.parkCode },
    ),
    reply: listOf(NowAt),
  }),
  /**
   * Takes positions from the handheld of the signed-in person, of themselves alone. Points outside the time at work, or impossible ones, are left out and counted, so that no
   * queue stops at them.
   */
  report: call('staff.tracker.report', {
    ...own,
    post: '/api/staff/tollTracker/report',
    does: ['上报位置', 'Reported positions'],
    body: message({ points: shaped('位置', 'Positions', listOf(Fix, { max: POINTS_AT_ONCE })) }),
    reply: message({ kept: whole('已保存', 'Kept', { min: 0 }), dropped: whole('未保存', 'Dropped', { min: 0 }) }),
  }),
  /** A picture, or a few words, from where they are. */
  note: call('staff.tracker.note', {
    ...own,
    post: '/api/staff/tollTracker/note',
    does: ['现场上报', 'Sent a field report'],
    body: message(
      { mid, kind: among('类型', 'Type', NoteKind), lng, lat },
      { deviceTime: instant('设备时间', 'Device time'), image: images('照片', 'Picture'), note: text('说明', 'Note', { max: 200 }) },
    ),
    reply: message({ at: instant('时间', 'Time'), inFence: yes('在围栏内', 'In geofence') }),
  }),
}
