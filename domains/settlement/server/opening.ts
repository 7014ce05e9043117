import type { Fen, Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput } from '../../../platform/server/refusal.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { OrderStatus, ArrearsSource, OrderType } from '../contract/order.ts'
import { PaymentState } from '../contract/payment.ts'
import { post } from '../../ledger/server/api.ts'
import { letGoLaid } from './beside.ts'
import { amountDue, type Owed, owed } from './events.ts'
import { letGo } from './holding.ts'
import { change, moved, type OrderRow, orderOf, refuseMove, revenueOf, soldAs, type StatusCode } from './row.ts'

export interface NewOrder {
  /** Where something is tied to the order before it is there. */
  id?: string
  type: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Whose money it becomes where the order is paid into somebody's account: the owner, the merchant, the hold. Its sub-account in the ledger. */
  creditedTo?: string
  stayId?: string | null
  /** The text that the payer reads on the bill. */
  subject?: string
  plateNo?: string | null
  plateColor?: PlateColorCode | null
  parkCode: string
  receivableFen: number
  discountFen?: number
  at: Instant
}
/** An amount that grows with time is what is due for so long after it was worked out. */
const GOOD_MS = 5 * 60_000
/** With less of that left a payer could not finish: the amount is worked out anew. */
const LEFT_MS = 60_000
const goodFrom = (at: Instant): Instant => instantAt(msOf(at) + GOOD_MS)
interface Amounts {
  receivableFen: number
  discountFen?: number
  at: Instant
}
/** How its number begins; that of a stay's order with TC. */
const PREFIX: Partial<Record<number, string>> = {
  [OrderType.arrears]: 'BJ',
  [OrderType.pass]: 'YK',
  [OrderType.storedValue]: 'CZ',
  [OrderType.charging]: 'CD',
  [OrderType.reservation]: 'YY',
  [OrderType.sharedParking]: 'GX',
  [OrderType.deposit]: 'BZ',
  [OrderType.merchantRecharge]: 'SH',
  [OrderType.pointsGoods]: 'JF',
  [OrderType.rent]: 'ZJ',
}

/**
 * A new order, unpaid (0), or free (3) at once when nothing is to be paid. Amounts in whole fen; the discount is at most the receivable.
 * The caller looks at `status`: the question `settlement.orderPaid` is not asked for an order that is free from the start.
 */
export async function openOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  const { receivableFen, discountFen } = amountsOf(order)
  soldAs(order.type)
  const { id = null, type, stayId = null, subject = null, plateNo = null, plateColor = null, parkCode, creditedTo = '', at } = order
  const [made] = await run<{ id: string }>(
    tx,
    {
      sql: `insert into settlement.order (id, order_no, type, stay_id, subject, plate_no, plate_color, park_code, receivable_fen, discount_fen, good_until, credited_to, created_at, updated_at)
        values (coalesce($13, uuidv7()), platform.business_no($1), $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $10, $10) returning id`,
    },
    [
      PREFIX[type] ?? 'TC',
      type,
      stayId,
      subject,
      plateNo,
      plateColor,
      parkCode,
      receivableFen,
      discountFen,
      at,
      stayId && goodFrom(at),
      creditedTo,
      id,
    ],
  )
  return receivableFen === discountFen ? setFree(tx, made!.id, at) : orderOf(tx, made!.id)
}

/**
 * Gives a stay's order its new amount. While somebody pays (1), the order keeps the amount they were shown until its quote expires; afterwards it asks the new one, and a
 * payment of the old one that
 * was begun in time still counts (`settle`). A cancelled order comes back as it is.
 */
export async function requote(tx: Tx, orderId: string, amounts: Amounts): Promise<OrderRow> {
  const { receivableFen, discountFen } = amountsOf(amounts)
  const set = 'receivable_fen = $2, discount_fen = $3, good_until = $4'
  const guard = `not owed and (status = ${OrderStatus.unpaid} or (status = ${OrderStatus.paying} and good_until < $5))`
  const { at } = amounts
  const changed = await change(tx, orderId, set, guard, [receivableFen, discountFen, goodFrom(at), instantAt(msOf(at) + LEFT_MS)])
  if (changed) return receivableFen === discountFen ? setFree(tx, orderId, at) : changed
  const order = await orderOf(tx, orderId)
  return order.status === OrderStatus.paying || order.status === OrderStatus.cancelled ? order : refuseMove(tx, orderId)
}
const REQUOTABLE = {
  sql: `select from settlement.order where enterprise_id = scope_enterprise() and id = $1
    and not owed and (status = ${OrderStatus.unpaid} or (status = ${OrderStatus.paying} and good_until < $2)) for no key update`,
}
/** Whether `requote` would change the order; it is held until the transaction ends. */
export const mayRequote = async (tx: Tx, orderId: string, at: Instant): Promise<boolean> =>
  (await run(tx, REQUOTABLE, [orderId, instantAt(msOf(at) + LEFT_MS)])).length > 0
/** Before somebody pays a stay's order: its amount as it is now, unless it was worked out a moment ago. */
export async function freshen(tx: Tx, orderId: string, at: Instant): Promise<void> {
  const [grown] = await run<{ stayId: string }>(
    tx,
    {
      sql: `select stay_id from settlement.order where enterprise_id = scope_enterprise() and id = $1 and stay_id is not null
        and status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and not owed and good_until < $2 for no key update`,
    },
    [orderId, instantAt(msOf(at) + LEFT_MS)],
  )
  if (grown) await amountDue.ask(tx, { orderId, stayId: grown.stayId, at })
}

