import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { allowOutside } from '../../../platform/server/outside.ts'
import { scrap } from '../../device/server/api.ts'
import { arrives } from './arriving.ts'
import { holdPlace } from './binding.ts'
import { placeOf } from './place.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
let camera: Server
let stream: string
beforeAll(async () => {
  street = await aStreet()
  camera = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=f' })
    reply.write('--f\r\n')
    reply.end('a frame')
  })
  await new Promise<void>((done) => camera.listen(0, '127.0.0.1', done))
  const { port } = camera.address() as AddressInfo
  allowOutside([`127.0.0.1:${port}`])
  stream = `http://127.0.0.1:${port}/live`
})
afterAll(async () => {
  camera.close()
  await street.close()
})
const aCamera = async (field: Field) => {
  const sn = await field.camera(...field.berths)
  await field.reports(sn, { streamUrl: stream })
  return sn
}
const online = (sn: string) => street.write((tx) => run(tx, { sql: 'update device.presence set online = true where device_no = $1' }, [sn]))
const look = (url: string, token: string) => fetch(`${street.server.url}${url}`, { headers: { authorization: `Bearer ${token}` } })

describe('a live picture', () => {
  test('one ticket, one connection, of the session that asked; never the address of the camera', async () => {
    const field = await street.field()
    const sn = await aCamera(field)
    const { data } = await street.get('/device/device/highPole/play', { deviceNo: sn })
    expect(data).toMatchObject({ protocol: 'http' })
    expect(data.url).not.toContain('127.0.0.1')
    expect((await street.get('/device/device/highPole/play', { deviceNo: sn })).data.url).toBe(data.url)
    const [admin, other] = [await street.server.signIn('admin'), await street.server.signIn('admin')]
    const { data: mine } = await street.server.ask(admin, 'POST', '/lbs/device/device/highPole/play', { deviceNo: sn })
    expect((await look(mine.url, other)).status).toBe(403)
    const shown = await look(mine.url, admin)
    expect(await shown.text()).toContain('a frame')
    expect((await look(mine.url, admin)).status).toBe(403)
    const played = await street.write((tx) =>
      run<any>(tx, { sql: 'select * from roadside.play where device_no = $1 and begun_at is not null' }, [sn]),
    )
    expect(played).toMatchObject([{ personName: expect.any(String) }])
  })
  test('a ticket of a minute ago is none any more', async () => {
    const field = await street.field()
    const sn = await aCamera(field)
    const token = await street.server.signIn('admin')
    const { data } = await street.server.ask(token, 'POST', '/lbs/device/device/highPole/play', { deviceNo: sn })
    await street.write((tx) => run(tx, { sql: `update roadside.play set expires_at = now() - interval '1 second' where device_no = $1` }, [sn]))
    expect((await look(data.url, token)).status).toBe(403)
  })
  test('what is no camera, or has told no stream, has no picture', async () => {
    const field = await street.field()
    for (const sn of [await field.device(4), await field.device(5)])
      expect(await street.get('/device/device/highPole/play', { deviceNo: sn })).toMatchObject({ status: 422, code: 41130 })
  })
})

