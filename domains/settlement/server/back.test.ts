import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { post } from '../../ledger/server/api.ts'
import { fresh } from '../../ledger/server/testing.ts'
import {
  applyRefund,
  begin,
  finishRefund,
  keepApart,
  noticePayment,
  openOrder,
  payCash,
  payFromPurse,
  rejectRefund,
  returnable,
  returnRest,
  revoke,
  takingsBetween,
  writeOff,
  type NewOrder,
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
  reject,
  code,
  repaying,
  closeSteps,
  openSteps,
} from './factory.ts'
import { release, setAside } from './refund/returning.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

beforeAll(openSteps)
afterAll(closeSteps)

test('what is set apart of a payment never passes what came in, and is given free again', async () => {
  const order = await anOrder()
  const { attempt } = await pay(order)
  const which = { id: attempt.id, orderId: order.id as never }
  const aside = (fen: number, ofOrder = true) => writing((tx) => setAside(tx, which, fen, ofOrder))
  expect([await aside(1201), await aside(700), await aside(501), await aside(500)]).toEqual([false, true, false, true])
  expect([(await now(order)).refundingFen, (await payment(attempt.id)).refundingFen]).toEqual([1200, 1200])
  const refund = { paymentId: attempt.id, orderId: order.id, amountFen: 500 }
  await writing((tx) => release(tx, { ...refund, kind: 1 } as never))
  expect([(await now(order)).refundingFen, (await payment(attempt.id)).refundingFen]).toEqual([700, 700])
  expect((await payment(attempt.id)).version).toBe(2 + 2 + 1)
  // Money that never paid the order is set apart of the payment alone.
  expect(await aside(300, false)).toBe(true)
  expect([(await now(order)).refundingFen, (await payment(attempt.id)).refundingFen]).toEqual([700, 1000])
  await writing((tx) => release(tx, { ...refund, amountFen: 300, kind: 2 } as never))
  expect([(await now(order)).refundingFen, (await payment(attempt.id)).refundingFen]).toEqual([700, 700])
})

test('a refund that the channel pays is booked once; one that it does not is free again, and the truth later is booked after all', async () => {
  const order = await anOrder()
  const { attempt } = await pay(order)
  const ask = (amountFen: number) => writing((tx) => applyRefund(tx, { orderId: order.id, amountFen, reason: '多收', actor: who, at: at(30) }))
  const end = (refundNo: string, ok: boolean) =>
    writing((tx) => finishRefund(tx, { refundNo, ok, channelRefundNo: ok ? `R${refundNo}` : null, ...(!ok && { failure: '余额不足' }), at: at(40) }))
  const first = await ask(500)
  expect(first).toMatchObject({ kind: 1, state: 0, amountFen: 500, approvalsNeeded: 1, applicantName: '甲', paymentId: attempt.id })
  expect(await end(first.refundNo, true)).toBeUndefined() // nobody has approved it
  expect(await approve(first, other, at(31))).toMatchObject({ state: 1, approvals: 1, firstApproverName: '乙' })
  expect(await end(first.refundNo, false)).toMatchObject({ state: 4, failure: '余额不足' })
  expect(await now(order)).toMatchObject({ status: 2, refundingFen: 0, refundFen: 0 })
  expect(heard.failed.filter(({ refundId }) => refundId === first.id)).toEqual([{ refundId: first.id, failure: '余额不足', at: at(40) }])
  expect(await end(first.refundNo, false)).toBeUndefined()
  expect(await end(first.refundNo, true)).toMatchObject({ state: 3, channelRefundNo: `R${first.refundNo}`, finishedAt: at(40) })
  expect(await end(first.refundNo, true)).toBeUndefined()
  expect(await now(order)).toMatchObject({ status: 6, refundingFen: 0, refundFen: 500 })
  expect(await payment(attempt.id)).toMatchObject({ refundFen: 500, refundingFen: 0 })
  // Set apart, given free, set apart again and out.
  expect((await payment(attempt.id)).version).toBe(2 + 4)
  await expect(ask(701)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('7.00') })
  const rest = await ask(700)
  await approve(rest, other, at(31))
  await end(rest.refundNo, true)
  expect(await now(order)).toMatchObject({ status: 7, refundFen: 1200 })
  await expect(ask(1)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('0.00') })
  const booked = (fen: number) => [
    ['refund.done', 'income.parking', '', fen, 0],
    ['refund.done', 'asset.channel', 'wechat', 0, fen],
  ]
  expect((await lines(order)).slice(3)).toEqual([...booked(500), ...booked(700)])
  expect(of(heard.refunded, order)).toMatchObject([
    { amountFen: 500, refundFen: 500, paidFen: 1200, whole: false },
    { amountFen: 700, refundFen: 1200, whole: true },
  ])
  expect(of(heard.ended, order)).toMatchObject([
    { amountFen: 500, paidOut: true },
    { amountFen: 700, paidOut: true },
  ])
  expect((await moves(order)).slice(2)).toEqual([
    [2, 6, 'refundedPart'],
    [6, 7, 'refunded'],
  ])
})

