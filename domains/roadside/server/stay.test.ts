import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { publishTariff, tieRule } from '../../fee/server/api.ts'
import { admission } from '../../parking/server/api.ts'
import { settleGone, markPlateless } from './leaving.ts'
import { handheldLocked } from './questions.ts'
import { aStreet, FIVE_AN_HOUR, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())

const PLATE = '鄂F12345'
const ARRIVED = { image: '/lbs/basic/file?fileName=a.jpg' }
const LEFT = { image: '/lbs/basic/file?fileName=b.jpg' }
const of = <T = any>(field: Field) =>
  street.write((tx) =>
    run<T>(
      tx,
      {
        sql: 'select s.*, v.collectable, v.confirm_state, v.detector from parking.stay s join roadside.visit v on v.stay_id = s.id where s.park_code = $1 order by s.seen_at, s.id',
      },
      [field.parkCode],
    ),
  )
const orders = (field: Field) =>
  street.write((tx) => run<any>(tx, { sql: 'select * from settlement.order where park_code = $1 order by created_at, id' }, [field.parkCode]))
const evidence = (field: Field) =>
  street.write((tx) => run<any>(tx, { sql: 'select * from roadside.evidence where park_code = $1 order by at, id' }, [field.parkCode]))
/** Time goes by: the minute's round. */
const later = (field: Field, minutes: number) => street.write((tx) => settleGone(tx, field.at(minutes)))
const standing = async (field: Field) => (await street.get('/business/roadStay/queryPresent', { parkCode: field.parkCode })).data.records
const V = ({ id, version }: { id: string; version: number }) => ({ id, version })

describe('a car comes and goes', () => {
  test('a sensor sees it, a camera names it; it leaves unpaid and owes, three minutes later', async () => {
    const field = await street.field()
    const [seat] = field.berths
    const sensor = await field.sensor(seat!)
    const camera = await field.camera(seat!)
    await field.says(sensor, 'occupied', 0, { berth: seat! })
    expect(await of(field)).toMatchObject([
      { status: 1, plateNo: null, seatCode: seat, sectionCode: field.section, pType: 2, detector: 1, payState: 0 },
    ])
    await field.says(camera, 'occupied', 1, { berth: seat!, plate: PLATE, color: 'blue', confidence: 0.98, ...ARRIVED })
    expect(await of(field)).toMatchObject([{ status: 1, plateNo: PLATE, plateColor: 0, entryTime: field.at(0) }])
    await field.says(sensor, 'vacant', 90, {})
    expect(await of(field)).toMatchObject([{ status: 2, exitTime: field.at(90), durationMin: 90, payableFen: 1000, payState: 1 }])
    await later(field, 92.9)
    expect(await of(field)).toMatchObject([{ status: 2 }])
    await later(field, 94)
    expect(await of(field)).toMatchObject([{ status: 3, payState: 4, collectable: false }])
    expect(await orders(field)).toMatchObject([{ status: 4, plateNo: PLATE, sourceType: 1, payableFen: 1000 }])
    // The camera's picture of its going comes afterwards, and the evidence is whole.
    await field.says(camera, 'vacant', 90.5, { berth: seat!, plate: PLATE, told: 95, ...LEFT })
    expect(await of(field)).toMatchObject([{ status: 3, collectable: true, exitTime: field.at(90) }])
    const { data } = await street.get('/fee/roadOut/queryPage', { parkCode: field.parkCode })
    expect(data.records).toMatchObject([{ seatCode: seat, chargedMin: 90, arrearsFen: 1000, collectable: true }])
  })
  test('within the free minutes it owes nothing', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 15)
    await later(field, 20)
    expect(await of(field)).toMatchObject([{ status: 3, payState: 3, payableFen: 0 }])
  })
  test('a car of a kind of pass that has a tariff of its own pays by it, once its plate is known', async () => {
    onTestFinished(admission.answer('stay.test', async (_tx, { plateNo }) => (plateNo === PLATE ? { memberGroup: 'VIP' } : undefined)))
    const field = await street.field()
    const [by] = FIVE_AN_HOUR.bands!
    await street.write(async (tx) => {
      const tariff = { ...FIVE_AN_HOUR, bands: [{ ...by!, price: { by: 'unit', unitMin: 60, priceE4: 10_000, edge: 'carry' } as const }] }
      const from = '2020-01-01T00:00:00.000Z' as Instant
      const { ruleId } = await publishTariff(tx, { name: '月卡外', tariff, from, at: from })
      await tieRule(tx, { ruleId, parkCode: field.parkCode, memberGroup: 'VIP' })
    })
    const [sensor, camera] = [await field.sensor(field.berths[0]!), await field.camera(field.berths[0]!)]
    await field.says(sensor, 'occupied', 0)
    await field.says(camera, 'seen', 1, { plate: PLATE, color: 'blue', confidence: 0.98 })
    await field.says(sensor, 'vacant', 90)
    expect(await of(field)).toMatchObject([{ plateNo: PLATE, payableFen: 200 }])
  })
  test('a free berth costs nothing however long', async () => {
    const field = await street.field()
    const { records } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode: field.parkCode })).data
    await street.ask('/business/roadInfo/editparkSeat', { ...V(records[0]), chargeType: 0 })
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 600)
    await later(field, 610)
    expect(await of(field)).toMatchObject([{ status: 3, payState: 3, payableFen: 0 }])
  })
  test('a message told twice is one, and one that names no berth does nothing', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    for (let n = 0; n < 2; n++) await field.says(sensor, 'occupied', 0, { mid: 'same' })
    await field.says(await field.device(4), 'occupied', 5, { berth: field.berths[0]! })
    await field.says(await field.camera(field.berths[0]!), 'occupied', 5, { berth: field.berths[0]!, plate: '无牌车' })
    expect(await evidence(field)).toMatchObject([{ detector: 1 }, { detector: 2, plateNo: null }])
    expect(await of(field)).toHaveLength(1)
  })
})

