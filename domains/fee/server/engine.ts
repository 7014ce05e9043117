import { type Civil, DAY_SECONDS, yearOf } from './civil.ts'
import { type Calendar, type Compiled, type CompiledBand, NO_CAP } from './compiled.ts'

/** A stay to be priced, in seconds of the city's wall clock. */
export interface Asked {
  entry: Civil
  exit: Civil
  /** Parts that something else has paid for (a pass, a reservation): cut out before anything is counted. In order, not overlapping. */
  covered?: readonly (readonly [from: Civil, to: Civil])[]
  calendar?: Calendar | undefined
  /** How often this vehicle has had its free minutes today. */
  freeUsed?: number
  /** The stay began on time that was paid otherwise: the rest has no free minutes. */
  freeGone?: boolean
}

/** Money is whole, in `1 / scale` of 0.0001 of the currency's unit. The parts' amounts add up to the total, always. */
export interface Priced {
  total: number
  freeReason: FreeReason | null
  /** The stay met a year whose holidays are not known. */
  unknownYear: boolean
  /** Full 24 hours that had a price of their own. While their number stays the same a longer stay never costs less. */
  wholeDays: number
}
export type FreeReason = 'noTime' | 'withinFree' | 'covered' | 'notCharged'
export type CappedBy = 'segment' | 'day' | 'stay'

/** One part of the amount, or of the time that costs nothing. */
export interface Part {
  kind: 'units' | 'wholeDay' | 'visit' | 'rate' | 'table' | 'running' | 'free' | 'grace' | 'notCharged' | 'covered' | 'factor' | 'rounding'
  from: Civil
  to: Civil
  band: number
  units: number
  unitSec: number
  price: number
  full: number
  amount: number
  cappedBy: CappedBy | null
  /** From here on the cap holds and time costs nothing. */
  cappedFrom: Civil
  cycle: number
}

/**
 * Prices a stay under a tariff. Pure. With `parts` it also says why: every part of the amount and every stretch that costs nothing, in the order of time.
 * Algorithm: cut covered time out; free minutes; full 24 hours that have a price of their own; walk the rest band by band, a run of equal units at a time; caps of the band's
 * occurrence, then of the
 * cycle in which a unit starts, then of the stay; factor; rounding.
 */
export function price(c: Compiled, asked: Asked, parts: Part[] | null = null): Priced {
  const { entry, exit } = wholeTimes(c, asked)
  const w = walkOf(c, asked, entry, parts)
  if (exit <= entry) return { total: 0, freeReason: 'noTime', unknownYear: false, wholeDays: 0 }
  const stretches = billable(entry, exit, asked.covered, c.tariff.seconds !== 'count', parts)
  const billed = stretches === undefined ? exit - entry : lengthOf(stretches)
  if (billed <= 0) return { total: 0, freeReason: 'covered', unknownYear: false, wholeDays: 0 }
  const free = hasFree(c, asked) ? c.freeSec : 0
  if (free && isWithinFree(c, billed, free)) return withinFree(entry, exit, stretches, parts)
  const skip = c.tariff.free?.mode === 'deduct' ? free : 0
  if (c.table) priceByTable(w, c.table, entry, exit, billed - skip)
  else if (!stretches) priceStretch(w, skipped(w, entry, exit, skip), exit)
  else
    for (let i = 0; i < stretches.length; i += 2) {
      const from = i === 0 ? skipped(w, stretches[0]!, stretches[1]!, skip) : stretches[i]!
      priceStretch(w, from, stretches[i + 1]!)
    }
  const total = finished(w, entry, exit)
  const freeReason = total === 0 && w.full === 0 ? 'notCharged' : null
  return { total, freeReason, unknownYear: meetsUnknownYear(c, asked.calendar, entry, exit), wholeDays: w.wholeDays }
}

/** Only where kinds of day matter at all. */
function meetsUnknownYear({ clockOf }: Compiled, calendar: Calendar | undefined, entry: Civil, exit: Civil) {
  const years = calendar?.years
  if (!clockOf || !years) return false
  for (let year = yearOf(entry); year <= yearOf(exit - 1); year++) if (!years.has(year)) return true
  return false
}

