import type { Fen, Id, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { linesAbout } from '../../ledger/server/api.ts'
import { DECIDED, type Move, order, OrderStatus, type OrderSummary } from '../contract/order.ts'
import { orderCancelled, type PointsFor, pointsFor } from './events.ts'
import { cancelOrder } from './opening.ts'
import { startPayment } from './pay/start.ts'
import { payCash } from './receiving.ts'
import { REFUND, type RefundRow } from './refund/returning.ts'
import { orderOf, orders, PAYMENT, type PaymentRow, type StatusCode, summed } from './row.ts'
import { WAIVER, type WaiverRow } from './refund/waiver.ts'

export const orderCalls = serve(order, {
  list: ({ tx, input }) => page(tx, orders, input.queryMode === 'sum' ? summed(input) : input),
  summary: ({ tx, input }) => summary(tx, summed(input)),
  info: ({ tx, input }) => story(tx, input.id),
  pay: phased(({ input, actor, at, write }) =>
    startPayment(write, { orderId: input.id, payMethod: input.payMethod, merchant: actor.enterprise, at }),
  ),
  points: async ({ tx, input, at }) => (await pointsFor.ask(tx, { order: await orderOf(tx, input.id), at }))[0]?.answer ?? NO_POINTS,
  cash: ({ tx, input: { id: orderId, amountFen, points, deviceTime }, actor, at }) =>
    payCash(tx, { orderId, amountFen, points, actor, at, deviceTime }),
  async cancel({ tx, input, at }) {
    await because(tx, input.reason)
    const { id: orderId, stayId } = await cancelOrder(tx, input.id, { reason: input.reason, at })
    await orderCancelled.ask(tx, { orderId, stayId, at })
  },
})

const NO_POINTS: PointsFor = { usable: 0, most: 0, capPermille: 0 }

type Filter = Of<typeof order.summary.input>
/** Sums and counts over the whole filter; the receivable counts only orders whose amount is decided. */
async function summary(tx: Tx, filter: Filter): Promise<Of<typeof OrderSummary>> {
  const count = (status: StatusCode) =>
    filter.status && !filter.status.includes(status) ? { total: 0 } : page(tx, orders, { ...filter, status: [status], queryMode: 'total' })
  const sumsOf = async (among: readonly StatusCode[]) => {
    const status = filter.status ? among.filter((one) => filter.status!.includes(one)) : [...among]
    return status.length > 0 ? ((await page(tx, orders, { ...filter, status, queryMode: 'sum' })).sums as Of<typeof OrderSummary>) : NOTHING
  }
  const [{ sums }, decided, open, { total }, unpaid, inArrears] = await Promise.all([
    page(tx, orders, { ...filter, queryMode: 'sum' }),
    sumsOf(DECIDED),
    sumsOf([OrderStatus.unpaid, OrderStatus.paying]),
    page(tx, orders, { ...filter, queryMode: 'total' }),
    count(OrderStatus.unpaid),
    count(OrderStatus.arrears),
  ])
  const { paidFen, waivedFen, refundFen, arrearsFen } = sums as Of<typeof OrderSummary>
  const { discountFen } = decided
  // A debt that is being paid is a debt: its paid and owed parts are decided.
  const owed = open.paidFen + open.arrearsFen
  return {
    ...{ orders: total, unpaid: unpaid.total, inArrears: inArrears.total, discountFen, paidFen, waivedFen, refundFen, arrearsFen },
    receivableFen: (decided.receivableFen + owed) as Fen,
    payableFen: (decided.payableFen + owed) as Fen,
    netFen: (paidFen - refundFen) as Fen,
    openFen: (open.payableFen - owed) as Fen,
  }
}
const ZERO = 0 as Fen
const NOTHING = { receivableFen: ZERO, discountFen: ZERO, payableFen: ZERO, paidFen: ZERO, arrearsFen: ZERO }

/** The order and all that happened to it. Read again when somebody changed it between the first look and the last: its parts never disagree. */
async function story(tx: Tx, id: Id<'OrderId'>): Promise<Of<typeof order.info.reply>> {
  const found = await orderOf(tx, id)
  const ofOrder = (columns: string, table: string, by: string) => ({
    sql: `select ${columns} from ${table} where enterprise_id = scope_enterprise() and order_id = $1 order by ${by} limit ${STORY_MAX}`,
  })
  const [payments, refunds, waivers, moves, entries, last] = await Promise.all([
    run<PaymentRow>(tx, PAYMENTS, [id]),
    run<RefundRow>(tx, ofOrder(REFUND, 'settlement.refund', 'applied_at, id'), [id]),
    run<WaiverRow>(tx, ofOrder(WAIVER, 'settlement.waiver', 'applied_at, id'), [id]),
    run<Of<typeof Move>>(tx, ofOrder('from_status, to_status, event, at, reason', 'settlement.move', 'id'), [id]),
    linesAbout(tx, found.orderNo),
    orderOf(tx, id),
  ])
  return last.version === found.version ? { ...found, payments, refunds, waivers, moves, entries } : story(tx, id)
}
/** More attempts than this on one order are no story any more. */
const STORY_MAX = 100
const PART = new Map([
  ['amount_fen', 'amount_fen'],
  ['received_fen', 'amount_fen'],
  ['refund_fen', 'refund_fen'],
  ['refunding_fen', 'refunding_fen'],
])
/** Its own payments, and those of repayments that paid it among others: of these the part that it got. */
const PAYMENTS = {
  sql: `select ${PAYMENT} from settlement.payment where enterprise_id = scope_enterprise() and order_id = $1
    union all select ${PAYMENT.split(', ')
      .map((column) => (column === 'park_code' ? 'a.park_code' : PART.has(column) ? `a.${PART.get(column)} as ${column}` : `p.${column}`))
      .join(', ')}
      from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
      where a.enterprise_id = scope_enterprise() and a.order_id = $1 and a.repay_id is not null
    order by paid_at nulls last, id limit ${STORY_MAX}`,
}

/** Whether any order of a park, of whatever kind, is still to be paid. */
export const isUnpaidIn = async (tx: Tx, parkCode: string): Promise<boolean> => (await run(tx, { sql: UNPAID_IN }, [parkCode])).length > 0
const UNPAID_IN = `select from settlement.order where enterprise_id = scope_enterprise() and park_code = $1 and status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears}) limit 1`
