import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { bindCar, openSession, register } from '../../owner/server/api.ts'
import { openOrder, payCash } from '../../settlement/server/api.ts'
import { checkIn } from './pointsEarning.ts'
import { aShop, type Shop } from './testing.ts'

let shop: Shop
let park: string
beforeAll(async () => {
  shop = await aShop()
  park = shop.field.parkCode
  await shop.business('/pointsAccount/setParks', { parks: [{ parkCode: park, earn: true, spend: true, capPermille: 1000 }] })
})
afterAll(() => shop.close())
const [PARKING, CHECK_IN, REGISTRATION] = [1, 4, 5] as const
const now = () => instantAt(Date.now())
const days = (n: number) => instantAt(Date.now() + n * 86_400_000)
let people = 0
async function ruled<T>(rules: object[], work: () => Promise<T>): Promise<T> {
  const made = []
  for (const one of rules)
    made.push((await shop.business('/pointsRule/add', { name: `规则 ${++people}`, ratio: 10, startAt: days(-3), endAt: days(30), ...one })).data)
  try {
    return await work()
  } finally {
    await shop.sql('update coupon.points_rule set stopped = true where id = any($1::uuid[])', [made.map(({ id }) => id)])
  }
}
async function aDriver({ verified = true, plateColor = 0, plateNo = shop.aPlate() } = {}) {
  const phone = `137${String(++people).padStart(8, '0')}`
  const { ownerId, token } = await shop.field.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: '王女士', at: now() })
    await bindCar(tx, { ownerId: id, plateNo, at: now() })
    return { ownerId: id as string, token: await openSession(tx, id, '127.0.0.1', now()) }
  })
  if (verified) await shop.sql('update owner.car set verify_state = 1, plate_color = $2 where owner_id = $1', [ownerId, plateColor])
  return { ownerId, phone, plateNo, mine: (what: string, body: object = {}) => shop.ground.ask<any>(token, `/coupon/mine/${what}`, body) }
}
type Driver = Awaited<ReturnType<typeof aDriver>>
const accountsOf = ({ phone }: Driver) => shop.sql('select * from coupon.points_account where phone = $1', [phone])
const pays = (plateNo: string, fen: number) =>
  shop.field.write(async (tx) => {
    const { id } = await openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode: park, receivableFen: fen, at: now() })
    await payCash(tx, { orderId: id, amountFen: fen, actor: { userId: id, userName: 'cashier' }, at: now() })
  })

test('an owner’s first earning opens the account, two at once open one; nothing that earns nothing does', async () => {
  const [driver, other] = [await aDriver(), await aDriver({ verified: false })]
  await pays(driver.plateNo, 1000)
  expect(await accountsOf(driver)).toEqual([])
  await ruled([{ event: PARKING }], async () => {
    await Promise.all([pays(driver.plateNo, 1000), pays(driver.plateNo, 500)])
    await pays(other.plateNo, 1000)
  })
  expect(await accountsOf(driver)).toMatchObject([{ balance: 150, totalEarned: 150, name: '王女士' }])
  expect((await driver.mine('points')).data).toMatchObject({ balance: 150, batches: [{ points: 150, expireAt: expect.any(String) }], checkIn: null })
  // Of a plate that is not verified nobody knows whose it is.
  expect(await accountsOf(other)).toEqual([])
})

test('the verified owner comes before whom the counter wrote down; a plate of another colour is another car', async () => {
  const [driver, green] = [await aDriver({ plateColor: 0 }), await aDriver({ plateColor: 4 })]
  const noted = `138${String(++people).padStart(8, '0')}`
  await shop.business('/pointsAccount/open', { phone: noted, name: '登记', plates: [driver.plateNo, green.plateNo] })
  await ruled([{ event: PARKING }], async () => {
    await pays(driver.plateNo, 1000)
    await pays(green.plateNo, 700)
  })
  expect((await driver.mine('points')).data.balance).toBe(100)
  expect((await green.mine('points')).data.balance).toBe(0)
  expect((await shop.sql('select balance from coupon.points_account where phone = $1', [noted]))[0].balance).toBe(70)
})

