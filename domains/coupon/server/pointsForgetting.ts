import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { KeptOfOwner } from '../../owner/server/api.ts'
import { PointsOrderState } from '../contract/pointsGoods.ts'
import { Said as OwnerSaid } from '../../owner/contract/said.ts'
import { GrantState } from '../contract/pointsGrant.ts'

const StillOpen = refusal(
  'coupon.points-open',
  41658,
  '车主还有支付中冻结的积分或待发放的兑换，请先完成或取消',
  'The owner still has points on hold for a payment, or an exchange to be delivered: complete or cancel it first',
)

/** The answer to `owner.kept`: the points account that goes by the owner's telephone, with those that became part of it. */
export async function pointsKept(tx: Tx, { ownerId }: { ownerId: string }): Promise<KeptOfOwner> {
  const ids = await accountsOf(tx, ownerId)
  const rows = (await run<{ row: unknown }>(tx, { sql: ALL_ROWS }, [ids])).map(({ row }) => row)
  const open = (await run(tx, { sql: OPEN }, [ids])).length > 0
  return { rows, why: open ? StillOpen() : undefined }
}
async function accountsOf(tx: Tx, ownerId: string): Promise<string[]> {
  const sql = `select p.id from owner.account a join coupon.points_account mine on mine.enterprise_id = a.enterprise_id and mine.phone = a.phone and mine.merged_into is null
    join coupon.points_account p on p.enterprise_id = mine.enterprise_id and mine.id in (p.id, p.merged_into) where a.enterprise_id = scope_enterprise() and a.id = $1`
  return (await run<{ id: string }>(tx, { sql }, [ownerId])).map(({ id }) => id)
}
const ROWS_MAX = 50_000
const ofAccount = (table: string, account: string) =>
  `(select jsonb_build_object('of', '${table}') || to_jsonb(t) - 'enterprise_id' as row from ${table} t where enterprise_id = scope_enterprise() and ${account} = any($1::uuid[]) limit ${ROWS_MAX})`
const ALL_ROWS = [
  ofAccount('coupon.points_account', 'id'),
  ofAccount('coupon.points_account_detail', 'account_id'),
  ofAccount('coupon.points_order', 'account_id'),
  ofAccount('coupon.points_grant', 'account_id'),
].join(' union all ')
const OPEN = `select from coupon.points_account where enterprise_id = scope_enterprise() and id = any($1::uuid[]) and frozen > 0
  union all select from coupon.points_order where enterprise_id = scope_enterprise() and account_id = any($1::uuid[]) and state in (${PointsOrderState.toPay}, ${PointsOrderState.toDeliver}) limit 1`

/** The answer to `owner.erased`: nobody can use these points any more, and they expire by themselves; movements stay in the books, without a name. */
export async function forgetPoints(tx: Tx, { ownerId, at }: { ownerId: string; at: Instant }): Promise<undefined> {
  const ids = await accountsOf(tx, ownerId)
  const pseudonym = `000${ownerId.slice(-8)}`
  for (const sql of FORGET) await run(tx, { sql }, [ids, pseudonym, at])
  await run(tx, { sql: FORGET_GRANTS }, [ids, at])
  await run(tx, { sql: 'select coupon.forget_movements($1, $2)' }, [ids, pseudonym])
}
/** One that waits for a second person is over with it. */
const FORGET_GRANTS = `update coupon.points_grant set reason = '${OwnerSaid.erased}', state = case when state = ${GrantState.waiting} then ${GrantState.withdrawn} else state end,
  decided_at = coalesce(decided_at, $2), version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and account_id = any($1::uuid[])`
const FORGET = [
  `update coupon.points_account set phone = $2, name = '${OwnerSaid.erased}', plates = '{}', version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = any($1::uuid[])`,
  'update coupon.points_order set phone = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and account_id = any($1::uuid[])',
]
