import { afterAll, beforeAll, expect, test } from 'vitest'
import { reading, run } from '../../../platform/server/database.ts'
import { digestOf } from '../../../tests/support/server.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { bindCar, openSession, register } from '../../owner/server/api.ts'
import { aShop, type Shop } from './testing.ts'

let shop: Shop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

const ask = (token: string, path: string, input: object = {}) => shop.ground.ask(token, `/custom/merchant/desk/${path}`, input)
const signIn = (mchNo: string, password: string) => ask('', 'signIn', { mchNo, password: digestOf(mchNo, password) })
const COUNTS = `select n::int from (select 1 as k, count(*) as n from merchant.merchant union all select 2, count(distinct mch_id) from merchant.movement
  union all select 3, count(*) from coupon.coupon union all select 4, count(*) from identity.person) q order by k`
const NEW = 'Shop-2026-new'
/** A merchant that has changed its first password, with ten coupons of 3 yuan. */
async function aDesk(of: Parameters<Shop['merchant']>[0] = {}, terms: object = {}) {
  const made: any = await shop.merchant({ balanceFen: 5_000, ...of })
  const first = (await signIn(made.mchNo, made.password)).data
  await ask(first.access_token, 'changePassword', { oldPassword: digestOf(made.mchNo, made.password), newPassword: digestOf(made.mchNo, NEW) })
  const sale = await shop.sale(made.id, await shop.template(terms))
  return { ...made, sale, token: first.access_token as string }
}
const disable = async (id: string) => shop.custom('/merchant/updateStatus', { id, version: (await shop.merchantOf(id)).version, status: 2 })

test('a merchant signs in with the password it was told, changes it, and only then sees its page', async () => {
  const { mchNo, password } = (await shop.merchant()) as any
  expect(await signIn(mchNo, 'wrong')).toMatchObject({ status: 401, message: '用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除' })
  const { data } = await signIn(mchNo.toLowerCase(), password)
  expect(data).toMatchObject({ mustChange: true })
  expect(await ask(data.access_token, 'home')).toMatchObject({ status: 403, code: 41760 })
  const change = (oldPassword: string, newPassword: string) =>
    ask(data.access_token, 'changePassword', { oldPassword: digestOf(mchNo, oldPassword), newPassword: digestOf(mchNo, newPassword) })
  expect(await change('wrong', NEW)).toMatchObject({ code: 41761 })
  expect(await change(password, password)).toMatchObject({ code: 40215 })
  expect((await change(password, NEW)).status).toBe(200)
  expect((await ask(data.access_token, 'home')).data).toMatchObject({ mchNo, sales: [], today: { issued: 0 } })
  expect((await ask(data.access_token, 'signOut')).status).toBe(200)
  expect(await ask(data.access_token, 'home')).toMatchObject({ status: 401 })
})

test('five wrong passwords lock a merchant for strangers and for itself; a reset opens it again', async () => {
  const { id, mchNo, password } = (await shop.merchant()) as any
  for (let i = 0; i < 5; i++) await signIn(mchNo, `wrong ${i}`)
  expect(await signIn(mchNo, password)).toMatchObject({ status: 401 })
  const { data } = await shop.custom('/merchant/resetPassword', { custId: id })
  expect((await signIn(mchNo, data.password)).status).toBe(200)
})

test('a session ends with its password, and with its merchant', async () => {
  const desk = await aDesk()
  expect((await ask(desk.token, 'home')).status).toBe(200)
  await shop.custom('/merchant/resetPassword', { custId: desk.id })
  expect(await ask(desk.token, 'home')).toMatchObject({ status: 401 })
  const other = await aDesk()
  await disable(other.id)
  expect(await ask(other.token, 'home')).toMatchObject({ status: 401 })
  expect(await signIn(other.mchNo, NEW)).toMatchObject({ status: 401 })
})

test('neither door opens with the key of the other', async () => {
  const desk = await aDesk()
  expect(await ask(shop.ground.admin, 'home')).toMatchObject({ status: 401 })
  expect(await shop.ground.ask(desk.token, '/custom/merchant/queryPage', {})).toMatchObject({ status: 401 })
})

