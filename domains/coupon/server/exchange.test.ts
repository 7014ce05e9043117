import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type Tx } from '../../../platform/server/database.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { openSession } from '../../owner/server/api.ts'
import { aGarage, type Garage, now } from '../../owner/server/testing.ts'
import { orders, undo, unpaidOver } from './pointsExchange.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
  await garage.business('/shift/open', { openingFloatFen: 100_000 })
})
afterAll(() => garage.close())
const WECHAT = 1
const [TO_PAY, TO_DELIVER, DONE, CANCELLED, GIVEN_BACK] = [0, 1, 2, 3, 4] as const
const write: <T>(work: Parameters<Garage['server']['house']['writing']>[2]) => Promise<T> = (work) =>
  garage.server.house.writing(1, 'test', work) as never

async function aDriver(points: number) {
  const { ownerId, phone } = await garage.anOwner()
  const { data: account } = await garage.business('/pointsAccount/open', { phone, name: '车主', plates: [] })
  if (points > 0) await garage.business('/pointsAccount/grant', { accountId: account.id, points, reason: '活动' })
  const token = (await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))) as string
  const mine = (what: string, body: object = {}) => garage.server.ask<any>(token, 'POST', `/lbs/coupon/mine/${what}`, body)
  const takes = (good: any, qty = 1, more: object = {}) =>
    mine('exchange', { goodId: good.id, qty, points: good.pointsPrice * qty, cashFen: good.cashFen * qty, payMethod: WECHAT, ...more })
  return { ownerId, phone, accountId: account.id as string, mine, takes, holds: async () => (await mine('points')).data.balance }
}
const article = async (more: object = {}) => (await garage.business('/pointsGoods/add', { name: '雨伞', pointsPrice: 100, stock: 5, ...more })).data
const stock = async ({ id }: { id: string }) => (await garage.sql<any>('select stock from coupon.points_goods where id = $1', [id]))[0]!.stock
const one = async (orderNo: string) => (await garage.sql<any>('select * from coupon.points_order where order_no = $1', [orderNo]))[0]
const bill = async (orderId: string) => (await garage.sql<any>('select * from settlement.order where id = $1', [orderId]))[0]
const over = (orderId: string) => write((tx) => unpaidOver.work({ tx, at: now(), data: { orderId } } as never))
const pays = async (orderId: string) => {
  const [{ payNo, amountFen }] = (await garage.sql<any>(
    'select pay_no, amount_fen from settlement.payment where order_id = $1 order by id desc limit 1',
    [orderId],
  )) as [any]
  await garage.notify({ payNo, amountFen })
}
async function agrees(accountId: string) {
  const [row] = await garage.sql<any>(
    `select a.balance, a.frozen, a.debt, (select coalesce(sum(remaining), 0)::bigint from coupon.points_batch where account_id = a.id) as held,
    (select coalesce(sum(credit_fen - debit_fen), 0)::bigint from ledger.balance where account = 'liability.points' and sub = a.id::text) as fen from coupon.points_account a where id = $1`,
    [accountId],
  )
  expect([row.held + row.frozen - row.debt, row.fen]).toEqual([row.balance, row.balance])
  expect((await garage.replay()).right).toBe(true)
}

test('a driver sees what points buy and exchanges them, so often as a person may; nobody else sees it', async () => {
  const [driver, other] = [await aDriver(350), await aDriver(50)]
  const good = await article({ perUserLimit: 2, remark: '服务台领取' })
  const shown = async (of = driver) => (await of.mine('goods')).data.find(({ id }: any) => id === good.id)
  expect(await shown()).toMatchObject({ name: '雨伞', pointsPrice: 100, cashFen: 0, stock: 5, most: 2, remark: '服务台领取' })
  expect(await other.takes(good)).toMatchObject({ status: 422, code: 41650 })
  const { status, data } = await driver.takes(good)
  expect([status, data]).toEqual([200, { orderNo: expect.any(String), payUrl: null }])
  expect(await shown()).toMatchObject({ most: 1, stock: 4 })
  expect(await driver.takes(good, 2)).toMatchObject({ status: 422, code: 41662 })
  expect((await driver.mine('exchanges')).data).toMatchObject([{ orderNo: data.orderNo, goodName: '雨伞', qty: 1, points: 100, state: TO_DELIVER }])
  expect((await other.mine('exchanges')).data).toEqual([])
  expect(await driver.holds()).toBe(250)
  const { id, version } = await one(data.orderNo)
  // An exchange that is ready to be handed over is cancelled only at the counter.
  expect((await driver.mine('cancelExchange', { id, version })).status).toBe(409)
  expect((await other.mine('cancelExchange', { id, version })).status).toBe(404)
  expect((await garage.business('/pointsOrder/deliver', { id, version })).data).toMatchObject({ state: DONE })
  await garage.business('/pointsGoods/update', {
    id: good.id,
    version: (await garage.sql<any>('select version from coupon.points_goods where id = $1', [good.id]))[0].version,
    status: 2,
  })
  expect(await shown()).toBeUndefined()
  expect(await driver.takes(good)).toMatchObject({ status: 422, code: 41660 })
  await agrees(driver.accountId)
})