test('of payments at once no more is given than a rule’s most for the day', async () => {
  const driver = await aDriver()
  await ruled([{ event: PARKING, dayCap: 120 }], () => Promise.all([1, 2, 3, 4].map(() => pays(driver.plateNo, 1000))))
  expect((await driver.mine('points')).data.balance).toBe(120)
})

test('a driver checks in once a day of the city, five at once get it once, by the hours and the most of the rule', async () => {
  const driver = await aDriver()
  expect((await driver.mine('points')).data.checkIn).toBeNull()
  expect(await driver.mine('checkIn')).toMatchObject({ status: 422, code: 41671 })
  const hours = { multiplier: 2000, multiplierFrom: '20:00', multiplierTo: '08:00', monthCap: 25 }
  await ruled(
    [
      { event: CHECK_IN, ...hours, parkCodes: [] },
      { event: CHECK_IN, ratio: 999, priority: 9, parkCodes: [park] },
    ],
    async () => {
      const by = (at: string) =>
        shop.field.write((tx) => checkIn(tx, driver.ownerId, at as never)).catch((error: Error & { code: number }) => error.code)
      const [first, second, third] = [days(-2).slice(0, 10), days(-1).slice(0, 10), days(0).slice(0, 10)]
      // 21:00 and 23:59 in the city are one day; the minute after is the next.
      const all = await Promise.all([13, 13, 13, 14, 15].map((hour) => by(`${first}T${hour}:00:00.000Z`)))
      expect(all.sort()).toEqual([20, 41670, 41670, 41670, 41670])
      // The rest up to the month's limit, then nothing.
      expect(await by(`${first}T16:00:00.000Z`)).toBe(first.slice(0, 7) === second.slice(0, 7) ? 5 : 20)
      if (first.slice(0, 7) === third.slice(0, 7)) expect(await by(`${second}T16:00:00.000Z`)).toBe(41671)
    },
  )
  const { data } = await driver.mine('points')
  expect(data).toMatchObject({ balance: 25, checkIn: null, totalEarned: 25 })
  await ruled([{ event: CHECK_IN, ratio: 3 }], async () => {
    const fresh = await aDriver()
    expect((await fresh.mine('points')).data.checkIn).toEqual({ points: 3, done: false })
    expect((await fresh.mine('checkIn')).data).toEqual({ points: 3 })
    expect((await fresh.mine('points')).data).toMatchObject({ balance: 3, checkIn: { points: 3, done: true } })
    expect(await fresh.mine('checkIn')).toMatchObject({ status: 409, code: 41670 })
  })
  const most = [
    { event: CHECK_IN, ratio: 20, dayCap: 8 },
    { event: CHECK_IN, ratio: 9, additive: true, monthCap: 5 },
  ]
  await ruled(most, async () => {
    const fresh = await aDriver()
    // The offer and the grant are the same number.
    expect((await fresh.mine('points')).data.checkIn).toEqual({ points: 13, done: false })
    expect((await fresh.mine('checkIn')).data).toEqual({ points: 13 })
    await shop.sql(`update coupon.points_batch set biz_no = 'HD-' || biz_no where biz_no like 'QD%' || $1`, [fresh.ownerId])
    expect((await fresh.mine('points')).data.checkIn).toBeNull()
  })
})

test('who registers is welcomed once, whoever registers them', async () => {
  await ruled(
    [
      { event: REGISTRATION, ratio: 88 },
      { event: REGISTRATION, ratio: 12, additive: true },
    ],
    async () => {
      const driver = await aDriver()
      expect(await accountsOf(driver)).toMatchObject([{ balance: 100 }])
      await shop.field.write((tx) => register(tx, { phone: driver.phone, nickname: '又来', at: now() }))
      expect(await accountsOf(driver)).toMatchObject([{ balance: 100 }])
      expect((await driver.mine('points')).data.details).toMatchObject([{ points: expect.any(Number) }, { points: expect.any(Number) }])
    },
  )
  const before = await aDriver()
  expect(await accountsOf(before)).toEqual([])
  expect(await shop.replay()).toBe(true)
})
