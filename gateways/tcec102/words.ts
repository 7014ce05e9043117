import { PlatformRole } from '../../domains/charging/contract/platform.ts'
import type { Caller } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { withoutSigns } from '../../platform/contract/said.ts'
import type { Tx } from '../../platform/server/database.ts'
import type { Refusal } from '../../platform/server/refusal.ts'

/** The content of Data does not match the interface. */
export class Wrong extends Error {}
export interface Asked {
  tx: Tx
  caller: Caller
  /** In the standard's own spelling. */
  said: Record<string, unknown>
  at: Instant
}
/** Which partners have an interface to ask: those with drivers, or those with stations. */
export const Side = {
  demand: [PlatformRole.demand, PlatformRole.both],
  operator: [PlatformRole.operator, PlatformRole.both],
} as const satisfies Record<string, readonly number[]>
export interface Interface {
  name: string
  /** None: every partner. */
  asks?: readonly number[]
  /** Before there is a token. */
  open?: true
  writes?: true
  answer(asked: Asked): Promise<object>
  /** A rule that says no, in the words of this interface; without it, it is a business error. */
  refused?(said: Record<string, unknown>, why: Refusal): object
}

export const text = (said: Record<string, unknown>, name: string, max: number): string => {
  const value = said[name]
  if (typeof value !== 'string' || value === '' || value.length > max || !isReadable(value)) throw new Wrong(`${name} is missing or too long`)
  return value
}
/** The database keeps no nought among characters, and no half of one. */
export const isReadable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
export const readable = (value: string): string => withoutSigns(value.replaceAll('\0', '')).toWellFormed()
