import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS } from '../../../platform/contract/time.ts'
import { cityDay, dayEnd, dayStart, time } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'
import { WarningState } from '../contract/workWarning.ts'

const SHIFTS = '/assetManage/person/attendance/record'
/** Work shifts of some days, both included, that had begun by then: a later one is in no figure. */
export const shiftsOn = (first: string, last: string, at: Instant, criteria: Criteria = {}) =>
  listAt(SHIFTS, { workDateFrom: first, workDateTo: last, startAtTo: time(at), ...criteria })
/** Work shifts of a day that had begun by then, and the night shift from the day before. A shift ends on a whole minute. */
export const shiftsNow = (at: Instant, criteria: Criteria = {}) =>
  shiftsOn(dayBefore(cityDay(at)), cityDay(at), at, { endAtFrom: `${cityDay(at)} 00:01:00`, ...criteria })
const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)

/** One request, among those that collectors made. */
export const requestsAt = (requestNo: string) => listAt(SHIFTS, { tab: 'requests', requestNo })

const WARNINGS = '/assetManage/person/alarm/record'
/** Warnings of some days, both included; a false alarm is in no figure. */
export const warningsOn = (first: string, last: string, criteria: Criteria = {}) =>
  listAt(WARNINGS, { startAtFrom: dayStart(first), startAtTo: dayEnd(last), state: [WarningState.open, WarningState.handled], ...criteria })
