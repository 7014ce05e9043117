import type { Instant } from '../../../platform/contract/field.ts'
import { enterpriseOf, run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { QuoteOf } from '../contract/quote.ts'
import { RuleStatus } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import type { Job } from './apart.ts'
import { calendarOf } from './holiday.ts'
import { mostFen } from './most.ts'
import { compiledOnce, quoteWith, type StayAsked } from './quoting.ts'

/** All that other domains may call. */

export const NoRule = refusal(
  'fee.no-rule',
  40020,
  '该车场未绑定收费规则，请在「停车场收费规则绑定」中设置',
  'No fee rule is linked to this car park: link one under “Fee rules by car park”',
  422,
)

export interface RuleWanted {
  parkCode?: string | undefined
  areaCode?: string | undefined
  sectionCode?: string | undefined
  /** Undefined: only rules for all classes. */
  vehicleClass?: number | undefined
  /** Undefined: only ties for all kinds. */
  carKind?: number | undefined
  memberGroup?: string | undefined
  /** Which version is in force: at entry, or at exit where the park binds so. */
  at: Instant
}

/**
 * The version of the rule that is for such a stay. The most special tie wins (member group, section or area, park, default; then one for the kind of car),
 * then a rule for the vehicle's class before one for all, then the higher priority. Throws NoRule (40020): a fee is never silently nothing.
 */
export async function resolveRule(tx: Tx, wanted: RuleWanted): Promise<string> {
  const { parkCode, areaCode, sectionCode, vehicleClass, carKind, memberGroup, at } = wanted
  const [found] = await run<{ id: string }>(tx, { sql: RESOLVE }, [
    at,
    parkCode ?? null,
    areaCode ?? null,
    sectionCode ?? null,
    memberGroup ?? null,
    carKind ?? null,
    vehicleClass ?? null,
  ])
  if (!found) throw NoRule()
  return found.id
}
const RESOLVE = `select r.id from fee.associate a join fee.rule r on r.enterprise_id = a.enterprise_id and r.rule_id = a.rule_id
  where r.status = ${RuleStatus.published} and r.effective_from <= $1 and (r.effective_to is null or r.effective_to > $1)
    and (a.park_code is null or a.park_code = $2) and (a.area_code is null or a.area_code = $3) and (a.section_code is null or a.section_code = $4)
    and (a.member_group is null or a.member_group = $5) and (a.car_kind is null or a.car_kind = $6::smallint) and (r.vehicle_classes = '{}' or $7::smallint = any (r.vehicle_classes))
  order by a.member_group is null, a.section_code is null and a.area_code is null, a.park_code is null, a.car_kind is null, r.vehicle_classes = '{}', r.priority desc, a.created_at desc, a.id desc
  limit 1`

export interface QuoteWanted extends StayAsked {
  ruleVersionId: string
}
/** The same for `quoteApart`: a stay of any length that a person asks about. */
export async function jobOf(tx: Tx, { ruleVersionId, ...stay }: QuoteWanted): Promise<Job> {
  const { document, name, versionNo } = await factsOf(tx, ruleVersionId)
  return { tariff: document, calendar: await calendarOf(tx), facts: { id: ruleVersionId, name, versionNo }, stay }
}
/** Quotes a stay by a published version, with a line for every part. Writes nothing. `paidFen` is what was paid before; `covered` is cut out first. */
export async function quoteStay(tx: Tx, { ruleVersionId, ...stay }: QuoteWanted): Promise<QuoteOf> {
  const known = await factsOf(tx, ruleVersionId)
  const compiled = compiledOnce(ruleVersionId, () => known.document)
  const calendar = compiled.clockOf ? await calendarOf(tx) : undefined
  return quoteWith(compiled, calendar, { id: ruleVersionId, name: known.name, versionNo: known.versionNo }, stay)
}

/** The most that a published version can ask for a stay of so many minutes, of which so many `stretches` are charged. */
export const mostOfVersion = async (tx: Tx, ruleVersionId: string, minutes: number, stretches: number): Promise<number> =>
  mostFen((await factsOf(tx, ruleVersionId)).document, minutes, stretches)

/** The document of a published version; undefined where there is none of that id. */
export const tariffOfVersion = async (tx: Tx, ruleVersionId: string): Promise<Tariff | undefined> =>
  (await run<{ document: Tariff }>(tx, { sql: 'select document from fee.rule where id::text = $1 and status > 0' }, [ruleVersionId]))[0]?.document

/** The free minutes of a published version, where one vehicle has them only so often a day. */
export const countedFreeOf = async (tx: Tx, ruleVersionId: string): Promise<Tariff['free']> => {
  const { free } = (await factsOf(tx, ruleVersionId)).document
  return free?.timesPerDay ? free : undefined
}

/** Returns the name of the rule of a published version. */
export const ruleNameOf = async (tx: Tx, ruleVersionId: string): Promise<string> => (await factsOf(tx, ruleVersionId)).name

interface Facts {
  name: string
  versionNo: number
  document: Tariff
}
/** Published versions never change, so what was read once is right; a stranger's enterprise has a key of its own and finds nothing. */
const FACTS_MAX = 2000
const facts = new Map<string, Facts>()
async function factsOf(tx: Tx, ruleVersionId: string): Promise<Facts> {
  const known = facts.get(`${enterpriseOf(tx)} ${ruleVersionId}`)
  if (known) return known
  const [found] = await run<Facts>(tx, { sql: 'select name, version_no, document from fee.rule where id = $1 and status > 0' }, [ruleVersionId])
  if (!found) throw NotFound()
  if (facts.size >= FACTS_MAX) facts.delete(facts.keys().next().value!)
  facts.set(`${enterpriseOf(tx)} ${ruleVersionId}`, found)
  return found
}

export { worksOn } from './holiday.ts'
export { holdRules, withoutRule } from './keeping.ts'
export {
  freeTimesApart,
  mayUntie,
  nowhere,
  pastStays,
  pastStaysAny,
  pastStaysCount,
  presentStay,
  stayTerms,
  type NamedPlace,
  type Nowhere,
  type PastStay,
  type PastStays,
  type PresentStay,
  type RuledPlace,
  type StayTerms,
} from './questions.ts'
export { isRule, publishTariff, tieGroup, tieRule, tiesOfGroup } from './setup.ts'
/** The engine itself, for those who price many stays at once: the demo city's past, figures of speed. */
export { compile, type Compiled } from './compiled.ts'
export { price } from './engine.ts'
export { tariffOfPublished } from './published.ts'
