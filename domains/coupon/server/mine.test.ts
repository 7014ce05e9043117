import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindCar, openSession, register } from '../../owner/server/api.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { aShop, type Shop } from './testing.ts'

let shop: Shop
beforeAll(async () => void (shop = await aShop()))
afterAll(() => shop.close())

let phones = 0
async function aDriver(verified: boolean, plateNo = shop.aPlate()) {
  const phone = `135${String(++phones).padStart(8, '0')}`
  const at = new Date().toISOString() as Instant
  const token = await shop.field.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: '车主', at })
    await bindCar(tx, { ownerId: id, plateNo, at })
    return openSession(tx, id, '127.0.0.1', at)
  })
  if (verified) await shop.sql('update owner.car set verify_state = 1 where plate_no = $1', [plateNo])
  return { phone, plateNo, mine: (what: string, body: object = {}) => shop.ground.ask<any>(token, `/coupon/mine/${what}`, body) }
}

test('a driver sees the coupons of a verified car and where they may be used; nobody else does', async () => {
  const driver = await aDriver(true)
  const [stranger, other] = [await aDriver(false, driver.plateNo).catch(() => aDriver(false)), await aDriver(true)]
  const here = await shop.template({ name: '本场券', parkCodes: [shop.field.parkCode] })
  await shop.send({ templateId: here.id, plates: [driver.plateNo], reason: '试' })
  const { status, data } = await driver.mine('list')
  expect(status).toBe(200)
  expect(data).toMatchObject([{ name: '本场券', plateNo: driver.plateNo, value: 300, state: 1, parkNames: [expect.any(String)] }])
  expect((await stranger.mine('list')).data).toEqual([])
  expect((await other.mine('list')).data).toEqual([])
  expect((await shop.ground.ask(shop.ground.admin, '/coupon/mine/list', {})).status).toBe(401)
})

test('points are those of the driver’s own telephone', async () => {
  const [driver, other] = [await aDriver(true), await aDriver(true)]
  expect((await driver.mine('points')).data).toMatchObject({ balance: 0, details: [] })
  const { data: account } = await shop.business('/pointsAccount/open', { phone: driver.phone, name: '车主', plates: [] })
  const { status } = await shop.business('/pointsAccount/grant', { accountId: account.id, points: 120, reason: '活动' })
  expect(status).toBe(200)
  expect((await driver.mine('points')).data).toMatchObject({ balance: 120, totalEarned: 120, details: [{ points: 120, memo: '活动' }] })
  expect((await other.mine('points')).data).toMatchObject({ balance: 0, details: [] })
})

test('for a parked car the best coupons are named first, and the others with why they are not; of another’s car nothing is told', async () => {
  const [driver, other] = [await aDriver(true), await aDriver(true)]
  await shop.sql('update owner.car set plate_color = 0 where plate_no = $1', [driver.plateNo])
  const [small, large] = [await shop.template({ name: '小券', value: 100 }), await shop.template({ name: '大券', value: 300 })]
  for (const { id } of [small, large]) await shop.send({ templateId: id, plates: [driver.plateNo], reason: '试' })
  const nothing = await driver.mine('best', { plateNo: driver.plateNo, parkCode: shop.field.parkCode })
  expect(nothing.data.map(({ verdict }: any) => verdict)).toEqual([10, 10])
  await shop.field.enters(driver.plateNo, 880)
  const { data } = await driver.mine('best', { plateNo: driver.plateNo, parkCode: shop.field.parkCode })
  expect(data).toMatchObject([
    { name: '大券', verdict: 1, togetherFen: 300 },
    { name: '小券', verdict: 2, togetherFen: 0, aloneFen: 100 },
  ])
  expect((await other.mine('best', { plateNo: driver.plateNo, parkCode: shop.field.parkCode })).status).toBe(404)
})

test('a coupon for drivers is taken once for a verified car, while there are any; two at once for the last: one has it', async () => {
  const [a, b, stranger] = [await aDriver(true), await aDriver(true), await aDriver(false)]
  const of = await shop.template({ name: '新客券' })
  const article = async (more: object = {}) =>
    (await shop.call('/couponsGoodsinfo/insert', { templateId: of.id, name: '新客券', priceFen: 0, audience: 2, qty: 1, ...more })).data
  const free = await article()
  const [dear, shops] = [await article({ priceFen: 100 }), await article({ audience: 1 })]
  const offered = (await a.mine('offers')).data.map(({ id }: any) => id)
  expect(offered).toContain(free.id)
  for (const { id } of [dear, shops]) {
    expect(offered).not.toContain(id)
    expect((await a.mine('claim', { goodId: id, plateNo: a.plateNo })).status).toBe(404)
  }
  expect((await stranger.mine('claim', { goodId: free.id, plateNo: stranger.plateNo })).status).toBe(404)
  expect((await a.mine('claim', { goodId: free.id, plateNo: b.plateNo })).status).toBe(404)
  const both = await Promise.all([a, b].map((one) => one.mine('claim', { goodId: free.id, plateNo: one.plateNo })))
  expect(both.map(({ code }) => code).sort()).toEqual([200, 41630])
  const [won] = both[0]!.code === 200 ? [a, b] : [b, a]
  expect((await won!.mine('list')).data).toMatchObject([{ name: of.name, plateNo: won!.plateNo, state: 1 }])
  await shop.call('/couponsGoodsRecord/replenish', { goodId: free.id, qty: 1 })
  expect(await won!.mine('claim', { goodId: free.id, plateNo: won!.plateNo })).toMatchObject({ status: 409, code: 41631 })
  expect(await shop.sql('select stock from coupon.goods where id = $1', [free.id])).toEqual([{ stock: 1 }])
  expect(await shop.sql('select made_qty from coupon.template where id = $1', [of.id])).toEqual([{ madeQty: 4 }])
})
