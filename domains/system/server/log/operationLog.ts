import type pg from 'pg'
import { isData } from '../../../../platform/server/database.ts'
import type { Log } from '../../../../platform/server/log.ts'
import type { CallNote } from '../../../../platform/server/serve.ts'

/** Lines wait so long for others: one statement for all that was done meanwhile, after the answers have gone out. */
const TOGETHER_MS = 100
/** The most lines kept while the database is away; later ones are counted as lost. */
const WAITING_MAX = 20_000
const LINES_MAX = 500
const AGAIN_MS = 1_000

export interface OperationLog {
  note(note: CallNote): void
  /** Writes what still waits. */
  close(): Promise<void>
}

/** Takes down what people do: quickly, in order, and never in the way of the answer. */
export function openOperationLog(pool: pg.Pool, log: Log): OperationLog {
  let waiting: CallNote[] = []
  let timer: NodeJS.Timeout | undefined
  let missed = 0
  let writing: Promise<void> | undefined
  const later = (ms: number) => void (timer ??= setTimeout(() => void ((timer = undefined), write()), ms))
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.slice(0, LINES_MAX)
      await put(lines)
      waiting = waiting.slice(lines.length)
    }
    if (missed > 0) log.error({ missed }, 'The operation log has missed lines: the database was away for too long.')
    missed = 0
  }
  /** One line that cannot be kept must not hold up the others: it is found by halves, and missed alone. */
  async function put(lines: readonly CallNote[]): Promise<void> {
    try {
      await pool.query({ name: 'log_operations', text: 'select system.log_operations($1)', values: [JSON.stringify(lines.map(lineOf))] })
    } catch (error) {
      if (!isData(error)) throw error
      if (lines.length === 1)
        return log.error({ err: error, call: lines[0]!.call, requestId: lines[0]!.requestId }, 'A line of the operation log cannot be kept.')
      const half = lines.length >> 1
      await put(lines.slice(0, half))
      await put(lines.slice(half))
    }
  }
  function write(): Promise<void> {
    writing ??= writeAll()
      .catch((error: Error) => {
        log.warn({ err: error }, 'The operation log waits for the database.')
        later(AGAIN_MS)
      })
      .finally(() => (writing = undefined))
    return writing
  }
  return {
    note(note) {
      if (waiting.length >= WAITING_MAX) return void missed++
      waiting.push(note)
      later(TOGETHER_MS)
    },
    async close() {
      await writing
      if (waiting.length > 0) await write()
      clearTimeout(timer)
    },
  }
}

const DONE = 1
const REFUSED = 2
const FAILED = 3
const TEXT_MAX = 300
/** As much of a stranger's text as PostgreSQL takes: half a character and what controls no screen are not part of it. */
const storable = (text: string | undefined | null) =>
  text
    ?.slice(0, TEXT_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ') ?? null
const lineOf = ({ at, actor, ip, page, call, target, status, said, tookMs, requestId }: CallNote) => ({
  enterprise: actor.enterprise,
  at,
  author_id: actor.userId,
  author_name: actor.userName,
  ip,
  page,
  call,
  target: storable(target),
  outcome: status < 400 ? DONE : status < 500 ? REFUSED : FAILED,
  status,
  said: storable(said?.[0]),
  said_en: storable(said?.[1]),
  took_ms: tookMs,
  request_id: requestId,
})
