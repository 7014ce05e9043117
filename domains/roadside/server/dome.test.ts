import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { hear } from '../../device/server/api.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())

const PLATE = '鄂F12345'
/** Thursday, 09:00 in the city. */
const THURSDAY = Date.parse('2026-03-05T01:00:00.000Z')
const MINUTE = 60_000
const save = async (deviceNo: string, more: object = {}) =>
  (await street.ask('/device/dome/presetSave', { deviceNo, presetNo: 3, zone: '学校门口', type: 1, holdMin: 5, ...more })).data
async function aDome(preset: object = {}, useStatus: number = DeviceUse.inUse) {
  const field = await street.field()
  const sn = await field.device(DeviceType.dome)
  const saved = await save(sn, preset)
  if (useStatus !== DeviceUse.inUse)
    await street.write((tx) => run(tx, { sql: 'update device.device set use_status = $2 where device_no = $1' }, [sn, useStatus]))
  return { field, sn, saved }
}
interface Sighting {
  at?: number
  told?: number
  mid?: string
  offline?: boolean
  [word: string]: unknown
}
/** `at` minutes from Thursday nine o'clock. */
const sees = (sn: string, { at = 0, told = at, mid = randomUUID(), offline = false, ...body }: Sighting = {}) =>
  street.write((tx) =>
    hear(tx, {
      ...{ sn, kind: 'event', mid, offline, seq: null, type: 'illegalStop' },
      ...{ ts: THURSDAY + at * MINUTE, receivedMs: THURSDAY + told * MINUTE },
      body: { type: 'illegalStop', preset: 3, plate: PLATE, color: 'blue', confidence: 0.97, image: `p${at}.jpg`, ...body },
    }),
  )
const stops = async ({ parkCode }: Field) => (await street.ask('/business/violationRecords/query', { kind: 2, parkCode })).data.records
const moment = (minutes: number) => instantAt(THURSDAY + minutes * MINUTE)
const warningsOf = (sn: string) =>
  street.write((tx) => run<any>(tx, { sql: 'select type, subject, state, count from device.warning where device_no = $1' }, [sn]))

describe('what a dome sees at a preset', () => {
  test('is an illegal stop of the preset’s place and kind, with plate, picture and how sure it is', async () => {
    const { field, sn } = await aDome({ type: 6, holdMin: 10 })
    await sees(sn)
    expect(await stops(field)).toMatchObject([
      {
        ...{ source: 1, type: 6, state: 0, count: 1, plateNo: PLATE, plateColor: 0, deviceNo: sn, holdMin: 10, confidence: 970 },
        ...{ place: `${sn} 学校门口`, firstAt: moment(0), lastAt: moment(0) },
        images: [{ image: 'p0.jpg', at: moment(0), showsPlate: true, showsPlace: true }],
      },
    ])
  })
  test('again within two hours is the same one, whichever is told first, and its pictures lie in the order in which they were taken', async () => {
    const { field, sn } = await aDome()
    for (const [at, told] of [
      [60, 60],
      [0, 61],
      [119, 119],
      [60, 120],
    ] as const)
      await sees(sn, { at, told })
    await sees(sn, { at: 240 })
    const [later, first] = await stops(field)
    expect(later).toMatchObject({ count: 1, firstAt: moment(240) })
    expect(first).toMatchObject({ count: 4, firstAt: moment(0), lastAt: moment(119) })
    expect(first.images.map(({ image }: { image: string }) => image)).toEqual(['p0.jpg', 'p60.jpg', 'p119.jpg'])
  })
  test('told twice is one, told late stands at its own time, and a picture that comes behind is added and not counted', async () => {
    const { field, sn } = await aDome()
    for (let n = 0; n < 2; n++) await sees(sn, { mid: 'once' })
    await sees(sn, { at: 0.02, image: 'behind.jpg' })
    await sees(sn, { at: 30, told: 5_000 })
    expect(await stops(field)).toMatchObject([{ count: 2, firstAt: moment(0), lastAt: moment(30), images: [{}, { image: 'behind.jpg' }, {}] }])
  })
  test('every minute for two hours keeps the pictures of its beginning and of its end, and is no other record for whoever reviews it', async () => {
    const { field, sn } = await aDome({ holdMin: 60 })
    await sees(sn)
    const [{ version }] = await stops(field)
    for (let at = 1; at <= 60; at++) await sees(sn, { at })
    const [{ images, count, version: still }] = await stops(field)
    expect([count, images.length, still]).toEqual([61, 20, version])
    expect([images[0].image, images.at(-1).image]).toEqual(['p0.jpg', 'p60.jpg'])
    const [{ id }] = await stops(field)
    expect((await street.ask('/business/illegalStop/review', { id, version, state: 1 })).data).toMatchObject({ state: 1 })
  })
  test('by two processes at once is one', async () => {
    const { field, sn } = await aDome()
    await Promise.all(Array.from({ length: 6 }, (_, n) => sees(sn, { at: n, told: 10 })))
    expect(await stops(field)).toMatchObject([{ count: 6, firstAt: moment(0), lastAt: moment(5) }])
  })
  test('by two domes whose zones are called alike are two places', async () => {
    const { field, sn } = await aDome()
    const other = await field.device(DeviceType.dome)
    await save(other)
    for (const one of [sn, other]) await sees(one)
    expect(await stops(field)).toHaveLength(2)
  })
})

