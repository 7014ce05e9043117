import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSaid, byDay, within } from '../contract/windows.ts'
import { aLot, aPlate, type Lot } from './testing.ts'

/** Bays that are let through the night. */
let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

const day = (day: number, from: string, to: string) => ({ day, from, to })
/** 2026-11-30 is a Monday. */
const at = (date: number, clock: string) => `2026-11-${date}T${clock}:00+08:00` as never

test('a night is kept as an evening and a morning, and said as one; the same hour twice is round the clock', () => {
  expect(byDay([day(5, '18:00', '08:00')])).toEqual([day(5, '18:00', '24:00'), day(6, '00:00', '08:00')])
  expect(byDay([day(7, '18:00', '08:00')])).toEqual([day(1, '00:00', '08:00'), day(7, '18:00', '24:00')])
  expect(byDay([day(1, '18:00', '00:00')])).toEqual([day(1, '18:00', '24:00')])
  expect(byDay([day(1, '00:00', '00:00')])).toEqual([day(1, '00:00', '24:00')])
  expect(byDay([1, 2, 3, 4, 5, 6, 7].map((one) => day(one, '08:00', '08:00')))).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((one) => day(one, '00:00', '24:00')),
  )
  expect(byDay([day(1, '18:00', '08:00'), day(2, '07:00', '09:00')])).toEqual([day(1, '18:00', '24:00'), day(2, '00:00', '09:00')])
  for (const said of [[day(5, '18:00', '08:00')], [day(1, '08:00', '18:00')], [day(3, '00:00', '24:00')], [day(7, '20:00', '06:00')]])
    expect(asSaid(byDay(said))).toEqual(said)
})

test('a bay that is let through the night is booked across midnight, and not beyond the morning', async () => {
  const { parkCode } = await lot.aSharedPark()
  const offer = await lot.anOffer(parkCode, { windows: [1, 2, 3, 4, 5, 6, 7].map((one) => day(one, '18:00', '08:00')) })
  expect(within(offer.windows, at(29, '22:00'), at(30, '07:00'))).toBe(true)
  expect(within(offer.windows, at(29, '22:00'), at(30, '09:00'))).toBe(false)
  const tomorrow = (clock: string, later = 0) =>
    new Date(
      Date.parse(`${new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)}T${clock}:00+08:00`) + (1 + later) * 86_400_000,
    ).toISOString()
  const books = (endAt: string) =>
    lot.post('/share/orderBook', { offerId: offer.id, kind: 1, plateNo: aPlate(), phone: '13900001234', startAt: tomorrow('22:00'), endAt })
  expect(await books(tomorrow('09:00', 1))).toMatchObject({ status: 422, code: 41823 })
  expect(await books(tomorrow('07:00', 1))).toMatchObject({ status: 200, data: { prepaidFen: 3000 } })
})

test('what is no plate neither takes a bay nor a place', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  await lot.post('/parkReservation/insert', {
    kind: 2,
    parkCode,
    quota: 5,
    openAheadHours: 24,
    holdMin: 30,
    cancelFreeMin: 60,
    depositFen: 0,
    maxActive: 1,
    defaultLimit: 3,
    banDays: 7,
  })
  const keeps = (plateNo: string) => lot.post('/parkReservation/insert', { kind: 1, parkCode, plateNo, phone: '13900001235', startAt: lot.at(60) })
  for (const plateNo of ['BADPLATE', '12345678', 'QQQQQQQQ', '鄂F1234']) {
    expect(await lot.books(id, { plateNo })).toMatchObject({ status: 422 })
    expect(await keeps(plateNo)).toMatchObject({ status: 422 })
  }
  expect(await lot.books(id, { plateNo: '鄂f·12345' })).toMatchObject({ status: 200, data: { plateNo: '鄂F12345' } })
  expect(await keeps('鄂f 12346')).toMatchObject({ status: 200 })
})

test('a booking that nobody paid has a price and no payment; a refund stands as refunded once it is out', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const unpaid = (await lot.books(id)).data
  await lot.tick(60)
  expect(await lot.booking(unpaid.id)).toMatchObject({ state: 4, prepaidFen: 600, paidFen: 0, refundFen: 0, refundedFen: 0 })
  const late = (await lot.books(id, { startAt: lot.at(300), endAt: lot.at(360) })).data
  const { payNo, amountFen } = await lot.startPaying({ id: late.orderId } as never)
  await lot.notify({ payNo, amountFen })
  const paid = await lot.booking(late.id)
  expect((await lot.post('/share/orderCancel', { id: late.id, version: paid.version, reason: '改行程' })).data).toMatchObject({
    paidFen: 600,
    refundFen: 600,
    refundedFen: 0,
  })
  const { sums } = (await lot.post('/share/queryShareAppointmentRecord', { parkCode, queryMode: 'sum' })).data
  expect(sums).toMatchObject({ paidFen: 600, refundedFen: 0 })
})
