import { describe, expect, test } from 'vitest'
import { calendarOf, compile } from './compiled.ts'
import { civilOf, civilText } from './civil.ts'
import { type Asked, type Part, price } from './engine.ts'
import { tariffOfPublished } from './published.ts'
import { type TableRule, tariffOfTables } from './catalogue.ts'

/** Besides amounts, lines tell where a cap begins to hold, why nothing is due, which days a band is for. */

const at = (written: string) => civilOf(`2026-${written}`)!
const tiers = (unitMin: number, price: number) => [{ toMin: null, unitMin, price }]
function asked(published: object, entry: string, exit: string, more: Partial<Asked> = {}) {
  const compiled = compile(tariffOfPublished(published))
  const parts: Part[] = []
  const { total, ...why } = price(compiled, { entry: at(entry), exit: at(exit), ...more }, parts)
  const unit = 10_000 * compiled.scale
  const lines = parts.map((part) => ({
    ...part,
    from: civilText(part.from).slice(5, 16),
    to: civilText(part.to).slice(5, 16),
    cappedFrom: civilText(part.cappedFrom).slice(5, 16),
    amount: part.amount / unit,
    full: part.full / unit,
  }))
  return { total: total / unit, ...why, lines }
}
const allDay = { segments: [{ from: '00:00', to: '24:00', tiers: tiers(60, 5) }], tierClock: 'cycle', cycle: { type: 'rolling24h', caps: [20] } }

describe('caps', () => {
  test('hold from the end of the last unit that was paid in part', () => {
    expect(asked(allDay, '03-04 08:00', '03-04 14:00').lines).toMatchObject([
      { units: 6, full: 30, amount: 20, cappedBy: 'day', cappedFrom: '03-04 12:00' },
    ])
    const odd = { ...allDay, cycle: { type: 'rolling24h', caps: [18] } }
    expect(asked(odd, '03-04 08:00', '03-04 14:00').lines).toMatchObject([{ amount: 18, cappedFrom: '03-04 12:00' }])
  })
  test('that are just reached cut nothing and are not named', () => {
    expect(asked(allDay, '03-04 08:00', '03-04 12:00').lines).toMatchObject([{ full: 20, amount: 20, cappedBy: null, cappedFrom: '03-04 12:00' }])
    const band = { segments: [{ from: '08:00', to: '20:00', tiers: tiers(60, 5), cap: 20 }] }
    expect(asked(band, '03-04 08:00', '03-04 12:00').lines).toMatchObject([{ amount: 20, cappedBy: null }])
  })
  test('already reached hold from the start, and one of a proportional price to the second', () => {
    const night = {
      segments: [
        { from: '08:00', to: '20:00', tiers: tiers(60, 5) },
        { from: '20:00', to: '08:00', tiers: tiers(60, 1) },
      ],
      cycle: { type: 'rolling24h', caps: [10] },
    }
    expect(asked(night, '03-04 17:00', '03-04 23:00').lines).toMatchObject([
      { amount: 10, cappedBy: 'day', cappedFrom: '03-04 19:00' },
      { amount: 0, cappedBy: 'day', cappedFrom: '03-04 20:00' },
    ])
    const exact = {
      segments: [{ from: '00:00', to: '24:00', tiers: tiers(60, 6), rounding: 'exact' }],
      tierClock: 'stay',
      cycle: { type: 'rolling24h', caps: [9] },
    }
    expect(asked(exact, '03-04 08:00', '03-04 10:00').lines).toMatchObject([{ kind: 'rate', amount: 9, cappedFrom: '03-04 09:30' }])
  })
  test('over something free are not reached by it', () => {
    const free = {
      segments: [
        {
          from: '00:00',
          to: '24:00',
          tiers: [
            { toMin: 120, unitMin: 120, price: 0 },
            { toMin: null, unitMin: 60, price: 5 },
          ],
        },
      ],
      tierClock: 'cycle',
      cycle: { type: 'rolling24h', caps: [0] },
    }
    expect(asked(free, '03-04 08:00', '03-04 11:00').lines).toMatchObject([
      { cappedBy: null },
      { amount: 0, cappedBy: 'day', cappedFrom: '03-04 10:00' },
    ])
  })
})

