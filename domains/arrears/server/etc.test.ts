import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningIssuer, startIssuer } from '../../../city/etc/issuer.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { leaveUnpaid, useIssuer } from '../../settlement/server/api.ts'
import { ETC } from '../contract/figures.ts'
import { deductAt, hearEtc } from './deduct.ts'
import { clearedOf } from './etcFile.ts'
import { aCollection, aPlate, type Collection, moment, until } from './testing.ts'

const SN = 'ETC-T1'
const PSAM = '0123456789AB'
const SECRET = 'an issuer signs with thirty-two characters or more'
let town: Collection
let issuer: RunningIssuer
beforeAll(async () => {
  town = await aCollection()
  await town.sql(`insert into parking.park (park_code, name, p_type, region_code, total_bays) values ('P001', '试', 1, '420607', 10)`)
  await town.sql(
    `insert into device.device (device_no, name, type, park_code, gate_code, use_status, secret_hash) values ('${SN}', '天线', 9, 'P001', 'P001-X', 1, 'none')`,
  )
  await town.sql(
    `insert into device.presence (device_no, online) values ('${SN}', true) on conflict (enterprise_id, device_no) do update set online = true`,
  )
  await town.sql(`insert into device.etc (device_no, lane_no, psam_no) values ('${SN}', 'L1', '${PSAM}')`)
  issuer = await startIssuer({ port: 0, secret: SECRET })
  useIssuer({ url: issuer.url, secret: SECRET, notifyUrl: `${town.server.url}/lbs/business/pay/sandbox/notice` })
})
afterAll(async () => {
  useIssuer(undefined)
  await issuer.stop()
  await town.close()
})

let seq = 0
const write = <T>(work: Parameters<Collection['server']['house']['writing']>[2]) => town.server.house.writing(1, 'test', work) as Promise<T>
/** A car at an ETC exit: its order, and the deduction that the antenna was told. */
async function atExit(receivableFen = 500) {
  const order = await town.anOrder({ plateNo: aPlate(), receivableFen })
  await write((tx) =>
    deductAt(tx, { parkCode: 'P001', gateCode: 'P001-X', stayId: null as never, orderId: order.id, dueFen: receivableFen, at: moment() }),
  )
  const [{ deductNo }] = (await town.sql<{ deductNo: string }>('select deduct_no from arrears.etc_deduct where order_id = $1', [order.id])) as [
    { deductNo: string },
  ]
  return { order, deductNo, psamSeq: ++seq, amountFen: receivableFen }
}
type Passage = Awaited<ReturnType<typeof atExit>>
const says = ({ deductNo, psamSeq }: Passage, result: string, more: object = {}, sn = SN) =>
  write((tx) =>
    hearEtc(tx, {
      type: 'etc',
      sn,
      body: { deductNo, result, psamSeq, cardNo: '4201', ...more },
      deviceTime: moment(),
      receivedAt: moment(),
    } as never),
  )
const leaves = ({ order }: Passage) => write((tx) => leaveUnpaid(tx, order.id, { at: moment() }))
const stateOf = async ({ deductNo }: Passage) =>
  (await town.sql<{ etcState: number; matched: boolean }>('select etc_state, matched from arrears.etc_passage where deduct_no = $1', [deductNo]))[0]!
const line = ({ deductNo, psamSeq, amountFen }: Passage, row: number, result = 0) =>
  `D,${row},1,${deductNo},I${deductNo},${PSAM},${psamSeq},4201,鄂A,0,L1,20261123101010,${amountFen},1,${result},${result ? 1 : ''}`
let files = 0
function aFile(lines: readonly string[], { chargeFen, name, date = '20261123' }: { chargeFen: number; name?: string; date?: string }) {
  const number = ++files
  const head = `H,HB,${date},${number}`
  const sha = createHash('sha256')
    .update(`${[head, ...lines].join('\n')}\n`)
    .digest('hex')
  return { name: name ?? `ETC_HB_${date}_${number}.csv`, text: [head, ...lines, `T,${lines.length},${chargeFen},0,${sha}`].join('\n') }
}
function imports({ name, text }: { name: string; text: string }) {
  const form = new FormData()
  form.append('file', new Blob([text]), name)
  return town.server.ask(town.admin, 'POST', '/lbs/business/etc/etcFileImport', form)
}
const agrees = async () => {
  const { ledger, files: owed } = await town.owed()
  expect(owed).toBe(ledger)
  expect((await town.replay()).right).toBe(true)
}

