import { question } from '../../../platform/server/question.ts'

/** What keeps a person from being deleted, in words: a till that only they can close, for example. */
export const personHeld = question<{ personId: string }, { zh: string; en: string }>('identity.personHeld')
