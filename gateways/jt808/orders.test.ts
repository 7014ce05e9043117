import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetFleet, watchFleet } from '../../domains/fleet/server/flags.ts'
import { aGarage, type Garage } from '../../domains/fleet/server/testing.ts'
import { writeFrame } from './frames.ts'
import { jt808Gateway } from './gateway.ts'
import { simulateTerminal, type SimulatedTerminal, type Spot } from './simulator.ts'

let garage: Garage
let gateway: Awaited<ReturnType<typeof jt808Gateway>>
let photo: Buffer
// Without the clock of the jobs: time is moved by the test.
beforeAll(async () => {
  garage = await aGarage()
  gateway = await jt808Gateway(garage.server.house, 0)
  photo = await sharp(randomBytes(320 * 240 * 3), { raw: { width: 320, height: 240, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
})
afterAll(async () => {
  await gateway.stop()
  await garage.close()
})

let numbers = 0
const spot = (minutes = 0): Spot => ({ at: garage.at(minutes).replace(/\d{3}Z$/, '000Z') as never, lng: 112.14, lat: 32.04, speed: 0, heading: 0 })
async function aCar({ is2019 = false } = {}): Promise<{ vehicle: any; phone: string; signIn(): Promise<SimulatedTerminal> }> {
  const phone = `1380000${String(1_000 + ++numbers)}`
  const vehicle = await garage.aVehicle({ deviceNo: phone })
  const signIn = async () => {
    const terminal = await simulateTerminal({ port: gateway.port!, phone, is2019 })
    expect(await terminal.signIn(vehicle.vehicleNo)).toMatch(/^[0-9a-f]{16}$/)
    return terminal
  }
  return { vehicle, phone, signIn }
}
const text = (vehicleId: string, said: string, more: object = {}) => garage.post('/vehicleTerminal/text', { vehicleId, text: said, ...more })
const shoot = (vehicleId: string, channel = 1) => garage.post('/vehiclePicture/shoot', { vehicleId, channel })
const orders = async (vehicleId: string) => (await garage.post('/vehicleTerminal/query', { vehicleId })).data.records
const pictures = async (vehicleId: string) => (await garage.post('/vehiclePicture/queryVehiclePicture', { vehicleId })).data.records
const late = (seconds: number) => garage.write((tx) => watchFleet(tx, new Date(Date.now() + seconds * 1_000).toISOString() as never))

test('a text is queued, sent, and done by the word of the terminal, in either version, in Chinese', async () => {
  for (const is2019 of [false, true]) {
    const { vehicle, signIn } = await aCar({ is2019 })
    const terminal = await signIn()
    const made = await text(vehicle.id, '请到长虹路 18 号清障，收到回复', { urgent: true, spoken: false })
    expect(made).toMatchObject({ status: 200, data: { state: 0, act: 1, vehicleNo: vehicle.vehicleNo } })
    await expect.poll(() => orders(vehicle.id)).toMatchObject([{ state: 3, failure: null, sentAt: expect.any(String), ackedAt: expect.any(String) }])
    expect(terminal.told).toMatchObject([{ id: 0x8300, text: '请到长虹路 18 号清障，收到回复' }])
    expect([...terminal.told[0]!.body.subarray(0, is2019 ? 2 : 1)]).toEqual(is2019 ? [5, 1] : [5])
    terminal.close()
  }
})

test('what waits is told when the terminal comes; what it says no to has failed, and why is said', async () => {
  const { vehicle, signIn } = await aCar()
  await text(vehicle.id, '请回场')
  expect(await orders(vehicle.id)).toMatchObject([{ state: 0, sentAt: null }])
  expect((await text(vehicle.id, '再发一次')).code).toBe(42351)
  const terminal = await signIn()
  await expect.poll(() => orders(vehicle.id)).toMatchObject([{ state: 3 }])
  terminal.manners.result = 3
  const made = await garage.post('/vehicleTerminal/track', { vehicleId: vehicle.id })
  expect(made).toMatchObject({ data: { everyS: 5, forS: 600 } })
  await expect.poll(async () => (await orders(vehicle.id))[0]).toMatchObject({ act: 3, state: 4, failure: 3 })
  expect(terminal.told.at(-1)).toMatchObject({ id: 0x8202, body: Buffer.from([0, 5, 0, 0, 2, 88]) })
  terminal.close()
})

test('nobody at the other end, no answer, no picture: each is too late in its own words, and a late word changes nothing', async () => {
  const { vehicle, signIn } = await aCar()
  await shoot(vehicle.id)
  await late(61)
  expect(await orders(vehicle.id)).toMatchObject([{ state: 5, failure: 4 }])
  const terminal = await signIn()
  expect(terminal.told).toEqual([])
  terminal.manners.deaf = true
  await text(vehicle.id, '请回场')
  await expect.poll(async () => (await orders(vehicle.id))[0]).toMatchObject({ state: 1 })
  await late(31)
  expect((await orders(vehicle.id))[0]).toMatchObject({ state: 5, failure: 5 })
  Object.assign(terminal.manners, { deaf: false, blind: true })
  await shoot(vehicle.id)
  await expect.poll(async () => (await orders(vehicle.id))[0]).toMatchObject({ state: 2 })
  await late(60)
  expect((await orders(vehicle.id))[0]).toMatchObject({ state: 2 })
  await late(181)
  expect((await orders(vehicle.id))[0]).toMatchObject({ state: 5, failure: 6 })
  terminal.close()
})

test('a picture that was ordered comes in many parts, is shown with its place, and ends its order; told again it is the same one', async () => {
  const { vehicle, signIn } = await aCar()
  const terminal = await signIn()
  await terminal.drives(spot(-1))
  terminal.manners.picture = photo
  expect(photo.length).toBeGreaterThan(10_000)
  await shoot(vehicle.id)
  await expect.poll(() => orders(vehicle.id), { timeout: 10_000 }).toMatchObject([{ state: 3, act: 2, channel: 1 }])
  const [taken, ...more] = await pictures(vehicle.id)
  expect(more).toEqual([])
  expect(taken).toMatchObject({ source: 1, channel: 1, lng: 112.14, lat: 32.04, vehicleNo: vehicle.vehicleNo })
  const shown = await garage.server.ask(garage.admin, 'GET', taken.image)
  expect(shown.status).toBe(200)
  await terminal.sendsPicture(1, 0, photo, spot(-1))
  await terminal.sendsPicture(7, 1, photo, spot(-0.5))
  await terminal.sendsPicture(8, 2, photo, spot(0))
  expect((await pictures(vehicle.id)).map((one: any) => one.source)).toEqual([3, 2, 1])
  terminal.close()
})

test('pictures of terminals and of patrol cars are one list and one count; whoever may not see illegal stops sees no picture of them', async () => {
  const { vehicle, phone, signIn } = await aCar()
  const terminal = await signIn()
  await terminal.sendsPicture(1, 1, photo, spot(-1))
  await garage.sql(
    `insert into parking.park (park_code, name, p_type, region_code, total_bays) values ('P001', '北街', 2, '420607', 10) on conflict do nothing`,
  )
  await garage.sql(
    `insert into roadside.illegal_stop (park_code, illegal_no, type, source, plate_no, place, device_no, first_at, last_at, images, count, hold_min, filed_by)
      values ('P001', 'WT-1', 1, 3, '鄂A99887', '北街 8 号', $1, now(), now(), jsonb_build_array(jsonb_build_object('image', '/lbs/basic/sysFile/download?fileName=a.jpg', 'at', $2::text, 'showsPlate', true, 'showsPlace', true)), 1, 5, '{}')`,
    [phone, garage.at(0)],
  )
  expect(await pictures(vehicle.id)).toMatchObject([
    { source: 4, vehicleNo: vehicle.vehicleNo, plateNo: '鄂A99887', illegalNo: 'WT-1', place: '北街 8 号', channel: null },
    { source: 2, vehicleNo: vehicle.vehicleNo, plateNo: null, channel: 1 },
  ])
  const counted = async (token?: string) => (await garage.post('/vehiclePicture/queryVehiclePictureCount', {}, token)).data
  const all = await counted()
  expect(all.bySource.at(-1)).toEqual({ source: 4, count: 1 })
  expect(all.bySource.reduce((sum: number, one: any) => sum + one.count, 0)).toBe(all.total)
  expect(all.today).toBe(all.total)
  await garage.sql(
    `with r as (insert into identity.role (name) values ('车队值班') returning id), d as (insert into identity.role_resource (role_id, resource_id) select r.id, s.id from r, identity.resource s where s.url = '/car/gis')
      insert into identity.person_role (person_id, role_id) select p.id, r.id from r, identity.person p where p.username = 'operator'`,
  )
  await garage.sql(
    `delete from identity.person_role where person_id = (select id from identity.person where username = 'operator') and role_id <> (select id from identity.role where name = '车队值班')`,
  )
  const guard = await garage.server.signIn('operator')
  expect(await counted(guard)).toEqual({ ...all, total: all.total - 1, today: all.today - 1, bySource: all.bySource.slice(0, -1) })
  const seen = (await garage.post('/vehiclePicture/queryVehiclePicture', { vehicleId: vehicle.id }, guard)).data.records
  expect(seen.map((one: any) => one.source)).toEqual([2])
  expect((await garage.post('/vehiclePicture/queryVehiclePicture', { source: [4] }, guard)).data.records).toEqual([])
  terminal.close()
})

test('after 180 days a picture is forgotten with its file, and no other', async () => {
  const { vehicle, signIn } = await aCar()
  const terminal = await signIn()
  await terminal.sendsPicture(1, 1, photo, spot(-2))
  await terminal.sendsPicture(2, 1, photo, spot(-1))
  const [young, old] = await pictures(vehicle.id)
  await garage.sql(`update fleet.picture set at = now() - interval '181 days' where id::text = $1`, [old.id])
  await garage.write((tx) => forgetFleet(tx, garage.at(0)))
  expect((await pictures(vehicle.id)).map((one: any) => one.id)).toEqual([young.id])
  expect((await garage.server.ask(garage.admin, 'GET', old.image)).status).toBe(404)
  expect((await garage.server.ask(garage.admin, 'GET', young.image)).status).toBe(200)
  terminal.close()
})

test('a word that comes too late changes nothing, neither yes nor no', async () => {
  for (const result of [0, 1]) {
    const { vehicle, phone, signIn } = await aCar()
    const terminal = await signIn()
    terminal.manners.deaf = true
    await text(vehicle.id, '请回场')
    await expect.poll(() => terminal.told.length).toBe(1)
    await late(31)
    const over = await orders(vehicle.id)
    expect(over).toMatchObject([{ state: 5, failure: 5, ackedAt: null }])
    const body = Buffer.from([0, 0, 0x83, 0, result])
    body.writeUInt16BE(terminal.told[0]!.serial, 0)
    terminal.raw(writeFrame({ id: 0x0001, phone, is2019: false, serial: 900, body }))
    await terminal.says(0x0002, Buffer.alloc(0))
    expect(await orders(vehicle.id)).toEqual(over)
    terminal.close()
  }
})

test('an order ends with a picture of its own camera that was ordered, and with no other; none is of a time to come', async () => {
  const { vehicle, signIn } = await aCar()
  const terminal = await signIn()
  terminal.manners.blind = true
  await shoot(vehicle.id, 2)
  await expect.poll(() => orders(vehicle.id)).toMatchObject([{ state: 2, channel: 2 }])
  await terminal.sendsPicture(1, 0, photo, spot(0))
  expect(await orders(vehicle.id)).toMatchObject([{ state: 2 }])
  await late(200)
  await shoot(vehicle.id, 1)
  await expect.poll(async () => (await orders(vehicle.id))[0]).toMatchObject({ state: 2, channel: 1 })
  await terminal.sendsPicture(2, 1, photo, spot(60))
  expect((await orders(vehicle.id)).map(({ state, failure }: any) => [state, failure])).toEqual([
    [2, null],
    [5, 6],
  ])
  const [newest] = await pictures(vehicle.id)
  expect(Date.parse(newest.at)).toBeLessThanOrEqual(Date.now() + 1_000)
  terminal.close()
})

test('what is over by the clock stands in nobody’s way, though nothing has ended it yet', async () => {
  const { vehicle } = await aCar()
  await text(vehicle.id, '请回场')
  await garage.sql(`update fleet.terminal_command set expires_at = now() - interval '1 second' where vehicle_id = $1`, [vehicle.id])
  expect((await text(vehicle.id, '再发一次')).status).toBe(200)
  expect((await orders(vehicle.id)).map(({ state }: any) => state)).toEqual([0, 5])
})

test('who waited too long is not told any more; of two lines the newer one is told, also when the older one closes', async () => {
  const { vehicle, signIn } = await aCar()
  await text(vehicle.id, '旧消息')
  await garage.sql(`update fleet.terminal_command set expires_at = now() - interval '1 second' where vehicle_id = $1`, [vehicle.id])
  const older = await signIn()
  const newer = await signIn()
  expect([older.told, newer.told]).toEqual([[], []])
  await text(vehicle.id, '第一条')
  await expect.poll(() => newer.told.length).toBe(1)
  await expect.poll(async () => (await orders(vehicle.id))[0]).toMatchObject({ state: 3 })
  older.close()
  await older.closed
  await newer.says(0x0002, Buffer.alloc(0))
  await text(vehicle.id, '第二条')
  await expect.poll(() => newer.told.length).toBe(2)
  expect(older.told).toEqual([])
  newer.close()
})

test('a camera that is not there has failed; what is no picture is none; strangers’ parts are not kept', async () => {
  const { vehicle, phone, signIn } = await aCar()
  const stranger = await simulateTerminal({ port: gateway.port!, phone })
  const terminal = await signIn()
  await shoot(vehicle.id)
  await expect.poll(() => orders(vehicle.id)).toMatchObject([{ state: 4, failure: 3 }])
  const head = Buffer.alloc(8 + 28 + 100)
  expect((await terminal.says(0x0801, head)).body[4]).toBe(2)
  void stranger.sendsPicture(3, 0, photo, spot())
  await stranger.closed
  expect(await pictures(vehicle.id)).toEqual([])
  terminal.close()
})

test('two at once are one; a car without a terminal, signs that no terminal shows, and whoever may not are refused', async () => {
  const { vehicle, signIn } = await aCar()
  const both = await Promise.all([text(vehicle.id, '请回场'), text(vehicle.id, '请回场')])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const bare = await garage.aVehicle()
  expect((await text(bare.id, '请回场')).code).toBe(42349)
  expect((await text(vehicle.id, '好的👍')).code).toBe(42350)
  const other = await garage.server.signIn('otheradmin')
  expect((await garage.post('/vehicleTerminal/text', { vehicleId: vehicle.id, text: '请回场' }, other)).status).toBe(404)
  expect((await garage.post('/vehicleTerminal/query', { vehicleId: vehicle.id }, other)).data.records).toEqual([])
  // Its number is taken off the car: what waits is not told to whoever still has the code.
  const terminal = await signIn()
  await expect.poll(() => orders(vehicle.id)).toMatchObject([{ state: 3 }])
  await text(vehicle.id, '第二条')
  await expect.poll(() => terminal.told.length).toBe(2)
  const [{ version }] = await garage.sql('select version from fleet.vehicle where id = $1', [vehicle.id])
  await garage.post('/vehicleManage/updateVehicleManage', { id: vehicle.id, version, deviceNo: null })
  await garage.sql(
    'insert into fleet.terminal_command (vehicle_id, act, text, by_name, created_at, expires_at) values ($1, 1, $2, $3, now(), now() + interval $$1 hour$$)',
    [vehicle.id, '不该到', '测试'],
  )
  await garage.server.house.writing(1, 'test', async (tx) =>
    (await import('../../platform/server/realtime.ts')).signal(tx, 'fleet.terminal', vehicle.id),
  )
  await terminal.says(0x0002, Buffer.alloc(0))
  expect(terminal.told).toHaveLength(2)
  terminal.close()
})

test('a part that is lost on the way is asked for: each picture is its own, whole', async () => {
  for (const is2019 of [false, true]) {
    const { vehicle, signIn } = await aCar({ is2019 })
    const terminal = await signIn()
    terminal.manners.loses = [2]
    const other = await sharp(randomBytes(320 * 240 * 3), { raw: { width: 320, height: 240, channels: 3 } })
      .jpeg({ quality: 60 })
      .toBuffer()
    await Promise.all([terminal.sendsPicture(21, 1, photo, spot(-2)), terminal.sendsPicture(22, 1, other, spot(-1))])
    const kept = await pictures(vehicle.id)
    expect(kept).toHaveLength(2)
    terminal.manners.loses = [1]
    await terminal.sendsPicture(23, 1, photo, spot(0))
    expect(await pictures(vehicle.id)).toHaveLength(3)
    terminal.close()
  }
})
