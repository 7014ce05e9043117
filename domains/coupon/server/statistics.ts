import type { Day, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type coupon, type CouponStatistics, CouponState } from '../contract/coupon.ts'

type Statistics = Of<typeof CouponStatistics>
type Counts = Omit<Statistics, 'byTemplate' | 'byDay'>

/** Counts coupons issued within days by their present state. Each is in one state, so the parts add up. */
export async function statisticsOf(
  tx: Tx,
  { templateId, mchId, issuedAtFrom, issuedAtTo }: Of<typeof coupon.queryStatistics.input>,
): Promise<Statistics> {
  const values = [templateId ?? null, mchId ?? null, issuedAtFrom ?? null, issuedAtTo ?? null]
  const [byTemplate, byDay] = await Promise.all([
    run<Statistics['byTemplate'][number]>(tx, BY_TEMPLATE, values),
    run<{ day: Day; issued: number; used: number; deductedFen: Counts['deductedFen'] }>(tx, BY_DAY, values),
  ])
  const sums = { issued: 0, live: 0, locked: 0, used: 0, withdrawn: 0, expired: 0, faceFen: 0, deductedFen: 0 } as Counts
  for (const row of byTemplate) for (const key of Object.keys(sums) as (keyof Counts)[]) (sums[key] as number) += row[key]
  return { ...sums, byTemplate, byDay }
}
const FROM = `from coupon.coupon c left join coupon.use_record u on u.enterprise_id = c.enterprise_id and u.coupon_id = c.id and u.returned_at is null
  where c.enterprise_id = scope_enterprise() and ($1::uuid is null or c.template_id = $1) and ($2::uuid is null or c.mch_id = $2)
    and ($3::date is null or c.issued_at >= $3::date::timestamp at time zone 'Asia/Shanghai') and ($4::date is null or c.issued_at < ($4::date + 1)::timestamp at time zone 'Asia/Shanghai')`
const BY_TEMPLATE = {
  sql: `select c.template_id, max(c.name) as name, count(*)::int as issued, count(*) filter (where c.state in (${CouponState.issued}, ${CouponState.givenBack}))::int as live,
      count(*) filter (where c.state = ${CouponState.locked})::int as locked, count(*) filter (where c.state = ${CouponState.used})::int as used, count(*) filter (where c.state = ${CouponState.withdrawn})::int as withdrawn,
      count(*) filter (where c.state = ${CouponState.expired})::int as expired, coalesce(sum(u.face_fen), 0)::bigint as face_fen, coalesce(sum(u.deducted_fen), 0)::bigint as deducted_fen
    ${FROM} group by c.template_id order by issued desc, c.template_id`,
}
const BY_DAY = {
  sql: `select (c.issued_at at time zone 'Asia/Shanghai')::date::text as day, count(*)::int as issued, count(*) filter (where c.state = ${CouponState.used})::int as used, coalesce(sum(u.deducted_fen), 0)::bigint as deducted_fen
    ${FROM} group by 1 order by 1 desc limit 90`,
}
