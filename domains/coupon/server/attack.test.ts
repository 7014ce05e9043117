import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindCar, pursesOf, register, spend } from '../../owner/server/api.ts'
import { aShop, type Shop } from './testing.ts'

let shop: Shop
let second: string
beforeAll(async () => {
  shop = await aShop()
  await shop.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await shop.ground.server.signIn('auditor')
})
afterAll(() => shop.close())
const codes = (answers: readonly { code: number }[]) => answers.map(({ code }) => code).sort((a, b) => a - b)

test('the last coupon of a sale is sent by two at once: one car has it', async () => {
  const { id } = await shop.merchant({ balanceFen: 1000 })
  const sale = await shop.sale(id, await shop.template(), { qty: 1 })
  const cars = [shop.aPlate(), shop.aPlate()]
  expect(codes(await Promise.all(cars.map((plate) => shop.send({ soldId: sale.id, plates: [plate] }))))).toEqual([200, 41614])
  expect((await Promise.all(cars.map((plate) => shop.coupons(plate)))).flat()).toHaveLength(1)
})

test('the last of a stock is bought by two merchants at once: one has it, the other paid nothing', async () => {
  const template = await shop.template()
  const { data: article } = await shop.call('/couponsGoodsinfo/insert', { templateId: template.id, name: '最后十张', priceFen: 100, qty: 10 })
  const merchants = [await shop.merchant({ balanceFen: 1000 }), await shop.merchant({ balanceFen: 1000 })]
  const buy = ({ id }: { id: string }) => shop.call('/couponSoldRecord/buyCoupons', { mchId: id, goodId: article.id, qty: 10, payableFen: 1000 })
  expect(codes(await Promise.all(merchants.map(buy)))).toEqual([200, 41611])
  const left = await Promise.all(merchants.map(async ({ id }) => (await shop.merchantOf(id)).balanceFen))
  expect(left.sort((a, b) => a - b)).toEqual([0, 1000])
})

test('a coupon is withdrawn while it is sent back to another car: what is left adds up', async () => {
  const { id } = await shop.merchant({ balanceFen: 1000 })
  const sale = await shop.sale(id, await shop.template(), { qty: 1 })
  const [first, next] = [shop.aPlate(), shop.aPlate()]
  await shop.send({ soldId: sale.id, plates: [first] })
  const [{ id: couponId, version }] = (await shop.coupons(first)) as [any]
  const withdraw = () => shop.call('/coupon/withdraw', { id: couponId, version, reason: '发错' })
  const answers = await Promise.all([withdraw(), withdraw(), shop.send({ soldId: sale.id, plates: [next] })])
  expect(answers.slice(0, 2).filter(({ code }) => code === 200)).toHaveLength(1)
  const live = [...(await shop.coupons(first)), ...(await shop.coupons(next))].filter(({ state }) => state === 1).length
  const [{ leftQty }] = (await shop.sql('select left_qty from coupon.sold_record where id = $1', [sale.id])) as [any]
  expect(live + leftQty).toBe(1)
})

/** A driver with 5.00 on a card and 100.00 + 20.00 in their account, and their car. */
async function aDriver(): Promise<{ plateNo: string; purses: () => Promise<number[][]> }> {
  const plateNo = shop.aPlate()
  await shop.custom('/assetsStore/rechargeActivity/insert', {
    name: '充100送20',
    tiers: [{ payFen: 10_000, bonusFen: 2_000 }],
    startAt: '2020-01-01 00:00:00',
    endAt: '2099-01-01 00:00:00',
  })
  const ownerId = await shop.field.write(async (tx) => {
    const { id } = await register(tx, { phone: '13900009999', nickname: '试', at: shop.field.at(0) })
    await bindCar(tx, { ownerId: id, plateNo, plateColor: 0, at: shop.field.at(0) })
    return id
  })
  await shop.sql('update owner.car set verify_state = 1 where owner_id = $1', [ownerId])
  await shop.custom('/owner/account/recharge', { ownerId, payFen: 10_000, payMethod: 4 })
  await shop.business('/rechargeParkCard/add', { holder: '试', phone: '13900009999', ownerId, plates: [plateNo], payFen: 500, payMethod: 4 })
  const purses = async () =>
    (await shop.sql('select principal_fen, bonus_fen from owner.purse where owner_id = $1 order by kind', [ownerId])).map(
      ({ principalFen, bonusFen }) => [Number(principalFen), Number(bonusFen)],
    )
  return { plateNo, purses }
}

test('a fee less a coupon, the rest out of a card and an account: it goes back to the cent, the coupon with the last part', async () => {
  const { plateNo, purses } = await aDriver()
  expect(await purses()).toEqual([
    [10_000, 2_000],
    [500, 0],
  ])
  const template = await shop.template({ value: 300 })
  await shop.send({ templateId: template.id, plates: [plateNo] })
  await shop.sql(`update coupon.coupon set valid_from = valid_from - interval '2 days' where plate_no = $1`, [plateNo])
  const order = await shop.leaves(plateNo, 90)
  expect(order).toMatchObject({ receivableFen: 1000, discountFen: 300, payableFen: 700 })
  const at = shop.field.at(95)
  const pay = () =>
    shop.field.write(async (tx) =>
      spend(tx, { orderId: order.id, purseIds: await pursesOf(tx, { plateNo, plateColor: 0 }, shop.field.parkCode, false), at }),
    )
  const twice = await Promise.allSettled([pay(), pay()])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await purses()).toEqual([
    [9_833, 1_967],
    [0, 0],
  ])
  expect((await shop.coupons(plateNo))[0].state).toBe(3)
  for (const amountFen of [1, 333, 366]) {
    expect((await shop.coupons(plateNo))[0].state).toBe(3)
    const { data } = await shop.business('/orderRefund/apply', { orderId: order.id, amountFen, reason: '试' })
    const approved = await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)
    expect(approved.data).toMatchObject({ state: 3, amountFen })
  }
  expect(await purses()).toEqual([
    [10_000, 2_000],
    [500, 0],
  ])
  expect((await shop.coupons(plateNo))[0].state).toBe(1)
  expect(await shop.business('/orderRefund/apply', { orderId: order.id, amountFen: 1, reason: '试' })).toMatchObject({ status: 422 })
  expect(await shop.replay()).toBe(true)
})
