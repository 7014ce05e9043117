import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { tokenOfParks } from '../../../tests/support/roles.ts'
import { cancelOrder, leaveUnpaid } from '../../settlement/server/api.ts'
import { COUPONS } from '../contract/figures.ts'
import { aShop, type Shop } from './testing.ts'
import { expireSome } from './upkeep.ts'

let shop: Shop
let second: string
beforeAll(async () => {
  shop = await aShop()
  await shop.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await shop.ground.server.signIn('auditor')
  // The till needs cash from the start: refunds are paid out of it.
  await shop.business('/shift/open', { openingFloatFen: 100_000_000 })
})
afterAll(() => shop.close())
/** The test's park has its clock in the last day: coupons are valid there from before. */
const early = (plate: string) => shop.sql(`update coupon.coupon set valid_from = valid_from - interval '2 days' where plate_no = $1`, [plate])
const pays = async (plate: string) => shop.field.pays(await shop.field.stay(plate), 95)
const refund = async (orderId: string, amountFen: number) => {
  const { data } = await shop.business('/orderRefund/apply', { orderId, amountFen, reason: '试' })
  const approved = await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)
  return shop.business('/orderRefund/payOut', { id: data.id, version: approved.data.version })
}

test('a template is free while it is a draft; enabled, its terms are fixed', async () => {
  const draft = await shop.template({ status: 0, name: '满减草稿' })
  const change = (of: any, more: object) => shop.call('/couponsTemplateInfo/update', { id: of.id, version: of.version, ...more })
  const enabled = (await change(draft, { value: 500, status: 1 })).data
  expect(enabled).toMatchObject({ value: 500, status: 1 })
  expect(await change(enabled, { value: 900 })).toMatchObject({ code: 41601 })
  expect(await change(enabled, { totalQty: 10 })).toMatchObject({ code: 41601 })
  const more = (await change(enabled, { name: '满减', totalQty: 2000, value: 500 })).data
  expect(more).toMatchObject({ name: '满减', totalQty: 2000 })
  expect(await change(more, { status: 0 })).toMatchObject({ code: 40010 })
  expect(await shop.call('/couponsTemplateInfo/insert', { name: '坏', type: 3, value: 1000, validType: 2, validDays: 1, totalQty: 1 })).toMatchObject(
    { status: 400 },
  )
  expect(
    (await shop.ground.ask(shop.ground.admin, '/coupon/couponsTemplateInfo/selectByParkCode', { parkCode: 'T999' }, 'GET')).data.map(
      ({ id }: any) => id,
    ),
  ).toContain(draft.id)
  expect((await shop.call('/couponsTemplateInfo/delete', { id: more.id, version: more.version })).status).toBe(200)
})

test('whoever looks after one park makes templates for it alone, and lets none into another', async () => {
  const [{ parkCode: near }, { parkCode: far }] = [await shop.ground.field(), await shop.ground.field()]
  const token = await tokenOfParks(shop.ground.server, [near])
  const terms = { name: '本场券', type: 1, value: 300, validType: 2, validDays: 30, totalQty: 10, status: 0 }
  const add = (parkCodes: string[]) => shop.call('/couponsTemplateInfo/insert', { ...terms, parkCodes }, token)
  expect((await add([near, far])).status).toBe(404)
  const made = await add([near])
  expect(made).toMatchObject({ status: 200, data: { parkCodes: [near] } })
  const { id, version } = made.data
  const change = (more: object) => shop.call('/couponsTemplateInfo/update', { id, version, ...more }, token)
  expect((await change({ parkCodes: [near, far] })).status).toBe(404)
  expect(await change({ value: 500 })).toMatchObject({ status: 200, data: { value: 500, parkCodes: [near] } })
})