test('an antenna that has taken the fee settles the order, heard once or five times', async () => {
  const passage = await atExit()
  expect((await town.story(passage.order.id)).status).toBe(1)
  await Promise.all(Array.from({ length: 5 }, () => says(passage, 'ok')))
  const order = await town.story(passage.order.id)
  expect([order.status, order.payMethod, order.paidFen, order.payments.length]).toEqual([2, 6, 500, 1])
  expect(await stateOf(passage)).toMatchObject({ etcState: 2 })
  await agrees()
})

test('failed at the lane: the order is free to be paid otherwise; unpaid, the debt says that ETC failed', async () => {
  const passage = await atExit()
  await says(passage, 'fail', { failCode: 1 })
  expect((await town.story(passage.order.id)).status).toBe(0)
  await leaves(passage)
  expect(await town.fileOf(passage.order)).toMatchObject({ sourceType: 5, exceptionType: 0, collectableFen: 500 })
  const { data } = await town.get('/etc/etcEscape', { deductNo: passage.deductNo })
  expect(data.records).toMatchObject([{ etcState: 3, failCode: 1, owedFen: 500 }])
})

test('another antenna cannot speak of it', async () => {
  const passage = await atExit()
  await says(passage, 'ok', {}, 'ETC-OTHER')
  expect(await stateOf(passage)).toMatchObject({ etcState: 1 })
})

test('unknown is not failed: nothing is demanded until the issuer has cleared it, and its success repays the debt', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  await leaves(passage)
  expect(await town.fileOf(passage.order)).toMatchObject({ sourceType: 5, exceptionType: 5, collectableFen: 0 })
  const file = aFile([line(passage, 1)], { chargeFen: 500 })
  const answers = await Promise.all([imports(file), imports(file), imports(file)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  expect(answers[0]!.data).toMatchObject({ settled: 1, surplus: 0 })
  expect(await town.fileOf(passage.order)).toMatchObject({ state: 2, exceptionType: 0, owedFen: 0 })
  await agrees()
})

test('unknown, and failed by the file: it is demanded now', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  await leaves(passage)
  expect((await imports(aFile([line(passage, 1, 1)], { chargeFen: 0 }))).data).toMatchObject({ failed: 1 })
  expect(await town.fileOf(passage.order)).toMatchObject({ state: 0, exceptionType: 0, collectableFen: 500 })
})

