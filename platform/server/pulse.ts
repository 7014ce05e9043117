import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cut } from './faults.ts'
import type { Log } from './log.ts'
import { Unavailable } from './refusal.ts'

/** How often the database is asked whether it lives, and how long its answer may take: together below the 2 s in which a caller hears of it. */
const BEAT_MS = 300
const LATE_MS = 1_200
const TICK_MS = 100

export interface Pulse {
  stop(): void
}
/**
 * Asks the database for a sign of life all the time, on a connection of its own. As soon as none comes, every connection of the pools is cut, so that whoever
 * waits is told at once, and whoever comes hears 503 without waiting, until it answers in time again. Dead connections are never used a second time.
 */
export function startPulse(connectionString: string, pools: readonly pg.Pool[], onLost: () => void, log: Log): Pulse {
  const clients = new Set<pg.ClientBase>()
  let away = false
  let stopped = false
  let client: pg.Client | undefined
  for (const pool of pools) {
    pool.on('connect', (one) => void clients.add(one))
    pool.on('remove', (one) => void clients.delete(one))
    refuseWhile(() => away, pool)
  }

  /** That its own connection is gone says nothing of the database: it is asked once more, on a fresh one, before anybody is told. */
  async function beat(): Promise<void> {
    const used = client
    if (!used) return ask()
    await ask().catch((error) => {
      if (client !== used || stopped) throw error // it was too late meanwhile, or nobody wants to know
      cut(used)
      client = undefined
      return ask()
    })
  }
  async function ask(): Promise<void> {
    if (!client) {
      const fresh = new pg.Client({ connectionString, connectionTimeoutMillis: LATE_MS, application_name: 'pulse' })
      fresh.on('error', () => {}) // the beat that it cuts off says so
      client = fresh
      await fresh.connect()
    }
    await client.query('select 1')
  }
  function lost(error: Error) {
    if (client) cut(client)
    client = undefined
    if (away || stopped) return
    away = true
    log.warn({ err: error }, 'The database does not answer: calls are told to come again.')
    for (const one of clients) cut(one)
    onLost()
  }
  async function watch() {
    while (!stopped) {
      try {
        await inTime(beat(), LATE_MS)
        if (away) log.warn('The database answers again.')
        away = false
      } catch (error) {
        lost(error as Error)
      }
      await pause(BEAT_MS, undefined, { ref: false })
    }
  }
  void watch()
  return {
    stop() {
      stopped = true
      client?.end().catch(() => {})
    },
  }
}

/** Counted in ticks and not by the clock: while this process itself is busy for a while, an answer may lie there unread. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    let ticks = ms / TICK_MS
    timer = setInterval(() => --ticks <= 0 && reject(new Error(`No sign of life within ${ms} ms.`)), TICK_MS)
    timer.unref()
  })
  work.catch(() => {}) // it may fail after it was too late
  return Promise.race([work, late]).finally(() => clearInterval(timer))
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (error?: unknown) => void) => void
function refuseWhile(isAway: () => boolean, pool: pg.Pool) {
  const connect = pool.connect.bind(pool) as (done?: Connected) => Promise<pg.PoolClient>
  pool.connect = ((done?: Connected) => {
    if (!isAway()) return connect(done)
    if (!done) return Promise.reject(Unavailable())
    done(Unavailable(), undefined, () => {})
  }) as typeof pool.connect
}
