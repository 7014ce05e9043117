import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cityTime } from '../../../platform/contract/time.ts'
import { tokenOfParks } from '../../../tests/support/roles.ts'
import { reads } from '../../parking/server/testing.ts'
import { BookingState } from '../contract/booking.ts'
import { stretchesOf, within } from '../contract/windows.ts'
import { hasBooking, hearEntered, hearLeft } from './life.ts'
import { aLot, aPlate, type Lot } from './testing.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

test('two who book a bay at once: one has it, and the other hears with whom it meets', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const answers = await Promise.all(Array.from({ length: 8 }, () => lot.books(id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const won = answers.find(({ status }) => status === 200)!.data
  expect(won).toMatchObject({ state: 0, prepaidFen: 600, seatNo: expect.any(String) })
  for (const one of answers.filter(({ status }) => status !== 200))
    expect([one.code, one.message]).toEqual([
      41824,
      `与预约 ${won.bookingNo}（${cityTime(won.startAt)} 至 ${cityTime(won.endAt)}）冲突；请换一个时间`,
    ])
  expect((await lot.books(id, { startAt: lot.at(90), endAt: lot.at(150) })).status).toBe(200)
})

test('what overlaps is refused by the table, whoever writes it', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const { data } = await lot.books(id)
  const again = `insert into share.booking (booking_no, kind, park_code, offer_id, plate_no, phone, start_at, end_at, prepaid_fen, price_fen, grace_min, overtime_permille, cancel_free_min, hold_min, split_permille)
    select 'X', kind, park_code, offer_id, '鄂B99999', phone, start_at, end_at, 0, 0, 0, 0, 0, 0, 0 from share.booking where id = $1`
  await expect(lot.sql(again, [data.id])).rejects.toThrow(/one_at_a_time/)
})

test('a bay is let in its windows only, and a price has its cap', async () => {
  const monday = (clock: string) => `2026-11-23T${clock}:00+08:00` as never
  const windows = [
    { day: 1, from: '08:00', to: '12:00' },
    { day: 1, from: '12:00', to: '24:00' },
    { day: 2, from: '00:00', to: '06:00' },
  ]
  expect(within(windows, monday('08:00'), monday('13:00'))).toBe(true)
  expect(within(windows, monday('07:59'), monday('09:00'))).toBe(false)
  expect(within(windows, monday('20:00'), '2026-11-24T06:00:00+08:00' as never)).toBe(true)
  expect(within(windows, monday('20:00'), '2026-11-24T06:01:00+08:00' as never)).toBe(false)
  expect(stretchesOf(windows, monday('06:00'), '2026-11-24T09:00:00+08:00' as never)).toEqual([
    { from: '2026-11-23T00:00:00.000Z', to: '2026-11-23T04:00:00.000Z' },
    { from: '2026-11-23T04:00:00.000Z', to: '2026-11-23T16:00:00.000Z' },
    { from: '2026-11-23T16:00:00.000Z', to: '2026-11-23T22:00:00.000Z' },
  ])
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const allWeek = (to: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: day === 7 ? to : '24:00' }))
  for (const end of ['2026-12-02T00:00:00+08:00', '9999-12-30T00:00:00+08:00'])
    expect([within(allWeek('24:00'), monday('08:00'), end as never), within(allWeek('23:59'), monday('08:00'), end as never)]).toEqual([true, false])
  expect((await lot.books(id, { endAt: lot.at(30 + 12 * 60) })).data.prepaidFen).toBe(3000)
  const narrow = await lot.anOffer(parkCode, { windows: [{ day: 1, from: '00:00', to: '00:01' }] })
  expect((await lot.books(narrow.id)).code).toBe(41823)
  expect((await lot.books(id, { startAt: lot.at(-60), endAt: lot.at(-30) })).code).toBe(41826)
  expect((await lot.books(id, { startAt: lot.at(100 * 1440), endAt: lot.at(101 * 1440) })).code).toBe(41827)
  expect((await lot.books(id, { startAt: lot.at(1440), endAt: lot.at(33 * 1440) })).code).toBe(41828)
  expect((await lot.books(id, { startAt: lot.at(1440), endAt: lot.at(32 * 1440) })).status).toBe(200)
})

