import { describe, expect, test } from 'vitest'
import type { Instant } from './field.ts'
import { nextTime, stretchBefore } from './rhythm.ts'
import { cityTime, instantOf } from './time.ts'

const at = (city: string) => instantOf(city) as Instant
const next = (rhythm: 1 | 2 | 3, day: number | null, timeOfDay: string, after: string) => cityTime(nextTime({ rhythm, day, timeOfDay }, at(after)))

describe('the next time, by the city’s clock', () => {
  test.each([
    [1, null, '07:30', '2026-03-10 07:29:59', '2026-03-10 07:30:00'],
    [1, null, '07:30', '2026-03-10 07:30:00', '2026-03-11 07:30:00'],
    [1, null, '00:00', '2026-12-31 23:59:59', '2027-01-01 00:00:00'],
    [2, 1, '08:00', '2026-03-10 12:00:00', '2026-03-16 08:00:00'],
    [2, 7, '23:59', '2026-03-15 23:58:00', '2026-03-15 23:59:00'],
    [3, 31, '06:00', '2026-02-01 00:00:00', '2026-02-28 06:00:00'],
    [3, 31, '06:00', '2028-02-01 00:00:00', '2028-02-29 06:00:00'],
    [3, 31, '06:00', '2026-04-30 06:00:00', '2026-05-31 06:00:00'],
    [3, 1, '00:00', '2026-01-01 00:00:00', '2026-02-01 00:00:00'],
  ] as const)('rhythm %s, day %s at %s after %s is %s', (rhythm, day, time, after, expected) => expect(next(rhythm, day, time, after)).toBe(expected))
})

test.each([
  [1, '2026-03-01 07:00:00', '2026-02-28', '2026-02-28'],
  [2, '2026-03-02 00:00:00', '2026-02-23', '2026-03-01'],
  [3, '2026-03-31 06:00:00', '2026-02-01', '2026-02-28'],
  [3, '2026-01-01 00:00:00', '2025-12-01', '2025-12-31'],
] as const)('rhythm %s at %s reads the days from %s to %s', (rhythm, when, from, to) => expect(stretchBefore(rhythm, at(when))).toEqual({ from, to }))
