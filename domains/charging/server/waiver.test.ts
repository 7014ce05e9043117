import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { aGround, type Field, type Ground } from '../../parking/server/testing.ts'
import { ReduceType } from '../contract/platformReduce.ts'
import { ChargeStatus } from '../contract/session.ts'

/** A car charges while it parks: what its charge takes off the parking, at a real lane. Two hours cost ten yuan, each hour more five. */
let ground: Ground
let field: Field
const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  ground.server.house.writing(1, 'test', (tx) => run<Row>(tx, { sql: text }, [...values]))
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
  await sql(`insert into charging.operator (operator_id, operator_name, operator_tel1, own) values ('MA0000001', '东城充电', '02788880000', true)`)
  await sql(
    `insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat) values ('ST001', '站', 'MA0000001', $1, '420607', '路', '4000000000', 50, 112.14, 32.04)`,
    [field.parkCode],
  )
  await sql(
    `insert into charging.equipment (equipment_id, equipment_name, station_id, park_code, equipment_type, power, admin_status) values ('E1', 'E1', 'ST001', $1, 1, 60, 1)`,
    [field.parkCode],
  )
  await sql(
    `insert into charging.connector (connector_id, equipment_id, station_id, park_code, connector_type, voltage_upper, voltage_lower, current, power, ocpp_connector_no) values ('E1-1', 'E1', 'ST001', $1, 4, 750, 200, 250, 60, 1)`,
    [field.parkCode],
  )
})
afterAll(() => ground.server.close())

let cars = 0
const aPlate = () => `鄂D${String(++cars).padStart(5, '0')}`
/** One rule in force at a time. */
async function rule(reduceType: number, value: number, more: { minWh?: number } = {}) {
  await sql('delete from charging.platform_reduce where true')
  await sql(
    `insert into charging.platform_reduce (platform_id, reduce_type, name, value, min_wh, start_at, end_at) select id, $1, '充电停车', $2, $3, '2020-01-01', '2099-01-01' from charging.platform where enterprise_id = 1 and built_in`,
    [reduceType, value, more.minWh ?? null],
  )
}
async function charged(plateNo: string | null, from: number, to: number, { energyWh = 20_000, status = ChargeStatus.done as number } = {}) {
  const orderNo = `CD${++cars}`
  await sql(
    `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, plate_no, status, start_time, end_time, energy_wh, prices) values ($1, $1, $2, 'ST001', 'E1', 'E1-1', 1, $3, $4, $5, $6, $7, '{}')`,
    [orderNo, field.parkCode, plateNo, status, field.at(from), field.at(to), energyWh],
  )
  return orderNo
}
const discountOf = async (plate: string) => (await field.orders(await field.stay(plate)))[0]?.discountFen
const moves = (orderNo: string) =>
  sql<{ event: string }>(`select event from charging.charge_move where order_no = $1 and event = 'parkingWaived'`, [orderNo])

test('an amount comes off what is asked, once, and the charge tells it', async () => {
  await rule(ReduceType.parkAmount, 300)
  const plate = aPlate()
  await field.enters(plate, 0)
  const orderNo = await charged(plate, 5, 40)
  await field.exits(plate, 90)
  expect(await discountOf(plate)).toBe(300)
  expect(await moves(orderNo)).toEqual([])
  await field.pays(await field.stay(plate), 91)
  await field.passes(92)
  expect(await moves(orderNo)).toHaveLength(1)
  // The next stay of the same day overlaps the same charge no more, and the charge has waived already.
  await sql(`update charging.charge set end_time = $2 where order_no = $1`, [orderNo, field.at(400)])
  await field.enters(plate, 100)
  await field.exits(plate, 190)
  expect(await discountOf(plate)).toBe(0)
})

test('minutes make the stay shorter; all of it is free up to the end of the charge and half an hour', async () => {
  const plain = aPlate()
  await rule(ReduceType.parkMinutes, 60)
  await field.enters(plain, 200)
  await field.exits(plain, 325)
  const [full] = await field.orders(await field.stay(plain))
  const plate = aPlate()
  await field.enters(plate, 200)
  await charged(plate, 205, 250)
  await field.exits(plate, 325)
  const off = await discountOf(plate)
  expect(off).toBeGreaterThan(0)
  expect(off).toBeLessThan(full!.receivableFen)
  await rule(ReduceType.parkFree, 0)
  const free = aPlate()
  await field.enters(free, 200)
  await charged(free, 205, 310)
  await field.exits(free, 325)
  expect(await discountOf(free)).toBe(full!.receivableFen)
  const late = aPlate()
  await field.enters(late, 200)
  await charged(late, 205, 230)
  await field.exits(late, 325)
  expect(await discountOf(late)).toBeLessThan(full!.receivableFen)
})

test('too little charged, another car, a charge before the stay: nothing', async () => {
  await rule(ReduceType.parkAmount, 300, { minWh: 10_000 })
  const [weak, other, before] = [aPlate(), aPlate(), aPlate()]
  for (const plate of [weak, other, before]) await field.enters(plate, 400)
  await charged(weak, 405, 420, { energyWh: 9_999 })
  await charged(aPlate(), 405, 420)
  await charged(before, 300, 399)
  for (const plate of [weak, other, before]) await field.exits(plate, 490)
  for (const plate of [weak, other, before]) expect(await discountOf(plate)).toBe(0)
})

test('the plate is said later: the stay that is not paid yet is asked less; a day after the charge it is too late', async () => {
  await rule(ReduceType.parkAmount, 300)
  const [plate, late] = [aPlate(), aPlate()]
  for (const one of [plate, late]) await field.enters(one, 600)
  const [orderNo, lateNo] = [await charged(null, 605, 640), await charged(null, 605, 640)]
  await field.exits(plate, 690)
  expect(await discountOf(plate)).toBe(0)
  const named = async (order: string, plateNo: string, at: number) => {
    await sql('update charging.charge set plate_no = $2 where order_no = $1', [order, plateNo])
    await sql(`insert into charging.charge_move (order_no, park_code, to_status, event, at, by_name) values ($1, $2, 5, 'plateBound', $3, '试')`, [
      order,
      field.parkCode,
      field.at(at),
    ])
  }
  await named(orderNo, plate, 700)
  await field.exits(plate, 705)
  expect(await discountOf(plate)).toBe(300)
  await named(lateNo, late, 640 + 24 * 60 + 1)
  await field.exits(late, 690)
  expect(await discountOf(late)).toBe(0)
})

test('two charges in one stay waive once, and of two rules the better one', async () => {
  await rule(ReduceType.parkAmount, 200)
  await sql(
    `insert into charging.platform_reduce (platform_id, reduce_type, name, value, start_at, end_at) select platform_id, reduce_type, '更好', 400, start_at, end_at from charging.platform_reduce where value = 200`,
  )
  const plate = aPlate()
  await field.enters(plate, 800)
  await charged(plate, 805, 820)
  await charged(plate, 830, 850)
  await field.exits(plate, 890)
  expect(await discountOf(plate)).toBe(400)
  expect(await sql('select 1 from charging.waiver w join parking.stay s on s.id = w.stay_id where s.plate_no = $1', [plate])).toHaveLength(1)
})
