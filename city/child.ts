import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import path from 'node:path'
import type { Log } from '../platform/server/log.ts'

const WAITS_MS = 15_000
const ANSWERS_MS = 2_000
/** Tells a process that its input is ours and ends with us. */
const TIED = 'ENDS_WITH_INPUT'

interface Started {
  /** Where a person who reads of it finds it: `at port 8602`. */
  at: string
  args: readonly string[]
  env?: Record<string, string>
}
const living = new Map<string, Promise<string>>()

/**
 * Starts a process that stands outside the platform, for as long as this one lives: its input is ours, and ends with us. `file`
 * lies beside this one. A process that we have started already, and that lives, is used again.
 * @returns its first line, which it says when it listens
 */
export function startChild(name: string, file: string, { at, args, env = {} }: Started): Promise<string> {
  const key = JSON.stringify([file, args, env])
  const there = living.get(key)
  if (there) return there
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...env, [TIED]: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = new Promise<string>((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(timer)
      living.delete(key)
      reject(new Error(`The ${name} ${at} ${what}.`))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`did not start within ${WAITS_MS / 1000} s`)
    }, WAITS_MS)
    child.stdout.setEncoding('utf8').once('data', (line: string) => (clearTimeout(timer), resolve(line)))
    child.once('error', () => fail('could not be started')).once('exit', () => fail('did not start'))
  })
  living.set(key, said)
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref()
  return said
}

/** Logs in one line that something did not start. @returns the first line of the process, or undefined where the demo goes on without it */
export const orWithout = <T>(log: Pick<Log, 'warn'>, started: Promise<T>): Promise<T | undefined> =>
  started.catch((error: Error) => {
    log.warn(`${error.message} The demo goes on without it.`)
    return undefined
  })

/** A sandbox tells with it at `/counts` whose secret it signs with, and not the secret. */
export const MARK = 'x-mark'
export const markOf = (secret: string): string => hash('sha256', `mark of ${secret}`)
/** Whether a sandbox answers there; with `secret`, one that signs with it. */
export const answersAt = (url: string, secret?: string): Promise<boolean> =>
  fetch(`${url}/counts`, { signal: AbortSignal.timeout(ANSWERS_MS) }).then(
    ({ ok, headers }) => ok && (secret === undefined || headers.get(MARK) === markOf(secret)),
    () => false,
  )

/** For the process itself: gone with a signal, and gone with whoever started it as its child, however they went. Started by hand it has an input of its own. */
export function endWith(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  if (process.env[TIED]) process.stdin.resume().once('end', end).unref()
}
