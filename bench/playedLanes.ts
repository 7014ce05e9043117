import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import type pg from 'pg'
import { hashOf } from '../domains/device/server/api.ts'
import { aGate, aPark, aRule } from '../domains/parking/server/factories.ts'
import { openPool, writing } from '../platform/server/database.ts'
import { PORTS, startServer } from './child.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

/** A lane sees a car every 2.5 s at most: 200 cars a second are this many lanes. */
export const LANES = sizeOf('lanes', 520, 130)
export const PARKS = 10
const SECRET = 'bench-lane-secret'
const PASS_MS = 1_200
/** A server that falls behind gets this long to catch up before its messages count as lost. */
const DRAIN_MS = 60_000

const snOf = (i: number) => `PB-${String(i).padStart(4, '0')}`
/** Ten parks, and the entrances that are played. */
export async function buildLanes(appUrl: string): Promise<void> {
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

export const startLaneServer = (ownerUrl: string, dataDir: string, port: number): Promise<ChildProcess> =>
  startServer(ownerUrl, dataDir, port, { DEMO: 'none', LOG_LEVEL: 'error' })

export interface LaneAtWork {
  client: MqttClient
  root: string
  /** When the event was sent that the next opening answers. */
  sent: number
  took: ((ms: number) => void) | undefined
}
export const connectLanes = (port: number): Promise<LaneAtWork[]> =>
  Promise.all(Array.from({ length: LANES }, (_, i) => connectLane(i, port + PORTS.mqtt)))
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
export const BOOT = Date.now().toString(36)
let cars = 0
export const carsSoFar = () => cars
/** The plate of the nth car that comes. */
export const plateOf = (n: number) => `鄂${'ABCDEFGHJK'[Math.floor(n / 100_000) % 10]}${String(n % 100_000).padStart(5, '0')}`

export interface Driven {
  p50: number
  p99: number
  told: number
  /** Of each car, in milliseconds. */
  times: readonly number[]
}

/** Cars arrive at an even rate, each at the lane that has been free the longest. */
export async function drive(lanes: readonly LaneAtWork[], rate: number, seconds: number, name: string): Promise<Driven> {
  const times: number[] = []
  const said: Promise<unknown>[] = []
  const begun = performance.now()
  for (let n = 0; n < Math.floor(rate * seconds); n++) {
    const wait = begun + (n * 1000) / rate - performance.now()
    if (wait > 0) await pause(wait)
    const one = lanes[n % LANES]!
    one.took = (ms) => times.push(ms)
    one.sent = performance.now()
    said.push(
      one.client.publishAsync(
        `${one.root}event`,
        JSON.stringify({
          type: 'plate',
          ts: Date.now(),
          mid: `${BOOT}-${name}-${n}`,
          direction: 'in',
          plate: plateOf(++cars),
          color: 'blue',
          confidence: 0.97,
        }),
        { qos: 1 },
      ),
    )
  }
  // A waiting message is not lost: it counts when it is acknowledged, and it counts against the time.
  await Promise.race([Promise.all(said), pause(DRAIN_MS)])
  await pause(500)
  return { times, told: times.length, p50: shareOf(times, 0.5), p99: shareOf(times, 0.99) }
}
/** The time that so many of them kept to. */
export function shareOf(times: readonly number[], share: number): number {
  const inOrder = times.toSorted((a, b) => a - b)
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? Infinity
}

/** Nothing lost, nothing doubled: every car of this run is inside once. */
export async function exactly(owner: pg.Client): Promise<Row> {
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
