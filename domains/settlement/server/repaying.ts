import type { Fen, Instant } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { OrderStatus } from '../contract/order.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { post } from '../../ledger/server/api.ts'
import { letGoLaid } from './beside.ts'
import { repaid } from './events.ts'
import { lockOrders } from './hold.ts'
import { closeItems, letGo } from './holding.ts'
import { cameBy } from './legs.ts'
import { bookDue } from './opening.ts'
import { type Changed, change, moved, type OrderRow, orderOf, type PaymentRow, REPAYMENT, refuseMove, soldAs, tellSettled } from './row.ts'
import { Said } from '../contract/said.ts'

export const Held = refusal(
  'settlement.held',
  40590,
  '所选欠费正在被另一笔补缴收取，请五分钟后再试',
  'Another repayment is collecting one of these debts; try again in five minutes',
)
/** Nobody else may ask for the same debts meanwhile. */
export const HELD_MS = 5 * 60_000

export interface Part {
  orderId: string
  amountFen: number
}
export interface NewRepayment {
  /** In the order in which they are paid; each of them whole, or the last of them in part. */
  parts: readonly Part[]
  /** 1 PDA, 2 booth, 3 console, 4 owner, 5 exit. */
  place: number
  plateNo: string | null
  plateColor: PlateColorCode | null
  parkCode: string
  at: Instant
}

/**
 * One order over several (补缴). The debts are held for five minutes; its payment then pays all of them or, where one of them has changed, none.
 * @throws Held when another repayment asks for one of them
 */
export async function openRepayment(tx: Tx, { parts, place, plateNo, plateColor, parkCode, at }: NewRepayment): Promise<OrderRow> {
  const ids = parts.map(({ orderId }) => orderId)
  const totalFen = parts.reduce((sum, { amountFen }) => sum + amountFen, 0)
  await lockOrders(tx, ids)
  await letGoOfOld(tx, ids, at)
  const same = place === OWNER ? await sameAsked(tx, parts) : undefined
  if (same) return orderOf(tx, same)
  const [made] = await run<{ id: string }>(tx, { sql: MAKE }, [
    REPAYMENT,
    plateNo === null ? Said.repaymentUnnamed : Said.repayment({ plateNo }),
    plateNo,
    plateColor,
    parkCode,
    totalFen,
    place,
    at,
  ])
  const held = await run(tx, { sql: HOLD }, [made!.id, ids, parts.map(({ amountFen }) => amountFen)])
  if (held.length < parts.length) throw Held()
  for (const id of ids) await holdStay(tx, id, at)
  return orderOf(tx, made!.id)
}
const MAKE = `insert into settlement.order (order_no, type, subject, plate_no, plate_color, park_code, receivable_fen, place, created_at, updated_at)
  values (platform.business_no('BJ'), $1, $2, $3, $4, $5, $6, $7, $8, $8) returning id`
const HOLD = `insert into settlement.repay_item (repay_id, seq, order_id, park_code, amount_fen)
  select $1, p.seq, o.id, o.park_code, p.fen from unnest($2::uuid[], $3::bigint[]) with ordinality p (order_id, fen, seq)
    join settlement.order o on o.enterprise_id = scope_enterprise() and o.id = p.order_id
  on conflict (enterprise_id, order_id) where open do nothing returning order_id`

/** Where it was repaid: with a collector's handheld; by the owner. */
export const HANDHELD = 1
const OWNER = 4
/** A driver who went back from the channel and chooses another way asks for the same again: nobody else may have it, and it is theirs. */
async function sameAsked(tx: Tx, parts: readonly Part[]): Promise<string | undefined> {
  const values = [parts.map(({ orderId }) => orderId), parts.map(({ amountFen }) => amountFen)]
  return (await run<{ repayId: string }>(tx, SAME, values))[0]?.repayId
}
const SAME = {
  sql: `select i.repay_id from settlement.repay_item i join settlement.order b on b.enterprise_id = i.enterprise_id and b.id = i.repay_id
      left join unnest($1::uuid[], $2::bigint[]) p (order_id, fen) on p.order_id = i.order_id and p.fen = i.amount_fen
    where i.enterprise_id = scope_enterprise() and i.open and b.place = ${OWNER}
      and i.repay_id = (select f.repay_id from settlement.repay_item f where f.enterprise_id = scope_enterprise() and f.order_id = ($1::uuid[])[1] and f.open)
    group by i.repay_id having bool_and(p.order_id is not null) and count(*) = cardinality($1::uuid[])`,
}

