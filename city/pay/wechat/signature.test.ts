import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, isVerified } from '../testing.ts'
import { certificatesOf, isAnswerGenuine, orderFor } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())

const CERTIFICATES = '/v3/certificates'
test('an answer is signed over its raw body with a certificate that the merchant downloads', async () => {
  const certificates = await certificatesOf(desk)
  const answer = await desk.wechat('POST', '/v3/pay/transactions/native', orderFor(desk, 'signed01'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('request-id')).toMatch(/\w/)
  expect(isAnswerGenuine(answer, certificates)).toBe(true)
  expect(isAnswerGenuine({ ...answer, text: `${answer.text} ` }, certificates)).toBe(false)
})

test('an answer without a body is signed too, and so is a refusal', async () => {
  const certificates = await certificatesOf(desk)
  const { mchid } = desk.keys.wechat.merchants[0]!
  const closed = await desk.wechat('POST', '/v3/pay/transactions/out-trade-no/signed01/close', { mchid })
  expect([closed.status, closed.text]).toEqual([204, ''])
  expect(isAnswerGenuine(closed, certificates)).toBe(true)
  const none = await desk.wechat('GET', `/v3/pay/transactions/out-trade-no/nothing1?mchid=${mchid}`)
  expect([none.status, none.body.code]).toEqual([404, 'ORDER_NOT_EXIST'])
  expect(isAnswerGenuine(none, certificates)).toBe(true)
})

test('a merchant that asks for the public key is answered with it', async () => {
  const { id, publicKey } = desk.keys.wechat.publicKey
  const { headers, text } = await desk.wechat('GET', CERTIFICATES, undefined, { headers: { 'wechatpay-serial': id } })
  expect(headers.get('wechatpay-serial')).toBe(id)
  const signed = `${headers.get('wechatpay-timestamp')}\n${headers.get('wechatpay-nonce')}\n${text}\n`
  expect(isVerified(signed, headers.get('wechatpay-signature')!, publicKey)).toBe(true)
})

test.each([
  ['a signature over something else', { signature: Buffer.from('no').toString('base64') }, '错误的签名，验签失败'],
  ['an unknown merchant', { mchid: '1900000000' }, '商户号不存在'],
  ['another certificate', { serial_no: '12AB' }, '序列号有误'],
  ['an old timestamp', { timestamp: String(Math.floor(Date.now() / 1_000) - 301) }, '不得超过5分钟'],
])('%s is refused with 401 SIGN_ERROR', async (_, authorization: Record<string, string>, message) => {
  const { status, body } = await desk.wechat('GET', CERTIFICATES, undefined, { authorization })
  expect([status, body.code]).toEqual([401, 'SIGN_ERROR'])
  expect(body.message).toContain(message)
})
test('a wrong signature is answered with the text that the channel verified', async () => {
  const { body } = await desk.wechat('GET', CERTIFICATES, undefined, { authorization: { signature: 'bm8=' } })
  expect(body.detail.sign_information).toMatchObject({
    method: 'GET',
    url: CERTIFICATES,
    truncated_sign_message: expect.stringContaining('GET\n/v3/certificates\n'),
  })
})
test('another merchant’s key signs for nobody else', async () => {
  const [first, second] = desk.keys.wechat.merchants
  const { status } = await desk.wechat('GET', CERTIFICATES, undefined, { merchant: { ...second!, mchid: first!.mchid, serial: first!.serial } })
  expect(status).toBe(401)
})
test('no authorization, or one of another kind, is refused', async () => {
  for (const authorization of ['', 'Basic eDp5', 'WECHATPAY2-SHA256-RSA2048 mchid="1"'])
    expect((await fetch(`${desk.url}${CERTIFICATES}`, { headers: { authorization } })).status).toBe(401)
})

test('while certificates are rolled there are two, and answers come with both', async () => {
  const before = await certificatesOf(desk)
  expect((await desk.driver('/wechat/roll', {})).status).toBe(204)
  expect(desk.saves()).toBe(1)
  const certificates = await certificatesOf(desk)
  expect(certificates.size).toBe(2)
  const serials = new Set<string>()
  for (let tries = 0; tries < 400 && serials.size < 2; tries++) {
    const answer = await desk.wechat('GET', CERTIFICATES)
    expect(isAnswerGenuine(answer, certificates)).toBe(true)
    serials.add(answer.headers.get('wechatpay-serial')!)
  }
  expect(serials).toEqual(new Set(certificates.keys()))
  desk.passes(25 * 3_600_000)
  const after = await certificatesOf(desk)
  expect([...after.keys()]).toEqual([...certificates.keys()].filter((serial) => !before.has(serial)))
})
