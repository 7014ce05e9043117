import { each, fail, leaveOut, moment, object, type Shape, text } from './shapes.ts'

/** Readings of a meter at one moment and in one context, in the house's units. */
export interface Reading {
  /** As the pile wrote it; none: it was heard then. */
  stamp: string | null
  context: Context
  /** The register, cumulative. */
  wh?: number
  /** The energy since the reading before, where the meter tells no more. */
  intervalWh?: number
  powerW?: number
  /** In 0.001 A. */
  currentMa?: number
  /** In 0.1 V. */
  voltageDv?: number
  soc?: number
  /** The hottest of what was reported. */
  celsius?: number
}
export type Context = 'begin' | 'end' | 'sample' | 'clock' | 'other'
const CONTEXTS: Record<string, Context> = {
  'transaction.begin': 'begin',
  'transaction.end': 'end',
  'sample.periodic': 'sample',
  'sample.clock': 'clock',
}

export interface Sampled {
  value?: unknown
  context?: string | undefined
  measurand?: string | undefined
  phase?: string | undefined
  location?: string | undefined
  format?: string | undefined
  /** With the multiplier of the newer version already in it. */
  unit?: string | undefined
  multiplier?: number | undefined
}

/** Of the older version; a value that is no number is skipped later, not refused. */
const sampled = object(
  {},
  { value: text(2500), context: text(40), measurand: text(60), phase: text(8), location: text(16), format: text(16), unit: text(20) },
)
export const meterValue16 = object({}, { timestamp: moment, sampledValue: each(sampled, 200) })
const unitOfMeasure = object({}, { unit: text(20), multiplier: anyWhole() })
const sampled201 = object({}, { value: text(2500), context: text(40), measurand: text(60), phase: text(8), location: text(16), unitOfMeasure })
export const meterValue201 = object({}, { timestamp: moment, sampledValue: each(sampled201, 200) })
function anyWhole(): Shape<number> {
  return (value) => (Number.isInteger(Number(value)) ? Number(value) : 0)
}

/** One reading for each context of a moment: the register at the beginning of a transaction is not the periodic one beside it. */
export function readingsOf(values: readonly { timestamp: string | null; samples: readonly Sampled[] }[]): Reading[] {
  return values.flatMap(({ timestamp, samples }) =>
    [...Map.groupBy(samples.filter(isUseful), ({ context }) => CONTEXTS[(context ?? 'Sample.Periodic').toLowerCase()] ?? 'other')].map(
      ([context, its]) => ({ stamp: timestamp, context, ...figuresOf(its) }),
    ),
  )
}
function isUseful({ value, format, measurand = REGISTER }: Sampled): boolean {
  if (format === 'SignedData' || value === undefined || value === '') return false
  if (!Number.isFinite(Number(value))) leaveOut(`${measurand} ${String(value).slice(0, 40)} is no number`)
  return Number.isFinite(Number(value))
}

