import { afterAll, beforeAll, expect, test } from 'vitest'
import { finishRefund } from '../../settlement/server/api.ts'
import { RefundStep } from '../contract/refund.ts'
import { aGarage, type Garage, now, until } from './testing.ts'
import { Said } from '../contract/said.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
  await garage.call(garage.second, '/shift/open', { openingFloatFen: 100_000 })
})
afterAll(() => garage.close())

const activity = async (payFen = 10_000, bonusFen = 2_000, more = {}) => {
  const made = await garage.custom('/assetsStore/rechargeActivity/insert', {
    name: `充${payFen / 100}送${bonusFen / 100}`,
    tiers: [{ payFen, bonusFen }],
    startAt: '2020-01-01 00:00:00',
    endAt: '2099-01-01 00:00:00',
    ...more,
  })
  return made.data
}
const apply = (body: object, token?: string) => garage.custom('/assetsStore/refund/apply', { reason: '不再使用', ...body }, token)
const audit = ({ id, version }: any, level: number, pass: boolean, token: string) =>
  garage.custom('/assetsStore/refund/audit', { id, version, level, pass, verdict: '已核对' }, token)
const detail = async (id: string) => (await garage.custom('/assetsStore/refund/detail', { id })).data

test('100 + 20 recharged, 60 spent five to one, then refunded: ten of bonus go, fifty are paid, by three persons', async () => {
  const offer = await activity()
  const { ownerId } = await garage.anOwner()
  expect((await garage.recharge(ownerId, 10_000)).data).toMatchObject({ payUrl: null, bonusFen: 2_000 })
  const { plateNo } = await garage.aCar(ownerId)
  await garage.spends(plateNo, 6_000)
  expect(await garage.stands(ownerId)).toEqual({ principalFen: 5_000, bonusFen: 1_000, frozenFen: 0 })
  expect((await apply({ ownerId, dryRun: true })).data).toMatchObject({
    quote: { amountFen: 5_000, clawbackFen: 1_000, payFen: 5_000 },
    refund: null,
  })
  const asked = (await apply({ ownerId })).data.refund
  expect(asked).toMatchObject({ state: 0, amountFen: 5_000, clawbackFen: 1_000, shortfallFen: 0, payFen: 5_000 })
  expect((await garage.stands(ownerId)).frozenFen).toBe(6_000)
  await expect(garage.spends(plateNo, 1)).rejects.toMatchObject({ code: 41501 })
  expect(await apply({ ownerId })).toMatchObject({ code: 41561 })
  expect(await audit(asked, 1, true, garage.admin)).toMatchObject({ code: 41563 })
  const early = { id: asked.id, version: asked.version, level: 2, pass: true }
  const inEnglish = await garage.server.ask(garage.second, 'POST', '/lbs/custom/assetsStore/refund/audit', early, { cookie: 'lang=en' })
  expect(inEnglish).toMatchObject({ code: 41564, message: 'The first review comes next' })
  const once = (await audit(asked, 1, true, garage.second)).data
  expect(once.state).toBe(1)
  expect(await audit(once, 2, true, garage.second)).toMatchObject({ code: 41563 })
  expect((await audit(once, 2, true, garage.third)).data.state).toBe(2)
  const paying = await until(
    () => detail(asked.id),
    ({ state }) => state === 3,
  )
  expect(paying.steps.map(({ step }: any) => step)).toEqual([RefundStep.request, RefundStep.first, RefundStep.second])
  const [back] = await garage.sql<any>(`select id, version from settlement.refund where reason = $1`, [Said.refund({ refundNo: asked.refundNo })])
  expect((await garage.call(garage.second, '/orderRefund/payOut', { id: back.id, version: back.version })).status).toBe(200)
  expect(await detail(asked.id)).toMatchObject({ state: 4, doneFen: 5_000, recharges: [{ amountFen: 5_000, clawbackFen: 1_000, state: 2 }] })
  expect(await garage.stands(ownerId)).toEqual({ principalFen: 0, bonusFen: 0, frozenFen: 0 })
  expect(await garage.differing()).toEqual([])
  const sum = (await garage.custom('/assert/selectCarOwnerAssetSum', { ownerId })).data
  expect(sum).toMatchObject({
    openingFen: 0,
    rechargedFen: 10_000,
    givenFen: 2_000,
    spentFen: 6_000,
    refundedFen: 5_000,
    takenBackFen: 1_000,
    closingFen: 0,
  })
  expect(
    (await garage.custom('/assetsStore/rechargeActivity/update', { id: offer.id, version: offer.version, tiers: [{ payFen: 1_000, bonusFen: 900 }] }))
      .code,
  ).toBe(41540)
  expect((await garage.custom('/assetsStore/rechargeActivity/update', { id: offer.id, version: offer.version, stopped: true })).data.status).toBe(3)
})

