import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bindCar, openSession, register } from '../../../owner/server/api.ts'
import { aChannel } from '../../../settlement/server/testing.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { reading, run } from '../../../../platform/server/database.ts'
import { mergeCustomers } from './merging.ts'
import { standingOf } from '../sold/standing.ts'
import { anOffice, aPhone, aPlate, type Office } from '../testing.ts'

let office: Office
let channel: Awaited<ReturnType<typeof aChannel>>
beforeAll(async () => {
  office = await anOffice()
  channel = await aChannel(office.server)
})
afterAll(async () => {
  await channel.stop()
  await office.server.close()
})

const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
interface Driver {
  ownerId: string
  phone: string
  plateNo: string
  mine(what: string, body?: object): Promise<any>
  binds(plateNo: string): Promise<any>
  bills(): Promise<string>
}
async function aDriver({ verified = true, plateNo = aPlate(), phone = aPhone() } = {}): Promise<Driver> {
  const at = new Date().toISOString() as Instant
  const { id, token } = await office.server.house.writing(1, 'test', async (tx) => {
    const account = await register(tx, { phone, nickname: '车主', at })
    await bindCar(tx, { ownerId: account.id, plateNo, at })
    return { id: account.id, token: await openSession(tx, account.id, '127.0.0.1', at) }
  })
  if (verified) await verify(id, plateNo)
  return {
    ...{ ownerId: id, phone, plateNo },
    mine: (what, body = {}) => office.ask(token, `/member/member/mine/${what}`, body),
    binds: async (plate) => (await office.ask(token, '/custom/owner/mine/bind', { plateNo: plate })).data,
    bills: async () => JSON.stringify((await office.ask(token, '/custom/owner/mine/bills', {})).data),
  }
}
const verify = (ownerId: string, plateNo: string) =>
  office.sql('update owner.car set verify_state = 1, bind_at = $3 where owner_id = $1 and plate_no = $2', [ownerId, plateNo, later(-1)])
const online = (more: { group?: object; plan?: object } = {}) => office.aGroup({ ...more, group: { online: true, ...more.group } })
async function pays(orderNo: string) {
  const [{ payNo, amountFen }] = await office.sql<any>(
    'select p.pay_no, p.amount_fen from settlement.payment p join settlement.order o on o.id = p.order_id where o.order_no = $1 order by p.created_at desc limit 1',
    [orderNo],
  )
  expect((await channel.paid({ payNo, amountFen })).status).toBe(200)
}
async function quoteAndBuy(driver: Driver, { group, plan }: { group: any; plan: any }, more: object = {}) {
  const wanted = { groupId: group.id, carFeesId: plan.id, plates: [driver.plateNo], periods: 1, ...more }
  const { data: quote } = await driver.mine('quote', wanted)
  return driver.mine('buy', { ...wanted, startAt: quote?.startAt ?? later(0), payableFen: quote?.payableFen ?? 30_000, payMethod: 1 })
}

test('a driver buys what is sold online, pays it through the channel, and the pass is valid at the next car', async () => {
  const driver = await aDriver()
  const made = await online()
  await office.aGroup()
  const { data: offers } = await driver.mine('offers')
  expect(offers.map((one: any) => one.groupId)).toContain(made.group.id)
  expect(offers.every((one: any) => one.plans.length > 0)).toBe(true)
  const { status, data } = await quoteAndBuy(driver, made)
  expect(status).toBe(200)
  expect(data).toMatchObject({ payableFen: 30_000, payUrl: expect.stringContaining('http') })
  expect((await driver.mine('passes')).data).toMatchObject([
    { status: 7, own: true, plates: [driver.plateNo], waiting: data.orderNo, waitingFen: 30_000 },
  ])
  await pays(data.orderNo)
  expect((await driver.mine('passes')).data).toMatchObject([{ status: 2, waiting: null, renewable: true, otherCars: 0 }])
  expect(
    (await office.sql('select phone from member.customer c join member.pass p on p.member_id = c.id where p.id = $1', [data.passId]))[0].phone,
  ).toBe(driver.phone)
  const car = { parkCode: made.group.homePark, plateNo: driver.plateNo, plateColor: null, at: later(0) as Instant }
  expect(await office.server.house.reading(1, (tx) => standingOf(tx, car))).toMatchObject({ pass: { passId: data.passId } })
})

