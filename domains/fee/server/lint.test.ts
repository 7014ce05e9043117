import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import type { Tariff } from '../contract/tariff.ts'
import { dayNumber } from './civil.ts'
import { lint } from './lint.ts'
import { tariffOfPublished } from './published.ts'

/** A Wednesday; the holidays of 2026 are known, with the first of May among them. */
const around = {
  at: '2026-04-29T02:00:00.000Z' as Instant,
  calendar: { holidays: new Set([dayNumber('2026-05-01')]), workdays: new Set<number>(), years: new Set([2026]) },
}
const tiers = (...all: [toMin: number | null, unitMin: number, price: number][]) => all.map(([toMin, unitMin, price]) => ({ toMin, unitMin, price }))
const ALL_DAY = { from: '00:00', to: '24:00' }
const said = (document: object, more: object = {}) => lint(tariffOfPublished(document), { ...around, ...more })
const codes = (document: object, more: object = {}) => said(document, more).map(({ code }) => code)

describe('a step that nobody ever pays', () => {
  test('because its segment is over before it begins', () => {
    const short = {
      segments: [
        { from: '08:00', to: '10:00', tiers: tiers([60, 30, 2], [180, 60, 3], [null, 60, 5]) },
        { from: '10:00', to: '08:00', perEntry: 1 },
      ],
    }
    const [found, ...more] = said(short)
    expect(more).toEqual([])
    expect(found).toMatchObject({
      ...{ level: 'warning', code: 'step', minute: 480, zh: '08:00–10:00 的第 3 档（停满 180 分钟起）永远收不到：时段只有 120 分钟' },
      en: 'Step 3 of 08:00–10:00 (from 180 minutes on) is never billed: the band lasts only 120 minutes',
      // Two half hours and one more hour; then the visit.
      examples: [
        { from: '2026-04-29T00:00:00.000Z', to: '2026-04-29T02:00:00.000Z', feeFen: 700 },
        { from: '2026-04-29T00:00:00.000Z', to: '2026-04-29T04:00:00.000Z', feeFen: 800 },
        { from: '2026-04-29T00:00:00.000Z', feeFen: 800 },
      ],
    })
  })
  test('because a cap is reached before it; one fen more, and it is charged', () => {
    const capped = (cap: number) => ({ segments: [{ ...ALL_DAY, tiers: tiers([120, 60, 5], [null, 60, 2]), cap }], tierClock: 'segment' })
    expect(codes(capped(10))).toEqual(['step'])
    expect(codes(capped(10.01))).toEqual([])
    const byDay = (cap: number) => ({
      segments: [{ ...ALL_DAY, tiers: tiers([120, 60, 5], [null, 60, 2]) }],
      tierClock: 'cycle',
      cycle: { type: 'rolling24h', caps: [cap] },
    })
    expect(codes(byDay(10))).toEqual(['step'])
    expect(codes(byDay(11))).toEqual([])
  })
  test('is not said of one that only some stays meet, nor of one that costs nothing', () => {
    const late = {
      segments: [
        { from: '08:00', to: '20:00', tiers: tiers([660, 60, 1], [null, 60, 9]) },
        { from: '20:00', to: '08:00', tiers: tiers([null, 60, 1]) },
      ],
    }
    expect(codes(late)).toEqual([])
    expect(codes({ segments: [{ ...ALL_DAY, tiers: tiers([60, 60, 4], [120, 60, 0], [null, 60, 4]) }] })).toEqual([])
    const over = { ...late, tierClock: 'stay' }
    expect(codes(over)).toEqual([])
  })
  test('by days: only where it is never met on any of them', () => {
    const byDay = {
      days: [
        { on: 'workday', segments: [{ ...ALL_DAY, tiers: tiers([60, 60, 4], [null, 60, 2]) }], cap: 4 },
        { on: 'nonworkday', segments: [{ ...ALL_DAY, tiers: tiers([60, 60, 4], [null, 60, 2]) }] },
      ],
      cycle: { type: 'naturalDay', caps: [] },
    }
    expect(codes(byDay)).toEqual([])
  })
  test('is looked for within bounds, whatever the document holds', () => {
    const many = Array.from({ length: 200 }, (_, i) => [(i + 1) * 7, 7, 1] as [number, number, number])
    const large = { segments: [{ ...ALL_DAY, tiers: tiers(...many, [null, 7, 1]) }], tierClock: 'stay' }
    const began = process.cpuUsage()
    said(large)
    const { user } = process.cpuUsage(began)
    expect(user / 1000).toBeLessThan(200)
  })
})

