import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type BillLine, billOf } from '../../../../city/pay/bills.ts'
import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import { openPool, run, type Tx, writing as writingAs } from '../../../../platform/server/database.ts'
import { fresh } from '../../../ledger/server/testing.ts'
import { aTill, type Till, until } from '../testing.ts'
import { closeDay } from './closing.ts'
import { takeFile } from './day.ts'
import { assign, decide, settle } from './differences.ts'
import { tradesOf } from './files.ts'

/** Each trade as both sides have it, whichever file comes when, and what has been settled or closed meanwhile. */
let till: Till
beforeAll(async () => {
  till = await aTill({ role: 'web' })
})
afterAll(() => till.close())
const writing = <T>(work: (tx: Tx) => Promise<T>) => till.server.house.writing(1, 'test', work)
const rows = <Row extends object = any>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  writing((tx) => run<Row>(tx, { sql }, values))

const [EVE, BEFORE, DAY, NEXT, AFTER] = ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04'] as [Day, Day, Day, Day, Day]
const noon = (day: Day) => `${day}T04:00:00.000Z` as Instant
const AT = '2026-10-10T02:00:00.000Z' as Instant
const who = { userId: randomUUID(), userName: '甲' }
const other = { userId: randomUUID(), userName: '乙' }

/** A channel of its own; its numbers are told without its name. */
function aChannel() {
  const channel = fresh('c')
  const whole = (name: string) => `${channel}-${name}`
  const line = (tradeNo: string, day: Day, { fen = 1000, number = `P${tradeNo}`, kind = 'payment' as BillLine['kind'] } = {}): BillLine => ({
    kind,
    tradeNo: whole(tradeNo),
    number: whole(number),
    amountFen: fen,
    feeFen: 6,
    at: cityTime(noon(day)),
  })
  const order = async () =>
    (
      await rows<{ id: string }>(
        `insert into settlement.order (order_no, type, park_code, receivable_fen) values ($1, 1, 'P001', 100000) returning id`,
        [fresh('TC')],
      )
    )[0]!.id
  const self = {
    channel,
    line,
    async paid(tradeNo: string | null, day: Day, { fen = 1000, number = `P${tradeNo}` } = {}) {
      await rows(
        `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at) values ($1, 'P001', $2, 1, $3, $4, $5, $6, $7, $8)`,
        [await order(), whole(number), channel, tradeNo && whole(tradeNo), fen, tradeNo ? fen : 0, tradeNo ? 1 : 0, tradeNo && noon(day)],
      )
    },
    async refunded(tradeNo: string, day: Day, { fen = 1000, number = `R${tradeNo}` } = {}) {
      await rows(
        `insert into settlement.refund (order_id, payment_id, park_code, refund_no, channel_refund_no, amount_fen, reason, state, applicant_name, approvals, applied_at, finished_at)
        select order_id, id, park_code, $2, $3, $4, '试', 3, '甲', 1, $5, $5 from settlement.payment where channel = $1 limit 1`,
        [channel, whole(number), whole(tradeNo), fen, noon(day)],
      )
    },
    take: (day: Day, lines: readonly BillLine[]) =>
      writing(async (tx) =>
        takeFile(tx, {
          checkDate: day,
          channel,
          file: await tradesOf(channel, billOf(channel, lines)),
          fileName: 'f',
          importedName: '甲',
          mchId: 'm',
          at: AT,
        }),
      ),
    close: (day: Day) => closeDay(writing, { checkDate: day, channel, begins: true }, who, AT),
    /** Each trade of a day: result, number, ours, theirs, state. */
    async results(day: Day) {
      return (await self.details(day)).map((one) => [one.result, one.tradeNo, one.platFen, one.chanFen, one.diffState])
    },
    details: (day: Day) =>
      rows(
        `select id, replace(trade_no, $2, '') as trade_no, replace(pay_no, $2, '') as pay_no, version, kind, order_id, order_no, park_code, plat_fen, chan_fen, fee_fen, in_file, plat_time, chan_time, result, diff_state, closing, owner_id, updated_at from settlement.check_detail where channel = $1 and check_date = $3 order by kind, 2, in_file`,
        [channel, `${channel}-`, day],
      ),
    /** A difference that somebody ends, and another confirms. */
    async settled(day: Day, result: number, closing = 3) {
      const { id, version } = (await self.details(day)).find((one) => one.result === result)!
      const said = await writing((tx) => settle(tx, { id, version, closing: closing as 3, note: '已核对' }, who, AT))
      await writing((tx) => decide(tx, { id, version: said.version, pass: true }, other, AT))
    },
    /** The money that closing brought into the bank, and the fees on it. */
    banked: async () =>
      (
        await rows<{ fen: number }>(
          `select coalesce(sum(debit_fen - credit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = 1 and account in ('asset.bank', 'expense.channel-fee') and sub = $1`,
          [channel],
        )
      )[0]!.fen,
  }
  return self
}
const code = (number: number) => ({ code: number })

