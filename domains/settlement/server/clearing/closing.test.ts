import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BillLine, billOf } from '../../../../city/pay/bills.ts'
import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { linesAbout } from '../../../ledger/server/api.ts'
import { fresh } from '../../../ledger/server/testing.ts'
import { openRepayment } from '../repaying.ts'
import { aTill, now, type Till } from '../testing.ts'
import { apply, decideAddition } from './addition.ts'
import { askForFiles, awaitFiles } from './calls.ts'
import { askReopen, closeDay, compareDay, compareLate, decideReopen, uncleared } from './closing.ts'
import { takeFile } from './day.ts'
import { decide as decideDifference, settle } from './differences.ts'
import { tradesOf } from './files.ts'

/** Closing a day of a channel posts its money to the bank. */
let till: Till
beforeAll(async () => {
  till = await aTill({ role: 'web' })
})
afterAll(() => till.close())
const writing = <T>(work: (tx: Tx) => Promise<T>) => till.server.house.writing(1, 'test', work)
const rows = <Row extends object = any>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  writing((tx) => run<Row>(tx, { sql }, values))

const [BEFORE, DAY, NEXT, AFTER, LAST] = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04', '2026-10-05'] as [Day, Day, Day, Day, Day]
const noon = (day: Day) => `${day}T04:00:00.000Z` as Instant
type Trade = [park: string, kind: 1 | 2, fen: number, feeFen: number, fileOf?: Day | null]
let trades = 0
/** Lines of the channel's file of each day. */
const files = new Map<string, BillLine[]>()
const linesOf = (channel: string, day: Day) => files.get(`${channel} ${day}`) ?? files.set(`${channel} ${day}`, []).get(`${channel} ${day}`)!
/** A payment or a refund of ours; the channel tells of it in the file of the day, in another one, or in none. */
async function trade(channel: string, day: Day, [park, kind, fen, feeFen, fileOf = day]: Trade): Promise<string> {
  const [tradeNo, number] = [`${channel}-T${++trades}`, `${channel}-N${trades}`]
  const [order] = await rows(`insert into settlement.order (order_no, type, park_code, receivable_fen) values ($1, 1, $2, 100000) returning id`, [
    fresh('TC'),
    park,
  ])
  const [paidFor] = await rows(
    `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at, heard_at) values ($1, $2, $3, 1, $4, $5, $6, $6, 1, $7, $8) returning id`,
    kind === 1
      ? [order.id, park, number, channel, tradeNo, fen, noon(day), null]
      : [order.id, park, `${number}-P`, channel, `${tradeNo}-P`, fen, noon('2026-09-01' as Day), noon('2026-09-01' as Day)],
  )
  if (kind === 2)
    await rows(
      `insert into settlement.refund (order_id, payment_id, park_code, refund_no, channel_refund_no, amount_fen, reason, state, applicant_name, approvals, applied_at, finished_at) values ($1, $2, $3, $4, $5, $6, '试', 3, '甲', 1, $7, $7)`,
      [order.id, paidFor.id, park, number, tradeNo, fen, noon(day)],
    )
  if (fileOf)
    linesOf(channel, fileOf).push({ kind: kind === 1 ? 'payment' : 'refund', tradeNo, number, amountFen: fen, feeFen, at: cityTime(noon(fileOf)) })
  return tradeNo
}
const take = (channel: string, checkDate: Day, lines = linesOf(channel, checkDate), more = {}) =>
  writing(async (tx) =>
    takeFile(tx, {
      checkDate,
      channel,
      file: await tradesOf(channel, billOf(channel, lines)),
      fileName: 'f',
      importedName: '甲',
      mchId: 'm',
      at,
      ...more,
    }),
  )
/** A day of a channel with these trades, and its file. */
async function aDay(channel: string, checkDate: Day, of: Trade[] = []) {
  for (const one of of) await trade(channel, checkDate, one)
  return take(channel, checkDate)
}
const who = { userId: randomUUID(), userName: '甲' }
const other = { userId: randomUUID(), userName: '乙' }
const at = '2026-10-05T02:00:00.000Z' as Instant
const close = (channel: string, checkDate = DAY, begins = true) => closeDay(writing, { checkDate, channel, begins }, who, at)
const ask = (channel: string, checkDate = DAY) => writing((tx) => askReopen(tx, { checkDate, channel } as never, '补发文件', who, at))
const decide = (channel: string, pass: boolean, by = other, checkDate = DAY) =>
  writing((tx) => decideReopen(tx, { checkDate, channel } as never, pass, by, at))
