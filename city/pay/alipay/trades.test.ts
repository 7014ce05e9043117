import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, alipaySigned, type Desk } from '../testing.ts'
import { contentOf, isAnswerGenuine, isNoticeGenuine, literalOf, paidTrade, payIdIn, precreated } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const ask = async (method: string, content: object, more?: Record<string, string>) => contentOf(await desk.alipay(method, content, more))
const query = (number: string) => ask('alipay.trade.query', { out_trade_no: number })

test('the signature is over the literal text of the answer; the same JSON written again does not verify', async () => {
  const answer = await precreated(desk, 'signed-1')
  expect(isAnswerGenuine(desk, answer)).toBe(true)
  const again = JSON.stringify(JSON.parse(literalOf(answer)))
  expect(again).not.toBe(literalOf(answer))
  expect(isAnswerGenuine(desk, answer, again)).toBe(false)
})

test.each([
  ['a wrong signature', { sign: 'bm8=' }, '40002', 'isv.invalid-signature'],
  ['an unknown application', { app_id: '2021000000000000' }, '40002', 'isv.invalid-app-id'],
  ['another kind of signature', { sign_type: 'RSA' }, '40002', 'isv.invalid-signature-type'],
  ['a timestamp that is none', { timestamp: '1700000000' }, '40002', 'isv.invalid-timestamp'],
])('%s is refused', async (_, more: Record<string, string>, code, subCode) => {
  expect(await ask('alipay.trade.query', { out_trade_no: 'signed-1' }, more)).toMatchObject({ code, sub_code: subCode })
})
test('an unknown method is refused', async () => {
  expect((await desk.alipay('alipay.trade.nothing', {})).body.error_response).toMatchObject({ code: '40002', sub_code: 'isv.invalid-method' })
})
test('a signature is of its own application', async () => {
  const [first, second] = desk.keys.alipay.apps
  const keys = { ...desk.keys, alipay: { ...desk.keys.alipay, apps: [{ ...first!, appId: second!.appId }] } }
  const body = new URLSearchParams(alipaySigned({ keys, now: desk.now }, 'alipay.trade.query', { out_trade_no: 'signed-1' }))
  expect(await (await fetch(`${desk.url}/gateway.do`, { method: 'POST', body })).text()).toContain('isv.invalid-signature')
})

test('a precreated trade is not there before a driver has scanned its code, then waits, then is paid', async () => {
  const answer = await precreated(desk, 'scanned-1')
  expect(await query('scanned-1')).toMatchObject({ code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST' })
  expect(await (await fetch(contentOf(answer).qr_code as string)).text()).toContain('¥5.00')
  const waiting = await query('scanned-1')
  expect(waiting).toMatchObject({ code: '10000', trade_status: 'WAIT_BUYER_PAY', total_amount: '5.00' })
  const { body } = await desk.driver('/alipay/pay', { pay_id: payIdIn(answer), act: 'pay' })
  expect(body.trade_no).toBe(waiting.trade_no)
  expect(await query('scanned-1')).toMatchObject({ trade_status: 'TRADE_SUCCESS', trade_no: body.trade_no, receipt_amount: '5.00' })
  expect((await desk.driver('/alipay/pay', { pay_id: payIdIn(answer), act: 'pay' })).status).toBe(409)
})

test('wap pay: a signed address leads to the cashier, and from there to the signed return address', async () => {
  const content = {
    out_trade_no: 'wap-0001',
    subject: '停车费',
    total_amount: '3.50',
    product_code: 'QUICK_WAP_WAY',
    quit_url: 'http://127.0.0.1:1/quit',
  }
  const at = (more: Record<string, string> = {}) =>
    `${desk.url}/gateway.do?${new URLSearchParams(alipaySigned(desk, 'alipay.trade.wap.pay', content, { return_url: 'http://127.0.0.1:1/back', ...more }))}`
  expect(await (await fetch(at({ sign: 'bm8=' }))).text()).toContain('isv.invalid-signature')
  const cashier = await fetch(at())
  expect(cashier.url).toContain('/alipay/cashier/')
  expect(await cashier.text()).toContain('¥3.50')
  const act = (act: string) =>
    fetch(`${desk.url}/alipay/pay`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ pay_id: cashier.url.split('/').at(-1)!, act }),
    })
  expect((await act('cancel')).headers.get('location')).toBe('http://127.0.0.1:1/quit')
  const back = new URL((await act('pay')).headers.get('location')!)
  const parameters = Object.fromEntries(back.searchParams)
  expect(parameters).toMatchObject({ out_trade_no: 'wap-0001', total_amount: '3.50', method: 'alipay.trade.wap.pay.return' })
  expect(isNoticeGenuine(desk, parameters)).toBe(true)
})

