import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fresh } from '../../ledger/server/testing.ts'
import {
  applyRefund,
  begin,
  cancelOrder,
  finishRefund,
  freshen,
  leaveUnpaid,
  mayRequote,
  momentTaken,
  noticePayment,
  type OrderRow,
  payCash,
  requote,
} from './api.ts'
import {
  till,
  heard,
  of,
  writing,
  at,
  who,
  other,
  anOrder,
  aDebt,
  now,
  lines,
  moves,
  rows,
  payment,
  paymentsOf,
  pay,
  approve,
  code,
  closeSteps,
  openSteps,
} from './factory.ts'
import { Said } from '../contract/said.ts'

beforeAll(openSteps)
afterAll(closeSteps)

test('an order asks what is due less the discount, and of a stay for five minutes', async () => {
  const order = await anOrder()
  expect(order).toMatchObject({
    status: 0,
    receivableFen: 1500,
    discountFen: 300,
    payableFen: 1200,
    paidFen: 0,
    goodUntil: null,
    creditedTo: '',
    parkCode: 'P001',
  })
  expect(order.orderNo).toMatch(/^TC/)
  expect(await lines(order)).toEqual([])
  const id = randomUUID()
  expect(await anOrder({ id, stayId: randomUUID() })).toMatchObject({ id, goodUntil: at(300) })
  expect((await anOrder({ type: 4, creditedTo: 'x' })).orderNo).toMatch(/^CZ/)
  for (const wrong of [
    { receivableFen: -1, discountFen: -1 },
    { receivableFen: 5, discountFen: 6 },
    { receivableFen: 1.5, discountFen: 0 },
    { receivableFen: 5, discountFen: -1 },
    { receivableFen: 5, discountFen: 0.5 },
    { receivableFen: 2 ** 53, discountFen: 0 },
  ])
    await expect(anOrder(wrong)).rejects.toMatchObject({ status: 400 })
  await expect(anOrder({ type: 9 as never, receivableFen: 1, discountFen: 0, at: at() })).resolves.toBeDefined()
})

test('where nothing is left to pay it is free at once, and the discount is booked', async () => {
  const free = await anOrder({ receivableFen: 500, discountFen: 500 })
  expect(free).toMatchObject({ status: 3, payTime: at(), payableFen: 0 })
  expect(await lines(free)).toEqual([
    ['order.free', 'contra.discount', '', 500, 0],
    ['order.free', 'income.parking', '', 0, 500],
  ])
  expect(await moves(free)).toEqual([[0, 3, 'free']])
  const nothing = await anOrder({ receivableFen: 0, discountFen: 0 })
  expect([nothing.status, await lines(nothing)]).toEqual([3, []])
})

test('a stay asks another amount as it grows; while somebody pays it stays as they were shown it, until a minute before it is old', async () => {
  const order = await anOrder({ stayId: randomUUID() })
  expect(await writing((tx) => requote(tx, order.id, { receivableFen: 1800, discountFen: 200, at: at(60) }))).toMatchObject({
    receivableFen: 1800,
    discountFen: 200,
    payableFen: 1600,
    goodUntil: at(360),
  })
  await writing((tx) => begin(tx, order.id, 1, at(60)))
  expect(await now(order)).toMatchObject({ status: 1 })
  expect(await writing((tx) => mayRequote(tx, order.id, at(300)))).toBe(false)
  expect(await writing((tx) => requote(tx, order.id, { receivableFen: 2000, at: at(300) }))).toMatchObject({
    status: 1,
    payableFen: 1600,
    goodUntil: at(360),
  })
  expect(await writing((tx) => mayRequote(tx, order.id, at(301)))).toBe(true)
  expect(await writing((tx) => requote(tx, order.id, { receivableFen: 2000, at: at(301) }))).toMatchObject({
    status: 1,
    payableFen: 2000,
    discountFen: 0,
    goodUntil: at(601),
  })
  expect(await writing((tx) => requote(tx, order.id, { receivableFen: 700, discountFen: 700, at: at(900) }))).toMatchObject({
    status: 3,
    payTime: at(900),
  })
  expect(await moves(order)).toEqual([
    [0, 1, 'paying'],
    [1, 0, 'stopped'],
    [0, 3, 'free'],
  ])
  expect(await writing((tx) => mayRequote(tx, order.id, at(9000)))).toBe(false)
  await expect(writing((tx) => requote(tx, order.id, { receivableFen: 5, at: at(9000) }))).rejects.toMatchObject(code(40010))
  const unpaid = await anOrder({ stayId: randomUUID() })
  expect(await writing((tx) => mayRequote(tx, unpaid.id, at()))).toBe(true)
  await writing((tx) => cancelOrder(tx, unpaid.id, { reason: 'x', at: at() }))
  expect(await writing((tx) => requote(tx, unpaid.id, { receivableFen: 5, at: at() }))).toMatchObject({ status: 5, receivableFen: 1500 })
  const debt = await aDebt()
  expect(await writing((tx) => mayRequote(tx, debt.id, at(9000)))).toBe(false)
  await expect(writing((tx) => requote(tx, debt.id, { receivableFen: 5, at: at(9000) }))).rejects.toMatchObject(code(40010))
  // Paid at the channel by now or not: the debt stays as it is.
  await writing((tx) => begin(tx, debt.id, 1, at(9000)))
  expect(await writing((tx) => requote(tx, debt.id, { receivableFen: 5, at: at(99_000) }))).toMatchObject({ status: 1, receivableFen: 1200 })
})