async function setFree(tx: Tx, id: string, at: Instant): Promise<OrderRow> {
  const set = `status = ${OrderStatus.free}, pay_time = $2, paying_until = null`
  const free =
    (await change(tx, id, set, `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and not owed and payable_fen = 0`, [at])) ??
    (await refuseMove(tx, id))
  if (free.was === OrderStatus.paying) await moved(tx, free, OrderStatus.paying, OrderStatus.unpaid, 'stopped', at)
  await moved(tx, free, OrderStatus.unpaid, OrderStatus.free, 'free', at)
  await bookDue(tx, free, 'order.free', at, [])
  return free
}

/** 0 or 1 → 5. Money that comes afterwards goes back by itself. */
export async function cancelOrder(tx: Tx, orderId: string, { reason, at }: { reason: string; at: Instant }): Promise<OrderRow> {
  const gone = await change(
    tx,
    orderId,
    `status = ${OrderStatus.cancelled}, remark = $2, paying_until = null`,
    `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and paid_fen = 0 and not owed`,
    [reason],
  )
  if (!gone) return refuseMove(tx, orderId)
  if (gone.was === OrderStatus.paying) await moved(tx, gone, OrderStatus.paying, OrderStatus.unpaid, 'stopped', at, reason)
  await moved(tx, gone, OrderStatus.unpaid, OrderStatus.cancelled, 'cancelled', at, reason)
  await letGo(tx, orderId, at)
  await letGoLaid(tx, orderId, at)
  return gone
}

/**
 * The car left and nobody paid: 0 or 1 → 4, the debt is booked in the ledger, and the domain that collects opens a file (`owed`).
 * `exceptionType` says why it may not be asked for yet, `sectionCode` where at the roadside it arose.
 */
export async function leaveUnpaid(
  tx: Tx,
  orderId: string,
  {
    sourceType = ArrearsSource.letOut,
    sectionCode = null,
    exceptionType = 0,
    at,
  }: Partial<Pick<Owed, 'sourceType' | 'sectionCode' | 'exceptionType'>> & { at: Instant },
): Promise<OrderRow> {
  const left = await change(
    tx,
    orderId,
    `status = ${OrderStatus.arrears}, owed = true, source_type = $2, paying_until = null`,
    `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and not owed and payable_fen > 0`,
    [sourceType],
  )
  if (!left) return refuseMove(tx, orderId)
  if (left.was === OrderStatus.paying) await moved(tx, left, OrderStatus.paying, OrderStatus.unpaid, 'stopped', at)
  await moved(tx, left, OrderStatus.unpaid, OrderStatus.arrears, 'leftUnpaid', at)
  await bookDue(tx, left, 'order.unpaid', at, [{ account: 'asset.arrears', debitFen: left.payableFen }])
  const { id, orderNo, type, stayId, parkCode, plateNo, plateColor, payableFen } = left
  await owed.ask(tx, {
    orderId: id,
    orderNo,
    type,
    stayId,
    parkCode,
    plateNo,
    plateColor,
    amountFen: payableFen,
    sourceType,
    sectionCode,
    exceptionType,
    at,
  })
  return left
}

/** Books what was due, once per order: the income against what it became (paid, owed, waived) and the discount. */
export const bookDue = (tx: Tx, order: OrderRow, bizType: string, at: Instant, became: Parameters<typeof post>[1]['lines'], bizNo = order.orderNo) =>
  post(tx, {
    bizType,
    bizNo,
    about: order.orderNo,
    eventId: `due:${order.orderNo}`,
    at,
    parkCode: order.parkCode,
    business: soldAs(order.type).business,
    lines: [...became, { account: 'contra.discount', debitFen: order.discountFen }, { ...revenueOf(order), creditFen: order.receivableFen }],
  })

function amountsOf({ receivableFen, discountFen = 0 }: Omit<Amounts, 'at'>): { receivableFen: Fen; discountFen: Fen } {
  const right = [receivableFen, discountFen].every((fen) => Number.isSafeInteger(fen) && fen >= 0) && discountFen <= receivableFen
  if (!right)
    throw BadInput({
      zh: '金额应为不小于零的整数分，且优惠不大于应收',
      en: 'amounts are whole fen, not below zero, and the discount is at most the receivable',
    })
  return { receivableFen: receivableFen as Fen, discountFen: discountFen as Fen }
}

/** Where an order that was being paid goes back to: 0, or 4 when it is already owed. */
export const fallsBackTo = (owed: boolean): StatusCode => (owed ? 4 : 0)
/** Returns an order that nobody pays any more to its earlier status, unless another attempt is open or a repayment holds it. */
export const fallBack = (tx: Tx, orderId: string) =>
  change(tx, orderId, `status = case when owed then ${OrderStatus.arrears} else ${OrderStatus.unpaid} end, paying_until = null`, NOBODY_PAYS)
const NOBODY_PAYS = `status = ${OrderStatus.paying} and not exists (select from settlement.payment p where p.enterprise_id = scope_enterprise() and p.order_id = $1 and p.state = ${PaymentState.waiting})
  and not exists (select from settlement.repay_item i where i.enterprise_id = scope_enterprise() and i.order_id = $1 and i.open)`
