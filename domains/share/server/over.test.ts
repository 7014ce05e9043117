import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindCar, openSession, register } from '../../owner/server/api.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { GateAction, FeeChoice, OpenReason } from '../../parking/contract/gate.ts'
import { LaneOutcome } from '../../parking/contract/stay.ts'
import { barrier, reads } from '../../parking/server/testing.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { DriverState } from '../../settlement/contract/scan.ts'
import { BookingState } from '../contract/booking.ts'
import { hearLeft } from './life.ts'
import { aLot, type Lot } from './testing.ts'

/** A car that stays in a shared bay beyond its booking, and comes to the exit. */
let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

interface Guest {
  parkCode: string
  plateNo: string
  id: string
}
/** Its booking ended `over` minutes ago, an hour after its car had come; a car that came `early` stood there before anything was paid for. */
async function aGuest({ over, early = 0 }: { over: number; early?: number }): Promise<Guest> {
  const { parkCode } = await lot.aSharedPark()
  const { id, plateNo } = await lot.booked((await lot.anOffer(parkCode)).id)
  await lot.sql('update share.booking set start_at = $2, end_at = $3 where id = $1', [id, lot.at(-over - 60), lot.at(-over)])
  await lot.enters(parkCode, plateNo, -over - 59)
  if (early > 0) await lot.sql('update parking.stay set entry_time = $2 where plate_no = $1', [plateNo, lot.at(-over - 60 - early)])
  await lot.tick(0)
  return { parkCode, plateNo, id }
}
const comes = ({ parkCode, plateNo }: Guest, minutes = 0) =>
  lot.write((tx) => reads(tx, { sn: `PG-${parkCode}-2`, plate: plateNo, at: lot.at(minutes) }))
async function goes({ parkCode, plateNo, id }: Guest, minutes = 1): Promise<void> {
  const { stayId } = await lot.booking(id)
  for (const [state, passed] of [
    ['opened', false],
    ['closed', true],
  ] as const)
    await lot.write((tx) => barrier(tx, { sn: `PG-${parkCode}-2`, state, at: lot.at(minutes), ...(passed && { passed }) }))
  await lot.write((tx) => hearLeft(tx, { stayId, parkCode, plateNo }, lot.at(minutes)))
}
const lane = async ({ parkCode }: Guest) =>
  (await lot.server.ask(lot.admin, 'GET', '/lbs/device/laneBoard/state', { parkCode })).data.lanes.find(
    (one: any) => one.gateCode === `${parkCode}-G02`,
  )
const opened = async ({ parkCode }: Guest): Promise<number> =>
  (await lot.sql(`select 1 from device.command where device_no = $1 and method = 'gate.open'`, [`PG-${parkCode}-2`])).length
const sign = async ({ parkCode }: Guest): Promise<string> =>
  JSON.stringify(
    (await lot.sql(`select params from device.command where device_no = $1 order by created_at desc, id desc limit 5`, [`PG-${parkCode}-2`])).map(
      ({ params }) => params,
    ),
  )
const byQr = async ({ parkCode, plateNo }: Guest) => (await lot.call(null, '/order/scanQuote', { code: await lot.codeOf(parkCode), plateNo })).data
const pays = async (orderId: string) => {
  const { payNo, amountFen } = await lot.startPaying({ id: orderId } as never)
  expect((await lot.notify({ payNo, amountFen })).status).toBe(200)
}
const opens = ({ parkCode }: Guest, more: object) =>
  lot.server.ask(lot.admin, 'POST', '/lbs/device/gateOperation/openGateToPark', {
    gateCode: `${parkCode}-G02`,
    reason: OpenReason.special,
    action: GateAction.open,
    ...more,
  })
const order = async (id: string) =>
  (await lot.sql('select status, receivable_fen, payable_fen, paid_fen from settlement.order where id = $1', [id]))[0]

test('an overrun is asked at the barrier, which stays down; paid there it opens, and no debt is left', async () => {
  const guest = await aGuest({ over: 30 })
  await comes(guest)
  expect(await opened(guest)).toBe(0)
  expect(await sign(guest)).toContain('请缴费 4.5 元')
  const { overOrderId } = await lot.booking(guest.id)
  expect(await lane(guest)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 450, orderId: overOrderId })
  await pays(overOrderId)
  expect(await opened(guest)).toBe(1)
  await goes(guest)
  expect(await lot.booking(guest.id)).toMatchObject({ state: BookingState.completed, overFen: 450, overStatus: OrderStatus.paid })
  expect(await lot.sql('select 1 from arrears.record where plate_no = $1', [guest.plateNo])).toEqual([])
  expect(await lot.account('liability.deposit', guest.id)).toBe(0)
})

test('a car within its time, and one that has paid for its overrun, find the barrier open', async () => {
  const inTime = await aGuest({ over: -20 })
  await comes(inTime)
  expect([await opened(inTime), (await lane(inTime)).dueFen]).toEqual([1, 0])
  const paid = await aGuest({ over: 30 })
  await pays((await lot.booking(paid.id)).overOrderId)
  await comes(paid)
  expect([await opened(paid), (await lane(paid)).dueFen]).toEqual([1, 0])
})

