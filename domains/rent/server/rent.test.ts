import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import type { Day } from '../../../platform/contract/field.ts'
import { register } from '../../owner/server/api.ts'
import { aPark } from '../../parking/server/testing.ts'
import { duesOf } from './bills.ts'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const later = (ms: number) => instantAt(Date.now() + ms)
const versionOf = async (id: string) => (await house.enrolment(id)).version

test('a bidder is attested by another than who brought the papers; other papers are reviewed anew', async () => {
  const papers = { userType: 1, name: '王芳', certNo: '42060619900101005x', phone: '13900004444', images: '/lbs/file?fileName=a.png' }
  const { data: asked } = await house.post('/rentUser/apply', papers)
  expect(asked).toMatchObject({ state: 0, certNo: '42060619900101005X' })
  const key = { id: asked.id, version: asked.version }
  expect(await house.post('/rentUser/audit', { ...key, state: 1 })).toMatchObject({ status: 422, code: 42401 })
  expect(await house.post('/rentUser/audit', { ...key, state: 2 }, house.deputy)).toMatchObject({ status: 422, code: 42402 })
  const { data: passed } = await house.post('/rentUser/audit', { ...key, state: 1 }, house.deputy)
  expect(passed.state).toBe(1)
  expect((await house.post('/rentUser/apply', { ...papers, images: '/lbs/file?fileName=b.png' })).data).toMatchObject({ id: asked.id, state: 0 })
  const again = (await house.post('/rentUser/query', { certNo: '42060619900101005X' })).data.records[0]
  expect((await house.post('/rentUser/del', { id: again.id, version: again.version })).status).toBe(200)
})

test('times in order; a letting is published ten working days ahead by another; later only corrections, with time', async () => {
  const day = (days: number) => later(days * DAY_MS)
  const terms = {
    name: '充电站小卖部',
    type: 2,
    parkCode: 'R001',
    assets: '东侧 20 ㎡',
    baseFen: 100_000,
    stepFen: 1_000,
    earnestFen: 20_000,
    leaseMonths: 12,
    enrollFrom: day(0.1),
    enrollTo: day(3),
    bidFrom: day(4),
    bidTo: day(5),
  }
  expect(await house.post('/rentProject/add', { ...terms, bidFrom: day(2) })).toMatchObject({ status: 422, code: 42411 })
  expect(await house.post('/rentProject/add', { ...terms, stepFen: 0 })).toMatchObject({ status: 422, code: 42413 })
  const { data: drafted } = await house.post('/rentProject/add', terms)
  const { data: told } = await house.post('/rentNotices/add', { projectId: drafted.id, type: 1, title: '招租', content: '招租' })
  const publish = (token: string) => house.post('/rentNotices/publish', { id: told.id, version: told.version }, token)
  expect(await publish(house.admin)).toMatchObject({ status: 422, code: 42401 })
  expect(await publish(house.deputy)).toMatchObject({ status: 422, code: 42420 })
  const { data: moved } = await house.post('/rentProject/update', {
    id: drafted.id,
    version: drafted.version,
    enrollTo: day(40),
    bidFrom: day(41),
    bidTo: day(42),
  })
  const { data: usual } = await house.post('/rentPeriods/get', {})
  expect(usual).toEqual({ letting: 10, correction: 3, shown: 5, contract: 10, refund: 5, payAgain: 3 })
  expect((await house.post('/rentPeriods/set', { ...usual, letting: 60 })).data).toMatchObject({ letting: 60 })
  expect(await publish(house.deputy)).toMatchObject({ status: 422, code: 42420, message: expect.stringContaining('至少 60 个工作日') })
  await house.post('/rentPeriods/set', usual)
  expect(await publish(house.deputy)).toMatchObject({ status: 200, data: { state: 1 } })
  const project = await house.project(moved.id)
  expect(project.state).toBe(1)
  const key = { id: project.id, version: project.version }
  expect(await house.post('/rentProject/update', { ...key, baseFen: 90_000 })).toMatchObject({ status: 422, code: 42415 })
  expect(await house.post('/rentProject/update', { ...key, enrollTo: day(1), correction: '提前' })).toMatchObject({ status: 422, code: 42416 })
  expect(await house.post('/rentProject/update', { ...key, baseFen: 90_000, correction: '起始价下调' })).toMatchObject({
    status: 200,
    data: { baseFen: 100_000 },
  })
  const [correction] = (await house.post('/rentNotices/query', { projectId: project.id, type: [2] })).data.records
  expect(await house.post('/rentNotices/publish', { id: correction.id, version: correction.version }, house.deputy)).toMatchObject({ status: 200 })
  expect(await house.project(project.id)).toMatchObject({ baseFen: 90_000 })
  const notices = (await house.post('/rentNotices/query', { projectId: project.id })).data.records
  expect(notices.map((one: any) => one.type).sort()).toEqual([1, 2])
  const letting = notices.find((one: any) => one.type === 1)
  expect(await house.post('/rentNotices/update', { id: letting.id, version: letting.version, title: '改' })).toMatchObject({ code: 40010 })
  await expect(house.sql(`update rent.notice set content = '改' where id = $1`, [letting.id])).rejects.toThrow(/published notice/)
})

