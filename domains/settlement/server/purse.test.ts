import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '../../ledger/server/api.ts'
import { fresh } from '../../ledger/server/testing.ts'
import { openOrder, openRepayment, type OrderRow, payFromPurse, purseReturned, type PurseLeg, type Returned } from './api.ts'
import { shares } from './legs.ts'
import { aTill, insisting, now, type Till } from './testing.ts'

let till: Till
const returned: Returned[] = []
let hangUp: () => void
beforeAll(async () => {
  till = await aTill()
  hangUp = purseReturned.answer('test', async (_tx, told) => void returned.push(told))
})
afterAll(() => hangUp())
afterAll(() => till.close())

const STORED = 3
let purses = 0
/** A purse of its own with so much in it. */
async function aPurse(principalFen: number, bonusFen = 0): Promise<string> {
  const sub = `purse-${++purses}`
  await till.server.house.writing(1, 'test', (tx) =>
    post(tx, {
      bizType: 'test',
      bizNo: sub,
      eventId: sub,
      at: now(),
      parkCode: 'P001',
      business: 'stored',
      lines: [
        { account: 'asset.cash', debitFen: principalFen },
        { account: 'expense.marketing', debitFen: bonusFen },
        { account: 'liability.stored', sub, creditFen: principalFen },
        { account: 'liability.stored-bonus', sub, creditFen: bonusFen },
      ],
    }),
  )
  return sub
}
const mixOf = (sub: string, principal: number, bonus: number): PurseLeg[] => [
  { account: 'liability.stored', sub, fen: principal },
  { account: 'liability.stored-bonus', sub, fen: bonus },
]
const pay = (order: OrderRow, legs: readonly PurseLeg[]) =>
  insisting(() => till.server.house.writing(1, 'test', (tx) => payFromPurse(tx, { orderId: order.id, payMethod: STORED, legs, at: now() })))
async function left(sub: string): Promise<number[]> {
  const { data } = await till.server.ask(till.admin, 'GET', '/lbs/business/ledger/account/list')
  return ['liability.stored', 'liability.stored-bonus'].map(
    (code) => data.find((row: any) => row.account === code && row.sub === sub)?.balanceFen ?? 0,
  )
}

test('an order is paid out of both purses, and the income is the same as any other', async () => {
  const sub = await aPurse(5000, 1000)
  const order = await till.anOrder({ receivableFen: 1500, discountFen: 300 })
  expect(await pay(order, mixOf(sub, 1000, 200))).toMatchObject({ status: 2, paidFen: 1200, payMethod: STORED, payChannel: 'stored' })
  const { entries, payments } = await till.story(order.id)
  expect(payments).toHaveLength(1)
  expect(entries.map(({ account, debitFen, creditFen }: any) => [account, debitFen, creditFen])).toEqual([
    ['liability.stored', 1000, 0],
    ['liability.stored-bonus', 200, 0],
    ['contra.discount', 300, 0],
    ['income.parking', 0, 1500],
  ])
  expect(await left(sub)).toEqual([4000, 800])
  expect(await pay(await till.anOrder({ receivableFen: 1200 }), mixOf(sub, 1199, 1))).toMatchObject({ status: 2, paidFen: 1200 })
  expect(await left(sub)).toEqual([2801, 799])
})

test('of two hundred payments at once as many pass as there is money for', async () => {
  const sub = await aPurse(1000)
  const orders = await Promise.all(Array.from({ length: 200 }, () => till.anOrder({ receivableFen: 100 })))
  const paid = await Promise.allSettled(orders.map((order) => pay(order, mixOf(sub, 100, 0))))
  const refused = paid.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code)
  expect(paid.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(new Set(refused)).toEqual(new Set([40592]))
  expect(await left(sub)).toEqual([0, 0])
})

test('another amount than the order asks, and an order that was paid, take nothing', async () => {
  const sub = await aPurse(9000)
  const order = await till.anOrder({ receivableFen: 1200 })
  await expect(pay(order, mixOf(sub, 1199, 0))).rejects.toMatchObject({ code: 40505 })
  await expect(pay(order, [])).rejects.toMatchObject({ code: 40505 })
  const both = await Promise.allSettled([pay(order, mixOf(sub, 1200, 0)), pay(order, mixOf(sub, 1200, 0))])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await left(sub)).toEqual([7800, 0])
})