/** The factor to the house's unit and the plausible range of each unit that a pile's meter may use. A value outside is left out, alone. */
interface Unit {
  times: number
  plus?: number
  least: number
  most: number
}
/** No register of a pile counts a terawatt hour, and none gives two megawatts to one car. */
const ENERGY: Record<string, Unit> = { wh: { times: 1, least: 0, most: 1e12 }, kwh: { times: 1e3, least: 0, most: 1e9 } }
const POWER: Record<string, Unit> = { w: { times: 1, least: 0, most: 2e6 }, kw: { times: 1e3, least: 0, most: 2e3 } }
const CURRENT: Record<string, Unit> = {
  a: { times: 1e3, least: 0, most: 2e3 },
  ma: { times: 1, least: 0, most: 2e6 },
  ka: { times: 1e6, least: 0, most: 2 },
}
const VOLTAGE: Record<string, Unit> = { v: { times: 10, least: 0, most: 3e3 }, kv: { times: 1e4, least: 0, most: 3 } }
const PERCENT: Record<string, Unit> = { percent: { times: 1, least: 0, most: 100 } }
/** The name of the scale has been misspelt by the standard itself. */
const HEAT: Record<string, Unit> = {
  celsius: { times: 1, least: -60, most: 400 },
  fahrenheit: { times: 5 / 9, plus: -160 / 9, least: -76, most: 752 },
  k: { times: 1, plus: -273.15, least: 213.15, most: 673.15 },
}
type Figure = Exclude<keyof Reading, 'stamp' | 'context'>
/** The first unit is the one that is meant where none is said, or one that nobody knows. */
const MEASURANDS: Record<string, { figure: Figure; units: Record<string, Unit>; whole: 'sum' | 'most'; anywhere?: boolean }> = {
  'energy.active.import.register': { figure: 'wh', units: ENERGY, whole: 'sum' },
  'energy.active.import.interval': { figure: 'intervalWh', units: ENERGY, whole: 'sum' },
  'power.active.import': { figure: 'powerW', units: POWER, whole: 'sum' },
  'current.import': { figure: 'currentMa', units: CURRENT, whole: 'most' },
  voltage: { figure: 'voltageDv', units: VOLTAGE, whole: 'most' },
  soc: { figure: 'soc', units: PERCENT, whole: 'most', anywhere: true },
  temperature: { figure: 'celsius', units: HEAT, whole: 'most', anywhere: true },
}
const REGISTER = 'Energy.Active.Import.Register'
/** The register of a start or an end. */
export const register: Shape<number> = (value, at) => {
  const wh = Number(text(40)(value, at) || NaN)
  return wh >= ENERGY['wh']!.least && wh <= ENERGY['wh']!.most ? Math.trunc(wh) : fail('value', at, 'is no reading')
}
/** Where it is measured: at the outlet, else as near to the car as is told. What the car itself measures is none of ours. */
const PLACES = ['outlet', 'body', 'cable', 'inlet']

function figuresOf(samples: readonly Sampled[]): Omit<Reading, 'stamp' | 'context'> {
  const figures: Partial<Record<Figure, number>> = {}
  for (const [measurand, { figure, units, whole, anywhere = false }] of Object.entries(MEASURANDS)) {
    const its = samples.filter((one) => (one.measurand ?? REGISTER).toLowerCase() === measurand)
    const value = anywhere ? most(its, units) : totalOf(nearest(its), units, whole)
    if (value !== undefined) figures[figure] = Math.round(value)
  }
  return figures
}
/** Those of the best place that there is. */
function nearest(samples: readonly Sampled[]): readonly Sampled[] {
  const placed = Map.groupBy(samples, ({ location }) => (location ?? 'Outlet').toLowerCase())
  return PLACES.map((place) => placed.get(place)).find((its) => its !== undefined) ?? []
}
function most(samples: readonly Sampled[], units: Record<string, Unit>): number | undefined {
  const all = samples.map((one) => valueIn(one, units)).filter((one) => one !== undefined)
  return all.length === 0 ? undefined : Math.max(...all)
}
/**
 * A sample without a phase is the total. Without one the three lines make it, if each is plausible; one line alone is a total that
 * was labelled so. The neutral line does not count.
 */
function totalOf(samples: readonly Sampled[], units: Record<string, Unit>, how: 'sum' | 'most'): number | undefined {
  const whole = samples.find(({ phase }) => !phase)
  if (whole) return valueIn(whole, units)
  const lines = samples.filter(({ phase }) => /^L[123](-N)?$/i.test(phase!))
  if (how === 'most') return most(lines, units)
  const all = lines.map((one) => valueIn(one, units))
  return all.length === 0 || all.includes(undefined) ? undefined : all.reduce<number>((sum, one) => sum + one!, 0)
}
/** In the house's unit; none, where it cannot be right. */
function valueIn({ value, unit, multiplier = 0, measurand = REGISTER }: Sampled, units: Record<string, Unit>): number | undefined {
  const { times, plus = 0, least, most: highest } = units[unitOf(unit, units)]!
  const said = Number(value) * 10 ** multiplier
  if (said >= least && said <= highest) return said * times + plus
  return leaveOut(`${measurand} ${String(value).slice(0, 40)} ${unit ?? ''} cannot be right`)
}
function unitOf(unit: string | undefined, units: Record<string, Unit>): string {
  const [usual] = Object.keys(units) as [string]
  const said = (unit ?? usual).toLowerCase()
  return Object.hasOwn(units, said) ? said : said.startsWith('f') && units === HEAT ? 'fahrenheit' : usual
}