test('a refund is refused by another than who asked, and a second time by nobody', async () => {
  const order = await anOrder()
  const { attempt } = await pay(order)
  const asked = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 900, reason: '多收', actor: who, at: at(30) }))
  const refuse = (actor = other, version = asked.version) =>
    writing((tx) => rejectRefund(tx, { id: asked.id, version, verdict: '不退' }, actor, at(31)))
  await expect(refuse(who)).rejects.toMatchObject(code(40506))
  await expect(refuse(other, asked.version + 1)).rejects.toMatchObject({ status: 409 })
  expect(await refuse()).toMatchObject({ state: 5, verdict: '不退', firstApproverName: '乙', decidedAt: at(31) })
  await expect(refuse(other, asked.version + 1)).rejects.toMatchObject(code(40010))
  expect([(await now(order)).refundingFen, (await payment(attempt.id)).refundingFen]).toEqual([0, 0])
  expect(of(heard.ended, order)).toEqual([{ refundId: asked.id, orderId: order.id, amountFen: 900, paidOut: false, at: at(31) }])
})

test('from 500 yuan two people approve, counting what was asked for within thirty days and not refused', async () => {
  const order = await anOrder({ receivableFen: 200_000, discountFen: 0 })
  await pay(order)
  const DAY = 86_400
  const ask = (amountFen: number, when = at(30)) =>
    writing((tx) => applyRefund(tx, { orderId: order.id, amountFen, reason: '多收', actor: who, at: when }))
  const first = await ask(49_999)
  expect(first.approvalsNeeded).toBe(1)
  expect((await ask(1)).approvalsNeeded).toBe(2)
  expect((await ask(1, at(30 + 30 * DAY))).approvalsNeeded).toBe(1)
  await reject(first, other, at(31))
  expect((await ask(49_000)).approvalsNeeded).toBe(1)
  const large = await ask(50_000)
  expect(large.approvalsNeeded).toBe(2)
  const once = await approve(large, other, at(32))
  expect(once).toMatchObject({ state: 0, approvals: 1, firstApproverName: '乙', secondApproverName: null })
  await expect(approve(once, other, at(33))).rejects.toMatchObject(code(40518))
  const third = { userId: randomUUID(), userName: '丙' }
  expect(await approve(once, third, at(34))).toMatchObject({ state: 1, approvals: 2, firstApproverName: '乙', secondApproverName: '丙' })
})

test('without money there is nothing to refund, and of a repayment it goes by the debt', async () => {
  const ask = (orderId: string) => writing((tx) => applyRefund(tx, { orderId, amountFen: 1, reason: 'x', actor: who, at: at(30) }))
  await expect(ask((await anOrder()).id)).rejects.toMatchObject(code(40507))
  const repayment = await repaying([await aDebt(700)], [700])
  await pay(repayment)
  await expect(ask(repayment.id)).rejects.toMatchObject(code(40591))
})

