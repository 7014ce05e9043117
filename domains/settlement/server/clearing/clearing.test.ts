import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BillLine, billOf } from '../../../../city/pay/bills.ts'
import type { Day } from '../../../../platform/contract/field.ts'
import { cityTime, dayBy, instantAt } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { CLEARING_FIGURES } from '../../contract/figures.ts'
import { AdditionBar } from '../../contract/liquidation.ts'
import { noticePayment } from '../receiving.ts'
import { aTill, type Till, until } from '../testing.ts'

let till: Till
let deputy: string
beforeAll(async () => {
  till = await aTill()
  await sql(`insert into parking.park (park_code, name, p_type, region_code, total_bays) values ('P001', '试', 1, '420607', 10)`)
  const deputies = await sql<{ id: string }>(`select id from identity.person where username = 'operator'`)
  await sql(
    `insert into identity.person_role (person_id, role_id) select $1, role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') on conflict do nothing`,
    [deputies[0]!.id],
  )
  deputy = await till.server.signIn('operator')
})
afterAll(() => till.close())
const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  till.server.house.writing(1, 'test', (tx) => run<Row>(tx, { sql: text }, [...values])) as Promise<Row[]>
const ask = (path: string, body: object, token = till.admin) => till.server.ask(token, 'POST', `/lbs/checkBill/liquidation/${path}`, body)

let days = 0
/** A day that no other test has touched: every second one of the past. */
const aDay = () => new Date(Date.UTC(2026, 2, 1 + 3 * days++)).toISOString().slice(0, 10)
let trades = 0
/** A payment that we heard of at a moment of the city's clock. */
async function paidAt(at: string, amountFen = 1000) {
  const order = await till.anOrder({ receivableFen: amountFen })
  const { payNo } = await till.startPaying(order)
  const tradeNo = `W${String(++trades).padStart(6, '0')}`
  const paid = new Date(`${at.replace(' ', 'T')}+08:00`).toISOString()
  await till.server.house.writing(1, 'test', (tx) =>
    noticePayment(tx, { payNo, channel: 'wechat', tradeNo, amountFen, paidAt: paid as never, at: instantAt(Date.now()) }),
  )
  return { order, payNo, tradeNo, amountFen, line: { kind: 'payment', tradeNo, number: payNo, amountFen, feeFen: 6, at } as BillLine }
}
const over = (at: string, amountFen = 700): BillLine => ({
  kind: 'payment',
  tradeNo: `X${++trades}`,
  number: `OLD${trades}`,
  amountFen,
  feeFen: 4,
  at,
})
function imports(checkDate: string, bytes: Uint8Array, channel = 'wechat') {
  const form = new FormData()
  form.append('file', new Blob([bytes as never]), `${channel}_${checkDate}.csv`)
  form.append('checkDate', checkDate)
  form.append('channel', channel)
  return till.server.ask(till.admin, 'POST', '/lbs/checkBill/liquidation/importFile', form)
}
const detailsOf = async (checkDate: string) => (await ask('searchCheckDetail', { checkDate, channel: 'wechat' })).data.records
const totalOf = async (day: string) => (await ask('searchCheckTotal', { dateFrom: day, dateTo: day, channel: 'wechat' })).data.records[0]
const transit = async () =>
  (
    await sql<{ fen: number }>(
      `select coalesce(sum(debit_fen - credit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = 1 and account = 'asset.channel' and sub = 'wechat'`,
    )
  )[0]!.fen
/** A difference claimed and settled by one, confirmed by the other. */
async function settled(detail: any, closing: number) {
  const done = await ask('settle', { id: detail.id, version: detail.version, closing, note: '已与渠道核对' })
  expect(done.code).toBe(200)
  expect((await ask('settleDecide', { id: detail.id, version: done.data.version, pass: true })).code).toBe(40506)
  const [one, two] = await Promise.all([1, 2].map(() => ask('settleDecide', { id: detail.id, version: done.data.version, pass: true }, deputy)))
  expect([one!.status, two!.status].sort()).toEqual([200, 409])
}

