import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderPaid, type Settled } from './api.ts'
import { fresh } from '../../ledger/server/testing.ts'
import { aTill, now, type Till, until } from './testing.ts'

let till: Till
/** Settled orders whose listener was asked to open the barrier. */
const opened: Settled[] = []
let hangUp: () => void
beforeAll(async () => {
  till = await aTill()
  hangUp = orderPaid.answer('test', async (_tx, settled) => void opened.push(settled))
})
afterAll(() => hangUp())
afterAll(() => till.close())
const openedFor = (id: string) => opened.filter(({ orderId }) => orderId === id).length

test('a driver pays at the channel: the notice settles the order, opens once, and the ledger holds it', async () => {
  const order = await till.anOrder({ receivableFen: 1500, discountFen: 300 })
  const { payNo, amountFen } = await till.startPaying(order)
  expect(amountFen).toBe(1200)
  expect((await till.story(order.id)).status).toBe(1)
  await fetch(`${till.channel.url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ payNo }) })
  const paid = await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  expect(paid).toMatchObject({ paidFen: 1200, payMethod: 1, payChannel: 'wechat', arrearsFen: 0 })
  expect(paid.payments).toHaveLength(1)
  expect(paid.moves.map(({ fromStatus, toStatus }: any) => [fromStatus, toStatus])).toEqual([
    [0, 1],
    [1, 2],
  ])
  expect(paid.entries.map(({ account, sub, debitFen, creditFen }: any) => [account, sub, debitFen, creditFen])).toEqual([
    ['asset.channel', 'wechat', 1200, 0],
    ['contra.discount', '', 300, 0],
    ['income.parking', '', 0, 1500],
  ])
  expect(openedFor(order.id)).toBe(1)
})

test('the same notice twice, and many times at once, is one payment', async () => {
  const order = await till.anOrder()
  const { payNo, amountFen } = await till.startPaying(order)
  const tradeNo = fresh('T')
  const answers = await Promise.all(Array.from({ length: 12 }, () => till.notify({ payNo, amountFen, tradeNo })))
  expect(answers.map(({ status, data }) => [status, data])).toEqual(Array.from({ length: 12 }, () => [200, 'success']))
  expect((await till.notify({ payNo, amountFen, tradeNo })).data).toBe('success')
  const story = await till.story(order.id)
  expect(story).toMatchObject({ status: 2, paidFen: 1200 })
  expect(story.payments).toHaveLength(1)
  expect(openedFor(order.id)).toBe(1)
})

test('a second trade for a paid order is kept apart and goes back by itself', async () => {
  const order = await till.anOrder()
  const { payNo } = await till.startPaying(order)
  till.channel.channel.pay(payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  expect(till.channel.channel.pay(payNo, { insist: true }).status).toBe(200)
  const after = await until(
    () => till.story(order.id),
    ({ refunds }) => refunds[0]?.state === 3,
  )
  expect(after).toMatchObject({ status: 2, paidFen: 1200, refundFen: 0 })
  expect(after.payments.map(({ state }: any) => state)).toEqual([1, 4])
  expect(after.refunds).toMatchObject([{ kind: 2, amountFen: 1200, applicantName: '系统', reason: '重复支付，自动退回' }])
  expect(openedFor(order.id)).toBe(1)
})

test('money for a cancelled order goes back; the order stays cancelled', async () => {
  const order = await till.anOrder()
  const { payNo } = await till.startPaying(order)
  await till.call(till.admin, '/order/cancel', { id: order.id, reason: '误开' })
  till.channel.channel.pay(payNo)
  const after = await until(
    () => till.story(order.id),
    ({ refunds }) => refunds[0]?.state === 3,
  )
  expect(after).toMatchObject({ status: 5, paidFen: 0 })
  expect(after.payments[0].state).toBe(6)
  expect(openedFor(order.id)).toBe(0)
})

test('a wrong amount opens nothing and waits for a person; the right one still settles', async () => {
  const order = await till.anOrder()
  const { payNo, amountFen } = await till.startPaying(order)
  await till.notify({ payNo, amountFen: amountFen - 1, tradeNo: fresh('T') })
  const wrong = await till.story(order.id)
  // Nobody pays it any more: it is unpaid again, and its driver is told so.
  expect(wrong).toMatchObject({ status: 0, paidFen: 0 })
  expect(wrong.payments).toMatchObject([{ state: 5, receivedFen: 1199 }])
  expect(openedFor(order.id)).toBe(0)
  const again = await till.startPaying(order, 2)
  till.channel.channel.pay(again.payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  const asked = await till.call(till.operator, '/orderRefund/apply', {
    orderId: order.id,
    paymentId: wrong.payments[0].id,
    amountFen: 1199,
    reason: '金额不符',
  })
  await till.call(till.admin, '/orderRefund/approve', { id: asked.data.id, version: asked.data.version })
})

test('a notice that comes before our own writing of the attempt, or long after it expired, still counts', async () => {
  const early = await till.anOrder()
  const { payNo } = await till.startPaying(early)
  await till.server.house.writing(1, 'test', async (tx) => {
    await tx.updateTable('settlement.payment').set({ state: 2 }).where('orderId', '=', early.id).execute()
    await tx.updateTable('settlement.order').set({ status: 0 }).where('id', '=', early.id).execute()
  })
  expect((await till.story(early.id)).status).toBe(0)
  await till.notify({ payNo, amountFen: 1200 })
  expect(await till.story(early.id)).toMatchObject({ status: 2, paidFen: 1200 })
})

test('arrears are settled by a late notice and are no second income', async () => {
  const order = await till.anOrder({ owed: true, receivableFen: 2000, discountFen: 500 })
  expect(order).toMatchObject({ status: 4, arrearsFen: 1500 })
  const { payNo } = await till.startPaying(order)
  expect(await till.story(order.id)).toMatchObject({ status: 1, arrearsFen: 1500 })
  till.channel.channel.pay(payNo)
  const paid = await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  expect(paid.arrearsFen).toBe(0)
  expect(paid.entries.map(({ bizType, account, debitFen, creditFen }: any) => [bizType, account, debitFen, creditFen])).toEqual([
    ['order.unpaid', 'asset.arrears', 1500, 0],
    ['order.unpaid', 'contra.discount', 500, 0],
    ['order.unpaid', 'income.parking', 0, 2000],
    ['order.repaid', 'asset.channel', 1500, 0],
    ['order.repaid', 'asset.arrears', 0, 1500],
  ])
})

test('a notice with a false, old or repeated signature is refused and writes nothing', async () => {
  const order = await till.anOrder()
  const { payNo, amountFen } = await till.startPaying(order)
  expect((await till.notify({ payNo, amountFen, secret: 'x'.repeat(64) })).status).toBe(401)
  expect((await till.notify({ payNo, amountFen, timestamp: Math.floor(Date.now() / 1000) - 301 })).status).toBe(401)
  // Only of an agreement there is nothing to pay, and of one that nobody knows there is nothing to hear.
  expect((await till.notify({ payNo, amountFen: 0 })).status).toBe(401)
  expect((await till.notify({ payNo: 'DK-none', amountFen: 0, kind: 'agreement' })).status).toBe(404)
  expect((await till.story(order.id)).status).toBe(1)
  const nonce = fresh('a').repeat(2)
  expect((await till.notify({ payNo, amountFen, tradeNo: fresh('T'), nonce })).status).toBe(200)
  expect(await till.notify({ payNo, amountFen, tradeNo: fresh('T'), nonce })).toMatchObject({ status: 409, code: 40504 })
  expect((await till.notify({ payNo: 'TC-none', amountFen })).status).toBe(404)
  expect((await till.story(order.id)).payments).toHaveLength(1)
})

test('cash belongs to the shift of who took it; two cashiers at once take it once', async () => {
  const order = await till.anOrder()
  const mine = async () => {
    const shifts = await Promise.all([till.admin, till.operator].map((token) => till.server.ask(token, 'GET', '/lbs/business/shift/mine')))
    return shifts.map(({ data }) => data)
  }
  const before = await mine()
  const answers = await Promise.all(
    [till.admin, till.operator, till.admin, till.operator].map((token) => till.call(token, '/order/cash', { id: order.id, amountFen: 1200 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const story = await till.story(order.id)
  expect(story).toMatchObject({ status: 2, paidFen: 1200, payMethod: 4 })
  expect(story.shiftId).toBe(story.payments[0].shiftId)
  const [was, is] = [before, await mine()].map((shifts) => shifts.find((shift) => shift?.id === story.shiftId))
  expect(is).toMatchObject({ cashInFen: (was?.cashInFen ?? 0) + 1200, expectedFen: (was?.expectedFen ?? 0) + 1200, state: 0 })
  // A cashier who took the cash before, offline, and tells it now, does not make it taken once more.
  const deviceTime = new Date(Date.now() - 60_000).toISOString()
  expect(await till.call(till.operator, '/order/cash', { id: order.id, amountFen: 1200, deviceTime })).toMatchObject({ status: 409, code: 40505 })
  expect((await till.story(order.id)).payments).toHaveLength(1)
  const other = await till.anOrder()
  expect((await till.call(till.operator, '/order/cash', { id: other.id, amountFen: 1100 })).status).toBe(409)
})

test('the ledger calls a till by its shift and money in transit by its channel', async () => {
  const [cash, channel] = [await till.anOrder(), await till.anOrder()]
  await till.call(till.admin, '/order/cash', { id: cash.id, amountFen: 1200 })
  await till.notify(await till.startPaying(channel))
  const { data: shift } = await till.server.ask(till.admin, 'GET', '/lbs/business/shift/mine')
  const { data: balances } = await till.server.ask(till.admin, 'GET', '/lbs/business/ledger/account/list')
  const nameOf = (account: string, sub: string) => {
    const { subName, subNameEn } = balances.find((one: any) => one.account === account && one.sub === sub)
    return [subName, subNameEn]
  }
  expect(nameOf('asset.cash', shift.id)).toEqual(Array(2).fill(`${shift.personName} ${shift.shiftNo}`))
  expect(nameOf('asset.channel', 'wechat')).toEqual(['微信', 'WeChat'])
  expect(nameOf('income.parking', '')).toEqual([null, null])
  const { entries } = await till.story(cash.id)
  expect(entries.map(({ account, subNameEn }: any) => [account, subNameEn])).toEqual([
    ['asset.cash', `${shift.personName} ${shift.shiftNo}`],
    ['income.parking', null],
  ])
})

test('cash with an idempotency key: the same answer, one payment; another body is refused', async () => {
  const order = await till.anOrder()
  const key = { 'idempotency-key': fresh('cash') }
  const first = await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 1200 }, key)
  const second = await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 1200 }, key)
  expect([first.status, second.data]).toEqual([200, first.data])
  expect(await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 1201 }, key)).toMatchObject({ status: 409, code: 40901 })
})

test('two hundred ways to pay one order at once: one is taken, everything else goes back', async () => {
  const order = await till.anOrder()
  const { payNo, amountFen } = await till.startPaying(order)
  const trade = fresh('T')
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      i % 4 === 0
        ? till.call(i % 8 ? till.admin : till.operator, '/order/cash', { id: order.id, amountFen })
        : till.notify({ payNo, amountFen, tradeNo: `${trade}-${i % 75}` }),
    ),
  )
  const story = await until(
    () => till.story(order.id),
    ({ refunds }) => refunds.every(({ state }: any) => state !== 0 && state !== 5),
  )
  expect(story).toMatchObject({ status: 2, paidFen: 1200 })
  expect(story.payments.filter(({ state }: any) => state === 1)).toHaveLength(1)
  expect(openedFor(order.id)).toBe(1)
  expect(story.refunds.length).toBe(story.payments.filter(({ state }: any) => state === 4).length)
}, 60_000)

test('five minutes without payment: the attempt is closed at the channel and the order can be paid another way', async () => {
  const order = await till.anOrder()
  const { payNo } = await till.startPaying(order)
  await till.server.house.writing(1, 'test', (tx) =>
    tx.updateTable('settlement.payment').set({ expiresAt: now() }).where('payNo', '=', payNo).execute(),
  )
  const { askToExpire } = await import('./pay/queue.ts')
  const [attempt] = (await till.story(order.id)).payments
  await till.server.house.writing(1, 'test', (tx) => askToExpire(tx, attempt.id, now()))
  const after = await until(
    () => till.story(order.id),
    ({ status }) => status === 0,
  )
  expect(after.payments[0].state).toBe(2)
  expect(till.channel.channel.pay(payNo).status).toBe(409)
})

test('a driver without an account pays what stands at the exit, and learns no more than the amount', async () => {
  const order = await till.anOrder({ plateNo: '鄂F77777' })
  const code = await till.codeOf('P001')
  const found = await till.server.ask(null, 'GET', '/lbs/business/order/scan', { code, plateNo: '鄂F77777' })
  expect(found.data).toEqual([{ orderNo: order.orderNo, parkCode: 'P001', plateNo: '鄂F77777', payableFen: 1200, paying: false }])
  const { data } = await till.call(null, '/order/scanPay', { code, orderNo: order.orderNo, payMethod: 2 })
  expect((await till.call(null, '/order/scanPay', { code, orderNo: order.orderNo, payMethod: 2 })).data).toEqual(data)
  till.channel.channel.pay(data.payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  expect((await till.call(null, '/order/scanPay', { code, orderNo: order.orderNo, payMethod: 2 })).status).toBe(409)
  expect((await till.call(null, '/order/scanPay', { code, orderNo: 'TC0', payMethod: 2 })).status).toBe(404)
})

test('a channel that does not answer: the person is told, and the order is free for cash', async () => {
  const order = await till.anOrder()
  await till.unanswered(async () => {
    const refused = await till.call(till.admin, '/order/pay', { id: order.id, payMethod: 1 })
    expect(refused).toMatchObject({ status: 503, code: 40502 })
  })
  expect((await till.story(order.id)).status).toBe(0)
  expect((await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 1200 })).status).toBe(200)
})

test('an operator sees the orders of the own parks only, and nothing of another enterprise', async () => {
  const elsewhere = await till.anOrder({ parkCode: 'P009' })
  expect((await till.server.ask(till.operator, 'GET', '/lbs/business/order/info', { id: elsewhere.id })).status).toBe(404)
  expect((await till.call(till.operator, '/order/cash', { id: elsewhere.id, amountFen: 1200 })).status).toBe(404)
  const other = await till.server.signIn('otheradmin')
  expect((await till.server.ask(other, 'GET', '/lbs/business/order/list')).data.total).toBe(0)
})

test('afterwards every balance follows from the lines', async () => {
  const { right, differences, entries } = await till.replay()
  expect(differences).toEqual([])
  expect(right).toBe(true)
  expect(entries).toBeGreaterThan(20)
})