test('a rejected refund is free again, and what was asked for is not reviewed by whoever asked', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 3_000)
  const asked = (await apply({ ownerId, amountFen: 1_000 }, garage.second)).data.refund
  const listed = async (token: string, stage?: number) =>
    (await garage.custom('/assetsStore/refund/auditList', { ...(stage && { stage }), ownerId }, token)).data.records.length
  expect(await Promise.all([garage.third, garage.admin].map((token) => listed(token)))).toEqual([1, 1])
  expect(await Promise.all([listed(garage.second, 1), listed(garage.third, 1)])).toEqual([0, 1])
  expect((await audit(asked, 1, false, garage.third)).data).toMatchObject({ state: 5 })
  expect(await listed(garage.third, 3)).toBe(1)
  // A refund that another decided waits for nobody; a reviewer's own decisions stay in sight.
  expect(await Promise.all([garage.third, garage.admin].map((token) => listed(token)))).toEqual([1, 0])
  expect(await garage.stands(ownerId)).toEqual({ principalFen: 3_000, bonusFen: 0, frozenFen: 0 })
  expect((await audit({ id: asked.id, version: asked.version + 1 }, 1, true, garage.admin)).code).toBe(40010)
})

test('a slip of the finger is no recharge', async () => {
  const { ownerId } = await garage.anOwner()
  expect(await garage.recharge(ownerId, 5_000_001)).toMatchObject({ status: 400 })
  expect((await garage.recharge(ownerId, 5_000_000)).code).toBe(200)
})

test('two reviewers at once: one of them', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 3_000)
  const asked = (await apply({ ownerId })).data.refund
  const both = await Promise.all([audit(asked, 1, true, garage.second), audit(asked, 1, true, garage.third)])
  expect(both.map(({ status }: any) => status).sort()).toEqual([200, 409])
})

test('what was rejected is in the list of refunds and in no total of what is to go back', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 3_000)
  const sums = async () => (await garage.custom('/assetsStore/refund/list', { ownerId, queryMode: 'sum' })).data.sums
  const asked = (await apply({ ownerId })).data.refund
  expect(await sums()).toMatchObject({ amountFen: 3_000, payFen: 3_000 })
  expect((await audit(asked, 1, false, garage.second)).data).toMatchObject({ state: 5 })
  expect(await sums()).toEqual({ amountFen: 0, clawbackFen: 0, payFen: 0, doneFen: 0 })
  expect((await garage.custom('/assetsStore/refund/list', { ownerId })).data.total).toBe(1)
})

test('a recharge of last year goes by transfer, with its slip', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 3_000)
  const [{ orderNo }] = await garage.sql<any>('select order_no from owner.recharge where owner_id = $1', [ownerId])
  const reported = async () => (await garage.server.ask<any>(garage.admin, 'GET', '/lbs/fee/report/recharge', { rechargeNo: orderNo })).data.records
  expect(await reported()).toMatchObject([{ payFen: 3_000, refundFen: 0, netFen: 3_000 }])
  await garage.sql(`update owner.recharge set paid_at = now() - interval '400 days' where owner_id = $1`, [ownerId])
  const asked = (await apply({ ownerId })).data.refund
  const once = (await audit(asked, 1, true, garage.second)).data
  await audit(once, 2, true, garage.third)
  const paying = await until(
    () => detail(asked.id),
    ({ state }) => state === 3,
  )
  expect(paying.recharges).toMatchObject([{ route: 2, state: 0, payFen: 3_000 }])
  const partId = paying.recharges[0].id
  expect((await garage.custom('/assetsStore/refund/transfer', { partId, transferNo: 'B20261123' })).data).toMatchObject({ state: 4, doneFen: 3_000 })
  expect((await garage.custom('/assetsStore/refund/transfer', { partId, transferNo: 'B20261123' })).status).toBe(409)
  expect(await reported()).toMatchObject([{ payFen: 3_000, refundFen: 3_000, netFen: 0 }])
  const lines = (await detail(asked.id)).entries.map(({ account, debitFen, creditFen }: any) => [account, debitFen, creditFen])
  expect(lines).toEqual([
    ['liability.stored', 3_000, 0],
    ['asset.channel', 0, 3_000],
  ])
  expect(await garage.stands(ownerId)).toEqual({ principalFen: 0, bonusFen: 0, frozenFen: 0 })
  expect(await garage.differing()).toEqual([])
})

