import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AllocationState } from '../../domains/fleet/contract/allocation.ts'
import { aGarage, type Garage } from '../../domains/fleet/server/testing.ts'
import { watchFleet } from '../../domains/fleet/server/flags.ts'
import { hearPositions } from '../../domains/fleet/server/positions.ts'
import { dayOf } from '../../platform/contract/time.ts'
import { writeFrame } from './frames.ts'
import { jt808Gateway } from './gateway.ts'
import { readPosition } from './messages.ts'
import { codeBody, positionBody, registration, simulateTerminal, type SimulatedTerminal, type Spot } from './simulator.ts'

let garage: Garage
let gateway: Awaited<ReturnType<typeof jt808Gateway>>
// Without the clock of the jobs: time is moved by the test.
beforeAll(async () => {
  garage = await aGarage()
  gateway = await jt808Gateway(garage.server.house, 0)
})
afterAll(async () => {
  await gateway.stop()
  await garage.close()
})

let numbers = 0
const HOME = { lng: 112.14, lat: 32.04 }
/** Terminals say no parts of a second. */
const second = (minutes: number) => garage.at(minutes).replace(/\d{3}Z$/, '000Z') as never
/** Metres to the east of home. */
const spot = (minutes: number, metres: number, more: Partial<Spot> = {}): Spot => ({
  at: second(minutes),
  lng: HOME.lng + metres / 94_300,
  lat: HOME.lat,
  speed: 360,
  heading: 90,
  ...more,
})
async function aCar(more: { is2019?: boolean } = {}): Promise<{ vehicle: any; phone: string; terminal: SimulatedTerminal }> {
  const phone = `1390000${String(1_000 + ++numbers)}`
  const vehicle = await garage.aVehicle({ deviceNo: phone })
  const terminal = await simulateTerminal({ port: gateway.port!, phone, ...more })
  expect(await terminal.signIn(vehicle.vehicleNo)).toMatch(/^[0-9a-f]{16}$/)
  return { vehicle, phone, terminal }
}
const seen = async (id: string) => (await garage.post('/vehicleSupervise/queryVehicleSupervise', { id })).data.records[0]
const points = async (vehicleId: string, from = -600, to = 600) =>
  (await garage.post('/vehicleTrackInfo/queryVehicleTrackInfo', { vehicleId, timeFrom: garage.at(from), timeTo: garage.at(to), limit: 500 })).data
    .records

test('a terminal of either version registers, signs in, and is seen where it is', async () => {
  for (const is2019 of [false, true]) {
    const { vehicle, terminal } = await aCar({ is2019 })
    const { body } = await terminal.drives(spot(-1, 100, { mileageM: 12_300 }))
    expect([body.readUInt16BE(2), body[4]]).toEqual([0x0200, 0])
    expect(await seen(vehicle.id)).toMatchObject({ motion: 1, speed: 360, heading: 90, acc: true })
    expect(await points(vehicle.id)).toMatchObject([{ mileageM: 12_300, speed: 360, vehicleNo: vehicle.vehicleNo }])
    expect((await terminal.says(0x0900, Buffer.from('x'))).body[4]).toBe(3)
    terminal.close()
  }
})

test('nobody else is let in: an unknown number, another car, another device, a foreign code, no code', async () => {
  const { vehicle, phone, terminal } = await aCar()
  const port = gateway.port!
  const other = await aCar()
  const foreign = await other.terminal.says(0x0100, registration(other.vehicle.vehicleNo, 'KB00001', false))
  const stranger = await simulateTerminal({ port, phone: '13911112222' })
  expect(await stranger.signIn(vehicle.vehicleNo)).toBe(4)
  const wrongCar = await simulateTerminal({ port, phone })
  expect(await wrongCar.signIn('鄂A12345')).toBe(2)
  const second = await simulateTerminal({ port, phone, terminalId: 'KB00002' })
  expect(await second.signIn(vehicle.vehicleNo)).toBe(1)
  expect((await second.says(0x0102, codeBody(foreign.body.toString('ascii', 3), false))).body[4]).toBe(1)
  expect((await second.drives(spot(0, 0))).body[4]).toBe(1)
  expect(await points(vehicle.id)).toEqual([])
  expect((await terminal.drives(spot(-1, 0))).body[4]).toBe(0)
  for (const one of [stranger, wrongCar, second, terminal, other.terminal]) one.close()
})

