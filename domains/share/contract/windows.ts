import type { Instant } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'

export interface Window {
  /** 1 Monday … 7 Sunday. */
  day: number
  from: string
  to: string
}
const [MIDNIGHT, DAY_END] = ['00:00', '24:00']
const dayAfter = (day: number) => (day % 7) + 1
/** As they are kept, by day: a stretch that ends no later than it begins goes on into the next day, round the clock where both are the same. Those that touch are one. */
export function byDay(windows: readonly Window[]): Window[] {
  const parts = windows.flatMap(({ day, from, to }) => {
    if (from < to) return [{ day, from, to }]
    return [{ day, from, to: DAY_END }, ...(to > MIDNIGHT ? [{ day: dayAfter(day), from: MIDNIGHT, to }] : [])]
  })
  const sorted = parts.sort((a, b) => a.day - b.day || a.from.localeCompare(b.from))
  return sorted.reduce<Window[]>((kept, one) => {
    const last = kept.at(-1)
    if (last?.day !== one.day || last.to < one.from) return [...kept, { ...one }]
    return [...kept.slice(0, -1), { ...last, to: last.to > one.to ? last.to : one.to }]
  }, [])
}
/** Returns windows as people say them: one that ends at midnight and goes on in the morning is one night, which ends earlier in the day than it begins. */
export function asSaid(windows: readonly Window[]): Window[] {
  const morningOf = (evening: Window) =>
    evening.to === DAY_END && evening.from > MIDNIGHT
      ? windows.find(({ day, from, to }) => day === dayAfter(evening.day) && from === MIDNIGHT && to < evening.from)
      : undefined
  const nights = new Map(windows.map((one) => [one, morningOf(one)] as const))
  const mornings = new Set(nights.values())
  return windows.filter((one) => !mornings.has(one)).map((one) => ({ ...one, to: nights.get(one)?.to ?? one.to }))
}
/** Returns the parts of a stretch in which a bay is the driver's: its weekly windows. */
export function stretchesOf(windows: readonly Window[], from: Instant, to: Instant): { from: Instant; to: Instant }[] {
  const [first, last] = [msOf(from) + CITY_OFFSET_MS, msOf(to) + CITY_OFFSET_MS]
  const found: { from: Instant; to: Instant }[] = []
  for (let day = Math.floor(first / DAY_MS); day * DAY_MS < last; day++)
    for (const [start, end] of ofDay(windows, day)) {
      const [a, b] = [Math.max(first, day * DAY_MS + start * MINUTE_MS), Math.min(last, day * DAY_MS + end * MINUTE_MS)]
      if (a < b) found.push({ from: instantAt(a - CITY_OFFSET_MS), to: instantAt(b - CITY_OFFSET_MS) })
    }
  return found
}
const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

const WEEK_MS = 7 * DAY_MS
/** Whether a stretch lies in weekly windows, day by day of the city; windows that touch are one. A stretch that lies in them for a week always does. */
export function within(windows: readonly Window[], from: Instant, to: Instant): boolean {
  const first = msOf(from) + CITY_OFFSET_MS
  const last = Math.min(msOf(to) + CITY_OFFSET_MS, first + WEEK_MS)
  for (let day = Math.floor(first / DAY_MS); day * DAY_MS < last; day++) {
    const start = Math.max(first - day * DAY_MS, 0) / MINUTE_MS
    const end = Math.min(last - day * DAY_MS, DAY_MS) / MINUTE_MS
    if (!covers(ofDay(windows, day), start, end)) return false
  }
  return true
}
/** 1970 began on a Thursday. */
const ofDay = (windows: readonly Window[], day: number) =>
  windows
    .filter((one) => one.day === ((day + 3) % 7) + 1)
    .map((one) => [minuteOf(one.from), minuteOf(one.to)] as const)
    .sort(([a], [b]) => a - b)
function covers(stretches: readonly (readonly [number, number])[], start: number, end: number): boolean {
  let reached = start
  for (const [from, to] of stretches) if (from <= reached && to > reached) reached = to
  return reached >= end
}