test('what is sold only at the counter, for another class, at another price, or for a plate that is not verified as theirs is not sold', async () => {
  const [driver, unverified] = [await aDriver(), await aDriver({ verified: false })]
  const counter = await office.aGroup()
  expect(await quoteAndBuy(driver, counter)).toMatchObject({ status: 422, code: 41430 })
  const made = await online()
  expect((await quoteAndBuy(unverified, made)).status).toBe(404)
  expect((await quoteAndBuy(driver, made, { plates: [unverified.plateNo] })).status).toBe(404)
  const trucks = await online({ plan: { vehicleClasses: [2] } })
  expect(await quoteAndBuy(driver, trucks)).toMatchObject({ status: 422, code: 41478 })
  const wanted = { groupId: made.group.id, carFeesId: made.plan.id, plates: [driver.plateNo], periods: 1, startAt: later(0), payMethod: 1 }
  expect(await driver.mine('buy', { ...wanted, payableFen: 29_999 })).toMatchObject({ status: 409, code: 41432 })
  expect(await driver.mine('buy', { ...wanted, payableFen: 30_000, payMethod: 4 })).toMatchObject({ status: 422, code: 41471 })
  expect(await driver.mine('buy', { ...wanted, payableFen: 30_000, startAt: later(60) })).toMatchObject({ status: 422, code: 41473 })
  expect(await driver.mine('buy', { ...wanted, payableFen: 30_000, startAt: later(-2) })).toMatchObject({ status: 422, code: 41435 })
  expect(await driver.mine('buy', { ...wanted, payableFen: 30_000, plates: [] })).toMatchObject({ status: 404 })
  expect((await driver.mine('passes')).data).toEqual([])
})

test('a driver whose pass a review refused reads why for a month', async () => {
  const [driver, other] = [await aDriver(), await aDriver()]
  const { data } = await quoteAndBuy(driver, await online({ group: { review: true } }))
  const [{ version }] = await office.sql('select version from member.pass where id = $1', [data.passId])
  expect((await driver.mine('passes')).data).toMatchObject([{ status: 0, rejectedFor: null }])
  expect((await office.call('/pass/audit', { id: data.passId, version, pass: false, verdict: '请上传行驶证' })).code).toBe(200)
  expect((await driver.mine('passes')).data).toMatchObject([{ status: 6, rejectedFor: '请上传行驶证', renewable: false, waiting: null }])
  expect((await other.mine('passes')).data).toEqual([])
  await office.sql("update member.pass set updated_at = now() - interval '31 days' where id = $1", [data.passId])
  expect((await driver.mine('passes')).data).toEqual([])
})

test('an overlap is refused and names neither the other pass nor its car', async () => {
  const driver = await aDriver()
  const made = await online()
  const other = await office.aPass(made, { plates: [driver.plateNo] })
  const { data: quote } = await driver.mine('quote', { groupId: made.group.id, carFeesId: made.plan.id, plates: [driver.plateNo], periods: 1 })
  expect(quote.taken).toBe(true)
  expect(JSON.stringify(quote)).not.toContain(other.passNo)
  const refused = await quoteAndBuy(driver, made)
  expect(refused).toMatchObject({ status: 409, code: 41474 })
  expect(JSON.stringify(refused)).not.toContain(other.passNo)
})

