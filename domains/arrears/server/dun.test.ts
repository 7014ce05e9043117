import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { nameOrder } from '../../settlement/server/api.ts'
import { climb } from './dun.ts'
import { dueAt, isQuiet, outOfQuiet } from './ladder.ts'
import { contactOf } from './questions.ts'
import { aCollection, aPlate, type Collection } from './testing.ts'

let town: Collection
const owners = new Map<string, { name: string; address: string }>()
beforeAll(async () => {
  town = await aCollection({ role: 'web' })
  await town.sql(`insert into message.template (enterprise_id, code, name, kind, channel_type, title, content, state, vars)
    values (1, 'arrears.remind', '欠费提醒', 3, 1, '欠费提醒', '{{plate}} 在{{park}}欠 {{amount}} 元', 1, '[]')`)
})
afterAll(() => town.close())
afterAll(contactOf.answer('test', async (_tx, { plateNo }) => owners.get(plateNo)))

const DAY = 86_400_000
/** Ten in the morning of the city, so many days from today. */
const morning = (days: number): Instant =>
  instantAt(Math.floor((Date.now() + 8 * 3_600_000) / DAY) * DAY - 8 * 3_600_000 + 10 * 3_600_000 + days * DAY)
const climbs = (at: Instant) => town.server.house.writing(1, 'test', (tx) => climb(tx, at))
const dunsOf = async (file: any) => (await town.get('/escape/dunList', { recordId: file.id })).data.records
const aDebtor = async (amounts: readonly number[], days = -1, known = true) => {
  const plateNo = aPlate()
  if (known) owners.set(plateNo, { name: '车主', address: '13900001111' })
  return town.debts(plateNo, amounts, { at: morning(days) })
}

test('nobody is reminded between nine in the evening and eight in the morning', () => {
  const at = (clock: string) => `2026-11-23T${clock}:00+08:00` as Instant
  expect([at('20:59'), at('21:00'), at('07:59'), at('08:00')].map(isQuiet)).toEqual([false, true, true, false])
  expect(outOfQuiet(at('22:30'))).toBe('2026-11-24T00:00:00.000Z')
  expect(outOfQuiet(at('03:00'))).toBe('2026-11-23T00:00:00.000Z')
  expect([0, 1, 2, 3, 4, 5].map((step) => dueAt(at('10:00'), step)?.slice(0, 10))).toEqual([
    '2026-11-24',
    '2026-11-26',
    '2026-11-30',
    '2026-12-08',
    '2026-12-23',
    undefined,
  ])
})

test('all debts of a car are one message a day, each debt counted once', async () => {
  const [one, two] = await aDebtor([500, 700])
  await climbs(morning(0))
  await climbs(morning(0))
  for (const file of [one, two]) expect(await town.fileOf({ id: file.orderId })).toMatchObject({ dunCount: 1 })
  expect((await dunsOf(one)).map(({ state, step }: any) => [state, step])).toEqual([[1, 1]])
  const sent = await town.sql<{ content: string }>(`select content from message.record where content like $1`, [`${one.plateNo}%`])
  expect(sent.map(({ content }) => content)).toEqual([`${one.plateNo} 在P001欠 12.00 元`])
})

test('a debt whose plate was put right is reminded of from the beginning, the right vehicle alone, once a step', async () => {
  const [file] = await aDebtor([500], -40)
  await town.sql('update arrears.record set dun_step = 5, next_dun_at = null where id = $1', [file.id])
  const now = async () => (await town.sql<any>('select plate_no, dun_step, next_dun_at, blacklisted from arrears.record where id = $1', [file.id]))[0]
  const plateNo = aPlate()
  owners.set(plateNo, { name: '车主', address: '13900002222' })
  const name = () => town.server.house.writing(1, 'test', (tx) => nameOrder(tx, file.orderId, { plateNo, plateColor: file.plateColor }))
  await name()
  const named = await now()
  expect(named).toMatchObject({ plateNo, dunStep: 0, nextDunAt: expect.any(String) })
  await climbs(named.nextDunAt)
  await climbs(instantAt(Date.parse(named.nextDunAt) + 600_000))
  await name()
  const asked = await now()
  expect([asked.dunStep, Date.parse(asked.nextDunAt) > Date.parse(named.nextDunAt) + DAY]).toEqual([1, true])
  expect((await dunsOf(file)).map((one: any) => [one.plateNo, one.state, one.step])).toEqual([[plateNo, 1, 1]])
})

