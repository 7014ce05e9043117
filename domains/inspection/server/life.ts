import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { TaskState } from '../contract/task.ts'
import { DUE_NOW, plan } from './planning.ts'
import type { Rule } from './ruleRow.ts'

/** Plans the tasks of every rule for the week ahead. */
export async function planAll(tx: Tx, at: Instant): Promise<void> {
  const rules = await run<Pick<Rule, 'id' | 'cycle' | 'times'>>(tx, { sql: RULES }, [])
  for (const rule of rules) await plan(tx, rule, at)
}
const RULES = 'select id, cycle, times from inspection.rule where enterprise_id = scope_enterprise() order by id'

/** Moves tasks on with time: overdue after their planned end, missed when the period is over and nobody began, done when the devices left to inspect went elsewhere. */
export async function tick(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: MISS }, [at])
  await run(tx, { sql: EXPIRE }, [at])
  await run(tx, { sql: FINISH }, [at])
}
const AT_ONCE = 500
const FROM = 'select id from inspection.task where enterprise_id = scope_enterprise() and plan_to <= $1 and'
const NEXT = `order by plan_to limit ${AT_ONCE} for update skip locked`
const MISSED = `${FROM} state in (${TaskState.waiting}, ${TaskState.overdue}) and started_at is null and period_to <= $1 ${NEXT}`
const EXPIRED = `${FROM} state in (${TaskState.waiting}, ${TaskState.begun}) ${NEXT}`
const MISS = `update inspection.task t set state = ${TaskState.missed}, due_count = ${DUE_NOW}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and id in (${MISSED})`
const EXPIRE = `update inspection.task t set state = ${TaskState.overdue}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and id in (${EXPIRED})`
const LEFT = `select from inspection.due d where d.enterprise_id = t.enterprise_id and d.task_id = t.id
    and not exists (select from inspection.task_device k where k.enterprise_id = d.enterprise_id and k.task_id = d.task_id and k.device_no = d.device_no and k.done)`
const FINISH = `update inspection.task t set state = ${TaskState.done}, ended_at = $1, due_count = ${DUE_NOW}, version = version + 1, updated_at = $1
  where enterprise_id = scope_enterprise() and state in (${TaskState.begun}, ${TaskState.overdue}) and started_at is not null and not exists (${LEFT})`

export const tasks = [
  task('inspection.plan', ({ tx, at }) => planAll(tx, at), { every: '7 * * * *' }),
  task('inspection.tick', ({ tx, at }) => tick(tx, at), { every: '* * * * *' }),
]
