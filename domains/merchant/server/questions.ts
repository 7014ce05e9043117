import { question } from '../../../platform/server/question.ts'
import type { DeskCoupon, DeskSale } from '../contract/desk.ts'
import type { CouponCounts } from '../contract/statement.ts'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'

/** Asks for reasons, in words, why a merchant cannot be deleted or settled in another way: coupons that are out. */
export const merchantHeld = question<{ mchId: string }, { zh: string; en: string }>('merchant.merchantHeld')
/** How many coupons of a merchant were issued, used, withdrawn and expired on a day. */
export const couponsOf = question<{ mchId: string; day: Day }, Of<typeof CouponCounts>>('merchant.couponsOf')

/** A merchant's acts with its coupons at its own page: the domain that keeps coupons does them. */
interface AtDesk {
  mchId: string
  at: Instant
}
export const couponsToGive = question<AtDesk, Of<typeof DeskSale>[]>('merchant.couponsToGive')
export const couponGiven = question<AtDesk & { soldId: string; plateNo: string; by: string }, Of<typeof DeskCoupon>>('merchant.couponGiven')
export const couponsGiven = question<{ mchId: string; day: Day }, Of<typeof DeskCoupon>[]>('merchant.couponsGiven')
export const couponTakenBack = question<AtDesk & { id: string; version: number }, Of<typeof DeskCoupon>>('merchant.couponTakenBack')
