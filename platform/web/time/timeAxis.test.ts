import { expect, test } from 'vitest'
import { linesOf, monthAfter, placeOf, ticksOf, weeksOf } from './timeAxis.ts'

test('a month is shown in whole weeks from Monday', () => {
  const weeks = weeksOf('2026-11')
  expect([weeks.length, weeks[0]![0], weeks[0]![6], weeks.at(-1)![6]]).toEqual([6, '2026-10-26', '2026-11-01', '2026-12-06'])
  expect(weeksOf('2027-02').length).toBe(4)
  expect([monthAfter('2026-11', 2), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

const span = { from: Date.parse('2026-11-20T00:00:00+08:00'), to: Date.parse('2026-11-21T00:00:00+08:00') }
test('a stretch lies where its time is, cut at the edges', () => {
  expect(placeOf(span, '2026-11-20T06:00:00+08:00', '2026-11-20T12:00:00+08:00')).toEqual({ left: 25, width: 25, cut: false })
  expect(placeOf(span, '2026-11-19T12:00:00+08:00', null)).toEqual({ left: 0, width: 100, cut: true })
  expect(placeOf(span, '2026-11-21T00:00:00+08:00', null)).toBeUndefined()
})
test('what overlaps lies on lines of its own, what only touches does not', () => {
  const at = (from: number, to: number) => ({ from: `2026-11-20T0${from}:00:00Z`, to: `2026-11-20T0${to}:00:00Z` })
  expect(linesOf([at(1, 3), at(2, 4), at(3, 5), at(6, 7)])).toEqual([0, 1, 0, 0])
  expect(linesOf([{ from: '2026-11-20T01:00:00.000Z', to: null }, at(5, 6)])).toEqual([0, 1])
})
test('the clock is the city’s, and never more marks than fit', () => {
  expect(ticksOf(span, 12)).toHaveLength(12)
  expect(new Date(ticksOf(span, 4)[1]!).toISOString()).toBe('2026-11-19T22:00:00.000Z')
  expect(ticksOf({ from: span.from, to: span.from + 14 * 86_400_000 }, 14)).toHaveLength(14)
})