test('a trade that both have alike is even, with what it cost', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.take(DAY, [one.line('a', DAY)])
  expect(await one.details(DAY)).toMatchObject([
    {
      kind: 1,
      payNo: 'Pa',
      tradeNo: 'a',
      parkCode: 'P001',
      platFen: 1000,
      chanFen: 1000,
      feeFen: 6,
      inFile: true,
      platTime: noon(DAY),
      chanTime: noon(DAY),
      result: 1,
      diffState: 3,
      closing: null,
      orderNo: expect.stringMatching(/^TC/),
    },
  ])
})

test('ours alone is short, theirs alone over, another amount stands as such, and an attempt of ours is in another state', async () => {
  const one = aChannel()
  await one.paid('short', DAY)
  await one.paid('amount', DAY)
  await one.paid(null, DAY, { number: 'Pstate' })
  await one.take(DAY, [one.line('over', DAY), one.line('amount', DAY, { fen: 999 }), one.line('state', DAY)])
  expect(await one.results(DAY)).toEqual([
    [4, 'amount', 1000, 999, 0],
    [2, 'over', null, 1000, 0],
    [3, 'short', 1000, null, 0],
    [5, 'state', null, 1000, 0],
  ])
  const [, over, short, state] = await one.details(DAY)
  expect(over).toMatchObject({ orderId: null, orderNo: null, parkCode: '', payNo: 'Pover', feeFen: 6, inFile: true, platTime: null, closing: null })
  expect(short).toMatchObject({ feeFen: 0, inFile: false, chanTime: null, closing: null })
  expect(state).toMatchObject({ orderNo: expect.stringMatching(/^TC/), parkCode: 'P001', platTime: null })
})

test('a refund is never taken for the payment of its number; by our own number goes what has none of the channel’s', async () => {
  const one = aChannel()
  await one.paid('p', BEFORE)
  await one.refunded('a', DAY, { number: 'Pa' })
  await one.paid('ours', DAY, { number: 'Pb' })
  // The number of c is told of d too, which has its own.
  await one.paid('c', DAY, { number: 'Pd' })
  await one.paid('d', DAY, { number: 'Pe' })
  await one.take(DAY, [one.line('a', DAY), one.line('b', DAY), one.line('d', DAY)])
  expect(await one.results(DAY)).toEqual([
    [2, 'a', null, 1000, 0],
    [3, 'c', 1000, null, 0],
    [1, 'd', 1000, 1000, 3],
    [1, 'ours', 1000, 1000, 3],
    [3, 'a', 1000, null, 0],
  ])
  await one.take(DAY, [one.line('a', DAY, { kind: 'refund' }), one.line('b', DAY), one.line('d', DAY)])
  expect((await one.results(DAY)).at(-1)).toEqual([1, 'a', 1000, 1000, 3])
})

