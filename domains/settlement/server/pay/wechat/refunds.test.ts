import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { account, aWechat, PAID, type Wechat } from './testing.ts'
import type { WechatProvider } from './types.ts'
import { wechatProvider } from './wechatProvider.ts'

let wechat: Wechat
let provider: WechatProvider
beforeAll(async () => {
  wechat = await aWechat()
  provider = wechatProvider(wechat.account)
})
beforeEach(() => void (wechat.asked.length = 0))
afterAll(() => wechat.close())

const payNo = PAID.out_trade_no
const away = { code: 40502, status: 503 }

describe('a refund', () => {
  const refundNo = 'TK20261120110000000002'
  const asked = { merchant: 1, channel: 'wechat', payNo, tradeNo: PAID.transaction_id, refundNo, amountFen: 500, paidFen: 1200, reason: '多收' }
  const [CREATE, QUERY] = ['POST /v3/refund/domestic/refunds', 'GET /v3/refund/domestic/refunds/']
  const told = (status: string) => ({ body: { refund_id: '50000000382019052709732678859', out_refund_no: refundNo, status } })
  const none = { status: 404, body: { code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' } }
  test.each([
    ['SUCCESS', { state: 'done' }],
    ['PROCESSING', { state: 'accepted' }],
    ['CLOSED', { state: 'failed', failure: 'CLOSED' }],
    ['ABNORMAL', { state: 'abnormal', failure: 'ABNORMAL' }],
  ])('%s, as it is asked for and later', async (status, state) => {
    wechat.says(CREATE, told(status))
    wechat.says(QUERY, told(status))
    const channelRefundNo = '50000000382019052709732678859'
    expect(await provider.refund(asked)).toEqual({ channelRefundNo, ...state })
    expect(await provider.queryRefund({ merchant: 1, refundNo })).toEqual({ channelRefundNo, ...state })
    expect(wechat.asked[0]!.body).toEqual({
      transaction_id: PAID.transaction_id,
      out_refund_no: refundNo,
      reason: '多收',
      notify_url: account.notifyUrl,
      amount: { refund: 500, total: 1200, currency: 'CNY' },
    })
  })
  test('asks for the whole amount where nobody has said it', async () => {
    const { paidFen: _, ...less } = asked
    wechat.says(`GET /v3/pay/transactions/id/${PAID.transaction_id}`, { body: { ...PAID, trade_state: 'REFUND' } })
    wechat.says(CREATE, told('PROCESSING'))
    expect(await provider.refund(less)).toMatchObject({ state: 'accepted' })
    expect(wechat.asked[1]!.body.amount.total).toBe(1200)
  })
  test('that the merchant’s account cannot pay has failed, and says why', async () => {
    wechat.says(CREATE, { status: 403, body: { code: 'NOT_ENOUGH', message: '基本账户余额不足，请充值后重新发起' } })
    wechat.says(QUERY, none)
    expect(await provider.refund(asked)).toEqual({ state: 'failed', failure: 'NOT_ENOUGH 基本账户余额不足，请充值后重新发起' })
  })
  test('that was made by an earlier try, whose answer was lost, has not failed', async () => {
    wechat.says(CREATE, { status: 400, body: { code: 'INVALID_REQUEST', message: '订单已全额退款' } })
    wechat.says(QUERY, told('SUCCESS'))
    expect(await provider.refund(asked)).toMatchObject({ state: 'done' })
  })
  test('of which nobody knows yet is neither failed nor done', async () => {
    for (const said of [
      { status: 500, body: { code: 'SYSTEM_ERROR', message: '' } },
      { status: 429, body: { code: 'FREQUENCY_LIMITED', message: '' } },
      { silent: true },
    ]) {
      wechat.says(CREATE, said)
      await expect(provider.refund(asked)).rejects.toMatchObject(away)
    }
    // The no is clear; whether an earlier try went through is not.
    wechat.says(CREATE, { status: 403, body: { code: 'NOT_ENOUGH', message: '' } })
    wechat.says(QUERY, { status: 500, body: { code: 'SYSTEM_ERROR', message: '' } })
    await expect(provider.refund(asked)).rejects.toMatchObject(away)
    wechat.says(CREATE, { ...told('SUCCESS'), unsigned: true })
    await expect(provider.refund(asked)).rejects.toMatchObject(away)
  })
  test('under keys that are wrong is refused, and stays to be made', async () => {
    wechat.says(CREATE, { status: 401, body: { code: 'SIGN_ERROR', message: '' }, unsigned: true })
    await expect(provider.refund(asked)).rejects.toMatchObject({ code: 40552, data: { word: 'SIGN_ERROR' } })
  })
  test('of which WeChat has never heard', async () => {
    wechat.says(QUERY, none)
    expect(await provider.queryRefund({ merchant: 1, refundNo })).toEqual({ state: 'none' })
  })
})
