import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plannedDim } from '../../../gateways/mqtt/lampBox.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { holdBoxes } from './command.ts'
import { nightOf, noonOf } from './night.ts'
import { planBoxes } from './plan.ts'
import { aStreet, type Street } from './testing.ts'

let street: Street
beforeAll(async () => void (street = await aStreet()))
afterAll(() => street?.close())

const NIGHT = [
  { at: 'sunset', relay: 1, dim: 100 },
  { at: '23:30', relay: 1, dim: 50 },
  { at: 'sunrise', relay: 0, dim: 0 },
]
const DATES = { dateFrom: '2026-01-01', dateTo: '2099-12-31', dayMask: 127, priority: 10 }
let made = 0
const add = (more: object) => street.post('/streetLampTimer/add', { name: `程序${++made}`, target: 1, kind: 2, actions: NIGHT, ...DATES, ...more })
const calendar = async (wiringId: string, days = 3) =>
  (await street.post('/streetLampTimer/calendar', { wiringId, dateFrom: nightOf(msOf(street.at(0))), days })).data
const row = async (id: string) => (await street.sql('select id, version from lamp.timer where id = $1', [id]))[0]

test('of two equal programs the calendar names winner, loser and rule, and the plan of the box agrees, night by night', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  const first = (await add({ name: '先建', targets: [boxCode] })).data
  const second = (
    await add({
      name: '后建',
      targets: [boxCode],
      actions: [
        { at: 'sunset+10', relay: 1, dim: 80 },
        { at: '06:00', relay: 0, dim: 0 },
      ],
    })
  ).data
  expect(second.nights).toHaveLength(30)
  expect(second.nights[0]).toMatchObject({
    winners: [{ timerId: second.id, circuits: 1 }],
    losers: [{ timerId: first.id, name: '先建', why: 3, circuits: 1 }],
  })
  const nights = await calendar(ids[0]!, 30)
  expect(nights[0]).toMatchObject({
    winner: { timerId: second.id, name: '后建' },
    losers: [
      { timerId: first.id, why: 3 },
      { name: `默认程序 ${boxCode}`, why: 1 },
    ],
  })
  await street.comes(sn)
  await street.write((tx) => planBoxes(tx, street.at(0)))
  const plan = (await street.told(sn)).find(({ method }) => method === 'lamp.plan')!
  for (const { date, events } of nights)
    for (let ms = noonOf(date); ms < noonOf(date) + DAY_MS; ms += 7 * 60_000) {
      const last = events.findLast(({ at }: any) => Date.parse(at) <= ms)
      expect(plannedDim(plan.params as never, 1, ms)).toBe(last?.dim ?? 0)
    }
  await street.answers(sn, plan)
  const [shown] = (await street.post('/streetLampBox/query', { boxCode })).data.records
  expect(shown.planAcked).toBe(shown.planVersion)
})

test('a box that comes while its plan is being made gets it: what was passed over is looked at once more', async () => {
  const { boxCode, sn } = await street.aBox(1)
  const owner = new pg.Client({ connectionString: street.server.ownerUrl })
  await owner.connect()
  try {
    const done = () =>
      owner.query('delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = $1', [
        'street-lamp.plan',
      ])
    const asked = async () => (await owner.query(`select from graphile_worker.jobs where task_identifier = 'street-lamp.plan'`)).rowCount
    await done()
    await street.comes(sn)
    await street.write(async (tx) => {
      await holdBoxes(tx, [boxCode])
      // The planning passes over a box that is held: nothing is made for it, and nobody would come back before the next minute.
      await street.write((other) => planBoxes(other, street.at(0)))
    })
    expect([await street.told(sn), await asked()]).toEqual([[], 0])
    await street.says(sn, { circuits: [] })
    expect(await asked()).toBe(1)
    await street.write((tx) => planBoxes(tx, street.at(0)))
    expect(await street.told(sn)).toMatchObject([{ method: 'lamp.plan' }])
    await done()
    await street.says(sn, { circuits: [] }, 1)
    expect(await asked()).toBe(0)
  } finally {
    await owner.end()
  }
})

test('a plan is sent again only when something in it has changed', async () => {
  const { boxCode, sn } = await street.aBox(1)
  await street.comes(sn)
  await street.tick(0)
  const [plan] = await street.told(sn)
  await street.answers(sn, plan!)
  await street.sql('update lamp.box_now set plan_due = true where box_code = $1', [boxCode])
  await street.tick(1)
  expect(await street.told(sn)).toEqual([])
  const { data } = await add({ targets: [`${boxCode}-1`], target: 2 })
  await street.tick(2)
  expect((await street.told(sn)).map(({ method, params }) => [method, params['version']])).toEqual([['lamp.plan', 2]])
  expect((await street.post('/streetLampTimer/update', { ...(await row(data.id)), status: 2 })).data.nights[0].winners).toEqual([])
})

