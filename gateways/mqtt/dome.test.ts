import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { enrol, hashOf } from '../../domains/device/server/api.ts'
import { DeviceType } from '../../domains/device/contract/device.ts'
import { run, type Tx } from '../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { type Lane, lane } from './simulator.ts'

/** A dome camera over real MQTT, from what it sees to the screens that show it. */
let server: TestServer
let admin: string
const open: Lane[] = []
const secret = 'dome-secret-for-tests'
const PLATE = '鄂F12345'
const DOMES = ['DC-T001', 'DC-T002']

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  for (const [n, sn] of DOMES.entries()) {
    const parkCode = `R90${n}`
    expect(await ask('/business/roadInfo/addRoadPark', { parkCode, name: `片区${n}`, regionCode: '420607' })).toMatchObject({ status: 200 })
    await write(async (tx) => enrol(tx, { sn, name: `球机${n}`, type: DeviceType.dome, parkCode, secretHash: await hashOf(secret) }))
    await ask('/device/dome/presetSave', { deviceNo: sn, presetNo: 1, zone: '路口', type: 1, holdMin: 3 })
  }
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close(true)))
})
afterAll(() => server?.close())

const write = <T>(work: (tx: Tx) => Promise<T>) => server.house.writing(1, 'test', work)
const ask = (address: string, body: object) => server.ask(admin, 'POST', `/lbs${address}`, body)
const stops = async (n: number) => (await ask('/business/violationRecords/query', { kind: 2, parkCode: `R90${n}` })).data.records
const shown = async (n: number) => (await server.ask(admin, 'GET', '/lbs/device/dome/list', { parkCode: `R90${n}` })).data[0]
const until = <T>(what: () => Promise<T> | T) => vi.waitUntil(what, { timeout: 8_000, interval: 50 })
const rejects = (sn: string) =>
  write((tx) => run<{ reason: string; count: number }>(tx, { sql: 'select reason, count from device.reject where device_no = $1' }, [sn]))
async function aDome(n: number): Promise<Lane> {
  const made = await lane({ sn: DOMES[n]!, secret, url: `mqtt://127.0.0.1:${server.mqttPort}`, http: server.url, direction: 'in' })
  open.push(made)
  return made
}
const sighting = (more: object = {}) => ({ type: 'illegalStop', preset: 1, plate: PLATE, color: 'blue', confidence: 0.97, ...more })

test('what it sees with a picture is a stop to be reviewed; told again it is the same one, and cut off it is told afterwards at its own time', async () => {
  const dome = await aDome(0)
  const image = await dome.picture(PLATE)
  await dome.event(sighting({ image, mid: 'once' }))
  await dome.event(sighting({ image, mid: 'once' }))
  await dome.event(sighting({ preset: '1', confidence: '0.99', ts: Date.now() - 5 * 60_000 }))
  expect(await stops(0)).toMatchObject([{ count: 2, confidence: 990, deviceNo: dome.sn, images: [{ image }] }])
  dome.cutOff()
  await until(() => !dome.client.connected)
  const ts = Date.now() - 30 * 60_000
  await dome.event(sighting({ ts }))
  await dome.restore()
  await until(async () => (await stops(0))[0].count === 3)
  expect((await stops(0)).map(({ firstAt }: { firstAt: string }) => Date.parse(firstAt))).toEqual([ts])
})
test('what is malformed is refused and stands in nobody’s way; one dome cannot speak for another', async () => {
  const dome = await aDome(0)
  const before = (await stops(0))[0].count
  const bad = [
    { preset: undefined },
    { preset: 0 },
    { preset: 1.5 },
    { preset: 'north' },
    { plate: 7 },
    { plate: 'x'.repeat(17) },
    { images: ['a', 1] },
    { confidence: 2 },
  ]
  for (const more of bad) await dome.event(sighting(more))
  // Within seconds of the newest it would be the same sighting, told once more.
  await dome.event(sighting({ ts: Date.now() - 60_000 }))
  await until(async () => (await rejects(dome.sn)).some(({ reason, count }) => reason === 'form' && count === bad.length))
  expect((await stops(0))[0].count).toBe(before + 1)
  const said = JSON.stringify({ ...sighting(), ts: Date.now(), mid: randomUUID() })
  await dome.client.publishAsync(`v1/devices/${DOMES[1]}/event`, said, { qos: 1 }).catch(() => {})
  await until(async () => (await rejects(dome.sn)).some(({ reason }) => reason === 'topic'))
  expect(await stops(1)).toEqual([])
})
test('it stops and starts when it is told, and says so itself', async () => {
  const dome = await aDome(0)
  await dome.telemetry({ capturing: 1 })
  const { data } = await ask('/device/dome/patrol', { deviceNo: dome.sn, on: false })
  expect(await dome.next('dome.stop')).toMatchObject({ id: data.commandId, ttl: 10_000 })
  await until(async () => (await shown(0)).told.state === 3)
  await until(async () => (await shown(0)).capturing === false)
  expect(dome.capturing).toBe(false)
  dome.manners.busy = true
  await ask('/device/dome/patrol', { deviceNo: dome.sn, on: true })
  await until(async () => (await shown(0)).told.state === 4)
  expect(await shown(0)).toMatchObject({ capturing: false, online: 1, told: { method: 'dome.start', failure: 3 } })
})
test('one that is away is told nothing, and the screen says that the command did not reach it', async () => {
  await ask('/device/dome/patrol', { deviceNo: DOMES[1], on: false })
  expect((await shown(1)).told).toMatchObject({ state: 0 })
  await write((tx) => run(tx, { sql: `update device.command set expires_at = clock_timestamp() where device_no = $1` }, [DOMES[1]]))
  await until(async () => (await shown(1)).told.state === 5)
  expect(await shown(1)).toMatchObject({ capturing: null, online: 0, told: { method: 'dome.stop', failure: 5 } })
  const dome = await aDome(1)
  await expect(dome.next('dome.stop', 300)).rejects.toThrow('was not told')
})