/** The state of a walk. One object for each quote: plain fields, so that it is quick. */
interface Walk {
  c: Compiled
  parts: Part[] | null
  calendar: Calendar | undefined
  total: number
  full: number
  /** The cycle in hand: its number from entry, its limits and what it has cost. */
  origin: Civil
  cycleIndex: number
  cycleStart: Civil
  cycleEnd: Civil
  cycleSum: number
  cycleCap: number
  /** The band in hand, and its occurrence: known by when it began. */
  band: number
  from: Civil
  to: Civil
  occurrenceBand: number
  occurrence: Civil
  occurrenceSum: number
  visited: boolean
  /** Position in the tiers, over charged time, and up to which position a started unit is paid. */
  position: number
  paidTo: number
  firstTaken: boolean
  wholeDays: number
}

function walkOf(c: Compiled, asked: Asked, entry: Civil, parts: Part[] | null): Walk {
  const w: Walk = {
    c,
    parts,
    calendar: asked.calendar,
    total: 0,
    full: 0,
    origin: entry,
    cycleIndex: -1,
    cycleStart: entry,
    cycleEnd: NO_CAP,
    cycleSum: 0,
    cycleCap: NO_CAP,
    band: -1,
    from: 0,
    to: 0,
    occurrenceBand: -1,
    occurrence: 0,
    occurrenceSum: 0,
    visited: false,
    position: 0,
    paidTo: 0,
    firstTaken: false,
    wholeDays: 0,
  }
  if (c.cycle === 'natural' || c.cycle === 'cut') w.origin = Math.floor((entry - c.cutSec) / DAY_SECONDS) * DAY_SECONDS + c.cutSec
  enterCycle(w, entry)
  return w
}

/** Entry is read to its minute and the length in whole minutes, where a tariff does not count seconds. */
function wholeTimes({ tariff: { seconds } }: Compiled, { entry, exit }: Asked) {
  if (seconds === 'count') return { entry, exit }
  const length = (seconds === 'drop' ? Math.floor((exit - entry) / 60) : Math.ceil((exit - entry) / 60)) * 60
  const from = Math.floor(entry / 60) * 60
  return { entry: from, exit: from + length }
}

/** The stretches to be billed as a flat list from, to, from, to; undefined when nothing is covered. Covered time in part of a minute covers the minute. */
function billable(entry: Civil, exit: Civil, covered: Asked['covered'], wholeMinutes: boolean, parts: Part[] | null): Civil[] | undefined {
  if (!covered?.length) return undefined
  const stretches: Civil[] = []
  let at = entry
  for (const [coveredFrom, coveredTo] of covered) {
    const from = Math.max(at, wholeMinutes ? Math.floor(coveredFrom / 60) * 60 : coveredFrom)
    const to = Math.min(exit, wholeMinutes ? Math.ceil(coveredTo / 60) * 60 : coveredTo)
    if (to <= from) continue
    if (from > at) stretches.push(at, from)
    parts?.push(costless('covered', from, to, -1))
    at = to
  }
  if (at < exit) stretches.push(at, exit)
  return stretches
}
function lengthOf(stretches: Civil[]) {
  let sum = 0
  for (let i = 0; i < stretches.length; i += 2) sum += stretches[i + 1]! - stretches[i]!
  return sum
}

function hasFree({ tariff: { free }, freeSec }: Compiled, { freeUsed = 0, freeGone }: Asked) {
  return freeSec > 0 && !freeGone && !(free!.timesPerDay && freeUsed >= free!.timesPerDay)
}
const isWithinFree = ({ tariff }: Compiled, billed: number, free: number) => billed < free || (billed === free && tariff.free!.inclusive)
function withinFree(entry: Civil, exit: Civil, stretches: Civil[] | undefined, parts: Part[] | null): Priced {
  const all = stretches ?? [entry, exit]
  if (parts) for (let i = 0; i < all.length; i += 2) parts.push(costless('grace', all[i]!, all[i + 1]!, -1))
  parts?.sort((a, b) => a.from - b.from)
  return { total: 0, freeReason: 'withinFree', unknownYear: false, wholeDays: 0 }
}
/** Where charging starts when the free minutes are never charged. They count on the first stretch only. */
function skipped(w: Walk, from: Civil, to: Civil, skip: number): Civil {
  if (!skip) return from
  const start = Math.min(to, from + skip)
  w.parts?.push(costless('grace', from, start, -1))
  return start
}