test('two refunds that a channel has under one number are not both in its file', async () => {
  const one = aChannel()
  await one.paid('p', BEFORE)
  await one.refunded('a', DAY, { number: 'R1' })
  await one.refunded('a', NEXT, { number: 'R2' })
  await one.take(DAY, [one.line('a', DAY, { kind: 'refund' })])
  expect(await one.results(DAY)).toEqual([[1, 'a', 1000, 1000, 3]])
  await one.take(NEXT, [])
  expect(await one.results(NEXT)).toEqual([[3, 'a', 1000, null, 0]])
})

test('a trade of a neighbour day is across days on both, and with another amount it differs on ours', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.paid('b', DAY)
  await one.paid('c', BEFORE)
  const own = one.line('own', NEXT)
  await one.take(DAY, [one.line('z', DAY, { number: 'Pc' })])
  await one.take(NEXT, [own, one.line('a', NEXT), one.line('b', NEXT, { fen: 900 })])
  expect(await one.results(DAY)).toEqual([
    [6, 'a', 1000, 1000, 3],
    [4, 'b', 1000, 900, 0],
    [6, 'z', null, 1000, 3],
  ])
  expect(await one.results(NEXT)).toEqual([
    [6, 'a', null, 1000, 3],
    [6, 'b', null, 900, 3],
    [2, 'own', null, 1000, 0],
  ])
  expect((await one.details(DAY))[0]).toMatchObject({ closing: 5, inFile: false })
  expect((await one.details(DAY))[2]).toMatchObject({ closing: 5, inFile: true, platTime: noon(BEFORE), parkCode: 'P001' })
})

test('of the days around ours one alone has a trade: its own, else the day before, else the day after, each in any order of the files', async () => {
  for (const order of [
    [BEFORE, DAY, NEXT],
    [NEXT, DAY, BEFORE],
  ] as const) {
    const one = aChannel()
    await one.paid('a', DAY)
    await one.paid('b', DAY)
    const told = { [BEFORE]: ['a', 'b'], [DAY]: ['a'], [NEXT]: ['a', 'b'] } as Record<Day, string[]>
    for (const day of order) await one.take(day, [...told[day]!.map((tradeNo) => one.line(tradeNo, day)), one.line(`own${day}`, day)])
    const found = async (day: Day) => (await one.results(day)).filter(([, tradeNo]) => !String(tradeNo).startsWith('own')).map(([result]) => result)
    expect([await found(BEFORE), await found(DAY), await found(NEXT)]).toEqual([
      [2, 6],
      [1, 6],
      [2, 2],
    ])
  }
})

test('a trade that a closed day has cleared is over in the late file of the day before, and is not brought into the bank twice', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.take(NEXT, [one.line('a', NEXT)])
  await one.close(NEXT)
  const closed = await one.details(NEXT)
  await one.take(DAY, [one.line('a', DAY)])
  expect(await one.results(DAY)).toEqual([
    [6, 'a', 1000, 1000, 3],
    [2, 'a', null, 1000, 0],
  ])
  await expect(one.close(DAY)).rejects.toMatchObject(code(40567))
  expect(await one.details(NEXT)).toEqual(closed)
  expect(await one.banked()).toBe(1000)
})

test('a trade that a closed day told of before its own day came is cleared by it alone', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.take(BEFORE, [one.line('a', BEFORE)])
  await one.close(BEFORE)
  await one.take(DAY, [one.line('a', DAY)])
  expect(await one.results(DAY)).toEqual([
    [6, 'a', 1000, 1000, 3],
    [2, 'a', null, 1000, 0],
  ])
  expect(await one.banked()).toBe(1000)
})