test('days the wrong way round are told as that', async () => {
  const dated = { name: '券', type: 4, value: 100, parkCodes: [shop.field.parkCode], totalQty: 10, validType: 1 }
  const add = (more: object) => shop.call('/couponsTemplateInfo/insert', { ...dated, ...more })
  expect((await add({ validFrom: '2099-02-01', validTo: '2099-01-01' })).message).toContain('失效日不能早于生效日')
  expect((await add({ validTo: '2099-01-01' })).message).toContain('请填写生效日和失效日')
})
test('a coupon is sent to plates alone: of a list with one that is none nobody gets any', async () => {
  const template = await shop.template({ totalQty: 100 })
  const plate = shop.aPlate()
  for (const wrong of ['BADPLATE', '12345678', 'QQQQQQQQ'])
    expect(await shop.send({ templateId: template.id, plates: [plate, wrong] })).toMatchObject({
      status: 422,
      code: 40893,
      message: expect.stringContaining(wrong),
    })
  expect(await shop.sql('select 1 from coupon.coupon where template_id = $1', [template.id])).toEqual([])
  expect(await shop.send({ templateId: template.id, plates: [`${plate.slice(0, 2)}·${plate.slice(2)}`.toLowerCase()] })).toMatchObject({
    code: 200,
    data: { cars: 1 },
  })
})
test('stock is made within the total; a sale takes balance, then credit, and names what is missing', async () => {
  const template = await shop.template({ totalQty: 100 })
  const { data: article } = await shop.call('/couponsGoodsinfo/insert', { templateId: template.id, name: '三元券', priceFen: 100, qty: 60 })
  expect(await shop.call('/couponsGoodsRecord/replenish', { goodId: article.id, qty: 41 })).toMatchObject({ code: 41604 })
  expect((await shop.call('/couponsGoodsRecord/replenish', { goodId: article.id, qty: 40 })).data.stock).toBe(100)
  const { id } = await shop.merchant({ balanceFen: 1000, creditFen: 500 })
  const buy = (qty: number, payableFen = qty * 100) => shop.call('/couponSoldRecord/buyCoupons', { mchId: id, goodId: article.id, qty, payableFen })
  expect(await buy(5, 400)).toMatchObject({ code: 41613 })
  expect(await buy(101)).toMatchObject({ code: 41611 })
  expect(await buy(16)).toMatchObject({ code: 41710, message: expect.stringContaining('1.00') })
  const sale = (await buy(12)).data
  expect(sale).toMatchObject({ balancePaidFen: 1000, creditPaidFen: 200, leftQty: 12 })
  expect(await shop.ledgerOf(id)).toEqual({ balance: 0, coupon: 1200, credit: 200 })
  const back = (await shop.call('/soldRecord/giveBack', { id: sale.id, version: sale.version, qty: 5 })).data
  expect(back).toMatchObject({ leftQty: 7, returnedQty: 5 })
  expect(await shop.merchantOf(id)).toMatchObject({ balanceFen: 300, usedFen: 0 })
  expect(await shop.call('/soldRecord/giveBack', { id: sale.id, version: back.version, qty: 8 })).toMatchObject({ code: 41614 })
  const moves = (await shop.call('/couponsGoodsRecord/queryPage', { goodId: article.id })).data.records
  expect(moves.map(({ kind, qty, stockAfter }: any) => [kind, qty, stockAfter])).toEqual([
    [4, 5, 93],
    [3, -12, 88],
    [2, 40, 100],
    [1, 60, 60],
  ])
  const offers = (await shop.ground.ask(shop.ground.admin, '/coupon/couponsGoodsinfo/selectGoodInfoByMchId', { mchId: id }, 'GET')).data
  expect(offers.find((one: any) => one.id === article.id)).toMatchObject({ leftQty: 7, stock: 93 })
})