function priceStretch(w: Walk, from: Civil, to: Civil) {
  let at = w.c.wholeDay === undefined ? from : priceWholeDays(w, w.c.wholeDay, from, to)
  while (at < to) {
    if (at >= w.cycleEnd) enterCycle(w, at)
    locate(w, at)
    const { by } = w.band < 0 ? NO_BAND : w.c.bands[w.band]!
    if (by === 'unit') at = priceUnits(w, at, to)
    else if (by === 'tiers') at = priceTiers(w, at, Math.min(to, w.to, w.cycleEnd))
    else if (by === 'visit') at = priceVisit(w, at, Math.min(to, w.to))
    else {
      const end = Math.min(to, w.to)
      w.parts?.push(costless(w.band < 0 ? 'notCharged' : 'free', at, end, w.band))
      at = end
    }
  }
}
/** Full 24 hours from where the stretch begins, at their own price; no cap but the stay's holds for them. Answers where the rest begins. */
function priceWholeDays(w: Walk, rate: number, from: Civil, to: Civil): Civil {
  const units = Math.floor((to - from) / DAY_SECONDS)
  if (units === 0) return from
  const end = from + units * DAY_SECONDS
  const full = units * rate
  const amount = Math.min(full, w.c.stayCap - w.total)
  w.wholeDays += units
  w.total += amount
  w.full += full
  if (!w.parts) return end
  const cappedBy = amount < full ? 'stay' : null
  const cappedFrom = cappedBy ? from + Math.ceil(amount / rate) * DAY_SECONDS : end
  const whole = { units, unitSec: DAY_SECONDS, price: rate, full, amount, cappedBy, cappedFrom, cycle: w.cycleIndex } as const
  w.parts.push({ ...costless('wholeDay', from, end, -1), ...whole })
  return end
}
const NO_BAND = { by: 'free' } as const

function enterCycle(w: Walk, at: Civil) {
  const { c } = w
  const index = c.cycle === 'none' ? 0 : Math.floor((at - w.origin) / DAY_SECONDS)
  if (index === w.cycleIndex) return
  w.cycleIndex = index
  w.cycleSum = 0
  w.cycleCap = capOf(c, index)
  if (c.cycle === 'none') return
  w.cycleStart = w.origin + index * DAY_SECONDS
  if (c.capOf) w.cycleCap = c.capOf(w.cycleStart / DAY_SECONDS, w.calendar)
  w.cycleEnd = w.cycleStart + DAY_SECONDS
  if (c.tariff.clock === 'cycle') w.position = w.paidTo = 0
}
function capOf({ caps, once }: Compiled, index: number) {
  if (caps.length === 0 || (once && index > 0)) return NO_CAP
  return caps[Math.min(index, caps.length - 1)]!
}

