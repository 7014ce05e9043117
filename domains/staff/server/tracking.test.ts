import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../settlement/server/testing.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS } from '../../../platform/contract/time.ts'
import { countLogs } from './counting.ts'
import { watchStaff } from './watching.ts'
import { aCrew, type Crew } from './testing.ts'

let crew: Crew
let personId: string
const [LNG, LAT] = [114.05, 32.1]
beforeAll(async () => {
  crew = await aCrew()
  await crew.sql('update parking.park set lng = $1, lat = $2', [LNG, LAT])
  personId = (await crew.sql(`select id from identity.person where username = 'admin'`))[0].id
})
afterAll(() => crew.close())

const now = (minutes = 0) => instantAt(Date.now() + minutes * MINUTE_MS)
/** Plans somebody's shift from so long ago until so long from now; with `mine`, that of the signed-in person. */
async function planned(
  fromMin: number,
  toMin: number,
  { mine = false, ...more }: { mine?: boolean; tollType?: number; pdaNo?: string; groupId?: string } = {},
) {
  if (mine) await crew.sql('update staff.collector set person_id = null where person_id = $1', [personId])
  const [who, shift] = [await crew.aCollector({ ...more, ...(mine && { personId }) }), await crew.aShift('08:00', '16:00')]
  await crew.plans([{ tollNo: who.tollNo, workDate: crew.day(3), shiftId: shift.id }])
  const move = `update staff.cell set work_date = ($2::timestamptz at time zone 'Asia/Shanghai')::date, hours = tstzmultirange(tstzrange($2, $3)), start_at = $2, end_at = $3 where collector_id = $1 returning *`
  const [cell] = await crew.sql(move, [who.id, now(fromMin), now(toMin)])
  return { who, cell }
}
const card = (kind: number, minutes = 0, more: object = {}) =>
  crew.post('/api/staff/card/save', { mid: `${kind}${minutes}${Math.random()}`, kind, deviceTime: now(minutes), lng: LNG, lat: LAT, ...more })
const report = (points: object[]) => crew.post('/api/staff/tollTracker/report', { points })
const logOf = async ({ id }: { id: string }) => (await crew.sql('select * from staff.work_log where cell_id = $1', [id]))[0]
/** As the watch finds it: at work since then, without a call of theirs. */
async function cameAt(one: Awaited<ReturnType<typeof planned>>, minutes: number) {
  await crew.sql(
    `insert into staff.card (collector_id, park_code, kind, source, at, received_at, in_fence, mid) values ($1, $2, 1, 1, $3, $3, true, $4)`,
    [one.who.id, crew.parkCode, now(minutes), `came ${minutes}`],
  )
  return one
}
const wasAt = (who: any, minutes: number, lng = LNG, lat = LAT, inFence = true) =>
  crew.sql(
    'insert into staff.point (collector_id, at, received_at, lng, lat, in_fence, dist_m) values ($1, $2, $2, $3, $4, $5, 0) on conflict do nothing',
    [who.id, now(minutes), lng, lat, inFence],
  )
const watch = (minutes = 0) => crew.write((tx) => watchStaff(tx, now(minutes)))
const warned = (who: any) =>
  crew.sql('select rule, times, state, end_at is null as open from staff.warning where collector_id = $1 order by rule, start_at', [who.id])

test('positions are kept from the check-in to the check-out alone, once each, and what cannot be is left out without stopping the queue', async () => {
  const { who, cell } = await planned(-60, 60, { mine: true })
  const point = (minutes: number, lng = LNG) => ({ at: now(minutes), lng, lat: LAT, battery: 80 })
  expect((await report([point(-1)])).data).toEqual({ kept: 0, dropped: 1 })
  await card(1, -50)
  expect(await logOf(cell)).toMatchObject({ state: 0, outAt: null })
  const sent = [
    point(-55),
    point(-49),
    point(-48, LNG + 0.001),
    point(-20, LNG + 0.01),
    point(-18, LNG + 0.1),
    point(30),
    point(-2_000),
    { at: now(-10), lng: 0, lat: 0 },
  ]
  expect((await report(sent)).data).toEqual({ kept: 4, dropped: 4 })
  expect((await report(sent)).data).toEqual({ kept: 4, dropped: 4 })
  await card(2, -5)
  expect((await report([point(-1)])).data).toEqual({ kept: 0, dropped: 1 })
  expect(await logOf(cell)).toMatchObject({ state: 1 })
  const line = (await crew.post(`/api/staff/tollTracker/queryTracker?tollNo=${who.tollNo}&workDate=${cell.workDate}`)).data
  expect(line.map(({ inFence, gapBefore, battery }: any) => [inFence, gapBefore, battery])).toEqual([
    [true, false, 80],
    [true, false, 80],
    [false, true, 80],
    [false, false, 80],
  ])
  await until(
    () => crew.sql(`select count(*)::int as n from system.operation_log where call = 'staff.tracker.query-tracker'`),
    ([{ n }]) => n > 0,
  )
  await crew.write((tx) => countLogs(tx, now()))
  expect((await logOf(cell)).walkM).toBeGreaterThan(900)
  expect((await logOf(cell)).walkM).toBeLessThan(1_000)
})

