import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { reading } from '../../../platform/server/database.ts'
import { accountNames, ACCOUNTS } from '../contract/account.ts'
import { post, reverse, statement, subNames } from './api.ts'
import { at, type Books, fresh, posting, theBooks } from './testing.ts'

let books: Books
let asked: string[] = []
beforeAll(async () => {
  books = await theBooks()
})
afterAll(
  subNames.answer('test', async (_tx, subs) => {
    asked.push(...subs.map(({ sub }) => sub))
    return subs.filter(({ account }) => account === 'asset.cash').map((one) => ({ ...one, zh: `甲${one.sub}`, en: `A${one.sub}` }))
  }),
)
afterAll(() => books.close())

test('an entry is kept as it was told, line by line, without those of nothing', async () => {
  const [about, bizNo, sub, parkCode] = [fresh('o'), fresh('n'), fresh('s'), fresh('P')]
  const told = { about, bizNo, parkCode, memo: '租金', business: 'rent', at: '2026-11-20T16:00:00.000Z' as Instant } as const
  asked = []
  const entryId = await books.posted(
    [
      { account: 'asset.cash', sub, debitFen: 500 },
      { account: 'contra.discount', debitFen: 0, creditFen: 0 },
      { account: 'income.rent', creditFen: 450 },
      { account: 'income.parking', creditFen: 50 },
    ],
    told,
  )
  const line = {
    entryId,
    at: '2026-11-20T16:00:00.000Z',
    day: '2026-11-21',
    parkCode,
    bizType: 'test',
    bizNo,
    about,
    memo: '租金',
    debitFen: 0,
    creditFen: 0,
    sub: '',
    subName: null,
    subNameEn: null,
  }
  expect(await books.get('/entry/about', { about })).toEqual([
    { ...line, seq: 1, account: 'asset.cash', sub, debitFen: 500, subName: `甲${sub}`, subNameEn: `A${sub}` },
    { ...line, seq: 2, account: 'income.rent', creditFen: 450 },
    { ...line, seq: 3, account: 'income.parking', creditFen: 50 },
  ])
  expect(asked).toEqual([sub]) // nobody is asked for the name of nothing
  const alone = fresh('n')
  await books.posted(
    [
      { account: 'asset.bank', debitFen: 1 },
      { account: 'asset.cash', creditFen: 1 },
    ],
    { bizNo: alone },
  )
  expect(await books.get('/entry/about', { about: alone })).toMatchObject([{ about: alone, memo: null }, { creditFen: 1 }])
})

test('what no number can hold, or says nothing, is refused or left', async () => {
  const none = [
    { account: 'asset.cash', debitFen: 0 },
    { account: 'income.rent', creditFen: 0 },
  ] as const
  expect(await books.writing((tx) => post(tx, posting(none)))).toBeUndefined()
  const both = (fen: number) =>
    [
      { account: 'asset.cash', debitFen: fen },
      { account: 'income.rent', creditFen: fen },
    ] as const
  await expect(books.posted(both(2 ** 53))).rejects.toMatchObject({ code: 40401 })
  const half = [
    { account: 'asset.cash', debitFen: 1.5 },
    { account: 'income.rent', creditFen: 1 },
    { account: 'income.parking', creditFen: 0.5 },
  ] as const
  await expect(books.posted(half)).rejects.toMatchObject({ code: 40401 })
  const back = [
    { account: 'asset.cash', debitFen: 3 },
    { account: 'asset.bank', debitFen: -1 },
    { account: 'income.rent', creditFen: 2 },
  ] as const
  await expect(books.posted(back)).rejects.toMatchObject({ code: 40401 })
  const given = [
    { account: 'asset.cash', debitFen: 1 },
    { account: 'asset.bank', creditFen: -1 },
    { account: 'income.rent', creditFen: 2 },
  ] as const
  await expect(books.posted(given)).rejects.toMatchObject({ code: 40401 })
  const sides = [
    { account: 'asset.cash', debitFen: 1, creditFen: 2 },
    { account: 'asset.bank', debitFen: 1 },
  ] as const
  await expect(books.posted(sides)).rejects.toMatchObject({ code: 40401 })
  const turned = [
    { account: 'asset.cash', debitFen: 2, creditFen: 1 },
    { account: 'asset.bank', creditFen: 1 },
  ] as const
  await expect(books.posted(turned)).rejects.toMatchObject({ code: 40401 })
})