test('a booking that nobody pays goes after a quarter of an hour, and the bay is free again', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const { data } = await lot.books(id)
  await lot.tick(14)
  expect((await lot.booking(data.id)).state).toBe(0)
  await lot.tick(16)
  expect((await lot.booking(data.id)).state).toBe(4)
  expect((await lot.story(data.orderId)).status).toBe(5)
  expect((await lot.books(id)).status).toBe(200)
})

test('came, parked and left within its time: the fee of the lane is nothing, and the owner gets the part a day later', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner, 333)
  const before = await lot.account('income.parking')
  const booked = await lot.booked(id, { endAt: lot.at(151) })
  expect([booked.state, booked.prepaidFen]).toEqual([1, 1800])
  await lot.enters(parkCode, booked.plateNo, 16)
  expect((await lot.booking(booked.id)).state).toBe(2)
  const [stay] = await lot.sql('select car_kind_in from parking.stay where plate_no = $1', [booked.plateNo])
  expect(stay.carKindIn).toBe(2)
  await lot.leaves(parkCode, booked.plateNo, 140)
  const done = await lot.booking(booked.id)
  expect([done.state, done.overMin, done.splitFen]).toEqual([3, 0, Math.floor((1800 * 333) / 1000)])
  const [left] = await lot.sql('select status, receivable_fen from parking.stay where plate_no = $1', [booked.plateNo])
  expect([left.status, left.receivableFen]).toEqual([3, 0])
  expect(await lot.account('liability.share', owner)).toBe(0)
  await lot.tick(140 + 23 * 60)
  expect(await lot.account('liability.share', owner)).toBe(0)
  await lot.tick(140 + 25 * 60)
  await lot.tick(140 + 26 * 60)
  expect(await lot.account('liability.share', owner)).toBe(599)
  expect((await lot.account('income.parking')) - before).toBe(1800 - 599)
  expect(await lot.account('liability.deposit', booked.id)).toBe(0)
  expect((await lot.replay()).right).toBe(true)
})

/** Passes the announced entries and exits of a car on to the bookings. */
async function hears(plateNo: string, minutes: number) {
  const owner = new pg.Client({ connectionString: lot.server.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(
    `select t.identifier as task, payload -> 'data' as data from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier in ('parking.entered>share.booking', 'parking.left>share.booking') and payload -> 'data' ->> 'plateNo' = $1 order by j.id`,
    [plateNo],
  )
  await owner.end()
  for (const { task, data } of rows) await lot.write((tx) => (task.startsWith('parking.entered') ? hearEntered : hearLeft)(tx, data, lot.at(minutes)))
}

test('a booked car that was misread coming in has come once its plate is put right, and is no default', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  const misread = aPlate()
  await lot.enters(parkCode, misread, 31)
  const [stay] = await lot.sql('select id, version from parking.stay where plate_no = $1', [misread])
  const right = { id: stay.id, version: stay.version, plateNo: booked.plateNo, reason: '看错了' }
  expect(await lot.server.ask(lot.admin, 'POST', '/lbs/fee/parkRecord/correctPlate', right)).toMatchObject({ code: 200 })
  await hears(booked.plateNo, 40)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.inUse, stayId: stay.id, enteredAt: lot.at(31) })
})

