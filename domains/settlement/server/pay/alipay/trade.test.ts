import { createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { payerOf, payerPage } from './oauth.ts'
import type { CreateOrder } from './port.ts'
import { alipayProvider } from './provider.ts'
import { isSigned, textOf } from './signing.ts'
import { aGateway, anAccount, answered, APP, merchantKeys, SELLER, strangerKeys } from './testing.ts'
import { cancelTrade } from './trade.ts'

type Told = string | Buffer | number | Record<string, unknown>
/** What Alipay says to each method, in turn; the last one again and again. */
let says: Record<string, Told[]> = {}
let alipay: Awaited<ReturnType<typeof aGateway>>
beforeAll(async () => {
  alipay = await aGateway((method) => {
    const [next, ...more] = says[method] ?? [404]
    if (more.length > 0) says[method] = more
    return typeof next === 'object' && !Buffer.isBuffer(next) ? answered(method, next) : next!
  })
})
afterAll(() => alipay.stop())
beforeEach(() => {
  says = {}
  alipay.asked.length = 0
})
const account = (differs = {}) => anAccount({ gateway: alipay.gateway, returnUrl: 'https://park.example/back', ...differs })
const provider = (differs = {}) => alipayProvider(account(differs))
const asked = (at = 0) => Object.fromEntries(alipay.asked[at]!) as Record<string, string>
const content = (at = 0) => JSON.parse(asked(at)['biz_content']!) as Record<string, unknown>

const payNo = 'DD20261201095500000001-1'
const ok = { code: '10000', msg: 'Success', out_trade_no: payNo }
const no = (subCode: string, code = '40004') => ({ code, msg: 'Business Failed', sub_code: subCode, sub_msg: '原因' })
const order = (differs: Partial<CreateOrder> = {}): CreateOrder => ({
  payNo,
  amountFen: 1250,
  subject: '停车费 鄂F12345',
  expiresAt: instantAt(Date.now() + 5 * 60_000 - 1_000),
  scene: 'native',
  clientIp: '203.0.113.7',
  ...differs,
})

describe('every request', () => {
  const key = createPublicKey({ key: Buffer.from(merchantKeys.publicKey, 'base64'), format: 'der', type: 'spki' })
  const signs = (form: Record<string, string>) => isSigned(textOf(Object.entries(form).filter(([name]) => name !== 'sign')), form['sign']!, key)
  test('is signed over all its fields by the app’s key', async () => {
    says = { 'alipay.trade.query': [no('ACQ.TRADE_NOT_EXIST')] }
    await provider({ appAuthToken: '202612BB' }).query({ payNo: 'a&b=c' })
    expect(asked()).toMatchObject({ app_id: APP, method: 'alipay.trade.query', format: 'JSON', charset: 'utf-8', sign_type: 'RSA2', version: '1.0' })
    expect(asked()).toMatchObject({ app_auth_token: '202612BB', timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) })
    expect(content()).toEqual({ out_trade_no: 'a&b=c' })
    expect(signs(asked())).toBe(true)
    expect(signs({ ...asked(), biz_content: '{}' })).toBe(false)
  })
  test('names its certificates in certificate mode', async () => {
    says = { 'alipay.trade.query': [no('ACQ.TRADE_NOT_EXIST')] }
    const serials = new Map([
      ['app_cert_sn', 'a1'],
      ['alipay_root_cert_sn', 'b2_c3'],
    ])
    await alipayProvider({ ...account(), serials }).query({ payNo })
    expect(asked()).toMatchObject({ app_cert_sn: 'a1', alipay_root_cert_sn: 'b2_c3' })
    expect(signs(asked())).toBe(true)
  })
})

