import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { lane } from '../../../gateways/mqtt/simulator.ts'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

import { CommandState } from '../contract/command.ts'
import { DeviceType, DeviceUse, WarningState, WarningType } from '../contract/device.ts'
import { command } from './command.ts'
import { scrap } from './device.ts'
import { raise } from './warning.ts'

let server: TestServer
let owner: pg.Pool
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  admin = await server.signIn('admin')
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})
const insert = (body: object, token = admin) => server.ask(token, 'POST', '/lbs/device/iotDevice/insertIotDevice', body)
const upload = (body: FormData, secret: string, sn = 'PG-N001') =>
  server.ask(null, 'POST', '/lbs/device/picture/upload', body, { authorization: `Basic ${Buffer.from(`${sn}:${secret}`).toString('base64')}` })
const url = () => `mqtt://127.0.0.1:${server.mqttPort}`

test('a device gets its secret once, signs in with it, uploads a picture, and is thrown out when the secret is renewed', async () => {
  const made = await insert({ deviceNo: 'PG-N001', name: '入口', type: 1 })
  expect(made.status).toBe(200)
  const { id, secret } = made.data
  const gate = await lane({ sn: 'PG-N001', secret, url: url(), http: server.url, direction: 'in' })
  try {
    expect(await gate.picture('鄂F12345')).toMatch(/^\/lbs\/basic\/sysFile\/download\?fileName=[\w-]+\.jpg$/)
    const found = await server.ask(admin, 'GET', '/lbs/device/iotDevice/findDevice', { id })
    expect(found.data).toMatchObject({ deviceNo: 'PG-N001', online: true })
    expect(JSON.stringify(found.data)).not.toContain('secret')
    const renewed = await server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version: 1, renewSecret: true })
    expect(renewed.data.secret).not.toBe(secret)
    await expect(
      lane({ sn: 'PG-N001', secret, url: url(), direction: 'in', clientId: 'PG-N001old' }).then((old) => old.close(true)),
    ).rejects.toThrow()
    const stale = await server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version: 1, name: '出口' })
    expect(stale.status).toBe(409)
  } finally {
    await gate.close(true)
  }
  const { rows } = await owner.query(`select before, after from platform.change where entity = 'device.device'`)
  expect(JSON.stringify(rows)).not.toContain('scrypt')
}, 60_000)

test('a picture is taken from a known device only, and only if it is one', async () => {
  const { data } = await insert({ deviceNo: 'PG-N002', name: '出口', type: 1 })
  const body = (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'x.jpg')
    return form
  }
  const png = new Uint8Array(
    await sharp({ create: { width: 2, height: 1, channels: 3, background: '#2F6FDE' } })
      .png()
      .toBuffer(),
  )
  expect((await upload(body(png), 'wrong', 'PG-N002')).status).toBe(401)
  expect((await upload(body(new TextEncoder().encode('<script>')), data.secret, 'PG-N002')).status).toBe(422)
  expect((await upload(body(new Uint8Array(2 * 1024 * 1024 + 1)), data.secret, 'PG-N002')).status).toBe(413)
  expect((await upload(body(png.slice(0, 20)), data.secret, 'PG-N002')).status).toBe(422)
  expect((await upload(body(png), data.secret, 'PG-N002')).status).toBe(200)
})

test('numbers are unique in the whole installation, another enterprise sees nothing, a stranger is told nothing', async () => {
  expect((await insert({ deviceNo: 'PG-N002', name: '又一个', type: 1 })).status).toBe(409)
  const other = await server.signIn('otheradmin')
  expect((await insert({ deviceNo: 'PG-N002', name: '别家', type: 1 }, other)).status).toBe(409)
  expect((await server.ask(other, 'POST', '/lbs/device/parkDevice/findDeivceStatus', {})).data.total).toBe(0)
  for (const [method, path] of [
    ['POST', '/parkDevice/findDeivceStatus'],
    ['POST', '/parkDevice/findDeivceWarning'],
    ['POST', '/parkDevice/findOfflineLog'],
    ['POST', '/command/query'],
    ['POST', '/message/query'],
    ['GET', '/iotDevice/findIotDevice'],
    ['GET', '/iotProduct/find'],
  ] as const) {
    expect((await server.ask(null, method, `/lbs/device${path}`)).status).toBe(401)
    expect((await server.ask(admin, method, `/lbs/device${path}`, {})).status).toBe(200)
  }
})

test('a device stands at a gate of its park or nowhere', async () => {
  const basic = (path: string, body: object) => server.ask(admin, 'POST', `/lbs/basic${path}`, body)
  for (const parkCode of ['P001', 'P002']) {
    await basic('/parkInfo/add', { parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 10 })
    expect((await basic('/parkGate/add', { parkCode, gateCode: `${parkCode}-G09`, name: '北门', direction: 1 })).status).toBe(200)
  }
  const at = (place: object) => insert({ deviceNo: 'PG-N004', name: '相机', type: 1, ...place })
  const wrong: object[] = [
    { parkCode: 'P009' },
    { parkCode: 'P001', gateCode: 'P001-G10' },
    { parkCode: 'P001', gateCode: 'P002-G09' },
    { gateCode: 'P001-G09' },
  ]
  for (const place of wrong) expect(await at(place)).toMatchObject({ status: 422, code: 40703 })
  expect((await server.ask(admin, 'POST', '/lbs/device/parkDevice/findDeivceStatus', { deviceNo: 'PG-N004' })).data.total).toBe(0)
  const { id } = (await at({ parkCode: 'P001' })).data
  const move = (version: number, place: object) => server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version, ...place })
  expect((await move(1, { gateCode: 'P002-G09' })).code).toBe(40703)
  expect((await move(1, { gateCode: 'P001-G09' })).status).toBe(200)
  expect((await move(2, { parkCode: 'P002' })).code).toBe(40703) // its gate stayed behind
  expect((await move(2, { parkCode: 'P002', gateCode: 'P002-G09' })).status).toBe(200)
  await owner.query(`update parking.gate set deleted = true where gate_code = 'P002-G09'`)
  expect((await move(3, { parkCode: 'P002', gateCode: 'P002-G09', name: '旧相机' })).status).toBe(200)
})

