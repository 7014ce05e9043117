import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revoke } from '../../settlement/server/api.ts'
import { aCollection, aPlate, type Collection, now } from './testing.ts'

let town: Collection
let second: string
beforeAll(async () => {
  town = await aCollection()
  await town.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await town.server.signIn('auditor')
})
afterAll(() => town.close())

const DAY = 86_400_000
const longAgo = () => new Date(Date.now() - 400 * DAY).toISOString()
const collect = (ids: readonly string[], paidFen: number) => town.post('/escape/repayCollect', { ids, paidFen, payMethod: 4, place: 3 })
const appeal = (id: string, token = town.operator) => town.post('/escape/appealApply', { id, reason: '不是我的车', contact: '13900001111' }, token)
const decide = (path: string, { id, version }: any, more: object, token = town.admin) => town.post(path, { id, version, ...more }, token)
const accept = (one: any, token?: string) => decide('/escape/appealAccept', one, { verdict: '误识别' }, token)
const reject = (one: any, token?: string) => decide('/escape/appealReject', one, { verdict: '图片清楚' }, token)
const writeOff = (ids: readonly string[], token = town.operator) => town.post('/escape/writeOffApply', { ids, cause: 1, reason: '超期' }, token)
const passes = (one: any, token: string) => decide('/escape/writeOffDecide', one, { pass: true }, token)
const look = (file: any) => town.fileOf({ id: file.orderId })
const agrees = async () => {
  const { ledger, files } = await town.owed()
  expect(files).toBe(ledger)
  expect((await town.replay()).right).toBe(true)
}

test('while an appeal runs nothing is demanded; rejected, the debt is as it was', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  await collect([file.id], 300)
  const { data, status } = await appeal(file.id)
  expect(status).toBe(200)
  expect(await look(file)).toMatchObject({ state: 3, collectableFen: 0, owedFen: 700 })
  expect((await town.get('/escape/repayQuote', { plateNo: file.plateNo })).data.records).toEqual([])
  expect((await appeal(file.id)).code).toBe(40010)
  expect((await reject(data)).data).toMatchObject({ state: 2, approverName: expect.any(String) })
  expect(await look(file)).toMatchObject({ state: 1, collectableFen: 700 })
  await agrees()
})

test('whoever took the appeal down does not decide it', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  const { data } = await appeal(file.id, town.admin)
  expect((await accept(data)).code).toBe(41220)
  expect(await look(file)).toMatchObject({ state: 3 })
})

test('partly repaid, appealed and upheld: the money goes back, nothing is owed, the file is revoked', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  await collect([file.id], 300)
  const { data } = await appeal(file.id)
  expect((await accept(data)).status).toBe(200)
  expect(await look(file)).toMatchObject({ state: 6, owedFen: 0, revokedFen: 1000, paidFen: 0 })
  const order = await town.story(file.orderId)
  expect([order.status, order.refundingFen, order.refunds.map(({ amountFen, state }: any) => [amountFen, state])]).toEqual([7, 300, [[300, 1]]])
  const [refund] = order.refunds
  expect((await town.post('/orderRefund/payOut', { id: refund.id, version: refund.version })).status).toBe(200)
  expect(await town.story(file.orderId)).toMatchObject({ status: 7, refundFen: 300, refundingFen: 0 })
  await agrees()
})

test('unpaid and upheld: the order is void', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  expect((await accept((await appeal(file.id)).data)).status).toBe(200)
  expect((await town.story(file.orderId)).status).toBe(5)
  expect(await look(file)).toMatchObject({ state: 6, owedFen: 0 })
  await agrees()
})

test('paid: it can be appealed for thirty days, and all of it goes back', async () => {
  const [file, old] = await town.debts(aPlate(), [1000, 400])
  await collect([file.id, old.id], 1400)
  await town.sql(`update settlement.order set pay_time = now() - interval '31 days' where id = $1`, [old.orderId])
  expect((await appeal(old.id)).code).toBe(41221)
  expect((await accept((await appeal(file.id)).data)).status).toBe(200)
  expect((await town.story(file.orderId)).refunds).toMatchObject([{ amountFen: 1000, state: 1 }])
  await agrees()
})

test('whoever pays an appealed debt withdraws the appeal', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  const { data } = await appeal(file.id)
  expect((await collect([file.id], 1000)).status).toBe(200)
  expect((await look(file)).appeals).toMatchObject([{ id: data.id, state: 3 }])
  expect((await accept(data)).status).toBe(409)
  await agrees()
})

