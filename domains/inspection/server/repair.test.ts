import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { AdminStatus } from '../../charging/contract/pile.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { store } from '../../device/server/api.ts'
import { RepairState } from '../contract/repair.ts'
import { faultFound } from './repair.ts'
import { aWorkshop, type Person, type Workshop } from './upkeep/testing.ts'

let shop: Workshop
let mender: Person
let chief: Person
beforeAll(async () => {
  shop = await aWorkshop()
  mender = await shop.person('维修员', ['repair:edit', 'repair:handle'])
  chief = await shop.person('运维主管', ['repair:edit', 'repair:handle'])
})
afterAll(() => shop.close())

const now = () => new Date().toISOString() as Instant
const found = (deviceNo: string, level: 1 | 2 | 3 | 4 = 3) =>
  shop.write((tx) => faultFound(tx, { deviceNo, source: 1, level, desc: '探测器不响应', by: '巡检员' }, now()))
const openOf = (deviceNo: string) => shop.sql('select * from inspection.repair where device_no = $1', [deviceNo])
const ordersOf = (deviceNo: string) => shop.sql('select * from after_sale.work_order where device_no = $1', [deviceNo])

test('two rounds find a device bad: one repair, two lines, one order', async () => {
  const deviceNo = await shop.aDevice()
  const [first, second] = [await found(deviceNo), await found(deviceNo)]
  expect(second).toMatchObject({ id: first.id, reports: 2, orderNo: first.orderNo })
  expect(await ordersOf(deviceNo)).toHaveLength(1)
  const { data } = await shop.get('/inspectionRepair/one', { id: first.id })
  expect(data).toMatchObject({ repairNo: first.repairNo, state: 0, reports: 2, orderNo: first.orderNo })
  expect(data.lines).toHaveLength(2)
})

test('two find it bad at the same moment: one repair all the same', async () => {
  const deviceNo = await shop.aDevice()
  const both = await Promise.all([found(deviceNo), found(deviceNo), shop.breaks(deviceNo, { level: 4 })])
  expect(new Set([both[0].id, both[1].id, both[2].data.id]).size).toBe(1)
  expect(await openOf(deviceNo)).toMatchObject([{ reports: 3, level: 4 }])
  expect(await ordersOf(deviceNo)).toHaveLength(1)
  await expect(
    shop.sql(
      `insert into inspection.repair (device_no, device_name, device_type, source, level, "desc", opened_name) values ($1, 'x', 1, 1, 1, 'x', 'x')`,
      [deviceNo],
    ),
  ).rejects.toMatchObject({ code: '23505' })
})

test('what is low opens no order; that it got worse opens one', async () => {
  const deviceNo = await shop.aDevice()
  expect((await shop.breaks(deviceNo)).data).toMatchObject({ state: 0, level: 2, orderNo: null, deviceName: `道闸 ${deviceNo}`, parkCode: 'P001' })
  expect(await ordersOf(deviceNo)).toHaveLength(0)
  expect((await shop.breaks(deviceNo, { level: 3 })).data).toMatchObject({ level: 3, reports: 2, orderNo: expect.stringMatching(/^GD/) })
  expect((await shop.breaks(deviceNo, { level: 1 })).data).toMatchObject({ level: 3, reports: 3 })
  expect((await shop.breaks('NOTHING-1')).code).toBe(42050)
})

