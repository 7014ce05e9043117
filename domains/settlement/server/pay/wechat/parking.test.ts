import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PlateColor } from '../../../../../platform/contract/plate.ts'
import { instantAt, instantOf } from '../../../../../platform/contract/time.ts'
import { type Client, wechatClient } from './client.ts'
import { readNotice } from './notice.ts'
import { type Debit, type WechatParking, wechatParking } from './parking.ts'
import { account, aWechat, noticeOf, type Wechat } from './testing.ts'
import { wechatProvider } from './wechatProvider.ts'

let wechat: Wechat
let client: Client
let parking: WechatParking
beforeAll(async () => {
  wechat = await aWechat()
  client = wechatClient(wechat.account)
  parking = wechatParking(client, wechat.account)
})
beforeEach(() => void (wechat.asked.length = 0))
afterAll(() => wechat.close())

const [startAt, endAt] = [instantOf('2026-11-20 08:00:00')!, instantOf('2026-11-20 10:30:00')!]
const car = { plateNo: '鄂F12345', plateColor: PlateColor.blue }
const away = { code: 40502 }

describe('whether a driver has allowed it', () => {
  const find = (body: object) => wechat.says('GET /v3/vehicle/parking/services/find', { body })
  test('for this plate in this colour', async () => {
    find({ plate_number: '鄂F12345', plate_color: 'BLUE', openid: 'o1', service_state: 'NORMAL', service_open_time: '2026-01-02T10:43:39+08:00' })
    expect(await parking.service({ ...car, openid: 'o1' })).toEqual({ state: 'open', openedAt: '2026-01-02T02:43:39.000Z' })
    const { searchParams } = new URL(wechat.asked[0]!.target, 'http://x')
    expect(Object.fromEntries(searchParams)).toEqual({ appid: account.appId, plate_number: '鄂F12345', plate_color: 'BLUE', openid: 'o1' })
    // Neither the plate nor the openid stands in the log.
    expect(JSON.stringify(wechat.heard)).not.toMatch(/F12345|o1"/)
  })
  test.each([
    ['PAUSE', 'paused'],
    ['OUT_SERVICE', 'none'],
  ])('%s', async (service_state, state) => {
    find({ service_state })
    expect(await parking.service({ ...car, openid: 'o1' })).toEqual({ state, openedAt: undefined })
  })
  test('nobody is asked for a colour that WeChat does not know', async () => {
    expect(await parking.service({ plateNo: '鄂F12345', plateColor: PlateColor.other, openid: 'o1' })).toMatchObject({ state: 'none' })
    expect(wechat.asked).toEqual([])
  })
  test('a word that nobody knows is no answer', async () => {
    find({ service_state: 'MAYBE' })
    await expect(parking.service({ ...car, openid: 'o1' })).rejects.toMatchObject(away)
  })
})

describe('an entry', () => {
  const stay = { ...car, plateColor: PlateColor.yellowGreen, outParkingNo: 'S1', startAt, parkName: '诸葛亮广场', freeSeconds: 900 }
  const CREATE = 'POST /v3/vehicle/parking/parkings'
  test('is told of, and can be debited or not', async () => {
    wechat.says(CREATE, { body: { id: '5K8264ILTKCH16CQ250', out_parking_no: 'S1', state: 'NORMAL' } })
    expect(await parking.enter(stay)).toEqual({ parkingId: '5K8264ILTKCH16CQ250', usable: true, blocked: undefined })
    expect(wechat.asked[0]!.body).toEqual({
      out_parking_no: 'S1',
      plate_number: '鄂F12345',
      plate_color: 'LIMEGREEN',
      notify_url: account.notifyUrl,
      start_time: '2026-11-20T08:00:00+08:00',
      parking_name: '诸葛亮广场',
      free_duration: 900,
    })
    wechat.says(CREATE, { body: { id: '5K8264ILTKCH16CQ250', out_parking_no: 'S1', state: 'BLOCKED', block_reason: 'OVERDUE' } })
    expect(await parking.enter(stay)).toMatchObject({ usable: false, blocked: 'OVERDUE' })
  })
  test('of another stay is no answer, and of a colour that WeChat does not know it is not told', async () => {
    wechat.says(CREATE, { body: { id: 'x', out_parking_no: 'S2', state: 'NORMAL' } })
    await expect(parking.enter(stay)).rejects.toMatchObject(away)
    expect(await parking.enter({ ...stay, plateColor: PlateColor.blueWhite })).toBeUndefined()
  })
})

const order: Debit = {
  ...car,
  parkingId: '5K8264ILTKCH16CQ250',
  startAt,
  endAt,
  parkName: '诸葛亮广场',
  chargedSeconds: 8100,
  deviceNo: 'P001-G01',
  payNo: 'TC1-1',
  amountFen: 1200,
  subject: '停车费 鄂F12345',
}
const trade = (trade_state: string, more: object = {}) => ({
  appid: account.appId,
  sp_mchid: account.mchId,
  out_trade_no: 'TC1-1',
  trade_state,
  trade_scene: 'PARKING',
  transaction_id: '1009660380201506130728806387',
  success_time: '2026-11-20T10:30:05+08:00',
  bank_type: 'CMC',
  amount: { total: 1200, currency: 'CNY', payer_total: 1200 },
  ...more,
})
describe('a debit', () => {
  test('is accepted, and made a moment later', async () => {
    wechat.says('POST /v3/vehicle/transactions/parking', { body: trade('ACCEPTED', { transaction_id: undefined, success_time: undefined }) })
    expect(await parking.debit(order)).toEqual({ state: 'unpaid', payNo: 'TC1-1', advanced: false, repaid: false })
    expect(wechat.asked[0]!.body).toEqual({
      appid: account.appId,
      description: '停车费 鄂F12345',
      out_trade_no: 'TC1-1',
      trade_scene: 'PARKING',
      notify_url: account.notifyUrl,
      profit_sharing: 'N',
      amount: { total: 1200, currency: 'CNY' },
      parking_info: {
        parking_id: '5K8264ILTKCH16CQ250',
        plate_number: '鄂F12345',
        plate_color: 'BLUE',
        start_time: '2026-11-20T08:00:00+08:00',
        end_time: '2026-11-20T10:30:00+08:00',
        parking_name: '诸葛亮广场',
        charging_duration: 8100,
        device_id: 'P001-G01',
      },
    })
  })
  test.each([
    ['SUCCESS', {}, { state: 'paid', amountFen: 1200, advanced: false }],
    ['SUCCESS', { bank_type: 'BPA', user_repaid: 'N' }, { state: 'paid', advanced: true, repaid: false }],
    ['SUCCESS', { bank_type: 'BPA', user_repaid: 'Y' }, { state: 'paid', advanced: true, repaid: true }],
    ['REFUND', {}, { state: 'paid' }],
    ['PAY_FAIL', {}, { state: 'closed' }],
  ])('asked after is %s %o', async (state, more, told) => {
    wechat.says('GET /v3/vehicle/transactions/out-trade-no/TC1-1', { body: trade(state, more) })
    expect(await parking.query('TC1-1')).toMatchObject(told)
  })
  test('of which WeChat has never heard, or says nothing clear', async () => {
    const query = 'GET /v3/vehicle/transactions/out-trade-no/TC1-1'
    wechat.says(query, { status: 404, body: { code: 'ORDER_NOT_EXIST', message: '' } })
    expect(await parking.query('TC1-1')).toEqual({ state: 'none' })
    wechat.says(query, { body: trade('SUCCESS', { out_trade_no: 'TC2-1' }) })
    await expect(parking.query('TC1-1')).rejects.toMatchObject(away)
    wechat.says('POST /v3/vehicle/transactions/parking', { status: 403, body: { code: 'NO_AUTH', message: '' } })
    await expect(parking.debit(order)).rejects.toMatchObject({ code: 40552, data: { word: 'NO_AUTH' } })
  })
})

describe('notices of parking', () => {
  const read = async (event: string, content: object) => {
    const { body, headers } = noticeOf(event, content)
    return (await readNotice(client, account, body, headers, instantAt(Date.now()))).facts
  }
  const entry = {
    sp_mchid: account.mchId,
    parking_id: '5K8264ILTKCH16CQ250',
    out_parking_no: 'S1',
    plate_number: '鄂F12345',
    plate_color: 'BLUE',
    parking_state: 'BLOCKED',
    blocked_state_description: 'REMOVE',
    state_update_time: '2026-11-20T09:00:00.120+08:00',
  }
  test('an entry that can no longer be debited', async () => {
    expect(await read('VEHICLE.ENTRANCE_STATE_CHANGE', entry)).toEqual({
      kind: 'parkingEntry',
      parkingId: '5K8264ILTKCH16CQ250',
      outParkingNo: 'S1',
      usable: false,
      blocked: 'REMOVE',
      changedAt: '2026-11-20T01:00:00.120Z',
    })
  })
  test('a debit that was made, failed or was paid back, whichever of its words WeChat takes', async () => {
    expect(await read('TRANSACTION.SUCCESS', trade('SUCCESS', { bank_type: 'BPA' }))).toMatchObject({
      kind: 'parkingDebit',
      state: 'paid',
      advanced: true,
    })
    for (const state of ['PAY_FAIL', 'FAIL'])
      expect(await read('TRANSACTION.FAIL', trade(state))).toMatchObject({ kind: 'parkingDebit', state: 'closed' })
    for (const state of ['SUCCESS', 'PAY_BACK'])
      expect(await read('TRANSACTION.PAY_BACK', trade(state, { bank_type: 'BPA', user_repaid: 'Y' }))).toMatchObject({ state: 'paid', repaid: true })
  })
  test('settlement hears of a debit as of a payment, and of an entry nothing', async () => {
    const provider = wechatProvider(account, client)
    const hear = (event: string, content: object) =>
      (({ body, headers }) => provider.verifyNotice(body, headers, instantAt(Date.now())))(noticeOf(event, content))
    expect(await hear('TRANSACTION.SUCCESS', trade('SUCCESS'))).toMatchObject({ kind: 'payment', number: 'TC1-1', amountFen: 1200, ok: true })
    expect(await hear('TRANSACTION.FAIL', trade('PAY_FAIL'))).toMatchObject({ kind: 'payment', number: 'TC1-1', ok: false })
    expect(await hear('VEHICLE.ENTRANCE_STATE_CHANGE', entry)).toBeUndefined()
  })
  test('of another merchant or app, or whose event and state contradict each other, are refused', async () => {
    for (const [event, content] of [
      ['TRANSACTION.SUCCESS', trade('SUCCESS', { sp_mchid: '1900000110' })],
      ['TRANSACTION.SUCCESS', trade('SUCCESS', { appid: 'wx0000000000000000' })],
      ['TRANSACTION.FAIL', trade('SUCCESS')],
      ['VEHICLE.ENTRANCE_STATE_CHANGE', { ...entry, sp_mchid: '1900000110' }],
    ] as const)
      await expect(read(event, content)).rejects.toMatchObject({ code: 40503 })
  })
})
