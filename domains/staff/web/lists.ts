import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/listAt.ts'
import { WarningState } from '../contract/warning.ts'

/** Work shifts of some days, both included. */
export const shiftsOn = (first: string, last: string, criteria: Criteria = {}) =>
  listAt('/assetManage/person/attendance/record', { workDateFrom: first, workDateTo: last, ...criteria })

const WARNINGS = '/assetManage/person/alarm/record'
/** Warnings of some days, both included; a false alarm is in no figure. */
export const warningsOn = (first: string, last: string, criteria: Criteria = {}) =>
  listAt(WARNINGS, { startAtFrom: dayStart(first), startAtTo: dayEnd(last), state: [WarningState.open, WarningState.handled], ...criteria })
/** Warnings that nobody has looked at. */
export const openWarnings = (criteria: Criteria = {}) => listAt(WARNINGS, { state: WarningState.open, ...criteria })
