import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { type FreeReason, LineKind, type LineKindCode, type QuoteLineOf, type QuoteOf } from '../contract/quote.ts'
import type { Tariff } from '../contract/tariff.ts'
import { type Civil, civilOfInstant, clockText, DAY_SECONDS, instantOfCivil } from './civil.ts'
import { type Calendar, compile, type Compiled } from './compiled.ts'
import { type Asked, type Part, price } from './engine.ts'

export const TooMuch = refusal(
  'fee.too-much',
  40605,
  '金额过大，无法精确计算；请核对停车时长与单价',
  'The amount is too large to be calculated exactly: check the length of the stay and the prices',
  422,
)

/** A stay as the outside knows it. Times are instants; `covered` in order and apart. */
export interface StayAsked {
  entry: Instant
  at: Instant
  covered?: readonly { from: Instant; to: Instant }[] | undefined
  paidFen?: Fen | number | undefined
  freeUsed?: number | undefined
  freeGone?: boolean | undefined
}
export interface RuleFacts {
  id: string | null
  name: string
  versionNo: number
}

/** The engine's answer in fen and instants: semantics 6's calFee, with a line for every part. Pure. */
export function quoteWith(compiled: Compiled, calendar: Calendar | undefined, { id, name, versionNo }: RuleFacts, stay: StayAsked): QuoteOf {
  const asked = askedOf(stay, calendar)
  const parts: Part[] = []
  const { total, freeReason, unknownYear } = price(compiled, asked, parts)
  if (!Number.isSafeInteger(total)) throw TooMuch()
  const totalFen = fenOf(compiled, total)
  const paidFen = stay.paidFen ?? 0
  const until = validUntil(compiled, asked, totalFen)
  return {
    totalFen: totalFen as Fen,
    paidFen: paidFen as Fen,
    payableFen: Math.max(0, totalFen - paidFen) as Fen,
    entry: stay.entry,
    at: stay.at,
    lines: linesOf(compiled, parts),
    freeReason: freeReason && REASONS[freeReason],
    ruleVersionId: id,
    ruleName: name,
    ruleVersionNo: versionNo,
    validUntil: until === undefined ? null : (instantOfCivil(until) as Instant),
    holidaysUnknown: unknownYear,
  }
}
const askedOf = (stay: StayAsked, calendar: Calendar | undefined): Asked => ({
  entry: civilOfInstant(stay.entry),
  exit: civilOfInstant(stay.at),
  covered: merged((stay.covered ?? []).map(({ from, to }) => [civilOfInstant(from), civilOfInstant(to)] as const)),
  calendar,
  freeUsed: stay.freeUsed ?? 0,
  freeGone: stay.freeGone ?? false,
})
/** The total alone, for who prices many stays. Undefined where it cannot be worked out exactly. */
export function totalFenOf(compiled: Compiled, calendar: Calendar | undefined, stay: StayAsked): number | undefined {
  const { total } = price(compiled, askedOf(stay, calendar))
  return Number.isSafeInteger(total) ? fenOf(compiled, total) : undefined
}
const REASONS = { noTime: 1, withinFree: 2, covered: 3, notCharged: 4 } as const satisfies Record<string, keyof typeof FreeReason.entries>

/** A part of a fen is not charged: it is cut. */
const fenOf = ({ scale }: Compiled, money: number) => Math.floor(money / (100 * scale))

const KIND: Record<Part['kind'], LineKindCode> = {
  units: 1,
  visit: 2,
  rate: 3,
  table: 4,
  running: 5,
  free: 6,
  grace: 7,
  notCharged: 8,
  covered: 9,
  factor: 10,
  rounding: 11,
  wholeDay: LineKind.wholeDay,
}
const CAPPED = { segment: 1, day: 2, stay: 3 } as const

/** Fen of each part by cutting the running sum, so that the lines add up to the total to the fen. */
function linesOf(compiled: Compiled, parts: Part[]): QuoteLineOf[] {
  let before = 0
  let sum = 0
  return parts.map((part) => {
    sum += part.amount
    const amountFen = fenOf(compiled, sum) - before
    before += amountFen
    const perUnit = (part.kind === 'rate' ? part.price * part.unitSec : part.price) / compiled.scale
    return {
      kind: KIND[part.kind],
      from: instantOfCivil(part.from) as Instant,
      to: instantOfCivil(part.to) as Instant,
      segment: part.band < 0 ? null : segmentName(compiled, part.band),
      segmentNo: part.band,
      units: part.kind === 'rate' ? Math.ceil(part.units / part.unitSec) : part.units,
      unitMin: Math.round(part.unitSec / 60),
      unitFen: Math.round(perUnit / 100) as Fen,
      unitE4: Math.round(perUnit),
      fullFen: (part.cappedBy ? fenOf(compiled, part.full) : amountFen) as Fen,
      amountFen: amountFen as Fen,
      cappedBy: part.cappedBy && CAPPED[part.cappedBy],
      cappedFrom: part.cappedBy ? (instantOfCivil(part.cappedFrom) as Instant) : null,
    }
  })
}
function segmentName({ written }: Compiled, band: number) {
  const { name, fromMin, toMin } = written[band]!
  return name ?? `${clockText(fromMin)}–${clockText(toMin)}`
}

/** How far ahead a total is looked after. A stay that costs no more until then has no end to its price worth telling. */
const AHEAD_SECONDS = 3 * DAY_SECONDS
/** The last second at which the total is still this. Between two full 24 hours with their own price the fee never falls, so it is found by halving. */
function validUntil(compiled: Compiled, asked: Asked, totalFen: number): Civil | undefined {
  const quoted = (exit: Civil) => price(compiled, { ...asked, exit })
  const isSame = (exit: Civil) => fenOf(compiled, quoted(exit).total) === totalFen
  const lastWithDays = (from: Civil, days: number) => lastOf(from, end, (exit) => quoted(exit).wholeDays === days)
  const start = Math.max(asked.exit, asked.entry)
  const end = start + AHEAD_SECONDS
  for (let from = start; ;) {
    const last = compiled.wholeDay === undefined ? end : lastWithDays(from, quoted(from).wholeDays)
    const until = lastOf(from, last, isSame)
    if (until < last) return until
    if (last === end) return undefined
    if (!isSame(last + 1)) return last
    from = last + 1
  }
}
/** The last second for which something holds that holds at `from` and, once over, never again until `end`. */
function lastOf(from: Civil, end: Civil, holds: (exit: Civil) => boolean): Civil {
  if (holds(end)) return end
  let good = from
  let bad = end
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (holds(middle)) good = middle
    else bad = middle
  }
  return good
}

/** In order and not overlapping: time that a pass and a reservation both cover is covered once. */
function merged(covered: (readonly [Civil, Civil])[]): (readonly [Civil, Civil])[] {
  const found: [Civil, Civil][] = []
  for (const [from, to] of [...covered].sort(([a], [b]) => a - b)) {
    const last = found.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

/** Compiled tariffs by version. A published version never changes, so what is here is right for ever; the oldest go first. */
const KEPT_MAX = 2000
const kept = new Map<string, Compiled>()
export function compiledOnce(key: string, tariff: () => Tariff): Compiled {
  let found = kept.get(key)
  if (found) return found
  found = compile(tariff())
  if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!)
  kept.set(key, found)
  return found
}