const booked = async (channel: string, checkDate = DAY) =>
  (await writing((tx) => linesAbout(tx, `DZ${checkDate}-${channel}`))).map(({ bizType, parkCode, account, sub, debitFen, creditFen }) => [
    bizType,
    parkCode,
    account,
    sub,
    debitFen,
    creditFen,
  ])
async function reopened(channel: string, checkDate: Day) {
  await ask(channel, checkDate)
  await decide(channel, true, other, checkDate)
}
const code = (number: number) => ({ code: number })

test('a day that is not over is not closed, however even it is', async () => {
  const channel = fresh('c')
  const today = '2026-10-05' as Day
  await trade(channel, today, ['P001', 1, 1000, 6])
  expect(await take(channel, today, linesOf(channel, today), { named: [] })).toMatchObject({ state: 2 })
  await expect(close(channel, today)).rejects.toMatchObject(code(40576))
})

test('closing a day books what came less what went back and the fee, park by park, and what lies across days not at all', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [
    ['P001', 1, 1000, 6],
    ['P001', 1, 500, 3],
    ['P001', 2, 300, -1],
    ['P002', 1, 40, 0],
    ['P002', 1, 9999, 9, NEXT],
    ['P003', 2, 70, 0],
    ['P004', 1, 5, 0],
    ['P004', 2, 5, 0],
  ])
  await aDay(channel, NEXT, [['P001', 1, 8888, 8]])
  await aDay(fresh('c'), DAY, [['P001', 1, 7777, 7]])
  const closed = await close(channel)
  expect(closed).toMatchObject({ state: 3, closedName: '甲', closedAt: at })
  expect(await booked(channel)).toEqual([
    ['check.closed', 'P001', 'asset.bank', channel, 1192, 0],
    ['check.closed', 'P001', 'expense.channel-fee', channel, 8, 0],
    ['check.closed', 'P001', 'asset.channel', channel, 0, 1200],
    ['check.closed', 'P002', 'asset.bank', channel, 40, 0],
    ['check.closed', 'P002', 'asset.channel', channel, 0, 40],
    ['check.closed', 'P003', 'asset.bank', channel, 0, 70],
    ['check.closed', 'P003', 'asset.channel', channel, 70, 0],
  ])
  expect(await rows('select cardinality(entry_ids) as n from settlement.check_total where channel = $1 and check_date = $2', [channel, DAY])).toEqual(
    [{ n: 3 }],
  )
  await expect(close(channel)).rejects.toMatchObject(code(40010))
  expect(await booked(channel)).toHaveLength(7)
})

test('a day is closed when nothing of it is open, and after those before it', async () => {
  const channel = fresh('c')
  const over = (n: number): BillLine => ({
    kind: 'payment',
    tradeNo: `${channel}-X${n}`,
    number: `X${n}`,
    amountFen: 100,
    feeFen: 0,
    at: cityTime(noon(DAY)),
  })
  await take(channel, DAY, [1, 2, 3, 4].map(over))
  await expect(close(channel)).rejects.toMatchObject({
    code: 40567,
    message: expect.stringMatching(/ 4 differences still open \(.*X\d, .*X\d, .*X\d, …\)/),
  })
  await aDay(channel, NEXT, [['P001', 1, 100, 1]])
  await aDay(channel, BEFORE, [['P001', 1, 100, 1]])
  await expect(close(channel, NEXT)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(BEFORE) })
  await close(channel, BEFORE)
  await expect(close(channel, NEXT)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(DAY) })
  await take(channel, DAY, [])
  await close(channel)
  expect(await close(channel, NEXT)).toMatchObject({ state: 3 })
})