describe('cameras on poles', () => {
  test('are judged: away, off the clock, without a picture, blind to a berth, fine', async () => {
    const field = await street.field({ berths: 2 })
    const sn = await field.camera(...field.berths)
    const verdict = async () => (await street.get('/device/highVideo/checkHighVideo', { deviceNo: sn })).data[0]
    expect(await verdict()).toMatchObject({ verdict: 2, seatsBound: 2, blindSeats: field.berths })
    await online(sn)
    expect(await verdict()).toMatchObject({ verdict: 4 })
    const now = (Date.now() - Date.parse(field.at(0))) / 60_000
    await field.says(sn, 'occupied', now, { berth: field.berths[0]!, plate: '鄂F12345', confidence: 0.99, image: '/a.jpg' })
    expect(await verdict()).toMatchObject({ verdict: 5, blindSeats: [field.berths[1]] })
    await field.says(sn, 'vacant', now, { berth: field.berths[1]! })
    expect(await verdict()).toMatchObject({ verdict: 1, blindSeats: [] })
  })
  test('a clock is off where it is ahead, or where all that came one after the other was late; what is told after an outage is not', async () => {
    const field = await street.field()
    const [berth] = field.berths as [string]
    const now = (Date.now() - Date.parse(field.at(0))) / 60_000
    const says = (sn: string, minutes: number, told: number) =>
      field.says(sn, 'seen', minutes, { berth, plate: '鄂F12345', confidence: 0.99, image: '/a.jpg', told })
    const verdict = async (sn: string) => (await street.get('/device/highVideo/checkHighVideo', { deviceNo: sn })).data[0]
    const sn = await field.camera(berth)
    await online(sn)
    // The camera had been cut off for half an hour.
    for (const n of [30, 24, 18, 12, 6, 3]) await says(sn, now - n, now)
    expect(await verdict(sn)).toMatchObject({ verdict: 1, clockOffsetSec: null })
    await says(sn, now + 1, now + 1)
    await says(sn, now - 1, now + 2)
    expect(await verdict(sn)).toMatchObject({ verdict: 1, clockOffsetSec: 0 })
    for (const n of [3, 4, 5, 6, 7]) await says(sn, now + n - 5, now + n)
    expect(await verdict(sn)).toMatchObject({ verdict: 3, clockOffsetSec: -300 })
    await says(sn, now + 10, now + 8)
    expect(await verdict(sn)).toMatchObject({ verdict: 3, clockOffsetSec: 120 })
    // So far ahead that it is dated by receipt.
    for (const n of [11, 12, 13, 14, 15]) await says(sn, now + n, now + n)
    expect(await verdict(sn)).toMatchObject({ verdict: 1 })
    await says(sn, now + 76, now + 16)
    expect(await verdict(sn)).toMatchObject({ verdict: 3, clockOffsetSec: 3600 })
  })
  test('one that alone sees a car stays; else it lets go of its berths and is in stock', async () => {
    const field = await street.field()
    const sn = await field.camera(field.berths[0]!)
    await field.says(sn, 'occupied', 0, { berth: field.berths[0]!, plate: '鄂F12345', confidence: 0.99 })
    const remove = () => street.get('/device/highVideo/deleteHighVideo', { deviceNo: sn, reason: '更换' })
    expect(await remove()).toMatchObject({ status: 409, code: 41131 })
    await field.sensor(field.berths[0]!)
    expect(await remove()).toMatchObject({ status: 200 })
    const device = await street.write((tx) => run<any>(tx, { sql: 'select use_status, park_code from device.device where device_no = $1' }, [sn]))
    expect(device).toEqual([{ useStatus: 4, parkCode: null }])
    const { records } = (await street.ask('/business/roadInfo/queryPageSeatBindLog', { parkCode: field.parkCode, deviceNo: sn })).data
    expect(records).toMatchObject([{ action: 2, reason: '更换' }])
  })
  test('one that is removed while a car comes that only it sees stays', async () => {
    const field = await street.field()
    const place = { parkCode: field.parkCode, seatCode: field.berths[0]! }
    const sn = await field.camera(place.seatCode)
    const remove = () => street.get('/device/highVideo/deleteHighVideo', { deviceNo: sn, reason: '更换' })
    let removing: ReturnType<typeof remove> | undefined
    await street.write(async (tx) => {
      await holdPlace(tx, place)
      removing = remove()
      await new Promise((done) => setTimeout(done, 300))
      await arrives(tx, await placeOf(tx, place), {
        kind: 1,
        detector: 2,
        deviceNo: sn,
        at: field.at(0),
        receivedAt: field.at(0),
        image: null,
        plateNo: '鄂F65003',
        plateColor: 0,
        confidence: 990,
        showsBerth: false,
        showsPlate: false,
        by: null,
        messageId: null,
      })
    })
    expect(await removing).toMatchObject({ status: 409, code: 41131 })
  })
  test('a scrapped one watches nothing any more, and the log says so', async () => {
    const field = await street.field()
    const sn = await field.camera(field.berths[0]!)
    await street.write((tx) => run(tx, { sql: 'update device.device set use_status = 2 where device_no = $1' }, [sn]))
    await street.write((tx) => scrap(tx, { deviceNo: sn, at: field.at(0) }))
    const { records } = (await street.ask('/business/roadInfo/queryPageSeatBindLog', { deviceNo: sn })).data
    expect(records).toMatchObject([{ action: 4 }])
  })
})

