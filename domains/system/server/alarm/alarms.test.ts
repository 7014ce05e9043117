import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instant } from '../../../../platform/contract/field.ts'
import { instantAt } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { lookForAlarms } from './alarms.ts'
import { forgetOld, rollUp } from '../machine/performance.ts'
import { keepSample, type Look } from '../machine/sample.ts'

let server: TestServer
let admin: string
/** Noon of a day whose samples nobody measured. */
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
const at = (seconds: number) => instantAt(NOON + seconds * 1000)
const A = '/lbs/business/serverAlarm'

beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  await write((tx) =>
    run(tx, { sql: 'with a as (delete from system.alarm_record), b as (delete from system.alarm_rule) delete from system.server' }, []),
  )
  await jobs()
})

const write = <T>(work: Parameters<TestServer['house']['writing']>[2]) => server.house.writing(1, 'test', work) as Promise<T>
const look = (name: string, cpuPermille: number): Look => ({
  ...{ name, os: 'Debian', cpu: 'x', cores: 2, memBytes: 8e9, programStartedAt: at(-9000), disks: [{ mount: '/', bytes: 1000, used: 400 }] },
  figures: {
    ...{
      cpuPermille,
      memPermille: 500,
      diskPermille: 400,
      loadPercent: 50,
      netInBytes: 1000,
      netOutBytes: 1000,
      programBytes: 2e8,
      programPermille: 50,
      loopMs: 20,
    },
  },
})
/** A sample every 15 s from one second to another, both included. */
const measure = (cpuPermille: number, from: number, to: number, name = 'app-1') =>
  write(async (tx) => {
    for (let second = from; second <= to; second += 15) await keepSample(tx, look(name, cpuPermille), at(second))
  })
const lookAt = (seconds: number) => write((tx) => lookForAlarms(tx, at(seconds)))
const aRule = async (differs: object = {}) =>
  (
    await server.ask(admin, 'POST', `${A}Rule/save`, {
      name: '处理器过高',
      metric: 1,
      op: 1,
      threshold: 90,
      forMin: 2,
      level: 3,
      silenceMin: 30,
      ...differs,
    })
  ).data
const records = async () => (await server.ask(admin, 'POST', `${A}Record/pageQuery`, {})).data.records
const states = async () => (await records()).map(({ state }: { state: number }) => state)
/** Takes the waiting notice jobs away, and returns their titles. */
async function jobs(): Promise<string[]> {
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ title: string[] }>(
    `with gone as (delete from graphile_worker._private_jobs returning id, task_id, payload) select payload -> 'data' -> 'title' title
     from gone join graphile_worker._private_tasks t on t.id = task_id where t.identifier like 'system.notice%' order by gone.id`,
  )
  await owner.end()
  return rows.map(({ title }) => title[0]!)
}

