import { question } from '../../../platform/server/question.ts'
import type { DeskCoupon, DeskSale } from '../contract/desk.ts'
import type { CouponCounts } from '../contract/statement.ts'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'

/** What keeps a merchant from being deleted or settled in another way, in words: coupons that are out. */
export const merchantHeld = question<{ mchId: string }, { zh: string; en: string }>('merchant.merchantHeld')
/** How many coupons of a merchant were issued, used, withdrawn and expired on a day. */
export const couponsOf = question<{ mchId: string; day: Day }, Of<typeof CouponCounts>>('merchant.couponsOf')

/** What a merchant does with its coupons at its own page: whoever keeps coupons does it. */
interface AtDesk {
  mchId: string
  at: Instant
}
export const couponsToGive = question<AtDesk, Of<typeof DeskSale>[]>('merchant.couponsToGive')
export const couponGiven = question<AtDesk & { soldId: string; plateNo: string; by: string }, Of<typeof DeskCoupon>>('merchant.couponGiven')
export const couponsGiven = question<{ mchId: string; day: Day }, Of<typeof DeskCoupon>[]>('merchant.couponsGiven')
export const couponTakenBack = question<AtDesk & { id: string; version: number }, Of<typeof DeskCoupon>>('merchant.couponTakenBack')
