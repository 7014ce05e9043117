import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { rowsOver, setRow } from '../../../platform/server/row.ts'
import { type LintOf, Rule, ruleCan, ruleSearch, RuleSource, RuleStatus } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type RuleRow, lintOf, tariffOf } from './document.ts'
import type { Draft } from './draft.ts'
import { keepingRules } from './keeping.ts'
import './tables.ts'

const RuleIncomplete = refusal('fee.rule.incomplete', 40612, '规则不能发布：{zh}', 'The rule cannot be published: {en}', 422)
const RuleFrozen = refusal('fee.rule.frozen', 40613, '已发布的规则不可修改，请新建版本', 'A published rule cannot be changed: create a new version')
export const DraftWaits = refusal(
  'fee.rule.draft-waits',
  40614,
  '该规则已有草稿版本，请编辑该草稿',
  'The rule already has a draft version: edit that draft',
)
const BadPeriod = refusal('fee.rule.period', 40615, '失效时间须晚于生效时间', '“In force until” must be after “In force from”', 422)

export const rules = listOver(Rule, 'fee.rule', ruleSearch)
/** A version's own row: a list shows more of it, and a draft's document not at all. */
export const heads = rowsOver(Rule, 'fee.rule')

export async function versionOf(tx: Tx, id: string): Promise<{ rule: RuleRow; document: Tariff | null; origin: unknown }> {
  const [rule, more] = await Promise.all([
    find<RuleRow>(tx, rules, id),
    run<{ document: Tariff | null; origin: unknown }>(tx, { sql: 'select document, origin from fee.rule where id = $1' }, [id]),
  ])
  if (!rule) throw NotFound()
  return { rule, ...more[0]! }
}
/** A version that may still be changed. */
export async function draftOf(tx: Tx, id: string): Promise<RuleRow> {
  const [found] = await run<{ id: string }>(tx, { sql: 'select id from fee.rule where id = $1 for update' }, [id])
  const rule = found && (await find<RuleRow>(tx, rules, id))
  if (!rule) throw NotFound()
  if (rule.status !== RuleStatus.draft) throw RuleFrozen()
  return rule
}
/** A draft from a document: a new rule, or the next version of one. */
export async function insertDraft(tx: Tx, { name, head, document, origin }: Draft, ruleId?: string): Promise<string> {
  const [last] = ruleId
    ? await run<{ n: number; draft: boolean }>(
        tx,
        { sql: `select max(version_no)::int as n, bool_or(status = ${RuleStatus.draft}) as draft from fee.rule where rule_id = $1` },
        [ruleId],
      )
    : []
  if (ruleId && !last?.n) throw NotFound()
  if (last?.draft) throw DraftWaits()
  const row = { ...head, name, source: RuleSource.document, document, origin, ...(ruleId && { ruleId, versionNo: last!.n + 1 }) }
  return (
    await tx
      .insertInto('fee.rule')
      .values(row as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}

/** The version that would still be in force when another begins ends there. */
async function endEarlier(tx: Tx, { ruleId }: RuleRow, from: Instant, at: Instant) {
  await run(
    tx,
    {
      sql: `update fee.rule set effective_to = $2, version = version + 1, updated_at = $3
        where rule_id = $1 and status = ${RuleStatus.published} and effective_from < $2 and (effective_to is null or effective_to > $2)`,
    },
    [ruleId, from, at],
  )
}

export interface Publishing {
  at: Instant
  by: string
  from?: Instant | undefined
  to?: Instant | null | undefined
}
/** Freezes a draft: its tariff is kept as it is priced from, and the version in force until then ends where this one begins. Throws RuleIncomplete with the lint. */
export async function publishVersion(tx: Tx, id: string, { at, by, ...period }: Publishing): Promise<LintOf[]> {
  const { rule, document } = await versionOf(tx, id)
  if (ruleCan.publish(rule.status) === undefined) throw IllegalMove()
  const [from, to] = [period.from ?? rule.effectiveFrom ?? at, period.to ?? rule.effectiveTo]
  const drawn = await tariffOf(tx, { ...rule, effectiveFrom: from, effectiveTo: to }, document, at)
  const { tariff } = drawn
  const lint = await lintOf(drawn)
  const errors = lint.filter(({ level }) => level === 'error')
  if (errors.length || !tariff) throw RuleIncomplete({ zh: errors.map(({ zh }) => zh).join('；'), en: errors.map(({ en }) => en).join('; '), lint })
  if (to !== null && to <= from) throw BadPeriod()
  const published = {
    status: RuleStatus.published,
    document: JSON.stringify(tariff),
    effectiveFrom: from,
    effectiveTo: to,
    publishedBy: by,
    publishedAt: at,
  }
  await keepingRules(tx, from, async () => {
    await endEarlier(tx, rule, from, at)
    await setRow(tx, heads, rule, published, at)
  })
  return lint
}
