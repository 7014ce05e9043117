import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { OnJob } from '../../staff/contract/collector.ts'
import type { KeptRule } from '../contract/patrolRule.ts'
import { TaskSource, TaskState } from '../contract/task.ts'
import { partsAhead } from './periods.ts'

type Rule = Of<typeof KeptRule>
/**
 * Makes a rule's tasks for the week ahead, in these of its parks or in all: each part once, however often this runs. The last inspector goes again. A park without devices to
 * inspect gets no task.
 */
export async function plan(
  tx: Tx,
  rule: Pick<Rule, 'id' | 'cycle' | 'times'>,
  at: Instant,
  parkCodes: readonly string[] | null = null,
): Promise<number> {
  const parts = partsAhead(rule, at)
  if (parts.length === 0) return 0
  return (await run(tx, { sql: MAKE }, [rule.id, JSON.stringify(parts), at, parkCodes])).length
}
const MAKE = `insert into inspection.task (name, rule_id, slot, park_code, collector_id, device_types, items, plan_from, plan_to, period_to, source, created_at, updated_at)
  select r.name, r.id, s."slot", p.park_code, w.collector_id, r.device_types, r.items, s."planFrom", s."planTo", s."periodTo", ${TaskSource.rule}, $3, $3
  from inspection.rule r join inspection.rule_park p on p.enterprise_id = r.enterprise_id and p.rule_id = r.id and ($4::text[] is null or p.park_code = any ($4))
  cross join jsonb_to_recordset($2::jsonb) as s("slot" text, "planFrom" timestamptz, "planTo" timestamptz, "periodTo" timestamptz)
  left join lateral (select t.collector_id from inspection.task t join staff.collector c on c.enterprise_id = t.enterprise_id and c.id = t.collector_id and c.on_job = ${OnJob.employed}
    where t.enterprise_id = r.enterprise_id and t.rule_id = r.id and t.park_code = p.park_code and t.plan_to <= s."planFrom" order by t.plan_to desc limit 1) w on true
  where r.enterprise_id = scope_enterprise() and r.id = $1 and exists (select from inspection.thing d where d.enterprise_id = r.enterprise_id and d.park_code = p.park_code and d.type = any (r.device_types))
  on conflict (enterprise_id, rule_id, park_code, slot) where slot is not null do nothing returning id`

/** Cancels the tasks of a rule that are not begun, in these parks or in all. Their slots are free again, so that the rule may want them anew. */
export async function unplan(tx: Tx, ruleId: string, reason: string, at: Instant, parkCodes: readonly string[] | null = null): Promise<number> {
  return (await run(tx, { sql: CANCEL }, [ruleId, reason, at, parkCodes])).length
}
const UNBEGUN = `started_at is null and state in (${TaskState.waiting}, ${TaskState.overdue})`
const OF_RULE = `enterprise_id = scope_enterprise() and rule_id = $1`
/** How many devices it was about stays with a task that is over. */
export const DUE_NOW = '(select count(*)::integer from inspection.about a where a.enterprise_id = t.enterprise_id and a.task_id = t.id)'
const CANCEL = `update inspection.task t set state = ${TaskState.cancelled}, slot = null, reason = $2, due_count = ${DUE_NOW}, version = version + 1, updated_at = $3
  where ${OF_RULE} and ${UNBEGUN} and source = ${TaskSource.rule} and ($4::text[] is null or park_code = any ($4)) returning id`

/** Tasks that are not begun take what their rule says now. */
export async function refresh(tx: Tx, ruleId: string, at: Instant): Promise<number> {
  return (await run(tx, { sql: REFRESH }, [ruleId, at])).length
}
const REFRESH = `update inspection.task t set name = r.name, device_types = r.device_types, items = r.items, version = t.version + 1, updated_at = $2
  from inspection.rule r where t.enterprise_id = scope_enterprise() and t.rule_id = $1 and r.enterprise_id = t.enterprise_id and r.id = t.rule_id and t.started_at is null
    and t.state in (${TaskState.waiting}, ${TaskState.overdue}) and (t.name, t.device_types, t.items) is distinct from (r.name, r.device_types, r.items) returning t.id`
