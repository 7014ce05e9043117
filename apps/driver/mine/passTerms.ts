import { Trouble } from '../ask.ts'
import { say, type Text, yuan } from '../say.ts'

/** As in the contracts' `PassStatus`, `PassWindow` and `PeriodUnit`. */
export const STATES: Record<number, Text> = {
  0: ['待审核', 'Under review'],
  1: ['未生效', 'Not yet valid'],
  2: ['有效', 'Valid'],
  3: ['冻结', 'Frozen'],
  4: ['已过期', 'Expired'],
  7: ['待支付', 'To pay'],
}
export const [NOT_YET, VALID, EXPIRED] = [1, 2, 4]
export const HOURS: Record<number, Text> = {
  1: ['全天', 'All day'],
  2: ['日间 7:00–19:00', 'By day, 7:00–19:00'],
  3: ['夜间 19:00–7:00', 'By night, 19:00–7:00'],
  4: ['工作日', 'Monday to Friday'],
}
const UNITS: Record<number, readonly [zh: string, one: string, more: string]> = {
  1: ['天', 'day', 'days'],
  2: ['个月', 'month', 'months'],
  3: ['个季度', 'quarter', 'quarters'],
  4: ['个半年', 'half year', 'half years'],
  5: ['年', 'year', 'years'],
}

interface Length {
  periodUnit: number
  periodCount: number
}
/** How long so many periods of a plan are. */
export function lengthOf({ periodUnit, periodCount }: Length, periods = 1): string {
  const [zh, one, more] = UNITS[periodUnit]!
  const units = periodCount * periods
  return say([`${units} ${zh}`, `${units} ${units === 1 ? one : more}`])
}
export const priceOf = (plan: Length & { priceFen: number }): string => `${yuan(plan.priceFen)} / ${lengthOf(plan)}`
export const PERIODS_MOST = 24

const CONFLICT = 409
export const TAKEN: Text = [
  '车辆在此期间已有月卡，请核对日期或联系车场',
  'A car already has a pass in that period: check the dates or contact the car park',
]
/** Refused because a figure moved, the new one is shown beside the reason. */
export async function paying<T>(start: () => Promise<T>, again: () => Promise<void>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof Trouble && error.status === CONFLICT) await again().catch(() => {})
    throw error
  }
}
