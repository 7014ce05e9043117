import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instant } from '../../../../../platform/contract/field.ts'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { alipayProvider } from './provider.ts'
import { aGateway, anAccount, answered, SELLER } from './testing.ts'

let says: Record<string, Record<string, unknown>> = {}
let alipay: Awaited<ReturnType<typeof aGateway>>
beforeAll(async () => {
  alipay = await aGateway((method) => (says[method] ? answered(method, says[method]) : 404))
})
afterAll(() => alipay.stop())
beforeEach(() => {
  says = {}
  alipay.asked.length = 0
})
const account = () =>
  anAccount({
    gateway: alipay.gateway,
    agreement: { personalProductCode: 'GENERAL_WITHHOLDING_P', signScene: 'INDUSTRY|PARKING', productCode: 'GENERAL_WITHHOLDING' },
    parking: { parkingId: 'PI1509946268841654545', outParkingId: 'P001' },
  })
const contents = (method: string) =>
  alipay.asked.filter((form) => form.get('method') === method).map((form) => JSON.parse(form.get('biz_content')!) as Record<string, unknown>)

const contractNo = 'QY20261201000000000001'
const payNo = 'DD20261201095500000001-1'
const ok = { code: '10000', msg: 'Success' }
const no = (subCode: string, code = '40004') => ({ code, msg: 'Business Failed', sub_code: subCode, sub_msg: '原因' })

