import type { Fraction, Rate } from '../contract/tariff.ts'

export const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
export const lcm = (a: number, b: number) => (a / gcd(a, b)) * b
export const fractionOf = (rate: Rate): Fraction => (typeof rate === 'number' ? [rate, 1] : rate)

/** Prices are printed to four decimals at most, or are a rate per minute of a price per hour or per day: a denominator in minutes of a day. */
const DENOMINATOR_MAX = 14_400
const CLOSE = 1e-7

/**
 * A printed decimal as the exact number it stands for: 0.02 is 200 (of 0.0001), 0.08166666666666667 is 2450/3 (4.90 an hour, by the minute).
 * Undefined when it is no such number.
 */
export function rateOf(price: number): Rate | undefined {
  const found = rational(price * 10_000)
  return found && (found[1] === 1 ? found[0] : found)
}

/** The fraction with the smallest denominator that a decimal of full precision can stand for. */
export function rational(value: number): Fraction | undefined {
  if (!Number.isFinite(value) || Math.abs(value) > 1e11) return undefined
  for (let d = 1; d <= DENOMINATOR_MAX; d++) {
    const n = Math.round(value * d)
    if (Math.abs(value * d - n) < CLOSE / 10) return [n, d]
  }
  return undefined
}
