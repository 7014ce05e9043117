import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { type Books, fresh, theBooks } from './testing.ts'

/** The database keeps balances, days and hours beside the lines, and reports where they do not agree. */
let books: Books
beforeAll(async () => {
  books = await theBooks()
})
afterAll(() => books.close())

const SUMS = {
  balance:
    'select account, sub, sum(debit_fen)::int as debit, sum(credit_fen)::int as credit, min(guard) as guard from ledger.balance where enterprise_id = 1 and park_code = $1 group by 1, 2 order by 1, 2',
  daily:
    'select day::text, business, account, sub, sum(debit_fen)::int as debit, sum(credit_fen)::int as credit, sum(debits)::int as debits, sum(credits)::int as credits from ledger.daily where enterprise_id = 1 and park_code = $1 group by 1, 2, 3, 4 order by 1, 2, 3, 4',
  hourly:
    'select day::text, hour, business, account, sum(debit_fen)::int as debit, sum(credit_fen)::int as credit, sum(debits)::int as debits, sum(credits)::int as credits from ledger.hourly where enterprise_id = 1 and park_code = $1 group by 1, 2, 3, 4 order by 1, 2, 3, 4',
}
const kept = async (of: keyof typeof SUMS, parkCode: string) => (await books.trying((ask) => ask(SUMS[of], [parkCode]))).map(Object.values)

/** Two entries of one hour of the city’s day, one of the next hour and one of the next day, and a little back, in a park of their own. */
async function aPark() {
  const [parkCode, sub] = [fresh('P'), fresh('s')]
  const cash = (fen: number, when: string) =>
    books.posted(
      [
        { account: 'asset.cash', sub, debitFen: fen },
        { account: 'income.rent', creditFen: fen },
      ],
      { parkCode, at: when as Instant },
    )
  await cash(1, '2026-10-30T14:00:00.000Z')
  await cash(20, '2026-10-30T14:59:59.000Z')
  await cash(300, '2026-10-30T15:00:00.000Z')
  await cash(4000, '2026-10-30T16:00:00.000Z')
  await books.posted(
    [
      { account: 'income.rent', debitFen: 5 },
      { account: 'asset.cash', sub, creditFen: 5 },
    ],
    { parkCode, at: '2026-10-30T15:00:00.000Z' as Instant, business: 'rent' },
  )
  await books.posted(
    [
      { account: 'income.rent', debitFen: 3 },
      { account: 'asset.cash', sub, creditFen: 3 },
    ],
    { parkCode, at: '2026-10-30T16:30:00.000Z' as Instant },
  )
  return { parkCode, sub }
}

test('a posting is summed by account, by day and by the hour of the city’s day', async () => {
  const { parkCode, sub } = await aPark()
  expect(await kept('balance', parkCode)).toEqual([
    ['asset.cash', sub, 4321, 8, 0],
    ['income.rent', '', 8, 4321, 0],
  ])
  expect(await kept('daily', parkCode)).toEqual([
    ['2026-10-30', 'parking', 'asset.cash', sub, 321, 0, 3, 0],
    ['2026-10-30', 'parking', 'income.rent', '', 0, 321, 0, 3],
    ['2026-10-30', 'rent', 'asset.cash', sub, 0, 5, 0, 1],
    ['2026-10-30', 'rent', 'income.rent', '', 5, 0, 1, 0],
    ['2026-10-31', 'parking', 'asset.cash', sub, 4000, 3, 1, 1],
    ['2026-10-31', 'parking', 'income.rent', '', 3, 4000, 1, 1],
  ])
  expect(await kept('hourly', parkCode)).toEqual([
    ['2026-10-30', 22, 'parking', 'asset.cash', 21, 0, 2, 0],
    ['2026-10-30', 22, 'parking', 'income.rent', 0, 21, 0, 2],
    ['2026-10-30', 23, 'parking', 'asset.cash', 300, 0, 1, 0],
    ['2026-10-30', 23, 'parking', 'income.rent', 0, 300, 0, 1],
    ['2026-10-30', 23, 'rent', 'asset.cash', 0, 5, 0, 1],
    ['2026-10-30', 23, 'rent', 'income.rent', 5, 0, 1, 0],
    ['2026-10-31', 0, 'parking', 'asset.cash', 4000, 3, 1, 1],
    ['2026-10-31', 0, 'parking', 'income.rent', 3, 4000, 1, 1],
  ])
})

