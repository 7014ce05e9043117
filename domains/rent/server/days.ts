import type { Day, Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { worksOn } from '../../fee/server/api.ts'

/** Periods of the procedure, in days on which people work. */
export const WORKDAYS = { letting: 10, correction: 3, shown: 5, contract: 10, refund: 5, payAgain: 3 } as const
/** A calendar with no working day in so many is none. */
const LOOK_DAYS = 400

export const dayNumber = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
export const dayAt = (number: number): Day => new Date(number * DAY_MS).toISOString().slice(0, 10) as Day

/** The day that is so many working days after another. */
export async function workdaysAfter(tx: Tx, at: Instant, count: number): Promise<Day> {
  const works = await worksOn(tx)
  const first = dayNumber(dayOf(at))
  let [day, left] = [first, count]
  while (left > 0 && day < first + LOOK_DAYS) if (works(++day)) left--
  return dayAt(day)
}