test('two who decide one appeal at once: one does', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  const { data } = await appeal(file.id)
  const answers = await Promise.all([accept(data), reject(data, second), accept(data, second), reject(data)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await agrees()
})

test('a paid debt is revoked while a refund of it is asked for: nobody waits in a ring, and no more goes back than came', async () => {
  for (let round = 0; round < 15; round++) {
    const [file] = await town.debts(aPlate(), [1000])
    await collect([file.id], 1000)
    const { data } = await appeal(file.id)
    const answers = await Promise.all([accept(data), town.post('/orderRefund/apply', { orderId: file.orderId, amountFen: 100, reason: '多收' })])
    expect(answers.map(({ status, code, message }) => (status === 200 ? 200 : `${code} ${message}`))[0]).toBe(200)
    expect([200, 40507, 40508]).toContain(answers[1].code)
    expect(await town.story(file.orderId)).toMatchObject({ status: 7, refundFen: 0, refundingFen: 1000 })
  }
  await agrees()
})

test('a debt that is void because its stay was put right is revoked, and whoever appealed hears of it; nobody is reminded of it or proposed for the blacklist', async () => {
  const [file, appealed] = await town.debts(aPlate(), [1000, 400])
  expect((await appeal(appealed.id)).status).toBe(200)
  for (const { orderId } of [file, appealed])
    await town.server.house.writing(1, 'test', (tx) =>
      revoke(tx, orderId, { reason: '合并停车', at: now(), actor: { userId: randomUUID(), userName: '甲' } }),
    )
  expect(await look(file)).toMatchObject({ state: 6, owedFen: 0, revokedFen: 1000 })
  expect(await look(appealed)).toMatchObject({ state: 6, owedFen: 0, revokedFen: 400, appeals: [{ state: 3, verdict: '欠费已撤销，申诉撤回' }] })
  expect((await town.get('/escape/repayQuote', { plateNo: file.plateNo })).data.records).toEqual([])
  await agrees()
})

test('a write-off needs an old debt, another person, and from 500 yuan two others', async () => {
  const [young] = await town.debts(aPlate(), [60_000])
  expect((await writeOff([young.id])).code).toBe(41230)
  const [large, small] = [...(await town.debts(aPlate(), [60_000], { at: longAgo() })), ...(await town.debts(aPlate(), [900], { at: longAgo() }))]
  const { data } = await writeOff([large.id, small.id])
  expect((await writeOff([small.id])).code).toBe(41231)
  const [forLarge, forSmall] = [data.find((one: any) => one.recordId === large.id), data.find((one: any) => one.recordId === small.id)]
  expect((await passes(forSmall, town.operator)).status).toBe(403)
  expect((await passes(forSmall, town.admin)).status).toBe(200)
  expect(await look(small)).toMatchObject({ state: 5, owedFen: 0, writtenOffFen: 900 })
  const once = (await passes(forLarge, town.admin)).data
  expect(await look(large)).toMatchObject({ state: 0, owedFen: 60_000 })
  expect((await passes(once, town.admin)).code).toBe(41220)
  expect((await passes(once, second)).data).toMatchObject({ state: 1, approvals: 2 })
  expect(await look(large)).toMatchObject({ state: 5, writtenOffFen: 60_000 })
  await agrees()
})

test('written off and paid after all: it is recovered, and is income no second time', async () => {
  const [file] = await town.debts(aPlate(), [900], { at: longAgo() })
  const { data } = await writeOff([file.id])
  await passes(data[0], town.admin)
  expect((await collect([file.id], 900)).status).toBe(200)
  const after = await look(file)
  expect(after).toMatchObject({ state: 2, paidFen: 900, writtenOffFen: 0, owedFen: 0 })
  expect(after.entries.map(({ account, debitFen, creditFen }: any) => [account, debitFen, creditFen]).slice(-2)).toEqual([
    ['asset.cash', 900, 0],
    ['contra.bad-debt', 0, 900],
  ])
  await agrees()
})

test('a debt that was partly repaid since the request is not written off by it', async () => {
  const [file] = await town.debts(aPlate(), [900], { at: longAgo() })
  const { data } = await writeOff([file.id])
  await collect([file.id], 100)
  expect((await passes(data[0], town.admin)).code).toBe(41210)
  expect(await look(file)).toMatchObject({ state: 1, owedFen: 800 })
})

test('a misread car: asked by one, revoked by another', async () => {
  const [file] = await town.debts(aPlate(), [900])
  const { data } = await town.post('/escape/recordRevoke', { id: file.id, version: file.version, reason: '套牌' })
  expect((await passes(data, town.admin)).code).toBe(41220)
  expect((await passes(data, second)).status).toBe(200)
  expect(await look(file)).toMatchObject({ state: 6, revokedFen: 900, owedFen: 0 })
  await agrees()
})

test('a waiver lets off what is left of a partly repaid debt', async () => {
  const [file] = await town.debts(aPlate(), [1000])
  await collect([file.id], 300)
  expect((await town.post('/orderWaiver/apply', { orderId: file.orderId, amountFen: 1000, reason: '困难' }, town.operator)).status).toBe(409)
  const { data } = await town.post('/orderWaiver/apply', { orderId: file.orderId, amountFen: 700, reason: '困难' }, town.operator)
  expect((await town.post('/orderWaiver/approve', { id: data.id, version: data.version })).status).toBe(200)
  expect(await look(file)).toMatchObject({ state: 4, paidFen: 300, waivedFen: 700, owedFen: 0 })
  await agrees()
})

test('a waiver of 500 yuan needs two others', async () => {
  const [file] = await town.debts(aPlate(), [50_000])
  const { data } = await town.post('/orderWaiver/apply', { orderId: file.orderId, amountFen: 50_000, reason: '困难' }, town.operator)
  const once = (await town.post('/orderWaiver/approve', { id: data.id, version: data.version })).data
  expect(once).toMatchObject({ state: 0, approvals: 1, approvalsNeeded: 2 })
  expect((await town.post('/orderWaiver/approve', { id: once.id, version: once.version })).status).toBe(422)
  expect(await look(file)).toMatchObject({ state: 0, owedFen: 50_000 })
  expect((await town.post('/orderWaiver/approve', { id: once.id, version: once.version }, second)).data).toMatchObject({ state: 1 })
  expect(await look(file)).toMatchObject({ state: 4, waivedFen: 50_000 })
  await agrees()
})

test('every amount is in exactly one place: repaid, waived, written off, revoked or owed', async () => {
  const { data } = await town.get('/escape/escapeSummary')
  expect(data.paidFen + data.waivedFen + data.writtenOffFen + data.revokedFen + data.owedFen).toBe(data.amountFen)
  expect(data.amountFen).toBeGreaterThan(0)
})