test('what is spent stands in one row over all parks, and is told while it is held', async () => {
  const [sub, another, parkCode, apart] = [fresh('s'), fresh('t'), fresh('P'), fresh('P')]
  const money = { account: 'liability.stored', sub } as const
  const fill = (...whose: { account: 'liability.stored' | 'liability.deposit'; sub: string }[]) =>
    books.posted([{ account: 'asset.cash', debitFen: 9 * whose.length }, ...whose.map((one) => ({ ...one, creditFen: 9 }))])
  // Other sub-accounts, and other accounts in the same stripe, stay as they are.
  await fill({ account: 'liability.stored', sub: another }, { account: 'liability.deposit', sub })
  await books.behind(`insert into ledger.balance values (1, 'asset.bank', '', '${apart}', 0, 5, 2)`)
  await books.posted([
    { account: 'asset.cash', debitFen: 1000 },
    { ...money, creditFen: 600 },
    { ...money, creditFen: 400 },
  ])
  await books.posted(
    [
      { ...money, debitFen: 300 },
      { account: 'income.parking', creditFen: 300 },
    ],
    { parkCode },
  )
  const spent = await books.trying((ask) =>
    ask('select account, sub, park_code, stripe, guard, debit_fen::int, credit_fen::int from ledger.balance where sub = any ($1) order by 1, 2', [
      [sub, another],
    ]),
  )
  expect(spent.map(Object.values)).toEqual([
    ['liability.deposit', sub, '*', 0, 2, 0, 9],
    ['liability.stored', sub, '*', 0, 2, 300, 1000],
    ['liability.stored', another, '*', 0, 2, 0, 9],
  ])
  expect(await kept('balance', apart)).toEqual([['asset.bank', '', 5, 2, 0]])
  await books.behind(`delete from ledger.balance where park_code = '${apart}'`)
  const held = (account: string, of: string, enterprise = '1') =>
    books.trying(async (ask) => {
      await ask(`select set_config('scope.enterprise', $1, true)`, [enterprise])
      return Number((await ask('select ledger.held($1, $2) as fen', [account, of]))[0].fen ?? Number.NaN)
    })
  expect(await held('liability.stored', sub)).toBe(700)
  expect(await held('liability.stored', fresh('n'))).toBeNaN()
  expect(await held('liability.merchant', sub)).toBeNaN()
  expect(await held('liability.stored', sub, '2')).toBeNaN()
})

test('an entry of one line, and one whose sides differ, leave nothing behind', async () => {
  const parkCode = fresh('P')
  const raw = (debits: readonly number[], credits: readonly number[]) =>
    books.trying(async (ask) => {
      await ask(`select set_config('scope.enterprise', '1', true)`)
      const [{ id }] = await ask(
        `insert into ledger.entry (at, park_code, business, biz_type, biz_no, about, event_id) values ('2026-10-30T04:00:00.000Z', $1, 'rent', 't', 'n', 'n', $2) returning id`,
        [parkCode, fresh('e')],
      )
      const line = (account: string, debit: number, credit: number, seq: number) =>
        ask(
          `insert into ledger.line (entry_id, seq, at, park_code, business, account, debit_fen, credit_fen) values ($1, $2, '2026-10-30T04:00:00.000Z', $3, 'rent', $4, $5, $6)`,
          [id, seq, parkCode, account, debit, credit],
        )
      for (const [i, fen] of debits.entries()) await line('asset.cash', fen, 0, i)
      for (const [i, fen] of credits.entries()) await line('income.rent', 0, fen, 10 + i)
      await ask('set constraints all immediate')
    })
  await raw([2, 3], [5])
  await expect(raw([5], [])).rejects.toThrow(/does not balance/)
  await expect(raw([], [])).rejects.toThrow(/does not balance/)
  await expect(raw([2, 3], [4])).rejects.toThrow(/does not balance/)
  await expect(raw([2], [2, 1])).rejects.toThrow(/does not balance/)
})

/** One thing that somebody changed behind the ledger’s back, and what the replay says of it. */
const found = (text: string, parkCode: string) =>
  books.trying(async (ask) => {
    await ask(`select set_config('scope.enterprise', '1', true)`)
    await ask('set local session_replication_role = replica')
    for (const one of text.split(';')) await ask(one.replaceAll('$1', `'${parkCode}'`))
    return (await ask('select * from ledger.replay()')).map((row) =>
      Object.values(row).map((value) => (/^-?\d+$/.test(String(value)) ? Number(value) : value)),
    )
  })

