import { isWholePlate, normalizePlate } from './plate.ts'

/** A telephone as it is kept and looked for: without what people write between its digits, and of the mainland without its +86. */
export const plainPhone = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\-‐-―.()]/g, '')
    .replace(/^(?:\+|00)?86(?=1[3-9]\d{9}$)/, '')
    .replace(/^(?:\+|00)86(?=[1-9]\d{8,10}$)/, '0')
/** Whether a number in that form can be called: a mobile one, one with its area code, one of a service, a local one, or one of abroad. */
export const isPhone = (plain: string): boolean => DIALLED.test(plain)
const DIALLED = /^(?:1[3-9]\d{9}|0[1-9]\d{8,10}|[48]00\d{7}|[2-8]\d{6,7}|\+(?!86)[1-9]\d{6,14})$/
const PHONE = /^1\d{10}$/
const CODE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9_-]{3,63}$/

export type Sought = { kind: 'plate' | 'phone' | 'code'; value: string }
/** Decides how typed words are meant: as a whole plate, a whole phone number, or the number of a record. */
export function soughtBy(words: string): Sought {
  const typed = words.trim()
  const plate = normalizePlate(typed)
  if (isWholePlate(plate)) return { kind: 'plate', value: plate }
  const digits = plainPhone(typed)
  return PHONE.test(digits) ? { kind: 'phone', value: digits } : { kind: 'code', value: typed.toUpperCase() }
}
/** It looks like something of which all may be known; a few signs of a name do not. */
export const isWhole = (words: string): boolean => soughtBy(words).kind !== 'code' || CODE.test(words.trim())
