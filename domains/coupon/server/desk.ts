import { lasting } from '../../../platform/contract/duration.ts'
import { plural } from '../../../platform/contract/plural.ts'
import type { Day, Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { isPlate } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { DeskCoupon, DeskSale } from '../../merchant/contract/desk.ts'
import { DeskState } from '../../merchant/contract/desk.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { CouponState } from '../contract/coupon.ts'
import { CouponType, TemplateStatus, ValidType } from '../contract/template.ts'
import { issue } from './issuing.ts'
import { withdraw } from './withdrawing.ts'
import { Said } from '../contract/said.ts'

const NoPlate = refusal('coupon.no-plate', 41625, '「{plate}」不是车牌号，请核对', '“{plate}” is not a plate: check it', 422)

type Given = Of<typeof DeskCoupon>
interface Sale {
  soldId: string
  name: string
  leftQty: number
  type: number
  value: number
  maxDiscountFen: Fen | null
  settleMode: number
}
/** Returns the purchases that a merchant can issue coupons from now, the oldest first, so that nothing grows old. */
export async function toGive(tx: Tx, { mchId, at }: { mchId: string; at: Instant }): Promise<Of<typeof DeskSale>[]> {
  const rows = await run<Sale>(tx, TO_GIVE, [mchId, at])
  return rows.map(({ soldId, name, leftQty, ...terms }) => {
    const [worthZh, worthEn] = worthOf(terms)
    return { soldId: soldId as Of<typeof DeskSale>['soldId'], name, leftQty, worthZh, worthEn, holdsFen: holdsOf(terms) }
  })
}
const SALES_MAX = 60
const TO_GIVE = {
  sql: `select s.id as sold_id, t.name, s.left_qty, t.type, t.value, t.max_discount_fen, s.settle_mode
    from coupon.sold_record s join coupon.template t on t.enterprise_id = s.enterprise_id and t.id = s.template_id
    where s.enterprise_id = scope_enterprise() and s.mch_id = $1 and s.left_qty > 0 and t.status = ${TemplateStatus.enabled}
      and (t.valid_type = ${ValidType.afterIssue} or t.valid_to >= ($2::timestamptz at time zone 'Asia/Shanghai')::date)
    order by s.at, s.id limit ${SALES_MAX}`,
}
/** Returns the amount reserved for a coupon when it is issued: as deducted, its highest discount. */
function holdsOf({ type, value, maxDiscountFen, settleMode }: Pick<Sale, 'type' | 'value' | 'maxDiscountFen' | 'settleMode'>): Fen {
  if (settleMode === SettleMode.face) return 0 as Fen
  const each = type === CouponType.amount ? value : (maxDiscountFen ?? 0)
  return (type === CouponType.book ? each * value : each) as Fen
}
const yuan = (fen: number) => String(fen / 100)
function worthOf({ type, value, maxDiscountFen: most }: Pick<Sale, 'type' | 'value' | 'maxDiscountFen'>): [zh: string, en: string] {
  const [capZh, capEn] = most === null ? ['', ''] : [`，最高 ¥${yuan(most)}`, `, ¥${yuan(most)} at most`]
  switch (type) {
    case CouponType.amount:
      return [`减 ¥${yuan(value)}`, `¥${yuan(value)} off`]
    case CouponType.time:
      return [`免 ${lasting(value)[0]}${capZh}`, `${lasting(value)[1]} free${capEn}`]
    case CouponType.discount:
      return [`${value / 100} 折${capZh}`, `${(1000 - value) / 10}% off${capEn}`]
    case CouponType.book:
      return [`全免 ${value} 次${capZh}`, `${value} ${plural(value, 'time')} free${capEn}`]
    default:
      return [`全免${capZh}`, `Free${capEn}`]
  }
}

interface Giving {
  mchId: string
  soldId: string
  plateNo: string
  by: string
  at: Instant
}
/** One coupon of the merchant's own purchase for one car. */
export async function give(tx: Tx, { mchId, soldId, plateNo, by, at }: Giving): Promise<Given> {
  if (!isPlate(plateNo)) throw NoPlate({ plate: plateNo })
  if (!(await run(tx, MINE, [soldId, mchId])).length) throw NotFound()
  const [id] = await issue(tx, { cars: [plateNo], soldId, reason: REASON, by, at })
  return (await run<Given>(tx, ONE, [mchId, id]))[0]!
}
const REASON = Said.given
const MINE = { sql: 'select from coupon.sold_record where enterprise_id = scope_enterprise() and id = $1 and mch_id = $2' }

/** The coupons of a book are one here, as it was issued; given back it may be used again. */
const GIVEN = `c.id, c.version, c.coupon_no, c.name, c.plate_no, c.issued_at, c.valid_to, (select sum(u.deducted_fen)::bigint from coupon.use_record u where u.enterprise_id = c.enterprise_id and u.coupon_id = c.id and u.returned_at is null) as deducted_fen,
  case c.state when ${CouponState.locked} then ${DeskState.locked} when ${CouponState.used} then ${DeskState.used} when ${CouponState.expired} then ${DeskState.expired}
    when ${CouponState.withdrawn} then ${DeskState.withdrawn} else ${DeskState.issued} end as state`
const ONE = { sql: `select ${GIVEN} from coupon.coupon c where c.enterprise_id = scope_enterprise() and c.mch_id = $1 and c.id = $2` }
const ON = {
  sql: `select ${GIVEN} from coupon.coupon c where c.enterprise_id = scope_enterprise() and c.mch_id = $1 and c.seq = 1
    and c.issued_at >= $2::date::timestamp at time zone 'Asia/Shanghai' and c.issued_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' order by c.issued_at desc, c.id desc limit 200`,
}
/** Returns the coupons that a merchant gave on a day, the last first. */
export const givenOn = (tx: Tx, { mchId, day }: { mchId: string; day: Day }): Promise<Given[]> => run(tx, ON, [mchId, day])

/** Its own, which nobody has used. @throws IllegalMove, Stale */
export async function takeBack(tx: Tx, { mchId, id, version, at }: { mchId: string; id: string; version: number; at: Instant }): Promise<Given> {
  if (!(await run(tx, ONE, [mchId, id])).length) throw NotFound()
  await withdraw(tx, { id, version }, Said.takenBack, at)
  return (await run<Given>(tx, ONE, [mchId, id]))[0]!
}