test('what was written off as short, or booked as over, is not cleared across days afterwards', async () => {
  const short = aChannel()
  await short.paid('a', DAY)
  await short.take(DAY, [])
  await short.settled(DAY, 3)
  await short.take(NEXT, [short.line('a', NEXT)])
  expect(await short.results(DAY)).toEqual([[3, 'a', 1000, null, 3]])
  expect(await short.results(NEXT)).toEqual([[2, 'a', null, 1000, 0]])
  const over = aChannel()
  await over.take(NEXT, [over.line('a', NEXT)])
  await over.settled(NEXT, 2)
  await over.paid('a', DAY)
  await over.take(DAY, [])
  expect(await over.results(DAY)).toEqual([[3, 'a', 1000, null, 0]])
})

test('days are closed in their order, also where nobody has looked at a day that has money', async () => {
  const one = aChannel()
  await one.take(EVE, [])
  await one.close(EVE)
  await one.paid('a', DAY)
  await one.take(NEXT, [])
  await expect(one.close(NEXT)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(DAY) })
  await one.take(DAY, [one.line('a', DAY)])
  await one.close(DAY)
  expect(await one.close(NEXT)).toMatchObject({ state: 3 })
})

test('a difference that an import of a neighbour day leaves as it is keeps its id, its version and its owner', async () => {
  const one = aChannel()
  await one.paid('short', DAY)
  await one.paid('late', DAY)
  await one.take(DAY, [one.line('over', DAY), one.line('mine', DAY)])
  const mine = (await one.details(DAY)).find(({ tradeNo }) => tradeNo === 'mine')!
  await writing((tx) => assign(tx, { id: mine.id, version: mine.version }, who, AT))
  const before = await one.details(DAY)
  await one.take(AFTER, [one.line('far', AFTER)])
  expect(await one.details(DAY)).toEqual(before)
  await one.take(NEXT, [one.line('late', NEXT), one.line('own', NEXT)])
  const after = await one.details(DAY)
  expect(after.filter(({ tradeNo }) => tradeNo !== 'late')).toEqual(before.filter(({ tradeNo }) => tradeNo !== 'late'))
  // A difference that changed keeps its id.
  const of = (all: any[]) => all.find(({ tradeNo }) => tradeNo === 'late')
  expect(of(after)).toMatchObject({ id: of(before).id, result: 6, version: of(before).version + 1 })
})

test('a day is compared with its neighbour’s file only where they share a trade', async () => {
  const one = aChannel()
  await one.take(DAY, [one.line('a', DAY)])
  const [{ version }] = await rows('select version from settlement.check_total where channel = $1 and check_date = $2', [one.channel, DAY])
  await one.take(NEXT, [one.line('b', NEXT)])
  await one.take(BEFORE, [one.line('c', BEFORE)])
  expect(await rows('select version from settlement.check_total where channel = $1 and check_date = $2', [one.channel, DAY])).toEqual([{ version }])
})

test('an order is asked for what is over while a neighbour’s file shows that it was paid: the request stays and is barred', async () => {
  const one = aChannel()
  await one.take(NEXT, [one.line('z', NEXT, { number: 'Pz' })])
  const [over] = await one.details(NEXT)
  await rows(
    `insert into settlement.addition (addition_no, detail_id, check_date, channel, trade_no, amount_fen, park_code, reason, evidence, applicant_id, applicant_name)
    values ($1, $2, $3, $4, $5, 1000, 'P001', '试', '/a.png', $6, '甲')`,
    [fresh('BD'), over.id, NEXT, one.channel, `${one.channel}-z`, randomUUID()],
  )
  await one.paid('other', DAY, { number: 'Pz' })
  await one.take(DAY, [one.line('own', DAY), one.line('more', DAY, { number: 'Pz' })])
  expect((await one.details(NEXT))[0]).toMatchObject({ id: over.id })
  // Nor may its file be replaced while somebody asks for it.
  await expect(one.take(NEXT, [one.line('y', NEXT)])).rejects.toMatchObject(code(40562))
})

