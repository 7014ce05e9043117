import { question } from '../../../platform/server/question.ts'

/** Asks for reasons, in words, why a person cannot be deleted: a till that only they can close, for example. */
export const personHeld = question<{ personId: string }, { zh: string; en: string }>('identity.personHeld')