test('a car that was misread for a booked one: once its plate is put right that booking waits for its own car, and owes nothing of the other’s stay', async () => {
  const { parkCode } = await lot.aSharedPark()
  const [booked, other] = [await lot.booked((await lot.anOffer(parkCode)).id), await lot.booked((await lot.anOffer(parkCode)).id)]
  const putRight = async (from: string, plateNo: string) => {
    const [stay] = await lot.sql('select id, version from parking.stay where plate_no = $1', [from])
    const right = { id: stay.id, version: stay.version, plateNo, reason: '看错了' }
    expect(await lot.server.ask(lot.admin, 'POST', '/lbs/fee/parkRecord/correctPlate', right)).toMatchObject({ code: 200 })
    await hears(plateNo, 110)
    return stay.id
  }
  await lot.enters(parkCode, booked.plateNo, 31)
  await lot.tick(101)
  const over = await lot.booking(booked.id)
  expect(over).toMatchObject({ state: BookingState.overrun, overFen: 165 })
  // The car was that of the other booking, within its own time.
  const stayId = await putRight(booked.plateNo, other.plateNo)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.booked, stayId: null, enteredAt: null, overFen: 0, overOrderId: null })
  expect((await lot.sql('select status from settlement.order where id = $1', [over.overOrderId]))[0].status).toBe(5)
  expect(await lot.booking(other.id)).toMatchObject({ state: BookingState.inUse, stayId, enteredAt: lot.at(31) })
  // The car was neither, and this is heard when it has left.
  const stranger = aPlate()
  await lot.sql('update parking.stay set plate_no = $2 where id = $1', [stayId, stranger])
  const went = { stayId, parkCode, plateNo: stranger }
  expect(await lot.write((tx) => hasBooking(went, tx))).toBe(true)
  await lot.write((tx) => hearLeft(tx, went, lot.at(111)))
  expect(await lot.booking(other.id)).toMatchObject({ state: BookingState.booked, leftAt: null, splitFen: 0 })
  await lot.tick(112)
  expect(await lot.booking(other.id)).toMatchObject({ state: BookingState.noShow })
})

test('a booked car’s stay that a person has voided never was: its booking waits for it again', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  await lot.enters(parkCode, booked.plateNo, 31)
  await lot.sql(`update parking.stay set status = 9 where plate_no = $1`, [booked.plateNo])
  await lot.tick(32)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.booked, stayId: null })
})

test('a booked car whose entry is told after its exit has come and gone, and is no default', async () => {
  const { parkCode } = await lot.aSharedPark()
  const booked = await lot.booked((await lot.anOffer(parkCode)).id)
  const tells = async (sn: number, minutes: number, toldAt: number) => {
    const offline = { plate: booked.plateNo, at: lot.at(minutes), received: lot.at(toldAt), offline: true, seq: 1 }
    await lot.write((tx) => reads(tx, { sn: `PG-${parkCode}-${sn}`, ...offline }))
    // The backlog has caught up: the next car is told as it comes.
    await lot.write((tx) => reads(tx, { sn: `PG-${parkCode}-1`, plate: aPlate(), at: lot.at(toldAt + 1) }))
  }
  await tells(2, 80, 100)
  await tells(1, 31, 110)
  await hears(booked.plateNo, 111)
  await lot.tick(112)
  expect(await lot.booking(booked.id)).toMatchObject({ state: BookingState.completed, enteredAt: lot.at(31), leftAt: lot.at(80) })
})

test('a quarter of an hour too early, or in a bay where another still stands, the car is a temporary one', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const first = await lot.booked(id, { startAt: lot.at(5), endAt: lot.at(60) })
  const second = await lot.booked(id, { startAt: lot.at(60), endAt: lot.at(120) })
  await lot.enters(parkCode, first.plateNo, 5)
  await lot.enters(parkCode, second.plateNo, 44)
  expect((await lot.booking(second.id)).state).toBe(1)
  const kind = async (plate: string) => (await lot.sql('select car_kind_in from parking.stay where plate_no = $1', [plate]))[0].carKindIn
  expect([await kind(first.plateNo), await kind(second.plateNo)]).toEqual([2, 9])
})

