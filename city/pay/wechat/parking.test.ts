import { afterAll, beforeAll, expect, test } from 'vitest'
import { rfc3339 } from '../clock.ts'
import { aDesk, type Desk } from '../testing.ts'
import { openidOf } from './openid.ts'
import { certificatesOf, isNoticeGenuine, resourceIn } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const DRIVER = '0123456789abcdef'
const plate = (plateNo: string, act: string, more: object = {}) =>
  desk.driver('/wechat/parking', { plate_number: plateNo, plate_color: 'BLUE', act, driver: DRIVER, ...more })
const enter = (outNo: string, plateNo: string, more: object = {}) =>
  desk.wechat('POST', '/v3/vehicle/parking/parkings', {
    out_parking_no: outNo,
    plate_number: plateNo,
    plate_color: 'BLUE',
    notify_url: desk.notify('/entry'),
    start_time: rfc3339(desk.now()),
    parking_name: '一号车场',
    free_duration: 900,
    ...more,
  })
const debit = (number: string, parkingId: string, plateNo: string, total = 800, more: object = {}) =>
  desk.wechat('POST', '/v3/vehicle/transactions/parking', {
    appid: desk.keys.wechat.merchants[0]!.appid,
    description: '停车费',
    out_trade_no: number,
    trade_scene: 'PARKING',
    notify_url: desk.notify('/debit'),
    profit_sharing: 'N',
    amount: { total, currency: 'CNY' },
    parking_info: {
      parking_id: parkingId,
      plate_number: plateNo,
      plate_color: 'BLUE',
      start_time: rfc3339(desk.now() - 3_600_000),
      end_time: rfc3339(desk.now()),
      parking_name: '一号车场',
      charging_duration: 3_600,
      device_id: '1',
    },
    ...more,
  })
const state = async (number: string) => (await desk.wechat('GET', `/v3/vehicle/transactions/out-trade-no/${number}`)).body
const noticesAt = (path: string, number: string) =>
  desk.heard
    .filter((one) => one.path === path)
    .filter((one) => [resourceIn(desk, one).out_trade_no, resourceIn(desk, one).out_parking_no].includes(number))

test('whether a plate is open is told to its own driver', async () => {
  const { appid } = desk.keys.wechat.merchants[0]!
  const find = (driver: string) => {
    const query = { appid, plate_number: '鄂A00001', plate_color: 'BLUE', openid: openidOf(appid, driver) }
    return desk.wechat('GET', `/v3/vehicle/parking/services/find?${new URLSearchParams(query)}`)
  }
  expect((await find(DRIVER)).body.service_state).toBe('OUT_SERVICE')
  await plate('鄂A00001', 'open')
  expect((await find(DRIVER)).body).toMatchObject({ service_state: 'NORMAL', service_open_time: expect.stringContaining('+08:00') })
  expect((await find('ffffffffffffffff')).body.service_state).toBe('OUT_SERVICE')
  await plate('鄂A00001', 'pause')
  expect((await find(DRIVER)).body.service_state).toBe('PAUSE')
})

test('an open car enters NORMAL, another BLOCKED with the reason; the same number is the same entry', async () => {
  await plate('鄂A00002', 'open')
  const open = await enter('in-1', '鄂A00002')
  expect(open.body).toMatchObject({ state: 'NORMAL', plate_number: '鄂A00002', free_duration: 900 })
  expect((await enter('in-1', '鄂A00002')).body.id).toBe(open.body.id)
  expect((await enter('in-1', '鄂A00003')).body.code).toBe('INVALID_REQUEST')
  expect((await enter('in-2', '鄂A00003')).body).toMatchObject({ state: 'BLOCKED', block_reason: 'OUT_SERVICE' })
  expect((await enter('in-3', '鄂A00003', { plate_color: 'PINK' })).body.code).toBe('PARAM_ERROR')
})

