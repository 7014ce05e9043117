import { afterAll, beforeAll, expect, test } from 'vitest'
import { fresh } from '../../ledger/server/testing.ts'
import { applyRefund, begin, finishRefund, noticePayment, openRepayment } from './api.ts'
import {
  till,
  heard,
  of,
  writing,
  at,
  who,
  other,
  aDebt,
  now,
  lines,
  moves,
  rows,
  payment,
  pay,
  approve,
  reject,
  code,
  repaying,
  closeSteps,
  openSteps,
} from './factory.ts'
import { Said } from '../contract/said.ts'

beforeAll(openSteps)
afterAll(closeSteps)

test('a repayment asks for its parts together, pays each at its own park, and the last may be a part', async () => {
  const debts = [await aDebt(700), await aDebt(900, { parkCode: 'P002' })]
  const repayment = await repaying(debts, [700, 300])
  expect(repayment).toMatchObject({ type: 2, status: 0, receivableFen: 1000, payableFen: 1000 })
  expect(repayment.orderNo).toMatch(/^BJ/)
  const { attempt, notice, outcome } = await pay(repayment, { begun: at(101), paidAt: at(102), heardAt: at(103) })
  expect([outcome, attempt.amountFen]).toEqual(['paid', 1000])
  expect(await Promise.all(debts.map(now))).toMatchObject([
    { status: 2, paidFen: 700, arrearsFen: 0, payMethod: 1, tradeNo: notice.tradeNo, payTime: at(102) },
    { status: 4, paidFen: 300, arrearsFen: 600 },
  ])
  expect((await lines(debts[0]!)).slice(2)).toEqual([
    ['order.repaid', 'asset.channel', 'wechat', 700, 0],
    ['order.repaid', 'asset.arrears', '', 0, 700],
  ])
  expect((await lines(debts[1]!)).slice(2)).toEqual([
    ['order.repaid', 'asset.channel', 'wechat', 300, 0],
    ['order.repaid', 'asset.arrears', '', 0, 300],
  ])
  expect(
    await rows(
      'select order_id, repay_id, park_code, amount_fen, for_debt from settlement.allocation where payment_id = $1 order by amount_fen desc',
      [attempt.id],
    ),
  ).toEqual([
    { orderId: debts[0]!.id, repayId: repayment.id, parkCode: 'P001', amountFen: 700, forDebt: true },
    { orderId: debts[1]!.id, repayId: repayment.id, parkCode: 'P002', amountFen: 300, forDebt: true },
  ])
  expect(debts.map((one) => of(heard.repaid, one).map(({ amountFen, whole, repayNo }) => [amountFen, whole, repayNo]))).toEqual([
    [[700, true, repayment.orderNo]],
    [[300, false, repayment.orderNo]],
  ])
  expect(of(heard.settled, debts[0]!)).toMatchObject([{ paidFen: 700, inTime: true }])
  expect(of(heard.settled, debts[1]!)).toEqual([])
  expect((await Promise.all(debts.map(moves))).map((all) => all.at(-1))).toEqual([
    [4, 2, 'paid'],
    [4, 4, 'paidPart'],
  ])
  // Of what came for both, each gets back no more than its part.
  const ask = (one: { id: string }, amountFen: number) =>
    writing((tx) => applyRefund(tx, { orderId: one.id, amountFen, reason: '误收', actor: who, at: at(200) }))
  await expect(ask(debts[0]!, 701)).rejects.toMatchObject(code(40508))
  const back = await ask(debts[0]!, 400)
  expect(
    await rows('select refunding_fen, refund_fen from settlement.allocation where payment_id = $1 order by amount_fen desc', [attempt.id]),
  ).toEqual([
    { refundingFen: 400, refundFen: 0 },
    { refundingFen: 0, refundFen: 0 },
  ])
  await approve(back, other, at(201))
  await writing((tx) => finishRefund(tx, { refundNo: back.refundNo, ok: true, at: at(202) }))
  expect(
    await rows('select refunding_fen, refund_fen from settlement.allocation where payment_id = $1 order by amount_fen desc', [attempt.id]),
  ).toEqual([
    { refundingFen: 0, refundFen: 400 },
    { refundingFen: 0, refundFen: 0 },
  ])
  const more = await ask(debts[0]!, 300)
  await reject(more, other, at(203))
  expect(
    await rows('select refunding_fen, refund_fen from settlement.allocation where payment_id = $1 order by amount_fen desc', [attempt.id]),
  ).toEqual([
    { refundingFen: 0, refundFen: 400 },
    { refundingFen: 0, refundFen: 0 },
  ])
  await expect(ask(debts[0]!, 301)).rejects.toMatchObject(code(40508))
  expect(await now(debts[0]!)).toMatchObject({ status: 6, refundFen: 400 })
})

