import { listAt } from '../../../platform/web/listAt.ts'
import { CouponState } from '../contract/coupon.ts'

const { issued, locked, givenBack, withdrawn, expired } = CouponState
/** What a coupon's state means to whoever counts them. */
export const USABLE = [issued, locked, givenBack]
export const GONE = [withdrawn, expired]
/** Coupons that were issued within some days, both included. */
export const issuedOn = (first: string, last: string, state?: readonly number[]) =>
  listAt('/activity/coupon/send', { issuedAtFrom: first, issuedAtTo: last, state })
