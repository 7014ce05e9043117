import type { Fen, Instant } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { partOf, undoing, type Write } from '../../../../platform/server/call/keys.ts'
import { InFlight, refusal } from '../../../../platform/server/refusal.ts'
import { CHANNELS, type PayMethodCode, PaymentState } from '../../contract/payment.ts'
import { OrderStatus } from '../../contract/order.ts'
import { type Lay, letGoUnused } from '../beside.ts'
import { fallBack, fallsBackTo, freshen } from '../opening.ts'
import { cancelRepayment } from '../repaying.ts'
import { change, moved, orderOf, type OrderRow, PAYMENT, type PaymentRow, REPAYMENT, refuseMove } from '../row.ts'
import { providerOf } from './provider.ts'
import { askToExpire } from './queue.ts'
import { Said } from '../../contract/said.ts'
import { spoken } from '../../../../platform/contract/said.ts'

/** A payer has this long; then the order can be paid another way. */
export const PAY_WITHIN_MS = 5 * 60_000
/** An attempt with less left than this is not handed out again. */
const REUSE_MS = 30_000

type Attempt = PaymentRow & { payUrl: string | null; createdAt: Instant }
export interface Prepaid {
  orderNo: string
  payNo: string
  amountFen: Fen
  payUrl: string | null
  expiresAt: Instant | null
}
const NothingDue = refusal('settlement.nothing-due', 40514, '该订单已无需支付，请刷新页面', 'Nothing is due on this order any more: refresh the page')

/**
 * Starts a payment at a channel in three steps, none of which holds a transaction across the wait: the attempt is written, the channel is asked, its address is kept.
 * The notice may come before the last one. @throws IllegalMove, NoProvider, PayAway, InFlight
 */
export async function startPayment(
  whole: Write,
  { orderId, payMethod, merchant, at, lay }: { orderId: string; payMethod: PayMethodCode; merchant: number; at: Instant; lay?: Lay },
): Promise<Prepaid> {
  const write = partOf(whole)
  const provider = providerOf(CHANNELS[payMethod])
  // A car that turns out to owe nothing may leave, even if no payment follows.
  await write((tx) => freshen(tx, orderId, at))
  const { order, attempt } = await write((tx) => begin(tx, orderId, payMethod, at, { lay }))
  const { payNo, channel, amountFen, expiresAt } = attempt
  const prepaid = { orderNo: order.orderNo, payNo, amountFen, expiresAt }
  if (attempt.payUrl) return { ...prepaid, payUrl: attempt.payUrl }
  const { payUrl } = await provider
    .create({ merchant, payNo, channel, amountFen, subject: subjectOf(order), expiresAt: expiresAt! })
    .catch(async (error: Error) => {
      await undoing(write)((tx) => endAttempt(tx, attempt.id, PaymentState.failed, at))
      throw error
    })
  await write((tx) =>
    run(tx, { sql: 'update settlement.payment set pay_url = $2, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1' }, [
      attempt.id,
      payUrl,
      begunAt(tx),
    ]),
  )
  return { ...prepaid, payUrl }
}

/** The text that the channel shows its customer, in the language of the city. */
export const subjectOf = ({ subject, plateNo, orderNo }: Pick<OrderRow, 'subject' | 'plateNo' | 'orderNo'>): string =>
  spoken(subject ?? Said.parking({ whose: plateNo ?? orderNo }), 0)

/** A repayment that asks for the order too would be paid beside it. */
const NOT_HELD = 'not exists (select from settlement.repay_item i where i.enterprise_id = scope_enterprise() and i.order_id = $1 and i.open)'

/** The first step: the attempt is written and the order is being paid. */
export async function begin(
  tx: Tx,
  orderId: string,
  payMethod: PayMethodCode,
  at: Instant,
  { lay, channel = CHANNELS[payMethod], contractNo = null }: { lay?: Lay | undefined; channel?: string; contractNo?: string | null } = {},
): Promise<{ order: OrderRow; attempt: Attempt }> {
  await freshen(tx, orderId, at)
  const latest = instantAt(msOf(at) + PAY_WITHIN_MS)
  const order = await change(
    tx,
    orderId,
    `status = ${OrderStatus.paying}, paying_until = case when owed then $2 else least($2::timestamptz, good_until) end`,
    `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears}) and payable_fen > paid_fen and ${NOT_HELD}`,
    [latest],
  )
  if (!order) {
    if ((await orderOf(tx, orderId)).status === OrderStatus.free) throw NothingDue()
    return refuseMove(tx, orderId)
  }
  const until = order.owed ? latest : sooner(latest, order.goodUntil)
  const laid = await lay?.(tx, order)
  const amountFen = order.payableFen - order.paidFen - (laid?.amountFen ?? 0)
  const known = await openAttempt(tx, orderId, [payMethod, channel, amountFen, instantAt(msOf(at) + REUSE_MS), laid?.id ?? null])
  if (known) {
    if (!known.payUrl) throw InFlight()
    return { order, attempt: known }
  }
  const sql = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, amount_fen, expires_at, created_at, beside_id, contract_no)
    select $1, $2, $3 || '-' || (count(*) + 1), $4, $5, $6, $7, $8, $9, $10 from settlement.payment where enterprise_id = scope_enterprise() and order_id = $1
    returning ${PAYMENT}, pay_url, created_at`
  const values = [orderId, order.parkCode, order.orderNo, payMethod, channel, amountFen, until, at, laid?.id ?? null, contractNo]
  const [attempt] = await run<Attempt>(tx, { sql }, values)
  if (order.was !== OrderStatus.paying) await moved(tx, order, order.was, OrderStatus.paying, 'paying', at)
  await askToExpire(tx, attempt!.id, until)
  return { order, attempt: attempt! }
}

/** An attempt lives no longer than the amount that it asks is good. */
const sooner = (latest: Instant, goodUntil: Instant | null): Instant => (goodUntil !== null && msOf(goodUntil) < msOf(latest) ? goodUntil : latest)

/** Scanning the same code again gives the same attempt; the order's row is locked by now, so two scans at once are one after the other. */
async function openAttempt(tx: Tx, orderId: string, asked: readonly unknown[]): Promise<Attempt | undefined> {
  const sql = `select ${PAYMENT}, pay_url, created_at from settlement.payment
    where enterprise_id = scope_enterprise() and order_id = $1 and state = ${PaymentState.waiting} and pay_method = $2 and channel = $3 and amount_fen = $4 and expires_at > $5 and beside_id is not distinct from $6
    order by created_at desc limit 1`
  const [found] = await run<Attempt>(tx, { sql }, [orderId, ...asked])
  return found
}

/** The attempt is over without money; the order goes back to where it came from unless another attempt is open. */
export async function endAttempt(
  tx: Tx,
  paymentId: string,
  state: typeof PaymentState.closed | typeof PaymentState.failed,
  at: Instant,
): Promise<void> {
  const sql = `update settlement.payment set state = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1 and state = ${PaymentState.waiting} returning order_id, beside_id`
  const [ended] = await run<Pick<PaymentRow, 'orderId' | 'besideId'>>(tx, { sql }, [paymentId, state, begunAt(tx)])
  if (!ended) return
  if (ended.besideId) await letGoUnused(tx, ended.orderId, at)
  const order = await fallBack(tx, ended.orderId)
  if (!order) return
  await moved(tx, order, OrderStatus.paying, fallsBackTo(order.owed), state === PaymentState.closed ? 'timedOut' : 'failed', at)
  if (order.type === REPAYMENT) await cancelRepayment(tx, order.id, Said.unpaid, at)
}