test('booked to 12:00 and left at 12:40 unpaid: arrears has it once, the list shows it, and the split is of the prepaid alone', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner, 500)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(60) })
  await lot.enters(parkCode, booked.plateNo, 1)
  await lot.tick(65)
  expect((await lot.booking(booked.id)).state).toBe(2)
  await lot.tick(80)
  expect(await lot.booking(booked.id)).toMatchObject({ state: 6, overMin: 20, overFen: 300, overStatus: 0 })
  await lot.tick(90)
  expect(await lot.booking(booked.id)).toMatchObject({ overMin: 30, overFen: 450 })
  await lot.leaves(parkCode, booked.plateNo, 100)
  const done = await lot.booking(booked.id)
  expect(done).toMatchObject({ state: 3, overMin: 40, overFen: 600, overStatus: 4, splitFen: 300 })
  const owed = await lot.sql('select amount_fen, state from arrears.record where plate_no = $1', [booked.plateNo])
  expect(owed).toEqual([{ amountFen: 600, state: 0 }])
  const shown = (await lot.post('/share/queryShareTimeoutRecord', { plateNo: booked.plateNo })).data
  expect(shown.records).toMatchObject([{ overFen: 600, overStatus: 4 }])
  await lot.tick(100 + 25 * 60)
  expect(await lot.account('liability.share', owner)).toBe(300)
  expect(await lot.account('liability.deposit', booked.id)).toBe(0)
  expect((await lot.replay()).right).toBe(true)
})

test('an overrun beside the next booking: whoever keeps the bays hears of it, and the next car comes as booked', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const first = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(60) })
  const second = await lot.booked(id, { startAt: lot.at(60), endAt: lot.at(120) })
  await lot.enters(parkCode, first.plateNo, 1)
  await lot.tick(72)
  await lot.tick(73)
  const told = await lot.sql(`select distinct title, content from message.record where content like $1`, [`%${first.plateNo}%`])
  expect(told).toEqual([{ title: `共享车位 ${first.seatNo} 超时`, content: expect.stringContaining(second.plateNo) }])
  await lot.enters(parkCode, second.plateNo, 75)
  const states = async () => [(await lot.booking(first.id)).state, (await lot.booking(second.id)).state]
  expect(await states()).toEqual([6, 2])
  await lot.leaves(parkCode, first.plateNo, 80)
  await lot.leaves(parkCode, second.plateNo, 110)
  expect(await states()).toEqual([3, 3])
  expect((await lot.booking(first.id)).overFen).toBe(300)
  expect((await lot.booking(second.id)).overFen).toBe(0)
})

test('the owner of a bay whose car stays on is told once, by the company’s template, and not whose car it is', async () => {
  await lot.sql(`insert into message.channel (name, type, status, url, rate_per_sec, day_cap) values ('短信', 2, 1, 'http://127.0.0.1:9/', 5, 100)`)
  await lot.sql(`insert into message.template (code, name, kind, channel_type, title, content, state, vars) values
    ('share.overrun', '超时', 3, 2, '车位超时', '{{park}} {{seat}} {{until}}', 1, '[{"name":"park","label":"车场","sample":"P"},{"name":"seat","label":"车位","sample":"1"},{"name":"until","label":"到","sample":"1"}]')`)
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(60) })
  await lot.enters(parkCode, booked.plateNo, 1)
  const told = () => lot.sql(`select r.address, r.content from message.record r where r.title = '车位超时'`)
  await lot.tick(65)
  expect(await told()).toEqual([])
  for (const minutes of [72, 73]) await lot.tick(minutes)
  const [{ phone }] = await lot.sql('select phone from owner.account where id = $1', [owner])
  expect(await told()).toEqual([{ address: phone, content: expect.stringContaining(booked.seatNo) }])
})

test('an overrun that is paid inside is no arrears', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(60) })
  await lot.enters(parkCode, booked.plateNo, 1)
  await lot.tick(80)
  const { overOrderId, overFen } = await lot.booking(booked.id)
  expect((await lot.call(lot.admin, '/order/cash', { id: overOrderId, amountFen: overFen })).status).toBe(200)
  await lot.sql('update settlement.order set pay_time = $2 where id = $1', [overOrderId, lot.at(80)])
  await lot.leaves(parkCode, booked.plateNo, 90)
  expect(await lot.booking(booked.id)).toMatchObject({ state: 3, overFen: 300, overStatus: 2 })
  expect(await lot.sql('select 1 from arrears.record where plate_no = $1', [booked.plateNo])).toEqual([])
  expect(await lot.account('liability.deposit', booked.id)).toBe(0)
})