test('a reversal is of the same park, business and number, with the sides exchanged and the lines in their order', async () => {
  const [about, sub, parkCode] = [fresh('o'), fresh('s'), fresh('P')]
  const entryId = await books.posted(
    [
      { account: 'asset.cash', sub, debitFen: 70 },
      { account: 'contra.discount', debitFen: 30 },
      { account: 'income.rent', creditFen: 100 },
    ],
    { about, parkCode, business: 'rent' },
  )
  await books.posted([
    { account: 'asset.bank', debitFen: 5 },
    { account: 'asset.cash', creditFen: 5 },
  ])
  const undo = { bizType: 'undo', bizNo: fresh('u'), at, memo: '记错' }
  const undone = await books.writing((tx) => reverse(tx, entryId, undo))
  const [, , , ...lines] = await books.get('/entry/about', { about })
  const line = { entryId: undone.entryId, parkCode, about, bizType: 'undo', bizNo: undo.bizNo, memo: '记错' }
  expect(lines).toMatchObject([
    { ...line, seq: 1, account: 'asset.cash', sub, debitFen: 0, creditFen: 70 },
    { ...line, seq: 2, account: 'contra.discount', debitFen: 0, creditFen: 30 },
    { ...line, seq: 3, account: 'income.rent', debitFen: 100, creditFen: 0 },
  ])
  expect(lines).toHaveLength(3)
  expect(await books.trying((ask) => ask('select business, reverses from ledger.entry where id = $1', [undone.entryId]))).toEqual([
    { business: 'rent', reverses: entryId },
  ])
  const none = '00000000-0000-7000-8000-000000000000'
  await expect(books.writing((tx) => reverse(tx, none, undo))).rejects.toMatchObject({ code: 404 })
})

test('balances are told by park and over all of them, each on its own side, in the order of the chart', async () => {
  const [sub, other, here, there] = [fresh('s'), fresh('t'), fresh('P'), fresh('P')]
  const cash = (of: string, debitFen: number, parkCode: string) =>
    books.posted(
      [
        { account: 'asset.cash', sub: of, debitFen },
        { account: 'income.rent', sub: of, creditFen: debitFen },
      ],
      { parkCode },
    )
  await cash(sub, 500, here)
  await cash(sub, 60, there)
  await cash(other, 7, here)
  await books.posted(
    [
      { account: 'income.rent', sub, debitFen: 20 },
      { account: 'asset.cash', sub, creditFen: 20 },
    ],
    { parkCode: here },
  )
  const of = (rows: any[]) =>
    rows
      .filter((row) => row.sub === sub || row.sub === other)
      .map(({ account, sub: whose, debitFen, creditFen, balanceFen }) => [account, whose, debitFen, creditFen, balanceFen])
  const atHere = await books.get('/account/list', { parkCode: here })
  expect(atHere).toHaveLength(4)
  expect(of(atHere)).toEqual([
    ['asset.cash', sub, 500, 20, 480],
    ['asset.cash', other, 7, 0, 7],
    ['income.rent', sub, 20, 500, 480],
    ['income.rent', other, 0, 7, 7],
  ])
  expect(atHere[0]).toMatchObject({ name: '现金', nameEn: 'Cash', kind: 1, normal: 1, subName: `甲${sub}`, subNameEn: `A${sub}` })
  expect(atHere[2]).toMatchObject({ name: accountNames['income.rent'][0], kind: 3, normal: 2, subName: null })
  const all = await books.get('/account/list')
  expect(of(all)).toEqual([
    ['asset.cash', sub, 560, 20, 540],
    ['asset.cash', other, 7, 0, 7],
    ['income.rent', sub, 20, 560, 540],
    ['income.rent', other, 0, 7, 7],
  ])
  const places = all.map(({ account }: any) => ACCOUNTS.indexOf(account))
  expect(places).toEqual(places.toSorted((a: number, b: number) => a - b))
})

