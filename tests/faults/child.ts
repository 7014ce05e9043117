import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../platform/server/start/port.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Gateways that a test does not speak to have ports of the test file's own: servers of two files run at once. */
const ASIDE = await freePort(1)
const aside = { OCPP_PORT: String(ASIDE), JT808_PORT: String(ASIDE + 1) }
/** A program of ours in a process of its own, as a person starts it: nothing of the test's environment but the path, and what is compiled already. */
export function spawned(
  file: string,
  env: Record<string, string>,
  words: { out: string; err: string } = { out: '', err: '' },
  /** Where its standard error goes instead. */
  log?: number,
): ChildProcess {
  const child = spawn(process.execPath, [path.resolve(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...aside, ...env },
    stdio: ['ignore', 'pipe', log ?? 'pipe'],
  })
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (words.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words.err += text))
  return child
}
/** It runs to its end by itself. @returns its code and what it said */
export async function ended(file: string, env: Record<string, string>, ms = 30_000): Promise<{ code: number | null; out: string; err: string }> {
  const words = { out: '', err: '' }
  const child = spawned(file, env, words)
  const late = setTimeout(() => child.kill('SIGKILL'), ms)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  return { code, ...words }
}

export const lives = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\t[ZX]/m.test(statusOf(pid))
const statusOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return 'State:\tX' // gone meanwhile
  }
}
/** A process with all that came from it. */
export function familyOf(pid: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), parent: Number(/^PPid:\t(\d+)/m.exec(statusOf(Number(name)))?.[1]) })),
    ({ parent }) => parent,
  )
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap((child) => below(child.pid))]
  return below(pid)
}

export async function until(what: () => boolean | Promise<boolean>, ms: number, say: string): Promise<number> {
  const begun = performance.now()
  while (!(await what())) {
    if (performance.now() - begun > ms) throw new Error(`${say} did not come to pass within ${ms} ms.`)
    await pause(20)
  }
  return performance.now() - begun
}

/** The whole product with a PostgreSQL of its own under `dataDir`. */
export interface App {
  url: string
  mqttUrl: string
  child(): ChildProcess
  start(): Promise<void>
  /** @throws what it said when it ended or when something failed unheard, if it did */
  mustRun(): void
  /** As the owner of the tables; changes with every start. */
  ownerUrl(): string
  /** PostgreSQL's first process. */
  postmaster(): number
}
/** Bounds a hang: with the demo city it is a minute on two cores that run other tests as well. */
const READY_MS = 240_000

/** Behind the server's own port: of what stands outside a demo up to the fifth, then of its gateways. */
const [MQTT, OCPP, JT808] = [6, 7, 8]

export async function appIn(dataDir: string, env: Record<string, string>): Promise<App> {
  const port = await freePort(JT808)
  const mqttPort = port + MQTT
  const url = `http://127.0.0.1:${port}`
  const inside = (name: string) => readFileSync(path.join(dataDir, name), 'utf8')
  const pidFile = () => inside('postgres/postmaster.pid').split('\n')
  let child: ChildProcess
  let words: { out: string; err: string }
  const mustRun = () => {
    if (child.exitCode !== null || child.signalCode) throw new Error(`The server ended: ${words.err}`)
    if (words.err.includes('"level":60')) throw new Error(`Something failed unheard: ${words.err}`)
  }
  return {
    url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    child: () => child,
    mustRun,
    async start() {
      words = { out: '', err: '' }
      child = spawned(
        'apps/server/main.ts',
        {
          DATA_DIR: dataDir,
          PORT: String(port),
          MQTT_PORT: String(mqttPort),
          OCPP_PORT: String(port + OCPP),
          JT808_PORT: String(port + JT808),
          LOG_LEVEL: 'fatal',
          RATE_LIMIT: '0',
          ...env,
        },
        words,
      )
      const ready = () =>
        fetch(`${url}/lbs/ready`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ status }) => status === 200,
          () => false,
        )
      await until(
        () => {
          mustRun()
          return ready()
        },
        READY_MS,
        'The start of the server',
      )
    },
    ownerUrl: () => `postgres://kerbline_owner:${inside('postgres.password').trim()}@127.0.0.1:${pidFile()[3]}/kerbline`,
    postmaster: () => Number(pidFile()[0]),
  }
}