describe('devices that disagree', () => {
  test('left and taken again by the same car within three minutes was never left', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 30)
    await field.says(sensor, 'occupied', 32)
    expect(await of(field)).toMatchObject([{ status: 1, exitTime: null }])
    await field.says(sensor, 'vacant', 60)
    await field.says(sensor, 'occupied', 64)
    expect(await of(field)).toMatchObject([
      { status: 3, exitTime: field.at(60) },
      { status: 1, entryTime: field.at(64) },
    ])
  })
  test('another car within three minutes is another stay, when a camera is sure of it', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    const said = { berth: field.berths[0]!, confidence: 0.98 }
    await field.says(camera, 'occupied', 0, { ...said, plate: PLATE })
    await field.says(camera, 'vacant', 30, said)
    await field.says(camera, 'occupied', 31, { ...said, plate: '鄂A99887' })
    expect(await of(field)).toMatchObject([
      { status: 3, plateNo: PLATE, exitTime: field.at(30), payState: 4 },
      { status: 1, plateNo: '鄂A99887' },
    ])
  })
  test('a leave that nobody told: the next car ends the stay before, which cannot be collected', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    const said = { berth: field.berths[0]!, confidence: 0.98 }
    await field.says(camera, 'occupied', 0, { ...said, plate: PLATE, ...ARRIVED })
    await field.says(camera, 'occupied', 100, { ...said, plate: '鄂A99887', ...ARRIVED })
    expect(await of(field)).toMatchObject([
      { status: 3, exitTime: field.at(100), collectable: false, payState: 4 },
      { status: 1, plateNo: '鄂A99887', entryTime: field.at(100) },
    ])
  })
  test('a sign misread is no other car', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    const said = { berth: field.berths[0]! }
    await field.says(camera, 'occupied', 0, { ...said, plate: '鄂F12B45', confidence: 0.7 })
    await field.says(camera, 'seen', 1, { ...said, plate: '鄂F12845', confidence: 0.97 })
    await field.says(camera, 'seen', 2, { ...said, plate: '鄂F12B45', confidence: 0.8 })
    expect(await of(field)).toMatchObject([{ status: 1, plateNo: '鄂F12845', plateOriginal: '鄂F12B45' }])
  })
  test('a sensor that loses a car which a camera goes on seeing is not believed', async () => {
    const field = await street.field()
    const [sensor, camera] = [await field.sensor(field.berths[0]!), await field.camera(field.berths[0]!)]
    await field.says(sensor, 'occupied', 0)
    await field.says(camera, 'seen', 40, { berth: field.berths[0]!, plate: PLATE, confidence: 0.99 })
    await field.says(sensor, 'vacant', 20, { told: 41 })
    expect(await of(field)).toMatchObject([{ status: 1, exitTime: null }])
  })
  test("the sensor's clock says when, whoever told first", async () => {
    const field = await street.field()
    const [sensor, camera] = [await field.sensor(field.berths[0]!), await field.camera(field.berths[0]!)]
    await field.says(camera, 'occupied', 2, { berth: field.berths[0]!, plate: PLATE, confidence: 0.99 })
    await field.says(sensor, 'occupied', 0, { told: 3 })
    await field.says(camera, 'vacant', 63, { berth: field.berths[0]! })
    await field.says(sensor, 'vacant', 60, { told: 64 })
    expect(await of(field)).toMatchObject([{ entryTime: field.at(0), exitTime: field.at(60), durationMin: 60, payableFen: 500, status: 2 }])
  })
  test('one car on two berths: the surer reading stays, the other waits for a person', async () => {
    const field = await street.field({ berths: 2 })
    const camera = await field.camera(...field.berths)
    await field.says(camera, 'occupied', 0, { berth: field.berths[0]!, plate: PLATE, confidence: 0.96 })
    await field.says(camera, 'occupied', 1, { berth: field.berths[1]!, plate: PLATE, confidence: 0.99 })
    expect(await of(field)).toMatchObject([
      { status: 4, abnormalType: 1, seatCode: field.berths[0] },
      { status: 1, seatCode: field.berths[1] },
    ])
    const { records } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode: field.parkCode })).data
    expect(records).toMatchObject([{ occupy: 2 }, { occupy: 1, plateNo: PLATE }])
  })
  test('a stay that waited for a person owes what it cost once its leaving is confirmed; its berth taken again, it is not restored', async () => {
    const field = await street.field({ berths: 2 })
    const [seat, next] = field.berths
    const camera = await field.camera(seat!)
    const neighbour = await field.camera(next!)
    await field.says(camera, 'occupied', 0, { plate: PLATE, confidence: 0.96, ...ARRIVED })
    await field.says(neighbour, 'occupied', 1, { plate: PLATE, confidence: 0.99 })
    await field.says(camera, 'seen', 20, { plate: '鄂F99988', confidence: 0.99 })
    await field.says(camera, 'vacant', 200, { plate: '鄂F99988', confidence: 0.99, ...LEFT })
    await field.says(camera, 'occupied', 210, { plate: '鄂F54321', confidence: 0.97 })
    const mine = async () => (await of(field)).find(({ seatCode, entryTime }) => seatCode === seat && entryTime === field.at(0))
    expect((await street.ask('/business/roadStay/fillPlate', { ...V(await mine()), plateNo: '鄂F99988' })).code).toBe(200)
    const waits = await mine()
    expect(waits).toMatchObject({ status: 4, abnormalType: 1, exitTime: field.at(200) })
    const handle = (handling: number) => street.ask('/fee/parkRecord/handle', { ...V(waits), handling, reason: '核对' })
    const refused = await handle(2)
    expect(refused).toMatchObject({ status: 409, code: 40861 })
    expect(refused.message).toContain('鄂F54321')
    expect(await handle(1)).toMatchObject({ data: { status: 3, payState: 4, payableFen: 2000 } })
    expect(await mine()).toMatchObject({ status: 3, payState: 4, payableFen: 2000, exitTime: field.at(200) })
    expect(await orders(field)).toMatchObject([{ status: 4, sourceType: 1, payableFen: 2000, plateNo: '鄂F99988' }])
  })
  test('a stay that no rule covers is not confirmed for nothing, and with a rule it owes; nobody having seen it go, it went when the next came', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    const [tie] = await street.write((tx) =>
      run<any>(tx, { sql: 'delete from fee.associate where park_code = $1 returning rule_id' }, [field.parkCode]),
    )
    await field.says(camera, 'occupied', 0, { plate: PLATE, confidence: 0.96 })
    await field.says(camera, 'occupied', 130, { plate: '鄂F54321', confidence: 0.97 })
    const first = async () => (await of(field))[0]
    expect(await first()).toMatchObject({ status: 4, abnormalType: 11, payState: 0, exitTime: field.at(130) })
    const handle = async () => street.ask('/fee/parkRecord/handle', { ...V(await first()), handling: 1, reason: '核对' })
    expect(await handle()).toMatchObject({ status: 422, code: 41139 })
    expect(await first()).toMatchObject({ status: 4 })
    await street.write((tx) => run(tx, { sql: 'insert into fee.associate (rule_id, park_code) values ($1, $2)' }, [tie.ruleId, field.parkCode]))
    expect((await handle()).code).toBe(200)
    expect(await first()).toMatchObject({ status: 3, payState: 4, payableFen: 1500 })
    expect(await orders(field)).toMatchObject([{ status: 4, payableFen: 1500 }])
  })
  test('the plate and the times of a stay of the street are not put right apart from its evidence: it keeps both, and its debt', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    await field.says(camera, 'occupied', 0, { plate: PLATE, confidence: 0.96, ...ARRIVED })
    const correct = async () => {
      const [stay] = await of(field)
      const said = { ...V(stay), reason: '核对' }
      expect(await street.ask('/fee/parkRecord/correctTimes', { ...said, entryTime: field.at(-1) })).toMatchObject({ status: 422, code: 40862 })
      expect(await street.ask('/fee/parkRecord/correctPlate', { ...said, plateNo: '鄂F54321' })).toMatchObject({ status: 422, code: 40862 })
    }
    await correct()
    await field.says(camera, 'vacant', 120, { plate: PLATE, confidence: 0.96, ...LEFT })
    await later(field, 130)
    await correct()
    expect(await of(field)).toMatchObject([{ status: 3, payState: 4, plateNo: PLATE, entryTime: field.at(0) }])
    const { data } = await street.get('/business/roadStay/story', { id: (await of(field))[0].id })
    expect(data.evidence).toHaveLength(2)
  })
  test('the berth of an old debt is removed: its file is still read, named and made whole, and nobody comes to the berth any more', async () => {
    const field = await street.field()
    const [seatCode] = field.berths
    const sensor = await field.sensor(seatCode!)
    const camera = await field.camera(seatCode!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 120)
    await later(field, 130)
    const berth = { parkCode: field.parkCode, seatCode }
    for (const deviceNo of [sensor, camera])
      expect((await street.get('/business/roadInfo/bindBySeatNo', { ...berth, deviceNo, unbind: true })).code).toBe(200)
    const [removed] = await street.write((tx) => run<any>(tx, { sql: 'select id from roadside.berth where park_code = $1' }, [field.parkCode]))
    expect((await street.ask('/business/roadInfo/removeParkSeat', { ids: [removed.id] })).code).toBe(200)
    const now = async () => (await of(field))[0]
    expect((await street.get('/business/roadStay/story', { id: (await now()).id })).data).toMatchObject({ sectionName: '中山路', lacks: [1, 3] })
    expect((await street.ask('/business/roadStay/fillPlate', { ...V(await now()), plateNo: PLATE })).code).toBe(200)
    const shows = { showsBerth: true, showsPlate: true }
    for (const [kind, at] of [
      [1, 0],
      [3, 120],
    ] as const)
      expect((await street.ask('/business/roadStay/addEvidence', { ...V(await now()), kind, at: field.at(at), ...ARRIVED, ...shows })).code).toBe(200)
    expect(await now()).toMatchObject({ status: 3, payState: 4, plateNo: PLATE, collectable: true })
    expect(await orders(field)).toMatchObject([{ status: 4, plateNo: PLATE, payableFen: 1000 }])
    expect((await street.ask('/business/roadStay/arrive', { ...berth, plateNo: '鄂F54321' })).status).toBe(404)
  })
  test('a clearing undone leaves out the stay whose berth is taken again', async () => {
    const field = await street.field({ berths: 2 })
    const [sensor, other] = [await field.sensor(field.berths[0]!), await field.sensor(field.berths[1]!)]
    await field.says(sensor, 'occupied', 0)
    await field.says(other, 'occupied', 1)
    const [first, second] = await of(field)
    const { data } = await street.ask('/fee/parkRecord/clear', { parkCode: field.parkCode, ids: [first.id, second.id], reason: '已驶离' })
    const now = (Date.now() - Date.parse(field.at(0))) / 60_000
    await field.says(sensor, 'occupied', now + 1)
    expect((await street.ask('/fee/parkRecord/unclear', { id: data.id, reason: '误清' })).status).toBe(200)
    expect((await of(field)).map(({ seatCode, status }) => [seatCode, status])).toEqual([
      [field.berths[0], 3],
      [field.berths[1], 1],
      [field.berths[0], 1],
    ])
  })
  test('a leave that is told before its arrival finds it', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'vacant', 60)
    expect(await of(field)).toEqual([])
    await field.says(sensor, 'occupied', 0, { told: 61 })
    expect(await of(field)).toMatchObject([{ status: 2, entryTime: field.at(0), exitTime: field.at(60), payableFen: 500 }])
  })
  test('a stay told after the one behind it takes its place before it', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 100)
    await field.says(sensor, 'vacant', 60, { told: 101 })
    await field.says(sensor, 'occupied', 0, { told: 102 })
    expect(await of(field)).toMatchObject([
      { status: 3, entryTime: field.at(0), exitTime: field.at(60), payState: 4 },
      { status: 1, entryTime: field.at(100), abnormalType: 0 },
    ])
  })
})