test('what moved within days is told by both of its ends, by park, and adds up', async () => {
  const [sub, here, there] = [fresh('s'), fresh('P'), fresh('P')]
  const on = (day: string, fen: number, parkCode = here) =>
    books.posted(
      [
        { account: 'asset.cash', sub, debitFen: fen },
        { account: 'income.rent', creditFen: fen },
      ],
      { parkCode, at: `${day}T04:00:00.000Z` as Instant },
    )
  await on('2026-10-01', 1)
  await on('2026-10-02', 10)
  await on('2026-10-02', 1000, there)
  await on('2026-10-03', 100)
  const moved = (query: object) => books.get('/trialBalance', query)
  expect(await moved({ parkCode: here })).toMatchObject({ debitFen: 111, creditFen: 111, balanced: true })
  const within = await moved({ parkCode: here, dayFrom: '2026-10-02', dayTo: '2026-10-02' })
  expect(within).toMatchObject({ debitFen: 10, creditFen: 10, balanced: true })
  expect(within.accounts).toMatchObject([
    { account: 'asset.cash', sub, subName: `甲${sub}`, debitFen: 10, creditFen: 0, balanceFen: 10, normal: 1 },
    { account: 'income.rent', sub: '', subName: null, debitFen: 0, creditFen: 10, balanceFen: 10, normal: 2 },
  ])
  expect(within.accounts).toHaveLength(2)
  expect(await moved({ parkCode: here, dayFrom: '2026-10-02' })).toMatchObject({ debitFen: 110 })
  expect(await moved({ parkCode: here, dayTo: '2026-10-02' })).toMatchObject({ debitFen: 11 })
  const all = await moved({ dayFrom: '2026-10-02', dayTo: '2026-10-02' })
  expect(all.accounts.find((one: any) => one.sub === sub)).toMatchObject({ debitFen: 1010, balanceFen: 1010 })
})

test('a statement is of one account, sub-account, park and span, page by page, each line with the balance after it', async () => {
  const [sub, other, here, there] = [fresh('s'), fresh('t'), fresh('P'), fresh('P')]
  const rent = { account: 'liability.points' } as const
  const pay = (whose: string, fen: number, when: string, parkCode = here) =>
    books.posted(
      [
        { account: 'asset.bank', sub: whose, debitFen: fen },
        { ...rent, sub: whose, creditFen: fen },
      ],
      { parkCode, at: when as Instant, bizNo: whose, memo: `${fen}` },
    )
  await pay(sub, 1, '2026-10-29T04:00:00.000Z')
  await pay(sub, 20, '2026-10-30T04:00:00.000Z')
  await pay(sub, 300, '2026-10-30T05:00:00.000Z')
  await books.posted(
    [
      { ...rent, sub, debitFen: 7 },
      { account: 'asset.bank', creditFen: 7 },
    ],
    { parkCode: here, at: '2026-10-30T06:00:00.000Z' as Instant },
  )
  await pay(sub, 4000, '2026-10-31T04:00:00.000Z')
  await pay(other, 50_000, '2026-10-30T04:30:00.000Z')
  await pay(sub, 600_000, '2026-10-30T04:40:00.000Z', there)
  const shown = (query: object) => books.get('/account/statement', { account: rent.account, sub, ...query })
  const day = { dayFrom: '2026-10-30', dayTo: '2026-10-30' }
  const figures = (answer: any) => [answer.openingFen, answer.debitFen, answer.creditFen, answer.closingFen, answer.total]
  const first = await shown({ parkCode: here, ...day, limit: 2 })
  expect(figures(first)).toEqual([1, 7, 320, 314, 3])
  const seen = ({ records }: any) => records.map((one: any) => [one.debitFen, one.creditFen, one.balanceFen])
  expect(seen(first)).toEqual([
    [0, 20, 21],
    [0, 300, 321],
  ])
  expect(first.records[0]).toMatchObject({
    account: rent.account,
    sub,
    parkCode: here,
    day: '2026-10-30',
    seq: 2,
    bizType: 'test',
    bizNo: sub,
    about: sub,
    memo: '20',
  })
  expect(seen(await shown({ parkCode: here, ...day, limit: 2, current: 2 }))).toEqual([[7, 0, 314]])
  expect(figures(await shown(day))).toEqual([1, 7, 600_320, 600_314, 4])
  expect(seen(await shown(day))).toEqual([
    [0, 20, 21],
    [0, 600_000, 600_021],
    [0, 300, 600_321],
    [7, 0, 600_314],
  ])
  const both = await books.get('/account/statement', { account: rent.account, parkCode: here, ...day })
  expect(figures(both)).toEqual([1, 7, 50_320, 50_314, 4])
  expect(seen(both)).toEqual([
    [0, 20, 21],
    [0, 50_000, 50_021],
    [0, 300, 50_321],
    [7, 0, 50_314],
  ])
  expect(figures(await shown({ parkCode: here }))).toEqual([0, 7, 4321, 4314, 5])
  expect(seen(await shown({ parkCode: here, dayFrom: '2026-10-31' }))).toEqual([[0, 4000, 4314]])
  const debit = await books.get('/account/statement', { account: 'asset.bank', sub, parkCode: here, ...day })
  expect([figures(debit), seen(debit)]).toEqual([
    [1, 320, 0, 321, 2],
    [
      [20, 0, 21],
      [300, 0, 321],
    ],
  ])
  expect(await shown({ sub: fresh('n') })).toEqual({ openingFen: 0, debitFen: 0, creditFen: 0, closingFen: 0, total: 0, records: [] })
})

