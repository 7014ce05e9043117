import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPeople } from '../../identity/server/api.ts'
import { lane } from '../../../gateways/mqtt/simulator.ts'
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let owner: pg.Pool
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  await demoPeople(server.house, PASSWORD)
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
}, 30_000)

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
  for (const place of wrong) expect(await at(place)).toMatchObject({ status: 422, code: 42275 })
  expect((await server.ask(admin, 'POST', '/lbs/device/parkDevice/findDeivceStatus', { deviceNo: 'PG-N004' })).data.total).toBe(0)
  const { id } = (await at({ parkCode: 'P001' })).data
  const move = (version: number, place: object) => server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version, ...place })
  expect((await move(1, { gateCode: 'P002-G09' })).code).toBe(42275)
  expect((await move(1, { gateCode: 'P001-G09' })).status).toBe(200)
  expect((await move(2, { parkCode: 'P002' })).code).toBe(42275) // its gate stayed behind
  expect((await move(2, { parkCode: 'P002', gateCode: 'P002-G09' })).status).toBe(200)
  await owner.query(`update parking.gate set deleted = true where gate_code = 'P002-G09'`)
  expect((await move(3, { parkCode: 'P002', gateCode: 'P002-G09', name: '旧相机' })).status).toBe(200)
})

test('a scrapped device stands nowhere, stays scrapped and is not let in', async () => {
  const { id, secret } = (await insert({ deviceNo: 'PG-N003', name: '旧机', type: 1, parkCode: 'P001', gateCode: 'P001-G09' })).data
  const update = (version: number, useStatus: number) =>
    server.ask(admin, 'POST', '/lbs/device/iotDevice/updateIotDevice', { id, version, useStatus })
  expect((await update(1, 3)).status).toBe(409) // in use: taken out of use first
  expect((await update(1, 2)).status).toBe(200)
  expect((await update(2, 3)).status).toBe(200)
  expect((await update(3, 1)).status).toBe(409)
  expect((await server.ask(admin, 'GET', '/lbs/device/iotDevice/findDevice', { id })).data).toMatchObject({
    parkCode: null,
    gateCode: null,
    useStatus: 3,
  })
  await expect(lane({ sn: 'PG-N003', secret, url: url(), direction: 'in' })).rejects.toThrow()
}, 30_000)
