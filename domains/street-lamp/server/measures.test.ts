import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayBy, dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { aStreet, type Street } from './testing.ts'

let street: Street
beforeAll(async () => void (street = await aStreet()))
afterAll(() => street?.close())

const HOUR = 60
/** Minutes from now to a full hour of yesterday: readings from then on lie in whole hours. */
const base = () => (Math.floor(msOf(street.at(0)) / 3_600_000) * 3_600_000 - msOf(street.at(0))) / 60_000 - 24 * HOUR
const trend = async (boxCode: string, more: object = {}) =>
  (await street.post('/streetLampElectricQuantity/queryElectricityTrend', { boxCodes: [boxCode], ...more })).data
const range = (from: number, to: number) => ({ timeFrom: street.at(base() + from), timeTo: street.at(base() + to) })
const meter = (sn: string, minutes: number, kwh: number) => street.says(sn, { kwh }, base() + minutes)

test('an hour’s energy is what its register went up by; a reading across the hour is shared out', async () => {
  const { boxCode, sn } = await street.aBox(1)
  for (const [minutes, kwh] of [
    [0, 10],
    [15, 10.25],
    [30, 10.5],
    [50, 10.7],
    [70, 11.1],
    [120, 12],
  ] as const)
    await meter(sn, minutes, kwh)
  const { points, totalWh, missingHours } = await trend(boxCode, range(0, 120))
  expect(points.map(({ wh }: any) => wh)).toEqual([900, 1100])
  expect([totalWh, missingHours]).toEqual([2000, 0])
})

test('across a gap no hour is known, never nothing; the day has all of it', async () => {
  const { boxCode, sn } = await street.aBox(1)
  for (const [minutes, kwh] of [
    [0, 0],
    [30, 1],
    [60, 2],
    [90, 3],
    [5 * 60 + 30, 9],
    [6 * 60, 10],
    [6 * 60 + 30, 11],
  ] as const)
    await meter(sn, minutes, kwh)
  const { points, missingHours } = await trend(boxCode, range(0, 7 * HOUR))
  expect(points.map(({ wh }: any) => wh)).toEqual([2000, null, null, null, null, null, 1000])
  expect(missingHours).toBe(5)
  const month = await trend(boxCode, { unit: 3, ...range(0, 7 * HOUR) })
  expect(month.points.reduce((sum: number, { wh }: any) => sum + (wh ?? 0), 0)).toBe(11_000)
})

test('a register that went back was changed: it takes nothing away, and counts on from there', async () => {
  const { boxCode, sn } = await street.aBox(1)
  for (const [minutes, kwh] of [
    [0, 5000],
    [20, 5001],
    [40, 2],
    [55, 3],
  ] as const)
    await meter(sn, minutes, kwh)
  expect((await trend(boxCode, range(0, 60))).points[0].wh).toBe(2000)
  expect((await street.sql('select sum(resets)::int as resets from lamp.energy where box_code = $1', [boxCode]))[0].resets).toBe(1)
})

test('what a box tells late changes nothing of now, and its register is not counted twice', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.says(sn, { kwh: 20, circuits: [{ circuit: 1, on: 1, dim: 100, p: 990 }] }, base() + 50)
  await street.says(sn, { kwh: 19, circuits: [{ circuit: 1, on: 0, dim: 0, p: 0 }] }, base() + 20)
  await street.says(sn, { kwh: 20.5 }, base() + 59)
  expect((await street.sql('select relay from lamp.wiring_now where wiring_id = $1', [ids[0]]))[0].relay).toBe(1)
  expect((await trend(boxCode, range(0, 60))).points[0].wh).toBe(500)
})

test('nonsense of one circuit is no nonsense of another', async () => {
  const { sn, ids } = await street.aBox(2)
  await street.comes(sn)
  await street.says(sn, {
    kwh: 'many',
    lux: null,
    circuits: [null, 7, { circuit: 'x' }, { circuit: 99, on: 1 }, { circuit: 2, on: '1', dim: '60', u: 'NaN', p: 1e12 }],
  })
  const [one, two] = await street.sql('select relay, dim, u, p from lamp.wiring_now where wiring_id = any($1) order by wiring_id', [ids])
  expect([one.relay, two]).toEqual([null, { relay: 1, dim: 60, u: null, p: null }])
})