test("a channel that has the name of what every object has is a channel like another: its file is refused as a bank's", async () => {
  for (const channel of ['__proto__', 'constructor'])
    expect(await imports(aDay(), new TextEncoder().encode('a'), channel)).toMatchObject({ status: 422, code: 40560 })
})

test('a day that agrees is even, and closing it brings the money into the bank less the fee', async () => {
  const day = aDay()
  const before = await transit()
  const { line } = await paidAt(`${day} 10:00:00`)
  expect((await imports(day, billOf('wechat', [line]))).data).toMatchObject({ state: 2, platFen: 1000, chanFen: 1000, feeFen: 6, diffCount: 0 })
  const closed = await Promise.all([1, 2, 3].map(() => ask('closeDay', { checkDate: day, channel: 'wechat' })))
  expect(closed.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await transit()).toBe(before)
  const bank = await sql<{ fen: number }>(
    `select sum(debit_fen - credit_fen)::bigint as fen from ledger.balance where enterprise_id = 1 and account = 'asset.bank'`,
  )
  expect(bank[0]!.fen).toBe(994)
  expect((await till.replay()).right).toBe(true)
})

test('a closed day is read only: another file, a claim and a statement are refused; reopening needs another person', async () => {
  const day = aDay()
  const { line } = await paidAt(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line]))
  // Another channel: its requested file comes at some time, and takes the place of the file that is there.
  expect((await ask('fetch', { checkDate: day, channel: 'alipay' })).status).toBe(200)
  await ask('closeDay', { checkDate: day, channel: 'wechat' })
  expect((await imports(day, billOf('wechat', []))).code).toBe(40561)
  expect((await ask('fetch', { checkDate: day, channel: 'wechat' })).code).toBe(40561)
  await expect(sql(`delete from settlement.check_detail where check_date = $1`, [day])).rejects.toThrow(/closed/)
  const before = await transit()
  expect((await ask('reopenDay', { checkDate: day, channel: 'wechat', reason: '渠道补发文件' })).code).toBe(200)
  expect((await ask('reopenDecide', { checkDate: day, channel: 'wechat', pass: true })).code).toBe(40506)
  expect((await ask('reopenDecide', { checkDate: day, channel: 'wechat', pass: true }, deputy)).data).toMatchObject({ state: 2, closedName: null })
  expect(await transit()).toBe(before + 1000)
  expect((await ask('closeDay', { checkDate: day, channel: 'wechat' })).data).toMatchObject({ state: 3 })
  expect(await transit()).toBe(before)
})

test('days are closed in their order, and only when nothing is open', async () => {
  const [first, second] = [aDay(), aDay()]
  const one = await paidAt(`${first} 10:00:00`)
  const two = await paidAt(`${second} 10:00:00`)
  await imports(first, billOf('wechat', [one.line, over(`${first} 11:00:00`)]))
  await imports(second, billOf('wechat', [two.line]))
  expect((await ask('closeDay', { checkDate: second, channel: 'wechat' })).code).toBe(40568)
  expect((await ask('closeDay', { checkDate: first, channel: 'wechat' })).code).toBe(40567)
  const open = (await detailsOf(first)).find((row: any) => row.result === 2)
  await settled(open, 3)
  expect((await ask('closeDay', { checkDate: first, channel: 'wechat' })).code).toBe(200)
  expect((await ask('closeDay', { checkDate: second, channel: 'wechat' })).code).toBe(200)
})

