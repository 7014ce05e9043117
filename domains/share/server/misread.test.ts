import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { until } from '../../settlement/server/testing.ts'
import { BookingState } from '../contract/booking.ts'
import { hearEntered, wasUsed } from './life.ts'
import { aLot, aPlate, type Lot } from './testing.ts'

/** A car that was taken for a booked one. */
let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

test('a booking that another car was misread for is held after its money, as whoever pays for it holds them', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  await lot.enters(parkCode, booked.plateNo, 31)
  await lot.tick(120)
  const { stayId, overOrderId } = await lot.booking(booked.id)
  expect(overOrderId).not.toBeNull()
  let putRight: Promise<unknown> = Promise.resolve()
  const free = await lot.write(async (tx) => {
    await run(tx, { sql: 'select from settlement.order where id = $1 for no key update' }, [overOrderId])
    putRight = lot.write((other) => hearEntered(other, { stayId, parkCode, plateNo: aPlate() as never }, lot.at(110)))
    await until(
      () => lot.sql(WAITS),
      (waiting) => waiting.length > 0,
    )
    return run(tx, { sql: 'select id from share.booking where id = $1 for no key update nowait' }, [booked.id])
  })
  await putRight
  expect(free).toHaveLength(1)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.booked, stayId: null, overOrderId: null })
})

test('a booking that no lane told of is held after its money too', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  const { orderId } = await lot.booking(booked.id)
  let used: Promise<unknown> = Promise.resolve()
  const free = await lot.write(async (tx) => {
    await run(tx, { sql: 'select from settlement.order where id = $1 for no key update' }, [orderId])
    used = lot.write((other) => wasUsed(other, { id: booked.id, enteredAt: lot.at(31), leftAt: lot.at(80) }, lot.at(80)))
    await until(
      () => lot.sql(WAITS),
      (waiting) => waiting.length > 0,
    )
    return run(tx, { sql: 'select id from share.booking where id = $1 for no key update nowait' }, [booked.id])
  })
  await used
  expect(free).toHaveLength(1)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.completed })
})
const WAITS = 'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database() and not l.granted'