describe('a payment begins', () => {
  test('with a code that lives no longer than the payment', async () => {
    says = { 'alipay.trade.precreate': [{ ...ok, qr_code: 'https://qr.alipay.com/bax03431' }] }
    expect(await provider().create(order())).toEqual({ codeUrl: 'https://qr.alipay.com/bax03431' })
    expect(content()).toEqual({
      out_trade_no: payNo,
      total_amount: '12.50',
      subject: '停车费 鄂F12345',
      seller_id: SELLER,
      product_code: 'FACE_TO_FACE_PAYMENT',
      timeout_express: '5m',
      qr_code_timeout_express: '5m',
    })
    expect(asked()['notify_url']).toBe('https://park.example/alipay')
  })
  test('within Alipay, by the number of its trade', async () => {
    says = { 'alipay.trade.create': [{ ...ok, trade_no: '2026120122001468450512505578' }] }
    const pays = (payer?: string) => provider().create(order({ scene: 'jsapi', ...(payer && { payer }) }))
    expect(await pays('074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5')).toEqual({ jsapi: { tradeNO: '2026120122001468450512505578' } })
    expect(content()).toMatchObject({ product_code: 'JSAPI_PAY', op_app_id: APP, buyer_open_id: '074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5' })
    await pays('2088102534368455')
    expect(content(1)).toMatchObject({ buyer_id: '2088102534368455' })
    await expect(pays()).rejects.toThrow(/payer’s Alipay account is not known/)
  })
  test('in any other browser, on a signed page, without a question beforehand', async () => {
    const started = await provider().create(order({ scene: 'h5' }))
    const url = new URL((started as { payUrl: string }).payUrl)
    expect(`${url.origin}${url.pathname}`).toBe(alipay.gateway)
    const form = Object.fromEntries(url.searchParams)
    expect(form).toMatchObject({ method: 'alipay.trade.wap.pay', return_url: 'https://park.example/back', notify_url: 'https://park.example/alipay' })
    expect(JSON.parse(form['biz_content']!)).toMatchObject({ product_code: 'QUICK_WAP_WAY', total_amount: '12.50', out_trade_no: payNo })
    expect(alipay.asked).toHaveLength(0)
  })
  test.each([
    ['a number that was paid', no('ACQ.TRADE_HAS_SUCCESS'), /declined \(ACQ.TRADE_HAS_SUCCESS\)/],
    ['a forbidden word', no('ACQ.EXIST_FORBIDDEN_WORD'), /declined/],
    ['an app that Alipay does not know', no('isv.invalid-app-id', '40002'), /refused the app’s request \(isv.invalid-app-id\)/],
    ['an app without the right', no('isv.insufficient-isv-permissions', '40006'), /refused the app’s request/],
    ['a seller without a contract', no('ACQ.ACCESS_FORBIDDEN'), /refused the app’s request/],
    ['a system that is busy', no('isp.unknow-error', '20000'), /not available/],
    ['a system that is busy, in the business’s words', no('ACQ.SYSTEM_ERROR'), /not available/],
    ['the code of another payment', { ...ok, out_trade_no: 'DD2-1', qr_code: 'https://qr.alipay.com/x' }, /not signed by Alipay/],
    ['no code', ok, /not signed by Alipay/],
  ])('not with %s', async (_, told, sentence) => {
    says = { 'alipay.trade.precreate': [told] }
    await expect(provider().create(order())).rejects.toThrow(sentence)
  })
  test('a busy system is asked again with the same number', async () => {
    says = { 'alipay.trade.precreate': [no('isp.unknow-error', '20000'), { ...ok, qr_code: 'https://qr.alipay.com/x' }] }
    expect(await provider().create(order())).toEqual({ codeUrl: 'https://qr.alipay.com/x' })
    expect(alipay.asked.map((form) => JSON.parse(form.get('biz_content')!).out_trade_no)).toEqual([payNo, payNo])
  })
})

