/**
 * All of settlement that other domains may call; each works in the caller's transaction. Amounts are whole fen.
 *
 * A stay that is charged opens an order (`openOrder`), gets another amount while nobody pays (`requote`), and ends paid, free, waived, cancelled or, when the car
 * left without paying, in arrears (`leaveUnpaid`). More time after a payment is another order over the difference. Whoever needs to act on the money answers the
 * question `orderPaid` (same transaction) or listens to the event `paid` (afterwards).
 */
export { cancelOrder, leaveUnpaid, type NewOrder, openOrder, requote } from './opening.ts'
export { type CashPayment, NotPayable, noticePayment, type Outcome, payCash, type PaymentNotice } from './receiving.ts'
export { startPayment } from './pay/start.ts'
export { orderOf, type OrderRow } from './row.ts'
export { orderPaid, orderTopic, paid, type Settled } from './events.ts'
export { ordersOfStay } from './stay.ts'
export { escapesBetween, type Takings, takingsBetween } from './figures.ts'
export { debtsOf } from './debts.ts'
