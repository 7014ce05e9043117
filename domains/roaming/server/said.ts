import type { Instant } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'

/** A partner is to be asked whether it knows these charges. */
export const checkWanted = event<{ checkId: string }>('charging.checkWanted')
/** A partner took a letter: what it was told and what it answered, for whoever knows the protocol. It throws nothing: the letter would be sent again. */
export const letterTaken = question<{ platformId: string; name: string; said: string; data: Record<string, unknown>; at: Instant }, true>(
  'charging.letterTaken',
)
/**
 * A dead letter is to be sent again: what it says now, where it tells of something that goes on changing; `data` null: there is nothing to tell any more.
 * Not answered: it says what it said.
 */
export const letterAnew = question<{ platformId: string; name: string; connectorId: string | null; orderNo: string | null }, { data: object | null }>(
  'charging.letterAnew',
)
