import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { CHANNELS, type PayMethodCode } from '../contract/payment.ts'
import type { PurseLeg } from './events.ts'
import { writeLegs } from './legs.ts'
import { freshen } from './opening.ts'
import { NotPayable, settle } from './receiving.ts'
import { type OrderRow, orderOf, PAYMENT, type PaymentRow } from './row.ts'

export const NotEnough = refusal(
  'settlement.not-enough',
  40592,
  '余额不足：可用 ¥{left}，需 ¥{needed}；请先充值或换支付方式',
  'Insufficient balance: ¥{left} available, ¥{needed} needed: recharge, or choose another payment method',
  422,
)

export interface PursePayment {
  orderId: string
  /** 3 stored value, 11 points. */
  payMethod: PayMethodCode
  /** Which accounts bear it, and how much each; together exactly what the order asks, less what is laid beside it. */
  legs: readonly PurseLeg[]
  /** The payment laid beside this one: together they pay the whole order. */
  besideId?: string | null
  at: Instant
  /** The person who did it at the console; left out for a payment that happens by itself. */
  actor?: { userId: string; userName: string }
}

/**
 * Settles an order out of accounts that are kept here, in the caller's transaction: Dr each leg / Cr what the order sells. A refund of it goes back to the same
 * accounts by the same proportion, at once, and `purseReturned` is asked.
 * @throws NotEnough when one of them holds less, NotPayable when the order does not ask exactly this amount
 */
export async function payFromPurse(tx: Tx, { orderId, payMethod, legs: all, besideId = null, at, actor }: PursePayment): Promise<OrderRow> {
  const legs = all.filter(({ fen }) => fen > 0)
  const totalFen = legs.reduce((sum, { fen }) => sum + fen, 0)
  await freshen(tx, orderId, at)
  const order = await orderOf(tx, orderId)
  if (totalFen <= 0) throw NotPayable()
  await hold(tx, legs)
  const values = [orderId, order.parkCode, payMethod, CHANNELS[payMethod], totalFen, at, actor?.userId ?? null, actor?.userName ?? null, besideId]
  const [payment] = await run<PaymentRow & { operatorId: string }>(tx, { sql: PAY }, values)
  await writeLegs(tx, payment!, legs)
  if ((await settle(tx, payment!, at)) !== 'paid') throw NotPayable()
  return orderOf(tx, orderId)
}
const PAY = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at, operator_id, operator_name, beside_id)
  select $1, $2, number, $3, $4, number, $5, $5, 1, $6, $7, $8, $9 from platform.business_no('YE') number returning ${PAYMENT}, operator_id`

/** The accounts are taken in one order, so that two payments out of the same ones never wait in a ring. The ledger refuses an overdraft in any case; here it is said in words. */
async function hold(tx: Tx, legs: readonly PurseLeg[]): Promise<void> {
  const key = ({ account, sub }: PurseLeg) => `${account} ${sub}`
  for (const leg of [...legs].sort((a, b) => (key(a) < key(b) ? -1 : 1))) {
    const [held] = await run<{ fen: number }>(tx, HELD, [leg.account, leg.sub])
    if (held!.fen < leg.fen) throw NotEnough({ left: yuan(held!.fen), needed: yuan(leg.fen) })
  }
}
const HELD = {
  sql: `select case when a.guarded then coalesce(ledger.held($1, $2), 0) else ${Number.MAX_SAFE_INTEGER} end as fen from ledger.account a where a.code = $1`,
}
const yuan = (fen: number) => (fen / 100).toFixed(2)
