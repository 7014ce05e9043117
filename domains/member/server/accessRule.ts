import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { isPlace } from '../../parking/server/api.ts'
import { AccessEffect, AccessRule, accessRule, accessRuleSearch, AccessStatus, OddEven } from '../contract/accessRule.ts'
import './tables.ts'

type Rule = Of<typeof AccessRule>
const rules = listOver(AccessRule, 'member.accessRule', accessRuleSearch)
const Contradicts = refusal(
  'member.access-contradicts',
  41420,
  '与规则「{name}」同优先级、范围相交而效果相反，请调整优先级',
  'The rule “{name}” overlaps this one with the same priority and the opposite effect: change a priority',
)
const Backwards = refusal('member.access-dates', 41421, '结束日期不能早于开始日期', 'The end date cannot be before the start date', 422)
const NoPlace = refusal('member.access-place', 41422, '车场、通道或月卡类型不存在', 'The car park, lane or pass type does not exist', 422)
const InUse = refusal(
  'member.access-in-use',
  41423,
  '规则仍被月卡类型引用，请先在月卡类型中移除',
  'A pass type uses this rule: remove it there first',
)

export const calls = serve(accessRule, {
  queryPage: ({ tx, input }) => page(tx, rules, input),
  async queryOne({ tx, input }) {
    const found = await find(tx, rules, input.id)
    if (!found) throw NotFound()
    return found
  },
  async insert({ tx, input }) {
    await refuseWrong(tx, { ...ALL, ...input })
    return addRow(tx, rules, input)
  },
  async updateYes({ tx, input: { id, version, yes }, at }) {
    const found = await lockRow(tx, rules, { id, version })
    if (yes === AccessStatus.inForce) await refuseContradiction(tx, found)
    return setRow(tx, rules, found, { status: yes }, at)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, rules, { id, version })
    const after = { ...found, ...changes }
    await refuseWrong(tx, after)
    if (found.status === AccessStatus.inForce) await refuseContradiction(tx, after)
    return setRow(tx, rules, found, changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, rules, input)
    if (
      (
        await run(tx, { sql: 'select 1 from member.card_group where enterprise_id = scope_enterprise() and $1 = any (access_rule_ids) limit 1' }, [
          input.id,
        ])
      ).length
    )
      throw InUse()
    await removeRow(tx, rules, found, at)
  },
})
/** A rule that was set up: for set-up and demo data. */
export const addRule = (tx: Tx, rule: Pick<Rule, 'parkCode' | 'name' | 'effect'> & Partial<Rule>): Promise<Rule> => addRow(tx, rules, rule)
const ALL = { gates: [] as string[], memberGroups: [] as Rule['memberGroups'], dateFrom: null, dateTo: null }

async function refuseWrong(tx: Tx, { parkCode, gates, memberGroups, dateFrom, dateTo }: Pick<Rule, 'parkCode' | keyof typeof ALL>): Promise<void> {
  if (dateFrom && dateTo && dateTo < dateFrom) throw Backwards()
  const places = await Promise.all(gates.map((gateCode) => isPlace(tx, { parkCode, gateCode })))
  const [known] = await run<{ parks: number; groups: number }>(tx, { sql: KNOWN }, [parkCode, memberGroups])
  if (places.includes(false) || known!.parks === 0 || known!.groups < new Set(memberGroups).size) throw NoPlace()
}
const KNOWN = `select (select count(*) from parking.park where enterprise_id = scope_enterprise() and park_code = $1 and not deleted)::int as parks,
  (select count(*) from member.card_group where enterprise_id = scope_enterprise() and id = any ($2))::int as groups`

/** Two in force that meet (same gate, kind of pass, hours) with one priority and two minds. */
async function refuseContradiction(tx: Tx, rule: Rule): Promise<void> {
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`access ${rule.parkCode}`])
  const others = await run<Rule>(tx, { sql: `${IN_FORCE} and id <> $2 and priority = $3 and effect <> $4` }, [
    rule.parkCode,
    rule.id,
    rule.priority,
    rule.effect,
  ])
  const other = others.find((one) => meet(one, rule))
  if (other) throw Contradicts({ name: other.name })
}
const IN_FORCE = `select * from member.access_rule where enterprise_id = scope_enterprise() and park_code = $1 and status = ${AccessStatus.inForce}`
const share = <T>(a: readonly T[], b: readonly T[]) => a.length === 0 || b.length === 0 || a.some((one) => b.includes(one))
function meet(a: Rule, b: Rule): boolean {
  const dates = (a.dateFrom ?? '') <= (b.dateTo ?? '9') && (b.dateFrom ?? '') <= (a.dateTo ?? '9')
  return (
    share(a.gates, b.gates) &&
    share(a.memberGroups, b.memberGroups) &&
    (a.dayMask & b.dayMask) !== 0 &&
    dates &&
    hours(a).some((one) => hours(b).includes(one))
  )
}
/** The minutes of a day in which a rule acts. */
function hours({ timeFrom, timeTo }: Pick<Rule, 'timeFrom' | 'timeTo'>): number[] {
  const [from, to] = [minuteOf(timeFrom), minuteOf(timeTo)]
  const length = ((to - from + DAY_MIN - 1) % DAY_MIN) + 1
  return Array.from({ length }, (_, n) => (from + n) % DAY_MIN)
}
const DAY_MIN = 1440
const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

export interface AtGate {
  gateCode: string | undefined
  plateNo: string
  memberGroup: string | undefined
  at: Instant
}
export type ShortRule = Pick<
  Rule,
  'id' | 'name' | 'gates' | 'memberGroups' | 'dayMask' | 'timeFrom' | 'timeTo' | 'dateFrom' | 'dateTo' | 'oddEven' | 'effect' | 'priority'
>
/** The rule that keeps a car out here and now. The highest priority speaks; of equal ones the forbidding one; none allows. */
export function barredBy(rules: readonly ShortRule[], car: AtGate): ShortRule | undefined {
  const [first] = rules.filter((rule) => isFor(rule, car)).sort((a, b) => b.priority - a.priority || b.effect - a.effect)
  return first?.effect === AccessEffect.forbid ? first : undefined
}
function isFor(rule: ShortRule, { gateCode, plateNo, memberGroup, at }: AtGate): boolean {
  if (rule.gates.length > 0 && !(gateCode && rule.gates.includes(gateCode))) return false
  if (rule.memberGroups.length > 0 && !(memberGroup && rule.memberGroups.includes(memberGroup))) return false
  const day = dayOf(at)
  if ((rule.dateFrom && day < rule.dateFrom) || (rule.dateTo && day > rule.dateTo)) return false
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  if ((rule.dayMask & (1 << weekday)) === 0) return false
  const clock = cityTime(at).slice(11, 16)
  const { timeFrom: from, timeTo: to } = rule
  if (from !== to && !(from < to ? clock >= from && clock < to : clock >= from || clock < to)) return false
  return rule.oddEven !== OddEven.byDate || ofTheDay(plateNo, day) === (rule.effect === AccessEffect.allow)
}
/** Odd plates on odd dates, even ones on even dates; the last digit counts, a plate without one is even. */
const ofTheDay = (plateNo: string, day: string): boolean => Number(/\d(?=\D*$)/.exec(plateNo)?.[0] ?? 0) % 2 === Number(day.slice(-1)) % 2
