import { question } from '../../../platform/server/question.ts'

/** What else drivers have: their points, and how many coupons they can use. Whoever keeps those answers; one who is not named has none. */
export const holdings = question<{ ownerIds: readonly string[] }, { ownerId: string; points?: number; coupons?: number }[]>('owner.holdings')
