import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import type { Text } from '../../../platform/web/text.ts'
import type { Task } from '../contract/task.ts'

type Row = Of<typeof Task>

/**
 * The tasks as their inspector takes them: an inspector's own before those of nobody, today's first, then the latest that was left. A task that cannot begin yet is not
 * offered. A person
 * who goes for others is offered all.
 */
export function offered(tasks: readonly Row[], { mine, all, now }: { mine: string | undefined; all: boolean; now: Instant }): Row[] {
  const today = dayOf(now)
  const rank = ({ tollNo, planFrom }: Row) => (mine && tollNo === mine ? 0 : 2) + (dayOf(planFrom) === today ? 0 : 1)
  return tasks
    .filter(({ tollNo, planFrom }) => msOf(planFrom) <= msOf(now) && (all || !mine || tollNo === null || tollNo === mine))
    .toSorted((a, b) => rank(a) - rank(b) || msOf(b.planFrom) - msOf(a.planFrom))
}
/** Whether a person may go on a task: its inspector, any inspector where it has none, and a person who goes for others. */
export const goes = ({ tollNo }: Row, { mine, all }: { mine: string | undefined; all: boolean }): boolean =>
  all || (mine !== undefined && (tollNo === null || tollNo === mine))
/** A round begins when its task does, at the earliest. */
export const beginOf = ({ planFrom }: Row, began: Instant): Instant => (msOf(planFrom) > msOf(began) ? planFrom : began)

/** Returns what a round lacks before it can be sent. Without a task nothing can have been inspected yet. */
export function lacking({
  task,
  tollNo,
  startedAt,
  said,
}: {
  task: boolean
  tollNo: string | undefined
  startedAt: Instant | undefined
  said: boolean
}) {
  return {
    ...(!task && { task: ['请选择任务', 'Choose a task'] as Text }),
    ...(!tollNo && { tollNo: ['请选择巡检员', 'Choose an inspector'] as Text }),
    ...(task && !startedAt && { startedAt: ['请填写开始时间', 'Enter when it started'] as Text }),
    ...(task &&
      !said && {
        said: ['请至少填写一台设备的检查结果，或其未检原因', 'Enter the results of at least one device, or why it was not checked'] as Text,
      }),
  }
}
