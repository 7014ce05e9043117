import type { Day, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { BadInput } from '../../../platform/server/refusal.ts'

/** A year and a leap day. */
const DAYS_MAX = 366

interface Asked {
  dateFrom?: Day
  dateTo?: Day
  parkCode?: string
}
/** The days asked for, as moments; up to now where they are not over. @throws BadInput */
export function rangeOf({ dateFrom, dateTo, parkCode }: Asked, at: Instant) {
  const today = dayOf(at)
  const [first, last] = [dateFrom ?? dateTo ?? (`${today.slice(0, 7)}-01` as Day), dateTo ?? today]
  const [from, to] = [startOf(first), instantAt(msOf(startOf(last)) + DAY_MS)]
  if (msOf(from) >= msOf(to)) throw BadInput({ zh: '开始日期晚于结束日期', en: 'the start date is after the end date' })
  if (msOf(to) - msOf(from) > DAYS_MAX * DAY_MS) throw BadInput({ zh: `最多 ${DAYS_MAX} 天`, en: `at most ${DAYS_MAX} days` })
  return { from, to, until: msOf(to) < msOf(at) ? to : at, parkCode: parkCode ?? null }
}
