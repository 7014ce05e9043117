import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const MONTH_FEN = 85_000
const refundsOf = (orderId: string) =>
  house.sql('select id, version, amount_fen, state from settlement.refund where order_id = $1 order by applied_at', [orderId])
const endOf = async (id: string) => {
  const [{ version }] = await house.sql('select version from rent.contract where id = $1', [id])
  return house.post('/rentContract/end', { id, version, reason: '政府征用' }, house.deputy)
}
const pay = (id: string, amountFen: number) => house.post('/rentBill/pay', { id, payMethod: 4, amountFen })
const sums = async (projectId: string) => {
  const { projectNo } = await house.project(projectId)
  return (await house.post('/rentOrder/query', { projectNo, queryMode: 'sum' })).data.sums
}

test('a lease that ends early keeps the rent of what is due, and what was paid for later, by whom and however, goes back each fen once', async () => {
  const rentBefore = await house.account('income.rent')
  const { id, projectId, enrollId } = await house.leased()
  const months = (await house.bills(id)).filter(({ kind }) => kind === 1)
  expect(months.slice(0, 4).map(({ creditFen, state }) => [creditFen, state])).toEqual([
    [MONTH_FEN, 1],
    [MONTH_FEN, 1],
    [30_000, 0],
    [0, 0],
  ])
  expect(await pay(months[2].id, 55_000)).toMatchObject({ status: 200 })
  expect(await pay(months[3].id, MONTH_FEN)).toMatchObject({ status: 200 })
  expect(await house.account('income.rent')).toBe(rentBefore + 4 * MONTH_FEN)
  const received = (await sums(projectId)).receivedFen
  expect(await endOf(id)).toMatchObject({ status: 200, data: { state: 3 } })
  expect(await house.account('income.rent')).toBe(rentBefore + MONTH_FEN)
  const after = (await house.bills(id)).filter(({ kind }) => kind === 1)
  expect(after.map(({ state }) => state)).toEqual([1, ...Array.from({ length: after.length - 1 }, () => 2)])
  expect(await house.account('liability.deposit', months[2].id)).toBe(55_000)
  expect(await house.account('liability.deposit', months[3].id)).toBe(MONTH_FEN)
  expect(await house.account('liability.deposit', enrollId)).toBe(115_000)
  const { orderId } = await house.enrolment(enrollId)
  const asked = [...(await refundsOf(after[2].orderId)), ...(await refundsOf(after[3].orderId)), ...(await refundsOf(orderId))]
  expect(asked.map(({ amountFen, state }) => [amountFen, state])).toEqual([
    [55_000, 0],
    [MONTH_FEN, 0],
    [115_000, 0],
  ])
  const line = (await house.post('/rentProject/queryEnrollProject', { projectId, winner: true })).data.records[0]
  expect(line).toMatchObject({ billsFen: MONTH_FEN, paidFen: MONTH_FEN })
  for (const refund of asked) await house.payOut(refund.id)
  for (const sub of [enrollId, months[2].id, months[3].id]) expect(await house.account('liability.deposit', sub)).toBe(0)
  // Earnest money that had paid later months stood in their bills: it stands in its own line again, and went back.
  expect((await sums(projectId)).receivedFen).toBe(received - 55_000 - MONTH_FEN - 115_000)
  expect((await house.enrolment(enrollId)).earnestState).toBe(3)
  expect((await house.replay()).right).toBe(true)
})

test('a deposit whose refund was refused is asked for again, in part, and the rest is a penalty once the refund is out; with another no nothing is kept', async () => {
  const { id } = await house.leased()
  const deposit = (await house.bills(id)).find(({ kind }) => kind === 2)
  expect(await pay(deposit.id, 40_000)).toMatchObject({ status: 200 })
  const ask = async (more: object = {}) => {
    const [{ version }] = await house.sql('select version from rent.contract where id = $1', [id])
    return house.post('/rentContract/refund', { id, version, reason: '门窗损坏', ...more })
  }
  expect(await ask()).toMatchObject({ status: 409, code: 40010 })
  await endOf(id)
  const { orderId } = (await house.bills(id)).find(({ kind }) => kind === 2)
  const mayAsk = async () => (await house.post('/rentContract/query', { id })).data.records[0].returnableFen
  expect(await mayAsk()).toBe(0)
  const last = async () => (await refundsOf(orderId)).at(-1)
  const refuse = async () => {
    const { id: refundId, version } = await last()
    return house.post('/orderRefund/reject', { id: refundId, version, verdict: '应扣维修费' }, house.deputy)
  }
  const kept = async () => (await house.bills(id)).find(({ kind }) => kind === 2).withheldFen
  expect(await last()).toMatchObject({ amountFen: 40_000, state: 0 })
  // The earnest money that paid later months goes back by itself.
  expect(await ask()).toMatchObject({ status: 422, code: 42479 })
  expect(await refuse()).toMatchObject({ status: 200 })
  expect(await mayAsk()).toBe(40_000)
  expect(await ask({ penaltyFen: 40_000 })).toMatchObject({ status: 422, code: 42442 })
  const penalties = await house.account('income.penalty')
  expect(await ask({ penaltyFen: 10_000 })).toMatchObject({ status: 200 })
  expect(await last()).toMatchObject({ amountFen: 30_000, state: 0 })
  expect(await mayAsk()).toBe(0)
  expect(await ask({ penaltyFen: 1 })).toMatchObject({ status: 422, code: 42442 })
  expect(await kept()).toBe(10_000)
  expect(await refuse()).toMatchObject({ status: 200 })
  expect(await kept()).toBe(0)
  expect((await Promise.all([ask({ penaltyFen: 12_000 }), ask({ penaltyFen: 12_000 })])).map(({ status }) => status).sort()).toEqual([200, 422])
  expect(await house.account('liability.deposit', deposit.id)).toBe(40_000)
  expect(await house.account('income.penalty')).toBe(penalties)
  await house.payOut((await last()).id)
  expect(await house.account('liability.deposit', deposit.id)).toBe(0)
  expect(await house.account('income.penalty')).toBe(penalties + 12_000)
  expect(await house.sql('select paid_fen, refund_fen from settlement.order where id = $1', [orderId])).toEqual([
    { paidFen: 40_000, refundFen: 28_000 },
  ])
  expect(await ask()).toMatchObject({ status: 422, code: 42479 })
  expect(await mayAsk()).toBe(0)
  expect((await house.replay()).right).toBe(true)
})

test('unused rent whose refund was refused may be asked for again, whether it was paid by bill or by earnest money', async () => {
  const { id, enrollId } = await house.leased()
  const [, , , month] = (await house.bills(id)).filter(({ kind }) => kind === 1)
  await pay(month.id, MONTH_FEN)
  const mayAsk = async () => (await house.post('/rentContract/query', { id })).data.records[0].returnableFen
  expect(await mayAsk()).toBe(0)
  await endOf(id)
  expect(await mayAsk()).toBe(0)
  const orders = [(await house.bills(id)).find((one) => one.id === month.id).orderId, (await house.enrolment(enrollId)).orderId]
  for (const orderId of orders)
    for (const refund of await refundsOf(orderId))
      await house.post('/orderRefund/reject', { id: refund.id, version: refund.version, verdict: '待核' }, house.deputy)
  expect(await mayAsk()).toBe(MONTH_FEN + 115_000)
  const [{ version }] = await house.sql('select version from rent.contract where id = $1', [id])
  expect(await house.post('/rentContract/refund', { id, version, reason: '再退' })).toMatchObject({ status: 200 })
  expect(await mayAsk()).toBe(0)
})
