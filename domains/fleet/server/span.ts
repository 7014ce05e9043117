import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { PLAN_MAX_DAYS } from '../contract/allocation.ts'

const Backwards = refusal(
  'fleet.span',
  42307,
  '结束时间应晚于开始时间，且最长 {days} 天',
  'The end must be after the start, {days:day} later at most',
  422,
)
/** @throws when the time is none that a car is given out for */
export function refuseSpan({ planFrom, planTo }: { planFrom: Instant; planTo: Instant }): void {
  const long = msOf(planTo) - msOf(planFrom)
  if (!(long > 0 && long <= PLAN_MAX_DAYS * DAY_MS)) throw Backwards({ days: PLAN_MAX_DAYS })
}
