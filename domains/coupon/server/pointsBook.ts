import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { accountSearch, DetailKind, detailSearch, PointsAccount, PointsDetail } from '../contract/pointsAccount.ts'
import './pointsTables.ts'

export const NotEnough = refusal(
  'coupon.points-short',
  41650,
  '积分不足：余额 {left}，需 {needed}；请选择其他商品',
  'Not enough points: {left} available, {needed} needed: choose something else',
  422,
)

export const accounts = listOver(PointsAccount, 'coupon.pointsAccount', accountSearch, { only: 'merged_into is null', sums: ['balance', 'debt'] })
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

export type Holder = Pick<Account, 'phone' | 'name'>
/** The account of a telephone; opened where there is none yet. */
export async function accountFor(tx: Tx, { phone, name }: Holder): Promise<string> {
  await run(tx, OPEN, [phone, name])
  return (await run<{ id: string }>(tx, OF_PHONE, [phone]))[0]!.id
}
const OPEN = {
  sql: 'insert into coupon.points_account (phone, name) values ($1, $2) on conflict (enterprise_id, phone) where merged_into is null do nothing',
}
const OF_PHONE = { sql: 'select id from coupon.points_account where enterprise_id = scope_enterprise() and phone = $1 and merged_into is null' }

/** One movement: the account's totals, its line, and, as a point is worth a fen, the ledger. `booked: false` where a payment has told the ledger itself. */
export async function writeMovement(
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
      bizType: 'points.moved',
      bizNo,
      eventId: `points:${line.id}`,
      at,
      parkCode,
      business: 'coupon',
      lines: [
        { account: 'liability.points', sub: found.id, ...(points > 0 ? { creditFen: points } : { debitFen: -points }) },
        { account: 'expense.marketing', ...(points > 0 ? { debitFen: points } : { creditFen: -points }) },
      ],
    })
  return next
}