test('a file that a closed neighbour counts on is replaced only by one that tells of the same trade', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.take(NEXT, [one.line('a', NEXT), one.line('x', NEXT)])
  await one.take(DAY, [])
  await one.close(DAY)
  await expect(one.take(NEXT, [one.line('x', NEXT)])).rejects.toMatchObject(code(40559))
  await expect(one.take(NEXT, [one.line('a', NEXT, { fen: 900 })])).rejects.toMatchObject(code(40559))
  expect(await one.take(NEXT, [one.line('a', NEXT)])).toMatchObject({ state: 2 })
  await one.close(NEXT)
  expect(await one.banked()).toBe(1000)
})

test('a file of a day that is not over, or of another day, is refused', async () => {
  const one = aChannel()
  await expect(one.take('2026-10-10' as Day, [])).rejects.toMatchObject(code(40576))
  await expect(one.take('2031-01-01' as Day, [])).rejects.toMatchObject(code(40576))
  await expect(one.take(DAY, [one.line('a', NEXT)])).rejects.toMatchObject({ code: 40558, message: expect.stringContaining(DAY) })
  expect(await rows('select from settlement.check_total where channel = $1', [one.channel])).toEqual([])
})

test('a file with a line twice, a number that is none or an amount below nothing or beyond all measure is refused whole', async () => {
  const one = aChannel()
  const good = one.line('a', DAY)
  const odd: BillLine[][] = [
    [good, good],
    [{ ...good, tradeNo: '' }],
    [{ ...good, tradeNo: `${good.tradeNo} b` }],
    [{ ...good, tradeNo: 'x'.repeat(65) }],
    [{ ...good, number: '单号' }],
    [{ ...good, amountFen: -1000 }],
    [{ ...good, amountFen: 10_000_000_001 }],
    [{ ...good, feeFen: 10_000_000_001 }],
  ]
  for (const lines of odd) await expect(one.take(DAY, lines)).rejects.toMatchObject(code(40560))
  const most = { ...good, amountFen: 10_000_000_000 }
  expect(await one.take(DAY, [most])).toMatchObject({ chanFen: 10_000_000_000 })
})

test('a trade with another amount on each of two days is cleared by one of them, and the rest is somebody’s to explain', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.take(DAY, [one.line('a', DAY, { fen: 900 })])
  await one.take(NEXT, [one.line('a', NEXT)])
  expect(await one.results(DAY)).toEqual([[4, 'a', 1000, 900, 0]])
  expect(await one.results(NEXT)).toEqual([[2, 'a', null, 1000, 0]])
})

test('the same file, another one and those of the days beside, all imported at once: each trade is cleared once', async () => {
  const one = aChannel()
  await one.paid('a', DAY)
  await one.paid('b', NEXT)
  const files: [Day, BillLine[]][] = [
    [BEFORE, [one.line('a', BEFORE)]],
    [DAY, [one.line('a', DAY), one.line('b', DAY)]],
    [NEXT, [one.line('b', NEXT), one.line('a', NEXT)]],
  ]
  await Promise.all([...files, ...files].map(([day, lines]) => one.take(day, lines)))
  const found = await Promise.all([BEFORE, DAY, NEXT].map((day) => one.results(day)))
  expect(found).toEqual([
    [[2, 'a', null, 1000, 0]],
    [
      [1, 'a', 1000, 1000, 3],
      [2, 'b', null, 1000, 0],
    ],
    [
      [2, 'a', null, 1000, 0],
      [1, 'b', 1000, 1000, 3],
    ],
  ])
})

test('a day that is closed while its neighbour’s file is imported: whichever comes first, the trade of both is cleared once', async () => {
  for (let round = 0; round < 5; round++) {
    const one = aChannel()
    await one.paid('a', DAY)
    await one.take(NEXT, [one.line('a', NEXT)])
    const [closing] = await Promise.allSettled([one.close(NEXT), one.take(DAY, [one.line('a', DAY)])])
    const [next, day] = [(await one.results(NEXT))[0]![0], (await one.results(DAY)).map(([result]) => result)]
    if (closing.status === 'fulfilled') expect([next, day]).toEqual([6, [6, 2]])
    else expect([next, day]).toEqual([2, [1]])
    expect(await one.banked()).toBe(closing.status === 'fulfilled' ? 1000 : 0)
  }
})