test('a driver reads the pictures of what is on the shelf, by the cookie of their page, and no other file of the house', async () => {
  const { ownerId } = await garage.anOwner()
  const token = (await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))) as string
  const upload = async (background: string) => {
    const form = new FormData()
    form.set(
      'file',
      new Blob([
        (await sharp({ create: { width: 30, height: 20, channels: 3, background } })
          .png()
          .toBuffer()) as never,
      ]),
      'a.png',
    )
    return (await garage.server.ask<any>(garage.admin, 'POST', '/lbs/basic/file/upload', form)).data.url as string
  }
  const [front, back, other] = [await upload('red'), await upload('blue'), await upload('green')]
  const good = await article({ image: `${front},${back}` })
  const shown = (await garage.server.ask<any>(token, 'POST', '/lbs/coupon/mine/goods', {})).data.find(({ id }: any) => id === good.id)
  const [first, second] = shown.image.split(',')
  const reads = (address: string, cookie = `kerbline-driver=${token}`) => garage.server.ask<any>(null, 'GET', address, undefined, { cookie })
  for (const [address, kept] of [
    [first, front],
    [second, back],
  ]) {
    const got = await reads(address)
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(got.data).toEqual((await garage.server.ask<any>(garage.admin, 'GET', kept)).data)
  }
  expect((await reads(first, '')).status).toBe(401)
  expect((await reads(front)).status).toBe(401)
  expect((await reads(first.replace(/fileName=.*/, `fileName=${other.split('=')[1]}`))).status).toBe(404)
  await garage.sql('update coupon.points_goods set status = 2 where id = $1', [good.id])
  expect((await reads(first)).status).toBe(404)
})

test('the last one is exchanged by two at once, and one driver’s points by five presses: each has one effect', async () => {
  const [a, b] = [await aDriver(100), await aDriver(100)]
  const last = await article({ stock: 1 })
  expect((await Promise.all([a.takes(last), b.takes(last)])).map(({ code }) => code).sort()).toEqual([200, 41661])
  expect(await stock(last)).toBe(0)
  const [some, c] = [await article(), await aDriver(250)]
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => c.takes(some)))
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 200, 41650, 41650, 41650])
  expect([await stock(some), await c.holds()]).toEqual([3, 50])
  await agrees(c.accountId)
})

test('with cash beside the points: both are taken at the price that was shown, and the article is ready when the money has come', async () => {
  const driver = await aDriver(500)
  const good = await article({ name: '车载充电器', pointsPrice: 200, cashFen: 990 })
  expect(await driver.takes(good, 1, { cashFen: 0 })).toMatchObject({ status: 409, code: 41663 })
  expect(await driver.takes(good, 1, { points: 100 })).toMatchObject({ status: 409, code: 41663 })
  expect((await driver.takes(good, 1, { payMethod: undefined })).status).toBe(400)
  expect((await driver.takes(good, 1, { payMethod: 3 })).status).toBe(422)
  expect([await driver.holds(), await stock(good)]).toEqual([500, 5])
  const { data } = await driver.takes(good)
  expect(data.payUrl).toEqual(expect.stringContaining('http'))
  const { orderId } = await one(data.orderNo)
  expect(await one(data.orderNo)).toMatchObject({ state: TO_PAY, cashFen: 990, points: 200 })
  expect([await driver.holds(), await stock(good)]).toEqual([300, 4])
  // One at a time: an unpaid exchange keeps the article from others.
  expect(await driver.takes(good)).toMatchObject({ status: 409, code: 41664 })
  expect((await driver.mine('payExchange', { id: (await one(data.orderNo)).id, payMethod: WECHAT })).data.payUrl).toBe(data.payUrl)
  await pays(orderId)
  expect(await one(data.orderNo)).toMatchObject({ state: TO_DELIVER })
  await over(orderId)
  expect(await one(data.orderNo)).toMatchObject({ state: TO_DELIVER })
  // The payment goes back together with points and article, not by itself.
  expect(await garage.business('/orderRefund/apply', { orderId, amountFen: 990, reason: '退' })).toMatchObject({ status: 422, code: 41665 })
  const { id, version } = await one(data.orderNo)
  expect((await garage.business('/pointsOrder/deliver', { id, version })).code).toBe(200)
  expect((await garage.business('/pointsOrder/cancel', { id, version: version + 1, reason: '坏了' })).data).toMatchObject({ state: GIVEN_BACK })
  expect([await driver.holds(), await stock(good)]).toEqual([500, 5])
  expect(await bill(orderId)).toMatchObject({ paidFen: 990, refundingFen: 990 })
  await agrees(driver.accountId)
})