/** A stay that is not owed yet keeps its amount while it is being paid. */
async function holdStay(tx: Tx, orderId: string, at: Instant): Promise<void> {
  const held = await change(tx, orderId, `status = ${OrderStatus.paying}, paying_until = $2`, `status = ${OrderStatus.unpaid} and not owed`, [
    instantAt(msOf(at) + HELD_MS),
  ])
  if (held) await moved(tx, held, OrderStatus.unpaid, OrderStatus.paying, 'paying', at)
}

/** Cancels repayments that are still unpaid after five minutes, which frees their orders. */
async function letGoOfOld(tx: Tx, ids: readonly string[], at: Instant): Promise<void> {
  const old = await run<{ repayId: string }>(tx, { sql: OLD }, [ids, instantAt(msOf(at) - HELD_MS)])
  for (const { repayId } of old) await cancelRepayment(tx, repayId, Said.unpaid, at)
}
const OLD = `select distinct i.repay_id from settlement.repay_item i join settlement.order b on b.enterprise_id = i.enterprise_id and b.id = i.repay_id
  where i.enterprise_id = scope_enterprise() and i.order_id = any($1) and i.open and b.created_at < $2`

/** Cancels a repayment that nobody paid in time: its debts are free again. Money that comes later goes back by itself. */
export async function cancelRepayment(tx: Tx, repayId: string, reason: string, at: Instant): Promise<void> {
  await letGo(tx, repayId, at)
  const gone = await change(
    tx,
    repayId,
    `status = ${OrderStatus.cancelled}, remark = $2, paying_until = null`,
    `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) and paid_fen = 0`,
    [reason],
  )
  if (gone) await moved(tx, gone, gone.was, OrderStatus.cancelled, 'cancelled', at, reason)
}

interface Item extends Part {
  status: number
  owed: boolean
  leftFen: Fen
  writtenOffFen: Fen
}
/** The orders of a repayment, locked; `undefined` when one of them does not want this money any more. */
export async function itemsOwed(tx: Tx, repayId: string): Promise<Item[] | undefined> {
  const which = await run<{ orderId: string }>(tx, { sql: ITEMS }, [repayId])
  await lockOrders(
    tx,
    which.map(({ orderId }) => orderId),
  )
  const items = await run<Item & { open: boolean }>(tx, { sql: OF_ITEMS }, [repayId])
  return items.length > 0 && items.every((item) => item.open && wants(item)) ? items : undefined
}
const ITEMS = 'select order_id from settlement.repay_item where enterprise_id = scope_enterprise() and repay_id = $1 order by seq'
const OF_ITEMS = `select i.order_id, i.amount_fen, i.open, o.status, o.owed, o.payable_fen - o.paid_fen - o.waived_fen - o.written_off_fen as left_fen, o.written_off_fen
  from settlement.repay_item i join settlement.order o on o.enterprise_id = i.enterprise_id and o.id = i.order_id
  where i.enterprise_id = scope_enterprise() and i.repay_id = $1 order by i.seq`
/**
 * A debt takes what is left of it or less, a debt that was written off all that was; a stay that is not owed yet what it asked for when the repayment was made, which
 * holds it as one that is being paid.
 */
function wants({ status, amountFen, leftFen, writtenOffFen }: Item): boolean {
  if (status === WRITTEN_OFF) return writtenOffFen === amountFen
  return (status === OrderStatus.arrears || status === OrderStatus.paying) && amountFen <= leftFen
}
const WRITTEN_OFF = 8

