import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { run } from '../../../platform/server/database.ts'
import { openSession, register } from '../../owner/server/api.ts'
import { erase } from '../../owner/server/testing.ts'
import { aLot, aPlate, type Lot } from './testing.ts'
import { bookBay } from './booking.ts'

let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

let made = 0
async function anOwner() {
  const [phone, at] = [`136${String(++made).padStart(8, '0')}`, lot.at(0) as Instant]
  const { ownerId, token } = await lot.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: `业主${made}`, at })
    return { ownerId: id as string, token: await openSession(tx, id, '127.0.0.1', at) }
  })
  const bays = async () => (await lot.post('/share/mine/bays', {}, token)).data
  return { ownerId, phone, bays }
}
const care = (what: string, body: object) => lot.server.ask(lot.admin, 'POST', `/lbs/custom/owner/account/${what}`, body) as Promise<any>
const merge = (keep: { ownerId: string }, gone: { ownerId: string }, more: object = {}) =>
  care('merge', { keepId: keep.ownerId, goneId: gone.ownerId, ...more })
/** A bay that has brought its owner 1440 fen. */
async function earning(owner: { ownerId: string }) {
  const { parkCode } = await lot.aSharedPark()
  const bay = await lot.ofOwner(parkCode, owner.ownerId)
  const booked = await lot.booked(bay.id, { startAt: lot.at(0), endAt: lot.at(240) })
  await lot.tick(31)
  await lot.tick(31 + 25 * 60)
  expect(await lot.account('liability.share', owner.ownerId)).toBe(1440)
  return { bay, booked, parkCode }
}
const twoEnds = async () => {
  const left = await lot.sql(`select 'offer' from share.offer where owner_id = any (select id from owner.account where status = 3)
    union all select 'booking' from share.booking where owner_id = any (select id from owner.account where status = 3) union all select 'payout' from share.payout where owner_id = any (select id from owner.account where status = 3)`)
  expect(left).toEqual([])
  expect((await lot.replay()).right).toBe(true)
}

test('two owners become one: bays, bookings, payouts and the part that was not paid out are with whoever remains', async () => {
  const [keep, gone] = [await anOwner(), await anOwner()]
  await earning(keep)
  const { bay, booked } = await earning(gone)
  const coming = await lot.booked(bay.id, { startAt: lot.at(300), endAt: lot.at(360) })
  expect((await merge(keep, gone, { dryRun: true })).data.done).toBe(false)
  expect((await gone.bays()).bays).toHaveLength(1)
  expect((await merge(keep, gone)).data.done).toBe(true)
  const kept = await keep.bays()
  expect(kept.balanceFen).toBe(2880)
  expect(kept.bays).toHaveLength(2)
  expect(kept.orders.map(({ bookingNo }: any) => bookingNo)).toEqual(expect.arrayContaining([booked.bookingNo, coming.bookingNo]))
  expect([await lot.account('liability.share', keep.ownerId), await lot.account('liability.share', gone.ownerId)]).toEqual([2880, 0])
  await twoEnds()
  // Money booked before the merge and earned after it is theirs too.
  await lot.tick(331)
  await lot.tick(331 + 25 * 60)
  expect((await keep.bays()).balanceFen).toBe(2880 + 360)
  await twoEnds()
})

test('a payout that is under way is waited for, of either; one that was paid goes along', async () => {
  const [keep, gone] = [await anOwner(), await anOwner()]
  await earning(gone)
  const { data: asked } = await lot.post('/share/payoutApply', { ownerId: gone.ownerId, amountFen: 1000, bank: '6222' })
  expect(await merge(keep, gone, { dryRun: true })).toMatchObject({ status: 409, code: 41861, message: expect.stringContaining(asked.payoutNo) })
  expect(await merge(gone, keep)).toMatchObject({ code: 41861 })
  await lot.sql(
    `update share.payout set state = 3, approvals = 1, paid_at = now(), transfer_no = 'T1', first_approver_id = owner_id, first_approver_name = '甲' where id = $1`,
    [asked.id],
  )
  expect((await merge(keep, gone)).data.done).toBe(true)
  expect((await keep.bays()).payouts).toMatchObject([{ payoutNo: asked.payoutNo, state: 3 }])
  await twoEnds()
})

test('a bay that is being booked while its owner is merged, and a payout that is asked for: nothing stays behind', async () => {
  const [keep, gone] = [await anOwner(), await anOwner()]
  const { bay } = await earning(gone)
  const waiting = async () => (await lot.sql<{ n: number }>('select count(*)::int as n from pg_locks where not granted'))[0]!.n
  let going: Promise<any> | undefined
  await lot.write(async (tx) => {
    const input = { offerId: bay.id, kind: 1, plateNo: aPlate(), phone: '13900001111', startAt: lot.at(400), endAt: lot.at(460) }
    await bookBay(tx, input as never, lot.at(0))
    going = merge(keep, gone)
    await expect.poll(waiting).toBe(1)
  })
  expect((await going).data.done).toBe(true)
  await twoEnds()
  // The other way round: a person who asks while the merge is under way finds nothing to ask for.
  const third = await anOwner()
  let asked: Promise<any> | undefined
  await lot.write(async (tx) => {
    await run(tx, { sql: 'select from share.offer where id = $1 for update' }, [bay.id])
    going = merge(third, keep)
    await expect.poll(waiting).toBe(1)
    asked = lot.post('/share/payoutApply', { ownerId: keep.ownerId, amountFen: 1440, bank: '6222' })
    await expect.poll(waiting).toBe(2)
  })
  expect((await going).data.done).toBe(true)
  expect(await asked).toMatchObject({ status: 422, code: 41864 })
  expect((await third.bays()).balanceFen).toBe(1440)
  await twoEnds()
})

test('who is erased leaves no telephone behind with what they booked; before, it is handed to them, and nothing of it is open', async () => {
  const [driver, host] = [await anOwner(), await anOwner()]
  const { parkCode } = await lot.aSharedPark()
  const bay = await lot.ofOwner(parkCode, host.ownerId)
  const booked = await lot.booked(bay.id, { phone: driver.phone, startAt: lot.at(500), endAt: lot.at(560) })
  const versionOf = async () => (await lot.sql('select version from owner.account where id = $1', [driver.ownerId]))[0].version
  const asks = async () => care('erase', { ownerId: driver.ownerId, version: await versionOf() })
  const { data } = await care('export', { ownerId: driver.ownerId })
  const mine = data.others.filter(({ of }: any) => of === 'share.booking')
  expect(mine).toMatchObject([{ booking_no: booked.bookingNo, plate_no: booked.plateNo, phone: driver.phone }])
  expect(Object.keys(mine[0])).not.toContain('owner_id')
  expect(await asks()).toMatchObject({ status: 409, code: 41865 })
  await lot.tick(531)
  await lot.sql(`insert into share.ban (park_code, plate_no, phone, defaults, until) values ($1, $2, $3, 3, now() + interval '7 days')`, [
    parkCode,
    booked.plateNo,
    driver.phone,
  ])
  expect((await asks()).code).toBe(200)
  await lot.sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [driver.ownerId])
  await lot.write((tx) => erase.work({ tx, at: lot.at(1), data: {} } as never))
  expect(await lot.sql('select 1 from share.booking where phone = $1 union all select 1 from share.ban where phone = $1', [driver.phone])).toEqual([])
  expect(await lot.booking(booked.id)).toMatchObject({ plateNo: booked.plateNo, phone: expect.stringMatching(/^000/) })
})