describe('under an agreement', () => {
  const agreements = () => alipayProvider(account()).agreements!
  const which = { merchant: 7, contractNo }
  const signed = { ...ok, external_agreement_no: contractNo, agreement_no: '20265225715271617440', status: 'NORMAL' }
  test('a driver signs on a page that names our number of it', async () => {
    const { signUrl } = await agreements().sign({ merchant: 7, channel: 'alipay', contractNo, plateNo: '鄂F12345' })
    const form = new URL(signUrl).searchParams
    expect(form.get('method')).toBe('alipay.user.agreement.page.sign')
    expect(form.get('notify_url')).toBe('https://park.example/alipay')
    expect(JSON.parse(form.get('biz_content')!)).toEqual({
      personal_product_code: 'GENERAL_WITHHOLDING_P',
      sign_scene: 'INDUSTRY|PARKING',
      external_agreement_no: contractNo,
      product_code: 'GENERAL_WITHHOLDING',
      access_params: { channel: 'QRCODE' },
      external_logon_id: '鄂F12345',
    })
  })
  test.each([
    [signed, { state: 'signed', agreementNo: '20265225715271617440' }],
    [{ ...signed, status: 'TEMP' }, { state: 'waiting', agreementNo: '20265225715271617440' }],
    [{ ...signed, status: 'STOP' }, { state: 'ended', agreementNo: '20265225715271617440' }],
    [no('USER_AGREEMENT_NOT_EXIST'), { state: 'none' }],
  ])('its state is asked after: %o', async (told, state) => {
    says = { 'alipay.user.agreement.query': told }
    expect(await agreements().query(which)).toEqual(state)
  })
  test('the agreement of another driver is not this one', async () => {
    says = { 'alipay.user.agreement.query': { ...signed, external_agreement_no: 'QY2' } }
    await expect(agreements().query(which)).rejects.toThrow(/not signed by Alipay/)
  })
  test('ending one that is over is no error; one that Alipay keeps is', async () => {
    for (const told of [ok, no('USER_AGREEMENT_NOT_EXIST')]) {
      says = { 'alipay.user.agreement.unsign': told }
      await agreements().end(which)
    }
    says = { 'alipay.user.agreement.unsign': no('UNSIGN_NOT_ALLOWED') }
    await expect(agreements().end(which)).rejects.toThrow(/declined/)
  })

  const debit = () =>
    agreements().debit({
      merchant: 7,
      channel: 'alipay',
      contractNo,
      payNo,
      amountFen: 1250,
      subject: '停车费',
      expiresAt: instantAt(Date.now() + 299_000),
    })
  const paid = { ...ok, out_trade_no: payNo, trade_no: '20261201', total_amount: '12.50', gmt_payment: '2026-12-01 10:00:04' }
  const trade = { state: 'paid', tradeNo: '20261201', amountFen: 1250, paidAt: '2026-12-01T02:00:04.000Z' }
  const asked = { ...ok, out_trade_no: payNo, trade_no: '20261201', total_amount: '12.50', send_pay_date: '2026-12-01 10:00:04' }
  test.each([
    ['is paid', paid, {}, trade],
    ['waits for the driver', { ...paid, code: '10003' }, {}, { state: 'unpaid' }],
    ['was paid before', no('ACQ.TRADE_HAS_SUCCESS'), { ...asked, trade_status: 'TRADE_SUCCESS' }, trade],
    ['that a busy system made', no('isp.unknow-error', '20000'), { ...asked, trade_status: 'TRADE_SUCCESS' }, trade],
    ['that a busy system did not make', no('ACQ.SYSTEM_ERROR'), no('ACQ.TRADE_NOT_EXIST'), { state: 'none' }],
    ['finds too little', no('ACQ.BUYER_BALANCE_NOT_ENOUGH'), {}, { state: 'closed', failure: 'balance' }],
    ['finds too little on the card, in a word that Alipay cuts', no('ACQ.BUYER_BANKCARD_BALANCE_NOT_E'), {}, { state: 'closed', failure: 'balance' }],
    ['finds no agreement', no('ACQ.AGREEMENT_NOT_EXIST'), {}, { state: 'closed', failure: 'agreement' }],
    ['is thought risky', no('ACQ.PAYMENT_REQUEST_HAS_RISK'), {}, { state: 'closed' }],
  ])('a debit %s', async (_, pays, queried, state) => {
    says = { 'alipay.user.agreement.query': signed, 'alipay.trade.pay': pays, 'alipay.trade.query': queried }
    expect(await debit()).toEqual(state)
    expect(contents('alipay.trade.pay')[0]).toMatchObject({
      out_trade_no: payNo,
      total_amount: '12.50',
      product_code: 'GENERAL_WITHHOLDING',
      agreement_params: { agreement_no: '20265225715271617440' },
      timeout_express: '5m',
    })
  })
  test('nothing is debited once the agreement is over', async () => {
    says = { 'alipay.user.agreement.query': { ...signed, status: 'STOP' }, 'alipay.trade.pay': paid }
    expect(await debit()).toEqual({ state: 'closed', failure: 'agreement' })
    expect(contents('alipay.trade.pay')).toEqual([])
  })
})

