import type { Day, Instant } from './field.ts'

/** The city keeps one offset all year (UTC+8, no summer time), so a business day is plain arithmetic. */
export const CITY_ZONE = 'Asia/Shanghai'
/** Said wherever times are asked for or taken away: the page's own clock may be another. */
export const ZONE_NAME = ['北京时间 UTC+8', 'Beijing time, UTC+8'] as const
export const ZONE_MARK = 'UTC+8'
export const CITY_OFFSET_MS = 8 * 3_600_000
export const DAY_MS = 86_400_000
export const MINUTE_MS = 60_000
const SECOND_MS = 1_000

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
const CITY = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)$/
const DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/

/** ISO 8601 with an offset, or city time as `yyyy-MM-dd HH:mm:ss` or 14 digits; undefined when it is none of them or no real time. */
export function instantOf(text: string): Instant | undefined {
  const city = CITY.exec(text) ?? DIGITS.exec(text)
  if (!city && !ISO.test(text)) return undefined
  const iso = city ? `${city[1]}-${city[2]}-${city[3]}T${city[4]}:${city[5]}:${city[6]}+08:00` : text
  const ms = Date.parse(iso)
  if (Number.isNaN(ms) || !isReal(iso)) return undefined
  return instantAt(ms)
}
/** Whether the calendar has the day that an ISO text begins with: `Date.parse` takes 30 February for 2 March. */
export function isReal(iso: string): boolean {
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

const DAY = /^(\d{4})-?(\d\d)-?(\d\d)$/
/** A day as `yyyy-MM-dd` or 8 digits, or the city's day of whatever `instantOf` reads; undefined when it is none of them or no real day. */
export function dayIn(text: string): Day | undefined {
  const day = DAY.exec(text)
  if (!day) return ((at) => at && dayOf(at))(instantOf(text))
  const iso = `${day[1]}-${day[2]}-${day[3]}`
  return isReal(iso) && Number(day[2]) <= 12 ? (iso as Day) : undefined
}
/** A moment in any form, or by its day alone the first or the last one of that day. */
export function edgeIn(text: string, of: 'first' | 'last'): Instant | undefined {
  const day = DAY.test(text) ? dayIn(text) : undefined
  if (!day) return instantOf(text)
  return of === 'first' ? startOf(day) : instantAt(msOf(startOf(day)) + DAY_MS - 1)
}

/** The last moment that a text means: of a day all of it, of city time, which has no fractions, all of its second. */
export function lastIn(text: string): Instant | undefined {
  const at = edgeIn(text, 'last')
  return at && (CITY.test(text) || DIGITS.test(text)) ? instantAt(msOf(at) + SECOND_MS - 1) : at
}

/** Milliseconds since 1970 as an instant. It always has its three digits of milliseconds, so that the order of texts is that of times. */
export const instantAt = (ms: number): Instant => new Date(ms).toISOString() as Instant
export const msOf = (at: Instant): number => Date.parse(at)
/** The business day on which an instant falls. */
export const dayOf = (at: Instant): Day => new Date(Date.parse(at) + CITY_OFFSET_MS).toISOString().slice(0, 10) as Day
/** The first instant of a business day. */
export const startOf = (day: Day): Instant => instantAt(Date.parse(`${day}T00:00:00Z`) - CITY_OFFSET_MS)
/** The day so many days later, or earlier. */
export const dayBy = (day: Day, days: number): Day => dayOf(instantAt(msOf(startOf(day)) + days * DAY_MS))
/** `yyyy-MM-dd HH:mm:ss` in the city's zone. */
export const cityTime = (at: Instant): string => new Date(Date.parse(at) + CITY_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
/** A time that somebody else's file tells: what lies in another century was misread. */
export const isOfThisCentury = (at: Instant): boolean => at >= '2000' && at < '2100'
