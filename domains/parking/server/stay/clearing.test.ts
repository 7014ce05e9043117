import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import type { Fen, Id, Instant } from '../../../../platform/contract/field.ts'
import { tokenOfParks, tokenOfSomeoneWho } from '../../../../tests/support/roles.ts'
import { ClearingState, SECOND_PERSON_FEN } from '../../contract/clearing.ts'
import type { StayId } from '../../contract/stay.ts'
import { HeldWhy } from '../../contract/heldBill.ts'
import { askedAt } from '../bill/asked.ts'
import { clearField } from './clearing.ts'
import { parkOf } from '../place/park.ts'
import { aGround, aSecond, type Field, type Ground } from '../testing.ts'

/** Clearing up to a limit is one person's decision; above it another one decides. */
let ground: Ground
let second: string
beforeAll(async () => {
  ground = await aGround()
  second = await aSecond(ground)
})
afterAll(() => ground.server.close())

const record = (path: string, body: object, token = ground.admin) => ground.ask(token, `/fee/parkRecord/${path}`, body)
const decide = (path: string, { id, version }: { id: string; version: number }, token: string, more: object = {}) =>
  ground.ask(token, `/fee/parkClearing/${path}`, { id, version, ...more })
const reason = '停电后核对'
const TOLD = 'select p.username, m.link from message.record m join identity.person p on p.id = m.cust_id where m.concerns = $1'
/** The minutes of the test's field until now, by its clock. */
const minutesNow = (field: Field) => (Date.now() - Date.parse(field.at(0))) / 60_000
const inside = async (field: Field, plate: string, hours: number) => {
  await field.enters(plate, minutesNow(field) - hours * 60 + 30)
  return (await field.stay(plate)).id
}
/** Eleven days: more than half of what one person may give up, and not all of it. */
const HALF = 11 * 24

test('clearing gives up what one person may; from the limit on, in parts too, another decides, and until then the cars stay inside', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const first = await inside(field, '鄂F48001', HALF)
  const other = await inside(field, '鄂F48002', HALF)
  expect((await record('countToClear', { parkCode, ids: [first] })).data).toMatchObject({ count: 1, waits: false })
  expect((await record('countToClear', { parkCode, ids: [first, other] })).data).toMatchObject({ count: 2, waits: true })
  const { data: both } = await record('countToClear', { parkCode, ids: [first, other] })
  expect(both.amountFen).toBeGreaterThanOrEqual(SECOND_PERSON_FEN)
  const { data: alone } = await record('clear', { parkCode, reason, ids: [first] })
  expect(alone).toMatchObject({ state: ClearingState.cleared, amountFen: both.amountFen / 2, approverName: null })
  const { data: asked } = await record('clear', { parkCode, reason, ids: [other] })
  expect(asked).toMatchObject({ state: ClearingState.waiting, count: 1, clearedAt: null })
  expect(await field.stay('鄂F48002')).toMatchObject({ status: 1 })
  const told = await field.write((tx) => run<{ username: string; link: string }>(tx, { sql: TOLD }, [`clearing:${asked.id}`]))
  expect(told.map(({ username }) => username)).toContain('auditor')
  expect(told.map(({ username }) => username)).not.toContain('admin')

  expect(await record('unclear', { id: asked.id, reason })).toMatchObject({ code: 40010 })
  expect(await decide('approve', asked, ground.admin)).toMatchObject({ code: 40818 })
  expect(await decide('reject', asked, ground.admin, { verdict: '不符' })).toMatchObject({ code: 40818 })
  expect(await decide('withdraw', asked, second)).toMatchObject({ code: 40819 })
  const { data: approved } = await decide('approve', asked, second)
  expect(approved).toMatchObject({ state: ClearingState.cleared, count: 1, amountFen: both.amountFen / 2, clearedAt: expect.any(String) })
  expect(await field.stay('鄂F48002')).toMatchObject({ status: 3, exitMode: 8, payableFen: 0, clearingId: asked.id })
  expect(await decide('approve', approved, second)).toMatchObject({ code: 40010 })
  // A clearing that another person approved does not count towards the limit, nor does one that was undone.
  expect(await record('unclear', { id: asked.id, reason })).toMatchObject({ code: 200, data: { restored: 1 } })
  expect((await record('countToClear', { parkCode, ids: [other] })).data).toMatchObject({ waits: true })
  expect(await record('unclear', { id: alone.id, reason })).toMatchObject({ code: 200 })
  expect((await record('countToClear', { parkCode, ids: [other] })).data).toMatchObject({ waits: false })
})