test('a device of another maker takes over only when the number was taken off the car', async () => {
  const { vehicle, phone, terminal } = await aCar()
  const change = async (deviceNo: string | null) => {
    const [{ version }] = await garage.sql('select version from fleet.vehicle where id = $1', [vehicle.id])
    expect((await garage.post('/vehicleManage/updateVehicleManage', { id: vehicle.id, version, deviceNo })).status).toBe(200)
  }
  await change(null)
  await terminal.drives(spot(-1, 0))
  expect(await points(vehicle.id)).toEqual([])
  await change(phone)
  const second = await simulateTerminal({ port: gateway.port!, phone, terminalId: 'KB00002' })
  expect(await second.signIn(vehicle.vehicleNo)).toMatch(/^[0-9a-f]{16}$/)
  for (const one of [terminal, second]) one.close()
})

test('a batch of old positions: the track grows; the latest place and the flags stay', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.drives(spot(-1, 5_000))
  const before = await seen(vehicle.id)
  const old = [spot(-90, 0), spot(-88, 900), spot(-86, 1_900), spot(-84, 2_900)]
  expect((await terminal.catchesUp(old, true)).body[4]).toBe(0)
  expect(await seen(vehicle.id)).toMatchObject({
    lng: before.lng,
    deviceTime: before.deviceTime,
    motion: 1,
    kinds: before.kinds,
    flagged: before.flagged,
  })
  expect(await points(vehicle.id)).toHaveLength(5)
  expect((await terminal.catchesUp(old, false)).body[4]).toBe(0)
  expect(await points(vehicle.id)).toHaveLength(5)
  expect(await seen(vehicle.id)).toMatchObject({ lng: before.lng, kinds: before.kinds })
  terminal.close()
})

test('what cannot be is kept and not drawn: no fix, no place on earth, too fast, too far in a moment', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.drives(spot(-10, 0))
  await terminal.drives(spot(-9, 100, { fixed: false }))
  await terminal.drives(spot(-8, 0, { lng: 0, lat: 0 }))
  await terminal.drives(spot(-7, 200, { speed: 2_500 }))
  await terminal.drives(spot(-6, 900_000))
  await terminal.drives(spot(-5, 400))
  expect((await points(vehicle.id)).map((one: any) => one.deviceTime)).toEqual([second(-10), second(-5)])
  expect(
    (await garage.sql('select trust from fleet.position where vehicle_id = $1 order by device_time', [vehicle.id])).map((one: any) => one.trust),
  ).toEqual([1, 2, 3, 3, 3, 1])
  terminal.close()
})

test('a first fix far away loses to a few places that agree; a place that stands alone moves nobody', async () => {
  const { vehicle, terminal } = await aCar()
  const trusts = async () =>
    (await garage.sql('select trust from fleet.position where vehicle_id = $1 order by device_time', [vehicle.id])).map((one: any) => one.trust)
  await terminal.drives(spot(-30, 0, { lng: 114.05, lat: 22.54 }))
  for (const n of [0, 1, 2]) await terminal.drives(spot(-29 + n, n * 600))
  expect(await trusts()).toEqual([1, 3, 3, 3])
  await terminal.drives(spot(-26, 1_800))
  await terminal.drives(spot(-25, 2_400))
  expect(await trusts()).toEqual([3, 1, 1, 1, 1, 1])
  const { lat, dayM } = await seen(vehicle.id)
  expect(lat).toBeCloseTo(HOME.lat, 5)
  expect(dayM).toBeLessThan(2_500)
  // Known well by now: three strays in a row are strays, and whoever was carried away by a train is believed where it says it is.
  for (const n of [0, 1, 2]) await terminal.drives(spot(-24 + n, n, { lng: 121.47, lat: 31.23 }))
  await terminal.drives(spot(-21, 3_000))
  expect((await trusts()).slice(6)).toEqual([3, 3, 3, 1])
  await terminal.catchesUp(
    [0, 1, 2, 3, 4].map((n) => spot(-20 + n, n, { lng: 121.47, lat: 31.23 })),
    false,
  )
  expect((await trusts()).slice(9)).toEqual([1, 1, 1, 1, 1, 1])
  expect((await seen(vehicle.id)).lng).toBeCloseTo(121.47, 4)
  expect((await seen(vehicle.id)).dayM).toBeLessThan(4_000)
  terminal.close()
})