test('create: for a buyer, with a number at once', async () => {
  const content = { out_trade_no: 'created-1', subject: '停车费', total_amount: 5 }
  expect((await ask('alipay.trade.create', content)).sub_code).toBe('ACQ.INVALID_PARAMETER')
  const { trade_no: tradeNo } = await ask('alipay.trade.create', { ...content, buyer_open_id: 'driver' })
  expect((await query('created-1')).trade_status).toBe('WAIT_BUYER_PAY')
  const page = await fetch(`${desk.url}/alipay/tradePay?tradeNO=${tradeNo}&redirect_url=${encodeURIComponent('http://127.0.0.1:1/here')}`)
  const payId = /name="pay_id" value="(\w+)"/.exec(await page.text())![1]!
  const paid = await fetch(`${desk.url}/alipay/pay`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ pay_id: payId, act: 'pay', redirect_url: 'http://127.0.0.1:1/here' }),
  })
  expect(paid.headers.get('location')).toBe('http://127.0.0.1:1/here?resultCode=9000')
  expect(await query('created-1')).toMatchObject({ trade_status: 'TRADE_SUCCESS', buyer_open_id: 'driver' })
})

test('an order with another amount, a paid one and a closed one are refused', async () => {
  await precreated(desk, 'again-01')
  expect(contentOf(await precreated(desk, 'again-01')).code).toBe('10000')
  expect(contentOf(await precreated(desk, 'again-01', { total_amount: '5.01' })).sub_code).toBe('ACQ.CONTEXT_INCONSISTENT')
  await paidTrade(desk, 'again-02')
  expect(contentOf(await precreated(desk, 'again-02')).sub_code).toBe('ACQ.TRADE_HAS_SUCCESS')
  const opened = await precreated(desk, 'again-03')
  await fetch(contentOf(opened).qr_code as string)
  expect((await ask('alipay.trade.close', { out_trade_no: 'again-03' })).code).toBe('10000')
  expect((await query('again-03')).trade_status).toBe('TRADE_CLOSED')
  expect(contentOf(await precreated(desk, 'again-03')).sub_code).toBe('ACQ.TRADE_HAS_CLOSE')
  expect((await desk.driver('/alipay/pay', { pay_id: payIdIn(opened), act: 'pay' })).status).toBe(409)
  expect((await ask('alipay.trade.close', { out_trade_no: 'again-02' })).sub_code).toBe('ACQ.TRADE_STATUS_ERROR')
  expect((await ask('alipay.trade.close', { out_trade_no: 'again-01' })).sub_code).toBe('ACQ.TRADE_NOT_EXIST')
})
test.each([{ total_amount: '5.001' }, { total_amount: '-5' }, { total_amount: '0.00' }, { out_trade_no: '' }, { timeout_express: '5x' }])(
  '%o is refused',
  async (more) => {
    expect(contentOf(await precreated(desk, 'wrong-01', more))).toMatchObject({ code: '40004', sub_code: 'ACQ.INVALID_PARAMETER' })
  },
)
test('a trade whose time is over is closed', async () => {
  const answer = await precreated(desk, 'late-001', { timeout_express: '5m' })
  desk.passes(5 * 60_000)
  expect((await desk.driver('/alipay/pay', { pay_id: payIdIn(answer), act: 'pay' })).status).toBe(409)
})

