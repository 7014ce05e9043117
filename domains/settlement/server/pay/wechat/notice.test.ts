import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../../../platform/contract/field.ts'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { type Client, wechatClient } from './client.ts'
import { certificateOf } from './keys.ts'
import { readNotice } from './notice.ts'
import { published } from './published/testing.ts'
import { type Headers, stampOf } from './stamp.ts'
import { account, noticeOf, PAID, sealedBy, stampFor, stranger } from './testing.ts'
import { wechatProvider } from './wechatProvider.ts'

const client = wechatClient({ ...account, host: 'https://127.0.0.1:1' })
const provider = wechatProvider(account, client)
const now = () => instantAt(Date.now())
const hear = ({ body, headers }: { body: Buffer; headers: Headers }, at: Instant = now()) => provider.verifyNotice(body, headers, at)
const refused = { code: 40503, status: 401 }
const paid = (more: object = {}) => noticeOf('TRANSACTION.SUCCESS', { ...PAID, ...more })

describe('WeChat’s published notice', () => {
  const certificate = certificateOf(published.certificate)
  const { keys } = client
  const theirs: Client = {
    ...client,
    keys: { ...keys, apiV3Key: Buffer.from(published.contentKey) },
    platform: { of: async (serial) => (serial === certificate.serial ? certificate.key : undefined) },
  }
  const at = instantAt(published.atSeconds * 1000)
  const read = (more: { body?: Buffer; headers?: Headers; at?: Instant; of?: Client } = {}) =>
    readNotice(more.of ?? theirs, account, more.body ?? Buffer.from(published.body), more.headers ?? published.headers, more.at ?? at)

  test('is genuine, and about nothing of ours', async () => {
    expect(await read()).toEqual({
      nonce: published.headers['wechatpay-nonce'],
      id: '3119dfba-e649-5eec-ab1e-3412bc4d2e17',
      toldAt: '2021-06-24T08:37:26.000Z',
      facts: { kind: 'other', event: 'PAYSCORE.USER_OPEN_SERVICE' },
    })
  })
  test('is refused from the fifth minute on, in either direction', async () => {
    const off = (seconds: number) => read({ at: instantAt((published.atSeconds + seconds) * 1000) })
    for (const seconds of [299, -299]) await expect(off(seconds)).resolves.toBeDefined()
    for (const seconds of [300, -300, 86_400]) await expect(off(seconds)).rejects.toMatchObject(refused)
  })
  test('is refused when a byte of it is another, were it a space', async () => {
    await expect(read({ body: Buffer.from(JSON.stringify(JSON.parse(published.body), null, 1)) })).rejects.toMatchObject(refused)
    await expect(read({ body: Buffer.from(published.body.slice(0, -1)) })).rejects.toMatchObject(refused)
    await expect(read({ body: Buffer.from(`${published.body}\n`) })).rejects.toMatchObject(refused)
  })
  test('is refused under another serial number, nonce or time', async () => {
    for (const more of [{ 'wechatpay-serial': 'F5765756002FDD77' }, { 'wechatpay-nonce': 'EcZ9' }, { 'wechatpay-timestamp': '1624523847' }])
      await expect(read({ headers: { ...published.headers, ...more } })).rejects.toMatchObject(refused)
  })
})

describe('a payment', () => {
  test('is told with what settlement needs', async () => {
    const notice = paid()
    expect(await hear(notice)).toEqual({
      merchant: 1,
      channel: 'wechat',
      kind: 'payment',
      number: PAID.out_trade_no,
      tradeNo: PAID.transaction_id,
      amountFen: 1200,
      ok: true,
      finishedAt: '2026-11-20T02:34:55.000Z',
      nonce: notice.headers['wechatpay-nonce'],
    })
  })
  test('sent twice has two nonces; the same request again has the same one, by which its door knows it', async () => {
    const notice = paid()
    const [one, again, other] = [await hear(notice), await hear(notice), await hear(paid())]
    expect(again!.nonce).toBe(one!.nonce)
    expect(other!.nonce).not.toBe(one!.nonce)
  })
  test.each([
    ['of another merchant', { mchid: '1900000110' }],
    ['of another app', { appid: 'wx0000000000000000' }],
    ['that was not made', { trade_state: 'NOTPAY' }],
    ['of nothing', { amount: { total: 0, currency: 'CNY' } }],
    ['of parts of a fen', { amount: { total: 12.5, currency: 'CNY' } }],
    ['of an amount in words', { amount: { total: '1200', currency: 'CNY' } }],
    ['below nothing', { amount: { total: -1200, currency: 'CNY' } }],
    ['in another currency', { amount: { total: 1200, currency: 'HKD' } }],
    ['without an amount', { amount: undefined }],
    ['without our number', { out_trade_no: undefined }],
    ['at no time', { success_time: 'yesterday' }],
  ])('%s is refused although it is signed', async (_, more) => {
    await expect(hear(paid(more))).rejects.toMatchObject(refused)
  })
})

