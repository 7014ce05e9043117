import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { certificatesOf, isNoticeGenuine, orderFor, paidOrder, resourceIn } from './testing.ts'

let desk: Desk
beforeAll(async () => {
  desk = await aDesk()
  await paidOrder(desk, 'refunded4')
  await desk.wechat('POST', '/v3/pay/transactions/native', orderFor(desk, 'unpaid-01'))
})
afterAll(() => desk.close())

const REFUNDS = '/v3/refund/domestic/refunds'
const refund = (number: string, out: string, fen: number, more: object = {}) =>
  desk.wechat('POST', REFUNDS, {
    out_trade_no: number,
    out_refund_no: out,
    notify_url: desk.notify('/refund'),
    reason: '多收',
    amount: { refund: fen, total: 500, currency: 'CNY' },
    ...more,
  })
const state = async (out: string) => (await desk.wechat('GET', `${REFUNDS}/${out}`)).body
const noticesOf = (out: string) => desk.heard.filter(({ path }) => path === '/refund').filter((one) => resourceIn(desk, one).out_refund_no === out)

test('a refund is accepted, done a moment later, and told by a signed notice', async () => {
  const certificates = await certificatesOf(desk)
  const transactionId = await paidOrder(desk, 'refunded1')
  const { status, body } = await refund('refunded1', 'back-1', 200)
  expect([status, body.status]).toEqual([200, 'PROCESSING'])
  expect(body).toMatchObject({ transaction_id: transactionId, out_trade_no: 'refunded1', channel: 'ORIGINAL', amount: { total: 500, refund: 200 } })
  await expect.poll(async () => (await state('back-1')).status).toBe('SUCCESS')
  await expect.poll(() => noticesOf('back-1').length).toBe(1)
  const [notice] = noticesOf('back-1')
  expect(isNoticeGenuine(notice!, certificates)).toBe(true)
  expect(JSON.parse(notice!.body)).toMatchObject({ event_type: 'REFUND.SUCCESS', resource: { original_type: 'refund' } })
  expect(resourceIn(desk, notice!)).toMatchObject({ refund_id: body.refund_id, refund_status: 'SUCCESS', amount: { refund: 200 } })
  const { mchid } = desk.keys.wechat.merchants[0]!
  expect((await desk.wechat('GET', `/v3/pay/transactions/out-trade-no/refunded1?mchid=${mchid}`)).body.trade_state).toBe('REFUND')
})

test('the same number is the same refund, and with another amount it is refused', async () => {
  await paidOrder(desk, 'refunded2')
  const first = await refund('refunded2', 'back-2', 100)
  const again = await refund('refunded2', 'back-2', 100)
  expect(again.body.refund_id).toBe(first.body.refund_id)
  const other = await refund('refunded2', 'back-2', 101)
  expect([other.status, other.body.code]).toEqual([400, 'INVALID_REQUEST'])
})

test('more than was paid is refused, in one refund or in several', async () => {
  await paidOrder(desk, 'refunded3')
  expect((await refund('refunded3', 'back-3', 501)).body.code).toBe('INVALID_REQUEST')
  expect((await refund('refunded3', 'back-4', 300)).status).toBe(200)
  expect((await refund('refunded3', 'back-5', 201)).body.code).toBe('INVALID_REQUEST')
  expect((await refund('refunded3', 'back-6', 200)).status).toBe(200)
})

test.each([
  ['of another total', 'refunded4', { amount: { refund: 1, total: 499, currency: 'CNY' } }, 400, 'INVALID_REQUEST'],
  ['of an order that there is not', 'nothing-1', {}, 404, 'RESOURCE_NOT_EXISTS'],
  ['of an order that is not paid', 'unpaid-01', {}, 400, 'INVALID_REQUEST'],
  ['of nothing', 'refunded4', { amount: { refund: 0, total: 500, currency: 'CNY' } }, 400, 'PARAM_ERROR'],
  ['without a number', 'refunded4', { out_refund_no: undefined }, 400, 'PARAM_ERROR'],
])('a refund %s is refused', async (_, number, more, status, code) => {
  const answer = await refund(number, 'back-none', 1, more)
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect((await state('back-none')).code).toBe('RESOURCE_NOT_EXISTS')
})

test('a card that is gone makes a refund abnormal: the money stays with the merchant', async () => {
  await paidOrder(desk, 'refunded5', {}, { isCardGone: true })
  await refund('refunded5', 'back-7', 500)
  await expect.poll(async () => (await state('back-7')).status).toBe('ABNORMAL')
  await expect.poll(() => noticesOf('back-7').map((one) => (JSON.parse(one.body) as { event_type: string }).event_type)).toEqual(['REFUND.ABNORMAL'])
})
