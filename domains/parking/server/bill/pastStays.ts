import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { PastStay, PastStays, StayTerms } from '../../../fee/server/api.ts'
import { CarKind, SessionStatus } from '../../contract/stay.ts'
import { hadFree, termsOf } from './pricing.ts'
import type { AnyStay } from '../stay/stayMoves.ts'

/** Stays that a fee rule priced, for who tries another rule over them: of cars that pay by the rule, seen coming and going. */
const PRICED = `s.enterprise_id = scope_enterprise() and s.third_platform is null and s.status = ${SessionStatus.left} and s.entry_time is not null and s.exit_time is not null
  and s.rule_version_id is not null and coalesce(s.car_kind_out, s.car_kind_in) in (${CarKind.noPlate}, ${CarKind.temporary}) and s.seen_at >= $1 and s.seen_at < $2
  and ($3::text[] is null or s.park_code = any ($3)) and (cardinality($4::smallint[]) = 0 or s.vehicle_class = any ($4))`
/** Version by version: each has its own place in the index, and one rule of many is found without the others. */
const BY_VERSION = 'unnest($5::text[]) v (id) cross join lateral'
const byVersion = (select: string, rest: string) =>
  `${BY_VERSION} (select ${select} from parking.stay s where ${PRICED} and s.rule_version_id = v.id ${rest}) s`
const valuesOf = ({ from, to, ruleVersionIds, parkCodes, vehicleClasses }: PastStays) => [
  from,
  to,
  parkCodes ?? null,
  vehicleClasses,
  ...(ruleVersionIds ? [ruleVersionIds] : []),
]

/** Numbers a parameter after the four or five values of `valuesOf`. */
const after = ({ ruleVersionIds }: PastStays, n: number) => `$${(ruleVersionIds ? 5 : 4) + n}`

export const pastStaysOf = (tx: Tx, asked: PastStays & { after: Pick<PastStay, 'entry' | 'stayId'> | null; limit: number }): Promise<PastStay[]> => {
  const [seenAt, id, limit] = [1, 2, 3].map((n) => after(asked, n))
  const rest = `and (${seenAt}::timestamptz is null or (s.seen_at, s.id) > (${seenAt}, ${id}::uuid)) order by s.seen_at, s.id limit ${limit}`
  const sql = asked.ruleVersionIds
    ? `select ${PAST} from ${byVersion('s.*', rest)} order by s.seen_at, s.id limit ${limit}`
    : `select ${PAST} from parking.stay s where ${PRICED} ${rest}`
  return run<PastStay>(tx, { sql }, [...valuesOf(asked), asked.after?.entry ?? null, asked.after?.stayId ?? null, asked.limit])
}
const PAST = `s.id as stay_id, s.park_code, s.plate_no, s.rule_version_id, s.entry_time as entry, s.exit_time as at, s.receivable_fen as charged_fen, s.duration_min,
    (s.pass_id is not null or s.reserve_id is not null or s.charge_order_ids <> '[]') as partly`

export const pastStaysCountOf = async (tx: Tx, asked: PastStays): Promise<number> => {
  const sql = asked.ruleVersionIds
    ? `select coalesce(sum(s.n), 0)::int as n from ${byVersion('count(*) as n', '')}`
    : `select count(*)::int as n from parking.stay s where ${PRICED}`
  return (await run<{ n: number }>(tx, { sql }, valuesOf(asked)))[0]!.n
}
export const pastStaysAnyOf = async (tx: Tx, asked: PastStays): Promise<boolean> => {
  const found = asked.ruleVersionIds ? byVersion('1', 'limit 1') : `parking.stay s where ${PRICED}`
  return (await run<{ found: boolean }>(tx, { sql: `select exists (select 1 from ${found}) as found` }, valuesOf(asked)))[0]!.found
}

/** Returns the terms that stays were priced by. A stay priced area by area has no one fee that a rule explains, and is left out. */
export async function stayTermsOf(tx: Tx, { stayIds }: { stayIds: readonly string[] }): Promise<Map<string, StayTerms>> {
  const found = await run<AnyStay & { pricedAt: Instant | null }>(tx, { sql: TERMS }, [stayIds])
  const terms = new Map<string, StayTerms>()
  for (const stay of found) {
    const one = await termsOf(tx, stay, stay.pricedAt ?? stay.exitTime!)
    if (one) terms.set(stay.id, one)
  }
  return terms
}
/** A fee that was paid before the car left was asked for until then. */
const TERMS = `select s.*, (select (d.quote ->> 'at')::timestamptz from parking.decision d where d.enterprise_id = s.enterprise_id and d.stay_id = s.id and d.quote is not null order by d.received_at desc, d.id desc limit 1) as priced_at
  from parking.stay s where s.enterprise_id = scope_enterprise() and s.id = any ($1::uuid[]) and s.exit_time is not null and s.rule_version_id is not null`

/** Free minutes that were had on stays which the asker does not price itself. */
export async function freeTimesApartOf(
  tx: Tx,
  { stayIds, free, apartFrom }: { stayIds: readonly string[]; free: { minutes: number; mode: 'grace' | 'deduct' }; apartFrom: PastStays },
): Promise<Map<string, number>> {
  const [ids, deducted, minutes] = [1, 2, 3].map((n) => after(apartFrom, n))
  const priced = `coalesce(${PRICED}${apartFrom.ruleVersionIds ? ' and s.rule_version_id = any ($5)' : ''}, false)`
  const sql = `select one.id as stay_id, count(*)::int as times from parking.stay one join parking.stay s on s.enterprise_id = one.enterprise_id and s.plate_no = one.plate_no
      and s.park_code = one.park_code and s.seen_at >= date_trunc('day', one.entry_time, 'Asia/Shanghai') and s.seen_at < one.entry_time and s.id <> one.id
    where one.enterprise_id = scope_enterprise() and one.id = any (${ids}::uuid[]) and ${hadFree('s', deducted!, minutes!)} and not ${priced} group by one.id`
  const rows = await run<{ stayId: string; times: number }>(tx, { sql }, [...valuesOf(apartFrom), stayIds, free.mode === 'deduct', free.minutes])
  return new Map(rows.map(({ stayId, times }) => [stayId, times]))
}
