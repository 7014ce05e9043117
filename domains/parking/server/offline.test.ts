import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Field, type Ground } from './testing.ts'

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
  expect((await field.stays('鄂F12345')).map(({ status, abnormalType }) => [status, abnormalType]).sort()).toEqual([[1, 0], [4, 9]]) // prettier-ignore
})

test('an exit told long before its entry is joined with it', async () => {
  const field = await ground.field()
  await field.exits('鄂F12345', 90, later(field, 200, 1))
  await comesBack(field, 201)
  expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, abnormalType: 2, entryTime: null })
  await field.enters('鄂F12345', 0, later(field, 300, 1))
  await comesBack(field, 301)
  expect((await field.stays('鄂F12345')).map(({ status, entryTime }) => [status, entryTime])).toEqual([[3, field.at(0)], [9, null]]) // prettier-ignore
})

test('a live event half a minute late is kept at its own time and opens nothing', async () => {
  const field = await ground.field()
  await field.enters('鄂F12345', 0, { received: field.at(0.5) })
  expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, offline: 1, entryTime: field.at(0) })
  expect(await field.told(field.inSn)).toEqual([])
  expect(await field.lane(field.inGate)).toMatchObject({ state: 2 })
})