test.each(['balance', 'daily', 'hourly'] as const)('the replay tells what differs in the %s, and what is there in one of both only', async (of) => {
  const { parkCode, sub } = await aPark()
  const what = { balance: ['balance'], daily: ['day 2026-10-31 parking'], hourly: ['hour 2026-10-31 0 parking'] }[of]
  const whose = of === 'hourly' ? '' : sub
  const own = of === 'balance' ? 4313 : 3997
  const here = `park_code = $1 and account = 'asset.cash'${of === 'balance' ? '' : ` and day = '2026-10-31'`}`
  const changed = (set: string) =>
    found(`update ledger.${of} set ${set} where ${here} and stripe = (select min(stripe) from ledger.${of} where ${here})`, parkCode)
  expect(await changed('debit_fen = debit_fen + 0')).toEqual([])
  expect(await changed('debit_fen = debit_fen + 7')).toEqual([[...what, 'asset.cash', whose, parkCode, own + 7, own]])
  expect(await changed('credit_fen = credit_fen + 7')).toEqual([[...what, 'asset.cash', whose, parkCode, own - 7, own]])
  expect(await changed('debit_fen = debit_fen + 7, credit_fen = credit_fen + 7')).toEqual([[...what, 'asset.cash', whose, parkCode, own, own]])
  if (of === 'hourly')
    for (const column of ['debits', 'credits'])
      expect(await changed(`${column} = ${column} + 1`)).toEqual([[...what, 'asset.cash', whose, parkCode, own, own]])
  expect(await found(`delete from ledger.${of} where ${here}`, parkCode)).toEqual([[...what, 'asset.cash', whose, parkCode, 0, own]])
  // Kept for a park that has no lines, or under another company, which is not asked for.
  const [more] = [fresh('Q')]
  const columns = {
    balance: 'account, sub, stripe, debit_fen, credit_fen, guard',
    daily: 'day, business, account, sub, stripe, debit_fen, credit_fen, debits, credits',
    hourly: 'day, hour, business, account, stripe, debit_fen, credit_fen, debits, credits',
  }[of]
  const copied = (enterprise: number) =>
    found(
      `insert into ledger.${of} (enterprise_id, park_code, ${columns}) select ${enterprise}, '${more}', ${columns} from ledger.${of} where ${here}`,
      parkCode,
    )
  expect(await copied(1)).toEqual([[...what, 'asset.cash', whose, more, own, 0]])
  expect(await copied(2)).toEqual([])
})

test('the replay tells an entry that does not balance, and one of a single line', async () => {
  const parkCode = fresh('P')
  const id = await books.posted(
    [
      { account: 'asset.cash', debitFen: 9 },
      { account: 'income.rent', creditFen: 4 },
      { account: 'income.parking', creditFen: 5 },
    ],
    { parkCode },
  )
  const told = async (text: string) => (await found(text, parkCode)).filter(([what]) => String(what).startsWith('entry'))
  expect(await told('select 1')).toEqual([])
  expect(await told(`update ledger.line set credit_fen = 6 where entry_id = '${id}' and seq = 3`)).toEqual([[`entry ${id}`, '', '', parkCode, 9, 10]])
  expect(await told(`delete from ledger.line where entry_id = '${id}' and seq > 1`)).toEqual([[`entry ${id}`, '', '', parkCode, 9, 0]])
  expect(await told(`update ledger.line set enterprise_id = 2 where entry_id = '${id}' and seq = 3`)).toEqual([
    [`entry ${id}`, '', '', parkCode, 9, 4],
  ])
})

test('what is made anew is what was kept, and of this company alone', async () => {
  const { parkCode } = await aPark()
  const money = { account: 'liability.stored', sub: fresh('s') } as const
  await books.posted(
    [
      { account: 'asset.cash', debitFen: 10 },
      { ...money, creditFen: 10 },
    ],
    { parkCode },
  )
  await books.posted(
    [
      { ...money, debitFen: 4 },
      { account: 'income.parking', creditFen: 4 },
    ],
    { parkCode },
  )
  await books.posted(
    [
      { account: 'asset.cash', debitFen: 8 },
      { account: 'income.rent', creditFen: 8 },
    ],
    { parkCode },
    2,
  )
  await books.trying(async (ask) => {
    const all = async () => {
      const rows = []
      for (const of of Object.values(SUMS)) rows.push(await ask(of, [parkCode]))
      rows.push(await ask('select park_code, stripe, guard, debit_fen, credit_fen from ledger.balance where sub = $1', [money.sub]))
      for (const of of ['balance', 'daily', 'hourly'])
        rows.push(await ask(`select * from ledger.${of} where enterprise_id = 2 order by 1, 2, 3, 4, 5, 6, 7`))
      return rows
    }
    const before = await all()
    for (const of of ['balance', 'daily', 'hourly']) await ask(`update ledger.${of} set credit_fen = credit_fen + 3 where enterprise_id = 1`)
    await ask('select ledger.rebuild(1)')
    expect(await all()).toEqual(before)
  })
})
