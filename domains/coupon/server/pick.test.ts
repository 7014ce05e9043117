import { expect, test } from 'vitest'
import { best, type Candidate } from './pick.ts'

let made = 0
const one = (type: number, value: number, more: Partial<Candidate> = {}): Candidate => ({
  id: `c${String(++made).padStart(4, '0')}`,
  type,
  value,
  maxDiscountFen: null,
  capFen: null,
  stackGroup: null,
  maxPerOrder: 1,
  validTo: '2027-01-01T00:00:00.000Z',
  ...more,
})
const AMOUNT = 1
const TIME = 2
const DISCOUNT = 3
const FREE = 4
const hour = new Map([[60, 1000]])
const idsOf = (all: readonly Candidate[], amount = 1500, shortened = hour) => best(all, amount, shortened).taken.map(({ id }) => id)

test('the largest discount wins; of equal ones what expires first, then the smallest id', () => {
  const [small, large] = [one(AMOUNT, 200), one(AMOUNT, 400)]
  expect(best([small, large], 1500, hour)).toEqual({ taken: [{ id: large.id, takeFen: 400 }], totalFen: 400 })
  const soon = one(AMOUNT, 400, { validTo: '2026-12-01T00:00:00.000Z' })
  expect(idsOf([large, soon])).toEqual([soon.id])
  const twin = one(AMOUNT, 400)
  expect(idsOf([twin, large])).toEqual([large.id])
  expect(idsOf([])).toEqual([])
})

test('what stacks is applied as time, discount, amount, whatever order it comes in', () => {
  const group = { stackGroup: 'g', maxPerOrder: 3 }
  const all = [one(AMOUNT, 300, group), one(DISCOUNT, 800, group), one(TIME, 60, group)]
  // 15.00 less an hour is 10.00; a fifth off is 8.00; 3.00 off is 5.00.
  expect(best(all, 1500, hour)).toEqual({
    taken: [
      { id: all[2]!.id, takeFen: 500 },
      { id: all[1]!.id, takeFen: 200 },
      { id: all[0]!.id, takeFen: 300 },
    ],
    totalFen: 1000,
  })
  expect(idsOf([...all, one(FREE, 0)])).toHaveLength(1)
})

test('two of time, two discounts, another group, or more than the group allows do not go together', () => {
  const of = (maxPerOrder: number, stackGroup = 'g') => ({ stackGroup, maxPerOrder })
  expect(idsOf([one(TIME, 60, of(3)), one(TIME, 60, of(3))])).toHaveLength(1)
  expect(idsOf([one(DISCOUNT, 900, of(3)), one(DISCOUNT, 800, of(3))])).toHaveLength(1)
  expect(idsOf([one(AMOUNT, 100, of(2)), one(AMOUNT, 100, of(2, 'h'))])).toHaveLength(1)
  expect(idsOf([one(AMOUNT, 100, of(2)), one(AMOUNT, 100, of(2)), one(AMOUNT, 100, of(2))])).toHaveLength(2)
  expect(idsOf([one(AMOUNT, 100), one(AMOUNT, 100)])).toHaveLength(1)
})

test('never below nothing, never more than its most, and no coupon is spent for nothing', () => {
  const group = { stackGroup: 'g', maxPerOrder: 3 }
  const [five, three] = [one(AMOUNT, 500, group), one(AMOUNT, 300, group)]
  expect(best([five, three], 500, hour)).toEqual({ taken: [{ id: five.id, takeFen: 500 }], totalFen: 500 })
  expect(best([one(FREE, 0, { maxDiscountFen: 700 })], 1500, hour).totalFen).toBe(700)
  expect(best([one(TIME, 60, { capFen: 350 })], 1500, hour).totalFen).toBe(350)
  expect(best([one(TIME, 30)], 1500, new Map([[30, 1500]])).taken).toEqual([])
})

test('against every subset, by a plain model: nothing takes more off', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 60; round++) {
    const all = Array.from({ length: 7 }, () =>
      one(1 + random(4), [0, 100 + random(900), 60, 500 + random(490), 0][1 + random(4)]!, {
        stackGroup: random(3) ? 'g' : null,
        maxPerOrder: 1 + random(3),
      }),
    )
    const amount = 200 + random(2000)
    const shorter = new Map(all.map(({ value }) => [value, Math.max(0, amount - value)] as const))
    const found = best(all, amount, shorter)
    for (let mask = 1; mask < 128; mask++) {
      const some = all.filter((_, i) => mask & (1 << i))
      if (some.length > 3 || (some.length > 1 && some.some((c) => c.stackGroup === null || c.type === FREE || c.maxPerOrder < some.length))) continue
      if ([TIME, DISCOUNT].some((type) => some.filter((c) => c.type === type).length > 1)) continue
      expect(best(some, amount, shorter).totalFen).toBeLessThanOrEqual(found.totalFen)
    }
    expect(best(all.toReversed(), amount, shorter)).toEqual(found)
  }
})

test('thirty coupons are weighed in less than two milliseconds', () => {
  const group = { stackGroup: 'g', maxPerOrder: 3 }
  const all = Array.from({ length: 30 }, (_, i) => one(1 + (i % 3), [100 + i, 60, 900 - i][i % 3]!, group))
  for (let i = 0; i < 30; i++) best(all, 5000, hour)
  const took = Array.from({ length: 21 }, () => {
    const from = performance.now()
    best(all, 5000, hour)
    return performance.now() - from
  }).sort((a, b) => a - b)
  // The fastest run: other work of the machine is no time of ours.
  expect(took[0]).toBeLessThan(2)
})