test('state.repair: assigned, begun, handed in with its cost, accepted by another; the device is in repair meanwhile, and in use again', async () => {
  const deviceNo = await shop.aDevice()
  const { id, version } = (await shop.breaks(deviceNo)).data
  const tollNo = await shop.anInspector(mender.id)
  expect((await shop.moves(id, 2)).code).toBe(40010)
  expect((await shop.moves(id, 1)).code).toBe(42052)
  expect((await shop.moves(id, 1, { tollNo: 'NOBODY' })).code).toBe(42052)
  expect((await shop.moves(id, 1, { tollNo, version: version + 1 })).status).toBe(409)
  expect((await shop.moves(id, 1, { tollNo })).data).toMatchObject({ state: 1, tollNo, tollName: '巡检员' })
  expect((await shop.moves(id, 5)).code).toBe(42054)
  expect((await shop.moves(id, 5, { reason: '不在班' })).data.state).toBe(5)
  expect((await shop.moves(id, 0)).data).toMatchObject({ state: 0, tollNo: null })
  await shop.moves(id, 1, { tollNo })
  expect((await shop.moves(id, 2, { labourFen: 100 }, mender.token)).code).toBe(42055)
  expect((await shop.moves(id, 2, {}, mender.token)).data.state).toBe(2)
  expect(await shop.useOf(deviceNo)).toBe(5)
  const parts = [
    { name: '地感线圈', qty: 2, priceFen: 4_500 },
    { name: '继电器', qty: 1, priceFen: 1_250 },
  ]
  expect((await shop.moves(id, 3, { parts: [{ name: '主机', qty: 999, priceFen: 10_000_000 }] }, mender.token)).code).toBe(42057)
  expect((await shop.moves(id, 3, { parts, labourFen: 8_000 }, mender.token)).data).toMatchObject({
    state: 3,
    partsFen: 10_250,
    labourFen: 8_000,
    costFen: 18_250,
    repairerName: '维修员',
  })
  expect((await shop.moves(id, 4, {}, mender.token)).code).toBe(42056)
  expect((await shop.moves(id, 2, {}, chief.token)).code).toBe(42054)
  expect((await shop.moves(id, 2, { reason: '仍不落杆' }, chief.token)).data.state).toBe(2)
  // The chief hands it in: neither they nor its repairer accepts it.
  expect((await shop.moves(id, 3, {}, chief.token)).data).toMatchObject({ costFen: 18_250 })
  expect((await shop.moves(id, 4, {}, chief.token)).code).toBe(42056)
  expect((await shop.moves(id, 4, {}, mender.token)).code).toBe(42056)
  expect((await shop.moves(id, 6)).code).toBe(42053)
  expect((await shop.moves(id, 4)).data).toMatchObject({ state: 4, acceptorName: expect.any(String), repairMin: 0 })
  expect(await shop.useOf(deviceNo)).toBe(1)
  const { data } = await shop.get('/inspectionRepair/one', { id })
  expect(data.steps.map(({ from, to }: any) => [from, to])).toEqual([
    [0, 1],
    [1, 5],
    [5, 0],
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 2],
    [2, 3],
    [3, 4],
  ])
  const next = (await shop.breaks(deviceNo)).data
  expect((await shop.get('/inspectionRepair/deviceRepair', { deviceNo })).data.map((one: any) => one.id)).toEqual([next.id, id])
  await expect(shop.sql('update inspection.repair set acceptor_id = repairer_id where id = $1', [id])).rejects.toMatchObject({ code: '23514' })
})

test('the work order that a repair makes goes along with it: in hand with its repairer, back when it is returned, over when it is accepted', async () => {
  const mender = await shop.person('维修员', ['repair:edit', 'repair:handle'])
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo, { level: 4 })).data
  const tollNo = await shop.anInspector(mender.id)
  const order = async () => (await ordersOf(deviceNo))[0]
  expect(await order()).toMatchObject({ state: 0, assigneeId: null })
  await shop.moves(id, 1, { tollNo })
  expect(await order()).toMatchObject({ state: 2, assigneeId: mender.id, assigneeName: '巡检员', respondedAt: expect.anything() })
  await shop.moves(id, 5, { reason: '不在班' })
  expect(await order()).toMatchObject({ state: 6, assigneeId: null })
  await shop.moves(id, 0)
  await shop.moves(id, 1, { tollNo })
  await shop.moves(id, 2, {}, mender.token)
  await shop.breaks(deviceNo, { level: 4 })
  expect(await order()).toMatchObject({ state: 2, assigneeId: mender.id })
  await shop.moves(id, 3, {}, mender.token)
  await shop.moves(id, 4, {}, chief.token)
  expect(await order()).toMatchObject({ state: 5, solvedAt: expect.anything(), closedAt: expect.anything() })
  expect(await shop.sql('select 1 from after_sale.interview where target_id = $1', [(await order()).id])).toEqual([])
  // A later report of the same device opens another.
  await shop.breaks(deviceNo, { level: 4 })
  expect(await ordersOf(deviceNo)).toHaveLength(2)
})

