import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { Compare, GroupBy, SPAN_DAYS_MAX } from '../contract/span.ts'

const TooLong = refusal(
  'charging.span-too-long',
  41389,
  '结束时间须晚于开始时间，且跨度不超过 366 天',
  'The end must be after the start, and the range no longer than 366 days',
  422,
)

export interface Asked {
  timeFrom: Instant
  timeTo: Instant
  stationId?: string
  operatorId?: string
  groupBy?: number
  compare?: number
}
/** A time until now at the latest, and the same elapsed time of another one. Both ends belong to it. */
export interface Span {
  from: Instant
  to: Instant
  /** Into the other time: `interval` of PostgreSQL. */
  shift: string
  thenFrom: Instant | null
  thenTo: Instant | null
}
/** Who asks for a sheet and says no time means the last month. */
export function withTimes(asked: Partial<Asked>, at: Instant): Asked {
  const timeTo = asked.timeTo ?? at
  return { ...asked, timeTo, timeFrom: asked.timeFrom ?? startOf(dayOf(instantAt(msOf(timeTo) - SHEET_DAYS * DAY_MS))) }
}
const SHEET_DAYS = 30
/** @throws TooLong */
export function spanOf({ timeFrom, timeTo, compare }: Asked, at: Instant): Span {
  const [from, last] = [msOf(timeFrom), msOf(timeTo)]
  if (last < from || last - from > SPAN_DAYS_MAX * DAY_MS) throw TooLong()
  const to = Math.max(from, Math.min(last, msOf(at)))
  const days = Math.max(1, Math.ceil((last - from) / DAY_MS))
  const shift = compare === Compare.lastYear ? '1 year' : `${days} days`
  const then = (ms: number) => (compare === Compare.lastYear ? yearBefore(ms) : ms - days * DAY_MS)
  return { from: timeFrom, to: instantAt(to), shift, thenFrom: compare ? instantAt(then(from)) : null, thenTo: compare ? instantAt(then(to)) : null }
}
/** As PostgreSQL reckons it: 29 February has the 28th before it. */
function yearBefore(ms: number): number {
  const at = new Date(ms)
  const day = at.getUTCMonth() === 1 && at.getUTCDate() === 29 ? 28 : at.getUTCDate()
  return Date.UTC(at.getUTCFullYear() - 1, at.getUTCMonth(), day, at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), at.getUTCMilliseconds())
}

/** A moment, or a station, as the group that it falls into. */
export const groupOf = (groupBy: number | undefined, moment: string, stationId: string): string =>
  groupBy === GroupBy.station ? stationId : `to_char(${moment} at time zone 'Asia/Shanghai', '${FORMATS[groupBy ?? GroupBy.day]}')`
const FORMATS: Record<number, string> = { [GroupBy.hour]: 'YYYY-MM-DD HH24:00', [GroupBy.day]: 'YYYY-MM-DD', [GroupBy.month]: 'YYYY-MM' }

/** (now − then) / then, in thousandths. */
export const ratioOf = (now: number, then: number | null): number | null => (!then ? null : Math.round(((now - then) * 1000) / Math.abs(then)))

/** A page of what is small enough to be reckoned whole. */
export const pageOfRows = <T>(rows: readonly T[], { current = 1, limit = 20 }: { current?: number; limit?: number }) => ({
  records: rows.slice((current - 1) * limit, current * limit),
  total: rows.length,
  totalExact: true,
})