describe('its plate', () => {
  test('not brought in time it is abnormal, and right again once a person fills it in', async () => {
    const field = await street.field({ district: { plateFillMin: 30 } })
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await street.write((tx) => markPlateless(tx, field.at(29)))
    expect(await of(field)).toMatchObject([{ abnormalType: 0 }])
    await street.write((tx) => markPlateless(tx, field.at(31)))
    const [late] = await of(field)
    expect(late).toMatchObject({ abnormalType: 10, status: 1 })
    const fill = (more: object) => street.ask('/business/roadStay/fillPlate', { ...V(late), ...more })
    expect(await fill({ plateNo: 'ABC' })).toMatchObject({ status: 422 })
    expect((await fill({ plateNo: '鄂F·12345' })).data).toMatchObject({ plateNo: PLATE, abnormalType: 0, plateColor: null })
    expect(await fill({ plateNo: PLATE })).toMatchObject({ status: 409 })
  })
  test('filled in after it left, the debt has a name', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 60)
    await later(field, 70)
    const [gone] = await of(field)
    expect(gone).toMatchObject({ status: 3, plateNo: null, payState: 4 })
    expect((await street.ask('/business/roadStay/fillPlate', { ...V(gone), plateNo: PLATE, plateColor: 0 })).data).toMatchObject({
      plateNo: PLATE,
      arrearsFen: 500,
    })
    expect(await orders(field)).toMatchObject([{ plateNo: PLATE, status: 4 }])
  })
})

