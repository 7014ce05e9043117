import type { Instant } from '../../../../../platform/contract/field.ts'
import { cityTime, instantOf } from '../../../../../platform/contract/time.ts'

/** Amounts are told in yuan with two decimals. */
export const yuanOf = (fen: number): string => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
/** Whole fen of exact yuan; undefined for anything else, such as two amounts that were run together. */
export function fenIn(yuan: unknown): number | undefined {
  const found = typeof yuan === 'string' ? /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(yuan) : null
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : undefined
}

/** City time; some fields have fractions of a second behind. */
export const instantIn = (text: unknown): Instant | undefined =>
  typeof text === 'string' ? instantOf(text.replace(/(:\d\d)\.\d{1,9}$/, '$1')) : undefined
export const timeOf = cityTime

const NUMBER = /^[\w.*|-]{1,128}$/
/** A number of ours or of Alipay's, which holds nothing that could be taken for another field. */
export const numberIn = (value: unknown): string | undefined => (typeof value === 'string' && NUMBER.test(value) ? value : undefined)

/** A title has at most 256 signs, none of which the day's bill or Alipay's own pages stumble over. */
const TITLE_MAX = 128
export const titleOf = (text: string): string =>
  [...text.replaceAll(/[\s,/=&"'<>%\\]+/g, ' ').trim()].slice(0, TITLE_MAX).join('') || 'parking'