/** Adds a batch of points; a debt is paid out of it first. The same number earns once by one rule. */
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
  return writeMovement(tx, found, DetailKind.earned, points, { totalEarned: found.totalEarned + points, debt: found.debt - owed }, facts, {
    batchId: batch.id,
    expireAt,
  })
}
const EARNED = {
  sql: `insert into coupon.points_batch (account_id, rule_id, biz_no, points, remaining, expire_at, at) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
}

/** Takes points out of batches, those that expire first first; `bizNo` where they may come back. Gives what could not be taken. */
export async function takeOut(
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
  const found = await takeUsable(tx, accountId, { points, ...facts })
  return writeMovement(tx, found, DetailKind.spent, -points, { totalSpent: found.totalSpent + points }, facts, { booked })
}
/** Points leave the batches of an account that has so many to use. */
async function takeUsable(tx: Tx, accountId: string, { points, bizNo, at }: Facts & { points: number }): Promise<Account> {
  const found = await lockAccount(tx, accountId)
  const usable = await usableOf(tx, found, at)
  if (usable < points) throw NotEnough({ left: String(usable), needed: String(points) })
  await takeOut(tx, { accountId, points, at, bizNo })
  return found
}
/** How many are neither expired nor set apart. */
export async function usableOf(tx: Tx, { id, balance, frozen }: Pick<Account, 'id' | 'balance' | 'frozen'>, at: Instant): Promise<number> {
  const [{ held }] = (await run<{ held: number }>(tx, HELD, [id, at])) as [{ held: number }]
  return Math.min(held, Math.max(0, balance - frozen))
}
const HELD = {
  sql: 'select coalesce(sum(remaining), 0)::bigint as held from coupon.points_batch where enterprise_id = scope_enterprise() and account_id = $1 and remaining > 0 and expire_at > $2',
}

/**
 * Returns points spent by `takenBy` to the batches that they were taken from, those that last longest first; they expire with them. A debt is paid first.
 * @param bizNo the number of the event that returns them
 */
export async function comeBack(
  tx: Tx,
  accountId: string,
  { points, takenBy, booked = true, ...facts }: Facts & { points: number; takenBy: string; booked?: boolean },
): Promise<Account> {
  const found = await lockAccount(tx, accountId)
  const owed = await putBack(tx, found, points, takenBy)
  const totals = { totalSpent: found.totalSpent - points, debt: found.debt - owed }
  return writeMovement(tx, found, DetailKind.givenBack, points, totals, facts, { booked })
}
/** Into the batches that they were taken from. Gives how many of them pay what is owed. */
async function putBack(tx: Tx, { id: accountId, debt: owes }: Account, points: number, takenBy: string): Promise<number> {
  const owed = Math.min(owes, points)
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
  return owed
}
const TAKEN_BY = {
  sql: `select t.id, t.batch_id, t.points - t.returned as points from coupon.points_taken t join coupon.points_batch b on b.enterprise_id = t.enterprise_id and b.id = t.batch_id
    where t.enterprise_id = scope_enterprise() and t.account_id = $1 and t.biz_no = $2 and t.returned < t.points order by b.expire_at desc, t.id desc for update`,
}
const RETURNED = { sql: 'update coupon.points_taken set returned = returned + $2 where enterprise_id = scope_enterprise() and id = $1' }

type Apart = Pick<Facts, 'bizNo' | 'at'> & { points: number }
/** For a payment that is under way: out of the batches at once, so that nothing else spends them, and they do not expire before it ends. @throws NotEnough */
export async function layApart(tx: Tx, accountId: string, { points, ...facts }: Apart): Promise<void> {
  const found = await takeUsable(tx, accountId, { points, ...facts })
  await setRow(tx, accounts, found, { frozen: found.frozen + points }, facts.at)
}
/** The payment came: they are spent. The ledger has heard of it from the payment. */
export async function takeApart(tx: Tx, accountId: string, { points, ...facts }: Facts & { points: number }): Promise<void> {
  const found = await lockAccount(tx, accountId)
  const totals = { totalSpent: found.totalSpent + points, frozen: found.frozen - points }
  await writeMovement(tx, found, DetailKind.spent, -points, totals, facts, { booked: false })
}
/** Releases points whose payment did not come: they are back in their batches, and pay any debt first. */
export async function freeApart(tx: Tx, accountId: string, { points, bizNo, at }: Apart): Promise<void> {
  const found = await lockAccount(tx, accountId)
  const owed = await putBack(tx, found, points, bizNo)
  await setRow(tx, accounts, found, { frozen: found.frozen - points, debt: found.debt - owed }, at)
}

/** The order that earned them was refunded, in part or whole: that part of the points goes, out of its own batch first; points spent already become a debt. */
export async function clawBack(tx: Tx, { bizNo, at, paidFen, refundFen, parkCode }: Facts & { paidFen: number; refundFen: number }): Promise<void> {
  const earned = await run<Batch & { accountId: string }>(tx, OF_ORDER, [bizNo])
  for (const batch of earned) {
    const found = await lockAccount(tx, batch.accountId)
    const points = Math.ceil((batch.points * refundFen) / paidFen) - batch.clawed
    if (points <= 0) continue
    await run(tx, CLAWED, [batch.id, points])
    const owed = await takeOut(tx, { accountId: found.id, points, at, first: batch.id })
    const facts = { bizNo, at, ...(parkCode !== undefined && { parkCode }) }
    await writeMovement(tx, found, DetailKind.clawed, -points, { totalClawed: found.totalClawed + points, debt: found.debt + owed }, facts, {
      batchId: batch.id,
    })
  }
}
const OF_ORDER = {
  sql: `select id, account_id, points, remaining, clawed, expire_at from coupon.points_batch where enterprise_id = scope_enterprise() and biz_no = $1 and rule_id is not null order by id`,
}
const CLAWED = { sql: 'update coupon.points_batch set clawed = clawed + $2 where enterprise_id = scope_enterprise() and id = $1' }

/** The batches that expire in one transaction, some 0.2 s: few enough that nobody who pays with points waits for it. */
export const EXPIRE_AT_ONCE = 500
/** Expires batches, each with its line; the ledger gets one entry for all of them. Returns whether there may be more. */
export async function expireBatches(tx: Tx, at: Instant): Promise<boolean> {
  const over = await run<{ id: string }>(tx, OVER, [at, EXPIRE_AT_ONCE])
  if (over.length === 0) return false
  const expired = await run<{ accountId: string; points: number; lineId: string }>(tx, EXPIRE, [over.map(({ id }) => id), at])
  const [first] = expired
  if (first)
    await post(tx, {
      bizType: 'points.expired',
      bizNo: `GQ-${first.lineId.slice(-12)}`,
      eventId: `points:${first.lineId}`,
      at,
      parkCode: '',
      business: 'coupon',
      lines: [
        ...expired.map(({ accountId, points }) => ({ account: 'liability.points' as const, sub: accountId, debitFen: points })),
        { account: 'expense.marketing', creditFen: expired.reduce((sum, { points }) => sum + points, 0) },
      ],
    })
  return over.length === EXPIRE_AT_ONCE
}
/** Those that were over first, their accounts held in one order. */
const OVER = {
  sql: `with over as materialized (select id, account_id from coupon.points_batch where enterprise_id = scope_enterprise() and remaining > 0 and expire_at <= $1 order by expire_at limit $2)
    select over.id from over join coupon.points_account a on a.enterprise_id = scope_enterprise() and a.id = over.account_id order by a.id for update of a`,
}
/** As they stand now that nobody else takes out of them. */
const EXPIRE = {
  sql: `with emptied as (
      update coupon.points_batch set remaining = 0 where enterprise_id = scope_enterprise() and id = any($1::uuid[]) and remaining > 0 returning id, account_id, expire_at, old.remaining as points
    ), held as (
      update coupon.points_account a set balance = a.balance - e.points, total_expired = a.total_expired + e.points, version = a.version + 1, updated_at = $2
        from (select account_id, sum(points)::bigint as points from emptied group by account_id) e where a.enterprise_id = scope_enterprise() and a.id = e.account_id returning a.id, a.phone, old.balance as before
    ), told as (
      insert into coupon.points_account_detail (account_id, phone, kind, points, balance_after, biz_no, batch_id, at)
        select h.id, h.phone, ${DetailKind.expired}, -e.points, h.before - sum(e.points) over (partition by h.id order by e.expire_at, e.id), e.id, e.id, $2
        from emptied e join held h on h.id = e.account_id order by h.id, e.expire_at, e.id returning id, account_id, points
    ) select account_id, -sum(points)::bigint as points, min(id::text) as line_id from told group by account_id order by account_id`,
}