test('unknown, paid by scanning, then success in the file: the ETC leg goes back once, whoever verifies', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  const { payNo, amountFen } = await town.startPaying(passage.order)
  await town.notify({ payNo, amountFen })
  await imports(aFile([line(passage, 1)], { chargeFen: 500 }))
  const list = (await town.get('/etc/etcRefund', { deductNo: passage.deductNo })).data.records
  expect(list).toMatchObject([{ amountFen: 500, reason: 1, matched: true }])
  const answers = await Promise.all(Array.from({ length: 20 }, () => town.get('/etc/etcRefundVerify', { id: list[0].id, result: 1 })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
  expect((await town.get('/etc/etcRefund', { deductNo: passage.deductNo })).data.total).toBe(1)
  await agrees()
})

test('a refund is verified by another, and only once the issuer has cleared the deduction', async () => {
  const passage = await atExit(700)
  await says(passage, 'ok')
  const body = { deductNo: passage.deductNo, amountFen: 700, reason: 3, note: '误扣' }
  const asked = await Promise.all(Array.from({ length: 4 }, () => town.post('/etc/etcRefundApply', body)))
  expect(asked.map(({ code }) => code).toSorted()).toEqual([200, 40508, 40508, 40508])
  const [refund] = (await town.get('/etc/etcRefund', { deductNo: passage.deductNo })).data.records
  expect((await town.get('/etc/etcRefundVerify', { id: refund.id, result: 1 })).code).toBe(41241)
  await imports(aFile([line(passage, 1)], { chargeFen: 700 }))
  expect((await town.get('/etc/etcRefundVerify', { id: refund.id, result: 1 })).status).toBe(422)
  await town.sql(`update settlement.refund set applicant_id = null where id = $1`, [refund.id])
  const answers = await Promise.all(Array.from({ length: 20 }, () => town.get('/etc/etcRefundVerify', { id: refund.id, result: 1 })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await until(
    async () => (await town.get('/etc/etcRefund', { deductNo: passage.deductNo })).data.records[0].state,
    (state) => state === 3,
  )
  expect(await stateOf(passage)).toMatchObject({ etcState: 6 })
  await agrees()
})

test('what the antenna took and the issuer calls failed or disputes is not cleared, so that nobody gives back what never came', async () => {
  for (const result of [1, 2]) {
    const passage = await atExit()
    await says(passage, 'ok')
    expect((await imports(aFile([line(passage, 1, result)], { chargeFen: 0 }))).data).toMatchObject({ matched: 0, failed: 0, differing: 1 })
    expect(await stateOf(passage)).toMatchObject({ etcState: 2, matched: false })
    await town.post('/etc/etcRefundApply', { deductNo: passage.deductNo, amountFen: 500, reason: 3, note: '误扣' })
    const [refund] = (await town.get('/etc/etcRefund', { deductNo: passage.deductNo })).data.records
    expect((await town.get('/etc/etcRefundVerify', { id: refund.id, result: 1 })).code).toBe(41241)
  }
})

const clearing = (path: string, body: object) => town.server.ask<any>(town.admin, 'POST', `/lbs/checkBill/liquidation/${path}`, body)
const resultsOn = async (checkDate: string) =>
  new Map<string, any>(
    (await clearing('searchCheckDetail', { checkDate, channel: 'etc', limit: 500 })).data.records.map((one: any) => [one.payNo, one]),
  )

test('the rows of a file are compared as any channel’s: one that differs is somebody’s to settle, and keeps no other back', async () => {
  const [unknown, other, denied, later] = [await atExit(500), await atExit(600), await atExit(700), await atExit(800)]
  await says(unknown, 'unknown')
  for (const one of [other, denied, later]) await says(one, 'ok')
  const [day, date] = [dayOf(moment()), dayOf(moment()).replaceAll('-', '')]
  const told = [line(unknown, 1), line({ ...other, amountFen: 650 }, 2), line(denied, 3, 1)]
  expect((await imports(aFile(told, { chargeFen: 1150, date }))).data).toMatchObject({ settled: 1, differing: 2, matched: 0 })
  expect([await stateOf(unknown), await stateOf(other), await stateOf(denied)]).toMatchObject([
    { matched: true },
    { matched: false },
    { matched: false },
  ])
  // Another file of the day, after somebody has taken on what the first one left open.
  const { id, version } = (await resultsOn(day)).get(other.deductNo)
  expect((await clearing('assign', { id, version })).status).toBe(200)
  expect((await imports(aFile([line(later, 1)], { chargeFen: 800, date }))).data).toMatchObject({ matched: 1 })
  const found = await resultsOn(day)
  const of = ({ deductNo }: Passage) => found.get(deductNo)
  expect(of(unknown)).toMatchObject({ result: 1, platFen: 500, chanFen: 500, feeFen: 1 })
  expect(of(other)).toMatchObject({ result: 4, platFen: 600, chanFen: 650, diffState: 1 })
  expect(of(denied)).toMatchObject({ result: 3, platFen: 700, chanFen: null, diffState: 0 })
  expect(of(later)).toMatchObject({ result: 1 })
  await agrees()
})

test('an amount that differs settles no unknown deduction: the clearing tells it', async () => {
  const passage = await atExit(500)
  await says(passage, 'unknown')
  const file = aFile([line({ ...passage, amountFen: 550 }, 1)], { chargeFen: 550, date: '20260601' })
  expect((await imports(file)).data).toMatchObject({ settled: 0, differing: 1 })
  expect(await stateOf(passage)).toMatchObject({ etcState: 4, matched: false })
  expect((await resultsOn('2026-06-01')).get(passage.deductNo)).toMatchObject({ result: 5, chanFen: 550, diffState: 0 })
})

test('a day that is even goes into the bank less the issuer’s fee; twice the same trade in a file is refused', async () => {
  const passage = await atExit(500)
  await says(passage, 'unknown')
  const twice = aFile([line(passage, 1), line(passage, 2)], { chargeFen: 1000, date: '20260105' })
  expect((await imports(twice)).code).toBe(41240)
  expect((await imports(aFile([line(passage, 1)], { chargeFen: 500, date: '20260105' }))).data).toMatchObject({ settled: 1 })
  const [day] = (await clearing('searchCheckTotal', { dateFrom: '2026-01-05', dateTo: '2026-01-05', channel: 'etc' })).data.records
  expect(day).toMatchObject({ state: 2, platFen: 500, chanFen: 500, feeFen: 1, diffCount: 0 })
  expect((await clearing('closeDay', { checkDate: '2026-01-05', channel: 'etc' })).status).toBe(200)
  const booked = await town.sql(
    `select l.account, l.debit_fen - l.credit_fen as fen from ledger.line l join ledger.entry e on e.enterprise_id = l.enterprise_id and e.id = l.entry_id where e.biz_no = 'DZ2026-01-05-etc' order by l.account`,
  )
  expect(booked).toEqual([
    { account: 'asset.bank', fen: 499 },
    { account: 'asset.channel', fen: -500 },
    { account: 'expense.channel-fee', fen: 1 },
  ])
  await agrees()
})

/** Another person who may do all that the administrator may. */
async function deputy(): Promise<string> {
  await town.sql(`insert into identity.person_role (person_id, role_id) select p.id, r.role_id from identity.person p, identity.person_role r
    where p.username = 'operator' and r.person_id = (select id from identity.person where username = 'admin') on conflict do nothing`)
  return town.server.signIn('operator')
}
const totalOf = async (day: string) => (await clearing('searchCheckTotal', { dateFrom: day, dateTo: day, channel: 'etc' })).data.records[0]
test('a file that comes after its day was closed brings its results all the same: what is news goes to the open day, and the closed one stays as it was', async () => {
  const [first, late, other, sure] = [await atExit(500), await atExit(600), await atExit(700), await atExit(800)]
  for (const one of [first, late, other]) await says(one, 'unknown')
  await leaves(late)
  expect((await imports(aFile([line(first, 1)], { chargeFen: 500, date: '20260205' }))).data).toMatchObject({ settled: 1 })
  expect((await clearing('closeDay', { checkDate: '2026-02-05', channel: 'etc' })).status).toBe(200)
  const closed = await totalOf('2026-02-05')
  const told = [line(first, 1), line(late, 2), line({ ...other, amountFen: 750 }, 3), line(sure, 4, 1)]
  const file = aFile(told, { chargeFen: 500 + 600 + 750, date: '20260205' })
  const answers = await Promise.all([imports(file), imports(file)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]!.data).toMatchObject({ matched: 1, settled: 1, failed: 1, differing: 1, surplus: 0 })
  expect(await town.fileOf(late.order)).toMatchObject({ state: 2, exceptionType: 0, owedFen: 0 })
  expect(await totalOf('2026-02-05')).toEqual(closed)
  const open = await resultsOn('2026-02-06')
  expect([...open.keys()].sort()).toEqual([late.deductNo, other.deductNo].sort())
  expect(open.get(late.deductNo)).toMatchObject({ result: 1, platFen: 600, chanFen: 600, feeFen: 1, diffState: 3 })
  expect(open.get(other.deductNo)).toMatchObject({ result: 5, chanFen: 750, diffState: 0 })
  // The issuer sends it right, again for the closed day: nothing is open any more, and the open day brings what was news into the bank.
  expect((await imports(aFile([line(first, 1), line(other, 2)], { chargeFen: 1200, date: '20260205' }))).data).toMatchObject({ settled: 1 })
  expect(await totalOf('2026-02-06')).toMatchObject({ state: 2, platFen: 1300, chanFen: 1300, feeFen: 2, openCount: 0 })
  expect((await clearing('closeDay', { checkDate: '2026-02-06', channel: 'etc' })).status).toBe(200)
  // The next file finds the day after closed too: results that both have told already are no news.
  expect((await imports(aFile([line(first, 1), line(late, 2), line(sure, 3)], { chargeFen: 1900, date: '20260205' }))).data).toMatchObject({
    matched: 2,
    settled: 1,
  })
  expect([...(await resultsOn('2026-02-07')).keys()]).toEqual([sure.deductNo])
  expect(await totalOf('2026-02-05')).toEqual(closed)
  await agrees()
})

test('a card charged on a closed day, told by the file of the next one, is money of that one', async () => {
  const [first, late] = [await atExit(500), await atExit(600)]
  for (const one of [first, late]) await says(one, 'unknown')
  expect((await imports(aFile([line(first, 1)], { chargeFen: 500, date: '20260115' }))).status).toBe(200)
  expect((await clearing('closeDay', { checkDate: '2026-01-15', channel: 'etc' })).status).toBe(200)
  const before = line(late, 1).replace('20261123101010', '20260115235900')
  expect((await imports(aFile([before], { chargeFen: 600, date: '20260116' }))).data).toMatchObject({ settled: 1 })
  expect((await resultsOn('2026-01-16')).get(late.deductNo)).toMatchObject({ result: 1, platFen: 600 })
})

test('a difference is confirmed while another file settles its deduction: nobody waits in a ring, and the money is counted once', async () => {
  const token = await deputy()
  for (let round = 0; round < 12; round++) {
    const passages = [await atExit(500), await atExit(600), await atExit(700)]
    for (const one of passages) await says(one, 'unknown')
    const day = new Date(Date.UTC(2025, 2, 1 + 4 * round)).toISOString().slice(0, 10)
    const date = day.replaceAll('-', '')
    await imports(
      aFile(
        passages.map((one, row) => line({ ...one, amountFen: one.amountFen + 50 }, row)),
        { chargeFen: 1950, date },
      ),
    )
    const open = await resultsOn(day)
    const waiting = []
    for (const { deductNo } of passages) {
      const { id, version } = open.get(deductNo)
      waiting.push((await clearing('settle', { id, version, closing: 1, note: '发行方已确认' })).data)
    }
    const file = aFile(
      passages.map((one, row) => line(one, row)),
      { chargeFen: 1800, date },
    )
    const answers = await Promise.all([
      imports(file),
      ...waiting
        .toReversed()
        .map(({ id, version }: any) => town.server.ask(token, 'POST', '/lbs/checkBill/liquidation/settleDecide', { id, version, pass: true })),
    ])
    expect(answers.map(({ status, code, message }) => (status === 200 ? 200 : `${code} ${message}`))).toEqual([200, 200, 200, 200])
    for (const { order } of passages)
      expect((await town.story(order.id)).payments.filter(({ state }: any) => state === 1).length).toBeLessThanOrEqual(1)
  }
  await agrees()
})

test('what a later file denies is a difference of its day: taken back once, whoever denies it again, and booked by two people', async () => {
  const [kept, denied] = [await atExit(500), await atExit(600)]
  for (const one of [kept, denied]) await says(one, 'unknown')
  expect((await imports(aFile([line(kept, 1), line(denied, 2)], { chargeFen: 1100, date: '20250110' }))).data).toMatchObject({ settled: 2 })
  expect((await clearing('closeDay', { checkDate: '2025-01-10', channel: 'etc' })).status).toBe(200)
  const closed = await totalOf('2025-01-10')
  const again = aFile([line(denied, 1, 1)], { chargeFen: 0, date: '20250111' })
  const answers = await Promise.all([imports(again), imports(again)])
  expect(answers.map(({ data }) => data)).toMatchObject([{ differing: 1 }, { differing: 1 }])
  expect(await totalOf('2025-01-10')).toEqual(closed)
  const onDay = async (checkDate: string) => (await clearing('searchCheckDetail', { checkDate, channel: 'etc' })).data.records
  const [back, ...others] = await onDay('2025-01-11')
  expect(others).toEqual([])
  expect(back).toMatchObject({ kind: 2, result: 2, platFen: null, chanFen: 600, orderId: denied.order.id, parkCode: 'P001', diffState: 0 })
  expect((await clearing('closeDay', { checkDate: '2025-01-11', channel: 'etc' })).status).not.toBe(200)
  // Another file of the day, and the next day's, deny it once more: it is one difference all the same.
  await imports(aFile([line(denied, 1, 2)], { chargeFen: 0, date: '20250111' }))
  await imports(aFile([line(denied, 1, 1)], { chargeFen: 0, date: '20250112' }))
  expect(await onDay('2025-01-11')).toMatchObject([{ id: back.id, version: back.version }])
  expect(await onDay('2025-01-12')).toEqual([])
  const settle = async (closing: number) => clearing('settle', { id: back.id, version: back.version, closing, note: '发行方冲回' })
  expect(await settle(2)).toMatchObject({ status: 422, code: 40564 })
  const { data: settled } = await settle(3)
  const which = { id: settled.id, version: settled.version, pass: true }
  expect((await clearing('settleDecide', which)).code).toBe(40506)
  const decided = await town.server.ask(await deputy(), 'POST', '/lbs/checkBill/liquidation/settleDecide', which)
  expect(decided).toMatchObject({ status: 200, data: { diffState: 3 } })
  expect((await clearing('closeDay', { checkDate: '2025-01-11', channel: 'etc' })).status).toBe(200)
  const booked = await town.sql(
    `select l.account, sum(l.debit_fen - l.credit_fen)::int as fen from ledger.line l join ledger.entry e on e.enterprise_id = l.enterprise_id and e.id = l.entry_id
      where e.biz_no in ('DZ2025-01-11-etc', $1) and e.biz_type like 'check.%' group by l.account order by l.account`,
    [back.tradeNo],
  )
  expect(booked).toEqual([
    { account: 'asset.bank', fen: -600 },
    { account: 'asset.channel', fen: 0 },
    { account: 'clearing.over-short', fen: 600 },
  ])
  await agrees()
})

test('a file sent again that denies what the day before was closed with takes it back on its own day, once, and brings all else that it tells', async () => {
  const [crossed, other, late] = [await atExit(500), await atExit(600), await atExit(700)]
  await says(crossed, 'ok')
  for (const one of [other, late]) await says(one, 'unknown')
  // A minute before midnight; the issuer counts it to the day after.
  await town.sql(`update settlement.payment set paid_at = '2024-12-10T15:59:00Z', heard_at = '2024-12-10T15:59:01Z' where order_id = $1`, [
    crossed.order.id,
  ])
  const told = (one: Passage, row: number, result = 0) => line(one, row, result).replace('20261123101010', '20241211000100')
  const onDay = async (checkDate: string) => (await clearing('searchCheckDetail', { checkDate, channel: 'etc' })).data.records
  expect((await imports(aFile([told(crossed, 1), told(other, 2)], { chargeFen: 1100, date: '20241211' }))).data).toMatchObject({
    matched: 1,
    settled: 1,
  })
  expect((await imports(aFile([], { chargeFen: 0, date: '20241210' }))).status).toBe(200)
  expect((await clearing('closeDay', { checkDate: '2024-12-10', channel: 'etc' })).status).toBe(200)
  const closed = [await totalOf('2024-12-10'), await onDay('2024-12-10')]
  // Neither fewer rows than before, nor a no, keep back what it brings.
  expect((await imports(aFile([told(crossed, 1, 1), told(late, 2)], { chargeFen: 700, date: '20241211' }))).data).toMatchObject({
    differing: 1,
    settled: 1,
  })
  expect([await totalOf('2024-12-10'), await onDay('2024-12-10')]).toEqual(closed)
  const backs = async (day: string) => (await onDay(day)).filter(({ kind }: any) => kind === 2)
  const [back, ...more] = await backs('2024-12-11')
  expect([back, more]).toMatchObject([{ result: 2, platFen: null, chanFen: 500, orderId: crossed.order.id, diffState: 0 }, []])
  expect((await onDay('2024-12-11')).filter(({ kind, result }: any) => kind === 1 && result === 1)).toHaveLength(2)
  for (const date of ['20241211', '20241212']) expect((await imports(aFile([told(crossed, 1, 2)], { chargeFen: 0, date }))).status).toBe(200)
  expect([await backs('2024-12-11'), await onDay('2024-12-12')]).toMatchObject([[{ id: back.id, version: back.version }], []])
  // After all: nothing is taken back.
  expect((await imports(aFile([told(crossed, 1)], { chargeFen: 500, date: '20241211' }))).data).toMatchObject({ matched: 1 })
  expect(await backs('2024-12-11')).toEqual([])
  // Another amount of it is nobody's to settle by a file.
  expect((await imports(aFile([told({ ...crossed, amountFen: 400 }, 1)], { chargeFen: 400, date: '20241211' }))).code).toBe(40559)
  await agrees()
})

test('the issuer’s own file of a day is taken as it is', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  const { deductNo, psamSeq, amountFen } = passage
  const trade = {
    deductNo,
    psamSeq,
    amountFen,
    psamNo: PSAM,
    cardNo: '4201',
    plateNo: '鄂A',
    plateColor: 0,
    laneNo: 'L1',
    tradeTime: '2026-11-20 10:00:00',
    feeFen: 1,
    result: 0,
  }
  for (let i = 0; i < 2; i++) await fetch(`${issuer.url}/trade`, { method: 'POST', body: JSON.stringify(trade) })
  const file = (await (await fetch(`${issuer.url}/file?issuer=HB&date=2026-11-20&seq=1`)).json()) as { name: string; text: string }
  expect((await imports(file)).data).toMatchObject({ rows: 1, settled: 1, chargeFen: 500 })
  expect((await town.story(passage.order.id)).status).toBe(2)
})

test('a file that was cut, with other sums or under a taken name is refused whole', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  const file = aFile([line(passage, 1)], { chargeFen: 500 })
  const cut = { name: file.name, text: file.text.slice(0, -90) }
  expect((await imports(cut)).code).toBe(41240)
  expect((await imports({ name: file.name, text: file.text.split('\n').slice(0, -1).join('\n') })).code).toBe(41240)
  expect((await imports(aFile([line(passage, 1)], { chargeFen: 499 }))).code).toBe(41240)
  expect((await imports({ name: 'bill.csv', text: file.text })).code).toBe(41240)
  expect(await stateOf(passage)).toMatchObject({ etcState: 4, matched: false })
  expect((await imports(file)).status).toBe(200)
  const other = aFile([], { chargeFen: 0 })
  expect(
    (await imports({ name: file.name, text: other.text.replace(/^H,HB,20261123,\d+/, `H,HB,20261123,${file.name.match(/_(\d+)\.csv/)![1]}`) })).code,
  ).toBe(41240)
})

test('a line whose numbers are longer than ours, or whose time is of no year of ours, refuses the file with its place', async () => {
  const passage = await atExit()
  await says(passage, 'unknown')
  const good = line(passage, 1)
  const wrong = [
    good.replace(passage.deductNo, 'D'.repeat(1_000_000)),
    good.replace(`I${passage.deductNo}`, 'I'.repeat(49)),
    good.replace(PSAM, 'A'.repeat(13)),
    good.replace('20261123101010', '99991123101010'),
    good.replace('20261123101010', '19991123101010'),
  ]
  for (const one of wrong)
    expect(await imports(aFile([one], { chargeFen: 500 }))).toMatchObject({ code: 41240, message: expect.stringContaining('第 2 行') })
  expect((await imports(aFile([good], { chargeFen: 500 }))).data).toMatchObject({ settled: 1 })
})

test('a file of fifty thousand lines is read bit by bit: others go on meanwhile', async () => {
  const lines = Array.from({ length: 49_990 }, (_, row) => line({ deductNo: `L${row}`, psamSeq: row, amountFen: 1 } as Passage, row))
  const { name, text } = aFile(lines, { chargeFen: lines.length })
  let turns = 0
  let reading = true
  const others = (async () => {
    for (; reading; turns++) await new Promise(setImmediate)
  })()
  const cleared = await clearedOf(name, Buffer.from(text))
  reading = false
  await others
  expect([cleared.rows.length, cleared.rows.at(-1)!.deductNo]).toEqual([49_990, 'L49989'])
  expect(turns).toBeGreaterThan(100)
  await expect(clearedOf(name, Buffer.from(`${text}\n${lines.slice(0, 20).join('\n')}`))).rejects.toMatchObject({ code: 41240 })
})

test('what the issuer has and we have not is counted as surplus', async () => {
  const stranger = { deductNo: 'X1', psamSeq: 999_999, amountFen: 300 } as Passage
  expect((await imports(aFile([line(stranger, 1)], { chargeFen: 300 }))).data).toMatchObject({ rows: 1, surplus: 1, matched: 0 })
})

/** One deduction of each end; the failed car has left and owes. */
async function ofEachEnd() {
  const [done, failed, unknown] = [await atExit(310), await atExit(320), await atExit(330)]
  await says(done, 'ok')
  await says(failed, 'fail', { failCode: 1 })
  await leaves(failed)
  await says(unknown, 'unknown')
}
test('the figures add up: attempts are done, failed, unknown and given to a person', async () => {
  const before = (await town.get('/etc/etcOverview', {})).data
  await ofEachEnd()
  const { data } = await town.get('/etc/etcOverview', {})
  expect(['attempts', 'success', 'fail', 'unknown', 'manual', 'escapedFen'].map((name) => data[name] - before[name])).toEqual([3, 1, 1, 1, 0, 320])
  expect(data.success + data.fail + data.unknown + data.manual).toBe(data.attempts)
  expect(data.successFen + data.failFen + data.unknownFen + data.manualFen).toBe(data.attemptsFen)
  expect(data.parks).toMatchObject([{ parkCode: 'P001', antennas: 1, online: 1 }])
})
test('each figure is as much as the list that it opens has, of whatever became of a deduction', async () => {
  await ofEachEnd()
  const { data } = await town.get('/etc/etcOverview', {})
  const listed = async ({ opens: { call, filter, sums } }: (typeof ETC)[keyof typeof ETC]) => {
    const within = filter({ from: '2000-01-01', to: '2099-12-31' })
    const asked = { ...Object.fromEntries(Object.entries(within).filter(([, value]) => value !== undefined)), queryMode: sums ? 'sum' : 'total' }
    const answer = (await town.get(`/etc/${call.path.split('/').at(-1)}`, asked)).data
    return sums ? answer.sums[sums] : answer.total
  }
  for (const name of ['attempts', 'successFen', 'escapedFen', 'unknown'] as const) expect([name, await listed(ETC[name])]).toEqual([name, data[name]])
  expect(data.escapedFen).toBeGreaterThan(0)
})

test('the list of deductions shows what succeeded beside what failed, by any part of a plate, period, state and park, and its export the same', async () => {
  const [done, failed] = [await atExit(610), await atExit(620)]
  await says(done, 'ok')
  await says(failed, 'fail', { failCode: 1 })
  const { tradeTime } = (await town.get('/etc/etcDeduct', { deductNo: done.deductNo })).data.records[0]
  const wanted = { plateNo: done.order.plateNo!.slice(2), tradeTimeFrom: tradeTime, tradeTimeTo: tradeTime, parkCode: 'P001' }
  const [row, ...others] = (await town.get('/etc/etcDeduct', wanted)).data.records
  expect([row.deductNo, row.etcState, others]).toEqual([done.deductNo, 2, []])
  const failures = (await town.get('/etc/etcDeduct', { etcState: [3], limit: 500 })).data.records
  expect(failures.map(({ deductNo }: Passage) => deductNo)).toContain(failed.deductNo)
  expect((await town.get('/etc/etcDeduct', { ...wanted, parkCode: 'P000' })).data.records).toEqual([])
  const text = String((await town.get('/etc/etcDeductExport', { ...wanted, format: 'csv' })).data)
  expect(text).toContain(done.deductNo)
  expect(text).not.toContain(failed.deductNo)
})
