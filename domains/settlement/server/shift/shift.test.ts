import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { digestOf, PASSWORD } from '../../../../tests/support/server.ts'
import { hashed } from '../../../identity/server/api.ts'
import { aPark } from '../../../parking/server/testing.ts'
import { cashierOf } from '../events.ts'
import { partsOf } from './shiftCash.ts'
import { aTill, now, type Till } from '../testing.ts'

let till: Till
let boss: string
let operator: string
let witness: string
const ids = new Map<string, string>()
beforeAll(async () => {
  till = await aTill()
  forgetThem = knowCashiers()
  for (const { id, username } of await sql('select id, username from identity.person')) ids.set(username, id)
  await till.server.house.writing(1, 'test', (tx) => aPark(tx, { parkCode: 'P001' }))
  await sql(`insert into identity.role (name, grants, data_scope) values ('tills', 2, 1) on conflict do nothing`)
  // Two who have no till: one settles, one verifies.
  for (const name of ['operator', 'auditor'])
    await sql(`insert into identity.person_role (person_id, role_id) select $1, id from identity.role where name = 'tills'`, [ids.get(name)])
  ;[boss, operator] = [await till.server.signIn('auditor'), await till.server.signIn('operator')]
  witness = await aWitness()
})
const cashiers: Record<string, [username: string, name: string]> = { NEXT: ['operator', '接班'], SELF: ['admin', '自己'] }
const knowCashiers = () =>
  cashierOf.answer('test', async (_, { tollNo }) => {
    const [username, userName] = cashiers[tollNo] ?? []
    return userName ? { userId: ids.get(username!)!, userName } : undefined
  })
let forgetThem: () => void
afterAll(() => forgetThem())
afterAll(() => till.close())

const sql = (text: string, values: readonly unknown[] = []) => till.server.house.writing(1, 'test', (tx) => run<any>(tx, { sql: text }, [...values]))
const act = (path: string, input: object, token = till.admin) => till.call(token, `/shift/${path}`, input)
const read = async (path: string, input: object = {}, token = till.admin) =>
  (await till.server.ask(token, 'GET', `/lbs/business/shift/${path}`, input)).data
const notes = (fen: number) => [
  { faceFen: 100, count: Math.floor(fen / 100) },
  { faceFen: 10, count: (fen % 100) / 10 },
]
const onTill = async (id: string, account = 'asset.cash') =>
  Number(
    (
      await sql(
        `select coalesce(sum(debit_fen - credit_fen), 0) as fen from ledger.balance where account = $2 and ($2 <> 'asset.cash' or sub = $1)`,
        [id, account],
      )
    )[0].fen,
  )
/** Somebody who takes cash and may look at tills, in these parks alone: from the next sign-in on, in others. */
async function inParks(username: string, parks: readonly string[]): Promise<string> {
  const hash = await hashed(digestOf(username, PASSWORD))
  await sql(
    `insert into identity.person (username, name, password_hash, must_change) select $1, $1, $2, false where not exists (select from identity.person where username = $1)`,
    [username, hash],
  )
  await sql(
    `insert into identity.role (name, grants, data_scope, parks) values ($1, 2, 6, $2) on conflict (enterprise_id, name) do update set parks = excluded.parks`,
    [username, parks],
  )
  await sql(
    `insert into identity.person_role (person_id, role_id) select p.id, r.id from identity.person p, identity.role r where p.username = $1 and r.name = $1 on conflict do nothing`,
    [username],
  )
  return till.server.signIn(username)
}
/** A second person who may settle, of all parks. */
async function aWitness(): Promise<string> {
  await sql(`insert into identity.person (username, name, password_hash, must_change) values ('witness', 'witness', $1, false)`, [
    await hashed(digestOf('witness', PASSWORD)),
  ])
  await sql(
    `insert into identity.person_role (person_id, role_id) select p.id, r.id from identity.person p, identity.role r where p.username = 'witness' and r.name = 'tills'`,
  )
  return till.server.signIn('witness')
}
/** A shift of the administrator with a float and cash in it; nobody else's runs. */
async function aShift(receivableFen: number, openingFloatFen = 0, token = till.admin) {
  await sql(`update settlement.shift set state = 4, closed_at = now() where state = 0`)
  await act('open', { openingFloatFen }, token)
  if (receivableFen > 0) await take(receivableFen, token)
  return read('mine', {}, token)
}
async function take(receivableFen: number, token = till.admin, { parkCode = 'P001', ...more }: { parkCode?: string; [name: string]: unknown } = {}) {
  const order = await till.anOrder({ receivableFen, parkCode })
  return till.call(token, '/order/cash', { id: order.id, amountFen: receivableFen, ...more })
}
/** Waits until the moment is over: a shift closed in the same millisecond was closed by then. */
async function moment() {
  const at = now()
  while (now() === at) await new Promise(setImmediate)
  return at
}
const ref = ({ id, version }: { id: string; version: number }) => ({ id, version })
const closing = async (shift: any, fen: number, more: object = {}, token = till.admin) =>
  act('close', { ...ref(shift), counted: notes(fen), ...more }, token)

