/**
 * A tariff: everything that a price of parking depends on, as one JSON document. Two kinds of source are written down in it:
 * tariffs as cities publish them (bands, tiers, cycles) and the console's own tables (segments priced by visit, by hour or by step).
 * It holds no code and no clock, so one document means the same for ever; `schema` is raised when its meaning would change.
 */
export interface Tariff {
  schema: 1
  /** ISO 4217. Amounts are in its unit; the platform itself collects CNY only. */
  currency: string
  /** `count`: seconds matter. `drop`: whole minutes, seconds dropped. `up`: a started minute is a minute. */
  seconds: 'count' | 'drop' | 'up'
  free?: Free
  /** Bands of the clock, tried in this order. Time in none of them costs nothing. */
  bands: Band[]
  /**
   * Rules by calendar day, in the place of `bands`: of one stay each day is charged by the first of these that is for it. A band over midnight goes on as
   * one where both days have it alike, and ends at midnight otherwise.
   */
  days?: DayRule[]
  /**
   * Where the position in a band's tiers counts from. `segment`: from the start of every occurrence of the band; units end with it.
   * `cycle` and `stay`: from the cycle or the stay, over charged time only; units run on across bands and are paid where they start.
   */
  clock: 'segment' | 'cycle' | 'stay'
  cycle?: Cycle
  /** The price of every full 24 hours of a stay: a price and no cap, also where units would have cost less. The rest is charged as a stay that begins there. */
  wholeDayE4?: Rate
  stayCapE4?: Rate
  /** Price by the length of the whole stay, upper edges included; beyond the last row its step repeats. Takes the place of bands. */
  table?: { toMin: number; priceE4: Rate }[]
  /** Multiplies what the caps left. */
  factor?: Fraction
  /** Of the total: to the whole unit of the currency (half goes up), or cut to the cent (before a factor too, as printed tariffs do). */
  round?: 'halfUpUnit' | 'downCent'
}

export type Fraction = readonly [numerator: number, denominator: number]
/** 0.0001 of the currency's unit, whole; or exactly that fraction of it, for prices such as 4.90 an hour charged by the minute. */
export type Rate = number | Fraction

/** `grace`: beyond it the whole stay is charged from entry. `deduct`: the free part is never charged. Not inclusive: the exact limit is charged already. */
export interface Free {
  minutes: number
  inclusive: boolean
  mode: 'grace' | 'deduct'
  /** How often a vehicle has it in one day; 0 or missing: always. */
  timesPerDay?: number
}

/**
 * The period that repeats. `natural`: the calendar day. `cut`: a day that begins at `cutMin`. `rolling`: 24 hours from entry.
 * `capsE4[i]` is the most that cycle i costs; the last repeats, or with `once` only the first cycle has one.
 */
export interface Cycle {
  kind: 'natural' | 'rolling' | 'cut'
  cutMin?: number
  capsE4: Rate[]
  once?: boolean
  /** `restart`: a new cycle begins a new occurrence of its band (cap, visit and units count again). `goOn`: it only counts towards another cap. */
  edge: 'restart' | 'goOn'
}

export interface Band {
  name?: string
  /** Minutes of the day. `toMin` at or before `fromMin` goes over midnight; equal, or 0 to 1440, is all day. */
  fromMin: number
  toMin: number
  days: Days
  price: Price
  /** The most that one occurrence costs. */
  capE4?: Rate
}

/** A rule for some days. `capE4` is the most that one such calendar day costs; it requires a cycle of calendar days without a cap of its own. */
export interface DayRule {
  name?: string
  days: Days
  bands: Omit<Band, 'days'>[]
  capE4?: Rate
}

/** All bands of a tariff, each once: the numbers in a quote's lines count these. */
export function bandsOf({ bands, days }: Pick<Tariff, 'bands' | 'days'>): Band[] {
  if (!days) return bands
  const found = new Map<string, Band>()
  for (const rule of days) for (const band of rule.bands) if (!found.has(keyOf(band))) found.set(keyOf(band), { ...band, days: rule.days })
  return [...found.values()]
}
/** Bands of two days are one where they are alike in all they say. */
export const keyOf = ({ name, fromMin, toMin, price, capE4 }: Omit<Band, 'days'>) =>
  JSON.stringify([name ?? null, fromMin, toMin === 0 ? 1440 : toMin, price, capE4 ?? null])

/** By kind of day (1 workday, 2 weekend, 4 holiday, added up), by weekday (1 Monday … 7 Sunday) or by date. */
export type Days = { mask: number } | { weekdays: number[] } | { dates: string[] }
export const EVERY_DAY = 7
export const WORKDAY = 1
export const WEEKEND = 2
export const HOLIDAY = 4

export type Price =
  /** Said to be free. */
  | { by: 'free' }
  /** Once for each occurrence that the stay touches. */
  | { by: 'visit'; priceE4: Rate }
  /**
   * Every started unit, counted from where the stay meets the band; `first` is taken once in a stay. `carry`: a unit runs on over the band's end
   * at the price of its start. `cut`: it ends with the band.
   */
  | { by: 'unit'; first?: { min: number; priceE4: Rate }; unitMin: number; priceE4: Rate; edge: 'carry' | 'cut' }
  /** By position: `toMin` of the last is null. `ceil`: every started unit; `floor`: every full one; `exact`: in proportion to the second. */
  | { by: 'tiers'; tiers: Tier[]; rounding: 'ceil' | 'floor' | 'exact' }

export interface Tier {
  toMin: number | null
  unitMin: number
  priceE4: Rate
}

/** Which days are holidays and which weekend days are worked. `years`: those the table is complete for; another year is taken as plain and said so. */
export interface HolidayTable {
  holidays: readonly string[]
  workdays: readonly string[]
  years?: readonly number[]
}
