import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { forfeit, giveBack, lockMerchant, takeFor } from '../../merchant/server/api.ts'
import { Audience, GoodsStatus, StockKind } from '../contract/goods.ts'
import { Sold, sold, soldSearch } from '../contract/sold.ts'
import { articles, type GoodsRow, OF, stock } from './goods.ts'
import { refuseOver, templates } from './template.ts'
import './tables.ts'

const NotForSale = refusal(
  'coupon.not-for-sale',
  41610,
  '该券商品未上架或不卖给此商户，请选择其他券商品',
  'This article is not on sale, or not to this merchant: choose another one',
  422,
)
const OutOfStock = refusal(
  'coupon.out-of-stock',
  41611,
  '库存不足，仅剩 {left} 张；请减少数量或补货',
  'Not enough stock: {left} left: choose fewer, or add stock',
  422,
)
const BuyMax = refusal('coupon.buy-max', 41612, '单次最多购买 {max} 张', 'Buy {max} at most at once', 422)
const PriceMoved = refusal('coupon.price-moved', 41613, '应付金额已变为 ¥{now}，请核对后重试', 'The amount is now ¥{now}: check it and try again')
const LessLeft = refusal('coupon.less-left', 41614, '未发放的只剩 {left} 张，请减少数量', 'Only {left} are left to issue: choose fewer', 422)

export const sales = listOver(Sold, 'coupon.soldRecord', soldSearch, { sums: ['qty', 'leftQty', 'amountFen', 'balancePaidFen', 'creditPaidFen'] })
export type SoldRow = Of<typeof Sold>

export const calls = serve(sold, {
  queryPage: ({ tx, input }) => page(tx, sales, input),
  async buy({ tx, input: { mchId, goodId, qty, payableFen }, actor, at }) {
    const [of] = await run<{ templateId: string }>(tx, OF, [goodId])
    const template = of && (await lockRow(tx, templates, { id: of.templateId }))
    const article = await lockRow(tx, articles, { id: goodId })
    refuseSale(article, mchId, qty)
    refuseOver(template!, at)
    const mch = await lockMerchant(tx, mchId, { enabled: true })
    const amountFen = mch.settleMode === SettleMode.face ? article.priceFen * qty : 0
    if (amountFen !== payableFen) throw PriceMoved({ now: (amountFen / 100).toFixed(2) })
    const [{ soldNo }] = (await run<{ soldNo: string }>(tx, NUMBER, [])) as [{ soldNo: string }]
    const paid = amountFen
      ? await takeFor(tx, mch, { amountFen, settleMode: mch.settleMode, bizNo: soldNo, eventId: `coupon.sold:${soldNo}`, at, by: actor.userName })
      : NOTHING
    await stock(tx, article, { kind: StockKind.sold, qty: -qty, bizNo: soldNo, by: actor.userName, at })
    return addRow(tx, sales, {
      soldNo,
      goodId: article.id,
      goodName: article.name,
      templateId: article.templateId,
      mchId: mch.id,
      mchName: mch.name,
      qty,
      leftQty: qty,
      priceFen: article.priceFen,
      amountFen: amountFen as Fen,
      balancePaidFen: paid.balanceFen as Fen,
      creditPaidFen: paid.creditFen as Fen,
      settleMode: mch.settleMode,
      operatorName: actor.userName,
      at,
    })
  },
  async giveBack({ tx, input: { qty, ...which }, actor, at }) {
    const found = await lockRow(tx, sales, which)
    if (qty > found.leftQty) throw LessLeft({ left: String(found.leftQty) })
    const article = await lockRow(tx, articles, { id: found.goodId })
    await stock(tx, article, { kind: StockKind.givenBack, qty, bizNo: found.soldNo, by: actor.userName, at })
    const returnedQty = found.returnedQty + qty
    if (found.amountFen > 0) {
      const moved = {
        amountFen: found.priceFen * qty,
        settleMode: found.settleMode,
        bizNo: found.soldNo,
        eventId: `coupon.given-back:${found.soldNo}:${returnedQty}`,
        at,
        by: actor.userName,
      }
      await giveBack(tx, await lockMerchant(tx, found.mchId), moved)
    }
    return setRow(tx, sales, found, { leftQty: found.leftQty - qty, returnedQty }, at)
  },
})
const NUMBER = { sql: `select platform.business_no('GQ') as sold_no` }
const NOTHING = { balanceFen: 0, creditFen: 0 }

function refuseSale({ audience, status, mchIds, perBuyMax, stock: left }: GoodsRow, mchId: string, qty: number): void {
  const named = mchIds as readonly string[]
  if (audience !== Audience.merchants || status !== GoodsStatus.on || (named.length > 0 && !named.includes(mchId))) throw NotForSale()
  if (perBuyMax !== null && qty > perBuyMax) throw BuyMax({ max: String(perBuyMax) })
  if (qty > left) throw OutOfStock({ left: String(left) })
}

/** Takes coupons out of a sale to issue them, or puts a withdrawn one back; the row is held. */
export const setLeft = (tx: Tx, found: SoldRow, by: number, at: SoldRow['at']): Promise<SoldRow> => {
  if (found.leftQty + by < 0) throw LessLeft({ left: String(found.leftQty) })
  return setRow(tx, sales, found, { leftQty: found.leftQty + by }, at)
}

/** Ends the rest of a sale after its last day: nobody issues it any more, and its price goes back, or not, by the merchant's contract. */
export async function lapseLeft(tx: Tx, id: string, at: Instant): Promise<void> {
  const found = await lockRow(tx, sales, { id })
  if (found.leftQty === 0) return
  const expiredQty = found.expiredQty + found.leftQty
  await setRow(tx, sales, found, { leftQty: 0, expiredQty }, at)
  if (found.amountFen === 0 || found.priceFen === 0) return
  const mch = await lockMerchant(tx, found.mchId)
  const moved = {
    amountFen: found.priceFen * found.leftQty,
    settleMode: found.settleMode,
    bizNo: found.soldNo,
    eventId: `coupon.left-lapsed:${found.soldNo}:${expiredQty}`,
    at,
  }
  await (mch.expiredBack ? giveBack(tx, mch, moved, true) : forfeit(tx, mch, moved))
}