/** Finds the band at a time, how far it goes, and whether its occurrence is a new one. */
function locate(w: Walk, at: Civil) {
  const { c } = w
  const day = Math.floor(at / DAY_SECONDS)
  const clock = clockAt(w, day)
  const second = at - day * DAY_SECONDS
  let i = 0
  while (clock.starts[i + 1]! <= second) i++
  w.band = clock.bands[i]!
  w.from = day * DAY_SECONDS + clock.starts[i]!
  w.to = day * DAY_SECONDS + clock.starts[i + 1]!
  if (w.band < 0) return
  const band = c.bands[w.band]!
  if (band.allDay) wholeDays(w, day)
  else if (band.wraps) overMidnight(w, day, i, clock.bands.length)
  const began = c.restarts && w.cycleStart > w.from ? w.cycleStart : w.from
  if (w.band === w.occurrenceBand && began === w.occurrence) return
  w.occurrenceBand = w.band
  w.occurrence = began
  w.occurrenceSum = 0
  w.visited = false
}
/** A band over midnight goes on as the same occurrence only where the other date has it too. */
function overMidnight(w: Walk, day: number, i: number, pieces: number) {
  if (i === pieces - 1) {
    const next = clockAt(w, day + 1)
    if (next.bands[0] === w.band) w.to = (day + 1) * DAY_SECONDS + next.starts[1]!
  }
  if (i === 0) {
    const before = clockAt(w, day - 1)
    const last = before.bands.length - 1
    if (before.bands[last] === w.band) w.from = (day - 1) * DAY_SECONDS + before.starts[last]!
  }
}
/** A band of the whole day has one occurrence in each cycle, not in each calendar day. */
function wholeDays(w: Walk, day: number) {
  if (w.c.cycle === 'none') return
  if (w.cycleStart < w.from && clockAt(w, day - 1).bands.at(-1) === w.band) w.from = w.cycleStart
  else w.from = Math.max(w.from, w.cycleStart)
  if (w.cycleEnd > w.to && clockAt(w, day + 1).bands[0] === w.band) w.to = w.cycleEnd
  else w.to = Math.min(w.to, w.cycleEnd)
}
function clockAt(w: Walk, day: number) {
  const { c } = w
  if (!c.clockOf) return c.clocks[0]!
  return c.clocks[c.clockOf(day, w.calendar)]!
}

/** Once for each occurrence: the rest of it is paid. */
function priceVisit(w: Walk, at: Civil, end: Civil): Civil {
  const to = w.c.restarts ? Math.min(end, w.cycleEnd) : end
  if (w.visited) w.parts?.push(costless('running', at, to, w.band))
  else charge(w, 'visit', at, to, 1, 0, w.c.bands[w.band]!.price)
  w.visited = true
  return to
}

/** Started units from where the stay stands; all that start in this band and this cycle at once. They run on over the band's end, or end with it. */
function priceUnits(w: Walk, at: Civil, stop: Civil): Civil {
  const band = w.c.bands[w.band]!
  const bound = Math.min(stop, w.to, w.cycleEnd)
  const first = band.firstUnit > 0 && !w.firstTaken
  w.firstTaken = true
  const unit = first ? band.firstUnit : band.unit
  const units = first ? 1 : Math.ceil((bound - at) / unit)
  const reached = at + units * unit
  const next = band.carries ? reached : Math.min(reached, w.to)
  charge(w, 'units', at, Math.min(next, stop), units, unit, first ? band.firstPrice : band.price)
  return next
}

/** Tiers over the position: restarting in every stretch of the band, or running on over bands through the cycle or the stay. */
function priceTiers(w: Walk, from: Civil, end: Civil): Civil {
  const band = w.c.bands[w.band]!
  if (w.c.tariff.clock === 'segment') w.position = w.paidTo = 0
  let at = from
  while (at < end) {
    if (w.position < w.paidTo) {
      const span = Math.min(end - at, w.paidTo - w.position)
      w.parts?.push(costless('running', at, at + span, w.band))
      w.position += span
      at += span
      continue
    }
    let tier = 0
    while (band.tierTo[tier]! <= w.position) tier++
    const span = Math.min(end - at, band.tierTo[tier]! - w.position)
    chargeTier(w, band, tier, at, span)
    w.position += span
    at += span
  }
  return end
}
function chargeTier(w: Walk, band: CompiledBand, tier: number, at: Civil, span: number) {
  const unit = band.tierUnit[tier]!
  const rate = band.tierPrice[tier]!
  if (band.rounding === 'exact') charge(w, 'rate', at, at + span, span, unit, rate)
  else if (band.rounding === 'ceil') {
    const units = Math.ceil(span / unit)
    charge(w, 'units', at, at + span, units, unit, rate)
    w.paidTo = Math.min(w.position + units * unit, band.tierTo[tier]!)
  } else {
    // A unit counts once it is full. Where units run on, one that another band broke off is full when its last second is over.
    const begun = (w.position - (tier === 0 ? 0 : band.tierTo[tier - 1]!)) % unit
    charge(w, 'units', at, at + span, Math.floor((begun + span) / unit), unit, rate)
  }
}

