import { PlateColor } from '../platform/contract/plate.ts'

/** Random numbers that a seed repeats: a demo city, a test and its repetition see the same cars. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  below(n: number): number
  chance(share: number): boolean
  oneOf<T>(list: readonly T[]): T
  /** By weight. */
  weighted(weights: readonly number[]): number
  /** Around `middle`, skewed to the right as stays are. */
  skewed(middle: number, spread: number): number
}

export function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    below,
    chance: (share) => next() < share,
    oneOf: (list) => list[below(list.length)]!,
    weighted(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      return Math.max(
        0,
        weights.findIndex((weight) => (left -= weight) < 0),
      )
    },
    skewed: (middle, spread) => middle * Math.exp(normal() * spread),
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const HOME = '鄂F'
const NEAR = ['鄂A', '鄂H', '鄂C', '豫R', '鄂E', '鄂Q', '豫A', '湘A', '陕A', '京A', '沪C', '粤B']
/** The colours that drive here, as cameras call them. */
export const COLOURS = { [PlateColor.blue]: 'blue', [PlateColor.yellow]: 'yellow', [PlateColor.green]: 'green' } as const
export interface Plate {
  plateNo: string
  plateColor: keyof typeof COLOURS
}
/** Seven of ten are from here; one in five is electric; few are large. */
export function plateFrom(random: Random): Plate {
  const head = random.chance(0.7) ? HOME : random.oneOf(NEAR)
  const digits = (n: number) => Array.from({ length: n }, () => random.below(10)).join('')
  if (random.chance(0.2)) return { plateNo: `${head}D${digits(5)}`, plateColor: PlateColor.green }
  const tail = random.chance(0.5) ? digits(5) : `${digits(1)}${random.oneOf([...LETTERS])}${digits(3)}`
  return { plateNo: `${head}${tail}`, plateColor: random.chance(0.03) ? PlateColor.yellow : PlateColor.blue }
}
