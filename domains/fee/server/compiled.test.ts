import { describe, expect, test } from 'vitest'
import { type Band, EVERY_DAY, type Price, type Rate, type Tariff } from '../contract/tariff.ts'
import { dayNumber } from './civil.ts'
import { compile, NO_CAP } from './compiled.ts'

/** A tariff is compiled before anything is priced. */

const band = (price: Price, more: Partial<Band> = {}): Band => ({ fromMin: 0, toMin: 1440, days: { mask: EVERY_DAY }, price, ...more })
const hourly = (priceE4: Rate = 50_000, more: object = {}): Price => ({ by: 'unit', unitMin: 60, priceE4, edge: 'carry', ...more })
const tiers = (rounding: 'ceil' | 'exact', priceE4: Rate): Price => ({ by: 'tiers', rounding, tiers: [{ toMin: null, unitMin: 60, priceE4 }] })
const made = (more: Partial<Tariff> = {}) =>
  compile({ schema: 1, currency: 'CNY', seconds: 'count', bands: [band(hourly())], clock: 'stay', ...more })
const third: Rate = [10_000, 3]
const alike = { fromMin: 0, toMin: 1440, price: hourly() }

test.each<[string, Partial<Tariff>, number]>([
  ['whole prices', {}, 1],
  ['the cap of a band', { bands: [band(hourly(), { capE4: third })] }, 3],
  ['a visit', { bands: [band({ by: 'visit', priceE4: third })] }, 3],
  ['a unit', { bands: [band(hourly(third))] }, 3],
  ['the first unit', { bands: [band(hourly(50_000, { first: { min: 30, priceE4: third } }))] }, 3],
  ['a tier', { bands: [band(tiers('ceil', third))] }, 3],
  ['a tier by the second: 5 yuan are 125/9 a second', { bands: [band(tiers('exact', 50_000))] }, 9],
  ['the cap of a cycle', { cycle: { kind: 'natural', capsE4: [third], edge: 'goOn' } }, 3],
  ['the cap of a calendar day', { days: [{ days: { mask: EVERY_DAY }, bands: [alike], capE4: third }] }, 3],
  ['a row of a table', { table: [{ toMin: 60, priceE4: third }] }, 3],
  ['a full day', { wholeDayE4: third }, 3],
  ['the cap of the stay', { stayCapE4: third }, 3],
  ['several of them', { wholeDayE4: [1, 2], stayCapE4: third }, 6],
  ['a factor', { factor: [13, 10] }, 10],
  ['as fine as can be', { wholeDayE4: [1, 1_000_000] }, 1_000_000],
])('%s: money is whole in the smallest parts that do', (_, more, scale) => expect(made(more).scale).toBe(scale))
test('finer prices than whole numbers hold are refused', () => expect(() => made({ wholeDayE4: [1, 1_000_001] })).toThrow(RangeError))

test('what a tariff does not say has no effect', () => {
  expect(made()).toMatchObject({
    cycle: 'none',
    cutSec: 0,
    restarts: false,
    caps: [],
    capOf: undefined,
    once: false,
    wholeDay: undefined,
    stayCap: NO_CAP,
    freeSec: 0,
    table: undefined,
    factor: [1, 1],
  })
  expect(made({ cycle: { kind: 'cut', capsE4: [1], edge: 'goOn' }, free: { minutes: 15, inclusive: true, mode: 'grace' } })).toMatchObject({
    cutSec: 0,
    freeSec: 900,
  })
})

test('each sort of price, and nothing of the others', () => {
  const first = { min: 30, priceE4: 20_000 }
  const plain = {
    cap: NO_CAP,
    wraps: false,
    allDay: true,
    price: 0,
    unit: 0,
    carries: false,
    firstUnit: 0,
    firstPrice: 0,
    rounding: 'ceil',
    tierTo: [],
    tierUnit: [],
    tierPrice: [],
  }
  expect(
    made({ bands: [band(hourly(50_000, { first })), band({ by: 'visit', priceE4: 7 }), band(tiers('exact', 3_600)), band({ by: 'free' })] }).bands,
  ).toEqual([
    { ...plain, by: 'unit', price: 50_000, unit: 3_600, carries: true, firstUnit: 1_800, firstPrice: 20_000 },
    { ...plain, by: 'visit', price: 7 },
    { ...plain, by: 'tiers', rounding: 'exact', tierTo: [NO_CAP], tierUnit: [3_600], tierPrice: [1] },
    { ...plain, by: 'free' },
  ])
})