test('cancelled in time all of it goes back; later it is kept and split as if it had been used', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner)
  const early = (await lot.books(id, { startAt: lot.at(120), endAt: lot.at(180) })).data
  const { payNo, amountFen } = await lot.startPaying({ id: early.orderId } as never)
  await lot.notify({ payNo, amountFen })
  const paid = await lot.booking(early.id)
  expect((await lot.post('/share/orderCancel', { id: early.id, version: paid.version - 1, reason: '改行程' })).status).toBe(409)
  expect((await lot.post('/share/orderCancel', { id: early.id, version: paid.version, reason: '改行程' })).data).toMatchObject({
    state: 4,
    refundFen: 600,
  })
  const [refund] = await lot.sql('select amount_fen, state, applicant_name from settlement.refund where order_id = $1', [early.orderId])
  expect(refund).toMatchObject({ amountFen: 600, applicantName: SYSTEM })
  const late = await lot.booked(id, { startAt: lot.at(30), endAt: lot.at(90) })
  expect((await lot.post('/share/orderCancel', { id: late.id, version: late.version, reason: '不来了' })).data).toMatchObject({
    state: 4,
    refundFen: 0,
    splitFen: 360,
  })
  await lot.tick(25 * 60)
  expect(await lot.account('liability.share', owner)).toBe(360)
})

test('who does not come has a default; the third suspends the car until somebody lifts it', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const [plateNo, phone] = [aPlate(), '13900009999']
  const ids = []
  for (let n = 0; n < 3; n++) {
    const booked = await lot.booked(id, { plateNo, phone, startAt: lot.at(n * 60), endAt: lot.at(n * 60 + 30) })
    ids.push(booked.id)
  }
  await lot.tick(29)
  expect((await lot.booking(ids[0]!)).state).toBe(1)
  await lot.tick(31)
  expect((await lot.booking(ids[0]!)).state).toBe(5)
  await lot.tick(200)
  expect((await lot.books(id, { plateNo, phone, startAt: lot.at(300), endAt: lot.at(360) })).code).toBe(41820)
  expect((await lot.post('/parkReservation/liftBan', { id: ids[0], reason: '核实为设备故障' })).code).toBe(200)
  expect((await lot.post('/parkReservation/liftBan', { id: ids[0], reason: '再次' })).code).toBe(41846)
  expect((await lot.books(id, { plateNo, phone, startAt: lot.at(300), endAt: lot.at(360) })).status).toBe(200)
})

test('after a default the car comes as a temporary one', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(120) })
  await lot.tick(35)
  await lot.enters(parkCode, booked.plateNo, 40)
  expect((await lot.booking(booked.id)).state).toBe(5)
  expect((await lot.sql('select car_kind_in from parking.stay where plate_no = $1', [booked.plateNo]))[0].carKindIn).toBe(9)
})

test('an offer: approved, paused with its bookings, withdrawn only without them', async () => {
  const { parkCode } = await lot.aSharedPark()
  const offer = await lot.anOffer(parkCode, { ownerId: await lot.anOwner(), ownerName: '业主', splitPermille: 100 })
  expect(offer.status).toBe(0)
  expect((await lot.books(offer.id)).code).toBe(41821)
  const move = (state: number) => lot.get('/share/updateShareMemberState', { id: offer.id, state })
  expect((await move(3)).code).toBe(40010)
  expect([(await move(1)).status, (await move(1)).status]).toEqual([200, 200])
  expect((await lot.books(offer.id)).status).toBe(200)
  expect((await move(3)).status).toBe(200)
  expect((await lot.books(offer.id, { startAt: lot.at(200), endAt: lot.at(260) })).code).toBe(41821)
  expect((await move(2)).code).toBe(41803)
  await lot.tick(16)
  expect((await move(2)).status).toBe(200)
  expect((await lot.post('/share/offerInsert', { parkCode, seatNo: 'Q1', windows: [{ day: 1, from: '24:00', to: '08:00' }] })).code).toBe(41807)
  expect((await lot.post('/share/offerInsert', { parkCode, seatNo: 'Q1', windows: [] })).code).toBe(41810)
  expect(
    (await lot.post('/share/offerInsert', { parkCode, seatNo: 'Q1', windows: [{ day: 1, from: '08:00', to: '09:00' }], splitPermille: 5 })).code,
  ).toBe(41808)
})

