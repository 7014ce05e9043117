import { question } from '../../../platform/server/question.ts'
import type { CouponCounts } from '../contract/statement.ts'
import type { Day, Of } from '../../../platform/contract/field.ts'

/** What keeps a merchant from being deleted or settled in another way, in words: coupons that are out. */
export const merchantHeld = question<{ mchId: string }, { zh: string; en: string }>('merchant.merchantHeld')
/** How many coupons of a merchant were issued, used, withdrawn and expired on a day. */
export const couponsOf = question<{ mchId: string; day: Day }, Of<typeof CouponCounts>>('merchant.couponsOf')
