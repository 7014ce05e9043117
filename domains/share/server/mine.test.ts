import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindCar, openSession, register } from '../../owner/server/api.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { reading, run } from '../../../platform/server/database.ts'
import { aLot, aPlate, type Lot } from './testing.ts'

let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

let phones = 0
interface Driver {
  ownerId: string
  plateNo: string
  mine(what: string, body?: object): Promise<any>
  /** One more car, as anybody types one. */
  binds(plateNo: string): Promise<unknown>
}
async function aDriver(): Promise<Driver> {
  const [phone, plateNo, at] = [`136${String(++phones).padStart(8, '0')}`, aPlate(), lot.at(0) as Instant]
  const { ownerId, token } = await lot.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: '车主', at })
    await bindCar(tx, { ownerId: id, plateNo, at })
    return { ownerId: id, token: await openSession(tx, id, '127.0.0.1', at) }
  })
  return {
    ownerId,
    plateNo,
    mine: (what, body = {}) => lot.post(`/share/mine/${what}`, body, token),
    binds: (plate) => lot.write((tx) => bindCar(tx, { ownerId, plateNo: plate, at: lot.at(0) })),
  }
}
async function paid(id: string) {
  const [{ payNo, amountFen }] = await lot.sql<any>(
    'select p.pay_no, p.amount_fen from settlement.payment p join share.booking b on b.order_id = p.order_id where b.id = $1',
    [id],
  )
  expect((await lot.notify({ payNo, amountFen })).status).toBe(200)
}
const hour = (from = 120) => ({ kind: 1, startAt: lot.at(from), endAt: lot.at(from + 60) })

test('a driver finds a free bay, books it at the price that was told, pays, and cancels in time: all goes back', async () => {
  const [driver, { parkCode }] = [await aDriver(), await lot.aSharedPark()]
  const offer = await lot.ofOwner(parkCode, await lot.anOwner())
  const { data: free } = await driver.mine('search', { ...hour(), parkCode })
  expect(free).toMatchObject([{ offerId: offer.id, prepaidFen: 600 }])
  expect(JSON.stringify(free)).not.toContain('业主')
  const wanted = { offerId: offer.id, plateNo: driver.plateNo, ...hour(), payMethod: 1 }
  expect(await driver.mine('book', { ...wanted, prepaidFen: 500 })).toMatchObject({ status: 409, code: 41852 })
  expect(await driver.mine('book', { ...wanted, prepaidFen: 600, payMethod: 4 })).toMatchObject({ status: 422, code: 41850 })
  const { data } = await driver.mine('book', { ...wanted, prepaidFen: 600 })
  expect(data.payUrl).toContain('http')
  expect((await driver.mine('search', { ...hour(), parkCode })).data).toEqual([])
  await paid(data.id)
  const [mine] = (await driver.mine('orders')).data
  expect(mine).toMatchObject({ id: data.id, state: 1, payUntil: null, bannedUntil: null })
  expect(await driver.mine('pay', { id: data.id, payMethod: 1 })).toMatchObject({ status: 409, code: 41854 })
  expect(await driver.mine('cancel', { id: mine.id, version: mine.version })).toMatchObject({ status: 200, data: { state: 4, refundFen: 600 } })
})

test('a bay outside its windows, in the past, without an end or of a plate that is not theirs is not booked', async () => {
  const [driver, stranger, { parkCode }] = [await aDriver(), await aDriver(), await lot.aSharedPark()]
  const never = await lot.anOffer(parkCode, {
    windows: [{ day: ((new Date(lot.at(3 * 1440)).getUTCDay() + 6) % 7) + 1, from: '00:00', to: '00:01' }],
  })
  expect((await driver.mine('search', { ...hour(), parkCode })).data).toEqual([])
  const book = (more: object) =>
    driver.mine('book', { offerId: never.id, plateNo: driver.plateNo, ...hour(), payMethod: 1, prepaidFen: 600, ...more })
  expect(await book({})).toMatchObject({ status: 422, code: 41823 })
  expect(await book({ plateNo: stranger.plateNo })).toMatchObject({ status: 404 })
  expect(await book({ startAt: lot.at(-120) })).toMatchObject({ status: 422, code: 41826 })
  expect(await book({ endAt: undefined })).toMatchObject({ status: 400 })
  expect(await driver.mine('search', { kind: 1, startAt: lot.at(60), endAt: lot.at(30) })).toMatchObject({ status: 400 })
})

