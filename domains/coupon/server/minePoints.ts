import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { PaymentState } from '../../settlement/contract/payment.ts'
import type { MyPoints } from '../contract/mine.ts'
import { checkInNow } from './pointsEarning.ts'

type Points = Of<typeof MyPoints>
/** Returns a driver's points; without an account they have none. */
export async function pointsOf(tx: Tx, ownerId: string, at: Instant): Promise<Points> {
  const [[account], parks] = await Promise.all([
    run<Sums & { id: string }>(tx, { sql: ACCOUNT }, [ownerId, at]),
    run<Points['parks'][number]>(tx, { sql: PARKS }, []),
  ])
  const checkIn = await checkInNow(tx, ownerId, account?.id, at)
  if (!account) return { ...NONE, checkIn, batches: [], laid: [], parks, details: [] }
  const { id, ...sums } = account
  const [batches, laid, details] = await Promise.all([
    run<Points['batches'][number]>(tx, { sql: BATCHES }, [id, at]),
    run<Points['laid'][number]>(tx, { sql: LAID }, [id]),
    run<Points['details'][number]>(tx, { sql: DETAILS }, [id]),
  ])
  return { ...sums, checkIn, batches, laid, parks, details }
}
type Sums = Omit<Points, 'checkIn' | 'batches' | 'laid' | 'parks' | 'details'>
const NONE: Sums = { balance: 0, usable: 0, debt: 0, totalEarned: 0, totalSpent: 0, expiring: 0 }
const BATCHES = `select sum(remaining)::bigint as points, expire_at from coupon.points_batch where enterprise_id = scope_enterprise() and account_id = $1 and remaining > 0 and expire_at > $2
  group by expire_at order by expire_at limit 12`
const ACCOUNT = `select p.id, p.balance, p.debt, p.total_earned, p.total_spent,
    greatest(0, least(p.balance - p.frozen, (select sum(b.remaining) from coupon.points_batch b where b.enterprise_id = p.enterprise_id and b.account_id = p.id and b.remaining > 0 and b.expire_at > $2::timestamptz)))::int as usable,
    coalesce((select sum(b.remaining) from coupon.points_batch b where b.enterprise_id = p.enterprise_id and b.account_id = p.id and b.remaining > 0 and b.expire_at < $2::timestamptz + interval '30 days'), 0)::int as expiring
  from owner.account a join coupon.points_account p on p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null where a.enterprise_id = scope_enterprise() and a.id = $1`
const LAID = `select o.order_no, y.amount_fen as points from settlement.leg l join settlement.payment y on y.enterprise_id = l.enterprise_id and y.id = l.payment_id and y.state = ${PaymentState.waiting}
    join settlement.order o on o.enterprise_id = y.enterprise_id and o.id = y.order_id where l.enterprise_id = scope_enterprise() and l.account = 'liability.points' and l.sub = $1 order by y.created_at limit 50`
const PARKS = `select p.park_code, k.name as park_name, p.earn, p.spend, p.cap_permille from coupon.points_park p
    join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code
  where p.enterprise_id = scope_enterprise() and (p.earn or p.spend) order by k.name limit 200`
const DETAILS = `select id, kind, points, balance_after, memo, at from coupon.points_account_detail where enterprise_id = scope_enterprise() and account_id = $1 order by at desc, id desc limit 50`
