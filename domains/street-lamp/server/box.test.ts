import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LampBox, lampBox } from '../../../gateways/mqtt/lampBox.ts'
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { hashOf, enrol } from '../../device/server/api.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server?.close())
const post = (path: string, input: object) => server.ask(admin, 'POST', `/lbs/business${path}`, input)
const CONTROLLER = 7
async function connectedBox(boxCode: string, singles: Parameters<typeof lampBox>[0]['singles'] = []): Promise<{ box: LampBox; id: string }> {
  const sn = `SL-${boxCode}`
  const secretHash = await hashOf(PASSWORD)
  await server.house.writing(1, 'test', (tx) => enrol(tx, { sn, name: boxCode, type: CONTROLLER, secretHash }))
  expect((await post('/streetLampBox/add', { boxCode, name: '箱', lng: 112.1, lat: 32, phaseCount: 3, gatewayNo: sn })).status).toBe(200)
  const made = await post('/streetLampWiring/addStreetLampWiring', {
    wiringCode: `${boxCode}-1`,
    boxCode,
    name: '主路',
    circuitNo: 1,
    phase: 1,
    lampCount: 20,
    ratedPowerW: 2000,
  })
  const box = await lampBox({
    sn,
    secret: PASSWORD,
    url: `mqtt://127.0.0.1:${server.mqttPort}`,
    circuits: [{ circuit: 1, ratedW: 2000 }],
    everyMs: null,
    kwh: 100,
    singles,
  })
  return { box, id: made.data.id }
}
const state = async (id: string) => (await post('/streetLampWiring/queryStreetLampWiringStatus', { wiringIds: [id] })).data[0]
const until = (look: () => Promise<boolean>) => expect.poll(look, { timeout: 20_000, interval: 50 }).toBe(true)

test('over the wire: a box gets its plan, is switched and dimmed, and says that it was', async () => {
  const { box, id } = await connectedBox('WIRE1')
  try {
    await until(async () => box.plan > 0)
    await until(async () => (await post('/streetLampBox/query', { boxCode: 'WIRE1' })).data.records[0].planAcked > 0)
    await post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: [id], relay: 1 })
    await until(async () => (await state(id)).cmdState === 3)
    expect(box.lamps.get(1)).toEqual({ on: 1, dim: 100 })
    await post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: [id], dim: 40 })
    await until(async () => (await state(id)).dim === 40 && (await state(id)).cmdState === 3)
    expect(await state(id)).toMatchObject({ relay: 1, p: 800, lampsLit: 20, online: true })
  } finally {
    await box.close(true)
  }
}, 60_000)

test('over the wire: a box passes on what its single lamps say, and which is broken', async () => {
  const singles = ['W-1', 'W-2'].map((lamp) => ({ lamp, circuit: 1, ratedW: 100, hours: 40 }))
  const { box } = await connectedBox('WIRE3', singles)
  try {
    for (const { lamp } of singles) await post('/streetLamp/add', { lampNo: lamp, wiringCode: 'WIRE3-1', ratedPowerW: 100 })
    box.manners = { broken: ['W-2'] }
    await box.turn(1, 60)
    const lamps = async () => (await post('/streetLamp/query', { orderByColumn: 'lampNo', isAsc: true })).data.records
    await until(async () => (await lamps())[0]?.state === 2)
    expect(await lamps()).toMatchObject([
      { lampNo: 'W-1', state: 2, dim: 60, p: 60, lifeHours: 40 },
      { lampNo: 'W-2', state: 4 },
    ])
  } finally {
    await box.close(true)
  }
}, 60_000)

test('over the wire: a contactor that is welded fails its command, whatever the box answers', async () => {
  const { box, id } = await connectedBox('WIRE2')
  try {
    await box.measure()
    box.manners = { welded: true }
    await post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: [id], dim: 30 })
    await expect.poll(async () => (await state(id)).cmdState, { timeout: 40_000, interval: 250 }).toBe(4)
    expect((await state(id)).alarms).toContain(8)
    await box.alarm('doorOpen')
    await expect.poll(async () => (await post('/streetLampBox/query', { boxCode: 'WIRE2' })).data.records[0].door, { timeout: 20_000 }).toBe(1)
  } finally {
    await box.close(true)
  }
}, 90_000)
