import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { writing } from '../../../platform/server/database.ts'
import { tokenOfParks } from '../../../tests/support/roles.ts'
import { mergeInto } from './merge.ts'
import { aGarage, aPlate, type Garage, now } from './testing.ts'
import { passOver } from './verification.ts'

let garage: Garage
beforeAll(async () => {
  garage = await aGarage()
})
afterAll(() => garage.close())

const bind = async (ownerId: string, plateNo: string) => garage.business('/carOwner/bindCarInfo', { ownerId, plateNo })
const verify = ({ id, version }: any, verifyState: number, token?: string) =>
  garage.business('/carVerification/updateCarVerification', { id, version, verifyState, verdict: '已核对' }, token)
const request = async (plateNo: string, ownerId: string) =>
  (await garage.business('/carVerification/queryCarVerification', { plateNo })).data.records.find((one: any) => one.ownerId === ownerId)
/** B asks for what A has verified. */
async function aClaim() {
  const plateNo = aPlate()
  const [a, b] = [await garage.anOwner('甲'), await garage.anOwner('乙')]
  const mine = (await bind(a.ownerId, plateNo)).data
  expect((await verify(mine, 1)).data.verifyState).toBe(1)
  const claim = (await bind(b.ownerId, plateNo)).data
  const claimed = (await verify(claim, 1, garage.second)).data
  expect(claimed).toMatchObject({ verifyState: 3, rivalName: '甲', contestedAt: null })
  expect(Date.parse(claimed.dueAt) - Date.now()).toBeGreaterThan(71.9 * 3_600_000)
  return { a, b, plateNo, claimed }
}
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString() as Instant
const passesOver = (at: Instant) => garage.server.house.writing(1, 'test', (tx) => passOver(tx, at))

test('B claims the plate of A: A is silent for 72 hours, and it is B’s', async () => {
  const { a, b, plateNo, claimed } = await aClaim()
  expect(await verify(claimed, 1, garage.third)).toMatchObject({ code: 41531 })
  await passesOver(later(71))
  expect((await request(plateNo, b.ownerId)).verifyState).toBe(3)
  await passesOver(later(73))
  expect((await request(plateNo, b.ownerId)).verifyState).toBe(1)
  expect((await request(plateNo, a.ownerId)).verifyState).toBe(4)
})

test('A objects at hour 71: it stays theirs until a person decides, another than who looked first', async () => {
  const { a, b, plateNo, claimed } = await aClaim()
  const contested = (
    await garage.business('/carVerification/contestCarVerification', { id: claimed.id, version: claimed.version, reason: '车是我的' })
  ).data
  await passesOver(later(73))
  expect((await request(plateNo, a.ownerId)).verifyState).toBe(1)
  expect(await verify(contested, 1, garage.second)).toMatchObject({ code: 41530 })
  const both = await Promise.all([verify(contested, 1, garage.third), verify(contested, 2, garage.admin)])
  expect(both.map(({ status }: any) => status).sort()).toEqual([200, 409])
  const states = [(await request(plateNo, a.ownerId)).verifyState, (await request(plateNo, b.ownerId)).verifyState]
  expect([
    [4, 1],
    [1, 2],
  ]).toContainEqual(states)
})

test('rejected, appealed, and decided by another', async () => {
  const { ownerId } = await garage.anOwner()
  const plateNo = aPlate()
  const asked = (await bind(ownerId, plateNo)).data
  const rejected = (await verify(asked, 2, garage.second)).data
  expect((await verify(rejected, 1, garage.third)).status).toBe(409)
  const appealed = (
    await garage.business('/carVerification/appealCarVerification', { id: rejected.id, version: rejected.version, reason: '行驶证已换' })
  ).data
  expect(appealed).toMatchObject({ verifyState: 3, appeal: '行驶证已换' })
  expect(await verify(appealed, 1, garage.second)).toMatchObject({ code: 41530 })
  expect((await verify(appealed, 1, garage.third)).data).toMatchObject({ verifyState: 1, deciderName: 'reviewer2' })
  expect((await verify(appealed, 0, garage.third)).status).toBe(400)
})

