import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { DeviceType, WarningLevel, WarningState, WarningType } from '../contract/device.ts'
import { RuleStatus } from '../contract/warningRule.ts'
import { hear } from './hear.ts'
import { raise, raiseLasting, recoverOf } from './warning.ts'

let server: TestServer
let owner: pg.Pool
let admin: string
const call = (method: string, path: string, body: object, token: string | null = admin) => server.ask(token, method, `/lbs/device${path}`, body)
const rule = async (body: object) => (await call('POST', '/deviceWarning/warningAdd', { level: WarningLevel.minor, ...body })).data
const inHouse = <T>(work: Parameters<typeof server.house.writing<T>>[2]) => server.house.writing(1, 'test', work)
const warningsOf = async (deviceNo: string) => (await call('POST', '/parkDevice/findDeivceWarning', { deviceNo })).data.records as any[]

beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Pool({ connectionString: server.ownerUrl })
  admin = await server.signIn('admin')
  for (const parkCode of ['P001', 'P002'])
    await server.ask(admin, 'POST', '/lbs/basic/parkInfo/add', { parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 10 })
  for (const [deviceNo, parkCode] of [
    ['W-1', 'P001'],
    ['W-2', 'P002'],
    ['W-3', 'P002'],
  ] as const)
    await call('POST', '/iotDevice/insertIotDevice', { deviceNo, name: deviceNo, type: DeviceType.barrier, parkCode })
})
afterAll(async () => {
  await owner?.end()
  await server?.close()
})

test('a park’s own rule goes before the enterprise’s, which holds for all other parks', async () => {
  await rule({ name: '求助', type: WarningType.help })
  await rule({ name: '求助 P001', type: WarningType.help, parkCode: 'P001', level: WarningLevel.critical })
  await inHouse(async (tx) => {
    await raise(tx, 'W-1', WarningType.help)
    await raise(tx, 'W-2', WarningType.help)
  })
  expect((await warningsOf('W-1'))[0].level).toBe(WarningLevel.critical)
  expect((await warningsOf('W-2'))[0].level).toBe(WarningLevel.minor)
  const { records } = (await call('GET', '/deviceWarning/warningInfo', { type: WarningType.help })).data
  expect(records.map((one: any) => [one.name, one.openCount])).toEqual([
    ['求助', 1],
    ['求助 P001', 1],
  ])
})

test('state.device-and-warning-toggle: a rule that is off raises nothing; its open warnings stay, or are closed with it', async () => {
  const found = await rule({ name: '报文', type: WarningType.badMessages, threshold: 5 })
  await inHouse((tx) => raise(tx, 'W-3', WarningType.badMessages, 'json'))
  const off = (closeOpen?: number) =>
    call('GET', '/deviceWarning/statusChange', { id: found.id, status: RuleStatus.off, ...(closeOpen !== undefined && { closeOpen }) })
  expect((await off()).data.status).toBe(RuleStatus.off)
  expect((await warningsOf('W-3')).map(({ state }) => state)).toEqual([WarningState.open])
  await inHouse((tx) => raise(tx, 'W-3', WarningType.badMessages, 'form'))
  expect(await warningsOf('W-3')).toHaveLength(1)
  const again = await off(1)
  expect(again.status).toBe(200)
  expect((await warningsOf('W-3')).map(({ state }) => state)).toEqual([WarningState.closed])
})

test('the same status again is the same answer and no second change', async () => {
  const { data } = await call('GET', '/deviceWarning/warningInfo', { type: WarningType.badMessages })
  const [{ id, version }] = data.records
  const again = await call('POST', '/deviceWarning/statusChange', { id, status: RuleStatus.off })
  expect(again.data.version).toBe(version)
})

test('a car that paid and stands before a closed barrier is always warned of', async () => {
  const { id } = await rule({ name: '未放行', type: WarningType.paidButShut })
  const off = await call('GET', '/deviceWarning/statusChange', { id, status: RuleStatus.off })
  expect(off).toMatchObject({ status: 409, code: 40721 })
})

