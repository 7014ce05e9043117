import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import type { Text } from '../../../platform/web/text.ts'
import { type AllocationLine, odometerMost, PLAN_MAX_DAYS } from '../contract/allocation.ts'

type Typed = Readonly<Record<string, unknown>>
const METRES = 1_000

/** Returns the fault of the planned end beside its start: shown where the end is typed. */
export function endFault({ planFrom, planTo }: { planFrom: Instant | undefined; planTo: Instant | undefined }, now: number): Text | undefined {
  if (!planTo) return undefined
  if (planFrom && msOf(planTo) <= msOf(planFrom)) return ['计划结束应晚于计划开始', 'The planned end must be after the planned start']
  if (msOf(planTo) <= now) return ['计划结束时间已过，请选择以后的时间', 'The planned end is in the past: choose a later time']
  if (planFrom && msOf(planTo) - msOf(planFrom) > PLAN_MAX_DAYS * DAY_MS)
    return [`用车最长 ${PLAN_MAX_DAYS} 天`, `A booking lasts ${PLAN_MAX_DAYS} days at most`]
  return undefined
}
export const endCheck =
  (planned?: Instant) =>
  ({ planFrom = planned, planTo }: Typed) =>
    endFault({ planFrom: planFrom as Instant | undefined, planTo: planTo as Instant | undefined }, Date.now())

type Out = Pick<Of<typeof AllocationLine>, 'odoOut' | 'outAt'>
/** Returns the fault of a returning car's odometer reading, beside the one that it went out with. */
export function readingFault({ odoOut, outAt }: Out, odoIn: unknown, now: Instant): Text | undefined {
  if (typeof odoIn !== 'number' || odoOut === null || outAt === null) return undefined
  const km = (metres: number) => (metres / METRES).toFixed(1)
  if (odoIn < odoOut) return [`不能小于出车里程 ${km(odoOut)} km`, `Not less than the odometer out, ${km(odoOut)} km`]
  if (odoIn > odometerMost(odoOut, outAt, now))
    return [`比出车里程多 ${km(odoIn - odoOut)} km，请核对读数`, `${km(odoIn - odoOut)} km above the odometer out: check the reading`]
  return undefined
}
