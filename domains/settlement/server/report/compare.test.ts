import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Day, Fen, Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayBy, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { post } from '../../../ledger/server/api.ts'
import { Against, type AgainstCode, beforeOf, COMPARED_DAYS_MAX, daysIn } from '../../contract/compare.ts'
import { whyOf } from './compare.ts'
import { openOrder, payCash } from '../api.ts'
import { aTill, type Till } from '../testing.ts'

let till: Till
const cashier = { userId: '00000000-0000-7000-8000-0000000000aa', userName: '李收费' }
beforeAll(async () => void (till = await aTill()))
afterAll(() => till.close())

const report = (path: string, query: object = {}, token = till.admin) => till.server.ask(token, 'GET', `/lbs/fee/report/${path}`, query)
const comparing = async (query: object, token = till.admin) => (await report('compare', query, token)).data
/** Parked, paid in cash at once. */
const paid = (parkCode: string, at: Instant, receivableFen: number) =>
  till.server.house.writing(1, 'test', async (tx) => {
    const { id } = await openOrder(tx, { type: 1, parkCode, receivableFen, discountFen: 0, at })
    await payCash(tx, { orderId: id, amountFen: receivableFen as Fen, actor: cashier, at })
  })

test.each<[string, string, AgainstCode, string, string]>([
  ['2026-11-24', '2026-11-24', Against.previous, '2026-11-23', '2026-11-23'],
  ['2026-11-24', '2026-11-24', Against.week, '2026-11-17', '2026-11-17'],
  ['2026-11-16', '2026-11-22', Against.previous, '2026-11-09', '2026-11-15'],
  ['2026-11-01', '2026-11-30', Against.previous, '2026-10-01', '2026-10-31'],
  ['2026-03-01', '2026-03-31', Against.month, '2026-02-01', '2026-02-28'],
  ['2026-02-01', '2026-02-28', Against.month, '2026-01-01', '2026-01-31'],
  ['2026-03-30', '2026-03-31', Against.month, '2026-02-28', '2026-02-28'],
  ['2026-07-01', '2026-09-30', Against.previous, '2026-04-01', '2026-06-30'],
  ['2028-02-01', '2028-02-29', Against.year, '2027-02-01', '2027-02-28'],
  ['2026-01-10', '2026-01-20', Against.year, '2025-01-10', '2025-01-20'],
  ['2026-01-01', '2026-01-31', Against.previous, '2025-12-01', '2025-12-31'],
])('%s to %s, compared by %i, stands beside %s to %s', (from, to, against, beforeFrom, beforeTo) => {
  expect(beforeOf(from as Day, to as Day, against)).toEqual({ from: beforeFrom, to: beforeTo })
})

test('what explains a change adds up to it, to the fen', () => {
  const amount = fc.integer({ min: 0, max: 5_000_000 })
  const figures = fc
    .record({ orders: fc.nat(3000), receivableFen: amount, discountFen: amount, waivedFen: amount, arrearsFen: amount, refundFen: amount })
    .map((of) => {
      const paidFen = of.receivableFen - of.discountFen - of.waivedFen - of.arrearsFen
      return { ...of, paidFen, netFen: paidFen - of.refundFen } as never as Parameters<typeof whyOf>[0]
    })
  fc.assert(
    fc.property(figures, figures, (now, before) => {
      const sum = Object.values(whyOf(now, before)).reduce((all: number, part) => all + part, 0)
      expect(sum).toBe(now.netFen - before.netFen)
    }),
  )
  const at = (orders: number, receivableFen: number) =>
    ({
      orders,
      receivableFen,
      discountFen: 0,
      waivedFen: 0,
      arrearsFen: 0,
      refundFen: 0,
      paidFen: receivableFen,
      netFen: receivableFen,
    }) as never as Parameters<typeof whyOf>[0]
  expect(whyOf(at(12, 18_000), at(10, 10_000))).toMatchObject({ staysFen: 2_000, meanFen: 6_000 })
  expect(whyOf(at(12, 18_000), at(0, 0))).toMatchObject({ staysFen: 18_000, meanFen: 0 })
})

