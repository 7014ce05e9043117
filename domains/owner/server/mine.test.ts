import pg from 'pg'
import { aGround } from '../../parking/server/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reading, run } from '../../../platform/server/database.ts'
import { pngOf } from '../../../tests/support/hostile.ts'
import { unpaidOver } from './recharge.ts'
import { aDoor, aGarage, aPhone, aPlate, type Door, type Garage, now, until } from './testing.ts'

let garage: Garage
let door: Door
beforeAll(async () => {
  garage = await aGarage()
  door = await aDoor(garage)
})
afterAll(() => garage.close())

interface Driver {
  token: string
  ownerId: string
  phone: string
  ask(path: string, body?: object): Promise<any>
}
async function aDriver(): Promise<Driver> {
  const phone = aPhone()
  const token = await door.comes(phone)
  const [{ id }] = (await garage.sql<{ id: string }>('select id from owner.account where phone = $1', [phone])) as [{ id: string }]
  return { token, ownerId: id, phone, ask: (path, body) => door.mine(token, path, body) }
}
const carOf = async ({ ask }: Driver, plateNo: string) => (await ask('home')).data.cars.find((one: any) => one.plateNo === plateNo)
const named = ({ id, version }: { id: string; version: number }) => ({ id, version })

const sendLicence = ({ token }: Driver, { id }: { id: string }, bytes: Uint8Array = pngOf(8, 8)) => {
  const body = new FormData()
  body.set('id', id)
  body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'x.png')
  return garage.server.ask(token, 'POST', '/lbs/custom/owner/mine/licencePicture', body) as Promise<any>
}

test('a driver binds five plates and no sixth, chooses the default, and unbinds', async () => {
  const driver = await aDriver()
  const plates = Array.from({ length: 5 }, aPlate)
  for (const plateNo of plates) expect(await driver.ask('bind', { plateNo })).toMatchObject({ status: 200, data: { plateNo, verifyState: 0 } })
  expect(await driver.ask('bind', { plateNo: aPlate() })).toMatchObject({ status: 422, code: 41522 })
  expect(await driver.ask('bind', { plateNo: plates[0]! })).toMatchObject({ status: 409, code: 41521 })
  expect(await driver.ask('bind', { plateNo: '不是车牌' })).toMatchObject({ status: 422, code: 41520 })
  const third = await carOf(driver, plates[2]!)
  expect(await driver.ask('setCar', { ...named(third), isDefault: true })).toMatchObject({ status: 200, data: { isDefault: true } })
  const { cars } = (await driver.ask('home')).data
  expect(cars.filter((one: any) => one.isDefault).map((one: any) => one.plateNo)).toEqual([plates[2]])
  expect((await driver.ask('unbind', named(await carOf(driver, plates[2]!)))).status).toBe(200)
  expect(await carOf(driver, plates[2]!)).toBeUndefined()
  expect((await driver.ask('bind', { plateNo: aPlate() })).status).toBe(200)
})

test('automatic debit is switched on for a verified plate alone', async () => {
  const driver = await aDriver()
  const { data: waiting } = await driver.ask('bind', { plateNo: aPlate() })
  expect(await driver.ask('setCar', { ...named(waiting), autoDebit: true })).toMatchObject({ status: 422, code: 41572 })
  const { plateNo } = await garage.aCar(driver.ownerId)
  const verified = await carOf(driver, plateNo)
  expect(await driver.ask('setCar', { ...named(verified), autoDebit: true, isDefault: true })).toMatchObject({
    status: 200,
    data: { autoDebit: true, isDefault: true },
  })
})

