import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_ENTERPRISE, demoPeople } from '../domains/identity/server/api.ts'
import { merchant, MerchantType, SettleMode } from '../domains/merchant/contract/merchant.ts'
import { aPark } from '../domains/parking/server/testing.ts'
import { run } from '../platform/server/database.ts'
import { startTestServer, type TestServer } from '../tests/support/server.ts'
import { CARRIED } from './carried.ts'
import { digestOf, signIn } from './client.ts'
import { addDispatcher } from './fleet.ts'
import { enrolHandhelds } from './handhelds.ts'
import { BOXES, controllerOf, enrolBoxes } from './lamps.ts'
import { letMerchantsIn } from './office/merchants.ts'
import { addLettings } from './office/rent.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.close())

test('a password that the demo is given later is that of everybody and of every device that the demo brought', async () => {
  const { house, url } = server
  await demoPeople(house, 'first')
  const people = [await addDispatcher(house, DEMO_ENTERPRISE, 'first'), await addLettings(house, DEMO_ENTERPRISE, 'first')]
  await house.writing(DEMO_ENTERPRISE, 'a test', async (tx) => {
    for (const parkCode of new Set(CARRIED.map(([, park]) => park))) await aPark(tx, { parkCode })
  })
  for (const enrol of [enrolHandhelds, enrolBoxes]) await enrol(house, DEMO_ENTERPRISE, 'first')
  const facts = {
    name: '万汇影城',
    type: MerchantType.shop,
    contact: '王店长',
    phone: '13907101101',
    settleMode: SettleMode.face,
    parkCodes: [CARRIED[0]![1]],
  }
  const { login } = await (await signIn(url, 'admin', 'first')).ask(merchant.add, facts)
  const secrets = () =>
    house.reading(DEMO_ENTERPRISE, (tx) =>
      run<{ deviceNo: string; secretHash: string }>(tx, { sql: 'select device_no, secret_hash from device.device order by 1' }, []),
    )
  const before = await secrets()
  expect(before.map(({ deviceNo }) => deviceNo)).toEqual(expect.arrayContaining([CARRIED[0]![0], controllerOf(BOXES[0]!)]))

  await demoPeople(house, 'second')
  for (const enrol of [enrolHandhelds, enrolBoxes]) await enrol(house, DEMO_ENTERPRISE, 'second')
  await letMerchantsIn(await signIn(url, 'admin', 'second'), 'second')
  for (const username of people) {
    await expect(signIn(url, username, 'second')).resolves.toBeTruthy()
    await expect(signIn(url, username, 'first')).rejects.toThrow()
  }
  const after = new Map((await secrets()).map(({ deviceNo, secretHash }) => [deviceNo, secretHash]))
  for (const { deviceNo, secretHash } of before) expect(after.get(deviceNo)).not.toBe(secretHash)
  expect((await server.ask(null, 'POST', '/lbs/custom/merchant/desk/signIn', { mchNo: login, password: digestOf(login, 'second') })).status).toBe(200)
})
