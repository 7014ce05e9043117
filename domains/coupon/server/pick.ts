import { CouponType, STACK_MAX } from '../contract/template.ts'

/** Facts about a usable coupon that the picker decides by. */
export interface Candidate {
  id: string
  type: number
  /** Fen, minutes, or the ‰ that is still paid; by the type. */
  value: number
  maxDiscountFen: number | null
  /** As much as is kept for it, where its merchant pays what is deducted. */
  capFen: number | null
  stackGroup: string | null
  maxPerOrder: number
  validTo: string
}
export interface Taken {
  id: string
  takeFen: number
}
export interface Best {
  taken: Taken[]
  totalFen: number
}
/** The fee if the stay were so many minutes shorter, by minutes. */
export type Shortened = ReadonlyMap<number, number>

/**
 * The coupons that take most off; of equal ones the fewest, then those that expire first, then the smallest id. Applied in the order time, discount, amount; a free one
 * stands for all. One alone, unless its group stacks: then at most one of time, one discount, and amounts, up to the group's limit.
 */
export function best(all: readonly Candidate[], amountFen: number, shortened: Shortened): Best {
  const ranked = [...all].sort((a, b) => (a.validTo < b.validTo ? -1 : a.validTo > b.validTo ? 1 : a.id < b.id ? -1 : 1))
  let top: { ranks: number[]; totalFen: number } = { ranks: [], totalFen: 0 }
  const chosen: number[] = []
  const together: Candidate[] = []
  const weigh = () => {
    const totalFen = totalOf(together, amountFen, shortened)
    if (isBetter(totalFen, chosen, top)) top = { ranks: [...chosen], totalFen }
  }
  const extend = (from: number) => {
    for (let rank = from; rank < ranked.length; rank++) {
      if (!joins(ranked[rank]!, together)) continue
      chosen.push(rank)
      together.push(ranked[rank]!)
      weigh()
      if (chosen.length < STACK_MAX) extend(rank + 1)
      chosen.pop()
      together.pop()
    }
  }
  extend(0)
  return takenBy(
    top.ranks.map((rank) => ranked[rank]!),
    amountFen,
    shortened,
  )
}

/** May this one be used together with those? */
function joins(next: Candidate, chosen: readonly Candidate[]): boolean {
  if (chosen.length === 0) return true
  if (next.stackGroup === null || chosen.length + 1 > next.maxPerOrder || next.type === CouponType.free) return false
  return chosen.every((one) => {
    const alike = one.type === next.type && next.type !== CouponType.amount
    return one.stackGroup === next.stackGroup && chosen.length + 1 <= one.maxPerOrder && one.type !== CouponType.free && !alike
  })
}

function isBetter(totalFen: number, ranks: readonly number[], top: { ranks: readonly number[]; totalFen: number }): boolean {
  if (totalFen !== top.totalFen) return totalFen > top.totalFen
  if (totalFen === 0) return false
  if (ranks.length !== top.ranks.length) return ranks.length < top.ranks.length
  const place = ranks.findIndex((rank, i) => rank !== top.ranks[i])
  return place >= 0 && ranks[place]! < top.ranks[place]!
}

/** Returns the joint discount of coupons, in the order in which they are applied; never more than the amount asked. */
export function takenBy(coupons: readonly Candidate[], amountFen: number, shortened: Shortened): Best {
  let left = amountFen
  const taken: Taken[] = []
  for (const coupon of [...coupons].sort((a, b) => APPLIED.indexOf(a.type) - APPLIED.indexOf(b.type))) {
    const takeFen = takes(coupon, left, amountFen, shortened)
    left -= takeFen
    taken.push({ id: coupon.id, takeFen })
  }
  return { taken, totalFen: amountFen - left }
}
/** The same sum without saying which takes what: it is asked for thousands of combinations, so nothing is made for it. */
function totalOf(coupons: readonly Candidate[], amountFen: number, shortened: Shortened): number {
  let left = amountFen
  for (const type of APPLIED) for (const coupon of coupons) if (coupon.type === type) left -= takes(coupon, left, amountFen, shortened)
  return amountFen - left
}
const APPLIED: readonly number[] = [CouponType.time, CouponType.discount, CouponType.amount, CouponType.free]

function takes(coupon: Candidate, left: number, amountFen: number, shortened: Shortened): number {
  return Math.min(left, wouldTake(coupon, left, amountFen, shortened), coupon.maxDiscountFen ?? Infinity, coupon.capFen ?? Infinity)
}
function wouldTake({ type, value }: Candidate, left: number, amountFen: number, shortened: Shortened): number {
  if (type === CouponType.time) return Math.max(0, amountFen - (shortened.get(value) ?? amountFen))
  if (type === CouponType.discount) return Math.floor((left * (1000 - value)) / 1000)
  if (type === CouponType.amount) return value
  return left
}