test('over, short and another amount stand apart, and each is explained before the day closes', async () => {
  const day = aDay()
  const before = await transit()
  const [same, less, short] = [await paidAt(`${day} 09:00:00`), await paidAt(`${day} 10:00:00`), await paidAt(`${day} 11:00:00`)]
  await imports(day, billOf('wechat', [same.line, { ...less.line, amountFen: 900 }, over(`${day} 12:00:00`)]))
  const rows = await detailsOf(day)
  expect(rows.map((row: any) => row.result).sort()).toEqual([1, 2, 3, 4])
  expect(await totalOf(day)).toMatchObject({
    state: 1,
    platCount: 3,
    platFen: 3000,
    chanCount: 3,
    chanFen: 2600,
    diffCount: 3,
    diffFen: 100 + 1000 + 700,
    openCount: 3,
    openFen: 100 + 1000 + 700,
  })
  expect(Object.fromEntries(rows.map((row: any) => [row.result, row.diffFen]))).toEqual({ 1: 0, 2: 700, 3: 1000, 4: 100 })
  expect((await ask('settle', { ...pickOf(rows.find((row: any) => row.result === 3)), closing: 2, note: '退' })).code).toBe(40563)
  await settled(
    rows.find((row: any) => row.result === 3),
    3,
  )
  expect(await totalOf(day)).toMatchObject({ diffFen: 1800, openFen: 800, openCount: 2 })
  const { opens } = CLEARING_FIGURES.openFen
  const { diffState } = opens.filter({ from: day, to: day })
  const listed = (await ask('searchCheckDetail', { diffState: diffState!.split(',').map(Number), queryMode: 'sum' })).data.sums[opens.sums!]
  expect((await ask('searchCheckTotalStatistics', {})).data.openFen).toBe(listed)
  for (const row of rows) if (row.result === 2 || row.result === 4) await settled(row, 3)
  expect(await totalOf(day)).toMatchObject({ diffFen: 1800, openFen: 0, openCount: 0 })
  expect((await ask('closeDay', { checkDate: day, channel: 'wechat' })).code).toBe(200)
  expect(await transit()).toBe(before)
  expect(short.tradeNo).not.toBe(same.tradeNo)
  expect((await till.replay()).right).toBe(true)
})
test('what a channel has over goes back when it came for a payment of ours; of a number that is none the one who says so hears it at once', async () => {
  const day = aDay()
  const { order, line } = await paidAt(`${day} 10:00:00`)
  const twice: BillLine = { ...line, tradeNo: `${line.tradeNo}-2` }
  await imports(day, billOf('wechat', [line, twice, over(`${day} 12:00:00`)]))
  const rows = await detailsOf(day)
  const [again, unknown] = [rows.find((row: any) => row.tradeNo === twice.tradeNo), rows.find((row: any) => row.payNo.startsWith('OLD'))]
  expect([again.result, unknown.result]).toEqual([2, 2])
  expect(await ask('settle', { ...pickOf(unknown), closing: 2, note: '退' })).toMatchObject({ code: 40564, status: 422 })
  expect((await detailsOf(day)).find(({ id }: any) => id === unknown.id)).toMatchObject({ diffState: 0, version: unknown.version, ownerId: null })
  await settled(unknown, 3)
  await settled(again, 2)
  const { payments } = await till.story(order.id)
  expect(payments.map(({ tradeNo, receivedFen }: any) => [tradeNo, receivedFen]).toSorted()).toEqual([
    [line.tradeNo, 1000],
    [twice.tradeNo, 1000],
  ])
  expect((await ask('closeDay', { checkDate: day, channel: 'wechat' })).code).toBe(200)
  await until(
    () => till.story(order.id),
    (seen) => seen.refunds.some((one: any) => one.state === 3),
  )
  expect((await till.replay()).right).toBe(true)
})
const pickOf = ({ id, version }: { id: string; version: number }) => ({ id, version })

