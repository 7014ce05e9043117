import type { Instant } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { Trust } from '../contract/track.ts'
import { metresBetween, type Spot } from './distance.ts'
import { FASTEST } from './odometer.ts'

/** After so many positions that a car can have driven one after the other, these are believed against the earlier ones. */
export const AGREE = 4
/** No clock is so far ahead. */
export const AHEAD_MS = 10 * MINUTE_MS
/** Tenths of km/h. */
export const SPEED_MAX = 2_000

interface Place extends Spot {
  deviceTime: Instant
}
interface Chain extends Place {
  from: Instant
  places: number
}
/** The places that are believed, by the last of them, and those that would be if more came. */
export interface Belief {
  last: Chain | null
  elsewhere: Chain | null
}
export interface Fix extends Place {
  speed: number
  fixed: boolean
}
/** The car is elsewhere: positions kept as impossible from then on were right. The earlier ones were wrong from `wrongFrom` on, where it was no more than a first fix or two. */
export interface Turn {
  from: Instant
  /** The place that showed it. */
  until: Instant
  wrongFrom: Instant | null
}
export const isNowhere = ({ lng, lat }: Spot) => Math.abs(lat) > 90 || Math.abs(lng) > 180 || (lat === 0 && lng === 0)
const elapsedS = (from: Place, to: Place) => (msOf(to.deviceTime) - msOf(from.deviceTime)) / 1_000
const jumped = (from: Place, to: Place) => elapsedS(from, to) > 0 && metresBetween(from, to) / elapsedS(from, to) > FASTEST
const begun = ({ deviceTime, lng, lat }: Place): Chain => ({ deviceTime, lng, lat, from: deviceTime, places: 1 })
const longer = (chain: Chain, { deviceTime, lng, lat }: Place): Chain =>
  deviceTime > chain.deviceTime ? { ...chain, deviceTime, lng, lat, places: Math.min(chain.places + 1, AGREE) } : chain

/** In the order of their time: each place against those before, and a few that agree against one that stands alone, whichever came first. */
export function trusted<F extends Fix>(said: readonly F[], before: Belief): { kept: (F & { trust: 1 | 2 | 3 })[]; belief: Belief; turns: Turn[] } {
  const kept: (F & { trust: 1 | 2 | 3 })[] = []
  const turns: Turn[] = []
  let { last, elsewhere } = before
  for (const one of said) {
    if (!one.fixed && !isNowhere(one)) kept.push({ ...one, trust: Trust.noFix })
    else if (isNowhere(one) || one.speed > SPEED_MAX) kept.push({ ...one, trust: Trust.impossible })
    else if (last === null || !jumped(last, one)) {
      ;[last, elsewhere] = [last === null ? begun(one) : longer(last, one), null]
      kept.push({ ...one, trust: Trust.good })
    } else {
      elsewhere = elsewhere === null || jumped(elsewhere, one) ? begun(one) : longer(elsewhere, one)
      kept.push({ ...one, trust: Trust.impossible })
      if (elsewhere.places < AGREE) continue
      const turn = { from: elsewhere.from, until: one.deviceTime, wrongFrom: last.places < AGREE ? last.from : null }
      turns.push(turn)
      for (const was of kept) was.trust = judged(was, turn)
      ;[last, elsewhere] = [elsewhere, null]
    }
  }
  return { kept, belief: { last, elsewhere }, turns }
}
function judged(was: Fix & { trust: 1 | 2 | 3 }, { from, wrongFrom }: Turn): 1 | 2 | 3 {
  if (was.deviceTime >= from) return was.trust === Trust.impossible && !isNowhere(was) && was.speed <= SPEED_MAX ? Trust.good : was.trust
  return wrongFrom !== null && was.deviceTime >= wrongFrom && was.trust === Trust.good ? Trust.impossible : was.trust
}
