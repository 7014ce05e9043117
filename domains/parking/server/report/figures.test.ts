import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../../../platform/contract/call.ts'
import type { Figure, Listed, Within } from '../../../../platform/contract/figure.ts'
import { DAY_MS, dayBy, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { SessionStatus } from '../../contract/stay.ts'
import { TRAFFIC } from '../../contract/figures.ts'
import { flowBetween, parksSince, passedBetween } from './figures.ts'

let server: TestServer
let admin: string
const PARKS = ['P001', 'P002', 'P003']
const DAYS = 8
const TODAY = dayOf(instantAt(Date.now()))
/** Days that are over, so that nothing of them changes while it is looked at. */
const FIRST = dayBy(TODAY, -DAYS - 2)
const SPAN_MS = DAYS * DAY_MS

interface Seeded {
  parkCode: string
  /** Null: nobody saw it coming in. */
  entry: number | null
  exit: number | null
  void: boolean
  abnormal: boolean
}
const stays = fc
  .sample(
    fc.record({
      parkCode: fc.constantFrom(...PARKS),
      from: fc.nat(SPAN_MS - 1),
      long: fc.integer({ min: 60_000, max: 2 * DAY_MS }),
      kind: fc.constantFrom('inside', 'left', 'left', 'left', 'unseen', 'void'),
      abnormal: fc.boolean(),
    }),
    400,
  )
  .map(({ parkCode, from, long, kind, abnormal }): Seeded => {
    const entry = msOf(startOf(FIRST)) + from
    const stayed = kind === 'inside' ? null : Math.min(entry + long, msOf(startOf(TODAY)) - 1000)
    return { parkCode, entry: kind === 'unseen' ? null : entry, exit: stayed, void: kind === 'void', abnormal }
  })
const at = (ms: number | null) => ms && instantAt(Math.floor(ms / 1000) * 1000)
const status = (one: Seeded) => (one.void ? SessionStatus.void : one.exit === null ? SessionStatus.present : SessionStatus.left)

beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  await server.house.writing(1, 'test', async (tx) => {
    for (const parkCode of PARKS)
      await tx
        .insertInto('parking.park')
        .values({ parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 500 } as never)
        .execute()
    const rows = stays.map((one, n) => ({
      ...{
        parkCode: one.parkCode,
        plateNo: `鄂F${10_000 + n}`,
        plateColor: 0,
        vehicleClass: 1,
        carKindIn: 9,
        status: status(one),
        abnormalType: one.abnormal ? 1 : 0,
      },
      ...{ entryTime: at(one.entry), entryMode: one.entry === null ? null : 1 },
      ...{ exitTime: at(one.exit), exitMode: one.exit === null ? null : 1, durationMin: one.exit === null ? null : 0 },
    }))
    await tx
      .insertInto('parking.stay')
      .values(rows as never)
      .execute()
  })
})
afterAll(() => server.close())

const asked = async ({ opens }: Figure<Listed>, within: Within, more: object = {}): Promise<number> => {
  const filter = Object.fromEntries(Object.entries(opens.filter(within)).filter(([, value]) => value !== undefined))
  const { data, status: answered } = await server.ask(admin, opens.call.method, addressOf(opens.call), { ...filter, ...more, queryMode: 'total' })
  expect(answered).toBe(200)
  return data.total
}
const reading = <T>(work: Parameters<typeof server.house.reading<T>>[1]) => server.house.reading(1, work)
const insideAt = (ms: number) =>
  stays.filter((one) => !one.void && one.entry !== null && one.entry < ms && (one.exit === null || one.exit >= ms)).length
const span = fc
  .record({ from: fc.nat(DAYS - 1), days: fc.nat(3) })
  .map(({ from, days }) => ({ from: dayBy(FIRST, from), to: dayBy(FIRST, from + days) }))

test('entries, exits and abnormal stays of any days are as many as their lists and as their hours, and entries less exits are the change of what is inside', async () => {
  let looked = 0
  await fc.assert(
    fc.asyncProperty(span, async (within) => {
      const [begin, end] = [startOf(within.from), startOf(dayBy(within.to, 1))]
      const [passed, hours] = await reading(async (tx) => [await passedBetween(tx, begin, end), await flowBetween(tx, begin, end)] as const)
      expect(await asked(TRAFFIC.entered, within)).toBe(passed.entered)
      expect(await asked(TRAFFIC.left, within)).toBe(passed.left)
      expect(await asked(TRAFFIC.abnormal, within)).toBe(passed.abnormal)
      expect(hours.reduce((sum, { entered }) => sum + entered, 0)).toBe(passed.entered)
      expect(hours.reduce((sum, { left }) => sum + left, 0)).toBe(passed.left)
      const unseen = await asked(TRAFFIC.left, within, { entered: false })
      expect(passed.entered - (passed.left - unseen)).toBe(insideAt(msOf(end)) - insideAt(msOf(begin)))
      looked += passed.entered + passed.left
    }),
    { numRuns: 40 },
  )
  expect(looked).toBeGreaterThan(0)
}, 60_000)

test('what a board says of each park since a day is as many as the lists of that park, and all parks together are the whole', async () => {
  for (const back of [0, 3, DAYS]) {
    const from = dayBy(TODAY, -2 - back)
    const parks = await reading((tx) => parksSince(tx, startOf(from)))
    expect(parks.map(({ parkCode }) => parkCode)).toEqual(PARKS)
    for (const { parkCode, entered, left, present } of parks) {
      const within = { from, to: TODAY, parkCode }
      expect([parkCode, await asked(TRAFFIC.entered, within)]).toEqual([parkCode, entered])
      expect([parkCode, await asked(TRAFFIC.left, within)]).toEqual([parkCode, left])
      expect([parkCode, await asked(TRAFFIC.present, within)]).toEqual([parkCode, present])
    }
    expect(parks.reduce((sum, { present }) => sum + present, 0)).toBe(insideAt(Date.now()))
  }
})
