import type { Instant } from '../../../platform/contract/field.ts'
import { inAllParks, run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { RuleStatus } from '../contract/rule.ts'
import { mayUntie, type RuledPlace } from './questions.ts'

const LastRule = refusal(
  'fee.last-rule',
  40623,
  '「{name}」仍在启用，且没有其他收费规则：请先为其关联另一条已发布的规则，或先将其停用',
  '“{name}” is enabled and would be left without a fee rule: link another published rule to it first, or disable it',
)

/**
 * Changes ties or versions, and takes it back where a place that may not be without a rule had one at that moment and has none behind it. A place that had none before
 * blocks nothing. Rules are shared, so places are checked that the person who changes them does not see.
 */
export async function keepingRules<T>(tx: Tx, at: Instant, change: () => Promise<T>): Promise<T> {
  await holdRules(tx)
  const covered = await inAllParks(tx, async (whole) => {
    const places = (await mayUntie.ask(whole, { at })).flatMap(({ answer }) => answer)
    const bare = await withoutRule(whole, places, at)
    return places.filter((place) => !bare.includes(place))
  })
  const done = await change()
  const [lost] = covered.length ? await inAllParks(tx, (whole) => withoutRule(whole, covered, at)) : []
  if (lost) throw LastRule({ name: lost.name, parkCode: lost.parkCode, sectionCode: lost.sectionCode })
  return done
}

/** Two who each take away one of two rules, or one who opens a place while another takes its rule, come one after the other. */
export const holdRules = (tx: Tx) => run(tx, { sql: `select pg_advisory_xact_lock(hashtextextended('fee.rules', scope_enterprise()))` }, [])

/** Of these places, those where an ordinary car finds no rule then. */
export async function withoutRule<P extends Pick<RuledPlace, 'parkCode' | 'sectionCode'>>(tx: Tx, places: readonly P[], at: Instant): Promise<P[]> {
  if (places.length === 0) return []
  const bare = await run<{ n: number }>(tx, BARE, [at, places.map(({ parkCode }) => parkCode), places.map(({ sectionCode }) => sectionCode)])
  return bare.map(({ n }) => places[n - 1]!)
}
const BARE = {
  sql: `select p.n::int as n from unnest($2::text[], $3::text[]) with ordinality as p (park_code, section_code, n)
    where not exists (select from fee.associate a join fee.rule r on r.enterprise_id = a.enterprise_id and r.rule_id = a.rule_id
      where a.enterprise_id = scope_enterprise() and r.status = ${RuleStatus.published} and r.effective_from <= $1 and (r.effective_to is null or r.effective_to > $1)
        and (a.park_code is null or a.park_code = p.park_code) and (a.section_code is null or a.section_code = p.section_code)
        and a.area_code is null and a.member_group is null and a.car_kind is null and r.vehicle_classes = '{}') order by p.n`,
}
