import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../../../platform/contract/call.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { INCOME } from '../../contract/figures.ts'
import { cancelOrder, leaveUnpaid, noticePayment, openOrder, payCash, requote } from '../api.ts'
import { begin } from '../pay/start.ts'
import { finishRefund } from '../refund/returning.ts'
import { takingsBetween } from './figures.ts'
import { aTill, type Till, until } from '../testing.ts'

let till: Till
beforeAll(async () => void (till = await aTill()))
afterAll(() => till.close())
const report = async (path: string, query: object = {}, token = till.admin) =>
  (await till.server.ask(token, 'GET', `/lbs/fee/report/${path}`, query)).data

const cashier = { userId: '00000000-0000-7000-8000-0000000000aa', userName: '李收费' }
const ops = ['open', 'requote', 'cash', 'wechat', 'alipay', 'duplicate', 'wrong', 'leave', 'cancel', 'refund', 'failRefund', 'waive'] as const
const step = fc.record({
  op: fc.constantFrom(...ops),
  which: fc.nat(20),
  fen: fc.integer({ min: 0, max: 3000 }),
  discount: fc.integer({ min: 0, max: 100 }),
  park: fc.constantFrom('P001', 'P002', 'P007'),
  day: fc.nat(6),
})
type Step = { op: (typeof ops)[number]; which: number; fen: number; discount: number; park: string; day: number }
const atOf = (day: number) => new Date(Date.UTC(2026, 10, 10 + day, 15, 30)).toISOString() as Instant

/** Refusals are expected here: a step that is not allowed is refused and changes nothing. */
async function tried(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: { code?: unknown }) => {
    if (typeof error.code !== 'number') throw error
  })
}
let trades = 0
async function perform({ op, which, fen, discount, park, day }: Step, orders: string[]): Promise<void> {
  const at = atOf(day)
  const writing = till.server.house.writing
  const id = orders[which % Math.max(1, orders.length)]
  const pays = (payMethod: 1 | 2, off = 0) =>
    writing(1, 'test', async (tx) => {
      const { attempt } = await begin(tx, id!, payMethod, at)
      await noticePayment(tx, {
        payNo: attempt.payNo,
        channel: attempt.channel,
        tradeNo: `R${trades++}`,
        amountFen: attempt.amountFen + off,
        paidAt: at,
        at,
      })
      return attempt
    })
  if (op === 'open' || !id) {
    const receivableFen = fen
    const order = await writing(1, 'test', (tx) =>
      openOrder(tx, { type: 1, parkCode: park, receivableFen, discountFen: Math.floor((receivableFen * discount) / 100), at }),
    )
    orders.push(order.id)
    return
  }
  const story = await till.story(id)
  if (op === 'requote') return tried(() => writing(1, 'test', (tx) => requote(tx, id, { receivableFen: fen, at })))
  if (op === 'cash') return tried(() => writing(1, 'test', (tx) => payCash(tx, { orderId: id, amountFen: story.payableFen, actor: cashier, at })))
  if (op === 'wechat' || op === 'alipay') return tried(() => pays(op === 'wechat' ? 1 : 2))
  if (op === 'wrong') return tried(() => pays(1, 1))
  if (op === 'leave') return tried(() => writing(1, 'test', (tx) => leaveUnpaid(tx, id, { at })))
  if (op === 'cancel') return tried(() => writing(1, 'test', (tx) => cancelOrder(tx, id, { reason: 'x', at })))
  const online = story.payments.find(({ state, channel }: any) => state === 1 && channel !== 'cash')
  if (op === 'duplicate' && online)
    return tried(() =>
      writing(1, 'test', (tx) =>
        noticePayment(tx, { payNo: online.payNo, channel: online.channel, tradeNo: `R${trades++}`, amountFen: fen + 1, paidAt: at, at }),
      ),
    )
  if (op === 'waive') {
    const asked = await till.call(till.operator, '/orderWaiver/apply', { orderId: id, amountFen: Math.max(1, story.payableFen), reason: 'x' })
    if (asked.status === 200) await till.call(till.admin, '/orderWaiver/approve', { id: asked.data.id, version: asked.data.version })
    return
  }
  if ((op === 'refund' || op === 'failRefund') && online) {
    const asked = await till.call(till.admin, '/orderRefund/apply', { orderId: id, amountFen: Math.max(1, fen), reason: 'x' })
    if (asked.status !== 200) return
    // As if the approval had been given and the channel had answered, without its waits.
    const approved = 'state = 1, approvals = approvals_needed'
    await writing(1, 'test', async (tx) => {
      const { run } = await import('../../../../platform/server/database.ts')
      await run(tx, { sql: `update settlement.refund set ${approved} where enterprise_id = 1 and id = $1` }, [asked.data.id])
      await finishRefund(tx, { refundNo: asked.data.refundNo, ok: op === 'refund', at })
    })
  }
}

