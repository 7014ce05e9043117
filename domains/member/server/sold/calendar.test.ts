import { describe, expect, test } from 'vitest'
import type { Day } from '../../../../platform/contract/field.ts'
import { dayOf, startOf } from '../../../../platform/contract/time.ts'
import { PeriodUnit, ValidType } from '../../contract/plan.ts'
import { barredBy, type ShortRule } from '../accessRule.ts'
import { dayAmount, daysBetween, dayOfMonth, endOf, priceOf, unusedMonths } from './calendar.ts'
import { heldTimes } from './takeOver.ts'

const on = (day: string) => startOf(day as Day)
const month = { periodUnit: PeriodUnit.month, periodCount: 1, validType: ValidType.rolling } as const

describe('the end of a period', () => {
  test('a month from 31 January keeps its day through the short months', () => {
    const ends = []
    for (let at = on('2027-01-31'), n = 0; n < 3; n++) ends.push(dayOf((at = endOf(at, month, 1, 31))))
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
  })
  test.each([
    ['2028-01-31', 1, '2028-02-29'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2027-12-15', 1, '2028-01-15'],
  ])('%s and %i months is %s', (from, months, to) => expect(dayOf(endOf(on(from), month, months, dayOfMonth(on(from))))).toBe(to))
  test('days are days; a calendar month ends with its month, and its first one costs what is left of it', () => {
    expect(dayOf(endOf(on('2027-02-20'), { ...month, periodUnit: PeriodUnit.day, periodCount: 10 }, 2, 20))).toBe('2027-03-12')
    const calendar = { ...month, validType: ValidType.calendar, priceFen: 31_000 }
    expect(dayOf(endOf(on('2027-01-15'), calendar, 1, 15))).toBe('2027-02-01')
    expect(priceOf(on('2027-01-15'), calendar, 1, 1)).toBe(17_000)
    expect(priceOf(on('2027-01-15'), { ...calendar, priceFen: 10_000 }, 1, 1)).toBe(5_484)
    expect(priceOf(on('2027-01-15'), { ...calendar, priceFen: 10_000 }, 1, 3), 'three bays are three times one, to the fen').toBe(16_452)
    expect(priceOf(on('2027-01-01'), calendar, 2, 1)).toBe(62_000)
  })
  test.each([
    [1_000, 30],
    [30_000, 31],
    [1, 365],
    [0, 30],
  ])('day amounts of %i fen over %i days are whole and sum to it', (price, days) => {
    const amounts = Array.from({ length: days }, (_, k) => dayAmount(price, days, k + 1))
    expect(amounts.every((fen) => Number.isInteger(fen) && fen >= 0)).toBe(true)
    expect(amounts.reduce((a, b) => a + b, 0)).toBe(price)
  })
})

describe('whole months that nobody has begun to use', () => {
  const rolling = { validType: ValidType.rolling }
  test.each([
    ['2027-01-01', '2027-04-01', 1, 2 / 3],
    ['2027-01-01', '2027-04-01', 31, 2 / 3],
    ['2027-01-01', '2027-04-01', 32, 1 / 3],
    ['2027-01-01', '2027-04-01', 60, 0],
    ['2027-02-28', '2027-03-31', 1, 0],
    ['2027-02-28', '2027-04-30', 1, 1 / 2],
    ['2027-02-03', '2027-03-05', 1, 1 / 2],
    ['2027-02-28', '2027-03-31', 1, 0, 10],
  ])('of %s to %s with %i days used: %d', (from, to, used, share, anchorDay = 31) => {
    const [unused, of] = unusedMonths(on(from), { ...rolling, anchorDay }, daysBetween(on(from), on(to)), used)
    expect(unused / of).toBeCloseTo(share)
  })
  test('a first calendar month that was not whole counts for its days', () => {
    expect(unusedMonths(on('2027-01-15'), { validType: ValidType.calendar, anchorDay: 15 }, 76, 10)).toEqual([2 * 31, 3 * 31 - 14])
  })
})

test('a bay goes to whoever has waited longest', () => {
  const at = (hour: number) => new Date(Date.UTC(2027, 0, 1, hour)).toISOString() as never
  const [a, b] = [
    { from: at(8), to: at(10), mine: false },
    { from: at(8.5), to: null, mine: false },
  ]
  expect(heldTimes([a, { from: at(9), to: at(12), mine: true }], 1)).toEqual([{ from: at(10), to: at(12) }])
  expect(heldTimes([a, b, { from: at(9), to: at(12), mine: true }], 1)).toEqual([])
  expect(heldTimes([a, b, { from: at(9), to: at(12), mine: true }], 2)).toEqual([{ from: at(10), to: at(12) }])
})

describe('an access rule', () => {
  const rule: ShortRule = {
    id: '1' as never,
    name: '某',
    gates: [],
    memberGroups: [],
    dayMask: 127,
    timeFrom: '00:00',
    timeTo: '00:00',
    dateFrom: null,
    dateTo: null,
    oddEven: 0,
    effect: 2,
    priority: 0,
  }
  // Friday 1 January 2027, nine in the morning of the city.
  const car = { gateCode: 'G1', plateNo: '鄂F12345', memberGroup: undefined, at: '2027-01-01T01:00:00.000Z' as never }
  const bars = (change: Partial<ShortRule>) => barredBy([{ ...rule, ...change }], car) !== undefined
  test.each([
    [{}, true],
    [{ gates: ['G2'] }, false],
    [{ memberGroups: ['a' as never] }, false],
    [{ dayMask: 0b0010000 }, true],
    [{ dayMask: 0b1101111 }, false],
    [{ timeFrom: '08:00', timeTo: '09:00' }, false],
    [{ timeFrom: '09:00', timeTo: '10:00' }, true],
    [{ timeFrom: '22:00', timeTo: '09:01' }, true],
    [{ dateTo: '2026-12-31' as never }, false],
    [{ oddEven: 1 as const }, false],
    [{ effect: 1 as const }, false],
  ])('%o bars: %s', (change, expected) => expect(bars(change)).toBe(expected))
  test('the higher priority speaks; of equal ones the forbidding one', () => {
    const allow = { ...rule, effect: 1 as const }
    expect(barredBy([rule, { ...allow, priority: 1 }], car)).toBeUndefined()
    expect(barredBy([allow, rule], car)).toBe(rule)
  })
})
