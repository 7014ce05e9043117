import type { Instant } from '../../../platform/contract/field.ts'
import { OrderStatus } from '../contract/order.ts'
import { PaymentState } from '../contract/payment.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { DAY_MS, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { post } from '../../ledger/server/api.ts'
import { laidBeside, letGoLaid, letGoUnused, takeLaid } from './beside.ts'
import { pointsPaid, repaid } from './events.ts'
import { cameBy } from './legs.ts'
import { bookDue, fallBack } from './opening.ts'
import { allocate, cancelRepayment, itemsOwed, payItems } from './repaying.ts'
import { returnUnasked } from './refund/returning.ts'
import { assetOf, type Changed, change, moved, type OrderRow, orderOf, PAYMENT, type PaymentRow, REPAYMENT, soldAs, tellSettled } from './row.ts'
import { shiftAt } from './shift/shiftRow.ts'
import { comeLate } from './shift/shiftSettling.ts'
import { Said } from '../contract/said.ts'

export const NotPayable = refusal(
  'settlement.not-payable',
  40505,
  '订单已支付、已取消或金额已变化，请刷新后再收款',
  'The order was paid or cancelled, or its amount has changed; refresh and try again',
)
/** The outcome of money that arrived. Only `paid` moves an order on. */
export type Outcome = 'paid' | 'repeat' | 'duplicate' | 'afterCancel' | 'wrongAmount' | 'unknown'
export interface PaymentNotice {
  /** Our number of the attempt. */
  payNo: string
  channel: string
  /** The channel's number of the trade: the same one is the same money, however often we hear of it. */
  tradeNo: string
  amountFen: number
  paidAt: Instant
  at: Instant
}

/**
 * A channel says that somebody paid. May come twice, late, before our own writing of the attempt's address, or for an order that wants no money any more;
 * `unknown` when the attempt is not ours.
 */
export async function noticePayment(tx: Tx, notice: PaymentNotice): Promise<Outcome> {
  const claimed = (await claimAttempt(tx, notice)) ?? (await claimExtra(tx, notice))
  if (claimed === 'unknown' || claimed === 'repeat') return claimed
  return settle(tx, claimed, notice.at)
}

/** The attempt takes the trade's number, once. */
async function claimAttempt(tx: Tx, { payNo, channel, tradeNo, amountFen, paidAt, at }: PaymentNotice): Promise<PaymentRow | undefined> {
  const sql = `update settlement.payment set trade_no = $3, received_fen = $4, paid_at = least($5::timestamptz, $6::timestamptz), state = ${PaymentState.received}, version = version + 1, updated_at = $6::timestamptz
    where enterprise_id = scope_enterprise() and pay_no = $1 and channel = $2 and trade_no is null returning ${PAYMENT}`
  const [claimed] = await run<PaymentRow>(tx, { sql }, [payNo, channel, tradeNo, amountFen, paidAt, at])
  return claimed
}

