import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announce } from '../../../platform/server/events.ts'
import { evidenceWhole } from '../../roadside/server/api.ts'
import { leaveUnpaid } from '../../settlement/server/api.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { ArrearsState, ExceptionType } from '../contract/file.ts'
import { DebtStepKind } from '../contract/why.ts'
import { aCollection, aPlate, type Collection, moment, until } from './testing.ts'

let town: Collection
beforeAll(async () => {
  town = await aCollection()
})
afterAll(() => town.close())

const collect = (ids: readonly string[], paidFen: number, more: object = {}) =>
  town.post('/escape/repayCollect', { ids, paidFen, payMethod: 4, place: 3, ...more })
const ids = (files: readonly any[]) => files.map(({ id }) => id)
const agrees = async () => {
  const { ledger, files } = await town.owed()
  expect(files).toBe(ledger)
  expect((await town.replay()).right).toBe(true)
}

test('a car that leaves unpaid has a file with all that is known of it, and the figures add up', async () => {
  const [file] = await town.debts(aPlate(), [1200])
  expect(file).toMatchObject({
    state: 0,
    amountFen: 1200,
    owedFen: 1200,
    collectableFen: 1200,
    sourceType: 4,
    escapeType: 1,
    exceptionType: 0,
    dunCount: 0,
  })
  expect(file.arrearsNo).toMatch(/^QF\d{14}/)
  const { data } = await town.get('/escape/escapeSummary', { plateNo: file.plateNo })
  expect(data).toMatchObject({ count: 1, amountFen: 1200, paidFen: 0, owedFen: 1200, repayRate: 0 })
  await agrees()
})

test('cash for several debts is one repayment, each booked at its own park', async () => {
  const plateNo = aPlate()
  const files = [...(await town.debts(plateNo, [500, 700])), ...(await town.debts(plateNo, [900], { parkCode: 'P002' }))]
  const { status, data } = await collect(ids(files), 2100)
  expect([status, data.paidFen, data.records]).toEqual([200, 2100, 3])
  for (const one of files) expect(await town.fileOf({ id: one.orderId })).toMatchObject({ state: 2, owedFen: 0, paidFen: one.amountFen })
  const list = (await town.get('/escape/repayList', { plateNo })).data.records
  expect(list.map((one: any) => [one.repayNo, one.parkCode, one.paidFen, one.records]).sort()).toEqual([
    [data.repayNo, 'P001', 1200, 2],
    [data.repayNo, 'P002', 900, 1],
  ])
  const entries = (await town.fileOf({ id: files[2].orderId })).entries
  expect(
    entries.map(({ bizType, account, parkCode, debitFen, creditFen }: any) => [bizType, account, parkCode, debitFen, creditFen]).slice(-2),
  ).toEqual([
    ['order.repaid', 'asset.cash', 'P002', 900, 0],
    ['order.repaid', 'asset.arrears', 'P002', 0, 900],
  ])
  await agrees()
})

test('a car is found by any part of its plate: in what it owes, repaid and was reminded of', async () => {
  const plateNo = '鄂F7X3Q9'
  const [debt] = await town.debts(plateNo, [500])
  const found = async (path: string, wanted: string) => (await town.get(path, { plateNo: wanted })).data.records.length
  for (const wanted of ['7X3', 'x3q', plateNo]) {
    expect([wanted, await found('/escape/escapeList', wanted), await found('/escape/recordList', wanted)]).toEqual([wanted, 1, 1])
    expect(await found('/escape/escapeList', `${wanted}8`)).toBe(0)
  }
  await collect([debt.id], 500)
  expect([await found('/escape/repayList', '7X3'), await found('/escape/repayList', '7X4')]).toEqual([1, 0])
  const lanes = (await town.server.ask(town.admin, 'GET', '/lbs/fee/parkRepay/queryList', { plateNo: 'X3Q' })).data.records
  expect(lanes.map((one: any) => one.plateNo)).toEqual([plateNo])
})

test('the order of a debt tells by which repayments it was paid, and how much each brought', async () => {
  const [one, two] = await town.debts(aPlate(), [500, 700])
  await collect([one.id, two.id], 900)
  await collect([two.id], 300)
  const paymentsOf = async (orderId: string) =>
    (await town.story(orderId)).payments.map(({ payMethod, state, receivedFen }: any) => [payMethod, state, receivedFen])
  expect(await paymentsOf(one.orderId)).toEqual([[4, 1, 500]])
  expect(await paymentsOf(two.orderId)).toEqual([
    [4, 1, 400],
    [4, 1, 300],
  ])
})

