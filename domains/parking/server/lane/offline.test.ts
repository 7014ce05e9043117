import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import { PayState, SessionAbnormal } from '../../contract/stay.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

/** A lane that was cut off: what it did alone is told afterwards. */
let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const later = (field: Field, minutes: number, seq: number) => ({ received: field.at(minutes), offline: true, seq })
/** Devices tell what they kept; the backlog is taken up when a live event follows. */
const comesBack = (field: Field, minutes: number) => field.enters('鄂F00000', minutes)

test('entries and exits told in any order become whole stays; what was not paid is owed', async () => {
  const field = await ground.field()
  await field.exits('鄂F12345', 90, later(field, 200, 1))
  await field.enters('鄂F12345', 0, later(field, 200, 1))
  await comesBack(field, 201)
  expect(await field.stay('鄂F12345')).toMatchObject({
    status: 3,
    offline: 1,
    entryTime: field.at(0),
    exitTime: field.at(90),
    entryMode: 6,
    payableFen: 1000,
    payState: 4,
  })
  expect((await field.told(field.outSn)).filter(({ method }) => method === 'gate.open')).toEqual([])
})

test('at a gate for both ways that was cut off, what the camera behind a car read is the same passing', async () => {
  const field = await ground.field()
  await field.write((tx) => run(tx, { sql: 'update parking.gate set direction = 3 where gate_code = $1' }, [field.outGate]))
  const told = (minutes: number, direction: 'in' | 'out', seq: number) => field.exits('鄂F12345', minutes, { direction, ...later(field, 300, seq) })
  await told(0, 'in', 1)
  await told(0.1, 'out', 2)
  await told(90, 'out', 3)
  await told(90.1, 'in', 4)
  await told(200, 'in', 5)
  await comesBack(field, 301)
  expect((await field.stays('鄂F12345')).map(({ entryTime, exitTime, status }) => ({ entryTime, exitTime, status }))).toEqual([
    { entryTime: field.at(200), exitTime: null, status: 1 },
    { entryTime: field.at(0), exitTime: field.at(90), status: 3 },
  ])
})

test('told twice, done once', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 0, later(field, 200, 7))
  await comesBack(field, 201)
  await field.enters('鄂F12345', 2, later(field, 300, 7))
  await comesBack(field, 301)
  expect(await field.stays('鄂F12345')).toHaveLength(1)
})

test('a lane that was reset counts from one again: its cars are other cars, within minutes of the number’s first one too, and each is done once', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 0, later(field, 200, 1))
  await field.enters('鄂F67890', 3, later(field, 201, 1))
  await field.enters('鄂F67890', 9, later(field, 202, 1))
  await comesBack(field, 203)
  const entries = async (plateNo: string) => (await field.stays(plateNo)).map(({ entryTime }) => entryTime).sort()
  expect([await entries('鄂F12345'), await entries('鄂F67890')]).toEqual([[field.at(0)], [field.at(3)]])
  await field.enters('鄂F67890', 240, later(field, 300, 1))
  await comesBack(field, 301)
  expect(await entries('鄂F67890')).toEqual([field.at(3), field.at(240)])
})

test('what contradicts the platform’s own eyes is marked and kept', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 100)
  await field.enters('鄂F12345', 50, later(field, 200, 1))
  await comesBack(field, 201)
  expect((await field.stays('鄂F12345')).map(({ status, abnormalType }) => [status, abnormalType]).sort()).toEqual([
    [1, 0],
    [4, 9],
  ])
})

test('an exit told long before its entry is joined with it, and owes what it would have owed in order, once', async () => {
  const field = await ground.field()
  await field.exits('鄂F12345', 90, later(field, 200, 1))
  await comesBack(field, 201)
  expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, abnormalType: 2, entryTime: null })
  await field.enters('鄂F12345', 0, later(field, 300, 1))
  await comesBack(field, 301)
  expect((await field.stays('鄂F12345')).map(({ status, entryTime }) => [status, entryTime])).toEqual([
    [3, field.at(0)],
    [9, null],
  ])
  const whole = await field.stay('鄂F12345')
  const { abnormalType, durationMin, payableFen, payState, carKindOut } = whole
  expect({ abnormalType, durationMin, payableFen, payState, carKindOut }).toEqual({
    abnormalType: 0,
    durationMin: 90,
    payableFen: 1000,
    payState: PayState.owed,
    carKindOut: 9,
  })
  await field.exits('鄂F12345', 90, later(field, 400, 2))
  await field.enters('鄂F12345', 0, later(field, 401, 1))
  await comesBack(field, 402)
  expect((await field.orders(whole)).map((order) => [order.status, order.payableFen])).toEqual([[OrderStatus.arrears, 1000]])
})