test('orders are found by when they were paid, and their sum is what the channel’s file of the day has, whenever they were made', async () => {
  const day = aDay()
  const paid = [await paidAt(`${day} 00:00:00`, 300), await paidAt(`${day} 23:59:59`, 450)]
  const next = dayBy(day as Day, 1)
  const after = await paidAt(`${next} 00:00:00`, 800)
  await imports(
    day,
    billOf(
      'wechat',
      paid.map(({ line }) => line),
    ),
  )
  const list = (query: object) => till.server.ask(till.admin, 'GET', '/lbs/business/order/list', { ...query, payMethod: '1' })
  const paidOn = { payTimeFrom: `${day} 00:00:00`, payTimeTo: `${day} 23:59:59` }
  expect((await list(paidOn)).data.records.map(({ orderNo }: any) => orderNo).toSorted()).toEqual(paid.map(({ order }) => order.orderNo).toSorted())
  expect((await list({ ...paidOn, queryMode: 'sum' })).data.sums.paidFen).toBe((await totalOf(day)).chanFen)
  expect((await list({ createdAtFrom: `${day} 00:00:00`, createdAtTo: `${day} 23:59:59` })).data.records).toEqual([])
  await imports(next, billOf('wechat', [after.line]))
  for (const checkDate of [day, next]) expect((await ask('closeDay', { checkDate, channel: 'wechat' })).code).toBe(200)
})

test('paid a second before midnight and cleared a second after: across days on both, and nothing stays in transit', async () => {
  const day = aDay()
  const next = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10)
  const before = await transit()
  const { line } = await paidAt(`${day} 23:59:59`)
  await imports(day, billOf('wechat', []))
  expect(await totalOf(day)).toMatchObject({ state: 1, openCount: 1 })
  await imports(next, billOf('wechat', [{ ...line, at: `${next} 00:00:02` }]))
  expect((await detailsOf(day))[0]).toMatchObject({ result: 6, diffState: 3 })
  expect((await detailsOf(next))[0]).toMatchObject({ result: 6, diffState: 3, parkCode: 'P001' })
  for (const checkDate of [day, next]) expect((await ask('closeDay', { checkDate, channel: 'wechat' })).code).toBe(200)
  expect(await transit()).toBe(before)
})

test('cleared across days with another amount: the difference stands on our day, and nothing stays in transit once it is booked', async () => {
  const day = aDay()
  const next = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10)
  const before = await transit()
  const { line, tradeNo } = await paidAt(`${day} 23:59:59`)
  await imports(day, billOf('wechat', []))
  await imports(next, billOf('wechat', [{ ...line, amountFen: line.amountFen + 200, at: `${next} 00:00:02` }]))
  const [ours] = await detailsOf(day)
  expect(ours).toMatchObject({ tradeNo, result: 4, diffState: 0, platFen: 1000, chanFen: 1200 })
  expect(await totalOf(day)).toMatchObject({ state: 1, openCount: 1, diffFen: 200, chanFen: 0 })
  expect((await detailsOf(next))[0]).toMatchObject({ result: 6, diffState: 3, chanFen: 1200 })
  await settled(ours, 3)
  for (const checkDate of [day, next]) expect((await ask('closeDay', { checkDate, channel: 'wechat' })).code).toBe(200)
  expect(await transit()).toBe(before)
})

test.each([[[0, 1, 2]], [[2, 1, 0]]])(
  'a trade that the channel tells of on both days beside ours is cleared by the first alone, whichever file comes first (%j), and is not brought into the bank twice',
  async (order) => {
    const first = aDay()
    const [day, next] = [1, 2].map((days) => new Date(Date.parse(`${first}T00:00:00.000Z`) + days * 86_400_000).toISOString().slice(0, 10))
    const before = await transit()
    const { line, tradeNo } = await paidAt(`${day} 12:00:00`)
    const files = [first, day, next].map((of) => [of!, billOf('wechat', of === day ? [] : [{ ...line, at: `${of} 12:00:00` }])] as const)
    for (const place of order) expect((await imports(...files[place]!)).status).toBe(200)
    const found = await Promise.all(files.map(async ([of]) => (await detailsOf(of))[0]))
    expect(found.map((row) => [row.tradeNo, row.result])).toEqual([
      [tradeNo, 6],
      [tradeNo, 6],
      [tradeNo, 2],
    ])
    await settled(found[2], 3)
    for (const [checkDate] of files) expect((await ask('closeDay', { checkDate, channel: 'wechat' })).code).toBe(200)
    expect(await transit()).toBe(before)
    expect((await till.replay()).right).toBe(true)
  },
)