test('where they are now: not yet, in place, out of place, over, on leave; without a fix nothing is said', async () => {
  const at = async (who: any, workDate?: string) => {
    const query = new URLSearchParams({ tollNos: who.tollNo, ...(workDate && { workDate }) })
    return (await crew.post(`/api/staff/tollTracker/queryTrackerNowList?${query}`)).data[0]
  }
  const { who, cell } = await planned(-30, 60, { mine: true })
  expect(await at(who)).toMatchObject({ dutyState: 0, lng: null, ageSec: null, battery: null })
  await card(1, -20)
  expect(await at(who)).toMatchObject({ dutyState: 1, lng: null })
  await report([{ at: now(-2), lng: LNG, lat: LAT, battery: 55 }])
  expect(await at(who)).toMatchObject({ dutyState: 1, lng: LNG, battery: 55, inFence: true })
  await report([{ at: now(-1), lng: LNG + 0.01, lat: LAT }])
  expect(await at(who)).toMatchObject({ dutyState: 2, inFence: false })
  expect((await at(who)).ageSec).toBeGreaterThanOrEqual(59)
  const listed = async () => (await crew.post('/api/staff/toll/pageQuery', { tollNo: who.tollNo })).data.records[0]
  expect(await listed()).toMatchObject({ todayShift: expect.stringContaining('班'), online: true })
  expect((await crew.post('/api/staff/toll/tollDetail', { tollNo: who.tollNo })).data).toMatchObject({
    warnings: 0,
    online: true,
    position: { lng: LNG + 0.01, inFence: false },
  })
  await card(2)
  expect((await at(who, cell.workDate)).dutyState).toBe(3)
  expect((await listed()).online).toBe(false)
  expect((await crew.post('/api/staff/toll/tollDetail', { tollNo: who.tollNo })).data.position).toBeNull()
  // Warnings that a night left open are open today, in the figure as in the list behind it; of an earlier day only its own count.
  const began = `insert into staff.warning (rule, level, collector_id, park_code, start_at) values (1, 3, $1, $2, now() - interval '30 hours')`
  const before = (await at(who)).warnings
  await crew.sql(began, [who.id, crew.parkCode])
  expect((await at(who)).warnings).toBe(before + 1)
  expect((await at(who, crew.day(-5))).warnings).toBe(0)
  await crew.sql(`delete from staff.warning where collector_id = $1 and start_at < now() - interval '29 hours'`, [who.id])
  const away = await planned(-30, 60)
  await crew.sql('update staff.cell set state = 2 where id = $1', [away.cell.id])
  expect((await at(away.who, away.cell.workDate)).dutyState).toBe(4)
  expect(await at({ tollNo: 'NOBODY' })).toBeUndefined()
})

test('what is told from the field is one for each message, and only at work; it is a pin and a report', async () => {
  const { who, cell } = await planned(-60, 60, { mine: true })
  const note = (more: object) => crew.post('/api/staff/tollTracker/note', { mid: 'n1', kind: 6, lng: LNG, lat: LAT, note: '护栏损坏', ...more })
  expect((await note({})).code).toBe(41961)
  await card(1, -50)
  expect((await note({ note: undefined })).status).toBe(400)
  expect((await note({ kind: 5 })).status).toBe(400)
  expect((await note({})).data.inFence).toBe(true)
  await note({})
  await card(1, -50, { lng: LNG })
  await crew.write((tx) => countLogs(tx, now()))
  expect(await logOf(cell)).toMatchObject({ patrols: 1, photos: 0 })
  const pins = (await crew.post(`/api/staff/workLog/mapInfo?workDate=${dayOf(now())}&tollNos=${who.tollNo}`)).data
  expect(pins.filter(({ kind }: any) => kind === 6)).toMatchObject([{ text: '护栏损坏', lng: LNG }])
  const { records } = (await crew.get(`/api/staff/parkSchedule/pageQueryLocation/${who.tollNo}`)).data
  expect(records.map(({ kind }: any) => kind)).toContain(6)
})