test('what was paid by two payments goes back from both, the last first, and no more than is left', async () => {
  const debt = await aDebt(800)
  const first = await pay(await repaying([debt, await aDebt(400)], [300, 400]), { begun: at(101), paidAt: at(102), heardAt: at(103) })
  const last = await pay(debt, { begun: at(110), paidAt: at(111), heardAt: at(112) })
  const ask = (amountFen: number) => writing((tx) => applyRefund(tx, { orderId: debt.id, amountFen, reason: '误收', actor: who, at: at(200) }))
  const asked = () => rows('select payment_id, amount_fen from settlement.refund where order_id = $1 order by amount_fen desc', [debt.id])
  await expect(ask(801)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('8.00') })
  expect(await ask(600)).toMatchObject({ paymentId: first.attempt.id, amountFen: 100 })
  expect(await asked()).toEqual([
    { paymentId: last.attempt.id, amountFen: 500 },
    { paymentId: first.attempt.id, amountFen: 100 },
  ])
  await expect(ask(201)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('2.00') })
  expect(await ask(200)).toMatchObject({ paymentId: first.attempt.id, amountFen: 200 })
  await expect(ask(1)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('0.00') })
  expect(await now(debt)).toMatchObject({ status: 2, refundingFen: 800 })
  expect([await payment(first.attempt.id), await payment(last.attempt.id)]).toMatchObject([{ refundingFen: 300 }, { refundingFen: 500 }])
})

test('at any time of day a debt that was written off stands where the report has it', async () => {
  const debt = await aDebt(700)
  await writing((tx) => writeOff(tx, debt.id, { amountFen: 700, reason: '坏账', at: at(50) }))
  const taken = await writing((tx) => takingsBetween(tx, at(-86_400), at(86_400)))
  expect(taken).toEqual((await till.server.ask(till.admin, 'GET', '/lbs/fee/report/temporaryStopSum')).data)
  expect(taken.receivableFen).toBe(taken.paidFen + taken.discountFen + taken.waivedFen + taken.arrearsFen)
})

test('a repayment’s money is summed once, with the orders that it paid, and by itself where repayments alone are asked for', async () => {
  const get = async (path: string, input: object) => (await till.server.ask(till.admin, 'GET', `/lbs/business/order/${path}`, input)).data
  const figures = async () => [await get('summary', {}), await get('summary', { type: [1, 2] }), (await get('list', { queryMode: 'sum' })).sums]
  const debt = await aDebt(900)
  const before = await figures()
  const { sums: own } = await get('list', { queryMode: 'sum', type: [2] })
  const repayment = await repaying([debt], [300])
  await pay(repayment, { begun: at(101), paidAt: at(102), heardAt: at(103) })
  const more = ({ paidFen, receivableFen, arrearsFen }: any) => ({ receivableFen, paidFen: paidFen + 300, arrearsFen: arrearsFen - 300 })
  const after = await figures()
  for (const [i, sums] of before.entries()) expect(after[i]).toMatchObject(more(sums))
  expect([after[0].orders, after[0].netFen]).toEqual([before[0].orders, before[0].netFen + 300])
  expect((await get('list', { queryMode: 'sum', type: [2] })).sums.paidFen).toBe(own.paidFen + 300)
  expect(await get('summary', { type: [2] })).toMatchObject({ paidFen: own.paidFen + 300 })
  expect((await get('list', { orderNo: repayment.orderNo })).records).toMatchObject([{ type: 2, paidFen: 300 }])
})

/** How often the channel was asked to send a refund: nobody works here, so that each time stands in the one job that waits. */
async function asked(refundId: string): Promise<number> {
  const owner = new pg.Client({ connectionString: till.server.ownerUrl })
  await owner.connect()
  const { rows: jobs } = await owner.query('select revision + 1 as times from graphile_worker.jobs where key = $1', [
    `1 settlement.refund-send:${refundId}`,
  ])
  await owner.end()
  return jobs[0]?.times ?? 0
}

