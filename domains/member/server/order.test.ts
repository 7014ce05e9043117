import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { PassStatus } from '../contract/pass.ts'
import { daysOn } from './sold/calendar.ts'
import { anOffice, aPhone, aPlate, type Office } from './testing.ts'

let office: Office
beforeAll(async () => {
  office = await anOffice()
})
afterAll(() => office.server.close())

const days = { plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 } }
/** A renewal whose order waits for its money. */
const waiting = async (id: string, periods = 1) => {
  const [row] = (await office.call('/pass/renewMany', { ids: [id], periods })).data
  const [order] = await office.sql('select id, order_no, payable_fen from settlement.order where order_no = $1', [row.orderNo])
  return order
}
const pays = ({ id, payableFen }: { id: string; payableFen: number }) =>
  office.ask(office.admin, '/business/order/cash', { id, amountFen: payableFen })
const cancels = ({ id }: { id: string }) => office.ask(office.admin, '/business/order/cancel', { id, reason: '客户不要了' })
const carOf = async (memberId: string, plateNo: string) => {
  const { id, version } = (await office.call('/custom/queryMemberCar', { memberId })).data.find((one: any) => one.plateNo === plateNo)
  return { id, version }
}
const coverOf = (id: string, plateNo: string) =>
  office.sql('select start_at, end_at, held from member.pass_car where pass_id = $1 and plate_no = $2 order by start_at', [id, plateNo])

describe('while a renewal waits for its money', () => {
  test('a changed plate and a further car are in the renewal too', async () => {
    const [first, second, further] = [aPlate(), aPlate(), aPlate()]
    const memberId = await office.aCustomer()
    const pass = await office.aPass(await office.aGroup(days), { memberId, plates: [first] })
    const order = await waiting(pass.id)
    expect((await office.call('/custom/updateMemberCarId', { ...(await carOf(memberId, first)), plateNo: second })).code).toBe(200)
    expect((await office.call('/custom/insertMemberCarId', { memberId, plateNo: further, passIds: [pass.id] })).code).toBe(200)
    expect((await pays(order)).code).toBe(200)
    const newEnd = daysOn(pass.endAt, 30)
    expect(await office.pass(pass.id)).toMatchObject({ endAt: newEnd, plates: [second, further].sort() })
    for (const plate of [second, further]) expect((await coverOf(pass.id, plate)).at(-1)).toMatchObject({ endAt: newEnd, held: false })
    expect((await coverOf(pass.id, first)).every(({ endAt }) => Date.parse(endAt) <= Date.now())).toBe(true)
  })
  test('it is neither frozen nor given back; cancelled, its place is free at once', async () => {
    const made = await office.aGroup(days)
    const plate = aPlate()
    const pass = await office.aPass(made, { plates: [plate] })
    const order = await waiting(pass.id)
    const now = async () => ({ id: pass.id, version: (await office.pass(pass.id)).version })
    expect(await office.call('/custom/stopMemberSeat', { ...(await now()), reason: '试' })).toMatchObject({ code: 41450 })
    expect(await office.call('/pass/refund', { ...(await now()), reason: '试' })).toMatchObject({ code: 41450 })
    expect(await office.call('/pass/renewMany', { ids: [pass.id], periods: 1 })).toMatchObject({
      data: [{ refused: { zh: expect.stringContaining('待支付') } }],
    })
    await expect(office.aPass(made, { plates: [plate], startAt: pass.endAt })).rejects.toThrow(/40030/)
    expect((await cancels(order)).code).toBe(200)
    expect(await coverOf(pass.id, plate)).toHaveLength(1)
    expect((await office.aPass(made, { plates: [plate], startAt: pass.endAt })).startAt).toBe(pass.endAt)
    expect((await office.call('/custom/stopMemberSeat', { ...(await now()), reason: '试' })).data).toMatchObject({ status: PassStatus.frozen })
  })
  test('a kind that is switched off with its access cancels it', async () => {
    const made = await office.aGroup(days)
    const pass = await office.aPass(made)
    const order = await waiting(pass.id)
    await office.call('/config/memberGroup/disableMemberGroup', { id: made.group.id, version: made.group.version, status: 2, suspendAccess: true })
    expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.frozen })
    expect((await pays(order)).code).not.toBe(200)
  })
  test('it keeps the bay of the pass', async () => {
    const made = await office.aGroup(days)
    const sell = async (seatCode: string, startAt?: string) =>
      office.call('/pass/sell', {
        memberId: await office.aCustomer(),
        groupId: made.group.id,
        carFeesId: made.plan.id,
        periods: 1,
        plates: [{ plateNo: aPlate() }],
        seatCode,
        ...(startAt && { startAt }),
        payableFen: 30_000,
        payMethod: 4,
      })
    const two = await Promise.all([sell('A-01'), sell('A-01')])
    expect(two.map(({ code }) => code).sort()).toEqual([200, 41437])
    const pass = await office.pass(two.find(({ code }) => code === 200).data.passId)
    const order = await waiting(pass.id)
    expect(await sell('A-01', pass.endAt)).toMatchObject({ code: 41437 })
    expect((await pays(order)).code).toBe(200)
    expect(await sell('A-01', daysOn(pass.endAt, 30))).toMatchObject({ code: 200 })
  })
})