test('a template whose last day is over is neither offered nor sold, and what a merchant has left of it lapses once, by its contract', async () => {
  for (const expiredBack of [true, false]) {
    const template = await shop.template({ validType: 1, validDays: null, validFrom: '2020-01-01', validTo: '2099-12-31' })
    const { id } = await shop.merchant({ balanceFen: 5000, expiredBack })
    const { id: soldId, goodId } = await shop.sale(id, template, { priceFen: 200, qty: 10 })
    expect((await shop.send({ soldId, plates: [shop.aPlate()] })).status).toBe(200)
    expect((await shop.call('/couponsGoodsRecord/replenish', { goodId, qty: 5 })).status).toBe(200)
    const lapses = () => shop.field.write((tx) => expireSome(tx, instantAt(Date.now())))
    await lapses()
    expect((await shop.sql('select left_qty from coupon.sold_record where id = $1', [soldId]))[0].leftQty).toBe(9)
    await shop.sql(`update coupon.template set valid_to = '2020-02-01' where id = $1`, [template.id])
    const offers = (await shop.ground.ask(shop.ground.admin, '/coupon/couponsGoodsinfo/selectGoodInfoByMchId', { mchId: id }, 'GET')).data
    expect(offers.map((one: any) => one.id)).not.toContain(goodId)
    expect(await shop.call('/couponSoldRecord/buyCoupons', { mchId: id, goodId, qty: 1, payableFen: 200 })).toMatchObject({ code: 41623 })
    for (let twice = 0; twice < 2; twice++) {
      await lapses()
      const { records } = (await shop.call('/couponSoldRecord/queryPage', { mchId: id })).data
      expect(records).toMatchObject([{ qty: 10, leftQty: 0, expiredQty: 9, returnedQty: 0 }])
      expect(await shop.ledgerOf(id)).toEqual({ balance: expiredBack ? 4800 : 3000, coupon: 200, credit: 0 })
      expect(await shop.merchantOf(id)).toMatchObject({ balanceFen: expiredBack ? 4800 : 3000 })
    }
  }
  const ended = await shop.template()
  const { id } = await shop.merchant({ balanceFen: 5000 })
  const { goodId } = await shop.sale(id, ended, { qty: 1 })
  await shop.call('/couponsGoodsRecord/replenish', { goodId, qty: 1 })
  await shop.sql('update coupon.template set status = 3 where id = $1', [ended.id])
  expect(await shop.call('/couponSoldRecord/buyCoupons', { mchId: id, goodId, qty: 1, payableFen: 200 })).toMatchObject({ code: 41603 })
  expect(await shop.replay()).toBe(true)
})

test('balance 100, credit 50: of two purchases of 100 at once, one passes', async () => {
  const template = await shop.template()
  const { data: article } = await shop.call('/couponsGoodsinfo/insert', { templateId: template.id, name: '百元', priceFen: 10_000, qty: 10 })
  const { id } = await shop.merchant({ balanceFen: 10_000, creditFen: 5_000 })
  const buy = () => shop.call('/couponSoldRecord/buyCoupons', { mchId: id, goodId: article.id, qty: 1, payableFen: 10_000 })
  const answers = await Promise.all([buy(), buy()])
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 41710])
  expect(await shop.merchantOf(id)).toMatchObject({ balanceFen: 0, usedFen: 0 })
  expect(await shop.ledgerOf(id)).toEqual({ balance: 0, coupon: 10_000, credit: 0 })
})

test('issued before the car enters, it is locked by the order, used when that is paid, and named by the fee', async () => {
  const [plate, { id }] = [shop.aPlate(), await shop.merchant({ balanceFen: 5000 })]
  const sale = await shop.sale(id, await shop.template({ name: '三元停车券' }))
  expect((await shop.send({ soldId: sale.id, plates: [plate] })).data).toEqual({ cars: 1, coupons: 1, again: false })
  expect(await shop.send({ soldId: sale.id, plates: [plate] })).toMatchObject({ code: 41622 })
  await early(plate)
  const order = await shop.leaves(plate, 90)
  expect(order).toMatchObject({ receivableFen: 1000, discountFen: 300, payableFen: 700 })
  expect(await shop.coupons(plate)).toMatchObject([{ state: 2, orderId: order.id, takeFen: 300 }])
  const story = (await shop.ground.ask(shop.ground.admin, '/fee/parkRecord/story', { id: order.stayId }, 'GET')).data
  expect(story.quote.discounts).toEqual([{ zh: '优惠券 三元停车券', en: 'Coupon 三元停车券', amountFen: 300 }])
  await pays(plate)
  const [used] = await shop.coupons(plate)
  expect(used).toMatchObject({ state: 3 })
  const { records } = (await shop.call('/couponUseRecord/queryPage', { plateNo: plate })).data
  expect(records).toMatchObject([{ faceFen: 300, deductedFen: 300, wastedFen: 0, orderNo: order.orderNo, soldNo: sale.soldNo, returnedAt: null }])
  expect((await refund(order.id, 700)).status).toBe(200)
  expect(await shop.coupons(plate)).toMatchObject([{ state: 1, orderId: null }])
  expect((await shop.call('/couponUseRecord/queryPage', { plateNo: plate })).data.records[0].returnedAt).not.toBeNull()
  expect(await shop.replay()).toBe(true)
})

