import { expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import type { Tariff } from '../contract/tariff.ts'
import { lintApart, readApart } from './apart.ts'
import { dayNumber } from './civil.ts'
import { lint } from './lint.ts'

/** The longest that this thread may work on one document: the lanes, piles and payments of all companies share it. */
const HOLD_MAX_MS = 50
const around = {
  at: '2026-04-29T02:00:00.000Z' as Instant,
  calendar: { holidays: new Set([dayNumber('2026-05-01')]), workdays: new Set<number>(), years: new Set([2026]) },
}
const base = { schema: 1, currency: 'CNY', seconds: 'count', clock: 'segment' } as const
const date = (n: number) => new Date(Date.UTC(2026, 4, 1) + n * 86_400_000).toISOString().slice(0, 10)
const tiers = (count: number, unitMin: number) => ({
  by: 'tiers' as const,
  rounding: 'ceil' as const,
  tiers: Array.from({ length: count }, (_, i) => ({ toMin: i === count - 1 ? null : (i + 1) * unitMin, unitMin, priceE4: 10_000 + i })),
})
const many = <T>(length: number, of: (n: number) => T): T[] => Array.from({ length }, (_, n) => of(n))
const week = { mask: 7 }
/** Each near what a call takes (1 MB) in its own way, and within the schema. */
const LARGEST: Record<string, Tariff> = {
  'a band for each date, with steps': {
    ...base,
    bands: many(185, (n) => ({ fromMin: 0, toMin: 1440, days: { dates: [date(n)] }, price: tiers(100, 5) })),
  },
  'bands by the minute, with steps': {
    ...base,
    bands: many(200, (n) => ({ fromMin: n * 7, toMin: n === 199 ? 1440 : (n + 1) * 7, days: week, price: tiers(60, 1) })),
  },
  'rules by day': {
    ...base,
    bands: [],
    cycle: { kind: 'natural', capsE4: [], edge: 'goOn' },
    days: many(20, (n) => ({
      days: n === 19 ? week : { dates: [date(n)] },
      bands: many(40, (i) => ({ fromMin: i * 36, toMin: (i + 1) * 36, price: tiers(20, 3) })),
    })),
  },
  'bands over each other': { ...base, bands: many(200, () => ({ fromMin: 0, toMin: 1440, days: week, price: tiers(80, 5) })) },
  'many dates': {
    ...base,
    bands: many(150, (n) => ({ fromMin: n * 9, toMin: n * 9 + 9, days: { dates: many(400, date) }, price: tiers(3, 5) })),
  },
  'steps that run on over bands': {
    ...base,
    clock: 'stay',
    bands: many(96, (n) => ({ fromMin: n * 15, toMin: (n + 1) * 15, days: week, price: tiers(100, 15) })),
  },
}

/** Returns the least of a few measurements of this thread's work: on a busy machine the same work takes longer. */
async function heldMs<T>(work: () => Promise<T>): Promise<[T, number]> {
  const times: number[] = []
  for (;;) {
    const before = process.threadCpuUsage()
    const made = await work()
    const { user, system } = process.threadCpuUsage(before)
    times.push((user + system) / 1000)
    if (Math.min(...times) < HOLD_MAX_MS || times.length === TIMES) return [made, Math.min(...times)]
  }
}
const TIMES = 8

test.each(Object.keys(LARGEST))('a rule of the largest size is looked through and read without holding others up: %s', async (name) => {
  const tariff = LARGEST[name]!
  const [found, looked] = await heldMs(() => lintApart(tariff, around))
  expect(looked).toBeLessThan(HOLD_MAX_MS)
  expect(found.length).toBeLessThanOrEqual(50)
  const [read, reading] = await heldMs(() => readApart(tariff, {}, around))
  expect(reading).toBeLessThan(HOLD_MAX_MS)
  expect(read).toMatchObject({ rules: [{ draft: { document: expect.any(String) } }] })
})

test('a document of thirty rules with bands over each other: so many findings that a person reads them', async () => {
  const rules = Object.fromEntries(
    many(30, (n) => [`R${n}`, { ...base, bands: many(150, () => ({ fromMin: 0, toMin: 1440, days: week, price: { by: 'free' } })) }]),
  )
  const [read, held] = await heldMs(() => readApart({ rules }, {}, around))
  expect(held).toBeLessThan(HOLD_MAX_MS)
  if (!('rules' in read)) throw new Error('it was not read')
  expect(read.rules).toHaveLength(30)
  for (const { lint: found } of read.rules) expect(found.length).toBeLessThanOrEqual(33)
  expect(read.rules[0]!.lint.at(-1)).toMatchObject({ level: 'error', code: 'more' })
})

test('apart it says the very same', async () => {
  const tariff = LARGEST['bands by the minute, with steps']!
  expect(await lintApart(tariff, around)).toEqual(lint(tariff, around))
  const mistaken = { ...tariff, bands: [...tariff.bands, { fromMin: 0 }] }
  expect(await readApart(mistaken, {}, around)).toMatchObject({ mistake: [expect.stringContaining('不符合格式'), expect.any(String)] })
})
