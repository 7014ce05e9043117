import { expect, test } from 'vitest'
import { type Band, EVERY_DAY, type Price, type Tariff } from '../contract/tariff.ts'
import { civilOf, DAY_SECONDS } from './civil.ts'
import { compile } from './compiled.ts'
import { type Asked, type Part, price } from './engine.ts'

/** Every part of an amount in all that it says. Prices are in whole numbers here, the scale is one. */

const band = (price: Price, more: Partial<Band> = {}): Band => ({ fromMin: 0, toMin: 1440, days: { mask: EVERY_DAY }, price, ...more })
const HOURLY: Extract<Price, { by: 'unit' }> = { by: 'unit', unitMin: 60, priceE4: 5, edge: 'cut' }
const at = (clock: string) => civilOf(`2026-03-04 ${clock}:00`)!
const part = (kind: Part['kind'], from: number, to: number, more: Partial<Part> = {}): Part => ({
  kind,
  from,
  to,
  band: -1,
  units: 0,
  unitSec: 0,
  price: 0,
  full: 0,
  amount: 0,
  cappedBy: null,
  cappedFrom: to,
  cycle: 0,
  ...more,
})
const units = (from: number, to: number, amount: number, more: Partial<Part> = {}) =>
  part('units', from, to, { band: 0, units: 1, unitSec: 3600, price: 5, full: amount, amount, ...more })
function asked(more: Partial<Tariff>, stay: Asked) {
  const parts: Part[] = []
  const compiled = compile({ schema: 1, currency: 'CNY', seconds: 'count', bands: [band(HOURLY)], clock: 'stay', ...more })
  const priced = price(compiled, stay, parts)
  expect(price(compiled, stay)).toEqual(priced) // alike without its reasons
  return { priced, parts }
}
const plain = { freeReason: null, unknownYear: false, wholeDays: 0 }
const free = (mode: 'grace' | 'deduct', more: object = {}) => ({ minutes: 30, inclusive: true, mode, ...more })

test('no time, and time that something else has paid for', () => {
  expect(asked({}, { entry: at('10:00'), exit: at('10:00') })).toEqual({ priced: { ...plain, total: 0, freeReason: 'noTime' }, parts: [] })
  expect(asked({}, { entry: at('10:00'), exit: at('11:00'), covered: [[at('09:00'), at('12:00')]] })).toEqual({
    priced: { ...plain, total: 0, freeReason: 'covered' },
    parts: [part('covered', at('10:00'), at('11:00'))],
  })
})

test('free minutes around time that is covered, in the order of time', () => {
  const covered = [[at('10:10'), at('10:20')]] as const
  expect(asked({ free: free('grace') }, { entry: at('10:00'), exit: at('10:35'), covered })).toEqual({
    priced: { ...plain, total: 0, freeReason: 'withinFree' },
    parts: [part('grace', at('10:00'), at('10:10')), part('covered', at('10:10'), at('10:20')), part('grace', at('10:20'), at('10:35'))],
  })
})

test('minutes that are never charged begin where the covered time ends', () => {
  const covered = [[at('10:00'), at('10:20')]] as const
  expect(asked({ free: free('deduct') }, { entry: at('10:00'), exit: at('11:20'), covered })).toEqual({
    priced: { ...plain, total: 5 },
    parts: [part('covered', at('10:00'), at('10:20')), part('grace', at('10:20'), at('10:50')), units(at('10:50'), at('11:20'), 5)],
  })
})

test.each([
  ['at the limit', free('grace', { inclusive: false }), {}],
  ['who had them today', free('grace', { timesPerDay: 1 }), { freeUsed: 1 }],
  ['who came on something that paid', free('grace'), { freeGone: true }],
])('%s: no free minutes', (_, given, more) => {
  expect(asked({ free: given }, { entry: at('10:00'), exit: at('10:30'), ...more }).priced).toEqual({ ...plain, total: 5 })
})
test('one free time a day is there for the first', () => {
  expect(asked({ free: free('grace', { timesPerDay: 1 }) }, { entry: at('10:00'), exit: at('10:30') }).priced.freeReason).toBe('withinFree')
})