test('while a file is compared with a neighbour day, others go on with that day’s differences', async () => {
  const one = aChannel()
  await one.paid('shared', DAY)
  await one.paid('own', NEXT)
  await one.take(NEXT, [one.line('shared', NEXT)])
  const of = async (name: string) => (await one.details(NEXT)).find(({ tradeNo }) => tradeNo === name)!
  const [shared, own] = [await of('shared'), await of('own')]
  expect([shared.result, own.result]).toEqual([6, 3])
  let claimed = false
  let taking: Promise<unknown>
  // Somebody is at the trade that the file changes: its import waits for them, and nobody waits for the import.
  await writing(async (tx) => {
    await run(tx, { sql: 'select id from settlement.check_detail where id = $1 for update' }, [shared.id])
    taking = one.take(DAY, [one.line('shared', DAY)])
    await until(
      async () =>
        (await rows(`select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database() where not l.granted`))
          .length,
      (waiting) => waiting > 0,
    )
    await writing((other) => assign(other, { id: own.id, version: own.version }, who, AT))
    claimed = true
  })
  await taking!
  expect(claimed).toBe(true)
  expect(await of('own')).toMatchObject({ diffState: 1, ownerId: who.userId })
  expect((await one.results(DAY)).map(([result]) => result)).toEqual([1])
  expect(await of('shared')).toMatchObject({ result: 2 })
})

test('a neighbour’s trade is settled while a file that clears it comes: it is cleared by the file, or booked by the person, never both', async () => {
  for (let round = 0; round < 12; round++) {
    const one = aChannel()
    await one.paid('a', DAY)
    await one.take(DAY, [])
    const [{ id, version }] = (await one.details(DAY)) as [any]
    const said = await writing((tx) => settle(tx, { id, version, closing: 3, note: '已核对' }, who, AT)).catch(() => undefined)
    await writing((tx) => decide(tx, { id, version: said!.version, pass: false }, other, AT))
    const back = (await one.details(DAY))[0]
    await Promise.all([
      one.take(NEXT, [one.line('a', NEXT)]),
      writing((tx) => settle(tx, { id, version: back.version, closing: 3, note: '已核对' }, who, AT)).catch(() => undefined),
    ])
    const [ours, theirs] = [(await one.details(DAY))[0], (await one.details(NEXT))[0]]
    expect([ours.result, theirs.result, ours.diffState]).toEqual(ours.diffState === 2 ? [3, 2, 2] : [6, 6, 3])
  }
})

test('whoever sees some parks neither imports a file nor closes a day: all other money would be missing', async () => {
  const one = aChannel()
  await one.take(DAY, [])
  const pool = openPool(till.server.appUrl, 1)
  onTestFinished(() => pool.end())
  const some = <T>(work: (tx: Tx) => Promise<T>) =>
    writingAs(pool, { enterprise: 1, parks: ['P001'] }, { userId: who.userId, userName: '甲', via: 'test', requestId: '' }, work)
  const file = await tradesOf(one.channel, billOf(one.channel, [one.line('a', NEXT)]))
  const { channel } = one
  await expect(
    some((tx) => takeFile(tx, { checkDate: NEXT, channel, file, fileName: 'f', importedName: '甲', mchId: 'm', at: AT })),
  ).rejects.toMatchObject(code(40577))
  await expect(closeDay(some, { checkDate: DAY, channel }, who, AT)).rejects.toMatchObject(code(40577))
  expect(await one.close(DAY)).toMatchObject({ state: 3 })
})
