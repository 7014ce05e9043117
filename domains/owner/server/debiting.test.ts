import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { hearEtc } from '../../arrears/server/testing.ts'
import { aGround, type Field, type Ground } from '../../parking/server/testing.ts'
import { begin, endAttempt } from '../../settlement/server/api.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { bindCar } from './car.ts'
import { register } from './owner.ts'
import { accountPurse } from './purse.ts'
import { autoDebit, pursesOf } from './spend.ts'
import { now } from './testing.ts'

let ground: Ground
let field: Field
const sql = <Row = any>(text: string, values: readonly unknown[] = []) => field.write((tx) => run<Row & object>(tx, { sql: text }, [...values]))
const ANTENNA = 'ETC-ORDER'
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
  await sql(
    `insert into device.device (device_no, name, type, park_code, gate_code, use_status, secret_hash) values ('${ANTENNA}', '天线', 9, $1, $2, 1, 'none')`,
    [field.parkCode, field.outGate],
  )
  await sql(
    `insert into device.presence (device_no, online) values ('${ANTENNA}', true) on conflict (enterprise_id, device_no) do update set online = true`,
  )
  await sql(`insert into device.etc (device_no, lane_no, psam_no) values ('${ANTENNA}', 'L1', '0123456789AB')`)
})
afterAll(() => ground.server.close())

let made = 0
/** A car at an exit, an hour and a half after it came; its driver allowed automatic debit, and has so much. */
async function atExit({ storedFen, autoPay = true }: { storedFen: number; autoPay?: boolean }) {
  const plateNo = `鄂E${String(++made).padStart(5, '0')}`
  const ownerId = await field.write(async (tx) => {
    const { id } = await register(tx, { phone: `136${String(made).padStart(8, '0')}`, nickname: '车主', at: now() })
    const car = await bindCar(tx, { ownerId: id, plateNo, at: now() })
    await run(tx, { sql: 'update owner.car set verify_state = 1, auto_debit = $2 where id = $1' }, [car.id, autoPay])
    return id
  })
  if (storedFen > 0)
    expect((await ground.ask(ground.admin, '/custom/owner/account/recharge', { ownerId, payFen: storedFen, payMethod: 4 })).code).toBe(200)
  await field.enters(plateNo, 900)
  await field.exits(plateNo, 990)
  const stay = await field.stay(plateNo)
  return { plateNo, stay, orderId: stay.orderId as string }
}
type Car = Awaited<ReturnType<typeof atExit>>
const jobOf = ({ stay, orderId }: Car, tries = 0) => ({
  ...{ parkCode: field.parkCode, gateCode: field.outGate, stayId: stay.id as string, orderId, dueFen: 1000, tries },
})
const debits = (car: Car, tries = 0) => field.write((tx) => autoDebit.work({ tx, at: field.at(990), data: jobOf(car, tries) } as never))
const orderOf = async ({ orderId }: Car) => (await sql('select status, pay_method, paid_fen from settlement.order where id = $1', [orderId]))[0]
const antennaTries = async ({ orderId }: Car) => (await sql('select deduct_no from arrears.etc_deduct where order_id = $1', [orderId])).length
const backsOff = () => sql(`update parking.lane set stay_id = null where gate_code = $1`, [field.outGate])

test('where nobody saw the colour of a plate that two drivers have, neither pays for the other’s car', async () => {
  const plateNo = '鄂E99001'
  for (const plateColor of [0, 4] as const)
    await field.write(async (tx) => {
      const { id } = await register(tx, { phone: `1369900000${plateColor}`, nickname: '车主', at: now() })
      const car = await bindCar(tx, { ownerId: id, plateNo, plateColor, at: now() })
      await run(tx, { sql: 'update owner.car set verify_state = 1, auto_debit = true where id = $1' }, [car.id])
      await accountPurse(tx, id)
    })
  const purses = (color: 0 | 4 | null) => field.write((tx) => pursesOf(tx, { plateNo, plateColor: color }, field.parkCode, true))
  expect(await purses(null)).toEqual([])
  const [blue, green] = [await purses(0), await purses(4)]
  expect([blue.length, green.length]).toEqual([1, 1])
  expect(blue).not.toEqual(green)
  await sql('update owner.car set verify_state = 4, slot = null, auto_debit = false where plate_no = $1 and plate_color = 4', [plateNo])
  expect(await purses(null)).toEqual(blue)
})

