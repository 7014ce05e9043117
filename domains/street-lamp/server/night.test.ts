import { expect, test } from 'vitest'
import type { Day, Instant } from '../../../platform/contract/field.ts'
import { cityTime, instantAt, msOf } from '../../../platform/contract/time.ts'
import { ascends, eventsOf, nightOf, type Program, ranked, wantedAt, whyLost } from './night.ts'
import { sunrise, sunset } from './sun.ts'

const day = (text: string) => text as Day
const at = (text: string) => msOf(`${text}:00+08:00` as Instant)
const clock = (ms: number) => cityTime(instantAt(ms)).slice(11, 16)
const XIANGYANG = { lng: 112.14, lat: 32.04 }
const NO_LIGHT = { lux: null, luxAt: null }
const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Published times of other almanacs, in the clock of their cities. */
test.each([
  ['Beijing', 116.4, 39.9, '2024-06-21', '04:46', '19:46', 8],
  ['Beijing', 116.4, 39.9, '2024-12-21', '07:33', '16:53', 8],
  ['London', -0.13, 51.51, '2024-06-21', '04:43', '21:21', 1],
  ['Sydney', 151.21, -33.87, '2024-12-21', '05:41', '20:05', 11],
  ['Quito', -78.47, -0.18, '2024-03-20', '06:17', '18:23', -5],
])('the sun over %s (%f, %f) on %s', (_, lng, lat, date, rises, sets, offset) => {
  const local = (ms: number) => new Date(ms + offset * 3_600_000).toISOString().slice(11, 16)
  expect(Math.abs(minutes(local(sunrise(day(date), { lng, lat }))) - minutes(rises))).toBeLessThanOrEqual(2)
  expect(Math.abs(minutes(local(sunset(day(date), { lng, lat }))) - minutes(sets))).toBeLessThanOrEqual(2)
})

let made = 0
const program = (more: Partial<Program> = {}): Program =>
  ({
    id: `00000000-0000-0000-0000-${String(++made).padStart(12, '0')}`,
    name: `P${made}`,
    target: 1,
    targets: ['B1'],
    kind: 2,
    dateFrom: '2026-01-01',
    dateTo: '2026-12-31',
    dayMask: 127,
    priority: 10,
    luxBelow: null,
    createdAt: `2026-01-01T00:00:${String(made % 60).padStart(2, '0')}Z`,
    actions: [
      { at: 'sunset', relay: 1, dim: 100 },
      { at: 'sunrise', relay: 0, dim: 0 },
    ],
    ...more,
  }) as Program

test('a night belongs to its evening, from noon to noon', () => {
  expect(nightOf(at('2026-11-25T11:59'))).toBe('2026-11-24')
  expect(nightOf(at('2026-11-25T12:00'))).toBe('2026-11-25')
  expect(nightOf(at('2026-11-26T03:00'))).toBe('2026-11-25')
})
test('the small hours of the clock are of the morning after', () => {
  const one = program({
    actions: [
      { at: '18:30', relay: 1, dim: 100 },
      { at: '23:30', relay: 1, dim: 50 },
      { at: '06:00', relay: 0, dim: 0 },
    ],
  })
  expect(eventsOf(one, day('2026-11-25'), XIANGYANG).map((event) => cityTime(instantAt(event.at)))).toEqual([
    '2026-11-25 18:30:00',
    '2026-11-25 23:30:00',
    '2026-11-26 06:00:00',
  ])
  expect(ascends(one.actions, day('2026-11-25'), XIANGYANG)).toBe(true)
  expect(ascends(one.actions.toReversed(), day('2026-11-25'), XIANGYANG)).toBe(false)
  expect(
    ascends(
      [
        { at: 'sunset+600', relay: 1, dim: 100 },
        { at: 'sunset+20', relay: 0, dim: 0 },
      ] as never,
      day('2026-11-25'),
      XIANGYANG,
    ),
  ).toBe(false)
})
test('one program rules a night: by priority, then by narrower dates, then the newest', () => {
  const wide = program()
  const strong = program({ priority: 11 })
  const narrow = program({ dateFrom: day('2026-11-20'), dateTo: day('2026-11-30') })
  const newer = program({ dateFrom: day('2026-11-20'), dateTo: day('2026-11-30') })
  expect(ranked([wide, narrow, newer, strong], day('2026-11-25')).map(({ name }) => name)).toEqual(
    [strong, newer, narrow, wide].map(({ name }) => name),
  )
  expect([whyLost(strong, newer), whyLost(newer, wide), whyLost(newer, narrow)]).toEqual([1, 2, 3])
  const fridays = program({ dayMask: 1 << 4, priority: 50 })
  expect(ranked([wide, fridays], day('2026-11-27'))[0]).toBe(fridays)
  expect(ranked([wide, fridays], day('2026-11-28'))[0]).toBe(wide)
})
test('lit between sunset and sunrise, dark by day, and the next event is known', () => {
  const one = program()
  const wish = (text: string) => wantedAt([one], XIANGYANG, at(text), NO_LIGHT)!
  expect(wish('2026-11-25T15:00').relay).toBe(0)
  expect(wish('2026-11-25T19:00')).toMatchObject({ relay: 1, dim: 100 })
  expect(wish('2026-11-26T05:00').relay).toBe(1)
  expect(wish('2026-11-26T08:00').relay).toBe(0)
  expect(clock(msOf(wish('2026-11-26T08:00').nextEventAt!))).toMatch(/^17:/)
  expect(wantedAt([], XIANGYANG, at('2026-11-25T19:00'), NO_LIGHT)).toBeUndefined()
})
test('by the light alone nothing is known without a reading of the last ten minutes', () => {
  const one = program({ kind: 3, actions: [], luxBelow: 20 })
  const wish = (lux: number | null, minutesAgo: number) =>
    wantedAt([one], XIANGYANG, at('2026-11-25T17:00'), { lux, luxAt: instantAt(at('2026-11-25T17:00') - minutesAgo * 60_000) })!
  expect([wish(5, 2).relay, wish(50, 2).relay, wish(5, 11).relay]).toEqual([1, 0, null])
})
test('by the sun and the light a dark afternoon begins an hour earlier at most', () => {
  const one = program({ kind: 4, luxBelow: 20 })
  const wish = (text: string, lux: number) => wantedAt([one], XIANGYANG, at(text), { lux, luxAt: instantAt(at(text)) })!.relay
  expect([wish('2026-11-25T17:00', 10), wish('2026-11-25T17:00', 200), wish('2026-11-25T14:00', 10)]).toEqual([1, 0, 0])
})