test('an order that comes while the repair is in hand is in hand too; of a repairer without an account it is with whoever gave it', async () => {
  const mender = await shop.person('维修员', ['repair:edit', 'repair:handle'])
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo)).data
  await shop.moves(id, 1, { tollNo: await shop.anInspector(mender.id) })
  await shop.breaks(deviceNo, { level: 3 })
  expect(await ordersOf(deviceNo)).toMatchObject([{ state: 2, assigneeId: mender.id }])
  const other = await shop.aDevice()
  const second = (await shop.breaks(other, { level: 3 })).data
  await shop.moves(second.id, 1, { tollNo: await shop.anInspector() }, chief.token)
  expect(await ordersOf(other)).toMatchObject([{ state: 2, assigneeId: chief.id }])
})

test('an order that somebody has cancelled stays so, whatever becomes of the repair; that of a device scrapped unseen is cancelled', async () => {
  const mender = await shop.person('维修员', ['repair:edit', 'repair:handle'])
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo, { level: 4 })).data
  const [order] = await ordersOf(deviceNo)
  const handled = await shop.server.ask(shop.admin, 'POST', '/lbs/basic/workOrder/handleOrder', { id: order.id, event: 11, opinion: '重复' })
  expect(handled.message).toBe('ok')
  await shop.moves(id, 1, { tollNo: await shop.anInspector(mender.id) })
  expect(await ordersOf(deviceNo)).toMatchObject([{ state: 8 }])

  const scrapped = await shop.aDevice({ useStatus: 2 })
  await shop.breaks(scrapped, { level: 4 })
  const [opened] = await ordersOf(scrapped)
  expect(opened.state).not.toBe(8)
  const worth = { reason: 2, note: '主板烧毁', originalFen: 500_000, residualFen: 10_000, months: 60 }
  const asker = await shop.person('申请人', ['scrap:apply', 'scrap:decide'])
  const manager = await shop.person('资产管理员', ['scrap:decide'])
  const wish = (await shop.post('/inspection/scrap/apply', { deviceNo: scrapped, ...worth }, asker.token)).data
  expect((await shop.post('/inspection/scrap/decide', { id: wish.id, version: wish.version, approve: true }, manager.token)).status).toBe(200)
  expect(await ordersOf(scrapped)).toMatchObject([{ state: 8 }])
})

test('two accept or take a step at once: one of them does', async () => {
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo)).data
  const tollNo = await shop.anInspector()
  const both = await Promise.all([shop.moves(id, 1, { tollNo }), shop.moves(id, 1, { tollNo })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('state.repair: what waits or lies in the store is in repair too while somebody works on it, and goes back there when it is accepted', async () => {
  for (const [useStatus, parkCode] of [
    [DeviceUse.inStock, undefined],
    [DeviceUse.inStock, 'P001'],
    [DeviceUse.waiting, 'P001'],
  ] as const) {
    const deviceNo = await shop.aDevice({ useStatus, parkCode })
    const { id } = (await shop.breaks(deviceNo)).data
    await shop.moves(id, RepairState.assigned, { tollNo: await shop.anInspector() })
    expect(await shop.useOf(deviceNo)).toBe(useStatus)
    expect((await shop.moves(id, RepairState.working, {}, mender.token)).status).toBe(200)
    expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inRepair)
    await shop.moves(id, RepairState.handedIn, {}, mender.token)
    expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inRepair)
    expect((await shop.moves(id, RepairState.done, {}, chief.token)).data.state).toBe(RepairState.done)
    expect(await shop.useOf(deviceNo)).toBe(useStatus)
  }
})

