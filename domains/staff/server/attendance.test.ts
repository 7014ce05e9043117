import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPark } from '../../parking/server/testing.ts'
import { until } from '../../settlement/server/testing.ts'
import { payCash } from '../../settlement/server/api.ts'
import { figure } from './figuring.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
beforeAll(async () => void (crew = await aCrew()))
afterAll(() => crew.close())

/** A cell in the past, which no call would plan any more: planned ahead and moved back. */
async function worked(days: number, from: string, to: string, more: object = {}) {
  const [who, shift] = [await crew.aCollector(), await crew.aShift(from, to, more)]
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(3), shiftId: shift.id }])
  const back = `update staff.cell set work_date = work_date + $2::int, hours = staff.hours_of((select segments from staff.work_shift where id = shift_id), work_date + $2::int),
    start_at = start_at + make_interval(days => $2), end_at = end_at + make_interval(days => $2) where collector_id = $1 returning *`
  const [cell] = await crew.sql(back, [who.id, days - 3])
  return { who, cell }
}
const cards = (collectorId: string, kind: 1 | 2, at: string, inFence = true, source = 1) =>
  crew.sql(`insert into staff.card (collector_id, park_code, kind, source, at, received_at, in_fence, mid) values ($1, $2, $3, $4, $5, $5, $6, $7)`, [
    collectorId,
    crew.parkCode,
    kind,
    source,
    at,
    inFence,
    randomUUID(),
  ])
const of = async (tollNo: string) => (await crew.cellsOf(tollNo))[0]
const works = (days: number) =>
  crew.get('/api/staff/parkSchedule/workCardStatisticsTask', { workDateFrom: crew.day(days), workDateTo: crew.day(days) })

test('a night from 22:00 to 06:00, carded at 21:55 and 06:05, is right on the day it began; worked out twice no row changes', async () => {
  const { who, cell } = await worked(-5, '22:00', '06:00')
  await cards(who.id, 1, crew.clock(-5, '21:55'))
  await cards(who.id, 2, crew.clock(-4, '06:05'))
  const { data } = await works(-5)
  expect(data).toMatchObject({ done: 1, total: 1, locked: 0 })
  expect(await of(who.tollNo)).toMatchObject({
    workDate: crew.day(-5),
    attendance: 1,
    lateMin: 0,
    earlyMin: 0,
    workMin: 480,
    checkInAt: crew.clock(-5, '21:55'),
  })
  const mark = async () => (await crew.sql('select xmin::text as mark from staff.attendance where cell_id = $1', [cell.id]))[0].mark
  const before = await mark()
  expect((await works(-5)).data.taskId).toBe(data.taskId)
  expect(await mark()).toBe(before)
})

test('late, early, both, absent, out of place, by a granted card: each by its cards', async () => {
  const outcome = async (...given: [kind: 1 | 2, time: string, inFence?: boolean, source?: number][]) => {
    const { who } = await worked(-6, '08:00', '16:00')
    for (const [kind, time, inFence, source] of given) await cards(who.id, kind, crew.clock(-6, time), inFence, source)
    await works(-6)
    const { attendance, lateMin, earlyMin } = await of(who.tollNo)
    return [attendance, lateMin, earlyMin]
  }
  expect(await outcome([1, '08:05'], [2, '15:55'])).toEqual([1, 0, 0])
  expect(await outcome([1, '08:06'], [2, '16:00'])).toEqual([2, 6, 0])
  expect(await outcome([1, '07:50'], [2, '15:30'])).toEqual([3, 0, 30])
  expect(await outcome([1, '09:00'], [2, '15:00'])).toEqual([4, 60, 60])
  expect(await outcome()).toEqual([5, 0, 0])
  expect(await outcome([1, '07:00'], [2, '16:00'])).toEqual([5, 0, 0])
  expect(await outcome([1, '07:59', false], [2, '16:10'])).toEqual([7, 0, 0])
  expect(await outcome([1, '07:59', true, 3], [2, '16:10'])).toEqual([8, 0, 0])
  expect(await outcome([1, '08:00'])).toEqual([3, 0, 480])
})

