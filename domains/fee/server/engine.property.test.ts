import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Band, Price, Tariff, Tier } from '../contract/tariff.ts'
import { type TableRule, type TableSegment, tariffOfTables } from './catalogue.ts'
import { civilOf } from './civil.ts'
import { compile } from './compiled.ts'
import { type Part, price } from './engine.ts'
import { lint } from './lint.ts'
import { mostFen } from './most.ts'

/** The mutants of the engine are tried with fewer. */
const RUNS = Number(process.env['PRICED'] ?? 1500)
/** The lint prices thousands of stays. */
const LINTED_RUNS = RUNS / 7.5
const start = civilOf('2026-03-02 00:00:00')!

/** Edges of a day that is cut into bands: 08:00, 20:00 … some of them not at full hours. */
const edges = fc
  .uniqueArray(
    fc.integer({ min: 0, max: 287 }).map((n) => n * 5),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.sort((a, b) => a - b))
const fen = fc.integer({ min: 0, max: 2000 })
const unitMin = fc.constantFrom(1, 5, 15, 20, 30, 60, 120, 240)
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 2 })

const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), fen), { minLength: 1, maxLength: 3 }).map((all) => {
  let upToMin = 0
  let totalFen = 0
  return all.map(([minutes, more]) => ({ upToMin: (upToMin += minutes), totalFen: (totalFen += more) }))
})
const tablePrice: fc.Arbitrary<TableSegment['price']> = fc.oneof(
  fc.constant({ mode: 0 as const }),
  fen.map((amountFen) => ({ mode: 1 as const, amountFen })),
  fc.record({ mode: fc.constant(2 as const), firstMin: orNull(unitMin), firstFen: fen, unitMin, unitFen: fen }),
  fc.record({ mode: fc.constant(3 as const), steps, overUnitMin: unitMin, overUnitFen: fen }),
)
const tableRule: fc.Arbitrary<TableRule> = edges.chain((cuts) =>
  fc.record({
    freeMin: fc.constantFrom(0, 10, 15, 30),
    freeMode: fc.constantFrom(1 as const, 2 as const),
    freeTimesPerDay: fc.constant(0),
    dayUnit: fc.constantFrom(1 as const, 2 as const, 3 as const),
    dayCutMin: fc.constantFrom(0, 240, 360),
    dayCapFen: orNull(fen),
    sessionCapFen: orNull(fen),
    unitAnchor: fc.constantFrom(1 as const, 2 as const),
    secondRule: fc.constantFrom(1 as const, 2 as const),
    segments: fc.tuple(
      ...cuts.map((fromMin, i) =>
        fc.record({
          fromMin: fc.constant(fromMin),
          toMin: fc.constant(cuts[(i + 1) % cuts.length]!),
          dayType: fc.constant(7),
          capFen: orNull(fen),
          price: tablePrice,
        }),
      ),
    ),
  }),
)

const tiers: fc.Arbitrary<Tier[]> = fc
  .array(fc.record({ units: fc.integer({ min: 1, max: 4 }), unitMin, priceE4: fen }), { minLength: 1, maxLength: 3 })
  .map((all) => {
    let to = 0
    return all.map(({ units, unitMin, priceE4 }, i) => ({ toMin: i === all.length - 1 ? null : (to += units * unitMin), unitMin, priceE4 }))
  })
const publishedPrice = (roundings: ('ceil' | 'floor' | 'exact')[]): fc.Arbitrary<Price> =>
  fc.oneof(
    fen.map((priceE4) => ({ by: 'visit' as const, priceE4 })),
    fc.record({ by: fc.constant('tiers' as const), tiers, rounding: fc.constantFrom(...roundings) }),
  )
const published = (roundings: ('ceil' | 'floor' | 'exact')[] = ['ceil']): fc.Arbitrary<Tariff> =>
  edges.chain((cuts) =>
    fc.record(
      {
        schema: fc.constant(1 as const),
        currency: fc.constant('CNY'),
        seconds: fc.constant('count' as const),
        clock: fc.constantFrom('segment', 'cycle', 'stay'),
        free: fc.record({ minutes: fc.constantFrom(10, 30, 60), inclusive: fc.boolean(), mode: fc.constantFrom('grace', 'deduct') }),
        bands: fc.tuple(
          ...cuts.map((fromMin, i) =>
            fc.record(
              {
                fromMin: fc.constant(fromMin),
                toMin: fc.constant(cuts[(i + 1) % cuts.length]!),
                days: fc.constantFrom({ mask: 7 }, { mask: 1 }, { weekdays: [1, 3, 6] }),
                price: publishedPrice(roundings),
                capE4: fen,
              },
              { requiredKeys: ['fromMin', 'toMin', 'days', 'price'] },
            ),
          ),
        ) as fc.Arbitrary<Band[]>,
        cycle: fc.record(
          {
            kind: fc.constantFrom('natural', 'rolling'),
            capsE4: fc.array(fen, { maxLength: 3 }).map((all) => all.sort((a, b) => a - b)),
            once: fc.boolean(),
            edge: fc.constant('restart'),
          },
          { requiredKeys: ['kind', 'capsE4', 'edge'] },
        ),
        factor: fc.constantFrom([1, 2] as const, [13, 10] as const, [1, 1] as const),
        round: fc.constantFrom('halfUpUnit', 'downCent'),
        stayCapE4: fen,
      },
      { requiredKeys: ['schema', 'currency', 'seconds', 'bands', 'clock'] },
    ),
  ) as fc.Arbitrary<Tariff>

