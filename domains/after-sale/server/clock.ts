import type { Instant } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { type LevelCode, TARGETS, WARN_PERCENT, WORK_FROM_HOUR, WORK_TO_HOUR } from '../contract/level.ts'

/** Whether people work on a day, counted from 1970-01-01. */
export type Works = (day: number) => boolean
const HOUR_MS = 60 * MINUTE_MS
const FROM_MS = WORK_FROM_HOUR * HOUR_MS
const TO_MS = WORK_TO_HOUR * HOUR_MS
/** A calendar in which nobody ever works again ends somewhere: ten years on. */
const DAYS_MAX = 3_653

const dayAt = (ms: number) => Math.floor((ms + CITY_OFFSET_MS) / DAY_MS)
const midnightOf = (day: number) => day * DAY_MS - CITY_OFFSET_MS

/** Hours of work between two moments; where it goes on day and night, all of them. */
export function workMs(from: Instant, to: Instant, works: Works | undefined): number {
  const [a, b] = [msOf(from), msOf(to)]
  if (b <= a) return 0
  if (!works) return b - a
  let sum = 0
  for (let day = dayAt(a); day <= dayAt(b); day++)
    if (works(day)) sum += Math.max(0, Math.min(b, midnightOf(day) + TO_MS) - Math.max(a, midnightOf(day) + FROM_MS))
  return sum
}
export const workMinutes = (from: Instant, to: Instant, works: Works | undefined) => Math.floor(workMs(from, to, works) / MINUTE_MS)

/** The moment at which so much work has been done. */
export function afterWork(from: Instant, ms: number, works: Works | undefined): Instant {
  const start = msOf(from)
  if (!works) return instantAt(start + ms)
  let left = ms
  const first = dayAt(start)
  for (let day = first; day < first + DAYS_MAX; day++) {
    if (!works(day)) continue
    const opens = Math.max(start, midnightOf(day) + FROM_MS)
    const room = midnightOf(day) + TO_MS - opens
    if (room <= 0) continue
    if (left <= room) return instantAt(opens + left)
    left -= room
  }
  return instantAt(midnightOf(first + DAYS_MAX))
}

/** A stretch in which the customer had to speak. */
export interface Pause {
  from: Instant
  to: Instant
}
export interface Limits {
  respondDueAt: Instant
  dueAt: Instant
  warnAt: Instant
}
/** The calendar that an order of a level runs by; undefined is day and night. */
export const clockOf = (level: LevelCode, works: Works): Works | undefined => (TARGETS[level].dayAndNight ? undefined : works)

/** Returns the limits of a level, counted from the beginning of the round. Working time spent waiting for the customer is added. */
export function limitsOf(level: LevelCode, from: Instant, pauses: readonly Pause[], works: Works): Limits {
  const { respondMin, solveMin } = TARGETS[level]
  const clock = clockOf(level, works)
  const paused = pauses.reduce((sum, pause) => sum + workMs(pause.from, pause.to, clock), 0)
  const after = (minutes: number) => afterWork(from, minutes * MINUTE_MS + paused, clock)
  return { respondDueAt: afterWork(from, respondMin * MINUTE_MS, clock), dueAt: after(solveMin), warnAt: after((solveMin * WARN_PERCENT) / 100) }
}

const WORK_DAY_MS = TO_MS - FROM_MS
/** Returns the moment so many working days on, at the same time of the day where that is within the hours of work. */
export const afterDays = (from: Instant, days: number, works: Works): Instant => afterWork(from, days * WORK_DAY_MS, works)