test('whoever looks after one park opens it alone to sharing, prices it, keeps places in it, and takes down and books its bays', async () => {
  const [near, far] = [await lot.aSharedPark(), await lot.aSharedPark()]
  const token = await tokenOfParks(lot.server, [near.parkCode])
  const terms = { name: '夜间', kind: 1, priceFen: 600, graceMin: 10, overtimePermille: 1500, cancelFreeMin: 60, splitPermille: 0 }
  const windows = [{ day: 1, from: '08:00', to: '09:00' }]
  const asksOf = async ({ parkCode }: { parkCode: string }) => {
    const { id: offerId } = await lot.anOffer(parkCode)
    const stretch = { startAt: lot.at(30), endAt: lot.at(90) }
    return [
      ['/share/updateShareParking', { parkCode, status: 1, maxBays: 5 }],
      ['/share/insertShareFees', { ...terms, parkCode }],
      ['/share/offerInsert', { parkCode, seatNo: 'Z9', windows }],
      ['/parkReservation/insert', { kind: 2, parkCode, quota: 2, depositFen: 0 }],
      ['/share/orderBook', { offerId, kind: 1, plateNo: aPlate(), phone: '13900005555', ...stretch }],
    ] as const
  }
  const answers = async (of: { parkCode: string }) => {
    const all: unknown[] = []
    for (const [path, body] of await asksOf(of)) all.push((await lot.post(path, body, token)).status)
    return all
  }
  expect(await answers(far)).toEqual([404, 404, 422, 404, 404])
  expect(await answers(near)).toEqual([200, 200, 200, 200, 200])
})

test('new terms leave orders as they were made', async () => {
  const { parkCode, feesId } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  expect(await lot.books(id, { plateNo: 'BADPLATE' })).toMatchObject({ status: 422, code: 40893 })
  const booked = (await lot.books(id)).data
  const { records } = (await lot.post('/share/queryShareFeesRoleInfo', { parkCode, kind: 1 })).data
  expect((await lot.get('/share/updateShareFeesRoleInfo', { id: feesId, version: records[0].version, priceFen: 900 })).status).toBe(200)
  expect((await lot.get('/share/updateShareFeesRoleInfo', { id: feesId, version: records[0].version, priceFen: 950 })).status).toBe(409)
  expect((await lot.booking(booked.id)).priceFen).toBe(600)
  expect((await lot.books(id, { startAt: lot.at(200), endAt: lot.at(260) })).data.prepaidFen).toBe(900)
})

test('a month’s car comes and goes in its windows, and the month is earned at its end', async () => {
  const { parkCode } = await lot.aSharedPark()
  const { id } = await lot.anOffer(parkCode)
  const booked = await lot.booked(id, { kind: 2, startAt: lot.at(5), endAt: undefined })
  expect(booked.prepaidFen).toBe(30_000)
  expect((await lot.books(id)).code).toBe(41824)
  for (const from of [10, 200]) {
    await lot.enters(parkCode, booked.plateNo, from)
    expect((await lot.booking(booked.id)).state).toBe(2)
    await lot.leaves(parkCode, booked.plateNo, from + 100)
    expect((await lot.booking(booked.id)).state).toBe(1)
  }
  await lot.tick(32 * 24 * 60)
  expect(await lot.booking(booked.id)).toMatchObject({ state: 3 })
  expect(await lot.account('liability.deposit', booked.id)).toBe(0)
})

