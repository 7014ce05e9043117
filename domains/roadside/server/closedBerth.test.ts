import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { settleGone } from './leaving.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())

const PLATE = '鄂F12345'
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
/** Time goes by: the minute's round. */
const later = (field: Field, minutes: number) => street.write((tx) => settleGone(tx, field.at(minutes)))
const V = ({ id, version }: { id: string; version: number }) => ({ id, version })

describe('a berth that is closed', () => {
  test('whoever stands there already pays as before; whoever comes is an illegal stop', async () => {
    const field = await street.field({ berths: 2 })
    const camera = await field.camera(...field.berths)
    await field.says(camera, 'occupied', 0, { berth: field.berths[0]!, plate: PLATE, confidence: 0.99 })
    await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode: field.parkCode, status: 2, reason: '施工' })
    await field.says(camera, 'vacant', 60, { berth: field.berths[0]! })
    expect(await of(field)).toMatchObject([{ payableFen: 500 }])
    for (const minute of [70, 100]) await field.says(camera, 'occupied', minute, { berth: field.berths[1]!, plate: '鄂A99887', confidence: 0.99 })
    expect(await of(field)).toHaveLength(1)
    const stops = await street.write((tx) => run<any>(tx, { sql: 'select * from roadside.illegal_stop where park_code = $1' }, [field.parkCode]))
    expect(stops).toMatchObject([
      { type: 1, state: 0, plateNo: '鄂A99887', count: 2, firstAt: field.at(70), lastAt: field.at(100), seatCode: field.berths[1] },
    ])
  })
})

describe('a berth that is closed, seen by more than one device', () => {
  const stopsOf = (parkCode: string) =>
    street.write((tx) =>
      run<any>(tx, { sql: 'select plate_no, count from roadside.illegal_stop where park_code = $1 order by first_at' }, [parkCode]),
    )
  test('a car that the sensor saw without a plate and the camera reads is one illegal stop; the next car is another', async () => {
    const field = await street.field()
    const [berth] = field.berths
    const [sensor, camera] = [await field.sensor(berth!), await field.camera(berth!)]
    await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode: field.parkCode, status: 2, reason: '施工' })
    await field.says(sensor, 'occupied', 0)
    await field.says(sensor, 'occupied', 1)
    await field.says(camera, 'occupied', 2, { berth: berth!, plate: PLATE, confidence: 0.99 })
    expect(await stopsOf(field.parkCode)).toEqual([{ plateNo: PLATE, count: 3 }])
    await field.says(sensor, 'occupied', 40)
    await field.says(camera, 'occupied', 60, { berth: berth!, plate: '鄂A99887', confidence: 0.99 })
    expect(await stopsOf(field.parkCode)).toEqual([
      { plateNo: PLATE, count: 3 },
      { plateNo: null, count: 1 },
      { plateNo: '鄂A99887', count: 1 },
    ])
  })
  test('so it is when the camera is the first to tell; who comes once the berth was seen empty is another', async () => {
    const field = await street.field()
    const [berth] = field.berths
    const [sensor, camera] = [await field.sensor(berth!), await field.camera(berth!)]
    await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode: field.parkCode, status: 2, reason: '施工' })
    await field.says(camera, 'occupied', 0, { berth: berth!, plate: PLATE, confidence: 0.99 })
    await field.says(sensor, 'occupied', 1)
    expect(await stopsOf(field.parkCode)).toEqual([{ plateNo: PLATE, count: 2 }])
    await field.says(sensor, 'vacant', 4)
    await field.says(sensor, 'occupied', 6)
    await field.says(sensor, 'vacant', 8)
    await field.says(camera, 'occupied', 9, { berth: berth!, plate: '鄂A99887', confidence: 0.99 })
    expect(await stopsOf(field.parkCode)).toEqual([
      { plateNo: PLATE, count: 2 },
      { plateNo: null, count: 1 },
      { plateNo: '鄂A99887', count: 1 },
    ])
  })
})

describe('a bill that cannot be right', () => {
  test('no cash is taken before a person has looked; a car that has left owes what is decided', async () => {
    const field = await street.field({ district: { billMaxFen: 1000 } })
    const sensor = await field.sensor(field.berths[0]!)
    await field.says(sensor, 'occupied', 0)
    const [stay] = await of(field)
    expect(await street.ask('/business/roadStay/collect', { ...V(stay), amountFen: 1500 })).toMatchObject({ status: 409, code: 41138 })
    expect(await street.ask('/business/roadStay/collect', { ...V(stay), amountFen: 1500, deviceTime: new Date().toISOString() })).toMatchObject({
      code: 41138,
    })
    await field.says(sensor, 'vacant', 170)
    await later(field, 175)
    expect(await of(field)).toMatchObject([{ status: 3, payState: 5, orderId: null }])
    const [held] = (await street.get('/fee/heldBill/list', { parkCode: field.parkCode })).data.records
    expect(held).toMatchObject({ amountFen: 1500, limitFen: 1000, why: 3, plateNo: null })
    expect((await street.ask('/fee/heldBill/decide', { ...V(held), verdict: 2, setFen: 900, reason: '按监控核对' })).status).toBe(200)
    expect(await of(field)).toMatchObject([{ status: 3, payState: 4, payableFen: 900 }])
    const { checks } = (await street.get('/business/roadStay/story', { id: stay.id })).data
    expect(checks.map(({ zh }: { zh: string }) => zh)).toEqual(['待核对：超过车场单笔上限 10 元，算得 15 元', '已更正，本次停车计 9 元：按监控核对'])
    expect(await orders(field)).toMatchObject([{ status: 4, payableFen: 900, sourceType: 1 }])
    expect(
      await street.write((tx) => run(tx, { sql: 'select exception_type from arrears.record where park_code = $1' }, [field.parkCode])),
    ).toMatchObject([{ exceptionType: 2 }])
  })
})
