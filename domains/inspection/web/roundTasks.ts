import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import type { Task } from '../contract/task.ts'

type Row = Of<typeof Task>

/**
 * The tasks as whoever goes takes them: an inspector's own before those of nobody, today's first, then the latest that was left. What cannot begin yet is not offered. Whoever
 * goes for others is offered all.
 */
export function offered(tasks: readonly Row[], { mine, all, now }: { mine: string | undefined; all: boolean; now: Instant }): Row[] {
  const today = dayOf(now)
  const rank = ({ tollNo, planFrom }: Row) => (mine && tollNo === mine ? 0 : 2) + (dayOf(planFrom) === today ? 0 : 1)
  return tasks
    .filter(({ tollNo, planFrom }) => msOf(planFrom) <= msOf(now) && (all || !mine || tollNo === null || tollNo === mine))
    .toSorted((a, b) => rank(a) - rank(b) || msOf(b.planFrom) - msOf(a.planFrom))
}
/** A round begins when its task does, at the earliest. */
export const beginOf = ({ planFrom }: Row, began: Instant): Instant => (msOf(planFrom) > msOf(began) ? planFrom : began)
