import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { openProxy, type Proxy } from '../../../tests/support/proxy.ts'
import { enterpriseOf, openPlainPool, openPool, writing } from '../database.ts'
import type { House } from '../domain.ts'
import { addJob, letGoOnce, longTask, startWorker, task } from './jobs.ts'
import { openLog } from '../log.ts'
import { handBack, signOfLife } from './signOfLife.ts'

let database: TestDatabase
let owner: pg.Pool
let app: pg.Pool
let proxy: Proxy
const log = openLog('silent')
/** As much of a house as a worker has to do with. */
const houseAt = (ownerUrl = database.ownerUrl) => ({ ownerUrl, pool: app, log }) as House

beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  app = openPool(database.appUrl, 2)
  const { hostname: host, port } = new URL(database.ownerUrl)
  proxy = await openProxy({ host, port: Number(port) })
})
afterAll(async () => {
  await proxy.stop()
  await Promise.all([owner.end(), app.end()])
  await database.drop()
})

const add = (name: string) => owner.query('select graphile_worker.add_job($1, $2::json)', [name, JSON.stringify({ enterprise: 1, data: {} })])
async function until(what: () => boolean | Promise<boolean>, ms = 30_000) {
  for (const end = Date.now() + ms; !(await what()); await pause(50)) if (Date.now() > end) throw new Error('It did not come to pass.')
}
/** A worker that reaches its database through the proxy, with one task. */
async function working(name: string, alone: () => Promise<void>, url = proxy.through(database.ownerUrl)) {
  const worker = await startWorker(houseAt(url), [longTask(name, alone)], () => Promise.resolve([1]))
  onTestFinished(() => worker.stop())
}
const breaking = async () => {
  proxy.way = 'down'
  proxy.cutAll()
  setTimeout(() => (proxy.way = 'open'), 1_000)
  await pause(100)
}

test.each([
  ['failed', () => Promise.reject(new Error('It failed.'))],
  ['done', () => Promise.resolve()],
])(
  'a job that ends while the database is away (%s) ends nobody else, and is done again when it is back',
  async (name, outcome) => {
    let runs = 0
    await working(`trial.${name}`, async () => {
      if (++runs > 1) return
      await breaking()
      await outcome()
    })
    await add(`trial.${name}`)
    await until(() => runs === 2)
    await until(async () => (await owner.query('select from graphile_worker.jobs where task_identifier = $1', [`trial.${name}`])).rowCount === 0)
    expect(runs).toBe(2)
  },
  60_000,
)

test('a connection that is let go twice, as graphile-worker does with one that breaks meanwhile, goes back once', async () => {
  const pool = letGoOnce(new pg.Pool({ connectionString: database.ownerUrl, max: 1 }))
  const letGo = await new Promise<() => void>((resolve, reject) =>
    pool.connect((error, _client, release) => (error ? reject(error) : resolve(release))),
  )
  letGo()
  letGo()
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  await pool.end()
})

test('what a dead worker had in hand is done by another at once; what a living one has stays with it', async () => {
  let runs = 0
  let mayEnd = false
  await working('trial.long', async () => {
    runs++
    await until(() => mayEnd)
  })
  await add('trial.long')
  await until(() => runs === 1)
  // Taken for old, so that nothing but the sign of life speaks for it.
  await owner.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'`)
  expect(await handBack(owner)).toBe(0)
  await owner.query(`update graphile_worker._private_jobs set locked_by = 'pool-gone'`)
  await until(() => runs === 2)
  mayEnd = true
}, 60_000)