test('a debt is put right, paid and reminded of by hand while the ladder climbs: nobody waits in a ring, and each debt is reminded of once a day', async () => {
  for (let round = 0; round < 15; round++) {
    const debts = await aDebtor([500, 700, 900])
    const waits = `insert into arrears.dun (record_id, park_code, plate_no, plate_color, day, step, amount_fen, due_at, by_name) values ($1, 'P001', $2, 0, $3::timestamptz::date, 0, 500, $3::timestamptz + interval '3 hours', '张三')`
    for (const { id, plateNo } of debts.slice(0, 2)) await town.sql(waits, [id, plateNo, morning(0)])
    const right = aPlate()
    owners.set(right, { name: '车主', address: '13900003333' })
    const name = ({ orderId, plateColor }: any) =>
      town.server.house.writing(1, 'test', (tx) => nameOrder(tx, orderId, { plateNo: right, plateColor }))
    const done = await Promise.allSettled([
      climbs(morning(0)),
      ...debts.slice(0, 2).toReversed().map(name),
      climbs(morning(0)),
      town.post('/escape/dunSend', { ids: debts.map(({ id }) => id) }),
      town.post('/escape/repayCollect', { ids: debts.slice(1).map(({ id }) => id), paidFen: 1600, payMethod: 4, place: 3 }),
    ])
    expect(
      done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : RING.test(JSON.stringify(one.value ?? '')) ? [one.value] : [])),
    ).toEqual([])
    for (const file of debts) {
      const days = (await dunsOf(file)).map(({ day }: any) => day)
      expect([...new Set(days)]).toEqual(days)
    }
  }
  const { ledger, files } = await town.owed()
  expect(files).toBe(ledger)
})
/** The message of a write that lost to another in a deadlock. */
const RING = /数据正被他人修改/

test('without an owner nothing is sent and nothing is counted', async () => {
  const [file] = await aDebtor([500], -1, false)
  await climbs(morning(0))
  expect(await town.fileOf({ id: file.orderId })).toMatchObject({ dunCount: 0, duns: [{ state: 2 }] })
})

test('the ladder climbs on days 1, 3, 7, 15 and 30 and then proposes the blacklist', async () => {
  const [file] = await aDebtor([500], 0)
  for (let day = 1; day <= 40; day++) await climbs(morning(day))
  const after = await town.fileOf({ id: file.orderId })
  expect(after).toMatchObject({ dunCount: 5, blacklisted: true })
  expect(after.duns.map(({ day }: any) => day).sort()).toEqual(
    [1, 3, 7, 15, 30].map((day) => new Date(Date.parse(morning(day)) + 8 * 3_600_000).toISOString().slice(0, 10)),
  )
})

test('what is paid, appealed or abnormal is not reminded of', async () => {
  const [paid, appealed, odd] = [...(await aDebtor([500])), ...(await aDebtor([600])), ...(await aDebtor([700]))]
  await town.post('/escape/repayCollect', { ids: [paid.id], paidFen: 500, payMethod: 4, place: 3 })
  await town.post('/escape/appealApply', { id: appealed.id, reason: '不是我的车', contact: '13900001111' })
  await town.post('/escape/recordSuspect', { id: odd.id, version: odd.version, exceptionType: 2, reason: '图片不清' })
  await climbs(morning(0))
  for (const file of [paid, appealed, odd]) expect(await dunsOf(file)).toEqual([])
})

test('asked for by hand at night it waits for the morning, and is stopped when it is paid before', async () => {
  const [file] = await aDebtor([500], 60)
  await town.sql(
    `insert into arrears.dun (record_id, park_code, plate_no, plate_color, day, step, amount_fen, due_at, by_name) values ($1, 'P001', $2, 0, $3::timestamptz::date, 0, 500, $3, '张三')`,
    [file.id, file.plateNo, morning(61)],
  )
  await town.post('/escape/repayCollect', { ids: [file.id], paidFen: 500, payMethod: 4, place: 3 })
  await climbs(morning(61))
  expect((await dunsOf(file)).map(({ state }: any) => state)).toEqual([3])
})

test('by hand, twenty at once: one message', async () => {
  const [file] = await aDebtor([500], 0)
  const answers = await Promise.all(Array.from({ length: 20 }, () => town.post('/escape/dunSend', { ids: [file.id] })))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(answers.reduce((sum, { data }) => sum + data.sent + data.waiting, 0)).toBe(1)
  expect(answers.reduce((sum, { data }) => sum + data.today, 0)).toBe(19)
  expect(await dunsOf(file)).toHaveLength(1)
})

test('a reminder that sends nothing says why', async () => {
  const [paid] = await aDebtor([500], 0)
  await town.post('/escape/repayCollect', { ids: [paid.id], paidFen: 500, payMethod: 4, place: 3 })
  expect((await town.post('/escape/dunSend', { ids: [paid.id] })).data).toMatchObject({ vehicles: 1, sent: 0, waiting: 0, today: 0, notOwed: 1 })
  expect(await town.post('/escape/dunSend', { ids: [] })).toMatchObject({ status: 422, code: 41243, message: '请至少选择一笔欠费' })
})
