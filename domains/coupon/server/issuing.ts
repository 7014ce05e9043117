import type { Day, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { lockMerchant, type MerchantRow, takeFor } from '../../merchant/server/api.ts'
import { CouponType, ValidType } from '../contract/template.ts'
import { sales, setLeft, type SoldRow } from './sold.ts'
import { make, refuseOver, type TemplateRow, templates } from './template.ts'

const PerCar = refusal(
  'coupon.per-car',
  41620,
  '{plate} 已达每车上限 {max} 张，请选择其他券',
  '{plate} has reached the limit per car: {max}: choose another coupon',
  422,
)
const PerDay = refusal(
  'coupon.per-day',
  41621,
  '{plate} 今日已达上限 {max} 张，请明天再发或选择其他券',
  '{plate} has reached today’s limit: {max}: try tomorrow, or choose another coupon',
  422,
)
const HasOne = refusal(
  'coupon.has-one',
  41622,
  '{plate} 已有该批次未使用的券，请待其用完再发',
  '{plate} already has an unused coupon of this sale: wait until it is used',
  422,
)
const NeedsMost = refusal(
  'coupon.needs-most',
  41624,
  '按实抵结算的商户发放此类券，模板须设最高优惠',
  'For a merchant settled as deducted, set a maximum discount on this template',
  422,
)

export interface Issue {
  cars: readonly string[]
  templateId?: string | undefined
  soldId?: string | undefined
  /** Out of an article's stock, which was counted when it was made. */
  made?: boolean
  plateColor?: number | undefined
  reason: string
  by: string
  at: Instant
}
/** Coupons for cars, also before they come: all of them or none. Gives their ids. The template is held first, then the sale, then the merchant. */
export async function issue(tx: Tx, { cars, templateId, soldId, made: counted = false, plateColor, reason, by, at }: Issue): Promise<string[]> {
  const of = soldId ? await ofSale(tx, soldId, cars.length, at) : { template: await make(tx, templateId!, counted ? 0 : cars.length, at) }
  const { template, sale, mch } = { sale: undefined, mch: undefined, ...of }
  await refuseCars(tx, cars, template, sale, at)
  const { from, to } = validityOf(template, at)
  const parts = partsOf(template, sale)
  const held = parts.reduce((sum, fen) => sum + fen, 0) * cars.length
  const isBook = template.type === CouponType.book
  const made = await run<{ id: string }>(tx, ISSUE, [
    cars,
    parts,
    template.id,
    template.name,
    isBook ? CouponType.free : template.type,
    isBook ? 0 : template.value,
    sale?.id ?? null,
    sale?.soldNo ?? null,
    sale?.mchId ?? null,
    sale?.mchName ?? null,
    plateColor ?? null,
    from,
    to,
    reason,
    by,
    at,
  ])
  if (sale && mch && sale.settleMode === SettleMode.actual && held > 0)
    await takeFor(tx, mch, { amountFen: held, settleMode: sale.settleMode, bizNo: sale.soldNo, eventId: `coupon.held:${made[0]!.id}`, at, by })
  return made.map(({ id }) => id)
}
const ISSUE = {
  sql: `insert into coupon.coupon (coupon_no, plate_no, seq, held_fen, template_id, name, type, value, sold_id, sold_no, mch_id, mch_name, plate_color, valid_from, valid_to, reason, issued_by, issued_at,
      created_at, updated_at)
    select platform.business_no('YQ'), car, part.seq, part.fen, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16
    from unnest($1::text[]) car cross join unnest($2::bigint[]) with ordinality part (fen, seq) returning id`,
}

async function ofSale(tx: Tx, soldId: string, cars: number, at: Instant): Promise<{ template: TemplateRow; sale: SoldRow; mch: MerchantRow }> {
  const [of] = await run<{ templateId: string }>(
    tx,
    { sql: 'select template_id from coupon.sold_record where enterprise_id = scope_enterprise() and id = $1' },
    [soldId],
  )
  const template = of && (await lockRow(tx, templates, { id: of.templateId }))
  if (template) refuseOver(template, at)
  const sale = await lockRow(tx, sales, { id: soldId })
  const mch = await lockMerchant(tx, sale.mchId, { enabled: true })
  return { template: template!, sale: await setLeft(tx, sale, -cars, at), mch }
}

/** Returns the amount reserved for each coupon of one car: its price, or its highest discount. The price of a book is spread over its coupons, the first bears the remainder. */
function partsOf(template: TemplateRow, sale: SoldRow | undefined): number[] {
  const count = template.type === CouponType.book ? template.value : 1
  if (!sale) return Array.from({ length: count }, () => 0)
  if (sale.settleMode === SettleMode.face) {
    const each = Math.floor(sale.priceFen / count)
    return Array.from({ length: count }, (_, i) => (i === 0 ? sale.priceFen - each * (count - 1) : each))
  }
  const most: number | null = template.type === CouponType.amount ? template.value : template.maxDiscountFen
  if (most === null) throw NeedsMost()
  return Array.from({ length: count }, () => most)
}

/** Fixed days as the city has them, the last one whole; so many days from the issue are never less than so many times 24 hours. */
function validityOf({ validType, validFrom, validTo, validDays }: TemplateRow, at: Instant): { from: Instant; to: Instant } {
  if (validType === ValidType.afterIssue) return { from: at, to: later(dayOf(at), validDays! + 1) }
  return { from: startOf(validFrom!), to: later(validTo!, 1) }
}
const later = (day: Day, days: number): Instant => instantAt(msOf(startOf(day)) + days * DAY_MS)

/**
 * Refuses to exceed the coupons of a template per car, in all and on one day, and one live coupon of each sale. The template is locked, so that two at once go one after the
 * other.
 */
async function refuseCars(
  tx: Tx,
  cars: readonly string[],
  { id, perUserLimit, perDayLimit }: TemplateRow,
  sale: SoldRow | undefined,
  at: Instant,
): Promise<void> {
  const had = await run<{ plateNo: string; times: number; today: number; live: boolean }>(tx, HAD, [id, cars, startOf(dayOf(at)), sale?.id ?? null])
  for (const { plateNo: plate, times, today, live } of had) {
    if (live) throw HasOne({ plate })
    if (perUserLimit !== null && times >= perUserLimit) throw PerCar({ plate, max: String(perUserLimit) })
    if (perDayLimit !== null && today >= perDayLimit) throw PerDay({ plate, max: String(perDayLimit) })
  }
}
const HAD = { sql: 'select plate_no, times, today_times as today, live from coupon.had($1, $2, $3, $4)' }
