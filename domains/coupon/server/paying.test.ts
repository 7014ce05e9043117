import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../../platform/server/database.ts'
import { openSession } from '../../owner/server/api.ts'
import { aGarage, type Garage, now, until } from '../../owner/server/testing.ts'
import { begin, endAttempt, openOrder, payCash } from '../../settlement/server/api.ts'
import { expireBatches } from './pointsBook.ts'
import { layPoints } from './pointsPaying.ts'
import { Said } from '../../owner/contract/said.ts'

let garage: Garage
const PARK = 'P001'
const [WECHAT, ALIPAY, STORED, POINTS] = [1, 2, 3, 11] as const
const [RECEIVED, CLOSED] = [1, 2] as const
const cap = (capPermille: number) => garage.business('/pointsAccount/setParks', { parks: [{ parkCode: PARK, earn: true, spend: true, capPermille }] })
beforeAll(async () => {
  garage = await aGarage()
  await garage.codeOf(PARK)
  await cap(500)
})
afterAll(() => garage.close())
const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => garage.server.house.writing(1, 'test', work)

/** A driver with a verified car and so many points, at their own page. */
async function aDriver(points: number) {
  const { ownerId, phone } = await garage.anOwner()
  const { plateNo } = await garage.aCar(ownerId)
  const { data: account } = await garage.business('/pointsAccount/open', { phone, name: '车主', plates: [] })
  if (points > 0) await grant(account.id, points)
  const token = await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
  const mine = (what: string, body: object = {}) => garage.server.ask<any>(token, 'POST', `/lbs/coupon/mine/${what}`, body)
  return { ownerId, phone, plateNo, accountId: account.id as string, token, mine }
}
type Driver = Awaited<ReturnType<typeof aDriver>>
const grant = (accountId: string, points: number) => garage.business('/pointsAccount/grant', { accountId, points, reason: '活动' })
const bill = ({ plateNo }: Pick<Driver, 'plateNo'>, receivableFen = 1_000) => garage.anOrder({ plateNo, receivableFen })
const pays = (driver: Driver, orderNo: string, points: number, payMethod: number = WECHAT) => driver.mine('pay', { orderNo, points, payMethod })
const account = async (id: string) => (await garage.sql<any>('select * from coupon.points_account where id = $1', [id]))[0]
const payments = (orderId: string) =>
  garage.sql<any>(
    'select id, pay_no, pay_method, channel, amount_fen, received_fen, refund_fen, state, beside_id from settlement.payment where order_id = $1 order by id',
    [orderId],
  )
const attempt = async (orderId: string, method: number = WECHAT) => (await payments(orderId)).filter(({ payMethod }) => payMethod === method).at(-1)
const laid = async (orderId: string) => (await payments(orderId)).filter(({ payMethod }) => payMethod === POINTS).at(-1)
const expires = (paymentId: string) => write((tx) => endAttempt(tx, paymentId, CLOSED, now()))
/** Whatever happened, account, batches and ledger say the same. */
async function agrees(id: string): Promise<void> {
  const one = await account(id)
  const [{ held }] = (await garage.sql<any>('select coalesce(sum(remaining), 0)::bigint as held from coupon.points_batch where account_id = $1', [
    id,
  ])) as [any]
  const [{ fen }] = (await garage.sql<any>(
    `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.points' and sub = $1`,
    [id],
  )) as [any]
  expect(one.balance).toBe(held + one.frozen - one.debt)
  expect(one.balance).toBe(one.totalEarned - one.totalSpent - one.totalExpired - one.totalClawed)
  expect(fen).toBe(one.balance)
  expect((await garage.replay()).right).toBe(true)
}

