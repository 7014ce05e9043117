import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import pg from 'pg'
import { hashOf } from '../domains/device/server/api.ts'
import { aGate, aPark, aRule } from '../domains/parking/server/factories.ts'
import { openPool, writing } from '../platform/server/database.ts'
import { openLog } from '../platform/server/log.ts'
import { migrate } from '../platform/server/migrate.ts'
import { cpuSeconds } from './cpu.ts'
import { pgbench } from './pgbench.ts'
import type { Row } from './table.ts'

/** A lane sees a car every 2.5 s at most: 200 cars a second are this many lanes. */
const LANES = 520
const PARKS = 10
const SECRET = 'bench-lane-secret'
const SECONDS = 20
const WARM_S = 5
/** A car is three events of its lane: read, boom up, boom down. What the lane answers to commands comes on top and is sent too, as a real one does. */
const EVENTS_PER_CAR = 3
const PASS_MS = 1_200
/** A server that falls behind gets this long to catch up before its messages count as lost. */
const DRAIN_MS = 60_000
/** What is promised is counted in plates read, the stricter reading; the two between show how it gets there. */
const TARGETS: { cars: number; p99Ms?: number }[] = [
  { cars: 50, p99Ms: 50 },
  { cars: 200 / EVENTS_PER_CAR },
  { cars: 100 },
  { cars: 200, p99Ms: 250 },
]

/** From the moment a camera hands its event to the socket to the moment its barrier's command is read from it, through the real server in its own process. */
export async function lane(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const { appUrl } = await migrate(ownerUrl, openLog('warn'))
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await build(appUrl)
  const server = await startServer(ownerUrl, dataDir, port)
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, i) => connectLane(i, port + 1)))
  try {
    await drive(lanes, 50, WARM_S, 'W')
    const rows: Row[] = []
    for (const { cars, p99Ms } of TARGETS) {
      const before = cpuOf(server)
      const { p50, p99, told } = await drive(lanes, cars, SECONDS, cars.toFixed(0))
      const after = cpuOf(server)
      const each = (part: keyof typeof before) => (((after[part] - before[part]) * 1000) / told).toFixed(1)
      const lost = Math.floor(cars * SECONDS) - told
      rows.push({
        what: `Lane: plate read to barrier command, ${(cars * EVENTS_PER_CAR).toFixed(0)} events/s (${cars.toFixed(0)} cars/s), p50 / p99 of ${told}`,
        value: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
        ...(p99Ms !== undefined && { target: `p99 < ${p99Ms} ms`, kept: p99 < p99Ms && lost <= 0 }),
      })
      rows.push({
        what: `Lane: processor time a car at ${cars.toFixed(0)} cars/s: database / server / the played lanes`,
        value: `${each('database')} / ${each('server')} / ${each('lanes')} ms`,
      })
    }
    rows.push(await exactly(owner), await recorded(lanes, owner, ownerUrl))
    return rows
  } finally {
    for (const { client } of lanes) client.end(true)
    server.kill('SIGTERM')
    await owner.end()
  }
}

/** Seconds of processor time so far. The database and the server are children of this process. */
function cpuOf(server: ChildProcess) {
  const own = process.cpuUsage()
  const [all, its, lanes] = [cpuSeconds(process.pid), cpuSeconds(server.pid!), (own.user + own.system) / 1e6]
  return { database: all - its - lanes, server: its, lanes }
}

const snOf = (i: number) => `PB-${String(i).padStart(4, '0')}`
async function build(appUrl: string): Promise<void> {
  const pool = openPool(appUrl, 2)
  const secretHash = await hashOf(SECRET)
  await writing(pool, { enterprise: 1, parks: null }, { userId: null, userName: 'bench', via: 'bench', requestId: '' }, async (tx) => {
    for (let park = 0; park < PARKS; park++) {
      await aPark(tx, { parkCode: `L${park}`, totalBays: 100_000 })
      await aRule(tx, { parkCode: `L${park}` })
    }
    for (let i = 0; i < LANES; i++)
      await aGate(tx, { parkCode: `L${i % PARKS}`, gateCode: `L${i % PARKS}-G${i}`, direction: 1, sn: snOf(i), secretHash })
  })
  await pool.end()
}

