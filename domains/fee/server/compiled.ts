import {
  type Band,
  bandsOf,
  type Cycle,
  type DayRule,
  EVERY_DAY,
  type Fraction,
  HOLIDAY,
  type HolidayTable,
  keyOf,
  type Rate,
  type Tariff,
  WEEKEND,
  WORKDAY,
} from '../contract/tariff.ts'
import { dayNumber, weekdayOf } from './civil.ts'
import { fractionOf, lcm } from './rate.ts'

export const NO_CAP = Number.POSITIVE_INFINITY
const DAY_MINUTES = 1440

/** A tariff made ready for the walk: seconds instead of minutes, money in whole `1 / scale` of 0.0001, one painted clock for each sort of day. */
export interface Compiled {
  tariff: Tariff
  /** Money inside the engine is whole: one is 0.0001 of the currency's unit divided by this. */
  scale: number
  /** As they are written and made ready, in one order. */
  written: Band[]
  bands: CompiledBand[]
  clocks: Clock[]
  /** Which clock a day has; undefined when all days are alike. */
  clockOf: ((day: number, calendar: Calendar | undefined) => number) | undefined
  cycle: Cycle['kind'] | 'none'
  cutSec: number
  restarts: boolean
  caps: number[]
  /** The most that a calendar day costs, where its rule says so. */
  capOf: ((day: number, calendar: Calendar | undefined) => number) | undefined
  once: boolean
  /** The price of a full 24 hours, where they have one of their own. */
  wholeDay: number | undefined
  stayCap: number
  freeSec: number
  table: { to: number; price: number }[] | undefined
  factor: Fraction
}
export interface CompiledBand {
  by: 'free' | 'visit' | 'unit' | 'tiers'
  cap: number
  wraps: boolean
  allDay: boolean
  price: number
  unit: number
  carries: boolean
  firstUnit: number
  firstPrice: number
  rounding: 'ceil' | 'floor' | 'exact'
  /** Parallel lists of the tiers: where each ends, its unit, its price (per second under `exact`). */
  tierTo: number[]
  tierUnit: number[]
  tierPrice: number[]
}
/** One day painted: pieces from `starts[i]` to `starts[i + 1]` belong to `bands[i]`, -1 is none. */
export interface Clock {
  starts: number[]
  bands: number[]
}
export interface Calendar {
  holidays: ReadonlySet<number>
  workdays: ReadonlySet<number>
  years: ReadonlySet<number> | undefined
}

export const calendarOf = (table: HolidayTable): Calendar => ({
  holidays: new Set(table.holidays.map(dayNumber)),
  workdays: new Set(table.workdays.map(dayNumber)),
  years: table.years && new Set(table.years),
})

/** A day that is both in the table of holidays and a weekend is a holiday; a weekend day that is worked is a workday. */
export function kindOf(day: number, calendar: Calendar | undefined) {
  if (calendar?.holidays.has(day)) return HOLIDAY
  if (calendar?.workdays.has(day)) return WORKDAY
  return weekdayOf(day) > 5 ? WEEKEND : WORKDAY
}

/** Throws a RangeError when prices are too fine to be worked out in whole numbers; `lint` says so first. */
export function compile(tariff: Tariff): Compiled {
  const bands = bandsOf(tariff)
  const scale = scaleOf(tariff, bands)
  const money = (rate: Rate) => {
    const [n, d] = fractionOf(rate)
    return (n * scale) / d
  }
  const { cycle, free, table } = tariff
  return {
    tariff,
    scale,
    written: bands,
    bands: bands.map((band) => compiledBand(band, money)),
    ...paint(bands, tariff.days),
    cycle: cycle?.kind ?? 'none',
    cutSec: cycle?.kind === 'cut' ? (cycle.cutMin ?? 0) * 60 : 0,
    restarts: cycle?.edge === 'restart',
    caps: (cycle?.capsE4 ?? []).map(money),
    capOf: dayCaps(tariff.days, money),
    once: cycle?.once ?? false,
    wholeDay: tariff.wholeDayE4 === undefined ? undefined : money(tariff.wholeDayE4),
    stayCap: tariff.stayCapE4 === undefined ? NO_CAP : money(tariff.stayCapE4),
    freeSec: (free?.minutes ?? 0) * 60,
    table: table?.map(({ toMin, priceE4 }) => ({ to: toMin * 60, price: money(priceE4) })),
    factor: tariff.factor ?? [1, 1],
  }
}

