import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { ContractState } from '../contract/lease.ts'
import { anAuction, type Auction, EVIDENCE } from './testing.ts'

/** Awarding and signing take two people, and the lessee signs for themselves. */
let house: Auction
beforeAll(async () => void (house = await anAuction()))
afterAll(() => house.close())

/** Over, with one who leads; the administrator handles it. */
async function toAward() {
  const { id: projectId } = await house.enrolling()
  const [first, second] = [await house.qualified(projectId), await house.qualified(projectId)]
  await house.open(projectId, 1_000)
  for (const [{ token }, bidFen] of [
    [first, 1_000_000],
    [second, 1_020_000],
  ] as const)
    await house.call(token, '/rentBid/place', { projectId, bidFen })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
  await house.tick(instantAt(Date.now()))
  return { projectId, enrollId: second.id }
}

test('whoever handles a project does not award it; another does', async () => {
  const { projectId, enrollId } = await toAward()
  const award = (token?: string) => house.post('/rentProject/bidding', { projectId, enrollId }, token)
  expect(await award()).toMatchObject({ status: 422, code: 42401 })
  expect((await house.project(projectId)).state).toBe(5)
  expect(await award(house.deputy)).toMatchObject({ status: 200, data: { state: 6 } })
})

test('the tile counts a project that waits for its award once, however many bid for it, and a project’s ranking stands together', async () => {
  const [one, other] = [await toAward(), await toAward()]
  const asked = async (more: object) => (await house.post('/rentProject/queryEnrollProject', { projectState: [4, 5], ...more })).data
  const ids = [other.projectId, one.projectId]
  const ranked = (await asked({})).records.filter(({ projectId }: { projectId: string }) => ids.includes(projectId))
  expect(ranked.map(({ projectId, rank }: { projectId: string; rank: number }) => [ids.indexOf(projectId), rank])).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ])
  expect((await asked({ rank: 1 })).records.filter(({ projectId }: { projectId: string }) => ids.includes(projectId))).toHaveLength(2)
})

test('one person does not sign for both parties; what the lessee signed on paper is kept with who took it down', async () => {
  const { id } = await house.drawn()
  const sign = (version: number, party: number, more: object, token?: string) =>
    house.post('/rentContract/sign', { id, version, party, ...more }, token)
  expect(await sign(1, 2, {})).toMatchObject({ status: 422, code: 42409 })
  expect(await sign(1, 2, { files: EVIDENCE }, house.deputy)).toMatchObject({ status: 200, data: { lesseeByName: '副主管', lesseeFiles: EVIDENCE } })
  expect(await sign(2, 1, {}, house.deputy)).toMatchObject({ status: 422, code: 42408 })
  const { id: next } = await house.drawn()
  const of = (version: number, party: number, token: string) => house.post('/rentContract/sign', { id: next, version, party, files: EVIDENCE }, token)
  expect(await of(1, 1, house.deputy)).toMatchObject({ data: { state: ContractState.toSign } })
  expect(await of(2, 2, house.deputy)).toMatchObject({ status: 422, code: 42408 })
  expect(await of(2, 2, house.admin)).toMatchObject({ data: { state: ContractState.inForce } })
  await expect(house.sql('update rent.contract set lessee_by_id = lessor_id where id = $1', [next])).rejects.toThrow(/nobody_signs_for_both/)
})

test('whoever rents signs their own lease on the telephone, and nobody else’s; then they see every bill with how it adds up', async () => {
  const { id, bidderId } = await house.drawn()
  const mine = (token: string, path: string, body: object = {}) => house.call(token, path, body)
  const stranger = (await house.qualified((await house.enrolling()).id)).token
  const token = await house.tokenOf(bidderId)
  expect((await mine(token, '/rentContract/mine')).data).toMatchObject([
    { id, state: ContractState.toSign, rentFen: 1_020_000, depositFen: 40_000, lessorSignedAt: null, signBy: expect.any(String) },
  ])
  expect((await mine(stranger, '/rentContract/mine')).data).toEqual([])
  expect(await mine(stranger, '/rentContract/mine/sign', { id, version: 1 })).toMatchObject({ status: 404 })
  expect(await mine(token, '/rentContract/mine/sign', { id, version: 1 })).toMatchObject({ status: 200 })
  expect(await mine(token, '/rentContract/mine/sign', { id, version: 2 })).toMatchObject({ code: 42474 })
  await house.post('/rentContract/sign', { id, version: 2, party: 1 }, house.deputy)
  const [lease] = (await mine(token, '/rentContract/mine')).data
  expect(lease).toMatchObject({ state: ContractState.inForce, lesseeSignedAt: expect.any(String) })
  await house.sql(
    `update rent.bill set due_day = (now() at time zone 'Asia/Shanghai')::date - 40 where contract_id = $1 and state = 0 and kind = 1 and period_from = (select min(period_from) from rent.bill where contract_id = $1 and state = 0 and kind = 1)`,
    [id],
  )
  const bills = (await mine(token, '/rentBill/mine')).data
  expect(bills.length).toBeGreaterThan(30)
  const [late] = bills
  expect(late).toMatchObject({ state: 0, lateDays: 40, amountFen: 85_000 })
  expect(late.penaltyFen).toBe(Math.floor(((late.amountFen - late.creditFen) * 40 * 5) / 10_000))
  expect(late.dueFen).toBe(late.amountFen - late.creditFen + late.penaltyFen)
  expect(bills.filter(({ kind }: { kind: number }) => kind === 2)).toMatchObject([{ amountFen: 40_000, dueFen: 40_000, lateDays: 0 }])
})
