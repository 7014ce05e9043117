import { plural } from '../../../platform/contract/plural.ts'
import type { Day, Instant } from '../../../platform/contract/field.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { Coupon, CouponState } from '../contract/coupon.ts'
import { ValidType } from '../contract/template.ts'
import { lapseLeft } from './sold.ts'
import { type CouponRow, lapse } from './using.ts'

/** The coupons that expire in one transaction; the rest in the next. */
const AT_ONCE = 200
/** Settles coupons past their last day: they are already invalid, and here their money goes where the contract says. */
export const expire = task('coupon.expire', async ({ tx, at }) => void (await expireSome(tx, at)), { every: '7 * * * *' })
export async function expireSome(tx: Tx, at: Instant): Promise<number> {
  const over = await run<CouponRow>(tx, OVER, [at, AT_ONCE])
  for (const one of over) await lapse(tx, one, at)
  const left = await run<{ id: string }>(tx, LEFT, [at, AT_ONCE])
  for (const { id } of left) await lapseLeft(tx, id, at)
  if (over.length === AT_ONCE || left.length === AT_ONCE) await addJob(tx, expire, {}, { key: 'coupon.expire' })
  return over.length
}
const COUPON = columnsIn(Coupon)
const OVER = {
  sql: `select ${COUPON} from coupon.coupon where enterprise_id = scope_enterprise() and state = ${CouponState.issued} and valid_to <= $1
    order by valid_to, id limit $2 for update skip locked`,
}
/** Sales of a template past its last day that merchants have not issued. */
const LEFT = {
  sql: `select s.id from coupon.sold_record s join coupon.template t on t.enterprise_id = s.enterprise_id and t.id = s.template_id
    where s.enterprise_id = scope_enterprise() and s.left_qty > 0 and t.valid_type = ${ValidType.fixed} and t.valid_to < ($1::timestamptz at time zone 'Asia/Shanghai')::date
    order by s.id limit $2`,
}

const LIVE = {
  sql: `select (select count(*) from coupon.coupon where enterprise_id = scope_enterprise() and mch_id = $1 and state in (${CouponState.issued}, ${CouponState.locked}))::int as live,
    (select coalesce(sum(left_qty), 0) from coupon.sold_record where enterprise_id = scope_enterprise() and mch_id = $1)::int as kept`,
}
/** A merchant with coupons that are out, or that it may still issue, is not deleted. */
export async function holdsMerchant(tx: Tx, { mchId }: { mchId: string }): Promise<{ zh: string; en: string } | undefined> {
  const [{ live, kept }] = (await run<{ live: number; kept: number }>(tx, LIVE, [mchId])) as [{ live: number; kept: number }]
  return live + kept > 0
    ? { zh: ` ${live} 张在用券、${kept} 张未发放券`, en: `${live} ${plural(live, 'coupon')} in use and ${kept} left to issue` }
    : undefined
}

const COUNTS = {
  sql: `select count(*) filter (where day_of(issued_at) = $2)::int as issued,
    (select count(*)::int from coupon.use_record where enterprise_id = scope_enterprise() and mch_id = $1 and (returned_at is null or day_of(returned_at) > $2)
      and used_at >= $2::date::timestamp at time zone 'Asia/Shanghai' and used_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai') as used,
    count(*) filter (where state = ${CouponState.withdrawn} and day_of(ended_at) = $2)::int as withdrawn, count(*) filter (where state = ${CouponState.expired} and day_of(ended_at) = $2)::int as expired
    from coupon.coupon where enterprise_id = scope_enterprise() and mch_id = $1`.replaceAll(
    /day_of\((\w+)\)/g,
    "($1 at time zone 'Asia/Shanghai')::date",
  ),
}
/** Returns what a merchant's coupons did on a day, for its statement: a fee refunded later does not change a day that is over. */
export const countsOf = async (tx: Tx, { mchId, day }: { mchId: string; day: Day }) =>
  (await run<{ issued: number; used: number; withdrawn: number; expired: number }>(tx, COUNTS, [mchId, day]))[0]