test('presets of a dome are kept once for each number, and changed by version', async () => {
  const field = await street.field()
  const sn = await field.device(12)
  const preset = { deviceNo: sn, presetNo: 1, zone: '路口', type: 1, holdMin: 3 }
  const save = (more: object) => street.ask('/device/dome/presetSave', { ...preset, ...more })
  const { data } = await save({})
  expect(data).toMatchObject({ presetNo: 1, dayMask: 127, parkCode: field.parkCode })
  expect(await save({ zone: '学校' })).toMatchObject({ status: 409 })
  expect((await save({ zone: '学校', version: data.version })).data).toMatchObject({ zone: '学校', version: data.version + 1 })
  expect(await save({ deviceNo: await field.device(5) })).toMatchObject({ status: 422, code: 41129 })
  expect((await street.get('/device/dome/list', { parkCode: field.parkCode })).data).toMatchObject([
    { deviceNo: sn, presets: 1, caughtToday: 0, validPermille: -1 },
  ])
  expect(await street.ask('/device/dome/presetDelete', { id: data.id, version: data.version + 1 })).toMatchObject({ status: 200 })
  expect((await street.get('/device/dome/presetList', { deviceNo: sn })).data).toEqual([])
})

test('a dome is rated by what it caught in the last thirty days', async () => {
  const field = await street.field()
  const sn = await field.device(12)
  const caught = (day: string, state: number) =>
    street.write((tx) =>
      run(
        tx,
        {
          sql: `insert into roadside.illegal_stop (park_code, illegal_no, type, source, place, device_no, first_at, last_at, state, invalid_reason, reviewed_at)
            values ($1, gen_random_uuid(), 1, 1, '', $2, $3::timestamptz, $3::timestamptz, $4::smallint, case when $4::smallint = 2 then 1 end, now())`,
        },
        [field.parkCode, sn, day, state],
      ),
    )
  const ago = (days: number, ms = 0) => instantAt(msOf(startOf(dayOf(instantAt(Date.now())))) - days * DAY_MS + ms)
  const rate = async () => (await street.get('/device/dome/list', { parkCode: field.parkCode })).data[0].validPermille
  await caught(ago(29, -1), 2)
  expect(await rate()).toBe(-1)
  await caught(ago(29), 2)
  for (const days of [1, 2, 3]) await caught(ago(days), 1)
  await caught(ago(1), 0)
  expect(await rate()).toBe(750)
})

test('the map: every berth is one of four, and today is what ended today', async () => {
  const field = await street.field({ berths: 3 })
  const sn = await field.camera(...field.berths)
  const now = Math.floor((Date.now() - Date.parse(field.at(0))) / 60_000) - 1
  await field.says(sn, 'occupied', now, { berth: field.berths[0]!, plate: '鄂F12345', confidence: 0.99 })
  const { records } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode: field.parkCode, seatCode: field.berths[2]! })).data
  await street.ask('/business/roadInfo/editparkSeat', { id: records[0].id, version: records[0].version, status: 2 })
  const { parkCode } = field
  expect((await street.get('/business/seat/screen', { parkCode })).data).toMatchObject({
    seatTotal: 3,
    occupied: 1,
    free: 1,
    abnormal: 0,
    disabled: 1,
    payRate: null,
  })
  expect((await street.get('/business/seat/screen/parkSeatList', { parkCode })).data).toMatchObject([
    { occupy: 1, plateNo: '鄂F12345', dueFen: 0 },
    { occupy: 0, dueFen: null },
    { occupy: 3 },
  ])
  expect((await street.get('/business/seat/screen/parkSeat', { parkCode, seatCode: field.berths[0]! })).data).toMatchObject({
    stay: { plateNo: '鄂F12345' },
    bindings: [{ deviceNo: sn }],
    evidence: [{ kind: 1 }],
  })
  expect((await street.get('/business/seat/screen/park', {})).data.find((one: any) => one.parkCode === parkCode)).toMatchObject({
    seatTotal: 3,
    seatFree: 1,
    offlineDevices: 1,
  })
  expect((await street.get('/business/seat/screen/resources', { parkCode })).data).toMatchObject({
    parks: 1,
    sections: 1,
    seats: [{ type: 1, total: 3 }],
    devices: [{ kind: 2, total: 1, online: 0 }],
  })
})