test('a fee is refunded while the car has another coupon of the same sale: both are good', async () => {
  const [plate, { id }] = [shop.aPlate(), await shop.merchant({ balanceFen: 5000 })]
  const sale = await shop.sale(id, await shop.template())
  const send = () => shop.send({ soldId: sale.id, plates: [plate] })
  await send()
  await early(plate)
  const order = await shop.leaves(plate, 90)
  await pays(plate)
  expect((await send()).status).toBe(200)
  expect((await refund(order.id, 700)).status).toBe(200)
  expect(await shop.coupons(plate)).toMatchObject([{ state: 1 }, { state: 1 }])
  expect(await send()).toMatchObject({ code: 41622 })
  expect(await shop.replay()).toBe(true)
})

test('a use stays on the day of its statement when the fee is paid back on a later one', async () => {
  const [plate, { id: mchId }] = [shop.aPlate(), await shop.merchant({ balanceFen: 5000 })]
  await shop.send({ soldId: (await shop.sale(mchId, await shop.template())).id, plates: [plate] })
  await early(plate)
  const order = await shop.leaves(plate, 90)
  await pays(plate)
  const [{ day }] = (await shop.custom('/merchant/statement/page', { mchId })).data.records
  const used = async () => (await shop.custom('/merchant/statement/day', { mchId, day })).data.used
  await shop.sql(`update coupon.use_record set used_at = $2::date::timestamp at time zone 'Asia/Shanghai' where mch_id = $1`, [mchId, day])
  expect(await used()).toBe(1)
  expect((await refund(order.id, order.payableFen)).status).toBe(200)
  expect(await shop.coupons(plate)).toMatchObject([{ state: 1 }])
  expect(await used(), 'paid back on the same day').toBe(0)
  await shop.sql(`update coupon.use_record set returned_at = returned_at + interval '1 day' where mch_id = $1`, [mchId])
  expect(await used()).toBe(1)
})

test('half of the money back keeps the coupon used', async () => {
  const plate = shop.aPlate()
  await shop.send({ templateId: (await shop.template()).id, plates: [plate] })
  await early(plate)
  const order = await shop.leaves(plate, 90)
  await pays(plate)
  expect((await refund(order.id, 350)).status).toBe(200)
  expect(await shop.coupons(plate)).toMatchObject([{ state: 3 }])
})

test('a cancelled order gives it free, for the next one', async () => {
  const plate = shop.aPlate()
  await shop.send({ templateId: (await shop.template()).id, plates: [plate] })
  await early(plate)
  const order = await shop.leaves(plate, 90)
  await shop.field.write((tx) => cancelOrder(tx, order.id, { reason: '试', at: shop.field.at(91) }))
  await shop.field.exits(plate, 92)
  const orders = await shop.field.orders(await shop.field.stay(plate))
  const again = orders.find(({ status }) => status === 0)!
  expect(again).toMatchObject({ discountFen: 300 })
  expect(await shop.coupons(plate)).toMatchObject([{ state: 2, orderId: again.id }])
  expect((await shop.business('/order/cancel', { id: again.id, reason: '试' })).status).toBe(200)
  const [last] = (await shop.field.orders(await shop.field.stay(plate))).filter(({ status }) => status === 0)
  expect(await shop.coupons(plate)).toMatchObject([{ state: 2, orderId: last!.id }])
})

