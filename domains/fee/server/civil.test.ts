import { expect, test } from 'vitest'
import { civilOf, civilOfInstant, civilText, clockText, dayNumber, instantOfCivil } from './civil.ts'

test.each([
  ['2026-03-04 09:05:07', '2026-03-04 09:05:07'],
  ['2026-03-04T09:05', '2026-03-04 09:05:00'],
  ['2026-12-31', '2026-12-31 00:00:00'],
  ['2026-03-04 24:00:00', '2026-03-05 00:00:00'],
  ['2026-01-31 23:59:59', '2026-01-31 23:59:59'],
])('%s is a time', (written, read) => expect(civilText(civilOf(written)!)).toBe(read))

test.each([
  '2026-02-30 10:00:00',
  '2026-00-10',
  '2026-13-01',
  '2026-03-00',
  '2026-03-04 25:00:00',
  '2026-03-04 10:60:00',
  '2026-03-04 10:00:60',
  '2026-3-4',
  'soon',
])('%s is none', (written) => expect(civilOf(written)).toBeUndefined())

test('the city is eight hours ahead, to the second that has begun', () => {
  expect(civilText(civilOfInstant('2026-03-04T20:00:01.900Z'))).toBe('2026-03-05 04:00:01')
  expect(instantOfCivil(civilOf('2026-03-05 04:00:01')!)).toBe('2026-03-04T20:00:01.000Z')
  expect(dayNumber('1970-01-02')).toBe(1)
  expect(dayNumber('2026-03-04 23:00:00')).toBe(dayNumber('2026-03-04'))
})

test('a clock shows hours and minutes in two digits', () => expect([0, 65, 1439].map(clockText)).toEqual(['00:00', '01:05', '23:59']))
