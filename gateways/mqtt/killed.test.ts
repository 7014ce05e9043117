import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type MqttClient } from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf } from '../../domains/device/server/api.ts'
import { aGate, aPark, aRule } from '../../domains/parking/server/factories.ts'
import { openPool, writing } from '../../platform/server/database.ts'
import { freePort } from '../../platform/server/start/port.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/database.ts'

/** The whole server is killed under load; devices repeat what was not acknowledged, as MQTT has it. */
const LANES = 40
const ROUNDS = 5
/** In these rounds, while the lanes' messages are being worked on. */
const KILLED_AFTER_MS: Record<number, number> = { 1: 20, 2: 60, 3: 120 }
const secret = 'lane-secret-for-tests'
let database: TestDatabase
let owner: pg.Pool
let port: number
/** Of gateways that nobody speaks to here. */
let aside: [number, number]
let server: ChildProcess
const clients: MqttClient[] = []

beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Pool({ connectionString: database.ownerUrl })
  const pool = openPool(database.appUrl, 2)
  const secretHash = await hashOf(secret)
  await writing(pool, { enterprise: 1, parks: null }, { userId: null, userName: 'test', via: 'test', requestId: '' }, async (tx) => {
    await aPark(tx, { parkCode: 'K001', totalBays: 100_000 })
    await aRule(tx, { parkCode: 'K001' })
    for (let i = 0; i < LANES; i++) await aGate(tx, { parkCode: 'K001', gateCode: `K001-G${i}`, direction: 1, sn: `PK-${i}`, secretHash })
  })
  await pool.end()
  port = await freePort()
  aside = [await freePort(), await freePort()]
  server = await startServer()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true)))
  server?.kill('SIGKILL')
  await owner?.end()
  await database?.drop()
})

async function startServer(): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: database.ownerUrl,
    ROLE: 'gateway',
    PORT: '1',
    MQTT_PORT: String(port),
    OCPP_PORT: String(aside[0]),
    JT808_PORT: String(aside[1]),
    DEMO: 'none',
    LOG_LEVEL: 'fatal',
  }
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../apps/server/main.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    const up = await new Promise<boolean>((resolve) => {
      const probe = connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, username: 'nobody', clientId: 'nobody' })
      probe.on('error', ({ message }) => (probe.end(true), resolve(/authorized|user name/i.test(message))))
      probe.on('close', () => resolve(false))
    })
    if (up) return child
    await pause(50)
  }
  throw new Error('The server does not listen.')
}

test('killed three times in the middle of its work: every event is kept once, every car is inside once, every barrier is told once', async () => {
  const told = new Map<string, number>()
  const sent: string[] = []
  const lanes = Array.from({ length: LANES }, (_, i) => {
    const client = connect(`mqtt://127.0.0.1:${port}`, {
      clientId: `PK-${i}`,
      username: `PK-${i}`,
      password: secret,
      clean: false,
      reconnectPeriod: 200,
    })
    clients.push(client)
    client.on('error', () => {})
    client.on('message', (topic, payload) => {
      const { params } = JSON.parse(payload.toString()) as { params: { orderId?: string } }
      const order = params.orderId
      if (order) told.set(order, (told.get(order) ?? 0) + 1)
      client.publish(topic.replace('request', 'response'), '{"code":0}', { qos: 1 })
    })
    client.subscribe(`v1/devices/PK-${i}/rpc/request/+`, { qos: 1 })
    return client
  })
  for (let round = 0; round < ROUNDS; round++) {
    const said = lanes.map((client, lane) => {
      const mid = `${lane}-${round}`
      sent.push(mid)
      const plate = `鄂A${String(lane * 100 + round).padStart(5, '0')}`
      const body = JSON.stringify({ type: 'plate', ts: Date.now(), mid, direction: 'in', plate, color: 'blue', confidence: 0.97 })
      return client.publishAsync(`v1/devices/PK-${lane}/event`, body, { qos: 1 })
    })
    const killAfterMs = KILLED_AFTER_MS[round]
    if (killAfterMs !== undefined) {
      await pause(killAfterMs)
      server.kill('SIGKILL')
      await new Promise((resolve) => server.once('exit', resolve))
      server = await startServer()
    }
    await Promise.all([...said, pause(2_100)])
  }
  await pause(1_500)

  const { rows: kept } = await owner.query(`select mid, count(*)::int n from device.message where type = 'plate' group by mid`)
  expect(sent).toHaveLength(LANES * ROUNDS)
  expect(kept.filter(({ n }) => n !== 1)).toEqual([])
  expect(new Set(kept.map(({ mid }) => mid))).toEqual(new Set(sent))
  const { rows: stays } = await owner.query('select plate_no, count(*)::int n from parking.stay group by plate_no')
  expect(stays.filter(({ n }) => n !== 1)).toEqual([])
  expect(stays).toHaveLength(sent.length)
  expect([...told.values()].filter((times) => times !== 1)).toEqual([])
  const { rows: commands } = await owner.query(
    `select order_id, count(*)::int n from device.command where method = 'gate.open' and order_id is not null group by order_id having count(*) > 1`,
  )
  expect(commands).toEqual([])
}, 180_000)