test('a worker that is refused its lock, or whose connection ends, says that it is lost; one that ends by itself does not', async () => {
  const pool = openPlainPool(database.ownerUrl, 3)
  const lives = await Promise.all(['refused', 'cut off', 'at its end'].map(async (name) => ({ name, life: await signOfLife(pool) })))
  const said: string[] = []
  for (const { name, life } of lives) void life.lost.then(() => said.push(name))
  const locked = 'select pg_advisory_lock(hashtextextended($1, 0))'
  const holder = await owner.connect()
  await holder.query(locked, ['refused'])
  for (const { name, life } of lives) life.of(name)
  const backend = async (granted: boolean, name: string) =>
    (
      await owner.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and granted = $1
          and ((classid::bigint << 32) | objid::bigint) = hashtextextended($2, 0)`,
        [granted, name],
      )
    ).rows[0]?.pid
  await until(async () => (await backend(false, 'refused')) !== undefined && (await backend(true, 'cut off')) !== undefined)
  await owner.query('select pg_cancel_backend($1)', [await backend(false, 'refused')])
  await owner.query('select pg_terminate_backend($1)', [await backend(true, 'cut off')])
  await until(() => said.length === 2)
  lives[2]!.life.end()
  expect(said.toSorted()).toEqual(['cut off', 'refused'])
  holder.release(true)
  await pool.end()
}, 60_000)

test('a job takes the place of one of its key in its own enterprise alone: another company’s gate may be called the same', async () => {
  const adds = (enterprise: number, n: number) =>
    writing(app, { enterprise, parks: null }, { userId: null, userName: 'test', via: 'test', requestId: '' }, (tx) =>
      addJob(tx, { name: 'trial.keyed' }, { n }, { key: 'G01' }),
    )
  for (const [enterprise, n] of [
    [1, 1],
    [2, 2],
    [1, 3],
  ] as const)
    await adds(enterprise, n)
  const { rows } = await owner.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'trial.keyed' returning payload`,
  )
  expect(rows.map(({ payload }) => payload).sort((a, b) => a.enterprise - b.enterprise)).toEqual([
    { enterprise: 1, data: { n: 3 } },
    { enterprise: 2, data: { n: 2 } },
  ])
})

test('a scheduled task that fails in one enterprise is done in all others, once, and is tried again in that one alone', async () => {
  const reached: number[] = []
  let faults = 2
  const each = task('trial.each', async ({ tx }) => {
    reached.push(enterpriseOf(tx))
    if (enterpriseOf(tx) === 2 && faults-- > 0) throw new Error('Its own fault.')
  })
  const worker = await startWorker(houseAt(), [each], () => Promise.resolve([1, 2, 3, 4, 5]))
  onTestFinished(() => worker.stop())
  await owner.query(`select graphile_worker.add_job('trial.each', '{}')`)
  await until(async () => (await owner.query(`select from graphile_worker.jobs where task_identifier = 'trial.each'`)).rowCount === 0)
  expect(reached.filter((enterprise) => enterprise !== 2)).toEqual([1, 3, 4, 5])
  expect(
    reached.filter((enterprise) => enterprise === 2),
    'failed among the others, failed once more, done',
  ).toHaveLength(3)
})

test('a clock that was put back holds up no scheduled task, and no job of before', async () => {
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: minute + HOUR - 500 })
  onTestFinished(() => void vi.useRealTimers())
  const comes = async (what: () => boolean | Promise<boolean>) => {
    for (const end = performance.now() + 30_000; !(await what()); await pause(20))
      if (performance.now() > end) throw new Error('It did not come to pass.')
  }
  let runs = 0
  const count = async () => void runs++
  const worker = await startWorker(houseAt(), [task('trial.minute', count, { every: '* * * * *' }), longTask('trial.early', count)], () =>
    Promise.resolve([1]),
  )
  onTestFinished(() => worker.stop())
  const lastOf = async () => {
    const { rows } = await owner.query(`select last_execution as at from graphile_worker._private_known_crontabs where identifier = 'trial.minute'`)
    return rows.length === 0 ? undefined : Date.parse(rows[0].at)
  }
  await comes(async () => (await lastOf()) !== undefined)
  // As they stand where the database's clock was an hour ahead with ours: the task has just been due, and something was to be done at once.
  await owner.query(`update graphile_worker._private_known_crontabs set last_execution = $1 where identifier = 'trial.minute'`, [
    new Date(minute + HOUR),
  ])
  await owner.query(`select graphile_worker.add_job('trial.minute', '{"_cron": {}}', job_key => 'trial.minute', run_at => now() + interval '1 hour')`)
  await owner.query(`select graphile_worker.add_job('trial.early', '{"enterprise": 1, "data": {}}', run_at => now() + interval '1 hour')`)
  await owner.query(`update graphile_worker._private_jobs set updated_at = run_at where run_at > now() + interval '30 minutes'`)
  vi.setSystemTime(minute - 50)
  await comes(() => runs === 2)
  expect(await lastOf()).toBeLessThan(minute + HOUR)
  vi.setSystemTime(minute + 120_000)
  await comes(async () => (await lastOf()) === minute + 120_000)
}, 90_000)
const HOUR = 3_600_000