test('a refund that failed is sent once more, by whoever sees it as it is', async () => {
  const order = await anOrder()
  const { attempt } = await pay(order)
  const made = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 500, reason: '多收', actor: who, at: at(30) }))
  await approve(made, other, at(31))
  const again = (version: number) => till.call(till.admin, '/orderRefund/retry', { id: made.id, version })
  const { version } = (await writing((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: false, failure: 'x', at: at(32) })))!
  expect(version).toBe(made.version + 2)
  expect((await again(version + 1)).status).toBe(409)
  expect((await payment(attempt.id)).refundingFen).toBe(0)
  expect((await again(version)).data).toMatchObject({ state: 2, failure: null, version: version + 1 })
  expect(await payment(attempt.id)).toMatchObject({ refundingFen: 500 })
  expect(await now(order)).toMatchObject({ refundingFen: 500 })
  // It was asked for when it was approved, and is asked for once more.
  expect(await asked(made.id)).toBe(2)
  expect(await again(version)).toMatchObject({ status: 409, data: expect.objectContaining({ version: version + 1 }) })
  expect(await again(version + 1)).toMatchObject({ code: 40010 })
})

test('cash that goes back waits at the counter, and no channel is asked to send it', async () => {
  const order = await anOrder()
  await writing((tx) => payCash(tx, { orderId: order.id, amountFen: 1200, actor: who, at: at(9) }))
  const made = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 500, reason: '多收', actor: who, at: at(30) }))
  expect(await approve(made, other, at(31))).toMatchObject({ state: 1 })
  expect(await asked(made.id)).toBe(0)
})

test('a refund on its way to a channel is not paid out of a till', async () => {
  const order = await anOrder()
  await pay(order)
  await writing(async (tx) =>
    payCash(tx, {
      orderId: (await openOrder(tx, { type: 1, parkCode: 'P001', receivableFen: 900, at: at() })).id,
      amountFen: 900,
      actor: who,
      at: at(9),
    }),
  )
  const made = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 500, reason: '多收', actor: who, at: at(30) }))
  const { version } = await approve(made, other, at(31))
  await till.call(till.admin, '/shift/open', { openingFloatFen: 5000 })
  expect(await till.call(till.admin, '/orderRefund/payOut', { id: made.id, version })).toMatchObject({ status: 409, code: 40010 })
  expect(await now(order)).toMatchObject({ status: 2, refundFen: 0, refundingFen: 500 })
})

test('money of a recharge, a merchant’s too, a lease and a charge does not go back by its order', async () => {
  const ask = async (type: NewOrder['type']) =>
    (await till.call(till.admin, '/orderRefund/apply', { orderId: (await anOrder({ type, creditedTo: 'x' })).id, amountFen: 1, reason: 'x' })).code
  expect([await ask(4), await ask(8), await ask(12), await ask(5), await ask(10), await ask(1)]).toEqual([40593, 40594, 40594, 40597, 40512, 40507])
})

test('nobody is let off what is paid ahead: what it pays for would be there, and its money nowhere', async () => {
  const ask = async ({ id }: { id: string }, amountFen: number) =>
    (await till.call(till.admin, '/orderWaiver/apply', { orderId: id, amountFen, reason: 'x' })).code
  const ahead = [3, 4, 5, 8, 10] as const
  expect(await Promise.all(ahead.map(async (type) => ask(await anOrder({ type, creditedTo: 'x' }), 1200)))).toEqual(ahead.map(() => 40513))
  expect([await ask(await aDebt(900, { type: 5, creditedTo: 'x' }), 900), await ask(await anOrder(), 1200)]).toEqual([200, 200])
})

test('a wrong amount is asked back where it came, whatever it was for', async () => {
  for (const type of [4, 5, 8] as const) {
    const order = await anOrder({ type, creditedTo: 'x' })
    const { attempt } = await pay(order, { received: 1000 })
    const asked = await till.call(till.admin, '/orderRefund/apply', { orderId: order.id, paymentId: attempt.id, amountFen: 1000, reason: 'x' })
    expect(asked.data).toMatchObject({ kind: 3, amountFen: 1000, paymentId: attempt.id })
  }
})