test('what is deposited leaves the till for the bank, no more than lies in it, each voucher once', async () => {
  const shift = await aShift(1200, 5000)
  const bank = await onTill('', 'asset.bank')
  expect((await act('deposit', { ...ref(shift), amountFen: 1300, voucherNo: 'V1' })).code).toBe(40582)
  expect((await act('deposit', { ...ref(shift), amountFen: 800, voucherNo: 'V1' }, operator)).code).toBe(40581)
  const { data } = await act('deposit', { ...ref(shift), amountFen: 800, voucherNo: 'V1' })
  expect((await read('detail', { id: shift.id })).takings).toMatchObject([{ parkCode: 'P001', payMethod: 4, receivedFen: 1200, refundFen: 0 }])
  expect(await read('mine')).toMatchObject({ depositFen: 800, cashInFen: 1200, cashOutFen: 0, expectedFen: 5400, state: 0 })
  expect((await act('deposit', { ...ref(data), amountFen: 100, voucherNo: 'V1' })).code).toBe(40583)
  expect((await act('deposit', { ...ref(shift), amountFen: 100, voucherNo: 'V2' })).code).toBe(409)
  expect([await onTill(shift.id), (await onTill('', 'asset.bank')) - bank]).toEqual([400, 800])
  expect((await read('detail', { id: shift.id })).moves).toMatchObject([{ kind: 1, creditFen: 800, voucherNo: 'V1', parkCode: 'P001' }])
})

test('of a park that has nothing in the till nothing is deposited', () => {
  const cash = [
    { parkCode: 'A', fen: 500 },
    { parkCode: 'B', fen: 0 },
    { parkCode: 'C', fen: -50 },
  ]
  expect([partsOf(cash, 300), partsOf(cash, 520)]).toEqual([[{ parkCode: 'A', fen: 300 }], [{ parkCode: 'A', fen: 500 }]])
})

test('what was counted goes to the taker, who counts too; the float with it', async () => {
  const shift = await aShift(1230, 5000)
  expect((await closing(shift, 6200, { takerTollNo: 'NEXT' })).code).toBe(40584)
  expect((await closing(shift, 6230, { takerTollNo: 'SELF' })).code).toBe(40585)
  expect((await closing(shift, 6230, { takerTollNo: 'NOBODY' })).code).toBe(40585)
  const { data: closed } = await closing(shift, 6200, { takerTollNo: 'NEXT', reason: '找零' })
  expect(closed).toMatchObject({ state: 1, countedFen: 6200, differenceFen: -30, openFen: 0, takerName: '接班' })
  expect((await act('takeOver', { ...ref(closed), accept: true, countedFen: 6200 })).code).toBe(40581)
  expect((await act('takeOver', { ...ref(closed), accept: true, countedFen: 6230 }, operator)).code).toBe(40586)
  expect((await read('toTake', {}, operator)).map(({ id }: any) => id)).toEqual([shift.id])
  const { data: taken } = await act('takeOver', { ...ref(closed), accept: true, countedFen: 6200 }, operator)
  expect(taken.state).toBe(2)
  const next = await read('mine', {}, operator)
  expect(next).toMatchObject({ openingFloatFen: 5000, cashInFen: 0, cashOutFen: 0, expectedFen: 6200, version: 2 })
  expect([await onTill(shift.id), await onTill(next.id)]).toEqual([0, 1200])
  expect((await act('verify', ref(taken), operator)).code).toBe(40588)
  expect((await act('verify', ref(taken), boss)).data.state).toBe(4)
  expect(await till.replay()).toMatchObject({ right: true })
})

