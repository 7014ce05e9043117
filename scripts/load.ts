import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '../city/random.ts'
import { signIn } from '../city/client.ts'
import { domains } from '../apps/server/domains.ts'
import type { Call } from '../platform/contract/call.ts'
import { freePort } from '../platform/server/start/port.ts'
import { root } from './sources.ts'

const CLIENTS = 8
/** The sandboxes of payments and messages take the ports after the server's own. */
const BESIDE = 5
const SAMPLE_MS = 10_000
const START_MS = 240_000
const SLOPE_FROM_MINUTES = 20
/** Of the demo's people, for as long as this runs. */
export const PASSWORD = randomBytes(12).toString('base64url')

export interface LoadFigures {
  minutes: number
  calls: number
  /** Answers of 500 and above, and connections that broke. */
  failed: number
  /** Promises that failed where nobody waited for them, and whatever else the server calls the worst. */
  unheard: number
  p50Ms: number
  p99Ms: number
  rssStartMb: number
  rssEndMb: number
  /** Of the second half, by least squares, of a load that lasted long enough to have one. */
  rssSlopeMbPerHour?: number
  descriptorsStart: number
  descriptorsEnd: number
}

/** The real server in a process of its own with the small demo city, for as long as the work lasts. */
export async function besideServer<T>(
  more: Record<string, string>,
  work: (url: string, pid: number) => Promise<T>,
): Promise<T & { unheard: number }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-soak-'))
  const port = await freePort(BESIDE)
  const env = {
    ...process.env,
    PORT: String(port),
    MQTT_PORT: String(await freePort()),
    DATA_DIR: dataDir,
    DEMO: 'small',
    DEMO_PASSWORD: PASSWORD,
    DATABASE_URL: '',
    LOG_LEVEL: 'fatal',
    ...more,
  }
  const server = fork(path.join(root, 'apps/server/main.ts'), { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let unheard = 0
  server.stderr!.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text)
    unheard += text.split('"level":60').length - 1
  })
  try {
    await readyAt(port, server)
    return { ...(await work(`http://127.0.0.1:${port}`, server.pid!)), unheard }
  } finally {
    await stopped(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}
/** Eight people who read lists and write to them as fast as they are answered. */
export const mixedLoad = (minutes: number, seed: number): Promise<LoadFigures> =>
  besideServer({ RATE_LIMIT: '0' }, (url, pid) => watched(pid, url, minutes, seed))

/** It may have gone by itself, and says nothing more then. */
async function stopped(server: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => server.once('exit', resolve))
  if (server.exitCode === null && server.signalCode === null && server.kill('SIGTERM')) await gone
}

interface Sample {
  atMs: number
  rssMb: number
  descriptors: number
}
async function watched(pid: number, url: string, minutes: number, seed: number): Promise<Omit<LoadFigures, 'unheard'>> {
  const end = performance.now() + minutes * 60_000
  const times: number[] = []
  const count = { calls: 0, failed: 0 }
  const clients = Array.from({ length: CLIENTS }, (_, i) => oneClient(url, randomFrom(seed + i), end, times, count))
  const samples: Sample[] = []
  while (performance.now() < end) {
    await pause(Math.min(SAMPLE_MS, Math.max(100, end - performance.now())))
    samples.push(sampleOf(pid))
  }
  await Promise.all(clients)
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  const [first, last] = [samples[0]!, samples.at(-1)!]
  return {
    minutes: Math.round(minutes * 10) / 10,
    calls: count.calls,
    failed: count.failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    rssStartMb: first.rssMb,
    rssEndMb: last.rssMb,
    ...(minutes >= SLOPE_FROM_MINUTES && { rssSlopeMbPerHour: slope(samples.slice(Math.floor(samples.length / 2))) }),
    descriptorsStart: first.descriptors,
    descriptorsEnd: last.descriptors,
  }
}

/** Lists and figures that need nothing, one write in ten. */
export const reads = domains
  .flatMap(({ calls }) => calls.map(({ call }) => call))
  .filter(
    ({ writes, file, needs, input }) => !writes && !file && needs.includes(':') && ((input as { required?: string[] }).required ?? []).length === 0,
  )
const listed = domains.flatMap(({ calls }) => calls.map(({ call }) => call)).find(({ id }) => id === 'member.white-black.insert') as Call<any, any>
/** Times kept for the percentiles; later ones take the place of earlier ones. */
const TIMES_MAX = 200_000

async function oneClient(url: string, random: Random, end: number, times: number[], count: { calls: number; failed: number }): Promise<void> {
  const person = await signIn(url, 'admin', PASSWORD)
  while (performance.now() < end) {
    const begun = performance.now()
    const write = random.chance(0.1)
    const plateNo = `鄂F${String(random.below(100_000)).padStart(5, '0')}`
    const asking = write
      ? person.ask(listed, { plateNo, listType: 1, reasonType: 1, startAt: new Date().toISOString() })
      : person.ask(random.oneOf(reads), {})
    await asking.catch((error: Error & { status?: number }) => {
      if ((error.status ?? 599) >= 500) count.failed++
    })
    times[count.calls++ % TIMES_MAX] = performance.now() - begun
  }
}

function sampleOf(pid: number): Sample {
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return { atMs: performance.now(), rssMb: Math.round(Number(rss?.[1] ?? 0) / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}
function slope(samples: readonly Sample[]): number {
  const mean = (pick: (sample: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length
  const [t, m] = [mean(({ atMs }) => atMs), mean(({ rssMb }) => rssMb)]
  const over = samples.reduce((sum, { atMs, rssMb }) => sum + (atMs - t) * (rssMb - m), 0)
  const under = samples.reduce((sum, { atMs }) => sum + (atMs - t) ** 2, 0)
  return under === 0 ? 0 : Math.round((over / under) * 3_600_000 * 10) / 10
}

async function readyAt(port: number, server: ChildProcess): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until && server.exitCode === null) {
    if (
      await fetch(`http://127.0.0.1:${port}/lbs/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await pause(250)
  }
  throw new Error('The server did not become ready.')
}