test('a debit is accepted, then taken, and told by a signed notice', async () => {
  const certificates = await certificatesOf(desk)
  await plate('鄂A00004', 'open')
  const { body: entry } = await enter('in-4', '鄂A00004')
  const { body } = await debit('debited-1', entry.id as string, '鄂A00004')
  expect(body).toMatchObject({ trade_state: 'ACCEPTED', trade_scene: 'PARKING', parking_info: { parking_id: entry.id }, amount: { total: 800 } })
  await expect.poll(() => noticesAt('/debit', 'debited-1').length).toBe(1)
  const [notice] = noticesAt('/debit', 'debited-1')
  expect(isNoticeGenuine(notice!, certificates)).toBe(true)
  expect((JSON.parse(notice!.body) as { event_type: string }).event_type).toBe('TRANSACTION.SUCCESS')
  const told = await state('debited-1')
  expect(told).toMatchObject({ trade_state: 'SUCCESS', sp_mchid: desk.keys.wechat.merchants[0]!.mchid, amount: { payer_total: 800 } })
  expect(resourceIn(desk, notice!)).toEqual(told)
  expect((await debit('debited-1', entry.id as string, '鄂A00004')).body.transaction_id).toBe(told.transaction_id)
  expect((await debit('debited-1', entry.id as string, '鄂A00004', 801)).body.code).toBe('OUT_TRADE_NO_USED')
})

test('too little in the account: PAY_FAIL, or paid at first by the channel', async () => {
  await plate('鄂A00005', 'open', { limitFen: 500 })
  const { body: entry } = await enter('in-5', '鄂A00005')
  await debit('debited-2', entry.id as string, '鄂A00005')
  await expect.poll(() => noticesAt('/debit', 'debited-2').length).toBe(1)
  expect((JSON.parse(noticesAt('/debit', 'debited-2')[0]!.body) as { event_type: string }).event_type).toBe('TRANSACTION.FAIL')
  expect((await state('debited-2')).trade_state).toBe('PAY_FAIL')
  await plate('鄂A00005', 'open', { limitFen: 500, isTrusted: true })
  await debit('debited-3', entry.id as string, '鄂A00005')
  await expect.poll(async () => await state('debited-3')).toMatchObject({ trade_state: 'SUCCESS', bank_type: 'BPA', user_repaid: 'N' })
})

test('a car that is not open, another car or an unknown entry is not debited', async () => {
  await plate('鄂A00006', 'open')
  const { body: entry } = await enter('in-6', '鄂A00006')
  expect((await debit('debited-4', entry.id as string, '鄂A00007')).body.code).toBe('INVALID_REQUEST')
  expect((await debit('debited-4', 'NOTHING', '鄂A00006')).body.code).toBe('INVALID_REQUEST')
  expect((await debit('debited-4', entry.id as string, '鄂A00006', 1, { appid: 'wx1' })).body.code).toBe('APPID_MCHID_NOT_MATCH')
  await plate('鄂A00006', 'end')
  expect((await debit('debited-4', entry.id as string, '鄂A00006')).status).toBe(400)
  expect((await state('debited-4')).code).toBe('ORDER_NOT_EXIST')
})

test('a driver who pauses the service while the car stands: the merchant hears of it, and again when it is open', async () => {
  await plate('鄂A00008', 'open')
  await enter('in-8', '鄂A00008')
  await plate('鄂A00008', 'pause')
  await expect.poll(() => noticesAt('/entry', 'in-8').map((one) => resourceIn(desk, one).parking_state)).toEqual(['BLOCKED'])
  expect(JSON.parse(noticesAt('/entry', 'in-8')[0]!.body)).toMatchObject({ event_type: 'VEHICLE.ENTRANCE_STATE_CHANGE' })
  await plate('鄂A00008', 'open')
  await expect.poll(() => noticesAt('/entry', 'in-8').map((one) => resourceIn(desk, one).parking_state)).toEqual(['BLOCKED', 'NORMAL'])
})
