import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import {
  costOf,
  costOfRunning,
  delivered,
  deliveredInAll,
  flawOf,
  linesOf,
  occupiedMinutes,
  type Reading,
  type Running,
  runOn,
} from '../contract/price.ts'
import { OfferKind } from '../contract/session.ts'

type Table = Parameters<typeof linesOf>[1]
const clock = (half: number) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`
const priced = fc.record({
  kind: fc.constantFrom(1, 2, 3, 4, 5),
  elecPriceE4: fc.integer({ min: 0, max: 30_000 }),
  servicePriceE4: fc.integer({ min: 0, max: 20_000 }),
})
/** A day cut at random half hours. */
const table = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 47 }), { maxLength: 20 }), fc.array(priced, { minLength: 21, maxLength: 21 }))
  .map(([cuts, prices]) => {
    const edges = [0, ...cuts.sort((a, b) => a - b), 48]
    return edges.slice(1).map((edge, place) => ({ from: clock(edges[place]!), to: clock(edge), ...prices[place]! })) as unknown as Table
  })
const START_MS = Date.parse('2026-11-02T10:00:00.000Z')
const series = fc
  .array(fc.record({ afterS: fc.integer({ min: 1, max: 7_200 }), wh: fc.integer({ min: 0, max: 30_000 }) }), { minLength: 1, maxLength: 40 })
  .map((steps) =>
    steps.reduce<Reading[]>(
      (all, { afterS, wh }) => [...all, { atMs: all.at(-1)!.atMs + afterS * 1000, wh: all.at(-1)!.wh + wh }],
      [{ atMs: START_MS, wh: 0 }],
    ),
  )
const at = (time: string): number => Date.parse(`2026-11-02T${time}:00+08:00`)
const FLAT = { from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6_000, servicePriceE4: 4_000 } as const

describe('one formula', () => {
  test('the cost that runs is at the end the cost that is billed, and lines make up the total', () => {
    fc.assert(
      fc.property(table, series, (periods, readings) => {
        const prices = { periods: [...periods], offers: [] }
        const shown = readings.map((_, place) => costOf(readings.slice(0, place + 1), prices))
        const final = costOf(readings, prices)
        expect(shown.at(-1)).toEqual(final)
        expect(final.energyWh).toBe(readings.at(-1)!.wh)
        expect(final.lines.reduce((total, { elecFen }) => total + elecFen, 0)).toBe(final.elecFen)
        expect(final.lines.reduce((total, { serviceFen }) => total + serviceFen, 0)).toBe(final.serviceFen)
        for (const [place, line] of final.lines.entries()) if (place > 0) expect(line.from).toBe(final.lines[place - 1]!.to)
        // What was shown never goes down.
        for (const [place, cost] of shown.entries())
          if (place > 0) expect(cost.elecFen + cost.serviceFen).toBeGreaterThanOrEqual(shown[place - 1]!.elecFen + shown[place - 1]!.serviceFen)
      }),
    )
  })

  test('a charge that goes on from where it was costs what all of its readings together say, however they came', () => {
    // Registers that fall, begin again, stand still and begin with a nought, told by one or by several in a message.
    const told = fc.array(
      fc.record({
        afterS: fc.integer({ min: 1, max: 7_200 }),
        wh: fc.integer({ min: 0, max: 60_000 }),
        more: fc.integer({ min: -500, max: 30_000 }),
        jumps: fc.boolean(),
        ends: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(table, told, fc.integer({ min: 0, max: 400_000 }), (periods, steps, startWh) => {
        const by = { ratedW: 60_000, periods }
        const readings: Reading[] = [{ atMs: START_MS, wh: startWh }]
        let running: Running | null = runOn(null, readings, by)!
        let message: Reading[] = []
        for (const { afterS, wh, more, jumps, ends } of steps) {
          const { atMs, wh: was } = readings.at(-1)!
          readings.push({ atMs: atMs + afterS * 1000, wh: jumps ? wh : Math.max(0, was + more) })
          message.push(readings.at(-1)!)
          if (!ends) continue
          running = runOn(JSON.parse(JSON.stringify(running)) as Running, message, by)!
          message = []
          expect(costOfRunning(running, [])).toEqual(costOf(delivered(readings, by.ratedW).readings, { periods: [...periods], offers: [] }))
        }
      }),
    )
  })
  test('a reading that is not later than the last is no way on', () => {
    const by = { ratedW: 60_000, periods: [FLAT] }
    const running = runOn(
      null,
      [
        { atMs: 1_000, wh: 0 },
        { atMs: 2_000, wh: 5 },
      ],
      by,
    )!
    expect(runOn(running, [{ atMs: 2_000, wh: 9 }], by)).toBeUndefined()
    expect(runOn(null, [], by)).toBeNull()
  })

  test('between two readings the border has its part by time, rounded down', () => {
    const periods = [
      { ...FLAT, to: '08:00' },
      { ...FLAT, from: '08:00', kind: 2 as const, elecPriceE4: 9_000 },
    ]
    const lines = linesOf(
      [
        { atMs: at('07:50'), wh: 0 },
        { atMs: at('08:10'), wh: 10_001 },
      ],
      periods,
    )
    expect(lines.map(({ wh }) => wh)).toEqual([5_000, 5_001])
    expect(lines.map(({ elecFen }) => elecFen)).toEqual([300, 450])
  })

  test('a run goes over midnight where nothing changes', () => {
    const lines = linesOf(
      [
        { atMs: at('23:00'), wh: 0 },
        { atMs: at('23:00') + 7_200_000, wh: 10_000 },
      ],
      [{ ...FLAT }],
    )
    expect(lines).toHaveLength(1)
  })
})

describe('registers', () => {
  const read = (...pairs: [minute: number, wh: number][]) =>
    delivered(
      pairs.map(([minute, wh]) => ({ atMs: START_MS + minute * 60_000, wh })),
      60_000,
    )
  test('a nought before the meter was read is no baseline', () => expect(read([0, 0], [1, 500_000], [11, 508_000]).readings.at(-1)!.wh).toBe(8_000))
  test('an end alone beside a nought that is not believed tells of no energy: a person looks at it', () => {
    expect(read([0, 0], [9, 107_790])).toMatchObject({ sane: false, baseWh: null })
    expect(read([0, 0], [1, 107_700], [9, 107_790])).toMatchObject({ sane: true, baseWh: 107_700 })
    expect(read([0, 0], [9, 4_000])).toMatchObject({ sane: true, baseWh: 0 })
  })
  test('a register that begins again goes on', () =>
    expect(read([0, 900_000], [10, 908_000], [20, 4_000], [30, 6_000]).readings.at(-1)!.wh).toBe(14_000))
  test('a lower reading that is no new beginning counts nothing', () =>
    expect(read([0, 900_000], [10, 908_000], [11, 905_000], [12, 909_000]).readings.at(-1)!.wh).toBe(9_000))
  test('an end a little below what was read before is rounding, one far below is not believed', () => {
    expect(read([0, 900_000], [10, 908_000], [20, 907_999])).toMatchObject({ sane: true, readings: [{ wh: 0 }, { wh: 8_000 }] })
    expect(read([0, 900_000], [20, 500_000]).sane).toBe(false)
    expect(read([0, 900_000], [10, 908_000], [11, 500_000], [20, 909_000]).sane).toBe(true)
  })
  test('a reading that cannot be costs nothing while it charges, and those beside it count', () => {
    const stray = 9_007_199_254_740
    expect(read([0, 1_000], [1, 1_400], [2, stray]).readings.at(-1)!.wh).toBe(400)
    expect(read([0, 1_000], [1, stray], [2, 1_900])).toMatchObject({ sane: true, baseWh: 1_000 })
    expect(read([0, 1_000], [1, stray], [2, 1_900]).readings.at(-1)!.wh).toBe(900)
    expect(read([0, 1_000], [1, 1_400], [2, stray], [3, stray], [4, 1_900]).readings.at(-1)!.wh).toBe(900)
    const stuck = [
      [0, 1_000],
      [1, stray],
      [2, stray],
      [3, 1_900],
    ].map(([minute, wh]) => ({ atMs: START_MS + minute! * 60_000, wh: wh! }))
    expect(deliveredInAll(stuck, 60_000)).toMatchObject({ sane: true, baseWh: 1_000 })
    expect(deliveredInAll(stuck, 60_000).readings.at(-1)!.wh).toBe(900)
  })
  test('more than the pile can give is not believed', () => {
    expect(read([0, 1_000], [10, 9_000]).sane).toBe(true)
    expect(read([0, 1_000], [10, 9_000], [20, 90_000]).sane).toBe(false)
  })
})

describe('discounts', () => {
  const readings = [
    { atMs: at('09:00'), wh: 0 },
    { atMs: at('10:00'), wh: 40_000 },
  ]
  const offer = { elecPermille: 1000, thresholdFen: 0 as never, maxDiscountFen: null, createdAt: '2026-01-01T00:00:00.000Z' as Instant }
  const cost = (...offers: Parameters<typeof costOf>[1]['offers']) => costOf(readings, { periods: [FLAT], offers })
  test('the one best in fen is taken, of equal ones the user’s own', () => {
    const user = { ...offer, kind: OfferKind.user, sourceId: 'u', name: 'u', value: 900 }
    const activity = { ...offer, kind: OfferKind.service, sourceId: 'a', name: 'a', value: 900 }
    expect(cost(activity, user)).toMatchObject({ discountFen: 160, offer: { sourceId: 'u' } })
    expect(cost({ ...activity, value: 800 }, user)).toMatchObject({ discountFen: 320, offer: { sourceId: 'a' } })
  })
  test('none takes more than the service fee', () =>
    expect(cost({ ...offer, kind: OfferKind.reached, sourceId: 'a', name: 'a', value: 5_000 }).discountFen).toBe(1_600))
  test('below its threshold it takes nothing', () =>
    expect(cost({ ...offer, kind: OfferKind.reached, sourceId: 'a', name: 'a', value: 500, thresholdFen: 4_001 as never }).discountFen).toBe(0))
})

test('a bay is counted behind the free minutes and outside the quiet hours', () => {
  const rule = { idleGraceMin: 15, quietFrom: '23:00', quietTo: '07:00' }
  const day = Date.parse('2026-11-02T00:00:00+08:00')
  expect(occupiedMinutes(at('22:40'), day + (24 + 7) * 3_600_000 + 20 * 60_000, rule)).toBe(25)
  expect(occupiedMinutes(at('10:00'), at('10:15'), rule)).toBe(0)
  expect(occupiedMinutes(at('10:00'), at('10:20'), { ...rule, quietFrom: '00:00', quietTo: '00:00' })).toBe(5)
})

test('a table says every minute of the day once', () => {
  expect(flawOf([FLAT])).toBeUndefined()
  expect(
    flawOf([
      { ...FLAT, to: '08:00' },
      { ...FLAT, from: '08:30' },
    ])?.en,
  ).toContain('08:00')
  expect(flawOf([{ ...FLAT, to: '08:00' }])?.en).toContain('24:00')
  const many = Array.from({ length: 33 }, (_, place) => ({
    ...FLAT,
    from: clock(place),
    to: place === 32 ? '24:00' : clock(place + 1),
    elecPriceE4: place,
  }))
  expect(flawOf(many)?.en).toContain('32 price periods')
})
