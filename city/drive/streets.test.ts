import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { screen } from '../../domains/roadside/contract/screen.ts'
import { roadStay } from '../../domains/roadside/contract/roadStay.ts'
import { hashOf } from '../../domains/device/server/api.ts'
import { instantAt } from '../../platform/contract/time.ts'
import { lane } from '../../gateways/mqtt/simulator.ts'
import { PASSWORD, startTestServer, type TestServer } from '../../tests/support/server.ts'
import { type Client, signIn } from '../client.ts'
import { randomFrom } from '../random.ts'
import { berthsOf, DISTRICTS, enrolStreets, sensorOf, setUpStreets } from '../streets.ts'
import { compareStreets, connectStreets, type DrivenStreets, emptyStreets, playBerth } from './streets.ts'

let server: TestServer
let admin: Client
let streets: DrivenStreets
const district = DISTRICTS[0]!
const { parkCode } = district
const [named, nameless] = berthsOf(district.streets[0]!) as [string, string]

beforeAll(async () => {
  server = await startTestServer()
  admin = await signIn(server.url, 'admin', PASSWORD)
  await setUpStreets(server.house, admin, DEMO_ENTERPRISE, PASSWORD, [district])
  await enrolStreets(server.house, DEMO_ENTERPRISE, await hashOf(PASSWORD), [district])
  const at = instantAt(Date.now() - 60 * 60_000)
  await admin.ask(roadStay.arrive, { parkCode, seatCode: named, plateNo: '鄂F12345', at } as never)
  const mqtt = `mqtt://127.0.0.1:${server.mqttPort}`
  const sensor = await lane({ sn: sensorOf(nameless), secret: PASSWORD, url: mqtt, http: server.url, direction: 'in', passAfterMs: null })
  await sensor.event({ type: 'occupied', berth: nameless })
  const standing = async () => (await admin.ask(screen.parkSeat, { parkCode, seatCode: nameless })).stay
  await vi.waitFor(async () => expect(await standing()).not.toBeNull(), { timeout: 20_000 })
  await sensor.close()
  const address = { url: server.url, mqtt, pay: '', issuer: '', password: PASSWORD }
  streets = await connectStreets(admin, address, randomFrom(1))
})
afterAll(async () => {
  const { berths, cameras, patrols } = streets
  await Promise.all([...berths.map(({ sensor }) => sensor), ...cameras.values(), ...patrols.values()].map((one) => one.close()))
  await server.close()
})

test('a berth that is taken when the city begins is driven too: its car leaves first', async () => {
  const taken = streets.berths.filter(({ car }) => car !== null)
  expect(streets.berths).toHaveLength(district.streets.flatMap(berthsOf).length)
  expect(taken.map(({ seatCode }) => seatCode).toSorted()).toEqual([named, nameless].toSorted())
  expect(taken.find(({ seatCode }) => seatCode === named)!.car).toMatchObject({ plateNo: '鄂F12345' })
  const tally = emptyStreets()
  const traffic = { client: admin, random: randomFrom(1), speed: 1000, tally, going: () => tally.drove < 1 }
  await playBerth(
    taken.find(({ seatCode }) => seatCode === nameless)!,
    streets,
    traffic,
  )
  expect(tally).toMatchObject({ parked: 0, drove: 1, problems: [] })
  await expect.poll(async () => (await admin.ask(screen.parkSeat, { parkCode, seatCode: nameless })).stay?.status, { timeout: 20_000 }).not.toBe(1)
})

test('a run in which no car came to a berth or left one has not agreed', async () => {
  const before = instantAt(Date.now())
  const [first] = await compareStreets(admin, streets, before, emptyStreets())
  expect(first).toMatchObject({ right: false })
  const [driven] = await compareStreets(admin, streets, before, { ...emptyStreets(), drove: 1 })
  expect(driven).toMatchObject({ right: true })
})