test('enrolling: attested, once, in its time; money that comes late goes back; a rejection and a withdrawal return it at once', async () => {
  const project = await house.enrolling()
  expect(project.state).toBe(2)
  const bidder = await house.aBidder()
  const { data: unknown } = await house.post('/rentUser/apply', {
    userType: 1,
    name: '未认证',
    certNo: '420606199001017788',
    phone: '13900004445',
    images: 'x',
  })
  const enrol = (bidderId: string) => house.post('/rentEnroll/apply', { projectId: project.id, bidderId })
  expect(await enrol(unknown.id)).toMatchObject({ status: 422, code: 42431 })
  const twice = await Promise.all([enrol(bidder.id), enrol(bidder.id)])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  const { id } = twice.find(({ status }) => status === 200).data
  expect(await house.post('/rentEnroll/pay', { id, payMethod: 4, amountFen: 1 })).toMatchObject({ code: 42440 })
  expect(await house.post('/rentEnroll/pay', { id, payMethod: 4, amountFen: 200_000 })).toMatchObject({ status: 200 })
  expect(await house.enrolment(id)).toMatchObject({ state: 1, earnestState: 1 })
  expect(await house.account('liability.deposit', id)).toBe(200_000)
  expect(await house.post('/rentEnroll/audit', { id, version: await versionOf(id), state: 1 })).toMatchObject({ code: 42401 })
  const { orderId } = await house.enrolment(id)
  expect(await house.post('/orderRefund/apply', { orderId, amountFen: 200_000, reason: '绕过' })).toMatchObject({ status: 422, code: 40594 })
  expect(await house.post('/rentEnroll/refundRentEnroll', { ids: [id], reason: '早退' })).toMatchObject({ status: 422, code: 42436 })
  expect(await house.post('/rentEnroll/del', { id, version: await versionOf(id) })).toMatchObject({ status: 409, code: 42435 })
  expect(await house.post('/rentEnroll/withdraw', { id, version: await versionOf(id), reason: '不参加了' })).toMatchObject({
    status: 200,
    data: { state: 4 },
  })
  const [back] = await house.sql('select * from settlement.refund where order_id = $1', [orderId])
  expect(back).toMatchObject({ amountFen: 200_000, state: 1 })
  expect(await house.enrolment(id)).toMatchObject({ refundId: back.id, refundState: 1 })
  expect(await house.post('/orderRefund/payOut', { id: back.id, version: back.version })).toMatchObject({ status: 200 })
  expect(await house.enrolment(id)).toMatchObject({ earnestState: 4 })
  expect(await house.account('liability.deposit', id)).toBe(0)

  const late = (await house.post('/rentEnroll/apply', { projectId: project.id, bidderId: bidder.id })).data
  const opened = await house.post('/rentEnroll/pay', { id: late.id, payMethod: 1, amountFen: 200_000 })
  expect(opened.data.payUrl).toContain('http')
  await house.sql(`update rent.project set enroll_to = now() - interval '1 second', enroll_from = now() - interval '1 day' where id = $1`, [
    project.id,
  ])
  const [{ payNo }] = await house.sql('select pay_no from settlement.payment where order_id = $1', [late.orderId])
  await house.notify({ payNo, amountFen: 200_000 })
  expect(await house.enrolment(late.id)).toMatchObject({ state: 4 })
  expect(await house.sql('select state from settlement.refund where order_id = $1', [late.orderId])).toHaveLength(1)
})