/** A day long over, and every day around it. */
const FIRST = dayBy(dayOf(instantAt(Date.now())), -120)
const DAYS = 40
const PARKS = ['P001', 'P002', 'P007']
test('total = by day = by park = rows = sheet = the income report of both periods, for random periods and parks', async () => {
  const money = fc.sample(
    fc.record({ day: fc.nat(DAYS - 1), hour: fc.nat(23), park: fc.constantFrom(...PARKS), fen: fc.integer({ min: 100, max: 5000 }) }),
    80,
  )
  for (const { day, hour, park, fen } of money) await paid(park, instantAt(msOf(startOf(dayBy(FIRST, day))) + hour * 3_600_000), fen)
  const asked = fc.record({
    from: fc.integer({ min: 7, max: DAYS - 1 }),
    days: fc.nat(6),
    against: fc.constantFrom(...([1, 2] as const)),
    parkCode: fc.option(fc.constantFrom(...PARKS), { nil: undefined }),
  })
  let looked = 0
  await fc.assert(
    fc.asyncProperty(asked, async ({ from, days, against, parkCode }) => {
      const period = { dayFrom: dayBy(FIRST, from), dayTo: dayBy(FIRST, from + days), against, ...(parkCode && { parkCode }) }
      const of = await comparing(period)
      const income = async (dayFrom: Day, dayTo: Day) => (await report('temporaryStopSum', { dayFrom, dayTo, ...(parkCode && { parkCode }) })).data
      expect(of.now).toEqual(await income(of.dayFrom, of.dayTo))
      expect(of.before).toEqual(await income(of.beforeFrom, of.beforeTo))
      for (const name of ['orders', 'receivableFen', 'paidFen', 'netFen'])
        for (const side of ['now', 'before'])
          for (const rows of [of.days, of.parks]) expect(rows.reduce((sum: number, row: any) => sum + row[side][name], 0)).toBe(of[side][name])
      const { data } = await report('compareRows', { ...period, limit: 500 })
      expect(data.records.reduce((sum: number, row: any) => sum + row.changeFen, 0)).toBe(of.now.netFen - of.before.netFen)
      expect(of.beforeUntil).toBe(null)
      looked += of.now.netFen
    }),
    { numRuns: 25 },
  )
  expect(looked).toBeGreaterThan(0)
}, 90_000)

test('a sheet has a row for each day and park, in both periods', async () => {
  const period = { dayFrom: FIRST, dayTo: dayBy(FIRST, 13), against: Against.previous }
  const { data, status } = await report('compareExport', { ...period, format: 'csv' })
  expect(status).toBe(200)
  const of = await comparing(period)
  const [heads, ...lines] = String(data).trim().split(/\r?\n/)
  expect(heads).toContain('对比期净收')
  expect(lines.length).toBe(14 * of.parks.length)
})

test('a period that is running is compared with the other one up to the same time of day, to the second', async () => {
  const now = Date.now()
  const today = dayOf(instantAt(now))
  const [soon, later] = [now - DAY_MS - 60_000, now - DAY_MS + 1_800_000]
  const yesterday = await comparing({ dayFrom: today, dayTo: today })
  await paid('P002', instantAt(soon), 700)
  await paid('P002', instantAt(later), 1100)
  const of = await comparing({ dayFrom: today, dayTo: today })
  // A payment a minute before `soon` falls on yesterday only where the day is less than a minute old.
  const within = dayOf(instantAt(soon)) === dayBy(today, -1) ? 700 : 0
  expect(of.before.netFen - yesterday.before.netFen).toBe(within)
  expect(msOf(of.beforeUntil)).toBeGreaterThanOrEqual(now - DAY_MS)
  // The week so far stands beside as much of the week before.
  const week = await comparing({ dayFrom: dayBy(today, -2), dayTo: dayBy(today, 3), against: Against.week })
  expect([week.dayTo, week.beforeFrom, week.beforeTo]).toEqual([today, dayBy(today, -9), dayBy(today, -7)])
  expect(week.beforeUntil).not.toBe(null)
  // The sheet cuts both as the screen does, also where a whole month stands beside a whole month.
  const month = { dayFrom: `${today.slice(0, 8)}01`, dayTo: dayBy(`${dayBy(`${today.slice(0, 8)}01` as Day, 31).slice(0, 8)}01` as Day, -1) }
  const [whole, rows] = [await comparing(month), (await report('compareRows', { ...month, limit: 500 })).data.records]
  expect(whole.beforeFrom).toBe(beforeOf(month.dayFrom as Day, month.dayTo, Against.previous).from)
  expect(rows.reduce((sum: number, row: any) => sum + row.changeFen, 0)).toBe(whole.now.netFen - whole.before.netFen)
})

