import { describe, expect, test } from 'vitest'
import { createSign, generateKeyPairSync } from 'node:crypto'
import type { Instant } from '../../../../../platform/contract/field.ts'
import { noticeIn } from './notice.ts'
import { alipayProvider } from './provider.ts'
import { anAccount, noticeOf, PAID, strangerKeys, UNSIGNED_AGREEMENT } from './testing.ts'

const account = anAccount()
const NOW = '2026-12-01T02:00:10.000Z' as Instant
const heard = (body: Buffer, at = NOW) => noticeIn(body, account, at)
const refused = (body: Buffer | string, at = NOW) =>
  expect(() => noticeIn(typeof body === 'string' ? Buffer.from(body) : body, account, at)).toThrow(/signature is not valid/)
const ID = PAID['notify_id']!

// A notice that Alipay publishes in the tests of its own SDK, with the public key that it was signed for.
const PUBLISHED_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB'
const PUBLISHED = {
  gmt_create: '2019-08-15 15:56:22',
  charset: 'utf-8',
  seller_email: 'z97-yuquerevenue@service.aliyun.com',
  subject: '语雀空间 500人规模',
  sign: 'QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==',
  buyer_id: '2088102534368455',
  invoice_amount: '0.10',
  notify_id: '2019081500222155624068450559358070',
  fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
  notify_type: 'trade_status_sync',
  trade_status: 'TRADE_SUCCESS',
  receipt_amount: '0.10',
  buyer_pay_amount: '0.10',
  sign_type: 'RSA2',
  app_id: '2019073166072302',
  seller_id: '2088531891668739',
  gmt_payment: '2019-08-15 15:56:24',
  notify_time: '2019-08-15 15:56:25',
  version: '1.0',
  out_trade_no: '20190815155618536-564-57',
  total_amount: '0.10',
  trade_no: '2019081522001468450512505578',
  auth_app_id: '2019073166072302',
  buyer_logon_id: 'xud***@126.com',
  point_amount: '0.00',
}

test('the notice that Alipay publishes is heard by the account that it was for', () => {
  const theirs = anAccount({ appId: PUBLISHED.app_id, sellerId: PUBLISHED.seller_id, trust: { publicKey: PUBLISHED_KEY } })
  const at = '2019-08-15T07:56:30.000Z' as Instant
  const body = (fields: Record<string, string>) => Buffer.from(new URLSearchParams(fields).toString())
  expect(noticeIn(body(PUBLISHED), theirs, at)).toEqual({
    noticeId: PUBLISHED.notify_id,
    kind: 'payment',
    payNo: PUBLISHED.out_trade_no,
    tradeNo: PUBLISHED.trade_no,
    amountFen: 10,
    ok: true,
    at: '2019-08-15T07:56:24.000Z',
  })
  expect(() => noticeIn(body({ ...PUBLISHED, total_amount: '0.01' }), theirs, at)).toThrow()
})