test('nobody pays: after half an hour points and article are back, and what is paid later goes back by itself; so do they when the driver or a clerk cancels', async () => {
  const driver = await aDriver(200)
  const good = await article({ pointsPrice: 200, cashFen: 500 })
  const begun = async () => {
    const { data } = await driver.takes(good)
    return one(data.orderNo)
  }
  const isBack = async ({ orderNo, orderId }: any, status = 5) => {
    expect(await one(orderNo)).toMatchObject({ state: CANCELLED })
    expect([await driver.holds(), await stock(good), (await bill(orderId)).status]).toEqual([200, 5, status])
  }
  const first = await begun()
  await over(first.orderId)
  // It is being paid just now.
  expect(await one(first.orderNo)).toMatchObject({ state: TO_PAY })
  await garage.sql(`update coupon.points_order set pay_until = now() where id = $1`, [first.id])
  expect((await driver.mine('payExchange', { id: first.id, payMethod: WECHAT })).status).toBe(409)
  await garage.sql(`update settlement.order set status = 0, paying_until = null where id = $1`, [first.orderId])
  await Promise.all([over(first.orderId), over(first.orderId)])
  await isBack(first)
  await pays(first.orderId)
  await isBack(first)
  const second = await begun()
  expect((await driver.mine('cancelExchange', { id: second.id, version: second.version })).data).toMatchObject({ state: CANCELLED })
  await isBack(second)
  const third = await begun()
  await garage.sql(`update settlement.order set status = 0, paying_until = null where id = $1`, [third.orderId])
  expect((await garage.business('/order/cancel', { id: third.orderId, reason: '试' })).code).toBe(200)
  await isBack(third)
  await agrees(driver.accountId)
})

test('the money comes while it is being cancelled: either it is ready, or all of it goes back', async () => {
  for (let i = 0; i < 4; i++) {
    const driver = await aDriver(100)
    const good = await article({ cashFen: 300 })
    const { data } = await driver.takes(good)
    const { id, version, orderId } = await one(data.orderNo)
    const [cancelled] = await Promise.all([driver.mine('cancelExchange', { id, version }), pays(orderId)])
    const { state } = await one(data.orderNo)
    const { status } = await bill(orderId)
    if (cancelled.status === 200) expect([state, status, await driver.holds(), await stock(good)]).toEqual([CANCELLED, 5, 100, 5])
    else expect([state, status, await driver.holds(), await stock(good)]).toEqual([TO_DELIVER, 2, 0, 4])
    await agrees(driver.accountId)
  }
})

test('owners are merged while an exchange of theirs is cancelled: neither waits for the other in a ring', async () => {
  const [keep, gone] = [await aDriver(100), await aDriver(100)]
  const good = await article()
  const { id, orderNo } = await one((await gone.takes(good)).data.orderNo)
  let held = () => {}
  const isHeld = new Promise<void>((done) => (held = done))
  const cancelled = write(async (tx) => {
    const found = await lockRow(tx, orders, { id })
    held()
    await run(tx, { sql: 'select pg_sleep(0.4)' }, [])
    await undo(tx, found, '试', now())
  })
  await isHeld
  const merged = garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId })
  await cancelled
  expect((await merged).code).toBe(200)
  expect(await one(orderNo)).toMatchObject({ state: CANCELLED, accountId: keep.accountId })
  expect([await keep.holds(), await stock(good)]).toEqual([200, 5])
  await agrees(keep.accountId)
})

test('at the counter the cash is taken with the exchange; the points of who is locked buy nothing', async () => {
  const driver = await aDriver(300)
  const good = await article({ cashFen: 250 })
  const at = (input: object) => garage.business('/pointsOrder/exchange', { accountId: driver.accountId, goodId: good.id, qty: 1, ...input })
  const { data } = await at({ qty: 2 })
  expect(data).toMatchObject({ state: TO_DELIVER, cashFen: 500, points: 200 })
  expect(await bill(data.orderId)).toMatchObject({ status: 2, paidFen: 500, payMethod: 4 })
  const [{ version }] = await garage.sql<any>('select version from owner.account where id = $1', [driver.ownerId])
  await garage.custom('/owner/account/lock', { ownerId: driver.ownerId, version, locked: true, reason: '试' })
  expect(await at({})).toMatchObject({ code: 41653 })
  await agrees(driver.accountId)
})

test('a driver’s session sees no other driver’s points, whatever is asked of the database', async () => {
  const [driver, other, gone] = [await aDriver(100), await aDriver(100), await aDriver(100)]
  const good = await article()
  for (const one of [driver, other, gone]) await one.takes(good)
  // A driver does not see the points of an earlier holder of their number.
  await garage.custom('/owner/account/merge', { keepId: other.ownerId, goneId: gone.ownerId })
  await garage.sql('update coupon.points_account set phone = $2 where id = $1', [gone.accountId, driver.phone])
  const asDriver = (tx: Tx) => run(tx, { sql: `select set_config('scope.people', 'driver:' || $1, true)` }, [driver.ownerId])
  for (const table of ['points_batch', 'points_taken', 'points_account_detail', 'points_order']) {
    const rows = (await write(async (tx) => {
      await asDriver(tx)
      return run<any>(tx, { sql: `select distinct account_id from coupon.${table}` }, [])
    })) as any[]
    expect(rows, table).toEqual([{ accountId: driver.accountId }])
  }
  const accounts = await write(async (tx) => {
    await asDriver(tx)
    return run(tx, { sql: 'select id from coupon.points_account' }, [])
  })
  expect(accounts).toEqual([{ id: driver.accountId }])
})