test('a paid car’s warning recovers whichever device gave it: the barrier that stood there before, or the one that came in its place', async () => {
  for (const sn of ['W-1', 'W-2']) await inHouse((tx) => raise(tx, sn, WarningType.paidButShut, 'TC-gone'))
  await inHouse((tx) => raise(tx, 'W-1', WarningType.paidButShut, 'TC-stays'))
  await inHouse((tx) => recoverOf(tx, WarningType.paidButShut, 'TC-gone'))
  const of = async (sn: string) =>
    (await warningsOf(sn)).filter(({ type }) => type === WarningType.paidButShut).map(({ subject, state }) => [subject, state])
  expect(await of('W-1')).toEqual([
    ['TC-stays', WarningState.open],
    ['TC-gone', WarningState.recovered],
  ])
  expect(await of('W-2')).toEqual([['TC-gone', WarningState.recovered]])
})

test('one rule for a type and park; a threshold only where something is counted, a duration only where something lasts', async () => {
  const add = (body: object) => call('POST', '/deviceWarning/warningAdd', { name: 'x', level: WarningLevel.minor, ...body })
  expect((await add({ type: WarningType.help, parkCode: 'P001' })).code).toBe(40722)
  expect((await add({ type: WarningType.unhandled, threshold: 3 })).code).toBe(40723)
  expect((await add({ type: WarningType.clockOff, threshold: 5 })).code).toBe(40724)
  expect((await add({ type: WarningType.unhandled, durationSec: 60 })).code).toBe(40725)
  expect((await add({ type: WarningType.unhandled, parkCode: 'P999' })).code).toBe(40726)
  expect((await add({ type: WarningType.unhandled, parkCode: 'P002' })).status).toBe(200)
})

test('a barrier is warned of when it was blocked as long as its rule asks, and not when it came free before', async () => {
  await rule({ name: '受阻', type: WarningType.blocked, durationSec: 120 })
  let mid = 0
  const says = (sn: string, state: string) =>
    inHouse((tx) =>
      hear(tx, {
        sn,
        kind: 'event',
        mid: `${sn}${mid++}`,
        ts: Date.now(),
        receivedMs: Date.now(),
        offline: false,
        seq: null,
        type: 'gate',
        body: { state },
      }),
    )
  const blocked = async (sn: string) => (await warningsOf(sn)).filter(({ type }) => type === WarningType.blocked)
  await says('W-1', 'blocked')
  await says('W-2', 'blocked')
  await inHouse(raiseLasting)
  expect(await blocked('W-1')).toHaveLength(0)
  await says('W-2', 'closed')
  await owner.query(`update device.warning_pending set since = since - interval '3 minutes'`)
  await inHouse(raiseLasting)
  expect(await blocked('W-1')).toHaveLength(1)
  expect(await blocked('W-2')).toHaveLength(0)
  await says('W-1', 'closed')
  expect((await blocked('W-1'))[0].state).toBe(WarningState.recovered)
})

test('within the silence of its rule the same kind again is recorded and nobody is told', async () => {
  await rule({ name: '无法处理 P001', type: WarningType.unhandled, parkCode: 'P001', silenceMin: 10 })
  await inHouse(async (tx) => {
    await raise(tx, 'W-1', WarningType.unhandled, 'a')
    await raise(tx, 'W-1', WarningType.unhandled, 'b')
  })
  const { rows } = await owner.query(`select subject, told from device.warning where device_no = 'W-1' and type = $1 order by subject`, [
    WarningType.unhandled,
  ])
  expect(rows).toEqual([
    { subject: 'a', told: true },
    { subject: 'b', told: false },
  ])
})

test('warnings are acknowledged and closed all or none, with who did it', async () => {
  const open = (await warningsOf('W-1')).filter(({ state }) => state === WarningState.open)
  const ids = open.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(1)
  const handle = (some: string[], state: number) => call('POST', '/deviceWarning/handle', { ids: some, state, remark: '已派人' })
  expect((await handle([ids[0]], WarningState.closed)).status).toBe(200)
  expect((await handle(ids, WarningState.acknowledged)).code).toBe(40727)
  expect((await warningsOf('W-1')).filter(({ state }) => state === WarningState.acknowledged)).toHaveLength(0)
  expect((await handle(ids.slice(1), WarningState.acknowledged)).data.handled).toBe(ids.length - 1)
  const closed = (await warningsOf('W-1')).find(({ id }) => id === ids[0])
  expect(closed).toMatchObject({ state: WarningState.closed, remark: '已派人' })
  expect(closed.handledBy).toBeTruthy()
})
