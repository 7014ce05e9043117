import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGarage, type Garage } from '../domains/fleet/server/testing.ts'
import { jt808Gateway } from '../gateways/jt808/gateway.ts'
import { type DrivenCar, keepDriving, spotAt } from './liveTerminals/rounds.ts'

let garage: Garage
let gateway: Awaited<ReturnType<typeof jt808Gateway>>
beforeAll(async () => {
  garage = await aGarage()
  gateway = await jt808Gateway(garage.server.house, 0)
})
afterAll(async () => {
  await gateway.stop()
  await garage.close()
})
const CAR: DrivenCar = { vehicleNo: '', deviceNo: '13807100001', round: 0, fromM: 61_230_000, mileageM: 61_230_000 }
const metres = (a: { lng: number; lat: number }, b: { lng: number; lat: number }) => Math.hypot((a.lng - b.lng) * 94_300, (a.lat - b.lat) * 111_000)

test('how far a car has come says where on its round it is, round after round, and it never jumps', () => {
  const spotOf = (m: number) => spotAt({ ...CAR, mileageM: CAR.fromM + m }, 0)
  for (let m = 0; m < 20_000; m += 50) expect(metres(spotOf(m), spotOf(m + 50))).toBeLessThanOrEqual(50.01)
  expect(metres(spotOf(0), spotOf(900))).toBeCloseTo(900, 0)
  const long = 900 + 700 + 1_500 + 1_200 + 600 + 500
  expect(metres(spotOf(0), spotOf(long))).toBeCloseTo(0, 0)
  expect(metres(spotOf(300), spotOf(2 * long + 300))).toBeCloseTo(0, 0)
})

test('a car of the demo says where it is, shows texts and takes pictures', async () => {
  const vehicle = await garage.aVehicle({ deviceNo: CAR.deviceNo })
  let ends = false
  const driven = keepDriving({ ...CAR, vehicleNo: vehicle.vehicleNo }, { port: gateway.port!, going: () => !ends, everyMs: 200 })
  const mileage = async () => (await garage.sql('select mileage_m from fleet.terminal where vehicle_id = $1', [vehicle.id]))[0]?.mileageM ?? 0
  await expect.poll(mileage, { timeout: 10_000 }).toBeGreaterThanOrEqual(CAR.fromM)
  await garage.post('/vehicleTerminal/text', { vehicleId: vehicle.id, text: '请回场' })
  await garage.post('/vehiclePicture/shoot', { vehicleId: vehicle.id })
  const orders = async () => (await garage.post('/vehicleTerminal/query', { vehicleId: vehicle.id })).data.records
  await expect.poll(orders, { timeout: 10_000 }).toMatchObject([
    { act: 2, state: 3 },
    { act: 1, state: 3 },
  ])
  const { data } = await garage.post('/vehiclePicture/queryVehiclePicture', { vehicleId: vehicle.id })
  expect(data.records.map(({ source }: any) => source).sort()).toEqual([1, 2])
  ends = true
  await driven
}, 40_000)
