import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { accountSearch, DetailKind, detailSearch, PointsAccount, PointsDetail } from '../contract/pointsAccount.ts'
import './pointsTables.ts'

export const NotEnough = refusal('coupon.points-short', 41650, '积分不足：余额 {left}，需 {needed}', 'Too few points: {left} of {needed}', 422)

export const accounts = listOver(PointsAccount, 'coupon.pointsAccount', accountSearch, { sums: ['balance', 'debt'] })
export const details = listOver(PointsDetail, 'coupon.pointsAccountDetail', detailSearch, { sums: ['points'] })
export type Account = Of<typeof PointsAccount>
interface Batch {
  id: string
  points: number
  remaining: number
  clawed: number
  expireAt: Instant
}
interface Facts {
  bizNo: string
  at: Instant
  memo?: string
  parkCode?: string
}
export const lockAccount = (tx: Tx, id: string): Promise<Account> => lockRow(tx, accounts, { id })

/** One movement: the account's totals, its line, and, as a point is worth a fen, the ledger. `booked: false` where a payment has told the ledger itself. */
async function write(
  tx: Tx,
  found: Account,
  kind: Of<typeof PointsDetail>['kind'],
  points: number,
  totals: Partial<Account>,
  { bizNo, at, memo, parkCode = '' }: Facts,
  { batchId = null, expireAt = null, booked = true }: { batchId?: string | null; expireAt?: Instant | null; booked?: boolean } = {},
): Promise<Account> {
  const next = await setRow(tx, accounts, found, { ...totals, balance: found.balance + points }, at)
  const line = await addRow(tx, details, {
    accountId: found.id,
    phone: found.phone,
    kind,
    points,
    balanceAfter: next.balance,
    bizNo,
    batchId,
    expireAt,
    memo: memo ?? null,
    at,
  })
  if (booked && points !== 0)
    await post(tx, {
      bizType: 'points.moved', bizNo, eventId: `points:${line.id}`, at, parkCode, business: 'coupon',
      lines: [{ account: 'liability.points', sub: found.id, ...(points > 0 ? { creditFen: points } : { debitFen: -points }) }, { account: 'expense.marketing', ...(points > 0 ? { debitFen: points } : { creditFen: -points }) }],
    }) // prettier-ignore
  return next
}