test('what goes back goes back to both purses by the same proportion, at once, and in parts to the last fen', async () => {
  const sub = await aPurse(5000, 1000)
  const order = await till.anOrder({ receivableFen: 601 })
  await pay(order, mixOf(sub, 501, 100))
  for (const amountFen of [100, 1, 500]) {
    const asked = (await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen, reason: '多收' })).data
    const approved = await till.call(till.admin, '/orderRefund/approve', { id: asked.id, version: asked.version })
    expect(approved.data).toMatchObject({ state: 3, amountFen })
  }
  expect(await left(sub)).toEqual([5000, 1000])
  expect((await till.story(order.id)).status).toBe(7)
  const mine = returned.filter(({ orderId }) => orderId === order.id)
  expect(mine.map(({ legs }) => legs.reduce((sum, { fen }) => sum + fen, 0))).toEqual([100, 1, 500])
  expect(mine[0]!.legs).toMatchObject([
    { account: 'liability.stored', fen: 83 },
    { account: 'liability.stored-bonus', fen: 17 },
  ])
  // The one fen is the principal's: of the bonus nothing comes back, and nobody is told of nothing.
  expect(mine[1]!.legs).toEqual([{ account: 'liability.stored', sub, fen: 1 }])
})

test('debts of several stays are paid out of one purse', async () => {
  const sub = await aPurse(2000, 1000)
  const debts = await Promise.all([till.anOrder({ receivableFen: 700, owed: true }), till.anOrder({ receivableFen: 801, owed: true })])
  const parts = debts.map(({ id: orderId, payableFen: amountFen }) => ({ orderId, amountFen }))
  const repayment = await till.server.house.writing(1, 'test', (tx) =>
    openRepayment(tx, { parts, place: 3, plateNo: null, plateColor: null, parkCode: 'P001', at: now() }),
  )
  await pay(repayment, mixOf(sub, 1001, 500))
  expect((await Promise.all(debts.map(({ id }) => till.story(id)))).map(({ status }) => status)).toEqual([2, 2])
  expect(await left(sub)).toEqual([999, 500])
})

test('a recharge becomes what stands in the purse', async () => {
  const sub = await aPurse(100)
  const order = await till.server.house.writing(1, 'test', (tx) =>
    openOrder(tx, { type: 4, creditedTo: sub, parkCode: 'P001', receivableFen: 5000, at: now() }),
  )
  await till.call(till.operator, '/order/cash', { id: order.id, amountFen: 5000 })
  expect(await left(sub)).toEqual([5100, 0])
})

test('the income report counts what was paid out of stored value', async () => {
  const sub = await aPurse(5000)
  const parkCode = fresh('P')
  await pay(await till.anOrder({ receivableFen: 800, parkCode }), mixOf(sub, 800, 0))
  const { data } = await till.server.ask(till.admin, 'GET', '/lbs/fee/report/parkStatisticsReport', { parkCode })
  expect(data.records).toMatchObject([{ receivableFen: 800, paidFen: 800, arrearsFen: 0, otherFen: 800 }])
})

test('shares grow with the amount, never lose a fen, and end whole', () => {
  const legs = [501, 1, 0, 99, 7]
  let before = legs.map(() => 0)
  for (let fen = 0; fen <= 608; fen++) {
    const now = shares(legs, fen)
    expect(now.reduce((sum, share) => sum + share, 0)).toBe(fen)
    expect(now.every((share, place) => share >= before[place]!)).toBe(true)
    before = now
  }
  expect(before).toEqual(legs)
  // Of one fen nothing is lost either, and who bears nothing gets nothing back.
  expect([shares([2, 1], 3), shares([3, 0], 3), shares([0, 0], 0)]).toEqual([
    [2, 1],
    [3, 0],
    [0, 0],
  ])
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))