test('money that came since the file did keeps the day from being closed: it is named, and stands in the day for somebody to settle', async () => {
  const channel = fresh('c')
  expect(await aDay(channel, DAY, [['P001', 1, 1000, 6]])).toMatchObject({ state: 2, diffCount: 0 })
  const late = await trade(channel, DAY, ['P001', 1, 500, 3, null])
  await expect(close(channel)).rejects.toMatchObject({
    code: 40567,
    texts: [expect.stringContaining(`1 笔差异未平（${late}）`), expect.stringContaining(late)],
  })
  expect(await booked(channel)).toEqual([])
  const [open] = await rows('select id, version, result, diff_state from settlement.check_detail where channel = $1 and trade_no = $2', [
    channel,
    late,
  ])
  expect(open).toMatchObject({ result: 3, diffState: 0 })
  expect(await rows('select state, open_count, plat_count from settlement.check_total where channel = $1', [channel])).toEqual([
    { state: 1, openCount: 1, platCount: 2 },
  ])
  const said = await writing((tx) => settle(tx, { id: open.id, version: open.version, closing: 3, note: '已核对' }, who, at))
  await writing((tx) => decideDifference(tx, { id: open.id, version: said.version, pass: true }, other, at))
  expect(await close(channel)).toMatchObject({ state: 3, platFen: 1500, chanFen: 1000 })
  expect((await till.replay()).differences).toEqual([])
})

test('money that came since both files did makes a day even that was not, and the day beside it as well', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  const late: BillLine = { kind: 'payment', tradeNo: `${channel}-L`, number: `${channel}-LN`, amountFen: 700, feeFen: 4, at: cityTime(noon(NEXT)) }
  expect(await take(channel, NEXT, [late])).toMatchObject({ state: 1, openCount: 1 })
  const [order] = await rows(`insert into settlement.order (order_no, type, park_code, receivable_fen) values ($1, 1, 'P001', 100000) returning id`, [
    fresh('TC'),
  ])
  await rows(
    `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at) values ($1, 'P001', $2, 1, $3, $4, 700, 700, 1, $5)`,
    [order.id, late.number, channel, late.tradeNo, noon(DAY)],
  )
  expect(await close(channel)).toMatchObject({ state: 3, diffCount: 1, openCount: 0 })
  expect(await close(channel, NEXT)).toMatchObject({ state: 3, chanFen: 700 })
})

const resultsOf = async (channel: string, day: Day) =>
  (
    await rows(
      'select trade_no, result, diff_state, plat_fen, in_file from settlement.check_detail where channel = $1 and check_date = $2 order by trade_no',
      [channel, day],
    )
  ).map(({ tradeNo, result, diffState, platFen, inFile }) => [tradeNo, result, diffState, platFen, inFile])
const overShort = async (channel: string, tradeNo: string) => {
  const [open] = await rows('select id, version from settlement.check_detail where channel = $1 and trade_no = $2 and diff_state = 0', [
    channel,
    tradeNo,
  ])
  const said = await writing((tx) => settle(tx, { id: open.id, version: open.version, closing: 3, note: '已核对' }, who, at))
  await writing((tx) => decideDifference(tx, { id: open.id, version: said.version, pass: true }, other, at))
}

test('money heard of when its day was closed, and in no file, is somebody’s to explain on the open day, once; the closed day stays as it was', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  const closed = await close(channel)
  const late = await trade(channel, DAY, ['P001', 1, 500, 3, null])
  expect(await aDay(channel, NEXT, [['P001', 1, 40, 0]])).toMatchObject({ state: 1, openCount: 1, platFen: 540, chanFen: 40 })
  expect((await resultsOf(channel, NEXT)).find(([tradeNo]) => tradeNo === late)).toEqual([late, 3, 0, 500, false])
  await overShort(channel, late)
  expect(await close(channel, NEXT)).toMatchObject({ state: 3, openCount: 0 })
  expect(await aDay(channel, AFTER, [['P001', 1, 7, 0]])).toMatchObject({ state: 2, platFen: 7 })
  expect(await rows('select version, plat_fen from settlement.check_total where channel = $1 and check_date = $2', [channel, DAY])).toEqual([
    { version: closed.version, platFen: 1000 },
  ])
})