describe('days and hours of ban', () => {
  const caught = async (preset: object, at: number) => {
    const { field, sn } = await aDome(preset)
    await sees(sn, { at })
    return (await stops(field)).length
  }
  const NINE_TO_SIX = { timeFrom: '09:00', timeTo: '18:00' }
  const NIGHT = { timeFrom: '22:00', timeTo: '06:00', dayMask: 0b1000 }
  test.each([
    ['from its first minute', NINE_TO_SIX, 0, 1],
    ['not a minute before', NINE_TO_SIX, -1, 0],
    ['until its last', NINE_TO_SIX, 9 * 60 - 1, 1],
    ['not at its end', NINE_TO_SIX, 9 * 60, 0],
    ['on its days only', { dayMask: 0b0111 }, 0, 0],
    ['two equal times are day and night', { timeFrom: '10:00', timeTo: '10:00' }, 0, 1],
    ['past midnight it is still the night of the day before', NIGHT, 19 * 60, 1],
    ['and not the night before its day', NIGHT, -5 * 60, 0],
    ['nor the next evening', NIGHT, 37 * 60, 0],
  ])('%s', async (_, preset, at, count) => expect(await caught(preset, at)).toBe(count))
})

describe('what catches nothing', () => {
  test('a preset that nobody has set up: a warning says so until it is', async () => {
    const { field, sn } = await aDome()
    for (const at of [0, 1]) await sees(sn, { at, preset: 7 })
    expect(await stops(field)).toEqual([])
    expect(await warningsOf(sn)).toEqual([{ type: 7, subject: 'preset 7', state: 0, count: 2 }])
    await save(sn, { presetNo: 7 })
    expect(await warningsOf(sn)).toMatchObject([{ state: 2 }])
    await sees(sn, { at: 2, preset: 7 })
    expect(await stops(field)).toHaveLength(1)
  })
  test('a preset that is switched off, a dome that is faulty, and one that moved to another district since', async () => {
    const off = await aDome({ status: 2 })
    const faulty = await aDome({}, DeviceUse.faulty)
    const moved = await aDome()
    const there = await street.field()
    await street.write((tx) => run(tx, { sql: 'update device.device set park_code = $2 where device_no = $1' }, [moved.sn, there.parkCode]))
    for (const { sn } of [off, faulty, moved]) await sees(sn)
    for (const field of [off.field, faulty.field, moved.field, there]) expect(await stops(field)).toEqual([])
    // Saved again it looks at its new place.
    await save(moved.sn, { version: moved.saved.version })
    await sees(moved.sn, { at: 1 })
    expect(await stops(there)).toMatchObject([{ parkCode: there.parkCode, count: 1 }])
  })
  test('another kind of device that says the same, and a dome that could not read a plate', async () => {
    const { field, sn } = await aDome()
    await sees(await field.device(DeviceType.camera))
    for (const plate of [undefined, '', '_无_', '无牌车']) await sees(sn, { plate })
    expect(await stops(field)).toEqual([])
    expect(await warningsOf(sn)).toEqual([])
  })
  test('a dome that was scrapped, or a berth’s words from a dome', async () => {
    const { field, sn } = await aDome()
    await street.write((tx) => run(tx, { sql: 'delete from roadside.preset where device_no = $1' }, [sn]))
    await sees(sn)
    await field.says(sn, 'occupied', 0, { berth: field.berths[0]! })
    expect(await stops(field)).toEqual([])
  })
})

