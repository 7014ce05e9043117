import { pino, type Logger } from 'pino'
import SonicBoom from 'sonic-boom'

export type Log = Logger

/** Names whose values never reach a log, wherever they stand. */
const SECRET = [
  'password',
  'newPassword',
  'confirmPassword',
  'oldPassword',
  'access_token',
  'token',
  'secret',
  'authorization',
  'cookie',
  'thirdAuth',
  'code',
]

/** Structured logs on standard error, so that standard output stays for people. */
export const openLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]), censor: '[hidden]' },
    },
    toStandardError(),
  )

/** The most bytes that wait for a slow reader; beyond it lines are lost, to spare the server's memory. */
const WAITS_BYTES = 16_000_000
/** How often the end tries again to hand out what is left to a reader that does not take it, 100 ms apart. */
const LAST_TRIES = 20
let out: SonicBoom | undefined
/**
 * Lines are written while other work goes on. Nobody who reads: that ends nothing, and holds up nothing. pino's own destination is of an older kind, which goes on
 * for ever at the end of a program whose reader is gone: one that was told to stop never did.
 */
function toStandardError(): SonicBoom {
  if (out) return out
  let tries = Infinity
  const made = new SonicBoom({ fd: 2, maxLength: WAITS_BYTES, retryEAGAIN: () => tries-- > 0 })
  made.on('error', () => {})
  process.on('exit', () => {
    tries = LAST_TRIES
    try {
      made.flushSync()
    } catch {
      // nobody reads
    }
  })
  return (out = made)
}

/**
 * A promise that failed where nobody waits for it is a fault of ours or of a library, and is told as the worst there is. It ends nobody: what is written is written
 * in transactions, and a program that stops lets no car out.
 */
export const hearUnheard = (log: Log) =>
  process.on('unhandledRejection', (error) => log.fatal({ err: error }, 'A promise failed and nobody waited for it; the server goes on.'))

/** The same for what was thrown and never caught; only for a server that runs already: a start that fails so has to end. */
export const hearUncaught = (log: Log) =>
  process.on('uncaughtException', (error) => log.fatal({ err: error }, 'An error was thrown and nobody caught it; the server goes on.'))