test('a device is scrapped by approval only; then it stands nowhere, what waits for it ends, and it is not let in', async () => {
  const { id, secret } = (await insert({ deviceNo: 'PG-N003', name: '旧机', type: DeviceType.barrier, parkCode: 'P001', gateCode: 'P001-G09' })).data
  const update = (version: number, useStatus: number) =>
    server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version, useStatus })
  const scrapped = () => server.house.writing(1, 'test', (tx) => scrap(tx, { deviceNo: 'PG-N003', at: new Date().toISOString() as Instant }))
  expect((await update(1, DeviceUse.scrapped)).code).toBe(40716)
  await expect(scrapped()).rejects.toMatchObject({ status: 409 }) // in use: taken out of use first
  expect((await update(1, DeviceUse.faulty)).status).toBe(200)
  await server.house.writing(1, 'test', async (tx) => {
    await raise(tx, 'PG-N003', WarningType.help)
    await command(tx, { sn: 'PG-N003', method: 'voice.play', params: { text: '您好' } })
  })
  await scrapped()
  expect((await update(3, DeviceUse.inUse)).status).toBe(409)
  expect((await server.ask(admin, 'GET', '/lbs/device/iotDevice/findDevice', { id })).data).toMatchObject({
    parkCode: null,
    gateCode: null,
    useStatus: DeviceUse.scrapped,
  })
  const { rows } = await owner.query(
    `select (select state from device.command where device_no = 'PG-N003') as command, (select state from device.warning where device_no = 'PG-N003') as warning`,
  )
  expect(rows[0]).toEqual({ command: CommandState.cancelled, warning: WarningState.closed })
  await expect(lane({ sn: 'PG-N003', secret, url: url(), direction: 'in' })).rejects.toThrow()
}, 60_000)

test('devices are put to use all or none, and one that stands nowhere is not', async () => {
  const use = (ids: string[], to: number) => server.ask(admin, 'POST', '/lbs/device/iotDevice/changeUse', { ids, to, reason: '安装完成' })
  const [placed, nowhere] = await Promise.all([
    insert({ deviceNo: 'PG-N010', name: '甲', type: DeviceType.barrier, useStatus: DeviceUse.waiting, parkCode: 'P001' }),
    insert({ deviceNo: 'PG-N011', name: '乙', type: DeviceType.barrier, useStatus: DeviceUse.waiting }),
  ])
  const useOf = async (id: string) => (await server.ask(admin, 'GET', '/lbs/device/iotDevice/findDevice', { id })).data.useStatus
  expect((await use([placed.data.id, nowhere.data.id], DeviceUse.inUse)).code).toBe(40717)
  expect(await useOf(placed.data.id)).toBe(DeviceUse.waiting)
  expect((await use([placed.data.id], DeviceUse.inUse)).status).toBe(200)
  expect(await useOf(placed.data.id)).toBe(DeviceUse.inUse)
  expect((await use([placed.data.id], DeviceUse.scrapped)).status).toBe(400)
})

test('devices of a sheet cannot sign in until their secrets were made, which are shown once', async () => {
  const send = (rows: string) => sendSheet(server, admin, '/lbs/device/iotDevice/import', `设备编号,名称,类型,车场编号\n${rows}`)
  expect((await send('PG-N020,东一,道闸,P001\nPG-N001,重复,道闸,P001')).data).toMatchObject({ added: 1, bad: 1, written: false })
  expect((await send('PG-N020,东一,道闸,P001\nPG-N021,东二,道闸,P001')).data).toMatchObject({ added: 2, written: true })
  const listed = await server.ask(admin, 'GET', '/lbs/device/iotDevice/findIotDevice', { deviceNo: 'PG-N02' })
  const ids = listed.data.records.map(({ id }: { id: string }) => id)
  await expect(lane({ sn: 'PG-N020', secret: 'none', url: url(), direction: 'in' })).rejects.toThrow()
  const made = await server.ask(admin, 'POST', '/lbs/device/iotDevice/secrets', { ids })
  expect(made.data.map(({ deviceNo, name }: { deviceNo: string; name: string }) => [deviceNo, name]).sort()).toEqual([
    ['PG-N020', '东一'],
    ['PG-N021', '东二'],
  ])
  const { secret } = made.data.find(({ deviceNo }: { deviceNo: string }) => deviceNo === 'PG-N020')
  const gate = await lane({ sn: 'PG-N020', secret, url: url(), direction: 'in' })
  await gate.close(true)
  const exported = await server.ask(admin, 'GET', '/lbs/device/iotDevice/export', { format: 'csv', deviceNo: 'PG-N02' })
  expect(exported.data.toString()).toContain('东二')
}, 60_000)
