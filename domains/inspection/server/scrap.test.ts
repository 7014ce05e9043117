import { afterAll, beforeAll, expect, test } from 'vitest'
import { aWorkshop, type Person, type Workshop } from './upkeep/testing.ts'

let shop: Workshop
let asker: Person
let manager: Person
let head: Person
beforeAll(async () => {
  shop = await aWorkshop()
  asker = await shop.person('申请人', ['scrap:apply', 'scrap:decide', 'repair:edit', 'repair:handle'])
  manager = await shop.person('资产管理员', ['scrap:decide'])
  head = await shop.person('企业负责人', ['scrap:decide', 'scrap:head'])
})
afterAll(() => shop.close())

const WORTH = { reason: 2, note: '主板烧毁', originalFen: 500_000, residualFen: 10_000, months: 60 }
const asks = (deviceNo: string, more = {}, token = asker.token) => shop.post('/inspection/scrap/apply', { deviceNo, ...WORTH, ...more }, token)
const decides = ({ id, version }: any, token: string, more = {}) =>
  shop.post('/inspection/scrap/decide', { id, version, approve: true, ...more }, token)
const confirms = ({ id, version }: any, token: string) => shop.post('/inspection/scrap/confirm', { id, version, approve: true }, token)
const faulty = (more = {}) => shop.aDevice({ useStatus: 2, ...more })

test('whoever asks does not approve; another does: the device is off its place, its secret is void and its repair is over', async () => {
  const deviceNo = await faulty()
  const repair = (await shop.breaks(deviceNo)).data
  const made = (await asks(deviceNo)).data
  expect(made).toMatchObject({ state: 0, deviceNo, parkCode: 'P001', repairFen: 0, applicantName: '申请人' })
  expect(await decides(made, asker.token)).toMatchObject({ status: 403, code: 42062 })
  expect((await decides(made, manager.token)).data).toMatchObject({ state: 2, managerName: '资产管理员', headName: null })
  const [device] = await shop.sql('select use_status, park_code, secret_hash from device.device where device_no = $1', [deviceNo])
  expect(device).toEqual({ useStatus: 3, parkCode: null, secretHash: 'none' })
  expect((await shop.get('/inspectionRepair/one', { id: repair.id })).data).toMatchObject({ state: 6, reason: made.scrapNo })
  expect(await shop.sql('select result_type, original_fen, approvers, park_code from inspection.result where from_no = $1', [made.scrapNo])).toEqual([
    { resultType: 3, originalFen: 500_000, approvers: '资产管理员', parkCode: 'P001' },
  ])
  expect((await shop.breaks(deviceNo)).code).toBe(42051)
  expect((await asks(deviceNo)).code).toBe(42051)
  expect((await decides(made, head.token, { version: undefined })).status).not.toBe(200)
})

test('from ten thousand yuan on the head agrees after the manager, and all three differ', async () => {
  const deviceNo = await faulty()
  const made = (await asks(deviceNo, { originalFen: 1_000_000 })).data
  const passed = (await decides(made, head.token)).data
  expect(passed).toMatchObject({ state: 1, managerName: '企业负责人' })
  expect((await confirms(passed, head.token)).code).toBe(42062)
  expect((await decides(passed, manager.token)).code).toBe(42063)
  expect(await shop.useOf(deviceNo)).toBe(2)
  const second = (await asks(await faulty(), { originalFen: 1_000_000 })).data
  const agreed = (await decides(second, manager.token)).data
  expect((await confirms(second, head.token)).status).toBe(409)
  expect((await confirms(agreed, head.token)).data).toMatchObject({ state: 2, managerName: '资产管理员', headName: '企业负责人' })
  expect((await decides((await asks(await faulty(), { originalFen: 999_999 })).data, manager.token)).data.state).toBe(2)
  await expect(shop.sql('update inspection.scrap set head_id = manager_id where id = $1', [second.id])).rejects.toMatchObject({ code: '23514' })
  await expect(shop.sql('update inspection.scrap set head_id = null where id = $1', [second.id])).rejects.toMatchObject({ code: '23514' })
})

test('refused only with an opinion, taken back only by whoever asked; then it may be asked for again', async () => {
  const deviceNo = await faulty()
  const first = (await asks(deviceNo)).data
  expect((await asks(deviceNo)).code).toBe(42061)
  expect((await decides(first, manager.token, { approve: false })).code).toBe(42064)
  expect((await decides(first, manager.token, { approve: false, opinion: '仍可维修' })).data).toMatchObject({ state: 3, opinion: '仍可维修' })
  const { id, version } = (await asks(deviceNo)).data
  expect((await shop.post('/inspection/scrap/withdraw', { id, version })).code).toBe(42065)
  expect((await shop.post('/inspection/scrap/withdraw', { id, version }, asker.token)).data.state).toBe(4)
  expect((await asks(deviceNo, { residualFen: 500_001 })).code).toBe(42066)
  expect((await asks(await shop.aDevice())).code).toBe(42060)
})

test('two ask or two decide at once: one of them', async () => {
  const deviceNo = await faulty()
  const asked = await Promise.all([asks(deviceNo), asks(deviceNo)])
  expect(asked.map(({ code }) => code).sort()).toEqual([200, 42061])
  const made = asked.find(({ status }) => status === 200)!.data
  const decided = await Promise.all([decides(made, manager.token), decides(made, head.token)])
  expect(decided.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('who sees one park asks there, and approves nothing: the device leaves the park', async () => {
  const local = await shop.person('P001 资产', ['scrap:apply', 'scrap:decide'], ['P001'])
  const made = (await asks(await faulty())).data
  expect((await decides(made, local.token)).code).toBe(42067)
  expect((await asks(await faulty({ parkCode: 'P002' }), {}, local.token)).code).toBe(42050)
})

test('no device is scrapped by its record or by its use', async () => {
  const deviceNo = await faulty()
  const [{ id, version }] = await shop.sql('select id, version from device.device where device_no = $1', [deviceNo])
  expect((await shop.post('/iotDevice/updateIotDevice', { id, version, useStatus: 3 })).code).toBe(40716)
  expect((await shop.post('/iotDevice/changeUse', { ids: [id], to: 3, reason: '试' })).status).not.toBe(200)
})

test('a year has its twelve months, with those in which nothing was scrapped', async () => {
  const { data } = await shop.get('/inspection/result/YearScrapStatistical')
  expect(data.months).toHaveLength(12)
  expect(data.total).toBe(data.months.reduce((sum: number, { count }: any) => sum + count, 0))
  expect(data.total).toBeGreaterThan(2)
  expect((await shop.get('/inspection/result/YearScrapStatistical', { year: 2019 })).data).toMatchObject({
    year: 2019,
    total: 0,
    originalFen: 0,
    types: [],
  })
  expect((await shop.get('/inspection/result/maintainStatistical')).data).toMatchObject({ opened: 1, done: 0, open: 0, costFen: 0 })
})
