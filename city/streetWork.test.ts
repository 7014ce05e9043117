import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ENTERPRISE } from '../domains/identity/server/api.ts'
import { carFee } from '../domains/fee/contract/carFee.ts'
import { roadStay } from '../domains/roadside/contract/roadStay.ts'
import { screen } from '../domains/roadside/contract/screen.ts'
import { shift, ShiftState } from '../domains/settlement/contract/shift.ts'
import { attendance } from '../domains/staff/contract/attendance.ts'
import { run } from '../platform/server/database.ts'
import { PASSWORD, startTestServer, type TestServer } from '../tests/support/server.ts'
import { type Client, signIn } from './client.ts'
import { addStreetWork, STREET_COLLECTOR } from './streetWork.ts'
import { berthsOf, DISTRICTS, setUpStreets } from './streets.ts'

let server: TestServer
let admin: Client
const district = DISTRICTS[0]!
const standing = 130

beforeAll(async () => {
  server = await startTestServer()
  admin = await signIn(server.url, 'admin', PASSWORD)
  await setUpStreets(server.house, admin, DEMO_ENTERPRISE, PASSWORD, [district])
  const [seatCode] = berthsOf(district.streets[0]!)
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - standing * 60_000).toISOString().replace('.000', '')
  await admin.ask(roadStay.arrive, { parkCode: district.parkCode, seatCode: seatCode!, plateNo: '鄂F12345' as never, at: at as never })
  await addStreetWork(server.house, DEMO_ENTERPRISE, admin, server.url, PASSWORD, district)
})
afterAll(() => server.close())

test('a collector of the street is on duty, carded in where they work, and has cash in the till from a car', async () => {
  expect(await admin.ask(screen.resources, { parkCode: district.parkCode })).toMatchObject({ tollersOnDuty: 1 })
  const collector = await signIn(server.url, STREET_COLLECTOR.username, PASSWORD)
  const till = await collector.ask(shift.mine, {})
  expect(till!.cashInFen).toBeGreaterThan(0)
  const cards = await admin.ask(attendance.locations, { tollNo: STREET_COLLECTOR.tollNo } as never)
  expect(cards.records).toMatchObject([{ kind: 4 }, { kind: 1, inFence: true }])
})
const pagesOf = async (role: string) => {
  const sql = `select s.url from identity.role r join identity.role_resource g on g.role_id = r.id join identity.resource s on s.id = g.resource_id where r.name = $1`
  return (await server.house.writing(DEMO_ENTERPRISE, 'test', (tx) => run<{ url: string }>(tx, { sql }, [role]))).map(({ url }) => url)
}
test('who collects on the street counts and closes their own till: the page of it is theirs', async () => {
  const collector = await signIn(server.url, STREET_COLLECTOR.username, PASSWORD)
  expect(await pagesOf('路内收费员')).toContain('/assetManage/person/till')
  const { id, version, expectedFen } = (await collector.ask(shift.mine, {}))!
  const closed = await collector.ask(shift.close, { id, version, counted: [{ faceFen: 1, count: expectedFen! }] })
  expect(closed).toMatchObject({ state: ShiftState.toSettle, differenceFen: 0 })
  expect(await collector.ask(shift.mine, {})).toBeNull()
})
test('who collects on the street sees that district and no other, and none of the settings, and its plates whole', async () => {
  const collector = await signIn(server.url, STREET_COLLECTOR.username, PASSWORD)
  expect((await collector.ask(roadStay.present, {})).records).toMatchObject([{ parkCode: district.parkCode, plateNo: '鄂F12345' }])
  // The page says what each of them owes now.
  expect(await collector.ask(carFee.query, { plateNo: '鄂F12345', parkCode: district.parkCode })).toMatchObject({
    quote: { totalFen: expect.any(Number) },
  })
  await expect(admin.ask(shift.query, {})).resolves.toBeTruthy()
  await expect(collector.ask(shift.query, {})).rejects.toThrow()
})