/** The attempt has a trade already: this is the same one again, or a second one. */
async function claimExtra(tx: Tx, { payNo, channel, tradeNo, amountFen, paidAt, at }: PaymentNotice): Promise<PaymentRow | 'unknown' | 'repeat'> {
  const [attempt] = await run<{ tradeNo: string }>(
    tx,
    { sql: 'select trade_no from settlement.payment where enterprise_id = scope_enterprise() and pay_no = $1 and channel = $2' },
    [payNo, channel],
  )
  if (!attempt) return 'unknown'
  const sql = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at)
    select order_id, park_code, pay_no || '-' || left(md5($3), 8), pay_method, channel, $3, amount_fen, $4, 1, least($5::timestamptz, $6::timestamptz)
    from settlement.payment where enterprise_id = scope_enterprise() and pay_no = $1 and channel = $2
    on conflict (enterprise_id, channel, trade_no) where trade_no is not null do nothing returning ${PAYMENT}`
  const [extra] = await run<PaymentRow>(tx, { sql }, [payNo, channel, tradeNo, amountFen, paidAt, at])
  return extra ?? 'repeat'
}

const PAYS = `status = ${OrderStatus.paid}, paid_fen = paid_fen + $2, pay_method = $3, pay_channel = $4, trade_no = $5, pay_time = $6, operator_id = $7, operator_name = $8, shift_id = $9, paying_until = null`
/** Only one payment of all that is left passes; every other one finds the order settled. */
const wants = (fen: string) => `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears}) and payable_fen - paid_fen = ${fen}`
/**
 * An amount that was asked when the payment began, of a stay's order that asks more by now: it pays that much, and the domain that knows the stay says what becomes of the
 * rest.
 */
const wanted = (fen: string) =>
  `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and not owed and paid_fen = 0 and good_until is not null and payable_fen > ${fen}`
/** Of an order, whether so much would be taken for it now. */
export const takes = (fen: string) => `((${wants(fen)}) or (${wanted(fen)}))`
const PAYS_PART = `${PAYS}, receivable_fen = discount_fen + $2`
const isBy = (paidAt: Instant, until: Instant | null) => until === null || Date.parse(paidAt) <= Date.parse(until)

/** Money has arrived: it settles the order, or it is set apart and goes back. */
export async function settle(tx: Tx, payment: PaymentRow & { operatorId?: string }, at: Instant, final = false): Promise<Outcome> {
  const { orderId, receivedFen, payMethod, channel, tradeNo, paidAt, expiresAt, operatorName, operatorId = null, shiftId } = payment
  const items = await itemsOf(tx, orderId, at)
  const laid = await laidBeside(tx, payment, at)
  const values = [receivedFen + (laid?.amountFen ?? 0), payMethod, channel, tradeNo, paidAt, operatorId, operatorName, shiftId]
  const asked = receivedFen === payment.amountFen
  const settled =
    (await change(tx, orderId, PAYS, wants('$2'), values)) ?? (asked ? await change(tx, orderId, PAYS_PART, wanted('$2'), values) : undefined)
  if (!settled) {
    if (laid) await letGoUnused(tx, orderId, at)
    return setApart(tx, payment, await orderOf(tx, orderId), at)
  }
  const payments = laid ? [payment, await takeLaid(tx, laid, payment, at)] : [payment]
  if (!laid) await letGoLaid(tx, orderId, at)
  if (settled.was !== OrderStatus.paying) await moved(tx, settled, settled.was, OrderStatus.paying, 'paying', at)
  await moved(tx, settled, OrderStatus.paying, OrderStatus.paid, 'paid', at)
  if (items) await payItems(tx, settled, payment, items, at)
  else await bookPaid(tx, settled, payments, at)
  await tellSettled(tx, settled, at, final || settled.owed || isBy(paidAt!, expiresAt ?? settled.goodUntil))
  return 'paid'
}

/** Returns the debts that a repayment is for. One that cannot be spread as it was asked for is over: its money goes back. */
async function itemsOf(tx: Tx, orderId: string, at: Instant) {
  if ((await orderOf(tx, orderId)).type !== REPAYMENT) return undefined
  const items = await itemsOwed(tx, orderId)
  if (!items) await cancelRepayment(tx, orderId, Said.changed, at)
  return items
}

/** Each way by which it came is a line; the first is the one that settled it. */
async function bookPaid(tx: Tx, order: Changed, payments: readonly PaymentRow[], at: Instant): Promise<void> {
  const [{ id, payNo, paidAt }] = payments as [PaymentRow]
  const came = (await Promise.all(payments.map((one) => cameBy(tx, one, one.receivedFen)))).flat()
  if (!order.owed) return void (await bookDue(tx, order, 'order.paid', paidAt!, came, payNo))
  const amountFen = payments.reduce((sum, { receivedFen }) => sum + receivedFen, 0)
  await post(tx, {
    bizType: 'order.repaid',
    bizNo: payNo,
    about: order.orderNo,
    eventId: `paid:${id}`,
    at: paidAt!,
    parkCode: order.parkCode,
    business: soldAs(order.type).business,
    lines: [...came, { account: 'asset.arrears', creditFen: amountFen }],
  })
  for (const payment of payments) await allocate(tx, { payment, order, amountFen: payment.receivedFen, repayId: null, forDebt: true })
  await repaid.ask(tx, { orderId: order.id, repayNo: payNo, amountFen, whole: true, at })
}

/** Not what the order asks: a wrong amount waits for a person; a second payment, or one after the end, goes back by itself. */
async function setApart(tx: Tx, payment: PaymentRow, order: OrderRow, at: Instant): Promise<Outcome> {
  const wrong = order.status === OrderStatus.unpaid || order.status === OrderStatus.paying || order.status === OrderStatus.arrears
  const [state, outcome] = wrong
    ? ([PaymentState.wrongAmount, 'wrongAmount'] as const)
    : order.status === OrderStatus.cancelled
      ? ([PaymentState.afterCancel, 'afterCancel'] as const)
      : ([PaymentState.paidTwice, 'duplicate'] as const)
  await run(tx, { sql: 'update settlement.payment set state = $2, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1' }, [
    payment.id,
    state,
    at,
  ])
  await post(tx, {
    bizType: `payment.${outcome}`,
    bizNo: payment.payNo,
    about: order.orderNo,
    eventId: `paid:${payment.id}`,
    at: payment.paidAt!,
    parkCode: order.parkCode,
    business: soldAs(order.type).business,
    lines: [
      { ...assetOf(payment), debitFen: payment.receivedFen },
      { account: wrong ? 'clearing.over-short' : 'clearing.duplicate', sub: payment.channel, creditFen: payment.receivedFen },
    ],
  })
  if (!wrong) await returnUnasked(tx, payment, order, at)
  const back = wrong ? await fallBack(tx, order.id) : undefined
  await moved(tx, order, order.status, back?.status ?? order.status, outcome, at, `${payment.tradeNo} ¥${(payment.receivedFen / 100).toFixed(2)}`)
  if (back && order.type === REPAYMENT) await cancelRepayment(tx, order.id, Said.wrongAmount, at)
  return outcome
}

const WrongClock = refusal(
  'settlement.wrong-clock',
  40595,
  '设备时间不可信（须在最近 {days} 天内），请校准后重试',
  'The device’s clock is wrong (its time must be within the last {days:day}): set it and try again',
  422,
)
/** A handheld without network keeps its receipts so long; and its clock may be a little ahead. */
const KEPT_DAYS = 7
const AHEAD_MS = 2 * MINUTE_MS
/** When money was taken by the clock of the device that took it. @throws WrongClock */
export function momentTaken(deviceTime: Instant | undefined, at: Instant): Instant {
  if (deviceTime === undefined) return at
  const ahead = msOf(deviceTime) - msOf(at)
  if (ahead > AHEAD_MS || ahead < -KEPT_DAYS * DAY_MS) throw WrongClock({ days: KEPT_DAYS })
  return ahead > 0 ? at : deviceTime
}

export interface CashPayment {
  orderId: string
  /** The amount that the cashier was shown and took. */
  amountFen: number
  /** The driver's points laid beside it; where they pay the whole amount, no cash is taken. */
  points?: number | undefined
  /** The amount due when a handheld took the cash; left out, `amountFen`. */
  askedFen?: number
  /** The receipt's number where the payment has none of ours. */
  receiptNo?: string | null
  actor: { userId: string; userName: string }
  at: Instant
  /** When a handheld that had no network took it, by its clock: it belongs to the shift of that moment. */
  deviceTime?: Instant | undefined
  /** A person at the barrier lets the car go for this, whatever it owes by now. */
  final?: boolean
}
/** Cash into the hands of a person; their shift is opened if none runs. @throws NotPayable when the order does not ask exactly this amount, WrongClock */
export async function payCash(tx: Tx, cash: CashPayment): Promise<OrderRow> {
  const { orderId, amountFen, points = 0, at, final = false } = cash
  const besideId = points > 0 ? await besideCash(tx, cash, points) : null
  if (besideId === undefined) return orderOf(tx, orderId)
  if (amountFen <= 0) throw NotPayable()
  const { payment, late } = await takeCash(tx, cash, besideId)
  if ((await settle(tx, payment, at, final)) !== 'paid') throw NotPayable()
  if (late) await comeLate(tx, { id: payment.shiftId!, keeper: cash.actor.userId, fen: amountFen, at })
  return orderOf(tx, orderId)
}

const NoPoints = refusal(
  'settlement.no-points',
  40598,
  '该车没有已认证且有积分的车主，请全额收现金',
  'This car’s owner has no usable points. Take the full amount in cash',
  422,
)
/** @returns the points that lie beside the cash; nothing when they paid all of it. @throws NoPoints, and what keeps points from paying */
async function besideCash(tx: Tx, { orderId, amountFen, actor, at }: CashPayment, points: number): Promise<string | undefined> {
  const order = await orderOf(tx, orderId)
  if (order.payableFen - order.paidFen !== amountFen + points) throw NotPayable()
  const [paid] = await pointsPaid.ask(tx, { order, points, actor, at })
  if (!paid) throw NoPoints()
  return paid.answer.besideId ?? undefined
}

/** Cash that a handheld has taken and nobody owes any more: it is the driver's, and waits at the counter. */
export async function keepApart(tx: Tx, cash: CashPayment): Promise<PaymentRow> {
  const { payment, late } = await takeCash(tx, { ...cash, askedFen: 0 })
  await setApart(tx, payment, await orderOf(tx, cash.orderId), cash.at)
  if (late) await comeLate(tx, { id: payment.shiftId!, keeper: cash.actor.userId, fen: cash.amountFen, at: cash.at })
  return payment
}

async function takeCash(
  tx: Tx,
  { orderId, amountFen, askedFen = amountFen, receiptNo = null, actor, at, deviceTime }: CashPayment,
  besideId: string | null = null,
) {
  const { parkCode } = await orderOf(tx, orderId)
  const takenAt = momentTaken(deviceTime, at)
  const { id: shiftId, late } = await shiftAt(tx, actor, takenAt, at)
  const values = [orderId, parkCode, amountFen, takenAt, actor.userId, actor.userName, shiftId, askedFen, receiptNo, besideId]
  const [payment] = await run<PaymentRow & { operatorId: string }>(tx, { sql: TAKEN }, values)
  return { payment: payment!, late }
}
const TAKEN = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at, operator_id, operator_name, shift_id, beside_id)
  select $1, $2, number, 4, 'cash', coalesce($9, number), $8, $3, 1, $4, $5, $6, $7, $10 from platform.business_no('XJ') number returning ${PAYMENT}, operator_id`