describe('a payment is asked after', () => {
  const paid = { ...ok, trade_no: '20261201', trade_status: 'TRADE_SUCCESS', total_amount: '12.50', send_pay_date: '2026-12-01 10:00:04' }
  const found = { state: 'paid', tradeNo: '20261201', amountFen: 1250, paidAt: '2026-12-01T02:00:04.000Z' }
  test.each([
    ['paid', paid, found],
    ['paid, and over', { ...paid, trade_status: 'TRADE_FINISHED' }, found],
    ['not yet paid', { ...paid, trade_status: 'WAIT_BUYER_PAY' }, { state: 'unpaid' }],
    ['closed', { ...paid, trade_status: 'TRADE_CLOSED' }, { state: 'closed' }],
    ['not known', no('ACQ.TRADE_NOT_EXIST'), { state: 'none' }],
  ])('%s', async (_, told, state) => {
    says = { 'alipay.trade.query': [told] }
    expect(await provider().query({ payNo })).toEqual(state)
  })
  test.each([
    ['an answer that a stranger signed', () => answered('alipay.trade.query', paid, strangerKeys), /not signed by Alipay/],
    ['an answer without a signature', () => JSON.stringify({ alipay_trade_query_response: paid }), /not signed by Alipay/],
    ['an old answer about another payment', () => ({ ...paid, out_trade_no: 'DD2-1' }), /not signed by Alipay/],
    ['a payment of nothing', () => ({ ...paid, total_amount: '0.00' }), /not signed by Alipay/],
    ['a payment without a number', () => ({ ...paid, trade_no: undefined }), /not signed by Alipay/],
    ['a state that nobody knows', () => ({ ...paid, trade_status: 'TRADE_PENDING_REVIEW' }), /not signed by Alipay/],
    ['an unsigned word of absence', () => JSON.stringify({ error_response: no('ACQ.TRADE_NOT_EXIST', '40002') }), /refused the app’s request/],
    ['half of an answer', () => answered('alipay.trade.query', paid).slice(0, 120), /not available/],
    ['a page of an edge', () => '<html>503</html>', /not available/],
    ['a code of an edge', () => 502, /not available/],
    ['an answer of no known code', () => ({ ...paid, code: '99999' }), /not available/],
  ])('%s is not believed', async (_, told, sentence) => {
    says = { 'alipay.trade.query': [told()] }
    await expect(provider().query({ payNo })).rejects.toThrow(sentence)
  })
  test('a gateway that is not there, or lies within our own network, is away', async () => {
    await expect(provider({ gateway: 'http://127.0.0.1:1/gateway.do' }).query({ payNo })).rejects.toThrow(/not available/)
    await expect(provider({ gateway: 'http://169.254.169.254/gateway.do' }).query({ payNo })).rejects.toThrow(/not available/)
  })
})

describe('a payment is given up', () => {
  test('closing one that is not known, or was paid a moment ago, is no error', async () => {
    for (const told of [ok, no('ACQ.TRADE_NOT_EXIST'), no('ACQ.REASON_TRADE_STATUS_INVALID')]) {
      says = { 'alipay.trade.close': [told] }
      await provider().close({ payNo })
    }
    says = { 'alipay.trade.close': [no('ACQ.SYSTEM_ERROR')] }
    await expect(provider().close({ payNo })).rejects.toThrow(/not available/)
  })
  test('cancelling closes it or gives the money back, until Alipay says that it is done', async () => {
    says = { 'alipay.trade.cancel': [{ ...ok, retry_flag: 'N', action: 'refund' }] }
    expect(await cancelTrade(account(), { payNo })).toBe('refunded')
    says = { 'alipay.trade.cancel': [{ ...ok, retry_flag: 'N', action: 'close' }] }
    expect(await cancelTrade(account(), { payNo })).toBe('closed')
    says = { 'alipay.trade.cancel': [{ ...ok, retry_flag: 'Y' }] }
    await expect(cancelTrade(account(), { payNo })).rejects.toThrow(/not available/)
  })
})

