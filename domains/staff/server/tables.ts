import type { Generated } from 'kysely'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { Report } from '../contract/attendance.ts'
import type { Collector, CollectorLine } from '../contract/collector.ts'
import type { Handheld } from '../contract/handheld.ts'
import type { Request, RequestLine } from '../contract/request.ts'
import type { Cell } from '../contract/roster.ts'
import type { Till } from '../contract/till.ts'
import type { WarningRule, WorkWarning } from '../contract/workWarning.ts'
import type { WorkGroup, WorkGroupLine } from '../contract/workGroup.ts'
import type { WorkLog } from '../contract/workLog.ts'
import type { WorkShift } from '../contract/workShift.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type LogRow = Exclude<keyof Of<typeof WorkLog>, 'tollNo' | 'name' | 'tollType' | 'groupId' | 'shiftName' | 'workMin'>
type Seen = { enterpriseId: number }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'staff.collector': Filled<Of<typeof Collector>, Row> & Scoped
    'staff.collectorLine': Of<typeof CollectorLine> & Seen
    'staff.workGroup': Filled<Of<typeof WorkGroup>, Row> & Scoped
    'staff.workGroupLine': Of<typeof WorkGroupLine> & Seen
    'staff.workShift': Filled<Of<typeof WorkShift>, Row> & Scoped
    'staff.cellLine': Of<typeof Cell> & Seen
    'staff.workLog': Filled<Pick<Of<typeof WorkLog>, LogRow>, Row> & {
      cellId: Id<'CellId'>
      collectorId: Id<'CollectorId'>
      untilAt: Instant
      incidents: Generated<unknown>
    } & Scoped
    'staff.workLogLine': Of<typeof WorkLog> & Seen
    'staff.warningRule': Omit<Of<typeof WarningRule>, 'updatedAt'> & { updatedAt: Generated<Instant> } & Scoped
    'staff.warningRuleLine': Of<typeof WarningRule> & Seen
    'staff.warning': Filled<Omit<Of<typeof WorkWarning>, 'tollNo' | 'name' | 'groupId'>, Row | 'times' | 'state'> & {
      collectorId: Id<'CollectorId'>
      cellId: Id<'CellId'> | null
    } & Scoped
    'staff.warningLine': Of<typeof WorkWarning> & Seen
    'staff.request': Filled<Of<typeof Request>, Row | 'requestNo'> & Scoped
    'staff.requestLine': Of<typeof RequestLine> & Seen
    'staff.handheld': Of<typeof Handheld> & Seen
    'staff.report': Of<typeof Report> & Seen
    'staff.till': Of<typeof Till> & Seen
  }
}