test('a rejected plate is appealed; whoever has a plate that another claims sees it, and objects', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  const { plateNo } = await garage.aCar(a.ownerId)
  const { data: claimed } = await b.ask('bind', { plateNo })
  await sendLicence(b, claimed)
  await garage.business('/carVerification/updateCarVerification', { ...named(await carOf(b, plateNo)), verifyState: 1, verdict: '材料齐全' })
  const mine = await carOf(a, plateNo)
  expect(mine.claimedUntil).not.toBeNull()
  expect((await carOf(b, plateNo)).claimedUntil).toBeNull()
  expect((await b.ask('contest', { ...named(mine), reason: '是我的车' })).status).toBe(404)
  expect((await a.ask('contest', { ...named(mine), reason: '是我的车' })).status).toBe(200)
  expect((await garage.sql<any>('select contest from owner.car where id = $1', [claimed.id]))[0].contest).toBe('是我的车')
  expect(await a.ask('contest', { ...named(await carOf(a, plateNo)), reason: '再说一次' })).toMatchObject({ status: 409, code: 41532 })

  const { data: asked } = await a.ask('bind', { plateNo: aPlate() })
  await garage.business('/carVerification/updateCarVerification', { ...named(asked), verifyState: 2, verdict: '看不清' })
  const rejected = await carOf(a, asked.plateNo)
  expect(rejected).toMatchObject({ verifyState: 2, verdict: '看不清' })
  expect(await a.ask('appeal', { ...named(rejected), reason: '重新拍照' })).toMatchObject({
    status: 200,
    data: { verifyState: 3, appeal: '重新拍照' },
  })
})

test('a plate is granted by what was shown for it: pictures of its licence, sent by whoever asks for it', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  const { data: waiting } = await a.ask('bind', { plateNo: aPlate() })
  expect(waiting).toMatchObject({ verifyState: 0, proof: null, licencePictures: 0 })
  const decide = async (verifyState: number, more: object = {}) =>
    garage.business('/carVerification/updateCarVerification', { ...named(await carOf(a, waiting.plateNo)), verifyState, ...more })
  expect(await decide(1, { verdict: '看着像' })).toMatchObject({ status: 422, code: 41534 })
  expect((await carOf(a, waiting.plateNo)).verifyState).toBe(0)
  expect((await sendLicence(b, waiting)).status).toBe(404)
  expect((await sendLicence(a, waiting, new TextEncoder().encode('no picture'))).status).toBe(422)
  for (let n = 1; n <= 4; n++) expect(await sendLicence(a, waiting)).toMatchObject({ status: 200, data: { proof: 1, licencePictures: n } })
  expect(await sendLicence(a, waiting)).toMatchObject({ status: 422, code: 41527 })
  const { data: asked } = await garage.business('/carVerification/queryCarVerification', { plateNo: waiting.plateNo })
  expect(asked.records).toMatchObject([{ proof: 1, images: expect.stringMatching(/^[^,]+(,[^,]+){3}$/) }])
  expect(await decide(2), 'whoever is refused is told why').toMatchObject({ status: 422, code: 41533 })
  expect(await decide(1), 'nothing need be said of a yes').toMatchObject({ status: 200, data: { verifyState: 1, verdict: null } })
  expect((await sendLicence(a, waiting)).status, 'what is decided has no more pictures').toBe(409)
  const seen = (await garage.business('/carOwner/bindCarInfo', { ownerId: b.ownerId, plateNo: aPlate() })).data
  expect(
    await garage.business('/carVerification/updateCarVerification', { ...named(seen), verifyState: 1 }),
    'the counter has seen it',
  ).toMatchObject({ status: 200, data: { proof: 3 } })
})

test('pictures go with an appeal that waits, six at most, and with nobody else’s', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  const { data: waiting } = await a.ask('bind', { plateNo: aPlate() })
  const sends = (token: string, bytes: Uint8Array = pngOf(8, 8)) => {
    const body = new FormData()
    body.set('id', waiting.id)
    body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'x.png')
    return garage.server.ask(token, 'POST', '/lbs/custom/owner/mine/appealPicture', body) as Promise<any>
  }
  expect((await sends(a.token)).status).toBe(409)
  await garage.business('/carVerification/updateCarVerification', { ...named(waiting), verifyState: 2, verdict: '看不清' })
  await a.ask('appeal', { ...named(await carOf(a, waiting.plateNo)), reason: '重新拍照' })
  expect((await sends(b.token)).status).toBe(404)
  expect((await sends(a.token, new TextEncoder().encode('no picture'))).status).toBe(422)
  for (let n = 1; n <= 6; n++) expect(await sends(a.token)).toMatchObject({ status: 200, data: { appealPictures: n } })
  expect(await sends(a.token)).toMatchObject({ status: 422, code: 41576 })
})