describe('starting and stopping', () => {
  const patrol = (deviceNo: string, on: boolean, who?: 'operator' | 'auditor' | 'otheradmin') =>
    street.ask('/device/dome/patrol', { deviceNo, on }, who)
  const shown = async ({ parkCode }: Field) => (await street.get('/device/dome/list', { parkCode })).data[0]
  const commandsOf = (sn: string) =>
    street.write((tx) => run<any>(tx, { sql: 'select method, state from device.command where device_no = $1 order by created_at' }, [sn]))

  test('is a command whose state is shown as it is; whether it captures is the dome’s own word', async () => {
    const { field, sn } = await aDome()
    expect(await shown(field)).toMatchObject({ capturing: null, told: null, useStatus: 1 })
    expect(await patrol(sn, false)).toMatchObject({ status: 200 })
    expect(await commandsOf(sn)).toEqual([{ method: 'dome.stop', state: 0 }])
    expect(await shown(field)).toMatchObject({ capturing: null, told: { method: 'dome.stop', state: 0, failure: null } })
    await street.write((tx) => run(tx, { sql: 'update device.command set state = 5, failure = 5, finished_at = now() where device_no = $1' }, [sn]))
    await field.reports(sn, { capturing: 1 })
    expect(await shown(field)).toMatchObject({ capturing: true, told: { state: 5, failure: 5 } })
    await field.reports(sn, { capturing: false })
    expect(await shown(field)).toMatchObject({ capturing: false })
    await field.reports(sn, { capturing: 'perhaps' })
    expect(await shown(field)).toMatchObject({ capturing: null })
  })
  test('is refused for what is no dome, is not in use, is not there, or is somebody else’s', async () => {
    const { sn } = await aDome({}, DeviceUse.faulty)
    expect(await patrol(sn, true)).toMatchObject({ status: 409, code: 41140 })
    const field = await street.field()
    expect(await patrol(await field.device(DeviceType.highPole), true)).toMatchObject({ status: 422, code: 41129 })
    expect(await patrol('NOBODY', true)).toMatchObject({ status: 404 })
    const mine = await aDome()
    expect(await patrol(mine.sn, true, 'otheradmin')).toMatchObject({ status: 404 })
    expect(await patrol(mine.sn, true, 'auditor')).toMatchObject({ status: 403 })
    expect(await commandsOf(mine.sn)).toEqual([])
  })
})

test('the figure of today is the list that it opens', async () => {
  const { field, sn } = await aDome()
  const now = (Date.now() - THURSDAY) / MINUTE
  await sees(sn, { at: now })
  await sees(sn, { at: now - 3 * 24 * 60 })
  const { data } = await street.get('/device/dome/list', { parkCode: field.parkCode })
  expect(data).toMatchObject([{ caughtToday: 1, presets: 1 }])
})