describe('the clocks of the days', () => {
  const night = (days: Band['days'], more: object = {}) => band(hourly(), { fromMin: 1200, toMin: 480, days, ...more })
  test('are one where all days are alike', () => {
    const { clocks, clockOf, bands } = made({ bands: [night({ mask: EVERY_DAY })] })
    expect(clockOf).toBeUndefined()
    expect(clocks).toEqual([{ starts: [0, 28_800, 72_000, 86_400], bands: [0, -1, 0] }])
    expect(bands[0]).toMatchObject({ wraps: true, allDay: false })
    expect(made({ bands: [night({ mask: EVERY_DAY }, { toMin: 1440 })] }).bands[0]).toMatchObject({ wraps: false, allDay: false })
    expect(made({ bands: [night({ mask: EVERY_DAY }, { toMin: 0 })] }).bands[0]).toMatchObject({ wraps: false, allDay: false })
    expect(made({ bands: [night({ mask: EVERY_DAY }, { toMin: 1200 })] }).clocks).toEqual([{ starts: [0, 86_400], bands: [0] }])
    expect(made({ days: [{ days: { mask: EVERY_DAY }, bands: [alike] }] }).clockOf).toBeUndefined()
    expect(made({ bands: [night({ mask: EVERY_DAY }, { toMin: 1200 })] }).bands[0]).toMatchObject({ wraps: true, allDay: true })
    expect(made({ bands: [night({ mask: EVERY_DAY }, { fromMin: 480, toMin: 1200 })] }).bands[0]).toMatchObject({ wraps: false, allDay: false })
    expect(made({ bands: [night({ mask: EVERY_DAY }, { toMin: 1440 })] }).clocks).toEqual([{ starts: [0, 72_000, 86_400], bands: [-1, 0] }])
  })
  test('of two rules for every day the second has none', () => {
    const rule = (fromMin: number) => ({ days: { mask: EVERY_DAY }, bands: [{ ...alike, fromMin, toMin: 1440 }] })
    const { clocks, clockOf } = made({ days: [rule(600), rule(300)] })
    expect(clocks[clockOf!(dayNumber('2026-03-06'), undefined)]).toEqual({ starts: [0, 36_000, 86_400], bands: [-1, 0] })
  })
  test('differ by kind of day, by weekday and by date', () => {
    const clockOn = (days: Band['days'], date: string) => {
      const { clocks, clockOf } = made({ bands: [band(hourly(), { days })] })
      return [clockOf!(dayNumber(date), undefined), clocks[clockOf!(dayNumber(date), undefined)]!.bands, clocks.length]
    }
    expect(clockOn({ mask: 1 }, '2026-03-06')).toEqual([4, [0], 21])
    expect(clockOn({ mask: 1 }, '2026-03-07')).toEqual([12, [-1], 21])
    expect(clockOn({ weekdays: [7] }, '2026-03-08')).toEqual([13, [0], 21])
    expect(clockOn({ weekdays: [7] }, '2026-03-07')).toEqual([12, [-1], 21])
    expect(clockOn({ dates: ['2026-03-09', '2026-03-08'] }, '2026-03-08')).toEqual([21, [0], 22])
    expect(clockOn({ dates: ['2026-03-09'] }, '2026-03-08')).toEqual([13, [-1], 21])
  })
  test('on a day that no rule is for nothing is charged; each rule has its own cap', () => {
    const { clocks, clockOf, capOf } = made({
      days: [
        { days: { mask: 1 }, bands: [alike], capE4: 9 },
        { days: { dates: ['2026-03-08'] }, bands: [alike] },
      ],
    })
    const [friday, saturday, sunday] = ['2026-03-06', '2026-03-07', '2026-03-08'].map(dayNumber) as [number, number, number]
    expect([friday, saturday, sunday].map((day) => clocks[clockOf!(day, undefined)]!.bands)).toEqual([[0], [-1], [0]])
    expect([friday, saturday, sunday].map((day) => capOf!(day, undefined))).toEqual([9, NO_CAP, NO_CAP])
  })
})
