import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  run as runWorker,
  type Runner,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Instant } from '../../contract/field.ts'
import { enterpriseOf, openPlainPool, run, type Tx, writing } from '../database.ts'
import type { House } from '../domain.ts'
import type { Log } from '../log.ts'
import { isPutBack, putRight } from './putBack.ts'
import { handBack, signOfLife } from './signOfLife.ts'
import { SYSTEM } from '../../contract/said.ts'

export interface TaskContext<Data> {
  tx: Tx
  data: Data
  at: Instant
  /** The house whose worker does it. */
  house: House
}
/** Work done after the transaction that asked for it, at least once. It carries its enterprise and runs in one writing transaction of it. */
export interface Task<Data = any> {
  name: string
  work: (context: TaskContext<Data>) => Promise<void>
  /** Five fields of cron, in UTC; the task then runs in every enterprise. */
  every?: string
  /** Work that takes longer than a transaction may: it gets none, and opens short ones of its own. */
  alone?: (context: Omit<TaskContext<Data>, 'tx'> & { enterprise: number }) => Promise<void>
}
export const longTask = <Data>(name: string, alone: NonNullable<Task<Data>['alone']>): Task<Data> => ({ name, work: async () => {}, alone })
export const task = <Data = Record<string, never>>(name: string, work: Task<Data>['work'], { every }: { every?: string } = {}): Task<Data> => ({
  name,
  work,
  ...(every && { every }),
})

/** A task by its name alone, where its work would be a circle of imports. */
type Named<Data> = Pick<Task<Data>, 'name'> & Partial<Task<Data>>
/** Adds a job within the caller's transaction, of its enterprise or of another. `key` replaces an earlier job of the same key, of that enterprise, that has not begun. */
export const addJob = async <Data>(
  tx: Tx,
  { name }: Named<Data>,
  data: Data,
  { runAt, key, enterprise = enterpriseOf(tx) }: { runAt?: Instant | Date; key?: string; enterprise?: number } = {},
) => {
  await run(tx, { sql: 'select platform.add_job($1, $2, $3, $4)' }, [
    name,
    JSON.stringify({ enterprise, data }),
    runAt ?? null,
    key === undefined ? null : `${enterprise} ${key}`,
  ])
}

export const installJobs = (ownerUrl: string) => runMigrations({ connectionString: ownerUrl })

/** Jobs of one process at once: more would starve calls of connections. */
const AT_ONCE = 4
/** Connections for listening, for the clock, for the sign of life and for giving back what a dead worker held. */
const SPARE = 4
/** Nobody waits for a job: a runner whose first connection was given up on a busy machine took no jobs at all from then on. */
const CONNECT_MS = 30_000