const FIGURES = ['orders', 'receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen'] as const
const summed = (rows: any[], names: readonly string[] = FIGURES) =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]))

/** The five reports as of one moment: money that came unasked goes back by itself meanwhile, so they are read until nothing moved between the first and the last. */
async function still() {
  for (;;) {
    const all = await report('temporaryStopSum')
    const days = (await report('temporaryStop', { limit: 500 })).records
    const parks = (await report('parkStatisticsReport', { limit: 500 })).records
    const methods = (await report('temporaryStopMethods')).records
    const summary = (await till.server.ask(till.admin, 'GET', '/lbs/business/order/summary')).data
    if (JSON.stringify(await report('temporaryStopSum')) === JSON.stringify(all)) return { all, days, parks, methods, summary }
  }
}

test('after any sequence: by day = by park = by method = ledger = orders, and 应收 = 实收 + 优惠 + 减免 + 欠费', async () => {
  const orders: string[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      for (const one of steps) await perform(one, orders)
      const { all, days, parks, methods, summary } = await still()
      expect(all.receivableFen).toBe(all.paidFen + all.discountFen + all.waivedFen + all.arrearsFen)
      for (const row of days) expect(row.receivableFen).toBe(row.paidFen + row.discountFen + row.waivedFen + row.arrearsFen)
      expect(summed(days)).toEqual(all)
      expect(summed(parks)).toEqual(all)
      for (const row of parks) expect(row.wechatFen + row.alipayFen + row.cashFen + row.otherFen).toBeGreaterThanOrEqual(row.netFen)
      expect(summed(methods, ['paidFen', 'refundFen', 'netFen'])).toEqual({ paidFen: all.paidFen, refundFen: all.refundFen, netFen: all.netFen })
      expect(summary).toMatchObject({
        paidFen: all.paidFen,
        refundFen: all.refundFen,
        arrearsFen: all.arrearsFen,
        waivedFen: all.waivedFen,
        netFen: all.netFen,
        orders: orders.length,
      })
      expect(summary.receivableFen).toBe(summary.paidFen + summary.discountFen + summary.waivedFen + summary.arrearsFen)
      const hours = (await Promise.all([...new Set(days.map(({ day }: any) => day))].map((day) => report('temporaryStopHours', { day })))).flat()
      expect(summed(hours)).toEqual(all)
      expect((await till.replay()).differences).toEqual([])
    }),
    { numRuns: 12 },
  )
}, 120_000)

/** Random days of those that had money, and now and then one park. */
const filters = fc.record({
  from: fc.nat(8),
  days: fc.integer({ min: 0, max: 8 }),
  parkCode: fc.option(fc.constantFrom('P001', 'P002', 'P007'), { nil: undefined }),
})
const dayOfTest = (day: number) => `2026-11-${String(9 + day).padStart(2, '0')}`