test('what a channel says of a refund counts once, and of one that is not ours is said to be so', async () => {
  const order = await anOrder()
  await pay(order)
  const made = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 500, reason: '多收', actor: who, at: at(30) }))
  await approve(made, other, at(31))
  const say = (number: string, tradeNo = fresh('R')) => till.notify({ payNo: number, amountFen: 500, kind: 'refund', tradeNo })
  const tradeNo = fresh('R')
  expect([(await say(made.refundNo, tradeNo)).status, (await say(made.refundNo)).status, (await say(fresh('TK'))).status]).toEqual([200, 200, 404])
  expect(await now(order)).toMatchObject({ status: 6, refundFen: 500 })
  const heardOf = await rows('select kind, trade_no, amount_fen, outcome from settlement.notice where number = $1 order by received_at', [
    made.refundNo,
  ])
  expect(heardOf).toMatchObject([
    { kind: 2, tradeNo, amountFen: 500, outcome: 'refunded' },
    { kind: 2, outcome: 'repeat' },
  ])
  const failing = await writing((tx) => applyRefund(tx, { orderId: order.id, amountFen: 200, reason: '多收', actor: who, at: at(40) }))
  await approve(failing, other, at(41))
  expect((await till.notify({ payNo: failing.refundNo, amountFen: 200, kind: 'refund', result: 'FAIL' })).status).toBe(200)
  expect(await rows('select outcome from settlement.notice where number = $1', [failing.refundNo])).toEqual([{ outcome: 'refundFailed' }])
  const why = await rows('select failure from settlement.refund where order_id = $1 order by amount_fen desc', [order.id])
  expect(why).toEqual([{ failure: null }, { failure: Said.channelFailed }])
  expect(await now(order)).toMatchObject({ status: 6, refundFen: 500, refundingFen: 0 })
  const { payNo, amountFen } = (
    await writing(async (tx) => begin(tx, (await openOrder(tx, { type: 1, parkCode: 'P001', receivableFen: 100, at: at() })).id, 1, at()))
  ).attempt
  await till.notify({ payNo, amountFen, result: 'FAIL' })
  await till.notify({ payNo, amountFen })
  expect(await rows('select kind, outcome from settlement.notice where number = $1 order by received_at', [payNo])).toEqual([
    { kind: 1, outcome: 'failed' },
    { kind: 1, outcome: 'paid' },
  ])
})

test('a stay that is not owed yet is held and paid beside debts; where one of them changed meanwhile, none is', async () => {
  const [stay, debt] = [await anOrder(), await aDebt(700)]
  const repayment = await repaying([stay, debt], [1200, 700])
  expect(await now(stay)).toMatchObject({ status: 1 })
  await pay(repayment, { begun: at(101), paidAt: at(102), heardAt: at(103) })
  expect(await Promise.all([stay, debt].map(now))).toMatchObject([
    { status: 2, paidFen: 1200, receivableFen: 1500 },
    { status: 2, paidFen: 700 },
  ])
  expect(await lines(stay)).toEqual([
    ['order.paid', 'asset.channel', 'wechat', 1200, 0],
    ['order.paid', 'contra.discount', '', 300, 0],
    ['order.paid', 'income.parking', '', 0, 1500],
  ])
  expect(of(heard.repaid, stay)).toEqual([])
  expect(await moves(stay)).toEqual([
    [0, 1, 'paying'],
    [1, 2, 'paid'],
  ])
  const [one, two] = [await aDebt(500), await aDebt(600)]
  const late = await repaying([one, two], [500, 600])
  const { attempt } = await writing((tx) => begin(tx, late.id, 1, at(101)))
  await writing((tx) => writeOff(tx, two.id, { amountFen: 600, reason: '坏账', at: at(102) }))
  await rows('update settlement.order set written_off_fen = 599 where id = $1', [two.id])
  expect(
    await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: 1100, paidAt: at(103), at: at(103) }),
    ),
  ).toBe('afterCancel')
  expect(await Promise.all([one, two].map(now))).toMatchObject([
    { status: 4, paidFen: 0 },
    { status: 8, paidFen: 0 },
  ])
  await rows('update settlement.order set written_off_fen = 600 where id = $1', [two.id])
})

