import { compile, type Compiled, price } from '../../domains/fee/server/api.ts'
import type { Tariff } from '../../domains/fee/contract/tariff.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, MINUTE_MS } from '../../platform/contract/time.ts'
import { hasEtc, lanesOf, type PlannedPark, RHYTHMS, type Rhythm, STAYS } from '../plan.ts'
import { type Plate, plateFrom, type Random, randomFrom } from '../random.ts'
import { Direction } from '../../domains/parking/contract/gate.ts'
import { SessionAbnormal } from '../../domains/parking/contract/stay.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'

/** The records of one car's visit, in the words of parking and settlement. Times are milliseconds since 1970, money is fen. */
export interface Visit extends Plate {
  parkCode: string
  entryMs: number
  exitMs: number | null
  entryGate: string
  exitGate: string | null
  kind: 'temporary' | 'pass' | 'free'
  end: 'inside' | 'left' | 'unpaid'
  /** Read twice, corrected later: of interest to whoever looks at abnormal stays. */
  abnormal: typeof SessionAbnormal.none | typeof SessionAbnormal.corrected | typeof SessionAbnormal.tailgated
  receivableFen: number
  discountFen: number
  method: keyof typeof METHODS | null
  payMs: number | null
}
/** The way of paying by the card in the windscreen, through an antenna. */
export const ETC = PayMethod.etc
/** How drivers pay, in shares of a hundred, by how they pay. */
export const METHODS = {
  [PayMethod.wechat]: 55,
  [PayMethod.alipay]: 26,
  [PayMethod.etc]: 8,
  [PayMethod.cash]: 7,
  [PayMethod.digitalYuan]: 4,
} as const

/** Fewer cars come to an office on a Sunday, more to a mall. */
const WEEKEND: Record<Rhythm, number> = { work: 0.35, shop: 1.3, hospital: 0.75, station: 1.15, home: 1 }
const SHORTEST_MIN = 2
const LONGEST_MIN = 3 * 1440

export interface PricedPark {
  park: PlannedPark
  tariff: Compiled
  /** Plates with a pass here, so that the same cars come every day. */
  passes: readonly Plate[]
}
export const pricedPark = (park: PlannedPark, tariff: Tariff, passes: readonly Plate[]): PricedPark => ({ park, tariff: compile(tariff), passes })

/** Plates of the pass holders of a park: the same for everybody who asks. */
export function passesOf(park: PlannedPark): Plate[] {
  const random = randomFrom(hashOf(park.parkCode))
  return Array.from({ length: Math.max(4, Math.round((park.carsPerDay * park.passShare) / 80)) }, () => plateFrom(random))
}

/** One business day of one park: cars that came on it, in the order in which they came. The same day is always the same. */
export function visitsOn(dayMs: number, { park, tariff, passes }: PricedPark, nowMs: number): Visit[] {
  const still = stillInside(dayMs, park, passes)
  return comeOn(dayMs, park, passes)
    .filter(({ plateNo, entryMs }) => entryMs < nowMs && (still.get(plateNo) ?? 0) < entryMs) // what is still to come today is left to the drivers
    .map((came) => visitOf(came, { park, tariff }, nowMs))
    .sort((a, b) => a.entryMs - b.entryMs)
}
/** Until when cars of the days before stay: whoever parks over night does not come again before they have left. */
function stillInside(dayMs: number, park: PlannedPark, passes: readonly Plate[]): Map<string, number> {
  const until = new Map<string, number>()
  for (let back = 1; back * 1440 <= LONGEST_MIN; back++)
    for (const { plateNo, exitMs } of comeOn(dayMs - back * DAY_MS, park, passes)) until.set(plateNo, Math.max(exitMs, until.get(plateNo) ?? 0))
  return until
}

