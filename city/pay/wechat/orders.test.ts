import { createSign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { openidOf } from './openid.ts'
import { orderFor, paidOrder } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const NATIVE = '/v3/pay/transactions/native'
const ask = (path: string, number: string, more?: object) => desk.wechat('POST', path, orderFor(desk, number, more))
const query = (number: string) => desk.wechat('GET', `/v3/pay/transactions/out-trade-no/${number}?mchid=${desk.keys.wechat.merchants[0]!.mchid}`)
const pay = (prepayId: string | null, more: object = {}) => desk.driver('/wechat/pay', { prepay_id: prepayId, act: 'pay', ...more })

test('native: a code, and NOTPAY until a driver has paid behind it', async () => {
  const { body } = await ask(NATIVE, 'native-01', { attach: '一号' })
  expect((await query('native-01')).body).toMatchObject({ trade_state: 'NOTPAY', attach: '一号', amount: { total: 500 } })
  const page = await fetch(body.code_url as string)
  expect(await page.text()).toContain('¥5.00')
  const { body: paid } = await pay(new URL(body.code_url as string).searchParams.get('pr'))
  const { body: state } = await query('native-01')
  expect(state).toMatchObject({
    trade_state: 'SUCCESS',
    trade_type: 'NATIVE',
    transaction_id: paid.transaction_id,
    amount: { total: 500, payer_total: 500 },
  })
  expect(state.success_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/)
  const byId = await desk.wechat('GET', `/v3/pay/transactions/id/${paid.transaction_id}?mchid=${desk.keys.wechat.merchants[0]!.mchid}`)
  expect(byId.body).toEqual(state)
})

test('jsapi: only for a driver of the same application, and its parameters are checked when a page invokes it', async () => {
  const { appid, privateKey } = desk.keys.wechat.merchants[0]!
  const openid = openidOf(appid, 'a driver')
  const alien = await ask('/v3/pay/transactions/jsapi', 'jsapi-01', { payer: { openid: openidOf('wx0', 'a driver') } })
  expect([alien.status, alien.body.code]).toEqual([400, 'PARAM_ERROR'])
  const { body } = await ask('/v3/pay/transactions/jsapi', 'jsapi-01', { payer: { openid } })
  const given = { appId: appid, timeStamp: '1700000000', nonceStr: 'n', package: `prepay_id=${body.prepay_id}` }
  const paySign = createSign('RSA-SHA256')
    .update(`${Object.values(given).join('\n')}\n`)
    .sign(privateKey, 'base64')
  const invoked = (fields: object) =>
    fetch(`${desk.url}/wechat/jsapi?${new URLSearchParams({ ...given, signType: 'RSA', redirect_url: 'http://127.0.0.1:1/back', ...fields })}`, {
      redirect: 'manual',
    })
  expect((await invoked({ paySign: 'bm8=' })).headers.get('location')).toBe('http://127.0.0.1:1/back?err_msg=get_brand_wcpay_request%3Afail')
  expect((await invoked({ paySign, nonceStr: 'm' })).status).toBe(302)
  expect(await (await invoked({ paySign })).text()).toContain('name="kind" value="jsapi"')
  const form = { prepay_id: String(body.prepay_id), kind: 'jsapi', redirect_url: 'http://127.0.0.1:1/back' }
  const acted = (act: string) => fetch(`${desk.url}/wechat/pay`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ ...form, act }) })
  expect((await acted('cancel')).headers.get('location')).toContain('cancel')
  expect((await query('jsapi-01')).body.trade_state).toBe('NOTPAY')
  expect((await acted('pay')).headers.get('location')).toContain('ok')
  expect((await query('jsapi-01')).body).toMatchObject({ trade_state: 'SUCCESS', payer: { openid } })
})

test('h5: needs the driver’s address, works for five minutes, and goes back to the page it is told', async () => {
  const lacking = await ask('/v3/pay/transactions/h5', 'h5-0001')
  expect([lacking.status, lacking.body.detail.field]).toEqual([400, '/scene_info'])
  const { body } = await ask('/v3/pay/transactions/h5', 'h5-0001', { scene_info: { payer_client_ip: '10.0.0.1', h5_info: { type: 'Wap' } } })
  const url = `${body.h5_url}&redirect_url=${encodeURIComponent('http://127.0.0.1:1/paid')}`
  expect(await (await fetch(url)).text()).toContain('value="http://127.0.0.1:1/paid"')
  desk.passes(5 * 60_000)
  expect(await (await fetch(url)).text()).toContain('已过期')
  expect((await pay(new URL(url).searchParams.get('prepay_id'))).status).toBe(409)
})