test('full days at a price of their own under the cap of the stay', () => {
  const [entry, exit] = [at('10:00'), at('10:30') + 2 * DAY_SECONDS]
  const days = { band: -1, units: 2, unitSec: DAY_SECONDS, price: 30, full: 60 }
  expect(asked({ wholeDayE4: 30 }, { entry, exit })).toEqual({
    priced: { ...plain, total: 65, wholeDays: 2 },
    parts: [part('wholeDay', entry, entry + 2 * DAY_SECONDS, { ...days, amount: 60 }), units(entry + 2 * DAY_SECONDS, exit, 5)],
  })
  expect(asked({ wholeDayE4: 30, stayCapE4: 20 }, { entry, exit })).toEqual({
    priced: { ...plain, total: 20, wholeDays: 2 },
    parts: [
      part('wholeDay', entry, entry + 2 * DAY_SECONDS, { ...days, amount: 20, cappedBy: 'stay', cappedFrom: entry + DAY_SECONDS }),
      units(entry + 2 * DAY_SECONDS, exit, 0, { full: 5, cappedBy: 'stay', cappedFrom: entry + 2 * DAY_SECONDS }),
    ],
  })
  expect(asked({ wholeDayE4: 30, stayCapE4: 60 }, { entry, exit: at('10:00') + 2 * DAY_SECONDS }).parts[0]).toMatchObject({
    amount: 60,
    cappedBy: null,
  })
})

test('by the length of the stay, beyond the last row by its step', () => {
  const table = [
    { toMin: 60, priceE4: 5 },
    { toMin: 120, priceE4: 8 },
  ]
  const row = (to: string, full: number, more: Partial<Part> = {}) =>
    part('table', at('10:00'), at(to), { units: 1, price: full, full, amount: full, ...more })
  const stay = (exit: string) => ({ entry: at('10:00'), exit: at(exit) })
  expect(asked({ table }, stay('11:00'))).toEqual({ priced: { ...plain, total: 5 }, parts: [row('11:00', 5)] })
  expect(asked({ table }, stay('14:30'))).toEqual({ priced: { ...plain, total: 17 }, parts: [row('14:30', 17)] })
  expect(asked({ table: table.slice(0, 1) }, stay('11:01'))).toEqual({ priced: { ...plain, total: 10 }, parts: [row('11:01', 10)] })
  expect(asked({ table, stayCapE4: 6 }, stay('11:30')).parts).toEqual([row('11:30', 8, { amount: 6, cappedBy: 'stay' })])
  expect(asked({ table, stayCapE4: 8 }, stay('11:30')).parts).toEqual([row('11:30', 8)])
  expect(asked({ table, stayCapE4: 0 }, stay('11:30')).priced).toEqual({ ...plain, total: 0 })
})

test('a visit is paid once; what comes after a break runs on', () => {
  const covered = [[at('11:00'), at('12:00')]] as const
  const visit = { band: 0, units: 1, unitSec: 0, price: 7, full: 7, amount: 7 }
  expect(
    asked({ bands: [band({ by: 'visit', priceE4: 7 }, { fromMin: 480, toMin: 1200 })] }, { entry: at('10:00'), exit: at('21:00'), covered }),
  ).toEqual({
    priced: { ...plain, total: 7 },
    parts: [
      part('visit', at('10:00'), at('11:00'), visit),
      part('covered', at('11:00'), at('12:00')),
      part('running', at('12:00'), at('20:00'), { band: 0 }),
      part('notCharged', at('20:00'), at('21:00')),
    ],
  })
})

test('the first unit once, the rest by the others; a unit that is cut ends with the stay', () => {
  const bands = [band({ ...HOURLY, first: { min: 30, priceE4: 2 } })]
  expect(asked({ bands }, { entry: at('10:00'), exit: at('11:15') }).parts).toEqual([
    units(at('10:00'), at('10:30'), 2, { unitSec: 1800, price: 2 }),
    units(at('10:30'), at('11:15'), 5),
  ])
})