test('what is in repair is not put in the store by hand while its repair is open: the refusal names it; once it is accepted it may be', async () => {
  const deviceNo = await shop.aDevice()
  const deviceOf = async (no: string) => (await shop.sql('select id, version from device.device where device_no = $1', [no]))[0]
  const { id, repairNo } = (await shop.breaks(deviceNo)).data
  await shop.moves(id, RepairState.assigned, { tollNo: await shop.anInspector() })
  await shop.moves(id, RepairState.working, {}, mender.token)
  const [device, other] = [await deviceOf(deviceNo), await deviceOf(await shop.aDevice())]
  const shelves = () => shop.post('/iotDevice/changeUse', { ids: [other.id, device.id], to: DeviceUse.inStock, reason: '换上备件' })
  const refused = async () => {
    for (const { status, code, message } of [
      await shelves(),
      await shop.post('/iotDevice/updateIotDevice', { id: device.id, version: device.version, useStatus: DeviceUse.inStock }),
    ]) {
      expect({ status, code }).toEqual({ status: 409, code: 42068 })
      expect(message).toBe(`${deviceNo} 的维修单 ${repairNo} 尚未完成，不能转为库存；请先完成维修`)
    }
    expect(await shop.sql('select use_status from device.device where id = any ($1) order by id = $2', [[device.id, other.id], device.id])).toEqual([
      { useStatus: DeviceUse.inUse },
      { useStatus: DeviceUse.inRepair },
    ])
  }
  await refused()
  await shop.moves(id, RepairState.handedIn, {}, mender.token)
  await refused()
  expect((await shop.moves(id, RepairState.done, {}, chief.token)).data.state).toBe(RepairState.done)
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inUse)
  expect(await shelves()).toMatchObject({ status: 200 })
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inStock)
})

test('a device that stands in another park by now is not put in the store either while its repair is open, by whoever sees that park alone', async () => {
  const deviceNo = await shop.aDevice()
  const { id, repairNo } = (await shop.breaks(deviceNo)).data
  await shop.moves(id, RepairState.assigned, { tollNo: await shop.anInspector() })
  await shop.moves(id, RepairState.working, {}, mender.token)
  const [device] = await shop.sql(`update device.device set park_code = 'P002' where device_no = $1 returning id`, [deviceNo])
  const there = await shop.person('另一车场', ['device:device:edit'], ['P002'])
  const shelved = await shop.post('/iotDevice/changeUse', { ids: [device.id], to: DeviceUse.inStock, reason: '换上备件' }, there.token)
  expect(shelved).toMatchObject({ status: 409, code: 42068, message: expect.stringContaining(repairNo) })
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inRepair)
})

test('what is in repair without an open repair may be put in the store by hand', async () => {
  const deviceNo = await shop.aDevice()
  const [{ id }] = await shop.sql('update device.device set use_status = $2 where device_no = $1 returning id', [deviceNo, DeviceUse.inRepair])
  expect(await shop.post('/iotDevice/changeUse', { ids: [id], to: DeviceUse.inStock, reason: '换上备件' })).toMatchObject({ status: 200 })
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inStock)
})

test('a device that was taken off its place while its repair waited for acceptance is in repair again when the work goes on, then in the store', async () => {
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo)).data
  await shop.moves(id, RepairState.assigned, { tollNo: await shop.anInspector() })
  await shop.moves(id, RepairState.working, {}, mender.token)
  await shop.moves(id, RepairState.handedIn, {}, mender.token)
  await shop.write((tx) => store(tx, { deviceNo, at: now() }))
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inStock)
  expect((await shop.moves(id, RepairState.working, { reason: '仍不落杆' }, chief.token)).status).toBe(200)
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inRepair)
  await shop.moves(id, RepairState.handedIn, {}, mender.token)
  expect((await shop.moves(id, RepairState.done)).data.state).toBe(RepairState.done)
  expect(await shop.useOf(deviceNo)).toBe(DeviceUse.inStock)
})

