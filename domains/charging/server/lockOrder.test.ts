import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run, type Tx } from '../../../platform/server/database.ts'
import { rejectRefund } from '../../settlement/server/api.ts'
import { WAITS_FOR_US } from '../../parking/server/testing.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { pilesBooted, pilesSeen, pileSignedOut } from './api.ts'
import { pilesLost } from './link.ts'
import { at, aYard, driversOf, type Gun, now, pilesOf, type Yard } from './testing.ts'

/** Whoever needs several rows takes them in the order of CONTRIBUTING.md, so that two acts about one charge never wait for each other in a ring. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, end, plug } = pilesOf(() => yard)
const { paidStart, pass, pay, ask } = driversOf(() => yard)

type Row = readonly [table: string, key: string, value: string]
/** Somebody holds what stands first; the other is done without it, or waits and holds nothing that stands after it. */
async function holding(first: readonly Row[], then: Row, work: () => Promise<unknown>) {
  const { other } = await yard.write(async (tx) => {
    const hold = ([table, key, value]: Row) => run(tx, { sql: `select from ${table} where ${key} = $1 for no key update` }, [value])
    for (const row of first) await hold(row)
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
  await holding([payment!], chargeRow(orderNo), () => end(gun, transactionId, 30, 15_000, { receivedAt: at(40) }))
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
  await holding([prepaid!], debt!, () => yard.write((tx) => rejectRefund(tx, { ...refund!, verdict: '不退' }, other, now())))
  expect((await yard.bills(orderNo)).map(({ payableFen }) => payableFen)).toEqual([5000, -4000, 3000])
})

/** Two charges of one pile, that of the second gun the older one. */
async function twoGuns() {
  const [one, other] = (await yard.guns(2)) as [Gun, Gun]
  const orders: string[] = []
  const transactions: string[] = []
  for (const gun of [other, one]) {
    const { orderNo, token } = await paidStart(gun)
    orders.unshift(orderNo)
    transactions.unshift((await begin(gun, { idTag: token })).transactionId)
  }
  return { one, other, orders: orders as [string, string], transactions: transactions as [string, string] }
}

test('a charge before what its gun measures: what it says of its plug waits for the charge, and does not hold the measurements', async () => {
  const { one, orders } = await twoGuns()
  const measured: Row = ['charging.connector_state', 'connector_id', one.connectorId]
  await holding([chargeRow(orders[0])], measured, () => plug(one, 5, ConnectorStatus.charging, 'SuspendedEV'))
  expect(await yard.charge(orders[0])).toMatchObject({ suspendedAt: expect.anything() })
})
test('the older of two charges first: a pile that signs out waits for it, and does not hold the younger at the gun before', async () => {
  const { one, other, orders } = await twoGuns()
  for (const gun of [one, other]) await plug(gun, 5, ConnectorStatus.charging, 'SuspendedEV')
  await holding([chargeRow(orders[1])], chargeRow(orders[0]), () => yard.write((tx) => pileSignedOut(tx, one.equipmentId, at(10))))
  for (const orderNo of orders) expect(await yard.charge(orderNo)).toMatchObject({ suspendedAt: null })
})

/** Two piles nobody has heard of for an hour; that of the lower number lies behind the other in the table. */
async function twoSilent() {
  const [{ equipmentId: one }, { equipmentId: other }] = [await yard.aGun(), await yard.aGun()] as [Gun, Gun]
  const stateRow = (equipmentId: string): Row => ['charging.pile_state', 'equipment_id', equipmentId]
  for (const equipmentId of [other, one])
    await yard.sql(`update charging.pile_state set online = true, last_seen_at = $2::timestamptz - interval '1 hour' where equipment_id = $1`, [
      equipmentId,
      at(10),
    ])
  const online = async () =>
    (await yard.sql<{ online: boolean }>('select online from charging.pile_state where equipment_id = any ($1)', [[one, other]])).map(
      ({ online }) => online,
    )
  return { ids: [other, one], lower: stateRow(one), higher: stateRow(other), online }
}
/** Of many piles a table is read as it lies; of the few of a test it would be read by their numbers. */
const asItLies = (work: (tx: Tx) => Promise<unknown>) =>
  yard.write(async (tx) => {
    for (const way of ['indexscan', 'bitmapscan', 'nestloop', 'mergejoin']) await run(tx, { sql: `set local enable_${way} = off` }, [])
    await work(tx)
  })
test('piles by their numbers: the silent ones are lost, and none is held before one of a lower number', async () => {
  const { lower, higher, online } = await twoSilent()
  await holding([lower], higher, () => asItLies((tx) => pilesLost(tx, at(10))))
  expect(await online()).toEqual([false, false])
})
test('piles by their numbers: those that are heard of, as they are told', async () => {
  const { ids, lower, higher, online } = await twoSilent()
  await holding([lower], higher, () => asItLies((tx) => pilesSeen(tx, ids, at(10))))
  expect(await online()).toEqual([true, true])
})
test('piles by their numbers: those that start together', async () => {
  const { ids, lower, higher } = await twoSilent()
  const boots = ids.map((equipmentId) => ({ equipmentId, vendor: '厂商', model: 'M', serialNo: null, firmware: null, at: at(10) }))
  await holding([lower], higher, () => asItLies((tx) => pilesBooted(tx, boots)))
  expect(
    (await yard.sql<{ bootAt: string }>('select boot_at from charging.pile_state where equipment_id = any ($1)', [ids])).map(({ bootAt }) => bootAt),
  ).toEqual([at(10), at(10)])
})
