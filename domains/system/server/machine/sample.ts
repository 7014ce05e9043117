import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { permilleOf } from '../../../../platform/contract/rate.ts'
import { instantAt } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { type Disk, SAMPLE_SECONDS, type Sample } from '../../contract/performance.ts'
import type { Machine } from './machine.ts'
import '../tables.ts'

type Figures = Omit<Of<typeof Sample>, 'at' | 'dbConnections' | 'dbPermille'>
/** One measurement of this machine. */
export interface Look {
  name: string
  os: string
  cpu: string
  cores: number
  memBytes: number
  programStartedAt: Instant
  disks: Of<typeof Disk>[]
  figures: Figures
}

/**
 * Looks at this machine every 15 s, at the same moments in every process: several of one machine write one sample between them. A look that takes longer leaves moments out.
 * @returns what stops it
 */
export function startSampling(house: Pick<House, 'writing' | 'log'>, look = lookerHere()): () => Promise<void> {
  let timer: NodeJS.Timeout
  let now: Promise<void> = Promise.resolve()
  let failed = false
  let stopped = false
  const sample = async (at: Instant) => {
    try {
      const seen = await look.now()
      await house.writing(NO_ENTERPRISE, 'system.sample', (tx) => keepSample(tx, seen, at))
      failed = false
    } catch (error) {
      if (!failed && !stopped) house.log.warn({ err: error }, 'This machine could not be measured; it is tried again.')
      failed = true
    }
  }
  const next = () => {
    if (stopped) return
    const slot = Math.ceil((Date.now() + 1) / SLOT_MS) * SLOT_MS
    timer = setTimeout(() => {
      now = sample(instantAt(slot))
      void now.then(next)
    }, slot - Date.now())
    timer.unref()
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    look.stop() // a look under way ends with it
    await now
  }
}
const SLOT_MS = SAMPLE_SECONDS * 1000
/** Machines belong to the installation, not to one of its companies. */
const NO_ENTERPRISE = 0

/** Measures the machine and this process. A process of its own looks at the machine; it is started again when it is gone. */
export function lookerHere(): { now: () => Promise<Look>; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let before = { at: performance.now(), cpu: process.cpuUsage() }
  let machine: ChildProcess | undefined
  const programStartedAt = instantAt(Date.now() - Math.round(process.uptime() * 1000))
  const now = async (): Promise<Look> => {
    if (!machine?.connected) machine = startMachine()
    const { facts, load, mem, disks, net } = await answerOf(machine)
    const spent = process.cpuUsage(before.cpu)
    const passed = (performance.now() - before.at) * 1000
    before = { at: performance.now(), cpu: process.cpuUsage() }
    const loopMs = Math.round(delay.percentile(99) / 1e6)
    delay.reset()
    return {
      ...facts,
      programStartedAt,
      disks,
      figures: {
        cpuPermille: permille(load, 100),
        memPermille: permille(mem.total - mem.available, mem.total),
        diskPermille: disks.length > 0 ? Math.max(...disks.map(({ used, bytes }) => permille(used, bytes))) : null,
        loadPercent: Math.round((os.loadavg()[0]! / facts.cores) * 100),
        netInBytes: net.in,
        netOutBytes: net.out,
        programBytes: process.memoryUsage.rss(),
        programPermille: permille(spent.user + spent.system, passed),
        loopMs,
      },
    }
  }
  return { now, stop: () => void machine?.kill('SIGKILL') }
}

/** No text of anybody reaches the operating system: the commands are fixed in that process, which knows nothing of ours but the way to programs. */
function startMachine(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'machine.ts'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    execArgv: ['--max-old-space-size=64', '--no-warnings'],
  })
  child.on('error', () => {}) // told by the look that gets no answer
  child.unref()
  child.channel?.unref()
  return child
}
async function answerOf(child: ChildProcess): Promise<Machine> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LOOK_MS)])
  const answer = once(child, 'message', { signal }) as Promise<[{ machine: Machine } | { error: string }]>
  const gone = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('The process that looks at this machine is gone.')))
  child.send('look', () => {}) // one that is gone says so itself
  try {
    const [said] = await Promise.race([answer, gone])
    if ('error' in said) throw new Error(said.error)
    return said.machine
  } catch (error) {
    child.kill('SIGKILL') // whatever it hangs on, the next look begins afresh
    throw error
  } finally {
    gone.catch(() => {})
    answer.catch(() => {})
    over.abort()
  }
}
/** The measuring process has a low priority: on a busy machine its start alone takes a quarter of a minute, and a shorter limit would never show how busy. */
const LOOK_MS = 60_000

const permille = (part: number, of: number) => Math.max(0, permilleOf(part, of) ?? 0)

/** A sample of one moment; a second one of the same machine and moment changes nothing. */
export async function keepSample(tx: Tx, { figures, disks, ...facts }: Look, at: Instant): Promise<void> {
  const [[server], [db]] = await Promise.all([
    run<{ id: string }>(
      tx,
      {
        sql: `insert into system.server (name, os, cpu, cores, mem_bytes, disks, program_started_at, first_seen_at, last_seen_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
          on conflict (name) do update set os = excluded.os, cpu = excluded.cpu, cores = excluded.cores, mem_bytes = excluded.mem_bytes, disks = excluded.disks,
            program_started_at = excluded.program_started_at, last_seen_at = greatest(system.server.last_seen_at, excluded.last_seen_at) returning id`,
      },
      [facts.name, facts.os, facts.cpu, facts.cores, facts.memBytes, JSON.stringify(disks), facts.programStartedAt, at],
    ),
    run<{ n: number; most: number }>(tx, { sql: CONNECTIONS }, []),
  ])
  await tx
    .insertInto('system.serverSample')
    .values({ serverId: server!.id, at, ...figures, dbConnections: db!.n, dbPermille: permille(db!.n, db!.most) })
    .onConflict((on) => on.columns(['serverId', 'at']).doNothing())
    .execute()
}
export const CONNECTIONS = `select count(*)::int n, current_setting('max_connections')::int most from pg_stat_activity where datname = current_database()`