const alarms = async (boxCode: string, state: number[] = [0]) =>
  (await street.post('/streetLampAlarm/query', { boxCode, state })).data.records.map(({ code }: any) => code).sort()
const lit = (p: number, more: object = {}) => ({ circuits: [{ circuit: 1, on: 1, dim: 100, u: 230, p, pf: 0.97, ...more }] })

test('too little power is lamps that are out, and comes back by itself', async () => {
  const { boxCode, sn } = await street.aBox(1)
  await street.sql(`update lamp.timer set actions = '[{"at":"12:00","relay":1,"dim":100}]' where targets[1] = $1`, [boxCode])
  await street.says(sn, lit(860))
  expect(await alarms(boxCode)).toEqual([])
  await street.says(sn, lit(840), 1)
  await street.says(sn, lit(830), 2)
  const [shown] = (await street.post('/streetLampAlarm/query', { boxCode })).data.records
  expect(shown).toMatchObject({ code: 1, count: 2, state: 0, value: 830 })
  await street.says(sn, lit(950), 3)
  expect([await alarms(boxCode), await alarms(boxCode, [2])]).toEqual([[], [1]])
})

test('lit when its program wants it dark, or drawing power while it is off: lit wrongly; not while a hand holds it on', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.sql(`update lamp.timer set actions = '[{"at":"12:00","relay":0,"dim":0}]' where targets[1] = $1`, [boxCode])
  await street.comes(sn)
  await street.says(sn, lit(980))
  expect(await alarms(boxCode)).toEqual([3])
  await street.says(sn, { circuits: [{ circuit: 1, on: 0, p: 30 }] }, 1)
  expect(await alarms(boxCode)).toEqual([3])
  await street.says(sn, { circuits: [{ circuit: 1, on: 0, p: 10 }] }, 2)
  expect(await alarms(boxCode)).toEqual([])
  await street.post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: ids, relay: 1, untilAt: street.at(120) })
  await street.says(sn, lit(980), 3)
  expect(await alarms(boxCode)).toEqual([])
})

test('dark when its program wants it lit is told, and its plan sent again, every ten minutes; not while a hand holds it off', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.sql(`update lamp.timer set actions = '[{"at":"12:00","relay":1,"dim":100}]' where targets[1] = $1`, [boxCode])
  await street.comes(sn)
  await street.tick(0)
  const [plan] = await street.told(sn)
  await street.answers(sn, plan!)
  const dark = { circuits: [{ circuit: 1, on: 0, p: 0 }] }
  await street.says(sn, dark, 1)
  await street.tick(2)
  expect([await alarms(boxCode), await street.told(sn)]).toEqual([[1], []])
  await street.says(sn, dark, 11)
  await street.tick(12)
  const again = await street.told(sn)
  expect(again.map(({ method, params }) => [method, params['version']])).toEqual([['lamp.plan', plan!.params['version']]])
  await street.answers(sn, again[0]!, 0, 12)
  await street.says(sn, lit(980), 13)
  expect([await alarms(boxCode), await alarms(boxCode, [2])]).toEqual([[], [1]])
  await street.post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: ids, relay: 0, untilAt: street.at(120) })
  await street.says(sn, dark, 30)
  expect(await alarms(boxCode)).toEqual([])
})

test('what a box complains of by itself is named as in TALQ, once, and ends when it says so', async () => {
  const { boxCode, sn } = await street.aBox(1)
  const event = (type: string, code: string, more = {}) => street.says(sn, { type, code, ...more }, 0, 'event')
  for (const code of ['leakage', 'overcurrent', 'doorOpen', 'powerLoss', 'powerLoss', 'whoKnows']) await event('alarm', code)
  await event('alarm', 'lampFault', { circuit: 1 })
  expect(await alarms(boxCode)).toEqual([1, 4, 6, 7, 9])
  const [box] = (await street.post('/streetLampBox/query', { boxCode })).data.records
  expect(box.door).toBe(1)
  for (const code of ['leakage', 'overcurrent', 'doorOpen']) await event('alarmCleared', code)
  await event('alarmCleared', 'lampFault', { circuit: 1 })
  expect(await alarms(boxCode)).toEqual([4])
})