type Came = Plate & { entryMs: number; exitMs: number; parkCode: string; entryGate: string; exitGate: string; kind: Visit['kind']; luck: Luck }
/** Random draws for a visit. */
interface Luck {
  /** From 0, where something goes wrong, to 1. */
  of: number
  coupon: boolean
  method: keyof typeof METHODS
  payMs: number
}
/** Each car once a day. */
function comeOn(dayMs: number, park: PlannedPark, passes: readonly Plate[]): Came[] {
  const random = randomFrom(hashOf(park.parkCode) ^ Math.round(dayMs / DAY_MS))
  const weekday = new Date(dayMs + CITY_OFFSET_MS).getUTCDay()
  const busy = (weekday === 0 || weekday === 6 ? WEEKEND[park.rhythm] : 1) * (0.9 + random.next() * 0.2)
  const lanes = lanesOf([park], park)
  const [entries, exits] = [Direction.entrance, Direction.exit].map((way) => lanes.filter(({ direction }) => direction === way))
  const { middle, spread } = STAYS[park.rhythm]
  const all = Array.from({ length: Math.round(park.carsPerDay * busy) }, (): Came => {
    const entryMs = dayMs + (random.weighted(RHYTHMS[park.rhythm]) * 60 + random.below(60)) * MINUTE_MS + random.below(60) * 1000
    const pass = random.below(100) < park.passShare
    const car = pass ? random.oneOf(passes) : plateFrom(random)
    const minutes = Math.min(LONGEST_MIN, Math.max(SHORTEST_MIN, Math.round(random.skewed(middle, spread))))
    const exitMs = entryMs + minutes * MINUTE_MS + random.below(60) * 1000
    const gates = { entryGate: random.oneOf(entries!).gateCode, exitGate: random.oneOf(exits!).gateCode }
    const kind = pass ? 'pass' : random.chance(0.012) ? 'free' : 'temporary'
    return { ...car, entryMs, exitMs, parkCode: park.parkCode, ...gates, kind, luck: luckOf(random, exitMs) }
  })
  return [...new Map(all.toReversed().map((came) => [came.plateNo, came])).values()]
}
function luckOf(random: Random, exitMs: number): Luck {
  const [of, coupon] = [random.next(), random.chance(0.08)]
  const method = Number(Object.keys(METHODS)[random.weighted(Object.values(METHODS))]) as Luck['method']
  return { of, coupon, method, payMs: exitMs - (5 + random.below(40)) * 1000 }
}

function visitOf({ luck, kind, ...came }: Came, { park, tariff }: Pick<PricedPark, 'park' | 'tariff'>, nowMs: number): Visit {
  const none = { receivableFen: 0, discountFen: 0, method: null, payMs: null }
  if (came.exitMs >= nowMs) return { ...came, exitMs: null, exitGate: null, kind, end: 'inside', abnormal: SessionAbnormal.none, ...none }
  const receivableFen =
    kind === 'temporary' ? Math.round(price(tariff, { entry: civil(came.entryMs), exit: civil(came.exitMs) }).total / (100 * tariff.scale)) : 0
  const misread = (share: number) => (luck.of < share ? SessionAbnormal.corrected : SessionAbnormal.none)
  if (receivableFen === 0) return { ...came, kind, end: 'left', abnormal: misread(0.004), ...none }
  if (luck.of < 0.012) return { ...came, kind, end: 'unpaid', abnormal: SessionAbnormal.tailgated, ...none, receivableFen }
  const discountFen = luck.coupon ? Math.min(500, receivableFen) : 0
  const method = receivableFen > discountFen ? methodAt(luck, park, nowMs) : null
  return { ...came, kind, end: 'left', abnormal: misread(0.018), receivableFen, discountFen, method, payMs: luck.payMs }
}

/** A card is charged where there is an antenna, and today by whoever drives the city: the issuer's file of a day then tells of all of its trades. */
const methodAt = ({ method, payMs }: Luck, park: PlannedPark, nowMs: number) =>
  method !== ETC || (hasEtc(park) && dayOf(instantAt(payMs)) < dayOf(instantAt(nowMs))) ? method : OTHERWISE
const OTHERWISE = PayMethod.wechat

/** Seconds of the city's wall clock, as the fee engine counts. */
const civil = (ms: number) => Math.floor((ms + CITY_OFFSET_MS) / 1000) as never

function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return hash
}