describe('what is told', () => {
  test('a payment, and its end a year later, which is the same payment', () => {
    const paid = { kind: 'payment', payNo: PAID['out_trade_no'], tradeNo: PAID['trade_no'], amountFen: 1250, ok: true }
    expect(heard(noticeOf(PAID))).toEqual({ noticeId: ID, ...paid, at: '2026-12-01T02:00:04.000Z' })
    const later = { ...PAID, trade_status: 'TRADE_FINISHED', notify_time: '2027-12-01 10:00:00' }
    expect(heard(noticeOf(later), '2027-12-01T02:00:10.000Z' as Instant)).toMatchObject(paid)
  })
  test('a refund of a part, then of all: what was given back so far, by our number of the last', () => {
    const back = { ...PAID, out_biz_no: 'TK20261201100000000001', gmt_refund: '2026-12-01 10:00:03.456', refund_fee: '2.50' }
    expect(heard(noticeOf(back))).toEqual({
      noticeId: ID,
      kind: 'refund',
      payNo: PAID['out_trade_no'],
      refundNo: 'TK20261201100000000001',
      tradeNo: PAID['trade_no'],
      refundedFen: 250,
      at: '2026-12-01T02:00:03.000Z',
    })
    expect(heard(noticeOf({ ...back, refund_fee: '12.50', trade_status: 'TRADE_CLOSED' }))).toMatchObject({ kind: 'refund', refundedFen: 1250 })
    refused(noticeOf({ ...back, refund_fee: '12.51' }))
    refused(noticeOf({ ...back, refund_fee: '0.00' }))
  })
  test('a refund that was made in Alipay’s own console has no number of ours', () => {
    expect(heard(noticeOf({ ...PAID, gmt_refund: '2026-12-01 10:00:03', refund_fee: '2.50' }))).toEqual({ noticeId: ID, kind: 'other' })
  })
  test('a trade that nobody paid in time; one that has begun changes nothing', () => {
    expect(heard(noticeOf({ ...PAID, trade_status: 'TRADE_CLOSED' }))).toMatchObject({ kind: 'payment', ok: false })
    expect(heard(noticeOf({ ...PAID, trade_status: 'WAIT_BUYER_PAY' }))).toMatchObject({ kind: 'other' })
    expect(heard(noticeOf({ ...PAID, notify_type: 'open_app_auth_notify' }))).toMatchObject({ kind: 'other' })
  })
  test('an agreement that is signed, or over', () => {
    const of = { kind: 'agreement', contractNo: UNSIGNED_AGREEMENT['external_agreement_no'], agreementNo: UNSIGNED_AGREEMENT['agreement_no'] }
    expect(heard(noticeOf(UNSIGNED_AGREEMENT))).toMatchObject({ ...of, ok: false })
    expect(heard(noticeOf({ ...UNSIGNED_AGREEMENT, notify_type: 'dut_user_sign', status: 'NORMAL' }))).toMatchObject({ ...of, ok: true })
    expect(heard(noticeOf({ ...UNSIGNED_AGREEMENT, notify_type: 'dut_user_sign', status: 'TEMP' }))).toMatchObject({ kind: 'other' })
  })
  test('in the words of every channel', () => {
    const { verifyNotice } = alipayProvider(account)
    const told = { merchant: 7, channel: 'alipay', tradeNo: PAID['trade_no'] }
    expect(verifyNotice(noticeOf(PAID), {}, NOW)).toEqual({
      ...told,
      kind: 'payment',
      number: PAID['out_trade_no'],
      amountFen: 1250,
      ok: true,
      finishedAt: '2026-12-01T02:00:04.000Z',
      nonce: ID,
    })
    const back = { ...PAID, out_biz_no: 'TK1', gmt_refund: '2026-12-01 10:00:03', refund_fee: '2.50' }
    const refund = { ...told, kind: 'refund', number: 'TK1', amountFen: 250, ok: true, nonce: `${ID}-TK1` }
    expect(verifyNotice(noticeOf(back), {}, NOW)).toMatchObject(refund)
    expect(verifyNotice(noticeOf(UNSIGNED_AGREEMENT), {}, NOW)).toMatchObject({ kind: 'agreement', ok: false, amountFen: 0 })
    expect(verifyNotice(noticeOf({ ...PAID, trade_status: 'WAIT_BUYER_PAY' }), {}, NOW)).toBeUndefined()
  })
})