describe('an alarm', () => {
  test('is raised when the measure has held for its time, once, and told', async () => {
    await aRule()
    await measure(950, 0, 90)
    await lookAt(90)
    expect(await states()).toEqual([])
    await measure(950, 105, 105)
    await measure(960, 120, 120)
    await lookAt(120)
    await lookAt(120)
    const [alarm, ...others] = await records()
    expect(others).toEqual([])
    expect(alarm).toMatchObject({
      state: 0,
      ruleName: '处理器过高',
      serverName: 'app-1',
      value: 960,
      mostValue: 960,
      since: at(0),
      raisedAt: at(120),
      told: true,
    })
    expect(await jobs()).toEqual(['服务器告警（重要）：处理器过高'])
  })
  test('is not raised when the measure came back in between, nor over a gap that nobody measured', async () => {
    await aRule()
    await measure(950, 0, 60)
    await measure(500, 75, 75)
    await measure(950, 90, 150)
    await lookAt(150)
    expect(await states()).toEqual([])
    await measure(950, 270, 330)
    await lookAt(330)
    expect(await states()).toEqual([])
    await measure(950, 345, 390)
    await lookAt(390)
    expect(await states()).toEqual([0])
  })
  test('nothing fresh decides nothing: neither raised nor over', async () => {
    await aRule()
    await measure(950, 0, 120)
    await lookAt(240)
    expect(await states()).toEqual([])
    await lookAt(120)
    expect(await states()).toEqual([0])
    await measure(100, 135, 135)
    await lookAt(240)
    expect(await states()).toEqual([0])
    await measure(100, 240, 240)
    await lookAt(240)
    expect(await states()).toEqual([1])
  })
  test('ends 5 % behind its threshold, and keeps the worst', async () => {
    await aRule()
    await measure(950, 0, 120)
    await lookAt(120)
    await measure(990, 135, 150)
    await measure(870, 165, 180)
    await lookAt(180)
    expect(await records()).toMatchObject([{ state: 0, mostValue: 990, lastValue: 870 }])
    await measure(855, 195, 195)
    await lookAt(195)
    expect(await records()).toMatchObject([{ state: 1, ending: 1, recoveredAt: at(195) }])
    expect(await jobs()).toEqual(['服务器告警（重要）：处理器过高', '服务器告警已恢复：处理器过高'])
  })
  test('raised again within the silence is recorded and not told', async () => {
    await aRule({ forMin: 0, silenceMin: 10 })
    for (const [value, second] of [
      [950, 0],
      [100, 60],
      [950, 120],
      [100, 180],
      [950, 660],
    ] as const) {
      await measure(value, second, second)
      await lookAt(second)
    }
    expect((await records()).map(({ told }: { told: boolean }) => told)).toEqual([true, false, true])
    expect(await jobs()).toEqual(['服务器告警（重要）：处理器过高', '服务器告警已恢复：处理器过高', '服务器告警（重要）：处理器过高'])
  })
  test('is acknowledged once, with a note, and still ends by itself', async () => {
    await aRule({ forMin: 0 })
    await measure(950, 0, 0)
    await lookAt(0)
    const [{ id, version }] = await records()
    const acknowledge = (of: object) => server.ask(admin, 'POST', `${A}Record/acknowledge`, { id, version, note: '已通知机房', ...of })
    expect((await acknowledge({ version: 7 })).status).toBe(409)
    expect((await acknowledge({})).data).toMatchObject({ state: 2, acknowledgedBy: '系统管理员', note: '已通知机房' })
    expect(await acknowledge({ version: version + 1 })).toMatchObject({ status: 409, code: 40010 })
    await lookAt(0)
    await measure(100, 15, 15)
    await lookAt(15)
    expect(await records()).toMatchObject([{ state: 1, acknowledgedBy: '系统管理员', ending: 1 }])
  })
  test('of a server that is silent for too long', async () => {
    await aRule({ metric: 12, threshold: 120, forMin: 1, name: '失联' })
    await measure(100, 0, 0)
    await lookAt(150)
    expect(await states()).toEqual([])
    await lookAt(200)
    expect(await records()).toMatchObject([{ state: 0, since: at(120), value: 200 }])
    await measure(100, 210, 210)
    await lookAt(215)
    expect(await states()).toEqual([1])
  })
  test('is of the chosen servers only, and below or equal are rules too', async () => {
    await measure(20, 0, 0)
    await measure(20, 0, 0, 'app-2')
    const servers = (await server.ask(admin, 'POST', '/lbs/business/performance/queryServerInfo', {})).data
    await aRule({ op: 2, threshold: 5, forMin: 0, serverIds: [servers[1].id], name: '过低' })
    await aRule({ op: 3, threshold: 2, forMin: 0, name: '相等', metric: 1 })
    await lookAt(0)
    expect((await records()).map((one: { ruleName: string; serverName: string }) => `${one.ruleName} ${one.serverName}`).sort()).toEqual([
      '相等 app-1',
      '相等 app-2',
      '过低 app-2',
    ])
  })
})

describe('a rule', () => {
  test('that is disabled, redefined or deleted takes its open alarms with it', async () => {
    const made = await aRule({ forMin: 0 })
    await measure(950, 0, 0)
    await lookAt(0)
    const disabled = (await server.ask(admin, 'POST', `${A}Rule/update`, { id: made.id, version: made.version, enabled: false })).data
    expect(await records()).toMatchObject([{ state: 1, ending: 2 }])
    await lookAt(0)
    expect(await states()).toEqual([1])
    const again = (await server.ask(admin, 'POST', `${A}Rule/update`, { id: made.id, version: disabled.version, enabled: true })).data
    await lookAt(0)
    expect((await server.ask(admin, 'POST', `${A}Rule/delete`, { id: made.id, version: again.version })).status).toBe(200)
    expect((await records()).map(({ ending }: { ending: number }) => ending).sort()).toEqual([2, 3])
  })
  test('of a percentage above 100, of a name that is there, of another’s version is refused', async () => {
    const made = await aRule()
    expect((await server.ask(admin, 'POST', `${A}Rule/save`, { name: '另一条', metric: 1, op: 1, threshold: 101, level: 1 })).status).toBe(422)
    expect((await server.ask(admin, 'POST', `${A}Rule/save`, { name: '处理器过高', metric: 1, op: 1, threshold: 80, level: 1 })).status).toBe(409)
    expect((await server.ask(admin, 'POST', `${A}Rule/update`, { id: made.id, version: 9, threshold: 80 })).status).toBe(409)
    expect((await server.ask(admin, 'POST', `${A}Rule/save`, { name: 'x', metric: 99, op: 1, threshold: 1, level: 1 })).status).toBe(400)
  })
  test('is for those who run the installation: another company sees no machine of it', async () => {
    const other = await server.signIn('otheradmin')
    for (const address of [`${A}Rule/pageQuery`, `${A}Record/pageQuery`, '/lbs/business/performance/queryServerInfo'])
      expect((await server.ask(other, 'POST', address, {})).status).toBe(403)
    expect((await server.ask(admin, 'GET', `${A}Rule/getReceivers`)).data.people.map(({ name }: { name: string }) => name)).toContain(
      '系统管理员 (admin)',
    )
  })
})