describe('a person with a handheld', () => {
  test('a car that stands on another berth is recorded on a second only for a reason, and the berth says what waits there', async () => {
    const field = await street.field({ berths: 2 })
    const [one, two] = field.berths as [string, string]
    const arrive = (seatCode: string, more: object = {}) =>
      street.ask('/business/roadStay/arrive', { parkCode: field.parkCode, seatCode, plateNo: PLATE, plateColor: 0, ...more })
    expect((await arrive(one)).code).toBe(200)
    expect(await arrive(two)).toMatchObject({ status: 409, code: 41149, message: expect.stringContaining(one) })
    expect((await standing(field)).map(({ seatCode }: { seatCode: string }) => seatCode)).toEqual([one])
    expect((await arrive(two, { reason: '同号两车，现场核对' })).code).toBe(200)
    const seats = await Promise.all(
      [one, two].map((seatCode) => street.get('/business/seat/screen/parkSeat', { parkCode: field.parkCode, seatCode })),
    )
    const odd = seats.map(({ data }) => data).find(({ stay }) => stay === null)
    expect(odd).toMatchObject({ berth: { occupy: 2 }, abnormal: { plateNo: PLATE, status: 4, abnormalType: 1 } })
    expect(seats.map(({ data }) => data).find(({ stay }) => stay !== null)).toMatchObject({ abnormal: null, berth: { occupy: 1 } })
  })
  test('records the car, bills it, takes the cash into a shift, and it leaves in time', async () => {
    const field = await street.field()
    const seat = { parkCode: field.parkCode, seatCode: field.berths[0]! }
    const hour = new Date(Date.now() - 3_600_000).toISOString()
    const { data: stay } = await street.ask('/business/roadStay/arrive', {
      ...seat,
      plateNo: PLATE,
      plateColor: 0,
      at: hour,
      ...ARRIVED,
      showsBerth: true,
      showsPlate: true,
    })
    expect(stay).toMatchObject({ plateNo: PLATE, detector: 5, status: 1 })
    expect(await street.ask('/business/roadStay/arrive', { ...seat, plateNo: '鄂A99887' })).toMatchObject({ status: 409, code: 41117 })
    const { data: bill } = await street.ask('/business/roadStay/bill', V(stay))
    expect(bill).toMatchObject({ dueFen: 500 })
    expect(await street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: 400 })).toMatchObject({
      status: 409,
      code: 41116,
    })
    const { data: receipt } = await street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: 500 })
    expect(receipt).toMatchObject({ amountFen: 500, payMethod: 4 })
    const { data: shift } = await street.get('/business/shift/mine', {})
    expect(receipt.shiftId).toBe(shift.id)
    const paid = (await standing(field))[0]
    expect(paid).toMatchObject({ payState: 2, paidFen: 500 })
    // The stay names the person who took it, whether or not they had opened a shift.
    const { data: told } = await street.get('/business/roadStay/story', { id: stay.id })
    expect(told).toMatchObject({ orderNo: receipt.orderNo, takenBy: expect.stringMatching(/./) })
    expect((await street.ask('/business/roadStay/leave', { ...V(paid), ...LEFT, showsBerth: true, showsPlate: true })).data).toMatchObject({
      status: 2,
      payState: 2,
      arrearsFen: 0,
      collectable: true,
    })
    await street.write((tx) => settleGone(tx, new Date(Date.now() + 300_000).toISOString() as never))
    expect(await of(field)).toMatchObject([{ status: 3, payState: 2, paidFen: 500 }])
  })
  test('whose handheld is locked records and takes nothing more; what is dated before the lock still comes in', async () => {
    const field = await street.field()
    const seat = { parkCode: field.parkCode, seatCode: field.berths[0]! }
    const lockedAt = Date.now() - 600_000
    const [early, late] = [lockedAt - 3_600_000, lockedAt + 60_000].map((ms) => new Date(ms).toISOString())
    const arrive = (at?: string) => street.ask('/business/roadStay/arrive', { ...seat, plateNo: PLATE, at })
    const unlock = handheldLocked.answer('test', async (_tx, { at }) =>
      Date.parse(at) >= lockedAt ? { deviceNo: 'PDA-1', reason: '遗失' } : undefined,
    )
    const refused = { status: 403, code: 41135 }
    expect(await arrive()).toMatchObject(refused)
    expect(await arrive(late)).toMatchObject(refused)
    const { data: stay } = await arrive(early)
    expect(stay).toMatchObject({ plateNo: PLATE, status: 1 })
    expect(await street.ask('/business/roadStay/leave', V(stay))).toMatchObject(refused)
    const { data: bill } = await street.ask('/business/roadStay/bill', V(stay))
    const collect = (more: object) => street.ask('/business/roadStay/collect', { id: stay.id, version: bill.version, amountFen: 500, ...more })
    expect(await collect({})).toMatchObject(refused)
    expect(await collect({ deviceTime: late })).toMatchObject(refused)
    expect(await orders(field)).toMatchObject([{ paidFen: 0 }])
    const before = new Date(lockedAt - 60_000).toISOString()
    expect((await collect({ deviceTime: before })).status).toBe(200)
    expect((await orders(field))[0]).toMatchObject({ paidFen: 500, payTime: expect.stringContaining(before.slice(0, 19)) })
    unlock()
    const [paid] = await standing(field)
    expect((await street.ask('/business/roadStay/leave', V(paid))).data).toMatchObject({ status: 2, payState: 2 })
  })
  test('a leave that a camera contradicts is refused, and nothing is written', async () => {
    const field = await street.field()
    const camera = await field.camera(field.berths[0]!)
    await field.says(camera, 'occupied', 0, { berth: field.berths[0]!, plate: PLATE, confidence: 0.99 })
    await field.says(camera, 'seen', 50, { berth: field.berths[0]! })
    const [stay] = await of(field)
    expect(await street.ask('/business/roadStay/leave', { ...V(stay), at: field.at(30) })).toMatchObject({ status: 422, code: 41120 })
    expect(await evidence(field)).toHaveLength(2)
  })
  test('a picture added afterwards makes the evidence whole', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 60)
    await later(field, 70)
    let [stay] = await of(field)
    for (const [kind, minute] of [
      [1, 0],
      [3, 60],
    ] as const) {
      expect((await street.get('/business/roadStay/story', { id: stay.id })).data.lacks).toContain(kind)
      stay = (
        await street.ask('/business/roadStay/addEvidence', {
          ...V(stay),
          kind,
          at: field.at(minute),
          image: ARRIVED.image,
          showsBerth: true,
          showsPlate: true,
        })
      ).data
    }
    expect(stay).toMatchObject({ collectable: true })
    expect((await street.get('/business/roadStay/story', { id: stay.id })).data).toMatchObject({ lacks: [], dueFen: 500 })
  })
})

