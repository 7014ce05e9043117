import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { worksOn } from '../../fee/server/api.ts'
import { type Periods, periods, USUAL_PERIODS } from '../contract/period.ts'

export const calls = serve(periods, {
  get: ({ tx }) => periodsOf(tx),
  async set({ tx, input }) {
    const { letting, correction, shown, contract, refund, payAgain } = input
    await run(tx, SET, [letting, correction, shown, contract, refund, payAgain])
    return periodsOf(tx)
  },
})
/** Periods of the procedure as the company has set them. A procedure that has begun keeps its days. */
export async function periodsOf(tx: Tx): Promise<Of<typeof Periods>> {
  const [set] = await run<Of<typeof Periods>>(tx, PERIODS, [])
  return set ?? USUAL_PERIODS
}
const PERIODS = { sql: 'select letting, correction, shown, contract, refund, pay_again from rent.periods where enterprise_id = scope_enterprise()' }
const SET = {
  sql: `insert into rent.periods (letting, correction, shown, contract, refund, pay_again) values ($1, $2, $3, $4, $5, $6) on conflict (enterprise_id) do update
    set letting = excluded.letting, correction = excluded.correction, shown = excluded.shown, contract = excluded.contract, refund = excluded.refund, pay_again = excluded.pay_again`,
}
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