test('whoever handed a till over takes it back while its taker has not counted it; a person whom a till waits for is not deleted', async () => {
  const shift = await aShift(500)
  const remove = (username: string) => till.server.ask(till.admin, 'POST', '/lbs/custom/person/delete', { id: ids.get(username) })
  const { data: closed } = await closing(shift, 500, { takerTollNo: 'NEXT' })
  expect(await remove('operator')).toMatchObject({ code: 40268, message: expect.stringMatching(`^.+须先接班或拒绝接班 ${shift.shiftNo}，不能删除$`) })
  expect((await act('takeOver', { ...ref(closed), accept: false }, boss)).code).toBe(40581)
  expect((await act('takeOver', { ...ref(closed), accept: true, countedFen: 500 })).code).toBe(40581)
  expect((await act('takeOver', { ...ref(closed), accept: false })).data).toMatchObject({ state: 0, countedFen: null })
  expect(await read('mine')).toMatchObject({ id: shift.id, expectedFen: 500 })
})

test('what the taker rejects runs on as if it had not been counted', async () => {
  const shift = await aShift(500)
  const { data: closed } = await closing(shift, 500, { takerTollNo: 'NEXT' })
  await take(200)
  expect((await act('takeOver', { ...ref(closed), accept: false }, operator)).code).toBe(40587)
  const second = await read('mine')
  await closing(second, 200)
  expect((await act('takeOver', { ...ref(closed), accept: false }, operator)).data).toMatchObject({
    state: 0,
    countedFen: null,
    closedAt: null,
  })
  expect(await read('mine')).toMatchObject({ id: shift.id, expectedFen: 500 })
})

test('a large difference is settled by another, before anybody takes over; who settled it does not verify', async () => {
  const shift = await aShift(9000)
  const { data: closed } = await closing(shift, 7000, { takerTollNo: 'NEXT', reason: '少' })
  expect(closed).toMatchObject({ state: 5, openFen: -2000 })
  expect((await act('takeOver', { ...ref(closed), accept: true, countedFen: 7000 }, operator)).status).toBe(409)
  expect((await act('settle', { ...ref(closed), way: 1 })).code).toBe(40588)
  expect((await act('settle', { ...ref(closed), way: 2 }, boss)).code).toBe(40589)
  expect((await act('settle', { ...ref(closed), way: 3 }, boss)).code).toBe(40515)
  const { data: proposed } = await act('settle', { ...ref(closed), way: 3, note: '车被追尾' }, boss)
  expect(proposed).toMatchObject({ state: 5, openFen: -2000, settledWay: 3, settledNote: '车被追尾', confirmedByName: null })
  expect(await onTill('', 'expense.cash-short')).toBe(30)
  expect((await act('settle', { ...ref(proposed), way: 3, note: '车被追尾' }, boss)).code).toBe(40516)
  expect((await act('settle', { ...ref(proposed), way: 3 })).code).toBe(40588)
  expect((await act('settle', { ...ref(proposed), way: 3 }, operator)).code).toBe(40588)
  const { data: settled } = await act('settle', { ...ref(proposed), way: 3 }, witness)
  expect(settled).toMatchObject({ state: 1, openFen: 0, settledWay: 3, settledNote: '车被追尾', confirmedByName: 'witness' })
  expect([await onTill(shift.id), await onTill('', 'expense.cash-short')]).toEqual([7000, 2000 + 30])
  const { data: taken } = await act('takeOver', { ...ref(settled), accept: true, countedFen: 7000 }, operator)
  for (const one of [boss, witness]) expect((await act('verify', ref(taken), one)).code).toBe(40588)
  await expect(sql('update settlement.shift set state = 4, verified_by_id = settled_by_id where id = $1', [shift.id])).rejects.toThrow(
    'verified_by_another',
  )
})