test('a pass that rests keeps its cars: neither plate nor car is changed behind it', async () => {
  const [plate, memberId] = [aPlate(), await office.aCustomer()]
  const pass = await office.aPass(await office.aGroup(days), { memberId, plates: [plate, aPlate()] })
  await office.call('/custom/stopMemberSeat', { id: pass.id, version: pass.version, reason: '试' })
  const wrong = await office.call('/custom/updateMemberCarId', { ...(await carOf(memberId, plate)), plateNo: 'ABC' })
  expect(wrong).toMatchObject({ status: 422, code: 40893, message: '「ABC」不是有效车牌，请核对' })
  expect(await office.call('/custom/updateMemberCarId', { ...(await carOf(memberId, plate)), plateNo: aPlate() })).toMatchObject({ code: 41458 })
  expect(await office.call('/custom/deleteMemberCarId', await carOf(memberId, plate))).toMatchObject({ code: 41458 })
  await office.call('/custom/startMemberSeat', { id: pass.id, version: (await office.pass(pass.id)).version })
  expect((await office.call('/custom/deleteMemberCarId', await carOf(memberId, plate))).code).toBe(200)
})
test('payments of a plate: list and tiles have the same rows, with whatever else is asked', async () => {
  const [made, plate, memberId] = [await office.aGroup(days), aPlate(), await office.aCustomer()]
  await office.aPass(made, { memberId, plates: [plate] })
  const other = await office.aPass(made, { plates: [aPlate()] })
  const listed = async (more: object) => (await office.call('/amount/queryPage', { plateNo: plate, ...more })).data
  const summed = async (more: object) => (await office.call('/amount/queryStatistics', { plateNo: plate, ...more })).data
  const short = `${plate.slice(0, 2)}·${plate.slice(2)}`.toLowerCase()
  for (const more of [{}, { plateNo: short }, { plateNo: plate.slice(2) }, { memberId }, { payMethod: [4] }, { status: [2] }]) {
    expect(await listed(more)).toMatchObject({ total: 1, records: [{ memberId, plates: [plate], paidFen: 30_000 }] })
    expect(await summed(more)).toMatchObject({ orders: 1, paidFen: 30_000, netFen: 30_000 })
  }
  for (const more of [{ memberId: other.memberId }, { payMethod: [1] }, { status: [1] }, { customer: '无此人' }, { orderNo: 'YK0' }]) {
    expect(await listed(more)).toMatchObject({ total: 0, records: [] })
    expect(await summed(more)).toMatchObject({ orders: 0, paidFen: 0, netFen: 0 })
  }
  expect((await office.call('/amount/queryPage', { plateNo: plate, queryMode: 'sum' })).data.sums).toMatchObject({ paidFen: 30_000 })
})