test('before a stay is paid its amount is asked for anew, with less than a minute left', async () => {
  const order = await anOrder({ stayId: randomUUID() })
  const asked = async (one: OrderRow, seconds: number) => {
    const before = of(heard.due, one).length
    await writing((tx) => freshen(tx, one.id, at(seconds))).catch(() => {}) // no park knows such a stay
    return of(heard.due, one).length - before
  }
  expect([await asked(order, 240), await asked(order, 241)]).toEqual([0, 1])
  expect(of(heard.due, order)[0]).toMatchObject({ stayId: order.stayId, at: at(241) })
  expect(await asked(await anOrder(), 9000)).toBe(0)
  expect(await asked(await aDebt(500, { stayId: randomUUID() }), 9000)).toBe(0)
})

test('cancelled while it is asked for or being paid, never once there is money or a debt', async () => {
  const order = await anOrder()
  const gone = await writing((tx) => cancelOrder(tx, order.id, { reason: '误开', at: at(1) }))
  expect(gone).toMatchObject({ status: 5, remark: '误开' })
  expect(await moves(order)).toEqual([[0, 5, 'cancelled']])
  const paying = await anOrder()
  await writing((tx) => begin(tx, paying.id, 1, at()))
  await writing((tx) => cancelOrder(tx, paying.id, { reason: '误开', at: at(1) }))
  expect(await moves(paying)).toEqual([
    [0, 1, 'paying'],
    [1, 0, 'stopped'],
    [0, 5, 'cancelled'],
  ])
  const paid = await anOrder()
  await pay(paid)
  const debt = await aDebt()
  const askedFor = await aDebt()
  await writing((tx) => begin(tx, askedFor.id, 1, at()))
  for (const one of [gone, paid, debt, askedFor])
    await expect(writing((tx) => cancelOrder(tx, one.id, { reason: 'x', at: at() }))).rejects.toMatchObject(code(40010))
})

test('who leaves without paying owes what was due, the discount given, and whoever collects hears of it', async () => {
  const order = await anOrder({ plateNo: '鄂F00002' })
  await writing((tx) => begin(tx, order.id, 1, at()))
  const left = await writing((tx) => leaveUnpaid(tx, order.id, { at: at(3) }))
  expect(left).toMatchObject({ status: 4, arrearsFen: 1200, paidFen: 0 })
  expect(await lines(left)).toEqual([
    ['order.unpaid', 'asset.arrears', '', 1200, 0],
    ['order.unpaid', 'contra.discount', '', 300, 0],
    ['order.unpaid', 'income.parking', '', 0, 1500],
  ])
  expect(await moves(left)).toEqual([
    [0, 1, 'paying'],
    [1, 0, 'stopped'],
    [0, 4, 'leftUnpaid'],
  ])
  expect(of(heard.owed, order)).toMatchObject([
    { amountFen: 1200, sourceType: 4, exceptionType: 0, sectionCode: null, plateNo: '鄂F00002', at: at(3) },
  ])
  await expect(writing((tx) => leaveUnpaid(tx, order.id, { at: at(4) }))).rejects.toMatchObject(code(40010))
  const forced = await anOrder()
  await writing((tx) => leaveUnpaid(tx, forced.id, { at: at(3), sourceType: 2, exceptionType: 1, sectionCode: 'S1' }))
  expect(of(heard.owed, forced)).toMatchObject([{ sourceType: 2, exceptionType: 1, sectionCode: 'S1' }])
  expect(await moves(forced)).toEqual([[0, 4, 'leftUnpaid']])
})

