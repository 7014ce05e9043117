import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { linesAbout, post } from '../../ledger/server/api.ts'
import { fresh } from '../../ledger/server/testing.ts'
import {
  amountDue,
  approveRefund,
  begin,
  layBeside,
  leaveUnpaid,
  type Laid,
  type NewOrder,
  noticePayment,
  openOrder,
  openRepayment,
  orderOf,
  orderPaid,
  orderRefunded,
  type OrderRow,
  type Owed,
  owed,
  purseLaid,
  refundEnded,
  refundFailed,
  type Refunded,
  rejectRefund,
  repaid,
  type Settled,
} from './api.ts'
import { aTill, type Till } from './testing.ts'

/** Each step that an order takes, by itself: what it asks, what becomes of its money, and what the ledger has of it. */
export let till: Till
export const heard = {
  settled: [] as Settled[],
  owed: [] as Owed[],
  repaid: [] as any[],
  refunded: [] as Refunded[],
  ended: [] as any[],
  failed: [] as any[],
  due: [] as any[],
  laid: [] as Laid[],
}
export async function openSteps(): Promise<void> {
  // Without jobs: nothing is sent to the channel behind a test's back.
  till = await aTill({ role: 'web' })
  taken = [
    orderPaid.answer('steps', async (_tx, told) => void heard.settled.push(told)),
    owed.answer('steps', async (_tx, told) => void heard.owed.push(told)),
    repaid.answer('steps', async (_tx, told) => void heard.repaid.push(told)),
    orderRefunded.answer('steps', async (_tx, told) => void heard.refunded.push(told)),
    refundEnded.answer('steps', async (_tx, told) => void heard.ended.push(told)),
    refundFailed.answer('steps', async (_tx, told) => void heard.failed.push(told)),
    purseLaid.answer('steps', async (_tx, told) => void heard.laid.push(told)),
    amountDue.answer('steps', async (_tx, told) => void heard.due.push(told)),
  ]
}
let taken: (() => void)[] = []
export async function closeSteps(): Promise<void> {
  for (const back of taken) back()
  await till?.close()
}
export const of = <One extends { orderId: string }>(all: One[], { id }: { id: string }) => all.filter(({ orderId }) => orderId === id)

export const writing = <T>(work: (tx: Tx) => Promise<T>) => till.server.house.writing(1, 'test', work)
/** A moment of this morning, and so many seconds after it. */
const BEGIN = Date.now() - 6 * 3_600_000
export const at = (seconds = 0): Instant => instantAt(BEGIN + seconds * 1000)
export const who = { userId: randomUUID(), userName: '甲' }
export const other = { userId: randomUUID(), userName: '乙' }

export const anOrder = (more: Partial<NewOrder> = {}) =>
  writing((tx) =>
    openOrder(tx, { type: 1, plateNo: '鄂F00001', plateColor: 0, parkCode: 'P001', receivableFen: 1500, discountFen: 300, at: at(), ...more }),
  )
export const aDebt = (receivableFen = 1200, more: Partial<NewOrder> = {}) =>
  writing(async (tx) => leaveUnpaid(tx, (await openOrder(tx, { type: 1, parkCode: 'P001', receivableFen, at: at(), ...more })).id, { at: at() }))
export const now = (order: { id: string }) => writing((tx) => orderOf(tx, order.id))
/** Each line of the ledger about an order: the event, the account, the sub-account and the two sides. */
export const lines = async ({ orderNo }: { orderNo: string }) =>
  (await writing((tx) => linesAbout(tx, orderNo))).map(({ bizType, account, sub, debitFen, creditFen }) => [
    bizType,
    account,
    sub,
    debitFen,
    creditFen,
  ])
export const moves = async ({ id }: { id: string }) =>
  (await rows('select from_status, to_status, event from settlement.move where order_id = $1 order by at, id', [id])).map(Object.values)
export const rows = <Row extends object = any>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  writing((tx) => run<Row>(tx, { sql }, values))
export const payment = async (id: string) => (await rows('select * from settlement.payment where id = $1', [id]))[0]
export const paymentsOf = ({ id }: { id: string }) => rows('select * from settlement.payment where order_id = $1 order by created_at, id', [id])
/** Paid at the channel: the attempt, and its money. */
export async function pay(
  order: { id: string },
  { received, paidAt = at(10), begun = at(5), heardAt = at(20) }: { received?: number; paidAt?: Instant; begun?: Instant; heardAt?: Instant } = {},
) {
  const { attempt } = await writing((tx) => begin(tx, order.id, 1, begun))
  const tradeNo = fresh('T')
  const notice = { payNo: attempt.payNo, channel: attempt.channel, tradeNo, amountFen: received ?? attempt.amountFen, paidAt, at: heardAt }
  return { attempt, notice, outcome: await writing((tx) => noticePayment(tx, notice)) }
}
export const approve = ({ id, version }: Decided, by: typeof who, when: Instant) => writing((tx) => approveRefund(tx, { id, version }, by, when))
export const reject = ({ id, version }: Decided, by: typeof who, when: Instant) => writing((tx) => rejectRefund(tx, { id, version }, by, when))
type Decided = { id: string; version: number }
export const code = (number: number) => ({ code: number })

export const repaying = (debts: readonly { id: string }[], amounts: readonly number[], when = at(100), place = 3) =>
  writing((tx) =>
    openRepayment(tx, {
      parts: debts.map(({ id }, i) => ({ orderId: id, amountFen: amounts[i]! })),
      place,
      plateNo: '鄂F00001',
      plateColor: 0,
      parkCode: 'P001',
      at: when,
    }),
  )

/** Two hundred fen of a purse lie beside a payment of an order of 1200 at the channel. */
export async function aBeside(order: { id: string }, method: 1 | 2 = 1, sub = fresh('p'), fen = 200) {
  await writing((tx) =>
    post(tx, {
      bizType: 'test',
      bizNo: sub,
      eventId: fresh('e'),
      at: at(),
      parkCode: 'P001',
      business: 'stored',
      lines: [
        { account: 'asset.bank', debitFen: fen },
        { account: 'liability.stored', sub, creditFen: fen },
      ],
    }),
  )
  const lay = (tx: Tx, of: OrderRow) => layBeside(tx, { order: of, payMethod: 3, legs: [{ account: 'liability.stored', sub, fen }], at: at(4) })
  const { attempt } = await writing((tx) => begin(tx, order.id, method, at(5), { lay }))
  const hear = (when = 20) =>
    writing((tx) =>
      noticePayment(tx, {
        payNo: attempt.payNo,
        channel: attempt.channel,
        tradeNo: fresh('T'),
        amountFen: attempt.amountFen,
        paidAt: at(when),
        at: at(when),
      }),
    )
  return { sub, attempt, hear, lay, laid: () => payment(attempt.besideId!) }
}
export const told = ({ orderNo }: { orderNo: string }) => heard.laid.filter((one) => one.orderNo === orderNo).map(({ move }) => move)
