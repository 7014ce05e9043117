import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { settleGone } from './leaving.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())

const V = ({ id, version }: { id: string; version: number }) => ({ id, version })
const rows = (sql: string, field: Field) => street.write((tx) => run<any>(tx, { sql }, [field.parkCode]))
const of = (field: Field) => rows('select * from parking.stay where park_code = $1 order by seen_at, id', field)
const orders = (field: Field) => rows('select * from settlement.order where park_code = $1 and type = 1 order by created_at, id', field)
const taken = (field: Field) =>
  rows(`select * from settlement.payment where park_code = $1 and channel = 'cash' order by paid_at, created_at, id`, field)
const files = (field: Field) => rows('select * from arrears.record where park_code = $1 order by created_at', field)

describe('cash taken off line', () => {
  /** A car that came `minutes` ago, and a receipt of so long ago. */
  const ago = (minutes: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000).toISOString()
  const parked = async (minutes: number) => {
    const field = await street.field()
    const seat = { parkCode: field.parkCode, seatCode: field.berths[0]! }
    const { data: stay } = await street.ask('/business/roadStay/arrive', { ...seat, plateNo: '鄂F12345', plateColor: 0, at: ago(minutes) })
    // One receipt for each minute: told again it is the same.
    const moments: Record<number, string> = {}
    const collect = (amountFen: number, minutesAgo: number) =>
      street.ask('/business/roadStay/collect', { ...V(stay), amountFen, deviceTime: (moments[minutesAgo] ??= ago(minutesAgo)) })
    const leave = async (minutesAgo: number) => street.ask('/business/roadStay/leave', { ...V((await of(field))[0]), at: ago(minutesAgo) })
    return { field, stay, collect, leave, moments }
  }
  const gone = () => street.write((tx) => settleGone(tx, new Date().toISOString() as never))

  test('pays what was due then; what the fee has risen by since is asked by an order of its own', async () => {
    const { field, collect, moments } = await parked(150)
    expect(await collect(500, 100)).toMatchObject({ status: 200, data: { amountFen: 500, overFen: 0, payMethod: 4 } })
    expect(await orders(field)).toMatchObject([
      { status: 2, paidFen: 500, payableFen: 500, payTime: moments[100] },
      { status: 0, payableFen: 1000, paidFen: 0 },
    ])
    expect(await of(field)).toMatchObject([{ payState: 1, paidFen: 500, settledFen: 500, payableFen: 1500 }])
  })
  test('the same receipt again takes nothing twice, by its key or by another', async () => {
    const { field, stay } = await parked(150)
    const body = { ...V(stay), amountFen: 500, deviceTime: ago(100) }
    const send = () => street.ask('/business/roadStay/collect', body)
    const [one, two] = await Promise.all([send(), send()])
    const again = await send()
    for (const { status, data } of [one, two, again]) expect([status, data.orderNo, data.overFen]).toEqual([200, one.data.orderNo, 0])
    expect(await street.ask('/business/roadStay/collect', { ...body, amountFen: 800 })).toMatchObject({ status: 409, code: 41137 })
    expect((await orders(field)).map(({ paidFen }: { paidFen: number }) => paidFen)).toEqual([500, 0])
    expect(await taken(field)).toMatchObject([{ receivedFen: 500, state: 1 }])
  })
  test('the later receipt first: it lacks something until the earlier one has come, and then nothing', async () => {
    const { field, collect } = await parked(150)
    expect(await collect(500, 40)).toMatchObject({ status: 200 })
    expect(await taken(field)).toMatchObject([{ amountFen: 1000, receivedFen: 500 }])
    expect(await collect(500, 100)).toMatchObject({ status: 200 })
    expect(await taken(field)).toMatchObject([
      { amountFen: 500, receivedFen: 500, state: 1 },
      { amountFen: 500, receivedFen: 500, state: 1 },
    ])
    expect((await orders(field)).map(({ paidFen, status }: any) => [paidFen, status])).toEqual([
      [500, 2],
      [500, 2],
      [0, 0],
    ])
  })
  test('never before the stay began, nor older than seven days, nor ahead of us', async () => {
    const { collect } = await parked(150)
    expect(await collect(500, 200)).toMatchObject({ status: 409, code: 41136 })
    for (const minutes of [8 * 1440, -5]) expect(await collect(500, minutes)).toMatchObject({ status: 422, code: 40595 })
  })
  test('a car that left in time owes nothing more, whichever is told first: its leaving, the debt, or the receipt', async () => {
    for (const first of ['receipt', 'leaving', 'debt'] as const) {
      const { field, collect, leave } = await parked(150)
      if (first !== 'receipt') await leave(80)
      if (first === 'debt') await gone()
      expect(await collect(500, 90)).toMatchObject({ status: 200 })
      if (first === 'receipt') await leave(80)
      await gone()
      expect(await of(field), first).toMatchObject([{ status: 3, paidFen: 500 }])
      expect((await of(field))[0].payState, first).not.toBe(4)
      expect((await files(field)).every(({ state }: { state: number }) => state === 2 || state === 4)).toBe(true)
    }
  })
  test('one that stood on owes the rest, whichever is told first', async () => {
    for (const first of ['receipt', 'leaving', 'debt'] as const) {
      const { field, collect, leave } = await parked(150)
      if (first !== 'receipt') await leave(20)
      if (first === 'debt') await gone()
      expect(await collect(500, 90), first).toMatchObject({ status: 200 })
      if (first === 'receipt') await leave(20)
      await gone()
      expect(await of(field), first).toMatchObject([{ status: 3, payState: 4 }])
      const rest = (await orders(field)).filter(({ status }: { status: number }) => status === 4)
      expect(
        rest.map((one: any) => one.payableFen - one.paidFen),
        first,
      ).toEqual([1000])
      // The same receipt again.
      expect(await collect(500, 90), first).toMatchObject({ status: 200, data: { overFen: 0 } })
      expect(await taken(field), first).toHaveLength(1)
    }
  })
  test('paid on line before it came: the car stands there, it is the driver’s money, nothing is taken twice', async () => {
    const { field, stay, collect } = await parked(150)
    const { data: bill } = await street.ask('/business/roadStay/bill', V(stay))
    const paid = await street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: 1500 })
    expect(paid).toMatchObject({ status: 200, data: { overFen: 0 } })
    expect(await collect(500, 100)).toMatchObject({ status: 200, data: { amountFen: 500, overFen: 500, orderNo: paid.data.orderNo } })
    expect(await of(field)).toMatchObject([{ payState: 2, paidFen: 1500 }])
    const { data: doubles } = await street.ask('/checkBill/liquidation/doublePayments', { parkCode: field.parkCode })
    expect(doubles.records).toMatchObject([{ state: 4, receivedFen: 500, refundFen: 0, payMethod: 4, orderNo: paid.data.orderNo }])
    expect(await rows('select * from settlement.refund where park_code = $1', field)).toMatchObject([{ amountFen: 500, state: 1, kind: 2 }])
    expect((await street.get('/business/ledger/replay/check', {})).data.right).toBe(true)
  })
  test('the payment rate of a day is, of the stays that ended and cost something, the share that is paid in full', async () => {
    const field = await street.field({ berths: 3 })
    const arrive = async (n: number, minutes: number) =>
      (
        await street.ask('/business/roadStay/arrive', {
          parkCode: field.parkCode,
          seatCode: field.berths[n]!,
          plateNo: `鄂F1234${n}`,
          at: ago(minutes),
        })
      ).data
    const leaves = async ({ id }: { id: string }) =>
      street.ask('/business/roadStay/leave', { ...V((await of(field)).find((one: { id: string }) => one.id === id)) })
    const rate = async () => (await street.get('/business/seat/screen', { parkCode: field.parkCode })).data
    const settled = () => street.write((tx) => settleGone(tx, new Date(Date.now() + 600_000).toISOString() as never))
    const [pays, owes, free] = [await arrive(0, 150), await arrive(1, 150), await arrive(2, 1)]
    expect((await leaves(free)).status).toBe(200)
    await settled()
    expect(await rate()).toMatchObject({ leaves: 1, orders: 0, payRate: null })
    const { data: bill } = await street.ask('/business/roadStay/bill', V(pays))
    expect((await street.ask('/business/roadStay/collect', { id: pays.id, version: bill.version, amountFen: 1500 })).status).toBe(200)
    for (const one of [pays, owes]) expect((await leaves(one)).status).toBe(200)
    await settled()
    expect(await rate()).toMatchObject({ leaves: 3, orders: 2, paidOrders: 1, payRate: 500 })
  })
  test('two that took it on line at once: one is booked, the other is told that nothing is due', async () => {
    const { field, stay } = await parked(150)
    const { data: bill } = await street.ask('/business/roadStay/bill', V(stay))
    const take = () => street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: 1500 })
    expect((await Promise.all([take(), take()])).map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await taken(field)).toMatchObject([{ receivedFen: 1500, state: 1 }])
    const [{ version }] = await of(field)
    expect(await street.ask('/business/roadStay/collect', { id: stay.id, version, amountFen: 1500 })).toMatchObject({ status: 409, code: 41115 })
  })
  test('what was taken otherwise than due is booked, and told at the close of its shift', async () => {
    const difference = async () => {
      const { overFen, underFen, expectedFen } = (await street.get('/business/shift/mine', {})).data
      return { overFen, underFen, expectedFen }
    }
    const { field, collect, leave } = await parked(150)
    const before = await difference()
    // 5 yuan were due, 8 were taken: the fee has risen since, so that they pay for it.
    expect(await collect(800, 100)).toMatchObject({ status: 200, data: { overFen: 0 } })
    expect(await of(field)).toMatchObject([{ payState: 1, paidFen: 800, payableFen: 1500 }])
    // 10 yuan were due by then, 8 of them paid; one was taken.
    expect(await collect(100, 40)).toMatchObject({ status: 200, data: { overFen: 0 } })
    expect(await of(field)).toMatchObject([{ payState: 1, paidFen: 900, payableFen: 1500 }])
    await leave(35)
    // It left with a yuan of 10 owing; two are taken for it.
    expect(await collect(200, 36)).toMatchObject({ status: 200, data: { overFen: 100 } })
    await gone()
    expect(await of(field)).toMatchObject([{ status: 3, paidFen: 1000, payState: 2 }])
    expect(await taken(field)).toMatchObject([
      { amountFen: 500, receivedFen: 800, state: 1 },
      { amountFen: 200, receivedFen: 100, state: 1 },
      { amountFen: 100, receivedFen: 100, state: 1 },
      { amountFen: 0, receivedFen: 100, state: 4 },
    ])
    const after = await difference()
    expect([after.overFen - before.overFen, after.underFen - before.underFen, after.expectedFen - before.expectedFen]).toEqual([400, 100, 1100])
  })
})