test('nobody’s shift that has begun and has no card yet is part of the rate: they may still be late', async () => {
  const group = await crew.aGroup()
  const [there, gone] = [await worked(-41, '08:00', '16:00'), await worked(-41, '08:00', '16:00')]
  await cards(there.who.id, 1, crew.clock(-41, '08:00'))
  await cards(there.who.id, 2, crew.clock(-41, '16:00'))
  await works(-41)
  const undecided = await worked(-41, '08:00', '16:00')
  await crew.sql('update staff.collector set group_id = $1 where id = any ($2)', [group.id, [there.who.id, gone.who.id, undecided.who.id]])
  const { data } = await crew.get('/api/work/statistics', { workDateFrom: crew.day(-41), workDateTo: crew.day(-41), groupId: group.id })
  expect(data).toMatchObject({ due: 3, present: 1, absent: 1, attendanceRate: 500 })
})
test('leave is no absence and no part of the rate; a closed month stays as it is', async () => {
  const group = await crew.aGroup()
  const [there, away] = [await worked(-40, '08:00', '16:00'), await worked(-40, '08:00', '16:00')]
  await crew.sql('update staff.collector set group_id = $1 where id = any ($2)', [group.id, [there.who.id, away.who.id]])
  await crew.sql('update staff.cell set state = 2 where id = $1', [away.cell.id])
  await cards(there.who.id, 1, crew.clock(-40, '08:00'))
  await cards(there.who.id, 2, crew.clock(-40, '16:00'))
  await works(-40)
  const range = { workDateFrom: crew.day(-40), workDateTo: crew.day(-40), groupId: group.id }
  const { data } = await crew.get('/api/work/statistics', range)
  expect(data).toMatchObject({ due: 2, present: 1, absent: 0, leave: 1, attendanceRate: 1000 })
  const month = crew.day(-40).slice(0, 7)
  expect((await crew.post('/api/work/closeMonth', { month: crew.day(0).slice(0, 7) })).code).toBe(41925)
  expect((await crew.post('/api/work/closeMonth', { month })).status).toBe(200)
  expect((await crew.post('/api/work/closeMonth', { month })).code).toBe(41926)
  await crew.sql('update staff.cell set state = 1 where id = $1', [away.cell.id])
  expect((await works(-40)).data.locked).toBe(2)
  expect((await of(away.who.tollNo)).attendance).toBe(6)
  const sheet = (await crew.post('/api/work/month', { month, groupId: group.id })).data
  expect(sheet.records[0]).toMatchObject({
    tollNo: there.who.tollNo,
    due: 1,
    present: 1,
    [`d${Number(crew.day(-40).slice(8))}`]: expect.stringContaining('正常'),
  })
})

test('a month is closed when the last card of its last shift is over and no request about it is open', async () => {
  const { who, cell } = await worked(-75, '22:00', '06:00')
  const month = crew.day(-75).slice(0, 7)
  const close = () => crew.post('/api/work/closeMonth', { month })
  await crew.sql(`update staff.cell set end_at = now() - interval '1 minute' where id = $1`, [cell.id])
  expect(await close()).toMatchObject({ code: 41976, message: expect.stringContaining(`${month} 还有 1 个班次可以打卡`) })
  await crew.sql('update staff.cell set end_at = $2 where id = $1', [cell.id, cell.endAt])
  const [{ requestNo }] = await crew.sql(
    `insert into staff.request (park_code, type, leave_kind, applicant_id, cell_id, reason, state, asked_by_id) values ($1, 1, 1, $2, $3, '病', 1, $2) returning request_no`,
    [crew.parkCode, who.id, cell.id],
  )
  expect(await close()).toMatchObject({ code: 41977, message: `${month} 还有待办结的排班申请 ${requestNo}，请先办结` })
  expect((await works(-75)).data.locked).toBe(0)
  await crew.sql('update staff.request set state = 4 where request_no = $1', [requestNo])
  expect((await close()).status).toBe(200)
})