test('one coupon at two exits at once: one stay has it, the other pays in full and its lane says where the coupon is', async () => {
  const plate = shop.aPlate()
  const other = await shop.ground.field()
  await shop.send({ templateId: (await shop.template({ name: '两处一券' })).id, plates: [plate] })
  await early(plate)
  await Promise.all([shop.field.enters(plate, 0), other.enters(plate, 0)])
  const gone = await Promise.allSettled([shop.field.exits(plate, 90), other.exits(plate, 90)])
  if (gone.some(({ status }) => status === 'rejected')) await Promise.all([shop.field.exits(plate, 90.1), other.exits(plate, 90.1)])
  const orders = await Promise.all([shop.field, other].map(async (of) => (await of.orders(await of.stay(plate)))[0]!))
  expect(orders.map(({ discountFen }) => discountFen).sort()).toEqual([0, 300])
  expect(await shop.coupons(plate)).toMatchObject([{ state: 2, orderId: orders.find(({ discountFen }) => discountFen)!.id }])
  const [has, pays] = orders[0]!.discountFen ? [shop.field, other] : [other, shop.field]
  const { name } = (await shop.sql('select name from parking.park where park_code = $1', [has.parkCode]))[0]
  const lastSaid = async (of: typeof has) => (await of.decisions(plate)).at(-1)!.checks.at(-1)!
  expect(await lastSaid(pays)).toMatchObject({
    zh: `应缴 10 元；优惠券 两处一券 已被${name}的待支付订单锁定，未抵扣`,
    en: `¥10 to pay. Coupon 两处一券 is locked by an unpaid order at ${name} and was not applied`,
  })
  expect((await lastSaid(has)).zh).toBe('应缴 7 元（优惠券 两处一券）')
  await expect(
    shop.sql(
      `insert into coupon.use_record (coupon_id, coupon_no, name, order_id, park_code, plate_no, face_fen, deducted_fen, wasted_fen, held_fen, used_at)
    select id, coupon_no, name, $2, 'T001', plate_no, 1, 1, 0, 0, now() from coupon.coupon, generate_series(1, 2) where plate_no = $1`,
      [plate, randomUUID()],
    ),
  ).rejects.toThrow(/used_once/)
})

test('left unpaid the debt is net of it, so it is used; it pays the whole fee: used at once', async () => {
  const [debtor, free] = [shop.aPlate(), shop.aPlate()]
  const template = await shop.template({ value: 1000, name: '十元' })
  await shop.send({ templateId: template.id, plates: [debtor, free] })
  await Promise.all([early(debtor), early(free)])
  const owing = await shop.leaves(debtor, 125)
  await shop.field.write((tx) => leaveUnpaid(tx, owing.id, { at: shop.field.at(130) }))
  expect(await shop.coupons(debtor)).toMatchObject([{ state: 3 }])
  const order = await shop.leaves(free, 61)
  expect(order).toMatchObject({ status: 3, discountFen: 1000 })
  expect(await shop.coupons(free)).toMatchObject([{ state: 3 }])
})

test('a coupon of time runs the fee again; the list says what each takes off and why the others lose', async () => {
  const plate = shop.aPlate()
  const [hour, small, far, dear] = [
    await shop.template({ type: 2, value: 60, name: '一小时' }),
    await shop.template({ value: 200, name: '两元' }),
    await shop.template({ value: 900, name: '别处', parkCodes: [(await shop.ground.field()).parkCode] }),
    await shop.template({ value: 900, name: '满百', thresholdFen: 10_000 }),
  ]
  for (const { id } of [hour, small, far, dear]) await shop.send({ templateId: id, plates: [plate] })
  await early(plate)
  const order = await shop.leaves(plate, 90)
  expect(order).toMatchObject({ receivableFen: 1000, discountFen: 500 })
  const { data } = await shop.call('/coupon/queryByCar', { plateNo: plate })
  const byName = Object.fromEntries(data.map((one: any) => [one.name, one.verdict]))
  expect(byName).toMatchObject({ 别处: 5, 满百: 4 })
  // By now the day's cap is reached: an hour less takes nothing off any more.
  expect(data[0]).toMatchObject({ name: '两元', verdict: 1, aloneFen: 200, togetherFen: 200, amountFen: 2500 })
  expect(data.reduce((sum: number, { togetherFen }: any) => sum + togetherFen, 0)).toBe(200)
})

