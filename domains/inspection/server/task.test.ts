import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { planAll, tick } from './life.ts'
import { partsAhead } from './periods.ts'
import { aGround, type Ground, ITEMS, ok } from './testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.close())

test('a rule makes its tasks a week ahead, once, and another rhythm plans anew', async () => {
  const { parkCode } = await ground.parkWith(2)
  const rule = await ground.rule({ parkCodes: [parkCode], times: 2 })
  const first = await ground.tasksOf(rule.id)
  expect(first.length).toBeGreaterThanOrEqual(14)
  await ground.write((tx) => planAll(tx, new Date().toISOString() as never))
  expect((await ground.tasksOf(rule.id)).length).toBe(first.length)
  const { data } = await ok(ground.post('/patrolRules/update', { id: rule.id, version: rule.version, cycle: 2, times: 1 }))
  expect(data).toMatchObject({ cancelled: first.length })
  expect(data.created).toBeGreaterThanOrEqual(1)
  const { data: page } = await ground.get('/inspection/scheduling/selectListByPage', { ruleId: rule.id, state: [0] })
  expect(page.records[0]).toMatchObject({ parkCode, devicesDue: 2, devicesDone: 0, abnormal: 0, source: 1 })
})

test('periods are of the city’s calendar: weeks from Monday, months of any length, in whole days', () => {
  const parts = partsAhead({ cycle: 2, times: 3 }, '2026-11-25T02:00:00.000Z' as never)
  expect(parts.map(({ slot, planFrom, planTo }) => [slot, planFrom, planTo])).toEqual([
    ['2/3/2026-11-23/2', '2026-11-24T16:00:00.000Z', '2026-11-26T16:00:00.000Z'],
    ['2/3/2026-11-23/3', '2026-11-26T16:00:00.000Z', '2026-11-29T16:00:00.000Z'],
    ['2/3/2026-11-30/1', '2026-11-29T16:00:00.000Z', '2026-12-01T16:00:00.000Z'],
    ['2/3/2026-11-30/2', '2026-12-01T16:00:00.000Z', '2026-12-03T16:00:00.000Z'],
  ])
  expect(partsAhead({ cycle: 3, times: 1 }, '2027-02-28T15:59:59.000Z' as never)[0]).toMatchObject({ planTo: '2027-02-28T16:00:00.000Z' })
})

test('a park that goes loses what waits and keeps what is begun; trying it out changes nothing', async () => {
  const [stays, goes, comes] = [await ground.parkWith(1), await ground.parkWith(1), await ground.parkWith(1)]
  const rule = await ground.rule({ cycle: 3, parkCodes: [stays.parkCode, goes.parkCode] })
  const begun = (await ground.tasksOf(rule.id)).filter((one) => one.parkCode === goes.parkCode)
  await ground.sql('update inspection.task set state = 1, started_at = now() where id = $1', [begun[0].id])
  const more = begun.length - 1
  const wanted = { ruleId: rule.id, version: rule.version, parkCodes: [stays.parkCode, comes.parkCode] }
  const tried = (await ok(ground.post('/patrolRules/updateParksOfRules', { ...wanted, dryRun: true }))).data
  expect((await ground.tasksOf(rule.id)).some((one) => one.parkCode === comes.parkCode)).toBe(false)
  const { data } = await ok(ground.post('/patrolRules/updateParksOfRules', wanted))
  expect(data).toEqual(tried)
  expect(data).toMatchObject({ cancelled: more })
  const tasks = await ground.tasksOf(rule.id)
  expect(tasks.find((one) => one.id === begun[0].id)).toMatchObject({ state: 1 })
  expect(tasks.some((one) => one.parkCode === comes.parkCode && one.state === 0)).toBe(true)
  const now = (await ground.sql('select version from inspection.rule where id = $1', [rule.id]))[0].version
  expect((await ground.post('/patrolRules/delete', { id: rule.id, version: now })).code).toBe(42003)
  expect((await ground.post('/patrolRules/updateParksOfRules', { ...wanted, version: now, parkCodes: ['NONE'] })).code).toBe(42002)
  expect((await ground.post('/patrolRules/updateParksOfRules', wanted)).status).toBe(409)
})

test('rules with wrong items, too many times or a name that is taken are refused', async () => {
  const rule = await ground.rule({})
  const insert = (more: object) =>
    ground.post('/patrolRules/insert', { name: `另${Math.random()}`, deviceTypes: [1], cycle: 1, items: ITEMS, ...more })
  expect((await insert({ name: rule.name })).code).toBe(42000)
  expect((await insert({ times: 7 })).code).toBe(42001)
  for (const items of [[], [ITEMS[0], ITEMS[0]], [{ name: '外观', type: 1, min: 3 }], [{ name: '电压', type: 2, min: 3, max: 1 }]])
    expect((await insert({ items })).status).toBe(400)
  const both = await Promise.all([insert({ name: '同时' }), insert({ name: '同时' })])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 42000])
})

