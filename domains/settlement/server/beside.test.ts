import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../../platform/server/database.ts'
import { fresh } from '../../ledger/server/testing.ts'
import { applyRefund, begin, cancelOrder, endAttempt, layBeside, noticePayment, payCash, purseLaid } from './api.ts'
import {
  till,
  heard,
  of,
  writing,
  at,
  who,
  anOrder,
  aDebt,
  now,
  lines,
  moves,
  rows,
  payment,
  paymentsOf,
  code,
  repaying,
  aBeside,
  told,
  closeSteps,
  openSteps,
} from './factory.ts'

beforeAll(openSteps)
afterAll(closeSteps)

test('what lies beside a payment settles the order with it, and goes back first', async () => {
  const order = await anOrder()
  const { sub, attempt, hear, laid } = await aBeside(order)
  expect(attempt.amountFen).toBe(1000)
  expect(await laid()).toMatchObject({ state: 0, amountFen: 200, channel: 'stored', payMethod: 3, parkCode: 'P001' })
  const again = (fen: number, payMethod: 3 | 11 = 3) =>
    writing((tx) => layBeside(tx, { order, payMethod, legs: [{ account: 'liability.stored', sub, fen }], at: at(6) }))
  expect((await again(200)).id).toBe(attempt.besideId)
  await expect(again(201)).rejects.toMatchObject({ code: 40596, message: expect.stringContaining('2.00') })
  await expect(again(200, 11)).rejects.toMatchObject(code(40596))
  expect(await hear()).toBe('paid')
  expect(await now(order)).toMatchObject({ status: 2, paidFen: 1200, payChannel: 'wechat' })
  const { payNo, version } = await laid()
  expect(await laid()).toMatchObject({ state: 1, receivedFen: 200, tradeNo: payNo, paidAt: at(20) })
  expect(version).toBe(2)
  expect(await lines(order)).toEqual([
    ['order.paid', 'asset.channel', 'wechat', 1000, 0],
    ['order.paid', 'liability.stored', sub, 200, 0],
    ['order.paid', 'contra.discount', '', 300, 0],
    ['order.paid', 'income.parking', '', 0, 1500],
  ])
  expect(told(order)).toEqual(['lay', 'take'])
  expect(heard.laid.find((one) => one.orderNo === order.orderNo)).toMatchObject({
    parkCode: 'P001',
    legs: [{ account: 'liability.stored', sub, fen: 200 }],
    at: at(4),
  })
  const ask = (amountFen: number, channel?: string) =>
    writing((tx) => applyRefund(tx, { orderId: order.id, amountFen, reason: '多收', actor: who, at: at(30), ...(channel && { channel }) }))
  const asked = () => rows('select payment_id, amount_fen from settlement.refund where order_id = $1 order by applied_at, refund_no', [order.id])
  await expect(ask(1201)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('12.00') })
  expect(await ask(100, 'wechat')).toMatchObject({ paymentId: attempt.id, amountFen: 100 })
  expect(await ask(150)).toMatchObject({ paymentId: attempt.besideId, amountFen: 150 })
  expect(await ask(100)).toMatchObject({ paymentId: attempt.id, amountFen: 50 })
  expect(await ask(70)).toMatchObject({ paymentId: attempt.id, amountFen: 70 })
  expect((await asked()).map(({ paymentId, amountFen }) => [paymentId === attempt.besideId, amountFen]).sort()).toEqual([
    [false, 100],
    [false, 50],
    [false, 70],
    [true, 150],
    [true, 50],
  ])
  await expect(ask(781)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('7.80') })
})

test('what lies beside is free again when nobody counts on it, and is taken up once more by money that comes late', async () => {
  const order = await anOrder()
  const one = await aBeside(order)
  const other = await writing((tx) => begin(tx, order.id, 2, at(6), { lay: one.lay }))
  expect(other.attempt).toMatchObject({ amountFen: 1000, besideId: one.attempt.besideId })
  await writing((tx) => endAttempt(tx, other.attempt.id, 2, at(7)))
  expect([await now(order), await one.laid()]).toMatchObject([{ status: 1 }, { state: 0 }])
  await writing((tx) => endAttempt(tx, one.attempt.id, 2, at(8)))
  expect([await now(order), await one.laid()]).toMatchObject([{ status: 0 }, { state: 2, version: 2 }])
  expect(told(order)).toEqual(['lay', 'free'])
  expect(await one.hear()).toBe('paid')
  expect([await now(order), await one.laid()]).toMatchObject([{ status: 2, paidFen: 1200 }, { state: 1 }])
  expect(told(order)).toEqual(['lay', 'free', 'lay', 'take'])
})

/** The second begins when the first has done its work; that is committed once the second waits for it, or is through. */
async function meeting<T>(first: (tx: Tx) => Promise<T>, second: (tx: Tx) => Promise<T>): Promise<[T, T]> {
  let through = false
  let then!: Promise<T>
  const done = await writing(async (tx) => {
    const was = await first(tx)
    then = writing(second).finally(() => (through = true))
    await expect.poll(async () => through || (await rows(WAITS)).length > 0, { timeout: 10_000 }).toBe(true)
    return was
  })
  return [done, await then]
}
const WAITS = 'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database() and not l.granted'

