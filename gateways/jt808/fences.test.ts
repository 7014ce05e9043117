import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGarage, type Garage } from '../../domains/fleet/server/testing.ts'
import { aPark } from '../../domains/parking/server/testing.ts'
import { watchFleet } from '../../domains/fleet/server/flags.ts'
import { run } from '../../platform/server/database.ts'
import { jt808Gateway } from './gateway.ts'
import { simulateTerminal, type SimulatedTerminal, type Spot } from './simulator.ts'

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
const METRE = 1 / 94_300
const second = (minutes: number) => garage.at(minutes).replace(/\d{3}Z$/, '000Z') as never
/** Metres to the east of home. */
const spot = (minutes: number, metres: number): Spot => ({
  at: second(minutes),
  lng: HOME.lng + metres * METRE,
  lat: HOME.lat,
  speed: 360,
  heading: 90,
})
async function aCar(more: object = {}): Promise<{ vehicle: any; terminal: SimulatedTerminal }> {
  const phone = `1370000${String(1_000 + ++numbers)}`
  const vehicle = await garage.aVehicle({ deviceNo: phone, ...more })
  const terminal = await simulateTerminal({ port: gateway.port!, phone })
  expect(await terminal.signIn(vehicle.vehicleNo)).toMatch(/^[0-9a-f]{16}$/)
  return { vehicle, terminal }
}
const CIRCLE = { ring: [HOME], radiusM: 300 }
/** Drawn an hour ago, for one vehicle. */
async function aFence(vehicleId: string, more: object = {}): Promise<any> {
  const made = await garage.post('/vehicleFence/add', { name: `围栏${++numbers}`, kind: 3, area: CIRCLE, vehicleIds: [vehicleId], ...more })
  expect(made).toMatchObject({ status: 200 })
  await garage.sql(`update fleet.fence set drawn_at = now() - interval '10 hours' where id = $1`, [made.data.id])
  return made.data
}
const events = async (more: object) =>
  (await garage.post('/vehicleFence/events', { ...more, isAsc: true })).data.records.map((one: any) => [one.kind, one.at, one.live])
const kinds = async (id: string) => (await garage.post('/vehicleSupervise/queryVehicleSupervise', { id })).data.records[0].kinds
const drive = async (terminal: SimulatedTerminal, ...way: (readonly [minutes: number, metres: number])[]) => {
  for (const [minutes, metres] of way) expect((await terminal.drives(spot(minutes, metres))).body[4]).toBe(0)
}

test('coming in and going out are kept, with when the first of two places was beyond the edge; the flag lasts as long as it is in', async () => {
  const { vehicle, terminal } = await aCar()
  const fence = await aFence(vehicle.id)
  await drive(terminal, [-9, 2_000], [-8, 1_000], [-7, 200])
  expect(await events({ fenceId: fence.id })).toEqual([])
  await drive(terminal, [-6, 0])
  expect(await events({ fenceId: fence.id })).toEqual([[1, second(-7), true]])
  expect(await kinds(vehicle.id)).toContain(6)
  expect((await garage.post('/vehicleFence/query', { id: fence.id })).data.records).toMatchObject([{ inside: 1 }])
  // In the strip around it and back, and outside once: it has not left.
  await drive(terminal, [-5, 320], [-4.8, 340], [-4.6, 500], [-4.4, 100])
  expect(await kinds(vehicle.id)).toContain(6)
  await drive(terminal, [-3, 700], [-2, 1_500])
  expect(await events({ fenceId: fence.id })).toEqual([
    [1, second(-7), true],
    [2, second(-3), true],
  ])
  expect(await kinds(vehicle.id)).not.toContain(6)
  terminal.close()
})