test('money heard of late that the next file tells of lies across days, and is no difference', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  await close(channel)
  const late = await trade(channel, DAY, ['P001', 1, 500, 3, NEXT])
  expect(await aDay(channel, NEXT)).toMatchObject({ state: 2, platFen: 500, chanFen: 500 })
  expect(await resultsOf(channel, NEXT)).toEqual([[late, 6, 3, 500, true]])
  expect(await close(channel, NEXT)).toMatchObject({ state: 3 })
})

test('what a closed day booked as over, and is heard of after all, is short on the open day: it is not had twice', async () => {
  const channel = fresh('c')
  const tradeNo = `${channel}-T${trades + 1}`
  await take(channel, DAY, [{ kind: 'payment', tradeNo, number: `${channel}-N${trades + 1}`, amountFen: 500, feeFen: 0, at: cityTime(noon(DAY)) }])
  await overShort(channel, tradeNo)
  await close(channel)
  expect(await trade(channel, DAY, ['P001', 1, 500, 0, null])).toBe(tradeNo)
  await take(channel, NEXT, [])
  expect(await resultsOf(channel, NEXT)).toEqual([[tradeNo, 3, 0, 500, false]])
})

test('what a closed day has under another number, across days or settled by a person is not late, however often its payment was written since', async () => {
  const channel = fresh('c')
  const renamed = await trade(channel, DAY, ['P001', 1, 100, 0, null])
  linesOf(channel, DAY).push({
    kind: 'payment',
    tradeNo: `${renamed}-bank`,
    number: renamed.replace('-T', '-N'),
    amountFen: 100,
    feeFen: 0,
    at: cityTime(noon(DAY)),
  })
  const across = await trade(channel, DAY, ['P001', 1, 200, 0, NEXT])
  const explained = await trade(channel, DAY, ['P001', 1, 300, 0, null])
  await aDay(channel, DAY)
  await take(channel, NEXT)
  await overShort(channel, explained)
  await close(channel)
  await rows('update settlement.payment set updated_at = now() where channel = $1', [channel])
  expect(await take(channel, NEXT, linesOf(channel, NEXT).toReversed())).toMatchObject({ state: 2 })
  expect(await close(channel, NEXT)).toMatchObject({ state: 3, openCount: 0 })
  expect(await resultsOf(channel, NEXT)).toEqual([[across, 6, 3, null, true]])
})

test('whoever would close a day hears which one is to be closed before it, and what lies in the file of that one is not told as left out of clearing', async () => {
  const channel = fresh('c')
  await trade(channel, BEFORE, ['P001', 1, 700, 0, null])
  await rows('update settlement.payment set heard_at = paid_at where channel = $1', [channel])
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  await aDay(channel, NEXT, [
    ['P001', 1, 400, 2],
    ['P001', 2, 150, 0],
  ])
  await aDay(channel, AFTER, [['P001', 1, 100, 0]])
  const before = (checkDate: Day) => writing((tx) => uncleared(tx, { channel, checkDate }))
  // The refund's own payment was in September.
  const left = { count: 2, fen: 850, from: '2026-09-01' }
  const day = { checkDate: DAY, channel, state: 2, chanFen: 1000, chanRefundFen: 0 }
  expect(await before(AFTER)).toEqual({ ...left, first: day })
  expect(await before(DAY)).toEqual({ ...left, first: null })
  await close(channel)
  expect(await before(AFTER)).toEqual({ count: 0, fen: 0, from: null, first: { ...day, checkDate: NEXT, chanFen: 400, chanRefundFen: 150 } })
  await close(channel, NEXT, false)
  expect(await before(AFTER)).toMatchObject({ count: 0, first: null })
})