test('stored value pays first, and the antenna is never told', async () => {
  const car = await atExit({ storedFen: 5_000 })
  expect(await antennaTries(car)).toBe(0)
  await debits(car)
  expect(await orderOf(car)).toMatchObject({ status: 2, payMethod: PayMethod.storedValue, paidFen: 1_000 })
  expect(await antennaTries(car)).toBe(0)
})

test('too little takes nothing, then it is the antenna’s turn: once, and its failure leaves the fee to be paid otherwise', async () => {
  const car = await atExit({ storedFen: 300 })
  expect(await antennaTries(car)).toBe(0)
  await debits(car)
  expect(await orderOf(car)).toMatchObject({ status: 1, paidFen: 0 })
  expect(await antennaTries(car)).toBe(1)
  await debits(car, 15)
  expect(await antennaTries(car)).toBe(1)
  const [{ deductNo }] = await sql('select deduct_no from arrears.etc_deduct where order_id = $1', [car.orderId])
  const heard = { type: 'etc', sn: ANTENNA, body: { deductNo, result: 'fail', failCode: 1 }, deviceTime: field.at(991), receivedAt: field.at(991) }
  await field.write((tx) => hearEtc(tx, heard as never))
  expect(await orderOf(car)).toMatchObject({ status: 0, paidFen: 0 })
  // A job that is told twice tries neither again.
  await debits(car)
  expect([await orderOf(car), await antennaTries(car)]).toMatchObject([{ status: 0 }, 1])
})

test('whoever has no account, or did not allow it, has the antenna at once', async () => {
  const car = await atExit({ storedFen: 0, autoPay: false })
  expect(await antennaTries(car)).toBe(1)
})

test('a car that has backed off meanwhile is not looked for by the antenna: it would find the next one', async () => {
  const car = await atExit({ storedFen: 300 })
  await backsOff()
  await debits(car)
  expect([await orderOf(car), await antennaTries(car)]).toMatchObject([{ status: 0 }, 0])
})

test('while its driver pays by telephone neither takes it too; when that comes to nothing stored value does', async () => {
  const car = await atExit({ storedFen: 5_000 })
  const { attempt } = await field.write((tx) => begin(tx, car.orderId, PayMethod.wechat, field.at(990)))
  await debits(car)
  expect([await orderOf(car), await antennaTries(car)]).toMatchObject([{ status: 1, paidFen: 0 }, 0])
  await field.write((tx) => endAttempt(tx, attempt.id, 3, field.at(990)))
  await debits(car, 1)
  expect(await orderOf(car)).toMatchObject({ status: 2, payMethod: PayMethod.storedValue })
})

test('the antenna answers after stored value has paid: what it took goes back by itself, and nothing is paid twice', async () => {
  const car = await atExit({ storedFen: 300 })
  await debits(car)
  const [{ deductNo, paymentId }] = await sql('select deduct_no, payment_id from arrears.etc_deduct where order_id = $1', [car.orderId])
  await field.write((tx) => endAttempt(tx, paymentId, 2, field.at(990)))
  const [{ ownerId }] = await sql('select owner_id from owner.car where plate_no = $1', [car.plateNo])
  expect((await ground.ask(ground.admin, '/custom/owner/account/recharge', { ownerId, payFen: 2_000, payMethod: 4 })).code).toBe(200)
  await Promise.all([debits(car), debits(car)])
  const heard = { type: 'etc', sn: ANTENNA, body: { deductNo, result: 'ok', psamSeq: 7 }, deviceTime: field.at(991), receivedAt: field.at(991) }
  for (let told = 0; told < 2; told++) await field.write((tx) => hearEtc(tx, heard as never))
  expect(await orderOf(car)).toMatchObject({ status: 2, payMethod: PayMethod.storedValue, paidFen: 1_000 })
  expect(await sql('select amount_fen, kind from settlement.refund where order_id = $1', [car.orderId])).toEqual([{ amountFen: 1_000, kind: 2 }])
  const [purse] = await sql('select principal_fen from owner.purse where owner_id = $1', [ownerId])
  expect(purse).toMatchObject({ principalFen: 1_300 })
})
