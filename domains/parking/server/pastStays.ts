import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { PastStay, PastStays, StayTerms } from '../../fee/server/api.ts'
import { CarKind, SessionStatus } from '../contract/stay.ts'
import { termsOf } from './pricing.ts'
import type { AnyStay } from './stayMoves.ts'

/** Stays that a fee rule priced, for who tries another rule over them: of cars that pay by the rule, seen coming and going. */
const PRICED = `s.enterprise_id = scope_enterprise() and s.third_platform is null and s.status = ${SessionStatus.left} and s.entry_time is not null and s.exit_time is not null
  and s.rule_version_id is not null and coalesce(s.car_kind_out, s.car_kind_in) in (${CarKind.noPlate}, ${CarKind.temporary}) and s.seen_at >= $1 and s.seen_at < $2
  and ($3::text[] is null or s.rule_version_id = any ($3)) and ($4::text[] is null or s.park_code = any ($4)) and (cardinality($5::smallint[]) = 0 or s.vehicle_class = any ($5))`
const valuesOf = ({ from, to, ruleVersionIds, parkCodes, vehicleClasses }: PastStays) => [from, to, ruleVersionIds ?? null, parkCodes ?? null, vehicleClasses] // prettier-ignore

export const pastStaysOf = (tx: Tx, asked: PastStays & { after: Pick<PastStay, 'entry' | 'stayId'> | null; limit: number }): Promise<PastStay[]> =>
  run<PastStay>(tx, { sql: PAST }, [...valuesOf(asked), asked.after?.entry ?? null, asked.after?.stayId ?? null, asked.limit])
const PAST = `select s.id as stay_id, s.park_code, s.plate_no, s.rule_version_id, s.entry_time as entry, s.exit_time as at, s.receivable_fen as charged_fen,
    (s.pass_id is not null or s.reserve_id is not null or s.charge_order_ids <> '[]') as partly
  from parking.stay s where ${PRICED} and ($6::timestamptz is null or (s.seen_at, s.id) > ($6, $7::uuid)) order by s.seen_at, s.id limit $8`
export const pastStaysCountOf = async (tx: Tx, asked: PastStays): Promise<number> =>
  (await run<{ n: number }>(tx, { sql: `select count(*)::int as n from parking.stay s where ${PRICED}` }, valuesOf(asked)))[0]!.n

/** What their fees were worked out from. A stay priced area by area has no one fee that a rule explains, and is left out. */
export async function stayTermsOf(
  tx: Tx,
  { stayIds, free }: { stayIds: readonly string[]; free?: { minutes: number; mode: 'grace' | 'deduct' } | undefined },
): Promise<Map<string, StayTerms>> {
  const found = await run<AnyStay & { pricedAt: Instant | null }>(tx, { sql: TERMS }, [stayIds])
  const terms = new Map<string, StayTerms>()
  for (const stay of found) {
    const one = await termsOf(tx, stay, stay.pricedAt ?? stay.exitTime!, free)
    if (one) terms.set(stay.id, one)
  }
  return terms
}
/** A fee that was paid before the car left was asked for until then. */
const TERMS = `select s.*, (select (d.quote ->> 'at')::timestamptz from parking.decision d where d.enterprise_id = s.enterprise_id and d.stay_id = s.id and d.quote is not null order by d.received_at desc, d.id desc limit 1) as priced_at
  from parking.stay s where s.enterprise_id = scope_enterprise() and s.id = any ($1::uuid[]) and s.exit_time is not null and s.rule_version_id is not null`
