import { Aedes } from 'aedes'
import { createServer, type Server } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { command, enrol, hashOf } from '../../domains/device/server/api.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { guarded } from './frames.ts'
import { type Lane, lane } from './simulator.ts'

/** An owner's broker that speaks MQTT 3.1.1 and lets everybody in: its rights are the owner's business. */
let broker: Aedes
let listener: Server
let server: TestServer
let owner: pg.Pool
let gate: Lane
const sn = 'PG-X001'

beforeAll(async () => {
  broker = await Aedes.createBroker()
  listener = createServer((socket) => void broker.handle(guarded(socket, () => {})))
  const port = await new Promise<number>((resolve) => listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)))
  const mqttUrl = `mqtt://127.0.0.1:${port}`
  server = await startTestServer({ role: 'gateway', mqttUrl })
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  const secretHash = await hashOf('unused')
  await server.house.writing(1, 'test', (tx) => enrol(tx, { sn, name: 'Lane', type: 1, secretHash }))
  gate = await lane({ sn, secret: 'any', url: mqttUrl, direction: 'in', passAfterMs: null })
})
afterAll(async () => {
  await gate?.close(true)
  await owner?.end()
  await server?.close()
  broker?.close()
  listener?.close()
})
const until = (what: () => Promise<unknown>) => vi.waitUntil(what, { timeout: 8_000, interval: 30 })
const one = async (text: string) => (await owner.query(text)).rows[0]

test('through an owner’s broker: presence by status, events kept once, commands answered, the will ends it', async () => {
  await until(async () => (await one('select online from device.presence')).online)
  await gate.plate({ plate: '鄂F00001', mid: 'one' })
  await gate.plate({ plate: '鄂F00001', mid: 'one' })
  await until(async () => (await one(`select count(*)::int n from device.message where type = 'plate'`)).n === 1)
  await server.house.writing(1, 'test', (tx) => command(tx, { sn, method: 'gate.open' }))
  await gate.next('gate.open')
  await until(async () => (await one('select state from device.command')).state === 3)
  gate.client.options.reconnectPeriod = 0
  gate.client.stream.destroy()
  await until(async () => !(await one('select online from device.presence')).online)
  expect(await one(`select count(*)::int n from device.message where type = 'plate'`)).toEqual({ n: 1 })
})
