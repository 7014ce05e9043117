import { run } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { GoodsStatus } from '../contract/goods.ts'
import {
  PointsGoods,
  pointsGoods,
  pointsGoodsSearch,
  PointsOrder,
  pointsOrder,
  pointsOrderCan,
  pointsOrderSearch,
  PointsOrderState,
} from '../contract/pointsGoods.ts'
import { comeBack, lockAccount, spend } from './pointsBook.ts'
import './pointsTables.ts'

const NotOffered = refusal('coupon.points-goods-off', 41660, '该积分商品已下架', 'This article is off the shelf', 422)
const OutOfStock = refusal('coupon.points-goods-stock', 41661, '库存不足，仅剩 {left} 件', 'Not enough stock: {left} left', 422)
const PerPerson = refusal('coupon.points-goods-limit', 41662, '每人限兑 {max} 件', 'Limit {max} per person', 422)

const articles = listOver(PointsGoods, 'coupon.pointsGoods', pointsGoodsSearch)
const orders = listOver(PointsOrder, 'coupon.pointsOrder', pointsOrderSearch, { sums: ['points'] })

export const calls = [
  ...serve(pointsGoods, {
    pageQuery: ({ tx, input }) => page(tx, articles, input),
    add: ({ tx, input }) => addRow(tx, articles, input),
    update: async ({ tx, input: { id, version, ...changes }, at }) => setRow(tx, articles, await lockRow(tx, articles, { id, version }), changes, at),
    async numberAddition({ tx, input: { id, num }, at }) {
      const found = await lockRow(tx, articles, { id })
      return setRow(tx, articles, found, { stock: found.stock + num }, at)
    },
  }),
  ...serve(pointsOrder, {
    pageQuery: ({ tx, input }) => page(tx, orders, input),
    async exchange({ tx, input: { accountId, goodId, qty }, actor, at }) {
      const article = await lockRow(tx, articles, { id: goodId })
      if (article.status !== GoodsStatus.on) throw NotOffered()
      if (article.stock < qty) throw OutOfStock({ left: String(article.stock) })
      const [{ had }] = (await run<{ had: number }>(tx, HAD, [accountId, goodId])) as [{ had: number }]
      if (article.perUserLimit !== null && had + qty > article.perUserLimit) throw PerPerson({ max: String(article.perUserLimit) })
      const { phone } = await lockAccount(tx, accountId)
      const [{ orderNo }] = (await run<{ orderNo: string }>(tx, NUMBER, [])) as [{ orderNo: string }]
      const points = article.pointsPrice * qty
      await spend(tx, accountId, { points, bizNo: orderNo, memo: article.name, at })
      await setRow(tx, articles, article, { stock: article.stock - qty }, at)
      return addRow(tx, orders, { orderNo, accountId, phone, goodId, goodName: article.name, qty, points, operatorName: actor.userName, at })
    },
    async deliver({ tx, input, at }) {
      const found = await lockRow(tx, orders, input)
      const state = pointsOrderCan.deliver(found.state)
      if (state === undefined) throw IllegalMove({ state: found.state })
      return setRow(tx, orders, found, { state, endedAt: at }, at)
    },
    /** The points and the article go back. */
    async cancel({ tx, input: { reason, ...which }, at }) {
      const found = await lockRow(tx, orders, which)
      const state = pointsOrderCan.cancel(found.state)
      if (state === undefined) throw IllegalMove({ state: found.state })
      const article = await lockRow(tx, articles, { id: found.goodId })
      await setRow(tx, articles, article, { stock: article.stock + found.qty }, at)
      await comeBack(tx, found.accountId, { points: found.points, takenBy: found.orderNo, bizNo: found.orderNo, memo: reason, at })
      return setRow(tx, orders, found, { state, reason, endedAt: at }, at)
    },
  }),
]
const HAD = {
  sql: `select coalesce(sum(qty), 0)::int as had from coupon.points_order where enterprise_id = scope_enterprise() and account_id = $1 and good_id = $2
    and state not in (${PointsOrderState.cancelled}, ${PointsOrderState.givenBack})`,
}
const NUMBER = { sql: `select platform.business_no('JF') as order_no` }