test('a car that left meanwhile is not cleared with the others; whoever asked takes it back, whoever disagrees says why', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const ids = [await inside(field, '鄂F48011', HALF * 2), await inside(field, '鄂F48012', HALF * 2)]
  const ask = async () => (await record('clear', { parkCode, reason, ids })).data
  const withdrawn = await decide('withdraw', await ask(), ground.admin)
  expect(withdrawn.data).toMatchObject({ state: ClearingState.withdrawn })
  expect(await decide('approve', withdrawn.data, second)).toMatchObject({ code: 40010 })
  const rejected = await decide('reject', await ask(), second, { verdict: '车还在' })
  expect(rejected.data).toMatchObject({ state: ClearingState.rejected, verdict: '车还在' })
  expect((await field.stays('鄂F48011'))[0]).toMatchObject({ status: 1 })

  const asked = await ask()
  await field.exits('鄂F48011', minutesNow(field))
  await field.pays(await field.stay('鄂F48011'), minutesNow(field))
  await field.passes(minutesNow(field))
  expect((await decide('approve', asked, second)).data).toMatchObject({ count: 1 })
  expect(await field.stay('鄂F48012')).toMatchObject({ status: 3, exitMode: 8 })
  const gone = await inside(field, '鄂F48013', HALF * 2)
  const { data: late } = await record('clear', { parkCode, reason, ids: [gone] })
  await field.exits('鄂F48013', minutesNow(field))
  await field.pays(await field.stay('鄂F48013'), minutesNow(field))
  await field.passes(minutesNow(field))
  expect(await decide('approve', late, second)).toMatchObject({ code: 40820 })
  expect((await decide('reject', late, second, { verdict: '都已离场' })).code).toBe(200)
  const { data } = await ground.ask(ground.admin, '/fee/parkClearing/query', { parkCode, state: [ClearingState.waiting] }, 'GET')
  expect(data.records).toEqual([])
})

test('a car whose bill a person would look at first counts with all of it, and waits like any other', async () => {
  const field = await ground.field({ billMaxFen: SECOND_PERSON_FEN as Fen })
  const { parkCode } = field
  const plateNo = '鄂F48021'
  const ids = [await inside(field, plateNo, HALF * 2 + 48)]
  const asked = await field.write(async (tx) =>
    askedAt(tx, await parkOf(tx, parkCode), await field.stay(plateNo), new Date().toISOString() as Instant),
  )
  expect(asked.bill).toMatchObject({ held: { why: HeldWhy.aboveBound } })
  const { data } = await record('countToClear', { parkCode, ids })
  expect(data).toMatchObject({ count: 1, unpriced: 0, waits: true })
  expect(data.amountFen).toBeGreaterThanOrEqual(SECOND_PERSON_FEN)
})

test('what waits for another person is not asked where there is no other', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const ids = [await inside(field, '鄂F48031', HALF * 2)] as Id<StayId>[]
  const [admin] = await field.write((tx) => run<{ id: string }>(tx, { sql: `select id from identity.person where username = 'admin'` }, []))
  const alone = field.write(async (tx) => {
    await run(tx, { sql: 'delete from identity.person_role where person_id <> $1' }, [admin!.id])
    await clearField(tx, { parkCode, reason, ids }, new Date().toISOString() as Instant, { userId: admin!.id, userName: '系统管理员' })
  })
  await expect(alone).rejects.toMatchObject({ code: 40821 })
  expect((await record('clear', { parkCode, reason, ids })).data).toMatchObject({ state: ClearingState.waiting })
})

test('a clearing that is undone while its cars came in again has given up their fees all the same', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const [one, other] = [await inside(field, '鄂F48041', HALF), await inside(field, '鄂F48042', HALF)]
  const waits = async () => (await record('countToClear', { parkCode, ids: [other] })).data.waits
  expect(await waits()).toBe(false)
  const { data: made } = await record('clear', { parkCode, reason, ids: [one] })
  expect(await waits()).toBe(true)
  await field.enters('鄂F48041', minutesNow(field))
  expect((await record('unclear', { id: made.id, reason })).data).toMatchObject({ restored: 0, leftOut: ['鄂F48041'] })
  expect(await waits()).toBe(true)
})

const cars = async ({ id }: { id: string }, more: object = {}, token = second) =>
  (await ground.ask(token, '/fee/parkClearing/cars', { clearingId: id, ...more }, 'GET')).data
const platesOf = async (of: { id: string }, more: object = {}, token = second) =>
  (await cars(of, more, token)).records.map(({ plateNo }: { plateNo: string }) => plateNo)