test('a channel’s first closing asks whether clearing begins there, says from when and how much is not cleared, and keeps it with the day', async () => {
  const channel = fresh('c')
  const [OLD, OLDER] = ['2026-09-20', '2026-08-31'] as [Day, Day]
  await trade(channel, OLDER, ['P001', 1, 700, 0, null])
  await trade(channel, OLD, ['P001', 2, 250, 0, null])
  await rows('update settlement.payment set heard_at = paid_at where channel = $1', [channel])
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  const before = () => writing((tx) => uncleared(tx, { channel, checkDate: DAY }))
  expect(await before()).toEqual({ count: 3, fen: 700, from: OLDER, first: null })
  await expect(close(channel, DAY, false)).rejects.toMatchObject({
    code: 40557,
    texts: [expect.stringContaining(`${DAY} 之前有 3 笔交易未对账（净额 7.00 元，最早 ${OLDER}）`), expect.stringContaining('¥7.00')],
  })
  expect(await booked(channel)).toEqual([])
  expect(await close(channel)).toMatchObject({ state: 3, beforeCount: 3, beforeFen: 700, beforeFrom: OLDER })
  expect(await before()).toEqual({ count: 3, fen: 700, from: OLDER, first: null })
  await aDay(channel, NEXT, [['P001', 1, 100, 0]])
  expect(await writing((tx) => uncleared(tx, { channel, checkDate: NEXT }))).toEqual({ count: 0, fen: 0, from: null, first: null })
  expect(await close(channel, NEXT, false)).toMatchObject({ state: 3, beforeCount: null })
  await reopened(channel, NEXT)
  await reopened(channel, DAY)
  expect(await rows('select before_count from settlement.check_total where channel = $1 and check_date = $2', [channel, DAY])).toEqual([
    { beforeCount: null },
  ])
  await expect(close(channel, DAY, false)).rejects.toMatchObject(code(40557))
})

test('what came before clearing began stays there however often it is written; what is heard of later, and money of a day that nobody opened, counts on the first open day', async () => {
  const channel = fresh('c')
  const known = await trade(channel, BEFORE, ['P001', 1, 700, 0, null])
  await rows('update settlement.payment set heard_at = $2 where channel = $1', [channel, '2026-10-02T01:00:00Z'])
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  await close(channel)
  await aDay(channel, AFTER, [['P001', 1, 100, 0]])
  await close(channel, AFTER)
  await rows('update settlement.payment set updated_at = now() where channel = $1', [channel])
  const news = [await trade(channel, BEFORE, ['P001', 1, 60, 0, null]), await trade(channel, NEXT, ['P001', 1, 70, 0, null])]
  await writing((tx) => compareLate(tx, channel, at))
  await take(channel, LAST, [], { named: [] })
  expect((await resultsOf(channel, LAST)).map(([tradeNo, result]) => [tradeNo, result]).sort()).toEqual(news.map((tradeNo) => [tradeNo, 3]).sort())
  expect(await rows('select cleared_on from settlement.payment where trade_no = $1', [known])).toEqual([{ clearedOn: BEFORE }])
})

test('from midnight on yesterday awaits its file with what we have of it, before anybody asks the channel', async () => {
  const channel = fresh('c')
  await trade(channel, DAY, ['P001', 1, 1000, 6])
  const found = () => rows('select check_date, state, plat_fen from settlement.check_total where channel = $1', [channel])
  await writing((tx) => awaitFiles(tx, `${DAY}T15:59:59.000Z` as Instant))
  expect(await found()).toEqual([])
  await writing((tx) => awaitFiles(tx, `${DAY}T16:00:00.000Z` as Instant))
  expect(await found()).toEqual([{ checkDate: DAY, state: 0, platFen: 1000 }])
  await take(channel, DAY)
  await close(channel)
})

test('a day that only gave money back is not passed over', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  await close(channel)
  await trade(channel, NEXT, ['P001', 2, 300, 0])
  await aDay(channel, AFTER, [['P001', 1, 100, 0]])
  await expect(close(channel, AFTER)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(NEXT) })
  await writing((tx) => askForFiles(tx, at))
  expect(
    await rows('select state, plat_refund_fen from settlement.check_total where channel = $1 and check_date = $2', [channel, NEXT]),
  ).toMatchObject([{ state: 0 }])
  await take(channel, NEXT)
  await close(channel, NEXT)
  expect(await close(channel, AFTER)).toMatchObject({ state: 3 })
})

