import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCollection, aPlate, type Collection } from './testing.ts'

let town: Collection
let second: string
beforeAll(async () => {
  town = await aCollection()
  await town.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await town.server.signIn('auditor')
})
afterAll(() => town.close())

const look = (file: any) => town.fileOf({ id: file.orderId })
const kinds = ({ why }: any) => why.steps.map(({ kind }: any) => kind)
const bars = ({ why }: any) => why.checks.filter((one: any) => one.bars).map(({ check }: any) => check)
const suspect = async (file: any, exceptionType: number, reason: string) =>
  (await town.post('/escape/recordSuspect', { id: file.id, version: file.version, exceptionType, reason })).data
/** fee − discount − other orders = debt = repaid + waived + written off + revoked + owed; and it may be asked for exactly when nothing stands in the way. */
function holds(file: any) {
  const { why } = file
  expect(why.feeFen - why.discountFen - why.otherOrdersFen).toBe(file.amountFen)
  expect(file.paidFen + file.waivedFen + file.writtenOffFen + file.revokedFen + file.owedFen).toBe(file.amountFen)
  expect(bars(file).length === 0).toBe(file.collectableFen > 0)
  const times = why.steps.map(({ at }: any) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
}

test('a debt says how it came about, and each thing that happened to it says who did it and why', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  holds(file)
  expect(kinds(file)).toEqual([1])
  const marked = await suspect(file, 2, '与登记车型不符')
  expect(bars(await look(file))).toEqual([3])
  await town.post('/escape/recordRelease', { id: file.id, version: marked.version, reason: '已核对图片' })
  await town.post('/escape/repayCollect', { ids: [file.id], paidFen: 400, payMethod: 4, place: 3 })
  const appeal = (await town.post('/escape/appealApply', { id: file.id, reason: '不是我的车', contact: '13900001111' }, town.operator)).data
  const appealed = await look(file)
  holds(appealed)
  expect(bars(appealed)).toEqual([6])
  await town.post('/escape/appealReject', { id: appeal.id, version: appeal.version, verdict: '图片清楚' }, second)
  const after = await look(file)
  holds(after)
  expect(kinds(after)).toEqual([1, 3, 4, 10, 6, 7])
  expect(after.why.steps.map(({ says }: any) => says)).toEqual([null, '与登记车型不符', '已核对图片', null, '不是我的车', '图片清楚'])
  expect(after.why.steps[3].amountFen).toBe(400)
  expect(new Set(after.why.steps.slice(4).map(({ by }: any) => by)).size).toBe(2)
})

test('what was let off, written off or revoked is owed no more, and the reason stands there', async () => {
  const [waived] = await town.debts(aPlate(), [900])
  const asked = (await town.post('/orderWaiver/apply', { orderId: waived.orderId, amountFen: 900, reason: '设备故障' }, second)).data
  await town.post('/orderWaiver/approve', { id: asked.id, version: asked.version })
  const off = await look(waived)
  holds(off)
  expect([bars(off), kinds(off).at(-1), off.why.steps.at(-1).amountFen]).toEqual([[1], 11, 900])

  const [old] = await town.debts(aPlate(), [800], { at: new Date(Date.now() - 400 * 86_400_000).toISOString() })
  await town.post('/escape/writeOffApply', { ids: [old.id], cause: 1, reason: '超期' }, town.operator)
  const { closings } = await look(old)
  await town.post('/escape/writeOffDecide', { id: closings[0].id, version: closings[0].version, pass: true })
  const written = await look(old)
  holds(written)
  expect([written.state, bars(written), kinds(written).slice(-2)]).toEqual([5, [1], [8, 9]])
})

test('who has no right to see debts is told nothing of why', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  expect((await town.get('/escape/escapeDetail', { id: file.id }, await town.server.signIn('otheradmin'))).status).toBe(404)
})
