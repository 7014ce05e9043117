import type { Instant } from '../../../platform/contract/field.ts'
import { begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { Refusal, refusal } from '../../../platform/server/refusal.ts'
import { OrderStatus } from '../contract/order.ts'
import { CHANNELS, type PayMethodCode, PaymentState } from '../contract/payment.ts'
import { type Laid, type PurseLeg, purseLaid } from './events.ts'
import { writeLegs } from './legs.ts'
import { orderOf, type OrderRow, PAYMENT, type PaymentRow } from './row.ts'

const OtherLaid = refusal(
  'settlement.other-laid',
  40596,
  '该账单已有 ¥{fen} 积分抵扣在支付中，请完成该笔支付，或五分钟后再试',
  'A payment using ¥{fen} of points is already in progress for this bill. Complete it, or try again in five minutes',
)
/** Lays something beside a payment that begins. */
export type Lay = (tx: Tx, order: OrderRow) => Promise<PaymentRow>

interface Wanted {
  order: OrderRow
  payMethod: PayMethodCode
  legs: readonly PurseLeg[]
  at: Instant
}
/**
 * A part of what an order asks is set apart in accounts kept here, for whatever payment of the rest comes first. It is over when the last attempt that counts on it is.
 * @throws OtherLaid when another part is set apart already
 */
export async function layBeside(tx: Tx, { order, payMethod, legs, at }: Wanted): Promise<PaymentRow> {
  const fen = legs.reduce((sum, leg) => sum + leg.fen, 0)
  await run(tx, HOLD, [order.id])
  const [there] = await run<PaymentRow>(tx, WAITING, [order.id])
  if (there) {
    if (there.amountFen !== fen || there.channel !== CHANNELS[payMethod]) throw OtherLaid({ fen: (there.amountFen / 100).toFixed(2) })
    return there
  }
  const [laid] = await run<PaymentRow>(tx, LAY, [order.id, order.parkCode, payMethod, CHANNELS[payMethod], fen, at])
  await writeLegs(tx, laid!, legs)
  await tell(tx, laid!, 'lay', at)
  return laid!
}
const LAID = `state = ${PaymentState.waiting} and channel in ('stored', 'points')`
const WAITING = { sql: `select ${PAYMENT} from settlement.payment where enterprise_id = scope_enterprise() and order_id = $1 and ${LAID}` }
const LAY = {
  sql: `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, amount_fen, created_at)
    select $1, $2, number, $3, $4, $5, $6 from platform.business_no('YE') number returning ${PAYMENT}`,
}

async function tell(tx: Tx, { id, orderId, parkCode }: PaymentRow, move: Laid['move'], at: Instant): Promise<void> {
  const [{ orderNo }, legs] = [await orderOf(tx, orderId), await run<PurseLeg>(tx, LEGS, [id])]
  await purseLaid.ask(tx, { move, orderNo, parkCode, legs, at })
}
const LEGS = {
  sql: 'select account, sub, amount_fen as fen from settlement.leg where enterprise_id = scope_enterprise() and payment_id = $1 order by seq',
}

/**
 * Returns the payment laid beside one whose money has come. If it was released meanwhile, it is set apart again; undefined where it cannot be had any more. The caller holds
 * the order.
 */
export async function laidBeside(tx: Tx, { orderId, besideId }: PaymentRow, at: Instant): Promise<PaymentRow | undefined> {
  if (besideId === null) return undefined
  const [order] = await run<{ wants: boolean }>(tx, HOLD, [orderId])
  const [laid] = await run<PaymentRow>(tx, ONE, [besideId])
  if (!order!.wants || laid!.state === PaymentState.waiting) return laid
  try {
    await tell(tx, laid!, 'lay', at)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
  await run(tx, MOVE, [besideId, PaymentState.closed, PaymentState.waiting, begunAt(tx)])
  return laid
}
const HOLD = {
  sql: `select status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears}) as wants from settlement.order where enterprise_id = scope_enterprise() and id = $1 for no key update`,
}
const ONE = { sql: `select ${PAYMENT} from settlement.payment where enterprise_id = scope_enterprise() and id = $1` }
const MOVE = {
  sql: 'update settlement.payment set state = $3, version = version + 1, updated_at = $4 where enterprise_id = scope_enterprise() and id = $1 and state = $2',
}

/** Takes a laid part together with the payment that it lay beside. */
export async function takeLaid(
  tx: Tx,
  laid: PaymentRow,
  { paidAt, operatorId, operatorName }: PaymentRow & { operatorId?: string },
  at: Instant,
): Promise<PaymentRow> {
  const [taken] = await run<PaymentRow>(tx, TAKE, [laid.id, paidAt, operatorId ?? null, operatorName, begunAt(tx)])
  await tell(tx, taken!, 'take', at)
  return taken!
}
const TAKE = {
  sql: `update settlement.payment set state = ${PaymentState.received}, trade_no = pay_no, received_fen = amount_fen, paid_at = $2, operator_id = $3, operator_name = $4, version = version + 1, updated_at = $5
    where enterprise_id = scope_enterprise() and id = $1 and state = ${PaymentState.waiting} returning ${PAYMENT}`,
}

/** Releases the parts laid beside an order's payments, when the order is over. The caller holds the order. */
export const letGoLaid = (tx: Tx, orderId: string, at: Instant) => letGo(tx, LAID_OF_ORDER, orderId, at)
/** Releases the part laid beside an attempt that is over, unless another one counts on it. */
export async function letGoUnused(tx: Tx, orderId: string, at: Instant): Promise<void> {
  await run(tx, HOLD, [orderId])
  await letGo(tx, UNUSED_OF_ORDER, orderId, at)
}
async function letGo(tx: Tx, which: { sql: string }, orderId: string, at: Instant): Promise<void> {
  const [gone] = await run<PaymentRow>(tx, which, [orderId, begunAt(tx)])
  if (gone) await tell(tx, gone, 'free', at)
}
const CLOSED = `update settlement.payment p set state = ${PaymentState.closed}, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and order_id = $1 and ${LAID}`
const LAID_OF_ORDER = { sql: `${CLOSED} returning ${PAYMENT}` }
const UNUSED_OF_ORDER = {
  sql: `${CLOSED} and not exists (select from settlement.payment a where a.enterprise_id = p.enterprise_id and a.order_id = $1 and a.beside_id = p.id and a.state = ${PaymentState.waiting}) returning ${PAYMENT}`,
}
