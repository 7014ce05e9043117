import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPlace } from './reservation.ts'
import { aLot, aPlate, type Lot } from './testing.ts'

/** A place that is kept in a park, without a bay of its own. */
let lot: Lot
beforeAll(async () => void (lot = await aLot()))
afterAll(() => lot.close())

test('state.reservation-status: a place: the free bays are less by it on every list, the last one is given once, and the deposit of who did not come is a penalty', async () => {
  const { parkCode } = await lot.aSharedPark()
  const rules = {
    kind: 2,
    parkCode,
    quota: 2,
    openAheadHours: 5,
    holdMin: 30,
    cancelFreeMin: 60,
    depositFen: 500,
    maxActive: 1,
    defaultLimit: 3,
    banDays: 7,
  }
  expect((await lot.post('/parkReservation/insert', { kind: 1, parkCode, plateNo: aPlate(), phone: '13900001111', startAt: lot.at(60) })).code).toBe(
    41840,
  )
  expect(
    await lot.post('/parkReservation/insert', { kind: 1, parkCode, plateNo: 'BADPLATE', phone: '13900001111', startAt: lot.at(60) }),
  ).toMatchObject({
    status: 422,
    code: 40893,
  })
  expect((await lot.post('/parkReservation/insert', rules)).code).toBe(200)
  const freeOf = async () =>
    (await lot.server.ask(lot.admin, 'GET', '/lbs/basic/parkInfo/queryList', {})).data?.find?.((one: any) => one.parkCode === parkCode)?.remainingBays
  const before = (await lot.get('/parkReservation/supervise', { parkCode })).data.records[0].free
  const ask = () =>
    lot.post('/parkReservation/insert', { kind: 1, parkCode, plateNo: aPlate(), phone: '13900001111', startAt: lot.at(60), endAt: lot.at(120) })
  const answers = await Promise.all(Array.from({ length: 6 }, ask))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(answers.find(({ status }) => status !== 200)!.code).toBe(41842)
  const [seen] = (await lot.get('/parkReservation/supervise', { parkCode })).data.records
  expect(seen).toMatchObject({ quota: 2, active: 2, held: 2, free: before - 2 })
  const listed = await freeOf()
  if (listed !== undefined) expect(listed).toBe(before - 2)
  const { parks } = (await lot.server.ask(lot.admin, 'GET', '/lbs/business/home/screen/parkStatistical')).data
  const board = parks.find((one: any) => one.parkCode === parkCode)
  expect(board).toMatchObject({ heldBays: 2, freeBays: before - 2 })
  // Present, free and held bays add up to all bays.
  expect(board.present + board.freeBays + board.heldBays).toBe(board.totalBays)
  expect((await lot.post('/parkReservation/insert', { kind: 1, parkCode, plateNo: aPlate(), phone: '13900001111', startAt: lot.at(400) })).code).toBe(
    41841,
  )
  await lot.tick(200)
  const plateNo = aPlate()
  const id = await lot.write((tx) =>
    keepPlace(tx, { parkCode, plateNo, plateColor: null, phone: '13900001111', startAt: lot.at(200), deposit: true }, lot.at(150)),
  )
  const { orderId } = await lot.booking(id)
  await lot.call(lot.admin, '/order/cash', { id: orderId, amountFen: 500 })
  const penalty = await lot.account('income.penalty')
  await lot.tick(231)
  expect((await lot.booking(id)).state).toBe(5)
  expect((await lot.account('income.penalty')) - penalty).toBe(500)
  expect((await lot.get('/parkReservation/updateStatus', { id, status: 4 })).code).toBe(41844)
  for (let n = 0; n < 2; n++) expect((await lot.get('/parkReservation/updateStatus', { id, status: 4, reason: '道闸故障' })).status).toBe(200)
  expect(await lot.booking(id)).toMatchObject({ state: 4, refundFen: 500 })
  expect(await lot.account('income.penalty')).toBe(penalty)
  expect((await lot.replay()).right).toBe(true)
})