test('what failed is free again and may be spent: the same refund is not sent once more, what is left is asked for anew', async () => {
  const { ownerId } = await garage.anOwner()
  const { plateNo } = await garage.aCar(ownerId)
  const recharge = (await garage.custom('/owner/account/recharge', { ownerId, payFen: 10_000, payMethod: 1 })).data
  const [pay] = await garage.sql<any>(
    'select p.pay_no, p.order_id from settlement.payment p join settlement.order o on o.id = p.order_id where o.order_no = $1',
    [recharge.orderNo],
  )
  await garage.notify({ payNo: pay.payNo, amountFen: 10_000 })
  const asked = (await apply({ ownerId })).data.refund
  const once = (await audit(asked, 1, true, garage.second)).data
  await garage.unanswered(async () => {
    await audit(once, 2, true, garage.third)
    const back = () => garage.sql<any>('select id, refund_no, version, state from settlement.refund where order_id = $1', [pay.orderId])
    const [{ refundNo }] = await until(back, (rows) => rows[0]?.state === 2)
    await garage.server.house.writing(1, 'test', (tx) => finishRefund(tx, { refundNo, ok: false, failure: '账户异常', at: now() }))
    expect(await detail(asked.id)).toMatchObject({ state: 6 })
    await garage.spends(plateNo, 4_000)
    const [failed] = await back()
    expect(await garage.call(garage.second, '/orderRefund/retry', { id: failed.id, version: failed.version })).toMatchObject({
      status: 422,
      code: 41565,
    })
    expect(await back()).toEqual([failed])
  })
  expect(await garage.stands(ownerId)).toEqual({ principalFen: 6_000, bonusFen: 0, frozenFen: 0 })
  // It is in no refund total either: a new request for the same money would count twice.
  const sums = async () => (await garage.custom('/assetsStore/refund/list', { ownerId, queryMode: 'sum' })).data.sums
  expect(await sums()).toEqual({ amountFen: 0, clawbackFen: 0, payFen: 0, doneFen: 0 })
  expect((await apply({ ownerId })).data.refund).toMatchObject({ state: 0, payFen: 6_000 })
  expect(await sums()).toMatchObject({ amountFen: 6_000, payFen: 6_000 })
  expect(await garage.differing()).toEqual([])
})

test('a recharge goes back through here alone, and is never waived', async () => {
  const { ownerId } = await garage.anOwner()
  await garage.recharge(ownerId, 3_000)
  const [{ orderId }] = (await garage.sql<{ orderId: string }>('select order_id from owner.recharge where owner_id = $1', [ownerId])) as [
    { orderId: string },
  ]
  expect(await garage.call(garage.admin, '/orderRefund/apply', { orderId, amountFen: 100, reason: '退' })).toMatchObject({ code: 40593 })
})

test('of several activities the larger bonus counts, the highest tier alone, and for each person as often as it says', async () => {
  await activity(5_000, 500)
  await activity(5_000, 800, {
    perUserTimes: 1,
    tiers: [
      { payFen: 5_000, bonusFen: 800 },
      { payFen: 20_000, bonusFen: 4_000 },
    ],
  })
  const { ownerId } = await garage.anOwner()
  const given = async (fen: number) => (await garage.recharge(ownerId, fen)).data.bonusFen
  expect(await given(4_999)).toBe(0)
  expect(await given(20_000)).toBe(4_000)
  expect(await given(20_000)).toBe(500)
  const falling = {
    name: '降',
    tiers: [
      { payFen: 2_000, bonusFen: 300 },
      { payFen: 3_000, bonusFen: 200 },
    ],
    startAt: '2026-01-01 00:00:00',
    endAt: '2027-01-01 00:00:00',
  }
  expect((await garage.custom('/assetsStore/rechargeActivity/insert', falling)).code).toBe(41541)
  expect((await garage.recharge(ownerId, 100)).status).toBe(200)
  expect((await garage.custom('/owner/account/recharge', { ownerId, payFen: 100, payMethod: 3 })).code).toBe(41502)
})

test('bonus that was spent already is taken off the payment', async () => {
  const { ownerId } = await garage.anOwner()
  await activity(30_000, 9_000)
  await garage.recharge(ownerId, 30_000)
  await garage.sql(`update owner.purse set bonus_fen = bonus_fen where owner_id = $1`, [ownerId])
  const quote = (await apply({ ownerId, dryRun: true })).data.quote
  expect(quote).toMatchObject({ amountFen: 30_000, clawbackFen: 9_000, payFen: 30_000 })
})