test('calls.path-parameter: whoever cards is a collector with an account; the same message is one card, and what waited is told', async () => {
  const save = (input: object, token = crew.admin) => crew.post('/api/staff/card/save', input, token)
  await crew.sql('update parking.park set lng = 114.05, lat = 32.1 where park_code = $1', [crew.parkCode])
  expect((await save({ mid: 'a', kind: 1, placeCode: crew.parkCode })).code).toBe(41922)
  const [{ id: personId }] = await crew.sql(`select id from identity.person where username = 'admin'`)
  const who = await crew.aCollector({ personId })
  expect((await save({ mid: 'a', kind: 1 })).code).toBe(41924)
  expect((await save({ mid: 'a', kind: 1, placeCode: crew.parkCode, deviceTime: crew.clock(-3, '08:00') })).code).toBe(41923)
  const told = await crew.post('/api/staff/toll/tollMessage', { tollNos: [who.tollNo, 'NOBODY'], title: '换岗', content: '请到东门' })
  expect(told.data).toMatchObject({ sent: 0, waiting: 1, skipped: ['NOBODY'] })
  const near = await save({ mid: 'a', kind: 1, lng: 114.051, lat: 32.1 })
  expect(near.data).toMatchObject({ inFence: true, distM: expect.any(Number) })
  expect((await save({ mid: 'b', kind: 2, lng: 114.06, lat: 32.1 })).data.inFence).toBe(false)
  await save({ mid: 'a', kind: 1, lng: 114.051, lat: 32.1 })
  expect(await crew.sql('select count(*)::int as n from staff.card where collector_id = $1', [who.id])).toEqual([{ n: 2 }])
  expect(await crew.sql('select state from staff.notice where collector_id = $1', [who.id])).toEqual([{ state: 1 }])
  expect((await crew.post('/api/staff/toll/tollMessage', { tollNos: ['NOBODY'], title: '换岗', content: '请' })).code).toBe(41910)
  const places = await crew.get(`/api/staff/parkSchedule/pageQueryLocation/${who.tollNo}`)
  expect(places.data.records.map(({ kind }: any) => kind)).toEqual([2, 1])
  const looked = () => crew.sql(`select count(*)::int as n from system.operation_log where call = 'staff.schedule.page-query-location'`)
  await until(looked, ([{ n }]) => n > 0)
})

test('two at once over the same days: the figures are worked out once', async () => {
  const { who } = await worked(-7, '08:00', '16:00')
  const answers = await Promise.all([works(-7), works(-7), works(-7)])
  expect(new Set(answers.map(({ data }) => data.taskId)).size).toBe(1)
  expect((await of(who.tollNo)).attendance).toBe(5)
})

