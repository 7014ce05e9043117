/**
 * Time of the city as whole seconds since 1970-01-01 00:00:00 on its wall clock, and days as whole days since then. Plain integer arithmetic:
 * the process's own zone never has a say.
 */
export type Civil = number

export const DAY_SECONDS = 86_400
/** Asia/Shanghai, which has no summer time. */
export const CITY_OFFSET_SECONDS = 8 * 3600

export const civilOfInstant = (instant: string): Civil => Math.floor(Date.parse(instant) / 1000) + CITY_OFFSET_SECONDS
export const instantOfCivil = (civil: Civil) => new Date((civil - CITY_OFFSET_SECONDS) * 1000).toISOString()

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/
/** `2026-03-04 09:00:00`, with or without its seconds, or a date alone; undefined when it is no such time. */
export function civilOf(written: string): Civil | undefined {
  const parts = WRITTEN.exec(written)
  if (!parts) return undefined
  const [year, month, date, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const midnight = Date.UTC(year, month - 1, date) / 1000
  const isDate = new Date(midnight * 1000).getUTCDate() === date && month >= 1 && month <= 12
  if (!isDate || hour > 24 || minute > 59 || second > 59) return undefined
  return midnight + hour * 3600 + minute * 60 + second
}
export const dayNumber = (date: string) => Math.floor(civilOf(date)! / DAY_SECONDS)
export const civilText = (civil: Civil) => new Date(civil * 1000).toISOString().slice(0, 19).replace('T', ' ')
/** 1 Monday … 7 Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1
export const yearOf = (civil: Civil) => new Date(civil * 1000).getUTCFullYear()
/** Minutes of the day as a clock shows them. */
export const clockText = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
