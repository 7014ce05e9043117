import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { tally } from '../../scripts/tally.ts'
import { type App, appIn, familyOf, lives, until } from '../faults/child.ts'
import { SEED } from '../faults/seed.ts'
import { type Book, judge, writer } from '../faults/storm.ts'
import { wrongs } from '../faults/truth.ts'
import { cash, openOrders, parkEdits, whiteList } from '../faults/writes.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { aClock, type Clock } from './faketime.ts'

// The whole product, its database with it, on the clock of another day. Takes minutes and needs faketime: a part of the soak alone.
const WRITERS = 4
const ORDERS = 400
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LIMIT_MS = 300_000
/** From the moment that the clock says something else until everybody has looked at it. */
const SEEN_MS = 2_500

interface Place {
  app: App
  clock: Clock
  owner: pg.Client
  token: string
  statusOf(token: string): Promise<number>
  /** Writers at work for so long as `meanwhile` takes. */
  busy(meanwhile: () => Promise<void>): Promise<Book>
  stop(): Promise<void>
}
async function placeAt(start: number): Promise<Place> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-clock-'))
  chmodSync(directory, 0o755) // PostgreSQL runs as another user than root
  const clock = aClock(directory, start)
  const app = await appIn(path.join(directory, 'data'), { DEMO: 'small', DEMO_PASSWORD: PASSWORD, ...clock.env })
  await app.start()
  const owner = new pg.Client({ connectionString: app.ownerUrl() })
  await owner.connect()
  await owner.query(RUNS)
  const token = await signIn(app, 'admin')
  const door = { url: app.url, token, owner: async () => owner }
  const sorts = [parkEdits(door, 'CLK'), cash(door, await openOrders(app.ownerUrl(), ORDERS)), whiteList(door, 3)]
  return {
    app,
    clock,
    owner,
    token,
    statusOf: async (which) => (await fetch(`${app.url}/lbs/custom/account/getUserInfo`, { headers: { authorization: `Bearer ${which}` } })).status,
    async busy(meanwhile) {
      const book: Book = new Map()
      let over = false
      const writers = Array.from({ length: WRITERS }, (_, n) => writer(sorts, book, randomFrom(SEED + n), () => over))
      await meanwhile().finally(() => (over = true))
      await Promise.all(writers)
      return book
    },
    async stop() {
      await owner.end()
      const family = familyOf(app.child().pid!)
      app.child().kill('SIGTERM')
      await until(() => !family.some(lives), 30_000, 'The end of the server')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function signIn({ url }: App, username: string): Promise<string> {
  const body = new URLSearchParams({ username, password: digestOf(username, PASSWORD) })
  const reply = await fetch(`${url}/lbs/security/authentication/form`, { method: 'POST', body })
  return ((await reply.json()) as { access_token: string }).access_token
}

/** Every run of a task that the calendar asks for, noted as it is added. */
const RUNS = `create schema trial; create table trial.run (task text, at timestamptz);
  create function trial.note() returns trigger language plpgsql security definer as $$ begin
    insert into trial.run select t.identifier, (new.payload::jsonb #>> '{_cron,ts}')::timestamptz from graphile_worker._private_tasks t where t.id = new.task_id and new.payload::jsonb ? '_cron';
    return null; end $$;
  create trigger noted after insert on graphile_worker._private_jobs for each row execute function trial.note();`
const TWICE = 'select task, at::text from trial.run group by 1, 2 having count(*) > 1'
const BACKWARDS = 'select id from parking.stay where exit_time < entry_time'
/** So many minutes of the calendar lie between the first and the last run of what runs every minute, and were left out. */
const LEFT_OUT = `select task, (extract(epoch from max(at) - min(at)) / 60 + 1 - count(*))::int as n from trial.run where task = 'parking.settle-exits' group by 1`

/** Checks that must hold whatever the clock said. */
async function right({ app, owner }: Place, book: Book): Promise<void> {
  const { lost, doubled, ghosts, acknowledged } = await judge(book)
  expect({ lost, doubled, ghosts }).toEqual({ lost: [], doubled: [], ghosts: [] })
  expect(acknowledged).toBeGreaterThan(0)
  expect(await wrongs(owner)).toEqual([])
  expect((await owner.query(TWICE)).rows).toEqual([])
  expect((await owner.query(BACKWARDS)).rows).toEqual([])
  expect(app.child().exitCode).toBeNull()
  await jobRuns(owner)
}
async function jobRuns(owner: pg.Client): Promise<void> {
  const key = `clock ${Math.random()}`
  await owner.query('select platform.add_job($1, $2, null, $3)', ['platform.months', JSON.stringify({ enterprise: 1, data: {} }), key])
  const waits = async () => (await owner.query('select 1 from graphile_worker._private_jobs where key = $1', [key])).rowCount === 0
  await until(waits, 60_000, 'The end of a job')
}
/** The day that stands in the newest order's number. */
const newestDay = async ({ owner }: Place): Promise<string> =>
  (await owner.query(`select substring(order_no from '\\d{8}') as day from settlement.order order by id desc limit 1`)).rows[0].day

describe('on the clock of another day', () => {
  test.each([
    ['the new year', '2027-12-31T23:58:40+08:00', '20280101'],
    ['29 February begins', '2028-02-28T23:58:40+08:00', '20280229'],
    ['29 February ends', '2028-02-29T23:58:40+08:00', '20280301'],
    ['UTC has its new year', '2028-01-01T07:58:40+08:00', '20280101'],
  ])(
    '%s while people work: nothing is lost, no task runs twice or is left out, who is signed in stays so',
    async (name, start, day) => {
      const place = await placeAt(Date.parse(start))
      try {
        const { clock, owner, token } = place
        const midnight = Date.parse(start) + 80_000
        const book = await place.busy(async () => void (await until(() => clock.now() > midnight + 65_000, LIMIT_MS, 'Midnight')))
        await openOrders(place.app.ownerUrl(), 1)
        expect(await newestDay(place)).toBe(day)
        expect(await place.statusOf(token)).toBe(200)
        expect((await owner.query(LEFT_OUT)).rows).toEqual([{ task: 'parking.settle-exits', n: 0 }])
        await right(place, book)
        tally({ check: `clock: ${name}`, seed: SEED, numbers: { writers: WRITERS, written: (await judge(book)).acknowledged } })
      } finally {
        await place.stop()
      }
    },
    LIMIT_MS * 2,
  )

  test(
    'the clock jumps an hour and a day to and fro while people work: what is over stays over, nothing runs twice, no money is lost',
    async () => {
      const place = await placeAt(Date.parse('2028-03-06T10:00:00+08:00'))
      try {
        const { clock, app, statusOf } = place
        const gone = await signIn(app, 'auditor')
        await fetch(`${app.url}/lbs/security/authentication/logout`, {
          method: 'POST',
          headers: { authorization: `Bearer ${gone}`, 'content-type': 'application/json' },
          body: '{}',
        })
        const book = await place.busy(async () => {
          await pause(SEEN_MS)
          for (const by of [-HOUR_MS, -DAY_MS]) {
            const token = await signIn(app, 'operator')
            clock.jump(by)
            await pause(SEEN_MS)
            expect([by, await statusOf(token), await statusOf(gone)]).toEqual([by, 200, 401])
            // Forward again is an hour without a sign of life, for all that anybody can tell: who comes anew is let in.
            clock.jump(-by)
            await pause(SEEN_MS)
            expect([by, await statusOf(await signIn(app, 'operator')), await statusOf(gone)]).toEqual([by, 200, 401])
          }
        })
        await right(place, book)
        // Idle for an hour, as far as anybody can tell: over, and it stays over when the clock is put right again.
        for (const by of [HOUR_MS, DAY_MS]) {
          const token = await signIn(app, 'auditor')
          clock.jump(by)
          // Not before every process has seen it: one that is still an hour behind would take the question for a sign of life, and another write down when that was.
          await pause(SEEN_MS)
          await until(async () => (await statusOf(token)) === 401, 30_000, 'The end of an idle session')
          clock.jump(-by)
          await pause(SEEN_MS)
          expect([by, await statusOf(token), await statusOf(gone)]).toEqual([by, 401, 401])
        }
        tally({ check: 'clock: jumps', seed: SEED, numbers: { jumps: 8, written: (await judge(book)).acknowledged } })
      } finally {
        await place.stop()
      }
    },
    LIMIT_MS,
  )

  test(
    'a clock that runs thirty times too fast: who works stays signed in, no task runs twice, the books are right',
    async () => {
      const place = await placeAt(Date.parse('2028-03-06T10:00:00+08:00'))
      try {
        const book = await place.busy(async () => {
          for (let second = 0; second < 60; second++) {
            place.clock.jump(29_000)
            await pause(1_000)
          }
        })
        expect(await place.statusOf(place.token)).toBe(200)
        await right(place, book)
        tally({ check: 'clock: too fast', seed: SEED, numbers: { times: 30, written: (await judge(book)).acknowledged } })
      } finally {
        await place.stop()
      }
    },
    LIMIT_MS,
  )
})