test('the sums of people, of cash shifts and of the ledger are one', async () => {
  const order = await crew.anOrder({ parkCode: crew.parkCode, receivableFen: 1500 })
  const again = await crew.anOrder({ parkCode: crew.parkCode, receivableFen: 700 })
  const [{ id: userId }] = await crew.sql(`select id from identity.person where username = 'operator'`)
  await crew.aCollector({ personId: userId })
  for (const [one, amountFen] of [
    [order, 1500],
    [again, 700],
  ] as const)
    await crew.write((tx) =>
      payCash(tx, { orderId: one.id, amountFen, actor: { userId, userName: 'operator' }, at: new Date().toISOString() as never }),
    )
  const range = { workDateFrom: crew.day(-3), workDateTo: crew.day(3) }
  const two = (await crew.get('/api/staff/toll/tollFeeStatistic2', range)).data
  const three = (await crew.get('/api/staff/toll/tollFeeStatistic3', range)).data
  const sum = (rows: any[], name: string) => rows.reduce((all, row) => all + row[name], 0)
  const [{ fen }] = await crew.sql(
    `select coalesce(sum(debit_fen - credit_fen), 0)::bigint as fen from ledger.balance where account = 'asset.cash' and sub in (select id::text from settlement.shift)`,
  )
  expect([sum(two.records, 'netFen'), two.sums.netFen, sum(three.records, 'netFen'), Number(fen)]).toEqual([2200, 2200, 2200, 2200])
  expect(three.records[0]).toMatchObject({ orders: 2, cashFen: 2200, scanFen: 0, expectedFen: 2200, state: 0 })
  // The wall of the street shows the running ones of its collectors: as many as it says are at work, with what each has taken and owes. A till of a park is none.
  const onStreet = { state: 0, tollType: 1 }
  const wallOf = async (where = {}) => (await crew.get('/seat/screen/resources', where)).data.tollersOnDuty
  expect([await wallOf(), (await crew.get('/api/staff/toll/tollFeeStatistic3', onStreet)).data.total]).toEqual([0, 0])
  await crew.sql('update staff.collector set toll_type = 1 where person_id = $1', [userId])
  expect([await wallOf(), await wallOf({ parkCode: crew.parkCode }), await wallOf({ parkCode: 'T999' })]).toEqual([1, 1, 0])
  const running = (await crew.get('/api/staff/toll/tollFeeStatistic3', onStreet)).data
  const [wall, shifts] = [(await crew.get('/seat/screen/resources', {})).data, (await crew.post('/shift/query', { state: [0] })).data]
  expect(running.total).toBe(wall.tollersOnDuty)
  const dueOf = ({ id, cashInFen, expectedFen }: any) => ({ id, cashInFen, expectedFen })
  expect(running.records.map(dueOf)).toEqual(shifts.records.map(dueOf))
  expect(running.records.map(dueOf)).toEqual([{ id: three.records[0].id, cashInFen: 2200, expectedFen: 2200 }])
})

/** Somebody who sees some parks only, signed in. */
async function reader(name: string, ...parks: string[]) {
  const of = (path: string, body: object) => crew.server.ask(crew.admin, 'POST', `/lbs/custom${path}`, body)
  const role = await of('/roleNew/roleAddNew', { name: `${name} ${parks}`, dataScope: 6, grants: 2, parks })
  const username = `${name}.${parks.join('.').toLowerCase()}`
  const made = await of('/person/add', { username, name: username, roleIds: [role.data.id] })
  await crew.sql('update identity.person set must_change = false where id = $1', [made.data.id])
  return crew.server.signIn(username, made.data.password)
}

test('whoever looks after one park sees the tills in which its money was taken, also of somebody who is no collector', async () => {
  await crew.write((tx) => aPark(tx, { parkCode: 'T002' }))
  const [clerk, its, others] = [await reader('clerk', crew.parkCode), await reader('boss', crew.parkCode), await reader('clerk', 'T002')]
  const order = await crew.anOrder({ parkCode: crew.parkCode, receivableFen: 300 })
  expect((await crew.post('/order/cash', { id: order.id, amountFen: 300 }, clerk)).code).toBe(200)
  const { id } = (await crew.get('/shift/mine', {}, clerk)).data
  const of = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const tills = async (token: string) =>
    (await crew.get('/api/staff/toll/tollFeeStatistic3', of, token)).data.records.filter((one: any) => one.id === id)
  expect(await tills(its)).toMatchObject([{ tollNo: null, parkCode: crew.parkCode, cashFen: 300, expectedFen: 300 }])
  expect(await tills(others)).toEqual([])
  const people = (await crew.get('/api/staff/toll/tollFeeStatistic2', of, its)).data.records
  expect(people).toContainEqual(expect.objectContaining({ tollNo: null, cashFen: 300 }))
})