test('a batch of old positions makes the crossings of its time and alarms nobody; told again it makes them once', async () => {
  const { vehicle, terminal } = await aCar()
  const fence = await aFence(vehicle.id)
  await drive(terminal, [-8, 3_000], [-1, 3_000], [-0.8, 3_000])
  const old = [spot(-7, 1_000), spot(-6, 200), spot(-5, 0), spot(-4, 100), spot(-3, 800), spot(-2, 2_000)]
  for (const blind of [true, true, false]) {
    await terminal.catchesUp(old, blind)
    expect(await events({ fenceId: fence.id })).toEqual([
      [1, second(-6), false],
      [2, second(-3), false],
    ])
  }
  expect(await kinds(vehicle.id)).not.toContain(6)
  expect(await garage.sql('select from fleet.flag where vehicle_id = $1 and kind = 6', [vehicle.id])).toEqual([])
  terminal.close()
})

test('what was missing from a track puts its crossings right: it came in earlier than was seen', async () => {
  const { vehicle, terminal } = await aCar()
  const fence = await aFence(vehicle.id)
  await drive(terminal, [-9, 3_000], [-8.8, 3_000], [-4, 100], [-3, 100])
  expect(await events({ fenceId: fence.id })).toEqual([[1, second(-4), true]])
  await terminal.catchesUp([spot(-8, 1_500), spot(-7, 200), spot(-6, 100)], true)
  expect(await events({ fenceId: fence.id })).toEqual([[1, second(-7), false]])
  expect(await kinds(vehicle.id)).toContain(6)
  terminal.close()
})

test('newest of all but told from a blind spot: kept, no alarm; the next live place alarms', async () => {
  const { vehicle, terminal } = await aCar()
  const fence = await aFence(vehicle.id)
  await drive(terminal, [-9, 3_000], [-8.8, 3_000])
  await terminal.catchesUp([spot(-5, 100), spot(-4, 0)], true)
  expect(await events({ fenceId: fence.id })).toEqual([[1, second(-5), false]])
  await garage.write((tx) => watchFleet(tx, garage.at(0)))
  expect(await kinds(vehicle.id)).not.toContain(6)
  await drive(terminal, [-1, 0])
  expect(await kinds(vehicle.id)).toContain(6)
  expect(await events({ fenceId: fence.id })).toEqual([[1, second(-5), false]])
  terminal.close()
})

test('one that must stay inside is flagged while it is out; departments, hours and a fence out of use are heeded', async () => {
  const { vehicle, terminal } = await aCar({ dept: '清障队' })
  const stay = await aFence(vehicle.id, { kind: 2, vehicleIds: [], depts: ['清障队'] })
  const other = await aFence(vehicle.id, { vehicleIds: [], depts: ['综合办公室'] })
  const clock = (minutes: number) => new Date(Date.parse(garage.at(minutes)) + 8 * 3_600_000).toISOString().slice(11, 16)
  const later = await aFence(vehicle.id, { timeFrom: clock(60), timeTo: clock(120) })
  await drive(terminal, [-9, 0], [-8, 0])
  expect(await events({ vehicleId: vehicle.id })).toEqual([])
  expect(await kinds(vehicle.id)).not.toContain(6)
  await drive(terminal, [-7, 900], [-6, 1_800])
  expect(await events({ vehicleId: vehicle.id })).toEqual([[2, second(-7), true]])
  expect(await kinds(vehicle.id)).toContain(7)
  expect(await events({ fenceId: other.id })).toEqual([])
  await drive(terminal, [-2, 0], [-1, 0])
  expect(await kinds(vehicle.id)).not.toContain(7)
  // Its hours begin while the car is in it.
  await garage.write((tx) => watchFleet(tx, garage.at(4)))
  expect(await kinds(vehicle.id)).not.toContain(6)
  await garage.sql(`update fleet.fence set time_to = time_from where id = $1`, [later.id])
  await garage.write((tx) => watchFleet(tx, garage.at(4)))
  expect(await kinds(vehicle.id)).toContain(6)
  const [{ version }] = await garage.sql('select version from fleet.fence where id = $1', [later.id])
  expect((await garage.post('/vehicleFence/update', { id: later.id, version, status: 2 })).status).toBe(200)
  expect(await kinds(vehicle.id)).not.toContain(6)
  expect((await garage.post('/vehicleFence/delete', { id: stay.id, version: stay.version })).code).toBe(42342)
  terminal.close()
})