test('two owners are verified for one plate at once: one is', async () => {
  const plateNo = aPlate()
  const asked = await Promise.all(
    [1, 2].map(async () => {
      const { ownerId } = await garage.anOwner()
      return (await bind(ownerId, plateNo)).data
    }),
  )
  await Promise.all(asked.map((one) => verify(one, 1)))
  const [{ n }] = (await garage.sql<{ n: number }>('select count(*)::int as n from owner.car where plate_no = $1 and verify_state = 1', [
    plateNo,
  ])) as [{ n: number }]
  expect(n).toBe(1)
})

test('five plates and no sixth, however many are bound at once; the same one once', async () => {
  const { ownerId } = await garage.anOwner()
  const bound = await Promise.all(Array.from({ length: 8 }, () => bind(ownerId, aPlate())))
  expect(bound.filter(({ status }: any) => status === 200)).toHaveLength(5)
  expect(new Set(bound.filter(({ status }: any) => status !== 200).map(({ code }: any) => code))).toEqual(new Set([41522]))
  const other = await garage.anOwner()
  const plateNo = aPlate()
  expect((await bind(other.ownerId, plateNo)).data).toMatchObject({ isDefault: true, verifyState: 0 })
  expect(await bind(other.ownerId, plateNo)).toMatchObject({ code: 41521 })
  expect(await bind(other.ownerId, '不是车牌')).toMatchObject({ code: 41520 })
})

test('a car is changed, never whose it is; automatic debit is only switched off; another colour is reviewed anew', async () => {
  const { ownerId } = await garage.anOwner()
  const { id } = await garage.aCar(ownerId, { autoDebit: true })
  const change = async (body: object) =>
    garage.business('/carOwner/updateCarInfo', {
      id,
      version: (await garage.sql<any>('select version from owner.car where id = $1', [id]))[0].version,
      ...body,
    })
  expect((await change({ plateNo: '鄂A12345' })).status).toBe(400)
  expect((await change({ autoDebit: false, remark: '车主来电' })).data).toMatchObject({ autoDebit: false, remark: '车主来电', verifyState: 1 })
  expect(await change({ autoDebit: true })).toMatchObject({ code: 41523 })
  expect((await change({ plateColor: 1 })).data).toMatchObject({ plateColor: 1, verifyState: 0 })
})

test('a car with an order to pay is not unbound; then it is', async () => {
  const { ownerId } = await garage.anOwner()
  const { id, plateNo } = await garage.aCar(ownerId)
  const order = await garage.anOrder({ plateNo })
  const unbind = () => garage.business('/carOwner/unBindCarInfo', { id, version: 1, reason: '已过户' })
  expect(await unbind()).toMatchObject({ code: 41524 })
  await garage.call(garage.admin, '/order/cash', { id: order.id, amountFen: 1200 })
  expect((await unbind()).status).toBe(200)
  expect((await unbind()).status).toBe(409)
  const { data } = await garage.business('/carOwner/queryCarInfo', { plateNo })
  expect(data.records).toMatchObject([{ verifyState: 4, unbindReason: '已过户' }])
})

