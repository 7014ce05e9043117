import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { EtcStatus } from '../contract/etc.ts'

let server: TestServer
let admin: string
const call = (path: string, body: object, method = 'POST') => server.ask(admin, method, `/lbs/device${path}`, body)
const antenna = { deviceNo: 'ETC-1', name: '出口天线', laneNo: '4206001', parkCode: 'P001', psamNo: '0A1B2C3D4E5F' }
const found = async (deviceNo: string) => (await call('/etcDevice/etcPageQuery', { deviceNo })).data.records[0]

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  await server.ask(admin, 'POST', '/lbs/basic/parkInfo/add', { parkCode: 'P001', name: 'P001', pType: 1, regionCode: '420607', totalBays: 10 })
})
afterAll(() => server?.close())

test('an antenna gets its secret once; lane and security module belong to one antenna', async () => {
  const made = await call('/etcDevice/etcAdd', antenna)
  expect(made.status).toBe(200)
  expect(made.data.secret).toBeTruthy()
  expect(await found('ETC-1')).toMatchObject({ laneNo: '4206001', status: EtcStatus.offline, version: 1 })
  expect((await call('/etcDevice/etcAdd', { ...antenna, deviceNo: 'ETC-2', psamNo: '0A1B2C3D4E60' })).code).toBe(40710)
  expect((await call('/etcDevice/etcAdd', { ...antenna, deviceNo: 'ETC-2', laneNo: '4206002' })).code).toBe(40711)
  expect((await call('/etcDevice/etcAdd', { ...antenna, deviceNo: 'ETC-2', laneNo: '4206002', psamNo: 'no' })).status).toBe(400)
  expect(
    (await call('/etcDevice/etcAdd', { ...antenna, deviceNo: 'ETC-2', laneNo: '4206002', psamNo: '0A1B2C3D4E60', parkCode: 'P999' })).status,
  ).toBe(422)
  expect(await found('ETC-2')).toBeUndefined()
})

test('off line is never set by hand: it is put out of service and in service again', async () => {
  const { id, version } = await found('ETC-1')
  const to = (status: number, at: number) => call('/etcDevice/etcUpdateStatus', { id, version: at, status, reason: '检修' })
  expect((await to(EtcStatus.offline, version)).code).toBe(40712)
  expect((await to(EtcStatus.online, version)).code).toBe(40712)
  const off = await to(EtcStatus.disabled, version)
  expect(off.data).toMatchObject({ status: EtcStatus.disabled, reason: '检修' })
  expect((await to(EtcStatus.disabled, off.data.version)).code).toBe(40712)
  expect((await to(EtcStatus.online, version)).status).toBe(409)
  expect((await to(EtcStatus.online, off.data.version)).data).toMatchObject({ status: EtcStatus.offline, reason: null })
})

test('a change keeps what was not sent, and a stale one is refused', async () => {
  const { id, version } = await found('ETC-1')
  const changed = await call('/etcDevice/etcUpdate', { id, version, vendor: '金溢' })
  expect(changed.data).toMatchObject({ vendor: '金溢', laneNo: '4206001', psamNo: antenna.psamNo, version: version + 1 })
  expect((await call('/etcDevice/etcUpdate', { id, version, vendor: '万集' })).status).toBe(409)
})

test('a sheet adds antennas, all or none; a known number is that row’s error', async () => {
  const head = ['设备编号', '车道号', '车场编号', '通道编号', '厂商', 'PSAM 号']
  const send = (rows: string[][], fields: Record<string, string> = {}) =>
    sendSheet(server, admin, '/lbs/device/etcDevice/etcImport', [head, ...rows].map((cells) => cells.join(',')).join('\n'), fields)
  const good = ['ETC-8', '4206008', 'P001', '', '金溢', '00000000AA08']
  const bad = await send([good, ['ETC-1', '4206009', 'P001', '', '', '00000000AA09']], { dryRun: 'true' })
  expect(bad.data).toMatchObject({ added: 1, bad: 1 })
  expect((await send([good, ['ETC-9', '4206008', 'P001', '', '', '00000000AA09']])).status).toBe(422)
  expect(await found('ETC-8')).toBeUndefined()
  expect((await send([good])).data).toMatchObject({ added: 1, written: true })
  expect(await found('ETC-8')).toMatchObject({ laneNo: '4206008', vendor: '金溢', status: EtcStatus.offline })
  const file = await server.ask(admin, 'GET', '/lbs/device/etcDevice/etcExport', { format: 'csv' })
  expect(file.data.toString()).toContain('4206008')
})