test('cancel closes what is not paid, also before anybody has scanned it, and refunds what is', async () => {
  const answer = await precreated(desk, 'cancel-1')
  expect(await ask('alipay.trade.cancel', { out_trade_no: 'cancel-1' })).toMatchObject({ code: '10000', action: 'close', retry_flag: 'N' })
  expect((await desk.driver('/alipay/pay', { pay_id: payIdIn(answer), act: 'pay' })).status).toBe(409)
  await paidTrade(desk, 'cancel-2')
  expect(await ask('alipay.trade.cancel', { out_trade_no: 'cancel-2' })).toMatchObject({ action: 'refund' })
  expect((await query('cancel-2')).trade_status).toBe('TRADE_CLOSED')
})

test('refunds: parts of it, each once, never more than was paid', async () => {
  const tradeNo = await paidTrade(desk, 'refund-1')
  const refund = (amount: string, out: string) => ask('alipay.trade.refund', { trade_no: tradeNo, refund_amount: amount, out_request_no: out })
  const ended = (out: string) => ask('alipay.trade.fastpay.refund.query', { out_trade_no: 'refund-1', out_request_no: out })
  expect(await refund('2.00', 'r1')).toMatchObject({ code: '10000', fund_change: 'Y', refund_fee: '2.00' })
  expect(await refund('2.00', 'r1')).toMatchObject({ code: '10000', fund_change: 'N', refund_fee: '2.00' })
  expect((await refund('2.01', 'r1')).sub_code).toBe('ACQ.DISCORDANT_REPEAT_REQUEST')
  expect((await refund('3.01', 'r2')).sub_code).toBe('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')
  expect((await query('refund-1')).trade_status).toBe('TRADE_SUCCESS')
  expect(await ended('r1')).toMatchObject({ refund_status: 'REFUND_SUCCESS', refund_amount: '2.00', total_amount: '5.00' })
  expect(await ended('r2')).toEqual({ code: '10000', msg: 'Success' })
  expect(await refund('3.00', 'r3')).toMatchObject({ fund_change: 'Y', refund_fee: '5.00' })
  expect((await query('refund-1')).trade_status).toBe('TRADE_CLOSED')
})
test('nothing is refunded of a trade that is not paid, not there, or finished', async () => {
  const refund = (number: string) => ask('alipay.trade.refund', { out_trade_no: number, refund_amount: '1.00', out_request_no: 'r' })
  await fetch(contentOf(await precreated(desk, 'refund-2')).qr_code as string)
  expect((await refund('refund-2')).sub_code).toBe('ACQ.TRADE_STATUS_ERROR')
  expect((await refund('refund-3')).sub_code).toBe('ACQ.TRADE_NOT_EXIST')
  await paidTrade(desk, 'refund-4')
  desk.published.alipay.finish(desk.published.store.trade('alipay', desk.keys.alipay.apps[0]!.sellerId, 'refund-4')!)
  expect((await refund('refund-4')).sub_code).toBe('ACQ.TRADE_HAS_FINISHED')
})

test('a driver’s open id comes by a code that is used once', async () => {
  const app = desk.keys.alipay.apps[0]!
  const query = { app_id: app.appId, scope: 'auth_base', redirect_uri: 'http://127.0.0.1:1/back', state: 's' }
  const answer = await fetch(`${desk.url}/oauth2/publicAppAuthorize.htm?${new URLSearchParams(query)}`, { redirect: 'manual' })
  const code = new URL(answer.headers.get('location')!).searchParams.get('auth_code')!
  const token = () => ask('alipay.system.oauth.token', {}, { grant_type: 'authorization_code', code })
  expect((await token()).open_id).toMatch(/^[\w-]{43}$/)
  expect((await token()).sub_code).toBe('isv.code-invalid')
})
