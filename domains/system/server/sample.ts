import os from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import si from 'systeminformation'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { type Disk, SAMPLE_SECONDS, type Sample } from '../contract/performance.ts'
import './tables.ts'

type Figures = Omit<Of<typeof Sample>, 'at' | 'dbConnections' | 'dbPermille'>
/** What one look at this machine gives. */
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
 * Looks at this machine every 15 s, at the same moments in every process: several of one machine write one sample between them. No text of anybody reaches the
 * operating system; what is asked is fixed here. @returns what stops it
 */
export function startSampling(house: House): () => Promise<void> {
  const look = lookerHere()
  let timer: NodeJS.Timeout
  let now: Promise<void> = Promise.resolve()
  let failed = false
  const sample = async (at: Instant) => {
    try {
      const seen = await look()
      await house.writing(NO_ENTERPRISE, 'system.sample', (tx) => keepSample(tx, seen, at))
      failed = false
    } catch (error) {
      if (!failed) house.log.warn({ err: error }, 'This machine could not be measured; it is tried again.')
      failed = true
    }
  }
  const next = () => {
    const slot = Math.ceil((Date.now() + 1) / SLOT_MS) * SLOT_MS
    timer = setTimeout(() => {
      now = sample(instantAt(slot))
      next()
    }, slot - Date.now())
    timer.unref()
  }
  next()
  return async () => {
    clearTimeout(timer)
    await now
  }
}
const SLOT_MS = SAMPLE_SECONDS * 1000
/** Machines belong to the installation, not to one of its companies. */
const NO_ENTERPRISE = 0

/** Rates are counted between two looks: the first has none. */
function lookerHere(): () => Promise<Look> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let before = { at: performance.now(), cpu: process.cpuUsage() }
  let facts: Pick<Look, 'name' | 'os' | 'cpu' | 'cores' | 'memBytes' | 'programStartedAt'> | undefined
  return async () => {
    facts ??= await factsHere()
    const [load, mem, disks, net] = await Promise.all([si.currentLoad(), si.mem(), disksHere(), si.networkStats('*')])
    const spent = process.cpuUsage(before.cpu)
    const passed = (performance.now() - before.at) * 1000
    before = { at: performance.now(), cpu: process.cpuUsage() }
    const loopMs = Math.round(delay.percentile(99) / 1e6)
    delay.reset()
    return {
      ...facts,
      disks,
      figures: {
        cpuPermille: permille(load.currentLoad, 100),
        memPermille: permille(mem.total - mem.available, mem.total),
        diskPermille: disks.length > 0 ? Math.max(...disks.map(({ used, bytes }) => permille(used, bytes))) : null,
        loadPercent: Math.round((os.loadavg()[0]! / facts.cores) * 100),
        netInBytes: rateOf(net, 'rx_sec'),
        netOutBytes: rateOf(net, 'tx_sec'),
        programBytes: process.memoryUsage.rss(),
        programPermille: permille(spent.user + spent.system, passed),
        loopMs,
      },
    }
  }
}
const permille = (part: number, of: number) => (of > 0 ? Math.max(0, Math.round((part / of) * 1000)) : 0)
const rateOf = (net: si.Systeminformation.NetworkStatsData[], field: 'rx_sec' | 'tx_sec') => {
  const outside = net.filter(({ iface }) => iface !== 'lo')
  return outside.every((one) => one[field] === null) ? null : Math.max(0, Math.round(outside.reduce((sum, one) => sum + (one[field] ?? 0), 0)))
}

async function factsHere() {
  const [cpu, system] = await Promise.all([si.cpu(), si.osInfo()])
  return {
    name: os.hostname().slice(0, 100),
    os: `${system.distro} ${system.release} (${system.kernel}, ${system.arch})`.slice(0, 200),
    cpu: `${cpu.manufacturer} ${cpu.brand}`.trim().slice(0, 200),
    cores: os.availableParallelism(),
    memBytes: os.totalmem(),
    programStartedAt: instantAt(Date.now() - Math.round(process.uptime() * 1000)),
  }
}
/** A file system once, however often it is mounted; those without a size are none. */
async function disksHere(): Promise<Of<typeof Disk>[]> {
  const all = (await si.fsSize()).filter(({ size }) => size > 0)
  return [...new Map(all.map((one) => [one.fs, one])).values()]
    .slice(0, DISKS_MAX)
    .map(({ mount, size, used }) => ({ mount: mount.slice(0, 200), bytes: size, used }))
}
const DISKS_MAX = 20

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