test('neither the code in the park nor the driver’s telephone says that nothing is due while an overrun is: both show it, once, and what it is for', async () => {
  const guest = await aGuest({ over: 30 })
  const phone = `135${guest.plateNo.slice(2).padStart(8, '0')}`
  const token = await lot.write(async (tx) => {
    const { id } = await register(tx, { phone, nickname: '车主', at: lot.at(0) })
    await bindCar(tx, { ownerId: id, plateNo: guest.plateNo, at: lot.at(0) })
    return openSession(tx, id, '127.0.0.1', lot.at(0))
  })
  await lot.sql('update owner.car set verify_state = $2 where plate_no = $1', [guest.plateNo, VerifyState.verified])
  const due = { state: DriverState.toPay, dueFen: 450, lines: [{ zh: '共享车位超时费 30分钟', en: 'Shared bay overrun, 30 min', amountFen: 450 }] }
  const seen = await byQr(guest)
  expect(seen).toMatchObject([due])
  expect((await lot.server.ask(token, 'POST', '/lbs/custom/owner/mine/parked', {})).data).toMatchObject([{ ...due, parkCode: guest.parkCode }])
  const scanned = await lot.call(null, '/order/scanPay', { code: await lot.codeOf(guest.parkCode), orderNo: seen[0].orderNo, payMethod: 1 })
  expect(scanned).toMatchObject({ status: 200, data: { amountFen: 450 } })
  expect(await byQr(guest)).toMatchObject([{ state: DriverState.paying, dueFen: 450 }])
  const { overOrderId } = await lot.booking(guest.id)
  const [{ payNo }] = await lot.sql('select pay_no from settlement.payment where order_id = $1', [overOrderId])
  await lot.notify({ payNo, amountFen: 450 })
  expect(await byQr(guest)).toMatchObject([{ state: DriverState.free, dueFen: 0 }])
})

test('an overrun of a minute ago, which no round has billed yet, is asked all the same, and within the grace nothing is', async () => {
  const guest = await aGuest({ over: -20 })
  await lot.sql('update share.booking set end_at = $2 where id = $1', [guest.id, lot.at(-11)])
  expect(await byQr(guest)).toMatchObject([{ state: DriverState.toPay, dueFen: 165 }])
  const graced = await aGuest({ over: -20 })
  await lot.sql('update share.booking set end_at = $2 where id = $1', [graced.id, lot.at(-5)])
  expect(await byQr(graced)).toMatchObject([{ state: DriverState.free, dueFen: 0 }])
})

test('a car that stands at the exit has left its bay: its overrun grows no more', async () => {
  const guest = await aGuest({ over: 30 })
  await comes(guest)
  await lot.tick(7)
  expect(await lot.booking(guest.id)).toMatchObject({ overMin: 30, overFen: 450 })
  expect(await lane(guest)).toMatchObject({ dueFen: 450 })
})

test.each([
  ['taken in cash', FeeChoice.cash, OrderStatus.paid],
  ['let off', FeeChoice.free, OrderStatus.free],
  ['owed', FeeChoice.arrears, OrderStatus.arrears],
])('a person at the barrier says what becomes of an overrun: %s', async (_, fee, status) => {
  const guest = await aGuest({ over: 30 })
  await comes(guest)
  expect(await opens(guest, {})).toMatchObject({ status: 422, code: 40803 })
  expect(await opens(guest, { fee })).toMatchObject({ status: 200 })
  expect(await opened(guest)).toBe(1)
  const { overOrderId } = await lot.booking(guest.id)
  await goes(guest)
  expect(await order(overOrderId)).toMatchObject({ status, receivableFen: 450, paidFen: fee === FeeChoice.cash ? 450 : 0 })
  expect(await lot.sql('select 1 from arrears.record where plate_no = $1', [guest.plateNo])).toHaveLength(fee === FeeChoice.arrears ? 1 : 0)
  expect(await lot.account('liability.deposit', guest.id)).toBe(0)
  expect(await lot.replay()).toMatchObject({ right: true })
})

test('a fee and an overrun are two bills: the barrier asks for the fee first, then for the overrun, and the telephone shows both', async () => {
  const guest = await aGuest({ over: 30, early: 90 })
  await comes(guest)
  const own = (await lane(guest)).orderId
  expect(await lane(guest)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 1000 })
  expect(await sign(guest)).toContain('另缴共享车位超时费 4.5 元')
  expect((await byQr(guest)).map(({ dueFen }: any) => dueFen)).toEqual([1000, 450])
  await pays(own)
  const { overOrderId } = await lot.booking(guest.id)
  expect(await lane(guest)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 450, orderId: overOrderId })
  expect(await opened(guest)).toBe(0)
  expect(await byQr(guest)).toMatchObject([{ state: DriverState.toPay, dueFen: 450 }])
  await pays(overOrderId)
  expect(await opened(guest)).toBe(1)
})

test('an overrun that is paid while its round, its driver and its lane look at it is paid once, and nobody waits in a ring', async () => {
  const guest = await aGuest({ over: 30 })
  const { overOrderId } = await lot.booking(guest.id)
  const { payNo, amountFen } = await lot.startPaying({ id: overOrderId } as never)
  await Promise.all([lot.notify({ payNo, amountFen }), lot.tick(1), byQr(guest), comes(guest), lot.tick(1)])
  expect(await order(overOrderId)).toMatchObject({ status: OrderStatus.paid, paidFen: 450 })
  if ((await opened(guest)) === 0) await comes(guest, 1)
  expect(await opened(guest)).toBe(1)
})