test('who was in an area is told by the tracks, fence or not, and by the same rule', async () => {
  const first = await aCar()
  const second_ = await aCar()
  const at = (minutes: number) => minutes - 3_000
  const along = (...way: (readonly [number, number])[]) => way.map(([minutes, metres]) => spot(at(minutes), metres))
  await first.terminal.catchesUp(
    along([0, 2_000], [1, 100], [2, 0], [3, 320], [4, 100], [5, 600], [6, 100], [7, 900], [8, 1_500], [20, 100], [21, 0]),
    false,
  )
  await second_.terminal.catchesUp(along([0, 2_000], [1, 1_000], [2, 100], [3, 1_000], [4, 2_000]), false)
  const asks = (more: object = {}) =>
    garage.post('/vehicleFence/wasThere', { area: CIRCLE, timeFrom: garage.at(at(-5)), timeTo: garage.at(at(30)), ...more })
  const of = async (more?: object) =>
    (await asks(more)).data.filter(({ vehicleId }: any) => vehicleId === first.vehicle.id || vehicleId === second_.vehicle.id)
  expect(await of()).toEqual([
    expect.objectContaining({ vehicleNo: first.vehicle.vehicleNo, entered: second(at(1)), left: second(at(7)) }),
    expect.objectContaining({ vehicleNo: first.vehicle.vehicleNo, entered: second(at(20)), left: null }),
  ])
  const [e, n] = [200 * METRE, 200 / 111_195]
  const square = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => ({ lng: HOME.lng + x! * e, lat: HOME.lat + y! * n }))
  expect((await of({ area: { ring: square } })).map((one: any) => [one.entered, one.left])).toEqual([
    [second(at(1)), second(at(7))],
    [second(at(20)), null],
  ])
  // To its east, with a corner between: a polygon is its sides and not what it spans.
  const beside = [
    [2, -1],
    [4, -1],
    [4, 1],
  ].map(([x, y]) => ({ lng: HOME.lng + x! * e, lat: HOME.lat + y! * n }))
  expect(await of({ area: { ring: beside } })).toEqual([])
  for (const one of [first, second_]) one.terminal.close()
})

test('who was in an area is told with the section that runs nearest to where they came in, as far as one is drawn there', async () => {
  const { vehicle, terminal } = await aCar()
  const minutes = (n: number) => n - 6_000
  await terminal.catchesUp(
    [
      [0, 2_000],
      [1, 100],
      [2, 0],
      [3, 900],
      [4, 2_000],
    ].map(([at, metres]) => spot(minutes(at!), metres!)),
    false,
  )
  const came = async () => {
    const asked = { area: CIRCLE, timeFrom: garage.at(minutes(-5)), timeTo: garage.at(minutes(30)) }
    const { data } = await garage.post('/vehicleFence/wasThere', asked)
    return data.filter(({ vehicleId }: any) => vehicleId === vehicle.id).map(({ sectionName, sectionM }: any) => [sectionName, sectionM])
  }
  expect(await came()).toEqual([[null, null]])
  await garage.write((tx) => aPark(tx, { parkCode: 'F001' }))
  const north = (metres: number) => HOME.lat + metres / 111_195
  const drawn = (code: string, name: string, line: number[][], deleted = false) =>
    garage.sql(
      `insert into roadside.section (park_code, section_code, name, side, level, toll_mode, line, deleted) values ('F001', $1, $2, 1, 1, 1, $3::jsonb, $4)`,
      [code, name, JSON.stringify(line), deleted],
    )
  const along = (metres: number) => [
    [HOME.lng - 1_000 * METRE, north(metres)],
    [HOME.lng + 1_000 * METRE, north(metres)],
  ]
  await drawn('S1', '无走向路', [])
  await drawn('S2', '太远路', along(-320))
  expect(await came()).toEqual([[null, null]])
  // Between the ends of its line, which are farther off than those of no other.
  await drawn('S3', '人民路', along(60))
  await drawn('S4', '檀溪路', along(-200))
  await drawn('S5', '已撤路', along(10), true)
  await drawn('S6', '一点路', [[HOME.lng + 100 * METRE, north(90)]])
  expect(await came()).toEqual([['人民路', 60]])
  terminal.close()
})

