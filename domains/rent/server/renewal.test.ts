import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, startOf } from '../../../platform/contract/time.ts'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'
import { dayAt, dayNumber } from './days.ts'

let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())

const TERMS = { leaseMonths: 12, rentFen: 1_200_000, cycle: 1 }
const leaseOf = async (id: string) => (await house.post('/rentContract/query', { id })).data.records[0]
const withVersion = async (path: string, id: string, more: object = {}, token?: string) =>
  house.post(`/rentContract/${path}`, { id, version: (await leaseOf(id)).version, ...more }, token)
const renew = (id: string, more: object = {}) => withVersion('renew', id, { ...TERMS, ...more })
const sign = async (id: string) => {
  await withVersion('sign', id, { party: 1 }, house.deputy)
  return withVersion('sign', id, { party: 2, files: EVIDENCE })
}
/** Two days are left of a lease that runs. */
async function running() {
  const lease = await house.leased()
  await house.sql(`update rent.contract set to_day = current_date + 2 where id = $1`, [lease.id])
  return lease
}
async function renewed() {
  const lease = await running()
  const { data } = await renew(lease.id)
  expect((await sign(data.id)).data.state).toBe(1)
  return { ...lease, renewalId: data.id as string }
}
const onDay = (day: string, later = 0): Instant => instantAt(Date.parse(startOf(day as never)) + later * DAY_MS)
const deposit = async (id: string) => (await house.bills(id)).find(({ kind }) => kind === 2)

test('a lease that runs is renewed from the day after its last, with bills of its own and no second deposit; two at once draw one up', async () => {
  const { id } = await running()
  const asked = await Promise.all([renew(id), renew(id)])
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 409])
  const old = await leaseOf(id)
  const next = asked.find(({ status }) => status === 200).data
  expect(next).toMatchObject({ fromDay: dayAt(dayNumber(old.toDay) + 1), rentFen: 1_200_000, depositFen: 40_000, renewsId: id, state: 0 })
  expect(await renew(id)).toMatchObject({ status: 409, code: 42448 })
  expect(await leaseOf(next.id)).toMatchObject({ renewsNo: old.contractNo, signBy: old.toDay })
  // The person who drew it up does not sign for the lessor.
  expect((await withVersion('sign', next.id, { party: 1 })).status).toBe(422)
  expect((await sign(next.id)).data.state).toBe(1)
  const bills = await house.bills(next.id)
  expect(bills.map(({ kind, amountFen, creditFen }) => [kind, amountFen, creditFen])).toEqual(Array.from({ length: 12 }, () => [1, 100_000, 0]))
  expect(bills[0].dueDay).toBe(dayAt(dayNumber(next.fromDay) + 7))
  expect(await renew(next.id), 'it has not begun').toMatchObject({ status: 422, code: 42447 })
  expect(await leaseOf(id)).toMatchObject({ state: 1, renewedNo: next.contractNo })
})

test('the renewal takes the place of the lease and keeps its deposit, which goes back once the renewal is over', async () => {
  const { id, renewalId, projectId } = await renewed()
  const { id: billId } = await deposit(id)
  await house.post('/rentBill/pay', { id: billId, payMethod: 4, amountFen: 40_000 })
  const refunds = async () =>
    house.sql('select f.amount_fen from settlement.refund f join rent.bill b on b.order_id = f.order_id where b.id = $1', [billId])
  const { fromDay, toDay } = await leaseOf(renewalId)
  await house.tick(onDay(fromDay))
  await house.tick(onDay(fromDay))
  expect([(await leaseOf(id)).state, (await leaseOf(renewalId)).state, (await house.project(projectId)).state]).toEqual([2, 1, 8])
  expect(await deposit(id)).toBeUndefined()
  expect(await deposit(renewalId)).toMatchObject({ id: billId, state: 1, periodFrom: fromDay, periodTo: toDay })
  expect(await refunds()).toEqual([])
  const rows = (await house.post('/rentProject/queryEnrollProject', { projectId, winner: true })).data.records
  expect(rows).toMatchObject([{ contractNo: (await leaseOf(renewalId)).contractNo, toDay }])
  await house.tick(onDay(toDay, 1))
  expect([(await leaseOf(renewalId)).state, (await house.project(projectId)).state]).toEqual([2, 9])
  expect(await refunds()).toEqual([{ amountFen: 40_000 }])
})

test('a lease stopped for longer than both terms goes through both at once', async () => {
  const { id, renewalId, projectId } = await renewed()
  await house.tick(onDay((await leaseOf(renewalId)).toDay, 30))
  expect([(await leaseOf(id)).state, (await leaseOf(renewalId)).state, (await house.project(projectId)).state]).toEqual([2, 2, 9])
})

test('a lease is not ended over its renewal: that is ended first, which leaves the lease as it is and room for another', async () => {
  const { id, renewalId, projectId } = await renewed()
  const end = (of: string) => withVersion('end', of, { reason: '另行招租' }, house.deputy)
  expect(await end(id)).toMatchObject({ status: 409, code: 42448 })
  expect(await end(renewalId)).toMatchObject({ status: 200, data: { state: 3 } })
  expect((await house.bills(renewalId)).every(({ state }) => state === 2)).toBe(true)
  expect([(await leaseOf(id)).state, (await house.project(projectId)).state]).toEqual([1, 8])
  expect((await deposit(id)).state).toBe(0)
  const again = (await renew(id)).data
  expect(again.state).toBe(0)
  // An unsigned renewal is deleted once the lease is ended.
  expect(await end(id)).toMatchObject({ status: 200 })
  expect(await leaseOf(again.id)).toBeUndefined()
  expect((await house.project(projectId)).state).toBe(11)
})

test('a renewal that was not signed by the last day is nothing: it is not signed late, and the lease is over with its deposit back', async () => {
  const { id, projectId } = await running()
  const { data: half } = await renew(id)
  await withVersion('sign', half.id, { party: 1 }, house.deputy)
  await house.sql('update rent.contract set to_day = current_date - 2 where id = $1', [id])
  expect(await withVersion('sign', half.id, { party: 2, files: EVIDENCE })).toMatchObject({ status: 422, code: 42449 })
  await house.tick(instantAt(Date.now()))
  expect([await leaseOf(half.id), (await leaseOf(id)).state, (await house.project(projectId)).state]).toEqual([undefined, 2, 9])
})

test('one of two may still be withdrawn; what is not in force, or in another’s hands, is not renewed', async () => {
  const { id } = await running()
  const { data: half } = await renew(id)
  await withVersion('sign', half.id, { party: 2, files: EVIDENCE })
  expect((await withVersion('withdraw', half.id, { reason: '租金有误' })).status).toBe(200)
  const drawn = await house.drawn()
  expect(await renew(drawn.id)).toMatchObject({ status: 422, code: 42447 })
  expect(await renew(id, { leaseMonths: 61 })).toMatchObject({ status: 400 })
  expect((await renew(id)).status).toBe(200)
})

test('a signature and the end of the lease at once: either it is ended, or the renewal stands', async () => {
  for (let round = 0; round < 4; round++) {
    const { id } = await running()
    const { data: half } = await renew(id)
    await withVersion('sign', half.id, { party: 1 }, house.deputy)
    const [signed, ended] = await Promise.all([
      withVersion('sign', half.id, { party: 2, files: EVIDENCE }),
      withVersion('end', id, { reason: '收回' }, house.deputy),
    ])
    const stands = signed.status === 200
    expect([stands, ended.status === 200]).toEqual([stands, !stands])
    expect((await leaseOf(half.id))?.state).toBe(stands ? 1 : undefined)
  }
})
