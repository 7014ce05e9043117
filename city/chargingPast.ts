import { DAY_MS, dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { charged, COMPANY_CARDS, DAYS, goesOn, isAway, isFaulty, PARTNER_LATELY_DAYS, PARTNER_PILES, pilesOf, STATIONS } from './piles.ts'
import { type Random, randomFrom } from './random.ts'

/** Guns that nobody uses just now, that work and are there: what is told of their past changes nothing of what stands there. */
const FREE = STATIONS.flatMap(pilesOf).flatMap((pile, place) => (goesOn(place) || isFaulty(place) || isAway(pile.point) ? [] : [{ pile, place }]))
/** A partner's drivers come to those in the evening, after they are free. */
const isPartners = (place: number) => PARTNER_PILES.includes(place)
const [FROM_HOUR, HOURS] = [7, 13]
/** Of a day each of them is used on so many of a hundred; more people are on the road at the end of a week. */
const USED = { workday: 34, weekend: 46 }
const isWeekend = (dayMs: number) => [0, 6].includes(new Date(dayMs + DAY_MS / 2).getUTCDay())

/**
 * The months of charging before the last days, each day in a transaction of its own that also notes it, so that a start that was cut off goes on where it was. The domain priced
 * each charge, took its money and gave the rest back, as it does with any other: therefore fewer of them than of stays, which are loaded. Before the piles speak for themselves.
 * @throws where a day could not be told: the others are, and the next start tries it again
 */
export async function fillChargingPast(house: House, enterprise: number, { nowMs, days }: { nowMs: number; days: number }): Promise<void> {
  const today = msOf(startOf(dayOf(instantAt(nowMs))))
  let missing = 0
  for (let back = days; back > DAYS; back--)
    await house
      .writing(enterprise, 'demo', (tx) => tellDay(tx, back, today - back * DAY_MS))
      .catch((error: Error) => {
        missing++
        house.log.warn({ err: error }, `The charging sessions of ${dayOf(instantAt(today - back * DAY_MS))} were not told.`)
      })
  if (missing > 0) throw new Error(`The charging sessions of ${missing} of ${days - DAYS} days were not told; the next start tries them again.`)
}
async function tellDay(tx: Tx, back: number, dayMs: number): Promise<void> {
  const [isNew] = await run(tx, MARK, [`demo.charging.${dayOf(instantAt(dayMs))}`])
  if (!isNew) return
  const random = randomFrom(back * 71 + 3)
  for (const { pile, place } of FREE) {
    if (random.below(100) >= (isWeekend(dayMs) ? USED.weekend : USED.workday)) continue
    // From then on they come by day too.
    if (isPartners(place) && back <= PARTNER_LATELY_DAYS) continue
    await charged(tx, { ...pile, startMs: startOn(dayMs, random, isPartners(place)), random, cardNo: payer(random), ending: 'left' })
  }
}
const MARK = { sql: `insert into platform.setting (name, value) values ($1, 'true') on conflict (name) do nothing returning name` }
const startOn = (dayMs: number, random: Random, isEarly: boolean) =>
  dayMs + (FROM_HOUR * 60 + random.below((HOURS - (isEarly ? 1 : 0)) * 60)) * MINUTE_MS
/** One in six is a company's. */
const payer = (random: Random) => (random.chance(1 / 6) ? random.oneOf(COMPANY_CARDS) : null)
