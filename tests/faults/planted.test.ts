import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../../platform/server/start/port.ts'
import { lives, spawned, until } from './child.ts'
import { SEED } from './seed.ts'
import { type Book, judge, type Sort, told, type Verdict, writer } from './storm.ts'

/** The harness of the crash tests, against servers that are wrong on purpose: whoever does not find them is not to be trusted. */
const SERVER = fileURLToPath(new URL('./planted.ts', import.meta.url))
const ROUNDS = 3
const WRITERS = 8
const WRITES_PER_ROUND = 20
let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  console.log(`planted: seed ${SEED}`)
  database = await testDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('create schema planted; create table planted.done (mark text not null, key text primary key)')
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
})

async function killed(mistake: string): Promise<Verdict> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begin = async () => {
    const child = spawned(SERVER, { MISTAKE: mistake, DATABASE_URL: database.ownerUrl, PORT: String(port) })
    await until(
      () =>
        fetch(`${url}/?mark=hello-${mistake}`).then(
          () => true,
          () => false,
        ),
      20_000,
      'The start of the planted server',
    )
    return child
  }
  let n = 0
  const sort: Sort = {
    async wish() {
      const mark = `${mistake} ${++n}`
      return { mark, send: (key) => told(fetch(`${url}/?mark=${mark}`, { method: 'POST', headers: { 'idempotency-key': key } })) }
    },
    async effects(marks) {
      const { rows } = await owner.query<{ mark: string; n: number }>(
        'select mark, count(*)::int as n from planted.done where mark = any ($1) group by 1',
        [marks],
      )
      return new Map(rows.map(({ mark, n }) => [mark, n]))
    },
  }
  const book: Book = new Map()
  const random = randomFrom(SEED)
  let over = false
  let child = await begin()
  const writers = Array.from({ length: WRITERS }, () => writer([sort], book, random, () => over))
  for (let round = 0; round < ROUNDS; round++) {
    const before = n
    await until(() => n > before + WRITES_PER_ROUND, 20_000, 'Enough writes')
    child.kill('SIGKILL')
    await until(() => !lives(child.pid!), 5_000, 'The end of the planted server')
    child = await begin()
  }
  await until(async () => (await judge(book)).acknowledged > ROUNDS * WRITES_PER_ROUND, 20_000, 'Enough writes')
  over = true
  await Promise.all(writers)
  child.kill('SIGKILL')
  return judge(book)
}

test('a sound server is found sound', async () => {
  const { lost, doubled, ghosts, acknowledged } = await killed('sound')
  expect({ lost, doubled, ghosts }).toEqual({ lost: [], doubled: [], ghosts: [] })
  expect(acknowledged).toBeGreaterThan(ROUNDS * WRITES_PER_ROUND)
}, 60_000)
test('an answer that is sent before the commit is found by what is lost', async () => {
  expect((await killed('early')).lost.length).toBeGreaterThan(0)
}, 60_000)
test('a write that does not know its key is found by what is doubled', async () => {
  expect((await killed('keyless')).doubled.length).toBeGreaterThan(0)
}, 60_000)