describe('a refund', () => {
  const refundNo = 'TK20261201100000000001'
  const back = { payNo, tradeNo: '20261201', refundNo, amountFen: 250, reason: '多收' }
  const found = { ...ok, out_request_no: refundNo, refund_status: 'REFUND_SUCCESS', refund_amount: '2.50', trade_no: '20261201' }
  test.each([
    ['is done at once', [{ ...ok, fund_change: 'Y', trade_no: '20261201' }], [], { state: 'done', channelRefundNo: '20261201' }],
    ['that was done before is found', [{ ...ok, fund_change: 'N' }], [found], { state: 'done', channelRefundNo: '20261201' }],
    ['that is not found yet is asked again', [{ ...ok, fund_change: 'N' }], [ok], { state: 'accepted' }],
    ['of which a busy system does not know', [no('ACQ.SYSTEM_ERROR')], [ok], { state: 'accepted' }],
    ['that a busy system did all the same', [no('isp.unknow-error', '20000')], [found], { state: 'done', channelRefundNo: '20261201' }],
    ['for which the seller has too little', [no('ACQ.SELLER_BALANCE_NOT_ENOUGH')], [], { state: 'failed', failure: '原因' }],
    ['of more than was paid', [no('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')], [], { state: 'failed', failure: '原因' }],
    ['of a trade that is frozen', [no('ACQ.REASON_TRADE_BEEN_FREEZEN')], [], { state: 'abnormal', failure: '原因' }],
    ['to a payer who is gone', [no('ACQ.BUYER_NOT_EXIST')], [], { state: 'abnormal', failure: '原因' }],
  ])('%s', async (_, refunds, queries, state) => {
    says = { 'alipay.trade.refund': refunds as Told[], 'alipay.trade.fastpay.refund.query': queries as Told[] }
    expect(await provider().refund(back)).toEqual(state)
    expect(content()).toEqual({ out_trade_no: payNo, out_request_no: refundNo, refund_amount: '2.50', refund_reason: '多收' })
  })
  test('is asked after by its own number', async () => {
    const asks = async (told: Told) => {
      says = { 'alipay.trade.fastpay.refund.query': [told] }
      return provider().queryRefund({ payNo, refundNo })
    }
    expect(await asks(found)).toEqual({ state: 'done', channelRefundNo: '20261201' })
    expect(await asks(ok)).toEqual({ state: 'none' })
    expect(await asks(no('ACQ.TRADE_NOT_EXIST'))).toEqual({ state: 'none' })
    await expect(asks({ ...found, out_request_no: 'TK2' })).rejects.toThrow(/not signed by Alipay/)
    await expect(asks({ ...found, out_trade_no: 'DD2-1' })).rejects.toThrow(/not signed by Alipay/)
  })
  test('of another amount is not this one', async () => {
    says = { 'alipay.trade.refund': [{ ...ok, fund_change: 'N' }], 'alipay.trade.fastpay.refund.query': [{ ...found, refund_amount: '25.00' }] }
    await expect(provider().refund(back)).rejects.toThrow(/not signed by Alipay/)
  })
})

describe('who pays', () => {
  test('is told by a code, once', async () => {
    const page = new URL(payerPage(account(), 'https://park.example/pay?order=1', 's1'))
    expect(Object.fromEntries(page.searchParams)).toEqual({
      app_id: APP,
      scope: 'auth_base',
      redirect_uri: 'https://park.example/pay?order=1',
      state: 's1',
    })
    says = { 'alipay.system.oauth.token': [{ access_token: 'publicpBa869', open_id: '074a1CcTG1', expires_in: 500 }] }
    expect(await payerOf(account(), '4b203fe6c11548bcabd8da5bb087a83b')).toBe('074a1CcTG1')
    expect(asked()).toMatchObject({ grant_type: 'authorization_code', code: '4b203fe6c11548bcabd8da5bb087a83b' })
    says = { 'alipay.system.oauth.token': [no('isv.code-invalid', '40002')] }
    await expect(payerOf(account(), 'x')).rejects.toThrow(/payer’s Alipay account is not known/)
  })
})