test('a box that is silent for half an hour is an alarm, until it is heard again', async () => {
  const { boxCode, sn } = await street.aBox(1)
  await street.comes(sn)
  await street.goes(sn)
  await street.tick(29)
  expect(await alarms(boxCode)).toEqual([])
  await street.tick(31)
  expect(await alarms(boxCode)).toEqual([15])
  await street.says(sn, {}, 32)
  expect(await alarms(boxCode)).toEqual([])
})

test('an alarm is acknowledged, then handed on with its work order; nobody says that it has recovered but the readings', async () => {
  const { boxCode, sn } = await street.aBox(1)
  await street.says(sn, { type: 'alarm', code: 'leakage' }, 0, 'event')
  const [{ id, version }] = (await street.post('/streetLampAlarm/query', { boxCode })).data.records
  const handle = (input: object) => street.post('/streetLampAlarm/handle', { id, ...input })
  expect((await handle({ version, state: 2 })).code).toBe(40010)
  expect((await handle({ version, state: 3 })).code).toBe(42220)
  expect((await handle({ version, state: 1 })).status).toBe(200)
  expect((await handle({ version, state: 3, workOrderNo: 'WO1' })).status).toBe(409)
  expect((await handle({ version: version + 1, state: 3, workOrderNo: 'WO1' })).status).toBe(200)
  await street.says(sn, { type: 'alarmCleared', code: 'leakage' }, 1, 'event')
  expect((await street.post('/streetLampAlarm/query', { boxCode })).data.records).toMatchObject([
    { state: 2, workOrderNo: 'WO1', recoveredAt: expect.any(String) },
  ])
})

test('the baseline is every lamp at full from sunset to sunrise, and half of it is half saved', async () => {
  const { boxCode, sn } = await street.aBox(1)
  await meter(sn, 0, 0)
  const { points, baselineWh } = await trend(boxCode, {
    unit: 2,
    timeFrom: instantAt(msOf(street.at(base()))),
    timeTo: street.at(base() + 24 * HOUR),
  })
  expect(baselineWh).toBe(0)
  const night = points.reduce((sum: number, one: any) => sum + one.baselineWh, 0)
  expect(night / points.length).toBeGreaterThan(9_000)
  expect(night / points.length).toBeLessThan(15_000)
})

test('what was saved is told of the hours that were measured, the same by hour, day and month', async () => {
  const [one, other] = [await street.aBox(1), await street.aBox(1)]
  // 21:00 to 23:00 of the night before yesterday's evening, by the city: dark all year.
  const evening = msOf(startOf(dayBy(dayOf(street.at(0)), -2))) + 21 * 3_600_000
  const minutes = (n: number) => (evening - msOf(street.at(0))) / 60_000 + n
  for (const n of [-30, 0, 30, 60, 90, 120]) await street.says(one.sn, { kwh: 100 + Math.max(0, n) / 120 }, minutes(n))
  // Measured for an hour of the same evening, at full; the rest of the month nobody knows.
  for (const n of [-30, 0, 30, 60]) await street.says(other.sn, { kwh: 5 + Math.max(0, n) / 60 }, minutes(n))
  const of = async (unit: number, codes = [one.boxCode, other.boxCode]) =>
    (
      await street.post('/streetLampElectricQuantity/queryElectricityTrend', {
        boxCodes: codes,
        unit,
        timeFrom: instantAt(evening - 6 * 3_600_000),
        timeTo: instantAt(evening + 18 * 3_600_000),
      })
    ).data
  for (const unit of [1, 2, 3]) {
    expect(await of(unit)).toMatchObject({ totalWh: 2_000, baselineWh: 3_000, savedRate: 333 })
    expect(await of(unit, [other.boxCode])).toMatchObject({ baselineWh: 1_000, savedRate: 0 })
  }
})