test('what turns a car elsewhere is its last few places, and not a stray behind them', async () => {
  const { vehicle, terminal } = await aCar()
  for (const n of [0, 1, 2, 3]) await terminal.drives(spot(-30 + n, n * 600, { lng: 114.05, lat: 22.54 }))
  const there = [0, 1, 2, 3].map((n) => spot(-20 + n, n * 600))
  await terminal.catchesUp([...there, spot(-16, 0, { lng: 121.47, lat: 31.23 }), spot(-15, 2_400)], false)
  expect((await points(vehicle.id)).slice(4).map((one: any) => one.deviceTime)).toEqual([-20, -19, -18, -17, -15].map(second))
  terminal.close()
})

test('an odometer is believed as far as a car drives: no spike, and none that stands while the car goes', async () => {
  const day = async (mileageOf: (n: number) => number | undefined) => {
    const { vehicle, terminal } = await aCar()
    await terminal.catchesUp(
      Array.from({ length: 11 }, (_, n) => spot(-11 + n, n * 600, { mileageM: mileageOf(n) as never })),
      false,
    )
    const { dayM, kinds } = await seen(vehicle.id)
    const trips = (await garage.post('/vehicleTrackInfo/queryTrips', { vehicleId: vehicle.id, timeFrom: garage.at(-600), timeTo: garage.at(0) })).data
      .records
    terminal.close()
    // On either side of midnight it is two days' way.
    const oneDay = dayOf(second(-11)) === dayOf(second(-1))
    return { dayM: oneDay ? dayM : trips[0].distanceM, trip: trips[0].distanceM, flagged: kinds.includes(1) }
  }
  const about = (metres: number) => ({ dayM: expect.closeTo(metres, -3), trip: expect.closeTo(metres, -3), flagged: true })
  expect(await day(() => undefined)).toEqual(about(6_000))
  expect(await day(() => 0)).toEqual(about(6_000))
  expect(await day((n) => (n === 4 ? 429_496_729_500 : 50_000_000 + n * 600))).toEqual(about(6_000))
  expect(await day((n) => (n === 4 || n === 6 ? 90_000_000 : 50_000_000 + n * 600))).toEqual(about(6_000))
  expect(await day((n) => (n === 5 ? 0 : 50_000_000 + n * 600))).toEqual(about(6_000))
  expect(await day((n) => 50_000_000 + Math.min(n, 5) * 600)).toEqual(about(6_000))
  // One that counts whole kilometres is counted once, and one that says more than the straight way is right.
  expect(await day((n) => Math.floor((n * 600) / 1_000) * 1_000)).toEqual(about(6_000))
  expect((await day((n) => 50_000_000 + n * 900)).dayM).toBe(9_000)
})

test('what was read when a car came back is held against the way that it went, whatever its counter does meanwhile', async () => {
  const back = async (mileageOf: (n: number) => number, drivenM = 6_000) => {
    const { vehicle, terminal } = await aCar()
    const out = await garage.out(0, 60, { vehicleId: vehicle.id })
    await garage.sql('update fleet.allocation set plan_from = $2, out_at = $2 where id = $1', [out.id, garage.at(-30)])
    await terminal.catchesUp(
      Array.from({ length: 11 }, (_, n) => spot(-11 + n, n * 600, { mileageM: mileageOf(n) })),
      false,
    )
    const { data } = await garage.step(out, AllocationState.returned, { odoIn: out.odoOut + drivenM })
    terminal.close()
    return { trackM: data.trackM, odoOff: data.odoOff }
  }
  const counts = (n: number) => 50_000_000 + n * 600
  expect(await back(counts)).toEqual({ trackM: 6_000, odoOff: false })
  expect(await back(counts, 20_000)).toEqual({ trackM: 6_000, odoOff: true })
  const about = { trackM: expect.closeTo(6_000, -2), odoOff: false }
  for (const mileageOf of [
    () => 0,
    (n: number) => (n === 4 ? 90_000_000 : counts(n)),
    (n: number) => counts(Math.min(n, 5)),
    (n: number) => Math.floor((n * 600) / 1_000) * 1_000,
  ])
    expect(await back(mileageOf)).toEqual(about)
})