describe('points beside cash at the till', () => {
  const offer = async (id: string, token = garage.admin) => garage.server.ask<any>(token, 'GET', '/lbs/business/order/points', { id })
  const cash = (id: string, amountFen: number, points?: number, token = garage.admin) => garage.call(token, '/order/cash', { id, amountFen, points })
  const CASH = 4

  test('the till is told what there is, what it is worth and how much may be used; what is left is taken in cash, in one', async () => {
    const driver = await aDriver(800)
    const order = await bill(driver)
    expect((await offer(order.id)).data).toEqual({ usable: 800, most: 500, capPermille: 500 })
    expect((await cash(order.id, 700, 300)).data).toMatchObject({ status: 2, paidFen: 1_000, payMethod: CASH })
    const of = await payments(order.id)
    expect(of.map(({ payMethod, receivedFen, state }: any) => [payMethod, receivedFen, state]).sort()).toEqual([
      [POINTS, 300, RECEIVED],
      [CASH, 700, RECEIVED],
    ])
    expect(await account(driver.accountId)).toMatchObject({ balance: 500, frozen: 0, totalSpent: 300 })
    const { entries } = await garage.story(order.id)
    expect(
      entries
        .map(({ account: what, debitFen }: any) => [what, debitFen])
        .filter(([, fen]: any) => fen > 0)
        .toSorted(),
    ).toEqual([
      ['asset.cash', 700],
      ['liability.points', 300],
    ])
    expect(await cash(order.id, 700, 300)).toMatchObject({ status: 409, code: 40505 })
    expect((await offer(order.id)).data.most).toBe(0)
    await agrees(driver.accountId)
    const asked = (await garage.business('/orderRefund/apply', { orderId: order.id, amountFen: 400, reason: '多收' })).data
    expect(asked).toMatchObject({ amountFen: 100 })
    expect(await garage.sql('select amount_fen from settlement.refund where order_id = $1 order by amount_fen', [order.id])).toEqual([
      { amountFen: 100 },
      { amountFen: 300 },
    ])
  })

  test('refused whole: above the cap, above what there is, another sum, nobody’s car; then nothing is taken and nothing set apart', async () => {
    const driver = await aDriver(400)
    const order = await bill(driver)
    expect((await offer(order.id)).data.most).toBe(400)
    expect(await cash(order.id, 499, 501)).toMatchObject({ status: 422, code: 41652 })
    expect(await cash(order.id, 550, 450)).toMatchObject({ status: 422, code: 41650 })
    expect(await cash(order.id, 601, 400)).toMatchObject({ status: 409, code: 40505 })
    expect(await cash(order.id, 0, 400)).toMatchObject({ status: 409, code: 40505 })
    expect(await cash(order.id, 0)).toMatchObject({ status: 409, code: 40505 })
    const stranger = await garage.anOrder({ plateNo: '鄂F0P0P0', receivableFen: 1_000 })
    expect((await offer(stranger.id)).data).toEqual({ usable: 0, most: 0, capPermille: 0 })
    expect(await cash(stranger.id, 900, 100)).toMatchObject({ status: 422, code: 40598, message: expect.stringContaining('现金') })
    await garage.sql('update owner.car set verify_state = 0, auto_debit = false where plate_no = $1', [driver.plateNo])
    expect(await cash(order.id, 900, 100)).toMatchObject({ code: 40598 })
    expect([await payments(order.id), await payments(stranger.id)]).toEqual([[], []])
    expect(await account(driver.accountId)).toMatchObject({ balance: 400, frozen: 0 })
    await agrees(driver.accountId)
  })

  test('all that is due in points takes no cash; of two tills at once one takes it', async () => {
    await cap(1_000)
    try {
      const driver = await aDriver(2_000)
      const [whole, part] = [await bill(driver), await bill(driver)]
      expect((await cash(whole.id, 0, 1_000)).data).toMatchObject({ status: 2, paidFen: 1_000, payMethod: POINTS })
      const both = await Promise.all([cash(part.id, 600, 400), cash(part.id, 600, 400, garage.second)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await account(driver.accountId)).toMatchObject({ balance: 600, frozen: 0, totalSpent: 1_400 })
      await agrees(driver.accountId)
    } finally {
      await cap(500)
    }
  })
})

describe('points pay a part of a fee', () => {
  test('beside a channel: set apart when the payment begins, taken when it comes, once for the same notice twice', async () => {
    const driver = await aDriver(800)
    const order = await bill(driver)
    expect((await pays(driver, order.orderNo, 300)).data).toMatchObject({ orderNo: order.orderNo, amountFen: 700, payUrl: expect.any(String) })
    expect(await account(driver.accountId)).toMatchObject({ balance: 800, frozen: 300, totalSpent: 0 })
    expect((await driver.mine('points')).data).toMatchObject({ balance: 800, usable: 500, laid: [{ orderNo: order.orderNo, points: 300 }] })
    await agrees(driver.accountId)
    const { payNo } = await attempt(order.id)
    for (const _ of [1, 2]) await garage.notify({ payNo, amountFen: 700, tradeNo: 'T-points' })
    const story = await garage.story(order.id)
    expect(story).toMatchObject({ status: 2, paidFen: 1_000, payMethod: WECHAT })
    expect(story.payments.map(({ payMethod, receivedFen, state }: any) => [payMethod, receivedFen, state]).sort()).toEqual([
      [WECHAT, 700, RECEIVED],
      [POINTS, 300, RECEIVED],
    ])
    expect(story.entries.map(({ account: of, sub, debitFen, creditFen }: any) => [of, sub, debitFen, creditFen]).toSorted()).toEqual([
      ['asset.channel', 'wechat', 700, 0],
      ['income.parking', '', 0, 1_000],
      ['liability.points', driver.accountId, 300, 0],
    ])
    expect(await account(driver.accountId)).toMatchObject({ balance: 500, frozen: 0, totalSpent: 300 })
    expect((await driver.mine('points')).data).toMatchObject({ usable: 500, laid: [], details: [{ kind: 2, points: -300, balanceAfter: 500 }, {}] })
    const shown = await garage.server.ask<any>(driver.token, 'POST', '/lbs/custom/owner/mine/bill', { orderNo: order.orderNo })
    expect(shown.data).toMatchObject({ paidFen: 1_000, pointsFen: 300 })
    await agrees(driver.accountId)
  })

  test('beside stored value, at once; too little of it takes no points', async () => {
    const driver = await aDriver(500)
    await garage.recharge(driver.ownerId, 600)
    const [order, dear] = [await bill(driver), await bill(driver, 2_000)]
    expect((await pays(driver, order.orderNo, 400, STORED)).data).toMatchObject({ amountFen: 600, payUrl: null })
    expect(await garage.story(order.id)).toMatchObject({ status: 2, paidFen: 1_000, payMethod: STORED })
    expect((await garage.stands(driver.ownerId)).principalFen).toBe(0)
    expect(await pays(driver, dear.orderNo, 100, STORED)).toMatchObject({ status: 422, code: 41501 })
    expect(await account(driver.accountId)).toMatchObject({ balance: 100, frozen: 0, totalSpent: 400 })
    await agrees(driver.accountId)
  })

  test('no more than the park allows, than there are, or than is due; only a parking fee, and only one’s own', async () => {
    const [driver, other] = [await aDriver(300), await aDriver(300)]
    const order = await bill(driver)
    const charge = await write((tx) =>
      openOrder(tx, { type: 5, plateNo: driver.plateNo, plateColor: 0, parkCode: PARK, receivableFen: 1_000, at: now() }),
    )
    const elsewhere = await garage.anOrder({ plateNo: driver.plateNo, parkCode: 'P002' })
    expect(await pays(driver, order.orderNo, 501)).toMatchObject({ status: 422, code: 41652, message: expect.stringContaining('50%') })
    expect(await pays(driver, order.orderNo, 301)).toMatchObject({ status: 422, code: 41650 })
    expect(await pays(driver, charge.orderNo, 100)).toMatchObject({ status: 422, code: 41654 })
    expect(await pays(driver, elsewhere.orderNo, 100)).toMatchObject({ status: 422, code: 41651 })
    expect((await pays(other, order.orderNo, 100)).status).toBe(404)
    expect((await pays(driver, order.orderNo, 0)).status).toBe(400)
    const [stranger] = [await garage.anOwner()]
    const token = await write((tx) => openSession(tx, stranger.ownerId, '127.0.0.1', now()))
    const body = { orderNo: order.orderNo, points: 1, payMethod: WECHAT }
    expect(await garage.server.ask<any>(token, 'POST', '/lbs/coupon/mine/pay', body)).toMatchObject({ code: 41650 })
    expect(await garage.story(order.id)).toMatchObject({ status: 0, payments: [] })
    expect(await account(driver.accountId)).toMatchObject({ balance: 300, frozen: 0 })
  })

  test('all of it where the park allows that, by points alone', async () => {
    await cap(1000)
    const driver = await aDriver(1_000)
    const order = await bill(driver)
    expect(await pays(driver, order.orderNo, 1_000)).toMatchObject({ code: 41655 })
    expect(await pays(driver, order.orderNo, 900, POINTS)).toMatchObject({ status: 409, code: 41656, message: expect.stringContaining('10.00') })
    expect((await pays(driver, order.orderNo, 1_000, POINTS)).data).toMatchObject({ amountFen: 1_000, payUrl: null })
    expect(await garage.story(order.id)).toMatchObject({ status: 2, payMethod: POINTS })
    await cap(500)
    await agrees(driver.accountId)
  })

  test('the points of an owner who is locked pay nothing', async () => {
    const driver = await aDriver(500)
    const order = await bill(driver)
    await garage.sql('update owner.account set status = 2 where id = $1', [driver.ownerId])
    const lay = write((tx) => begin(tx, order.id, WECHAT, now(), { lay: layPoints(driver.accountId, 100, now()) }))
    await expect(lay).rejects.toMatchObject({ code: 41653 })
    await cap(1000)
    expect(await garage.business('/pointsAccount/offset', { accountId: driver.accountId, orderId: order.id })).toMatchObject({ code: 41653 })
    await cap(500)
  })
})

describe('what is set apart', () => {
  test('is free again when nobody paid in time, when the order is cancelled, and when all was paid another way', async () => {
    const driver = await aDriver(500)
    const free = async () => expect(await account(driver.accountId)).toMatchObject({ balance: 500, frozen: 0, totalSpent: 0 })
    const late = await bill(driver)
    await pays(driver, late.orderNo, 300)
    await expires((await attempt(late.id)).id)
    await free()
    expect(await garage.story(late.id)).toMatchObject({ status: 0, paidFen: 0 })
    const cancelled = await bill(driver)
    await pays(driver, cancelled.orderNo, 300)
    const { payNo } = await attempt(cancelled.id)
    await garage.business('/order/cancel', { id: cancelled.id, reason: '误开' })
    await free()
    await garage.notify({ payNo, amountFen: 700, tradeNo: 'T-after' })
    expect(await garage.story(cancelled.id)).toMatchObject({ status: 5, refunds: [{ kind: 2, amountFen: 700 }] })
    await free()
    const cash = await bill(driver)
    await pays(driver, cash.orderNo, 300)
    await write((tx) => payCash(tx, { orderId: cash.id, amountFen: 1_000, actor: { userId: cash.id, userName: '收费员' }, at: now() }))
    await free()
    await garage.notify({ payNo: (await attempt(cash.id)).payNo, amountFen: 700, tradeNo: 'T-second' })
    expect(await garage.story(cash.id)).toMatchObject({ status: 2, paidFen: 1_000, payMethod: 4, refunds: [{ kind: 2, amountFen: 700 }] })
    await free()
    await agrees(driver.accountId)
  })

  test('serves whichever channel the driver takes in the end; another number waits', async () => {
    const driver = await aDriver(500)
    const order = await bill(driver)
    await pays(driver, order.orderNo, 300)
    expect((await pays(driver, order.orderNo, 300, ALIPAY)).data).toMatchObject({ amountFen: 700 })
    expect(await account(driver.accountId)).toMatchObject({ frozen: 300 })
    expect(await pays(driver, order.orderNo, 200)).toMatchObject({ status: 409, code: 40596, message: expect.stringContaining('3.00') })
    await expires((await attempt(order.id)).id)
    expect(await account(driver.accountId)).toMatchObject({ frozen: 300 })
    garage.channel.channel.pay((await attempt(order.id, ALIPAY)).payNo)
    await until(
      () => garage.story(order.id),
      ({ status }) => status === 2,
    )
    expect(await account(driver.accountId)).toMatchObject({ balance: 200, frozen: 0, totalSpent: 300 })
    await agrees(driver.accountId)
  })

  test('is taken up again by money that comes too late; where the points are gone it waits for a person, and takes none', async () => {
    const driver = await aDriver(300)
    const [late, later] = [await bill(driver), await bill(driver)]
    await pays(driver, late.orderNo, 300)
    const { id, payNo } = await attempt(late.id)
    await expires(id)
    await garage.notify({ payNo, amountFen: 700, tradeNo: 'T-late' })
    expect(await garage.story(late.id)).toMatchObject({ status: 2, paidFen: 1_000 })
    expect(await account(driver.accountId)).toMatchObject({ balance: 0, frozen: 0, totalSpent: 300 })
    await grant(driver.accountId, 300)
    await pays(driver, later.orderNo, 300)
    const second = await attempt(later.id)
    await expires(second.id)
    const spent = await bill(driver, 600)
    await pays(driver, spent.orderNo, 300)
    await garage.notify({ payNo: second.payNo, amountFen: 700, tradeNo: 'T-gone' })
    expect((await attempt(later.id)).state).toBe(5)
    expect(await garage.story(later.id)).toMatchObject({ status: 0, paidFen: 0 })
    expect(await account(driver.accountId)).toMatchObject({ balance: 300, frozen: 300 })
    await agrees(driver.accountId)
  })

  test('is out of reach: two bills at once for the same points, one has them; they do not expire meanwhile, and pay what is owed when they come back', async () => {
    const driver = await aDriver(400)
    const [one, two] = [await bill(driver), await bill(driver)]
    const both = await Promise.all([one, two].map(({ orderNo }) => pays(driver, orderNo, 300)))
    expect(both.map(({ code }) => code).sort()).toEqual([200, 41650])
    expect(await account(driver.accountId)).toMatchObject({ balance: 400, frozen: 300 })
    const [won] = both[0]!.code === 200 ? [one, two] : [two, one]
    await garage.sql(`update coupon.points_batch set expire_at = now() - interval '1 hour' where account_id = $1`, [driver.accountId])
    while (await write((tx) => expireBatches(tx, now())));
    expect(await account(driver.accountId)).toMatchObject({ balance: 300, frozen: 300, totalExpired: 100 })
    await agrees(driver.accountId)
    await garage.notify({ payNo: (await attempt(won!.id)).payNo, amountFen: 700, tradeNo: 'T-night' })
    expect(await garage.story(won!.id)).toMatchObject({ status: 2 })
    expect(await account(driver.accountId)).toMatchObject({ balance: 0, frozen: 0, totalSpent: 300 })
    await agrees(driver.accountId)
  })

  test('ends once: the notice and the end of the attempt at once leave the fee paid and the points spent', async () => {
    const driver = await aDriver(300)
    for (let n = 0; n < 5; n++) {
      const order = await bill(driver, 600)
      await pays(driver, order.orderNo, 60)
      const { id, payNo } = await attempt(order.id)
      await Promise.all([garage.notify({ payNo, amountFen: 540, tradeNo: `T-race-${n}` }), expires(id)])
      expect(await garage.story(order.id)).toMatchObject({ status: 2, paidFen: 600 })
      expect(await account(driver.accountId)).toMatchObject({ balance: 300 - 60 * (n + 1), frozen: 0 })
    }
    await agrees(driver.accountId)
  })

  test('pays a debt too: the car left before the money came', async () => {
    const driver = await aDriver(300)
    const order = await garage.anOrder({ plateNo: driver.plateNo, receivableFen: 1_000, owed: true })
    await pays(driver, order.orderNo, 300)
    await garage.notify({ payNo: (await attempt(order.id)).payNo, amountFen: 700, tradeNo: 'T-debt' })
    expect(await garage.story(order.id)).toMatchObject({ status: 2, paidFen: 1_000, arrearsFen: 0 })
    const parts = await garage.sql<any>('select amount_fen from settlement.allocation where order_id = $1 order by amount_fen', [order.id])
    expect(parts.map(({ amountFen }) => amountFen)).toEqual([300, 700])
    await agrees(driver.accountId)
  })
})

describe('what goes back', () => {
  const refund = (orderId: string, amountFen: number) => garage.business('/orderRefund/apply', { orderId, amountFen, reason: '多收' })
  const approveAll = async (orderId: string) => {
    for (const { id, version } of await garage.sql<any>('select id, version from settlement.refund where order_id = $1 and state = 0', [orderId]))
      await garage.business('/orderRefund/approve', { id, version, verdict: '同意' }, garage.second)
  }
  const paid = async (driver: Driver) => {
    const order = await bill(driver)
    await pays(driver, order.orderNo, 300)
    garage.channel.channel.pay((await attempt(order.id)).payNo)
    await until(
      () => garage.story(order.id),
      ({ status }) => status === 2,
    )
    return order
  }
  test('points first, then the money by its own way; never more than was paid', async () => {
    const driver = await aDriver(300)
    const order = await paid(driver)
    expect(await refund(order.id, 1_001)).toMatchObject({ code: 40508, message: expect.stringContaining('10.00') })
    expect((await refund(order.id, 200)).data).toMatchObject({ amountFen: 200 })
    await approveAll(order.id)
    expect(await account(driver.accountId)).toMatchObject({ balance: 200, totalSpent: 100 })
    expect((await refund(order.id, 500)).data).toMatchObject({ amountFen: 400 })
    await approveAll(order.id)
    await until(
      () => garage.story(order.id),
      ({ refundFen }) => refundFen === 700,
    )
    expect(await account(driver.accountId)).toMatchObject({ balance: 300, totalSpent: 0 })
    expect((await attempt(order.id)).refundFen).toBe(400)
    expect((await laid(order.id)).refundFen).toBe(300)
    expect(await refund(order.id, 301)).toMatchObject({ code: 40508, message: expect.stringContaining('3.00') })
    await refund(order.id, 300)
    await approveAll(order.id)
    expect(
      await until(
        () => garage.story(order.id),
        ({ refundFen }) => refundFen === 1_000,
      ),
    ).toMatchObject({ status: 7 })
    await agrees(driver.accountId)
  })

  test('only the money earned: what points paid earns nothing, and their return claws nothing back', async () => {
    const driver = await aDriver(300)
    await garage.sql('update coupon.points_account set plates = array[$2] where id = $1', [driver.accountId, driver.plateNo])
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
    const { data: rule } = await garage.business('/pointsRule/add', { name: '停车', event: 1, ratio: 10, startAt: day(-1), endAt: day(1) })
    const order = await paid(driver)
    expect(await account(driver.accountId)).toMatchObject({ balance: 70, totalEarned: 370 })
    await refund(order.id, 300)
    await approveAll(order.id)
    expect(await account(driver.accountId)).toMatchObject({ balance: 370, totalClawed: 0 })
    await refund(order.id, 350)
    await approveAll(order.id)
    await until(
      () => account(driver.accountId),
      ({ totalClawed }) => totalClawed === 35,
    )
    const [{ version }] = (await garage.sql<any>('select version from coupon.points_rule where id = $1', [rule.id])) as [any]
    await garage.business('/pointsRule/update', { id: rule.id, version, stopped: true })
    await agrees(driver.accountId)
  })
})

test('of an owner who is erased no telephone stays with the points, also where another account became theirs; not while points are set apart', async () => {
  const [keep, gone] = [await aDriver(300), await aDriver(100)]
  await garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId })
  const { data: kept } = await garage.custom('/owner/account/export', { ownerId: keep.ownerId })
  expect(kept.others).toEqual(expect.arrayContaining([expect.objectContaining({ of: 'coupon.points_account', balance: 400 })]))
  const open = await bill(keep)
  await pays(keep, open.orderNo, 100)
  const erase = async () => {
    const [{ version }] = (await garage.sql<any>('select version from owner.account where id = $1', [keep.ownerId])) as [any]
    return garage.custom('/owner/account/erase', { ownerId: keep.ownerId, version })
  }
  await garage.sql(`update owner.car set verify_state = 4, slot = null where owner_id = $1`, [keep.ownerId]) // what it owes is no longer theirs
  expect(await erase()).toMatchObject({ status: 409, code: 41658 })
  await expires((await attempt(open.id)).id)
  expect((await erase()).status).toBe(200)
  await garage.erased(keep.ownerId)
  const said = await garage.sql<any>(
    `select phone, name from coupon.points_account where id = any($1) union all select phone, '' from coupon.points_account_detail where account_id = any($1)`,
    [[keep.accountId, gone.accountId]],
  )
  expect(said.length).toBeGreaterThan(3)
  for (const { phone, name } of said) expect([phone, name]).toEqual([`000${keep.ownerId.slice(-8)}`, name && Said.erased])
  await agrees(keep.accountId)
})

