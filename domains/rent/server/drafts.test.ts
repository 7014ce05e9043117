import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())
const draftsOf = (projectId: string) => house.sql('select state from rent.contract where project_id = $1', [projectId])

test('a lease drawn up wrongly is withdrawn while nobody has signed, and drawn up anew; with one signature it is not', async () => {
  const { id, projectId } = await house.drawn()
  expect(await house.post('/rentContract/withdraw', { id, version: 2, reason: '押金写错' })).toMatchObject({ status: 409 })
  expect(await house.post('/rentContract/withdraw', { id, version: 1, reason: '押金写错' })).toMatchObject({ status: 200 })
  expect(await draftsOf(projectId)).toEqual([])
  const again = { projectId, fromDay: new Date().toISOString().slice(0, 10), cycle: 1, depositFen: 4_000 }
  const { data: anew } = await house.post('/rentContract/add', again)
  expect(anew).toMatchObject({ state: 0, depositFen: 4_000 })
  await house.post('/rentContract/sign', { id: anew.id, version: 1, party: 2, files: EVIDENCE })
  expect(await house.post('/rentContract/withdraw', { id: anew.id, version: 2, reason: '反悔' })).toMatchObject({ status: 409, code: 42443 })
  expect(await house.post('/rentContract/sign', { id: anew.id, version: 2, party: 1 }, house.deputy)).toMatchObject({ data: { state: 1 } })
  expect(await house.post('/rentContract/withdraw', { id: anew.id, version: 3, reason: '反悔' })).toMatchObject({ status: 409, code: 40010 })
})

test('a project that is terminated leaves no lease to be signed, and the earnest money of whoever won goes back', async () => {
  const { id, projectId, enrollId } = await house.drawn()
  const { version } = await house.project(projectId)
  expect(await house.post('/rentProject/terminate', { id: projectId, version, reason: '规划调整' }, house.deputy)).toMatchObject({ status: 200 })
  expect(await draftsOf(projectId)).toEqual([])
  expect(await house.post('/rentContract/sign', { id, version: 1, party: 2, files: EVIDENCE })).toMatchObject({ status: 404 })
  expect(await house.enrolment(enrollId)).toMatchObject({ earnestState: 2, refundState: 0 })
})

test('a lease that was drawn up in time is signed in time too; the lessor may sign behind a lessee who did', async () => {
  const [late, signed] = [await house.drawn(), await house.drawn()]
  await house.post('/rentContract/sign', { id: signed.id, version: 1, party: 2, files: EVIDENCE })
  for (const { projectId } of [late, signed])
    await house.sql(`update rent.project set public_until = current_date - 60, sign_by = current_date - 40 where id = $1`, [projectId])
  const sign = (id: string, version: number, party: number) => house.post('/rentContract/sign', { id, version, party }, house.deputy)
  expect(await sign(late.id, 1, 2)).toMatchObject({ status: 422, code: 42477 })
  expect(await sign(late.id, 1, 1)).toMatchObject({ status: 422, code: 42477 })
  expect(await sign(signed.id, 2, 1)).toMatchObject({ status: 200, data: { state: 1 } })
})

test('earnest money that is left again too late goes back, and is not forfeited besides', async () => {
  const { id: projectId } = await house.enrolling()
  const [first, second, third] = [await house.qualified(projectId), await house.qualified(projectId), await house.qualified(projectId)] as const
  await house.open(projectId, 1_000)
  for (const [n, { token }] of [first, second, third].entries())
    await house.call(token, '/rentBid/place', { projectId, bidFen: 1_000_000 + n * 10_000 })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
  await house.post('/rentProject/bidding', { projectId, enrollId: third.id }, house.deputy)
  await house.payOut((await house.enrolment(first.id)).refundId)
  const change = async (enrollId?: string) => {
    const { data } = await house.post('/rentProject/updateBidding', { projectId, reason: 1, ...(enrollId && { enrollId }) })
    return house.post('/rentProject/confirmBidding', { id: data.id, version: data.version, pass: true }, house.deputy)
  }
  await change(second.id)
  expect(await change(first.id)).toMatchObject({ status: 200 })
  const { orderId } = await house.enrolment(first.id)
  const pay = () => house.post('/rentEnroll/pay', { id: first.id, payMethod: 1, amountFen: 200_000 })
  expect(await pay()).toMatchObject({ status: 200 })
  await house.sql(`update rent.enrollment set pay_again_until = now() - interval '1 second' where id = $1`, [first.id])
  expect(await pay()).toMatchObject({ status: 422, code: 42444 })
  const [{ payNo }] = await house.sql('select pay_no from settlement.payment where order_id = $1', [orderId])
  await house.notify({ payNo, amountFen: 200_000 })
  expect(await house.sql('select amount_fen from settlement.refund where order_id = $1', [orderId])).toEqual([{ amountFen: 200_000 }])
  const lease = { projectId, fromDay: new Date().toISOString().slice(0, 10), cycle: 1 }
  await house.sql(`update rent.project set public_until = current_date - 1 where id = $1`, [projectId])
  expect(await house.post('/rentContract/add', lease)).toMatchObject({ status: 422, code: 42472 })
  const penalties = await house.account('income.penalty')
  expect(await change()).toMatchObject({ status: 200 })
  expect(await house.account('income.penalty')).toBe(penalties)
  expect((await house.project(projectId)).state).toBe(10)
})
