import { setTimeout as pause } from 'node:timers/promises'
import { isAway } from '../../platform/server/call/answer.ts'
import type { Log } from '../../platform/server/log.ts'

/** As long as all the programs of one machine take to come up together. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 300

/**
 * Asks the database at a start. A database that is not up yet, or too busy to answer within a call's time, is asked again; its
 * refusals are thrown at once.
 * @throws what it says, as soon as that is anything else, or after `patienceMs` milliseconds
 */
export async function whenReached<T>(ask: () => Promise<T>, log: Log, patienceMs = PATIENCE_MS): Promise<T> {
  const until = performance.now() + patienceMs
  for (let told = false; ; told = true) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw error
      if (!told) log.warn({ err: error }, 'The database does not answer yet: the start waits for it.')
      await pause(AGAIN_MS)
    }
  }
}
