import type { Instant } from '../../../platform/contract/field.ts'
import { dayEnd, dayStart, time } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'

/** Everything that was sent within some days, both included. */
export const sentOn = (first: string, last: string, criteria: Criteria = {}) =>
  listAt('/operation/message/record', { view: 'all', createdAtFrom: dayStart(first), createdAtTo: dayEnd(last), ...criteria })
/** Within one hour or day of a curve. */
export function sentAt(at: Instant, hourly: boolean, criteria: Criteria = {}) {
  const [day, hour] = time(at).split(/[ :]/) as [string, string]
  if (!hourly) return sentOn(day, day, criteria)
  return sentOn(day, day, { createdAtFrom: `${day} ${hour}:00:00`, createdAtTo: `${day} ${hour}:59:59`, ...criteria })
}