/** The same with a price for a full 24 hours, of every size beside what units would cost. */
const withWholeDay = (tariffs: fc.Arbitrary<Tariff>): fc.Arbitrary<Tariff> =>
  fc.tuple(tariffs, fc.integer({ min: 0, max: 2_000_000 })).map(([tariff, wholeDayE4]) => ({ ...tariff, wholeDayE4 }))
const anyOwn = tableRule.map(tariffOfTables)
/** Each kind of day with bands and a cap of its own. */
const byDay: fc.Arbitrary<Tariff> = fc
  .tuple(published(), fc.array(fc.tuple(published(), fc.option(fen)), { minLength: 3, maxLength: 3 }))
  .map(([tariff, rules]) => ({
    ...tariff,
    bands: [],
    cycle: { kind: 'natural', capsE4: [], edge: 'restart' },
    days: rules.map(([{ bands }, capE4], i) => ({
      days: { mask: 2 ** i },
      bands: bands.map(({ days: _, ...band }) => band),
      ...(capE4 !== null && { capE4 }),
    })),
  }))
const anyTariff = fc.oneof(
  anyOwn,
  byDay,
  published(['ceil', 'floor', 'exact']),
  withWholeDay(anyOwn),
  withWholeDay(published(['ceil', 'floor', 'exact'])),
)
const second = fc.integer({ min: 0, max: 4 * 86_400 })

function priced(tariff: Tariff, entry: number, exit: number, covered: (readonly [number, number])[] = []) {
  const parts: Part[] = []
  const compiled = compile(tariff)
  return { ...price(compiled, { entry, exit, covered }, parts), parts }
}

describe('any tariff', () => {
  test('never asks more than it can: the bound is worked out apart, and is not far above what a long stay costs', () => {
    fc.assert(
      fc.property(
        anyTariff,
        second,
        second,
        fc.array(fc.tuple(second, fc.integer({ min: 0, max: 20_000 })), { maxLength: 2 }),
        (tariff, from, length, holes) => {
          const entry = start + from
          let after = 0
          const covered = holes
            .sort(([a], [b]) => a - b)
            .map(([at, long]) => {
              const begin = Math.max(entry + at, after)
              after = begin + long
              return [begin, after] as const
            })
          const { total } = priced(tariff, entry, entry + length, covered)
          expect(total / compile(tariff).scale / 100).toBeLessThanOrEqual(mostFen(tariff, Math.ceil(length / 60) + 1, covered.length + 1))
        },
      ),
      { numRuns: RUNS },
    )
    const hourly: Tariff = {
      schema: 1,
      currency: 'CNY',
      seconds: 'drop',
      clock: 'stay',
      bands: [{ fromMin: 0, toMin: 1440, days: { mask: 7 }, price: { by: 'unit', unitMin: 60, priceE4: 50_000, edge: 'carry' } }],
    }
    expect(mostFen(hourly, 600)).toBe(5_000 + 7 * 500)
    expect(mostFen({ ...hourly, cycle: { kind: 'rolling', capsE4: [250_000], edge: 'goOn' } }, 1440)).toBe(5_000)
    expect(mostFen({ ...hourly, stayCapE4: 100_000 }, 600)).toBe(1_000)
  })
  test('a fee is never negative, is whole inside, and its parts add up to it in the order of time', () => {
    fc.assert(
      fc.property(
        anyTariff,
        second,
        second,
        fc.array(fc.tuple(second, fc.integer({ min: 0, max: 20_000 })), { maxLength: 2 }),
        (tariff, from, length, holes) => {
          const entry = start + from
          let after = 0
          const covered = holes
            .sort(([a], [b]) => a - b)
            .map(([at, long]) => {
              const begin = Math.max(entry + at, after)
              after = begin + long
              return [begin, after] as const
            })
          const { total, parts } = priced(tariff, entry, entry + length, covered)
          expect(total).toBeGreaterThanOrEqual(0)
          expect(Number.isSafeInteger(total)).toBe(true)
          expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
          expect(price(compile(tariff), { entry, exit: entry + length, covered }).total).toBe(total)
          for (const part of parts) expect(part.to).toBeGreaterThanOrEqual(part.from)
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('the parts of time cover the stay without overlap', () => {
    fc.assert(
      fc.property(anyTariff, second, second, (tariff, from, length) => {
        const whole = Math.floor(length / 60) * 60
        const entry = start + Math.floor(from / 60) * 60
        let at = entry
        for (const { kind, from, to } of priced(tariff, entry, entry + whole).parts) {
          if (kind === 'factor' || kind === 'rounding') continue
          expect(from).toBe(at)
          at = to
        }
        if (whole) expect(at).toBe(entry + whole)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('tariffs that charge started units', () => {
  const never = (tariffs: fc.Arbitrary<Tariff>, numRuns = RUNS) =>
    fc.assert(
      fc.property(tariffs, second, second, fc.integer({ min: 0, max: 90_000 }), (tariff, from, length, more) => {
        const entry = start + from
        const shorter = priced(tariff, entry, entry + length).total
        expect(priced(tariff, entry, entry + length + more).total).toBeGreaterThanOrEqual(shorter)
      }),
      { numRuns },
    )
  test('of the console’s tables: the fee never falls as exit grows', () => never(anyOwn))
  test('with a price for a full 24 hours: the fee never falls unless the lint says so', () =>
    never(
      withWholeDay(fc.oneof(anyOwn, published())).filter((tariff) => !lint(tariff).some(({ code }) => code === 'wholeDay')),
      LINTED_RUNS,
    ))
  test('with rules for each kind of day: the fee never falls as exit grows', () => never(byDay))
  test('of published form: the fee never falls as exit grows', () => never(published()))
})
