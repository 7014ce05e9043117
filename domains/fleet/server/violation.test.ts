import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { aGarage, type Garage } from './testing.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
})
afterAll(() => garage.close())

let made = 0
const number = () => `W${++made}`
const add = (vehicleId: string, at: string, more: object = {}) =>
  garage.post('/fleetViolation/add', { violationNo: number(), vehicleId, at, place: '东津大道', conduct: '超速 20% 以下', ...more })
const lineOf = async (id: string) => (await garage.post('/fleetViolation/query', { id })).data.records[0]
/** Out from an hour ago on. */
const isOut = async () => {
  const one = await garage.out(5, 120)
  await garage.sql(`update fleet.allocation set out_at = $2 where id = $1`, [one.id, garage.at(-60)])
  return one
}

test('whoever had the car in that minute is named; before it was fetched nobody is', async () => {
  const one = await isOut()
  const driver = (await garage.post('/driverManage/queryVehicleDriverManage', { id: one.driverId })).data.records[0]
  const during = (await add(one.vehicleId, garage.at(-30), { fineFen: 20_000, points: 3 })).data
  expect(await lineOf(during.id)).toMatchObject({
    driverName: driver.name,
    allocationNo: one.allocationNo,
    fineFen: 20_000,
    points: 3,
    state: 0,
    source: 1,
  })
  const before = (await add(one.vehicleId, garage.at(-90))).data
  expect(await lineOf(before.id)).toMatchObject({ driverName: null, allocationNo: null })
  const moved = await garage.post('/fleetViolation/update', { id: before.id, version: before.version, at: garage.at(-20) })
  expect(await lineOf(moved.data.id)).toMatchObject({ driverName: driver.name })
  const supervised = async () => (await garage.post('/vehicleSupervise/queryVehicleSupervise', { id: one.vehicleId })).data.records[0].violations
  expect(await supervised()).toBe(2)
  const settled = await garage.post('/fleetViolation/settle', { id: during.id, version: during.version, remark: '司机自负' })
  expect(settled.data).toMatchObject({ state: 1, remark: '司机自负' })
  expect(settled.data.settledBy).toBeTruthy()
  expect(await supervised()).toBe(1)
  expect((await garage.post('/fleetViolation/settle', { id: during.id, version: settled.data.version })).code).toBe(40010)
})

test('a number twice and a time ahead are refused, and the sum is of the whole list', async () => {
  const car = await garage.aVehicle()
  const violationNo = number()
  expect((await add(car.id, garage.at(-5), { violationNo, fineFen: 100 })).status).toBe(200)
  expect(await add(car.id, garage.at(-5), { violationNo })).toMatchObject({ code: 42332 })
  expect(await add(car.id, garage.at(60))).toMatchObject({ status: 422, code: 42334 })
  await add(car.id, garage.at(-4), { fineFen: 200, points: 1 })
  expect((await garage.post('/fleetViolation/query', { vehicleId: car.id, queryMode: 'sum' })).data.sums).toMatchObject({ fineFen: 300, points: 1 })
})

test('a list of the police is imported: unknown cars are their rows’ errors, what is there already is changed', async () => {
  const car = await garage.aVehicle()
  const [first, second] = [number(), number()]
  const sheet = (...rows: string[]) =>
    sendSheet(
      garage.server,
      garage.admin,
      '/lbs/business/fleetViolation/import',
      ['违章编号,车牌号,违章时间,违章地点,违章行为,罚款(元),记分', ...rows].join('\n'),
    )
  const bad = await sheet(`${first},鄂Z99999,2026-01-05 08:00:00,环城路,闯红灯,200,6`)
  expect(bad.status).toBe(422)
  const good = [
    `${first},${car.vehicleNo},2026-01-05 08:00:00,环城路,闯红灯,200,6`,
    `${second},${car.vehicleNo},2026-01-06 08:00:00,环城路,违停,50,0`,
  ]
  expect((await sheet(...good)).data).toMatchObject({ added: 2, changed: 0, written: true })
  expect((await sheet(good[0]!, good[1]!.replace(',50,', ',100,'))).data).toMatchObject({ added: 0, changed: 1, same: 1 })
  const { records } = (await garage.post('/fleetViolation/query', { vehicleId: car.id })).data
  expect(records.map(({ fineFen, source }: any) => [fineFen, source])).toEqual([
    [10_000, 2],
    [20_000, 2],
  ])
})
