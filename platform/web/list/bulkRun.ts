import type { Call } from '../../contract/call.ts'
import { ask, newKey, Refusal } from '../ask.ts'
import { say, type Text } from '../text.ts'

export interface BulkAct<T> {
  text: Text
  call: Call<any, unknown>
  /** The call's input for one row. */
  input: (row: T) => object
  /** Why a row cannot take it now: it is not sent. */
  not?: (row: T) => Text | false | undefined
  danger?: boolean
  /** What the question says besides. */
  warns?: Text
  /** What the answers hold is shown this once: a sheet of it is offered when all is done. */
  once?: Once<T>
}
export interface Once<T> {
  /** The file's name, without its ending. */
  name: Text
  heads: readonly Text[]
  cells: (row: T, answer: any) => readonly string[]
  /** As many rows go into one sheet. */
  most: number
}
export type Outcome = 'waiting' | 'done' | 'failed' | 'left'
export interface Result<T> {
  row: T
  outcome: Outcome
  reason: string
  requestId: string
  /** What the call answered. */
  answer?: unknown
}
export interface Run<T> {
  results: readonly Result<T>[]
  /** Rows that have an outcome. */
  settled: number
  failed: number
  running: boolean
  cancelled: boolean
}

/** As many calls of one run are under way at once: more does not go faster, and leaves nothing for others. */
const TOGETHER = 4
/** The screen hears of progress so often. */
const TELL_EVERY_MS = 100

/**
 * Does one thing to each row, a call for each, so that each has its own permission, its own audit and its own outcome.
 * `cancel` sends no more; what is under way is waited for, because it may have happened. Rows that were not sent are `left`.
 */
export function bulkRun<T>(act: BulkAct<T>, rows: readonly T[], tell: (run: Run<T>) => void) {
  const results: Result<T>[] = rows.map((row) => ({ row, outcome: 'waiting', reason: '', requestId: '' }))
  let next = 0
  let settled = 0
  let failed = 0
  let cancelled = false
  let told = 0
  const look = (running: boolean) => {
    told = Date.now()
    tell({ results: running ? results : [...results], settled, failed, running, cancelled })
  }
  const settle = (at: number, outcome: Outcome, { reason = '', requestId = '', answer }: Told = {}) => {
    results[at] = { row: rows[at]!, outcome, reason, requestId, answer }
    settled++
    if (outcome === 'failed') failed++
    if (Date.now() - told >= TELL_EVERY_MS) look(true)
  }
  const worker = async () => {
    while (next < rows.length && !cancelled) {
      const at = next++
      settle(at, ...(await doOne(act, rows[at]!)))
    }
  }
  const done = (async () => {
    look(true)
    await Promise.all(Array.from({ length: TOGETHER }, worker))
    for (const [at, { outcome }] of results.entries()) if (outcome === 'waiting') results[at] = { ...results[at]!, outcome: 'left' }
    look(false)
    return results as readonly Result<T>[]
  })()
  const cancel = () => {
    cancelled = true
    look(true)
  }
  return { cancel, done }
}

interface Told {
  reason?: string
  requestId?: string
  answer?: unknown
}
async function doOne<T>(act: BulkAct<T>, row: T): Promise<[Outcome, Told]> {
  const not = act.not?.(row)
  if (not) return ['failed', { reason: say(not) }]
  try {
    return ['done', { answer: await ask(act.call, act.input(row), { key: newKey(), apart: true }) }]
  } catch (error) {
    const { message, requestId } = error instanceof Refusal ? error : new Refusal(0, String(error), '')
    return ['failed', { reason: message, requestId }]
  }
}