test('of a till with cash of two parks whoever sees one of them sees what was taken there, and no figure of the whole', async () => {
  await crew.write((tx) => aPark(tx, { parkCode: 'T003' }))
  const [clerk, one, both] = [await reader('two', crew.parkCode, 'T003'), await reader('one', 'T003'), await reader('all', crew.parkCode, 'T003')]
  await crew.post('/shift/open', { openingFloatFen: 5000 }, clerk)
  for (const [parkCode, receivableFen] of [
    [crew.parkCode, 300],
    ['T003', 500],
  ] as const) {
    const order = await crew.anOrder({ parkCode, receivableFen })
    expect((await crew.post('/order/cash', { id: order.id, amountFen: receivableFen }, clerk)).code).toBe(200)
  }
  const mine = (await crew.get('/shift/mine', {}, clerk)).data
  const of = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const seen = async (token: string) =>
    (await crew.get('/api/staff/toll/tollFeeStatistic3', of, token)).data.records.find((row: any) => row.id === mine.id)
  expect(await seen(both)).toMatchObject({ paidFen: 800, openingFloatFen: 5000, expectedFen: 5800, openFen: 0, lateFen: 0 })
  const unknown = { openingFloatFen: null, expectedFen: null, countedFen: null, differenceFen: null, openFen: null, lateFen: null }
  expect(await seen(one)).toMatchObject({ parkCode: 'T003', paidFen: 500, cashInFen: 500, netFen: 500, ...unknown })
  const counted = [{ faceFen: 100, count: 38 }]
  const { data: closed } = await crew.post('/shift/close', { id: mine.id, version: mine.version, counted, reason: '少' }, clerk)
  expect(closed).toMatchObject({ state: 5, openFen: -2000 })
  expect(await seen(one)).toMatchObject({ state: 5, cashInFen: 500, ...unknown })
  expect((await crew.get('/shift/detail', { id: mine.id }, one)).data).toMatchObject({ cashInFen: 500, counted: null, ...unknown })
  expect((await crew.post('/shift/settle', { id: mine.id, version: closed.version, way: 1 }, one)).code).toBe(404)
  expect(await seen(both)).toMatchObject({ countedFen: 3800, differenceFen: -2000, openFen: -2000 })
})

test('a till that took no money yet stands at the post of its collector, else in the one park of whoever keeps it', async () => {
  await crew.write((tx) => aPark(tx, { parkCode: 'T004' }))
  const [clerk, boss, others] = [await reader('new', 'T004'), await reader('head', 'T004'), await reader('head', 'T002')]
  const { id } = (await crew.post('/shift/open', { openingFloatFen: 1000 }, clerk)).data
  const of = { workDateFrom: crew.day(0), workDateTo: crew.day(0) }
  const parksOf = async (token: string) =>
    [...(await crew.get('/api/staff/toll/tollFeeStatistic3', of, token)).data.records, ...(await crew.post('/shift/query', {}, token)).data.records]
      .filter((row: any) => row.id === id)
      .map(({ parkCode }: any) => parkCode)
  expect(await parksOf(boss)).toEqual(['T004', 'T004'])
  expect(await parksOf(others)).toEqual([])
  const collects = await reader('post', 'T002', 'T004')
  const [{ id: personId }] = await crew.sql(`select id from identity.person where username = 'post.t002.t004'`)
  await crew.aCollector({ personId, parkCode: 'T002' })
  const posted = (await crew.post('/shift/open', {}, collects)).data
  const [line] = (await crew.post('/shift/query', {}, others)).data.records.filter((row: any) => row.id === posted.id)
  expect(line.parkCode).toBe('T002')
})

test('the nightly work is the same function', async () => {
  const { who } = await worked(-2, '08:00', '16:00')
  await crew.write((tx) => figure(tx, { from: crew.day(-2), to: crew.day(-1) }, crew.clock(0, '03:00')))
  expect((await of(who.tollNo)).attendance).toBe(5)
})