/** Applies the caps, inner to outer: the band's occurrence, the cycle, the stay. */
function charge(w: Walk, kind: Part['kind'], from: Civil, to: Civil, units: number, unitSec: number, rate: number) {
  const full = units * rate
  let amount = full
  let cappedBy: CappedBy | null = null
  const { cap } = w.c.bands[w.band]!
  if (w.occurrenceSum + full > cap) {
    amount = Math.max(0, cap - w.occurrenceSum)
    cappedBy = 'segment'
  }
  w.occurrenceSum += full
  if (w.cycleSum + amount > w.cycleCap) {
    amount = Math.max(0, w.cycleCap - w.cycleSum)
    cappedBy = 'day'
  }
  w.cycleSum += amount
  if (w.total + amount > w.c.stayCap) {
    amount = Math.max(0, w.c.stayCap - w.total)
    cappedBy = 'stay'
  }
  w.total += amount
  w.full += full
  if (!w.parts) return
  const paidUnits = cappedBy === null || rate === 0 ? units : Math.ceil(amount / rate)
  const cappedFrom = cappedBy === null ? to : Math.min(to, from + paidUnits * (kind === 'rate' ? 1 : unitSec))
  w.parts.push({ kind, from, to, band: w.band, units, unitSec, price: rate, full, amount, cappedBy, cappedFrom, cycle: w.cycleIndex })
}

function costless(kind: Part['kind'], from: Civil, to: Civil, band: number): Part {
  return { kind, from, to, band, units: 0, unitSec: 0, price: 0, full: 0, amount: 0, cappedBy: null, cappedFrom: to, cycle: 0 }
}
const adjusting = (kind: Part['kind'], from: Civil, to: Civil, amount: number): Part => ({ ...costless(kind, from, to, -1), full: amount, amount })

/** By the length of the stay: the row that holds it; beyond the last, the last row's step again and again. */
function priceByTable(w: Walk, table: NonNullable<Compiled['table']>, from: Civil, to: Civil, billed: number) {
  const row = table.find((one) => billed <= one.to)
  const last = table.at(-1)!
  const before = table.at(-2) ?? { to: 0, price: 0 }
  const steps = row ? 0 : Math.ceil((billed - last.to) / (last.to - before.to))
  const full = (row ?? last).price + steps * (last.price - before.price)
  w.full = full
  w.total = Math.min(full, w.c.stayCap)
  const cappedBy = w.total < full ? 'stay' : null
  w.parts?.push({ ...costless('table', from, to, -1), units: 1, price: full, full, amount: w.total, cappedBy })
}

/** Factor and rounding, each a part of its own so that the parts still add up. */
function finished(w: Walk, from: Civil, to: Civil) {
  const { c, parts } = w
  const unit = 10_000 * c.scale
  const { round } = c.tariff
  const [times, over] = c.factor
  parts?.sort((a, b) => a.from - b.from)
  let total = w.total
  if (round === 'downCent') total = rounded(parts, from, to, total, Math.floor(total / (unit / 100)) * (unit / 100))
  if (times !== over) {
    const multiplied = Math.round((total * times) / over)
    parts?.push(adjusting('factor', from, to, multiplied - total))
    total = multiplied
    if (round === 'downCent') total = rounded(parts, from, to, total, Math.floor(total / (unit / 100)) * (unit / 100))
  }
  if (round === 'halfUpUnit') total = rounded(parts, from, to, total, Math.floor((total + unit / 2) / unit) * unit)
  return total
}
function rounded(parts: Part[] | null, from: Civil, to: Civil, before: number, after: number) {
  if (before !== after) parts?.push(adjusting('rounding', from, to, after - before))
  return after
}
