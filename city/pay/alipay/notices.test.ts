import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { isNoticeGenuine, paidTrade, parametersOf } from './testing.ts'

let desk: Desk
beforeAll(async () => void (desk = await aDesk()))
afterAll(() => desk.close())
afterEach(() => {
  desk.answersWith(() => ({ status: 200, body: 'success' }))
  desk.heard.length = 0
})
const heard = async (count: number) => {
  await expect.poll(() => desk.heard.length).toBe(count)
  return desk.heard.map(parametersOf)
}

test('a notice is signed without sign and sign_type, and not with them', async () => {
  const tradeNo = await paidTrade(desk, 'noticed-1')
  const [notice] = (await heard(1)) as [Record<string, string>]
  expect(isNoticeGenuine(desk, notice)).toBe(true)
  expect(isNoticeGenuine(desk, notice, ['sign'])).toBe(false)
  expect(isNoticeGenuine(desk, { ...notice, total_amount: '5.01' })).toBe(false)
  const { appId, sellerId } = desk.keys.alipay.apps[0]!
  expect(notice).toMatchObject({
    app_id: appId,
    seller_id: sellerId,
    trade_no: tradeNo,
    out_trade_no: 'noticed-1',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '5.00',
  })
})

test.each(['SUCCESS', 'success\n', '"success"', ''])('it is repeated under the same number after the answer %o', async (body) => {
  let times = 0
  desk.answersWith(() => ({ status: 200, body: ++times < 3 ? body : 'success' }))
  await paidTrade(desk, `repeated-${JSON.stringify(body)}`)
  expect(new Set((await heard(3)).map(({ notify_id: id }) => id)).size).toBe(1)
})

test('refunds repeat the notice of the trade, with their own fields', async () => {
  const tradeNo = await paidTrade(desk, 'refunded')
  await heard(1)
  const refund = (amount: string, out: string) =>
    desk.alipay('alipay.trade.refund', { trade_no: tradeNo, refund_amount: amount, out_request_no: out })
  await refund('2.00', 'r1')
  await heard(2)
  await refund('3.00', 'r2')
  const [, first, second] = (await heard(3)) as [object, Record<string, string>, Record<string, string>]
  expect(first).toMatchObject({ trade_status: 'TRADE_SUCCESS', out_biz_no: 'r1', refund_fee: '2.00', gmt_refund: expect.stringMatching(/\.000$/) })
  expect(second).toMatchObject({ trade_status: 'TRADE_CLOSED', out_biz_no: 'r2', refund_fee: '5.00' })
  expect([first, second].every((one) => isNoticeGenuine(desk, one))).toBe(true)
})

test('a year later the trade is finished, and its notice comes once more', async () => {
  await paidTrade(desk, 'finished')
  await heard(1)
  desk.published.alipay.finish(desk.published.store.trade('alipay', desk.keys.alipay.apps[0]!.sellerId, 'finished')!)
  expect((await heard(2))[1]).toMatchObject({ out_trade_no: 'finished', trade_status: 'TRADE_FINISHED' })
})
