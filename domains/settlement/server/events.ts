import type { Id, Instant } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'

/** Nothing is left to pay on an order. */
export interface Settled {
  orderId: Id<'OrderId'>
  orderNo: string
  type: number
  stayId: string | null
  parkCode: string
  plateNo: string | null
  /** 2 paid, 3 free, 8 waived. */
  status: number
  paidFen: number
  at: Instant
}
/**
 * Asked in the transaction that settles an order: whoever stands above does at once what has been paid for (opens the barrier). Not asked by `openOrder` and
 * `requote`, whose caller sees in the row that nothing is to be paid.
 */
export const orderPaid = question<Settled, unknown>('settlement.orderPaid')
/** The same, after the commit, for whatever can wait. */
export const paid = event<Settled>('settlement.paid')
export const orderTopic = topic('settlement.order', 'settlement:order:view')