test('without a taker it is brought in; what was over stands apart, and what is made good changes no figure of the ledger', async () => {
  const over = await aShift(1000)
  const { data: counted } = await closing(over, 3000, { reason: '多' })
  const { data: kept } = await act('settle', { ...ref(counted), way: 2 }, boss)
  expect(kept.state).toBe(3)
  const bank = await onTill('', 'asset.bank')
  expect((await act('verify', ref(kept), operator)).data.state).toBe(4)
  expect([await onTill(over.id), (await onTill('', 'asset.bank')) - bank, await onTill('', 'clearing.over-short')]).toEqual([0, 3000, -2000])
  const short = await aShift(5000)
  const { data: less } = await closing(short, 3000, { reason: '少' })
  const apart = () => Promise.all(['expense.cash-short', 'clearing.over-short'].map((account) => onTill('', account)))
  const before = await apart()
  const { data: good } = await act('settle', { ...ref(less), way: 1 }, boss)
  expect(good).toMatchObject({ state: 3, countedFen: 5000, differenceFen: 0 })
  await act('verify', ref(good), operator)
  expect([await onTill(short.id), (await onTill('', 'asset.bank')) - bank]).toEqual([0, 8000])
  expect(await apart()).toEqual(before)
})

test('a receipt that comes late, taken up to the moment of the count, makes a difference of its own shift, verified or not, and the next stays equal', async () => {
  const shift = await aShift(1000)
  const { data: closed } = await closing(shift, 1000)
  const [{ at: taken }] = await sql(`select closed_at as at from settlement.shift where id = $1`, [shift.id])
  await act('verify', ref(closed), boss)
  await take(400)
  const next = await read('mine')
  expect((await take(250, till.admin, { deviceTime: '2020-01-01T00:00:00.000Z' })).code).toBe(40595)
  expect((await take(250, till.admin, { deviceTime: taken })).status).toBe(200)
  const reopened = await read('detail', { id: shift.id })
  expect(reopened).toMatchObject({ state: 5, lateFen: 250, openFen: -250, differenceFen: -250, verifiedByName: null })
  expect((await read('mine')).expectedFen).toBe(next.expectedFen)
  const { data: settled } = await act('settle', { ...ref(reopened), way: 1 }, boss)
  expect(settled.state).toBe(3)
  expect((await act('verify', ref(settled), operator)).data.state).toBe(4)
  expect(await onTill(shift.id)).toBe(0)
  expect(await till.replay()).toMatchObject({ right: true })
})

test('a till is counted to the fen, and whoever counts is not told by how much it differs', async () => {
  const shift = await aShift(1007)
  const blind = await closing(shift, 1010)
  expect([blind.code, blind.message]).toEqual([40584, expect.not.stringMatching(/\d/)])
  const counted = [
    { faceFen: 1000, count: 1 },
    { faceFen: 1, count: 7 },
  ]
  expect((await act('close', { ...ref(shift), counted })).data).toMatchObject({ state: 3, countedFen: 1007, differenceFen: 0 })
})

test('what somebody proposed to bear is another amount once a receipt comes late: it is proposed anew, or made good', async () => {
  const shift = await aShift(5000)
  const taken = await moment()
  const { data: closed } = await closing(shift, 3000, { reason: '少' })
  await act('settle', { ...ref(closed), way: 3, note: '被盗' }, boss)
  expect((await take(250, till.admin, { deviceTime: taken })).status).toBe(200)
  const late = await read('detail', { id: shift.id })
  expect(late).toMatchObject({ state: 5, openFen: -2250, settledWay: null, settledByName: null, settledNote: null })
  expect((await act('settle', { ...ref(late), way: 3 }, witness)).code).toBe(40515)
  const { data: again } = await act('settle', { ...ref(late), way: 3, note: '被盗，已报警' }, witness)
  expect((await act('settle', { ...ref(again), way: 1 }, witness)).data).toMatchObject({ state: 3, settledWay: 1, settledNote: null })
  expect(await till.replay()).toMatchObject({ right: true })
})

