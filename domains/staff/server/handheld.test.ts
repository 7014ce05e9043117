import { afterAll, beforeAll, expect, test } from 'vitest'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { enrol, hear } from '../../device/server/api.ts'
import { CardKind } from '../contract/attendance.ts'
import { NoteKind } from '../contract/tracker.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
let made = 0
beforeAll(async () => {
  crew = await aCrew()
})
afterAll(() => crew?.close())

const use = (what: string, input: object) => crew.post(`/api/staff/handheld/${what}`, input)
const seen = async (deviceNo: string) => (await use('query', { deviceNo })).data.records[0]
async function aHandheld(useStatus: number = DeviceUse.inUse): Promise<string> {
  const sn = `H-${++made}`
  await crew.write((tx) => enrol(tx, { sn, name: sn, type: DeviceType.handheld, parkCode: crew.parkCode, secretHash: 'none' }))
  await crew.sql('update device.device set use_status = $2 where device_no = $1 returning id', [sn, useStatus])
  return sn
}

test('a handheld goes into one pair of hands; what they held before is free', async () => {
  const [first, second] = [await aHandheld(), await aHandheld()]
  const [one, two] = [await crew.aCollector(), await crew.aCollector()]
  expect(await use('bind', { deviceNo: first, tollNo: one.tollNo })).toMatchObject({ status: 200, data: { replaced: null } })
  expect(await use('bind', { deviceNo: first, tollNo: two.tollNo })).toMatchObject({ status: 409, code: 41902 })
  expect(await use('bind', { deviceNo: second, tollNo: one.tollNo })).toMatchObject({ status: 200, data: { replaced: first } })
  expect(await seen(first)).toMatchObject({ holderName: null, tollNo: null })
  expect(await seen(second)).toMatchObject({ holderName: one.name, tollNo: one.tollNo })
  expect((await use('unbind', { deviceNo: second })).status).toBe(200)
  expect(await use('unbind', { deviceNo: second })).toMatchObject({ status: 409, code: 41972 })
  expect((await use('bind', { deviceNo: first, tollNo: 'NOBODY' })).code).toBe(41975)
  expect((await use('bind', { deviceNo: 'NOTHING', tollNo: one.tollNo })).status).toBe(404)
  expect((await use('bind', { deviceNo: await aHandheld(DeviceUse.faulty), tollNo: one.tollNo })).code).toBe(41970)
})

test('two who give one handheld out at once: one of them does', async () => {
  const deviceNo = await aHandheld()
  const people = [await crew.aCollector(), await crew.aCollector()]
  const answers = await Promise.all(people.map(({ tollNo }) => use('bind', { deviceNo, tollNo })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('the list says what a handheld last told of itself, whatever it sends', async () => {
  const deviceNo = await aHandheld()
  const tell = (body: object) =>
    crew.write((tx) =>
      hear(tx, {
        sn: deviceNo,
        kind: 'telemetry',
        mid: `m${++made}`,
        ts: Date.now(),
        receivedMs: Date.now(),
        offline: false,
        seq: null,
        type: '',
        body: body as Record<string, unknown>,
      }),
    )
  await tell({ battery: 64, queue: 3 })
  expect(await seen(deviceNo)).toMatchObject({ battery: 64, queue: 3 })
  await tell({ battery: 1e9, queue: 'many' })
  expect(await seen(deviceNo)).toMatchObject({ battery: 100, queue: null })
})

test('a locked handheld only empties its queue: what is dated before the lock is taken, nothing after, and it is told so', async () => {
  const deviceNo = await aHandheld()
  const me = (await crew.sql(`select id from identity.person where username = 'admin'`))[0].id
  const { tollNo } = await crew.aCollector({ personId: me, pdaNo: deviceNo })
  const early = new Date(Date.now() - 60_000).toISOString()
  const card = (more: object) => crew.post('/api/staff/card/save', { mid: `c${++made}`, kind: CardKind.in, lng: 112.1, lat: 32.1, ...more })
  const note = (more: object) =>
    crew.post('/api/staff/tollTracker/note', { mid: `n${++made}`, kind: NoteKind.note, lng: 112.1, lat: 32.1, note: '现场', ...more })
  expect((await card({})).status).toBe(200)
  expect((await use('lock', { deviceNo, reason: '遗失' })).status).toBe(200)
  expect(await use('lock', { deviceNo, reason: '再次' })).toMatchObject({ status: 409, code: 41973 })
  expect(await card({})).toMatchObject({ status: 403, code: 41135 })
  expect(await note({})).toMatchObject({ status: 403, code: 41135 })
  expect((await card({ deviceTime: early })).status).toBe(200)
  expect((await note({ deviceTime: early })).code).not.toBe(41135)
  expect((await card({ lng: undefined, lat: undefined, placeCode: crew.parkCode })).status).toBe(200)
  expect((await use('bind', { deviceNo, tollNo })).code).toBe(41971)
  expect(await crew.sql('select method, params from device.command where device_no = $1', [deviceNo])).toEqual([
    { method: 'handheld.lock', params: { reason: '遗失' } },
  ])
  expect(await seen(deviceNo)).toMatchObject({ lockReason: '遗失' })
  expect((await use('unlock', { deviceNo })).status).toBe(200)
  expect((await use('unlock', { deviceNo })).code).toBe(41974)
  expect((await card({})).status).toBe(200)
})