test('a coupon is given to a plate in any writing, once of a purchase, and taken back while nobody used it', async () => {
  const desk = await aDesk({ settleMode: 2 })
  const [sale] = (await ask(desk.token, 'home')).data.sales
  expect(sale).toMatchObject({ soldId: desk.sale.id, leftQty: 10, worthZh: '减 ¥3', worthEn: '¥3 off', holdsFen: 300 })
  const plate = shop.aPlate()
  const give = (plateNo: string) => ask(desk.token, 'validate', { soldId: sale.soldId, plateNo })
  const { data } = await give(`${plate.slice(0, 2)}·${plate.slice(2)}`.toLowerCase())
  expect(data).toMatchObject({ plateNo: plate, state: 1, deductedFen: null })
  expect(await give(plate)).toMatchObject({ code: 41622 })
  expect(await give('鄂X')).toMatchObject({ code: 41625 })
  expect((await ask(desk.token, 'home')).data).toMatchObject({ balanceFen: 4_700, heldFen: 300, today: { issued: 1 }, sales: [{ leftQty: 9 }] })
  expect((await ask(desk.token, 'withdraw', { id: data.id, version: data.version + 1 })).status).toBe(409)
  expect((await ask(desk.token, 'withdraw', { id: data.id, version: data.version })).data).toMatchObject({ state: 5 })
  expect((await ask(desk.token, 'home')).data).toMatchObject({ balanceFen: 5_000, heldFen: 0, today: { withdrawn: 1 }, sales: [{ leftQty: 10 }] })
})

test('one merchant neither sees nor moves what is another’s', async () => {
  const [mine, other] = [await aDesk(), await aDesk()]
  expect(await ask(mine.token, 'validate', { soldId: other.sale.id, plateNo: shop.aPlate() })).toMatchObject({ status: 404 })
  const { data } = await ask(other.token, 'validate', { soldId: other.sale.id, plateNo: shop.aPlate() })
  expect((await ask(mine.token, 'issued')).data).toEqual([])
  expect(await ask(mine.token, 'withdraw', { id: data.id, version: data.version })).toMatchObject({ status: 404 })
  expect((await ask(other.token, 'issued')).data).toMatchObject([{ id: data.id }])
  expect((await ask(mine.token, 'statements')).data.every(({ mchId }: any) => mchId === mine.id)).toBe(true)
  const { pool } = shop.ground.server.house
  const seenAs = (self: string) =>
    reading(pool, { enterprise: 1, parks: null, people: { self, departments: [] } }, (tx) => run<{ n: number }>(tx, { sql: COUNTS }, []))
  expect(await seenAs(`merchant:${mine.id}`)).toEqual([{ n: 1 }, { n: 1 }, { n: 0 }, { n: 0 }])
  expect((await seenAs(mine.id))[0]!.n).toBeGreaterThan(1)
})

test('what a car may have of a template counts over all merchants', async () => {
  const template = await shop.template({ perUserLimit: 1 })
  const [one, two] = [await aDesk(), await aDesk()]
  const [first, second] = [await shop.sale(one.id, template), await shop.sale(two.id, template)]
  const plateNo = shop.aPlate()
  expect((await ask(one.token, 'validate', { soldId: first.id, plateNo })).status).toBe(200)
  expect(await ask(two.token, 'validate', { soldId: second.id, plateNo })).toMatchObject({ code: 41620 })
})

