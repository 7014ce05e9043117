import { dictionary } from './field.ts'

/**
 * Number plates of the mainland as GA 36-2018 forms them, with those of embassies, Hong Kong and Macao cars, the armed police and the army.
 * A plate is stored and compared in its normal form only; a vehicle is a plate and its colour.
 */
export const PlateColor = dictionary('plate_color', ['车牌颜色', 'Plate colour'], {
  blue: [0, '蓝', 'Blue'],
  yellow: [1, '黄', 'Yellow'],
  white: [2, '白', 'White'],
  black: [3, '黑', 'Black'],
  green: [4, '绿', 'Green'],
  yellowGreen: [5, '黄绿', 'Yellow-green'],
  blueWhite: [6, '蓝白渐变', 'Blue-white gradient'],
  other: [7, '其他', 'Other'],
})
export type PlateColorCode = keyof typeof PlateColor.entries

export const VehicleClass = dictionary('vehicle_class', ['车型', 'Vehicle class'], {
  small: [1, '小型车', 'Small'],
  medium: [2, '中型车', 'Medium'],
  large: [3, '大型车', 'Large'],
  motorcycle: [4, '摩托车', 'Motorcycle'],
  newEnergySmall: [5, '新能源小型', 'New energy, small'],
  newEnergyLarge: [6, '新能源大型', 'New energy, large'],
  other: [9, '其他', 'Other'],
})
export type VehicleClassCode = keyof typeof VehicleClass.entries

export type PlateKind =
  | 'ordinary'
  | 'newEnergySmall'
  | 'newEnergyLarge'
  | 'police'
  | 'emergency'
  | 'coach'
  | 'trailer'
  | 'consulate'
  | 'hongKongMacao'
  | 'embassy'
  | 'armedPolice'
  | 'army'
  | 'unplated'

/** The normal form: full-width folded, separators and invisible characters gone, upper case. It does not say that this is a plate. */
export const normalizePlate = (typed: string): string => typed.normalize('NFKC').replace(SEPARATORS, '').toUpperCase()
// White space, dots and bullets in all their forms, dashes, zero-width and direction marks.
const SEPARATORS = /[\s.·•‧∙・･。_\-\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060\ufeff]/gu

/** Returns the kind of a plate in normal form; `undefined` when the text is not a plate. */
export function plateKind(text: string): PlateKind | undefined {
  for (const [kind, form] of FORMS) if (form.test(text)) return kind
  return undefined
}
export const isPlate = (text: string): boolean => plateKind(text) !== undefined
/** The normal form of what was typed or read, or `undefined` when that is no plate. */
export const parsePlate = (typed: string): string | undefined => {
  const text = normalizePlate(typed)
  return isPlate(text) ? text : undefined
}

export const PROVINCES = '京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼'
const P = `[${PROVINCES}]`
/** Letters of a plate: I and O never occur, they would be read as 1 and 0. */
const L = '[A-HJ-NP-Z]'
const S = '[A-HJ-NP-Z0-9]'
const NEW_ENERGY = '[ABCDEFGHJK]'
const WRITTEN: [PlateKind, string][] = [
  ['ordinary', `${P}${L}${S}{5}`],
  ['newEnergySmall', `${P}${L}${NEW_ENERGY}${S}[0-9]{4}`],
  ['newEnergyLarge', `${P}${L}[0-9]{5}${NEW_ENERGY}`],
  ['police', `${P}${L}${S}{4}警`],
  ['emergency', `${P}X${S}{4}应急`],
  ['coach', `${P}${L}${S}{4}学`],
  ['trailer', `${P}${L}${S}{4}挂`],
  ['consulate', `${P}${L}${S}{4}领`],
  ['hongKongMacao', `粤Z${S}{4}[港澳]`],
  ['embassy', `使[0-9]{6}|[0-9]{6}使`],
  ['armedPolice', `WJ[${PROVINCES}警][0-9]{4}[0-9TDSHBXJ]`],
  ['army', `${L}{2}[0-9]{5}`],
  ['unplated', '无[0-9A-Z]{7}'],
]
// oxlint-disable-next-line security/detect-non-literal-regexp -- the forms above
const FORMS = WRITTEN.map(([kind, form]): [PlateKind, RegExp] => [kind, new RegExp(`^(?:${form})$`)])
/** Plates named in a text, those of no rule (临, 超) too. */
// oxlint-disable-next-line security/detect-non-literal-regexp -- the forms above
export const PLATE_IN_TEXT = new RegExp(
  `(?<![A-Za-z0-9])(?:${[...WRITTEN.map(([, form]) => form), `${P}${L}${S}{4}[临超]`].join('|')})(?![A-Za-z0-9])`,
  'gu',
)

/**
 * Plates that no rule decides (temporary 临, over-size 超, old navy): stored as they are when a person or a camera insists.
 * Anything else is not worth keeping as a plate.
 */
