import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { accountNames, ACCOUNTS } from '../contract/account.ts'
import { post, type Posting, replay, reverse, statement } from './api.ts'
import { at, type Books, fresh, posting, theBooks } from './testing.ts'

let books: Books
let server: Books['server']
let writing: Books['writing']
let get: Books['get']
beforeAll(async () => {
  books = await theBooks()
  ;({ server, writing, get } = books)
})
afterAll(() => books.close())

const paid = (fen: number): Posting['lines'] => [
  { account: 'asset.channel', sub: 'wechat', debitFen: fen },
  { account: 'income.parking', creditFen: fen },
]

test('the chart in the contract is the chart in the database', async () => {
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ code: string; name: string; name_en: string }>(
    'select code, name, name_en from ledger.account order by position',
  )
  await owner.end()
  expect(rows.map(({ code, name, name_en }) => [code, [name, name_en]])).toEqual(Object.entries(accountNames))
})

test('an event is posted once, also when two hear of it at the same moment', async () => {
  const one = posting(paid(700), { eventId: fresh('once') })
  const posted = await Promise.all(Array.from({ length: 8 }, () => writing((tx) => post(tx, one))))
  expect(posted.filter((each) => each!.first)).toHaveLength(1)
  expect(new Set(posted.map((each) => each!.entryId)).size).toBe(1)
  expect(await writing((tx) => post(tx, posting([{ account: 'asset.cash', debitFen: 0 }])))).toBeUndefined()
})

test.each([
  ['one side only', [{ account: 'asset.cash', debitFen: 5 }]],
  [
    'unequal sides',
    [
      { account: 'asset.cash', debitFen: 5 },
      { account: 'income.parking', creditFen: 4 },
    ],
  ],
  [
    'a negative amount',
    [
      { account: 'asset.cash', debitFen: -5 },
      { account: 'income.parking', creditFen: -5 },
    ],
  ],
  [
    'half a fen',
    [
      { account: 'asset.cash', debitFen: 0.5 },
      { account: 'income.parking', creditFen: 0.5 },
    ],
  ],
  [
    'both sides on one line',
    [
      { account: 'asset.cash', debitFen: 5, creditFen: 5 },
      { account: 'income.parking', creditFen: 5, debitFen: 5 },
    ],
  ],
] as [string, Posting['lines']][])('%s is refused', async (_, lines) => {
  await expect(writing((tx) => post(tx, posting(lines)))).rejects.toMatchObject({ code: 40401 })
})

test('the database itself refuses what does not balance, an added line, a change and a deletion', async () => {
  const { entryId } = (await writing((tx) => post(tx, posting(paid(100)))))!
  const raw = (text: string) => writing((tx) => tx.executeQuery({ sql: text, parameters: [], query: {} as never, queryId: {} as never }))
  const head = `insert into ledger.entry (id, at, park_code, business, biz_type, biz_no, about, event_id) values ('00000000-0000-7000-8000-00000000000%', '${at}', 'P001', 'parking', 't', 'n', 'n', 'raw%')`
  const line = (id: string, seq: number, account: string, debit: number, credit: number) =>
    `insert into ledger.line (entry_id, seq, at, park_code, business, account, debit_fen, credit_fen) values ('${id}', ${seq}, '${at}', 'P001', 'parking', '${account}', ${debit}, ${credit})`
  await expect(raw(head.replaceAll('%', '1'))).rejects.toThrow(/does not balance/)
  const id = '00000000-0000-7000-8000-000000000002'
  await expect(
    writing(async (tx) => {
      const each = (text: string) => tx.executeQuery({ sql: text, parameters: [], query: {} as never, queryId: {} as never })
      await each(head.replaceAll('%', '2'))
      await each(line(id, 1, 'asset.cash', 5, 0))
      await each(line(id, 2, 'income.parking', 0, 6))
    }),
  ).rejects.toThrow(/does not balance/)
  await expect(raw(line(entryId, 9, 'asset.cash', 5, 0))).rejects.toThrow(/foreign key|violates/)
  await expect(raw(line(entryId, 9, 'asset.cash', -5, 0))).rejects.toThrow(/violates check/)
  for (const text of [
    'update ledger.line set debit_fen = 1',
    'delete from ledger.entry',
    'update ledger.balance set debit_fen = 0',
    'truncate ledger.line',
  ])
    await expect(raw(text)).rejects.toThrow(/permission denied/)
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await expect(owner.query('delete from ledger.line')).rejects.toThrow(/only ever added to/)
  await owner.end()
})

test('a reversal turns an entry round, once', async () => {
  const before = await get('/account/list')
  const { entryId } = (await writing((tx) => post(tx, posting(paid(4321)))))!
  const undo = () => writing((tx) => reverse(tx, entryId, { bizType: 'correction', bizNo: 'C1', at, memo: '记错' }))
  expect((await undo()).first).toBe(true)
  expect((await undo()).first).toBe(false)
  const after = await get('/account/list')
  const of = (rows: any[], account: string) => rows.find((row) => row.account === account)?.balanceFen ?? 0
  for (const account of ['asset.channel', 'income.parking']) expect(of(after, account)).toBe(of(before, account))
})