test('the page is in the language of the browser or of its address', async () => {
  const { body } = await ask(NATIVE, 'native-02')
  const text = async (url: string, language: string) => (await fetch(url, { headers: { 'accept-language': language } })).text()
  expect(await text(body.code_url as string, 'en-GB')).toContain('Pay by')
  expect(await text(body.code_url as string, 'zh-CN')).toContain('立即支付')
  expect(await text(`${body.code_url}&lang=en`, 'zh-CN')).toContain('Pay by')
})

test.each([
  ['of another amount', { amount: { total: 501 } }, 403, 'OUT_TRADE_NO_USED'],
  ['with another application', { appid: 'wx1' }, 400, 'APPID_MCHID_NOT_MATCH'],
  ['of another merchant', { mchid: '1900000000' }, 400, 'MCH_NOT_EXISTS'],
  ['in another currency', { amount: { total: 500, currency: 'USD' } }, 400, 'PARAM_ERROR'],
  ['of nothing', { amount: { total: 0 } }, 400, 'PARAM_ERROR'],
  ['of part of a fen', { amount: { total: 1.5 } }, 400, 'PARAM_ERROR'],
  ['whose notices go to a plain address elsewhere', { notify_url: 'http://example.com/notice' }, 400, 'PARAM_ERROR'],
  ['whose notices go to an address with a query', { notify_url: 'https://example.com/notice?a=1' }, 400, 'PARAM_ERROR'],
  ['with a number that is too short', { out_trade_no: 'short' }, 400, 'PARAM_ERROR'],
  ['that is over', { time_expire: '2020-01-01T00:00:00+08:00' }, 400, 'PARAM_ERROR'],
  ['without a subject', { description: undefined }, 400, 'PARAM_ERROR'],
])('an order %s is refused', async (_, more, status, code) => {
  await ask(NATIVE, 'refused-01')
  const answer = await ask(NATIVE, 'refused-01', more)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('a closed order is closed: for its merchant, for a driver, and when it is asked for again', async () => {
  const { mchid } = desk.keys.wechat.merchants[0]!
  const { body } = await ask(NATIVE, 'closed-01')
  const close = (number: string) => desk.wechat('POST', `/v3/pay/transactions/out-trade-no/${number}/close`, { mchid })
  expect((await close('closed-01')).status).toBe(204)
  expect((await close('closed-01')).status).toBe(204)
  expect((await query('closed-01')).body.trade_state).toBe('CLOSED')
  expect((await ask(NATIVE, 'closed-01')).body.code).toBe('ORDER_CLOSED')
  expect((await pay(new URL(body.code_url as string).searchParams.get('pr'))).status).toBe(409)
  expect((await close('nothing-1')).body.code).toBe('ORDER_NOT_EXIST')
  await paidOrder(desk, 'closed-02')
  expect([(await close('closed-02')).status, (await ask(NATIVE, 'closed-02')).status]).toEqual([400, 400])
})

test('an order whose time is over counts as closed', async () => {
  const expire = new Date(desk.now() + 120_000).toISOString().replace(/\.\d+Z$/, '+00:00')
  const { body } = await ask(NATIVE, 'expired-01', { time_expire: expire })
  desk.passes(120_001)
  expect((await pay(new URL(body.code_url as string).searchParams.get('pr'))).status).toBe(409)
  expect((await query('expired-01')).body.trade_state).toBe('CLOSED')
})

test('orders of another merchant are not seen', async () => {
  await ask(NATIVE, 'mine-0001')
  const [, second] = desk.keys.wechat.merchants
  const answer = await desk.wechat('GET', `/v3/pay/transactions/out-trade-no/mine-0001?mchid=${second!.mchid}`, undefined, { merchant: second! })
  expect(answer.body.code).toBe('ORDER_NOT_EXIST')
  expect((await desk.wechat('GET', '/v3/pay/transactions/out-trade-no/mine-0001')).body.code).toBe('PARAM_ERROR')
})