export interface Worker {
  stop(): Promise<void>
}
export async function startWorker(house: House, tasks: readonly Task[], enterprises: () => Promise<number[]>): Promise<Worker> {
  const { ownerUrl, pool, log } = house
  const inEnterprise = (one: Task, enterprise: number, data: unknown) => {
    const at = new Date().toISOString() as Instant
    if (one.alone) return one.alone({ enterprise, data, at, house })
    return writing(pool, { enterprise, parks: null }, { userId: null, userName: SYSTEM, via: one.name, requestId: '' }, (tx) =>
      one.work({ tx, data, at, house }),
    )
  }
  /** One enterprise's fault is its own: those behind it have their turn, and it alone is tried again. Where the database is away this fails too, and all are. */
  const tryApart = async ({ name }: Task, enterprise: number, error: Error) => {
    log.warn({ err: error, task: name, enterprise }, 'A scheduled task failed in one enterprise; it is tried again there.')
    await workerPool.query('select graphile_worker.add_job($1, $2::json, job_key => $3)', [
      name,
      JSON.stringify({ enterprise, data: {} }),
      `${enterprise} ${name}, again`,
    ])
  }
  const list = Object.fromEntries(
    tasks.map((one) => [
      one.name,
      async (payload: unknown) => {
        const { enterprise, data } = payload as { enterprise?: number; data?: unknown }
        if (enterprise !== undefined) return inEnterprise(one, enterprise, data)
        for (const each of await enterprises()) await inEnterprise(one, each, {}).catch((error: Error) => tryApart(one, each, error))
      },
    ]),
  )
  // Its own pool, whose errors are heard to the last: the one that graphile-worker makes itself lets an idle connection's error end the process.
  const workerPool = letGoOnce(openPlainPool(ownerUrl, AT_ONCE + SPARE, CONNECT_MS))
  const start = () => startRunner(workerPool, list, timesOf(tasks), log)
  let stopped = false
  let runner: Runner
  const watch = (one: Runner) => {
    runner = one
    one.promise.then(again, (error: Error) => {
      log.warn({ err: error }, 'The job runner lost its database; it starts again.')
      void again()
    })
  }
  const again = async (): Promise<void> => {
    if (stopped) return
    await pause(AGAIN_MS)
    await start().then((one) => (stopped ? one.stop() : watch(one)), again)
  }
  watch(await start())
  const givingBack = setInterval(() => {
    handBack(workerPool).then(
      (jobs) => void (jobs && log.warn({ jobs }, 'Jobs of a worker that is gone go back to the queue.')),
      (error: Error) => log.warn({ err: error }, 'Jobs of workers that are gone could not be looked for; it is tried again.'),
    )
  }, GIVE_BACK_MS)
  return {
    async stop() {
      stopped = true
      clearInterval(givingBack)
      await runner.stop().catch(() => {}) // it may have stopped by itself
      await workerPool.end()
    },
  }
}

/** A runner that says that it lives, for as long as it does. */
async function startRunner(pgPool: pg.Pool, taskList: TaskList, parsedCronItems: ParsedCronItem[], log: Log): Promise<Runner> {
  await putRight(pgPool)
  const life = await signOfLife(pgPool)
  const events: WorkerEvents = new EventEmitter()
  events.once('pool:create', ({ workerPool: { id } }) => life.of(id))
  const runner = await runWorker({
    ...{ pgPool, taskList, parsedCronItems, events, concurrency: AT_ONCE, noHandleSignals: true, pollInterval: 2000 },
    logger: workerLogger(log),
    // A batch of what has just ended: only there does graphile-worker hear that its end could not be written. Alone, the error would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }).catch((error: Error) => {
    life.end()
    throw error
  })
  void life.lost.then(() => runner.stop()).catch(() => {}) // it may have stopped by itself
  // Cron would wait until the clock is where it was: a runner that begins anew looks at the clock anew.
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
    if (isPutBack(currentTimestamp, expectedTimestamp)) void runner.stop().catch(() => {}) // it may have stopped by itself
  })
  void runner.promise.catch(() => {}).then(life.end)
  return runner
}

/** Items and not lines: the file format of graphile-worker takes no dots in names. */
const timesOf = (tasks: readonly Task[]) =>
  parseCronItems(
    tasks.flatMap(({ name, every }) => (every ? [{ task: name, match: every, options: { jobKey: name, jobKeyMode: 'preserve_run_at' } }] : [])),
  )

type Connected = Parameters<pg.Pool['connect']>[0]
/** graphile-worker lets go of its listening connection twice when that one breaks while it is let go. */
export function letGoOnce(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool)
  const heard = (then: Connected) =>
    connect((error, client, release) => {
      let over = false
      then(error, client, (how) => {
        if (!over) release(how)
        over = true
      })
    })
  return Object.assign(pool, { connect: (then?: Connected) => (then ? heard(then) : connect()) })
}

/** A database that was away is asked again this often. */
const AGAIN_MS = 1_000
const GIVE_BACK_MS = 2_000

const workerLogger = (log: Log) =>
  new Logger(() => (level, text) => {
    if (level === 'error') log.error(text)
    else if (level === 'warning') log.warn(text)
    else log.debug(text)
  })
