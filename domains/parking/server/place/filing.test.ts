import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../../platform/contract/time.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { tokenOfSomeoneWho } from '../../../../tests/support/roles.ts'
import { FilingStatus, ParkType } from '../../contract/park.ts'
import { PayState, SessionStatus } from '../../contract/stay.ts'
import { aPark } from '../factories.ts'
import { expireFilings } from './filing.ts'

let server: TestServer
let admin: string
let second: string
let owner: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  second = await tokenOfSomeoneWho(server, owner, ['FilingScreen'], ['parking:filing:decide'])
  await server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'P001', address: '长虹路 1 号', lng: 112.1, lat: 32.0, phone: '0710-1' })
    await aPark(tx, { parkCode: 'P002' })
  })
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})
const ask = (path: string, body: object, token = admin) => server.ask(token, 'POST', `/lbs/basic/parkInfo/${path}`, body)
const park = async (parkCode: string) => (await ask('queryDetail', { parkCode })).data
const key = async (parkCode = 'P001') => {
  const { id, version } = await park(parkCode)
  return { id, version }
}

test('a filing is asked for with what the authority wants, and decided by another person', async () => {
  expect((await ask('filingApply', await key('P002'))).code).toBe(40876)
  expect((await ask('filingApply', await key())).data.filingStatus).toBe(FilingStatus.underReview)
  expect((await ask('filingApply', await key())).status).toBe(409)
  const pass = { pass: true, filingNo: 'XZ-001', filingUntil: '2030-12-31' }
  expect((await ask('filingDecide', { ...(await key()), ...pass })).code).toBe(40873)
  expect((await ask('filingDecide', { ...(await key()), pass: true }, second)).code).toBe(40874)
  expect((await ask('filingDecide', { ...(await key()), ...pass, filingUntil: '2020-01-01' }, second)).code).toBe(40874)
  expect((await ask('filingDecide', { ...(await key()), pass: false }, second)).code).toBe(40875)
  expect((await ask('filingDecide', { ...(await key()), pass: false, reason: '缺平面图' }, second)).data.filingStatus).toBe(FilingStatus.rejected)
  await ask('filingApply', await key())
  expect((await ask('filingDecide', { ...(await key()), ...pass }, second)).data).toMatchObject({
    filingStatus: FilingStatus.filed,
    filingNo: 'XZ-001',
  })
})

test('nobody files a park by changing it, and a filing runs out behind its last day', async () => {
  expect((await ask('update', { ...(await key('P002')), filingStatus: FilingStatus.filed })).status).toBe(400)
  const runsOut = (iso: string) => server.house.writing(1, 'test', (tx) => expireFilings(tx, instantAt(Date.parse(iso))))
  await runsOut('2030-12-31T15:00:00.000Z')
  expect((await park('P001')).filingStatus).toBe(FilingStatus.filed)
  await runsOut('2030-12-31T16:00:00.000Z') // midnight in the city
  expect((await park('P001')).filingStatus).toBe(FilingStatus.expired)
  expect((await ask('filingApply', await key())).data.filingStatus).toBe(FilingStatus.underReview)
})

test('a stay that another platform tells twice is one record, completed when it left, and counts in none of our figures', async () => {
  const told = { platform: '捷停', thirdNo: 'J1', parkCode: 'P001', plateNo: '鄂F12345', entryTime: instantAt(Date.now() - 3_600_000) }
  const push = (body: object) => server.ask(admin, 'POST', '/lbs/fee/parkRecord/pushThird', { ...told, ...body })
  const { id } = (await push({})).data
  const exitTime = instantAt(Math.floor(Date.now() / 1000) * 1000 - 1) // its last digit is no nought: the base leaves those out
  expect((await push({ exitTime, receivableFen: 500, paidFen: 500 })).data.id).toBe(id)
  expect((await push({})).data.id).toBe(id)
  const [record, ...more] = (await server.ask(admin, 'GET', '/lbs/fee/parkRecord/queryThirdPage', {})).data.records
  expect(more).toEqual([])
  expect(record).toMatchObject({ thirdPlatform: '捷停', status: SessionStatus.left, payState: PayState.paid, paidFen: 500, exitTime })
  expect((await push({ plateNo: '鄂F99999' })).code).toBe(40879)
  expect((await push({ thirdNo: 'J2', exitTime: instantAt(Date.now() - 7_200_000) })).code).toBe(40877)
  expect((await push({ thirdNo: 'J2', receivableFen: 100, paidFen: 200 })).code).toBe(40878)
  expect((await server.ask(admin, 'GET', '/lbs/fee/parkRecord/queryPage', {})).data.total).toBe(0)
  expect(await park('P001')).toMatchObject({ presentCount: 0, pType: ParkType.offStreet })
})
