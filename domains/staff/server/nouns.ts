import { among, id, instant, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { ClosedMonth } from '../contract/attendance.ts'
import { Collector, NoticeState } from '../contract/collector.ts'
import { Handheld } from '../contract/handheld.ts'
import { Request } from '../contract/request.ts'
import { Cell } from '../contract/roster.ts'
import { WarningRule, WorkWarning } from '../contract/workWarning.ts'
import { WorkGroup } from '../contract/workGroup.ts'
import { WorkLog } from '../contract/workLog.ts'
import { WorkShift } from '../contract/workShift.ts'

const minutes = (zh: string, en: string) => whole(zh, en, { unit: 'minute' })
export const nouns: Noun[] = [
  { table: 'staff.collector', entity: Collector },
  { table: 'staff.work_group', entity: WorkGroup },
  { table: 'staff.handheld_lock', label: ['手持机锁定', 'Handheld lock'], entity: Handheld, also: { reason: text('原因', 'Reason') } },
  { table: 'staff.request', entity: Request },
  { table: 'staff.closed_month', entity: ClosedMonth },
  { table: 'staff.work_shift', entity: WorkShift },
  { table: 'staff.warning_rule', entity: WarningRule },
  { table: 'staff.warning', entity: WorkWarning, also: { collectorId: id('收费员', 'Collector'), cellId: id('排班', 'Shift') } },
  {
    table: 'staff.work_log',
    entity: WorkLog,
    also: {
      cellId: id('排班', 'Shift'),
      collectorId: id('收费员', 'Collector'),
      untilAt: instant('最晚下班', 'Latest end'),
      incidents: text('事件', 'Incidents'),
    },
  },
  {
    table: 'staff.cell',
    entity: Cell,
    also: {
      collectorId: id('收费员', 'Collector'),
      hours: text('时段', 'Hours'),
      lateGraceMin: minutes('迟到宽限', 'Late grace'),
      earlyGraceMin: minutes('早退宽限', 'Early-leave grace'),
      checkInFromMin: minutes('提前签到', 'Check-in opens'),
      checkOutToMin: minutes('延后签退', 'Check-out closes'),
    },
  },
  {
    table: 'staff.notice',
    label: ['人员通知', 'Staff notice'],
    entity: Collector,
    also: {
      taskId: id('任务编号', 'Task'),
      collectorId: id('收费员', 'Collector'),
      title: text('标题', 'Title'),
      content: text('内容', 'Content'),
      urgent: yes('紧急', 'Urgent'),
      state: among('状态', 'Status', NoticeState),
      sentAt: instant('发送时间', 'Sent at'),
      senderName: text('发送人', 'Sent by'),
    },
  },
]
