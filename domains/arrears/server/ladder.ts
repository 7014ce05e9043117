import type { Instant } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, msOf } from '../../../platform/contract/time.ts'

/** Reminders go out on these days after a debt arose; after the last one a blacklist entry is proposed. */
export const LADDER_DAYS = [1, 3, 7, 15, 30] as const
/** Nobody is reminded between these hours of the city. */
const QUIET_FROM = 21
const QUIET_TO = 8
const HOUR_MS = 3_600_000

/** The hour of the city, 0 to 23. */
const hourOf = (at: Instant): number => new Date(msOf(at) + CITY_OFFSET_MS).getUTCHours()
export const isQuiet = (at: Instant): boolean => hourOf(at) >= QUIET_FROM || hourOf(at) < QUIET_TO

/** The moment itself, or the end of the quiet hours that it falls into. */
export function outOfQuiet(at: Instant): Instant {
  if (!isQuiet(at)) return at
  const midnight = Math.floor((msOf(at) + CITY_OFFSET_MS) / DAY_MS) * DAY_MS - CITY_OFFSET_MS
  return instantAt(midnight + QUIET_TO * HOUR_MS + (hourOf(at) >= QUIET_FROM ? DAY_MS : 0))
}
/** When the reminder of a step is due; `undefined` behind the last one. */
export function dueAt(createdAt: Instant, step: number): Instant | undefined {
  const days = LADDER_DAYS[step]
  return days === undefined ? undefined : outOfQuiet(instantAt(msOf(createdAt) + days * DAY_MS))
}
export const firstDun = (createdAt: Instant): Instant => dueAt(createdAt, 0)!
