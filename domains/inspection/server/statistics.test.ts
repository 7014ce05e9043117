import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground, ok } from './testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.close())
const at = (name: string) => `/inspection/scheduling/${name}`
const day = (days: number) => ground.clock(days, 12).slice(0, 10)

test('limits.top-n: the ranking always has ten places', async () => {
  expect((await ground.get(at('selectEquipmentFailureAnalysisTopN'), { topN: 9 })).code).toBe(42020)
  expect((await ground.get(at('selectEquipmentFailureAnalysisTopN'), { topN: 10 })).status).toBe(200)
})

test('a day with any minute of a fault is faulty; what lies in the store is not counted', async () => {
  const { parkCode, devices } = await ground.parkWith(3)
  const [bad, mended, stored] = devices as [string, string, string]
  // The spans that they produce from now on are outside these days.
  const span = (no: string, phase: number, from: string, to: string) =>
    ground.sql('insert into inspection.use_span (device_no, type, park_code, phase, from_at, to_at) values ($1, 1, $2, $3, $4, $5)', [
      no,
      parkCode,
      phase,
      from,
      to,
    ])
  await span(bad, 1, ground.clock(-9), ground.clock(-4, 23.99))
  await span(bad, 2, ground.clock(-4, 23.99), ground.clock(-3, 1))
  await span(bad, 1, ground.clock(-3, 1), ground.clock(-1))
  await span(mended, 1, ground.clock(-9), ground.clock(-1))
  await span(stored, 3, ground.clock(-9), ground.clock(-1))
  const asked = { dateFrom: day(-5), dateTo: day(-2), parkCode }
  const { data } = await ok(ground.get(at('selectDeviceFailureAnalysis'), asked))
  expect(data).toMatchObject({ devices: 2, deviceDays: 8, faultyDays: 2, failureRate: 250, faults: 1, faultMin: 60, mttrMin: 60 })
  expect(data.rows).toMatchObject([{ type: 1, faultyDays: 2 }])
  const parks = (await ok(ground.get(at('selectParkDeviceFailureAnalysis'), asked))).data
  expect(parks.rows).toMatchObject([{ parkCode, faultyDays: 2, deviceDays: 8 }])
  expect((await ok(ground.get(at('selectEquipmentFailureAnalysisTopN'), asked))).data).toMatchObject([{ deviceNo: bad, faults: 1, faultMin: 60 }])
  // Midnight ends a day: a fault until then is no fault of the next.
  const next = { ...asked, dateFrom: day(-3), dateTo: day(-3) }
  const {
    parkCode: edge,
    devices: [until],
  } = await ground.parkWith(1)
  await ground.sql(
    'insert into inspection.use_span (device_no, type, park_code, phase, from_at, to_at) values ($1, 1, $2, 2, $3, $4), ($1, 1, $2, 1, $4, $5)',
    [until, edge, ground.clock(-4), ground.clock(-3), ground.clock(-1)],
  )
  expect((await ok(ground.get(at('selectDeviceFailureAnalysis'), { ...next, parkCode: edge }))).data).toMatchObject({
    deviceDays: 1,
    faultyDays: 0,
    faults: 0,
    failureRate: 0,
    mttrMin: null,
    mtbfMin: null,
  })
  expect((await ok(ground.get(at('selectDeviceFailureAnalysis'), next))).data).toMatchObject({ faultyDays: 1 })
})

test('a device’s way is kept as it is put to another use: from fault to repair it is the same fault', async () => {
  const { devices } = await ground.parkWith(1)
  const [{ id }] = (await ground.sql('select id from device.device where device_no = $1', [devices[0]])) as [{ id: string }]
  await ok(ground.post('/iotDevice/changeUse', { ids: [id], to: 2, reason: '杆断' }))
  await ground.sql('update device.device set use_status = 5 where id = $1', [id])
  await ok(ground.post('/iotDevice/changeUse', { ids: [id], to: 1, reason: '修好' }))
  const spans = await ground.sql('select phase, to_at is null as open from inspection.use_span where device_no = $1 order by from_at, id', [
    devices[0],
  ])
  expect(spans.slice(-3)).toEqual([
    { phase: 1, open: false },
    { phase: 2, open: false },
    { phase: 1, open: true },
  ])
})

test('a task that there is still time for is not due yet; one that was done before its time is', async () => {
  const { parkCode } = await ground.parkWith(1)
  const rule = await ground.rule({})
  const add = (state: number, ended: string | null) =>
    ground.sql(
      `insert into inspection.task (name, rule_id, park_code, device_types, items, plan_from, plan_to, state, source, due_count, started_at, ended_at)
        values ('试', $1, $2, '{1}', '[{}]', $3, $4, $5, 2, case when $5::smallint = 2 then 1 end, case when $5::smallint = 2 then $6::timestamptz end, $6)`,
      [rule.id, parkCode, ground.clock(1), ground.clock(1, 2), state, ended],
    )
  await add(0, null)
  await add(2, ground.clock(-1))
  const { data } = await ok(ground.get(at('selectPatrolStatistics'), { dateFrom: day(1), dateTo: day(1), parkCode }))
  expect(data).toMatchObject({ due: 1, done: 1, onTime: 1, missed: 0, patrolRate: 1000 })
})

test('rates are of what was to be done in the days, cancelled ones left out; without any there is none', async () => {
  const { parkCode } = await ground.parkWith(1)
  const rule = await ground.rule({})
  const add = (state: number, ended: string | null = null) =>
    ground.sql(
      `insert into inspection.task (name, rule_id, park_code, device_types, items, plan_from, plan_to, state, source, due_count, started_at, ended_at, reason)
        values ('试', $1, $2, '{1}', '[{}]', $3, $4, $5, 2, case when $5::smallint in (2, 4, 5) then 1 end, case when $5::smallint = 2 then $3::timestamptz end, $6, '试')`,
      [rule.id, parkCode, ground.clock(-3), ground.clock(-2), state, ended],
    )
  const asked = { dateFrom: day(-3), dateTo: day(-3), parkCode }
  expect((await ok(ground.get(at('selectPatrolStatistics'), asked))).data).toMatchObject({ due: 0, patrolRate: null, missRate: null })
  for (const [state, ended] of [[2, ground.clock(-3, 2)], [2, ground.clock(-1)], [4], [3], [5]] as [number, string?][])
    await add(state, ended ?? null)
  const { data } = await ok(ground.get(at('selectPatrolStatistics'), asked))
  expect(data).toMatchObject({ due: 4, done: 2, onTime: 1, missed: 1, overdue: 1, patrolRate: 500, onTimeRate: 250, missRate: 250 })
  expect(data.days).toEqual([{ day: day(-3), due: 4, done: 2, onTime: 1, missed: 1 }])
  expect((await ground.get(at('selectPatrolStatistics'), { dateFrom: day(-800), dateTo: day(0) })).status).toBe(400)
})
