import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeRecharge, openOrder } from './api.ts'
import { aTill, now, type Till } from './testing.ts'

let till: Till
beforeAll(async () => void (till = await aTill()))
afterAll(() => till.close())
const get = async (path: string, input: object = {}) => (await till.server.ask(till.admin, 'GET', `/lbs/fee/report/${path}`, input)).data

async function sold(type: 3 | 4, amountFen: number, facts?: Parameters<typeof describeRecharge>[2]) {
  const order = await till.server.house.writing(1, 'test', async (tx) => {
    const made = await openOrder(tx, { type, parkCode: 'P001', plateNo: '鄂F12345', receivableFen: amountFen, creditedTo: 'owner-1', at: now() })
    if (facts) await describeRecharge(tx, made.id, facts)
    return made
  })
  const { payNo } = await till.startPaying(order)
  await till.notify({ payNo, amountFen })
  return order
}

test('a recharge is listed with what the ledger says of it, and each sum is that of the list behind it', async () => {
  await sold(3, 30_000, { bizType: 1, memberName: '李明', plates: '鄂F12345', groupName: '业主' })
  const renewed = await sold(3, 20_000, { bizType: 2, memberName: '李明', groupName: '业主' })
  await sold(4, 10_000)
  const open = await till.server.house.writing(1, 'test', (tx) => openOrder(tx, { type: 3, parkCode: 'P001', receivableFen: 500, at: now() }))
  const { records } = await get('recharge')
  expect(records.map((row: any) => [row.bizType, row.payFen, row.netFen]).sort()).toEqual([
    [1, 30_000, 30_000],
    [2, 20_000, 20_000],
    [3, 10_000, 10_000],
  ])
  expect(records.some((row: any) => row.rechargeNo === open.orderNo)).toBe(false)
  const refund = await till.call(till.admin, '/orderRefund/apply', { orderId: renewed.id, amountFen: 5_000, reason: '退' })
  expect(refund.status).toBe(200)
  for (const groupBy of ['day', 'month', 'park', 'group']) {
    // Sold at midnight they are two rows of a day.
    const rows: any[] = (await get('rechargeStatistics', { groupBy, bizType: [1, 2] })).records
    const summed = (field: string) => rows.reduce((sum, row) => sum + row[field], 0)
    const FIELDS = ['newCount', 'renewCount', 'payFen', 'deferredFen', 'recognisedFen', 'netFen']
    expect(FIELDS.map(summed), groupBy).toEqual([1, 1, 50_000, 50_000, 0, 50_000])
    const behind = await get('recharge', { bizType: [1, 2], queryMode: 'sum' })
    for (const field of ['payFen', 'bonusFen', 'refundFen', 'netFen', 'recognisedFen', 'deferredFen']) expect(summed(field)).toBe(behind.sums[field])
  }
})

test('what stored value brought in is the ledger’s principal', async () => {
  const { sums } = await get('recharge', { bizType: [3, 4], queryMode: 'sum' })
  const ledger = (await till.server.ask(till.admin, 'GET', '/lbs/business/ledger/account/list')).data.find(
    (row: any) => row.account === 'liability.stored',
  )
  expect(sums.netFen).toBe(ledger.balanceFen)
})

test('a criterion that is not one is refused', async () => {
  expect((await till.server.ask(till.admin, 'GET', '/lbs/fee/report/rechargeStatistics', { groupBy: 'colour' })).status).toBe(400)
})
