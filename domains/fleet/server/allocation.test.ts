import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGarage, type Garage } from './testing.ts'
import { AllocationState } from '../contract/allocation.ts'
import { letUnfetchedGo } from './keys.ts'

let garage: Garage
beforeAll(async () => void (garage = await aGarage()))
afterAll(() => garage.close())

const ADD = '/vehicle/addVehicleAllocating'
const plan = async (from: number, to: number, more: object = {}) => ({
  reason: '巡检',
  origin: '公司',
  dest: '东津',
  planFrom: garage.at(from),
  planTo: garage.at(to),
  vehicleId: (more as any).vehicleId ?? (await garage.aVehicle()).id,
  driverId: (more as any).driverId ?? (await garage.aDriver()).id,
  ...more,
})
const vehicleNow = async (id: string) => (await garage.sql('select status, mileage_m from fleet.vehicle where id = $1', [id]))[0]
const driverNow = async (id: string) => (await garage.sql('select status from fleet.driver where id = $1', [id]))[0].status

test('applied for, approved by another, handed out and taken back: vehicle and driver follow', async () => {
  const asked = await garage.applied(10, 120)
  expect(asked).toMatchObject({ state: 0, applicantName: expect.any(String), version: 1 })
  expect((await garage.step(asked, 1)).code).toBe(42314)
  const approved = (await garage.step(asked, 1, { verdict: '同意' }, garage.deputy)).data
  expect(approved).toMatchObject({ state: 1, verdict: '同意' })
  expect((await garage.step(approved, 3, { odoIn: 9 })).code).toBe(40010)
  expect((await garage.step(approved, 2)).code).toBe(42321)
  const out = (await garage.step(approved, 2, { odoOut: 52_000, fuelOut: 80 })).data
  expect(out).toMatchObject({ state: 2, odoOut: 52_000, outAt: expect.any(String) })
  expect([await vehicleNow(out.vehicleId), await driverNow(out.driverId)]).toEqual([{ status: 2, mileageM: 52_000 }, 2])
  const back = (await garage.step(out, 3, { odoIn: 61_500, damage: '左后门划痕' })).data
  expect(back).toMatchObject({ state: 3, odoIn: 61_500, damage: '左后门划痕' })
  expect([await vehicleNow(out.vehicleId), await driverNow(out.driverId)]).toEqual([{ status: 1, mileageM: 61_500 }, 1])
  expect((await garage.step(back, 5)).code).toBe(40010)
})

test('returned with less on the odometer than it went out with, or more than it can have driven: refused, and the vehicle stays in use', async () => {
  const out = await garage.out(5, 60)
  const answer = await garage.step(out, 3, { odoIn: 999 })
  expect([answer.status, answer.code]).toEqual([422, 42322])
  const far = await garage.step(out, 3, { odoIn: 2_000_002_000 / 2 })
  expect([far.status, far.code]).toEqual([422, 42352])
  expect(far.message).toContain('1000000 公里')
  expect(await vehicleNow(out.vehicleId)).toMatchObject({ status: 2, mileageM: 1_000 })
  await expect(garage.sql('update fleet.allocation set state = 3, in_at = now(), odo_in = 1 where id = $1', [out.id])).rejects.toThrow(
    /odometer_forward/,
  )
})

test('a vehicle and a driver are in one place at a time, and the answer names who has them', async () => {
  const first = await garage.applied(100, 200)
  const taken = await garage.post(ADD, await plan(150, 250, { vehicleId: first.vehicleId }))
  expect([taken.code, taken.message]).toEqual([42310, expect.stringContaining(first.allocationNo)])
  expect((await garage.post(ADD, await plan(50, 101, { driverId: first.driverId }))).code).toBe(42310)
  expect((await garage.post(ADD, await plan(200, 250, { vehicleId: first.vehicleId, driverId: first.driverId }))).status).toBe(200)
  await expect(
    garage.sql(
      `insert into fleet.allocation (allocation_no, vehicle_id, driver_id, reason, plan_from, plan_to, origin, dest, applicant_id, applicant_name)
      select 'X', vehicle_id, $2, 'x', plan_from, plan_to, 'x', 'x', applicant_id, 'x' from fleet.allocation where id = $1`,
      [first.id, (await garage.aDriver()).id],
    ),
  ).rejects.toThrow(/one_driver_a_car/)
})