test('a log is told by its own collector within a day, and rated by who leads; nobody rates themselves', async () => {
  const { who, cell } = await planned(-300, -10, { mine: true })
  await card(1, -290)
  const { id } = await logOf(cell)
  const detail = async () => (await crew.post('/api/staff/workLog/queryWorkLogDetail', { id })).data
  const save = async (call: string, more: object) => crew.post(`/api/staff/workLog/${call}`, { id, version: (await detail()).version, ...more })
  const incidents = [{ at: now(-100), text: '车辆剐蹭', lng: LNG, lat: LAT }]
  expect((await save('content', { content: '巡查 6 个泊位', incidents })).status).toBe(200)
  expect((await save('content', { incidents: [{ at: now(60), text: '明天' }] })).status).toBe(400)
  expect((await save('submit', {})).code).toBe(40010)
  expect((await save('review', { score: 5 })).code).toBe(40010)
  await card(2, -9)
  expect(await detail()).toMatchObject({ state: 1, incidents, content: '巡查 6 个泊位', dueAt: expect.any(String) })
  expect((await save('submit', {})).status).toBe(200)
  expect((await save('submit', {})).code).toBe(40010)
  expect((await save('review', { score: 5 })).code).toBe(41962)
  await crew.sql('update staff.collector set person_id = null where id = $1', [who.id])
  const other = await crew.aCollector({ personId })
  expect((await save('review', { score: 5 })).code).toBe(41963)
  await crew.aGroup({ leaderId: other.id, memberIds: [other.id, who.id] })
  expect((await save('review', { score: 4, verdict: '认真' })).status).toBe(200)
  expect(await detail()).toMatchObject({ state: 3, score: 4, verdict: '认真', reviewerName: expect.any(String) })
  const totals = (await crew.post('/api/staff/workLog/workLogStatistic', { tollNos: [who.tollNo], workDateFrom: crew.day(-2) })).data
  expect(totals.records).toMatchObject([{ tollNo: who.tollNo, logs: 1, submitted: 1, submitRate: 1000, scoreTenths: 40 }])
  const foreign = await planned(-60, 60)
  await cameAt(foreign, -30)
  await watch()
  const [one] = await crew.sql('select id, version from staff.work_log where cell_id = $1', [foreign.cell.id])
  expect((await crew.post('/api/staff/workLog/content', { ...one, content: '别人的' })).code).toBe(41964)
})

test('work that is over waits for its words for a day, and is late then', async () => {
  const { cell } = await planned(-300, -55, { mine: true })
  await card(1, -290)
  const { id, version } = await logOf(cell)
  expect((await logOf(cell)).state).toBe(0)
  await watch()
  expect((await logOf(cell)).state).toBe(0)
  await watch(10)
  expect((await logOf(cell)).state).toBe(1)
  await watch(25 * 60)
  expect((await logOf(cell)).state).toBe(4)
  expect((await crew.post('/api/staff/workLog/submit', { id, version: version + 2, content: '迟了' })).code).toBe(40010)
  await crew.sql(
    `update staff.work_log set state = 1, out_at = now() - interval '25 hours', created_at = now() - interval '30 hours', opened_at = now() - interval '30 hours' where id = $1`,
    [id],
  )
  expect((await crew.post('/api/staff/workLog/submit', { id, version: version + 2, content: '迟了' })).code).toBe(41965)
})

test('out of place, standing still, gathered, off line: each opens once, ends by itself, and comes again as the same one soon after', async () => {
  const [out, still, ...crowd] = [
    await planned(-120, 120),
    await planned(-120, 120, { tollType: 1, pdaNo: 'P-STILL' }),
    await planned(-120, 120),
    await planned(-120, 120),
    await planned(-120, 120),
  ]
  for (const one of [out, still, ...crowd]) await cameAt(one, -119)
  for (let minutes = -40; minutes <= 0; minutes += 1) {
    await wasAt(out.who, minutes, LNG + 0.02, LAT, minutes < -15)
    await wasAt(still.who, minutes, LNG + 0.0001 * (minutes % 2), LAT + 0.005)
    for (const [n, { who }] of crowd.entries()) await wasAt(who, minutes, LNG - 0.05 - minutes * 0.001, LAT + n * 0.00005)
  }
  await watch()
  await watch()
  expect(await warned(out.who)).toEqual([{ rule: 1, times: 1, state: 0, open: true }])
  expect(await warned(still.who)).toEqual([{ rule: 2, times: 1, state: 0, open: true }])
  for (const { who } of crowd) expect(await warned(who)).toEqual([{ rule: 3, times: 1, state: 0, open: true }])
  await wasAt(out.who, 0.5)
  await wasAt(still.who, 0.5, LNG, LAT + 0.02)
  await watch(1)
  expect((await warned(out.who))[0].open).toBe(false)
  expect((await warned(still.who))[0].open).toBe(false)
  for (let minutes = 1; minutes <= 14; minutes++) await wasAt(out.who, minutes, LNG + 0.02, LAT, false)
  await watch(14)
  expect(await warned(out.who)).toEqual([{ rule: 1, times: 2, state: 0, open: true }])
  expect(await warned(still.who)).toEqual([
    { rule: 2, times: 1, state: 0, open: false },
    { rule: 7, times: 1, state: 0, open: true },
  ])
})