test('money of a channel is told once by its number, and never later than it was heard of', async () => {
  const order = await anOrder()
  const { attempt, notice, outcome } = await pay(order, { paidAt: at(30), heardAt: at(20) })
  expect(outcome).toBe('paid')
  expect(await now(order)).toMatchObject({ status: 2, paidFen: 1200, payMethod: 1, payChannel: 'wechat', tradeNo: notice.tradeNo, payTime: at(20) })
  expect(await payment(attempt.id)).toMatchObject({ state: 1, receivedFen: 1200, amountFen: 1200, tradeNo: notice.tradeNo, version: 2 })
  expect(await moves(order)).toEqual([
    [0, 1, 'paying'],
    [1, 2, 'paid'],
  ])
  const hear = (more: object) => writing((tx) => noticePayment(tx, { ...notice, ...more }))
  expect(await hear({})).toBe('repeat')
  expect(await hear({ payNo: 'none', tradeNo: fresh('T') })).toBe('unknown')
  expect(await hear({ channel: 'alipay', tradeNo: fresh('T') })).toBe('unknown')
  const tradeNo = fresh('T')
  expect(await hear({ tradeNo, amountFen: 700, paidAt: at(90), at: at(80) })).toBe('duplicate')
  const [, extra] = await paymentsOf(order)
  expect(extra).toMatchObject({
    state: 4,
    receivedFen: 700,
    amountFen: 1200,
    channel: 'wechat',
    payMethod: 1,
    tradeNo,
    paidAt: at(80),
    refundingFen: 700,
  })
  expect(extra.payNo.startsWith(`${attempt.payNo}-`)).toBe(true)
  expect(await hear({ tradeNo, amountFen: 700 })).toBe('repeat')
  expect(
    await rows('select kind, amount_fen, state, reason, approvals, approvals_needed from settlement.refund where order_id = $1', [order.id]),
  ).toEqual([{ kind: 2, amountFen: 700, state: 1, reason: Said.paidTwice, approvals: 0, approvalsNeeded: 0 }])
  expect(await lines(order)).toEqual([
    ['order.paid', 'asset.channel', 'wechat', 1200, 0],
    ['order.paid', 'contra.discount', '', 300, 0],
    ['order.paid', 'income.parking', '', 0, 1500],
    ['payment.duplicate', 'asset.channel', 'wechat', 700, 0],
    ['payment.duplicate', 'clearing.duplicate', 'wechat', 0, 700],
  ])
  expect((await now(order)).paidFen).toBe(1200)
})

test.each([1199, 1201])('%i fen where 1200 are asked wait for a person, and the order asks on', async (received) => {
  const order = await anOrder()
  const { attempt, notice, outcome } = await pay(order, { received })
  expect(outcome).toBe('wrongAmount')
  expect(await now(order)).toMatchObject({ status: 0, paidFen: 0 })
  const told = await rows('select from_status, to_status, reason from settlement.move where order_id = $1 and event = $2', [order.id, 'wrongAmount'])
  expect(told).toEqual([{ fromStatus: 1, toStatus: 0, reason: `${notice.tradeNo} ¥${(received / 100).toFixed(2)}` }])
  expect(await payment(attempt.id)).toMatchObject({ state: 5, receivedFen: received, refundingFen: 0 })
  expect(await lines(order)).toEqual([
    ['payment.wrongAmount', 'asset.channel', 'wechat', received, 0],
    ['payment.wrongAmount', 'clearing.over-short', 'wechat', 0, received],
  ])
  const asked = (amountFen: number) =>
    writing((tx) => applyRefund(tx, { orderId: order.id, paymentId: attempt.id, amountFen, reason: '金额不符', actor: who, at: at(50) }))
  await expect(asked(received + 1)).rejects.toMatchObject(code(40508))
  const made = await asked(received)
  expect(made).toMatchObject({ kind: 3, state: 0 })
  await approve(made, other, at(60))
  await writing((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: true, at: at(70) }))
  expect(await payment(attempt.id)).toMatchObject({ refundFen: received, refundingFen: 0 })
  expect((await lines(order)).slice(2)).toEqual([
    ['refund.done', 'clearing.over-short', 'wechat', received, 0],
    ['refund.done', 'asset.channel', 'wechat', 0, received],
  ])
  expect(await now(order)).toMatchObject({ refundFen: 0, refundingFen: 0 })
  expect(of(heard.ended, order)).toEqual([])
})