describe('a year whose holidays are not known', () => {
  const kinds = {
    segments: [
      { ...ALL_DAY, days: 'workday', perEntry: 1 },
      { ...ALL_DAY, days: 'nonworkday', perEntry: 2 },
    ],
  }
  test('is named sixty days ahead, with what its holidays would cost', () => {
    const at = '2026-11-10T02:00:00.000Z' as Instant
    expect(said(kinds, { at })).toMatchObject([
      {
        level: 'warning',
        code: 'holidays',
        zh: expect.stringContaining('2027 年的节假日还没有录入'),
        en: expect.stringContaining('The holidays of 2027'),
        // Friday 1 January, Saturday 1 May, Friday 1 October: by the weekday alone.
        examples: [{ from: '2027-01-01T02:00:00.000Z', feeFen: 100 }, { from: '2027-05-01T02:00:00.000Z', feeFen: 200 }, { feeFen: 100 }],
      },
    ])
    expect(codes(kinds)).toEqual([])
    expect(codes(kinds, { at, to: '2026-12-31T16:00:00.000Z' })).toEqual([])
    expect(codes(kinds, { from: '2028-01-01T00:00:00.000Z' })).toEqual(['holidays'])
  })
  test('matters only where kinds of day do', () => {
    const at = '2026-12-30T02:00:00.000Z' as Instant
    expect(codes({ segments: [{ ...ALL_DAY, perEntry: 1 }] }, { at })).toEqual([])
    expect(
      codes(
        {
          segments: [
            { ...ALL_DAY, days: [6, 7], perEntry: 2 },
            { ...ALL_DAY, days: [1, 2, 3, 4, 5], perEntry: 1 },
          ],
        },
        { at },
      ),
    ).toEqual([])
  })
})

describe('the stays that show what was found', () => {
  const hourly = (fromMin: number, toMin: number): Tariff['bands'][0] => ({
    fromMin,
    toMin,
    days: { mask: 7 },
    price: { by: 'unit', unitMin: 60, priceE4: 10_000, edge: 'cut' },
  })
  const plain: Tariff = { schema: 1, currency: 'CNY', seconds: 'count', clock: 'segment', bands: [] }
  const of = (tariff: Tariff, code: string) => lint(tariff, around).find((one) => one.code === code)!
  test('a gap: before it, into it, all of it', () => {
    const { examples } = of({ ...plain, bands: [hourly(0, 600), hourly(720, 1440)] }, 'gap')
    expect(examples).toEqual([
      { from: '2026-04-29T01:00:00.000Z', to: '2026-04-29T02:00:00.000Z', feeFen: 100 },
      { from: '2026-04-29T01:00:00.000Z', to: '2026-04-29T03:00:00.000Z', feeFen: 100 },
      { from: '2026-04-29T02:00:00.000Z', to: '2026-04-29T04:00:00.000Z', feeFen: 0 },
    ])
  })
  test('an overlap, and a fee that falls', () => {
    expect(of({ ...plain, bands: [hourly(0, 900), hourly(840, 1440)] }, 'overlap').examples).toHaveLength(3)
    const falls = of({ ...plain, bands: [hourly(0, 1440)], wholeDayE4: 100_000 }, 'wholeDay')
    expect(falls.examples.map(({ feeFen }) => feeFen)).toEqual([2500, 1000, 1100])
  })
  test('none where nothing can be priced', () => {
    expect(lint(plain, around)).toMatchObject([{ code: 'empty', examples: [] }, { code: 'gap' }])
    expect(lint({ ...plain, bands: [hourly(0, 1440)], table: [{ toMin: 60, priceE4: [1, 1_000_003] }] }, around)).toMatchObject([
      { code: 'scale', examples: [] },
    ])
  })
})