test('of two who book one bay at once one gets it; the other is not told whose it is; a third unpaid booking is refused', async () => {
  const [a, b, { parkCode }] = [await aDriver(), await aDriver(), await lot.aSharedPark()]
  const offer = await lot.anOffer(parkCode)
  const book = (driver: Driver, of = offer.id, from = 120) =>
    driver.mine('book', { offerId: of, plateNo: driver.plateNo, ...hour(from), payMethod: 1, prepaidFen: 600 })
  const both = await Promise.all([book(a), book(b)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)!
  expect(refused).toMatchObject({ code: 41851 })
  expect(JSON.stringify(refused)).not.toMatch(/GY\d/)
  const winner = both[0]!.status === 200 ? a : b
  expect((await book(winner, offer.id, 240)).status).toBe(200)
  expect(await book(winner, offer.id, 480)).toMatchObject({ status: 409, code: 41853 })
})

test('a place is kept for its deposit; who does not come loses it, sees so, and is suspended when it happens too often', async () => {
  const [driver, { parkCode }] = [await aDriver(), await lot.aSharedPark()]
  await lot.post('/parkReservation/insert', {
    kind: 2,
    parkCode,
    quota: 2,
    openAheadHours: 24,
    holdMin: 30,
    cancelFreeMin: 60,
    depositFen: 500,
    maxActive: 1,
    defaultLimit: 1,
    banDays: 7,
  })
  const park = (await driver.mine('places')).data.find((one: any) => one.parkCode === parkCode)
  expect(park).toMatchObject({ depositFen: 500, holdMin: 30, openAheadHours: 24 })
  const keep = (more: object = {}) =>
    driver.mine('keep', { parkCode, plateNo: driver.plateNo, startAt: lot.at(30), payMethod: 1, prepaidFen: 500, ...more })
  expect(await keep({ prepaidFen: 0 })).toMatchObject({ status: 409, code: 41852 })
  expect(await keep({ startAt: lot.at(3 * 1440) })).toMatchObject({ status: 422, code: 41841 })
  const { data } = await keep()
  expect(data).toMatchObject({ prepaidFen: 500, payUrl: expect.stringContaining('http') })
  expect(await keep()).toMatchObject({ status: 409, code: 41825 })
  await paid(data.id)
  await lot.tick(90)
  expect((await driver.mine('orders')).data).toMatchObject([{ state: 5, refundFen: 0, bannedUntil: expect.any(String) }])
  expect(await keep({ startAt: lot.at(200) })).toMatchObject({ status: 422, code: 41820 })
})

/** A park that keeps places without a deposit, and suspends at the first default. */
async function aKeepingPark(more: object = {}): Promise<string> {
  const { parkCode } = await lot.aSharedPark()
  const rules = { quota: 10, openAheadHours: 24, holdMin: 30, cancelFreeMin: 60, depositFen: 0, maxActive: 1, defaultLimit: 1, banDays: 7, ...more }
  await lot.post('/parkReservation/insert', { kind: 2, parkCode, ...rules })
  return parkCode
}
const keeps = (driver: Driver, parkCode: string, plateNo = driver.plateNo, from = 30) =>
  driver.mine('keep', { parkCode, plateNo, startAt: lot.at(from), payMethod: 1, prepaidFen: 0 })

test('a suspension is the telephone’s, whatever plate it types; a plate that anybody may have typed is not suspended with it', async () => {
  const [driver, other, parkCode] = [await aDriver(), await aDriver(), await aKeepingPark()]
  const second = aPlate()
  await driver.binds(second)
  await other.binds(driver.plateNo)
  expect((await keeps(driver, parkCode)).status).toBe(200)
  await lot.tick(90)
  expect(await keeps(driver, parkCode, second, 200)).toMatchObject({ status: 422, code: 41820 })
  expect((await driver.mine('orders')).data).toMatchObject([{ state: 5, bannedUntil: expect.any(String) }])
  expect((await keeps(other, parkCode, driver.plateNo, 200)).status).toBe(200)
})

test('a car that is verified as theirs is suspended with the telephone; lifted, both book again', async () => {
  const [driver, other, parkCode] = [await aDriver(), await aDriver(), await aKeepingPark()]
  await lot.sql('update owner.car set verify_state = 1 where owner_id = $1', [driver.ownerId])
  await other.binds(driver.plateNo)
  expect((await keeps(driver, parkCode)).status).toBe(200)
  await lot.tick(90)
  expect(await keeps(other, parkCode, driver.plateNo, 200)).toMatchObject({ status: 422, code: 41820 })
  const { id } = (await driver.mine('orders')).data[0]
  expect((await lot.post('/parkReservation/liftBan', { id, reason: '核实为设备故障' })).code).toBe(200)
  expect((await keeps(driver, parkCode, driver.plateNo, 200)).status).toBe(200)
})

test('lifting one suspension lets nobody else go who defaulted with that plate', async () => {
  const [driver, other, parkCode] = [await aDriver(), await aDriver(), await aKeepingPark()]
  await other.binds(driver.plateNo)
  expect((await keeps(other, parkCode, driver.plateNo)).status).toBe(200)
  await lot.tick(90)
  expect((await keeps(driver, parkCode, driver.plateNo, 200)).status).toBe(200)
  await lot.tick(290)
  const { id } = (await driver.mine('orders')).data[0]
  expect((await lot.post('/parkReservation/liftBan', { id, reason: '核实为设备故障' })).code).toBe(200)
  expect((await keeps(driver, parkCode, driver.plateNo, 400)).status).toBe(200)
  expect((await other.mine('orders')).data).toMatchObject([{ bannedUntil: expect.any(String) }])
})

test('of one telephone no more than three places are kept, whatever plates it types', async () => {
  const [driver, parkCode] = [await aDriver(), await aKeepingPark()]
  const plates = [driver.plateNo, aPlate(), aPlate(), aPlate()]
  for (const plateNo of plates.slice(1)) await driver.binds(plateNo)
  const answers = []
  for (const plateNo of plates) answers.push((await keeps(driver, parkCode, plateNo)).code)
  expect(answers).toEqual([200, 200, 200, 41847])
})

test('a place’s deposit goes back when the car comes', async () => {
  const [driver, parkCode] = [await aDriver(), await aKeepingPark({ depositFen: 500 })]
  const { data } = await driver.mine('keep', { parkCode, plateNo: driver.plateNo, startAt: lot.at(30), payMethod: 1, prepaidFen: 500 })
  await paid(data.id)
  await lot.enters(parkCode, driver.plateNo, 31)
  expect(await lot.booking(data.id)).toMatchObject({ state: 2, refundFen: 500 })
  expect(
    (await lot.sql('select amount_fen from settlement.refund where order_id = (select order_id from share.booking where id = $1)', [data.id])).map(
      ({ amountFen }) => amountFen,
    ),
  ).toEqual([500])
  await lot.leaves(parkCode, driver.plateNo, 61)
  expect(await lot.booking(data.id)).toMatchObject({ state: 3, refundFen: 500 })
})

test('a driver sees no booking of another, nor does the database show it; whatever id is named, there is no such thing', async () => {
  const [driver, stranger, { parkCode }] = [await aDriver(), await aDriver(), await lot.aSharedPark()]
  const offer = await lot.anOffer(parkCode)
  const { data } = await driver.mine('book', { offerId: offer.id, plateNo: driver.plateNo, ...hour(), payMethod: 1, prepaidFen: 600 })
  expect((await stranger.mine('orders')).data).toEqual([])
  expect((await stranger.mine('pay', { id: data.id, payMethod: 1 })).status).toBe(404)
  expect((await stranger.mine('cancel', { id: data.id, version: 1 })).status).toBe(404)
  const seen = (by: Driver) =>
    reading(lot.server.house.pool, { enterprise: 1, parks: null, guest: `driver:${by.ownerId}` }, (tx) =>
      run<{ n: number }>(tx, { sql: 'select count(*)::int as n from share.booking where id = $1' }, [data.id]),
    )
  expect([await seen(driver), await seen(stranger)]).toEqual([[{ n: 1 }], [{ n: 0 }]])
  expect((await lot.post('/share/mine/orders')).status).toBe(401)
})
