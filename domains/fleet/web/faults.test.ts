import { expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { endCheck, endFault, readingFault } from './faults.ts'

const at = (text: string) => `${text}+08:00` as Instant
const now = Date.parse(at('2026-11-29T08:00:00'))

test('an end before its start, in the past or too late is said where it is typed', () => {
  const of = (planFrom: string, planTo: string) => endFault({ planFrom: at(planFrom), planTo: at(planTo) }, now)?.[0]
  expect(of('2026-12-02T08:00:00', '2026-12-01T08:00:00')).toBe('计划结束应晚于计划开始')
  expect(of('2026-12-02T08:00:00', '2026-12-02T08:00:00')).toBe('计划结束应晚于计划开始')
  expect(of('2026-11-28T08:00:00', '2026-11-29T07:00:00')).toContain('已过')
  expect(of('2026-12-01T08:00:00', '2027-12-01T08:00:00')).toBe('用车最长 90 天')
  expect(of('2026-12-01T08:00:00', '2026-12-01T18:00:00')).toBeUndefined()
})
test('of a vehicle that is out only the end is typed: it is held against the start that was planned', () => {
  expect(endCheck(at('2099-12-02T08:00:00'))({ planTo: at('2099-12-01T08:00:00') })).toBeDefined()
  expect(endCheck(at('2099-12-02T08:00:00'))({ planTo: at('2099-12-03T08:00:00') })).toBeUndefined()
})
test('a reading below the one it went out with, or further than a day’s drive, is said at once', () => {
  const of = (odoIn: unknown) => readingFault({ odoOut: 52_000_000, outAt: at('2026-11-29T07:00:00') }, odoIn, at('2026-11-29T17:00:00'))?.[0]
  expect(of(51_999_000)).toBe('不能小于出车里程 52000.0 km')
  expect(of(520_000_000)).toBe('比出车里程多 468000.0 km，请核对读数')
  expect(of(52_000_000)).toBeUndefined()
  expect(of(52_300_000)).toBeUndefined()
  expect(of(undefined)).toBeUndefined()
})