test('an amount that is whole already is not rounded, nor one without time charged', () => {
  expect(asked({ bands: [band({ ...HOURLY, priceE4: 20_000 })], round: 'halfUpUnit' }, { entry: at('10:00'), exit: at('10:30') }).parts).toEqual([
    units(at('10:00'), at('10:30'), 20_000, { price: 20_000 }),
  ])
  expect(asked({ bands: [band({ by: 'free' })] }, { entry: at('10:00'), exit: at('10:30') })).toEqual({
    priced: { ...plain, total: 0, freeReason: 'notCharged' },
    parts: [part('free', at('10:00'), at('10:30'), { band: 0 })],
  })
})

test('a cap that is just reached is not named, one that cuts is; a price of nothing holds to the end', () => {
  const capped = (capE4: number, priceE4: number) =>
    asked({ bands: [band({ ...HOURLY, priceE4 }, { capE4 })] }, { entry: at('10:00'), exit: at('12:00') }).parts[0]
  expect(capped(10, 5)).toEqual(units(at('10:00'), at('12:00'), 10, { units: 2 }))
  expect(capped(7, 5)).toEqual(units(at('10:00'), at('12:00'), 7, { units: 2, full: 10, cappedBy: 'segment', cappedFrom: at('12:00') }))
  expect(capped(4, 5)).toEqual(units(at('10:00'), at('12:00'), 4, { units: 2, full: 10, cappedBy: 'segment', cappedFrom: at('11:00') }))
  expect(asked({ stayCapE4: 10 }, { entry: at('10:00'), exit: at('12:00') }).parts[0]).toMatchObject({ amount: 10, cappedBy: null })
})

test('a second is time; seconds count, or are read to the minute on both sides', () => {
  const entry = at('10:00') + 30
  expect(asked({}, { entry, exit: entry + 1 })).toEqual({ priced: { ...plain, total: 5 }, parts: [units(entry, entry + 1, 5)] })
  expect(asked({ seconds: 'drop' }, { entry, exit: entry + 119 }).parts).toEqual([units(at('10:00'), at('10:01'), 5)])
  expect(asked({ seconds: 'up' }, { entry, exit: entry + 61 }).parts).toEqual([units(at('10:00'), at('10:02'), 5)])
  const covered = [[entry + 10, entry + 20]] as const
  const pieces = (from: number, to: number, end: number, begin: number) => [units(begin, from, 5), part('covered', from, to), units(to, end, 5)]
  expect(asked({}, { entry, exit: entry + 60, covered }).parts).toEqual(pieces(entry + 10, entry + 20, entry + 60, entry))
  expect(asked({ seconds: 'drop' }, { entry, exit: entry + 179, covered }).parts).toEqual([
    part('covered', at('10:00'), at('10:01')),
    units(at('10:01'), at('10:02'), 5),
  ])
})

test('without free minutes charging begins with the stay; a short one has no full day', () => {
  const stay = { entry: at('10:00'), exit: at('10:30') }
  expect(asked({ free: free('deduct') }, { ...stay, freeGone: true }).parts).toEqual([units(stay.entry, stay.exit, 5)])
  expect(asked({ wholeDayE4: 30 }, stay).parts).toEqual([units(stay.entry, stay.exit, 5)])
})

test('what a cap took whole is charged all the same, and not free', () => {
  const stay = (hours: number) => ({ entry: at('10:00'), exit: at('10:00') + hours * 3600 })
  expect(asked({ stayCapE4: 0 }, stay(1)).priced).toEqual({ ...plain, total: 0 })
  expect(asked({ stayCapE4: 0, wholeDayE4: 30 }, stay(24)).priced).toEqual({ ...plain, total: 0, wholeDays: 1 })
  // A full day after a break has what is left: 30 and two hours, then the rest up to 50.
  const covered = [[at('10:00') + 26 * 3600, at('10:00') + 27 * 3600]] as const
  expect(asked({ stayCapE4: 50, wholeDayE4: 30 }, { ...stay(51), covered }).parts.map(({ amount }) => amount)).toEqual([30, 10, 0, 10])
})

