import type { Domain } from '../../../platform/server/domain.ts'
import { couponGiven, couponsGiven, couponsOf, couponsToGive, couponTakenBack, merchantHeld } from '../../merchant/server/api.ts'
import { holdings, keptOfOwner, ownerErased, ownerRegistered, ownersMerged } from '../../owner/server/api.ts'
import { discounts, discountsHeld } from '../../parking/server/api.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import {
  orderCancelled,
  orderPaid,
  orderRefunded,
  owed,
  pointsFor,
  pointsPaid,
  purseLaid,
  purseReturned,
  refundAsked,
} from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { discountsOf, holdFor } from './applying.ts'
import { calls as coupons } from './coupon.ts'
import { give, givenOn, takeBack, toGive } from './desk.ts'
import { calls as goods } from './goods.ts'
import { holdingsOf } from './holdings.ts'
import { calls as mine } from './mine.ts'
import { nouns } from './nouns.ts'
import { records } from './records.ts'
import { calls as pointsAccounts, expirePoints } from './pointsAccount.ts'
import { payAtTill, pointsFor as pointsOfDriver } from './pointsAtTill.ts'
import { hearLaid, hearPaid, hearPurse, hearRefunded, hearRegistered } from './pointsEarning.ts'
import { calls as pointsGrants } from './pointsGrant.ts'
import { hearBillCancelled, hearExchangePaid, refuseRefund, unpaidOver } from './pointsExchange.ts'
import { forgetPoints, pointsKept } from './pointsForgetting.ts'
import { mergePoints } from './pointsMerging.ts'
import { calls as pointsGoods } from './pointsGoods.ts'
import { calls as pointsRules } from './pointsRule.ts'
import { calls as sales } from './sold.ts'
import { calls as templates } from './template.ts'
import { countsOf, expire, holdsMerchant } from './upkeep.ts'
import { calls as uses } from './use.ts'
import { hearOwed, hearSettled, returnUsed } from './using.ts'
import { known } from './known.ts'

export const coupon: Domain = {
  name: 'coupon',
  known,
  calls: [...templates, ...goods, ...sales, ...coupons, ...uses, ...pointsRules, ...pointsAccounts, ...pointsGrants, ...pointsGoods, ...mine],
  menu,
  records,
  nouns,
  tasks: [expire, expirePoints, unpaidOver],
  start() {
    discounts.answer('coupon', discountsOf)
    discountsHeld.answer('coupon', holdFor)
    orderPaid.answer('coupon', hearSettled)
    orderPaid.answer('coupon.points', hearPaid)
    orderPaid.answer('coupon.exchange', hearExchangePaid)
    orderCancelled.answer('coupon.exchange', hearBillCancelled)
    refundAsked.answer('coupon.exchange', refuseRefund)
    orderRefunded.answer('coupon.points', hearRefunded)
    purseReturned.answer('coupon', hearPurse)
    purseLaid.answer('coupon', hearLaid)
    pointsFor.answer('coupon', pointsOfDriver)
    pointsPaid.answer('coupon', payAtTill)
    owed.answer('coupon', hearOwed)
    orderRefunded.answer('coupon', async (tx, { type, whole, ...order }) =>
      type === OrderType.temporaryParking && whole ? returnUsed(tx, order) : undefined,
    )
    merchantHeld.answer('coupon', holdsMerchant)
    couponsOf.answer('coupon', countsOf)
    couponsToGive.answer('coupon', toGive)
    couponGiven.answer('coupon', give)
    couponsGiven.answer('coupon', givenOn)
    couponTakenBack.answer('coupon', takeBack)
    holdings.answer('coupon', holdingsOf)
    ownerRegistered.answer('coupon', hearRegistered)
    ownersMerged.answer('coupon', mergePoints)
    keptOfOwner.answer('coupon', pointsKept)
    ownerErased.answer('coupon', forgetPoints)
  },
}