describe('by number plate', () => {
  const plates = () => alipayProvider(account()).plates!
  const car = { plateNo: '鄂F12345' }
  test.each([
    [{ ...ok, agreement_status: '0' }, true],
    [{ ...ok, agreement_status: '1' }, false],
    [{ ...ok, agreement_scene: 'PLATE_PAY,ETC_PAY', agreement_status: '1' }, true],
    [{ ...ok, agreement_scene: 'ETC_PAY', agreement_status: '0' }, false],
    [{ ...ok, agreement_scene: 'NO_AGREEMENT_SCENE' }, false],
    [ok, false],
    [no('CAR_NOT_FOUND'), false],
  ])('whether a plate may be debited: %o', async (told, may) => {
    says = { 'alipay.eco.mycar.parking.agreement.query': told }
    expect(await plates().query(car)).toBe(may)
    expect(contents('alipay.eco.mycar.parking.agreement.query')[0]).toEqual({ car_number: '鄂F12345', parking_id: 'PI1509946268841654545' })
  })
  test('Alipay hears that a car came and left', async () => {
    says = { 'alipay.eco.mycar.parking.enterinfo.sync': ok, 'alipay.eco.mycar.parking.exitinfo.sync': no('ANY_WORD') }
    const at = '2026-12-01T02:00:00.000Z' as Instant
    await plates().entered({ ...car, at })
    await plates().left({ ...car, at })
    expect(contents('alipay.eco.mycar.parking.enterinfo.sync')).toEqual([
      { parking_id: 'PI1509946268841654545', car_number: '鄂F12345', in_time: '2026-12-01 10:00:00' },
    ])
    expect(contents('alipay.eco.mycar.parking.exitinfo.sync')[0]).toMatchObject({ out_time: '2026-12-01 10:00:00' })
  })

  const debit = () => plates().debit({ ...car, color: 'blue', payNo, amountFen: 1250, subject: '停车费' })
  const paid = { ...ok, out_trade_no: payNo, trade_no: '20261201', total_fee: '12.50', gmt_payment: '2026-12-01 10:00:04' }
  const known = { ...ok, out_biz_trade_no: payNo, trade_no: '20261201', total_fee: '12.50', gmt_payment: '2026-12-01 10:00:04' }
  const trade = { state: 'paid', tradeNo: '20261201', amountFen: 1250, paidAt: '2026-12-01T02:00:04.000Z' }
  test.each([
    ['is paid', paid, no('X'), trade],
    ['was made before, whatever it is refused for', no('OUT_TRADE_NO_REPEATED'), { ...known, trade_status: 'TRADE_SUCCESS' }, trade],
    ['is refused, and no trade is known', no('ACQ.BUYER_BALANCE_NOT_ENOUGH'), no('TRADE_NOT_EXIST'), { state: 'closed', failure: 'balance' }],
    ['is refused for want of an agreement', no('AGREEMENT_NOT_SIGNED'), no('TRADE_NOT_EXIST'), { state: 'closed', failure: 'agreement' }],
    ['is not decided', no('isp.unknow-error', '20000'), no('TRADE_NOT_EXIST'), { state: 'none' }],
    ['is not decided, and then was made', no('SYSTEM_ERROR'), { ...known, trade_status: 'TRADE_SUCCESS' }, trade],
  ])('a debit %s', async (_, pays, queried, state) => {
    says = { 'alipay.eco.mycar.parking.order.pay': pays, 'alipay.eco.mycar.trade.order.query': queried }
    expect(await debit()).toEqual(state)
    expect(contents('alipay.eco.mycar.parking.order.pay')[0]).toEqual({
      car_number: '鄂F12345',
      car_number_color: 'blue',
      out_trade_no: payNo,
      subject: '停车费',
      total_fee: '12.50',
      seller_id: SELLER,
      parking_id: 'PI1509946268841654545',
      out_parking_id: 'P001',
    })
  })
  test('a debit is given back by the numbers of both', async () => {
    const back = { payNo, tradeNo: '20261201', refundNo: 'TK1', amountFen: 250, reason: '多收' }
    says = { 'alipay.eco.mycar.parking.order.refund': ok }
    expect(await plates().refund(back)).toEqual({ state: 'done', channelRefundNo: '20261201' })
    expect(contents('alipay.eco.mycar.parking.order.refund')[0]).toEqual({
      order_no: '20261201',
      out_order_no: payNo,
      out_refund_no: 'TK1',
      refund_fee: '2.50',
      refund_reason: '多收',
    })
    says = { 'alipay.eco.mycar.parking.order.refund': no('ACQ.SELLER_BALANCE_NOT_ENOUGH') }
    expect(await plates().refund(back)).toEqual({ state: 'failed', failure: '原因' })
    says = { 'alipay.eco.mycar.parking.order.refund': no('isp.unknow-error', '20000') }
    expect(await plates().refund(back)).toEqual({ state: 'accepted' })
  })
  test('a merchant without these contracts has neither', () => {
    const { agreements, plates: none } = alipayProvider(anAccount())
    expect([agreements, none]).toEqual([undefined, undefined])
  })
})
