import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { post, type PostingLine } from '../../ledger/server/api.ts'
import { BalanceKind } from '../contract/account.ts'
import { SettleMode } from '../contract/merchant.ts'
import { isEnabled, type MerchantRow, merchants } from './merchant.ts'

const TooLittle = refusal(
  'merchant.too-little',
  41710,
  '余额和授信不足，还差 ¥{missing}；请先充值或增加授信',
  '¥{missing} short: recharge the merchant or grant credit first',
  422,
)
const Disabled = refusal('merchant.disabled', 41711, '商户「{name}」已停用，请先启用', 'The merchant “{name}” is disabled: enable it first', 422)

export interface Moved {
  amountFen: number
  bizNo: string
  eventId: string
  at: Instant
  /** By what contract the coupons were bought: the merchant may have another one by now. */
  settleMode: MerchantRow['settleMode']
  /** Where it happened; the merchant's first park where it is nowhere. */
  parkCode?: string
  remark?: string
  by?: string | null
}
interface Deltas {
  balanceFen?: number
  usedFen?: number
  heldFen?: number
  quotaFen?: number
}
type Kind = keyof typeof BalanceKind.entries

/** A merchant, held until the transaction ends. @throws NotFound, and a refusal when `enabled` is asked for and it is not */
export async function lockMerchant(tx: Tx, id: string, { enabled = false } = {}): Promise<MerchantRow> {
  const found = await lockRow(tx, merchants, { id })
  if (enabled && !isEnabled(found)) throw Disabled({ name: found.name })
  return found
}

