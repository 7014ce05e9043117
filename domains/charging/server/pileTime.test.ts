import { expect, test } from 'vitest'
import { TimeMode } from '../contract/pile.ts'
import { momentOf, soundClock } from './pileTime.ts'

const now = Date.parse('2026-11-23T04:00:00Z')
const at =
  (clock = soundClock(TimeMode.utc, false)) =>
  (stamp: string | null, live = true, received = now) =>
    momentOf(stamp, received, clock, live).at

test('a stamp with a zone is what it says; without one the time mode of the pile decides; none is ours', () => {
  expect(at()('2026-11-23T03:59:00Z')).toBe('2026-11-23T03:59:00.000Z')
  expect(at()('2026-11-23T11:59:00+08:00')).toBe('2026-11-23T03:59:00.000Z')
  expect(at()('2026-11-23 03:59:00')).toBe('2026-11-23T03:59:00.000Z')
  expect(at(soundClock(TimeMode.city, false))('2026-11-23 11:59:00')).toBe('2026-11-23T03:59:00.000Z')
  expect(at(soundClock(TimeMode.city, false))('2026-11-23T03:59:00Z')).toBe('2026-11-23T03:59:00.000Z')
  expect(at()(null)).toBe('2026-11-23T04:00:00.000Z')
})

test('a day that no calendar has is no stamp: the moment of receipt stands for it', () => {
  expect(at()('2026-02-28T10:00:00Z')).toBe('2026-02-28T10:00:00.000Z')
  for (const day of ['2026-02-29', '2026-02-30', '2026-11-31']) expect(at()(`${day}T10:00:00Z`)).toBe('2026-11-23T04:00:00.000Z')
})

test('the city’s time called UTC is found out by three live moments, and right from then on', () => {
  const clock = soundClock(TimeMode.utc, false)
  const of = at(clock)
  of('2026-11-23T12:00:01Z')
  of('2026-11-23T11:58:00Z')
  expect(clock.zIsCity).toBe(false)
  expect(of('2026-11-23T12:00:02Z')).toBe('2026-11-23T04:00:02.000Z')
  expect(clock).toMatchObject({ zIsCity: true, timeMode: TimeMode.city })
  expect(of('2026-11-23T09:00:00Z', false)).toBe('2026-11-23T01:00:00.000Z')
})

test('two of them with an honest one between prove nothing, and what was kept for later proves nothing', () => {
  const clock = soundClock(TimeMode.utc, false)
  const of = at(clock)
  for (const stamp of ['2026-11-23T12:00:00Z', '2026-11-23T12:00:00Z', '2026-11-23T04:00:00Z', '2026-11-23T12:00:00Z', '2026-11-23T12:00:00Z'])
    of(stamp)
  of('2026-11-23T12:00:00Z', false)
  expect(clock.zIsCity).toBe(false)
})

test('a clock that never was set is shifted by what it said first after its start', () => {
  const of = at()
  expect(of('1970-01-01T00:00:10Z')).toBe('2026-11-23T04:00:00.000Z')
  expect(of('1970-01-01T00:10:10Z', false, now + 3_600_000)).toBe('2026-11-23T04:10:00.000Z')
})
