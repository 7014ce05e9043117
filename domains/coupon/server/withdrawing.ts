import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { giveBack, lockMerchant } from '../../merchant/server/api.ts'
import { Coupon, CouponState } from '../contract/coupon.ts'
import { sales, setLeft } from './sold.ts'
import { type CouponRow, coupons, moveCoupon } from './using.ts'

/** Takes a coupon back that nobody has used or is paying with; a book as a whole. @throws IllegalMove, Stale, NotFound */
export async function withdraw(tx: Tx, which: { id: string; version: number }, reason: string, at: Instant): Promise<CouponRow> {
  const found = await lockRow(tx, coupons, which)
  const together = await run<CouponRow>(tx, TOGETHER, [found.templateId, found.soldId, found.plateNo, found.issuedAt])
  const gone = together.find(({ state }) => state !== CouponState.issued)
  if (gone) throw IllegalMove({ state: gone.state })
  const withdrawn: CouponRow[] = []
  for (const one of together) withdrawn.push(await moveCoupon(tx, one, 'withdraw', at, { reason, endedAt: at, heldFen: 0 as Fen }))
  if (found.soldId) await putBack(tx, together, at)
  return withdrawn.find(({ id }) => id === found.id)!
}
const COUPON = columnsIn(Coupon)
/** A book is issued, and goes back, as a whole. */
const TOGETHER = {
  sql: `select ${COUPON} from coupon.coupon where enterprise_id = scope_enterprise() and template_id = $1 and sold_id is not distinct from $2::uuid and plate_no = $3 and issued_at = $4
    order by id for update`,
}

/** Puts coupons back for the merchant to issue to another car, and releases the money reserved for them. */
async function putBack(tx: Tx, together: readonly CouponRow[], at: Instant): Promise<void> {
  const [one] = together
  const sale = await lockRow(tx, sales, { id: one!.soldId })
  await setLeft(tx, sale, 1, at)
  const heldFen = together.reduce((sum, { heldFen: fen }) => sum + fen, 0)
  if (sale.settleMode !== SettleMode.actual || heldFen === 0) return
  const moved = { amountFen: heldFen, settleMode: sale.settleMode, bizNo: one!.couponNo, eventId: `coupon.withdrawn:${one!.id}`, at }
  await giveBack(tx, await lockMerchant(tx, sale.mchId), moved)
}
