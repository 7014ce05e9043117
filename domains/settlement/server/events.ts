import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'
import type { AccountCode } from '../../ledger/contract/account.ts'
import type { PointsOffer } from '../contract/order.ts'
import type { PayMethodCode } from '../contract/payment.ts'
import type { DriverBill } from '../contract/scan.ts'
import type { OrderRow } from './row.ts'

/** Nothing is left to pay on an order. */
export interface Settled {
  orderId: Id<'OrderId'>
  orderNo: string
  type: number
  stayId: string | null
  parkCode: string
  plateNo: string | null
  /** 2 paid, 3 free, 8 waived, 5 or 7 revoked: it should never have been asked for. */
  status: number
  receivableFen: number
  discountFen: number
  /** Paid while the amount was good. Else what is due by `at` counts. */
  inTime: boolean
  paidFen: number
  /** When the money was taken: a receipt that a handheld kept, or a channel's notice, is told later. */
  paidAt: Instant
  at: Instant
}
/**
 * Asked in the transaction that settles an order: the domain above does at once what has been paid for (opens the barrier). Not asked by `openOrder` and
 * `requote`, whose caller sees in the row that nothing is to be paid.
 */
export const orderPaid = question<Settled, unknown>('settlement.orderPaid')
/** Asks for the account with which the holder of a staff number takes cash: no answer where nobody employed has it. The domain that keeps the staff answers. */
export const cashierOf = question<{ tollNo: string }, { userId: string; userName: string }>('settlement.cashierOf')
/** Asks for the park at which a person collects: no answer for a person who does not. The domain that keeps the staff answers. */
export const postOf = question<{ personId: string }, { parkCode: string }>('settlement.postOf')
/** Asks where a printed code hangs, and whose it is: no answer where it is none of ours, or no longer valid. The domain that prints codes answers. */
export const scanned = question<{ code: string }, Place>('settlement.scanned')
export interface Place {
  enterpriseId: number
  parkCode: string
  /** As `QrTarget` of parking has it: the park itself, a gate, a bay or a charging gun, and what that is called. */
  target: number
  targetCode: string
}
/** A driver asks what their car owes: the domain that knows its stay there brings its order up to this moment, and tells it. `code`: the printed one at which they ask. */
export const driverAsks = question<DriverAsks, Of<typeof DriverBill>>('settlement.driverAsks')
export interface DriverAsks {
  parkCode: string
  plateNo: string
  at: Instant
  code?: Place
}
/** Asked before a stay's order is paid when its amount is old: the domain that knows the stay brings it up to date (`requote`). */
export const amountDue = question<{ orderId: string; stayId: string; at: Instant }, true>('settlement.amountDue')
/** Asked in the transaction in which a person cancels an order: a domain that refers to it must not ask for it any more. */
export const orderCancelled = question<{ orderId: string; stayId: string | null; at: Instant }, true>('settlement.orderCancelled')
/** Asked in the transaction in which the plate of an order becomes known, or is put right: the domain that keeps debts by plate follows. */
export const orderNamed = question<{ orderId: string; plateNo: string; plateColor: PlateColorCode | null; at: Instant }, true>(
  'settlement.orderNamed',
)
/** The same as `orderPaid`, after the commit, for whatever can wait. */
export const paid = event<Settled>('settlement.paid')
export const orderTopic = topic('settlement.order', 'settlement:order:view')

/** A channel tells of a driver's debit agreement, by our number of it: it is in force now, or over. The domain that keeps it answers; none does where it is not known. */
export const agreementTold = question<AgreementNews, 'signed' | 'ended' | 'repeat'>('settlement.agreementTold')
/** By which agreement a driver lets the fee of an order be taken, as it is now. */
export const debitAgreed = question<Pick<OrderRow, 'plateNo' | 'plateColor'>, { contractNo: string; payMethod: PayMethodCode }>(
  'settlement.debitAgreed',
)
export interface AgreementNews {
  contractNo: string
  channel: string
  /** The channel's own. */
  agreementNo: string | null
  inForce: boolean
  at: Instant
}