test('a circuit switched by hand or tagged out is left alone by the plan', async () => {
  const { sn, ids } = await street.aBox(2)
  await street.post('/streetLampWiring/updateStreetLampWiring', { id: ids[0], version: 1, mode: 2 })
  await street.comes(sn)
  await street.tick(0)
  const [plan] = await street.told(sn)
  expect(plan!.params['circuits']).toMatchObject([
    { circuit: 1, hold: true },
    { circuit: 2, runs: [{ nights: 30 }] },
  ])
})

test('a program that is deleted while it is in force goes on to the noon that ends its night; then the default rules', async () => {
  const { boxCode, ids } = await street.aBox(1)
  const { data } = await add({ name: '今夜', targets: [boxCode] })
  expect((await street.post('/streetLampTimer/delete', await row(data.id))).status).toBe(200)
  const nights = await calendar(ids[0]!, 2)
  expect(nights.map(({ winner }: any) => winner.name)).toEqual(['今夜', `默认程序 ${boxCode}`])
  expect((await street.post('/streetLampTimer/query', { name: '今夜' })).data.records).toEqual([])
})

test('nobody changes or deletes the program that a box falls back to', async () => {
  const { boxCode } = await street.aBox(0)
  const [own] = (await street.post('/streetLampTimer/query', { name: boxCode })).data.records
  const { id, version } = own
  expect((await street.post('/streetLampTimer/delete', { id, version })).code).toBe(42219)
  expect((await street.post('/streetLampTimer/update', { id, version, name: '别名' })).code).toBe(42219)
  expect((await add({ target: 4, targets: [boxCode] })).code).toBe(42219)
})

test.each([
  [{ targets: ['NOBODY'] }, 42217],
  [{ actions: NIGHT.toReversed() }, 42218],
  [
    {
      actions: [
        { at: '18:00', relay: 1, dim: 100 },
        { at: 'sunset', relay: 1, dim: 50 },
      ],
    },
    42218,
  ],
  [{ actions: [] }, 400],
  [{ actions: [{ at: '25:00', relay: 1, dim: 100 }] }, 400],
  [{ actions: [{ at: 'sunset', relay: 1, dim: 0 }] }, 400],
  [{ kind: 1 }, 400],
  [{ kind: 3, luxBelow: 20 }, 400],
  [{ kind: 2, luxBelow: 20 }, 400],
  [{ priority: 0 }, 400],
  [{ dateFrom: '2027-01-02', dateTo: '2027-01-01' }, 400],
  [{ targets: [] }, 400],
])('refused: a program with %j', async (wrong, code) => {
  const { boxCode } = await street.aBox(1)
  expect((await add({ targets: [boxCode], ...wrong })).code).toBe(code)
})

test('run now sends what the program wants this minute; disabled, or by a light that nobody has read, it does not', async () => {
  const { boxCode, sn, ids } = await street.aBox(1)
  await street.comes(sn)
  const always = (await add({ kind: 1, targets: [boxCode], actions: [{ at: '12:00', relay: 1, dim: 70 }] })).data
  const run = (id: string, more = {}) => street.post('/streetLampTimer/execute', { id, ...more })
  expect((await run(always.id)).data.targets).toMatchObject([{ wiringId: ids[0], cmdState: 1 }])
  const set = (await street.told(sn)).find(({ method }) => method === 'lamp.set')
  expect(set!.params['circuits']).toMatchObject([{ circuit: 1, on: 1, dim: 70 }])
  expect((await street.sql('select source from lamp.command where box_code = $1', [boxCode]))[0].source).toBe(2)
  const light = (await add({ kind: 3, targets: [boxCode], actions: [], luxBelow: 20 })).data
  expect((await run(light.id)).code).toBe(42222)
  await street.says(sn, { lux: 5 })
  expect((await run(light.id)).status).toBe(200)
  await street.post('/streetLampTimer/update', { ...(await row(light.id)), status: 2 })
  expect((await run(light.id)).code).toBe(42221)
})

test('a region’s program reaches what lies in it, by the beginning of its code', async () => {
  const inside = await street.aBox(1, { regionCode: '421102' })
  const outside = await street.aBox(1, { regionCode: '421202' })
  const { data } = await add({ name: '全区', target: 3, targets: ['421100'] })
  expect(data.nights[0].winners).toEqual([{ timerId: data.id, name: '全区', circuits: 1 }])
  expect((await calendar(inside.ids[0]!))[0].winner.name).toBe('全区')
  expect((await calendar(outside.ids[0]!))[0].winner.name).not.toBe('全区')
  expect((await add({ target: 3, targets: ['99'] })).code).toBe(42217)
})

test('sixty circuits under a dozen programs: each night names the winner and all who stand back', async () => {
  const { boxCode } = await street.aBox(60, { regionCode: '422800' })
  for (let n = 0; n < 12; n++) await add({ target: 3, targets: ['4228'], priority: 1 + n })
  expect((await add({ targets: [boxCode], priority: 99 })).data.nights[29].losers).toHaveLength(12)
})
