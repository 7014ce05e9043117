import { afterAll, beforeAll, expect, test } from 'vitest'
import { DriverState } from '../../settlement/contract/scan.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
beforeAll(async () => void (street = await aStreet()))
afterAll(() => street.close())

const PLATE = '鄂F68Q21'
/** A call takes the hour of the machine: so many minutes of the field's own clock. */
const now = (field: Field) => (Date.now() - Date.parse(field.at(0))) / 60_000
async function parked(minutes: number) {
  const field = await street.field()
  const [seat] = field.berths
  const camera = await field.camera(seat!)
  await field.says(camera, 'occupied', now(field) - minutes, { berth: seat!, plate: PLATE, color: 'blue', confidence: 0.98 })
  const { records } = (await street.ask('/device/qrcode/query', { parkCode: field.parkCode })).data
  const asks = async (target: number) =>
    (
      await street.server.ask(null, 'POST', '/lbs/business/order/scanQuote', {
        code: records.find((one: any) => one.target === target).code,
        plateNo: PLATE,
      })
    ).data
  return { asks }
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