test('what went back of an order counts once: in the sum of the list, in its tiles and in its file', async () => {
  const [made, plate, memberId] = [await office.aGroup(days), aPlate(), await office.aCustomer()]
  const pass = await office.aPass(made, { memberId, plates: [plate] })
  const [{ orderId, orderNo }] = await office.sql('select order_id, order_no from member.period where pass_id = $1', [pass.id])
  const back = (path: string, body: object, token = office.admin) => office.ask(token, `/business/orderRefund/${path}`, body)
  const { id, version } = (await back('apply', { orderId, amountFen: 7_000, reason: '施工补偿' })).data
  const approved = (await back('approve', { id, version, verdict: '同意' }, office.checker)).data
  expect((await back('payOut', { id, version: approved.version })).code).toBe(200)
  const asked = async (what: string, more: object = {}) => (await office.call(`/amount/${what}`, { plateNo: plate, ...more })).data
  expect((await asked('queryPage', { queryMode: 'sum' })).sums).toMatchObject({ paidFen: 30_000, refundFen: 7_000 })
  expect(await asked('queryStatistics')).toMatchObject({ orders: 2, paidFen: 30_000, refundFen: 7_000, netFen: 23_000 })
  expect((await asked('queryPage', { kind: [1], queryMode: 'sum' })).sums).toMatchObject({ paidFen: 30_000, refundFen: 0 })
  const { records } = await asked('queryPage', { isAsc: true })
  expect(records.map(({ refundFen, returnedFen }: any) => [refundFen, returnedFen])).toEqual([
    [0, 7_000],
    [7_000, 0],
  ])
  expect((await office.call('/amount/queryDetail', { orderNo })).data).toMatchObject({ returnedFen: 7_000 })
  const file = async (what: string) => {
    const sheet = await fetch(`${office.server.url}/lbs/member/member/excel/${what}?format=csv&plateNo=${encodeURIComponent(plate)}`, {
      headers: { authorization: `Bearer ${office.admin}` },
    })
    const [head, ...rows] = (await sheet.text())
      .replace(/^\ufeff/, '')
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(',')) as [string[], ...string[][]]
    const at = head.findIndex((name) => name.includes('退款'))
    return rows.reduce((sum, row) => sum + Number(row[at]), 0)
  }
  expect([await file('exportAmount2'), await file('exportRechargeDetail2')]).toEqual([70, 70])
})

/** How a page is read where nothing may be sorted or joined whole. */
const planOf = (of: string) =>
  office.server.house.writing(1, 'test', async (tx) => {
    await run(
      tx,
      {
        sql: `select set_config(name, 'off', true) from unnest(array['enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'enable_seqscan', 'enable_bitmapscan']) name`,
      },
      [],
    )
    return (await run<{ queryPlan: string }>(tx, { sql: `explain ${of}, id desc limit 20` }, [])).map((row) => Object.values(row)[0] as string)
  })