/** A part of a payment: the share of one account that is kept here. */
export interface PurseLeg {
  account: AccountCode
  sub: string
  fen: number
}
/**
 * Accounts kept here bear a part beside a payment that is under way: set apart with `lay`, taken with `take`, free again with `free`. The domain that keeps them does it in the
 * same transaction.
 */
export const purseLaid = question<Laid, true>('settlement.purseLaid')
export interface Laid {
  move: 'lay' | 'take' | 'free'
  orderNo: string
  parkCode: string
  legs: readonly PurseLeg[]
  at: Instant
}
/** Asks how many of the driver's points may pay of an order, a fen each. The domain that keeps points answers; nothing where no driver is known, or points do not pay there. */
export const pointsFor = question<{ order: OrderRow; at: Instant }, PointsFor>('settlement.pointsFor')
export type PointsFor = Of<typeof PointsOffer>
/** Asks to pay with so many points at the till: a part lies beside the cash, the whole amount is paid at once. The domain that answers refuses points that may not be used. */
export const pointsPaid = question<PointsPaid, { besideId: string | null }>('settlement.pointsPaid')
export interface PointsPaid {
  order: OrderRow
  points: number
  actor: { userId: string; userName: string }
  at: Instant
}
/** Money of a purse payment went back into the accounts it came from, by leg: the domain that keeps them books it in the same transaction. */
export const purseReturned = question<Returned, unknown>('settlement.purseReturned')
export interface Returned {
  orderId: string
  orderNo: string
  refundNo: string
  parkCode: string
  legs: readonly PurseLeg[]
  at: Instant
}

/** Money of an order went back to its payer. `whole`: nothing of the payments is left, so what depended on the payment goes back too. */
export const orderRefunded = question<Refunded, unknown>('settlement.orderRefunded')
export interface Refunded {
  orderId: string
  orderNo: string
  type: number
  parkCode: string
  plateNo: string | null
  amountFen: number
  paidFen: number
  refundFen: number
  whole: boolean
  at: Instant
}

/** An order has become a debt: the domain that collects opens a file on it, in the same transaction. */
export interface Owed {
  orderId: Id<'OrderId'>
  orderNo: string
  type: number
  stayId: string | null
  parkCode: string
  plateNo: string | null
  plateColor: PlateColorCode | null
  amountFen: number
  /** 1 roadside, 2 forced, 3 tailgated, 4 let out, 5 ETC failed, 6 too little stored value, 7 covered or false plate, 8 a charge, which no lane asks for. */
  sourceType: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** Of a roadside stay. */
  sectionCode: string | null
  /** Why the debt cannot be asked for: 0 no reason, 1 evidence, 2 plate, 3 amount, 4 perhaps twice, 5 ETC result unknown. */
  exceptionType: 0 | 1 | 2 | 3 | 4 | 5
  at: Instant
}
export const owed = question<Owed, unknown>('settlement.owed')
/** A refund that a person asked for is over: the money is out, or it was refused. The domain that sold the thing takes it back, or leaves it. */
export const refundEnded = question<{ refundId: string; orderId: string; amountFen: number; paidOut: boolean; at: Instant }, unknown>(
  'settlement.refundEnded',
)
/** The channel did not pay a refund that a person asked for. It may still say later that it did. */
export const refundFailed = question<{ refundId: string; failure: string | null; at: Instant }, unknown>('settlement.refundFailed')
/**
 * Asked before an amount of an order is set apart at a person's word, or once more for a refund that failed (`refundId`): the domain that sold the thing, or released what it
 * had kept for that refund, may refuse.
 */
export const refundAsked = question<{ orderId: string; amountFen: number; refundId: string | null; at: Instant }, unknown>('settlement.refundAsked')
/** Asked before somebody may ask for an order to be waived: the domain that sold the thing refuses an order that is never waived. */
export const waiverAsked = question<{ orderId: string; type: number }, unknown>('settlement.waiverAsked')
/** Money of a debt that is not whole went back: that much is owed again, and `paidFen` is what it has kept. */
export const owedAgain = question<{ orderId: string; amountFen: number; paidFen: number; at: Instant }, unknown>('settlement.owedAgain')
/** A debt got money, all of it or a part. */
export const repaid = question<{ orderId: string; repayNo: string; amountFen: number; whole: boolean; at: Instant }, unknown>('settlement.repaid')