test('two hundred bids of one amount at once: one stands; a bid in the last second puts the end on; another amount has to have the step', async () => {
  const project = await house.enrolling()
  const bidders = [await house.qualified(project.id), await house.qualified(project.id)]
  await house.open(project.id, 1_000)
  expect((await house.project(project.id)).state).toBe(4)
  const bid = (who: number, bidFen: number) => house.call(bidders[who]!.token, '/rentBid/place', { projectId: project.id, bidFen })
  expect(await bid(0, 999_999)).toMatchObject({ status: 409, code: 42452 })
  expect(await bid(0, 10_000_000)).toMatchObject({ status: 422, code: 42453 })
  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => bid(i % 2, 1_000_000)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(all.filter(({ status }) => status !== 200).map(({ code }) => code))).toEqual(new Set([42452]))
  await house.sql(`update rent.project set bid_to = now() + interval '2 seconds', ends_at = now() + interval '2 seconds' where id = $1`, [project.id])
  const { endsAt } = await house.project(project.id)
  expect(await bid(1, 1_005_000)).toMatchObject({ code: 42452 })
  expect((await house.project(project.id)).endsAt).toBe(endsAt)
  const { data: room } = await bid(1, 1_010_000)
  expect(room).toMatchObject({ currentFen: 1_010_000, nextFen: 1_020_000, rank: 1, bids: 2 })
  expect(Date.parse(room.endsAt) - Date.parse(endsAt)).toBe(5 * 60_000)
  expect(JSON.stringify(room)).not.toContain('襄城商贸')
  await expect(
    house.sql(`insert into rent.bid (project_id, enroll_id, park_code, seq, bid_fen, at) values ($1, $2, 'R001', 3, 1010000, now())`, [
      project.id,
      bidders[0]!.id,
    ]),
  ).rejects.toThrow()
  const stranger = await house.aBidder()
  expect(await house.call(stranger.token, '/rentBid/place', { projectId: project.id, bidFen: 1_020_000 })).toMatchObject({ status: 404 })
  await house.sql(`update rent.project set bid_to = now() - interval '2 seconds', ends_at = now() - interval '2 seconds' where id = $1`, [project.id])
  expect(await bid(0, 1_020_000)).toMatchObject({ status: 409, code: 42450 })
})

test('a bid of ten times what is needed has a zero too many, the first as any later one; one fen less is taken', async () => {
  const project = await house.enrolling()
  const bidders = [await house.qualified(project.id), await house.qualified(project.id)]
  await house.open(project.id, 1_000)
  const bid = (who: number, bidFen: number) => house.call(bidders[who]!.token, '/rentBid/place', { projectId: project.id, bidFen })
  const [baseFen, stepFen] = [1_000_000, 10_000]
  const tooMuch = { status: 422, code: 42453, message: '出价达到当前最低出价的 10 倍，请核对是否多输了一位' }
  expect(await bid(0, baseFen * 10)).toMatchObject(tooMuch)
  const { data: room } = await bid(0, baseFen * 10 - 1)
  expect(room).toMatchObject({ currentFen: 9_999_999, nextFen: 9_999_999 + stepFen, bids: 1 })
  expect(await bid(1, room.nextFen * 10)).toMatchObject(tooMuch)
  expect((await bid(1, room.nextFen * 10 - 1)).data).toMatchObject({ rank: 1, bids: 2 })
})

/** Bid for by three; the third has the most, then the second, then the first. */
async function bidden() {
  const project = await house.enrolling()
  const [first, second, third] = [await house.qualified(project.id), await house.qualified(project.id), await house.qualified(project.id)]
  await house.open(project.id, 1_000)
  for (const [who, bidFen] of [
    [first, 1_000_000],
    [second, 1_010_000],
    [third, 1_020_000],
  ] as const)
    expect(await house.call(who!.token, '/rentBid/place', { projectId: project.id, bidFen })).toMatchObject({ status: 200 })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [project.id])
  await house.tick(later(0))
  return { project, first: first!, second: second!, third: third! }
}
const award = (projectId: string, enrollId: string) => house.post('/rentProject/bidding', { projectId, enrollId }, house.deputy)