test('payments come in the order of their index: what belongs to each is joined to those of a page, and not to all that are to be sorted', async () => {
  const lines = await planOf('select * from member.payment where enterprise_id = scope_enterprise() order by at desc')
  expect(lines.join('\n')).toMatch(/Merge Append[^]*Index Scan using period_at/)
  expect(lines.filter((line) => /Sort {2}\(/.test(line)).length, 'what was given back alone is sorted').toBeLessThanOrEqual(1)
})
test('the newest of all lists of cars come in the order of an index, whichever list they are on', async () => {
  const plan = (await planOf('select * from member.listed where enterprise_id = scope_enterprise() order by created_at desc')).join('\n')
  expect(plan).toContain('list_newest')
  expect(plan).not.toContain('Sort')
})

test('customers are found by the list that a car of theirs is on, in pages that go on where the one before ended', async () => {
  const name = '名单客户'
  const held = []
  for (let n = 0; n < 3; n++) {
    const [plate, memberId] = [aPlate(), await office.aCustomer({ name: `${name}${n}` })]
    await office.aPass(await office.aGroup(days), { memberId, plates: [plate] })
    held.push({ plate, memberId })
  }
  const [first, second] = held as [(typeof held)[0], (typeof held)[0]]
  for (const [plateNo, listType] of [
    [first.plate, 1],
    [second.plate, 2],
  ])
    expect(
      (
        await office.call('/whiteAndBlack/insert', {
          plateNo,
          listType,
          reasonType: 1,
          startAt: '2020-01-01 00:00:00',
          ...(listType === 1 && { whiteKind: 1, holder: name }),
        })
      ).code,
    ).toBe(200)
  const page = async (more: object) => (await office.call('/custom/queryPage', { name, ...more })).data
  const ids = async (more: object) => (await page(more)).records.map(({ id }: any) => id)
  expect([await ids({ listType: 1 }), await ids({ listType: 2 }), await ids({ listType: 3 })]).toEqual([[first.memberId], [second.memberId], []])
  expect([await ids({ plateNo: second.plate.slice(1) }), await ids({ plateNo: '没有' })]).toEqual([[second.memberId], []])
  const newestFirst = held.map(({ memberId }) => memberId).toReversed()
  expect(await ids({})).toEqual(newestFirst)
  expect((await Promise.all([1, 2, 3, 4].map((current) => ids({ current, limit: 1 })))).flat()).toEqual(newestFirst)
  expect(await page({ current: 2, limit: 2, isAsc: true })).toMatchObject({
    total: 3,
    records: [{ id: newestFirst[0], plates: [held[2]!.plate], passes: 1 }],
  })
})

describe('bays', () => {
  const asked = ({ group, plan }: any, cars: number, seats?: number) => ({
    groupId: group.id,
    carFeesId: plan.id,
    periods: 1,
    plates: Array.from({ length: cars }, () => ({ plateNo: aPlate() })),
    ...(seats !== undefined && { seats }),
  })
  const sell = async (of: object, payableFen: number) =>
    office.call('/pass/sell', { memberId: await office.aCustomer(), ...of, payableFen, payMethod: 4 })
  test('are paid each: what is quoted, sold, renewed and approved is so many times the price of one', async () => {
    const made = await office.aGroup({ ...days, group: { maxCars: 3 } })
    const two = asked(made, 3, 2)
    expect((await office.call('/pass/quote', { act: 1, ...two })).data).toMatchObject({ payableFen: 60_000 })
    expect(await sell(two, 30_000)).toMatchObject({ code: 41432 })
    const { passId } = (await sell(two, 60_000)).data
    expect(await office.pass(passId)).toMatchObject({ seats: 2, paidFen: 60_000, priceFen: 30_000 })
    expect(await waiting(passId)).toMatchObject({ payableFen: 60_000 })
    expect((await sell(asked(made, 3), 30_000)).code, 'one bay where nobody says how many').toBe(200)
    const reviewed = await office.aGroup({ ...days, group: { maxCars: 2, review: true } })
    const applied = (await sell(asked(reviewed, 2, 2), 60_000)).data
    const { version } = await office.pass(applied.passId)
    expect((await office.call('/pass/audit', { id: applied.passId, version, pass: true })).data).toMatchObject({ payableFen: 60_000 })
  })
  test('are never more than the cars, asked or sold', async () => {
    const made = await office.aGroup({ ...days, group: { maxCars: 3 } })
    const much = asked(made, 1, 50)
    expect(await office.call('/pass/quote', { act: 1, ...much })).toMatchObject({
      status: 422,
      code: 41495,
      message: expect.stringContaining('1 辆车'),
    })
    expect(await sell(much, 1_500_000)).toMatchObject({ status: 422, code: 41495 })
    const twice = asked(made, 1, 2)
    twice.plates.push(twice.plates[0]!)
    expect(await sell(twice, 60_000), 'one car that is written twice').toMatchObject({ code: 41495 })
    expect(await sell(asked(made, 4, 4), 120_000)).toMatchObject({ code: 41434 })
    expect((await sell(asked(made, 3, 3), 90_000)).code).toBe(200)
  })
  test('are the places that a kind and a plan have', async () => {
    for (const more of [{ group: { maxCars: 3, maxMembers: 4 } }, { group: { maxCars: 3 }, plan: { ...days.plan, quota: 4 } }]) {
      const made = await office.aGroup({ ...days, ...more })
      expect((await sell(asked(made, 3, 3), 90_000)).code).toBe(200)
      expect(await sell(asked(made, 2, 2), 60_000)).toMatchObject({ status: 409, code: 41494, message: expect.stringContaining('只剩 1 个') })
      expect((await sell(asked(made, 2, 1), 30_000)).code).toBe(200)
      expect(await sell(asked(made, 1), 30_000)).toMatchObject({ code: 41431 })
    }
  })
})

test('the last pass of a plan is sold once, and an expired one has left its place', async () => {
  const made = await office.aGroup({ plan: { ...days.plan, quota: 1 } })
  const sell = () => office.aPass(made).catch((error: Error) => error.message)
  const sold = await Promise.all([sell(), sell(), sell()])
  expect(sold.filter((one) => typeof one === 'string' && one.includes('41431'))).toHaveLength(2)
  const first = sold.find((one) => typeof one !== 'string')
  await office.sql("update member.pass set start_at = start_at - interval '90 days', end_at = end_at - interval '90 days' where id = $1", [first.id])
  expect((await office.aPass(made)).status).toBe(PassStatus.valid)
  const { version } = await office.pass(first.id)
  expect(await office.call('/custom/deferConfirmMemberSeat', { id: first.id, version, kind: 1, periods: 1, confirm: 0 })).toMatchObject({
    code: 41431,
  })
})
test('state.member-seat: money that comes after its order was let go buys nothing', async () => {
  const made = await office.aGroup({ group: { review: true } })
  const pass = await office.aPass(made)
  const granted = await office.call('/pass/audit', { id: pass.id, version: pass.version, pass: true })
  const [order] = await office.sql('select id, payable_fen from settlement.order where order_no = $1', [granted.data.orderNo])
  expect((await office.call('/custom/deleteMemberSeat', { id: pass.id, version: (await office.pass(pass.id)).version })).code).toBe(200)
  expect((await pays(order)).code).not.toBe(200)
  expect(await office.pass(pass.id)).toMatchObject({ status: PassStatus.deleted, paidFen: 0 })
})
test('a colour that another pass has for the same plate is refused', async () => {
  const made = await office.aGroup(days)
  const [plateNo, memberId] = [aPlate(), await office.aCustomer()]
  const sell = (plateColor: number) =>
    office.call('/pass/sell', {
      memberId,
      groupId: made.group.id,
      carFeesId: made.plan.id,
      periods: 1,
      plates: [{ plateNo, plateColor }],
      payableFen: 30_000,
      payMethod: 4,
    })
  expect((await sell(1)).code).toBe(200)
  const other = await office.aCustomer()
  const bought = { groupId: made.group.id, carFeesId: made.plan.id, periods: 1, payableFen: 30_000, payMethod: 4 }
  const green = await office.call('/pass/sell', { memberId: other, ...bought, plates: [{ plateNo, plateColor: 2 }] })
  expect(green.code).toBe(200)
  expect(await office.call('/custom/updateMemberCarId', { ...(await carOf(other, plateNo)), plateColor: 1 })).toMatchObject({ code: 40030 })
  expect((await office.call('/custom/updateMemberCarId', { ...(await carOf(other, plateNo)), plateColor: 4 })).code).toBe(200)
})
test('a pass of two parks is changed by nobody who sees only one of them; what is paid or cancelled there holds in both', async () => {
  const [here, there] = [(await office.field()).parkCode, (await office.field()).parkCode]
  const made = await office.aGroup({ ...days, parks: [here, there], group: { review: true } })
  await office.sql("update identity.role set parks = array[$1] where name = '车场运营员'", [here])
  const [{ grants }] = await office.sql("select grants from identity.role where name = '车场运营员'")
  await office.sql("update identity.role set grants = 2 where name = '车场运营员'")
  const clerk = await office.server.signIn('operator')
  const plateNo = aPlate()
  const memberId = await office.aCustomer()
  const pass = await office.aPass(made, { memberId, plates: [plateNo] })
  const now = async () => ({ id: pass.id, version: (await office.pass(pass.id)).version })
  const cover = async () =>
    (await office.sql('select park_code, held from member.pass_car where pass_id = $1 and end_at > now() order by park_code', [pass.id])).map(
      ({ parkCode, held }: any) => [parkCode, held],
    )
  const refused = { status: 403, code: 41489 }
  expect(await office.call('/pass/audit', { ...(await now()), pass: true }, clerk)).toMatchObject(refused)
  expect(await office.call('/pass/audit', { ...(await now()), pass: false, verdict: '资料不全' }, clerk)).toMatchObject(refused)
  const { data } = await office.call('/pass/audit', { ...(await now()), pass: true })
  const [order] = await office.sql('select id, payable_fen from settlement.order where order_no = $1', [data.orderNo])
  const paid = await office.ask(clerk, '/business/order/cash', { id: order.id, amountFen: order.payableFen })
  expect(paid.code).toBe(200)
  expect(await cover()).toEqual(
    [
      [here, false],
      [there, false],
    ].sort(),
  )
  expect(await office.call('/custom/stopMemberSeat', { ...(await now()), reason: '试' }, clerk)).toMatchObject(refused)
  expect(await office.call('/pass/refund', { ...(await now()), reason: '试' }, clerk)).toMatchObject(refused)
  const car = await carOf(memberId, plateNo)
  expect(await office.call('/custom/updateMemberCarId', { ...car, plateNo: aPlate() }, clerk)).toMatchObject(refused)
  expect(await office.call('/custom/insertMemberCarId', { memberId, plateNo: aPlate(), passIds: [pass.id] }, clerk)).toMatchObject(refused)
  expect(await office.call('/pass/renewMany', { ids: [pass.id], periods: 1 }, clerk)).toMatchObject({
    data: [{ orderNo: null, refused: { zh: expect.stringContaining('其他车场') } }],
  })
  const defer = { ...(await now()), kind: 2, days: 3, reason: '试', confirm: 0 }
  expect(await office.call('/custom/deferConfirmMemberSeat', defer, clerk)).toMatchObject(refused)
  const sale = { groupId: made.group.id, carFeesId: made.plan.id, periods: 1, payableFen: 30_000, payMethod: 4 }
  expect(await office.call('/pass/sell', { ...sale, memberId, plates: [{ plateNo: aPlate() }] }, clerk)).toMatchObject(refused)
  const renewal = await waiting(pass.id)
  expect((await cover()).length).toBe(4)
  expect((await office.ask(clerk, '/business/order/cancel', { id: renewal.id, reason: '不要了' })).code).toBe(200)
  expect(await cover()).toEqual(
    [
      [here, false],
      [there, false],
    ].sort(),
  )
  await office.sql("update identity.role set grants = $1 where name = '车场运营员'", [grants])
})
test('a clerk of some parks has the customers of those before them, is told so, and finds any other by the whole number', async () => {
  const park = (await office.field()).parkCode
  const [here, there] = [await office.aGroup({ parks: [park] }), await office.aGroup()]
  const [phone, other] = [aPhone(), aPhone()]
  const [ours, theirs] = [await office.aCustomer({ phone }), await office.aCustomer({ phone: other })]
  await office.aPass(here, { memberId: ours })
  await office.aPass(there, { memberId: theirs })
  const [{ grants }] = await office.sql("select grants from identity.role where name = '车场运营员'")
  await office.sql("update identity.role set parks = array[$1], grants = 2 where name = '车场运营员'", [park])
  const clerk = await office.server.signIn('operator')
  const listed = async (asked: object, token?: string) =>
    ((await office.call('/custom/queryPage', asked, token)).data.records as { id: string }[]).map(({ id }) => id)
  const counted = async (token?: string) => (await office.call('/custom/queryStatistics', {}, token)).data
  const before = await listed({ limit: 500 }, clerk)
  expect(before).toEqual([ours])
  expect(await counted(clerk)).toMatchObject({ customers: 1, limited: true })
  expect((await office.call('/business/todayAndTotal', {}, clerk)).data).toMatchObject({ customers: 1, limited: true })
  expect(await listed({ phone: other }, clerk)).toEqual([theirs])
  const { data: added } = await office.call('/custom/insertMember', { name: '新客户', phone: aPhone() }, clerk)
  expect(await listed({ limit: 500 }, clerk)).toEqual([added.id, ours])
  expect(await listed({ limit: 500 })).toEqual(expect.arrayContaining([ours, theirs, added.id]))
  expect((await counted()).limited).toBe(false)
  await office.sql("update identity.role set grants = $1 where name = '车场运营员'", [grants])
})

test('a car with a pass that the clerk does not see is neither changed nor taken away by them; one on two that they see is', async () => {
  const [here, there] = [(await office.field()).parkCode, (await office.field()).parkCode]
  const [byDay, byNight] = [
    await office.aGroup({ parks: [here], plan: { timeWindow: 2 } }),
    await office.aGroup({ parks: [here], plan: { timeWindow: 3 } }),
  ]
  const [{ grants }] = await office.sql("select grants from identity.role where name = '车场运营员'")
  await office.sql("update identity.role set grants = 2, parks = array[$1] where name = '车场运营员'", [here])
  const clerk = await office.server.signIn('operator')
  const [plateNo, seen, next, memberId] = [aPlate(), aPlate(), aPlate(), await office.aCustomer()]
  await office.aPass(byDay, { memberId, plates: [plateNo] })
  const far = await office.aPass(await office.aGroup({ parks: [there] }), { memberId, plates: [plateNo] })
  const change = async (from: string, to: string) =>
    office.call('/custom/updateMemberCarId', { ...(await carOf(memberId, from)), plateNo: to }, clerk)
  expect(await change(plateNo, next)).toMatchObject({
    ...{ status: 403, code: 41491 },
    message: `${plateNo} 在其他车场也有月卡，请由可管理其全部车场的人员办理`,
  })
  const car = await carOf(memberId, plateNo)
  expect(await office.call('/custom/deleteMemberCarId', car, clerk)).toMatchObject({ status: 403, code: 41491 })
  expect((await office.pass(far.id)).plates).toEqual([plateNo])
  const both = [await office.aPass(byDay, { memberId, plates: [seen] }), await office.aPass(byNight, { memberId, plates: [seen] })]
  expect((await change(seen, next)).code).toBe(200)
  for (const { id } of both) expect((await office.pass(id)).plates).toEqual([next])
  await office.sql("update identity.role set grants = $1 where name = '车场运营员'", [grants])
})
test('a clerk of one park sees no cars of another, and a plate that is there already is not taken twice', async () => {
  const [here, there] = [await office.aGroup(), await office.aGroup()]
  await office.sql("update identity.role set parks = array[$1] where name = '车场运营员'", [here.group.homePark])
  const clerk = await office.server.signIn('operator')
  const [ours, theirs, unsold, memberId] = [aPlate(), aPlate(), aPlate(), await office.aCustomer()]
  await office.aPass(here, { memberId, plates: [ours] })
  await office.aPass(there, { memberId, plates: [theirs] })
  await office.call('/custom/insertMemberCarId', { memberId, plateNo: unsold, passIds: [] })
  const seenBy = async (token?: string) =>
    (await office.call('/custom/queryMemberCar', { memberId }, token)).data.map(({ plateNo }: any) => plateNo).sort()
  expect(await seenBy()).toEqual([ours, theirs, unsold].sort())
  expect(await seenBy(clerk)).toEqual([ours])
  const typed = aPlate()
  expect((await office.call('/custom/insertMemberCarId', { memberId, plateNo: typed, passIds: [] }, clerk)).code).toBe(200)
  expect(await seenBy(clerk)).toEqual([ours, typed].sort())
  expect(await office.call('/custom/insertMemberCarId', { memberId, plateNo: unsold, passIds: [] }, clerk)).toMatchObject({ code: 41459 })
})
