import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { type Item, ItemType, KeptRule, PatrolRule, patrolRuleSearch } from '../contract/patrolRule.ts'
import { timesMax } from './periods.ts'
import './tables.ts'

export type Rule = Of<typeof KeptRule>
export const rules = listOver(KeptRule, 'inspection.rule', patrolRuleSearch)
/** With the parks that it covers. */
export const ruleLines = listOver(PatrolRule, 'inspection.ruleLine', patrolRuleSearch)

export const NameTaken = refusal(
  'inspection.rule-name',
  42000,
  '已有名为「{name}」的巡检规则，请换一个名称',
  'A patrol rule named “{name}” already exists: choose another name',
)
const TooOften = refusal('inspection.too-often', 42001, '该周期最多 {most} 次', 'At most {most:time} per period of this length', 422)
const NoSuchPark = refusal(
  'inspection.no-such-park',
  42002,
  '没有车场 {parkCode}，或您不管理它，请重新选择',
  'Car park {parkCode} does not exist or is out of your scope: choose another',
  422,
)

/** @throws NameTaken */
export async function refuseName(tx: Tx, name: string, but: string | null = null): Promise<void> {
  await run(tx, { sql: IN_TURN }, [name])
  const sql = 'select 1 from inspection.rule where enterprise_id = scope_enterprise() and name = $1 and id is distinct from $2'
  if ((await run(tx, { sql }, [name, but])).length > 0) throw NameTaken({ name })
}
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('inspection rule ' || $1, scope_enterprise()))`

/** @throws TooOften */
export function refuseTimes({ cycle, times }: Pick<Rule, 'cycle' | 'times'>): void {
  const most = timesMax(cycle)
  if (times > most) throw TooOften({ most })
}

/** Items are told apart by their names; only a number has bounds, and they are the right way round. @throws BadInput */
export function refuseItems(items: readonly Of<typeof Item>[], deviceTypes: readonly number[]): void {
  if (items.length === 0) throw BadInput({ zh: '请填写检查项', en: 'enter at least one item' })
  if (deviceTypes.length === 0) throw BadInput({ zh: '请选择设备类型', en: 'choose device types' })
  if (new Set(items.map(({ name }) => name)).size < items.length) throw BadInput({ zh: '检查项不能重名', en: 'item names must differ' })
  for (const { name, type, min = null, max = null } of items) {
    if (type !== ItemType.number && (min !== null || max !== null))
      throw BadInput({ zh: `「${name}」不是数值，没有上下限`, en: `“${name}” is not a number and has no limits` })
    if (min !== null && max !== null && min > max)
      throw BadInput({ zh: `「${name}」的下限大于上限`, en: `“${name}”: the lower limit is above the upper limit` })
  }
}

/** Sets the parks of a rule; answers with those that came and those that went. @throws NoSuchPark */
export async function setParks(tx: Tx, ruleId: string, parkCodes: readonly string[]): Promise<{ added: string[]; removed: string[] }> {
  const wanted = [...new Set(parkCodes)]
  const there = new Set((await run<{ parkCode: string }>(tx, { sql: THERE }, [wanted])).map(({ parkCode }) => parkCode))
  const unknown = wanted.find((code) => !there.has(code))
  if (unknown !== undefined) throw NoSuchPark({ parkCode: unknown })
  const removed = await run<{ parkCode: string }>(tx, { sql: REMOVE }, [ruleId, wanted])
  const added = await run<{ parkCode: string }>(tx, { sql: ADD }, [ruleId, wanted])
  return { added: added.map(({ parkCode }) => parkCode), removed: removed.map(({ parkCode }) => parkCode) }
}
const THERE = 'select park_code from parking.park where enterprise_id = scope_enterprise() and not deleted and park_code = any ($1)'
const REMOVE =
  'delete from inspection.rule_park where enterprise_id = scope_enterprise() and rule_id = $1 and park_code <> all ($2) returning park_code'
const ADD = 'insert into inspection.rule_park (rule_id, park_code) select $1::uuid, unnest($2::text[]) on conflict do nothing returning park_code'