test('the second in rank is not awarded; after the winner gave up and a second person said so, the earnest money is forfeited on the ledger and the next is shown', async () => {
  const { project, first, second, third } = await bidden()
  expect((await house.project(project.id)).state).toBe(5)
  expect(await award(project.id, second.id)).toMatchObject({ status: 422, code: 42461 })
  expect(await house.post('/rentProject/bidding', { projectId: project.id, enrollId: third.id, bidFen: 1_010_000 }, house.deputy)).toMatchObject({
    status: 409,
    code: 42468,
  })
  expect(await award(project.id, third.id)).toMatchObject({ status: 200, data: { state: 6, winnerId: third.id } })
  expect((await house.enrolment(first.id)).refundState).toBe(0)
  expect((await house.enrolment(second.id)).refundId).toBeNull()
  expect(await house.post('/rentEnroll/refundRentEnroll', { ids: [second.id, third.id], reason: '退' })).toMatchObject({ status: 422, code: 42437 })
  const penalties = await house.account('income.penalty')
  expect(await house.post('/rentProject/updateBidding', { projectId: project.id, reason: 1, enrollId: first.id })).toMatchObject({ code: 42462 })
  expect(await house.post('/rentProject/updateBidding', { projectId: project.id, reason: 3, enrollId: second.id })).toMatchObject({ code: 42464 })
  const { data: change } = await house.post('/rentProject/updateBidding', { projectId: project.id, reason: 1, enrollId: second.id })
  const key = { id: change.id, version: change.version, pass: true }
  expect(await house.post('/rentProject/confirmBidding', key)).toMatchObject({ status: 422, code: 42401 })
  expect(await house.account('income.penalty')).toBe(penalties)
  expect(await house.post('/rentProject/confirmBidding', key, house.deputy)).toMatchObject({ status: 200, data: { state: 1 } })
  expect(await house.enrolment(third.id)).toMatchObject({ award: 2, earnestState: 5 })
  expect(await house.account('income.penalty')).toBe(penalties + 200_000)
  expect(await house.account('liability.deposit', third.id)).toBe(0)
  expect(await house.project(project.id)).toMatchObject({ state: 6, winnerId: second.id })
  expect(await house.enrolment(second.id)).toMatchObject({ award: 1, rank: 1 })
})

test('winning bids are put in the order of their rank, the first of them on the page that asks for it; whoever is out of it stands behind', async () => {
  const { project, first, second, third } = await bidden()
  const { data: out } = await house.post('/rentProject/queryEnrollProject', { projectId: project.id, orderByColumn: 'rank', isAsc: true })
  expect(out.records.map(({ id, rank }: any) => [id, rank])).toEqual([third, second, first].map(({ id }, n) => [id, n + 1]))
  await award(project.id, third.id)
  const { data: change } = await house.post('/rentProject/updateBidding', { projectId: project.id, reason: 1, enrollId: second.id })
  await house.post('/rentProject/confirmBidding', { id: change.id, version: change.version, pass: true }, house.deputy)
  const now = async (more: object) =>
    (await house.post('/rentProject/queryEnrollProject', { projectId: project.id, orderByColumn: 'rank', isAsc: true, ...more })).data.records
  expect((await now({})).map(({ id, rank }: any) => [id, rank])).toEqual([
    [second.id, 1],
    [first.id, 2],
    [third.id, null],
  ])
  expect((await now({ limit: 1, current: 2 })).map(({ id }: any) => id)).toEqual([first.id])
})

test('where the next has their money back they leave it again; an objection upheld gives it back to whoever won', async () => {
  const { project, first, second, third } = await bidden()
  await award(project.id, third.id)
  const change = async (reason: number, enrollId?: string) => {
    const { data } = await house.post('/rentProject/updateBidding', {
      projectId: project.id,
      reason,
      evidence: EVIDENCE,
      ...(enrollId && { enrollId }),
    })
    return house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: true }, house.deputy)
  }
  expect(await change(3, second.id)).toMatchObject({ status: 200 })
  expect(await house.enrolment(third.id)).toMatchObject({ award: 4, refundState: 0 })
  const asked = (await house.enrolment(first.id)).refundId
  const approve = async (id: string) =>
    house.post(
      '/orderRefund/approve',
      { id, version: (await house.sql('select version from settlement.refund where id = $1', [id]))[0].version },
      house.deputy,
    )
  expect(await approve(asked)).toMatchObject({ status: 200 })
  await house.post('/orderRefund/approve', {
    id: asked,
    version: (await house.sql('select version from settlement.refund where id = $1', [asked]))[0].version,
  })
  const [out] = await house.sql('select * from settlement.refund where id = $1', [asked])
  expect(await house.post('/orderRefund/payOut', { id: out.id, version: out.version })).toMatchObject({ status: 200 })
  expect(await change(1, first.id)).toMatchObject({ status: 200 })
  const again = await house.enrolment(first.id)
  expect(again).toMatchObject({ award: 1, earnestState: 0 })
  expect(again.payAgainUntil).not.toBeNull()
  await house.sql(`update rent.project set public_until = current_date - 1 where id = $1`, [project.id])
  const lease = { projectId: project.id, fromDay: '2027-01-01', cycle: 1 }
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ status: 422, code: 42472 })
  expect(await house.post('/rentEnroll/pay', { id: first.id, payMethod: 4, amountFen: 200_000 })).toMatchObject({ status: 200 })
  expect(await house.enrolment(first.id)).toMatchObject({ earnestState: 2, payAgainUntil: null })
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ status: 200 })
  expect(await change(1)).toMatchObject({ status: 200 })
  expect((await house.project(project.id)).state).toBe(10)
})