test('money after the end goes back, and says why', async () => {
  const order = await anOrder()
  const { attempt } = await writing((tx) => begin(tx, order.id, 1, at()))
  await writing((tx) => cancelOrder(tx, order.id, { reason: 'x', at: at(1) }))
  expect(
    await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: 1200, paidAt: at(2), at: at(2) }),
    ),
  ).toBe('afterCancel')
  expect(await payment(attempt.id)).toMatchObject({ state: 6, refundingFen: 1200 })
  expect(await rows('select kind, amount_fen, reason from settlement.refund where order_id = $1', [order.id])).toEqual([
    { kind: 2, amountFen: 1200, reason: Said.afterCancel },
  ])
  expect(await lines(order)).toEqual([
    ['payment.afterCancel', 'asset.channel', 'wechat', 1200, 0],
    ['payment.afterCancel', 'clearing.duplicate', 'wechat', 0, 1200],
  ])
})

/** An order that grows with time, as a stay's does: its amount is good for five minutes. */
const aGrowing = async () => {
  const { id } = await anOrder()
  return writing((tx) => requote(tx, id, { receivableFen: 1500, discountFen: 300, at: at() }))
}
test('what a stay asked when its payment began is what it pays, in time or not, also where it asks more by now', async () => {
  const grown = async (received?: number) => {
    const order = await aGrowing()
    const { attempt } = await writing((tx) => begin(tx, order.id, 1, at()))
    await writing((tx) => requote(tx, order.id, { receivableFen: 2000, discountFen: 300, at: at(280) }))
    const outcome = await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: received ?? 1200, paidAt: at(290), at: at(295) }),
    )
    return [outcome, await now(order)] as const
  }
  const [outcome, order] = await grown()
  expect([outcome, order]).toMatchObject(['paid', { status: 2, paidFen: 1200, receivableFen: 1500, discountFen: 300, payableFen: 1200 }])
  expect((await lines(order))[0]).toEqual(['order.paid', 'asset.channel', 'wechat', 1200, 0])
  expect(await grown(1100)).toMatchObject(['wrongAmount', { status: 0, paidFen: 0, receivableFen: 2000 }])
  const inTime = async (seconds: number) => {
    const one = await aGrowing()
    await pay(one, { begun: at(), paidAt: at(seconds), heardAt: at(900) })
    return of(heard.settled, one)[0]
  }
  expect(await inTime(300)).toMatchObject({
    inTime: true,
    paidFen: 1200,
    receivableFen: 1500,
    discountFen: 300,
    status: 2,
    paidAt: at(300),
    at: at(900),
  })
  expect(await inTime(301)).toMatchObject({ inTime: false })
})

test('who pays too late has not paid in time, unless a person lets the car go for it, or it is a debt', async () => {
  const inTime = async (order: OrderRow, final?: boolean) => {
    await writing((tx) => payCash(tx, { orderId: order.id, amountFen: 1200, actor: who, at: at(900), ...(final && { final }) }))
    return of(heard.settled, order).map((told) => told.inTime)
  }
  expect([await inTime(await aGrowing()), await inTime(await aGrowing(), true)]).toEqual([[false], [true]])
  const debt = await aGrowing()
  await writing((tx) => leaveUnpaid(tx, debt.id, { at: at(60) }))
  expect(await inTime(debt)).toEqual([true])
})

test('a device’s clock is believed a week back and two minutes ahead', () => {
  const moment = (seconds: number) => momentTaken(at(seconds), at())
  const WEEK = 7 * 86_400
  expect(momentTaken(undefined, at())).toBe(at())
  expect([moment(0), moment(1), moment(120), moment(-1), moment(-WEEK)]).toEqual([at(), at(), at(), at(-1), at(-WEEK)])
  for (const wrong of [121, -WEEK - 1]) expect(() => moment(wrong)).toThrow(expect.objectContaining(code(40595)))
})

test('cash is taken for exactly what is asked, and lies in the till of whoever took it', async () => {
  const order = await anOrder()
  const take = (amountFen: number) => writing((tx) => payCash(tx, { orderId: order.id, amountFen, actor: who, at: at(9) }))
  for (const wrong of [1199, 1201, 0, -1200]) await expect(take(wrong)).rejects.toMatchObject(code(40505))
  expect(await paymentsOf(order)).toEqual([])
  const paid = await take(1200)
  expect(paid).toMatchObject({ status: 2, paidFen: 1200, payMethod: 4, payChannel: 'cash', operatorName: '甲', payTime: at(9) })
  expect(await moves(order)).toEqual([
    [0, 1, 'paying'],
    [1, 2, 'paid'],
  ])
  expect((await lines(paid))[0]).toEqual(['order.paid', 'asset.cash', paid.shiftId, 1200, 0])
  expect(of(heard.settled, order)).toMatchObject([{ inTime: true, paidFen: 1200 }])
  expect(await paymentsOf(order)).toMatchObject([{ state: 1, payMethod: 4, amountFen: 1200, receivedFen: 1200 }])
  await expect(take(1200)).rejects.toMatchObject(code(40505))
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))