test('a pile that is not in use yet is under maintenance while it is repaired, and waits again when it is accepted', async () => {
  const equipmentId = 'PILE-001'
  await shop.sql(
    `insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`,
  )
  await shop.sql(`insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
    values ('ST001', '东门充电站', 'MA0000001', 'P001', '420607', '东门路1号', '4000000000', 50, 112.14, 32.04)`)
  await shop.sql(
    `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status) values ($1, '一号桩', 'ST001', 'P001', 1, 60, $2)`,
    [equipmentId, AdminStatus.waiting],
  )
  const status = async () => (await shop.sql('select admin_status from charging.equipment where equipment_id = $1', [equipmentId]))[0].adminStatus
  const { id } = (await shop.breaks(equipmentId)).data
  await shop.moves(id, RepairState.assigned, { tollNo: await shop.anInspector() })
  await shop.moves(id, RepairState.working, {}, mender.token)
  expect(await status()).toBe(AdminStatus.maintained)
  await shop.moves(id, RepairState.handedIn, {}, mender.token)
  expect((await shop.moves(id, RepairState.done, {}, chief.token)).data.state).toBe(RepairState.done)
  expect(await status()).toBe(AdminStatus.waiting)
})

test('who sees one park sees its repairs alone, and reports none of another', async () => {
  const local = await shop.person('P002 运维', ['repair:edit', 'repair:handle'], ['P002'])
  const [here, there] = [await shop.aDevice({ parkCode: 'P002' }), await shop.aDevice()]
  const mine = (await shop.breaks(here, {}, local.token)).data
  const other = (await shop.breaks(there)).data
  expect((await shop.breaks(there, {}, local.token)).code).toBe(42050)
  const seen = (await shop.get('/inspectionRepair/find', {}, local.token)).data.records.map((one: any) => one.id)
  expect(seen).toEqual([mine.id])
  expect((await shop.get('/inspectionRepair/one', { id: other.id }, local.token)).status).toBe(404)
  expect((await shop.moves(other.id, 5, { reason: '试' }, local.token)).status).toBe(404)
})

test('whoever scans a device reports it without a session; another signature, another number or too many are refused', async () => {
  const deviceNo = await shop.aDevice()
  const { path } = (await shop.get('/inspectionRepair/code', { deviceNo })).data
  const code = path.split('/').at(-1)
  const report = (input: object) => shop.server.ask(null, 'POST', '/lbs/device/inspectionRepair/report', input) as Promise<any>
  const scanned = async (of: string) => (await shop.server.ask(null, 'GET', '/lbs/device/inspectionRepair/scanned', { code: of })) as any
  expect((await scanned(code)).data).toEqual({ deviceName: `道闸 ${deviceNo}`, deviceType: 1 })
  const other = await shop.aDevice()
  for (const wrong of ['x', code.replace(deviceNo, other), `2${code.slice(1)}`, `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`]) {
    expect((await scanned(wrong)).code).toBe(42058)
    expect((await report({ code: wrong, desc: '坏了' })).code).toBe(42058)
  }
  for (let i = 0; i < 5; i++) expect((await report({ code, desc: '栏杆断了', contact: '13900001111' })).status).toBe(200)
  expect(await report({ code, desc: '栏杆断了' })).toMatchObject({ status: 429, code: 42059 })
  const [repair] = await openOf(deviceNo)
  expect(repair).toMatchObject({ source: 5, level: 2, reports: 5, orderNo: null })
})

test('whoever accepts a repair may add a word and a picture, which its history keeps', async () => {
  const deviceNo = await shop.aDevice()
  const { id } = (await shop.breaks(deviceNo)).data
  await shop.moves(id, 1, { tollNo: await shop.anInspector() })
  await shop.moves(id, 2, {}, mender.token)
  await shop.moves(id, 3, { labourFen: 5_000 }, mender.token)
  const images = '/lbs/basic/file/view?fileName=mended.png'
  expect((await shop.moves(id, 4, { reason: '试抬杆十次正常', images }, chief.token)).status).toBe(200)
  const { steps } = (await shop.get('/inspectionRepair/one', { id })).data
  expect(steps.at(-1)).toMatchObject({ to: 4, reason: '试抬杆十次正常', images })
})