test('each step of a till has its turn, and a till that nobody knows is not found', async () => {
  const shift = await aShift(1000)
  expect((await act('settle', { ...ref(shift), way: 3 }, boss)).code).toBe(40010)
  expect((await act('verify', ref(shift), boss)).code).toBe(40010)
  const { data: closed } = await closing(shift, 1000)
  expect(closed.state).toBe(3)
  expect((await closing(closed, 1000)).code).toBe(40010)
  expect((await act('settle', { ...ref(closed), way: 3 }, boss)).code).toBe(40010)
  expect((await act('deposit', { ...ref(closed), amountFen: 100, voucherNo: 'V9' })).code).toBe(40010)
  expect((await closing({ id: randomUUID(), version: 1 }, 0)).status).toBe(404)
})

test('up to ten yuan a difference is for its cashier to explain; above, the taker is told only once somebody else has settled it', async () => {
  const { records } = (await till.server.ask(operator, 'POST', '/lbs/message/messageRecord/queryMessageRecord', {})).data
  const before = records.map(({ id }: any) => id)
  const told = async () =>
    (await till.server.ask(operator, 'POST', '/lbs/message/messageRecord/queryMessageRecord', {})).data.records
      .filter(({ id, title }: any) => !before.includes(id) && title.startsWith('待接班'))
      .map(({ content }: any) => /([\d.]+) 元/.exec(content)![1])
  const large = await aShift(9000)
  const { data: differs } = await closing(large, 7990, { takerTollNo: 'NEXT', reason: '少' })
  expect([differs.state, await told()]).toEqual([5, []])
  const { data: proposed } = await act('settle', { ...ref(differs), way: 3, note: '找零多付' }, boss)
  expect(await told()).toEqual([])
  await act('settle', { ...ref(proposed), way: 3 }, witness)
  expect(await told()).toEqual(['79.90'])
  const small = await aShift(9000)
  expect((await closing(small, 8000, { takerTollNo: 'NEXT', reason: '少' })).data).toMatchObject({ state: 1, openFen: 0, differenceFen: -1000 })
  expect(await told()).toHaveLength(2)
  const alone = await aShift(9000)
  expect((await closing(alone, 8000, { reason: '少' })).data.state).toBe(3)
  expect(await told()).toHaveLength(2)
  // To the fen: one too much is booked once somebody else has seen it.
  const odd = await aShift(999)
  await act('verify', ref((await closing(odd, 1000, { reason: '多' })).data), boss)
  expect((await read('detail', { id: odd.id })).moves).toMatchObject([
    { kind: 5, debitFen: 1 },
    { kind: 6, creditFen: 1000 },
  ])
})

test('a till that was taken over by then is not taken over again for a receipt that comes late: it is verified', async () => {
  const shift = await aShift(1000)
  const taken = await moment()
  const { data: closed } = await closing(shift, 1000, { takerTollNo: 'NEXT' })
  await act('takeOver', { ...ref(closed), accept: true, countedFen: 1000 }, operator)
  expect((await take(250, till.admin, { deviceTime: taken })).status).toBe(200)
  const late = await read('detail', { id: shift.id })
  expect(late).toMatchObject({ state: 5, lateFen: 250, openFen: -250 })
  expect((await act('settle', { ...ref(late), way: 1 }, boss)).data).toMatchObject({ state: 3, openFen: 0 })
})

test('what is over in a till without takings is booked at the park where its cashier last took cash', async () => {
  await aShift(1000)
  const order = await till.anOrder({ receivableFen: 500, parkCode: 'P002' })
  expect((await till.call(till.admin, '/order/cash', { id: order.id, amountFen: 500 })).status).toBe(200)
  const empty = await aShift(0)
  const { data: counted } = await closing(empty, 2000, { reason: '多' })
  await act('settle', { ...ref(counted), way: 2 }, boss)
  expect((await read('detail', { id: empty.id })).moves).toMatchObject([{ kind: 5, parkCode: 'P002', debitFen: 2000, creditFen: 0 }])
})

