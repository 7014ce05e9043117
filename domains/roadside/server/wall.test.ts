import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import { PayState } from '../../parking/contract/stay.ts'
import { Occupy } from '../contract/berth.ts'
import { settleGone } from './leaving.ts'
import { aStreet, type Field, type Street } from './testing.ts'

let street: Street
let field: Field
beforeAll(async () => {
  street = await aStreet()
  field = await street.field({ berths: 5 })
  const { berths } = field
  const camera = await field.camera(...berths)
  const now = Math.floor((Date.now() - Date.parse(field.at(0))) / 60_000)
  const car = (n: number) => ({ berth: berths[n]!, plate: `鄂F1000${n}`, confidence: 0.99 })
  await field.says(camera, 'occupied', now - 130, car(0))
  await field.says(camera, 'vacant', now - 6, car(0))
  await field.says(camera, 'occupied', now - 15, car(1))
  await field.says(camera, 'vacant', now - 6, car(1))
  await field.says(camera, 'occupied', now - 5, car(2))
  await field.says(camera, 'occupied', now - 4, car(3))
  await street.write((tx) => settleGone(tx, field.at(now)))
  const { data } = await street.ask('/business/roadInfo/findparkSeat', { parkCode: field.parkCode, seatCode: berths[4] })
  await street.ask('/business/roadInfo/editparkSeat', { id: data.records[0].id, version: data.records[0].version, status: 2 })
  // A bay of a car park stands in the same list, and in no figure of the street.
  await street.write(async (tx) => {
    await tx
      .insertInto('parking.park')
      .values({ parkCode: 'P001', name: 'P001', pType: 1, regionCode: '420607', totalBays: 1 } as never)
      .execute()
    await tx
      .insertInto('roadside.berth')
      .values({ parkCode: 'P001', seatCode: 'B1', berthNo: 'B1' } as never)
      .execute()
  })
})
afterAll(() => street.close())

const berths = async (criteria: object) => (await street.ask('/business/roadInfo/findparkSeat', { pType: [2], ...criteria })).data.total
const ended = async (criteria: object) => {
  const from = startOf(dayOf(instantAt(Date.now())))
  return (await street.get('/fee/roadOut/queryPage', { leftAtFrom: from, ...criteria })).data.total
}

test('every figure of the wall is the total of the list that it opens', async () => {
  const { data: of } = await street.get('/business/seat/screen', {})
  expect(of).toMatchObject({ seatTotal: 5, occupied: 2, free: 2, disabled: 1 })
  expect(await berths({})).toBe(of.seatTotal)
  expect(await berths({ occupy: [Occupy.occupied] })).toBe(of.occupied)
  expect(await berths({ occupy: [Occupy.free] })).toBe(of.free)
  expect(await ended({ payState: [PayState.toPay, PayState.paid, PayState.owed].join(',') })).toBe(of.orders)
  expect(await ended({ payState: String(PayState.paid) })).toBe(of.paidOrders)
  expect(await ended({})).toBe(of.leaves)
})

test('hours sum to what came and went today, and hours to come say nothing', async () => {
  const [{ data: of }, { data: wall }] = await Promise.all([
    street.get('/business/seat/screen', { parkCode: field.parkCode }),
    street.get('/business/seat/screen/wall', { parkCode: field.parkCode }),
  ])
  const sum = (name: string) => wall.hours.reduce((all: number, one: any) => all + (one[name] ?? 0), 0)
  expect([sum('arrivals'), sum('leaves')]).toEqual([of.arrivals, of.leaves])
  // The rest came before midnight, when it is early.
  expect(sum('arrivals') + sum('arrivalsBefore')).toBe(4)
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Shanghai' }).format(Date.parse(wall.at)))
  expect(wall.hours.filter((one: any) => one.arrivals === null)).toHaveLength(23 - hour)
})

test('a section is as full as its berths in use are, and one of nobody else is there', async () => {
  const { data } = await street.get('/business/seat/screen/wall', {})
  expect(data.sections).toEqual([
    { parkCode: field.parkCode, parkName: `片区 ${field.parkCode}`, sectionCode: field.section, name: '中山路', seats: 4, occupied: 2, free: 2 },
  ])
  expect((await street.get('/business/seat/screen/wall', {}, 'otheradmin')).data.sections).toEqual([])
  expect((await street.get('/business/seat/screen/wall', { regionCode: '99' })).data.sections).toEqual([])
})
