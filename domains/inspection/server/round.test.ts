import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tick } from './life.ts'
import { AT, aGround, type Ground, ok } from './testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.close())

const RIGHT = [
  { itemName: '外观', ok: true },
  { itemName: '电压', value: '220' },
]
const NEAR = { lng: AT.lng + 0.0009, lat: AT.lat }
const FAR = { lng: AT.lng + 0.0012, lat: AT.lat }
const looks = (deviceNo: string, lines: object[] = RIGHT) => lines.map((line) => ({ deviceNo, ...line }))
async function aTask(devices = 2, more: object = {}) {
  const { parkCode, devices: numbers } = await ground.parkWith(devices)
  const rule = await ground.rule({ parkCodes: [parkCode], ...more })
  const [task] = await ground.tasksOf(rule.id)
  return { parkCode, devices: numbers as [string, string], task, rule, tollNo: await ground.inspector(parkCode) }
}
const now = (ms = 0) => new Date(Date.now() + ms).toISOString()
type Sent = { lines: object[]; devices: object[]; mid?: string; startedAt?: string; endedAt?: string }
const send = ({ task, tollNo }: { task: any; tollNo: string }, sent: Sent, token?: string) =>
  ground.post('/patrolRecord/insert', { taskId: task.id, tollNo, startedAt: now(-1000), endedAt: now(), mid: randomUUID(), ...sent }, token)
const stateOf = async (task: any) => (await ground.sql('select * from inspection.task where id = $1', [task.id]))[0]

test('a round begins a task and ends it when each device has all its items, or a reason', async () => {
  const of = await aTask(3)
  const [one, two, three] = of.devices as unknown as [string, string, string]
  const first = await ok(send(of, { lines: looks(one, [RIGHT[0]!]), devices: [{ deviceNo: one, ...NEAR }] }))
  expect(first.data).toMatchObject({ state: 1, repairNos: [] })
  await ok(send(of, { lines: [...looks(one, [RIGHT[1]!]), ...looks(two)], devices: [one, two].map((deviceNo) => ({ deviceNo, ...NEAR })) }))
  expect((await ground.get('/patrolRecord/devices', { taskId: of.task.id })).data).toMatchObject([{ done: true }, { done: true }, { done: false }])
  const last = await ok(send(of, { lines: [], devices: [{ deviceNo: three, reason: '围挡施工' }] }))
  expect(last.data.state).toBe(2)
  expect(await stateOf(of.task)).toMatchObject({ state: 2, dueCount: 3 })
  expect((await send(of, { lines: looks(one), devices: [{ deviceNo: one, ...NEAR }] })).code).toBe(40010)
  const { data } = await ground.get('/inspection/result/selectListByPage', { parkCode: of.parkCode, orderByColumn: 'deviceNo', isAsc: true })
  expect(data.records.map(({ conclusion, reason }: any) => [conclusion, reason])).toEqual([
    [1, null],
    [1, null],
    [1, null],
    [3, '围挡施工'],
  ])
  const { data: records } = await ground.get('/patrolRecord/find', { taskId: of.task.id })
  expect(records.total).toBe(3)
  // The task counts as its rounds do: a skipped device is not among the inspected ones.
  const { data: tasks } = await ground.get('/inspection/scheduling/selectListByPage', { taskNo: of.task.taskNo })
  expect(tasks.records[0]).toMatchObject({ devicesDue: 3, devicesDone: 2, devicesSkipped: 1 })
  expect(records.records.map(({ devices, skipped }: any) => [devices, skipped])).toContainEqual([0, 1])
  expect((await ground.get('/patrolRecord/findPatrolRecordDetails', { recordId: first.data.recordId })).data).toMatchObject([
    { deviceNo: one, ok: true, proof: 2 },
  ])
})

test('nobody looks from afar: a code of the device or its park, or a hundred metres', async () => {
  const of = await aTask(1)
  const [deviceNo] = of.devices
  const [{ sign }] = (await ground.sql(`select parking.qr_signature('device ' || $1, 1) as sign`, [deviceNo])) as [{ sign: string }]
  const tries = (devices: object[]) => send(of, { lines: looks(deviceNo, [RIGHT[0]!]), devices })
  expect((await tries([])).code).toBe(42010)
  expect((await tries([{ deviceNo, ...FAR }])).code).toBe(42010)
  expect((await tries([{ deviceNo, code: `1.${deviceNo}.${sign.slice(1)}x` }])).code).toBe(42010)
  const other = await ground.parkWith(1)
  expect((await tries([{ deviceNo, code: await ground.codeOf(other.parkCode) }])).code).toBe(42010)
  await ok(tries([{ deviceNo, code: `https://p.example/d/1.${deviceNo}.${sign}` }]))
  await ok(tries([{ deviceNo, code: await ground.codeOf(of.parkCode) }]))
  await ok(tries([{ deviceNo, ...NEAR }]))
})

test('a round that was sent before is the same one, two at once also', async () => {
  const of = await aTask(1)
  const [deviceNo] = of.devices
  const sent = { mid: randomUUID(), lines: looks(deviceNo, [{ itemName: '外观', ok: false, level: 2 }]), devices: [{ deviceNo, ...NEAR }] }
  const [one, two] = await Promise.all([ok(send(of, sent)), ok(send(of, sent))])
  expect(two.data).toEqual(one.data)
  expect((await ground.sql('select count(*)::int as n from inspection.record where task_id = $1', [of.task.id]))[0]).toEqual({ n: 1 })
  const another = await ground.rule({ parkCodes: [of.parkCode] })
  const [task] = await ground.tasksOf(another.id)
  expect((await send({ ...of, task }, sent)).code).toBe(42017)
})

