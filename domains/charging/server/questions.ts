import type { Instant } from '../../../platform/contract/field.ts'
import { question } from '../../../platform/server/question.ts'

/** What somebody's stored value will pay for a charge. */
export interface Purse {
  /** What may be frozen now. */
  availableFen: number
  payer: string
  /** They owe from before, or may not charge: said in both languages. */
  refused?: { zh: string; en: string }
}
/** What the stored value of an owner has for a charge; whoever keeps stored value answers, and holds it until the transaction is over, so that what was told can be frozen. */
export const purse = question<{ ownerId: string; at: Instant }, Purse>('charging.purse')
/** A change of stored value for a hold. */
export interface PurseMove {
  move: 'freeze' | 'spend' | 'free'
  ownerId: string
  holdNo: string
  orderNo: string
  parkCode: string
  amountFen: number
  at: Instant
}
/**
 * Freezes, spends or frees stored value for a hold. What is spent pays an order of its own that is credited to the charge (`liability.charge-prepaid` with the charge's order number as
 * sub-account): the bill takes it from there, and what goes back of it later goes back of that order.
 */
export const purseMoved = question<PurseMove, boolean>('charging.purseMoved')
/** The groups that an owner is in, for discounts of groups. */
export const groupsOf = question<{ ownerId: string; at: Instant }, string[]>('charging.groupsOf')
/** Whose a car or a VIN is, and whether its charges may be taken from the stored value without asking. */
export const ownerOf = question<
  { plateNo?: string | null; vin?: string | null; phone?: string | null },
  { ownerId: string; autoPay: boolean; plateNo: string | null }
>('charging.ownerOf')
/** Who an owner is, held until the transaction is over: for prices by telephone, and for cards. Nothing where nobody is, or was, an owner by that id; `active` where something may be done for them. */
export const whoIs = question<{ ownerId: string }, { phone: string; active: boolean }>('charging.whoIs')
