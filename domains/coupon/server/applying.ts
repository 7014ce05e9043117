import type { CodeOf, Fen, Instant } from '../../../platform/contract/field.ts'
import { cityTime, msOf } from '../../../platform/contract/time.ts'
import { colorsAgree } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { Stale } from '../../../platform/server/refusal.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import type { Discount, DiscountWanted } from '../../parking/server/api.ts'
import { CouponState, Verdict } from '../contract/coupon.ts'
import { CouponType } from '../contract/template.ts'
import { best, type Candidate, type Shortened } from './pick.ts'
import { redeemHeld } from './using.ts'

/** A coupon that is out, with the terms of its template. */
export interface Live extends Candidate {
  name: string
  state: number
  orderId: string | null
  validFrom: Instant
  validTo: Instant
  plateColor: number | null
  heldFen: Fen
  settleMode: number | null
  thresholdFen: Fen
  parkCodes: string[]
  vehicleClasses: number[]
  timeFrom: string | null
  timeTo: string | null
}
/** One look in the index of live coupons by plate. */
const LIVE = {
  sql: `select c.id, c.name, c.type, c.value, c.state, c.order_id, c.valid_from, c.valid_to, c.plate_color, c.held_fen, s.settle_mode, t.threshold_fen, t.max_discount_fen, t.park_codes,
      t.vehicle_classes, t.time_from, t.time_to, t.stack_group, t.max_per_order
    from coupon.coupon c join coupon.template t on t.enterprise_id = c.enterprise_id and t.id = c.template_id
      left join coupon.sold_record s on s.enterprise_id = c.enterprise_id and s.id = c.sold_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and c.state in (${CouponState.issued}, ${CouponState.locked}) order by c.valid_to, c.id limit 60`,
}
/** An order that holds an expired coupon may still finish within this time: as long as its amount is good. */
const GRACE_MS = 5 * 60_000

export async function liveOf(tx: Tx, plateNo: string, plateColor: number | null): Promise<Live[]> {
  const rows = await run<Omit<Live, 'capFen'>>(tx, LIVE, [plateNo])
  return rows
    .filter((row) => colorsAgree(row.plateColor as never, plateColor as never))
    .map((row) => ({ ...row, capFen: row.settleMode === SettleMode.actual ? row.heldFen : null }))
}

type Asked = Pick<DiscountWanted, 'orderId' | 'parkCode' | 'vehicleClass' | 'at' | 'amountFen' | 'amountIf'>
export type VerdictCode = CodeOf<typeof Verdict>
/** Why a coupon cannot be used on this fee; nothing when it can. */
export function unfit(coupon: Live, { orderId, parkCode, vehicleClass, at, amountFen }: Omit<Asked, 'amountIf'>): VerdictCode | undefined {
  const mine = coupon.state === CouponState.locked && coupon.orderId === orderId
  if (coupon.state === CouponState.locked && !mine) return Verdict.elsewhere
  if (msOf(coupon.validFrom) > msOf(at) || msOf(coupon.validTo) + (mine ? GRACE_MS : 0) <= msOf(at)) return Verdict.early
  if (coupon.parkCodes.length > 0 && !coupon.parkCodes.includes(parkCode)) return Verdict.park
  if (coupon.vehicleClasses.length > 0 && !coupon.vehicleClasses.includes(vehicleClass)) return Verdict.vehicle
  if (!isWithin(coupon, cityTime(at).slice(11, 16))) return Verdict.hours
  return amountFen < coupon.thresholdFen ? Verdict.threshold : undefined
}
function isWithin({ timeFrom, timeTo }: Live, clock: string): boolean {
  if (timeFrom === null || timeTo === null) return true
  return timeFrom < timeTo ? clock >= timeFrom && clock < timeTo : clock >= timeFrom || clock < timeTo
}

/** A coupon of time runs the fee again over a shorter stay, once for each length. */
export async function shortenedBy(coupons: readonly Live[], amountIf: DiscountWanted['amountIf']): Promise<Shortened> {
  const minutes = [...new Set(coupons.filter(({ type }) => type === CouponType.time).map(({ value }) => value))]
  return new Map(await Promise.all(minutes.map(async (less) => [less, await amountIf(less)] as const)))
}