test('a bill for parking says when the car came and left', async () => {
  const driver = await aDriver()
  const { plateNo } = await garage.aCar(driver.ownerId)
  const field = await (await aGround(garage.server)).field()
  await field.enters(plateNo, 0)
  await field.exits(plateNo, 95)
  const { orderNo, entryTime, exitTime } = (
    await garage.sql<any>(
      'select o.order_no, s.entry_time, s.exit_time from settlement.order o join parking.stay s on s.id = o.stay_id where o.plate_no = $1',
      [plateNo],
    )
  )[0]
  await garage.sql('update owner.car set bind_at = $2 where plate_no = $1', [plateNo, entryTime])
  expect(await driver.ask('bill', { orderNo })).toMatchObject({ status: 200, data: { arrivedAt: entryTime, leftAt: exitTime } })
})

test('what a verified plate owes is shown and paid, of an unverified one nothing is told', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const { plateNo } = await garage.aCar(driver.ownerId)
  await stranger.ask('bind', { plateNo })
  const order = await garage.anOrder({ plateNo, receivableFen: 1500 })
  const open = (await driver.ask('bills')).data.open
  expect(open).toMatchObject([{ orderNo: order.orderNo, payableFen: 1500, plateNo, status: 0 }])
  expect((await stranger.ask('bills')).data).toEqual({ debts: [], open: [], past: [] })
  for (const [path, body] of [
    ['bill', {}],
    ['pay', { payMethod: 1 }],
    ['pay', { payMethod: 3 }],
  ] as const)
    expect((await stranger.ask(path, { orderNo: order.orderNo, ...body })).status, path).toBe(404)
  expect(await driver.ask('bill', { orderNo: order.orderNo })).toMatchObject({ status: 200, data: { orderNo: order.orderNo, lines: [] } })
  const { data: paying } = await driver.ask('pay', { orderNo: order.orderNo, payMethod: 1 })
  expect(paying).toMatchObject({ amountFen: 1500, payUrl: expect.stringContaining('http') })
  const [{ payNo }] = await garage.sql<any>('select pay_no from settlement.payment where order_id = $1', [order.id])
  await garage.notify({ payNo, amountFen: 1500 })
  await until(
    async () => (await driver.ask('bills')).data.past,
    (past) => past.length === 1,
  )
  expect((await driver.ask('bills')).data).toMatchObject({ open: [], past: [{ orderNo: order.orderNo, paidFen: 1500, status: 2 }] })
  expect(await driver.ask('pay', { orderNo: order.orderNo, payMethod: 4 })).toMatchObject({ status: 422, code: 41574 })
})

test('what a vehicle paid before it was the driver’s stays with whoever paid it', async () => {
  const driver = await aDriver()
  const plateNo = aPlate()
  const [earlier, unpaid] = [await garage.anOrder({ plateNo }), await garage.anOrder({ plateNo, receivableFen: 700 })]
  await garage.sql("update settlement.order set status = 2, paid_fen = payable_fen, created_at = now() - interval '1 day' where id = $1", [
    earlier.id,
  ])
  await garage.aCar(driver.ownerId, { plateNo })
  const { past, open } = (await driver.ask('bills')).data
  expect(past).toEqual([])
  expect(open.map((one: any) => one.orderNo)).toEqual([unpaid.orderNo])
})