describe('why nothing is due', () => {
  const day = { segments: [{ from: '08:00', to: '20:00', tiers: tiers(60, 5) }] }
  test.each([
    ['noTime', '03-04 09:00', '03-04 09:00', {}],
    ['noTime', '03-04 09:00', '03-04 08:00', {}],
    ['notCharged', '03-04 20:00', '03-05 08:00', {}],
    ['covered', '03-04 09:00', '03-04 12:00', { covered: [[at('03-04 09:00'), at('03-04 12:00')]] as const }],
    [null, '03-04 19:59', '03-04 20:30', {}],
  ])('%s', (reason, entry, exit, more) => expect(asked(day, entry, exit, more).freeReason).toBe(reason))
  test('a cap or a price of nothing is no such reason, the fee was worked out', () => {
    expect(asked({ ...day, cycle: { type: 'naturalDay', caps: [0] } }, '03-04 09:00', '03-04 10:00')).toMatchObject({ total: 0, freeReason: null })
  })
})

describe('covered time', () => {
  test('stands among the lines in its place, and what has no length is none', () => {
    const covered = [
      [at('03-04 09:00'), at('03-04 10:00')],
      [at('03-04 10:30'), at('03-04 10:30')],
    ] as const
    const { lines } = asked({ segments: [{ from: '00:00', to: '24:00', tiers: tiers(60, 5) }] }, '03-04 08:00', '03-04 11:00', { covered })
    expect(lines.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['units', '03-04 08:00', '03-04 09:00'],
      ['covered', '03-04 09:00', '03-04 10:00'],
      ['units', '03-04 10:00', '03-04 11:00'],
    ])
  })
  test('in part of a minute covers the minute where seconds do not count', () => {
    const rule: TableRule = {
      freeMin: 0,
      freeMode: 1,
      freeTimesPerDay: 0,
      dayUnit: 1,
      dayCutMin: 0,
      dayCapFen: null,
      sessionCapFen: null,
      unitAnchor: 1,
      secondRule: 1,
      segments: [{ fromMin: 0, toMin: 1440, dayType: 7, capFen: null, price: { mode: 2, firstMin: null, firstFen: null, unitMin: 1, unitFen: 1 } }],
    }
    const covered = [[at('03-04 09:10:30'), at('03-04 09:20:30')]] as const
    expect(price(compile(tariffOfTables(rule)), { entry: at('03-04 09:00'), exit: at('03-04 10:00'), covered }).total / 100).toBe(60 - 11)
  })
})

describe('days', () => {
  const byDay = {
    segments: [
      { from: '00:00', to: '24:00', days: 'workday', tiers: tiers(60, 2), cap: 10 },
      { from: '00:00', to: '24:00', days: 'nonworkday', tiers: tiers(60, 3), cap: 12 },
    ],
    cycle: { type: 'rolling24h', caps: [100] },
  }
  test('a band of whole days has one occurrence in 24 hours from entry, cut where the kind of day changes', () => {
    // Friday 20:00: four hours of workday, then Saturday until its own cap; the next 24 hours are Saturday and Sunday, one occurrence.
    expect(asked(byDay, '03-06 20:00', '03-07 02:30').lines).toMatchObject([
      { units: 4, amount: 8 },
      { units: 3, amount: 9 },
    ])
    expect(asked(byDay, '03-06 20:00', '03-07 21:00').lines.map(({ amount }) => amount)).toEqual([8, 12, 3])
    expect(asked(byDay, '03-07 20:00', '03-08 20:00').total).toBe(12)
    // Sunday night to Monday: the weekend's occurrence ends at midnight, the workday's begins there.
    expect(asked(byDay, '03-08 20:00', '03-09 20:00').lines).toMatchObject([
      { band: 1, units: 4, amount: 12 },
      { band: 0, units: 20, amount: 10 },
    ])
  })
  test('a night over two kinds of day is cut at midnight for its cap, and is one where both have it', () => {
    const nights = {
      segments: [
        { from: '20:00', to: '08:00', days: 'workday', tiers: tiers(60, 2), cap: 6 },
        { from: '20:00', to: '08:00', days: 'nonworkday', tiers: tiers(60, 3), cap: 9 },
      ],
    }
    expect(asked(nights, '03-05 20:00', '03-06 08:00').total).toBe(6)
    expect(asked(nights, '03-06 20:00', '03-07 08:00').lines.map(({ amount }) => amount)).toEqual([6, 9])
    // Coming after midnight is the same occurrence as the evening before it, and has no other cap.
    expect(asked(nights, '03-06 01:00', '03-06 21:00').lines.map(({ amount }) => amount)).toEqual([6, 0, 2])
  })
  test('of a year whose holidays are not known are plain, and it is said', () => {
    const calendar = calendarOf({ holidays: ['2026-03-04'], workdays: [], years: [2026] })
    expect(asked(byDay, '03-04 09:00', '03-04 10:00', { calendar })).toMatchObject({ total: 3, unknownYear: false })
    const [entry, exit] = [civilOf('2026-12-31 23:00')!, civilOf('2027-01-01 01:00')!]
    expect(asked(byDay, '12-31 23:00', '12-31 23:30', { calendar, exit })).toMatchObject({ unknownYear: true })
    expect(asked(byDay, '12-31 23:00', '12-31 23:30', { calendar, entry })).toMatchObject({ unknownYear: false })
  })
})