test('without more said a statement is the first hundred lines', async () => {
  const sub = fresh('s')
  const lines = Array.from({ length: 101 }, () => ({ account: 'asset.bank', sub, debitFen: 1 }) as const)
  await books.posted([...lines, { account: 'income.rent', sub, creditFen: 101 }])
  const shown = await books.server.house.reading(1, (tx) => statement(tx, { account: 'asset.bank', sub }))
  expect([shown.records.length, shown.records[0]!.seq, shown.total]).toEqual([100, 1, 101])
})

test('an operator’s statement has the lines of the own parks alone', async () => {
  const sub = fresh('s')
  for (const parkCode of ['P001', 'P009'])
    await books.posted(
      [
        { account: 'asset.bank', sub, debitFen: 5 },
        { account: 'income.rent', creditFen: 5 },
      ],
      { parkCode },
    )
  const own = { enterprise: 1, parks: ['P001'] }
  const { records } = await reading(books.server.house.pool, own, (tx) => statement(tx, { account: 'asset.bank', sub }))
  expect(records.map(({ parkCode }) => parkCode)).toEqual(['P001'])
})

test('a replay counts the entries and lines of the own company', async () => {
  const before = await books.get('/replay/check')
  await books.posted([
    { account: 'asset.bank', debitFen: 3 },
    { account: 'income.rent', creditFen: 1 },
    { account: 'income.parking', creditFen: 2 },
  ])
  await books.posted(
    [
      { account: 'asset.bank', debitFen: 3 },
      { account: 'income.rent', creditFen: 3 },
    ],
    {},
    2,
  )
  expect(await books.get('/replay/check')).toEqual({ entries: before.entries + 1, lines: before.lines + 3, right: true, differences: [] })
})

test('sides that are not equal are said to be so', async () => {
  const parkCode = fresh('P')
  await books.posted(
    [
      { account: 'asset.bank', debitFen: 3 },
      { account: 'income.rent', creditFen: 3 },
    ],
    { parkCode },
  )
  const changed = (by: number) =>
    books.behind(`update ledger.daily set credit_fen = credit_fen + ${by} where park_code = '${parkCode}' and credit_fen > 0`)
  await changed(1)
  expect(await books.get('/trialBalance', { parkCode })).toMatchObject({ debitFen: 3, creditFen: 4, balanced: false })
  await changed(-1)
})
