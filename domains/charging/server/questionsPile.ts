import type { Id, Instant } from '../../../platform/contract/field.ts'
import { question } from '../../../platform/server/question.ts'

/**
 * What whoever keeps the piles wants to know of whoever charges at them, at the place in the transaction at which it is needed: rows are locked in the order of CONTRIBUTING only if these are asked
 * where they are. Each has one answer; none means no, or that nothing is to be done, but for `startWished`.
 */

/** A gun is about to say another state than before: whoever its plug is about is held before what is kept of the gun. */
export const plugMoves = question<{ connectorId: string; status: number; at: Instant }, true>('pile.plugMoves')
/** A gun says another state than before: what goes on there follows from its plug. */
export const plugMoved = question<{ connectorId: string; status: number; raw: string; at: Instant; receivedAt: Instant }, true>('pile.plugMoved')
/** Nobody hears of these piles any more, each from `last` on. */
export const plugsUnheard = question<{ piles: readonly { equipmentId: string; last: Instant }[]; at: Instant }, true>('pile.plugsUnheard')
/** What these piles may draw is to be worked out anew; `restarted`: they have forgotten what they were told. */
export const powerMoved = question<{ equipmentIds: readonly string[]; restarted: boolean }, true>('pile.powerMoved')
/** Somebody at the desk wants to start a gun by a card: whoever knows of charges and prices refuses it, and nothing starts that nobody has answered for. */
export const startWished = question<{ connectorId: string; cardNo: string; at: Instant }, true>('pile.startWished')
/** The charge that has a gun. */
export const chargeAtGun = question<{ connectorId: string }, { orderNo: string; transactionId: string | null }>('pile.chargeAtGun')
/** The number of a good card as it is kept, however it was typed. */
export const cardKnown = question<{ typed: string }, string>('pile.cardKnown')
/** The cards that a pile may know by itself, the newest first. */
export const localCards = question<{ atMost: number }, string[]>('pile.localCards')
/** Whether load management has this gun. */
export const powerShared = question<{ connectorId: string }, true>('pile.powerShared')
/** Whether anybody ever charged at a pile. */
export const pileUsed = question<{ equipmentId: string }, true>('pile.pileUsed')
/** Whether anything was ever written about a gun. */
export const gunUsed = question<{ connectorId: string }, true>('pile.gunUsed')
/** Whether anybody charges at a station. */
export const stationCharging = question<{ stationId: string }, true>('pile.stationCharging')
/** A station is to have this price table: nothing, where it has it. */
export const stationPriced = question<{ stationId: string; strategyId: Id<'ChargingStrategyId'>; at: Instant }, true>('pile.stationPriced')
