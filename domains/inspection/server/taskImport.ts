import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { addRow, json } from '../../../platform/server/row.ts'
import type { Outcome, RowContext } from '../../../platform/server/sheets/importing.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { parkOf } from '../../parking/server/api.ts'
import { type scheduling, TaskSource } from '../contract/task.ts'
import type { Rule } from './ruleRow.ts'
import { inspectorOf, kept, refuseBackwards } from './taskRow.ts'

const NoSuchRule = refusal(
  'inspection.no-such-rule',
  42008,
  '没有巡检规则「{name}」，请核对名称',
  'No patrol rule is named “{name}”: check the name',
  422,
)

type Row = Of<(typeof scheduling)['import']['row']>
type Known = ReadonlyMap<string, Rule>

/** A row of a sheet by the rules of adding a task. */
export const taskImport = { prepare, row }

async function prepare({ tx, rows }: { tx: Tx; rows: readonly Row[] }): Promise<Known> {
  const names = [...new Set(rows.map(({ ruleName }) => ruleName))]
  const found = await run<Rule>(tx, { sql: RULES }, [names])
  return new Map(found.map((rule) => [rule.name, rule]))
}
const RULES = 'select id, name, device_types, items from inspection.rule where enterprise_id = scope_enterprise() and name = any ($1)'

async function row({
  tx,
  row: { ruleName, parkCode, tollNo, planFrom, planTo, remark = null },
  known,
  at,
}: RowContext<Row, Known>): Promise<Outcome> {
  const rule = known.get(ruleName)
  if (!rule) throw NoSuchRule({ name: ruleName })
  refuseBackwards(planFrom, planTo)
  await parkOf(tx, parkCode)
  if ((await run(tx, { sql: THERE }, [rule.id, parkCode, planFrom, planTo])).length > 0) return 'same'
  if (msOf(planTo) <= msOf(at)) throw BadInput({ zh: '计划完成时间已过', en: 'the planned end is in the past' })
  const collectorId = tollNo ? (await inspectorOf(tx, tollNo)).id : null
  const { id: ruleId, name, deviceTypes, items } = rule
  await addRow(tx, kept, {
    name,
    ruleId,
    parkCode,
    deviceTypes,
    items: json(items),
    planFrom,
    planTo,
    remark,
    collectorId,
    source: TaskSource.sheet,
    createdAt: at,
    updatedAt: at,
  })
  return 'added'
}
const THERE = `select 1 from inspection.task where enterprise_id = scope_enterprise() and rule_id = $1 and park_code = $2 and plan_from = $3 and plan_to = $4`