test('the last place is sold once, and an unpaid purchase is the only one of its driver', async () => {
  const [a, b] = [await aDriver(), await aDriver()]
  const made = await online({ group: { maxMembers: 1 } })
  const both = await Promise.all([quoteAndBuy(a, made), quoteAndBuy(b, made)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const winner = both[0]!.status === 200 ? a : b
  expect(await quoteAndBuy(winner, await online())).toMatchObject({ status: 409, code: 41477 })
  expect((await winner.mine('offers')).data.find((one: any) => one.groupId === made.group.id).placesLeft).toBe(0)
})

test('a renewal is quoted, confirmed once, and ends later once it is paid; a stale quote is refused with a new one', async () => {
  const driver = await aDriver()
  const made = await online()
  const memberId = await office.aCustomer({ phone: driver.phone })
  const pass = await office.aPass(made, { memberId, plates: [driver.plateNo] })
  const { data: quote } = await driver.mine('quote', { id: pass.id, periods: 2 })
  expect(quote).toMatchObject({ payableFen: 60_000, taken: false, quoteNo: expect.any(String) })
  expect(await driver.mine('renew', { id: pass.id, periods: 1, quoteNo: quote.quoteNo, payMethod: 1 })).toMatchObject({
    status: 409,
    code: 41475,
    data: { payableFen: 30_000 },
  })
  const both = await Promise.all([1, 2].map(() => driver.mine('renew', { id: pass.id, periods: 2, quoteNo: quote.quoteNo, payMethod: 1 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const { data } = both.find(({ status }) => status === 200)!
  expect((await driver.mine('passes')).data).toMatchObject([{ id: pass.id, waiting: data.orderNo, renewable: false }])
  expect((await driver.mine('pay', { id: pass.id, payMethod: 1 })).data).toMatchObject({
    orderNo: data.orderNo,
    payUrl: expect.stringContaining('http'),
  })
  await pays(data.orderNo)
  const [after] = (await driver.mine('passes')).data
  expect(after.endAt).toBe(quote.endAt)
  expect(await driver.mine('pay', { id: pass.id, payMethod: 1 })).toMatchObject({ status: 409, code: 41472 })
})

test('of a company’s pass a driver sees their own car, and renews nothing; a stranger sees no pass at all', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const made = await online()
  const colleague = aPlate()
  const pass = await office.aPass(made, { plates: [driver.plateNo, colleague], seats: 2 })
  const { data } = await driver.mine('passes')
  expect(data).toMatchObject([{ id: pass.id, plates: [driver.plateNo], otherCars: 1, own: false, renewable: false }])
  expect(JSON.stringify(data)).not.toContain(colleague)
  expect(await driver.mine('quote', { id: pass.id, periods: 1 })).toMatchObject({ status: 422, code: 41476 })
  expect((await driver.mine('refund', { id: pass.id, version: pass.version, reason: '不用' })).status).toBe(404)
  expect((await stranger.mine('passes')).data).toEqual([])
  const orderOf = async (one: { id: string }) =>
    (await office.sql('select order_no from member.period where pass_id = $1', [one.id]))[0].orderNo as string
  expect(await driver.bills()).not.toContain(await orderOf(pass))
  const own = await office.aPass(made, { plates: [driver.plateNo], seats: 1, startAt: new Date(Date.now() + 400 * 86_400_000).toISOString() })
  expect(await driver.bills()).toContain(await orderOf(own))
  for (const [what, body] of [
    ['quote', { periods: 1 }],
    ['renew', { periods: 1, quoteNo: 'x-1', payMethod: 1 }],
    ['pay', { payMethod: 1 }],
    ['refund', { version: pass.version, reason: '试' }],
    ['changePlate', { version: pass.version, plateNo: driver.plateNo, newPlateNo: stranger.plateNo }],
  ] as const)
    expect((await stranger.mine(what, { id: pass.id, ...body })).status, what).toBe(404)
})

test('the database itself shows a driver’s session no pass of another, and counts no less for a fee', async () => {
  const [driver, stranger] = [await aDriver(), await aDriver()]
  const made = await online()
  const pass = await office.aPass(made, { plates: [driver.plateNo, aPlate()], seats: 1 })
  const seen = (by: Driver, table: string, column: string) =>
    reading(office.server.house.pool, { enterprise: 1, parks: null, guest: `driver:${by.ownerId}` }, (tx) =>
      run<{ n: number }>(tx, { sql: `select count(*)::int as n from ${table} where ${column} = $1` }, [pass.id]),
    )
  for (const [table, column, all] of [
    ['member.pass', 'id', 1],
    ['member.pass_car', 'pass_id', 2],
    ['member.period', 'pass_id', 1],
  ] as const) {
    expect(await seen(driver, table, column), table).toEqual([{ n: all }])
    expect(await seen(stranger, table, column), table).toEqual([{ n: 0 }])
  }
  const customers = await reading(office.server.house.pool, { enterprise: 1, parks: null, guest: `driver:${stranger.ownerId}` }, (tx) =>
    run<{ n: number }>(tx, { sql: 'select count(*)::int as n from member.customer' }, []),
  )
  expect(customers).toEqual([{ n: 0 }])
})

test('a plate is changed to another that is verified as the driver’s; a black-listed one is bought for at the counter', async () => {
  const driver = await aDriver()
  const memberId = await office.aCustomer({ phone: driver.phone })
  const pass = await office.aPass(await online(), { memberId, plates: [driver.plateNo] })
  const plateNo = aPlate()
  const change = () => driver.mine('changePlate', { id: pass.id, version: pass.version, plateNo: driver.plateNo, newPlateNo: plateNo })
  expect((await change()).status).toBe(404)
  await office.server.house.writing(1, 'test', (tx) => bindCar(tx, { ownerId: driver.ownerId, plateNo, at: later(0) as Instant }))
  await verify(driver.ownerId, plateNo)
  expect(await change()).toMatchObject({ status: 200, data: { plates: [plateNo] } })
  expect((await change()).status).toBe(409)
  await office.call('/whiteAndBlack/insert', {
    plateNo: driver.plateNo,
    listType: 2,
    startAt: later(0),
    endAt: later(5),
    reasonType: 1,
    parkCodes: [pass.parkCode],
  })
  expect(await quoteAndBuy(driver, await online())).toMatchObject({ status: 422, code: 41479 })
})

test('a plate that a pass of the telephone names is bound by that; a pass of another, one that is over or not paid is nothing to go by', async () => {
  const driver = await aDriver()
  const memberId = await office.aCustomer({ phone: driver.phone })
  const made = await online()
  const [own, over, unpaid, strangers] = [aPlate(), aPlate(), aPlate(), aPlate()]
  await office.aPass(made, { memberId, plates: [own], startAt: later(30) })
  const ended = await office.aPass(made, { memberId, plates: [over] })
  await office.sql("update member.pass_car set start_at = start_at - interval '90 days', end_at = end_at - interval '90 days' where pass_id = $1", [
    ended.id,
  ])
  await office.sql("update member.pass set start_at = start_at - interval '90 days', end_at = end_at - interval '90 days' where id = $1", [ended.id])
  const sale = { memberId, groupId: made.group.id, carFeesId: made.plan.id, periods: 1, plates: [{ plateNo: unpaid }], payableFen: 30_000 }
  expect((await office.call('/pass/sell', { ...sale, payMethod: 1 })).code).toBe(200)
  await office.aPass(made, { plates: [strangers] })
  const BY_PASS = 2
  for (const [plateNo, proof] of [
    [own, BY_PASS],
    [over, null],
    [unpaid, null],
    [strangers, null],
  ] as const)
    expect(await driver.binds(plateNo)).toMatchObject({ plateNo, verifyState: 0, proof })
  expect(await (await aDriver()).binds(own), 'the plate alone is nothing').toMatchObject({ proof: null })
})

const WAITING = `select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
const waits = (count: number) => vi.waitFor(async () => expect(await office.sql(WAITING)).toHaveLength(count), 10_000)

test('a plate that its driver and a clerk change at once: the first is done and the other told, neither waits for the other in a ring', async () => {
  const driver = await aDriver()
  const memberId = await office.aCustomer({ phone: driver.phone })
  const pass = await office.aPass(await online(), { memberId, plates: [driver.plateNo] })
  const [car] = await office.sql('select id, version from member.car where member_id = $1', [memberId])
  const [newPlateNo, byClerk] = [aPlate(), aPlate()]
  await office.server.house.writing(1, 'test', (tx) => bindCar(tx, { ownerId: driver.ownerId, plateNo: newPlateNo, at: later(0) as Instant }))
  await verify(driver.ownerId, newPlateNo)
  let both: Promise<any>[] = []
  await office.server.house.writing(1, 'test', async (tx) => {
    await run(tx, { sql: 'select from member.car where id = $1 for update' }, [car.id])
    const clerk = office.call('/custom/updateMemberCarId', { id: car.id, version: car.version, plateNo: byClerk })
    await waits(1)
    both = [clerk, driver.mine('changePlate', { id: pass.id, version: pass.version, plateNo: driver.plateNo, newPlateNo })]
    await waits(2)
  })
  expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 409, message: '数据已被他人修改，请刷新' }])
  expect((await office.pass(pass.id)).plates).toEqual([byClerk])
})

test('a car is put on two passes while the plate of another on them is changed: each is done after the other', async () => {
  const memberId = await office.aCustomer()
  const plateNo = aPlate()
  const passes = [
    await office.aPass(await office.aGroup(), { memberId, plates: [plateNo] }),
    await office.aPass(await office.aGroup(), { memberId, plates: [plateNo] }),
  ]
  const ids = passes.map(({ id }) => id as string).sort()
  const [car] = await office.sql('select id, version from member.car where member_id = $1', [memberId])
  const [added, changed] = [aPlate(), aPlate()]
  let both: Promise<any>[] = []
  await office.server.house.writing(1, 'test', async (tx) => {
    await run(tx, { sql: 'select from member.pass where id = $1 for update' }, [ids[0]])
    const change = office.call('/custom/updateMemberCarId', { id: car.id, version: car.version, plateNo: changed })
    await waits(1)
    both = [change, office.call('/custom/insertMemberCarId', { memberId, plateNo: added, passIds: ids.toReversed() })]
    await waits(2)
  })
  expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200 }])
  for (const id of ids) expect((await office.pass(id)).plates).toEqual([added, changed].sort())
})

test('a customer who is merged with another while the plate of a pass of theirs is changed has the new plate there', async () => {
  const [gonePhone, keepPhone] = [aPhone(), aPhone()]
  const [memberId, keepId] = [await office.aCustomer({ phone: gonePhone }), await office.aCustomer({ phone: keepPhone })]
  const pass = await office.aPass(await office.aGroup(), { memberId })
  const [car] = await office.sql('select id, version from member.car where member_id = $1', [memberId])
  const plateNo = aPlate()
  let both: Promise<any>[] = []
  await office.server.house.writing(1, 'test', async (tx) => {
    await run(tx, { sql: 'select from member.pass where id = $1 for update' }, [pass.id])
    const change = office.call('/custom/updateMemberCarId', { id: car.id, version: car.version, plateNo })
    await waits(1)
    const merging = { keepPhone, gonePhone, dryRun: false, at: later(0) as Instant } as Parameters<typeof mergeCustomers>[1]
    both = [change, office.server.house.writing(1, 'test', (whole) => mergeCustomers(whole, merging))]
    await waits(2)
  })
  expect(await Promise.all(both)).toMatchObject([{ status: 200 }, undefined])
  expect(await office.pass(pass.id)).toMatchObject({ memberId: keepId, plates: [plateNo] })
  expect(await office.sql('select plate_no from member.car where member_id = $1 and closed_at is null', [keepId])).toEqual([{ plateNo }])
})

test('a pass that is given back says first what goes back, rests at once, and goes on when that is refused', async () => {
  const driver = await aDriver()
  const memberId = await office.aCustomer({ phone: driver.phone })
  const pass = await office.aPass(await online(), { memberId, plates: [driver.plateNo] })
  const named = { id: pass.id, version: pass.version, reason: '搬家了' }
  const { data: tried } = await driver.mine('refund', { ...named, dryRun: true })
  expect(tried).toMatchObject({ status: 2 })
  expect(tried.refundFen).toBeGreaterThan(28_000)
  const { status, data } = await driver.mine('refund', named)
  expect(status).toBe(200)
  expect(data).toMatchObject({ refundFen: tried.refundFen, status: 3 })
  expect((await driver.mine('passes')).data).toMatchObject([{ refunding: true, renewable: false }])
  expect((await driver.mine('refund', named)).status).toBe(409)
})
