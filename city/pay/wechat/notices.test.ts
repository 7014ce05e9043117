import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from '../testing.ts'
import { certificatesOf, isNoticeGenuine, paidOrder, resourceIn } from './testing.ts'

let desk: Desk
/** A channel that plays its quirks often. */
let odd: Desk
beforeAll(async () => {
  desk = await aDesk()
  odd = await aDesk({ wechat: { probeEvery: 4, twiceEvery: 5 } })
})
afterAll(async () => {
  await desk.close()
  await odd.close()
})
afterEach(() => {
  desk.answersWith(() => ({ status: 200 }))
  desk.heard.length = 0
})

const PROBE = 'WECHATPAY/SIGNTEST/'
const isProbe = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => String(headers['wechatpay-signature']).startsWith(PROBE)
const heard = (count: number) => expect.poll(() => desk.heard.length).toBe(count)

test('a notice is signed over its raw body, and only the merchant can read the transaction', async () => {
  const certificates = await certificatesOf(desk)
  const transactionId = await paidOrder(desk, 'noticed-1', { attach: '甲' })
  await heard(1)
  const [notice] = desk.heard
  expect(isNoticeGenuine(notice!, certificates)).toBe(true)
  expect(isNoticeGenuine({ ...notice!, body: notice!.body.replace('encrypt', 'Encrypt') }, certificates)).toBe(false)
  expect(JSON.parse(notice!.body)).toMatchObject({
    event_type: 'TRANSACTION.SUCCESS',
    resource_type: 'encrypt-resource',
    resource: { algorithm: 'AEAD_AES_256_GCM', original_type: 'transaction', associated_data: 'transaction' },
  })
  expect(notice!.body).not.toContain(transactionId)
  expect(resourceIn(desk, notice!)).toMatchObject({
    out_trade_no: 'noticed-1',
    transaction_id: transactionId,
    trade_state: 'SUCCESS',
    attach: '甲',
    amount: { total: 500 },
  })
})

test('it is repeated until it is taken, as the same notice with another signature', async () => {
  let times = 0
  desk.answersWith(() => ({ status: ++times < 3 ? 500 : 204 }))
  await paidOrder(desk, 'repeated1')
  await heard(3)
  expect(new Set(desk.heard.map(({ body }) => body)).size).toBe(1)
  expect(new Set(desk.heard.map(({ headers }) => headers['wechatpay-nonce'])).size).toBe(3)
  const [first, second, third] = desk.heard.map(({ at }) => at) as [number, number, number]
  expect([second - first >= 25, third - second >= 55]).toEqual([true, true])
})

test('it is given up when its ladder ends', async () => {
  desk.answersWith(() => ({ status: 302 }))
  const before = desk.published.counts['noticesGivenUp']!
  await paidOrder(desk, 'givenup-1')
  await expect.poll(() => desk.published.counts['noticesGivenUp']).toBe(before + 1)
  expect(desk.heard).toHaveLength(4)
})

test('now and then a wrongly signed one comes first, and now and then one comes twice', async () => {
  const certificates = await certificatesOf(odd)
  odd.answersWith((one) => ({ status: isNoticeGenuine(one, certificates) ? 200 : 401 }))
  for (let number = 0; number < 12; number++) await paidOrder(odd, `probed-${number}00`)
  await expect.poll(() => odd.heard.filter(isProbe).length).toBeGreaterThan(0)
  const bodies = odd.heard.filter((one) => !isProbe(one)).map(({ body }) => body)
  await expect.poll(() => new Set(bodies).size < odd.heard.filter((one) => !isProbe(one)).length).toBe(true)
  expect(odd.heard.filter(isProbe).every((one) => !isNoticeGenuine(one, certificates))).toBe(true)
  expect(odd.published.counts['probesBelieved']).toBe(0)
})

test('a merchant that takes a probe is noticed', async () => {
  odd.answersWith(() => ({ status: 200 }))
  for (let number = 0; number < 8; number++) await paidOrder(odd, `believed-${number}`)
  await expect.poll(() => odd.published.counts['probesBelieved']).toBeGreaterThan(0)
})

test('a driver’s payment may be told late, often or never', async () => {
  const countOf = (number: string) => desk.heard.filter((one) => resourceIn(desk, one).out_trade_no === number).length
  await paidOrder(desk, 'never-001', {}, { times: 0 })
  await paidOrder(desk, 'often-001', {}, { times: 3 })
  await paidOrder(desk, 'other-001', {}, { amountFen: 400 })
  await expect.poll(() => countOf('often-001')).toBe(3)
  expect(countOf('never-001')).toBe(0)
  await expect.poll(() => countOf('other-001')).toBe(1)
  expect(
    resourceIn(
      desk,
      desk.heard.find((one) => resourceIn(desk, one).out_trade_no === 'other-001')!,
    ).amount.total,
  ).toBe(400)
})