test('a lease: after the award was shown, by two parties; earnest money is rent, bills pay to the fen, a late one with its penalty', async () => {
  const { project, second, third } = await bidden()
  await award(project.id, third.id)
  const lease = { projectId: project.id, fromDay: '2026-01-31', cycle: 2, depositFen: 50_000 }
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ status: 422, code: 42470 })
  // Through the last day, which the refusal names as the notice does.
  const [{ day }] = await house.sql(
    `update rent.project set public_until = (now() at time zone 'Asia/Shanghai')::date where id = $1 returning public_until::text as day`,
    [project.id],
  )
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ code: 42470, message: `中标公示至 ${day}，公示结束后才能签约` })
  await house.sql(`update rent.project set public_until = current_date - 1 where id = $1`, [project.id])
  const { data: drawn } = await house.post('/rentContract/add', lease)
  expect(drawn).toMatchObject({ state: 0, toDay: '2029-01-30', rentFen: 1_020_000 })
  const sign = (version: number, party: number, token?: string) =>
    house.post('/rentContract/sign', { id: drawn.id, version, party, files: EVIDENCE }, token)
  expect(await sign(1, 1)).toMatchObject({ status: 422, code: 42401 })
  const rents = await house.account('income.rent')
  expect(await sign(1, 1, house.deputy)).toMatchObject({ data: { state: 0 } })
  expect(await sign(2, 1, house.deputy)).toMatchObject({ code: 42474 })
  expect(await sign(2, 2)).toMatchObject({ data: { state: 1 } })
  expect((await house.project(project.id)).state).toBe(8)
  expect(await house.account('income.rent')).toBe(rents + 200_000)
  expect(await house.enrolment(third.id)).toMatchObject({ earnestState: 3 })
  expect((await house.enrolment(second.id)).refundState).toBe(0)
  const { records: bills } = (await house.post('/rentBill/query', { contractId: drawn.id })).data
  const rent = bills.filter((one: any) => one.kind === 1)
  expect(rent.reduce((sum: number, one: any) => sum + one.amountFen, 0)).toBe(3 * 1_020_000)
  expect(rent[0]).toMatchObject({ amountFen: 255_000, creditFen: 200_000, state: 0 })
  // It began long ago and was signed today: nothing of it is late yet.
  expect(rent[0]).toMatchObject({ penaltyFen: 0, dueDay: dayOf(later(7 * DAY_MS)) })
  await house.sql(`update rent.bill set due_day = (now() at time zone 'Asia/Shanghai')::date - 10 where id = $1`, [rent[0].id])
  const due = 55_000 + 275
  expect(await house.post('/rentBill/pay', { id: rent[0].id, payMethod: 4, amountFen: 55_000 })).toMatchObject({ status: 409, code: 42440 })
  expect(await house.post('/rentBill/pay', { id: rent[0].id, payMethod: 4, amountFen: due })).toMatchObject({ status: 200 })
  expect(await house.account('income.rent')).toBe(rents + 255_000)
  expect(await house.account('liability.deposit', rent[0].id)).toBe(0)
  const line = (await house.post('/rentProject/queryEnrollProject', { projectId: project.id, winner: true })).data.records[0]
  expect(line).toMatchObject({ hasContract: true, hasOrder: true, paidFen: 255_000 })
  const money = async (more: object = {}) =>
    (await house.post('/rentOrder/query', { projectNo: line.projectNo, queryMode: 'sum', ...more })).data.sums
  // Three left their earnest money, one's is rent by now: each fen stands in one line.
  expect((await money()).receivedFen).toBe(3 * 200_000 + due)
  expect(await money({ feeKind: [1] })).toMatchObject({ receivedFen: 400_000, receivableFen: 400_000 })
  expect((await money({ feeKind: [2] })).receivedFen).toBe(255_000)
  const earnest = (await house.post('/rentOrder/query', { projectNo: line.projectNo, feeKind: [1], state: [6] })).data.records
  expect(earnest).toMatchObject([{ receivableFen: 0, receivedFen: 0 }])
  expect((await house.replay()).right).toBe(true)
})

