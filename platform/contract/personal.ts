import type { Permission } from './call.ts'
import { PLATE_IN_TEXT } from './plate.ts'

/**
 * By what somebody is reached (`phone`, `email`), the number of a paper of theirs (`document`), and where their car was: its plate (`plate`), what was written down about it
 * and may name plates (`account`), and pictures that show it (`picture`).
 */
export type Personal = 'phone' | 'email' | 'document' | 'plate' | 'account' | 'picture'
/**
 * Users with this permission see phone numbers, document numbers and mailboxes whole in every list, detail, export and history;
 * others see just enough to recognise one.
 */
export const SEES_WHOLE = 'system:personal:whole'
/** The same for plates and pictures of cars. It is a right to look, so whoever may look at everything has it. */
export const SEES_PLATES = 'parking:plate:view'
/** The permission that is needed to see each kind whole. */
export const SIGHT: Readonly<Record<Personal, Permission>> = {
  phone: SEES_WHOLE,
  email: SEES_WHOLE,
  document: SEES_WHOLE,
  plate: SEES_PLATES,
  account: SEES_PLATES,
  picture: SEES_PLATES,
}

/** `138****1234`, `ab***@host`, `4201****1234`, `鄂F***45`; a short one is covered to its end. Of an account only the plates are, of a picture nothing is left. */
export function covered(kind: Personal, text: string): string {
  if (kind === 'account') return text.replace(PLATE_IN_TEXT, (found) => covered('plate', found))
  if (kind === 'picture') return ''
  if (kind === 'plate') return between(text, 2, '***', 2)
  const [name = '', host] = text.split('@')
  if (kind === 'email' && host !== undefined) return `${name.slice(0, Math.min(2, name.length - 1))}***@${host}`
  return between(text, kind === 'phone' ? 3 : 4, '****', 4)
}
const between = (text: string, first: number, cover: string, last: number) =>
  text.length <= first + last ? '*'.repeat(text.length) : `${text.slice(0, first)}${cover}${text.slice(-last)}`

/** A covered value carries no information: in a change it leaves the stored value as it is, elsewhere it is refused. */
export const isCovered = (value: unknown): boolean => typeof value === 'string' && value.includes('*')
/** Whether a value of this kind is sent back covered. Sentences about a car and pictures are not: an asterisk in them is just an asterisk. */
export const comesBack = (kind: Personal | undefined): boolean => kind !== undefined && kind !== 'account' && kind !== 'picture'
