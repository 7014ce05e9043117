import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { rejectRefund } from '../../settlement/server/api.ts'
import { WAITS_FOR_US } from '../../parking/server/testing.ts'
import { at, aYard, driversOf, now, pilesOf, type Yard } from './testing.ts'

/** Whoever needs several rows takes them in the order of CONTRIBUTING.md, so that two acts about one charge never wait for each other in a ring. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, end } = pilesOf(() => yard)
const { paidStart, pass, pay, ask } = driversOf(() => yard)

type Row = readonly [table: string, key: string, value: string]
/** Somebody holds what stands first; the other is done without it, or waits and holds nothing that stands after it. */
async function holding(first: Row, then: Row, work: () => Promise<unknown>) {
  const { other } = await yard.write(async (tx) => {
    const hold = ([table, key, value]: Row) => run(tx, { sql: `select from ${table} where ${key} = $1 for no key update` }, [value])
    await hold(first)
    let ended = false
    const other = work().finally(() => (ended = true))
    other.catch(() => {}) // heard below
    await vi.waitFor(async () => expect(ended || (await run(tx, { sql: WAITS_FOR_US }, [])).length > 0).toBe(true), 10_000)
    await hold(then)
    return { other }
  })
  return other
}
const paymentsOf = async (orderNo: string) =>
  (
    await yard.sql<{ id: string }>(
      'select p.id from settlement.payment p join settlement.order o on o.id = p.order_id where o.credited_to = $1 and p.received_fen > 0 order by p.id',
      [orderNo],
    )
  ).map(({ id }): Row => ['settlement.payment', 'id', id])
const chargeRow = (orderNo: string): Row => ['charging.charge', 'order_no', orderNo]

test('the money before the charge: an end that is told after the bill waits for a payment of it, and does not hold the charge', async () => {
  const gun = await yard.aGun()
  const { orderNo, token } = await paidStart(gun)
  const { transactionId } = await begin(gun, { idTag: token })
  await end(gun, transactionId, 30, 20_000)
  await pass(31)
  const [payment] = await paymentsOf(orderNo)
  await holding(payment!, chargeRow(orderNo), () => end(gun, transactionId, 30, 15_000, { receivedAt: at(40) }))
  expect((await yard.bills(orderNo)).map(({ payableFen }) => payableFen)).toEqual([2000, -500])
})

test('all payments of a charge before one of them: a refund that is rejected waits for an earlier payment, and does not hold its own', async () => {
  const gun = await yard.aGun()
  const { orderNo, token } = await paidStart(gun, { prepayFen: 2000 })
  const { transactionId } = await begin(gun, { idTag: token })
  await end(gun, transactionId, 30, 50_000)
  await pass(31)
  const [bill] = await yard.bills(orderNo)
  await pay(bill.settlementId, 3000)
  expect(await ask('/refund', { orderNo, refundFen: 4000, reason: '投诉' })).toMatchObject({ code: 200 })
  const [prepaid, debt] = await paymentsOf(orderNo)
  const [refund] = await yard.sql<{ id: string; version: number }>('select id, version from settlement.refund where payment_id = $1', [debt![2]])
  const other = { userId: '00000000-0000-4000-8000-000000000002', userName: '审核' }
  await holding(prepaid!, debt!, () => yard.write((tx) => rejectRefund(tx, { ...refund!, verdict: '不退' }, other, now())))
  expect((await yard.bills(orderNo)).map(({ payableFen }) => payableFen)).toEqual([5000, -4000, 3000])
})