test('a trade that the channel tells of again in the file of the next day is over there, and is not brought into the bank twice', async () => {
  const day = aDay()
  const next = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10)
  const { line, tradeNo } = await paidAt(`${day} 23:59:59`)
  expect((await imports(day, billOf('wechat', [line]))).data).toMatchObject({ state: 2, diffCount: 0 })
  expect((await imports(next, billOf('wechat', [{ ...line, at: `${next} 00:00:02` }]))).data).toMatchObject({ state: 1, openCount: 1, diffFen: 1000 })
  expect((await detailsOf(day))[0]).toMatchObject({ tradeNo, result: 1, diffState: 3 })
  expect((await detailsOf(next))[0]).toMatchObject({ tradeNo, result: 2, diffState: 0, platFen: null, chanFen: 1000 })
  // The channel leaves it out of the day it was paid on after all: it was cleared across days.
  await imports(day, billOf('wechat', []))
  for (const checkDate of [day, next]) expect((await detailsOf(checkDate))[0]).toMatchObject({ tradeNo, result: 6, diffState: 3 })
})

test('the sums under the transactions are those of their day: refunds count against payments, and another day’s file is not counted', async () => {
  const day = aDay()
  const next = new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, 10)
  const [kept, late] = [await paidAt(`${day} 10:00:00`), await paidAt(`${day} 23:59:59`)]
  const back: BillLine = { ...over(`${day} 12:00:00`, 300), kind: 'refund' }
  await imports(day, billOf('wechat', [kept.line, back]))
  await imports(next, billOf('wechat', [{ ...late.line, at: `${next} 00:00:02` }]))
  const total = await totalOf(day)
  const { sums } = (await ask('searchCheckDetail', { checkDate: day, channel: 'wechat', queryMode: 'sum' })).data
  expect(sums).toEqual({
    platFen: total.platFen - total.platRefundFen,
    chanFen: total.chanFen - total.chanRefundFen,
    feeFen: total.feeFen,
    diffFen: total.diffFen,
  })
  expect(sums).toMatchObject({ platFen: 2000, chanFen: 700 })
})

test('the same bytes are the same answer; another file replaces it until somebody handles a difference', async () => {
  const day = aDay()
  const { line } = await paidAt(`${day} 10:00:00`)
  const bytes = billOf('wechat', [line])
  const answers = await Promise.all([1, 2, 3].map(() => imports(day, bytes)))
  expect(new Set(answers.map(({ data }) => data.version)).size).toBe(1)
  await imports(day, billOf('wechat', [line, over(`${day} 11:00:00`)]))
  const found = (await detailsOf(day)).find((row: any) => row.result === 2)
  expect((await ask('assign', pickOf(found))).data).toMatchObject({ diffState: 1, ownerName: expect.any(String) })
  expect((await imports(day, bytes)).code).toBe(40562)
  await settled(
    (await detailsOf(day)).find((row: any) => row.result === 2),
    3,
  )
  await ask('closeDay', { checkDate: day, channel: 'wechat' })
})

test('a file that was cut, with other sums or an amount that is not exact is refused whole, in every format', async () => {
  const day = aDay()
  const lines = [over(`${day} 10:00:00`), { ...over(`${day} 11:00:00`), kind: 'refund' as const }]
  for (const channel of ['wechat', 'alipay', 'unionpay']) {
    const whole = Buffer.from(billOf(channel, lines))
    expect((await imports(day, whole.subarray(0, whole.length - 60), channel)).code).toBe(40560)
    expect((await imports(day, Buffer.from(whole.toString('latin1').replaceAll('7.00', '7.005'), 'latin1'), channel)).code).toBe(40560)
    expect((await imports(day, Buffer.from(whole.toString('latin1').replace('7.00', '8.00'), 'latin1'), channel)).code).toBe(40560)
    expect((await imports(day, whole, channel)).data).toMatchObject({ chanCount: 2, chanFen: 700, chanRefundFen: 700 })
  }
})

