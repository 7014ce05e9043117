import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { instantOf } from '../../../../../platform/contract/time.ts'
import type { Asked, WechatProvider } from './types.ts'
import { account, API_KEY, aWechat, PAID, sealedBy, stranger, type Wechat } from './testing.ts'
import { published } from './published/testing.ts'
import { wechatProvider } from './wechatProvider.ts'

let wechat: Wechat
let provider: WechatProvider
beforeAll(async () => {
  wechat = await aWechat()
  provider = wechatProvider(wechat.account)
})
beforeEach(() => {
  wechat.asked.length = 0
  wechat.heard.length = 0
})
afterAll(() => wechat.close())

const payNo = PAID.out_trade_no
const order: Asked = {
  merchant: 1,
  channel: 'wechat',
  payNo,
  amountFen: 1200,
  subject: '停车费 鄂F00001',
  expiresAt: instantOf('2026-11-20 10:35:00')!,
  scene: 'native',
}
const which = { merchant: 1, payNo }
const away = { code: 40502, status: 503 }
const CREATE = 'POST /v3/pay/transactions'
const QUERY = 'GET /v3/pay/transactions/out-trade-no/'

describe('a payment', () => {
  test('by a code to be scanned', async () => {
    wechat.says(`${CREATE}/native`, { body: { code_url: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz' } })
    expect(await provider.create({ ...order, clientIp: '203.0.113.7' })).toEqual({ codeUrl: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz' })
    expect(wechat.asked[0]).toMatchObject({
      method: 'POST',
      target: '/v3/pay/transactions/native',
      body: {
        appid: account.appId,
        mchid: account.mchId,
        description: '停车费 鄂F00001',
        out_trade_no: payNo,
        time_expire: '2026-11-20T10:35:00+08:00',
        notify_url: account.notifyUrl,
        amount: { total: 1200, currency: 'CNY' },
        scene_info: { payer_client_ip: '203.0.113.7' },
      },
    })
    // WeChat answers under the key that it is told we have.
    expect(wechat.asked[0]!.headers['wechatpay-serial']).toBe(account.publicKeyId)
  })
  test('within WeChat, with the parameters of its page', async () => {
    wechat.says(`${CREATE}/jsapi`, { body: { prepay_id: 'wx26112221580621e9b071c00d9e093b0000' } })
    const made = await provider.create({ ...order, scene: 'jsapi', payer: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' })
    expect(wechat.asked[0]!.body).toMatchObject({ payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' } })
    const { jsapi } = made as Extract<typeof made, { jsapi: unknown }>
    expect(jsapi).toMatchObject({ appId: account.appId, package: 'prepay_id=wx26112221580621e9b071c00d9e093b0000', signType: 'RSA' })
    const text = `${jsapi.appId}\n${jsapi.timeStamp}\n${jsapi.nonceStr}\n${jsapi.package}\n`
    expect(verify('sha256', Buffer.from(text), createPublicKey(account.privateKey), Buffer.from(jsapi.paySign, 'base64'))).toBe(true)
  })
  test('in another browser, and back to our page', async () => {
    wechat.says(`${CREATE}/h5`, { body: { h5_url: 'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=2' } })
    const made = await provider.create({ ...order, scene: 'h5', clientIp: '203.0.113.7', returnUrl: 'https://pay.example.cn/my/1?a=b' })
    expect(made).toEqual({
      payUrl:
        'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=2&redirect_url=https%3A%2F%2Fpay.example.cn%2Fmy%2F1%3Fa%3Db',
    })
    expect(wechat.asked[0]!.body.scene_info).toEqual({ payer_client_ip: '203.0.113.7', h5_info: { type: 'Wap' } })
    await expect(provider.create({ ...order, scene: 'h5' })).rejects.toThrow('address of the payer')
    await expect(provider.create({ ...order, scene: 'jsapi' })).rejects.toThrow('openid')
  })
  test('a long subject is cut by bytes, between characters', async () => {
    wechat.says(`${CREATE}/native`, { body: { code_url: 'weixin://x' } })
    await provider.create({ ...order, subject: `a${'停'.repeat(100)}` })
    expect(wechat.asked[0]!.body.description).toBe(`a${'停'.repeat(42)}`)
  })
  test('that WeChat refuses is refused with its word; what it does not know yet is not', async () => {
    wechat.says(`${CREATE}/native`, { status: 403, body: { code: 'RULE_LIMIT', message: '业务规则限制' } })
    await expect(provider.create(order)).rejects.toMatchObject({ code: 40552, data: { word: 'RULE_LIMIT' } })
    wechat.says(`${CREATE}/native`, { status: 400, body: { code: 'APPID_MCHID_NOT_MATCH', message: '' } })
    await expect(provider.create(order)).rejects.toMatchObject({ code: 40552 })
    wechat.says(`${CREATE}/native`, { body: { code: 'no code_url' } })
    await expect(provider.create(order)).rejects.toMatchObject(away)
  })
  test('of another enterprise is not made with this one’s keys', async () => {
    await expect(provider.create({ ...order, merchant: 2 })).rejects.toMatchObject({ code: 40501 })
    expect(wechat.asked).toEqual([])
  })
})

describe('a trade', () => {
  test.each([
    ['SUCCESS', { state: 'paid', tradeNo: PAID.transaction_id, amountFen: 1200, paidAt: '2026-11-20T02:34:55.000Z' }],
    ['REFUND', { state: 'paid', tradeNo: PAID.transaction_id, amountFen: 1200, paidAt: '2026-11-20T02:34:55.000Z' }],
    ['NOTPAY', { state: 'unpaid' }],
    ['USERPAYING', { state: 'unpaid' }],
    ['PAYERROR', { state: 'unpaid' }],
    ['CLOSED', { state: 'closed' }],
    ['REVOKED', { state: 'closed' }],
  ])('%s', async (trade_state, told) => {
    wechat.says(QUERY, { body: { ...PAID, trade_state } })
    expect(await provider.query(which)).toEqual(told)
    expect(wechat.asked[0]!.target).toBe(`/v3/pay/transactions/out-trade-no/${payNo}?mchid=${account.mchId}`)
  })
  test('of which WeChat has never heard', async () => {
    wechat.says(QUERY, { status: 404, body: { code: 'ORDER_NOT_EXIST', message: '订单不存在' } })
    expect(await provider.query(which)).toEqual({ state: 'none' })
  })
  test.each([
    ['it is busy', { status: 500, body: { code: 'SYSTEM_ERROR', message: '系统异常' } }],
    ['it is asked too much', { status: 429, body: { code: 'FREQUENCY_LIMITED', message: '频率超限' } }],
    ['a gateway before it fails', { status: 502, body: '<html>502</html>', unsigned: true }],
    ['a proxy knows no such page', { status: 404, body: '<html>404</html>', unsigned: true }],
    ['it fails in a way that nobody knows', { status: 503, body: { code: 'SOMETHING_NEW', message: '' } }],
    ['the line breaks', { silent: true }],
    ['it sends elsewhere', { status: 302, headers: { location: 'https://example.com/' } }],
    ['its payer is just paying', { status: 202, body: { code: 'USERPAYING', message: '' } }],
    ['it says a state that nobody knows', { body: { ...PAID, trade_state: 'MAYBE' } }],
    ['it answers of another trade', { body: { ...PAID, out_trade_no: 'TC2-1' } }],
    ['it answers of another merchant', { body: { ...PAID, mchid: '1900000110' } }],
    ['it is paid without an amount', { body: { ...PAID, amount: {} } }],
    ['the answer is no JSON', { body: 'success' }],
  ])('of which nothing is known while %s', async (_, said) => {
    wechat.says(QUERY, said)
    await expect(provider.query(which)).rejects.toMatchObject(away)
  })
  test.each([
    ['without a signature', { unsigned: true }],
    ['signed by a stranger', { signedBy: stranger.privateKey }],
    ['signed with a key that we do not have', { serial: 'PUB_KEY_ID_0114232134912410000000000001' }],
    ['signed five minutes ago', { secondsAgo: 300 }],
    ['cut on its way', { sends: JSON.stringify(PAID).slice(0, -2) }],
    ['changed on its way', { sends: JSON.stringify({ ...PAID, amount: { total: 1, currency: 'CNY' } }) }],
  ])('is not believed %s', async (_, more) => {
    wechat.says(QUERY, { body: PAID, ...more })
    await expect(provider.query(which)).rejects.toMatchObject(away)
  })
  test('a “there is none” that is signed wrongly is not believed', async () => {
    wechat.says(QUERY, { status: 404, body: { code: 'ORDER_NOT_EXIST', message: '' }, signedBy: stranger.privateKey })
    await expect(provider.query(which)).rejects.toMatchObject(away)
  })
  test('is closed, once or again, and not when somebody has paid', async () => {
    const close = `POST /v3/pay/transactions/out-trade-no/${payNo}/close`
    wechat.says(close, { status: 204 })
    await provider.close(which)
    expect(wechat.asked[0]).toMatchObject({ target: close.slice(5), body: { mchid: account.mchId } })
    for (const code of ['ORDER_CLOSED', 'ORDER_NOT_EXIST']) {
      wechat.says(close, { status: 400, body: { code, message: '' } })
      await expect(provider.close(which)).resolves.toBeUndefined()
    }
    wechat.says(close, { status: 400, body: { code: 'ORDERPAID', message: '订单已支付' } })
    await expect(provider.close(which)).rejects.toMatchObject(away)
    wechat.says(close, { status: 202, body: { code: 'USERPAYING', message: '' } })
    await expect(provider.close(which)).rejects.toMatchObject(away)
    wechat.says(close, { status: 401, body: { code: 'SIGN_ERROR', message: '' } })
    await expect(provider.close(which)).rejects.toMatchObject({ code: 40552 })
  })
  test('the log hears the Request-ID, and neither secrets nor who it was', async () => {
    wechat.says(QUERY, { status: 500, body: { code: 'SYSTEM_ERROR', message: '' } })
    await provider.query(which).catch(() => {})
    expect(wechat.heard).toEqual([
      {
        method: 'GET',
        path: `/v3/pay/transactions/out-trade-no/${payNo}`,
        status: 500,
        word: 'SYSTEM_ERROR',
        requestId: '08F78BB5AF0610D302189F99',
        ms: expect.any(Number),
      },
    ])
  })
})

test('a merchant with certificates fetches them when the first answer comes, and believes it then', async () => {
  const { publicKeyId: _, publicKey: __, ...certificates } = wechat.account
  const other = wechatProvider(certificates)
  const serial = published.headers['wechatpay-serial']
  wechat.says('GET /v3/certificates', {
    body: { data: [{ serial_no: serial, encrypt_certificate: sealedBy(published.certificate, { key: API_KEY, associatedData: 'certificate' }) }] },
    unsigned: true,
  })
  wechat.says(QUERY, { status: 404, body: { code: 'ORDER_NOT_EXIST', message: '' }, serial, signedBy: stranger.privateKey })
  await expect(other.query(which)).rejects.toMatchObject(away)
  expect(wechat.asked.map(({ target }) => target)).toEqual([expect.stringContaining(payNo), '/v3/certificates'])
  expect(wechat.asked[0]!.headers['wechatpay-serial']).toBeUndefined()
})
