import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { AlarmRule, alarmRule, type AlarmRuleDetail, alarmRuleSearch } from '../../contract/alarmRule.ts'
import { METRICS, Metric } from '../../contract/performance.ts'
import { AlarmState, AlarmEnding } from '../../contract/alarmRecord.ts'
import { endAlarms } from './alarmRecord.ts'
import { receivers } from '../questions.ts'
import '../tables.ts'

const OutOfRange = refusal('system.alarm-threshold', 40101, '百分比阈值应在 0 至 100 之间', 'A percentage threshold must be between 0 and 100', 422)
const TooMany = refusal('system.alarm-rules', 40102, '最多 {most} 条告警规则', 'At most {most} alarm rules are allowed: delete one first', 422)

/** Each is looked at every minute. */
const RULES_MAX = 200
type Row = Of<typeof AlarmRule>
const rules = listOver(AlarmRule, 'system.alarmRule', alarmRuleSearch)

export const calls = serve(alarmRule, {
  async save({ tx, input }) {
    const [{ n } = { n: 0 }] = await run<{ n: number }>(
      tx,
      { sql: 'select count(*)::int n from system.alarm_rule where enterprise_id = scope_enterprise()' },
      [],
    )
    if (n >= RULES_MAX) throw TooMany({ most: RULES_MAX })
    refuseThreshold(input)
    return addRow(tx, rules, { forMin: 5, silenceMin: 30, remark: null, ...input })
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, rules, { id, version })
    refuseThreshold({ ...found, ...changes })
    const changed = await setRow(tx, rules, found, changes, at)
    // An alarm raised under another rule says nothing about this one; the check of the next minute decides.
    if (!changed.enabled || REDEFINES.some((field) => String(changed[field]) !== String(found[field])))
      await endAlarms(tx, { ruleId: id, ending: AlarmEnding.ruleChanged }, at)
    return changed
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rules, input)
    await endAlarms(tx, { ruleId: found.id, ending: AlarmEnding.ruleDeleted }, at)
    await removeRow(tx, rules, found, at)
  },
  async pageQuery({ tx, input }) {
    const found = await page(tx, rules, input)
    return { ...found, records: await withAlarms(tx, found.records) }
  },
  async getInfo({ tx, input }) {
    const found = await find(tx, rules, input.id)
    if (!found) throw NotFound()
    return (await withAlarms(tx, [found]))[0]!
  },
  async receivers({ tx }) {
    const answers = await receivers.ask(tx, {})
    return { people: answers.flatMap(({ answer }) => answer.people), roles: answers.flatMap(({ answer }) => answer.roles) }
  },
})
const REDEFINES = ['metric', 'op', 'threshold', 'serverIds'] as const

const PERCENT_MAX: Record<number, number> = {
  [Metric.processor]: 100,
  [Metric.memory]: 100,
  [Metric.disk]: 100,
  [Metric.connectionsUsed]: 100,
}
function refuseThreshold({ metric, threshold }: Pick<Row, 'metric' | 'threshold'>) {
  if (METRICS[metric].unit === '%' && threshold > (PERCENT_MAX[metric] ?? Infinity)) throw OutOfRange()
}

async function withAlarms(tx: Tx, rows: readonly Row[]): Promise<Of<typeof AlarmRuleDetail>[]> {
  const known = await run<{ ruleId: string; open: number; lastRaisedAt: Instant }>(
    tx,
    {
      sql: `select rule_id, (count(*) filter (where state in (${AlarmState.raised}, ${AlarmState.acknowledged})))::int open, max(raised_at) last_raised_at from system.alarm_record
        where enterprise_id = scope_enterprise() and rule_id = any($1) group by 1`,
    },
    [rows.map(({ id }) => id)],
  )
  return rows.map((row) => {
    const of = known.find(({ ruleId }) => ruleId === row.id)
    return { ...row, open: of?.open ?? 0, lastRaisedAt: of?.lastRaisedAt ?? null }
  })
}