test('arrears are told and paid in one payment of all, never of somebody else’s', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const { plateNo } = await garage.aCar(driver.ownerId)
  const other = await garage.aCar(stranger.ownerId)
  for (const receivableFen of [800, 1200]) await garage.anOrder({ plateNo, receivableFen, owed: true })
  const theirs = await garage.anOrder({ plateNo: other.plateNo, owed: true })
  const { debts } = (await driver.ask('bills')).data
  expect(debts.map((one: any) => one.owedFen).sort()).toEqual([1200, 800])
  expect((await driver.ask('home')).data).toMatchObject({ owedFen: 2000, debts: 2 })
  const ids = debts.map((one: any) => one.id)
  expect((await stranger.ask('repay', { ids, paidFen: 2000, payMethod: 1 })).status).toBe(404)
  const [file] = (await stranger.ask('bills')).data.debts
  expect(file.plateNo).toBe(theirs.plateNo)
  expect((await driver.ask('repay', { ids: [...ids, file.id], paidFen: 2000, payMethod: 1 })).status).toBe(404)
  expect(await driver.ask('repay', { ids, paidFen: 1999, payMethod: 1 })).toMatchObject({ status: 422 })
  const { data } = await driver.ask('repay', { ids, paidFen: 2000, payMethod: 1 })
  expect(data).toMatchObject({ paidFen: 2000, records: 2, payUrl: expect.stringContaining('http') })
  const [{ payNo }] = await garage.sql<any>(
    'select p.pay_no from settlement.payment p join settlement.order o on o.id = p.order_id where o.order_no = $1',
    [data.repayNo],
  )
  await garage.notify({ payNo, amountFen: 2000 })
  await until(
    async () => (await driver.ask('home')).data,
    ({ debts: left }) => left === 0,
  )
})

test('a recharge gets what the best tier gives, pays a parking fee, and what is left is asked back', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await garage.custom('/assetsStore/rechargeActivity/insert', {
    name: '充百送十',
    tiers: [{ payFen: 10_000, bonusFen: 1_000 }],
    startAt: at(-1),
    endAt: at(1),
    perUserTimes: 1,
  })
  expect((await driver.ask('offers')).data).toMatchObject([{ name: '充百送十', tiers: [{ payFen: 10_000, bonusFen: 1_000 }] }])
  expect(await driver.ask('recharge', { payFen: 10_000, payMethod: 4 })).toMatchObject({ status: 422, code: 41574 })
  const { data } = await driver.ask('recharge', { payFen: 10_000, payMethod: 1 })
  expect(data.payUrl).toContain('http')
  const [{ payNo }] = await garage.sql<any>(
    'select p.pay_no from settlement.payment p join settlement.order o on o.id = p.order_id where o.order_no = $1',
    [data.orderNo],
  )
  await garage.notify({ payNo, amountFen: 10_000 })
  await until(
    async () => (await driver.ask('home')).data,
    ({ principalFen }) => principalFen === 10_000,
  )
  expect((await driver.ask('home')).data).toMatchObject({ principalFen: 10_000, bonusFen: 1_000 })
  expect((await driver.ask('offers')).data).toEqual([])
  expect((await driver.ask('movements')).data.records.map((one: any) => one.kind).sort()).toEqual([1, 2])
  expect((await stranger.ask('movements')).data.records).toEqual([])
  const card = { holder: '王芳', phone: aPhone(), payMethod: 4 }
  const issued = (await garage.business('/rechargeParkCard/add', { ...card, payFen: 700, ownerId: driver.ownerId })).data.card
  const amounts = async (who: Driver) => (await who.ask('movements')).data.records.map((one: any) => one.amountFen)
  expect(await amounts(driver)).toContain(700)
  await garage.business('/rechargeParkCard/update', { id: issued.id, version: issued.version, act: 2, ownerId: stranger.ownerId })
  expect([(await amounts(driver)).includes(700), await amounts(stranger)], 'a card that is another’s by now').toEqual([false, []])

  const { plateNo } = await garage.aCar(driver.ownerId)
  const order = await garage.anOrder({ plateNo, receivableFen: 1_100 })
  const paid = await Promise.all([1, 2].map(() => driver.ask('pay', { orderNo: order.orderNo, payMethod: 3 })))
  expect(paid.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await driver.ask('home')).data).toMatchObject({ principalFen: 9_000, bonusFen: 900 })
  expect(await driver.ask('pay', { orderNo: data.orderNo, payMethod: 3 })).toMatchObject({ status: 422, code: 41575 })

  expect((await driver.ask('refund', { reason: '不用了', dryRun: true })).data).toMatchObject({ refundNo: null })
  const { data: refund } = await driver.ask('refund', { reason: '不用了', amountFen: 5_000 })
  expect(refund.refundNo).toMatch(/^TK/)
  expect((await driver.ask('refunds')).data).toMatchObject([{ refundNo: refund.refundNo, amountFen: 5_000, state: 0 }])
  expect((await stranger.ask('refunds')).data).toEqual([])
  expect(await garage.differing()).toEqual([])
})