test('what was tagged out is not saved: for as long as the tag hung, and no longer', async () => {
  const { boxCode, sn } = await street.aBox(2)
  const evening = msOf(startOf(dayBy(dayOf(street.at(0)), -2))) + 21 * 3_600_000
  const minutes = (n: number) => (evening - msOf(street.at(0))) / 60_000 + n
  // One of two kilowatts burns.
  for (const n of [-30, 0, 30, 60, 90, 120]) await street.says(sn, { kwh: 50 + Math.max(0, n) / 60 }, minutes(n))
  const saved = async () => {
    const asked = { boxCodes: [boxCode], unit: 1, timeFrom: instantAt(evening - 6 * 3_600_000), timeTo: instantAt(evening + 18 * 3_600_000) }
    const { baselineWh, savedRate } = (await street.post('/streetLampElectricQuantity/queryElectricityTrend', asked)).data
    return { baselineWh, savedRate }
  }
  const [{ id, version }] = await street.sql('select id, version from lamp.wiring where box_code = $1 order by circuit_no desc limit 1', [boxCode])
  expect(await saved()).toEqual({ baselineWh: 4_000, savedRate: 500 })
  expect((await street.post('/streetLampWiring/updateStreetLampWiring', { id, version, mode: 3, tagReason: '更换接触器' })).status).toBe(200)
  expect(await saved()).toEqual({ baselineWh: 4_000, savedRate: 500 })
  await street.sql('update lamp.tagging set from_at = $2 where wiring_id = $1', [id, instantAt(evening - 3_600_000)])
  expect(await saved()).toEqual({ baselineWh: 2_000, savedRate: 0 })
  expect((await street.post('/streetLampWiring/untag', { id, version: version + 1, reason: '已完工' })).status).toBe(200)
  expect(await street.sql('select to_at from lamp.tagging where wiring_id = $1', [id])).toEqual([{ toAt: expect.any(String) }])
  await street.sql('update lamp.tagging set to_at = $2 where wiring_id = $1', [id, instantAt(evening + 1_800_000)])
  expect(await saved()).toEqual({ baselineWh: 3_500, savedRate: 429 })
})

test('what is drawn beside the energy leaves out what was tagged out, by the same rule as what was saved, by hour, day and month', async () => {
  const { boxCode, sn } = await street.aBox(2)
  const evening = msOf(startOf(dayBy(dayOf(street.at(0)), -2))) + 21 * 3_600_000
  const minutes = (n: number) => (evening - msOf(street.at(0))) / 60_000 + n
  for (const n of [-30, 0, 30, 60, 90, 120]) await street.says(sn, { kwh: 50 + Math.max(0, n) / 60 }, minutes(n))
  const asked = async (unit: number) =>
    (
      await street.post('/streetLampElectricQuantity/queryElectricityTrend', {
        boxCodes: [boxCode],
        unit,
        timeFrom: instantAt(evening - 6 * 3_600_000),
        timeTo: instantAt(evening + 18 * 3_600_000),
      })
    ).data
  const drawn = async (unit: number) => {
    const { points, baselineWh } = await asked(unit)
    return { baselineWh, all: points.reduce((sum: number, one: any) => sum + one.baselineWh, 0) }
  }
  const units = [1, 2, 3]
  const before = await Promise.all(units.map(drawn))
  const [{ id, version }] = await street.sql('select id, version from lamp.wiring where box_code = $1 order by circuit_no desc limit 1', [boxCode])
  await street.post('/streetLampWiring/updateStreetLampWiring', { id, version, mode: 3, tagReason: '更换接触器' })
  expect((await street.post('/streetLampWiring/untag', { id, version: version + 1, reason: '已完工' })).status).toBe(200)
  await street.sql('update lamp.tagging set from_at = $2, to_at = $3 where wiring_id = $1', [
    id,
    instantAt(evening),
    instantAt(evening + 90 * 60_000),
  ])
  const { points, baselineWh } = await asked(1)
  const hours = points.filter(({ at }: any) => msOf(at) >= evening && msOf(at) < evening + 2 * 3_600_000)
  expect(hours.map((one: any) => one.baselineWh)).toEqual([1_000, 1_500])
  expect(baselineWh).toBe(2_500)
  // The rest of the nights is as it was, in whatever unit: the baseline fell by what the circuit would have used.
  const after = await Promise.all(units.map(drawn))
  expect(after).toEqual(before.map((one) => ({ baselineWh: one.baselineWh - 1_500, all: one.all - 1_500 })))
})