test('cash for a repayment has no end that it could miss', async () => {
  const [stay, debt] = [await anOrder(), await aDebt(700)]
  const { id } = await repaying([stay, debt], [1200, 700])
  await writing((tx) => payCash(tx, { orderId: id, amountFen: 1900, actor: who, at: at(900) }))
  expect(of(heard.settled, stay)).toMatchObject([{ inTime: true, paidFen: 1200 }])
})

test('where nobody has points the cashier is told to take all of it in cash', async () => {
  const order = await anOrder()
  await expect(writing((tx) => payCash(tx, { orderId: order.id, amountFen: 1100, points: 100, actor: who, at: at(9) }))).rejects.toMatchObject(
    code(40598),
  )
  expect(await now(order)).toMatchObject({ status: 0, paidFen: 0 })
})

test('a debt is written off for exactly what is left of it; paid after all it is recovered and no second income', async () => {
  const debt = await aDebt(800)
  const off = (amountFen: number) => writing((tx) => writeOff(tx, debt.id, { amountFen, reason: '坏账', at: at(50) }))
  for (const wrong of [799, 801]) await expect(off(wrong)).rejects.toMatchObject(code(40010))
  expect(await off(800)).toMatchObject({ status: 8, paidFen: 0 })
  await expect(off(800)).rejects.toMatchObject(code(40010))
  expect((await moves(debt)).at(-1)).toEqual([4, 8, 'writtenOff'])
  expect((await lines(debt)).slice(2)).toEqual([
    ['order.written-off', 'contra.bad-debt', '', 800, 0],
    ['order.written-off', 'asset.arrears', '', 0, 800],
  ])
  const repayment = await repaying([debt], [800])
  await pay(repayment, { begun: at(101), paidAt: at(102), heardAt: at(103) })
  expect(await now(debt)).toMatchObject({ status: 2, paidFen: 800 })
  expect((await lines(debt)).slice(4)).toEqual([
    ['order.recovered', 'asset.channel', 'wechat', 800, 0],
    ['order.recovered', 'contra.bad-debt', '', 0, 800],
  ])
})

test('what should never have been asked for: unpaid it is void, paid in part or whole all of it goes back', async () => {
  const undo = (one: { id: string }) => writing((tx) => revoke(tx, one.id, { reason: '误认', at: at(300), actor: who }))
  const unpaid = await aDebt(800)
  expect(await undo(unpaid)).toMatchObject({ status: 5, remark: '误认' })
  expect((await lines(unpaid)).slice(2)).toEqual([
    ['order.revoked', 'contra.waiver', '', 800, 0],
    ['order.revoked', 'asset.arrears', '', 0, 800],
  ])
  expect(of(heard.settled, unpaid)).toMatchObject([{ status: 5, paidFen: 0 }])
  const part = await aDebt(800)
  const { attempt } = await pay(await repaying([part], [300]), { begun: at(101), paidAt: at(102), heardAt: at(103) })
  expect(await undo(part)).toMatchObject({ status: 7, paidFen: 300 })
  expect((await lines(part)).slice(4)).toEqual([
    ['order.revoked', 'contra.waiver', '', 500, 0],
    ['order.revoked', 'asset.arrears', '', 0, 500],
  ])
  expect(
    await rows(
      'select kind, amount_fen, state, payment_id, reason, first_approver_name, approvals, approvals_needed from settlement.refund where order_id = $1',
      [part.id],
    ),
  ).toEqual([{ kind: 1, amountFen: 300, state: 1, paymentId: attempt.id, reason: '误认', firstApproverName: '甲', approvals: 1, approvalsNeeded: 1 }])
  expect(await now(part)).toMatchObject({ refundingFen: 300 })
  expect(of(heard.settled, part)).toMatchObject([{ status: 7, paidFen: 0 }])
  const whole = await aDebt(800)
  await pay(whole)
  expect(await undo(whole)).toMatchObject({ status: 7 })
  expect(await now(whole)).toMatchObject({ refundingFen: 800 })
  expect((await lines(whole)).slice(4)).toEqual([])
  expect(of(heard.settled, whole)).toHaveLength(1) // when it was paid, and not again
  for (const wrong of [await anOrder(), unpaid]) await expect(undo(wrong)).rejects.toMatchObject(code(40010))
})