test('money heard of late opens the next day even where nothing else has, and waits there for its file; one that was even has it among its differences', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6]])
  await close(channel)
  await trade(channel, DAY, ['P001', 1, 500, 3, null])
  await writing((tx) => compareLate(tx, channel, at))
  expect(await rows('select check_date, state from settlement.check_total where channel = $1 and state <> 3', [channel])).toEqual([
    { checkDate: NEXT, state: 0 },
  ])
  await expect(close(channel, NEXT)).rejects.toMatchObject(code(40510))
  expect(await take(channel, NEXT, [])).toMatchObject({ state: 1, openCount: 1 })
  const second = await trade(channel, DAY, ['P001', 1, 60, 0, null])
  await writing((tx) => compareLate(tx, channel, at))
  expect((await resultsOf(channel, NEXT)).map(([tradeNo, result]) => [tradeNo, result])).toContainEqual([second, 3])
  expect(await rows('select open_count from settlement.check_total where channel = $1 and check_date = $2', [channel, NEXT])).toEqual([
    { openCount: 2 },
  ])
})

test('a payment that comes while its day is closed is a difference of that day or of the next: never of none, never of both', async () => {
  for (let round = 0; round < 12; round++) {
    const channel = fresh('c')
    await aDay(channel, DAY, [['P001', 1, 1000, 6]])
    const [closing, late] = await Promise.allSettled([close(channel), trade(channel, DAY, ['P001', 1, 500, 3, null])])
    await take(channel, NEXT, [])
    const of = (day: Day) =>
      resultsOf(channel, day).then((all) => all.filter(([tradeNo]) => late.status === 'fulfilled' && tradeNo === late.value).length)
    expect([await of(DAY), await of(NEXT)]).toEqual(closing.status === 'fulfilled' ? [0, 1] : [1, 0])
  }
})

test('a day is compared again at somebody’s word: what came meanwhile makes it even, what is closed or has no file is not compared', async () => {
  const channel = fresh('c')
  const again = (checkDate = DAY) => writing((tx) => compareDay(tx, { checkDate, channel }, at))
  await trade(channel, DAY, ['P001', 1, 1000, 6])
  const line: BillLine = { kind: 'payment', tradeNo: `${channel}-L`, number: `${channel}-LN`, amountFen: 700, feeFen: 4, at: cityTime(noon(DAY)) }
  linesOf(channel, DAY).push(line)
  expect(await aDay(channel, DAY)).toMatchObject({ state: 1, openCount: 1 })
  expect(await again()).toMatchObject({ state: 1, openCount: 1 })
  const [order] = await rows(`insert into settlement.order (order_no, type, park_code, receivable_fen) values ($1, 1, 'P001', 100000) returning id`, [
    fresh('TC'),
  ])
  await rows(
    `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at) values ($1, 'P001', $2, 1, $3, $4, 700, 700, 1, $5)`,
    [order.id, line.number, channel, line.tradeNo, noon(DAY)],
  )
  expect(await again()).toMatchObject({ state: 2, openCount: 0 })
  await close(channel)
  await expect(again()).rejects.toMatchObject(code(40010))
  await trade(channel, NEXT, ['P001', 1, 10, 0, null])
  await writing((tx) => askForFiles(tx, at))
  await expect(again(NEXT)).rejects.toMatchObject(code(40510))
})

test('a repayment’s trade is confirmed while one of its debts is paid by an added order: nobody waits in a ring, and the debt is paid once', async () => {
  for (let round = 0; round < 12; round++) {
    const channel = fresh('c')
    const debt = await till.anOrder({ receivableFen: 500, owed: true, plateNo: `鄂B${10_000 + round}` })
    const { plateNo, parkCode } = debt
    const repay = await writing((tx) =>
      openRepayment(tx, { parts: [{ orderId: debt.id, amountFen: 500 }], place: 3, plateNo, plateColor: 0, parkCode, at: now() }),
    )
    await rows(`insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, amount_fen) values ($1, $2, $3, 1, $4, 500)`, [
      repay.id,
      parkCode,
      `${channel}-R`,
      channel,
    ])
    const told = ['R', 'X'].map((name): BillLine => ({
      kind: 'payment',
      tradeNo: `${channel}-T${name}`,
      number: `${channel}-${name}`,
      amountFen: 500,
      feeFen: 0,
      at: cityTime(noon(DAY)),
    }))
    expect(await take(channel, DAY, told)).toMatchObject({ openCount: 2 })
    const [state] = await rows('select id, version from settlement.check_detail where channel = $1 and result = 5', [channel])
    const said = await writing((tx) => settle(tx, { id: state.id, version: state.version, closing: 1, note: '已到账' }, who, at))
    const asked = await writing((tx) => apply(tx, { tradeNo: `${channel}-TX`, orderNo: debt.orderNo, reason: '试', evidence: '/a.png' }, who, at))
    const done = await Promise.allSettled([
      writing((tx) => decideDifference(tx, { id: state.id, version: said.version, pass: true }, other, at)),
      writing((tx) => decideAddition(tx, { id: asked.id, version: asked.version, pass: true }, other, at)),
    ])
    expect(done.flatMap((one) => (one.status === 'rejected' && one.reason.code !== 40505 ? [String(one.reason)] : []))).toEqual([])
    expect(await rows('select status, paid_fen from settlement.order where id = $1', [debt.id])).toEqual([{ status: 2, paidFen: 500 }])
  }
  expect((await till.replay()).differences).toEqual([])
})