test('a car that stands makes no way, however its place wavers', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.catchesUp(
    Array.from({ length: 20 }, (_, n) => spot(-20 + n, (n % 3) * 30, { speed: 0, mileageM: 7_000 })),
    false,
  )
  expect((await seen(vehicle.id)).dayM).toBe(0)
  terminal.close()
})

test('a newest place that was dated by a clock put back since holds nobody where it was', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.drives(spot(-10, 0))
  await garage.sql(
    `update fleet.terminal set device_time = now() + interval '1 day', belief = jsonb_set(belief, '{last,deviceTime}', to_jsonb(now() + interval '1 day')) where vehicle_id = $1`,
    [vehicle.id],
  )
  await terminal.drives(spot(-5, 700))
  expect(await seen(vehicle.id)).toMatchObject({ deviceTime: second(-5), lng: expect.closeTo(spot(0, 700).lng, 5) })
  terminal.close()
})

test('a clock that is no date costs no place: it is dated by when it came', async () => {
  const { vehicle, terminal } = await aCar()
  const body = positionBody(spot(0, 0))
  body.fill(0, 22, 28)
  expect((await terminal.says(0x0200, body)).body[4]).toBe(0)
  const [row] = await garage.sql('select clock_fixed, device_time = received_at as dated from fleet.position where vehicle_id = $1', [vehicle.id])
  expect(row).toEqual({ clockFixed: true, dated: true })
  expect((await terminal.says(0x0109, Buffer.alloc(0))).id).toBe(0x8109)
  terminal.close()
})

test('a clock before 2020 or far ahead is none: the position is dated by when it came', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.drives({ ...spot(0, 0), at: '2010-01-01T00:00:00.000Z' as never })
  const [row] = await garage.sql('select clock_fixed, device_time = received_at as dated from fleet.position where vehicle_id = $1', [vehicle.id])
  expect(row).toEqual({ clockFixed: true, dated: true })
  terminal.close()
})

test('driven without an allocation: flagged after half a kilometre and three minutes, gone when it stands; with one it is not', async () => {
  const { vehicle, terminal } = await aCar()
  await terminal.drives(spot(-30, 0))
  await terminal.drives(spot(-28, 600))
  expect((await seen(vehicle.id)).kinds).not.toContain(1)
  await terminal.drives(spot(-26, 1_400))
  expect((await seen(vehicle.id)).kinds).toContain(1)
  await terminal.drives(spot(-25, 1_400, { speed: 0 }))
  await terminal.drives(spot(-19, 1_400, { speed: 0 }))
  expect(await seen(vehicle.id)).toMatchObject({ kinds: [], motion: 2, dayM: expect.any(Number) })
  const given = await aCar()
  await garage.out(0, 60, { vehicleId: given.vehicle.id })
  for (const [minutes, metres] of [
    [-30, 0],
    [-28, 600],
    [-26, 1_400],
  ] as const)
    await given.terminal.drives(spot(minutes, metres))
  expect(await seen(given.vehicle.id)).toMatchObject({ kinds: [], allocationNo: expect.any(String), driverName: expect.any(String) })
  await garage.write((tx) => watchFleet(tx, garage.at(60 + 31)))
  expect((await seen(given.vehicle.id)).kinds).toEqual([2])
  await garage.write((tx) => watchFleet(tx, garage.at(60 * 25)))
  expect(await seen(given.vehicle.id)).toMatchObject({ motion: 3, kinds: [2, 5] })
  for (const one of [terminal, given.terminal]) one.close()
})

