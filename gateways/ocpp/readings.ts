import { type Shape, list, moment, object, text } from './shapes.ts'

/** What a meter said at one moment and in one context, in the house's units. */
export interface Reading {
  /** As the pile wrote it. */
  stamp: string
  context: Context
  /** The register, cumulative. */
  wh?: number
  /** What went through since the reading before, where that is all the meter tells. */
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
export const meterValue16 = object({ timestamp: moment }, { sampledValue: list(sampled, 200) })
export const meterValue201 = object(
  { timestamp: moment },
  { sampledValue: list(object({}, { value: anyNumber(), context: text(40), measurand: text(60), phase: text(8), location: text(16), unitOfMeasure: object({}, { unit: text(20), multiplier: integer() }) }), 200) }, // prettier-ignore
)
function anyNumber(): Shape<number | undefined> {
  return (value) => (Number.isFinite(Number(value)) ? Number(value) : undefined)
}
function integer(): Shape<number> {
  return (value) => (Number.isInteger(Number(value)) ? Number(value) : 0)
}

/** One reading for each context of a moment: the register at the beginning of a transaction is not the periodic one beside it. */
export function readingsOf(values: readonly { timestamp: string; samples: readonly Sampled[] }[]): Reading[] {
  return values.flatMap(({ timestamp, samples }) =>
    [...Map.groupBy(samples.filter(isUseful), ({ context }) => CONTEXTS[(context ?? 'Sample.Periodic').toLowerCase()] ?? 'other')].map(
      ([context, its]) => ({ stamp: timestamp, context, ...figuresOf(its) }),
    ),
  )
}
const isUseful = ({ value, format }: Sampled) => format !== 'SignedData' && value !== undefined && value !== '' && Number.isFinite(Number(value))

const REGISTER = 'energy.active.import.register'
function figuresOf(samples: readonly Sampled[]): Omit<Reading, 'stamp' | 'context'> {
  const of = (measurand: string) => samples.filter((one) => (one.measurand ?? REGISTER).toLowerCase() === measurand)
  const atOutlet = (one: Sampled) => (one.location ?? 'Outlet') === 'Outlet'
  const wh = totalOf(of(REGISTER).filter(atOutlet), 'sum')
  const intervalWh = totalOf(of('energy.active.import.interval').filter(atOutlet), 'sum')
  const powerW = totalOf(of('power.active.import').filter(atOutlet), 'sum')
  const amperes = totalOf(of('current.import').filter(atOutlet), 'most')
  const volts = totalOf(of('voltage').filter(atOutlet), 'most')
  const soc = totalOf(of('soc'), 'most')
  const heat = of('temperature').map(celsiusOf)
  return {
    ...(wh !== undefined && { wh: Math.round(wh) }),
    ...(intervalWh !== undefined && { intervalWh: Math.round(intervalWh) }),
    ...(powerW !== undefined && { powerW: Math.round(powerW) }),
    ...(amperes !== undefined && { currentMa: Math.round(amperes * 1000) }),
    ...(volts !== undefined && { voltageDv: Math.round(volts * 10) }),
    ...(soc !== undefined && { soc: Math.min(100, Math.max(0, Math.round(soc))) }),
    ...(heat.length > 0 && { celsius: Math.round(Math.max(...heat)) }),
  }
}
/** What carries no phase is the whole. Else the three lines make it; one line alone is a whole that was labelled so. The neutral line is none. */
function totalOf(samples: readonly Sampled[], how: 'sum' | 'most'): number | undefined {
  const whole = samples.find(({ phase }) => !phase)
  if (whole) return scaled(whole)
  const lines = samples.filter(({ phase }) => /^L[123](-N)?$/i.test(phase!)).map(scaled)
  if (lines.length === 0) return undefined
  return how === 'sum' ? lines.reduce((sum, one) => sum + one, 0) : Math.max(...lines)
}
const scaled = ({ value, unit, multiplier }: Sampled) => Number(value) * (/^k/i.test(unit ?? '') && unit !== 'K' ? 1000 : 1) * 10 ** (multiplier ?? 0)
/** Its unit has been misspelt by the standard itself. */
function celsiusOf(sample: Sampled): number {
  const degrees = Number(sample.value) * 10 ** (sample.multiplier ?? 0)
  if (/^f/i.test(sample.unit ?? '')) return ((degrees - 32) * 5) / 9
  return sample.unit === 'K' ? degrees - 273.15 : degrees
}
