import { best, type Candidate } from '../domains/coupon/server/pick.ts'
import { CouponType } from '../domains/coupon/contract/template.ts'
import { sizeOf } from './size.ts'
import { median, print, type Row } from './table.ts'

/*
 * How long the best of thirty coupons takes to find, every one of which may join every other: at the exit a car waits for it. Amounts alone are the worst, since every
 * three of them go together. The floor is a look at each coupon by itself.
 */

const MOST_MS = 2
const COUPONS = 30
const ROUNDS = sizeOf('rounds', 101, 3)
const AMOUNT_FEN = 50_000

const coupons = (types: readonly number[]): Candidate[] =>
  Array.from({ length: COUPONS }, (_, i) => {
    const type = types[i % types.length]!
    const value = { [CouponType.discount]: 950 - i, [CouponType.time]: 10 + i }[type] ?? 100 + i * 7
    const id = String(i).padStart(3, '0')
    return {
      id,
      type,
      value,
      maxDiscountFen: null,
      capFen: null,
      stackGroup: 'all',
      maxPerOrder: 3,
      validTo: `2026-12-${String((i % 28) + 1).padStart(2, '0')}`,
    }
  })
const shortened = new Map(Array.from({ length: COUPONS }, (_, i) => [10 + i, AMOUNT_FEN - i * 50]))

function milliseconds(work: () => number): number {
  let kept = 0
  const measured = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    kept += work()
    return performance.now() - began
  })
  if (!(kept > 0)) throw new Error('nothing was taken off')
  return median(measured)
}

export function couponPick(): Row[] {
  const kinds = { 'amounts alone': [CouponType.amount], 'of every kind': [CouponType.time, CouponType.discount, CouponType.amount] }
  return Object.entries(kinds).flatMap(([kind, types]) => {
    const all = coupons(types)
    const floor = milliseconds(() => all.reduce((sum, one) => sum + best([one], AMOUNT_FEN, shortened).totalFen, 0))
    const figure = milliseconds(() => best(all, AMOUNT_FEN, shortened).totalFen)
    return [
      { what: `coupons: each of ${COUPONS} by itself, ${kind} (floor), ms`, value: floor.toFixed(3) },
      {
        what: `coupons: the best of ${COUPONS} that stack, ${kind}, ms`,
        value: `${figure.toFixed(3)} (${(figure / floor).toFixed(1)} times the floor)`,
        target: `${MOST_MS} ms`,
        kept: figure <= MOST_MS,
      },
    ]
  })
}

if (import.meta.main) {
  const rows = couponPick()
  print(rows)
  process.exitCode = rows.some(({ kept }) => kept === false) ? 1 : 0
}