test('nothing is cut to the cent unless the tariff says so; what is rounded says by how much', () => {
  const of = (priceE4: number, more: Partial<Tariff>) =>
    asked({ bands: [band({ ...HOURLY, priceE4 })], ...more }, { entry: at('10:00'), exit: at('10:30') })
  expect(of(150, {}).priced.total).toBe(150)
  expect(of(150, { factor: [1, 2] }).priced.total).toBe(150) // in halves: the scale is two
  expect(of(12_345, { round: 'halfUpUnit' }).parts[1]).toEqual(part('rounding', at('10:00'), at('10:30'), { full: -2345, amount: -2345 }))
  expect(of(12_345, { round: 'downCent' }).parts[1]).toEqual(part('rounding', at('10:00'), at('10:30'), { full: -45, amount: -45 }))
})

test('a row alone is its own step, to the second', () => {
  const table = [{ toMin: 60, priceE4: 5 }]
  expect(asked({ table }, { entry: at('10:00'), exit: at('12:00') }).priced.total).toBe(10)
})

test('a unit that runs on over the end of its band is not paid again, and ends with the stay', () => {
  const tiers: Extract<Price, { by: 'tiers' }> = { by: 'tiers', rounding: 'ceil', tiers: [{ toMin: null, unitMin: 60, priceE4: 5 }] }
  const bands = [band(tiers, { fromMin: 480, toMin: 1200 }), band(tiers, { fromMin: 1200, toMin: 480 })]
  const first = units(at('19:30'), at('20:00'), 5)
  const stay = (exit: string) => asked({ bands }, { entry: at('19:30'), exit: at(exit) }).parts
  expect(stay('20:15')).toEqual([first, part('running', at('20:00'), at('20:15'), { band: 1 })])
  expect(stay('20:45')).toEqual([first, part('running', at('20:00'), at('20:30'), { band: 1 }), units(at('20:30'), at('20:45'), 5, { band: 1 })])
  const full: Price = { ...tiers, rounding: 'floor' }
  expect(asked({ bands: [band(full)] }, { entry: at('10:00'), exit: at('11:30') }).parts).toEqual([units(at('10:00'), at('11:30'), 5)])
})

test('the position in the tiers goes on over midnight, unless it counts from the cycle', () => {
  const tiers: Price = {
    by: 'tiers',
    rounding: 'ceil',
    tiers: [
      { toMin: 60, unitMin: 60, priceE4: 1 },
      { toMin: null, unitMin: 60, priceE4: 5 },
    ],
  }
  const total = (clock: Tariff['clock']) =>
    asked({ bands: [band(tiers)], clock, cycle: { kind: 'natural', capsE4: [], edge: 'goOn' } }, { entry: at('22:00'), exit: at('22:00') + 4 * 3600 })
      .priced.total
  expect([total('stay'), total('cycle')]).toEqual([16, 12])
})

test('a band over midnight is one occurrence, or begins again with its cycle', () => {
  const bands = [band({ by: 'visit', priceE4: 7 }, { fromMin: 1200, toMin: 480 })]
  const [entry, midnight, exit] = [at('22:00'), at('00:00') + DAY_SECONDS, at('02:00') + DAY_SECONDS]
  const visit = { band: 0, units: 1, unitSec: 0, price: 7, full: 7, amount: 7 }
  const parts = (edge: 'restart' | 'goOn') => asked({ bands, cycle: { kind: 'natural', capsE4: [], edge } }, { entry, exit }).parts
  expect(parts('goOn')).toEqual([part('visit', entry, exit, visit)])
  expect(parts('restart')).toEqual([part('visit', entry, midnight, visit), part('visit', midnight, exit, { ...visit, cycle: 1 })])
})

test('a band of the whole day has one occurrence in each cycle', () => {
  const bands = [band(HOURLY, { capE4: 20 })]
  const stay = { entry: at('10:00'), exit: at('10:00') + 26 * 3600 }
  const amounts = (more: Partial<Tariff>) => asked({ bands, ...more }, stay).parts.map(({ amount }) => amount)
  const rolling = { kind: 'rolling' as const, capsE4: [], edge: 'goOn' as const }
  expect(asked({ bands, cycle: rolling }, stay).priced.total).toBe(30)
  expect(asked({ bands, cycle: { ...rolling, kind: 'natural' } }, stay).priced.total).toBe(40)
  expect(amounts({})).toEqual([20, 20])
})