test('limits of a car, of a day, of what is left; a withdrawn one may be issued again', async () => {
  const [plate, { id }] = [shop.aPlate(), await shop.merchant({ balanceFen: 5000 })]
  const template = await shop.template({ perUserLimit: 2, perDayLimit: 1 })
  const sale = await shop.sale(id, template, { qty: 2 })
  expect(await shop.send({ soldId: sale.id, plates: [plate, shop.aPlate(), shop.aPlate()] })).toMatchObject({ code: 41614 })
  await shop.send({ soldId: sale.id, plates: [plate] })
  expect(await shop.send({ templateId: template.id, plates: [plate] })).toMatchObject({ code: 41621 })
  await shop.sql(`update coupon.coupon set issued_at = issued_at - interval '1 day' where plate_no = $1`, [plate])
  await shop.send({ templateId: template.id, plates: [plate] })
  await shop.sql(`update coupon.coupon set issued_at = issued_at - interval '1 day' where plate_no = $1`, [plate])
  expect(await shop.send({ templateId: template.id, plates: [plate] })).toMatchObject({ code: 41620 })
  const [one] = await shop.coupons(plate)
  expect((await shop.call('/coupon/withdraw', { id: one.id, version: one.version, reason: '发错' })).data).toMatchObject({ state: 5 })
  expect((await shop.call('/couponSoldRecord/queryPage', { soldNo: sale.soldNo })).data.records).toMatchObject([{ leftQty: 2 }])
  expect(await shop.call('/coupon/withdraw', { id: one.id, version: one.version + 1, reason: '发错' })).toMatchObject({ code: 40010 })
  const total = (await shop.call('/coupon/queryStatistics', { templateId: template.id })).data
  expect(total).toMatchObject({ issued: 2, live: 1, withdrawn: 1, used: 0 })
})

test('a book is so many free coupons; a merchant that is off issues none', async () => {
  const [plate, { id }] = [shop.aPlate(), await shop.merchant({ balanceFen: 5000 })]
  const sale = await shop.sale(id, await shop.template({ type: 5, value: 3 }), { priceFen: 1000, qty: 2 })
  expect((await shop.send({ soldId: sale.id, plates: [plate] })).data.coupons).toBe(3)
  expect((await shop.coupons(plate)).map(({ type, heldFen }) => [type, heldFen])).toEqual([
    [4, 334],
    [4, 333],
    [4, 333],
  ])
  const { version } = await shop.merchantOf(id)
  await shop.custom('/merchant/updateStatus', { id, version, status: 2 })
  expect(await shop.send({ soldId: sale.id, plates: [shop.aPlate()] })).toMatchObject({ code: 41711 })
  await early(plate)
  expect(await shop.leaves(plate, 200)).toMatchObject({ status: 3 })
  expect((await shop.coupons(plate)).map(({ state }) => state).sort()).toEqual([1, 1, 3])
})

test('in both settlements, whatever happens: statement, account and ledger are the same', async () => {
  let seed = 11
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (const [settleMode, expiredBack] of [
    [1, true],
    [1, false],
    [2, true],
    [2, false],
  ] as const) {
    const { id } = await shop.merchant({ settleMode, expiredBack, balanceFen: 3000, creditFen: 2000 })
    const template = await shop.template({ value: 250 })
    const sale = await shop.sale(id, template, { priceFen: 200, qty: 12 })
    for (let i = 0; i < 7; i++) {
      const plate = shop.aPlate()
      expect((await shop.send({ soldId: sale.id, plates: [plate] })).status).toBe(200)
      await early(plate)
      const [one] = await shop.coupons(plate)
      const what = i % 4
      if (what === 0) await shop.call('/coupon/withdraw', { id: one.id, version: one.version, reason: '试' })
      else if (what === 1) {
        await shop.sql(`update coupon.coupon set valid_from = now() - interval '9 days', valid_to = now() - interval '8 days' where id = $1`, [
          one.id,
        ])
        await shop.field.write((tx) => expireSome(tx, instantAt(Date.now())))
      } else {
        const order = await shop.leaves(plate, 61 + random(200))
        await pays(plate)
        if (what === 3) await refund(order.id, order.payableFen)
      }
      const mch = await shop.merchantOf(id)
      const ledger = await shop.ledgerOf(id)
      const [{ left }] = await shop.sql('select coalesce(sum(left_qty), 0)::int as left from coupon.sold_record where mch_id = $1', [id])
      const [{ held }] = await shop.sql(
        `select coalesce(sum(held_fen) filter (where state in (1, 2)), 0)::bigint as held from coupon.coupon where mch_id = $1`,
        [id],
      )
      expect([ledger.balance, ledger.credit]).toEqual([mch.balanceFen, mch.usedFen])
      expect(ledger.coupon).toBe(settleMode === 2 ? mch.heldFen : held + left * 200)
      if (settleMode === 2) expect(held).toBe(mch.heldFen)
      const [day] = (await shop.custom('/merchant/statement/page', { mchId: id })).data.records
      const net = (name: string) => day[name] ?? 0
      expect(day.closingFen).toBe(mch.balanceFen + mch.heldFen - mch.usedFen)
      expect(day.openingFen + net('rechargeFen') - net('boughtFen') + net('returnedFen') - net('deductedFen') + net('expiredBackFen')).toBe(
        day.closingFen,
      )
    }
  }
  expect(await shop.replay()).toBe(true)
}, 60_000)

