import type { CodeOf, Day, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { Cycle } from '../contract/patrolRule.ts'

/** Tasks are there a week before they are due, so that they can be given to people. */
export const AHEAD_DAYS = 7

export interface Part {
  /** The name of the part, the same whenever it is worked out. */
  slot: string
  planFrom: Instant
  planTo: Instant
  periodTo: Instant
}
const dayAt = (year: number, month: number, day: number): Day => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10) as Day

/** The period of the city's calendar in which a moment lies: its first day, and the first of the next. Weeks begin on Monday. */
function periodOf(cycle: CodeOf<typeof Cycle>, at: Instant): readonly [Day, Day] {
  const today = dayOf(at)
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const m = month - 1
  if (cycle === Cycle.day) return [today, dayAt(year, m, day + 1)]
  if (cycle === Cycle.week) {
    const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
    return [dayAt(year, m, day - sinceMonday), dayAt(year, m, day - sinceMonday + 7)]
  }
  if (cycle === Cycle.month) return [dayAt(year, m, 1), dayAt(year, m + 1, 1)]
  if (cycle === Cycle.quarter) return [dayAt(year, m - (m % 3), 1), dayAt(year, m - (m % 3) + 3, 1)]
  return [dayAt(year, 0, 1), dayAt(year + 1, 0, 1)]
}

/** Days that the shortest period of a cycle has: more often than daily is for daily rules alone. */
const DAYS: Record<CodeOf<typeof Cycle>, number> = { [Cycle.day]: 1, [Cycle.week]: 7, [Cycle.month]: 28, [Cycle.quarter]: 90, [Cycle.year]: 365 }
const TIMES_A_DAY_MAX = 6
export const timesMax = (cycle: CodeOf<typeof Cycle>): number => (cycle === Cycle.day ? TIMES_A_DAY_MAX : DAYS[cycle])

/** Equal parts of a period; whole days of it, where it has more than one. */
function partsOf([first, next]: readonly [Day, Day], cycle: number, times: number): Part[] {
  const [from, to] = [msOf(startOf(first)), msOf(startOf(next))]
  const days = (to - from) / DAY_MS
  const edge = (n: number) => (days > 1 ? from + Math.floor((days * n) / times) * DAY_MS : from + Math.floor((to - from) * (n / times)))
  return Array.from({ length: times }, (_, n) => ({
    slot: `${cycle}/${times}/${first}/${n + 1}`,
    planFrom: instantAt(edge(n)),
    planTo: instantAt(edge(n + 1)),
    periodTo: instantAt(to),
  }))
}

/** The parts of a rule whose end lies ahead and which begin within the week. */
export function partsAhead({ cycle, times }: { cycle: CodeOf<typeof Cycle>; times: number }, at: Instant): Part[] {
  const until = msOf(at) + AHEAD_DAYS * DAY_MS
  const found: Part[] = []
  let moment = at
  while (msOf(moment) < until) {
    const period = periodOf(cycle, moment)
    found.push(...partsOf(period, cycle, times).filter(({ planFrom, planTo }) => msOf(planTo) > msOf(at) && msOf(planFrom) < until))
    moment = startOf(period[1])
  }
  return found
}