async function startServer(ownerUrl: string, dataDir: string, port: number): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: ownerUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    MQTT_PORT: String(port + 1),
    DEMO: 'none',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  }
  const server = spawn(process.execPath, [path.resolve(import.meta.dirname, '../apps/server/main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let tries = 0; tries < 240; tries++) {
    if ((await fetch(`http://127.0.0.1:${port}/lbs/ready`).catch(() => undefined))?.ok) return server
    await pause(250)
  }
  throw new Error('The server did not become ready within a minute.')
}

interface LaneAtWork {
  client: MqttClient
  root: string
  /** When the event was sent that the next opening answers. */
  sent: number
  took: ((ms: number) => void) | undefined
}
async function connectLane(i: number, port: number): Promise<LaneAtWork> {
  const sn = snOf(i)
  const root = `v1/devices/${sn}/`
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: sn, username: sn, password: SECRET, clean: false })
  const one: LaneAtWork = { client, root, sent: 0, took: undefined }
  let reports = 0
  const report = (state: string) =>
    client.publish(`${root}event`, JSON.stringify({ type: 'gate', state, cause: 'command', ts: Date.now(), mid: `${BOOT}-g${++reports}` }), {
      qos: 1,
    })
  client.on('message', (topic, payload) => {
    const isOpen = payload.includes('"gate.open"')
    if (isOpen) one.took?.(performance.now() - one.sent)
    if (isOpen) one.took = undefined
    client.publish(topic.replace('request', 'response'), '{"code":0,"msg":"ok"}', { qos: 1 })
    if (!isOpen) return
    report('opened')
    setTimeout(() => report('closed'), PASS_MS)
  })
  await client.subscribeAsync(`${root}rpc/request/+`, { qos: 1 })
  return one
}
const BOOT = Date.now().toString(36)
let cars = 0

/** Cars arrive at an even rate, each at the lane that has been free the longest. */
async function drive(lanes: LaneAtWork[], rate: number, seconds: number, name: string): Promise<{ p50: number; p99: number; told: number }> {
  const times: number[] = []
  const said: Promise<unknown>[] = []
  const begun = performance.now()
  for (let n = 0; n < Math.floor(rate * seconds); n++) {
    const wait = begun + (n * 1000) / rate - performance.now()
    if (wait > 0) await pause(wait)
    const one = lanes[n % LANES]!
    const plate = `鄂${'ABCDEFGHJK'[Math.floor(++cars / 100_000) % 10]}${String(cars % 100_000).padStart(5, '0')}`
    one.took = (ms) => times.push(ms)
    one.sent = performance.now()
    said.push(
      one.client.publishAsync(
        `${one.root}event`,
        JSON.stringify({ type: 'plate', ts: Date.now(), mid: `${BOOT}-${name}-${n}`, direction: 'in', plate, color: 'blue', confidence: 0.97 }),
        { qos: 1 },
      ),
    )
  }
  // What waits is not lost: it is counted when it is acknowledged, and it counts against the time.
  await Promise.race([Promise.all(said), pause(DRAIN_MS)])
  await pause(500)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Infinity
  return { p50: at(0.5), p99: at(0.99), told: times.length }
}

/** So many lanes at once, each with its next car as soon as the last one is acknowledged. */
const CLIENTS = 64
const MOST_S = 10
const INSERTING = 8
/** W5: stays recorded through lane events, against rows of the same table that pgbench inserts one by one. */
async function recorded(lanes: LaneAtWork[], owner: pg.Client, ownerUrl: string): Promise<Row> {
  const from = performance.now()
  const until = from + MOST_S * 1000
  let n = 0
  await Promise.all(
    lanes.slice(0, CLIENTS).map(async ({ client, root }) => {
      while (performance.now() < until) {
        const plate = `鄂Y${String(++n).padStart(5, '0')}`
        const said = { type: 'plate', ts: Date.now(), mid: `${BOOT}-most-${n}`, direction: 'in', plate, color: 'blue', confidence: 0.97 }
        await client.publishAsync(`${root}event`, JSON.stringify(said), { qos: 1 })
      }
    }),
  )
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int n from parking.stay where plate_no like '鄂Y_____'`)
  const ours = rows[0]!.n / ((performance.now() - from) / 1000)
  const insert = `\\set p random(0, ${PARKS - 1})
insert into parking.stay (enterprise_id, park_code, plate_no, plate_color, vehicle_class, car_kind_in, entry_gate, entry_time, entry_mode, status)
  values (1, 'L' || :p, upper(left(md5(random()::text), 12)), 0, 1, 9, 'L0-G0', now(), 1, 1);
`
  const floor = pgbench(ownerUrl, insert, { clients: INSERTING, seconds: MOST_S })
  return {
    what: `W5 stays recorded through lane events (${ours.toFixed(0)}/s of ${n} sent, against ${floor.toFixed(0)}/s)`,
    value: (ours / floor).toFixed(3),
    target: '≥ 0.03 of pgbench’s single inserts',
    kept: ours / floor >= 0.03 && rows[0]!.n === n,
  }
}

/** Nothing lost, nothing doubled: every car of this run is inside once. */
async function exactly(owner: pg.Client): Promise<Row> {
  const { rows } = await owner.query(
    `select (select count(*)::int from device.message where mid like $1 and type = 'plate') as kept,
      (select count(*)::int from (select order_id from device.command where device_no like 'PB-%' and method = 'gate.open' and created_at > to_timestamp($2) group by order_id having count(*) > 1) d) as doubled`,
    [`${BOOT}-%`, Number.parseInt(BOOT, 36) / 1000],
  )
  const { kept, doubled } = rows[0] as { kept: number; doubled: number }
  return {
    what: 'Lane: events kept of those sent, openings told twice',
    value: `${kept} of ${cars}, ${doubled}`,
    target: 'all, 0',
    kept: kept === cars && doubled === 0,
  }
}
