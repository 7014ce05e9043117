import { isWholePlate, normalizePlate } from './plate.ts'

/** A telephone as it is kept and looked for: without what people write between its digits. */
export const plainPhone = (typed: string): string => typed.replaceAll(/[\s-]/g, '')
const PHONE = /^1\d{10}$/
const CODE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9_-]{3,63}$/

export type Sought = { kind: 'plate' | 'phone' | 'code'; value: string }
/** What is meant by what was typed: a whole plate, a whole telephone, or the number of something. */
export function soughtBy(words: string): Sought {
  const typed = words.trim()
  const plate = normalizePlate(typed)
  if (isWholePlate(plate)) return { kind: 'plate', value: plate }
  const digits = plainPhone(typed)
  return PHONE.test(digits) ? { kind: 'phone', value: digits } : { kind: 'code', value: typed.toUpperCase() }
}
/** It looks like something of which all may be known; a few signs of a name do not. */
export const isWhole = (words: string): boolean => soughtBy(words).kind !== 'code' || CODE.test(words.trim())
