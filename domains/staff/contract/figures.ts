import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, type Meaning, NOW, Refunds } from '../../../platform/contract/figure.ts'
import { attended } from './attendance.ts'
import { OnJob, toll } from './collector.ts'
import { Attendance, CAME, schedule } from './roster.ts'
import { Till, till } from './till.ts'
import { DutyState, tracker } from './tracker.ts'
import { WarningState, workWarning } from './workWarning.ts'

type Text = readonly [zh: string, en: string]

const SHIFTS = '/assetManage/person/attendance/record'
const TILLS = '/assetManage/person/charging'
const WARNINGS = '/assetManage/person/alarm/record'
const begun = (counts: Text, ...among: number[]): Listed => ({
  ...{ counts, time: ['按排班日，只算已开始的班次', 'by the day of the work shift; only shifts that have begun are counted'] },
  opens: {
    ...{ path: SHIFTS, call: schedule.cells },
    filter: ({ from, to, parkCode }) => ({ workDateFrom: from, workDateTo: to, parkCode, ...(among.length > 0 && { attendance: among.join(',') }) }),
  },
})
/** Work shifts and what became of them: one of a person is one, however many people they are. */
export const ATTENDANCE = figures(undefined, attended, {
  due: begun(['已开始的班次，请假的也在内', 'shifts that have begun, those on leave included']),
  present: begun(
    ['有人来上班的班次，含迟到、早退和补卡的', 'shifts that somebody came to; late ones, those left early and missed punches included'],
    ...CAME,
  ),
  late: begun(['迟到的班次，含迟到且早退的', 'shifts that began late, those left early as well included'], Attendance.late, Attendance.both),
  absent: begun(
    ['判为缺勤的班次；还没有打卡、结果未定的不计', 'shifts found absent; shifts with no clock-in yet are undecided and not counted'],
    Attendance.absent,
  ),
  leave: begun(['准了假的班次', 'shifts on approved leave'], Attendance.leave),
  attendanceRate: begun(
    [
      '实到 ÷（实到 + 缺勤）；请假的和还没有打卡、结果未定的两边都不计，没有时为 --',
      'attended ÷ (attended + absent); leave and shifts with no clock-in yet are in neither; -- where there are none',
    ],
    ...CAME,
    Attendance.absent,
  ),
})

const people = (counts: Text): Meaning => ({ counts, time: NOW })
/** Collectors present now: people, not shifts. */
export const STAFF = figures(
  undefined,
  { employed: whole('在职', 'Employed'), checkedIn: whole('已签到', 'Checked in'), warnings: whole('未处理预警', 'Open warnings') },
  {
    employed: {
      ...people(['在职的收费员', 'collectors who are employed']),
      opens: {
        path: '/assetManage/person/staff',
        call: toll.query,
        filter: ({ parkCode }) => ({ onJob: String(OnJob.employed), parkCode }),
      },
    },
    checkedIn: people([
      '班次已开始（含昨夜的跨夜班）、已签到还没有签退的人，每人算一次',
      'people whose shift has begun, last night’s included, who have checked in and not out, each counted once',
    ]),
    warnings: {
      ...people(['没有人处理的预警，不论哪天发生', 'warnings that nobody has handled, whenever they arose']),
      opens: { path: WARNINGS, call: workWarning.query, filter: ({ parkCode }) => ({ state: String(WarningState.open), parkCode }) },
    },
  },
)
const stated = (state: keyof typeof DutyState.entries) => whole(DutyState.entries[state][0], DutyState.entries[state][1])
const stands = (counts: Text): Meaning => ({
  ...people(counts),
  opens: { path: '/assetManage/person/statistics/today', call: tracker.now, filter: ({ parkCode }) => ({ parkCode }) },
})
/** Where each collector stands now: everybody is in one of these. */
export const DUTY = figures(
  ['收费员', 'Collectors:'],
  {
    there: stated(DutyState.there),
    away: stated(DutyState.away),
    before: stated(DutyState.before),
    over: stated(DutyState.over),
    leave: stated(DutyState.leave),
  },
  {
    there: stands(['已签到、在岗位范围内的，或没有设岗位范围的', 'checked in and at their post, or without a post of their own']),
    away: stands(['已签到、位置不在岗位范围内的', 'checked in and not at their post']),
    before: stands(['今天还没有签到的', 'not checked in yet today']),
    over: stands(['已签退，或班次已结束的', 'checked out, or their shift is over']),
    leave: stands(['今天请假的', 'on leave today']),
  },
)

const taken = (counts: Text, sums: string, refunds?: Text): Listed => ({
  ...{ counts, time: ['按收银班次的日期', 'by the day of the cash shift'], ...(refunds && { refunds }) },
  opens: {
    ...{ path: TILLS, call: till.shifts, sums },
    filter: ({ from, to, parkCode }) => ({ tab: 'shifts', workDateFrom: from, workDateTo: to, parkCode }),
  },
})
/** Money that collectors took in their cash shifts. */
export const COLLECTED = figures(['收银', 'Cash shifts:'], Till.properties, {
  paidFen: taken(['收费员收到的金额，现金 + 扫码', 'what collectors took: cash + QR code'], 'paidFen', Refunds.before),
  cashFen: taken(['收到的现金', 'cash that was taken'], 'cashFen', Refunds.before),
  scanFen: taken(['车主扫收费员的码付的金额', 'what drivers paid by scanning a collector’s code'], 'scanFen', Refunds.before),
  refundFen: taken(['收费员退给车主的金额', 'what collectors gave back'], 'refundFen'),
  netFen: taken(['实收 − 退款', 'paid − refunded'], 'netFen', Refunds.after),
})