test('a day without its file is not closed, and says so', async () => {
  const channel = fresh('c')
  await trade(channel, DAY, ['P001', 1, 1000, 6])
  await writing((tx) => askForFiles(tx, at))
  await expect(close(channel)).rejects.toMatchObject({ code: 40510, message: expect.stringContaining(DAY) })
})

test('a payment that comes while its day is closed is compared, or comes after: never is a day closed that was not even', async () => {
  for (let round = 0; round < 20; round++) {
    const channel = fresh('c')
    await aDay(channel, DAY, [['P001', 1, 1000, 6]])
    const [closing] = await Promise.allSettled([close(channel), trade(channel, DAY, ['P001', 1, 500, 3, null])])
    const [day] = await rows('select state, open_count, plat_count from settlement.check_total where channel = $1', [channel])
    expect(day).toEqual(closing.status === 'fulfilled' ? { state: 3, openCount: 0, platCount: 1 } : { state: 1, openCount: 1, platCount: 2 })
  }
})

test('the last closed day is opened again by two people, and its entries are turned round', async () => {
  const channel = fresh('c')
  await aDay(channel, BEFORE, [['P001', 1, 100, 1]])
  await aDay(channel, DAY, [
    ['P001', 1, 1000, 6],
    ['P002', 1, 50, 0],
  ])
  await aDay(channel, NEXT, [['P001', 1, 10, 0]])
  for (const call of [() => ask(channel), () => decide(channel, true)]) await expect(call()).rejects.toMatchObject(code(40010))
  await close(channel, BEFORE)
  await close(channel)
  await close(channel, NEXT)
  await expect(ask(channel, BEFORE)).rejects.toMatchObject({ code: 40569, message: expect.stringContaining(NEXT) })
  await ask(channel, NEXT)
  await decide(channel, true, other, NEXT)
  await expect(decide(channel, true)).rejects.toMatchObject(code(40570))
  expect(await ask(channel)).toMatchObject({ state: 3, reopenName: '甲', reopenReason: '补发文件' })
  await expect(decide(channel, true, who)).rejects.toMatchObject(code(40506))
  expect(await decide(channel, false)).toMatchObject({ state: 3, reopenName: null, reopenReason: null, closedName: '甲' })
  await expect(decide(channel, true)).rejects.toMatchObject(code(40570))
  await ask(channel)
  expect(await decide(channel, true)).toMatchObject({
    state: 2,
    closedName: null,
    closedAt: null,
    reopenName: null,
    platFen: 1050,
    chanFen: 1050,
    feeFen: 6,
  })
  expect((await booked(channel)).slice(5)).toEqual(
    [
      ['check.reopened', 'P001', 'asset.bank', channel, 0, 994],
      ['check.reopened', 'P001', 'expense.channel-fee', channel, 0, 6],
      ['check.reopened', 'P001', 'asset.channel', channel, 1000, 0],
      ['check.reopened', 'P002', 'asset.bank', channel, 0, 50],
      ['check.reopened', 'P002', 'asset.channel', channel, 50, 0],
    ].sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
  )
  expect((await close(channel)).state).toBe(3) // closed once more it is booked once more
  expect(await booked(channel)).toHaveLength(15)
  expect((await till.replay()).differences).toEqual([])
})