/** A batch of points; what was owed is paid out of it first. The same number earns once by one rule. */
export async function earn(
  tx: Tx,
  accountId: string,
  { points, ruleId = null, expireAt, ...facts }: Facts & { points: number; ruleId?: string | null; expireAt: Instant },
): Promise<Account> {
  const found = await lockAccount(tx, accountId)
  if (points <= 0) return found
  const owed = Math.min(found.debt, points)
  const [batch] = await run<{ id: string }>(tx, EARNED, [accountId, ruleId, facts.bizNo, points, points - owed, expireAt, facts.at])
  if (!batch) return found
  return write(tx, found, DetailKind.earned, points, { totalEarned: found.totalEarned + points, debt: found.debt - owed }, facts, {
    batchId: batch.id,
    expireAt,
  })
}
const EARNED = {
  sql: `insert into coupon.points_batch (account_id, rule_id, biz_no, points, remaining, expire_at, at) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
}

/** Takes points out of batches, those that expire first first; `bizNo` where they may come back. Gives what could not be taken. */
async function takeOut(
  tx: Tx,
  { accountId, points, at, first, bizNo }: { accountId: string; points: number; at: Instant; first?: string; bizNo?: string },
): Promise<number> {
  let left = points
  for (const batch of await run<Batch>(tx, BATCHES, [accountId, at, first ?? null])) {
    if (left === 0) break
    const part = Math.min(left, batch.remaining)
    await run(tx, TAKE, [batch.id, part])
    if (bizNo !== undefined) await run(tx, TAKEN, [accountId, bizNo, batch.id, part])
    left -= part
  }
  return left
}
const TAKEN = { sql: 'insert into coupon.points_taken (account_id, biz_no, batch_id, points) values ($1, $2, $3, $4)' }
const BATCHES = {
  sql: `select id, points, remaining, clawed, expire_at from coupon.points_batch where enterprise_id = scope_enterprise() and account_id = $1 and remaining > 0 and (expire_at > $2 or id = $3::uuid)
    order by id is distinct from $3::uuid, expire_at, id for update`,
}
const TAKE = { sql: 'update coupon.points_batch set remaining = remaining - $2 where enterprise_id = scope_enterprise() and id = $1' }

/** @throws NotEnough when there are less, or the account owes */
export async function spend(
  tx: Tx,
  accountId: string,
  { points, booked = true, ...facts }: Facts & { points: number; booked?: boolean },
): Promise<Account> {
  const found = await lockAccount(tx, accountId)
  const [{ held }] = (await run<{ held: number }>(tx, HELD, [accountId, facts.at])) as [{ held: number }]
  const usable = Math.min(held, Math.max(0, found.balance))
  if (usable < points) throw NotEnough({ left: String(usable), needed: String(points) })
  await takeOut(tx, { accountId, points, at: facts.at, bizNo: facts.bizNo })
  return write(tx, found, DetailKind.spent, -points, { totalSpent: found.totalSpent + points }, facts, { booked })
}
const HELD = {
  sql: 'select coalesce(sum(remaining), 0)::bigint as held from coupon.points_batch where enterprise_id = scope_enterprise() and account_id = $1 and remaining > 0 and expire_at > $2',
}

/**
 * What was spent by `takenBy` comes back to the batches that it was taken from, those that last longest first, and expires with them; debt is paid first.
 * @param bizNo what brings it back
 */
export async function comeBack(
  tx: Tx,
  accountId: string,
  { points, takenBy, booked = true, ...facts }: Facts & { points: number; takenBy: string; booked?: boolean },
): Promise<Account> {
  const found = await lockAccount(tx, accountId)
  const owed = Math.min(found.debt, points)
  let [debt, left] = [owed, points]
  for (const { id, batchId, points: open } of await run<{ id: string; batchId: string; points: number }>(tx, TAKEN_BY, [accountId, takenBy])) {
    const part = Math.min(left, open)
    if (part === 0) break
    const paysDebt = Math.min(debt, part)
    await run(tx, RETURNED, [id, part])
    await run(tx, TAKE, [batchId, paysDebt - part])
    left -= part
    debt -= paysDebt
  }
  const totals = { totalSpent: found.totalSpent - points, debt: found.debt - owed }
  return write(tx, found, DetailKind.givenBack, points, totals, facts, { booked })
}
const TAKEN_BY = {
  sql: `select t.id, t.batch_id, t.points - t.returned as points from coupon.points_taken t join coupon.points_batch b on b.enterprise_id = t.enterprise_id and b.id = t.batch_id
    where t.enterprise_id = scope_enterprise() and t.account_id = $1 and t.biz_no = $2 and t.returned < t.points order by b.expire_at desc, t.id desc for update`,
}
const RETURNED = { sql: 'update coupon.points_taken set returned = returned + $2 where enterprise_id = scope_enterprise() and id = $1' }

/** The order that earned them was refunded, so much of a thousand thousandths: that part goes, out of its own batch first; what is spent already is owed. */
export async function clawBack(tx: Tx, { bizNo, at, paidFen, refundFen, parkCode }: Facts & { paidFen: number; refundFen: number }): Promise<void> {
  const earned = await run<Batch & { accountId: string }>(tx, OF_ORDER, [bizNo])
  for (const batch of earned) {
    const found = await lockAccount(tx, batch.accountId)
    const points = Math.ceil((batch.points * refundFen) / paidFen) - batch.clawed
    if (points <= 0) continue
    await run(tx, CLAWED, [batch.id, points])
    const owed = await takeOut(tx, { accountId: found.id, points, at, first: batch.id })
    const facts = { bizNo, at, ...(parkCode !== undefined && { parkCode }) }
    await write(tx, found, DetailKind.clawed, -points, { totalClawed: found.totalClawed + points, debt: found.debt + owed }, facts, {
      batchId: batch.id,
    })
  }
}
const OF_ORDER = {
  sql: `select id, account_id, points, remaining, clawed, expire_at from coupon.points_batch where enterprise_id = scope_enterprise() and biz_no = $1 and rule_id is not null order by id`,
}
const CLAWED = { sql: 'update coupon.points_batch set clawed = clawed + $2 where enterprise_id = scope_enterprise() and id = $1' }

/** So many batches expire in one transaction. */
const AT_ONCE = 200
/** Gives whether there may be more. */
export async function expireBatches(tx: Tx, at: Instant): Promise<boolean> {
  const over = await run<{ id: string; accountId: string }>(tx, OVER, [at, AT_ONCE])
  for (const { id, accountId } of over) {
    const found = await lockAccount(tx, accountId)
    const [emptied] = await run<{ points: number }>(tx, EMPTY, [id])
    if (!emptied?.points) continue
    const totals = { totalExpired: found.totalExpired + emptied.points }
    await write(tx, found, DetailKind.expired, -emptied.points, totals, { bizNo: id, at }, { batchId: id })
  }
  return over.length === AT_ONCE
}
const EMPTY = {
  sql: 'update coupon.points_batch set remaining = 0 where enterprise_id = scope_enterprise() and id = $1 returning old.remaining as points',
}
const OVER = {
  sql: `select id, account_id from coupon.points_batch where enterprise_id = scope_enterprise() and remaining > 0 and expire_at <= $1 order by account_id, expire_at, id limit $2`,
}