describe('a refund', () => {
  const refund = (event: string, more: object = {}) =>
    hear(
      noticeOf(event, {
        mchid: account.mchId,
        out_trade_no: PAID.out_trade_no,
        transaction_id: PAID.transaction_id,
        out_refund_no: 'TK20261120110000000002',
        refund_id: '50000000382019052709732678859',
        refund_status: event.slice('REFUND.'.length),
        success_time: '2026-11-20T11:00:05+08:00',
        user_received_account: '招商银行信用卡0403',
        amount: { total: 1200, refund: 500, payer_total: 1000, payer_refund: 417 },
        ...more,
      }),
    )
  test('that went back, was closed, or reached no account', async () => {
    const told = { kind: 'refund', number: 'TK20261120110000000002', tradeNo: '50000000382019052709732678859', amountFen: 500 }
    expect(await refund('REFUND.SUCCESS')).toMatchObject({ ...told, ok: true, refund: 'done', finishedAt: '2026-11-20T03:00:05.000Z' })
    expect(await refund('REFUND.CLOSED', { success_time: undefined })).toMatchObject({ ...told, ok: false, refund: 'failed' })
    // Neither back nor kept: nobody may take it for failed.
    const abnormal = await refund('REFUND.ABNORMAL', { success_time: undefined })
    expect(abnormal).toMatchObject({ ...told, ok: false, refund: 'abnormal', finishedAt: '2026-11-20T02:34:56.000Z' })
  })
  test('of another merchant, or of a state that nobody knows, is refused', async () => {
    await expect(refund('REFUND.SUCCESS', { mchid: '1900000110' })).rejects.toMatchObject(refused)
    await expect(refund('REFUND.SUCCESS', { refund_status: 'MAYBE' })).rejects.toMatchObject(refused)
  })
})

describe('whoever is not WeChat is refused', () => {
  test('a forger with a key of his own, under our id or under his', async () => {
    await expect(hear(noticeOf('TRANSACTION.SUCCESS', PAID, { signedBy: stranger.privateKey }))).rejects.toMatchObject(refused)
    const id = 'PUB_KEY_ID_0114232134912410000000000001'
    await expect(hear(noticeOf('TRANSACTION.SUCCESS', PAID, { signedBy: stranger.privateKey, serial: id }))).rejects.toMatchObject(refused)
  })
  test('a notice of six minutes ago, replayed', async () => {
    await expect(hear(noticeOf('TRANSACTION.SUCCESS', PAID, { secondsAgo: 360 }))).rejects.toMatchObject(refused)
  })
  test('a signature of another notice', async () => {
    await expect(hear({ body: paid({ amount: { total: 1, currency: 'CNY' } }).body, headers: paid().headers })).rejects.toMatchObject(refused)
  })
  test('a content locked under another key, changed, or moved to another place', async () => {
    await expect(hear(noticeOf('TRANSACTION.SUCCESS', PAID, { key: 'b'.repeat(32) }))).rejects.toMatchObject(refused)
    const whole = { id: 'x', create_time: '2026-11-20T10:34:56+08:00', event_type: 'TRANSACTION.SUCCESS', resource: sealedBy(PAID) }
    const send = (resource: object) => {
      const body = JSON.stringify({ ...whole, resource })
      return hear({ body: Buffer.from(body), headers: stampFor(body) })
    }
    await expect(send(whole.resource)).resolves.toBeDefined()
    await expect(send({ ...whole.resource, associated_data: 'refund' })).rejects.toMatchObject(refused)
    await expect(send({ ...whole.resource, nonce: 'abc' })).rejects.toMatchObject(refused)
    await expect(send({ ...whole.resource, algorithm: 'AEAD_SM4_GCM' })).rejects.toMatchObject(refused)
    await expect(send({ ...whole.resource, ciphertext: whole.resource.ciphertext.slice(0, 16) })).rejects.toMatchObject(refused)
  })
  test('WeChat’s own probe of whether wrong signatures are refused', async () => {
    const { body, headers } = paid()
    const probe = { ...headers, 'wechatpay-signature': `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}` }
    await expect(hear({ body, headers: probe })).rejects.toMatchObject(refused)
    // Not even a key is looked for.
    expect(stampOf(headers)).toBeDefined()
    expect(stampOf(probe)).toBeUndefined()
  })
  test.each(['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial', 'wechatpay-signature'])(
    'a notice without, or with two of %s',
    async (name) => {
      const { body, headers } = paid()
      await expect(hear({ body, headers: { ...headers, [name]: undefined } })).rejects.toMatchObject(refused)
      await expect(hear({ body, headers: { ...headers, [name]: [headers[name as keyof typeof headers], 'x'] } })).rejects.toMatchObject(refused)
    },
  )
  test('a time that is no number, and a signature of another scheme', async () => {
    const { body, headers } = paid()
    for (const timestamp of ['NaN', '1e9', '-1', '0x5f5e100', ''])
      await expect(hear({ body, headers: { ...headers, 'wechatpay-timestamp': timestamp } })).rejects.toMatchObject(refused)
    await expect(hear({ body, headers: { ...headers, 'wechatpay-signature-type': 'WECHATPAY2-SM2-WITH-SM3' } })).rejects.toMatchObject(refused)
    await expect(hear({ body, headers: { ...headers, 'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048' } })).resolves.toBeDefined()
  })
  test('signed bytes that are no JSON, or no notice', async () => {
    for (const body of ['', '[]', 'null', '{"event_type":1}', '{"event_type":"TRANSACTION.SUCCESS"}', '{"id":"x"'])
      await expect(hear({ body: Buffer.from(body), headers: stampFor(body) })).rejects.toMatchObject(refused)
  })
})

test('a genuine notice of something else is no error: WeChat need not send it again', async () => {
  expect(await hear(noticeOf('PAYSCORE.USER_PAID', {}))).toBeUndefined()
})