test('of what was paid in advance the rest goes back, the last that came first, and never more than is left', async () => {
  const creditedTo = fresh('h')
  const ahead = async (receivableFen: number, paidAt: Instant) => {
    const order = await anOrder({ type: 5, creditedTo, receivableFen, discountFen: 0 })
    const { attempt } = await pay(order, { paidAt, heardAt: at(90) })
    return { order, attempt }
  }
  const [early, late] = [await ahead(1000, at(10)), await ahead(400, at(30))]
  await anOrder({ type: 5, creditedTo, receivableFen: 50, discountFen: 0 })
  const left = () => writing((tx) => returnable(tx, creditedTo))
  const line = ({ order, attempt }: typeof early, leftFen: number) => ({ orderId: order.id, cameBy: attempt.id, leftFen })
  expect(await left()).toEqual([line(late, 400), line(early, 1000)])
  const back = (amountFen: number, cameBy?: string) =>
    writing((tx) => returnRest(tx, { orderId: early.order.id, ...(cameBy && { cameBy }), amountFen, reason: '余额', at: at(95) }))
  await expect(back(1001)).rejects.toMatchObject(code(40508))
  await expect(back(1, late.attempt.id)).rejects.toMatchObject(code(40508))
  const made = await back(300, early.attempt.id)
  expect(made).toMatchObject({ kind: 1, state: 1, amountFen: 300, approvals: 0, approvalsNeeded: 0, applicantName: SYSTEM, reason: '余额' })
  expect(await left()).toEqual([line(late, 400), line(early, 700)])
  await writing((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: false, failure: 'x', at: at(96) }))
  expect(await left()).toEqual([line(late, 400), line(early, 700)]) // it is still to be sent
  await writing((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: true, at: at(97) }))
  expect(await left()).toEqual([line(late, 400), line(early, 700)])
  // A payment for a debt by a repayment.
  const debt = await aDebt(250, { type: 5, creditedTo })
  const { attempt } = await pay(await repaying([debt], [100]), { begun: at(101), paidAt: at(102), heardAt: at(103) })
  const part = { orderId: debt.id, cameBy: attempt.id, leftFen: 100 }
  expect(await left()).toEqual([part, line(late, 400), line(early, 700)])
  // A payment for a debt by itself.
  const single = await aDebt(120, { type: 5, creditedTo })
  const paid = await pay(single, { begun: at(104), paidAt: at(105), heardAt: at(106) })
  expect(await left()).toEqual([{ orderId: single.id, cameBy: paid.attempt.id, leftFen: 120 }, part, line(late, 400), line(early, 700)])
  expect((await lines(early.order)).at(-2)).toEqual(['refund.done', 'liability.charge-prepaid', creditedTo, 300, 0])
})

