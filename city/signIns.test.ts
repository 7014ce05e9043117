import { afterAll, beforeAll, expect, test } from 'vitest'
import { etc } from '../domains/device/contract/etc.ts'
import { message } from '../domains/device/contract/message.ts'
import { enrol, hashOf } from '../domains/device/server/api.ts'
import { PASSWORD, startTestServer, type TestServer } from '../tests/support/server.ts'
import { type Client, signIn } from './client.ts'
import { lanesOf, PARKS } from './plan.ts'
import { setUp } from './setup.ts'
import { signInOnce } from './signIns.ts'

let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startTestServer()
  admin = await signIn(server.url, 'admin', PASSWORD)
})
afterAll(() => server.close())

test('lanes and an antenna that were on line stand in the list of those that are off line, and the antenna among its kind', async () => {
  const parks = PARKS.slice(0, 1)
  const lanes = lanesOf(parks, parks[0]!)
  const secretHash = await hashOf(PASSWORD)
  await setUp(admin, parks)
  await server.house.writing(1, 'test', async (tx) => {
    for (const { sn, name, gateCode } of lanes) await enrol(tx, { sn, name, type: 1, parkCode: 'P001', gateCode, secretHash })
  })
  const address = { url: server.url, mqtt: `mqtt://127.0.0.1:${server.mqttPort}`, issuer: 'http://127.0.0.1:1', password: PASSWORD }
  await signInOnce(admin, address, parks)
  const antenna = { deviceNo: `ETC-${lanes.at(-1)!.gateCode}`, status: 0 }
  await expect.poll(async () => (await admin.ask(etc.query, {})).records).toMatchObject([antenna])
  const gone = async () => (await admin.ask(message.offline, {})).records.map(({ deviceNo, toAt }) => [deviceNo, toAt]).sort()
  await expect.poll(gone).toEqual([antenna.deviceNo, ...lanes.map(({ sn }) => sn)].map((sn) => [sn, null]))
})
