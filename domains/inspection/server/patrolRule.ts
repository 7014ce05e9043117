import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { patrolRules } from '../contract/patrolRule.ts'
import { TaskState } from '../contract/task.ts'
import { plan, refresh, unplan } from './planning.ts'
import { refuseItems, refuseName, refuseTimes, type Rule, ruleLines, rules, setParks } from './ruleRow.ts'
import { Said } from '../contract/said.ts'

const Begun = refusal(
  'inspection.rule-begun',
  42003,
  '规则「{name}」已有任务开始执行，不能删除；不再使用时请移除其全部车场',
  'A task of “{name}” has started, so it cannot be deleted: to stop it, remove all its car parks',
)

export const calls = serve(patrolRules, {
  query: ({ tx, input }) => page(tx, ruleLines, input),
  async parks({ tx, input: { ruleId } }) {
    if (!(await find(tx, ruleLines, ruleId))) throw NotFound()
    return run(tx, { sql: PARKS }, [ruleId])
  },
  async updateParks({ tx, input: { ruleId, version, parkCodes, dryRun = false }, at }) {
    const found = await lockRow(tx, rules, { id: ruleId, version })
    if (!dryRun) return change(tx, found, parkCodes, at)
    await run(tx, { sql: 'savepoint tried' }, [])
    const would = await change(tx, found, parkCodes, at)
    await run(tx, { sql: 'rollback to savepoint tried' }, [])
    return would
  },
  async insert({ tx, input: { parkCodes = [], times = 1, items, ...given }, at }) {
    refuseTimes({ ...given, times })
    refuseItems(items, given.deviceTypes)
    await refuseName(tx, given.name)
    const made = await addRow(tx, rules, { ...given, times, items: json(items), createdAt: at, updatedAt: at })
    await setParks(tx, made.id, parkCodes)
    await plan(tx, made, at)
    return (await find(tx, ruleLines, made.id))!
  },
  async update({ tx, input: { id, version, items, ...changes }, at }) {
    const found = await lockRow(tx, rules, { id, version })
    const next = { ...found, ...changes, ...(items && { items }) }
    refuseTimes(next)
    refuseItems(next.items, next.deviceTypes)
    if (next.name !== found.name) await refuseName(tx, next.name, id)
    const set = await setRow(tx, rules, found, { ...changes, ...(items && { items: json(items) }) }, at)
    const otherwise = set.cycle !== found.cycle || set.times !== found.times
    const cancelled = otherwise ? await unplan(tx, id, Said.cycleChanged, at) : 0
    return { cancelled, kept: await refresh(tx, id, at), created: await plan(tx, set, at) }
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rules, input)
    if ((await run(tx, { sql: BEGUN }, [found.id])).length > 0) throw Begun({ name: found.name })
    await unplan(tx, found.id, Said.ruleDeleted, at)
    await removeRow(tx, rules, found, at)
  },
  export: exporting(patrolRules.export, ruleLines),
})
const PARKS = `select p.park_code, p.name, exists (select from inspection.rule_park k where k.enterprise_id = p.enterprise_id and k.rule_id = r.id and k.park_code = p.park_code) as checked,
    (select count(*)::integer from inspection.thing d where d.enterprise_id = p.enterprise_id and d.park_code = p.park_code and d.type = any (r.device_types)) as device_count,
    (select count(*)::integer from inspection.task t where t.enterprise_id = p.enterprise_id and t.rule_id = r.id and t.park_code = p.park_code and t.state in (${TaskState.waiting}, ${TaskState.begun}, ${TaskState.overdue})) as open_tasks
  from inspection.rule r join parking.park p on p.enterprise_id = r.enterprise_id where r.enterprise_id = scope_enterprise() and r.id = $1 and not p.deleted order by checked desc, p.park_code`
const BEGUN = 'select 1 from inspection.task where enterprise_id = scope_enterprise() and rule_id = $1 and started_at is not null limit 1'

/** Changes a rule's parks: begun tasks of a removed park are finished and count; waiting ones are cancelled. */
async function change(tx: Tx, found: Rule, parkCodes: readonly string[], at: Instant) {
  const { added, removed } = await setParks(tx, found.id, parkCodes)
  const cancelled = await unplan(tx, found.id, Said.parkRemoved, at, removed)
  const [left] = await run<{ kept: number }>(tx, { sql: KEPT }, [found.id])
  const created = await plan(tx, found, at, added)
  if (added.length > 0 || removed.length > 0) await setRow(tx, rules, found, {}, at)
  return { created, cancelled, kept: left!.kept }
}
const KEPT = `select count(*)::integer as kept from inspection.task where enterprise_id = scope_enterprise() and rule_id = $1 and state in (${TaskState.waiting}, ${TaskState.begun}, ${TaskState.overdue})`