test('over its credit a merchant is told by how much; two at once of one that it can pay for are one', async () => {
  const desk = await aDesk({ settleMode: 2, balanceFen: 200, creditFen: 150 })
  const [{ soldId }] = (await ask(desk.token, 'home')).data.sales
  const give = () => ask(desk.token, 'validate', { soldId, plateNo: shop.aPlate() })
  const both = await Promise.all([give(), give()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  expect(both.find(({ status }) => status === 422)).toMatchObject({ code: 41710, message: '余额和授信不足，还差 ¥2.50；请先充值或增加授信' })
  expect((await ask(desk.token, 'home')).data).toMatchObject({ balanceFen: 0, usedFen: 100, heldFen: 300 })
})

test.each([1, 2])('the lines of a day are its statement, and its statement is the ledger (settlement %i)', async (settleMode) => {
  const desk = await aDesk({ settleMode, creditFen: 1_000 })
  const [{ soldId }] = (await ask(desk.token, 'home')).data.sales
  const plate = shop.aPlate()
  await ask(desk.token, 'validate', { soldId, plateNo: plate })
  await shop.sql(`update coupon.coupon set valid_from = valid_from - interval '2 days' where plate_no = $1`, [plate])
  await shop.leaves(plate, 95)
  await shop.field.pays(await shop.field.stay(plate), 95)
  const [coupon] = (await ask(desk.token, 'issued')).data
  expect(coupon).toMatchObject({ state: 3, deductedFen: 300 })
  expect(await ask(desk.token, 'withdraw', { id: coupon.id, version: coupon.version })).toMatchObject({ code: 40010 })
  const days = (await ask(desk.token, 'statements')).data
  const told = await Promise.all(days.map(async ({ day }: any) => (await ask(desk.token, 'day', { day })).data))
  for (const { openingFen, closingFen, lines, lineCount } of told) {
    expect(openingFen + lines.reduce((sum: number, { amountFen }: any) => sum + amountFen, 0)).toBe(closingFen)
    expect(lines.length).toBe(lineCount)
  }
  const { balance, credit } = await shop.ledgerOf(desk.id)
  expect(days[0]).toMatchObject({ closingFen: days[0].balanceFen + days[0].heldFen - days[0].usedFen, balanceFen: balance, usedFen: credit })
  expect(await shop.replay()).toBe(true)
})

test('a code that the merchant shows is one coupon, for whoever scans it first, for five minutes; with the merchant it dies', async () => {
  const desk = await aDesk()
  const [{ soldId }] = (await ask(desk.token, 'home')).data.sales
  const drivers = await Promise.all([aDriver(), aDriver()])
  const shown = async () => new URL((await ask(desk.token, 'qr', { soldId })).data.path, 'http://x').searchParams.get('coupon')!
  const code = await shown()
  const scans = (of: (typeof drivers)[number], plateNo = of.plateNo, what = code) =>
    shop.ground.ask<any>(of.token, '/coupon/mine/scan', { code: what, plateNo })
  expect((await scans(drivers[0]!, drivers[1]!.plateNo)).status).toBe(404)
  const both = await Promise.all(drivers.map((one) => scans(one)))
  expect(both.map(({ code: said }) => said).sort()).toEqual([200, 41762])
  expect((await ask(desk.token, 'home')).data).toMatchObject({ today: { issued: 1 }, sales: [{ leftQty: 9 }] })
  const won = both[0]!.code === 200 ? drivers[0]! : drivers[1]!
  // One live coupon of a purchase and car: the second code is refused, and is still good for another car.
  const second = await shown()
  expect((await scans(won, won.plateNo, second)).code).toBe(41622)
  const old = await shown()
  await shop.sql(
    `update merchant.code set expires_at = now() - interval '1 second' where taken_at is null and mch_id = $1 and id = (select id from merchant.code order by id desc limit 1)`,
    [desk.id],
  )
  const lost = drivers.find((one) => one !== won)!
  expect((await scans(lost, lost.plateNo, old)).code).toBe(41762)
  const { version } = await shop.merchantOf(desk.id)
  expect((await shop.custom('/merchant/updateStatus', { id: desk.id, version, status: 2 })).code).toBe(200)
  expect((await scans(lost, lost.plateNo, second)).status).not.toBe(200)
  expect(await shop.coupons(lost.plateNo)).toEqual([])
  const other = await aDesk()
  expect((await ask(other.token, 'qr', { soldId })).status).toBe(404)
})

let drivers = 0
async function aDriver() {
  const [plateNo, at] = [shop.aPlate(), new Date().toISOString() as Instant]
  const token = await shop.field.write(async (tx) => {
    const { id } = await register(tx, { phone: `134${String(++drivers).padStart(8, '0')}`, nickname: '车主', at })
    await bindCar(tx, { ownerId: id, plateNo, at })
    return openSession(tx, id, '127.0.0.1', at)
  })
  return { plateNo, token }
}

test('a merchant finds a car inside its parks by its last digits: where, since when and what it owes; nothing of another park', async () => {
  const desk = await aDesk()
  const [plate, elsewhere] = [shop.aPlate(), shop.aPlate()]
  await shop.field.enters(plate, 0)
  await (await shop.ground.field()).enters(elsewhere, 0)
  const inside = (ending: string) => ask(desk.token, 'inside', { ending })
  expect((await inside(plate.slice(-4).toLowerCase())).data).toMatchObject([
    { plateNo: plate, parkName: expect.any(String), entryTime: expect.any(String), dueFen: expect.any(Number) },
  ])
  expect((await inside(elsewhere.slice(-5))).data).toEqual([])
  for (const few of ['99', '...', 'A..']) expect((await inside(few)).status).toBe(400)
})