test('eight who want one car at once: one has it', async () => {
  const vehicle = await garage.aVehicle()
  const plans = await Promise.all(Array.from({ length: 8 }, () => plan(10, 20, { vehicleId: vehicle.id })))
  const answers = await Promise.all(plans.map((one) => garage.post(ADD, one)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const one of answers.filter(({ status }) => status !== 200)) expect(one.code).toBe(42310)
})

test('free ones are offered; the others are shown with what stands in the way', async () => {
  const held = await garage.applied(300, 400)
  const broken = await garage.aVehicle()
  await garage.post('/vehicleManage/updateVehicleManage', { id: broken.id, version: 1, status: 3 })
  const expired = await garage.aVehicle({ inspectEnd: garage.at(0).slice(0, 10) })
  const span = { planFrom: garage.at(350), planTo: garage.at(60 * 48) }
  const free = (await garage.post('/vehicleManage/queryAllocatingVehicle', span)).data.map((one: any) => one.id)
  for (const one of [held.vehicleId, broken.id, expired.id]) expect(free).not.toContain(one)
  const all = (await garage.post('/vehicleManage/queryAllocatingVehicle', { ...span, all: true })).data
  const why = (id: string) => all.find((one: any) => one.id === id).whyNot
  expect([why(held.vehicleId), why(broken.id), why(expired.id)]).toEqual([3, 1, 2])
  const mine = (await garage.post('/vehicleManage/queryAllocatingVehicle', { ...span, id: held.id })).data.map((one: any) => one.id)
  expect(mine).toContain(held.vehicleId)
  const drivers = (await garage.post('/driverManage/queryAllocatingDriverManage', span)).data.map((one: any) => one.id)
  expect(drivers).not.toContain(held.driverId)
})

test('papers hold until the car is back, at every step', async () => {
  const soon = garage.at(60 * 24 * 3).slice(0, 10)
  const vehicle = await garage.aVehicle({ inspectEnd: soon })
  const late = await garage.post(ADD, await plan(10, 60 * 24 * 6, { vehicleId: vehicle.id }))
  expect([late.status, late.code]).toEqual([422, 42311])
  const driver = await garage.aDriver({ licenceEnd: soon })
  expect((await garage.post(ADD, await plan(10, 60 * 24 * 6, { driverId: driver.id }))).code).toBe(42311)
  const asked = await garage.applied(10, 60)
  await garage.sql(`update fleet.vehicle set insurance_end = '2020-01-01' where id = $1`, [asked.vehicleId])
  expect((await garage.step(asked, 1, {}, garage.deputy)).code).toBe(42311)
})

test('two hours early at most; and who is still out with another car gets none', async () => {
  const early = await garage.approved(121, 200)
  expect((await garage.step(early, 2, { odoOut: 5 })).code).toBe(42320)
  const out = await garage.out(0, 30)
  await garage.sql('update fleet.allocation set plan_from = $2, plan_to = $3, out_at = $2 where id = $1', [out.id, garage.at(-90), garage.at(-60)])
  const next = await garage.approved(31, 90, { driverId: out.driverId })
  expect((await garage.step(next, 2, { odoOut: 5 })).code).toBe(42323)
})

test('neither who applied nor anybody who changed the application since it was last approved decides on it', async () => {
  const { admin, deputy, step } = garage
  const third = await garage.another('third')
  const { approved, rejected } = AllocationState
  const change = async ({ id, version }: any, dest: string, token: string) =>
    (await garage.post('/vehicle/updateVehicleAllocating', { id, version, dest }, token)).data
  const byDeputy = await change(await garage.applied(60, 120), '火车站', deputy)
  const byThird = await change(byDeputy, '东站', third)
  for (const token of [admin, deputy, third])
    for (const state of [approved, rejected]) expect(await step(byThird, state, { verdict: '已核' }, token)).toMatchObject({ code: 42314 })
  const byApplicant = await change(byThird, '南站', admin)
  expect(await step(byApplicant, approved, {}, deputy)).toMatchObject({ code: 42314 })
  const fourth = await garage.another('fourth')
  const { data: passed } = await step(byApplicant, approved, {}, fourth)
  expect(passed).toMatchObject({ state: approved, dest: '南站' })
  await expect(
    garage.sql(`update fleet.allocation set approver_id = (select id from identity.person where username = 'deputy') where id = $1`, [passed.id]),
  ).rejects.toThrow(/maker_is_not_checker/)
  const anew = await change(passed, '西站', fourth)
  for (const token of [admin, fourth]) expect(await step(anew, approved, {}, token)).toMatchObject({ code: 42314 })
  expect((await step(anew, approved, {}, deputy)).data).toMatchObject({ state: approved, dest: '西站' })
})

test('behind its planned return a vehicle is not handed out: somebody else may have it next', async () => {
  const late = await garage.approved(10, 20)
  await garage.sql(
    `update fleet.allocation set plan_from = plan_from - interval '100 minutes', plan_to = plan_to - interval '100 minutes' where id = $1`,
    [late.id],
  )
  expect(await garage.step(late, AllocationState.out, { odoOut: 1_000 })).toMatchObject({ code: 42339, status: 409 })
  const { data: moved } = await garage.post('/vehicle/updateVehicleAllocating', { id: late.id, version: late.version, planTo: garage.at(60) })
  expect(moved).toMatchObject({ state: AllocationState.applied })
})

test('a plan that is changed is decided anew; once out only its end moves', async () => {
  const approved = await garage.approved(10, 60)
  const changed = (await garage.post('/vehicle/updateVehicleAllocating', { id: approved.id, version: approved.version, dest: '樊城' })).data
  expect(changed).toMatchObject({ state: 0, dest: '樊城', approverName: null })
  const out = await garage.out(10, 60)
  const fixed = await garage.post('/vehicle/updateVehicleAllocating', { id: out.id, version: out.version, dest: '樊城' })
  expect(fixed.code).toBe(42316)
  const later = await garage.post('/vehicle/updateVehicleAllocating', { id: out.id, version: out.version, planTo: garage.at(90) })
  expect(later.data).toMatchObject({ state: 2, planTo: garage.at(90) })
  expect((await garage.post(ADD, await plan(70, 95, { vehicleId: out.vehicleId }))).code).toBe(42310)
})

test('what nobody fetches is let go four hours after its time, and no sooner', async () => {
  const approved = await garage.approved(10, 600)
  await garage.write((tx) => letUnfetchedGo(tx, garage.at(10 + 239)))
  expect((await garage.sql('select state from fleet.allocation where id = $1', [approved.id]))[0].state).toBe(1)
  await garage.write((tx) => letUnfetchedGo(tx, garage.at(10 + 241)))
  expect((await garage.sql('select state from fleet.allocation where id = $1', [approved.id]))[0].state).toBe(5)
})

test('what is in use is not deleted, and a state that follows the allocation is not set by hand', async () => {
  const out = await garage.out(0, 30)
  const of = async (table: string, id: string) => (await garage.sql(`select id, version, brand_id from fleet.${table} where id = $1`, [id]))[0]
  const vehicle = await of('vehicle', out.vehicleId)
  expect((await garage.post('/vehicleManage/deleteVehicleManage', { id: vehicle.id, version: vehicle.version })).code).toBe(42305)
  for (const status of [1, 2, 3, 4])
    if (status !== 2)
      expect((await garage.post('/vehicleManage/updateVehicleManage', { id: vehicle.id, version: vehicle.version, status })).code).toBe(40010)
  const [driver] = await garage.sql('select id, version from fleet.driver where id = $1', [out.driverId])
  expect((await garage.post('/driverManage/deleteDriverManage', driver)).code).toBe(42309)
  expect((await garage.post('/driverManage/updateDriverManage', { ...driver, status: 3 })).code).toBe(40010)
  const [brand] = await garage.sql('select id, version from fleet.brand where id = $1', [vehicle.brandId])
  expect((await garage.post('/vehicleBrand/deleteVehicleBrand', brand)).code).toBe(42301)
  const idle = await garage.aVehicle()
  expect((await garage.post('/vehicleManage/deleteVehicleManage', { id: idle.id, version: idle.version })).status).toBe(200)
  const held = await garage.applied(10, 20)
  const { version } = await of('vehicle', held.vehicleId)
  expect((await garage.post('/vehicleManage/updateVehicleManage', { id: held.vehicleId, version, status: 4 })).code).toBe(42306)
})

test('a plate, a licence and a terminal are each there once; a plate is found by any run of it', async () => {
  const vehicle = await garage.aVehicle({ vehicleNo: '鄂F·9X8Y7', deviceNo: '013800001111' })
  expect([vehicle.vehicleNo, vehicle.deviceNo]).toEqual(['鄂F9X8Y7', '13800001111'])
  const more = { brandId: vehicle.brandId, dept: '运营部', seats: 5, insuranceEnd: '2099-01-01', inspectEnd: '2099-01-01' }
  const add = (one: object) => garage.post('/vehicleManage/addVehicleManage', { ...more, ...one })
  expect((await add({ vehicleNo: '鄂F9X8Y7' })).code).toBe(42302)
  expect((await add({ vehicleNo: '鄂F9X8Y8', deviceNo: '1380000A111' })).code).toBe(42318)
  expect((await add({ vehicleNo: '鄂F9X8Y8', deviceNo: '13800001111' })).code).toBe(42303)
  const found = await garage.post('/vehicleManage/queryVehicleManage', { vehicleNo: 'X8Y7' })
  expect(found.data.records.map((one: any) => one.vehicleNo)).toEqual(['鄂F9X8Y7'])
  const driver = await garage.aDriver()
  expect(
    (
      await garage.post('/driverManage/addVehicleManage', {
        ...driver,
        id: undefined,
        version: undefined,
        createdAt: undefined,
        updatedAt: undefined,
        status: undefined,
        image: undefined,
        remark: undefined,
      })
    ).code,
  ).toBe(42308)
})

test('each step by its own right, and the export is the list', async () => {
  const asked = await garage.applied(500, 510)
  await garage.sql(`insert into identity.role (enterprise_id, name, grants) values (1, '车队看客', 1)`)
  const auditor = await garage.server.signIn('auditor')
  expect((await garage.post('/vehicle/queryAllocatingDriverManage', { id: asked.id }, auditor)).data.records).toHaveLength(1)
  expect((await garage.step(asked, 1, {}, auditor)).status).toBe(403)
  const file = await garage.server.ask(garage.admin, 'GET', '/lbs/business/vehicle/exportVehicleAllocatingInfo', { format: 'csv' })
  expect(file.status).toBe(200)
})