test('a purse pays with every leg that bears something, and says what it lacks', async () => {
  const sub = fresh('p')
  const put = (fen: number) =>
    writing((tx) =>
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
  await put(1199)
  const order = await anOrder()
  const spend = (fen: number) =>
    writing((tx) =>
      payFromPurse(tx, {
        orderId: order.id,
        payMethod: 3,
        legs: [
          { account: 'liability.stored', sub, fen },
          { account: 'liability.stored-bonus', sub, fen: 0 },
        ],
        at: at(5),
        actor: who,
      }),
    )
  await expect(spend(1200)).rejects.toMatchObject({ code: 40592, message: expect.stringContaining('11.99') })
  await put(1)
  expect(await spend(1200)).toMatchObject({ status: 2, paidFen: 1200, payMethod: 3, payChannel: 'stored', operatorName: '甲', payTime: at(5) })
  const [{ id, receivedFen }] = (await paymentsOf(order)) as [any]
  expect([
    receivedFen,
    await rows('select seq, account, sub, amount_fen, booked_fen, refund_fen from settlement.leg where payment_id = $1', [id]),
  ]).toEqual([1200, [{ seq: 1, account: 'liability.stored', sub, amountFen: 1200, bookedFen: 1200, refundFen: 0 }]])
  expect((await lines(order))[0]).toEqual(['order.paid', 'liability.stored', sub, 1200, 0])
})

test('cash for what nobody owes any more is kept apart in the till, and waits at the counter', async () => {
  const order = await anOrder()
  await pay(order)
  const kept = await writing((tx) => keepApart(tx, { orderId: order.id, amountFen: 350, receiptNo: fresh('S'), actor: who, at: at(60) }))
  expect(await payment(kept.id)).toMatchObject({
    state: 4,
    amountFen: 0,
    receivedFen: 350,
    refundingFen: 350,
    channel: 'cash',
    tradeNo: kept.tradeNo,
  })
  expect((await lines(order)).slice(3)).toEqual([
    ['payment.duplicate', 'asset.cash', kept.shiftId, 350, 0],
    ['payment.duplicate', 'clearing.duplicate', 'cash', 0, 350],
  ])
  expect(await rows('select kind, amount_fen, state from settlement.refund where payment_id = $1', [kept.id])).toEqual([
    { kind: 2, amountFen: 350, state: 1 },
  ])
  expect(await now(order)).toMatchObject({ status: 2, paidFen: 1200, refundingFen: 0 })
})

test('of a revoked debt goes back what has not gone back yet, and a debt paid in part is written off for its rest', async () => {
  const undo = (one: { id: string }) => writing((tx) => revoke(tx, one.id, { reason: '误认', at: at(300), actor: who }))
  const backOf = (one: { id: string }) => rows('select amount_fen, state from settlement.refund where order_id = $1 order by applied_at', [one.id])
  const ask = (one: { id: string }, amountFen: number) =>
    writing((tx) => applyRefund(tx, { orderId: one.id, amountFen, reason: '误收', actor: who, at: at(200) }))
  const part = await aDebt(800)
  await pay(part)
  const first = await ask(part, 300)
  await approve(first, other, at(201))
  await writing((tx) => finishRefund(tx, { refundNo: first.refundNo, ok: true, at: at(202) }))
  expect(await now(part)).toMatchObject({ status: 6 })
  await undo(part)
  expect(await backOf(part)).toEqual([
    { amountFen: 300, state: 3 },
    { amountFen: 500, state: 1 },
  ])
  const whole = await aDebt(800)
  await pay(whole)
  await ask(whole, 800)
  await undo(whole)
  expect(await backOf(whole)).toEqual([{ amountFen: 800, state: 0 }])
  const rest = await aDebt(800)
  await pay(await repaying([rest], [300]), { begun: at(101), paidAt: at(102), heardAt: at(103) })
  await expect(writing((tx) => writeOff(tx, rest.id, { amountFen: 800, reason: '坏账', at: at(200) }))).rejects.toMatchObject(code(40010))
  expect(await writing((tx) => writeOff(tx, rest.id, { amountFen: 500, reason: '坏账', at: at(200) }))).toMatchObject({ status: 8, paidFen: 300 })
  expect((await lines(rest)).slice(-2)).toEqual([
    ['order.written-off', 'contra.bad-debt', '', 500, 0],
    ['order.written-off', 'asset.arrears', '', 0, 500],
  ])
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))
