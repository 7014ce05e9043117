import type { Instant, Of } from '../../../platform/contract/field.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'

import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { BadInput } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import type { Fen } from '../../../platform/contract/field.ts'
import { askedNow, ordinaryPlate } from '../../parking/server/api.ts'
import { Coupon, coupon, Verdict, type Weighed } from '../contract/coupon.ts'
import { CouponType } from '../contract/template.ts'
import { type Live, liveOf, shortenedBy, unfit } from './applying.ts'
import { issue } from './issuing.ts'
import { best, takenBy } from './pick.ts'
import { statisticsOf } from './statistics.ts'
import { type CouponRow, coupons } from './using.ts'
import { withdraw } from './withdrawing.ts'

export const calls = serve(coupon, {
  queryPage: ({ tx, input }) => page(tx, coupons, input),
  queryByCar: ({ tx, input, at }) => weighed(tx, input, at),
  queryStatistics: ({ tx, input }) => statisticsOf(tx, input),
  async sendToCar({ tx, input, actor, at }) {
    const plates = input.plates.map(ordinaryPlate)
    const cars = [...new Set(plates)]
    if (!input.templateId === !input.soldId || !cars.length)
      throw BadInput({ zh: '请选择券模板或商户的销售单，并填写车牌', en: 'choose a template or a merchant’s sale, and enter the plates' })
    const issued = await issue(tx, { ...input, cars, by: actor.userName, at })
    return { cars: cars.length, coupons: issued.length, again: cars.length < plates.length }
  },
  withdraw: ({ tx, input: { reason, ...which }, at }) => withdraw(tx, which, reason, at),
})
const COUPON = columnsIn(Coupon)

type ByCar = Of<typeof coupon.queryByCar.input>
/** Returns the coupons that would be used now, in the order of choice, and why each other one is not. */
export async function weighed(tx: Tx, { plateNo: typed, plateColor, parkCode }: ByCar, at: Instant): Promise<Of<typeof coupon.queryByCar.reply>> {
  const plateNo = normalizePlate(typed)
  const asked = await askedNow(tx, { plateNo, plateColor, parkCode, at })
  const live = await liveOf(tx, plateNo, plateColor ?? asked?.plateColor ?? null)
  const rows = await run<CouponRow>(tx, ROWS, [live.map(({ id }) => id)])
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  const why = new Map(live.map((one) => [one.id, asked ? unfit(one, asked) : Verdict.noFee]))
  const fit = live.filter(({ id }) => why.get(id) === undefined)
  const shortened = asked ? await shortenedBy(fit, asked.amountIf) : new Map<number, number>()
  const { taken, totalFen } = best(fit, asked?.amountFen ?? 0, shortened)
  const place = new Map(taken.map(({ id }, i) => [id, i]))
  const shown = live.map((one): Of<typeof Weighed> => {
    const aloneFen = (asked && fit.includes(one) ? takenBy([one], asked.amountFen, shortened).totalFen : 0) as Fen
    const togetherFen = (taken.find(({ id }) => id === one.id)?.takeFen ?? 0) as Fen
    const amountFen = (asked?.amountFen ?? null) as Fen | null
    const verdict =
      why.get(one.id) ??
      (place.has(one.id) ? Verdict.chosen : taken.length && one.stackGroup === null && aloneFen === totalFen ? Verdict.notTogether : Verdict.less)
    return { ...byId.get(one.id)!, verdict, aloneFen, togetherFen, amountFen, wastedFen: wasted(one, place.has(one.id) ? togetherFen : aloneFen) }
  })
  const order = (one: Of<typeof Weighed>) => place.get(one.id) ?? live.length - (one.aloneFen > 0 ? 1 : 0)
  shown.sort((a, b) => order(a) - order(b) || b.aloneFen - a.aloneFen || (a.validTo < b.validTo ? -1 : 1))
  return shown
}
const ROWS = { sql: `select ${COUPON} from coupon.coupon where enterprise_id = scope_enterprise() and id = any($1::uuid[])` }
const wasted = ({ type, value }: Live, takes: number): Fen => (type === CouponType.amount && takes > 0 ? Math.max(0, value - takes) : 0) as Fen