test('cash that comes while the till is counted is counted, or is of the next shift', async () => {
  const shift = await aShift(1000)
  const [closed, ...paid] = await Promise.all([closing(shift, 1000, { reason: '并发' }), take(100), take(100), take(100)])
  expect(paid.map(({ status }) => status)).toEqual([200, 200, 200])
  const found = await read('detail', { id: shift.id })
  const next = await read('mine')
  expect(closed.status).toBe(200)
  expect(found.expectedFen + (next?.expectedFen ?? 0)).toBe(1300)
  expect(await onTill(shift.id)).toBe(found.expectedFen)
})

test('whoever keeps a till counts and closes it whole when they see fewer parks by now; for others in these parks it is not there', async () => {
  const before = await inParks('keeper', ['P001', 'P009'])
  await aShift(1000, 5000, before)
  await take(500, before, { parkCode: 'P009' })
  const [keeper, other] = [await inParks('keeper', ['P001']), await inParks('other', ['P001'])]
  const shift = await read('mine', {}, keeper)
  expect(shift).toMatchObject({ openingFloatFen: 5000, cashInFen: 1500, expectedFen: 6500 })
  expect(await read('detail', { id: shift.id }, keeper)).toMatchObject({ openingFloatFen: 5000, cashInFen: 1500, expectedFen: 6500, moves: [] })
  expect(await read('detail', { id: shift.id }, other)).toMatchObject({ openingFloatFen: null, cashInFen: 1000, expectedFen: null })
  expect((await act('deposit', { ...ref(shift), amountFen: 100, voucherNo: 'V9' }, keeper)).code).toBe(40579)
  expect((await act('deposit', { ...ref(shift), amountFen: 100, voucherNo: 'V9' }, other)).status).toBe(404)
  expect((await closing(shift, 6500, {}, other)).status).toBe(404)
  const taken = await moment()
  const { data: closed } = await closing(shift, 6500, {}, keeper)
  expect(closed).toMatchObject({ state: 3, countedFen: 6500, differenceFen: 0 })
  // Once counted it is the company's: the rest is for readers who see all of it, except cash that the keeper took offline.
  expect(await read('detail', { id: shift.id }, keeper)).toMatchObject({ openingFloatFen: null, cashInFen: 1000, expectedFen: null })
  expect((await take(200, keeper, { deviceTime: taken })).status).toBe(200)
  expect(await read('detail', { id: shift.id })).toMatchObject({ state: 5, lateFen: 200, expectedFen: 6700 })
  expect((await act('settle', { ...ref(closed), way: 1 }, other)).status).toBe(404)
  expect((await act('verify', ref(closed), other)).status).toBe(404)
})

test("whoever is named to take over a till sees and takes all of it, or refuses it, in whichever parks its cash lies; afterwards it is the next keeper's, and nobody else sees more", async () => {
  const keeper = await inParks('giver', ['P001', 'P009'])
  const [taker, other] = [await inParks('taker', ['P001']), await inParks('other', ['P001'])]
  const [{ id: takerId }] = await sql(`select id from identity.person where username = 'taker'`)
  ids.set('taker', takerId)
  cashiers.TAKER = ['taker', '接手']
  await aShift(1000, 5000, keeper)
  await take(500, keeper, { parkCode: 'P009' })
  const handOver = async () => (await closing(await read('mine', {}, keeper), 6450, { takerTollNo: 'TAKER', reason: '少' }, keeper)).data
  const first = await handOver()
  const whole = { openingFloatFen: 5000, cashInFen: 1500, expectedFen: 6500, countedFen: 6450, differenceFen: -50 }
  expect(await read('toTake', {}, taker)).toMatchObject([{ id: first.id, ...whole }])
  expect(await read('detail', { id: first.id }, taker)).toMatchObject(whole)
  expect(await read('detail', { id: first.id }, other)).toMatchObject({ openingFloatFen: null, cashInFen: 1000, countedFen: null })
  expect(await read('toTake', {}, other)).toEqual([])
  expect((await act('takeOver', { ...ref(first), accept: true, countedFen: 6450 }, other)).status).toBe(404)
  expect((await act('takeOver', { ...ref(first), accept: false }, taker)).data.state).toBe(0)
  expect(await read('toTake', {}, taker)).toEqual([])
  expect(await read('detail', { id: first.id }, taker)).toMatchObject({ openingFloatFen: null, cashInFen: 1000, expectedFen: null })
  const again = await handOver()
  expect((await act('takeOver', { ...ref(again), accept: true, countedFen: 6450 }, taker)).data.state).toBe(2)
  const next = await read('mine', {}, taker)
  expect(next).toMatchObject({ openingFloatFen: 5000, expectedFen: 6450 })
  expect((await read('detail', { id: next.id }, taker)).moves.map(({ kind, parkCode, debitFen }: any) => [kind, parkCode, debitFen])).toEqual([
    [3, 'P001', 950],
    [3, 'P009', 500],
  ])
  expect([await onTill(first.id), await onTill(next.id)]).toEqual([0, 1450])
  // The taker knows of the giver's till only as far as their own parks go.
  expect(await read('detail', { id: first.id }, taker)).toMatchObject({ openingFloatFen: null, countedFen: null })
  expect(await till.replay()).toMatchObject({ right: true })
})