test('a second payment that we never heard of is given back through the channel', async () => {
  const day = aDay()
  const { order, line, payNo } = await paidAt(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line, { ...over(`${day} 10:00:05`, 1000), number: payNo }]))
  const found = (await detailsOf(day)).find((row: any) => row.result === 2)
  await settled(found, 2)
  const story = await until(
    () => till.story(order.id),
    (seen) => seen.refunds.some((one: any) => one.state === 3),
  )
  expect(story).toMatchObject({ status: 2, paidFen: 1000 })
  expect((await ask('doublePayments', { orderNo: order.orderNo })).data.records).toMatchObject([{ state: 4, receivedFen: 1000 }])
  await ask('closeDay', { checkDate: day, channel: 'wechat' })
})

test('money that the channel has for an attempt of ours is taken up and pays its order', async () => {
  const day = aDay()
  const order = await till.anOrder({ receivableFen: 800 })
  const { payNo } = await till.startPaying(order)
  await imports(day, billOf('wechat', [{ ...over(`${day} 10:00:00`, 800), number: payNo }]))
  const [found] = await detailsOf(day)
  expect(found).toMatchObject({ result: 5, orderNo: order.orderNo })
  await settled(found, 1)
  expect(await till.story(order.id)).toMatchObject({ status: 2, paidFen: 800 })
  await ask('closeDay', { checkDate: day, channel: 'wechat' })
})

test('an order is added once, from 50,000 fen by two others, and booked today', async () => {
  const day = aDay()
  const order = await till.anOrder({ receivableFen: 60_000 })
  const line = over(`${day} 10:00:00`, 60_000)
  await imports(day, billOf('wechat', [line]))
  const body = { tradeNo: line.tradeNo, orderNo: order.orderNo, reason: '车主出示付款凭证', evidence: '/lbs/file/a.png' }
  expect((await ask('additionApply', { ...body, tradeNo: 'NONE' })).code).toBe(40565)
  const asked = await ask('additionApply', body)
  expect(asked.data).toMatchObject({ state: 0, approvalsNeeded: 2, amountFen: 60_000 })
  expect((await ask('additionApply', body)).code).toBe(40566)
  const which = (data: any) => ({ id: data.id, version: data.version, pass: true })
  expect((await ask('additionDecide', which(asked.data))).code).toBe(40506)
  const first = await ask('additionDecide', which(asked.data), deputy)
  expect(first.data).toMatchObject({ state: 0, approvals: 1 })
  expect((await ask('additionDecide', which(first.data), deputy)).code).toBe(40518)
  await sql(`update settlement.addition set first_approver_id = uuidv7() where id = $1`, [asked.data.id])
  const second = await ask('additionDecide', which(first.data), deputy)
  expect(second.data).toMatchObject({ state: 1, approvals: 2, orderNo: order.orderNo })
  expect(await till.story(order.id)).toMatchObject({ status: 2, tradeNo: line.tradeNo })
  expect(await totalOf(day)).toMatchObject({ state: 2, openCount: 0 })
  const [entry] = await sql<{ day: string }>(`select e.day from ledger.entry e where e.about = $1`, [order.orderNo])
  expect(entry!.day).toBe(cityTime(instantAt(Date.now())).slice(0, 10))
})

test('the sums of the list are those of its rows', async () => {
  const { data } = await ask('searchCheckTotalStatistics', { channel: 'wechat' })
  const { records } = (await ask('searchCheckTotal', { channel: 'wechat', limit: 100 })).data
  for (const field of ['platFen', 'chanFen', 'feeFen', 'diffCount', 'openCount'])
    expect(data[field]).toBe(records.reduce((sum: number, row: any) => sum + row[field], 0))
  expect(data.days).toBe(records.length)
})

