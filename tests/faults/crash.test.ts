import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'
import { type App, appIn, familyOf, lives, until } from './child.ts'
import { SEED } from './seed.ts'
import { type Book, judge, writer } from './storm.ts'
import { wrongs } from './truth.ts'
import { cash, type Door, laneEvents, openOrders, parkEdits, whiteList } from './writes.ts'

/** `CRASHES=50` kills more often. */
const ROUNDS = Number(process.env['CRASHES'] ?? 5)
const CLIENTS = 16
/** The small demo has four entrances. */
const LANES = ['PG-0001', 'PG-0003', 'PG-0005', 'PG-0007']
const ORDERS_PER_ROUND = 120
/** So many writes are acknowledged before somebody pulls the plug, at some moment soon after. */
const WRITES_PER_ROUND = 30
const SOON_MS = 250
const SLOW_MS = 30_000
const TOLD_MS = 2_000
const BACK_MS = 5_000
const GONE_MS = 5_000
const LIMIT_MS = 60_000 + ROUNDS * 40_000

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-crash-'))
chmodSync(dataDir, 0o755) // PostgreSQL runs as another user than root
const random = randomFrom(SEED)
let app: App
let door: Door
let client: pg.Client | undefined

beforeAll(async () => {
  console.log(`crash: seed ${SEED}, ${ROUNDS} rounds`)
  app = await appIn(dataDir, { DEMO: 'small', DEMO_PASSWORD: PASSWORD })
  await app.start()
  door = { url: app.url, token: await signIn(), owner: freshOwner }
}, 300_000)
afterAll(async () => {
  await client?.end().catch(() => {})
  const child = app?.child()
  if (child && child.exitCode === null) {
    const family = familyOf(child.pid!)
    child.kill('SIGTERM')
    await until(() => !family.some(lives), 30_000, 'The end of the server')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

async function signIn(): Promise<string> {
  const body = new URLSearchParams({ username: 'admin', password: digestOf('admin', PASSWORD) })
  const reply = await fetch(`${app.url}/lbs/security/authentication/form`, { method: 'POST', body })
  const { access_token } = (await reply.json()) as { access_token?: string }
  if (!access_token) throw new Error(`A server that says that it is ready lets nobody in: ${reply.status}`)
  return access_token
}
/** A connection that was killed with its database is of no use any more. */
async function freshOwner(): Promise<pg.Client> {
  await client?.end().catch(() => {})
  client = new pg.Client({ connectionString: app.ownerUrl() })
  client.on('error', () => {})
  await client.connect()
  return client
}

interface Storm {
  book: Book
  /** No more wishes; resolves when the last is answered or given up. */
  end(): Promise<void>
}
async function aStorm(name: string, storm: number): Promise<Storm> {
  const book: Book = new Map()
  const orders = await openOrders(app.ownerUrl(), ORDERS_PER_ROUND * ROUNDS)
  const lanes = await Promise.all(LANES.map((sn) => laneEvents(door, app.mqttUrl, sn, PASSWORD, storm)))
  const [paying, listing] = [cash(door, orders), whiteList(door, storm)]
  let over = false
  const writers = Array.from({ length: CLIENTS }, (_, n) =>
    writer(lanes[n] ? [lanes[n]] : [parkEdits(door, `${name}${n}`), paying, listing], book, random, () => over),
  )
  return {
    book,
    async end() {
      over = true
      await Promise.all(writers)
      await Promise.all(lanes.map((one) => one.close()))
    },
  }
}

interface Look {
  at: number
  ms: number
  /** 0: nobody answered. */
  status: number
  retryAfter: string | null
}
/** Somebody who only looks, all the time. */
function watcher() {
  const looks: Look[] = []
  let over = false
  const done = (async () => {
    while (!over) {
      const begun = performance.now()
      const { status, retryAfter } = await fetch(`${app.url}/lbs/basic/parkInfo/queryList`, {
        method: 'POST',
        headers: { authorization: `Bearer ${door.token}`, 'content-type': 'application/json' },
        body: '{}',
      }).then(
        async (reply) => (await reply.text(), { status: reply.status, retryAfter: reply.headers.get('retry-after') }),
        () => ({ status: 0, retryAfter: null }),
      )
      looks.push({ at: performance.now(), ms: performance.now() - begun, status, retryAfter })
      await pause(25)
    }
  })()
  return { looks, end: () => ((over = true), done) }
}
const acknowledged = (book: Book) =>
  [...book.values()].reduce((sum, notes) => sum + [...notes.values()].filter((one) => one === 'acknowledged').length, 0)
async function someWrites({ book }: Storm): Promise<void> {
  const before = acknowledged(book)
  await until(() => acknowledged(book) >= before + WRITES_PER_ROUND, SLOW_MS, 'Enough writes')
  await pause(random.below(SOON_MS))
}

async function rightAfter(storm: Storm, what: string): Promise<void> {
  await storm.end()
  const verdict = await judge(storm.book)
  const { lost, doubled, ghosts, ...sets } = verdict
  console.log(`crash: ${what}: ${JSON.stringify(sets)}`)
  tally({
    check: `crash: ${what}`,
    seed: SEED,
    numbers: { rounds: ROUNDS, ...sets, lost: lost.length, doubled: doubled.length, ghosts: ghosts.length },
  })
  expect({ lost, doubled, ghosts }).toEqual({ lost: [], doubled: [], ghosts: [] })
  expect(sets.acknowledged).toBeGreaterThan(ROUNDS * WRITES_PER_ROUND)
  expect(await wrongs(await freshOwner())).toEqual([])
}

test(
  'the app is killed in the middle of its work: nothing acknowledged is lost or doubled, and nothing of it goes on running',
  async () => {
    const storm = await aStorm('KA', 1)
    const figures: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await someWrites(storm)
      const family = familyOf(app.child().pid!)
      app.child().kill('SIGKILL')
      const gone = await until(() => !family.some(lives), GONE_MS, 'The end of everything that belonged to the app')
      const begun = performance.now()
      await app.start()
      figures.push(`${family.length} processes gone after ${Math.round(gone)} ms, up again after ${Math.round(performance.now() - begun)} ms`)
    }
    await someWrites(storm)
    console.log(`crash of the app: ${figures.join('; ')}`)
    await rightAfter(storm, 'the app killed')
  },
  LIMIT_MS,
)

test(
  'every process of PostgreSQL is killed: 503 in time, served again in time by the same app, nothing lost or doubled',
  async () => {
    const storm = await aStorm('KP', 2)
    const watching = watcher()
    const pid = app.child().pid
    const figures: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await someWrites(storm)
      const killed = familyOf(app.postmaster())
      for (const one of killed) process.kill(one, 'SIGKILL')
      const down = await until(async () => !killed.some(lives) && (await answers()), 30_000, 'The return of the database')
      const back = performance.now()
      const served = await until(
        () => watching.looks.some(({ at, status }) => at > back && status === 200),
        BACK_MS,
        'An answer after the return of the database',
      )
      figures.push(`${killed.length} processes, back after ${Math.round(down)} ms, serves ${Math.round(served)} ms later`)
    }
    await someWrites(storm)
    await watching.end()
    const slowest = Math.max(...watching.looks.map(({ ms }) => ms))
    console.log(`crash of PostgreSQL: ${figures.join('; ')}; slowest answer ${Math.round(slowest)} ms`)
    expect([...new Set(watching.looks.map(({ status }) => status))].sort()).toEqual([200, 503])
    expect(watching.looks.filter(({ status, retryAfter }) => status === 503 && !(Number(retryAfter) > 0))).toEqual([])
    expect(slowest).toBeLessThan(TOLD_MS)
    app.mustRun()
    expect(app.child().pid).toBe(pid)
    await rightAfter(storm, 'PostgreSQL killed')
  },
  LIMIT_MS,
)

async function answers(): Promise<boolean> {
  app.mustRun()
  try {
    const made = new pg.Client({ connectionString: app.ownerUrl(), connectionTimeoutMillis: 1_000 })
    made.on('error', () => {})
    await made.connect()
    await made.end()
    return true
  } catch {
    return false
  }
}
