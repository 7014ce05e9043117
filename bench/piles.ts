import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { giveSecret } from '../domains/charging/server/api.ts'
import { run } from '../platform/server/database.ts'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/start/migrate.ts'
import { end, own, PORTS } from './child.ts'
import { cpuSeconds } from './cpu.ts'
import { PASSWORD, signIn } from './lists.ts'
import { aStation, beforehand, SECRET, startPileServer } from './ocpp.ts'
import { cardOf, idOf, type Plan, type Said, type Told } from './playedPiles.ts'
import { isSmall, sizeOf } from './size.ts'
import type { Row } from './table.ts'

const PILES = sizeOf('piles', 10_000, 20)
const CHARGING = sizeOf('charging', 1_000, 5)
const STEADY_S = sizeOf('steady-seconds', 180, 3)
const ALL_BACK_S = 90
const MEMORY_MB = 1_024
const CALL_MS = 100
/** A console that looks at the piles all the time. */
const CALLS_PER_S = 10
const LOOK_MS = 250

/** Ten thousand charge points on one process, and their return after it was killed. Alone: it takes ten minutes. */
export async function piles(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const played = play({ url: `ws://127.0.0.1:${port + PORTS.ocpp}`, secret: SECRET, count: PILES, charging: CHARGING, heartbeatS: 60, samplesS: 30 })
  let server: ChildProcess | undefined
  try {
    server = await startPileServer(ownerUrl, dataDir, port, DEMO)
    await build(appUrl)
    const first = await seconds(() => played.ask('connect'))
    await played.ask('charge')
    await played.ask('play')
    const steady = await steadily(server, owner, port, played)
    await end(server, 'SIGKILL')
    const began = performance.now()
    const callers = await gone(played)
    server = await startPileServer(ownerUrl, dataDir, port, DEMO)
    const ready = (performance.now() - began) / 1000
    const watched = watch(server, owner, port)
    const back = await allBack(played, began)
    const storm = await watched()
    await pause(REST_MS)
    await played.ask('rest')
    const kept = await allKept(played, owner)
    const online = await count(owner, `select count(*)::int n from charging.pile_state where online and equipment_id like 'PP%'`)
    return [
      { what: `OCPP: ${PILES.toLocaleString('en')} piles let in and started, first time`, value: `${first.toFixed(1)} s` },
      ...rowsOf(steady),
      {
        what: `OCPP: all ${PILES.toLocaleString('en')} back and started after a kill (${callers.toLocaleString('en')} were cut, the server ready after ${ready.toFixed(1)} s)`,
        value: `${back.toFixed(1)} s`,
        target: `≤ ${ALL_BACK_S} s`,
        kept: back <= ALL_BACK_S && online === PILES,
      },
      {
        what: `OCPP: connections to the database while they come back, most; calls meanwhile p50 / p99 of ${storm.calls}`,
        value: `${storm.connections}, ${storm.p50.toFixed(0)} / ${storm.p99.toFixed(0)} ms`,
        target: `≤ ${POOLS} connections`,
        kept: storm.connections <= POOLS,
      },
      {
        what: `OCPP: samples answered, kept of them; messages refused`,
        value: `${kept.answered}, ${kept.rows}; ${kept.refused}`,
        target: 'all, 0',
        kept: kept.answered === kept.rows && kept.refused === 0 && kept.left === 0,
      },
    ]
  } finally {
    await Promise.all([end(played.child), server && end(server)])
    await owner.end()
  }
}
/** Somebody can sign in. */
const DEMO = { DEMO: 'small', DEMO_PASSWORD: PASSWORD }
/** The time to send the messages of the outage and to write down those under way, in milliseconds. */
const REST_MS = isSmall ? 2_000 : 45_000
/** Of the calls, of the jobs, and those that listen. */
const POOLS = 40

const seconds = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
const count = async (owner: pg.Client, sql: string): Promise<number> => (await owner.query(sql)).rows[0].n

interface Played {
  child: ChildProcess
  ask(told: Told): Promise<Said>
}
function play(plan: Plan): Played {
  const child = own('What plays the piles', fork(path.join(import.meta.dirname, 'playedPiles.ts'), [JSON.stringify(plan)]))
  const ask = (told: Told) =>
    new Promise<Said>((resolve) => {
      child.once('message', (said) => resolve(said as Said))
      child.send(told)
    })
  return { child, ask }
}

