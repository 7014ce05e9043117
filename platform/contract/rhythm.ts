import type { Day, Instant } from './field.ts'
import { Rhythm } from './scheduled.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, msOf, startOf } from './time.ts'

export interface Timing {
  rhythm: 1 | 2 | 3
  day: number | null
  /** `HH:mm` of the city. */
  timeOfDay: string
}
const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10) as Day
const msOfDay = (day: Day) => Date.parse(`${day}T00:00:00Z`)
/** Monday is 1. */
const weekdayOf = (day: Day) => new Date(msOfDay(day)).getUTCDay() || 7
const DAYS_LOOKED_AT = 62 // two months hold every rhythm once

/** The next time after `after`, by the city's clock. A month without that day has it on its last. */
export function nextTime({ rhythm, day, timeOfDay }: Timing, after: Instant): Instant {
  const [hours, minutes] = timeOfDay.split(':').map(Number) as [number, number]
  const first = msOfDay(dayOf(after))
  for (let ahead = 0; ahead <= DAYS_LOOKED_AT; ahead++) {
    const on = dayAt(first + ahead * DAY_MS)
    if (!fallsOn(on, rhythm, day)) continue
    const at = msOf(startOf(on)) + (hours * 60 + minutes) * MINUTE_MS
    if (at > msOf(after)) return instantAt(at)
  }
  throw new Error('A rhythm without a next time.')
}
function fallsOn(on: Day, rhythm: number, day: number | null): boolean {
  if (rhythm === Rhythm.daily) return true
  if (rhythm === Rhythm.weekly) return weekdayOf(on) === day
  const date = new Date(msOfDay(on))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === Math.min(day!, last)
}

/** The whole days before a run: yesterday, the last seven, the calendar month before. */
export function stretchBefore(rhythm: number, at: Instant): { from: Day; to: Day } {
  const today = msOfDay(dayOf(at))
  if (rhythm !== Rhythm.monthly) return { from: dayAt(today - (rhythm === Rhythm.daily ? 1 : 7) * DAY_MS), to: dayAt(today - DAY_MS) }
  const date = new Date(today)
  const month = (offset: number, day: number) => dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, day))
  return { from: month(-1, 1), to: month(0, 0) }
}

/** Of an export's criteria, those with two ends in time: what may move along. */
export const movable = (input: unknown): string[] => {
  const { properties } = input as { properties: Record<string, { format?: string }> }
  return Object.keys(properties).flatMap((name) => {
    const field = name.replace(/From$/, '')
    const isTime = ['date', 'date-time'].includes(properties[name]!.format ?? '')
    return field !== name && isTime && `${field}To` in properties ? [field] : []
  })
}
