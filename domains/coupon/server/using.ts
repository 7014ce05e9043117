import { searchOf } from '../../../platform/contract/call.ts'
import { entity, type Fen, type Instant, type Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove } from '../../../platform/server/refusal.ts'
import { addRow, setRow } from '../../../platform/server/row.ts'
import { listOver } from '../../../platform/server/page.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { forfeit, giveBack, lockMerchant, settleUse, unsettleUse } from '../../merchant/server/api.ts'
import type { Owed, Settled } from '../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { Coupon, couponCan, couponSearch, CouponState } from '../contract/coupon.ts'
import type { Sold } from '../contract/sold.ts'
import { CouponType } from '../contract/template.ts'
import { Use } from '../contract/use.ts'
import './tables.ts'

export const coupons = listOver(Coupon, 'coupon.coupon', couponSearch, { sums: ['heldFen', 'takeFen'] })
export type CouponRow = Of<typeof Coupon>
const { orderNo: _, plateColor: __, ...fields } = Use.properties
const Kept = entity({ ...fields, heldFen: Coupon.properties.heldFen })
const uses = listOver(Kept, 'coupon.useRecord', searchOf(Kept, {}, { sort: ['usedAt'] }))
type UseRow = Of<typeof Kept>

/** The one way by which a coupon changes its state. @throws IllegalMove */
export async function moveCoupon(
  tx: Tx,
  found: CouponRow,
  verb: keyof typeof couponCan,
  at: Instant,
  changes: Partial<CouponRow> = {},
): Promise<CouponRow> {
  const state = couponCan[verb](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  return setRow(tx, coupons, found, { ...changes, state }, at)
}
const COUPON = columnsIn(Coupon)
const HELD = {
  sql: `select ${COUPON} from coupon.coupon where enterprise_id = scope_enterprise() and order_id = $1 and state = ${CouponState.locked} order by id for update`,
}
const PARK = { sql: 'select park_code from parking.stay where enterprise_id = scope_enterprise() and id = $1' }

interface UsedFor {
  orderId: string
  stayId: string | null
  parkCode?: string
  at: Instant
}
/** Uses the coupons that an order holds, once nothing is left to pay on it, and settles their merchants' accounts. */
export async function redeemHeld(tx: Tx, { orderId, stayId, parkCode, at }: UsedFor): Promise<void> {
  const held = await run<CouponRow>(tx, HELD, [orderId])
  if (!held.length) return
  const where = parkCode ?? (await run<{ parkCode: string }>(tx, PARK, [stayId]))[0]!.parkCode
  for (const one of held) await redeem(tx, one, { orderId, stayId, parkCode: where, at })
}
async function redeem(tx: Tx, one: CouponRow, { orderId, stayId, parkCode, at }: UsedFor & { parkCode: string }): Promise<void> {
  const { id: couponId, couponNo, name, plateNo, takeFen: deductedFen, heldFen, soldNo, mchId, mchName } = one
  const faceFen = (one.type === CouponType.amount ? Math.max(one.value, deductedFen) : deductedFen) as Fen
  const use = await addRow(tx, uses, {
    ...{
      couponId,
      couponNo,
      name,
      orderId: orderId as UseRow['orderId'],
      stayId: stayId as UseRow['stayId'],
      parkCode,
      plateNo,
      faceFen,
      deductedFen,
      wastedFen: (faceFen - deductedFen) as Fen,
    },
    ...{ heldFen, soldNo, mchId, mchName, usedAt: at },
  })
  await moveCoupon(tx, one, 'use', at, { endedAt: at })
  if (mchId === null) return
  const moved = {
    amountFen: heldFen,
    settleMode: await soldBy(tx, soldNo),
    deductedFen,
    bizNo: couponNo,
    eventId: `coupon.used:${use.id}`,
    at,
    parkCode,
  }
  await settleUse(tx, await lockMerchant(tx, mchId), moved)
}

/** The contract by which a coupon's sale was made settles it, whatever the merchant has by now. */
async function soldBy(tx: Tx, soldNo: string | null): Promise<SoldMode> {
  const [sale] = await run<{ settleMode: SoldMode }>(tx, SOLD_BY, [soldNo])
  return sale!.settleMode
}
type SoldMode = Of<typeof Sold>['settleMode']
const SOLD_BY = { sql: 'select settle_mode from coupon.sold_record where enterprise_id = scope_enterprise() and sold_no = $1' }

const OF_ORDER = {
  sql: `select * from coupon.use_record where enterprise_id = scope_enterprise() and order_id = $1 and returned_at is null order by coupon_id for update`,
}
const RETURNED = { sql: 'update coupon.use_record set returned_at = $2 where enterprise_id = scope_enterprise() and id = $1' }
const COMES_BACK = { sql: `update coupon.coupon set came_back = true where enterprise_id = scope_enterprise() and id = $1 returning ${COUPON}` }

/** Returns the coupons of an order whose whole fee was refunded: they are valid again, or expired meanwhile. */
export async function returnUsed(tx: Tx, { orderId, at }: { orderId: string; at: Instant }): Promise<true | undefined> {
  const used = await run<UseRow>(tx, OF_ORDER, [orderId])
  for (const use of used) {
    await run(tx, RETURNED, [use.id, at])
    const [found] = await run<CouponRow>(tx, COMES_BACK, [use.couponId])
    const back = await moveCoupon(tx, found!, 'giveBack', at, { orderId: null, takeFen: 0 as Fen })
    const kept = await keptAgain(tx, back, use, at)
    if (msOf(kept.validTo) > msOf(at)) await moveCoupon(tx, kept, 'again', at, { endedAt: null })
    else await lapse(tx, kept, at)
  }
  return used.length > 0 || undefined
}
/** Reserves a returned coupon's money again: by face value its price; as deducted, the deduction. */
async function keptAgain(tx: Tx, one: CouponRow, { id, deductedFen, heldFen, parkCode }: UseRow, at: Instant): Promise<CouponRow> {
  if (one.mchId === null) return one
  const mch = await lockMerchant(tx, one.mchId)
  const settleMode = await soldBy(tx, one.soldNo)
  const amountFen = settleMode === SettleMode.actual ? deductedFen : heldFen
  await unsettleUse(tx, mch, { amountFen, settleMode, bizNo: one.couponNo, eventId: `coupon.unused:${id}`, at, parkCode })
  return setRow(tx, coupons, one, { heldFen: amountFen }, at)
}

/** Expires a coupon after its last day. The money kept for it goes back, or not, by the merchant's contract. */
export async function lapse(tx: Tx, one: CouponRow, at: Instant): Promise<void> {
  await moveCoupon(tx, one, 'expire', at, { endedAt: at, heldFen: 0 as Fen })
  if (one.mchId === null || one.heldFen === 0) return
  const mch = await lockMerchant(tx, one.mchId)
  const moved = { amountFen: one.heldFen, settleMode: await soldBy(tx, one.soldNo), bizNo: one.couponNo, eventId: `coupon.lapsed:${one.id}`, at }
  await (mch.expiredBack ? giveBack(tx, mch, moved, true) : forfeit(tx, mch, moved))
}

/** A stay's order is settled: paid, free or waived, its coupons are used; revoked, they go back. */
export async function hearSettled(tx: Tx, { type, orderId, stayId, parkCode, status, discountFen, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.temporaryParking || discountFen === 0) return undefined
  if (status !== OrderStatus.cancelled && status !== OrderStatus.refunded) await redeemHeld(tx, { orderId, stayId, parkCode, at })
  else {
    await run(tx, FREE, [orderId, at])
    await returnUsed(tx, { orderId, at })
  }
  return true
}
const FREE = {
  sql: `update coupon.coupon set state = ${CouponState.issued}, order_id = null, take_fen = 0, version = version + 1, updated_at = $2
    where enterprise_id = scope_enterprise() and order_id = $1 and state = ${CouponState.locked}`,
}
/** A car left without paying: the debt is the fee less the coupons, so they are used. */
export async function hearOwed(tx: Tx, { type, orderId, stayId, parkCode, at }: Owed): Promise<true | undefined> {
  if (type !== OrderType.temporaryParking) return undefined
  await redeemHeld(tx, { orderId, stayId, parkCode, at })
  return true
}
