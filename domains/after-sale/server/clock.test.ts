import { expect, test } from 'vitest'
import { afterDays, afterWork, clockOf, limitsOf, workMinutes, type Works } from './clock.ts'
import { Level } from '../contract/level.ts'
import { city } from './testing.ts'

/** Weekends and the national holiday of 2026, 1 to 7 October; Saturday the 10th is worked for it. */
const works: Works = (day) => {
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
  if (date >= '2026-10-01' && date <= '2026-10-07') return false
  if (date === '2026-10-10') return true
  const weekday = new Date(day * 86_400_000).getUTCDay()
  return weekday !== 0 && weekday !== 6
}
const HOUR = 3_600_000

test('work goes on from nine to six on working days only, and a Saturday that is worked is one', () => {
  expect(workMinutes(city('2026-09-30 17:00'), city('2026-10-08 10:00'), works)).toBe(120)
  expect(workMinutes(city('2026-10-09 17:00'), city('2026-10-10 10:30'), works)).toBe(150)
  expect(workMinutes(city('2026-10-01 09:00'), city('2026-10-07 18:00'), works)).toBe(0)
  expect(workMinutes(city('2026-09-30 08:00'), city('2026-09-30 23:00'), works)).toBe(540)
  expect(workMinutes(city('2026-09-30 18:00'), city('2026-09-30 17:00'), works)).toBe(0)
  expect(afterWork(city('2026-09-30 17:00'), 2 * HOUR, works)).toBe(city('2026-10-08 10:00'))
  expect(afterWork(city('2026-09-30 20:00'), 0, works)).toBe(city('2026-10-08 09:00'))
  expect(afterDays(city('2026-09-30 17:00'), 1, works)).toBe(city('2026-10-08 17:00'))
})

test('a medium order of the evening before a holiday is due three working days on, and by what the customer took of working time later', () => {
  const from = city('2026-09-30 17:00')
  expect(limitsOf(Level.middle, from, [], works)).toEqual({
    respondDueAt: city('2026-10-08 10:00'),
    dueAt: city('2026-10-10 14:00'),
    warnAt: city('2026-10-10 09:12'),
  })
  const with3h = [{ from: city('2026-10-08 10:00'), to: city('2026-10-08 13:00') }]
  expect(limitsOf(Level.middle, from, with3h, works).dueAt).toBe(city('2026-10-10 17:00'))
  // A wait through the holiday took an hour of work, whatever the calendar says.
  const overHoliday = [{ from: city('2026-09-30 17:30'), to: city('2026-10-08 09:30') }]
  expect(limitsOf(Level.middle, from, overHoliday, works).dueAt).toBe(city('2026-10-10 15:00'))
})

test('what is urgent runs day and night', () => {
  const from = city('2026-10-03 22:00')
  expect(limitsOf(Level.urgent, from, [{ from, to: city('2026-10-03 23:00') }], works)).toEqual({
    respondDueAt: city('2026-10-03 22:15'),
    dueAt: city('2026-10-04 03:00'),
    warnAt: city('2026-10-04 02:12'),
  })
  expect(clockOf(Level.urgent, works)).toBeUndefined()
})

test('a calendar in which nobody works ends ten years on, not never', () => {
  expect(afterWork(city('2026-10-03 22:00'), HOUR, () => false) > city('2036-01-01 00:00')).toBe(true)
})
