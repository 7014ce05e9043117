import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { linesAbout } from '../../../ledger/server/api.ts'
import { fresh } from '../../../ledger/server/testing.ts'
import { aTill, type Till } from '../testing.ts'
import { askReopen, closeDay, decideReopen } from './closing.ts'

/** What a day of a channel comes to: the money that goes into the bank when it is closed. */
let till: Till
beforeAll(async () => {
  till = await aTill({ role: 'web' })
})
afterAll(() => till.close())
const writing = <T>(work: (tx: Tx) => Promise<T>) => till.server.house.writing(1, 'test', work)
const rows = <Row extends object = any>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  writing((tx) => run<Row>(tx, { sql }, values))

const [BEFORE, DAY, NEXT] = ['2026-10-01', '2026-10-02', '2026-10-03'] as [Day, Day, Day]
/** A day of a channel of its own, all even, with these trades of its file: park, kind, amount and fee. */
async function aDay(
  channel: string,
  checkDate: Day,
  trades: [park: string, kind: 1 | 2, fen: number, feeFen: number, inFile?: boolean][] = [],
  state = 2,
) {
  for (const [place, [parkCode, kind, fen, feeFen, inFile = true]] of trades.entries())
    await rows(
      `insert into settlement.check_detail (check_date, channel, kind, match_key, park_code, plat_fen, chan_fen, fee_fen, in_file, result, diff_state) values ($1, $2, $3, $4, $5, $6, $6, $7, $8, 1, 3)`,
      [checkDate, channel, kind, `${place}`, parkCode, fen, feeFen, inFile],
    )
  await rows(`insert into settlement.check_total (check_date, channel, state, digest, open_count) values ($1, $2, $3, 'x', $4)`, [
    checkDate,
    channel,
    state,
    state === 1 ? 3 : 0,
  ])
}
const who = { userId: randomUUID(), userName: '甲' }
const other = { userId: randomUUID(), userName: '乙' }
const at = '2026-10-05T02:00:00Z' as Instant
const close = (channel: string, checkDate = DAY) => writing((tx) => closeDay(tx, { checkDate, channel } as never, who, at))
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
const code = (number: number) => ({ code: number })

test('a day that is not over is not closed, however even it is', async () => {
  const channel = fresh('c')
  await aDay(channel, '2026-10-05' as Day, [['P001', 1, 1000, 6]])
  await expect(close(channel, '2026-10-05' as Day)).rejects.toMatchObject(code(40576))
})

test('closing a day books what came less what went back and the fee, park by park, and what lies across days not at all', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [['P001', 1, 1000, 6], ['P001', 1, 500, 3], ['P001', 2, 300, -1], ['P002', 1, 40, 0], ['P002', 1, 9999, 9, false], ['P003', 2, 70, 0], ['P004', 1, 5, 0], ['P004', 2, 5, 0]])
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
  expect(await rows('select cardinality(entry_ids) as n from settlement.check_total where channel = $1 and check_date = $2', [channel, DAY])).toEqual([{ n: 3 }])
  await expect(close(channel)).rejects.toMatchObject(code(40010))
  expect(await booked(channel)).toHaveLength(7)
}) // prettier-ignore

test('a day is closed when nothing of it is open, and after those before it', async () => {
  const channel = fresh('c')
  await aDay(channel, DAY, [], 1)
  await expect(close(channel)).rejects.toMatchObject({ code: 40567, message: expect.stringContaining('3') })
  await aDay(channel, NEXT, [['P001', 1, 100, 1]])
  await aDay(channel, BEFORE, [['P001', 1, 100, 1]])
  await expect(close(channel, NEXT)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(BEFORE) })
  await close(channel, BEFORE)
  await expect(close(channel, NEXT)).rejects.toMatchObject({ code: 40568, message: expect.stringContaining(DAY) })
  await rows('update settlement.check_total set state = 2, open_count = 0 where channel = $1 and check_date = $2', [channel, DAY])
  await close(channel)
  expect(await close(channel, NEXT)).toMatchObject({ state: 3 })
})

test('the last closed day is opened again by two people, and its entries are turned round', async () => {
  const channel = fresh('c')
  await aDay(channel, BEFORE, [['P001', 1, 100, 1]])
  await aDay(channel, DAY, [['P001', 1, 1000, 6], ['P002', 1, 50, 0]]) // prettier-ignore
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
  expect(await decide(channel, true)).toMatchObject({ state: 2, closedName: null, closedAt: null, reopenName: null, platFen: 1050, chanFen: 1050, feeFen: 6 })
  expect((await booked(channel)).slice(5)).toEqual([
    ['check.reopened', 'P001', 'asset.bank', channel, 0, 994],
    ['check.reopened', 'P001', 'expense.channel-fee', channel, 0, 6],
    ['check.reopened', 'P001', 'asset.channel', channel, 1000, 0],
    ['check.reopened', 'P002', 'asset.bank', channel, 0, 50],
    ['check.reopened', 'P002', 'asset.channel', channel, 50, 0],
  ].sort((a, b) => String(a[1]).localeCompare(String(b[1]))))
  expect((await close(channel)).state).toBe(3) // closed once more it is booked once more
  expect(await booked(channel)).toHaveLength(15)
  expect((await till.replay()).differences).toEqual([])
}) // prettier-ignore