test('a month’s car outside its windows is a temporary one', async () => {
  const { parkCode } = await lot.aSharedPark()
  const today = new Date(Date.parse(lot.at(60)) + 8 * 3_600_000)
  const another = ((today.getUTCDay() + 2) % 7) + 1
  const { id } = await lot.anOffer(parkCode, { windows: [{ day: another, from: '00:00', to: '24:00' }] })
  const booked = await lot.booked(id, { kind: 2, startAt: lot.at(5), endAt: undefined })
  await lot.enters(parkCode, booked.plateNo, 60)
  const [stay] = await lot.sql('select car_kind_in from parking.stay where plate_no = $1', [booked.plateNo])
  expect(stay.carKindIn).toBe(9)
})

test('the default of a bay’s car that could not come for our fault is void, and its money goes back', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(60) })
  await lot.tick(31)
  const lost = await lot.booking(booked.id)
  expect([lost.state, lost.splitFen]).toEqual([5, 360])
  const voided = await lot.post('/share/orderCancel', { id: lost.id, version: lost.version, reason: '道闸故障' })
  expect(voided.data).toMatchObject({ state: 4, refundFen: 600, splitFen: 0 })
  await lot.tick(31 + 25 * 60)
  expect(await lot.account('liability.share', owner)).toBe(0)
  expect((await lot.replay()).right).toBe(true)
})

test('a cap below the price is refused, and a park gives its owners the part that its terms say', async () => {
  const { parkCode, feesId } = await lot.aSharedPark()
  const terms = {
    name: '低封顶',
    parkCode,
    kind: 1,
    priceFen: 600,
    capFen: 500,
    graceMin: 0,
    overtimePermille: 1000,
    cancelFreeMin: 0,
    splitPermille: 0,
  }
  expect((await lot.post('/share/insertShareFees', terms)).code).toBe(41809)
  expect((await lot.get('/share/updateShareFeesRoleInfo', { id: feesId, version: 1, capFen: 100 })).code).toBe(41809)
  expect((await lot.anOffer(parkCode, { ownerId: await lot.anOwner(), ownerName: '业主' })).splitPermille).toBe(600)
  expect((await lot.anOffer(parkCode)).splitPermille).toBe(0)
})

test('a bay is taken down for an owner who is known and not locked, and paid out to one who has a bay', async () => {
  const { parkCode } = await lot.aSharedPark()
  const insert = (ownerId: string) =>
    lot.post('/share/offerInsert', { parkCode, seatNo: 'U1', windows: [{ day: 1, from: '08:00', to: '09:00' }], ownerId })
  const apply = (ownerId: string) => lot.post('/share/payoutApply', { ownerId, amountFen: 1000, bank: '6222000011112222' })
  const [nobody, owner] = [randomUUID(), await lot.anOwner()]
  expect(await insert(nobody)).toMatchObject({ status: 404, code: 41516 })
  expect(await apply(nobody)).toMatchObject({ status: 404, code: 41516 })
  expect(await apply(owner)).toMatchObject({ status: 422, code: 41864, message: expect.stringContaining('业主') })
  await lot.sql('update owner.account set status = 2 where id = $1', [owner])
  expect(await insert(owner)).toMatchObject({ status: 409, code: 41510 })
  await lot.sql('update owner.account set status = 1 where id = $1', [owner])
  expect((await insert(owner)).data).toMatchObject({ ownerName: '业主', status: 0 })
})