test('two accounts of one person become one, with cars, money and what came before; an owner with money is not erased', async () => {
  const [keep, gone] = [await garage.anOwner('留'), await garage.anOwner('并')]
  await garage.recharge(keep.ownerId, 1_000)
  await garage.recharge(gone.ownerId, 2_000)
  const { plateNo } = await garage.aCar(gone.ownerId)
  const merge = (more = {}) => garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId, ...more })
  expect((await merge({ dryRun: true })).data).toEqual({ cars: 1, cards: 0, principalFen: 2_000, bonusFen: 0, done: false })
  expect((await merge()).data.done).toBe(true)
  expect((await merge()).status).toBe(409)
  expect((await garage.stands(keep.ownerId)).principalFen).toBe(3_000)
  expect((await garage.spends(plateNo, 2_500)).status).toBe(2)
  const asset = (await garage.custom('/assert/selectCarOwnerAssetInfo', { ownerId: keep.ownerId, latest: true })).data
  expect(asset.records).toMatchObject([{ balanceAfterFen: 500 }])
  expect(await garage.differing()).toEqual([])
  const refund = (await garage.custom('/assetsStore/refund/apply', { ownerId: keep.ownerId, reason: '退' })).data.refund
  expect(refund.amountFen).toBe(500)
  const { data } = await garage.custom('/assert/selectCarOwnerInfo', { phone: keep.phone })
  const { ownerId, version } = data.records[0]
  expect(await garage.custom('/owner/account/erase', { ownerId, version })).toMatchObject({ code: 41511 })
  const locked = await garage.custom('/owner/account/lock', { ownerId, version, locked: true, reason: '冒用' })
  expect(locked.data).toMatchObject({ status: 2, lockReason: '冒用' })
  expect(await garage.recharge(ownerId, 100)).toMatchObject({ code: 41510 })
  expect((await garage.custom('/owner/account/export', { ownerId })).data).toMatchObject({ owner: { ownerId }, refunds: [expect.anything()] })
})

test('what an owner spent before they were merged comes back to whom they became part of', async () => {
  const [keep, gone] = [await garage.anOwner('留'), await garage.anOwner('并')]
  await garage.recharge(gone.ownerId, 2_000)
  const { plateNo } = await garage.aCar(gone.ownerId)
  const order = await garage.spends(plateNo, 900)
  await garage.custom('/owner/account/merge', { keepId: keep.ownerId, goneId: gone.ownerId })
  const asked = (await garage.call(garage.second, '/orderRefund/apply', { orderId: order.id, amountFen: 900, reason: '多收' })).data
  expect((await garage.call(garage.third, '/orderRefund/approve', { id: asked.id, version: asked.version })).data.state).toBe(3)
  expect((await garage.stands(keep.ownerId)).principalFen).toBe(2_000)
  expect((await garage.stands(gone.ownerId)).principalFen).toBe(0)
  expect(await garage.differing()).toEqual([])
})

test('whoever sees some parks only merges nobody: what lies in the others would stay behind', async () => {
  const [keep, gone] = [await garage.anOwner(), await garage.anOwner()]
  const input = { keepId: keep.ownerId, goneId: gone.ownerId, dryRun: true }
  const merging = (parks: readonly string[] | null) =>
    writing(garage.server.house.pool, { enterprise: 1, parks }, { userId: null, userName: '试', via: 'test', requestId: '' }, (tx) =>
      mergeInto(tx, input, { userName: '试' }, now()),
    )
  await expect(merging(['P001'])).rejects.toMatchObject({ id: 'owner.merge-parks' })
  expect(await merging(null)).toMatchObject({ done: false })
  const asked = async (token?: string) => garage.custom('/owner/account/merge', input, token)
  expect(await asked(await tokenOfParks(garage.server, ['P001']))).toMatchObject({ status: 403, code: 41517 })
  expect(await asked()).toMatchObject({ status: 200, data: { done: false } })
})

test('the figures of owners add up', async () => {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const series = (await garage.custom('/assert/userStatistics', { dateFrom: today, dateTo: today })).data
  const now = (await garage.custom('/person/getPersonsStatistics', {})).data
  expect(series).toHaveLength(1)
  expect(now.addedToday).toBeLessThanOrEqual(series[0].added)
  expect(now.owners).toBeGreaterThan(5)
  expect((await garage.custom('/assert/userStatistics', { dateFrom: '2020-01-01', dateTo: today })).status).toBe(400)
})
