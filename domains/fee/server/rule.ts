import { sql } from 'kysely'
import { msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal, Stale } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { DayUnit, rule, ruleCan, RuleSource, RuleStatus } from '../contract/rule.ts'
import { jobOf, resolveRule } from './api.ts'
import { lintApart, quoteApart, readApart } from './apart.ts'
import { copyTables, gapText, lintOf, tariffOf } from './document.ts'
import { calendarOf, calendarWith, changesOf } from './holiday.ts'
import { keepingRules } from './keeping.ts'
import { letThrough, refuseUnrehearsed } from './rehearsal.ts'
import { DraftWaits, draftOf, heads, insertDraft, publishVersion, rules, versionOf } from './version.ts'

const BadDocument = refusal('fee.rule.bad-document', 40606, '规则文档有误：{zh}', 'The rule document is not valid: {en}', 422)
const StillTied = refusal('fee.rule.tied', 40607, '规则仍关联 {ties} 处，请先解除', 'The rule still has {ties:link}: remove first')

export const calls = serve(rule, {
  queryPage: ({ tx, input }) => page(tx, rules, input),

  async insert({ tx, input }) {
    return tx.insertInto('fee.rule').values(input).returning(['id', 'ruleId']).executeTakeFirstOrThrow()
  },
  async update({ tx, input: { id, version, ...change }, at }) {
    const found = await draftOf(tx, id)
    if (found.version !== version) throw Stale({ version: found.version, sent: version })
    await setRow(tx, heads, found, change, at)
    return { id }
  },
  async delete({ tx, input: { id } }) {
    const found = await draftOf(tx, id)
    const ties = await tiesOf(tx, found.ruleId)
    const others = await tx.selectFrom('fee.rule').select('id').where('ruleId', '=', found.ruleId).where('id', '<>', id).executeTakeFirst()
    if (ties > 0 && !others) throw StillTied({ ties })
    await tx.deleteFrom('fee.rule').where('id', '=', id).execute()
  },

  calFee: phased(async ({ input, at, read }) => {
    const { ruleVersionId, entry, covered, paidFen, freeUsed } = input
    const until = input.at ?? at
    refuseEndless(entry, until)
    const job = await read(async (tx) => {
      const id = ruleVersionId ?? (await resolveRule(tx, { ...input, at: entry }))
      return jobOf(tx, { ruleVersionId: id, entry, at: until, covered, paidFen, freeUsed })
    })
    return quoteApart(job)
  }),
  dayUnit: async () => Object.entries(DayUnit.entries).map(([ival, [cval, itemEn]]) => ({ ival: Number(ival), cval, itemEn })),

  detail: phased(async ({ input, at, read }) => {
    const [rule, drawn, versions] = await read(async (tx) => {
      const { rule: found, document } = await versionOf(tx, input.id)
      const all = await page(tx, rules, { ruleId: found.ruleId, queryMode: 'rows', limit: VERSIONS_MAX })
      return [found, await tariffOf(tx, found, document, at), all.records] as const
    })
    return { rule, tariff: drawn.tariff, lint: await lintOf(drawn), versions: [...versions] }
  }),
  trial: phased(async ({ input: { tariff, entry, at: until, ...more }, at, read }) => {
    refuseEndless(entry, until ?? at)
    const broken = (await lintApart(tariff)).find(({ level, code }) => level === 'error' && BREAKS.has(code))
    if (broken) throw BadDocument(broken)
    const calendar = await read(calendarOf)
    return quoteApart({ tariff, calendar, facts: { id: null, name: '', versionNo: 0 }, stay: { entry, at: until ?? at, ...more } })
  }),

  import: phased(async ({ input: { document, name, rule: wanted, ruleId }, at, read, write }) => {
    const found = await readApart(document, { name, rule: wanted }, { at, calendar: calendarWith(await read(changesOf)) })
    if ('mistake' in found) throw BadDocument({ zh: found.mistake[0], en: found.mistake[1] })
    const { rules: all } = found
    return write(async (tx) => {
      const made = []
      for (const { draft, gaps, lint } of all) {
        const id = await insertDraft(tx, draft, all.length === 1 ? ruleId : undefined)
        made.push({ id, name: draft.name, gaps: gaps.map(gapText), lint })
      }
      return made
    })
  }),
  async publish({ tx, input: { id, version, effectiveFrom, effectiveTo }, actor, at }) {
    await refuseStale(tx, id, version)
    await refuseUnrehearsed(tx, id, at)
    return { id, lint: await publishVersion(tx, id, { at, by: actor.userName, from: effectiveFrom, to: effectiveTo }) }
  },
  async publishOver({ tx, input: { id, version, effectiveFrom, effectiveTo, reason }, actor, at }) {
    await refuseStale(tx, id, version)
    await letThrough(tx, id, { reason, by: actor.userName, at })
    return { id, lint: await publishVersion(tx, id, { at, by: actor.userName, from: effectiveFrom, to: effectiveTo }) }
  },
  async withdraw({ tx, input: { id, version, reason }, at }) {
    const { rule: found } = await versionOf(tx, id)
    if (ruleCan.withdraw(found.status) === undefined) throw IllegalMove()
    if (found.version !== version) throw Stale({ version: found.version, sent: version })
    await because(tx, reason)
    const { effectiveFrom: from, effectiveTo: to } = found
    const ended = to !== null && msOf(to) < msOf(at) ? to : from !== null && msOf(from) > msOf(at) ? from : at
    // One that was to begin later has ended the version before it already.
    const when = from !== null && msOf(from) > msOf(at) ? from : at
    await keepingRules(tx, when, () => setRow(tx, heads, found, { status: RuleStatus.withdrawn, effectiveTo: ended }, at))
  },
  async revise({ tx, input: { id } }) {
    const { rule: found, document, origin } = await versionOf(tx, id)
    const { n, draft } = (await tx
      .selectFrom('fee.rule')
      .select((of) => [of.fn.max('versionNo').as('n'), sql<boolean>`bool_or(status = ${RuleStatus.draft})`.as('draft')])
      .where('ruleId', '=', found.ruleId)
      .executeTakeFirstOrThrow()) as { n: number; draft: boolean }
    if (draft) throw DraftWaits()
    const kept = Object.fromEntries(KEPT.map((field) => [field, found[field]]))
    const made = await tx
      .insertInto('fee.rule')
      .values({
        ...kept,
        versionNo: n + 1,
        ...(found.source === RuleSource.document && { document: JSON.stringify(document), origin: origin === null ? null : JSON.stringify(origin) }),
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    if (found.source === RuleSource.tables) await copyTables(tx, id, made.id)
    return made
  },
})
async function refuseStale(tx: Tx, id: string, version: number) {
  const { rule: found } = await versionOf(tx, id)
  if (found.version !== version) throw Stale({ version: found.version, sent: version })
}
/** Longer stays are mistakes in typing, and would answer with thousands of lines. */
const STAY_MAX_DAYS = 400
const Endless = refusal('fee.rule.endless', 40608, '停车时长超过 {days} 天，请核对时间', 'The stay is longer than {days:day}: check the times', 422)
function refuseEndless(entry: string, at: string) {
  if (Date.parse(at) - Date.parse(entry) > STAY_MAX_DAYS * 86_400_000) throw Endless({ days: STAY_MAX_DAYS })
}
/** Columns that a new version takes over; its period and its publication are its own. */
const KEPT = [
  'ruleId',
  'name',
  'vehicleClasses',
  'source',
  'freeMin',
  'freeMode',
  'freeTimesPerDay',
  'dayUnit',
  'dayCutMin',
  'dayCapFen',
  'weekendCapFen',
  'holidayCapFen',
  'wholeDayFen',
  'sessionCapFen',
  'unitAnchor',
  'secondRule',
  'priority',
  'remark',
] as const
/** Versions of one rule that a person looks through. */
const VERSIONS_MAX = 100
/** With one of these a tariff cannot be priced at all; with others it can be tried. */
const BREAKS = new Set(['days', 'scale', 'tiers', 'unit', 'cap', 'table', 'costly'])

async function tiesOf(tx: Tx, ruleId: string): Promise<number> {
  const [{ n } = { n: 0 }] = await run<{ n: number }>(tx, { sql: 'select count(*)::int as n from fee.associate where rule_id = $1' }, [ruleId])
  return n
}