interface Steady {
  cpu: number
  database: number
  memoryMb: number
  perSecond: number
  slowestMs: number
  calls: number
  p50: number
  p99: number
}
async function steadily(server: ChildProcess, owner: pg.Client, port: number, played: Played): Promise<Steady> {
  const postgres = await postmasterOf(owner)
  const before = await played.ask('count')
  const [ours, theirs] = [cpuSeconds(server.pid!), cpuSeconds(postgres)]
  const watched = watch(server, owner, port)
  await pause(STEADY_S * 1000)
  const seen = await watched()
  const after = await played.ask('count')
  return {
    ...seen,
    cpu: (cpuSeconds(server.pid!) - ours) / STEADY_S,
    database: (cpuSeconds(postgres) - theirs) / STEADY_S,
    perSecond: (after.answered - before.answered) / STEADY_S,
    slowestMs: after.slowestMs,
  }
}
const rowsOf = ({ cpu, database, memoryMb, perSecond, slowestMs, calls, p50, p99 }: Steady): Row[] => [
  {
    what: `OCPP: their process, a core (the database beside it ${database.toFixed(2)}), ${perSecond.toFixed(0)} messages/s, slowest answer ${slowestMs.toFixed(0)} ms`,
    value: cpu.toFixed(2),
    target: '< 1 core',
    kept: cpu < 1,
  },
  { what: 'OCPP: memory of that process, most', value: `${memoryMb.toFixed(0)} MB`, target: `< ${MEMORY_MB} MB`, kept: memoryMb < MEMORY_MB },
  {
    what: `OCPP: other calls meanwhile, p50 / p99 of ${calls}`,
    value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
    target: `p99 < ${CALL_MS} ms`,
    kept: p99 < CALL_MS,
  },
]

/** Looks at a server until it is asked what it saw: its memory, its connections, and what people wait for. */
function watch(server: ChildProcess, owner: pg.Client, port: number) {
  let [memoryMb, connections, watching] = [0, 0, true]
  const times: number[] = []
  const look = async () => {
    while (watching) {
      memoryMb = Math.max(memoryMb, memoryOf(server.pid!))
      connections = Math.max(connections, await count(owner, `select count(*)::int n from pg_stat_activity where usename = 'kerbline_app'`))
      await pause(LOOK_MS)
    }
  }
  const call = async () => {
    const headers = { authorization: `Bearer ${await signIn(port, 'admin')}`, 'content-type': 'application/json' }
    for (let page = 1; watching; page = (page % 50) + 1) {
      const due = pause(1000 / CALLS_PER_S)
      const begun = performance.now()
      const reply = await fetch(`http://127.0.0.1:${port}/lbs/charging/chargingPile/query`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ current: page, limit: 20 }),
      })
      if (!reply.ok) throw new Error(`A list of piles answers ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
      times.push(performance.now() - begun)
      await due
    }
  }
  const both = Promise.all([look(), call()])
  return async () => {
    watching = false
    await both
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)]!
    return { memoryMb, connections, calls: times.length, p50: at(0.5), p99: at(0.99) }
  }
}
const memoryOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
const postmasterOf = async (owner: pg.Client): Promise<number> => {
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() pid')
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0]!.pid}/status`, 'utf8'))![1])
}

/** @returns how many were cut */
async function gone(played: Played): Promise<number> {
  const { up } = await played.ask('count')
  while ((await played.ask('count')).up > 0) await pause(LOOK_MS)
  return up
}
/** @returns seconds since `began` */
async function allBack(played: Played, began: number): Promise<number> {
  for (;;) {
    const { up } = await played.ask('count')
    const since = (performance.now() - began) / 1000
    if (up === PILES || since > 2 * ALL_BACK_S) return up === PILES ? since : Infinity
    await pause(LOOK_MS)
  }
}
/** Each sample that was answered is a row. */
async function allKept(played: Played, owner: pg.Client) {
  const { samples, refused, sent, answered, charging } = await played.ask('count')
  const rows = await count(owner, `select count(*)::int n from charging.meter_sample where connector_id like 'PP%' and power_w = 30000`)
  return { answered: samples, rows, refused, left: CHARGING - charging, sent, all: answered }
}

async function build(appUrl: string): Promise<void> {
  await beforehand(appUrl, async (tx) => {
    await aStation(tx)
    const ids = Array.from({ length: PILES }, (_, n) => idOf(n))
    await run(tx, { sql: EQUIPMENT }, [ids])
    await run(tx, { sql: GUNS }, [ids])
    await run(tx, { sql: CARDS }, [ids.slice(0, CHARGING).map((_, n) => cardOf(n))])
    for (const id of ids) await giveSecret(tx, id, SECRET)
  })
}
const EQUIPMENT = `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status, charge_point_id, protocol)
  select id, id, 'BENCH', 'BP', 1, 60, 1, id, 1 from unnest($1::text[]) id`
const GUNS = `insert into charging.connector (connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no)
  select id || '-1', id, 'BENCH', 'BP', 4, 750, 200, 250, 60, 1 from unnest($1::text[]) id`
const CARDS = 'insert into charging.card (card_no, kind) select card_no, 3 from unnest($1::text[]) card_no'
