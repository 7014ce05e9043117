import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { aPark } from '../../parking/server/testing.ts'

/** The list of places follows what the domains above do to a park, whoever does it. */
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const post = (address: string, body: object) => server.ask(admin, 'POST', `/lbs${address}`, body)
const named = async (criteria: object = {}, token = admin): Promise<Record<string, unknown>[]> =>
  (await server.ask(token, 'POST', '/lbs/basic/parkInfo/queryList', criteria)).data
const codes = async (criteria: object = {}, token = admin) => (await named(criteria, token)).map(({ parkCode }) => parkCode)
const one = async (code: string) => (await named()).find(({ parkCode }) => parkCode === code)
const added = async (parkCode: string, name: string) =>
  (await post('/basic/parkInfo/add', { parkCode, name, pType: 1, regionCode: '420607', totalBays: 10 })).data as { id: string }

test('a place is there with its park: added, renamed, disabled, deleted and brought back', async () => {
  const { id } = await added('L001', '旧名停车场')
  expect(await one('L001')).toEqual({ parkCode: 'L001', name: '旧名停车场', pType: 1, ptype: 1, subType: 1, regionCode: '420607', status: 1 })
  await post('/basic/parkInfo/update', { id, version: 1, name: '新名停车场', subType: 2, regionCode: '420606' })
  expect(await one('L001')).toMatchObject({ name: '新名停车场', subType: 2, regionCode: '420606' })
  await post('/basic/parkInfo/updateStatus', { id, version: 2, status: 2, reason: '施工' })
  expect(await codes({ status: 2, name: '新名' })).toEqual(['L001'])
  expect(await codes({ status: 1, name: '新名' })).toEqual([])
  expect((await post('/basic/parkInfo/delete', { id, version: 3 })).code).toBe(200)
  expect(await one('L001')).toBeUndefined()
  expect((await post('/basic/bin/undo', { kind: 'parking.park', key: id })).code).toBe(200)
  expect(await one('L001')).toMatchObject({ name: '新名停车场', status: 2 })
})

test('a district of streets is a place of its kind, under its new name too', async () => {
  const { data } = await post('/business/roadInfo/addRoadPark', { parkCode: 'L002', name: '旧街片区', regionCode: '420607' })
  expect(await named({ pType: 2 })).toMatchObject([{ parkCode: 'L002', name: '旧街片区' }])
  await post('/business/roadInfo/editRoadPark', { id: data.id, version: data.version, name: '新街片区' })
  expect(await named({ pType: 2 })).toMatchObject([{ parkCode: 'L002', name: '新街片区' }])
})

test('a change that is taken back leaves the place as it was', async () => {
  await added('L003', '不变停车场')
  const failed = server.house.writing(1, 'a test', async (tx) => {
    await tx.updateTable('parking.park').set({ name: '变了' }).where('parkCode', '=', 'L003').execute()
    throw new Error('taken back')
  })
  await expect(failed).rejects.toThrow('taken back')
  expect(await one('L003')).toMatchObject({ name: '不变停车场' })
})

test('a renamed park stands under its new name in the list of a domain below parking', async () => {
  const { id } = await added('L004', '设备旧场')
  expect((await post('/device/iotDevice/insertIotDevice', { deviceNo: 'PG-L004', name: '入口', type: 1, parkCode: 'L004' })).code).toBe(200)
  await post('/basic/parkInfo/update', { id, version: 1, name: '设备新场' })
  const { data } = await server.ask(admin, 'GET', '/lbs/device/iotDevice/export', { format: 'csv', deviceNo: 'PG-L004' })
  expect(data.toString()).toContain('设备新场')
  expect(data.toString()).not.toContain('设备旧场')
})

test('people see the places of their parks and company only; strangers see none', async () => {
  await server.house.writing(1, 'a test', async (tx) => {
    await aPark(tx, { parkCode: 'P001' })
    await aPark(tx, { parkCode: 'L005' })
  })
  await server.house.writing(2, 'a test', (tx) => aPark(tx, { parkCode: 'L006' }))
  expect(await codes()).toEqual(expect.arrayContaining(['L005', 'P001']))
  expect(await codes()).not.toContain('L006')
  expect(await codes({}, await server.signIn('operator'))).toEqual(['P001'])
  expect(await codes({}, await server.signIn('otheradmin'))).toEqual(['L006'])
  expect(await server.ask(null, 'POST', '/lbs/basic/parkInfo/queryList', {})).toMatchObject({ status: 401 })
})

test('nothing but the park itself writes the list', async () => {
  for (const sql of [
    "insert into system.place (park_code, name, p_type, sub_type, region_code, status, deleted) values ('L009', '无场', 1, 1, '420607', 1, false)",
    "update system.place set name = '别名'",
    'delete from system.place',
  ])
    await expect(server.house.writing(1, 'a test', (tx) => run(tx, { sql }, []))).rejects.toThrow(/permission denied/)
})