/** Returns the discounts of a car's coupons on its parking fee, and those that would take off more if no other order held them. */
export async function discountsOf(tx: Tx, wanted: DiscountWanted): Promise<Discount[] | undefined> {
  const live = await liveOf(tx, wanted.plateNo, wanted.plateColor)
  const fit = live.filter((coupon) => unfit(coupon, wanted) === undefined)
  const away = live.filter(
    (coupon) => unfit(coupon, wanted) === Verdict.elsewhere && unfit({ ...coupon, state: CouponState.issued }, wanted) === undefined,
  )
  if (!fit.length && !away.length) return undefined
  const shortened = await shortenedBy([...fit, ...away], wanted.amountIf)
  const { taken, totalFen } = best(fit, wanted.amountFen, shortened)
  const names = new Map(fit.map(({ id, name }) => [id, name]))
  const used = taken
    .filter(({ takeFen }) => takeFen > 0)
    .map(({ id, takeFen }) => ({ by: BY, ref: id, amountFen: takeFen, zh: `优惠券 ${names.get(id)}`, en: `Coupon ${names.get(id)}` }))
  const freed = away.length ? best([...fit, ...away], wanted.amountFen, shortened) : { taken, totalFen }
  if (freed.totalFen === totalFen) return used
  const missed = new Set(freed.taken.map(({ id }) => id))
  return [
    ...used,
    ...(await heldElsewhere(
      tx,
      away.filter(({ id }) => missed.has(id)),
    )),
  ]
}
const BY = 'coupon'

/** Returns the coupons that another order holds, and where, for a person who is asked why the fee is not less. */
async function heldElsewhere(tx: Tx, coupons: readonly Live[]): Promise<Discount[]> {
  const places = await run<{ id: string; park: string }>(tx, HELD_AT, [coupons.map(({ orderId }) => orderId)])
  return coupons.map(({ id, name, orderId }) => {
    const park = places.find((one) => one.id === orderId)?.park
    return {
      ...{ by: BY, ref: id, amountFen: 0 },
      zh: `优惠券 ${name} 已被${park ? `${park}的` : '另一笔'}待支付订单锁定，未抵扣`,
      en: `Coupon ${name} is locked by ${park ? `an unpaid order at ${park}` : 'another unpaid order'} and was not applied`,
    }
  })
}
const HELD_AT = {
  sql: `select o.id, p.name as park from settlement.order o join parking.park p on p.enterprise_id = o.enterprise_id and p.park_code = o.park_code
    where o.enterprise_id = scope_enterprise() and o.id = any($1::uuid[])`,
}

interface Held {
  orderId: string
  stayId: string
  discounts: readonly Discount[]
  used: boolean
  at: Instant
}
/** Locks to the order what it takes off, and lets go what it held before. @throws Stale when another order was first */
export async function holdFor(tx: Tx, { orderId, stayId, discounts, used, at }: Held): Promise<true | undefined> {
  const mine = discounts.filter(({ by }) => by === BY).sort((a, b) => (a.ref < b.ref ? -1 : 1))
  const ids = mine.map(({ ref }) => ref)
  await run(tx, LET_GO, [orderId, ids, at])
  if (ids.length) {
    const locked = await run(tx, LOCK, [orderId, ids, mine.map(({ amountFen }) => amountFen), at])
    if (locked.length < ids.length) throw Stale()
    if (used) await redeemHeld(tx, { orderId, stayId, at })
  }
  return ids.length ? true : undefined
}
const LET_GO = {
  sql: `update coupon.coupon set state = ${CouponState.issued}, order_id = null, take_fen = 0, version = version + 1, updated_at = $3
    where enterprise_id = scope_enterprise() and order_id = $1 and state = ${CouponState.locked} and id <> all($2::uuid[])`,
}
const LOCK = {
  sql: `update coupon.coupon c set state = ${CouponState.locked}, order_id = $1, take_fen = t.fen, version = c.version + 1, updated_at = $4
    from (select c.id, t.fen from unnest($2::uuid[], $3::bigint[]) t (id, fen) join coupon.coupon c on c.enterprise_id = scope_enterprise() and c.id = t.id
      where c.state = ${CouponState.issued} or (c.state = ${CouponState.locked} and c.order_id = $1) order by c.id for update of c) t
    where c.enterprise_id = scope_enterprise() and c.id = t.id returning c.id`,
}
