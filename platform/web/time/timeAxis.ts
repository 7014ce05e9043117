import type { Day, Instant } from '../../contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS } from '../../contract/time.ts'

/** The weeks that show a month, Monday first: whole weeks, so the first and last days may belong to its neighbours. `month`: `2026-11`. */
export function weeksOf(month: string): Day[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS
  const after = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`)
  const weeks = Math.ceil((after - monday) / (7 * DAY_MS))
  return Array.from({ length: weeks }, (_, week) => Array.from({ length: 7 }, (__, day) => dayAt(monday + (week * 7 + day) * DAY_MS)))
}
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10) as Day

/** `2026-11` and 2 are `2027-01`. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The part of time that is shown, in milliseconds. */
export interface Span {
  from: number
  to: number
}
/** Where a stretch lies on the span, in percent; undefined when none of it is shown. Without an end it goes on. */
export function placeOf(span: Span, from: Instant | string, to: Instant | string | null): { left: number; width: number; cut: boolean } | undefined {
  const [begin, end] = [Date.parse(from), to === null ? span.to : Date.parse(to)]
  const [shownFrom, shownTo] = [Math.max(begin, span.from), Math.min(end, span.to)]
  if (shownTo <= shownFrom) return undefined
  const part = 100 / (span.to - span.from)
  return { left: (shownFrom - span.from) * part, width: (shownTo - shownFrom) * part, cut: begin < span.from || end > span.to }
}

/** Stretches that overlap lie on lines of their own: for each its line, from the top, with as few lines as there are at once. */
export function linesOf(stretches: readonly { from: string; to: string | null }[]): number[] {
  const ends: number[] = []
  const lines: number[] = Array.from({ length: stretches.length }, () => 0)
  const order = stretches.map((_, at) => at).toSorted((a, b) => Date.parse(stretches[a]!.from) - Date.parse(stretches[b]!.from))
  for (const at of order) {
    const { from, to } = stretches[at]!
    const free = ends.findIndex((end) => end <= Date.parse(from))
    const line = free < 0 ? ends.length : free
    ends[line] = to === null ? Number.POSITIVE_INFINITY : Date.parse(to)
    lines[at] = line
  }
  return lines
}

const HOUR_MS = 3_600_000
const STEPS_MS = [HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 7 * DAY_MS]
/** Within an hour or two. */
export const MINUTES_MS = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000)
/** Round moments of the city's clock on the span, at most so many. */
export function ticksOf({ from, to }: Span, most: number, finer: readonly number[] = []): number[] {
  const step = [...finer, ...STEPS_MS].find((one) => (to - from) / one <= most) ?? 30 * DAY_MS
  const first = Math.ceil((from + CITY_OFFSET_MS) / step) * step - CITY_OFFSET_MS
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, at) => first + at * step)
}
