import { afterAll, beforeAll, expect, test } from 'vitest'
import { menuCalls } from '../../domains/identity/contract/menu.ts'
import type { MenuNode } from '../../domains/identity/contract/menuTree.ts'
import { person } from '../../domains/identity/contract/person.ts'
import { scheduling } from '../../domains/inspection/contract/task.ts'
import { signIn } from '../../city/client.ts'
import { demoCity } from '../support/demo.ts'
import { PASSWORD, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  const city = await demoCity()
  server = await startTestServer({ demo: 'small', role: 'web', dataDir: city.dataDir }, city)
})
afterAll(() => server.close())

const pathsOf = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap(({ url, component, children }) => [...(component ? [url] : []), ...pathsOf(children)])
const offered = async (username: string) => pathsOf(await (await signIn(server.url, username, PASSWORD)).ask(menuCalls.tree, {}))

const MONEY = [
  '/operation/temporaryIncome',
  '/operation/ledger',
  '/operation/monthlyRecharge',
  '/operation/finance',
  '/operation/month/info',
  '/userCenter/arrearage/record',
  '/activity/coupon/account',
  '/businessCenter/merchant/account',
  '/recharge/chargingStatement',
  '/extendedBusiness/etc/deduct',
  '/extendedBusiness/etc/refund',
  '/assetManage/person/charging',
  '/car/distribution',
]
/** Every screen that the day's work of a person of the demo names. */
const DAYS: Record<string, readonly string[]> = {
  operator: [
    '/index',
    '/operation/laneBoard',
    '/operation/finance',
    '/assetManage/parkingAndFacility/selfParking',
    '/recharge/chargingStation',
    '/recharge/list',
    '/recharge/chargingPileList',
    '/recharge/chargingOrder/use',
    '/recharge/chargingStrategy',
    '/recharge/chargingRealTimeMonitoring',
    '/streetLamp/manage',
    '/streetLamp/remoteElectricControl',
    '/streetLamp/electricBox',
  ],
  auditor: ['/index', '/operation/ledger', '/appManage/system/operateLog'],
  finance: MONEY,
  finance2: MONEY,
  collector: ['/operation/record/roadParking/roadBerth', '/operation/record/roadParking/present', '/assetManage/person/till'],
  dispatcher: ['/car/manage', '/car/distribution', '/car/violation'],
  lettings: ['/rent/project', '/rent/enroll', '/rent/order'],
  t012: [
    '/operation/maintain/rostering',
    '/operation/maintain/inspectionRecord',
    '/operation/maintain/maintainRecord',
    '/operation/deviceMonitor',
    '/appManage/device/warningRecord',
  ],
}
test.each(Object.entries(DAYS))('%s of the demo is offered every screen of their day', async (username, day) => {
  expect(await offered(username)).toEqual(expect.arrayContaining([...day]))
})
test('whoever collects at a lane with a handheld has the lane, the cars inside and their till', async () => {
  const { records } = await (await signIn(server.url, 'admin', PASSWORD)).ask(person.queryPage, { limit: 100 })
  const people = records.map(({ username }) => username).filter((one) => /^t\d+$/.test(one) && !INSPECTORS.includes(one))
  for (const username of people)
    expect(await offered(username)).toEqual(
      expect.arrayContaining(['/operation/laneBoard', '/operation/record/parking/present', '/assetManage/person/till']),
    )
})
const INSPECTORS = ['t012', 't017']
test('finance is not offered the keeping of cars, of fences or of lists', async () => {
  const screens = await offered('finance')
  for (const other of [
    '/car/brand',
    '/car/fence',
    '/car/violation',
    '/operation/black',
    '/businessCenter/car/blackList',
    '/appManage/permission/roles',
  ])
    expect(screens).not.toContain(other)
})
test('an inspector of the demo sees tasks of their own, and no income', async () => {
  expect(await offered('t012')).not.toContain('/operation/temporaryIncome')
  const { records } = await (await signIn(server.url, 't012', PASSWORD)).ask(scheduling.query, { tollNo: 'T012', limit: 5 })
  expect(records.length).toBeGreaterThan(0)
})