describe('put right by people', () => {
  const arrive = (field: Field, minute: number, plateNo: string, more: object = {}) =>
    street.ask('/business/roadStay/arrive', { parkCode: field.parkCode, seatCode: field.berths[0], plateNo, at: field.at(minute), ...more })
  const leave = (stay: { id: string; version: number }, field: Field, minute: number) =>
    street.ask('/business/roadStay/leave', { ...V(stay), at: field.at(minute) })
  test('an arrival that is typed into the time of another car is refused in words, and nothing of it is written', async () => {
    const field = await street.field()
    const { data: first } = await arrive(field, 100, PLATE)
    await leave(first, field, 160)
    expect(await arrive(field, 130, '鄂F99988')).toMatchObject({ code: 41141, message: expect.stringContaining(PLATE) })
    expect(await arrive(field, 40, '鄂F99988')).toMatchObject({ code: 41142, message: expect.stringContaining(PLATE) })
    expect(await arrive(field, 40, '鄂F99988', { leftAt: field.at(30) })).toMatchObject({ status: 400 })
    expect(await arrive(field, 40, '鄂F99988', { leftAt: field.at(120) })).toMatchObject({ code: 41142 })
    expect(await of(field)).toMatchObject([{ plateNo: PLATE, entryTime: field.at(100), exitTime: field.at(160) }])
    // With its leaving it is a visit of its own, before that of the other.
    expect((await arrive(field, 40, '鄂F99988', { leftAt: field.at(90) })).data).toMatchObject({
      plateNo: '鄂F99988',
      leftAt: field.at(90),
      receivableFen: 500,
    })
    expect((await arrive(field, 170, '鄂F99988')).data).toMatchObject({ status: 1, arrivedAt: field.at(170) })
  })
  test('a person ends the stay that they mean, also one that another has stood behind; what spans another car is neither split nor merged', async () => {
    const field = await street.field()
    const { data: open } = await arrive(field, 0, PLATE)
    // As it was once left behind by a conflict that was put right: another has come and gone since.
    const { id } = await overlapping(field, 60, 70)
    const now = async () => (await of(field)).find((one: any) => one.id === open.id)
    expect(await street.ask('/business/roadStay/split', { ...V(await now()), at: field.at(30), reason: '两辆车' })).toMatchObject({ code: 41143 })
    expect(await leave(await now(), field, 80)).toMatchObject({ code: 200, data: { id: open.id, leftAt: field.at(80) } })
    expect((await of(field)).find((one: any) => one.id === id)).toMatchObject({ exitTime: field.at(70) })
  })
  /** A visit of another car in the middle of one that stands there. */
  async function overlapping(field: Field, from: number, to: number) {
    const other = await street.field()
    const { data: made } = await arrive(other, from, '鄂F99988')
    await leave(made, other, to)
    await street.write((tx) =>
      run(tx, { sql: `update parking.stay set park_code = $2, seat_code = $3, entry_time = $4, exit_time = $5 where id = $1 returning id` }, [
        made.id,
        field.parkCode,
        field.berths[0],
        field.at(from),
        field.at(to),
      ]),
    )
    return made
  }
  test('split and merged again, both fees are as before', async () => {
    const field = await street.field()
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'vacant', 180)
    const [whole] = await of(field)
    expect(whole).toMatchObject({ payableFen: 1500 })
    const outside = await street.ask('/business/roadStay/split', { ...V(whole), at: field.at(190), reason: '两辆车' })
    expect(outside).toMatchObject({ status: 422, code: 41113 })
    const { data: parts } = await street.ask('/business/roadStay/split', { ...V(whole), at: field.at(90), reason: '两辆车' })
    expect(parts).toMatchObject([
      { chargedMin: 90, payableFen: 1000, confirmState: 2 },
      { chargedMin: 90, payableFen: 1000, confirmState: 2 },
    ])
    const { data: one } = await street.ask('/business/roadStay/merge', { ids: parts.map(({ id }: { id: string }) => id), reason: '同一辆车' })
    expect(one).toMatchObject({ chargedMin: 180, payableFen: 1500, confirmState: 3, arrivedAt: field.at(0), leftAt: field.at(180) })
    expect((await of(field)).map(({ status }) => status).sort()).toEqual([3, 9, 9, 9])
    const owed = (await orders(field)).filter(({ status }: { status: number }) => status === 4)
    expect(owed).toMatchObject([{ payableFen: 1500 }])
    expect((await evidence(field)).every(({ stayId }: { stayId: string }) => stayId === one.id)).toBe(true)
  })
  test('two berths, a gap of more than an hour, or the same one twice are no pair', async () => {
    const field = await street.field({ berths: 2 })
    const [a, b] = [await field.sensor(field.berths[0]!), await field.sensor(field.berths[1]!)]
    for (const [sensor, from, to] of [
      [a, 0, 30],
      [a, 91, 120],
      [b, 40, 50],
    ] as const) {
      await field.says(sensor, 'occupied', from)
      await field.says(sensor, 'vacant', to)
      await later(field, to + 4)
    }
    const [first, other, second] = await of(field)
    for (const ids of [
      [first.id, second.id],
      [first.id, other.id],
      [first.id, first.id],
    ])
      expect(await street.ask('/business/roadStay/merge', { ids, reason: '试' })).toMatchObject({ status: 422, code: 41114 })
  })
})
