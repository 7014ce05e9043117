/** By what somebody is reached, or the number of a paper of theirs. */
export type Personal = 'phone' | 'email' | 'document'
/** Whoever holds it sees such values whole, in every list, detail, export and history; all others see enough to know one again. */
export const SEES_WHOLE = 'system:personal:whole'

/** `138****1234`, `ab***@host`, `4201****1234`; a short one is covered to its end. */
export function covered(kind: Personal, text: string): string {
  const [name = '', host] = text.split('@')
  if (kind === 'email' && host !== undefined) return `${name.slice(0, Math.min(2, name.length - 1))}***@${host}`
  const first = kind === 'phone' ? 3 : 4
  return text.length <= first + LAST ? '*'.repeat(text.length) : `${text.slice(0, first)}****${text.slice(-LAST)}`
}
const LAST = 4

/** What was covered says nothing: sent with a change it leaves the value as it is, elsewhere it is refused. */
export const isCovered = (value: unknown): boolean => typeof value === 'string' && value.includes('*')
