import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import type { Merging } from '../../owner/server/api.ts'
import { creditInstead } from '../../settlement/server/api.ts'
import { DetailKind, PLATES_MAX } from '../contract/pointsAccount.ts'
import { type Account, accounts, lockAccount, takeOut, writeMovement } from './pointsBook.ts'
import { Said } from '../contract/said.ts'

const TooManyPlates = refusal(
  'coupon.points-merge-plates',
  41657,
  '合并后积分账户的车牌超过 {most} 个，请先在「积分账户」中删减',
  'Together their points accounts have more than {most} plates: take some off under “Points accounts” first',
)

/** The answer to `owner.merged`: points go by the phone number. The owner who remains has the points of both on one account; the other one stays, empty, for its movements. */
export async function mergePoints(tx: Tx, { keepId, goneId, keepPhone, dryRun, at }: Merging): Promise<undefined> {
  const found = await run<{ ownerId: string; phone: string; accountId: string | null }>(tx, OF_OWNERS, [[keepId, goneId]])
  const of = (id: string) => found.find(({ ownerId }) => ownerId === id)!
  const [mine, theirs] = [of(keepId), of(goneId)]
  if (theirs.accountId === null) return
  // In the order in which cancelling an exchange locks: the exchange, then its account.
  await run(tx, { sql: HOLD_ORDERS }, [[mine.accountId, theirs.accountId]])
  const held = new Map<string, Account>()
  for (const id of [mine.accountId, theirs.accountId].filter((one) => one !== null).sort()) held.set(id, await lockAccount(tx, id))
  const [keep, gone] = [held.get(mine.accountId ?? ''), held.get(theirs.accountId)!]
  const plates = [...new Set([...(keep?.plates ?? []), ...gone.plates])]
  if (plates.length > PLATES_MAX) throw TooManyPlates({ most: PLATES_MAX })
  if (dryRun) return
  if (keep) await join(tx, keep, gone, plates, at)
  else {
    await setRow(tx, accounts, gone, { phone: keepPhone }, at)
    await run(tx, { sql: MOVE_ORDERS }, [gone.id, gone.id, keepPhone, at])
  }
}
const OF_OWNERS = {
  sql: `select a.id as owner_id, a.phone, p.id as account_id from owner.account a
    left join coupon.points_account p on p.enterprise_id = a.enterprise_id and p.phone = a.phone and p.merged_into is null where a.enterprise_id = scope_enterprise() and a.id = any($1::uuid[])`,
}

async function join(tx: Tx, keep: Account, gone: Account, plates: Account['plates'], at: Instant): Promise<void> {
  for (const sql of MOVE_ALL) await run(tx, { sql }, [keep.id, gone.id])
  await run(tx, { sql: MOVE_ORDERS }, [keep.id, gone.id, keep.phone, at])
  await creditInstead(tx, { from: gone.id, to: keep.id })
  const bizNo = `HB-${gone.id.slice(-12)}`
  const [from, to] = gone.balance >= 0 ? [gone, keep] : [keep, gone]
  const fen = Math.abs(gone.balance)
  await post(tx, {
    bizType: 'points.merged',
    bizNo,
    eventId: `points-merged:${gone.id}`,
    at,
    parkCode: '',
    business: 'coupon',
    lines: [
      { account: 'liability.points', sub: from.id, debitFen: fen },
      { account: 'liability.points', sub: to.id, creditFen: fen },
    ],
  })
  const owes = keep.debt + gone.debt
  const sums = {
    frozen: keep.frozen + gone.frozen,
    debt: owes > 0 ? await takeOut(tx, { accountId: keep.id, points: owes, at }) : 0,
    totalEarned: keep.totalEarned + gone.totalEarned,
    totalSpent: keep.totalSpent + gone.totalSpent,
    totalExpired: keep.totalExpired + gone.totalExpired,
    totalClawed: keep.totalClawed + gone.totalClawed,
  }
  const facts = { bizNo, at, memo: Said.merged }
  await writeMovement(tx, keep, DetailKind.merged, gone.balance, { ...sums, plates }, facts, { booked: false })
  await writeMovement(tx, gone, DetailKind.merged, -gone.balance, { ...EMPTY, plates: [], mergedInto: keep.id }, facts, { booked: false })
}
const EMPTY = { frozen: 0, debt: 0, totalEarned: 0, totalSpent: 0, totalExpired: 0, totalClawed: 0 }
const MOVE_ALL = [
  'update coupon.points_batch set account_id = $1 where enterprise_id = scope_enterprise() and account_id = $2',
  'update coupon.points_grant set account_id = $1 where enterprise_id = scope_enterprise() and account_id = $2',
  'update coupon.points_taken set account_id = $1 where enterprise_id = scope_enterprise() and account_id = $2',
]
const HOLD_ORDERS =
  'select id from coupon.points_order where enterprise_id = scope_enterprise() and account_id = any($1::uuid[]) order by id for update'
const MOVE_ORDERS = `update coupon.points_order set account_id = $1, phone = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and account_id = $2`
