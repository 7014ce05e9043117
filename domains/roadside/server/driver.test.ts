import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { CarKind, PayState } from '../../parking/contract/stay.ts'
import { admission, cover, type Standing } from '../../parking/server/api.ts'
import { DriverState } from '../../settlement/contract/scan.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => void (street = await aStreet()))
afterAll(() => street.close())

const PLATE = '鄂F68Q21'
/** A call takes the hour of the machine: so many minutes of the field's own clock. */
const now = (field: Field) => (Date.now() - Date.parse(field.at(0))) / 60_000
async function parked(minutes: number, plate = PLATE) {
  const field = await street.field()
  const [seat] = field.berths
  const camera = await field.camera(seat!)
  await field.says(camera, 'occupied', now(field) - minutes, { berth: seat!, plate, color: 'blue', confidence: 0.98 })
  const { records } = (await street.ask('/device/qrcode/query', { parkCode: field.parkCode })).data
  const asks = async (target: number) =>
    (
      await street.server.ask(null, 'POST', '/lbs/business/order/scanQuote', {
        code: records.find((one: any) => one.target === target).code,
        plateNo: plate,
      })
    ).data
  return { asks, field, seat: seat! }
}

test('at the code of a berth, or of its street, a driver sees what the berth costs so far', async () => {
  const { asks } = await parked(50)
  for (const target of [1, 3])
    expect(await asks(target)).toMatchObject([{ plateNo: PLATE, state: DriverState.toPay, dueFen: 500, lines: [{ amountFen: 500 }] }])
})
test('within the free minutes nothing is due', async () => {
  const { asks } = await parked(5)
  expect(await asks(3)).toMatchObject([{ state: DriverState.free, dueFen: 0, orderNo: null }])
})

/** Answers of the domains that keep lists about the car, by district. */
const lists = new Map<string, Standing>()
afterAll(admission.answer('driver.test', async (_tx, { parkCode }) => lists.get(parkCode)))
const stayOf = async (parkCode: string) =>
  (await street.write((tx) => run<any>(tx, { sql: 'select * from parking.stay where park_code = $1 order by seen_at desc' }, [parkCode])))[0]
const free = { state: DriverState.free, dueFen: 0, orderNo: null, ruleName: null }

test('who is free at a berth is told why, not what the rule would have asked: by a list, by the plate, by the berth', async () => {
  for (const [standing, zh] of [
    [{ white: true }, '白名单免费'],
    [{ special: true }, '特种车免费'],
  ] as const) {
    const { asks, field } = await parked(170)
    expect(await asks(3)).toMatchObject([{ state: DriverState.toPay, dueFen: 1500 }])
    lists.set(field.parkCode, standing)
    expect(await asks(3)).toMatchObject([{ ...free, lines: [{ zh, amountFen: 0 }] }])
    expect(await stayOf(field.parkCode)).toMatchObject({ payState: PayState.free, payableFen: 0 })
  }
  const police = await parked(170, '鄂F1234警')
  expect(await police.asks(3)).toMatchObject([{ ...free, lines: [{ zh: '特种车免费' }] }])
  const { asks, field, seat } = await parked(170)
  await street.write((tx) => run(tx, { sql: 'update roadside.berth set charge_type = 0 where seat_code = $1' }, [seat]))
  expect(await asks(3)).toMatchObject([{ ...free, lines: [{ zh: '免费泊位', amountFen: 0 }] }])
  expect(field.parkCode).toBe((await stayOf(field.parkCode)).parkCode)
})
test('a pass that covers the whole stay is why it is free; where it ended, the rest is asked', async () => {
  const { asks, field } = await parked(170)
  lists.set(field.parkCode, { pass: { passId: '01900000-0000-7000-8000-000000000001', allDay: true, full: false } })
  let until = 0
  onTestFinished(
    cover.answer('driver.test', async (_tx, { parkCode, from, to }) =>
      parkCode === field.parkCode ? [{ from, to: until ? field.at(until) : to }] : undefined,
    ),
  )
  expect(await asks(3)).toMatchObject([{ ...free, lines: [{ zh: '月卡有效，免费', amountFen: 0 }] }])
  until = now(field) - 80
  expect(await asks(3)).toMatchObject([{ state: DriverState.toPay, dueFen: 1000 }])
})
test('the kind of car is decided again when it leaves: one that came on the white list meanwhile owes nothing, one that was taken off it does', async () => {
  const kinds = [
    [undefined, { white: true }, CarKind.temporary, CarKind.free, 0],
    [{ white: true }, undefined, CarKind.free, CarKind.temporary, 1500],
  ] as const
  for (const [before, after, carKindIn, carKindOut, payableFen] of kinds) {
    const field = await street.field()
    if (before) lists.set(field.parkCode, before)
    const [seat] = field.berths
    const camera = await field.camera(seat!)
    const said = { berth: seat!, plate: PLATE, color: 'blue', confidence: 0.98 }
    await field.says(camera, 'occupied', 0, said)
    if (after) lists.set(field.parkCode, after)
    else lists.delete(field.parkCode)
    await field.says(camera, 'vacant', 170, said)
    expect(await stayOf(field.parkCode)).toMatchObject({ carKindIn, carKindOut, payableFen })
  }
})