/** Writes what changed, with what is there after it. The row is held, so two at once are one after the other, and the table's checks hold both. */
export async function move(
  tx: Tx,
  found: MerchantRow,
  kind: Kind,
  deltas: Deltas,
  { amountFen, bizNo, at, remark, by }: Omit<Moved, 'eventId' | 'settleMode'>,
): Promise<MerchantRow> {
  const { balanceFen = 0, usedFen = 0, heldFen = 0, quotaFen = 0 } = deltas
  const next = await setRow(
    tx,
    merchants,
    found,
    {
      balanceFen: (found.balanceFen + balanceFen) as Fen,
      usedFen: (found.usedFen + usedFen) as Fen,
      heldFen: (found.heldFen + heldFen) as Fen,
      quotaFen: (found.quotaFen + quotaFen) as Fen,
    },
    at,
  )
  await run(tx, MOVED, [
    found.id,
    kind,
    amountFen,
    balanceFen,
    usedFen,
    heldFen,
    quotaFen,
    next.balanceFen,
    next.usedFen,
    next.heldFen,
    next.quotaFen,
    bizNo,
    remark ?? null,
    by ?? null,
    at,
  ])
  return next
}
const MOVED = {
  sql: `insert into merchant.movement (mch_id, kind, amount_fen, balance_fen, used_fen, held_fen, quota_fen, balance_after_fen, used_after_fen, held_after_fen, quota_after_fen, biz_no, remark, operator_name, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
}

/** Balance first, then credit. @throws TooLittle, which names what is missing */
function spend({ balanceFen, quotaFen, usedFen }: MerchantRow, amountFen: number): { balanceFen: number; usedFen: number } {
  const ofBalance = Math.min(balanceFen, amountFen)
  const ofCredit = amountFen - ofBalance
  const missing = ofCredit - (quotaFen - usedFen)
  if (missing > 0) throw TooLittle({ missing: (missing / 100).toFixed(2) })
  return { balanceFen: -ofBalance, usedFen: ofCredit }
}
/** Used credit first, then balance; credit that is being run down falls with it. */
export async function refill(
  tx: Tx,
  { id, usedFen, quotaFen }: MerchantRow,
  amountFen: number,
): Promise<Required<Pick<Deltas, 'balanceFen' | 'usedFen' | 'quotaFen'>>> {
  const repaid = Math.min(usedFen, amountFen)
  const [{ target }] = (await run<{ target: number | null }>(tx, TARGET, [id])) as [{ target: number | null }]
  const quota = target === null ? quotaFen : Math.max(target, usedFen - repaid)
  return { balanceFen: amountFen - repaid, usedFen: -repaid, quotaFen: Math.min(0, quota - quotaFen) }
}
const TARGET = { sql: 'select quota_target_fen as target from merchant.merchant where enterprise_id = scope_enterprise() and id = $1' }

/** The ledger's lines of a merchant's account: amounts given (−) or received (+). */
function linesOf(mchId: string, { balanceFen = 0, usedFen = 0 }: Deltas): PostingLine[] {
  const side = (account: PostingLine['account'], fen: number): PostingLine =>
    fen < 0 ? { account, sub: mchId, debitFen: -fen } : { account, sub: mchId, creditFen: fen }
  return [side('liability.merchant', balanceFen), side('asset.merchant-credit', -usedFen)]
}
const coupons = (sub: string, fen: number): PostingLine =>
  fen < 0 ? { account: 'liability.coupon', sub, debitFen: -fen } : { account: 'liability.coupon', sub, creditFen: fen }
const booked = (
  tx: Tx,
  mch: MerchantRow,
  bizType: string,
  { bizNo, eventId, at, parkCode }: Omit<Moved, 'amountFen' | 'settleMode'>,
  lines: PostingLine[],
) => post(tx, { bizType, bizNo, eventId, at, parkCode: parkCode ?? mch.parkCodes[0]!, business: 'coupon', lines })

/** Takes the money for coupons: when they are bought (face value), or on hold when they are issued (as deducted). Returns how it was paid. */
export async function takeFor(tx: Tx, mch: MerchantRow, moved: Moved): Promise<{ balanceFen: number; creditFen: number }> {
  const held = moved.settleMode === SettleMode.actual
  const spent = spend(mch, moved.amountFen)
  await move(tx, mch, held ? BalanceKind.held : BalanceKind.bought, { ...spent, ...(held && { heldFen: moved.amountFen }) }, moved)
  await booked(tx, mch, held ? 'coupon.held' : 'coupon.sold', moved, [...linesOf(mch.id, spent), coupons(mch.id, moved.amountFen)])
  return { balanceFen: -spent.balanceFen, creditFen: spent.usedFen }
}

/** Returns the money of coupons to the merchant: returned or withdrawn by people, or expired. */
export async function giveBack(tx: Tx, mch: MerchantRow, moved: Moved, expired = false): Promise<void> {
  const held = moved.settleMode === SettleMode.actual
  const got = await refill(tx, mch, moved.amountFen)
  const kind = held ? BalanceKind.letGo : expired ? BalanceKind.expiredBack : BalanceKind.returned
  await move(tx, mch, kind, { ...got, ...(held && { heldFen: -moved.amountFen }) }, moved)
  await booked(tx, mch, 'coupon.back', moved, [coupons(mch.id, -moved.amountFen), ...linesOf(mch.id, got)])
}

/** A coupon was used: the money reserved for it pays the discount. The deduction is final; the rest of the reserved money is free again. */
export async function settleUse(tx: Tx, mch: MerchantRow, { deductedFen, ...moved }: Moved & { deductedFen: number }): Promise<void> {
  const held = moved.settleMode === SettleMode.actual
  const taken = held ? deductedFen : moved.amountFen
  const rest = moved.amountFen - taken
  const got = rest > 0 ? await refill(tx, mch, rest) : {}
  if (rest > 0) mch = await move(tx, mch, BalanceKind.letGo, { ...got, heldFen: -rest }, { ...moved, amountFen: rest })
  if (held && taken > 0) await move(tx, mch, BalanceKind.deducted, { heldFen: -taken }, { ...moved, amountFen: taken })
  await booked(tx, mch, 'coupon.used', moved, [
    coupons(mch.id, -moved.amountFen),
    { account: 'contra.discount', creditFen: taken },
    ...linesOf(mch.id, got),
  ])
}
/** The fee it was used for was paid back whole: it is kept for again. */
export async function unsettleUse(tx: Tx, mch: MerchantRow, moved: Moved): Promise<void> {
  if (moved.settleMode === SettleMode.actual && moved.amountFen > 0)
    await move(tx, mch, BalanceKind.deducted, { heldFen: moved.amountFen }, { ...moved, amountFen: -moved.amountFen })
  await booked(tx, mch, 'coupon.unused', moved, [{ account: 'contra.discount', debitFen: moved.amountFen }, coupons(mch.id, moved.amountFen)])
}
/** Expired, and by contract it does not go back. */
export async function forfeit(tx: Tx, mch: MerchantRow, moved: Moved): Promise<void> {
  if (moved.settleMode === SettleMode.actual) await move(tx, mch, BalanceKind.deducted, { heldFen: -moved.amountFen }, moved)
  await booked(tx, mch, 'coupon.forfeited', moved, [coupons(mch.id, -moved.amountFen), { account: 'income.parking', creditFen: moved.amountFen }])
}