/** Beyond this a week's stay could leave the whole numbers that a double holds exactly. */
const SCALE_MAX = 1_000_000

/** The smallest scale at which every price, every price per second of a proportional tier, and every share by the factor is whole. */
function scaleOf(tariff: Tariff, bands: readonly Band[]) {
  let scale = 1
  const fits = (rate: Rate | undefined, seconds = 1) => {
    if (rate === undefined) return
    const [n, d] = fractionOf(rate)
    scale = lcm(scale, reduced(n, d * seconds))
  }
  for (const { price, capE4 } of bands) {
    fits(capE4)
    if (price.by === 'visit' || price.by === 'unit') fits(price.priceE4)
    if (price.by === 'unit') fits(price.first?.priceE4)
    if (price.by === 'tiers') for (const tier of price.tiers) fits(tier.priceE4, price.rounding === 'exact' ? tier.unitMin * 60 : 1)
  }
  tariff.cycle?.capsE4.forEach((cap) => fits(cap))
  tariff.days?.forEach(({ capE4 }) => fits(capE4))
  tariff.table?.forEach(({ priceE4 }) => fits(priceE4))
  fits(tariff.wholeDayE4)
  fits(tariff.stayCapE4)
  scale *= tariff.factor?.[1] ?? 1
  if (!(scale <= SCALE_MAX)) throw new RangeError(`prices need a scale of ${scale}`)
  return scale
}
const reduced = (n: number, d: number) => d / greatest(n, d)
const greatest = (a: number, b: number): number => (b === 0 ? Math.max(1, Math.abs(a)) : greatest(b, a % b))

function compiledBand({ fromMin, toMin, price, capE4 }: Band, money: (rate: Rate) => number): CompiledBand {
  const tiers = price.by === 'tiers' ? price.tiers : []
  const rounding = price.by === 'tiers' ? price.rounding : 'ceil'
  const unit = price.by === 'unit' ? price : undefined
  return {
    by: price.by,
    cap: capE4 === undefined ? NO_CAP : money(capE4),
    wraps: toMin <= fromMin && toMin % DAY_MINUTES !== 0,
    allDay: isAllDay(fromMin, toMin),
    price: price.by === 'visit' || price.by === 'unit' ? money(price.priceE4) : 0,
    unit: (unit?.unitMin ?? 0) * 60,
    carries: unit?.edge === 'carry',
    firstUnit: (unit?.first?.min ?? 0) * 60,
    firstPrice: unit?.first ? money(unit.first.priceE4) : 0,
    rounding,
    tierTo: tiers.map(({ toMin }) => (toMin === null ? NO_CAP : toMin * 60)),
    tierUnit: tiers.map(({ unitMin }) => unitMin * 60),
    tierPrice: tiers.map(({ priceE4, unitMin }) => (rounding === 'exact' ? money(priceE4) / (unitMin * 60) : money(priceE4))),
  }
}
export const isAllDay = (fromMin: number, toMin: number) => fromMin === toMin || (fromMin === 0 && toMin === DAY_MINUTES)

/** Does the band's table cover this minute of the day (of a day that it is for)? */
export const covers = ({ fromMin, toMin }: Band, minute: number) =>
  isAllDay(fromMin, toMin) || (fromMin < toMin ? minute >= fromMin && minute < toMin : minute >= fromMin || minute < toMin)

