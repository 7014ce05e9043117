import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run, type Tx } from '../../../platform/server/database.ts'
import { post, type PostingLine } from './api.ts'
import { type Books, fresh, posting, theBooks } from './testing.ts'

let books: Books
beforeAll(async () => void (books = await theBooks()))
afterAll(() => books.close())

type Work = (tx: Tx) => Promise<unknown>
/** Two transactions that keep their sums in the same rows: of nine connections two have one stripe. */
async function twoOfAStripe() {
  const open: { stripe: number; go: (work?: Work) => void; over: Promise<void> }[] = []
  let both: typeof open = []
  while (both.length < 2) {
    await new Promise<void>((begun) => {
      const over: Promise<void> = books.writing(async (tx) => {
        const [{ stripe }] = (await run<{ stripe: number }>(tx, { sql: 'select pg_backend_pid() % 8 as stripe' }, [])) as [{ stripe: number }]
        const work = await new Promise<Work | undefined>((go) => {
          open.push({ stripe, go, over: Promise.resolve().then(() => over) })
          begun()
        })
        await work?.(tx)
      })
      over.catch(() => {}) // the caller that gave it work hears of it
    })
    both = open.filter(({ stripe }) => stripe === open.at(-1)!.stripe)
  }
  for (const one of open) if (!both.includes(one)) one.go()
  const [first, second] = both as [(typeof open)[0], (typeof open)[0]]
  return { stripe: first.stripe, first, second }
}

test('what one transaction posts beside another is kept in one order, however many entries it has', async () => {
  const [parkCode, mine, other] = [fresh('P'), fresh('s'), fresh('s')]
  const posts = (tx: Tx, ...lines: PostingLine[]) => post(tx, posting(lines, { parkCode, business: 'charging' }))
  await books.posted([
    { account: 'asset.bank', debitFen: 7 },
    { account: 'liability.charge-prepaid', sub: other, creditFen: 7 },
  ])
  const { stripe, first, second } = await twoOfAStripe()
  await books.trying(async (ask) => {
    const waiting = (count: number) =>
      vi.waitFor(async () => expect(await ask('select distinct pid from pg_locks where not granted')).toHaveLength(count), 10_000)
    // The second is on its way through its sums, and stays there while this is not over.
    await ask(
      `insert into ledger.daily (enterprise_id, day, park_code, business, account, sub, stripe, debit_fen, credit_fen, debits, credits) values (1, '2026-11-20', $1, 'charging', 'income.energy', '', $2, 0, 0, 0, 0)`,
      [parkCode, stripe],
    )
    second.go((tx) => posts(tx, { account: 'liability.charge-prepaid', sub: other, debitFen: 7 }, { account: 'income.energy', creditFen: 7 }))
    await waiting(1)
    first.go(async (tx) => {
      await posts(tx, { account: 'asset.arrears', debitFen: 5 }, { account: 'liability.charge-prepaid', sub: mine, creditFen: 5 })
      await posts(tx, { account: 'liability.charge-prepaid', sub: mine, debitFen: 5 }, { account: 'income.energy', creditFen: 5 })
    })
    await waiting(2)
  })
  await Promise.all([first.over, second.over])
  expect(await books.get('/trialBalance', { parkCode })).toMatchObject({ debitFen: 17, creditFen: 17, balanced: true })
  expect((await books.get('/replay/check')).right).toBe(true)
})

test('what a transaction says of its entries grows with none of them', async () => {
  const line = { parkCode: fresh('P'), business: 'charging' } as const
  const said = await books.writing(async (tx) => {
    const lengths: number[] = []
    for (let n = 0; n < 5; n++) {
      await post(
        tx,
        posting(
          [
            { account: 'asset.arrears', debitFen: 1 },
            { account: 'income.energy', creditFen: 1 },
          ],
          line,
        ),
      )
      const [{ length }] = (await run<{ length: number }>(tx, { sql: `select length(current_setting('ledger.entries'))` }, [])) as [
        { length: number },
      ]
      lengths.push(length)
    }
    return lengths
  })
  expect(said).toEqual([36, 37, 37, 37, 37])
  expect(await books.get('/trialBalance', { parkCode: line.parkCode })).toMatchObject({ debitFen: 5, creditFen: 5, balanced: true })
})
