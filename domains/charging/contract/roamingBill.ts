import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, DAY_MS, dayOf, MINUTE_MS, msOf, startOf } from '../../../platform/contract/time.ts'
import type { PartnerPrice } from './partnerStation.ts'
import { Doubt, type RoamingLine } from './roaming.ts'

type Price = Of<typeof PartnerPrice>
type Line = Of<typeof RoamingLine>
type DoubtCode = CodeOf<typeof Doubt>

/** What a partner takes at a moment: the last price that began before it, or, early in the day, the last of the day before. */
export const priceAt = (prices: readonly Price[], at: Instant): Price | undefined => {
  const minute = cityTime(at).slice(11, 16)
  const inOrder = [...prices].sort((a, b) => (a.from < b.from ? -1 : 1))
  return inOrder.findLast(({ from }) => from <= minute) ?? inOrder.at(-1)
}

export interface TheirBill {
  startTime: Instant
  endTime: Instant
  energyWh: number
  elecFen: number
  serviceFen: number
  totalFen: number
  lines: readonly Line[]
}
interface Known {
  prices: readonly Price[]
  powerKw: number
  createdAt: Instant
}
/** Clocks of two platforms differ by so much. */
const CLOCK_MS = 10 * 60_000
/** A moment of a charge as a partner tells it: none where it lies before the charge was asked for, or ahead. */
export const momentOf = (told: Instant | null, { createdAt }: Pick<Known, 'createdAt'>, at: Instant): Instant | null =>
  told !== null && msOf(told) >= msOf(createdAt) - CLOCK_MS && msOf(told) <= msOf(at) + CLOCK_MS ? told : null
/** What so much energy costs at the least by what was quoted. */
export const leastFenFor = (wh: number, prices: readonly Price[]): number =>
  prices.length === 0 ? 0 : Math.floor(fenFor(wh, Math.min(...prices.map(({ elecPriceE4, servicePriceE4 }) => elecPriceE4 + servicePriceE4))))
const HOUR_MS = 3_600_000
const MOST_KW = 2_000
/** Energy is told in hundredths of a kWh. */
const ROUND_WH = 10
const wide = (fen: number, wantedFen: number, slackFen: number) => Math.abs(fen - wantedFen) > slackFen
const fenFor = (wh: number, priceE4: number) => (wh * priceE4) / 100_000

/** What is wrong with a bill; nothing where it is what was quoted, for what a gun can give in that time. */
export function doubtsAbout(bill: TheirBill, known: Known, at: Instant): DoubtCode[] {
  const found = [sums(bill), lines(bill), prices(bill, known), times(bill, known, at), energy(bill, known)]
  return found.filter((one) => one !== undefined)
}
const sums = ({ elecFen, serviceFen, totalFen }: TheirBill) => (elecFen + serviceFen === totalFen ? undefined : Doubt.sums)
function lines({ lines: all, elecFen, serviceFen, energyWh }: TheirBill) {
  if (all.length === 0) return undefined
  const of = (name: 'elecFen' | 'serviceFen' | 'wh') => all.reduce((sum, one) => sum + one[name], 0)
  const right = of('elecFen') === elecFen && of('serviceFen') === serviceFen && !wide(of('wh'), energyWh, ROUND_WH * all.length)
  return right ? undefined : Doubt.lines
}
/** Each line at the price of all of its time, and its money what its energy costs, as far as hundredths of a kWh tell; without lines, all of it between the least and the greatest price. */
function prices(bill: TheirBill, { prices: quoted }: Known) {
  if (quoted.length === 0) return undefined
  const slack = (priceE4: number) => 1 + fenFor(ROUND_WH, priceE4)
  const wrong = (line: Line) => {
    if (pricesWithin(quoted, line).some((price) => line.elecPriceE4 !== price.elecPriceE4 || line.servicePriceE4 !== price.servicePriceE4))
      return true
    return (
      wide(line.elecFen, fenFor(line.wh, line.elecPriceE4), slack(line.elecPriceE4)) ||
      wide(line.serviceFen, fenFor(line.wh, line.servicePriceE4), slack(line.servicePriceE4))
    )
  }
  if (bill.lines.length > 0) return bill.lines.some(wrong) ? Doubt.price : undefined
  const outside = (fen: number, all: number[]) =>
    fen < fenFor(bill.energyWh, Math.min(...all)) - slack(Math.min(...all)) || fen > fenFor(bill.energyWh, Math.max(...all)) + slack(Math.max(...all))
  const isWrong =
    outside(
      bill.elecFen,
      quoted.map(({ elecPriceE4 }) => elecPriceE4),
    ) ||
    outside(
      bill.serviceFen,
      quoted.map(({ servicePriceE4 }) => servicePriceE4),
    )
  return isWrong ? Doubt.price : undefined
}
/** The price at its beginning, and every one that begins before it is over. */
function pricesWithin(quoted: readonly Price[], { from, to }: Pick<Line, 'from' | 'to'>): Price[] {
  const began = msOf(startOf(dayOf(from)))
  const later = [0, 1].flatMap((day) => quoted.filter((price) => isBetween(began + day * DAY_MS + minuteOf(price) * MINUTE_MS, msOf(from), msOf(to))))
  return [priceAt(quoted, from)!, ...later]
}
const isBetween = (ms: number, fromMs: number, toMs: number) => ms > fromMs && ms < toMs
const minuteOf = ({ from }: Price) => Number(from.slice(0, 2)) * 60 + Number(from.slice(3))
function times({ startTime, endTime, lines: all }: TheirBill, { createdAt }: Known, at: Instant) {
  const [from, to] = [msOf(startTime), msOf(endTime)]
  const inside = all.every((one) => msOf(one.from) >= from - CLOCK_MS && msOf(one.to) <= to + CLOCK_MS && msOf(one.from) <= msOf(one.to))
  return from <= to && from >= msOf(createdAt) - CLOCK_MS && to <= msOf(at) + CLOCK_MS && inside ? undefined : Doubt.time
}
/** A tenth more than its plate says, and a minute more. Of a gun without a plate, what no gun can. */
function energy({ startTime, endTime, energyWh }: TheirBill, { powerKw }: Known) {
  const most = ((powerKw || MOST_KW) * 1_000 * (Math.max(0, msOf(endTime) - msOf(startTime)) + 60_000) * 1.1) / HOUR_MS
  return energyWh > most ? Doubt.energy : undefined
}