describe('forged and replayed', () => {
  test('the order of the fields means nothing', () => {
    const names = Object.keys(PAID)
    for (const order of [names.toReversed(), names.toSorted(), [...names.slice(5), ...names.slice(0, 5)]])
      expect(heard(noticeOf(PAID, { order }))).toEqual(heard(noticeOf(PAID)))
  })
  test('each field that is changed, left out or added makes the notice none', () => {
    const sent = new URLSearchParams(noticeOf(PAID).toString())
    for (const name of sent.keys()) {
      if (name === 'sign_type') continue
      const changed = new URLSearchParams(sent)
      changed.set(name, `${sent.get(name)}0`)
      refused(changed.toString())
      changed.delete(name)
      refused(changed.toString())
    }
    refused(`${sent}&passback_params=x`)
    // The genuine field behind one of a stranger's: whoever reads the first of the two would read theirs.
    refused(`total_amount=99.00&${sent}`)
  })
  test('in certificate mode by the key that it names, or by the only one', () => {
    const byName = { ...account, alipayKeys: new Map([['s1', [...account.alipayKeys.values()][0]!]]) }
    expect(noticeIn(noticeOf(PAID), byName, NOW)).toMatchObject({ ok: true })
    expect(noticeIn(noticeOf({ ...PAID, alipay_cert_sn: 's1' }), byName, NOW)).toMatchObject({ ok: true })
    expect(() => noticeIn(noticeOf({ ...PAID, alipay_cert_sn: 's2' }), byName, NOW)).toThrow()
  })
  test('by a stranger’s key, without a signature, or by the older algorithm', () => {
    refused(noticeOf(PAID, { by: strangerKeys }))
    refused(new URLSearchParams(PAID).toString())
    const sent = new URLSearchParams(noticeOf(PAID).toString())
    sent.set('sign_type', 'RSA')
    refused(sent.toString())
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const old = anAccount({ trust: { publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string } })
    const sha1 = { ...strangerKeys, sign: (text: string) => createSign('sha1').update(text).sign(privateKey, 'base64') }
    expect(() => noticeIn(noticeOf(PAID, { by: sha1 }), old, NOW)).toThrow()
  })
  test('for another app or another seller, though Alipay signed it', () => {
    refused(noticeOf({ ...PAID, app_id: '2021000000000002' }))
    refused(noticeOf({ ...PAID, seller_id: '2088000000000002' }))
    refused(noticeOf(Object.fromEntries(Object.entries(PAID).filter(([name]) => name !== 'seller_id'))))
    refused(noticeOf({ ...UNSIGNED_AGREEMENT, app_id: '2021000000000002' }))
  })
  test('kept for longer than Alipay repeats it, or of a time to come', () => {
    expect(heard(noticeOf(PAID), '2026-12-02T03:00:00.000Z' as Instant)).toMatchObject({ ok: true })
    refused(noticeOf(PAID), '2026-12-02T04:00:10.000Z' as Instant)
    refused(noticeOf(PAID), '2026-12-01T01:54:00.000Z' as Instant)
    refused(noticeOf({ ...PAID, notify_time: 'yesterday' }))
  })
  test('a repeat has the number of the first, by which it is known', () => {
    const again = { ...PAID, notify_time: '2026-12-01 10:04:05' }
    expect(heard(noticeOf(again), '2026-12-01T02:04:10.000Z' as Instant)).toEqual(heard(noticeOf(PAID)))
  })

  // Nothing is encoded in the text that is signed: `a=1&b=2` may be two fields, or one whose value has those signs.
  test('a title with & and = is a title', () => {
    expect(heard(noticeOf({ ...PAID, subject: 'x&total_amount=0.01&trade_status=TRADE_SUCCESS' }))).toMatchObject({ amountFen: 1250 })
    expect(heard(noticeOf({ ...PAID, body: '100% + %26=&' }))).toMatchObject({ amountFen: 1250 })
  })
  test('and the same signed text, cut into other fields, is no notice', () => {
    const sent = new URLSearchParams(noticeOf({ ...PAID, subject: 'x&total_amount=99.00' }).toString())
    const cut = new URLSearchParams(sent)
    cut.set('subject', 'x')
    cut.set('total_amount', '99.00&total_amount=12.50')
    refused(cut.toString())
    const merged = new URLSearchParams(noticeOf(PAID).toString())
    merged.set('total_amount', `${PAID['total_amount']}&trade_no=${PAID['trade_no']}`)
    merged.delete('trade_no')
    refused(merged.toString())
    const twice = new URLSearchParams(sent)
    twice.set('subject', 'x')
    refused(`${twice}&total_amount=99.00`)
  })

  test('a body that is cut, is no form or is endless', () => {
    const body = noticeOf(PAID)
    for (let at = 0; at < body.length; at += 11) refused(body.subarray(0, at))
    for (const wrong of ['', '&', '=', '{"sign":"x"}', 'sign', 'sign=%', 'a=%ff&sign=x', `${body}&`, '\u0000=1', '__proto__=1', 'a=1&'.repeat(5_000)])
      refused(wrong)
    refused(Buffer.alloc(2_000_000, 'a=1&'))
  })
  test('amounts and numbers are what their names say', () => {
    for (const total_amount of ['-12.50', '0.00', '12.505', '1e3', '', '12,50']) refused(noticeOf({ ...PAID, total_amount }))
    for (const out_trade_no of ['', 'a b', 'x'.repeat(200), "1' or '1'='1"]) refused(noticeOf({ ...PAID, out_trade_no }))
  })
})