test('a month of each box is told, and taken away as a sheet', async () => {
  const [one, silent] = [await street.aBox(1, { regionCode: '420606' }), await street.aBox(1, { regionCode: '420606' })]
  // In the middle of last month, whatever day it is.
  const month = dayBy(`${dayOf(street.at(0)).slice(0, 7)}-01` as never, -1).slice(0, 7)
  const from = msOf(startOf(`${month}-14` as never))
  const minutes = (n: number) => (from - msOf(street.at(0))) / 60_000 + n
  for (const n of [0, 30, 60, 90, 120]) await street.says(one.sn, { kwh: 100 + n / 60 }, minutes(n))
  const path = '/streetLampElectricQuantity/queryBoxEnergy'
  const { records, total } = (await street.post(path, { month, regionCode: '420606' })).data
  expect(total).toBe(2)
  const hours = Math.round((msOf(startOf(`${dayOf(street.at(0)).slice(0, 7)}-01` as never)) - from) / 3_600_000)
  expect(records).toMatchObject([
    { boxCode: one.boxCode, month, wh: 2_000, measuredHours: 3, missingHours: hours - 3 },
    { boxCode: silent.boxCode, month, wh: null, measuredHours: 0, missingHours: 0 },
  ])
  expect((await street.post(path, { month: '2026-13' })).status).toBe(400)
  const file = await street.server.ask(street.admin, 'GET', '/lbs/business/streetLampElectricQuantity/exportBoxEnergy', { month, format: 'csv' })
  expect([file.status, (await street.post(path, { month, regionCode: '110000' })).data.total]).toEqual([200, 0])
})

test('ranges that are too long, or end before they begin, are refused', async () => {
  const ask = (more: object) => street.post('/streetLampElectricQuantity/queryElectricityTrend', more)
  expect((await ask({ unit: 1, timeFrom: '2025-01-01T00:00:00.000Z', timeTo: '2025-03-01T00:00:00.000Z' })).code).toBe(42223)
  expect((await ask({ timeFrom: '2025-03-01T00:00:00.000Z', timeTo: '2025-01-01T00:00:00.000Z' })).code).toBe(42224)
  expect((await ask({ unit: 3, timeFrom: '2024-01-01T00:00:00.000Z', timeTo: '2026-11-01T00:00:00.000Z' })).status).toBe(200)
})

test('a region stays while a box stands in it or a program is for it, and a box stands in one that is there', async () => {
  const [region, other] = ['420602901', '420602902']
  const del = (code: string) => street.server.ask<any>(street.admin, 'POST', '/lbs/basic/tSysRegion/deleteRegion', { code, version: 1 })
  for (const code of [region, other]) {
    const made = { code, name: '灯区', rank: 4, parentCode: '420602' }
    expect((await street.server.ask<any>(street.admin, 'POST', '/lbs/basic/tSysRegion/addRegion', made)).status).toBe(200)
  }
  const { boxCode } = await street.aBox(0, { regionCode: region })
  const program = { name: '灯区', target: 3, targets: [region], kind: 2, dateFrom: '2026-01-01', dateTo: '2099-12-31', dayMask: 127, priority: 10 }
  const timer = (await street.post('/streetLampTimer/add', { ...program, actions: [{ at: 'sunset', relay: 1, dim: 100 }] })).data
  expect(await del(region)).toMatchObject({ status: 409, message: '不能删除：有路灯配电箱或定时用到该区划' })
  const change = async (regionCode: string) => {
    const [row] = await street.sql('select id, version from lamp.box where box_code = $1', [boxCode])
    return street.post('/streetLampBox/update', { ...row, regionCode })
  }
  expect((await change('420602999')).code).toBe(40147)
  expect((await change(other)).status).toBe(200)
  expect((await del(other)).status).toBe(409)
  expect((await del(region)).status).toBe(409)
  expect((await street.post('/streetLampTimer/delete', { id: timer.id, version: timer.version })).status).toBe(200)
  expect((await del(region)).status).toBe(200)
  const box = { boxCode: 'NOREGION', name: '箱', lng: 112, lat: 32, phaseCount: 3, regionCode: region }
  expect((await street.post('/streetLampBox/add', box)).code).toBe(40147)
})