test('driven at night without an allocation: flagged at once, and not by day', async () => {
  const says = async (vehicleId: string, at: string) => {
    const one = readPosition(positionBody({ ...spot(0, 0), at: at as never }))!
    await garage.write((tx) => hearPositions(tx, vehicleId, [one], { blind: false, at: at as never }))
    return (await seen(vehicleId)).kinds
  }
  const { vehicle, terminal } = await aCar()
  expect(await says(vehicle.id, '2026-03-02T21:59:59+08:00')).toEqual([])
  expect(await says(vehicle.id, '2026-03-02T22:00:01+08:00')).toEqual([4])
  terminal.close()
})

test('garbage, half frames and a broken check cost nobody their place', async () => {
  const { vehicle, phone, terminal } = await aCar()
  const frame = writeFrame({ id: 0x0200, phone, is2019: false, serial: 99, body: positionBody(spot(-3, 0)) })
  const broken = Buffer.from(frame)
  broken[20]! ^= 0x55
  terminal.raw(Buffer.concat([randomBytes(3_000), Buffer.from([0x7e]), broken, frame.subarray(0, 10)]))
  terminal.raw(frame.subarray(10))
  terminal.raw(frame)
  expect((await terminal.drives(spot(-2, 50))).body[4]).toBe(0)
  expect((await points(vehicle.id)).length).toBeGreaterThanOrEqual(1)
  terminal.close()
  const rude = await simulateTerminal({ port: gateway.port!, phone: '13999990000' })
  for (let tries = 0; tries < 6; tries++) void rude.says(0x0200, positionBody(spot(0, 0))).catch(() => {})
  await rude.closed
})

test('a track is thinned where it is long, keeps what happened, and tells its trips', async () => {
  const { vehicle, terminal } = await aCar()
  await garage.sql(
    `insert into fleet.position (vehicle_id, device_time, received_at, lng, lat, speed, heading, alt, acc, mileage_m, alarm_bits, status_bits, blind, clock_fixed, trust)
     select $1, $2::timestamptz + n * interval '1 second', $2::timestamptz, 112.1 + n * 0.00001, 32.0, case when n between 9000 and 9600 then 0 else 300 end, 90, 60, n <> 9300, n, case when n = 7777 then 2 else 0 end, 3, false, false, 1 from generate_series(1, 20000) n`,
    [vehicle.id, garage.at(-500)],
  )
  const asked = { vehicleId: vehicle.id, timeFrom: garage.at(-600), timeTo: garage.at(0) }
  const { data } = await garage.post('/vehicleTrackInfo/queryVehicleTrackInfo', { ...asked, limit: 500 })
  expect(data.total).toBeGreaterThan(3_900)
  expect(data.total).toBeLessThanOrEqual(5_000)
  const events: number[] = []
  for (let current = 1; current <= 10; current++) {
    const { records } = (await garage.post('/vehicleTrackInfo/queryVehicleTrackInfo', { ...asked, limit: 500, current })).data
    events.push(...records.map((one: any) => one.event).filter((one: unknown) => one !== null))
  }
  expect(events).toEqual([3, 2, 1])
  const trips = (await garage.post('/vehicleTrackInfo/queryTrips', asked)).data
  expect(trips.records).toHaveLength(2)
  expect(trips.records[0]).toMatchObject({ stoodMin: 10, topSpeed: 300 })
  const file = await garage.server.ask(garage.admin, 'GET', '/lbs/business/vehicleTrackInfo/exportVehicleTrackInfoExport', {
    ...asked,
    timeTo: garage.at(-490),
    format: 'csv',
  })
  expect(file.status).toBe(200)
  terminal.close()
})

test('one vehicle, one month at most', async () => {
  const { vehicle, terminal } = await aCar()
  const asks = (input: object) => garage.post('/vehicleTrackInfo/queryVehicleTrackInfo', input)
  expect((await asks({ timeFrom: garage.at(-1), timeTo: garage.at(0) })).code).toBe(42330)
  expect((await asks({ vehicleNo: '鄂F', timeFrom: garage.at(-1), timeTo: garage.at(0) })).code).toBe(42330)
  expect((await asks({ vehicleId: vehicle.id, timeFrom: garage.at(-32 * 1_440), timeTo: garage.at(0) })).code).toBe(42331)
  expect((await asks({ vehicleNo: vehicle.vehicleNo, timeFrom: garage.at(-1), timeTo: garage.at(0) })).status).toBe(200)
  terminal.close()
})
