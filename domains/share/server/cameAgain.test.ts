import { afterAll, beforeAll, expect, test } from 'vitest'
import { BookingState } from '../contract/booking.ts'
import { aLot, type Lot } from './testing.ts'

/** A booked car whose leaving nobody saw. */
let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

test('a booked car that comes in again, its leaving unseen: its booking goes on with it and ends with it, and nothing is asked of the stay that was closed', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  await lot.enters(parkCode, booked.plateNo, 31)
  const { stayId } = await lot.booking(booked.id)
  await lot.enters(parkCode, booked.plateNo, 60)
  const again = await lot.booking(booked.id)
  expect(again).toMatchObject({ state: BookingState.inUse, enteredAt: lot.at(31) })
  expect(again.stayId).not.toBe(stayId)
  await lot.leaves(parkCode, booked.plateNo, 80)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.completed, leftAt: lot.at(80), overFen: 0 })
  expect(await lot.sql('select status, receivable_fen from parking.stay where plate_no = $1 order by created_at', [booked.plateNo])).toEqual([
    { status: 4, receivableFen: 0 },
    { status: 3, receivableFen: 0 },
  ])
})

test('a booked car that comes in again after its time, its leaving unseen: its booking is over and owes no overrun, and the next one is in use', async () => {
  const { parkCode } = await lot.aSharedPark()
  const offer = await lot.anOffer(parkCode)
  const first = await lot.booked(offer.id)
  await lot.enters(parkCode, first.plateNo, 31)
  await lot.tick(120)
  const over = await lot.booking(first.id)
  expect(over).toMatchObject({ state: BookingState.overrun })
  const next = await lot.booked(offer.id, { plateNo: first.plateNo, startAt: lot.at(600), endAt: lot.at(660) })
  await lot.enters(parkCode, first.plateNo, 600)
  expect(await lot.booking(first.id)).toMatchObject({ state: BookingState.completed, leftAt: lot.at(90), overMin: 0, overFen: 0, overOrderId: null })
  expect((await lot.sql('select status from settlement.order where id = $1', [over.overOrderId]))[0].status).toBe(5)
  expect(await lot.booking(next.id)).toMatchObject({ state: BookingState.inUse, enteredAt: lot.at(600) })
  await lot.leaves(parkCode, first.plateNo, 650)
  expect(await lot.booking(next.id)).toMatchObject({ state: BookingState.completed })
  expect((await lot.replay()).right).toBe(true)
})
