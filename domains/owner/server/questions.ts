import type { Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { question } from '../../../platform/server/question.ts'
import type { Refusal } from '../../../platform/server/refusal.ts'

/** Asks the domains that keep them for drivers' points and usable coupons; an owner who is not named has none. */
export const holdings = question<{ ownerIds: readonly string[] }, { ownerId: string; points?: number; coupons?: number }[]>('owner.holdings')

/** Somebody has become an owner, in the transaction in which they do. */
export const ownerRegistered = question<{ ownerId: string; phone: string; nickname: string; at: Instant }, never>('owner.registered')

/** Which of these orders of passes are a driver's to see and pay: a company's pass on their car is its company's. Nobody's where nobody answers. */
export const passOrders = question<{ ownerId: string; orderIds: readonly string[] }, string[]>('owner.passOrders')

/** Whether an owner's telephone has a pass for this plate now or later. */
export const passOfPlate = question<{ ownerId: string; plateNo: string; plateColor: PlateColorCode; at: Instant }, boolean>('owner.passOfPlate')

/** Two owners become one. Much is kept by their telephones. */
export interface Merging {
  keepId: string
  goneId: string
  keepPhone: string
  gonePhone: string
  dryRun: boolean
  at: Instant
}
/**
 * Moves everything kept by an owner's id or phone to the owner they are merged into, in the transaction that merges them; a listener with a reason against it throws it, on a
 * dry run too.
 */
export const ownersMerged = question<Merging, never>('owner.merged')

/** Other data kept of an owner: rows to hand out to them, and why they cannot be erased yet. */
export interface KeptOfOwner {
  rows: unknown[]
  why: Refusal | undefined
}
export const keptOfOwner = question<{ ownerId: string }, KeptOfOwner>('owner.kept')
/** Of an owner who is erased no name, number or picture stays. Asked while the account still has its telephone. */
export const ownerErased = question<{ ownerId: string; at: Instant }, never>('owner.erased')