const sumOf = async (of: { id: string }) => (await cars(of, { queryMode: 'sum' })).sums
const DAY_HOURS = 24

test('whoever decides sees each car and what it owes, which come to the amount that is told; then those that were cleared', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const plates = ['鄂F48051', '鄂F48052', '鄂F48053']
  const ids: string[] = []
  for (const [n, plate] of plates.entries()) ids.push(await inside(field, plate, HALF * 2 - n * DAY_HOURS))
  const { data: asked } = await record('clear', { parkCode, reason, ids })
  expect(asked).toMatchObject({ state: ClearingState.waiting, count: 3 })
  const { records, total } = await cars(asked)
  expect([total, records.map(({ plateNo }: any) => plateNo)]).toEqual([3, plates])
  const { entryTime } = await field.stay(plates[0]!)
  const parkedSec = Math.round((Date.parse(asked.appliedAt) - Date.parse(entryTime!)) / 1000)
  expect(records[0]).toMatchObject({
    ...{ parkCode, stayId: ids[0], entryTime, status: 1, unpriced: false },
    durationMin: Math.floor(parkedSec / 60),
  })
  expect(records.reduce((sum: number, { dueFen }: any) => sum + dueFen, 0)).toBe(asked.amountFen)
  expect(await sumOf(asked)).toEqual({ dueFen: asked.amountFen })
  expect(await platesOf(asked, { current: 2, limit: 2 })).toEqual([plates[2]])

  await field.exits(plates[0]!, minutesNow(field))
  await field.pays(await field.stay(plates[0]!), minutesNow(field))
  await field.passes(minutesNow(field))
  expect((await cars(asked)).records.map(({ status }: any) => status)).toEqual([3, 1, 1])
  const { data: approved } = await decide('approve', asked, second)
  expect(approved).toMatchObject({ state: ClearingState.cleared, count: 2 })
  expect(approved.amountFen).toBeLessThan(asked.amountFen)
  expect((await cars(approved)).records).toMatchObject(plates.slice(1).map((plateNo) => ({ plateNo, status: 3 })))
  expect(await sumOf(approved)).toEqual({ dueFen: approved.amountFen })
  expect((await record('unclear', { id: asked.id, reason })).data).toMatchObject({ restored: 2 })
  expect(await sumOf(approved)).toEqual({ dueFen: approved.amountFen })
})

test('the cars of a request that came to nothing stay listed, and those that one person cleared alone are listed too', async () => {
  const field = await ground.field()
  const { parkCode } = field
  const ids = [await inside(field, '鄂F48061', HALF * 2)]
  const { data: asked } = await record('clear', { parkCode, reason, ids })
  const { data: rejected } = await decide('reject', asked, second, { verdict: '车还在' })
  expect([await platesOf(rejected), await sumOf(rejected)]).toEqual([['鄂F48061'], { dueFen: asked.amountFen }])
  const { data: again } = await record('clear', { parkCode, reason, ids })
  const { data: withdrawn } = await decide('withdraw', again, ground.admin)
  expect([await platesOf(withdrawn), await sumOf(withdrawn)]).toEqual([['鄂F48061'], { dueFen: again.amountFen }])
  const { data: alone } = await record('clear', { parkCode, reason, ids: [await inside(field, '鄂F48062', 3)] }, second)
  expect(alone).toMatchObject({ state: ClearingState.cleared, count: 1 })
  expect(alone.amountFen).toBeGreaterThan(0)
  expect([await platesOf(alone), await sumOf(alone)]).toEqual([['鄂F48062'], { dueFen: alone.amountFen }])
})

test('the cars of a clearing are seen by who sees their park, covered for who is not shown plates', async () => {
  const [field, elsewhere] = [await ground.field(), await ground.field()]
  const { data: asked } = await record('clear', { parkCode: field.parkCode, reason, ids: [await inside(field, '鄂F48071', HALF * 2)] })
  const owner = new pg.Client({ connectionString: ground.server.ownerUrl })
  await owner.connect()
  const clerk = await tokenOfSomeoneWho(ground.server, owner, ['PresentScreen'])
  await owner.end()
  expect(await platesOf(asked, {}, clerk)).toEqual(['鄂F***71'])
  expect(await platesOf(asked, {}, await tokenOfParks(ground.server, [field.parkCode]))).toEqual(['鄂F48071'])
  expect(await cars(asked, {}, await tokenOfParks(ground.server, [elsewhere.parkCode]))).toMatchObject({ records: [], total: 0 })
  expect(await cars(asked, {}, ground.other)).toMatchObject({ records: [], total: 0 })
})