test('no card, late, left early: by the cell, each once; a rule that is off says nothing, and a change of it is for what comes', async () => {
  const [absent, late] = [await planned(-30, 60), await planned(-120, -58)]
  await cameAt(late, -100)
  await watch()
  await watch()
  expect(await warned(absent.who)).toEqual([{ rule: 4, times: 1, state: 0, open: true }])
  expect((await warned(late.who)).map(({ rule, open }: any) => [rule, open])).toEqual([[5, false]])
  await watch(5)
  expect((await warned(late.who)).map(({ rule }: any) => rule)).toEqual([5, 6])
  const rules = (await crew.post('/api/staff/workWarningRule/pageQuery', {})).data
  expect(rules.records.map(({ rule, enabled, thresholdMin }: any) => [rule, enabled, thresholdMin])).toEqual([
    [1, true, 10],
    [2, true, 30],
    [3, true, 15],
    [4, true, 10],
    [5, true, 0],
    [6, true, 0],
    [7, true, 10],
    [8, true, 30],
  ])
  const set = (more: object) => crew.post(`/api/staff/workWarningRule/update?${new URLSearchParams(more as never)}`)
  expect((await set({ rule: 4, version: 1, distM: 30 })).status).toBe(400)
  expect((await set({ rule: 4, version: 1, enabled: false })).status).toBe(200)
  expect((await set({ rule: 4, version: 1, enabled: true })).status).toBe(409)
  const next = await planned(-30, 60)
  await watch(6)
  expect(await warned(next.who)).toEqual([])
  expect((await warned(absent.who))[0].open).toBe(false)
  await set({ rule: 4, version: 2, enabled: true })
})

test('a warning is handled once, by who leads and not by whom it means; a false alarm counts no more', async () => {
  await crew.sql('update staff.collector set person_id = null where person_id = $1', [personId])
  const [one, two] = [await planned(-30, 60), await planned(-30, 60)]
  await watch()
  const idOf = async ({ who }: typeof one) => (await crew.sql('select id from staff.warning where collector_id = $1', [who.id]))[0].id
  const handle = (ids: string[], state: number) => crew.post('/api/staff/workEarningLog/handle', { ids, state, opinion: '已核实' })
  await crew.sql('update staff.collector set person_id = $1 where id = $2', [personId, one.who.id])
  expect((await handle([await idOf(one)], 1)).code).toBe(41962)
  expect((await handle([await idOf(two)], 1)).code).toBe(41963)
  await crew.sql('update staff.collector set person_id = null where id = $1', [one.who.id])
  const totals = async () => (await crew.post('/api/staff/workEarningLog/warningLogStatistic', { dateFrom: crew.day(-1), limit: 100 })).data.records
  expect((await totals()).find(({ tollNo }: any) => tollNo === two.who.tollNo)).toMatchObject({ total: 1, open: 1, noCard: 1, late: 0 })
  const answers = await Promise.all([handle([await idOf(two)], 2), handle([await idOf(two)], 2)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await handle([await idOf(one)], 1)).status).toBe(200)
  expect((await totals()).some(({ tollNo }: any) => tollNo === two.who.tollNo)).toBe(false)
  const { records } = (await crew.post('/api/staff/workEarningLog/pageQuery', { tollNo: two.who.tollNo })).data
  expect(records).toMatchObject([{ rule: 4, state: 2, opinion: '已核实', handlerName: expect.any(String) }])
})

test('what is older than 90 days is forgotten', async () => {
  const who = await crew.aCollector()
  await wasAt(who, (-91 * DAY_MS) / MINUTE_MS)
  await wasAt(who, (-89 * DAY_MS) / MINUTE_MS)
  await crew.sql('select staff.forget_points(now())')
  expect(await crew.sql('select count(*)::int as n from staff.point where collector_id = $1', [who.id])).toEqual([{ n: 1 }])
})