test('a task is moved, given to inspectors alone and cancelled with a reason; what is begun needs one', async () => {
  const { parkCode } = await ground.parkWith(1)
  const rule = await ground.rule({})
  await ok(ground.post('/inspection/scheduling/add', { ruleId: rule.id, parkCode, planFrom: ground.clock(1), planTo: ground.clock(2) }))
  const [made] = await ground.tasksOf(rule.id)
  const update = (more: object, version: number) => ground.post('/inspection/scheduling/update', { id: made.id, version, ...more })
  const collector = await ground.inspector(parkCode, { tollType: 2 })
  const inspector = await ground.inspector(parkCode)
  expect((await update({ tollNo: collector }, 1)).code).toBe(42004)
  await ok(update({ tollNo: inspector, planTo: ground.clock(3) }, 1))
  expect((await update({ planFrom: ground.clock(4) }, 2)).status).toBe(400)
  expect((await update({ state: 5 }, 2)).code).toBe(42005)
  await ground.sql('update inspection.task set state = 1, started_at = now() where id = $1', [made.id])
  expect((await update({ planTo: ground.clock(4) }, 2)).code).toBe(42005)
  expect((await ground.post('/inspection/scheduling/delete', { id: made.id })).code).toBe(40010)
  await ok(update({ state: 5, reason: '车场停用' }, 2))
  expect((await update({ tollNo: null }, 3)).code).toBe(42005)
  expect((await update({ tollNo: null, reason: '换人' }, 3)).code).toBe(40010)
  expect((await ground.tasksOf(rule.id))[0]).toMatchObject({ state: 5, dueCount: 1, reason: '车场停用' })
})

test('a task of a rule is not deleted; one by hand is', async () => {
  const { parkCode } = await ground.parkWith(1)
  const rule = await ground.rule({ parkCodes: [parkCode] })
  const [made] = await ground.tasksOf(rule.id)
  expect((await ground.post('/inspection/scheduling/delete', { id: made.id })).code).toBe(42006)
  await ok(ground.post('/inspection/scheduling/add', { ruleId: rule.id, parkCode, planFrom: ground.clock(1), planTo: ground.clock(2) }))
  const hand = (await ground.tasksOf(rule.id)).find((one) => one.source === 2)
  await ok(ground.post('/inspection/scheduling/delete', { id: hand.id, version: 1 }))
})

test('overdue when its time is over, missed when its period is and nobody began; once begun it stays overdue', async () => {
  const { parkCode } = await ground.parkWith(3)
  const rule = await ground.rule({ cycle: 2, times: 7, parkCodes: [parkCode] })
  const [one, two] = await ground.tasksOf(rule.id)
  await ground.sql('update inspection.task set state = 1, started_at = plan_from where id = $1', [two.id])
  await ground.write((tx) => tick(tx, one.planTo))
  const states = async () => (await ground.tasksOf(rule.id)).slice(0, 2).map(({ state, dueCount }) => [state, dueCount])
  if (one.planTo !== one.periodTo) expect((await states())[0]).toEqual([3, null])
  await ground.write((tx) => tick(tx, ground.clock(20)))
  await ground.write((tx) => tick(tx, ground.clock(20)))
  expect(await states()).toEqual([
    [4, 3],
    [3, null],
  ])
})

test('a sheet of tasks is imported once; a wrong name is said', async () => {
  const { parkCode } = await ground.parkWith(1)
  const rule = await ground.rule({})
  const send = (name: string) =>
    sendSheet(
      ground.server,
      ground.admin,
      '/lbs/device/inspection/scheduling/import',
      `规则名称,车场编号,计划开始,计划完成\n${name},${parkCode},2030-01-01 08:00:00,2030-01-01 18:00:00\n`,
    )
  expect((await send(rule.name)).data).toMatchObject({ added: 1, bad: 0 })
  expect((await send(rule.name)).data).toMatchObject({ added: 0, same: 1 })
  expect((await send('没有')).data ?? {}).not.toMatchObject({ written: true })
  expect(await ground.tasksOf(rule.id)).toMatchObject([{ source: 3, state: 0 }])
})

test('tasks come as they are gone through: overdue and today’s before the furthest, and what is over behind them', async () => {
  const { parkCode } = await ground.parkWith(1)
  const add = (days: number, hours: number) =>
    ok(
      ground.post('/inspection/scheduling/add', {
        name: '加检',
        parkCode,
        deviceTypes: [1],
        items: ITEMS,
        planFrom: ground.clock(days, hours),
        planTo: ground.clock(days + 1, hours),
      }),
    )
  for (const [days, hours] of [
    [20, 0],
    [0, 1],
    [5, 0],
  ] as const)
    await add(days, hours)
  await ground.sql(
    `insert into inspection.task (name, park_code, device_types, items, plan_from, plan_to, state, source, due_count) select name, park_code, device_types, items, plan_from - interval '30 days', plan_to - interval '30 days', 4, 2, 1 from inspection.task where park_code = $1 and plan_from < $2`,
    [parkCode, ground.clock(1)],
  )
  const { data } = await ground.get('/inspection/scheduling/selectListByPage', { parkCode })
  expect(data.records.map(({ planFrom, state }: any) => [Date.parse(planFrom), state])).toEqual([
    [Date.parse(ground.clock(0, 1)), 0],
    [Date.parse(ground.clock(5)), 0],
    [Date.parse(ground.clock(20)), 0],
    [Date.parse(ground.clock(-30, 1)), 4],
  ])
})
