/**
 * All of merchant that other domains may call, each in the caller's transaction. A merchant is held first (`lockMerchant`), then its account moves: the cost of coupons
 * (`takeFor`), their return (`giveBack`), the settling of a use (`settleUse`, `unsettleUse`), forfeits. It hears of coupons by its questions.
 */
export { takeCode } from './code.ts'
export { merchantOf, type MerchantRow } from './merchant.ts'
export { forfeit, giveBack, lockMerchant, type Moved, settleUse, takeFor, unsettleUse } from './purse.ts'
export { couponGiven, couponsGiven, couponsOf, couponsToGive, couponTakenBack, merchantHeld } from './questions.ts'