test('two who set the same apart for one bill at once set it apart once', async () => {
  const order = await anOrder()
  const sub = fresh('p')
  const lay = (tx: Tx) => layBeside(tx, { order, payMethod: 3, legs: [{ account: 'liability.stored', sub, fen: 200 }], at: at(4) })
  const [one, two] = await meeting(lay, lay)
  expect(two.id).toBe(one.id)
  expect([(await paymentsOf(order)).length, told(order)]).toEqual([1, ['lay']])
})

test('a fault while what lay beside is set apart again is no refusal: nothing is taken, and the money is heard of again', async () => {
  const order = await anOrder()
  const { attempt, hear, laid } = await aBeside(order)
  await writing((tx) => endAttempt(tx, attempt.id, 2, at(8)))
  const mend = purseLaid.answer('fault', () => Promise.reject(new Error('broken')))
  await expect(hear()).rejects.toThrow('broken').finally(mend)
  expect([await now(order), await payment(attempt.id)]).toMatchObject([
    { status: 0, paidFen: 0 },
    { state: 2, tradeNo: null },
  ])
  expect([await hear(), await laid()]).toMatchObject(['paid', { state: 1 }])
})

test('a debt that is not paid in time is owed as before, and one that a repayment holds by then stays held', async () => {
  const debt = await aDebt(700)
  const { attempt } = await writing((tx) => begin(tx, debt.id, 1, at(5)))
  await writing((tx) => endAttempt(tx, attempt.id, 2, at(305)))
  expect([await now(debt), (await moves(debt)).at(-1)]).toMatchObject([{ status: 4 }, [1, 4, 'timedOut']])
  const stay = await anOrder()
  const late = await writing((tx) => begin(tx, stay.id, 1, at(5)))
  const repayment = await repaying([stay], [1200])
  await writing((tx) => endAttempt(tx, late.attempt.id, 2, at(305)))
  expect(await now(stay)).toMatchObject({ status: 1 })
  await writing((tx) => cancelOrder(tx, repayment.id, { reason: 'x', at: at(306) }))
  expect(await now(stay)).toMatchObject({ status: 0 })
})

test('of two attempts that end at once the later one frees what both counted on', async () => {
  const order = await anOrder()
  const one = await aBeside(order)
  const other = await writing((tx) => begin(tx, order.id, 2, at(6), { lay: one.lay }))
  const end = (id: string) => (tx: Tx) => endAttempt(tx, id, 2, at(7))
  await meeting(end(one.attempt.id), end(other.attempt.id))
  expect([await one.laid(), told(order)]).toMatchObject([{ state: 2 }, ['lay', 'free']])
  expect(await now(order)).toMatchObject({ status: 0 })
})

test('what lies beside is free again when the order is cancelled, or paid another way, and late money alone goes back', async () => {
  const gone = await anOrder()
  const first = await aBeside(gone)
  await writing((tx) => cancelOrder(tx, gone.id, { reason: 'x', at: at(9) }))
  expect([await first.laid(), told(gone)]).toMatchObject([{ state: 2 }, ['lay', 'free']])
  const order = await anOrder()
  const { attempt, hear, laid } = await aBeside(order)
  await writing((tx) => payCash(tx, { orderId: order.id, amountFen: 1200, actor: who, at: at(9) }))
  expect([await laid(), told(order)]).toMatchObject([{ state: 2 }, ['lay', 'free']])
  expect(await hear()).toBe('duplicate')
  expect(await payment(attempt.id)).toMatchObject({ state: 4, receivedFen: 1000, refundingFen: 1000 })
  expect([await laid(), told(order)]).toMatchObject([{ state: 2 }, ['lay', 'free']])
})

test('what lies beside a payment of a wrong amount is free again', async () => {
  const order = await anOrder()
  const { attempt, laid } = await aBeside(order)
  expect(
    await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: 999, paidAt: at(20), at: at(20) }),
    ),
  ).toBe('wrongAmount')
  expect([await laid(), told(order), await now(order)]).toMatchObject([{ state: 2 }, ['lay', 'free'], { status: 0, paidFen: 0 }])
})

test('a debt paid with something beside is booked by both, each with its own part', async () => {
  const debt = await aDebt(1200)
  const { sub, attempt, hear } = await aBeside(debt)
  expect(await hear()).toBe('paid')
  expect((await lines(debt)).slice(2)).toEqual([
    ['order.repaid', 'asset.channel', 'wechat', 1000, 0],
    ['order.repaid', 'liability.stored', sub, 200, 0],
    ['order.repaid', 'asset.arrears', '', 0, 1200],
  ])
  expect(
    await rows('select payment_id, amount_fen, for_debt, repay_id from settlement.allocation where order_id = $1 order by amount_fen', [debt.id]),
  ).toEqual([
    { paymentId: attempt.besideId, amountFen: 200, forDebt: true, repayId: null },
    { paymentId: attempt.id, amountFen: 1000, forDebt: true, repayId: null },
  ])
  expect(of(heard.repaid, debt)).toMatchObject([{ amountFen: 1200, whole: true }])
  const back = await writing((tx) =>
    applyRefund(tx, { orderId: debt.id, cameBy: attempt.id, amountFen: 10, reason: '误收', actor: who, at: at(200) }),
  )
  expect(back.paymentId).toBe(attempt.id)
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))
