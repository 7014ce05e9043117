import { hash } from 'node:crypto'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { json, lockRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { settingsIn } from '../../system/server/api.ts'
import {
  rehearsal,
  rehearsalCan,
  type RehearsalOf,
  RehearsalState,
  RehearsedStay,
  rehearsedSearch,
  type RehearsalVerdict,
} from '../contract/rehearsal.ts'
import { type Rule, RuleStatus } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import { jobOf } from './api.ts'
import { quoteApart } from './apart.ts'
import { lintOf, tariffOf } from './document.ts'
import { calendarOf } from './holiday.ts'
import { type KeptTerms, rehearsals, rehearse, staysFor, wasCharged } from './rehearsing.ts'
import { versionOf } from './version.ts'

const OnlyDrafts = refusal('fee.rehearsal.draft', 40616, '只有草稿可以测算', 'Only a draft can be rehearsed')
const Broken = refusal('fee.rehearsal.broken', 40617, '规则还不完整，请先改正：{zh}', 'The rule is not complete yet, correct first: {en}', 422)
const ChooseParks = refusal(
  'fee.rehearsal.parks',
  40618,
  '该规则还没有用于收费，请选择用哪些车场的停车测算',
  'This rule has not charged anything yet: choose the car parks whose stays to rehearse with',
  422,
)
const AlreadyRuns = refusal(
  'fee.rehearsal.runs',
  40619,
  '该草稿的测算正在进行，请等其完成或先取消',
  'This draft is being rehearsed: wait until it is done or cancel it first',
)
const RehearseFirst = refusal(
  'fee.rehearsal.first',
  40621,
  '该规则已在收费，请先测算新版的影响再发布；或由有放行权限的人填写放行原因',
  'This rule is in use: rehearse the new version before publishing, or have somebody with the override permission enter a reason',
)
const OverThreshold = refusal(
  'fee.rehearsal.over',
  40622,
  '测算应收变化 {change}，超过发布阈值 ±{limit}%；请修改规则，或由有放行权限的人填写放行原因',
  'The receivable changes by {change}, over the threshold of ±{limit}%: change the rule, or have somebody with the override permission enter a reason',
)

const changed = listOver(RehearsedStay, 'fee.rehearsedStay', rehearsedSearch)

export const calls = serve(rehearsal, {
  queryPage: ({ tx, input }) => page(tx, rehearsals, input),
  async start({ tx, input: { ruleVersionId, days, parkCodes = [] }, actor, at }) {
    const { rule, tariff } = await draftAsItIs(tx, ruleVersionId, at)
    const staysFrom = new Date(Date.parse(at) - days * DAY_MS).toISOString() as Instant
    const { ruleVersionIds } = await staysFor(tx, rule, { parkCodes, from: staysFrom, to: at })
    if (!ruleVersionIds && parkCodes.length === 0) throw ChooseParks()
    const made = await tx
      .insertInto('fee.rehearsal')
      .values({
        ...{ ruleVersionId, days, parkCodes, staysFrom, staysTo: at, startedBy: actor.userName },
        ...{ scopeParks: actor.scope.parks as string[] | null, tariff: json(tariff), mark: markOf(tariff) },
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw AlreadyRuns()
    await addJob(tx, rehearse, { id: made.id })
    return made
  },
  async cancel({ tx, input: { id }, at }) {
    const row = await lockRow(tx, rehearsals, { id })
    const state = rehearsalCan.cancel(row.state)
    if (state === undefined) throw IllegalMove()
    await setRow(tx, rehearsals, row, { state, finishedAt: at }, at)
    await run(tx, { sql: 'delete from fee.rehearsed_stay where enterprise_id = scope_enterprise() and rehearsal_id = $1' }, [id])
  },
  verdict: ({ tx, input, at }) => verdictOf(tx, input.ruleVersionId, at),
  stays: ({ tx, input }) => page(tx, changed, input),
  stay: phased(async ({ input, read }) => {
    const { stay, before, after } = await read((tx) => bothOf(tx, input.id))
    return { stay, before: await quoteApart(before), after: await quoteApart(after) }
  }),
})
const DAY_MS = 86_400_000
/** The fingerprint of a draft: a hash of the tariff that prices follow. */
const markOf = (tariff: Tariff) => hash('sha256', JSON.stringify(tariff))

async function draftAsItIs(tx: Tx, ruleVersionId: string, at: Instant): Promise<{ rule: Of<typeof Rule>; tariff: Tariff }> {
  const { rule, document } = await versionOf(tx, ruleVersionId)
  if (rule.status !== RuleStatus.draft) throw OnlyDrafts()
  const drawn = await tariffOf(tx, rule, document, at)
  const { tariff } = drawn
  const lint = await lintOf(drawn)
  const errors = lint.filter(({ level }) => level === 'error')
  if (errors.length || !tariff) throw Broken({ zh: errors.map(({ zh }) => zh).join('；'), en: errors.map(({ en }) => en).join('; '), lint })
  return { rule, tariff }
}

/** The last rehearsal of the draft as it is now, over all that the rule was charged for, and what it means for publishing. */
async function verdictOn(tx: Tx, rule: Of<typeof Rule>, tariff: Tariff | null, at: Instant): Promise<Of<typeof RehearsalVerdict>> {
  const { rehearsalFirst, rehearsalChangePercent: limitPercent } = await settingsIn(tx)
  const charged = rule.status === RuleStatus.draft && (await wasCharged(tx, rule, at))
  const [last] = tariff ? await run<{ id: string }>(tx, { sql: LAST }, [rule.id, markOf(tariff), charged]) : []
  const found = last && (await find<RehearsalOf>(tx, rehearsals, last.id))
  if (!found) return { rehearsal: null, changePermille: null, limitPercent, missing: rehearsalFirst && charged, over: false }
  const { beforeFen, afterFen } = found
  const changePermille = beforeFen === 0 ? null : Math.round(((afterFen - beforeFen) / beforeFen) * 1000)
  // Whole numbers: a hundredth over is over.
  const over = Math.abs(afterFen - beforeFen) * 100 > limitPercent * beforeFen
  return { rehearsal: found, changePermille, limitPercent, missing: false, over }
}
/** Of a rule in use only one over all its parks counts. */
const LAST = `select id from fee.rehearsal where enterprise_id = scope_enterprise() and rule_version_id = $1 and mark = $2 and state = ${RehearsalState.done}
  and (not $3::boolean or park_codes = '{}') order by created_at desc, id desc limit 1`

/** Keeps a draft from being published that changes more than is allowed, or was not rehearsed. @throws RehearseFirst, OverThreshold */
export async function refuseUnrehearsed(tx: Tx, ruleVersionId: string, at: Instant): Promise<void> {
  const verdict = await verdictOf(tx, ruleVersionId, at)
  if (verdict.missing) throw RehearseFirst()
  if (verdict.over) throw OverThreshold({ change: changeText(verdict), limit: verdict.limitPercent })
}
/** A person with the right lets it through: the reason stands in the audit, and beside the rehearsal. */
export async function letThrough(tx: Tx, ruleVersionId: string, { reason, by, at }: { reason: string; by: string; at: Instant }): Promise<void> {
  const { rehearsal: last, over } = await verdictOf(tx, ruleVersionId, at)
  await because(tx, reason)
  if (!last || !over) return
  await setRow(tx, rehearsals, await lockRow(tx, rehearsals, { id: last.id }), { overrideReason: reason, overriddenBy: by }, at)
}
async function verdictOf(tx: Tx, ruleVersionId: string, at: Instant) {
  const { rule, document } = await versionOf(tx, ruleVersionId)
  const { tariff } = await tariffOf(tx, rule, document, at)
  return verdictOn(tx, rule, tariff, at)
}
const changeText = ({ changePermille, rehearsal: one }: Of<typeof RehearsalVerdict>) =>
  changePermille === null ? `+¥${((one?.afterFen ?? 0) / 100).toFixed(2)}` : `${changePermille > 0 ? '+' : ''}${(changePermille / 10).toFixed(1)}%`

/** One stay by both rules, from what was kept of it. @throws NotFound */
async function bothOf(tx: Tx, id: string) {
  const stay = await find<Of<typeof RehearsedStay>>(tx, changed, id)
  const [more] = await run<{ ruleVersionId: string; terms: KeptTerms | null; draftId: string; tariff: Tariff; name: string; versionNo: number }>(
    tx,
    { sql: BOTH },
    [id],
  )
  if (!stay || !more) throw NotFound()
  const { ruleVersionId, terms, draftId, tariff, name, versionNo } = more
  const { draftFreeUsed, ...known } = terms ?? {}
  const asked = { ...known, entry: stay.entryTime, at: stay.until }
  return {
    stay,
    before: await jobOf(tx, { ruleVersionId, ...asked }),
    after: {
      tariff,
      calendar: await calendarOf(tx),
      facts: { id: draftId, name, versionNo },
      stay: draftFreeUsed === undefined ? asked : { ...asked, freeUsed: draftFreeUsed },
    },
  }
}
const BOTH = `select s.rule_version_id, s.terms, d.id as draft_id, h.tariff, d.name, d.version_no from fee.rehearsed_stay s
  join fee.rehearsal h on h.enterprise_id = s.enterprise_id and h.id = s.rehearsal_id join fee.rule d on d.enterprise_id = h.enterprise_id and d.id = h.rule_version_id
  where s.enterprise_id = scope_enterprise() and s.id = $1`
