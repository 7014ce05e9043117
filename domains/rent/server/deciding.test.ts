import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, instantAt } from '../../../platform/contract/time.ts'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const now = () => instantAt(Date.now())
const inDays = (days: number) => instantAt(Date.now() + days * DAY_MS)
const correct = async (id: string, more: object) =>
  house.post('/rentProject/update', { id, version: (await house.project(id)).version, correction: '更正', ...more })
const draftOf = async (projectId: string) => (await house.post('/rentNotices/query', { projectId, type: [2], state: [0] })).data.records[0]
const publish = (notice: { id: string; version: number }, token?: string) =>
  house.post('/rentNotices/publish', { id: notice.id, version: notice.version }, token)

test('what an announced project is let for changes once another has published its correction, and not by whoever asked for it', async () => {
  const { id } = await house.enrolling()
  expect(await correct(id, { baseFen: 900_000, enrollTo: inDays(40) })).toMatchObject({ status: 200, data: { baseFen: 1_000_000 } })
  expect(await house.project(id)).toMatchObject({ baseFen: 1_000_000 })
  const draft = await draftOf(id)
  expect(draft).toMatchObject({ state: 0, content: '更正', terms: { baseFen: 900_000 }, termsWere: { baseFen: 1_000_000 } })
  expect(draft.terms.stepFen).toBeUndefined()
  expect(await correct(id, { baseFen: 800_000 })).toMatchObject({ status: 409, code: 42423 })
  expect(await publish(draft)).toMatchObject({ status: 422, code: 42401 })
  expect((await house.project(id)).baseFen).toBe(1_000_000)
  // A person who edits another's correction could otherwise have it published by its applicant.
  expect(await house.post('/rentNotices/update', { id: draft.id, version: draft.version, title: '改' }, house.deputy)).toMatchObject({
    status: 422,
    code: 42424,
  })
  const twice = await Promise.all([publish(draft, house.deputy), publish(draft, house.deputy)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await house.project(id)).toMatchObject({ baseFen: 900_000, state: 2 })
  await expect(house.sql(`update rent.notice set terms = '{}' where id = $1`, [draft.id])).rejects.toThrow(/published notice/)
  expect((await house.post('/rentNotices/query', { projectId: id, type: [2] })).data.records).toHaveLength(1)
})

test('a correction is held to its three working days, and to a project that is not bid for yet, on the day on which it is published', async () => {
  const { id } = await house.enrolling()
  await house.qualified(id)
  await house.qualified(id)
  expect(await correct(id, { stepFen: 20_000 })).toMatchObject({ status: 200 })
  const draft = await draftOf(id)
  await house.sql(`update rent.project set enroll_to = now() + interval '1 day' where id = $1`, [id])
  expect(await publish(draft, house.deputy)).toMatchObject({ status: 422, code: 42416 })
  await house.open(id, 1_000)
  expect(await publish(draft, house.deputy)).toMatchObject({ status: 409, code: 40010 })
  expect(await house.project(id)).toMatchObject({ stepFen: 10_000, state: 4 })
  const key = { id: draft.id, version: draft.version }
  expect(await house.post('/rentNotices/del', key)).toMatchObject({ status: 200 })
})

test('what nobody reckons with, a name, is not corrected either once it is bid for', async () => {
  const { id, name } = await house.enrolling()
  await house.qualified(id)
  await house.qualified(id)
  expect(await correct(id, { name: '改名' })).toMatchObject({ status: 200 })
  await house.open(id, 1_000)
  expect(await publish(await draftOf(id), house.deputy)).toMatchObject({ status: 409, code: 40010 })
  expect(await house.project(id)).toMatchObject({ name, state: 4 })
})

/** A lease of which a month is some forty days late. */
async function late() {
  const { id } = await house.leased()
  const bill = (await house.bills(id)).find(({ kind, state }) => kind === 1 && state === 0)
  await house.sql('update rent.bill set due_day = current_date - 40 where id = $1', [bill.id])
  const one = async () => (await house.post('/rentBill/one', { id: bill.id })).data
  const ask = async (waivedFen: number, token?: string) =>
    house.post('/rentBill/waive', { id: bill.id, version: (await one()).version, waivedFen, reason: '疫情' }, token)
  const confirm = async (pass: boolean, token?: string) =>
    house.post('/rentBill/confirmWaiver', { id: bill.id, version: (await one()).version, pass }, token)
  return { id: bill.id, one, ask, confirm }
}

test('the list of payments begins with what is overdue longest, then what falls due soonest; what is paid comes last', async () => {
  const { id, projectId } = await house.leased()
  const { projectNo } = await house.project(projectId)
  const [soonest, late, longest, next] = (await house.bills(id)).filter(({ kind, state }) => kind === 1 && state === 0)
  for (const [bill, days] of [
    [late, 3],
    [longest, 40],
  ])
    await house.sql(`update rent.bill set due_day = (now() at time zone 'Asia/Shanghai')::date - $2::int where id = $1`, [bill.id, days])
  const { records } = (await house.post('/rentOrder/query', { projectNo, feeKind: [2], limit: 100 })).data
  expect(records.slice(0, 4).map(({ billNo }: any) => billNo)).toEqual([longest, late, soonest, next].map(({ billNo }) => billNo))
  const paid = records.findIndex(({ state }: any) => state === 1)
  expect(records.slice(paid).map(({ state }: any) => state)).toEqual([1, 1])
})

test('a penalty is let off once another has said so', async () => {
  const { one, ask, confirm } = await late()
  const { penaltyFen } = await one()
  expect(penaltyFen).toBeGreaterThan(0)
  expect(await confirm(true, house.deputy)).toMatchObject({ status: 409, code: 40010 })
  expect(await ask(penaltyFen + 1)).toMatchObject({ status: 422, code: 42476 })
  expect(await ask(penaltyFen)).toMatchObject({ status: 200, data: { waivedFen: 0, waivingFen: penaltyFen } })
  expect((await one()).penaltyFen).toBe(penaltyFen)
  expect(await ask(1)).toMatchObject({ status: 409, code: 42445 })
  expect(await confirm(true)).toMatchObject({ status: 422, code: 42401 })
  expect(await confirm(false, house.deputy)).toMatchObject({ status: 200, data: { waivedFen: 0, waivingFen: 0 } })
  expect((await one()).penaltyFen).toBe(penaltyFen)
  await ask(penaltyFen, house.deputy)
  expect(await confirm(true, house.deputy)).toMatchObject({ status: 422, code: 42401 })
  const both = await Promise.all([confirm(true), confirm(true)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await one()).toMatchObject({ waivedFen: penaltyFen, waivingFen: 0, penaltyFen: 0 })
})

test('a penalty that was paid meanwhile is not let off any more', async () => {
  const { id, one, ask, confirm } = await late()
  const { penaltyFen, amountFen, creditFen } = await one()
  await ask(penaltyFen)
  expect(await house.post('/rentBill/pay', { id, payMethod: 4, amountFen: amountFen - creditFen + penaltyFen })).toMatchObject({ status: 200 })
  expect(await confirm(true, house.deputy)).toMatchObject({ status: 409, code: 40010 })
  expect(await one()).toMatchObject({ state: 1, waivingFen: 0, waivedFen: 0, penaltyFen })
})

test('while somebody pays a bill at what they were shown its penalty is not let off; with the order unpaid again it asks for less', async () => {
  const { id, one, ask, confirm } = await late()
  const { penaltyFen, amountFen, creditFen } = await one()
  const owedFen = amountFen - creditFen
  const pay = (payMethod: number, fen: number) => house.post('/rentBill/pay', { id, payMethod, amountFen: fen })
  await ask(penaltyFen)
  expect(await pay(1, owedFen + penaltyFen)).toMatchObject({ status: 200 })
  const { orderId } = await one()
  expect(await confirm(true, house.deputy)).toMatchObject({ status: 409, code: 42446 })
  expect(await one()).toMatchObject({ waivingFen: penaltyFen, waivedFen: 0 })
  const orderOf = async () => (await house.sql('select status, receivable_fen from settlement.order where id = $1', [orderId]))[0]
  await house.sql('update settlement.order set status = 0, paying_until = null where id = $1', [orderId])
  expect(await confirm(true, house.deputy)).toMatchObject({ status: 200, data: { waivedFen: penaltyFen, waivingFen: 0 } })
  expect(await orderOf()).toMatchObject({ receivableFen: owedFen })
  expect(await pay(4, owedFen)).toMatchObject({ status: 200 })
  expect(await one()).toMatchObject({ state: 1, waivedFen: penaltyFen, penaltyFen: 0 })
})

test('payment and waiver at once: either the penalty is paid, or it is let off, and the ledger has what was taken', async () => {
  for (let n = 0; n < 3; n++) {
    const { id, one, ask, confirm } = await late()
    const { penaltyFen, amountFen, creditFen } = await one()
    const before = await house.account('income.penalty')
    await ask(penaltyFen)
    const pay = () => house.post('/rentBill/pay', { id, payMethod: 4, amountFen: amountFen - creditFen + penaltyFen })
    const [paid, waived] = await Promise.all([pay(), confirm(true, house.deputy)])
    expect([
      [200, 409],
      [409, 200],
    ]).toContainEqual([paid.status, waived.status])
    const took = paid.status === 200 ? penaltyFen : 0
    expect(await one()).toMatchObject({ state: paid.status === 200 ? 1 : 0, waivingFen: 0, waivedFen: penaltyFen - took, penaltyFen: took })
    expect(await house.account('income.penalty')).toBe(before + took)
  }
  expect((await house.replay()).right).toBe(true)
})

/** Ended, with three who bid: each next one the most. */
async function bidden() {
  const { id } = await house.enrolling()
  const three = [await house.qualified(id), await house.qualified(id), await house.qualified(id)] as const
  await house.open(id, 1_000)
  for (const [n, { token }] of three.entries()) await house.call(token, '/rentBid/place', { projectId: id, bidFen: 1_000_000 + n * 10_000 })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [id])
  await house.tick(now())
  const [third, second, first] = three
  return { id, first, second, third }
}
const setAttested = (bidderId: string, state: 0 | 1) => house.sql('update rent.bidder set state = $2 where id = $1', [bidderId, state])

test('where whoever leads is not attested any more the next who is takes the award, asked by one and confirmed by another', async () => {
  const { id, first, second, third } = await bidden()
  const ask = (more: object = {}) => house.post('/rentProject/updateBidding', { projectId: id, reason: 3, evidence: EVIDENCE, ...more })
  expect(await ask({ enrollId: second.id })).toMatchObject({ status: 422, code: 42467 })
  await setAttested(first.bidderId, 0)
  await setAttested(second.bidderId, 0)
  expect(await house.post('/rentProject/bidding', { projectId: id, enrollId: first.id }, house.deputy)).toMatchObject({ status: 422, code: 42431 })
  const line = async (enrollId: string) => (await house.post('/rentProject/queryEnrollProject', { id: enrollId })).data.records[0]
  expect(await line(first.id)).toMatchObject({ attested: false, rank: 1 })
  expect(await ask({ enrollId: second.id })).toMatchObject({ status: 422, code: 42462 })
  const { data: change } = await ask({ enrollId: third.id })
  const key = { id: change.id, version: change.version, pass: true }
  expect(await line(first.id)).toMatchObject({ changeId: change.id })
  expect(await house.post('/rentProject/confirmBidding', key)).toMatchObject({ status: 422, code: 42401 })
  expect(await house.post('/rentProject/confirmBidding', key, house.deputy)).toMatchObject({ status: 200 })
  expect(await house.project(id)).toMatchObject({ state: 6, winnerId: third.id })
  expect(await house.enrolment(first.id)).toMatchObject({ award: 4, refundState: 0 })
  // A bidder who is not attested cannot come next: nothing keeps their earnest money here.
  expect((await house.enrolment(second.id)).refundState).toBe(0)
  expect((await house.post('/rentNotices/query', { projectId: id, type: [3] })).data.records).toHaveLength(1)
})

test('whoever is attested again before the second person has decided keeps the award; where nobody is attested the project fails', async () => {
  const { id, first, second, third } = await bidden()
  const ask = async (more: object) => (await house.post('/rentProject/updateBidding', { projectId: id, reason: 3, evidence: EVIDENCE, ...more })).data
  const confirm = (change: any) => house.post('/rentProject/confirmBidding', { id: change.id, version: change.version, pass: true }, house.deputy)
  await setAttested(first.bidderId, 0)
  const change = await ask({ enrollId: second.id })
  await setAttested(first.bidderId, 1)
  expect(await confirm(change)).toMatchObject({ status: 422, code: 42467 })
  await house.post('/rentProject/confirmBidding', { id: change.id, version: change.version, pass: false }, house.deputy)
  for (const { bidderId } of [first, second, third]) await setAttested(bidderId, 0)
  expect(await confirm(await ask({}))).toMatchObject({ status: 200 })
  expect(await house.project(id)).toMatchObject({ state: 10, winnerId: null })
})