test('a joined stay of a car that is inside again, one within the free minutes, and one that no rule covers', async () => {
  const field = await ground.field()
  const tellsLate = async (plate: string, from: number, to: number, seq: number) => {
    await field.exits(plate, to, later(field, 400, seq))
    await comesBack(field, 401)
    return async () => {
      await field.enters(plate, from, later(field, 500, seq))
      await comesBack(field, 501)
    }
  }
  const again = await tellsLate('鄂F12345', 0, 90, 1)
  await field.enters('鄂F12345', 450)
  await again()
  const short = await tellsLate('鄂F54321', 0, 10, 2)
  await short()
  const unruled = await tellsLate('鄂F67890', 0, 90, 3)
  await field.write((tx) => run(tx, { sql: 'delete from fee.associate where park_code = $1' }, [field.parkCode]))
  await unruled()
  const found = async (plate: string) =>
    (await field.stays(plate))
      .filter(({ status }) => status !== 9)
      .map(({ status, abnormalType, payState, payableFen }) => [status, abnormalType, payState, payableFen])
      .sort()
  expect(await found('鄂F12345')).toEqual([
    [1, 0, PayState.nothing, 0],
    [3, 0, PayState.owed, 1000],
  ])
  expect(await found('鄂F54321')).toEqual([[3, 0, PayState.free, 0]])
  expect(await found('鄂F67890')).toEqual([[4, SessionAbnormal.unpriced, PayState.nothing, 0]])
})

test('a car that is gone was not kept by a black list or a lock: it owes its fee; one that no rule covers waits for a person', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 0)
  await field.write((tx) => run(tx, { sql: "update parking.gate set locked_by = '值班员' where gate_code = $1" }, [field.outGate]))
  await field.exits('鄂F12345', 90, later(field, 200, 1))
  await comesBack(field, 201)
  expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payableFen: 1000, payState: PayState.owed })
  await field.write((tx) => run(tx, { sql: 'delete from fee.associate where park_code = $1' }, [field.parkCode]))
  await field.enters('鄂F54321', 210)
  await field.exits('鄂F54321', 300, later(field, 400, 2))
  await comesBack(field, 401)
  expect(await field.stay('鄂F54321')).toMatchObject({ status: 4, abnormalType: SessionAbnormal.unpriced })
})

test('a live event half a minute late is kept at its own time and opens nothing', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 0, { received: field.at(0.5) })
  expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, offline: 1, entryTime: field.at(0) })
  expect(await field.told(field.inSn)).toEqual([])
  expect(await field.lane(field.inGate)).toMatchObject({ state: 2 })
})

test('told after an emergency, or in one: what an exit asks goes by whether the barriers stood open when the car left', async () => {
  const field = await ground.field()
  const emergency = async (open: boolean, minutes: number) => {
    expect((await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open, reason: '火警' })).code).toBe(200)
    const sql = `update parking.emergency set ${open ? 'from_time' : 'to_time'} = $2 where park_code = $1`
    await field.write((tx) => run(tx, { sql }, [field.parkCode, field.at(minutes)]))
  }
  const cars = ['鄂F12301', '鄂F12302', '鄂F12303', '鄂F12304']
  for (const plate of cars.slice(0, 3)) await field.enters(plate, 0)
  await emergency(true, 100)
  await field.exits(cars[0]!, 90, later(field, 120, 1)) // before it began, told while it lasts
  await comesBack(field, 121)
  await emergency(false, 200)
  await field.exits(cars[1]!, 150, later(field, 300, 2)) // while it lasted, told after it
  await field.exits(cars[2]!, 200, later(field, 300, 3)) // in the moment in which it ended
  await field.exits(cars[3]!, 160, later(field, 301, 4)) // its entry is told after its exit
  await comesBack(field, 302)
  await field.enters(cars[3]!, 0, later(field, 310, 5))
  await comesBack(field, 311)
  const asked = await Promise.all(
    cars.map(async (plate) => (({ status, payState, payableFen }) => [status, payState, payableFen])(await field.stay(plate))),
  )
  expect(asked).toEqual([
    [3, PayState.owed, 1000],
    [3, PayState.free, 0],
    [3, PayState.owed, 2000],
    [3, PayState.free, 0],
  ])
})