test('what one repayment asks for no other does for five minutes, and an owner who asks for the same again gets the same', async () => {
  const debts = [await aDebt(700), await aDebt(900)]
  const first = await repaying(debts, [700, 900], at(100), 4)
  expect((await repaying(debts, [700, 900], at(110), 4)).id).toBe(first.id)
  await expect(repaying([debts[0]!], [700], at(110), 4)).rejects.toMatchObject(code(40590))
  await expect(repaying(debts, [700, 800], at(110), 4)).rejects.toMatchObject(code(40590))
  await expect(repaying([debts[1]!], [900], at(110))).rejects.toMatchObject(code(40590))
  await expect(repaying(debts, [700, 900], at(400))).rejects.toMatchObject(code(40590))
  const next = await repaying([debts[1]!], [900], at(401))
  expect(next.id).not.toBe(first.id)
  expect(await now(first)).toMatchObject({ status: 5, remark: Said.unpaid })
  // It was asked for at the console, and of an owner's that is over nothing is left.
  const third = await repaying([debts[0]!], [700], at(402))
  expect(third.status).toBe(0)
  await expect(repaying([debts[0]!], [700], at(403), 4)).rejects.toMatchObject(code(40590))
  const own = await repaying(debts, [700, 900], at(800), 4)
  expect([first.id, next.id, third.id]).not.toContain(own.id)
  expect(await Promise.all([next, third].map(now))).toMatchObject([{ status: 5 }, { status: 5 }])
})

test('money for a repayment that is over goes back, and its debts ask on', async () => {
  const debt = await aDebt(700)
  const repayment = await repaying([debt], [700])
  const { attempt } = await writing((tx) => begin(tx, repayment.id, 1, at(101)))
  await repaying([debt], [700], at(500))
  expect(
    await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: 700, paidAt: at(501), at: at(501) }),
    ),
  ).toBe('afterCancel')
  expect(await payment(attempt.id)).toMatchObject({ state: 6, refundingFen: 700 })
  expect(await now(debt)).toMatchObject({ status: 4, paidFen: 0 })
})

test('a wrong amount for a repayment waits for a person: the repayment is over, its debts are paid by another at once', async () => {
  const debt = await aDebt(700)
  const repayment = await repaying([debt], [700])
  const { attempt, outcome } = await pay(repayment, { begun: at(101), received: 690, paidAt: at(102), heardAt: at(103) })
  expect(outcome).toBe('wrongAmount')
  expect(await now(repayment)).toMatchObject({ status: 5, paidFen: 0, remark: Said.wrongAmount })
  expect((await moves(repayment)).slice(-2)).toEqual([
    [1, 0, 'wrongAmount'],
    [0, 5, 'cancelled'],
  ])
  expect(await payment(attempt.id)).toMatchObject({ state: 5, receivedFen: 690, refundingFen: 0 })
  expect((await pay(await repaying([debt], [700], at(110)), { begun: at(111), paidAt: at(112), heardAt: at(113) })).outcome).toBe('paid')
  expect(await now(debt)).toMatchObject({ status: 2, paidFen: 700 })
  const made = await writing((tx) =>
    applyRefund(tx, { orderId: repayment.id, paymentId: attempt.id, amountFen: 690, reason: '金额不符', actor: who, at: at(120) }),
  )
  await approve(made, other, at(130))
  await writing((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: true, at: at(140) }))
  expect(await payment(attempt.id)).toMatchObject({ refundFen: 690, refundingFen: 0 })
})

test('of a debt that wants less by now a repayment takes nothing', async () => {
  const debt = await aDebt(700)
  const { attempt } = await writing(async (tx) =>
    begin(
      tx,
      (
        await openRepayment(tx, {
          parts: [{ orderId: debt.id, amountFen: 700 }],
          place: 3,
          plateNo: null,
          plateColor: null,
          parkCode: 'P001',
          at: at(100),
        })
      ).id,
      1,
      at(101),
    ),
  )
  await rows('update settlement.order set paid_fen = 100 where id = $1', [debt.id])
  expect(
    await writing((tx) =>
      noticePayment(tx, { payNo: attempt.payNo, channel: 'wechat', tradeNo: fresh('T'), amountFen: 700, paidAt: at(102), at: at(102) }),
    ),
  ).toBe('afterCancel')
  expect(await now(debt)).toMatchObject({ status: 4, paidFen: 100 })
})

test('what is left of a debt that was paid in part is paid like any other, and each payment gives back its own', async () => {
  const debt = await aDebt(800)
  const first = await pay(await repaying([debt], [300]), { begun: at(101), paidAt: at(102), heardAt: at(103) })
  const rest = await pay(debt, { begun: at(110), paidAt: at(111), heardAt: at(112) })
  expect([rest.outcome, rest.attempt.amountFen]).toEqual(['paid', 500])
  expect(await now(debt)).toMatchObject({ status: 2, paidFen: 800 })
  expect((await lines(debt)).slice(4)).toEqual([
    ['order.repaid', 'asset.channel', 'wechat', 500, 0],
    ['order.repaid', 'asset.arrears', '', 0, 500],
  ])
  expect(of(heard.repaid, debt).map(({ amountFen, whole }) => [amountFen, whole])).toEqual([
    [300, false],
    [500, true],
  ])
  const back = (amountFen: number, cameBy: string) =>
    writing((tx) => applyRefund(tx, { orderId: debt.id, cameBy, amountFen, reason: '误收', actor: who, at: at(200) }))
  await expect(back(501, rest.attempt.id)).rejects.toMatchObject({ code: 40508, message: expect.stringContaining('5.00') })
  expect((await back(500, rest.attempt.id)).paymentId).toBe(rest.attempt.id)
  expect((await back(300, first.attempt.id)).paymentId).toBe(first.attempt.id)
  await expect(back(1, first.attempt.id)).rejects.toMatchObject(code(40507))
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))
