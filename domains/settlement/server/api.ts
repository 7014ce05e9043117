/**
 * All of settlement that other domains may call; each works in the caller's transaction. Amounts are whole fen.
 *
 * A stay that is charged opens an order (`openOrder`), gets another amount while nobody pays (`requote`), and ends paid, free, waived, cancelled or, when the car
 * left without paying, in arrears (`leaveUnpaid`). More time after a payment is another order over the difference. A domain that acts on the money answers the
 * question `orderPaid` (same transaction) or listens to the event `paid` (afterwards). The domain that collects debts answers `owed` and `repaid`, and asks for several debts
 * at once by
 * `openRepayment`; a debt ends otherwise by `writeOff` and `revoke`.
 */
export { cancelOrder, freshen, leaveUnpaid, mayRequote, type NewOrder, openOrder, requote } from './opening.ts'
export { type CashPayment, keepApart, momentTaken, NotPayable, noticePayment, type Outcome, payCash, type PaymentNotice } from './receiving.ts'
export { NotEnough, payFromPurse, type PursePayment } from './purse.ts'
export { apartOf, bookedReceipt, explainLater, paidAfter, receiptNoOf } from './lateCash.ts'
export { type Lay, layBeside } from './beside.ts'
export { pointsOn } from './points.ts'
export { startPayment } from './pay/start.ts'
export { orderOf, type OrderRow } from './row.ts'
export { holdCredited, holdOrder, holdPayments, lockOrders, takeOrders } from './hold.ts'
export { HANDHELD, openRepayment, type NewRepayment } from './repaying.ts'
export { revoke, writeOff } from './ending.ts'
export { waive } from './refund/waiver.ts'
export { SelfApproval } from './refund/refund.ts'
export {
  type AgreementNews,
  agreementTold,
  debitAgreed,
  amountDue,
  cashierOf,
  orderCancelled,
  orderNamed,
  orderPaid,
  orderRefunded,
  orderTopic,
  type Owed,
  owed,
  owedAgain,
  paid,
  type Place,
  type Laid,
  type PointsFor,
  pointsFor,
  type PointsPaid,
  pointsPaid,
  postOf,
  purseLaid,
  type PurseLeg,
  purseReturned,
  refundAsked,
  refundEnded,
  refundFailed,
  type Refunded,
  repaid,
  type Returned,
  type DriverAsks,
  driverAsks,
  scanned,
  type Settled,
  waiverAsked,
} from './events.ts'
export { DriverPayAway, placeOf } from './scan.ts'
export { debitByContract } from './pay/debit.ts'
export { agreementsOf, debitsAt, PayAway } from './pay/provider.ts'
export { ordersOfStay, unaskedOf } from './stay.ts'
export { nameOrder } from './naming.ts'
export { heldBy, inWords, tillOf } from './shift/shiftRow.ts'
export { escapesBetween, type Takings, takingsBetween } from './report/figures.ts'
export { isUnpaidIn } from './order.ts'
export { finishRefund, paidBack, type RefundRow, type Returnable, returnable, returnableNow, returnRest } from './refund/returning.ts'
export { creditInstead } from './crediting.ts'
export { applyRefund, approveRefund, rejectRefund, withdrawRefund } from './refund/refund.ts'
export { begin, endAttempt } from './pay/start.ts'
export { useIssuer } from './settings.ts'
export { describeRecharge, type RechargeFacts } from './recharge.ts'
export { holdChannel, openDay, takeFile } from './clearing/day.ts'
export { tradesOf } from './clearing/files.ts'
export { type Remedy, remediesOf, remedyOf } from './refund/remedies.ts'
