import { expect, onTestFinished, test, vi } from 'vitest'
import { cityDay, duration, kilowattHours, minutesOf, nearTime, time, yuan } from './format.ts'
import { sayIn } from './language.ts'

const zh = sayIn('zh-chs')
const en = sayIn('en')

test('format.minutes: 1501 minutes are a day, an hour and a minute in the chosen language', () => {
  expect(duration(1501, zh)).toBe('1天1小时1分')
  expect(duration(1501, en)).toBe('1 d 1 h 1 min')
  expect(duration(2 * 1440 + 3 * 60 + 5, zh)).toBe('2天3小时5分')
  expect(duration(1440, en)).toBe('1 d')
  expect(duration(120, zh)).toBe('2小时')
})
test('format.minutes-empty: an empty or zero count is --', () => {
  for (const none of [0, null, undefined, Number.NaN]) expect(duration(none, zh)).toBe('--')
})
test('format.milliseconds: 120000 milliseconds are 2 minutes', () => expect(minutesOf(120_000)).toBe(2))
test('format.timestamp: 14 digits are a time', () => expect(time('20240131093005')).toBe('2024-01-31 09:30:05'))

test("an instant is shown in the city's zone", () => {
  expect(time('2026-09-01T16:00:00.000Z')).toBe('2026-09-02 00:00:00')
  expect(cityDay('2026-09-01T15:59:59.000Z')).toBe('2026-09-01')
})
test('a moment of today is its clock, one of another day has its date', () => {
  vi.useFakeTimers({ now: new Date('2026-11-27T15:50:00.000Z'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(nearTime('2026-11-27T15:59:59.000Z')).toBe('23:59')
  expect(nearTime('2026-11-27T16:30:00.000Z')).toBe('11-28 00:30')
  expect(nearTime('2026-11-26T15:59:59.000Z', 'second')).toBe('11-26 23:59:59')
})
test('energy is told in kilowatt hours', () => expect(kilowattHours(1_629_783)).toBe('1,629.78'))
test('money has two decimals and groups', () => {
  expect(yuan(123_456)).toBe('1,234.56')
  expect(yuan(0)).toBe('0.00')
})