test('two rounds find a device bad: one repair with two lines, and one order from level high on', async () => {
  const of = await aTask(1)
  const [deviceNo] = of.devices
  const bad = (line: object) => ({ lines: looks(deviceNo, [line]), devices: [{ deviceNo, ...NEAR }] })
  const one = await ok(send(of, bad({ itemName: '外观', ok: false, level: 3 })))
  const two = await ok(send(of, bad({ itemName: '电压', value: '180', level: 4 })))
  expect(one.data.repairNos).toHaveLength(1)
  expect(two.data.repairNos).toEqual(one.data.repairNos)
  const [repair] = await ground.sql('select * from inspection.repair where device_no = $1', [deviceNo])
  expect(repair).toMatchObject({ reports: 2, level: 4, source: 1 })
  expect((await ground.sql('select count(*)::int as n from after_sale.work_order where device_no = $1', [deviceNo]))[0]).toEqual({ n: 1 })
  const { data } = await ground.get('/inspection/scheduling/selectListByPage', { taskNo: of.task.taskNo })
  expect(data.records[0]).toMatchObject({ state: 2, abnormal: 1, devicesDone: 1 })
  await ok(ground.post('/inspection/scheduling/add', { recheckOf: of.task.id, planFrom: ground.clock(1), planTo: ground.clock(2) }))
  const [again] = await ground.sql('select * from inspection.task where source = 4 and park_code = $1', [of.parkCode])
  expect(again).toMatchObject({ deviceNos: [deviceNo], state: 0 })
  const day = ground.clock(0, 12).slice(0, 10)
  expect((await ground.get('/inspection/result/rankingTopNum', { dateFrom: day, dateTo: day, parkCode: of.parkCode })).data).toMatchObject([
    { inspected: 1, abnormal: 1, abnormalRate: 1000 },
  ])
})

test('a number is judged by its bounds, a picture is there, and what is wrong has a level', async () => {
  const items = [
    { name: '外观', type: 1 },
    { name: '电压', type: 2, min: 200, max: 240 },
    { name: '照片', type: 3 },
  ]
  const of = await aTask(1, { items })
  const [deviceNo] = of.devices
  const one = (line: object) => send(of, { lines: looks(deviceNo, [line]), devices: [{ deviceNo, ...NEAR }] })
  expect((await one({ itemName: '电压', value: '241', ok: true })).code).toBe(42013)
  expect((await one({ itemName: '电压', value: '2e2' })).code).toBe(42013)
  expect((await one({ itemName: '外观' })).code).toBe(42013)
  expect((await one({ itemName: '照片', ok: true })).code).toBe(42013)
  expect((await one({ itemName: '没有', ok: true })).code).toBe(42012)
  expect((await send(of, { lines: looks('NONE'), devices: [] })).code).toBe(42011)
  expect((await send(of, { lines: looks(deviceNo, [RIGHT[0]!, RIGHT[0]!]), devices: [{ deviceNo, ...NEAR }] })).status).toBe(400)
  expect((await send(of, { lines: [], devices: [] })).status).toBe(400)
  await ok(one({ itemName: '电压', value: '240' }))
})

test('not before its time, not another’s, not under another’s number, and not when its period is over', async () => {
  const of = await aTask(1, { cycle: 1 })
  const [deviceNo] = of.devices
  const round = { lines: looks(deviceNo), devices: [{ deviceNo, ...NEAR }] }
  const next = (await ground.tasksOf(of.rule.id))[1]
  expect((await send({ ...of, task: next }, round)).code).toBe(42016)
  expect((await send(of, { ...round, startedAt: now(3_600_000), endedAt: now(3_600_000) })).status).toBe(400)
  expect((await send(of, { ...round, startedAt: now(), endedAt: now(-60_000) })).status).toBe(400)
  const other = await ground.inspector(of.parkCode)
  await ok(ground.post('/inspection/scheduling/update', { id: of.task.id, version: 1, tollNo: other }))
  expect((await send(of, round)).code).toBe(42014)
  await ok(ground.post('/inspection/scheduling/update', { id: of.task.id, version: 2, tollNo: of.tollNo }))
  await ground.write((tx) => tick(tx, ground.clock(2)))
  expect(await stateOf(of.task)).toMatchObject({ state: 4 })
  // Made in its period by its own clock, it only came late.
  await ok(send(of, { ...round, startedAt: ground.clock(0), endedAt: ground.clock(0) }))
  expect(await stateOf(of.task)).toMatchObject({ state: 2 })
})

test('what was left to look at is scrapped: the round that was begun is done; a park without such devices has no task', async () => {
  const of = await aTask(2)
  const [one, two] = of.devices
  await ok(send(of, { lines: looks(one), devices: [{ deviceNo: one, ...NEAR }] }))
  await ground.sql('update device.device set use_status = 3, park_code = null where device_no = $1', [two])
  await ground.write((tx) => tick(tx, now() as never))
  expect(await stateOf(of.task)).toMatchObject({ state: 2, dueCount: 1 })
  const bare = await ground.parkWith(0)
  const rule = await ground.rule({ parkCodes: [bare.parkCode] })
  expect(await ground.tasksOf(rule.id)).toEqual([])
})