test('a merchant settles otherwise by now: a coupon whose fee goes back is settled as it was sold', async () => {
  for (const [soldAs, now] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const { id } = await shop.merchant({ settleMode: soldAs, balanceFen: 3000 })
    const sale = await shop.sale(id, await shop.template({ type: 3, value: 900, maxDiscountFen: 400 }), { priceFen: 200, qty: 1 })
    const plate = shop.aPlate()
    await shop.send({ soldId: sale.id, plates: [plate] })
    await early(plate)
    const order = await shop.leaves(plate, 90)
    await pays(plate)
    const { version, balanceFen } = await shop.merchantOf(id)
    // Nothing is out or left: the contract may change.
    expect((await shop.custom('/merchant/update', { id, version, settleMode: now })).status).toBe(200)
    expect((await refund(order.id, order.payableFen)).status).toBe(200)
    const [one] = await shop.coupons(plate)
    expect(one).toMatchObject({ state: 1, heldFen: soldAs === 1 ? 200 : 100 })
    expect(await shop.merchantOf(id)).toMatchObject({ balanceFen, heldFen: soldAs === 1 ? 0 : 100 })
    expect(await shop.ledgerOf(id)).toMatchObject({ balance: balanceFen, coupon: one.heldFen })
    // By what is deducted it goes on taking no more than was set apart; by face value, all that its terms say.
    const { data } = await shop.call('/coupon/withdraw', { id: one.id, version: one.version, reason: '试' })
    expect(data).toMatchObject({ state: 5 })
    expect(await shop.merchantOf(id)).toMatchObject({ balanceFen: balanceFen + (soldAs === 1 ? 0 : 100), heldFen: 0 })
    const { data: left } = await shop.call('/couponSoldRecord/queryPage', { mchId: id })
    expect((await shop.call('/soldRecord/giveBack', { id: sale.id, version: left.records[0].version, qty: 1 })).status).toBe(200)
    expect(await shop.merchantOf(id)).toMatchObject({ balanceFen: 3000, heldFen: 0 })
    expect(await shop.ledgerOf(id)).toEqual({ balance: 3000, coupon: 0, credit: 0 })
  }
  expect(await shop.replay()).toBe(true)
})

test('the coupons of each figure are as many as the list that it opens, and what they deducted is its sum', async () => {
  const { id } = await shop.merchant({ balanceFen: 3000 })
  const sale = await shop.sale(id, await shop.template({ value: 250 }), { priceFen: 200, qty: 3 })
  const [usable, used, withdrawn] = [shop.aPlate(), shop.aPlate(), shop.aPlate()]
  expect((await shop.send({ soldId: sale.id, plates: [usable, used, withdrawn] })).status).toBe(200)
  await early(used)
  await shop.leaves(used, 90)
  await pays(used)
  const [one] = await shop.coupons(withdrawn)
  await shop.call('/coupon/withdraw', { id: one.id, version: one.version, reason: '试' })
  const { data } = await shop.call('/coupon/queryStatistics', {})
  const listed = async ({ opens: { filter, sums } }: (typeof COUPONS)[keyof typeof COUPONS]) => {
    const { state, ...days } = filter({ from: '2000-01-01', to: '2099-12-31' })
    const asked = { ...days, ...(state && { state: state.split(',').map(Number) }), queryMode: sums ? 'sum' : 'total' }
    const answer = (await shop.call('/coupon/queryPage', asked)).data
    return sums ? answer.sums[sums] : answer.total
  }
  expect(await listed(COUPONS.issued)).toBe(data.issued)
  expect(await listed(COUPONS.usable)).toBe(data.live + data.locked)
  expect(await listed(COUPONS.used)).toBe(data.used)
  expect(await listed(COUPONS.gone)).toBe(data.withdrawn + data.expired)
  expect(await listed(COUPONS.deductedFen)).toBe(data.deductedFen)
  for (const name of ['live', 'used', 'withdrawn', 'deductedFen']) expect(data[name], name).toBeGreaterThan(0)
})
