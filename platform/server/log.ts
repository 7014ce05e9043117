import { pino, type Logger } from 'pino'

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
    pino.destination(2),
  )

/**
 * A promise that failed where nobody waits for it is a fault of ours or of a library, and is told as the worst there is. It ends nobody: what is written is written
 * in transactions, and a program that stops lets no car out.
 */
export const hearUnheard = (log: Log) =>
  process.on('unhandledRejection', (error) => log.fatal({ err: error }, 'A promise failed and nobody waited for it; the server goes on.'))
