import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { PeriodUnit, ValidType } from '../../contract/plan.ts'

/** How long a plan lasts, as it was sold. */
export interface Length {
  periodUnit: 1 | 2 | 3 | 4 | 5
  periodCount: number
  validType: 1 | 2
}
/** Months in a unit; a day has none. */
export const MONTHS: Record<Length['periodUnit'], number> = {
  [PeriodUnit.day]: 0,
  [PeriodUnit.month]: 1,
  [PeriodUnit.quarter]: 3,
  [PeriodUnit.halfYear]: 6,
  [PeriodUnit.year]: 12,
}

/** The day of the month that a date falls on. */
export const dayOfMonth = (at: Instant): number => Number(dayOf(at).slice(8))
const lengthOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** The moment so many months on, on the anchor day or the last day of the month: 31 January, 28 February, 31 March. */
export function monthsOn(at: Instant, months: number, anchorDay: number): Instant {
  const [year, month] = dayOf(at).split('-').map(Number) as [number, number]
  const total = year * 12 + (month - 1) + months
  const [y, m] = [Math.floor(total / 12), total % 12]
  const day = Math.min(anchorDay, lengthOfMonth(y, m))
  return startOf(`${y}-${String(m + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}` as Day)
}
export const daysOn = (at: Instant, days: number): Instant => instantAt(msOf(at) + days * DAY_MS)
/** Midnight before a moment. */
export const midnight = (at: Instant): Instant => startOf(dayOf(at))
/** Days from one midnight to another, begun ones counted. */
export const daysBetween = (from: Instant, to: Instant): number => Math.max(0, Math.ceil((msOf(to) - msOf(midnight(from))) / DAY_MS))

/** The end of so many periods from a midnight. Calendar months end with the month: the rest of the first one counts as one. */
export function endOf(start: Instant, { periodUnit, periodCount, validType }: Length, periods: number, anchorDay: number): Instant {
  const units = periodCount * periods
  if (periodUnit === PeriodUnit.day) return daysOn(start, units)
  const months = MONTHS[periodUnit] * units
  return validType === ValidType.calendar ? monthsOn(start, months, 1) : monthsOn(start, months, anchorDay)
}

/** Returns the price of so many periods for so many bays: the price of a plan is that of one bay. */
export const priceOf = (start: Instant, plan: Length & { priceFen: number }, periods: number, bays: number): number =>
  bays * priceOfBay(start, plan, periods)
/** Of a first month that is not whole, the days that are left, rounded up. */
function priceOfBay(start: Instant, plan: Length & { priceFen: number }, periods: number): number {
  const whole = plan.priceFen * periods
  const first = dayOfMonth(start)
  if (plan.validType !== ValidType.calendar || plan.periodUnit === PeriodUnit.day || first === 1) return whole
  const days = monthDays(start)
  const months = MONTHS[plan.periodUnit] * plan.periodCount * periods
  // The price of a month is the plan's, divided; all but the part of the first month is whole.
  const missing = first - 1
  return whole - Math.floor((whole * missing) / (months * days))
}

/**
 * The share of whole months that nobody has begun to use, as a fraction: of so many days from the date that they were sold from, so many of which are used. A first month that
 * was not whole counts for the days that it had.
 */
export function unusedMonths(
  start: Instant,
  { validType, anchorDay }: Pick<Length, 'validType'> & { anchorDay: number },
  days: number,
  usedDays: number,
): [unused: number, of: number] {
  const calendar = validType === ValidType.calendar
  const [first, length] = [dayOfMonth(start), monthDays(start)]
  const anchor = calendar ? 1 : first === length ? Math.max(first, anchorDay, dayOfMonth(daysOn(start, days))) : first
  const begins = [start]
  while (daysBetween(start, begins.at(-1)!) < days) begins.push(monthsOn(start, begins.length, anchor))
  const unused = begins.slice(0, -1).filter((begin) => daysBetween(start, begin) >= usedDays).length
  return [unused * length, Math.max(1, begins.length - 1) * length - (calendar ? first - 1 : 0)]
}
const monthDays = (at: Instant): number => {
  const [year, month] = dayOf(at).split('-').map(Number) as [number, number]
  return lengthOfMonth(year, month - 1)
}

/** The k-th of so many day amounts, from 1: whole fen, the rest on the last day. Their sum is the price. */
export function dayAmount(priceFen: number, days: number, k: number): number {
  const each = Math.floor(priceFen / days)
  return k < days ? each : priceFen - each * (days - 1)
}