test('with a circuit its alarms end, and with its controller, or while it is out of use, those of a box that nothing could end any more', async () => {
  const open = (boxCode: string) => street.sql('select code from lamp.alarm where box_code = $1 and recovered_at is null order by code', [boxCode])
  const dark = [1, 2].map((circuit) => ({ circuit, on: 0, dim: 0, p: 0 }))
  const { boxCode, sn, ids } = await street.aBox(2)
  await street.sql(`update lamp.timer set actions = '[{"at":"12:00","relay":0,"dim":0}]' where targets[1] = $1`, [boxCode])
  await street.comes(sn)
  await street.says(sn, { circuits: dark })
  for (const circuit of [1, 2]) await street.says(sn, { type: 'alarm', code: 'breakerTripped', circuit }, 1, 'event')
  expect(await open(boxCode)).toHaveLength(2)
  const [wiring] = await street.sql('select id, version from lamp.wiring where id = $1', [ids[1]])
  expect((await street.post('/streetLampWiring/deleteStreetLampWiring', wiring)).status).toBe(200)
  expect(await open(boxCode)).toHaveLength(1)
  const change = async (of: string, more: object) => {
    const [row] = await street.sql('select id, version from lamp.box where box_code = $1', [of])
    expect((await street.post('/streetLampBox/update', { ...row, ...more })).status).toBe(200)
  }
  await change(boxCode, { gatewayNo: null })
  expect(await open(boxCode)).toEqual([])
  const silent = await street.aBox(1)
  await street.comes(silent.sn)
  await street.says(silent.sn, { type: 'alarm', code: 'doorOpen' }, 1, 'event')
  await street.goes(silent.sn)
  await street.sql(`update device.presence set since = now() - interval '2 hours' where device_no = $1`, [silent.sn])
  await street.tick(1)
  expect(await open(silent.boxCode)).toHaveLength(2)
  await change(silent.boxCode, { useState: 2 })
  expect(await open(silent.boxCode)).toHaveLength(1)
})

test('assets: codes, numbers and controllers are each once, and what is in use is not deleted', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  const other = await street.aBox(0)
  const box = { name: '箱', lng: 112, lat: 32, phaseCount: 3 }
  const addBox = (more: object) => street.post('/streetLampBox/add', { ...box, ...more })
  expect((await addBox({ boxCode })).code).toBe(42201)
  expect((await addBox({ boxCode: 'NEW1', gatewayNo: 'SL-NONE' })).code).toBe(42202)
  expect((await addBox({ boxCode: 'NEW1', gatewayNo: sn })).code).toBe(42203)
  const circuit = { wiringCode: 'NW1', boxCode, name: '路', circuitNo: 1, phase: 1, lampCount: 1, ratedPowerW: 100 }
  const addWiring = (more: object) => street.post('/streetLampWiring/addStreetLampWiring', { ...circuit, ...more })
  expect((await addWiring({ wiringCode: `${boxCode}-1`, circuitNo: 9 })).code).toBe(42206)
  expect((await addWiring({})).code).toBe(42207)
  expect((await addWiring({ boxCode: 'NOBOX' })).code).toBe(42208)
  const rowOf = async (code: string) => (await street.sql('select id, version from lamp.box where box_code = $1', [code]))[0]
  expect((await street.post('/streetLampBox/delete', await rowOf(boxCode))).code).toBe(42204)
  expect((await street.post('/streetLampBox/delete', await rowOf(other.boxCode))).code).toBe(42204)
  const kept = await rowOf(other.boxCode)
  await street.post('/streetLampBox/update', { ...kept, gatewayNo: null })
  expect((await street.post('/streetLampBox/delete', { ...kept, version: kept.version + 1 })).status).toBe(200)
  const remove = () => street.post('/streetLampWiring/deleteStreetLampWiring', { id: ids[0], version: 1 })
  await street.says(sn, lit(980))
  expect((await remove()).code).toBe(42211)
  await street.says(sn, { circuits: [{ circuit: 1, on: 0 }] }, 1)
  await street.post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: ids, relay: 0 })
  expect((await remove()).code).toBe(42211)
  await street.sql('delete from lamp.command where wiring_id = $1', [ids[0]])
  expect((await remove()).status).toBe(200)
})

test('whoever may only look switches nothing, and whoever is of another enterprise sees nothing', async () => {
  const { boxCode, ids } = await street.aBox(1)
  const [operator, stranger] = await Promise.all([street.server.signIn('auditor'), street.server.signIn('otheradmin')])
  const turn = (token: string) => street.post('/streetLampWiring/batchUpdateStreetLampWiring', { wiringIds: ids, relay: 1 }, token)
  expect((await turn(operator)).status).toBe(403)
  expect((await turn(stranger)).status).toBe(404)
  expect((await street.post('/streetLampBox/query', { boxCode }, stranger)).data.records).toEqual([])
})
