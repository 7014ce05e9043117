type Text = readonly [zh: string, en: string]

/** How a number that is kept becomes one that people read and type: on a screen, in a form, in the head of a sheet, in a template, in a sentence that refuses it. */
export interface Unit {
  /** As it stands behind a box, and in brackets behind the name of a column. None where the number says itself what it is. */
  sign?: Text
  /** Behind a number in a list, where room is dear. */
  behind?: Text
  /** Digits behind the point: so many are kept as whole numbers. 150 of two decimals is 1.50. */
  decimals?: number
}
const both = (sign: string): Text => [sign, sign]

/** By what a field says as `x-unit`. */
const UNITS: Readonly<Record<string, Unit>> = {
  fen: { sign: ['元', '¥'], decimals: 2 },
  /** A price of a kilowatt hour, or of a unit of time, is finer than money. */
  'yuan-e4': { sign: ['元', '¥'], decimals: 4 },
  'yuan-e4/kWh': { sign: ['元/度', 'yuan/kWh'], decimals: 4 },
  permille: { sign: both('%'), decimals: 1 },
  percent: { sign: both('%') },
  'watt-hour': { sign: both('kWh'), decimals: 3 },
  'hundredth-kWh': { sign: both('kWh'), decimals: 2 },
  watt: { sign: both('W') },
  volt: { sign: both('V') },
  'tenth-volt': { sign: both('V'), decimals: 1 },
  ampere: { sign: both('A') },
  milliampere: { sign: both('A'), decimals: 3 },
  lux: { sign: both('lx') },
  metre: { sign: both('m') },
  'tenth-km/h': { sign: both('km/h'), decimals: 1 },
  degree: { sign: both('°') },
  /** Of a place the datum is what matters: the same degrees lie half a kilometre apart. */
  wgs84: { sign: both('WGS-84'), behind: both('°') },
  gcj02: { sign: both('GCJ-02'), behind: both('°') },
  byte: { sign: both('B') },
  ms: { sign: ['毫秒', 'ms'] },
  second: { sign: ['秒', 'sec'] },
  minute: { sign: ['分钟', 'min'] },
  hour: { sign: ['小时', 'hours'], behind: ['小时', ' h'] },
  day: { sign: ['天', 'days'], behind: ['天', ' days'] },
  month: { sign: ['个月', 'months'], behind: ['个月', ' months'] },
  tenth: { decimals: 1 },
  /** Days of the week as one number: bit 0 is Monday. */
  weekdays: {},
}
const NONE: Unit = {}
export const unitNamed = (name: string | undefined): Unit => (name === undefined ? NONE : (UNITS[name] ?? NONE))
export const isUnit = (name: string) => name in UNITS

/** The number of stored units in one displayed unit. */
export const perOf = ({ decimals = 0 }: Unit) => 10 ** decimals

/** A column's head: its name, and the unit in brackets where the name does not end with one already. */
export const headOf = (label: string, { sign }: Unit, speech: 0 | 1) => (sign ? inBrackets(label, sign[speech], speech) : label)
export const inBrackets = (label: string, what: string, speech: 0 | 1) =>
  /[)）]$/.test(label) ? label : `${label}${speech === 0 ? `(${what})` : ` (${what})`}`

/** As it was typed, full-width signs, blanks, thousands marks and the unit's sign gone. */
export function plainNumber(typed: string, { sign }: Unit): string {
  const text = typed.normalize('NFKC').replaceAll(/[,\s]/g, '')
  const found = sign?.find((one) => text.endsWith(one))
  const bare = found ? text.slice(0, -found.length) : text
  return sign?.includes('¥') ? bare.replace(/^(-?)¥(-?)/, '$1$2') : bare
}
/** A number as it was typed, as it is kept; undefined where it has more digits than are kept, or is none. Digits are moved, nothing is ever a fraction. */
export function keptOf(typed: string, unit: Unit): number | undefined {
  const { decimals = 0 } = unit
  const [, minus, whole, rest = ''] = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(plainNumber(typed, unit)) ?? []
  if (whole === undefined) return undefined
  // Zeros behind the last digit that is kept say nothing.
  if (/[1-9]/.test(rest.slice(decimals))) return undefined
  const kept = Number(`${whole}${rest.slice(0, decimals).padEnd(decimals, '0')}`)
  return minus ? -kept : kept
}