/** The money of a repayment's payment, spread over its orders; each is booked at its own park. */
export async function payItems(
  tx: Tx,
  repay: OrderRow,
  payment: PaymentRow & { operatorId?: string },
  items: readonly Item[],
  at: Instant,
): Promise<void> {
  await closeItems(tx, repay.id)
  for (const item of items) {
    const order = await takePart(tx, item, payment)
    await allocate(tx, { payment, order, amountFen: item.amountFen, repayId: repay.id, forDebt: item.owed })
    await bookPart(tx, order, item, payment)
    await tellPart(tx, order, { repayNo: repay.orderNo, amountFen: item.amountFen, status: item.status, inTime: item.owed || isInTime(payment), at })
  }
}

const isInTime = ({ paidAt, expiresAt }: PaymentRow): boolean => expiresAt === null || msOf(paidAt!) <= msOf(expiresAt)

const WHO = 'pay_method = $3, pay_channel = $4, trade_no = $5, pay_time = $6, operator_id = $7, operator_name = $8, shift_id = $9'
async function takePart(tx: Tx, { orderId, amountFen }: Item, payment: PaymentRow & { operatorId?: string }): Promise<Changed> {
  const { payMethod, channel, tradeNo, paidAt, operatorId = null, operatorName, shiftId } = payment
  // A stay that costs more by now has paid what it was asked for, in time or not: the domain that knows the stay says what becomes of the rest.
  const set = `paid_fen = paid_fen + $2, written_off_fen = 0, status = case when not owed or paid_fen + $2 = payable_fen then ${OrderStatus.paid} else ${OrderStatus.arrears} end,
    receivable_fen = case when owed then receivable_fen else discount_fen + $2 end, paying_until = null, ${WHO}`
  const guard = `status in (${OrderStatus.paying}, ${OrderStatus.arrears}, ${OrderStatus.waived}) and paid_fen + $2 <= payable_fen - waived_fen`
  return (
    (await change(tx, orderId, set, guard, [amountFen, payMethod, channel, tradeNo, paidAt, operatorId, operatorName, shiftId])) ??
    refuseMove(tx, orderId)
  )
}

async function bookPart(tx: Tx, order: Changed, { amountFen, status }: Item, payment: PaymentRow): Promise<void> {
  const came = await cameBy(tx, payment, amountFen)
  if (!order.owed) return void (await bookDue(tx, order, 'order.paid', payment.paidAt!, came, payment.payNo))
  await post(tx, {
    bizType: status === WRITTEN_OFF ? 'order.recovered' : 'order.repaid',
    bizNo: payment.payNo,
    about: order.orderNo,
    eventId: `paid:${payment.id}:${order.id}`,
    at: payment.paidAt!,
    parkCode: order.parkCode,
    business: soldAs(order.type).business,
    lines: [...came, { account: status === WRITTEN_OFF ? 'contra.bad-debt' : 'asset.arrears', creditFen: amountFen }],
  })
}

export interface Allocated {
  payment: Pick<PaymentRow, 'id' | 'paidAt'>
  order: Pick<OrderRow, 'id' | 'parkCode'>
  amountFen: number
  repayId: string | null
  forDebt: boolean
}
export const allocate = (tx: Tx, { payment, order, amountFen, repayId, forDebt }: Allocated) =>
  run(
    tx,
    {
      sql: 'insert into settlement.allocation (payment_id, order_id, repay_id, park_code, amount_fen, for_debt, at) values ($1, $2, $3, $4, $5, $6, $7)',
    },
    [payment.id, order.id, repayId, order.parkCode, amountFen, forDebt, payment.paidAt],
  )

/** Those above hear of every part of a debt that is paid, and of an order that is settled by it. */
export async function tellPart(
  tx: Tx,
  order: Changed,
  { repayNo, amountFen, status, inTime, at }: { repayNo: string; amountFen: number; status: number; inTime: boolean; at: Instant },
): Promise<void> {
  const whole = order.status === OrderStatus.paid
  await moved(tx, order, status as Changed['was'], order.status, whole ? 'paid' : 'paidPart', at, `${repayNo} ¥${(amountFen / 100).toFixed(2)}`)
  if (order.owed) await repaid.ask(tx, { orderId: order.id, repayNo, amountFen, whole, at })
  if (!whole) return
  await letGoLaid(tx, order.id, at)
  await tellSettled(tx, order, at, inTime)
}