test('a till that has had no cash is of where it was begun: for others, also where a scan was taken into it, its figures are unknown and nobody of elsewhere settles it', async () => {
  const [keeper, other] = [await inParks('alone', ['P009']), await inParks('other', ['P001'])]
  const shift = await aShift(0, 5000, keeper)
  const order = await till.anOrder({ parkCode: 'P001' })
  await till.notify({ payNo: (await till.startPaying(order)).payNo, amountFen: 1200 })
  await sql(`update settlement.payment set shift_id = $1 where order_id = $2`, [shift.id, order.id])
  expect(await read('detail', { id: shift.id }, other)).toMatchObject({ parkCode: 'P001', openingFloatFen: null, expectedFen: null })
  const { data: closed } = await closing(shift, 3000, { reason: '少' }, keeper)
  expect(await read('detail', { id: shift.id }, other)).toMatchObject({ openFen: null, countedFen: null })
  expect((await act('settle', { ...ref(closed), way: 1 }, other)).status).toBe(404)
  const near = await inParks('near', ['P009'])
  const { data: settled } = await act('settle', { ...ref(closed), way: 1 }, near)
  expect(settled.state).toBe(3)
  expect((await act('verify', ref(settled), other)).status).toBe(404)
})

test('a till that only a float was handed over into is where that was begun, too; begun nowhere, it is for whoever sees all parks', async () => {
  const [keeper, other] = [await inParks('alone', ['P009']), await inParks('other', ['P001'])]
  const shift = await aShift(0, 5000, keeper)
  const { data: closed } = await closing(shift, 5000, { takerTollNo: 'NEXT' }, keeper)
  expect((await act('takeOver', { ...ref(closed), accept: true, countedFen: 5000 }, operator)).data).toMatchObject({ state: 2 })
  const [{ id, begunIn }] = await sql(`select id, begun_in from settlement.shift where person_id = $1 and state = 0`, [ids.get('operator')])
  expect(begunIn).toBe('P009')
  const sees = async (token: string) => (await read('detail', { id }, token))?.openingFloatFen ?? null
  expect([await sees(keeper), await sees(other), await sees(till.admin)]).toEqual([5000, null, 5000])
  await sql(`update settlement.shift set begun_in = null where id = $1`, [id])
  expect([await sees(keeper), await sees(other), await sees(till.admin)]).toEqual([null, null, 5000])
})

test('of the till that they keep somebody sees each move, in whichever park', async () => {
  const before = await inParks('mover', ['P001', 'P009'])
  await aShift(1000, 0, before)
  await take(900, before, { parkCode: 'P009' })
  const { id, version } = await read('mine', {}, before)
  await act('deposit', { id, version, amountFen: 1500, voucherNo: 'V11' }, before)
  const [keeper, other] = [await inParks('mover', ['P001']), await inParks('other', ['P001'])]
  const parksOf = async (token: string) => (await read('detail', { id }, token)).moves.map(({ parkCode }: { parkCode: string }) => parkCode).sort()
  expect([await parksOf(keeper), await parksOf(other)]).toEqual([['P001', 'P009'], ['P001']])
  expect(await read('mine', {}, keeper)).toMatchObject({ cashInFen: 1900, depositFen: 1500, expectedFen: 400 })
})
