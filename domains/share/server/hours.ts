import type { Instant } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'

/** Every started hour costs; in 24 hours no more than the cap. */
export function priceOf(from: Instant, to: Instant, priceFen: number, capFen: number | null): number {
  const hours = Math.ceil((msOf(to) - msOf(from)) / (60 * MINUTE_MS))
  const cap = capFen ?? 24 * priceFen
  return Math.floor(hours / 24) * Math.min(cap, 24 * priceFen) + Math.min((hours % 24) * priceFen, cap)
}
/** Returns the fen for minutes beyond the end: the hour's price times the overrun rate, rounded up. */
export const overtimeOf = (minutes: number, priceFen: number, permille: number): number => Math.ceil((minutes * priceFen * permille) / 60_000)

/** The same day of the next month, or its last day. */
export function monthAfter(from: Instant): Instant {
  const city = new Date(msOf(from) + CITY_OFFSET_MS)
  const [year, month] = [city.getUTCFullYear(), city.getUTCMonth() + 1]
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const next = Date.UTC(year, month, Math.min(city.getUTCDate(), days)) + ((msOf(from) + CITY_OFFSET_MS) % DAY_MS)
  return instantAt(next - CITY_OFFSET_MS)
}
export const plus = (at: Instant, minutes: number): Instant => instantAt(msOf(at) + minutes * MINUTE_MS)