export const isSpecialPlate = (text: string): boolean => isPlate(text) || SPECIAL.test(text)
const SPECIAL = /^(?=.*[0-9]{3})[\p{Script=Han}][\p{Script=Han}A-Z0-9]{4,9}$/u

/** Long enough to be all of a plate, whatever its kind: what is shorter is the beginning of many. */
export const isWholePlate = (text: string): boolean => text.length >= 7 && isSpecialPlate(text)

/** Recognises the words that cameras send in place of a plate when a car has none. */
export const readsAsUnplated = (text: string): boolean =>
  text === '' || /^(无|无牌|无牌车|无车牌|未识别|未识别车牌|车牌未识别|未知|UNKNOWN|UNLICENSED|NOPLATE|NONE|NULL|NIL)$/.test(normalizePlate(text))
/** The name of a car without a plate: `无` and 7 characters, from 35 random bits. */
export const unplatedToken = (random: () => number = Math.random): string =>
  `无${Array.from({ length: 7 }, () => Math.floor(random() * 36).toString(36))
    .join('')
    .toUpperCase()}`

/** A device's name or code for a colour; `null` = it does not know, which matches every colour. */
export function plateColorOf(said: unknown): PlateColorCode | null {
  if (typeof said === 'number') return said in PlateColor.entries ? (said as PlateColorCode) : null
  return typeof said === 'string' ? (COLOR_NAMES.get(said.toLowerCase().replace(/[\s_-]/g, '')) ?? null) : null
}
const COLOR_NAMES = new Map<string, PlateColorCode>([
  ...['blue', 'yellow', 'white', 'black', 'green', 'yellowgreen', 'bluewhite', 'other'].map((name, code) => [name, code] as [string, PlateColorCode]),
  ...['蓝', '黄', '白', '黑', '绿', '黄绿', '蓝白渐变', '其他'].map((name, code) => [name, code] as [string, PlateColorCode]),
  ...['蓝色', '黄色', '白色', '黑色', '绿色', '黄绿色'].map((name, code) => [name, code] as [string, PlateColorCode]),
])

/** The colour that the form of a plate implies; ordinary plates are blue or yellow, which the text does not tell. */
export function impliedColor(text: string): PlateColorCode | null {
  const kind = plateKind(text)
  return kind ? (IMPLIED[kind] ?? null) : null
}
const IMPLIED: Partial<Record<PlateKind, PlateColorCode>> = {
  newEnergySmall: 4,
  newEnergyLarge: 5,
  police: 2,
  emergency: 2,
  armedPolice: 2,
  army: 2,
  coach: 1,
  trailer: 1,
  consulate: 3,
  hongKongMacao: 3,
  embassy: 3,
}

/** The class that plate and colour imply, for cameras that tell none. Yellow ordinary plates are those of large vehicles. */
export function vehicleClassOf(text: string, color: PlateColorCode | null): VehicleClassCode {
  const kind = plateKind(text)
  if (kind === 'newEnergySmall' || color === 4) return 5
  if (kind === 'newEnergyLarge' || color === 5) return 6
  if (kind === 'trailer' || (kind === 'ordinary' && color === 1)) return 3
  return kind ? 1 : 9
}

/** Cars of the state on duty: police, armed police, army. They pass free everywhere. */
export const isOfficialPlate = (text: string): boolean => OFFICIAL.has(plateKind(text)!)
const OFFICIAL = new Set<PlateKind>(['police', 'armedPolice', 'army'])

/** Two sightings may be the same vehicle: the same plate, and no two known colours that differ. */
export const sameVehicle = (a: Vehicle, b: Vehicle): boolean => a.plateNo === b.plateNo && colorsAgree(a.plateColor, b.plateColor)
export const colorsAgree = (a: PlateColorCode | null, b: PlateColorCode | null): boolean => a === null || b === null || a === b
export interface Vehicle {
  plateNo: string
  plateColor: PlateColorCode | null
}

/**
 * How far a reading is from a plate: the edit distance, in which characters that cameras confuse cost a half, the province likewise.
 * Up to FUZZY_MAX a plate is worth showing to a person, up to FUZZY_SURE it may be taken without one.
 */
export function plateDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + swapCost(a[i - 1]!, b[j - 1]!, i === 1 && j === 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
export const FUZZY_MAX = 1.5
export const FUZZY_SURE = 0.5
export const FUZZY_CANDIDATES = 10

function swapCost(a: string, b: string, first: boolean): number {
  if (a === b) return 0
  const group = CONFUSED.get(a)
  if (group !== undefined && group === CONFUSED.get(b)) return 0.5
  return first && PROVINCES.includes(a) && PROVINCES.includes(b) ? 0.5 : 1
}
const CONFUSED = new Map(
  ['0DQO', '1ILT', '2Z', '5S', '8B', '6G', 'EF', 'MN', 'VY'].flatMap((group, n) => [...group].map((char) => [char, n] as const)),
)