/** Is it for such a day? */
function isFor({ days }: Pick<Band, 'days'>, dayBit: number, weekday: number, day?: number) {
  if ('mask' in days) return (days.mask & dayBit) !== 0
  if ('weekdays' in days) return days.weekdays.includes(weekday)
  return day !== undefined && datesOf(days).has(day)
}
/** A document may name many dates, and every day that is met is looked up among them. */
function datesOf(days: { dates: string[] }): ReadonlySet<number> {
  const known = DATES.get(days) ?? new Set(days.dates.map(dayNumber))
  DATES.set(days, known)
  return known
}
const DATES = new WeakMap<object, ReadonlySet<number>>()

const KINDS = [WORKDAY, WEEKEND, HOLIDAY]

/** The bands of a day: those that are for it, or those of the first rule that is for it. */
function choosing(bands: Band[], rules: DayRule[] | undefined): (kind: number, weekday: number, day?: number) => (band: Band) => boolean {
  if (!rules) return (kind, weekday, day) => (band) => isFor(band, kind, weekday, day)
  const keys = new Map(bands.map((band) => [keyOf(band), band]))
  const own = new Map(rules.map((rule) => [rule, new Set(rule.bands.map((band) => keys.get(keyOf(band))))]))
  return (kind, weekday, day) => {
    const rule = rules.find((one) => isFor(one, kind, weekday, day))
    return (band) => rule !== undefined && own.get(rule)!.has(band)
  }
}

/** One clock for each kind of day and weekday, and one for each date that is named, when it is met; a single one when all days are alike. */
function paint(bands: Band[], rules: DayRule[] | undefined): Pick<Compiled, 'clocks' | 'clockOf'> {
  const all: Pick<Band, 'days'>[] = rules ?? bands
  if (all.every(({ days }) => 'mask' in days && days.mask === EVERY_DAY) && (rules?.length ?? 1) === 1)
    return { clocks: [painted(bands)], clockOf: undefined }
  const clocks: Clock[] = []
  const chosen = choosing(bands, rules)
  for (const kind of KINDS) for (let weekday = 1; weekday <= 7; weekday++) clocks.push(painted(bands, chosen(kind, weekday)))
  const dates = new Set(all.flatMap(({ days }) => ('dates' in days ? [...datesOf(days)] : [])))
  const dated = new Map<string, number>()
  return {
    clocks,
    clockOf(day, calendar) {
      const kind = kindOf(day, calendar)
      if (!dates.has(day)) return KINDS.indexOf(kind) * 7 + weekdayOf(day) - 1
      // A date that is named gets its clock when a stay first meets it: a document may name many.
      const key = `${day} ${kind}`
      const known = dated.get(key) ?? clocks.push(painted(bands, chosen(kind, weekdayOf(day), day))) - 1
      dated.set(key, known)
      return known
    },
  }
}

/** The cap of each calendar day: its own rule's. */
function dayCaps(rules: DayRule[] | undefined, money: (rate: Rate) => number): Compiled['capOf'] {
  if (!rules?.some(({ capE4 }) => capE4 !== undefined)) return undefined
  const caps = rules.map(({ capE4 }) => (capE4 === undefined ? NO_CAP : money(capE4)))
  return (day, calendar) => {
    const kind = kindOf(day, calendar)
    return caps[rules.findIndex((rule) => isFor(rule, kind, weekdayOf(day), day))] ?? NO_CAP
  }
}

function painted(bands: Band[], applies: (band: Band) => boolean = () => true): Clock {
  const own = bands.flatMap((one, i) => (applies(one) ? [{ one, i }] : []))
  const edges = new Set([0])
  for (const { fromMin, toMin } of own.map(({ one }) => one)) for (const minute of [fromMin, toMin]) if (minute < DAY_MINUTES) edges.add(minute)
  const clock: Clock = { starts: [], bands: [] }
  for (const minute of [...edges].sort((a, b) => a - b)) {
    const band = own.find(({ one }) => covers(one, minute))?.i ?? -1
    if (clock.bands.at(-1) === band) continue
    clock.starts.push(minute * 60)
    clock.bands.push(band)
  }
  clock.starts.push(DAY_MINUTES * 60)
  return clock
}
