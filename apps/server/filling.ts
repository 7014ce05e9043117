import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../platform/server/log.ts'
import type { Readiness } from './health.ts'

interface Filling {
  log: Log
  readiness: Readiness
  /** A person who stops the server is not kept waiting: the next start continues what a stop cuts off. */
  stopping: () => boolean
  tries?: number
  againMs?: number
}
/** A database that goes away again and again takes a try each time. */
const FILL_TRIES = 12
const FILL_AGAIN_MS = 3_000

/** Fills the demo, in as many tries as it takes. It is a guest of the server: where it is refused to the end, people, lanes and piles are served without it. */
export async function filling(fill: () => Promise<void>, how: Filling): Promise<void> {
  const { log, readiness, stopping, tries = FILL_TRIES, againMs = FILL_AGAIN_MS } = how
  try {
    await fill()
  } catch (error) {
    if (stopping()) return
    if (tries === 1) {
      readiness.waitingFor = null
      return log.error({ err: error }, 'The demo was not filled; the next start goes on with it.')
    }
    log.warn({ err: error }, 'The demo was not filled; trying again.')
    await pause(againMs) // the database may have been away for a moment
    await filling(fill, { ...how, tries: tries - 1 })
  }
}