test('the upper edge of a row of a table belongs to the row', () => {
  const table = {
    table: [
      { toMin: 30, price: 5.3 },
      { toMin: 60, price: 8.5 },
    ],
  }
  expect(['09:30:00', '09:30:01', '10:00:00', '10:00:01', '10:30:01'].map((exit) => asked(table, '03-04 09:00:00', `03-04 ${exit}`).total)).toEqual([
    5.3, 8.5, 8.5, 11.7, 14.9,
  ])
})

test('units not full are dropped also where they run on over bands, once for all of them', () => {
  const floor = { segments: [{ from: '08:00', to: '20:00', tiers: tiers(60, 5), rounding: 'floor' }], tierClock: 'stay' }
  // 30 minutes in the evening and 40 in the morning are one full unit.
  expect(asked(floor, '03-04 19:30', '03-05 08:40').total).toBe(5)
  expect(asked(floor, '03-04 19:30', '03-05 08:29').total).toBe(0)
})

test('a visit is paid once for its occurrence, also when its middle is covered', () => {
  const visit = { segments: [{ from: '08:00', to: '22:00', perEntry: 5 }] }
  const covered = [[at('03-04 10:00'), at('03-04 11:00')]] as const
  expect(asked(visit, '03-04 09:00', '03-04 12:00', { covered }).lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['visit', 5],
    ['covered', 0],
    ['running', 0],
  ])
})

test('free minutes that are never charged shorten what a table is asked for', () => {
  const table = {
    table: [
      { toMin: 30, price: 1 },
      { toMin: 60, price: 2 },
    ],
    free: { minutes: 30, inclusive: true, mode: 'deduct' },
  }
  expect(['09:30', '10:00', '10:01'].map((exit) => asked(table, '03-04 09:00', `03-04 ${exit}`).total)).toEqual([0, 1, 2])
})

test('hours said to be free and hours that nobody spoke of are told apart', () => {
  const rule = compile({
    schema: 1,
    currency: 'CNY',
    seconds: 'count',
    clock: 'segment',
    bands: [
      { fromMin: 0, toMin: 480, days: { mask: 7 }, price: { by: 'free' } },
      { fromMin: 480, toMin: 1200, days: { mask: 7 }, price: { by: 'visit', priceE4: 1 } },
    ],
  })
  const parts: Part[] = []
  price(rule, { entry: at('03-04 07:00'), exit: at('03-04 21:00') }, parts)
  expect(parts.map(({ kind }) => kind)).toEqual(['free', 'visit', 'notCharged'])
})

test('a full unit that runs over the night counts from the start of its own tier', () => {
  const tiers = [
    { toMin: 45, unitMin: 15, price: 1 },
    { toMin: null, unitMin: 60, price: 5 },
  ]
  const floor = { segments: [{ from: '08:00', to: '20:00', tiers, rounding: 'floor' }], tierClock: 'stay' }
  // 70 minutes in the evening: three quarters, 25 minutes of an hour that is full 35 minutes into the morning.
  expect(asked(floor, '03-04 18:50', '03-05 08:34').total).toBe(3)
  expect(asked(floor, '03-04 18:50', '03-05 08:35').total).toBe(8)
})

test('a stay that ends with the year does not meet the next', () => {
  const calendar = calendarOf({ holidays: [], workdays: [], years: [2026] })
  const days = { segments: [{ from: '00:00', to: '24:00', days: 'workday', perEntry: 1 }] }
  const exit = civilOf('2027-01-01 00:00:00')!
  expect(asked(days, '12-31 23:00', '12-31 23:00', { calendar, exit }).unknownYear).toBe(false)
  expect(asked(days, '12-31 23:00', '12-31 23:00', { calendar, exit: exit + 1 }).unknownYear).toBe(true)
})