test('a guarded account is never overdrawn, also not by two hundred at once', async () => {
  const person = { account: 'liability.stored', sub: 'person-1' } as const
  await writing((tx) =>
    post(
      tx,
      posting(
        [
          { account: 'asset.channel', sub: 'wechat', debitFen: 1000 },
          { ...person, creditFen: 1000 },
        ],
        { business: 'stored' },
      ),
    ),
  )
  const spends = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      writing((tx) =>
        post(
          tx,
          posting([
            { ...person, debitFen: 100 },
            { account: 'income.parking', creditFen: 100 },
          ]),
        ),
      ),
    ),
  )
  expect(spends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect((await get('/account/list')).find(({ account, sub }: any) => account === person.account && sub === person.sub).balanceFen).toBe(0)
}, 30_000)

test('a statement opens with what was before, runs on line by line and closes with the balance', async () => {
  const account = 'asset.merchant-credit' as const
  const sub = fresh('M')
  const earned = () => server.house.reading(1, (tx) => statement(tx, { account: 'income.rent', current: 1, limit: 2 }))
  const before = await earned()
  const days = ['2026-10-30T15:59:59.000Z', '2026-10-30T16:00:00.000Z', '2026-10-31T15:59:59.000Z', '2026-10-31T16:00:00.000Z'] as Instant[]
  for (const [i, when] of days.entries())
    await writing((tx) =>
      post(
        tx,
        posting(
          [
            { account, sub, debitFen: 10 ** i },
            { account: 'income.rent', creditFen: 10 ** i },
          ],
          { at: when },
        ),
      ),
    )
  // 31 October in the city begins at 16:00 UTC of the 30th.
  const shown = await get('/account/statement', { account, sub, dayFrom: '2026-10-31', dayTo: '2026-10-31' })
  expect(shown).toMatchObject({ openingFen: 1, debitFen: 110, creditFen: 0, closingFen: 111, total: 2 })
  expect(shown.records.map(({ balanceFen }: any) => balanceFen)).toEqual([11, 111])
  const income = await earned()
  expect(income).toMatchObject({ openingFen: 0, closingFen: before.closingFen + 1111, total: before.total + 4 })
  expect(income.records).toHaveLength(2)
  expect((await server.ask(await server.signIn('admin'), 'GET', '/lbs/business/ledger/account/statement', { account: 'no.such' })).status).toBe(400)
})

test('after any sequence of postings the sides are equal and the replay finds every balance', async () => {
  const account = fc.constantFrom(
    ...ACCOUNTS.filter(
      (code) =>
        ![
          'liability.stored',
          'liability.stored-bonus',
          'liability.charge-prepaid',
          'liability.deposit',
          'liability.merchant',
          'liability.share',
        ].includes(code),
    ),
  )
  const transfer = fc.record({
    from: account,
    to: account,
    fen: fc.integer({ min: 1, max: 1e9 }),
    day: fc.integer({ min: 0, max: 400 }),
    park: fc.constantFrom('P001', 'P002', 'P003'),
    undo: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 12 }), async (transfers) => {
      await Promise.all(
        transfers.map(async ({ from, to, fen, day, park, undo }) => {
          const when = new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString() as Instant
          const lines = [
            { account: to, sub: 'a', debitFen: fen },
            { account: from, sub: 'b', creditFen: fen },
          ]
          const posted = await writing((tx) => post(tx, posting(lines, { at: when, parkCode: park })), 2)
          if (undo) await writing((tx) => reverse(tx, posted!.entryId, { bizType: 'undo', bizNo: 'U', at: when, memo: 'x' }), 2)
        }),
      )
      const checked = await server.house.reading(2, replay)
      expect(checked.differences).toEqual([])
    }),
    { numRuns: 20 },
  )
  const other = await server.signIn('otheradmin')
  const trial = (await server.ask(other, 'GET', '/lbs/business/ledger/trialBalance')).data
  expect(trial.balanced).toBe(true)
  expect(trial.debitFen).toBeGreaterThan(0)
}, 60_000)

test('the replay finds a kept balance that somebody changed', async () => {
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query(`update ledger.balance set debit_fen = debit_fen + 1 where enterprise_id = 1 and account = 'asset.channel'`)
  const found = await get('/replay/check')
  expect(found.right).toBe(false)
  expect(found.differences[0]).toMatchObject({ what: 'balance', account: 'asset.channel' })
  await owner.query('select ledger.rebuild(1)')
  await owner.end()
  expect((await get('/replay/check')).right).toBe(true)
})