test('a recharge that nobody pays in time ends with its order, so that no activity is kept by it; money that comes later goes back', async () => {
  const driver = await aDriver()
  const { data } = await driver.ask('recharge', { payFen: 20_000, payMethod: 1 })
  const order = async () => (await garage.sql<any>('select id, status from settlement.order where order_no = $1', [data.orderNo]))[0]
  const { id: orderId } = await order()
  const jobs = new pg.Client({ connectionString: garage.server.ownerUrl })
  await jobs.connect()
  const { rows } = await jobs.query('select run_at from graphile_worker.jobs where key = $1', [`1 owner.recharge-unpaid:${orderId}`])
  await jobs.end()
  expect(Math.round((Date.parse(rows[0].run_at) - Date.now()) / 60_000)).toBe(30)
  const over = () => garage.server.house.writing(1, 'test', (tx) => unpaidOver.work({ house: garage.server.house, tx, at: now(), data: { orderId } }))
  // It is being paid just now: the payment is waited for.
  await over()
  expect((await order()).status).toBe(1)
  await garage.sql(`update settlement.payment set state = 2, expires_at = now() - interval '1 minute' where order_id = $1`, [orderId])
  await garage.sql('update settlement.order set status = 0, paying_until = null where id = $1', [orderId])
  await over()
  expect((await order()).status).toBe(5)
  const [{ payNo }] = await garage.sql<any>('select pay_no from settlement.payment where order_id = $1', [orderId])
  await garage.notify({ payNo, amountFen: 20_000 })
  expect(await garage.sql('select amount_fen from settlement.refund where order_id = $1', [orderId])).toEqual([{ amountFen: 20_000 }])
  expect((await driver.ask('home')).data).toMatchObject({ principalFen: 0, bonusFen: 0 })
  expect(await garage.differing()).toEqual([])
})

test('the database itself shows a driver’s session nothing of another driver', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  await garage.aCar(b.ownerId)
  const seen = (by?: string) =>
    reading(garage.server.house.pool, { enterprise: 1, parks: null, ...(by !== undefined && { guest: `driver:${by}` as const }) }, (tx) =>
      run<{ n: number }>(tx, { sql: 'select count(*)::int as n from owner.car where owner_id = $1' }, [b.ownerId]),
    )
  expect(await seen()).toEqual([{ n: 1 }])
  expect(await seen(b.ownerId)).toEqual([{ n: 1 }])
  expect(await seen(a.ownerId)).toEqual([{ n: 0 }])
})

test('with another driver’s ids every call says that there is no such thing', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  const { plateNo } = await garage.aCar(b.ownerId)
  const car = named(await carOf(b, plateNo))
  for (const [path, body] of [
    ['setCar', { isDefault: true }],
    ['unbind', {}],
    ['appeal', { reason: '试' }],
    ['contest', { reason: '试' }],
  ] as const)
    expect((await a.ask(path, { ...car, ...body })).status, path).toBe(404)
  expect(await carOf(b, plateNo)).toMatchObject({ ...car, verifyState: 1 })
  expect((await b.ask('setCar', { ...car, autoDebit: true })).status).toBe(200)
})