test('less than all is spread oldest first and leaves the last one partly repaid', async () => {
  const [old, young] = await town.debts(aPlate(), [500, 700])
  expect((await collect([young.id, old.id], 800)).status).toBe(200)
  expect(await town.fileOf({ id: old.orderId })).toMatchObject({ state: 2, owedFen: 0 })
  expect(await town.fileOf({ id: young.orderId })).toMatchObject({ state: 1, paidFen: 300, owedFen: 400 })
  expect((await town.story(young.orderId)).status).toBe(4)
  expect((await collect([young.id], 400)).status).toBe(200)
  expect(await town.fileOf({ id: young.orderId })).toMatchObject({ state: 2, paidFen: 700, owedFen: 0 })
  await agrees()
})

test('the owner pays all or nothing; more than is owed, another car, a repaid debt are refused and nothing moves', async () => {
  const plateNo = aPlate()
  const [one, two] = await town.debts(plateNo, [500, 700])
  const [other] = await town.debts(aPlate(), [300])
  expect((await collect(ids([one, two]), 800, { place: 4, payMethod: 1 })).code).toBe(41212)
  expect((await collect(ids([one, two]), 1300)).code).toBe(41210)
  expect(await collect([], 500)).toMatchObject({ status: 422, code: 41243 })
  expect((await collect(ids([one, other]), 800)).code).toBe(41211)
  expect((await town.fileOf({ id: one.orderId })).owedFen).toBe(500)
  expect((await collect([one.id], 500)).status).toBe(200)
  expect((await collect([one.id], 500)).code).toBe(40010)
  await agrees()
})

test('a present stay and three debts of two parks are paid by one payment at the channel, together', async () => {
  const plateNo = aPlate()
  const files = [...(await town.debts(plateNo, [500, 700])), ...(await town.debts(plateNo, [900], { parkCode: 'P002' }))]
  const stay = await town.anOrder({ plateNo, receivableFen: 400 })
  const quote = (await town.get('/escape/repayQuote', { plateNo })).data
  expect([quote.owedFen, quote.current.orderNo, quote.records.length]).toEqual([2100, stay.orderNo, 3])
  const { data } = await collect(ids(files), 2500, { payMethod: 1, place: 5, currentOrderNo: stay.orderNo })
  expect(data.payUrl).toContain('http')
  const payNo = new URL(data.payUrl).searchParams.get('payNo')!
  expect((await town.story(stay.id)).status).toBe(1)
  town.channel.channel.pay(payNo)
  await until(
    () => town.story(stay.id),
    ({ status }) => status === 2,
  )
  for (const one of files) expect(await town.fileOf({ id: one.orderId })).toMatchObject({ state: 2, owedFen: 0 })
  await agrees()
})

test('when one of them was paid meanwhile, none is paid by the late money, and it goes back by itself', async () => {
  const plateNo = aPlate()
  const files = await town.debts(plateNo, [500, 700, 900])
  const stay = await town.anOrder({ plateNo, receivableFen: 400 })
  const { data } = await collect(ids(files), 2500, { payMethod: 1, place: 5, currentOrderNo: stay.orderNo })
  expect((await town.call(town.admin, '/order/cash', { id: files[1].orderId, amountFen: 700 })).status).toBe(200)
  const payNo = new URL(data.payUrl).searchParams.get('payNo')!
  town.channel.channel.pay(payNo)
  const [{ id: repayId }] = (await town.sql<{ id: string }>('select id from settlement.order where order_no = $1', [data.repayNo])) as [
    { id: string },
  ]
  const over = await until(
    () => town.story(repayId),
    ({ refunds }) => refunds[0]?.state === 3,
  )
  expect([over.status, over.refunds[0].amountFen]).toEqual([5, 2500])
  expect(await town.fileOf({ id: files[0].orderId })).toMatchObject({ state: 0, owedFen: 500 })
  expect(await town.fileOf({ id: files[1].orderId })).toMatchObject({ state: 2, owedFen: 0 })
  expect((await town.story(stay.id)).status).toBe(0)
  await agrees()
})

test('a debt that another repayment asks for is held; when that one is cancelled it is free', async () => {
  const [one] = await town.debts(aPlate(), [500])
  const first = await collect([one.id], 500, { payMethod: 1 })
  expect((await collect([one.id], 500)).code).toBe(40590)
  const [row] = await town.sql<{ id: string }>('select id from settlement.order where order_no = $1', [first.data.repayNo])
  await town.post('/order/cancel', { id: row!.id, reason: '车主改用现金' })
  expect((await collect([one.id], 500)).status).toBe(200)
})