test('what is no area, too wide, too long, of others or there already is refused', async () => {
  const { vehicle, terminal } = await aCar()
  const add = async (more: object) => (await garage.post('/vehicleFence/add', { name: `围栏${++numbers}`, kind: 1, area: CIRCLE, ...more })).code
  const at = (x: number, y: number) => ({ lng: HOME.lng + x, lat: HOME.lat + y })
  expect(await add({ area: { ring: [HOME] } })).toBe(42344)
  expect(await add({ area: { ring: [HOME, at(0.01, 0)], radiusM: 300 } })).toBe(42344)
  expect(await add({ area: { ring: [at(0, 0), at(0.01, 0.01), at(0.01, 0), at(0, 0.01)] } })).toBe(42345)
  expect(await add({ area: { ring: [at(0, 0), at(0.5, 0), at(0.5, 0.5)] } })).toBe(42346)
  expect(await add({ area: { ring: [at(0, 0), at(0.01, 0), at(0.01, 0.01), at(0, 0.01)] } })).toBe(200)
  expect(await add({ vehicleIds: ['00000000-0000-7000-8000-000000000000'] })).toBe(42341)
  const fence = await aFence(vehicle.id)
  expect(await add({ name: fence.name })).toBe(42340)
  const stale = { id: fence.id, version: fence.version, remark: '试' }
  const both = await Promise.all([garage.post('/vehicleFence/update', stale), garage.post('/vehicleFence/update', stale, garage.deputy)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await garage.post('/vehicleFence/wasThere', { area: CIRCLE, timeFrom: garage.at(-46_000), timeTo: garage.at(0) })).code).toBe(42347)
  terminal.close()
})

test('a fence that is moved begins anew, and waits for the position that is just being looked at', async () => {
  const { vehicle, terminal } = await aCar()
  const fence = await aFence(vehicle.id)
  await drive(terminal, [-9, 3_000], [-8, 3_000], [-7, 0], [-6, 0])
  expect(await kinds(vehicle.id)).toContain(6)
  const elsewhere = { ring: [{ lng: HOME.lng + 0.05, lat: HOME.lat }], radiusM: 300 }
  const [{ version }] = await garage.sql('select version from fleet.fence where id = $1', [fence.id])
  let moving: Promise<any> | undefined
  await garage.write(async (tx) => {
    await run(tx, { sql: 'select 1 from fleet.terminal where vehicle_id = $1 for update' }, [vehicle.id])
    moving = garage.post('/vehicleFence/update', { id: fence.id, version, area: elsewhere })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await run(tx, { sql: 'insert into fleet.fence_state (fence_id, vehicle_id, inside) values ($1, $2, true) on conflict do nothing' }, [
      fence.id,
      vehicle.id,
    ])
  })
  expect(await moving).toMatchObject({ status: 200, data: { area: elsewhere } })
  expect(await kinds(vehicle.id)).not.toContain(6)
  expect(await garage.sql('select from fleet.fence_state where fence_id = $1', [fence.id])).toEqual([])
  await drive(terminal, [-5, 0], [-4, 0])
  expect(await kinds(vehicle.id)).not.toContain(6)
  terminal.close()
})