describe('owners who are merged', () => {
  const merge = (keep: { ownerId: string }, gone: { ownerId: string }, more: object = {}) =>
    garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId, ...more })
  test('have their points on one account, with what is set apart, owed, and to come back; its movements say so', async () => {
    const [keep, gone] = [await aDriver(100), await aDriver(500)]
    const [paid, open] = [await bill(gone), await bill(gone)]
    await pays(gone, paid.orderNo, 200)
    await garage.notify({ payNo: (await attempt(paid.id)).payNo, amountFen: 800, tradeNo: 'T-merged' })
    await pays(gone, open.orderNo, 100)
    expect((await merge(keep, gone, { dryRun: true })).data).toMatchObject({ done: false })
    expect(await account(gone.accountId)).toMatchObject({ balance: 300 })
    expect((await merge(keep, gone)).data).toMatchObject({ done: true })
    expect(await account(gone.accountId)).toMatchObject({ balance: 0, frozen: 0, totalEarned: 0, mergedInto: keep.accountId })
    expect(await account(keep.accountId)).toMatchObject({ balance: 400, frozen: 100, totalEarned: 600, totalSpent: 200 })
    for (const { accountId } of [keep, gone]) await agrees(accountId)
    const lines = await garage.sql<any>(
      'select account_id, points, balance_after from coupon.points_account_detail where kind = 6 and account_id = any($1) order by points',
      [[keep.accountId, gone.accountId]],
    )
    expect(lines).toEqual([
      { accountId: gone.accountId, points: -300, balanceAfter: 0 },
      { accountId: keep.accountId, points: 300, balanceAfter: 400 },
    ])
    await garage.notify({ payNo: (await attempt(open.id)).payNo, amountFen: 900, tradeNo: 'T-open' })
    expect(await account(keep.accountId)).toMatchObject({ balance: 300, frozen: 0, totalSpent: 300 })
    const { data } = await garage.business('/orderRefund/apply', { orderId: paid.id, amountFen: 200, reason: '多收' })
    await garage.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, garage.second)
    expect(await account(keep.accountId)).toMatchObject({ balance: 500, totalSpent: 100 })
    // The next holder of the phone number finds no points of theirs; the merged account takes nothing.
    const { data: next } = await garage.business('/pointsAccount/open', { phone: gone.phone, name: '新机主', plates: [] })
    expect(next.id).not.toBe(gone.accountId)
    expect((await grant(gone.accountId, 10)).status).toBe(404)
    for (const { accountId } of [keep, gone]) await agrees(accountId)
  })

  test('pay one’s debt with the other’s points, go along whole where one had none, and are refused with too many plates', async () => {
    const [owes, has] = [await aDriver(0), await aDriver(500)]
    await garage.sql('update coupon.points_account set debt = 80, balance = -80, total_clawed = 80 where id = $1', [owes.accountId])
    await merge(owes, has)
    expect(await account(owes.accountId)).toMatchObject({ balance: 420, debt: 0 })
    const [none, other] = [await garage.anOwner(), await aDriver(50)]
    await merge(none, other)
    expect(await account(other.accountId)).toMatchObject({ balance: 50, phone: none.phone, mergedInto: null })
    const [a, b] = [await aDriver(0), await aDriver(0)]
    for (const [{ accountId }, from] of [
      [a, 1],
      [b, 4],
    ] as const)
      await garage.sql('update coupon.points_account set plates = $2 where id = $1', [accountId, [0, 1, 2].map((n) => `鄂G0000${from + n}`)])
    expect(await merge(a, b, { dryRun: true })).toMatchObject({ status: 409, code: 41657 })
  })
})