test('a difference is settled by whoever has claimed it; another takes it over by claiming it', async () => {
  const day = aDay()
  await imports(day, billOf('wechat', [over(`${day} 10:00:00`)]))
  const [open] = await detailsOf(day)
  const claimed = (await ask('assign', { id: open.id, version: open.version }, deputy)).data
  const settle = (version: number) => ask('settle', { id: open.id, version, closing: 3, note: '已与渠道核对' })
  expect(await settle(claimed.version)).toMatchObject({ status: 409, code: 40578, message: expect.stringContaining(claimed.ownerName) })
  const taken = (await ask('assign', { id: open.id, version: claimed.version })).data
  expect((await settle(taken.version)).code).toBe(200)
})

test('an over that another has claimed is added by them alone, until somebody claims it from them', async () => {
  const day = aDay()
  const order = await till.anOrder({ receivableFen: 700 })
  const line = over(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line]))
  const [open] = await detailsOf(day)
  const claimed = (await ask('assign', { id: open.id, version: open.version }, deputy)).data
  const apply = () => ask('additionApply', { tradeNo: line.tradeNo, orderNo: order.orderNo, reason: '车主出示付款凭证', evidence: '/lbs/file/a.png' })
  expect(await apply()).toMatchObject({ status: 409, code: 40578, message: expect.stringContaining(claimed.ownerName) })
  await ask('assign', { id: open.id, version: claimed.version })
  expect((await apply()).data).toMatchObject({ state: 0, amountFen: 700 })
})

test('an over that was settled another way gets no order any more: its addition can only be rejected', async () => {
  const day = aDay()
  const order = await till.anOrder({ receivableFen: 700 })
  const line = over(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line]))
  const [open] = await detailsOf(day)
  const asked = await ask('additionApply', { tradeNo: line.tradeNo, orderNo: order.orderNo, reason: '车主出示付款凭证', evidence: '/lbs/file/a.png' })
  const barOf = async () => (await ask('additionOrderDetail', { tradeNo: line.tradeNo })).data.records[0].bar
  expect(await barOf()).toBeNull()
  await settled(open, 3)
  expect(await barOf()).toBe(AdditionBar.settled)
  const decide = (pass: boolean) => ask('additionDecide', { id: asked.data.id, version: asked.data.version, pass }, deputy)
  expect(await decide(true)).toMatchObject({ status: 422, code: 40565 })
  expect(await till.story(order.id)).toMatchObject({ paidFen: 0 })
  expect((await decide(false)).data).toMatchObject({ state: 2 })
  expect(await barOf()).toBeNull()
})

test('an order that was paid meanwhile bars the yes to its addition, which the list says before anybody asks for it', async () => {
  const day = aDay()
  const order = await till.anOrder({ receivableFen: 700 })
  const line = over(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line]))
  const asked = await ask('additionApply', { tradeNo: line.tradeNo, orderNo: order.orderNo, reason: '车主出示付款凭证', evidence: '/lbs/file/a.png' })
  await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 700 })
  expect((await ask('additionOrderDetail', { tradeNo: line.tradeNo })).data.records).toMatchObject([{ bar: AdditionBar.orderOver }])
  expect((await ask('additionDecide', { id: asked.data.id, version: asked.data.version, pass: true }, deputy)).status).not.toBe(200)
})

test('a sheet of the trades says the channel as people call it', async () => {
  const day = aDay()
  const { line } = await paidAt(`${day} 10:00:00`)
  await imports(day, billOf('wechat', [line]))
  const sheet = async (language: string) =>
    (
      await till.server.ask(
        till.admin,
        'POST',
        '/lbs/checkBill/liquidation/searchCheckDetailExport',
        { checkDate: day, format: 'csv', columns: ['checkDate', 'channel'] },
        { cookie: `lang=${language}` },
      )
    ).data.toString('utf8')
  expect(await sheet('zh-chs')).toContain(`${day},微信`)
  expect(await sheet('en')).toContain(`${day},WeChat`)
})