test('a band of the whole day goes on to the end of its cycle and no further', () => {
  const cycle = { kind: 'rolling' as const, capsE4: [], edge: 'goOn' as const }
  const stay = { entry: at('10:00'), exit: at('10:00') + 20 * 3600 }
  const twoDays = band(HOURLY, { days: { weekdays: [3, 4] } })
  expect(asked({ bands: [twoDays], cycle }, stay).parts).toEqual([units(stay.entry, stay.exit, 100, { units: 20 })])
  const visit = band({ by: 'visit', priceE4: 7 })
  expect(asked({ bands: [visit], cycle: { ...cycle, kind: 'cut', cutMin: 360 } }, { entry: at('03:00'), exit: at('10:00') }).priced.total).toBe(14)
})

test('a year without its holidays is said where days differ', () => {
  const calendar = { holidays: new Set<number>(), workdays: new Set<number>(), years: new Set([2025]) }
  const stay = { entry: at('10:00'), exit: at('11:00'), calendar }
  expect(asked({}, stay).priced.unknownYear).toBe(false)
  expect(asked({ bands: [band(HOURLY, { days: { mask: 3 } })] }, stay).priced.unknownYear).toBe(true)
})

test('an occurrence goes on after a break over midnight, and is another one where the day before had none', () => {
  const [noon, later] = [at('10:00'), at('01:00') + DAY_SECONDS]
  const covered = [[at('14:00'), later]] as const
  const rolling = { kind: 'rolling' as const, capsE4: [], edge: 'goOn' as const }
  const capped = (days: Band['days']) =>
    asked({ bands: [band(HOURLY, { capE4: 20, days })], cycle: rolling }, { entry: noon, exit: later + 4 * 3600, covered }).priced.total
  expect(capped({ mask: EVERY_DAY })).toBe(20)
  // 2026-03-04 is a Wednesday.
  expect(capped({ weekdays: [3, 4] })).toBe(20)
  const night = (weekdays: number[], stay: Partial<Asked> = {}) =>
    asked(
      { bands: [band({ by: 'visit', priceE4: 7 }, { fromMin: 1200, toMin: 480, days: { weekdays } })] },
      { entry: at('22:00'), exit: later + 3600, ...stay },
    ).parts.map(({ kind }) => kind)
  expect(night([3, 4])).toEqual(['visit'])
  expect(night([3])).toEqual(['visit', 'notCharged'])
  expect(night([4])).toEqual(['notCharged', 'visit'])
  const broken = { covered: [[at('23:00'), later]] } as const
  expect(night([3, 4], broken)).toEqual(['visit', 'covered', 'running'])
})

test('a band of the day is another occurrence on the next day, within one cycle too', () => {
  const bands = [band({ by: 'visit', priceE4: 7 }, { fromMin: 480, toMin: 1200 })]
  const stay = { entry: at('10:00'), exit: at('10:00') + 23 * 3600 }
  expect(asked({ bands, cycle: { kind: 'rolling', capsE4: [], edge: 'restart' } }, stay).priced.total).toBe(14)
})

test('each calendar day by the cap of its own rule', () => {
  const rule = (date: string, capE4: number) => ({ days: { dates: [date] }, bands: [{ fromMin: 0, toMin: 1440, price: HOURLY }], capE4 })
  const days = [rule('2026-03-04', 8), rule('2026-03-05', 12)]
  const { parts } = asked({ days, cycle: { kind: 'natural', capsE4: [], edge: 'goOn' } }, { entry: at('20:00'), exit: at('04:00') + DAY_SECONDS })
  expect(parts.map(({ amount, cappedBy }) => [amount, cappedBy])).toEqual([
    [8, 'day'],
    [12, 'day'],
  ])
})