describe('figures', () => {
  const P = '/lbs/business/performance'
  const idOf = async (): Promise<string> => (await server.ask(admin, 'POST', `${P}/queryServerInfo`, {})).data[0].id
  const cpu = async (from: Instant, to: Instant) =>
    (await server.ask(admin, 'POST', `${P}/queryCpuProportion`, { serverId: await idOf(), from, to })).data

  test('a gap is a gap and no zero; several processes of one machine make one sample', async () => {
    await measure(200, 0, 30)
    await measure(900, 15, 15)
    await measure(400, 90, 90)
    const { points, stepSeconds } = await cpu(at(0), at(120))
    expect(stepSeconds).toBe(15)
    expect(points.map(({ mean }: { mean: number | null }) => mean)).toEqual([200, 200, 200, null, null, null, 400, null])
  })
  test('five minutes become one figure, once, when they are over', async () => {
    await measure(200, 0, 285)
    await measure(400, 300, 585)
    await write((tx) => rollUp(tx, at(600)))
    await write((tx) => rollUp(tx, at(700)))
    await write((tx) => rollUp(tx, at(700)))
    const rows = await write<{ at: Instant; mean: number; samples: number }[]>(
      (tx) =>
        run(
          tx,
          { sql: `select f.at, mean, samples from system.server_figure f join system.server s on s.id = server_id where metric = 1 order by f.at` },
          [],
        ) as never,
    )
    expect(rows).toEqual([
      { at: at(0), mean: 200, samples: 20 },
      { at: at(300), mean: 400, samples: 20 },
    ])
    const { points } = await cpu(at(-3 * 86_400), at(600))
    expect(points.findLast(({ mean }: { mean: number | null }) => mean !== null)).toMatchObject({ most: 400 })
  })
  test('samples go after 7 days, figures and machines after 90', async () => {
    await measure(200, 0, 285)
    await write((tx) => rollUp(tx, at(700)))
    const left = () =>
      write<{ raw: number; figures: number; servers: number }[]>(
        (tx) =>
          run(
            tx,
            {
              sql: 'select (select count(*)::int from system.server_sample) raw, (select count(*)::int from system.server_figure) figures, (select count(*)::int from system.server) servers',
            },
            [],
          ) as never,
      ).then(([one]) => one!)
    expect((await left()).raw).toBeGreaterThan(0)
    await write((tx) => forgetOld(tx, at(9 * 86_400)))
    expect(await left()).toMatchObject({ raw: 0, servers: 1 })
    expect((await left()).figures).toBeGreaterThan(0)
    await write((tx) => forgetOld(tx, at(91 * 86_400)))
    expect(await left()).toEqual({ raw: 0, figures: 0, servers: 0 })
  })
  test('what is asked is one of a list; a time is neither nothing nor a year', async () => {
    await measure(200, 0, 0)
    const serverId = await idOf()
    expect((await server.ask(admin, 'POST', `${P}/querySeries`, { serverId, metric: 'cpu; rm -rf /' })).status).toBe(400)
    expect((await server.ask(admin, 'POST', `${P}/querySeries`, { serverId, metric: 1, from: at(0), to: at(0) })).status).toBe(422)
    expect((await server.ask(admin, 'POST', `${P}/querySeries`, { serverId, metric: 1, from: at(-400 * 86_400), to: at(0) })).status).toBe(422)
    expect((await server.ask(admin, 'POST', `${P}/queryResourceProportion`, { serverId })).data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'memory',
      'disk',
      'database',
    ])
    expect((await server.ask(admin, 'POST', `${P}/queryCurrentNumInfo`, {})).data).toMatchObject({ servers: 1, online: 0, offline: 1, openAlarms: 0 })
  })
})
