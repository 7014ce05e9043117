import { run, type Tx } from '../../../platform/server/database.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { CouponState } from '../contract/coupon.ts'

/** The answer to `owner.holdings`: an owner's points go by their telephone, their coupons by the cars that are verified as theirs. */
export const holdingsOf = (tx: Tx, { ownerIds }: { ownerIds: readonly string[] }) =>
  run<{ ownerId: string; points: number; coupons: number }>(tx, HELD, [ownerIds])
const HELD = {
  sql: `select a.id as owner_id, coalesce((select p.balance from coupon.points_account p where p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null), 0)::bigint as points,
      (select count(*) from owner.car r join coupon.coupon c on c.enterprise_id = r.enterprise_id and c.plate_no = r.plate_no and (c.plate_color is null or c.plate_color = r.plate_color)
        where r.enterprise_id = a.enterprise_id and r.owner_id = a.id and r.verify_state = ${VerifyState.verified} and c.state = ${CouponState.issued})::int as coupons
    from owner.account a where a.enterprise_id = scope_enterprise() and a.id = any($1::uuid[])`,
}
