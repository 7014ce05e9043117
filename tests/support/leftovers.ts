import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'

/** A run's directory tells whose it is: the process that made it, and where that number is its own. A container beside us may share the place and not the numbers. */
export const nameFor = (run: number, numbers = NUMBERS) => `kerbline-test-${numbers}-${run}-`
const NUMBERS = ownNumbers()
const OF_A_RUN = new RegExp(`^kerbline-test-${NUMBERS}-(\\d+)-`)
/** The kernel's number of what numbers our processes; on other systems there is one for all. */
function ownNumbers(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))![0]
  } catch {
    return '0'
  }
}

/** Removes what runs that were killed have left in `place`: directories whose run has ended, and its database too. */
export function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    const run = OF_A_RUN.exec(name)?.[1]
    const directory = path.join(place, name)
    if (run === undefined || lives(Number(run))) continue
    try {
      if (!databaseLives(directory)) rmSync(directory, { recursive: true, force: true })
    } catch {
      // Another run removes it at the same moment, or it is another user's: no reason not to begin.
    }
  }
}

function databaseLives(directory: string): boolean {
  try {
    return lives(Number(readFileSync(path.join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false
    throw error
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH'
  }
}
