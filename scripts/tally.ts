import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const DIRECTORY = path.resolve(import.meta.dirname, '../.data/assurance')

/** Tries of a harness in this run. `npm run assurance` makes docs/assurance.md of them. */
export interface Tally {
  /** The check, as the table's heading or line: `strangers: no token`. */
  check: string
  seed?: number
  /** Tries by the call's id, for what is tried on every call. */
  calls?: Record<string, number>
  /** Figures of everything else: `{ spends: 600, passed: 68 }`. */
  numbers?: Record<string, number>
}

/** A whole run begins: what an earlier one left is gone, but for the soak's own figures, which only a soak replaces. */
export function forgetTallies(): void {
  if (!existsSync(DIRECTORY)) return
  for (const name of readdirSync(DIRECTORY)) if (!name.startsWith('soak')) rmSync(path.join(DIRECTORY, name))
}

/** Leaves the numbers where the table is made from. The newest run counts; one that tries some of the calls only does not. */
export function tally(one: Tally): void {
  if (process.env['CALLS'] !== undefined) return
  mkdirSync(DIRECTORY, { recursive: true })
  const name = one.check.replace(/[^\w]+/g, '-')
  writeFileSync(path.join(DIRECTORY, `${name}.json`), `${JSON.stringify({ ...one, at: new Date().toISOString() })}\n`)
}
/** How often each call was tried. */
export const each = (calls: readonly { id: string }[], times: number): Record<string, number> =>
  Object.fromEntries(calls.map(({ id }) => [id, times]))
