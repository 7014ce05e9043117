import { page } from '../../../platform/server/page.ts'
import { IllegalMove } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { payCash } from '../../settlement/server/api.ts'
import { pointsGoods, pointsOrder, pointsOrderCan } from '../contract/pointsGoods.ts'
import { articles, exchange, holdBill, orders, undo } from './pointsExchange.ts'

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
    async exchange({ tx, input, actor, at }) {
      const made = await exchange(tx, { ...input, by: actor.userName, at })
      if (made.orderId === null) return made
      await payCash(tx, { orderId: made.orderId, amountFen: made.cashFen, actor, at })
      return lockRow(tx, orders, { id: made.id })
    },
    async deliver({ tx, input, at }) {
      const found = await lockRow(tx, orders, input)
      const state = pointsOrderCan.deliver(found.state)
      if (state === undefined) throw IllegalMove({ state: found.state })
      return setRow(tx, orders, found, { state, endedAt: at }, at)
    },
    async cancel({ tx, input: { reason, ...which }, at }) {
      await holdBill(tx, which.id)
      return undo(tx, await lockRow(tx, orders, which), reason, at)
    },
  }),
]