/** A lease with a deposit, signed and in force, and the order of that deposit. */
async function leased() {
  const { project, third } = await bidden()
  await award(project.id, third.id)
  await house.sql(`update rent.project set public_until = current_date - 1 where id = $1`, [project.id])
  const { data: lease } = await house.post('/rentContract/add', { projectId: project.id, fromDay: '2026-01-31', cycle: 2, depositFen: 40_000 })
  await house.post('/rentContract/sign', { id: lease.id, version: 1, party: 1 }, house.deputy)
  await house.post('/rentContract/sign', { id: lease.id, version: 2, party: 2, files: EVIDENCE })
  const { records } = (await house.post('/rentBill/query', { contractId: lease.id })).data
  const billId = records.find((one: any) => one.kind === 2).id
  expect(await house.post('/rentBill/pay', { id: billId, payMethod: 4, amountFen: 1 })).toMatchObject({ code: 42440 })
  const bill = async () => (await house.sql('select state, order_id from rent.bill where id = $1', [billId]))[0]
  const over = () => house.sql(`update rent.contract set to_day = current_date - 2 where id = $1`, [lease.id])
  return { project, lease, billId, bill, over }
}

test('the deposit of a lease is not waived: it is paid, and what was paid goes back when the lease is over', async () => {
  const { project, billId, bill, over } = await leased()
  const { orderId } = await bill()
  expect(await house.post('/orderWaiver/apply', { orderId, amountFen: 40_000, reason: '减免' })).toMatchObject({ status: 422, code: 42441 })
  expect(await house.sql('select from settlement.waiver where order_id = $1', [orderId])).toEqual([])
  expect(await bill()).toMatchObject({ state: 0 })
  expect(await house.account('liability.deposit', billId)).toBe(0)
  expect(await house.post('/rentBill/pay', { id: billId, payMethod: 4, amountFen: 40_000 })).toMatchObject({ status: 200 })
  expect(await house.account('liability.deposit', billId)).toBe(40_000)
  await over()
  await house.tick(later(0))
  expect((await house.project(project.id)).state).toBe(9)
  expect(await house.sql('select amount_fen, state from settlement.refund where order_id = $1', [orderId])).toEqual([{ amountFen: 40_000, state: 0 }])
})

test('a lease whose deposit nobody paid ends without a refund', async () => {
  const { project, billId, bill, over } = await leased()
  await house.sql('update rent.bill set state = 1, paid_at = now() where id = $1', [billId])
  await over()
  await house.tick(later(0))
  expect((await house.project(project.id)).state).toBe(9)
  expect(await house.sql('select from settlement.refund where order_id = $1', [(await bill()).orderId])).toEqual([])
})

test('a project that cannot go on keeps no other from its time', async () => {
  const { project: stuck, billId, bill, over } = await leased()
  await house.post('/rentBill/pay', { id: billId, payMethod: 4, amountFen: 40_000 })
  await over()
  const other = await house.enrolling()
  await house.sql(
    `update rent.project set enroll_from = now() - interval '3 days', enroll_to = now() - interval '2 days', bid_from = now() - interval '1 day' where id = $1`,
    [other.id],
  )
  const states = async () => [(await house.project(stuck.id)).state, (await house.project(other.id)).state]
  const setAside = async (fen: number) =>
    house.sql('update settlement.payment set refunding_fen = $2 where order_id = $1', [(await bill()).orderId, fen])
  await setAside(40_000)
  await house.tick(later(0))
  expect(await states()).toEqual([8, 10])
  expect((await house.sql('select state from rent.contract where project_id = $1', [stuck.id]))[0].state).toBe(1)
  await setAside(0)
  await house.tick(later(0))
  expect(await states()).toEqual([9, 10])
})