test('a way of paying that is not set up leaves the debt free', async () => {
  const [one] = await town.debts(aPlate(), [500])
  expect((await collect([one.id], 500, { payMethod: 12 })).code).toBe(40501)
  expect((await collect([one.id], 500)).status).toBe(200)
})

test('twenty cashiers at once: one takes the money', async () => {
  const [one] = await town.debts(aPlate(), [500])
  const answers = await Promise.all(Array.from({ length: 20 }, () => collect([one.id], 500)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await town.fileOf({ id: one.orderId })).toMatchObject({ state: 2, paidFen: 500 })
  await agrees()
})

test('a blue car never pays what a green one owes', async () => {
  const plateNo = aPlate()
  const [green] = await town.debts(plateNo, [500])
  await town.sql('update arrears.record set plate_color = 4 where id = $1', [green.id])
  expect((await town.get('/escape/repayQuote', { plateNo, plateColor: 0 })).data.records).toEqual([])
  expect((await town.get('/escape/repayQuote', { plateNo, plateColor: 4 })).data.owedFen).toBe(500)
})

test('what came for debts is the same money in the list, in the sums, by way of paying and in the ledger', async () => {
  const [{ sums }, { data: summary }, lanes, [ledger]] = await Promise.all([
    town.get('/escape/repayList', { queryMode: 'sum' }).then(({ data }) => data),
    town.get('/escape/repaySummary'),
    town.server.ask(town.admin, 'GET', '/lbs/fee/parkRepay/queryList', { queryMode: 'sum' }),
    town.sql<{
      fen: number
    }>(`select coalesce(sum(l.credit_fen), 0)::bigint as fen from ledger.line l join ledger.entry e on e.enterprise_id = l.enterprise_id and e.id = l.entry_id and e.at = l.at
      where l.account = 'asset.arrears' and e.biz_type = 'order.repaid'`),
  ])
  expect(ledger!.fen).toBeGreaterThan(0)
  expect([sums.paidFen, summary.paidFen, lanes.data.sums.allocatedFen]).toEqual([ledger!.fen, ledger!.fen, ledger!.fen])
  expect(summary.byMethod.reduce((sum: number, { paidFen }: any) => sum + paidFen, 0)).toBe(ledger!.fen)
  expect(summary.byKind.reduce((sum: number, { paidFen }: any) => sum + paidFen, 0)).toBe(ledger!.fen)
})

test('paid at the channel before the car was gone, and heard of after: the debt is settled', async () => {
  const order = await town.anOrder({ plateNo: aPlate(), receivableFen: 800 })
  const { payNo, amountFen } = await town.startPaying(order)
  await town.server.house.writing(1, 'test', (tx) => leaveUnpaid(tx, order.id, { at: moment() }))
  await town.notify({ payNo, amountFen })
  expect(await town.fileOf(order)).toMatchObject({ state: 2, owedFen: 0, paidFen: 800 })
  await agrees()
})

test('a refund of one debt takes no more than its part of the repayment', async () => {
  const [one, two] = await town.debts(aPlate(), [500, 700])
  const { data } = await collect(ids([one, two]), 1200)
  const [row] = await town.sql<{ id: string }>('select id from settlement.order where order_no = $1', [data.repayNo])
  expect((await town.post('/orderRefund/apply', { orderId: row!.id, amountFen: 100, reason: '误收' })).code).toBe(40591)
  expect((await town.post('/orderRefund/apply', { orderId: one.orderId, amountFen: 600, reason: '误收' })).code).toBe(40508)
  expect((await town.post('/orderRefund/apply', { orderId: one.orderId, amountFen: 500, reason: '误收' })).status).toBe(200)
})

const refund = async (orderId: string, amountFen: number) => {
  const asked = await town.post('/orderRefund/apply', { orderId, amountFen, reason: '误收' }, town.operator)
  if (asked.status !== 200) return asked
  const { id, version } = asked.data
  const approved = await town.post('/orderRefund/approve', { id, version })
  return town.post('/orderRefund/payOut', { id, version: approved.data.version })
}

test('what goes back of a debt that was repaid in part is owed again, and no more than came', async () => {
  const [debt] = await town.debts(aPlate(), [2100])
  expect((await refund(debt.orderId, 100)).code).toBe(40507)
  await collect([debt.id], 2000)
  expect((await town.fileOf({ id: debt.orderId })).refundableFen).toBe(2000)
  expect((await refund(debt.orderId, 2001)).code).toBe(40508)
  expect((await refund(debt.orderId, 1800)).status).toBe(200)
  const corrected = await town.fileOf({ id: debt.orderId })
  expect(corrected).toMatchObject({ state: ArrearsState.partly, paidFen: 200, owedFen: 1900, refundableFen: 200 })
  expect((await town.story(debt.orderId)).payments).toMatchObject([{ payMethod: 4, amountFen: 2000, receivedFen: 2000, refundFen: 1800 }])
  expect(corrected.why.steps.at(-1)).toMatchObject({ kind: DebtStepKind.refunded, amountFen: 1800, says: '误收' })
  expect(corrected.entries.slice(-4).map(({ account, debitFen, creditFen }: any) => [account, debitFen, creditFen])).toEqual([
    ['income.parking', 1800, 0],
    ['asset.cash', 0, 1800],
    ['asset.arrears', 1800, 0],
    ['income.parking', 0, 1800],
  ])
  expect(await town.story(debt.orderId)).toMatchObject({ status: OrderStatus.arrears, paidFen: 200, refundFen: 0, refundingFen: 0, arrearsFen: 1900 })
  await agrees()
  expect((await refund(debt.orderId, 200)).status).toBe(200)
  expect(await town.fileOf({ id: debt.orderId })).toMatchObject({ state: ArrearsState.open, paidFen: 0, owedFen: 2100, refundableFen: 0 })
  expect((await refund(debt.orderId, 1)).code).toBe(40507)
  expect((await collect([debt.id], 2100)).status).toBe(200)
  expect(await town.fileOf({ id: debt.orderId })).toMatchObject({ state: ArrearsState.repaid, paidFen: 2100, owedFen: 0 })
  const report = (await town.server.ask(town.admin, 'GET', '/lbs/fee/report/temporaryStop', { queryMode: 'sum' })).data.sums
  expect(report.receivableFen).toBe(report.paidFen + report.discountFen + report.waivedFen + report.arrearsFen)
  await agrees()
})

test('a debt that is appealed gives back too, and a rejected appeal finds it as it is by then', async () => {
  const [debt] = await town.debts(aPlate(), [2100])
  await collect([debt.id], 500)
  const appeal = (await town.post('/escape/appealApply', { id: debt.id, reason: '不是我的车', contact: '13800138000' }, town.operator)).data
  expect((await refund(debt.orderId, 500)).status).toBe(200)
  expect(await town.fileOf({ id: debt.orderId })).toMatchObject({ state: ArrearsState.appealed, paidFen: 0, owedFen: 2100 })
  expect((await town.post('/escape/appealReject', { id: appeal.id, version: appeal.version, verdict: '证据清楚' })).status).toBe(200)
  expect(await town.fileOf({ id: debt.orderId })).toMatchObject({ state: ArrearsState.open, owedFen: 2100 })
  await agrees()
})

test('a debt whose rest was waived gives back what came for it, and nothing of it is owed again', async () => {
  const [debt] = await town.debts(aPlate(), [2100])
  await collect([debt.id], 2000)
  const asked = (await town.post('/orderWaiver/apply', { orderId: debt.orderId, amountFen: 100, reason: '零头' }, town.operator)).data
  expect((await town.post('/orderWaiver/approve', { id: asked.id, version: asked.version })).status).toBe(200)
  expect((await refund(debt.orderId, 1800)).status).toBe(200)
  expect(await town.story(debt.orderId)).toMatchObject({ status: OrderStatus.waived, paidFen: 2000, refundFen: 1800, arrearsFen: 0 })
  expect(await town.fileOf({ id: debt.orderId })).toMatchObject({ state: ArrearsState.waived, owedFen: 0, refundableFen: 200 })
  await agrees()
})

test('a debt that lacked its pictures may be asked for once the street has them; one that is doubted for another reason may not', async () => {
  const files = await town.debts(aPlate(), [500, 700])
  const stays = files.map(() => randomUUID())
  for (const [place, exceptionType] of [ExceptionType.evidence, ExceptionType.plate].entries()) {
    const values = [files[place].id, stays[place], exceptionType]
    await town.sql(`update arrears.record set stay_id = $2, exception_type = $3, missing = '缺' where id = $1 returning id`, values)
  }
  for (const stayId of stays) await town.server.house.writing(1, 'test', (tx) => announce(tx, evidenceWhole, { stayId, parkCode: 'P001' }))
  const [first, second] = await until(
    () =>
      town.sql<{ exceptionType: number; missing: string | null; state: number }>(
        'select exception_type, missing, state from arrears.record where id = any ($1) order by created_at',
        [ids(files)],
      ),
    ([one]) => one!.exceptionType === ExceptionType.none,
  )
  expect(first).toEqual({ exceptionType: ExceptionType.none, missing: null, state: ArrearsState.open })
  expect(second).toMatchObject({ exceptionType: ExceptionType.plate, missing: '缺' })
})