test('an owner is paid what stands in the ledger, by another than who asked', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner, 1000)
  const booked = await lot.booked(id, { startAt: lot.at(0), endAt: lot.at(240) })
  await lot.tick(31)
  await lot.tick(31 + 25 * 60)
  expect(await lot.account('liability.share', owner)).toBe(2400)
  expect(booked.prepaidFen).toBe(2400)
  const apply = (amountFen: number) => lot.post('/share/payoutApply', { ownerId: owner, amountFen, bank: '6222000011112222' })
  expect((await apply(999)).status).toBe(400)
  expect((await apply(2401)).code).toBe(41860)
  const asked = await Promise.all([apply(2400), apply(2400)])
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 409])
  const { data } = asked.find(({ status }) => status === 200)!
  expect((await lot.post('/share/payoutAudit', { id: data.id, version: data.version, pass: true })).code).toBe(41862)
  await lot.sql('update share.payout set applicant_id = $2 where id = $1', [data.id, randomUUID()])
  const both = await Promise.all([1, 2].map(() => lot.post('/share/payoutAudit', { id: data.id, version: data.version, pass: true })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  // Granted is not paid: the bank says so, or sends it back.
  expect(await lot.account('liability.share', owner)).toBe(2400)
  const granted = both.find(({ status }) => status === 200)!.data
  expect([granted.state, granted.paidAt]).toEqual([1, null])
  const settle = (more: object) => lot.post('/share/payoutSettle', { id: granted.id, version: granted.version, ...more })
  expect((await settle({ result: 3 })).code).toBe(41863)
  const failed = (await settle({ result: 4, failure: '账号与户名不符' })).data
  expect(failed.state).toBe(4)
  expect(await lot.account('liability.share', owner)).toBe(2400)
  const again = (await apply(2400)).data
  await lot.sql('update share.payout set applicant_id = $2 where id = $1', [again.id, randomUUID()])
  const passed = (await lot.post('/share/payoutAudit', { id: again.id, version: again.version, pass: true })).data
  const paid = () => lot.post('/share/payoutSettle', { id: passed.id, version: passed.version, result: 3, transferNo: 'B20261124001' })
  expect((await Promise.all([paid(), paid()])).map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await lot.account('liability.share', owner)).toBe(0)
  const lines = (await lot.post('/share/querySharePayDetail', { limit: 100 })).data.records
  expect(lines.some((one: any) => one.kind === 5 && one.amountFen === 2400)).toBe(true)
})

test('random bookings, arrivals, ends and cancellations of one bay: never two at once, and the ledger holds every fen', async () => {
  const { parkCode } = await lot.aSharedPark()
  const owner = await lot.anOwner()
  const { id } = await lot.ofOwner(parkCode, owner, 457)
  let seed = 20261123
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below
  const known: any[] = []
  const taken: [number, number][] = []
  for (let n = 0; n < 25; n++) {
    const from = 5 + random(600)
    const to = from + 20 + random(90)
    const answer = await lot.books(id, { startAt: lot.at(from), endAt: lot.at(to) })
    const meets = taken.some(([a, b]) => a < to && b > from)
    expect(answer.status).toBe(meets ? 409 : 200)
    if (meets) continue
    taken.push([from, to])
    const { data } = answer
    await lot.call(lot.admin, '/order/cash', { id: data.orderId, amountFen: data.prepaidFen })
    known.push({ ...data, from, to, does: random(4) })
  }
  for (const one of known.sort((a, b) => a.from - b.from)) {
    if (one.does === 0) await lot.post('/share/orderCancel', { id: one.id, version: (await lot.booking(one.id)).version, reason: '试' })
    if (one.does === 1) continue
    if (one.does > 1) {
      await lot.enters(parkCode, one.plateNo, one.from)
      await lot.leaves(parkCode, one.plateNo, one.to - 1 + (one.does === 3 ? 25 : 0))
    }
  }
  await lot.tick(1000)
  await lot.tick(1000 + 25 * 60)
  const [sum] = await lot.sql(
    `select sum(prepaid_fen - refund_fen)::bigint as kept, sum(split_fen)::bigint as split from share.booking where offer_id = $1`,
    [id],
  )
  expect(await lot.account('liability.share', owner)).toBe(Number(sum.split))
  const subs = known.map((one) => one.id)
  // Cash that is to go back waits at the counter, and so does its deposit.
  const [waiting] = await lot.sql(
    `select coalesce(sum(f.amount_fen), 0)::bigint as fen from settlement.refund f join share.booking b on b.order_id = f.order_id where b.offer_id = $1 and f.state = 1`,
    [id],
  )
  const [deposits] = await lot.sql(
    `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.deposit' and sub = any ($1)`,
    [subs],
  )
  expect(Number(deposits.fen)).toBe(Number(waiting.fen))
  expect((await lot.replay()).right).toBe(true)
})
