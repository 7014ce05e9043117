import { expect, test } from 'vitest'
import type { Day } from '../../../platform/contract/field.ts'
import { nameOf, type PeriodName, PERIODS } from './comparePeriods.ts'

const on = (today: string) => (name: PeriodName) => Object.values(PERIODS[name][1](today as Day)).join(' ')
test('a week begins on Monday, a month ends with its last day, and both are called by their names', () => {
  const sunday = on('2026-11-29')
  expect([sunday('today'), sunday('yesterday')]).toEqual(['2026-11-29 2026-11-29', '2026-11-28 2026-11-28'])
  expect([sunday('week'), sunday('lastWeek')]).toEqual(['2026-11-23 2026-11-29', '2026-11-16 2026-11-22'])
  expect([sunday('month'), sunday('lastMonth')]).toEqual(['2026-11-01 2026-11-30', '2026-10-01 2026-10-31'])
  expect([on('2028-03-31')('lastMonth'), on('2027-01-01')('lastMonth')]).toEqual(['2028-02-01 2028-02-29', '2026-12-01 2026-12-31'])
  for (const name of Object.keys(PERIODS) as PeriodName[]) expect(nameOf(PERIODS[name][1]('2026-11-25' as Day), '2026-11-25' as Day)).toBe(name)
  expect(nameOf({ from: '2026-11-02' as Day, to: '2026-11-03' as Day }, '2026-11-25' as Day)).toBe(undefined)
})
