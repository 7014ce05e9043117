import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { myPlates } from '../../owner/server/api.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { Audience, StockKind } from '../contract/goods.ts'
import type { mine, MyOffer } from '../contract/mine.ts'
import { articles, ON_SALE, stock } from './goods.ts'
import { issue } from './issuing.ts'
import { Said } from '../contract/said.ts'

const AllGone = refusal('coupon.claim-gone', 41630, '「{name}」已领完，请看其他优惠券', '“{name}” is fully claimed: see the other coupons')
const Claimed = refusal(
  'coupon.claimed',
  41631,
  '{plate} 已领过「{name}」，请在「优惠券」中查看',
  '{plate} has already claimed “{name}”: see your coupons',
)
/** Free of charge, for drivers, while there are any. */
const FREE = `g.audience = ${Audience.owners} and g.price_fen = 0 and ${ON_SALE}`
const OFFERS = {
  sql: `select g.id, g.name, g.stock, t.type, t.value, t.threshold_fen, t.max_discount_fen, coalesce(g.per_buy_max, 1) as per_car,
      coalesce((select array_agg(k.name order by k.name) from parking.park k where k.enterprise_id = t.enterprise_id and k.park_code = any(t.park_codes)), '{}') as park_names
    from coupon.goods g join coupon.template t on t.enterprise_id = g.enterprise_id and t.id = g.template_id
    where g.enterprise_id = scope_enterprise() and ${FREE} and g.stock > 0 order by g.created_at desc, g.id limit 50`,
}
const HERE = {
  sql: `select g.id from coupon.goods g join coupon.template t on t.enterprise_id = g.enterprise_id and t.id = g.template_id where g.enterprise_id = scope_enterprise() and g.id = $2 and ${FREE}`,
}
const REASON = Said.claimed
const HAD = {
  sql: `select count(*)::int as n from coupon.coupon where enterprise_id = scope_enterprise() and plate_no = $1 and template_id = $2 and seq = 1 and reason = '${REASON}'`,
}

export const toClaim = (tx: Tx, at: Instant) => run<Of<typeof MyOffer>>(tx, OFFERS, [at])
/** One for a car that is verified as theirs, out of the article's stock, so often as a car may. @throws NotFound, AllGone, Claimed */
export async function claim(tx: Tx, ownerId: string, { goodId, plateNo: typed }: Of<typeof mine.claim.input>, at: Instant): Promise<string> {
  const plate = ordinaryPlate(typed)
  const car = (await myPlates(tx, ownerId)).find(({ plateNo }) => plateNo === plate)
  if (!car || !(await run(tx, HERE, [at, goodId])).length) throw NotFound()
  const article = await lockRow(tx, articles, { id: goodId })
  const { name, templateId, perBuyMax } = article
  if (article.stock < 1) throw AllGone({ name })
  const [had] = await run<{ n: number }>(tx, HAD, [plate, templateId])
  if (had!.n >= (perBuyMax ?? 1)) throw Claimed({ plate, name })
  const [id] = await issue(tx, { cars: [plate], templateId, made: true, plateColor: car.plateColor ?? undefined, reason: REASON, by: REASON, at })
  await stock(tx, article, { kind: StockKind.sold, qty: -1, bizNo: plate, by: REASON, at })
  return id!
}