test('a period that ends before it begins, is too long, has not begun or shares days with the other one is refused with what to do', async () => {
  const today = dayOf(instantAt(Date.now()))
  const said = async (query: object) => (await report('compare', query)).message
  expect(await said({ dayFrom: today, dayTo: dayBy(today, -1) })).toContain('请重新选择期间')
  expect(await said({ dayFrom: dayBy(today, -COMPARED_DAYS_MAX), dayTo: today })).toContain('最多对比 92 天')
  expect(await said({ dayFrom: dayBy(today, 1), dayTo: dayBy(today, 2) })).toContain('还没有开始')
  expect(await said({ dayFrom: dayBy(today, -8), dayTo: dayBy(today, -1), against: Against.week })).toContain('与上一期对比')
  expect((await report('compare', { dayFrom: dayBy(today, 1 - COMPARED_DAYS_MAX), dayTo: today })).status).toBe(200)
  expect(daysIn(dayBy(today, 1 - COMPARED_DAYS_MAX), today)).toBe(COMPARED_DAYS_MAX)
})

test('the operator compares the two own parks only', async () => {
  const period = { dayFrom: FIRST, dayTo: dayBy(FIRST, DAYS) }
  expect((await comparing(period)).parks.map((row: any) => row.parkCode).toSorted()).toEqual(PARKS)
  const own = await comparing(period, till.operator)
  expect(own.parks.map((row: any) => row.parkCode).toSorted()).toEqual(['P001', 'P002'])
  expect(own.now).toEqual((await report('temporaryStopSum', period, till.operator)).data)
})

test('kinds of income are what the ledger’s accounts earned', async () => {
  const at = instantAt(msOf(startOf(FIRST)) + 1000)
  await till.server.house.writing(1, 'test', (tx) =>
    post(tx, {
      ...{ bizType: 'rent.paid', bizNo: 'R1', eventId: 'rent-compared', at, business: 'rent', parkCode: 'P001' },
      lines: [
        { account: 'asset.cash', debitFen: 9000 },
        { account: 'income.rent', creditFen: 9000 },
      ],
    } as never),
  )
  const of = await comparing({ dayFrom: FIRST, dayTo: FIRST })
  expect(of.kinds).toContainEqual({ account: 'income.rent', temporary: false, earnedFen: 9000, earnedBeforeFen: 0 })
})

test('parking among the kinds of income is the receivable above, also today with orders open and paid back; what shared bays earn on its account stands apart', async () => {
  const now = instantAt(Date.now())
  const today = dayOf(now)
  const comparison = () => comparing({ dayFrom: today, dayTo: today })
  const ofParking = (of: any, temporary: boolean) =>
    of.kinds.find((row: any) => row.account === 'income.parking' && row.temporary === temporary)?.earnedFen ?? 0
  const shared = ofParking(await comparison(), false)
  await paid('P001', now, 900)
  await till.anOrder({ receivableFen: 5000 })
  const book = (eventId: string, business: string, lines: object[]) =>
    till.server.house.writing(1, 'test', (tx) =>
      post(tx, { ...{ bizType: 'share.earned', bizNo: eventId, eventId, at: now, business, parkCode: 'P001' }, lines } as never),
    )
  await book('share-compared', 'share', [
    { account: 'asset.cash', debitFen: 8040 },
    { account: 'income.parking', creditFen: 8040 },
  ])
  // Paid back: a refund takes nothing off what was receivable.
  await book('refund-compared', 'parking', [
    { account: 'income.parking', debitFen: 300 },
    { account: 'asset.cash', creditFen: 300 },
  ])
  const of = await comparison()
  expect(of.now.receivableFen).toBeGreaterThanOrEqual(900)
  expect(ofParking(of, true)).toBe(of.now.receivableFen)
  expect(ofParking(of, false) - shared).toBe(8040)
})
