import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/jobs.ts'
import { TaskState } from '../contract/task.ts'
import { DUE_NOW, plan } from './planning.ts'
import type { Rule } from './ruleRow.ts'

/** What every rule wants done in the week ahead. */
export async function planAll(tx: Tx, at: Instant): Promise<void> {
  const rules = await run<Pick<Rule, 'id' | 'cycle' | 'times'>>(tx, { sql: RULES }, [])
  for (const rule of rules) await plan(tx, rule, at)
}
const RULES = 'select id, cycle, times from inspection.rule where enterprise_id = scope_enterprise() order by id'

/** What time alone does to tasks: overdue when it was to be done, missed when its period is over and nobody began. */
export async function tick(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: MISS }, [at])
  await run(tx, { sql: EXPIRE }, [at])
}
const { waiting, begun, overdue, missed } = TaskState
const AT_ONCE = 500
const ROWS = (where: string) =>
  `select id from inspection.task where enterprise_id = scope_enterprise() and ${where} and plan_to <= $1 order by plan_to limit ${AT_ONCE} for update skip locked`
const MISSED = ROWS(`state in (${waiting}, ${overdue}) and started_at is null and period_to <= $1`)
const EXPIRED = ROWS(`state in (${waiting}, ${begun})`)
const MISS = `update inspection.task t set state = ${missed}, due_count = ${DUE_NOW}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and id in (${MISSED})`
const EXPIRE = `update inspection.task t set state = ${overdue}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and id in (${EXPIRED})`

export const tasks = [
  task('inspection.plan', ({ tx, at }) => planAll(tx, at), { every: '7 * * * *' }),
  task('inspection.tick', ({ tx, at }) => tick(tx, at), { every: '* * * * *' }),
] // prettier-ignore