test('too few, or nobody bids: it fails, is told, and what was left is proposed to go back', async () => {
  const project = await house.enrolling()
  const one = await house.qualified(project.id)
  await house.open(project.id, 1_000)
  expect((await house.project(project.id)).state).toBe(10)
  expect((await house.enrolment(one.id)).refundState).toBe(0)
  expect((await house.post('/rentNotices/query', { projectId: project.id, type: [4] })).data.records).toHaveLength(1)
})

test('open bidding needs two where nobody says otherwise; a fixed price needs one', async () => {
  const day = (days: number) => later(days * DAY_MS)
  const terms = {
    name: '报刊亭',
    parkCode: 'R001',
    assets: '6 ㎡',
    baseFen: 100_000,
    stepFen: 1_000,
    earnestFen: 20_000,
    leaseMonths: 12,
    enrollFrom: day(1),
    enrollTo: day(30),
    bidFrom: day(31),
    bidTo: day(32),
  }
  expect((await house.post('/rentProject/add', { ...terms, type: 2 })).data.minBidders).toBe(2)
  expect((await house.post('/rentProject/add', { ...terms, type: 1 })).data.minBidders).toBe(1)
})

test('rent by cycles sums to the fen, with a part by its days', () => {
  const year = { rentFen: 1_000_001 as never, cycle: 1 as const }
  const dues = duesOf({ fromDay: '2026-01-31' as Day, toDay: '2027-01-30' as Day, ...year })
  expect(dues).toHaveLength(12)
  expect(dues.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(1_000_001)
  expect(dues[1]).toMatchObject({ periodFrom: '2026-02-28', periodTo: '2026-03-30' })
  const part = duesOf({ fromDay: '2026-01-16' as Day, toDay: '2026-02-28' as Day, rentFen: 1_200_000 as never, cycle: 1 })
  expect(part.map(({ amountFen }) => amountFen)).toEqual([100_000, Math.floor((100_000 * 13) / 28)])
})

test('two owners become one: who bid as the one bids as the other; two who bid by papers of their own stay two', async () => {
  const ownerOf = async (bidderId: string) => (await house.sql('select owner_id from rent.bidder where id = $1', [bidderId]))[0].ownerId
  const [bidder, other] = [await house.aBidder(), await house.aBidder()]
  const [gone, busy] = [await ownerOf(bidder.id), await ownerOf(other.id)]
  const merge = (keepId: string, goneId: string, more: object = {}) =>
    house.server.ask(house.admin, 'POST', '/lbs/custom/owner/account/merge', { keepId, goneId, ...more }) as Promise<any>
  expect(await merge(busy, gone, { dryRun: true })).toMatchObject({ status: 409, code: 42405, message: expect.stringContaining(other.name) })
  const { id: keep } = await house.write((tx) => register(tx, { phone: '13500009999', nickname: '留', at: later(0) }))
  expect((await merge(keep, gone, { dryRun: true })).data.done).toBe(false)
  expect(await ownerOf(bidder.id)).toBe(gone)
  expect((await merge(keep, gone)).data.done).toBe(true)
  expect(await ownerOf(bidder.id)).toBe(keep)
})

test('a park stays while something of it is being let or money of a lease is held or due', async () => {
  await house.write((tx) => aPark(tx, { parkCode: 'R009' }))
  const basic = (path: string, input: object) => house.server.ask(house.admin, 'POST', `/lbs/basic${path}`, input) as Promise<any>
  const remove = async () => {
    const [park] = await house.sql(`select id, version from parking.park where park_code = 'R009'`)
    return basic('/parkInfo/delete', park)
  }
  const held = { code: 40011, message: '不能删除：有进行中的招租、未退的保证金或待付的租金' }
  const made = await house.enrolling({ parkCode: 'R009' })
  const { id: enrolId } = await house.qualified(made.id)
  expect(await remove()).toMatchObject(held)
  await house.sql('update rent.project set state = 10 where id = $1', [made.id])
  expect(await remove()).toMatchObject(held)
  await house.sql('update rent.enrollment set earnest_state = 4 where id = $1', [enrolId])
  expect((await remove()).code).toBe(200)
})