test('a declared figure is the same in the query, the list that it opens, the rows by park, the sheet and the ways of paying, for random filters', async () => {
  const orders: string[] = []
  for (const one of fc.sample(step, 60)) await perform(one, orders)
  await still()
  let looked = 0
  await fc.assert(
    fc.asyncProperty(filters, async ({ from, days, parkCode }) => {
      const within = { from: dayOfTest(from), to: dayOfTest(from + days), parkCode }
      const asked = { dayFrom: within.from, dayTo: within.to, ...(parkCode && { parkCode }) }
      const [sum, parks, methods, sheet] = await Promise.all([
        report('temporaryStopSum', asked),
        report('parkStatisticsReport', { ...asked, limit: 500 }),
        report('temporaryStopMethods', asked),
        till.server.ask(till.admin, 'GET', '/lbs/fee/report/temporaryStopExport', { ...asked, format: 'csv' }),
      ])
      for (const [field, { opens, name }] of Object.entries(INCOME)) {
        const list = await till.server.ask(till.admin, opens.call.method, addressOf(opens.call), {
          ...definedOf(opens.filter(within)),
          queryMode: 'sum',
        })
        expect([name[0], list.data.sums[opens.sums!]]).toEqual([name[0], sum[field]])
        expect([name[0], summed(parks.records, [field])[field]]).toEqual([name[0], sum[field]])
        expect([name[0], columnOf(String(sheet.data), name[0], field.endsWith('Fen'))]).toEqual([name[0], sum[field]])
      }
      expect(summed(methods.records, ['paidFen', 'refundFen', 'netFen'])).toEqual({
        paidFen: sum.paidFen,
        refundFen: sum.refundFen,
        netFen: sum.netFen,
      })
      expect(sum.receivableFen).toBe(sum.paidFen + sum.discountFen + sum.waivedFen + sum.arrearsFen)
      expect(sum.netFen).toBe(sum.paidFen - sum.refundFen)
      looked += sum.receivableFen
    }),
    { numRuns: 40 },
  )
  expect(looked).toBeGreaterThan(0)
}, 60_000)
/** Returns the sum of a sheet's column in fen; amounts stand there in yuan. */
function columnOf(csv: string, name: string, money: boolean): number {
  const [heads, ...rows] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/^\uFEFF/, '').split(','))
  const at = heads!.findIndex((head) => head.replace(/"/g, '').startsWith(name))
  expect(at, `${name} among ${heads!.join()}`).toBeGreaterThanOrEqual(0)
  return rows.reduce((sum, row) => sum + Math.round(Number(row[at]!.replace(/"/g, '')) * (money ? 100 : 1)), 0)
}
const definedOf = (filter: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))

test('one day by park and hour is what the lines of the hour add up to, and a time of day what its lines do', async () => {
  const { run } = await import('../../../../platform/server/database.ts')
  const sql = <Row>(text: string, values: unknown[] = []) => till.server.house.writing(1, 'test', (tx) => run<Row>(tx, { sql: text }, values))
  const days = [...new Set((await report('temporaryStop', { limit: 500 })).records.map(({ day }: any) => day as string))]
  for (const day of days) {
    const hours = await report('temporaryStopHours', { day })
    // The computed query: from the lines alone.
    const computed = await sql<any>(
      `select extract(hour from at at time zone 'Asia/Shanghai')::int as hour, park_code, coalesce(sum(credit_fen) filter (where account = 'income.parking'), 0)::bigint as receivable_fen,
         (count(*) filter (where account = 'income.parking' and credit_fen > 0))::int as orders
       from ledger.line where enterprise_id = 1 and business = 'parking' and day = $1 group by 1, 2 order by 1, 2`,
      [day],
    )
    expect(hours.map(({ hour, parkCode, receivableFen, orders }: any) => ({ hour, parkCode, receivableFen, orders }))).toEqual(computed)
    for (const [from, to] of [
      ['00:00:00', '23:59:59'],
      ['15:10:00', '23:40:00'],
      ['23:29:00', '23:31:00'],
      ['23:00:00', '23:30:00'],
      ['23:00:00', '24:00:00'],
    ]) {
      const [begin, end] = [from, to].map(
        (clock) =>
          new Date(
            Date.parse(`${day}T00:00:00+08:00`) +
              Number(clock!.slice(0, 2)) * 3_600_000 +
              Number(clock!.slice(3, 5)) * 60_000 +
              Number(clock!.slice(6)) * 1000,
          ).toISOString() as Instant,
      )
      const [lines] = await sql<any>(
        `select coalesce(sum(credit_fen) filter (where account = 'income.parking'), 0)::bigint as receivable_fen, (count(*) filter (where account = 'income.parking' and credit_fen > 0))::int as orders from ledger.line where enterprise_id = 1 and business = 'parking' and at >= $1 and at < $2`,
        [begin, end],
      )
      const taken = await till.server.house.writing(1, 'test', (tx) => takingsBetween(tx, begin!, end!))
      expect({ receivableFen: taken.receivableFen, orders: taken.orders }).toEqual(lines)
    }
  }
  // Of the own parks only, as all reports.
  const own = (await Promise.all(days.map((day) => report('temporaryStopHours', { day }, till.operator)))).flat()
  expect(new Set(own.map(({ parkCode }: any) => parkCode))).not.toContain('P007')
}, 60_000)

test('the operator’s report holds the two own parks only', async () => {
  // Chance may have left a park without money.
  for (const parkCode of ['P001', 'P002', 'P007']) {
    const order = await till.anOrder({ parkCode })
    expect((await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 1200 })).status).toBe(200)
  }
  expect((await report('parkStatisticsReport', {})).records.map(({ parkCode }: any) => parkCode)).toEqual(['P001', 'P002', 'P007'])
  const parks = (await report('parkStatisticsReport', {}, till.operator)).records
  expect(new Set(parks.map(({ parkCode }: any) => parkCode))).toEqual(new Set(['P001', 'P002']))
  const sum = await report('temporaryStopSum', {}, till.operator)
  expect(sum).toEqual(summed(parks))
})

test('a figure leads to its payments: a day of a park holds what the details of that day add up to', async () => {
  const [row] = (await report('temporaryStop', { parkCode: 'P001' })).records
  const within = { parkCode: 'P001', paidAtFrom: `${row.day} 00:00:00`, paidAtTo: `${row.day} 23:59:59`, state: '1' }
  const details = await report('temporaryStopDetails', { ...within, queryMode: 'sum' })
  expect(details.sums.receivedFen).toBe(row.paidFen)
  const list = await report('temporaryStopDetails', within)
  expect(list.records.every(({ parkCode, orderNo }: any) => parkCode === 'P001' && orderNo.startsWith('TC'))).toBe(true)
})

test('refunds that wait do not show as refunded', async () => {
  const order = await till.anOrder()
  const { payNo } = await till.startPaying(order)
  till.channel.channel.pay(payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  const before = await report('temporaryStopSum')
  await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen: 1200, reason: 'x' })
  expect(await report('temporaryStopSum')).toEqual(before)
})
