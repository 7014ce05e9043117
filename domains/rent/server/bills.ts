import type { Day, Fen, Instant } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { applyRefund, mayRequote, openOrder, orderOf, requote, type Settled } from '../../settlement/server/api.ts'
import { billCan, BillKind, BillState, Cycle } from '../contract/lease.ts'
import { dayAt, dayNumber } from './days.ts'
import { type BillRow, bills, type ContractRow, numberOf } from './row.ts'
import { Said } from '../contract/said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

/** Half a thousandth for each day that it is late, a fifth of it at most. */
const PENALTY_E4 = 5
const DUE_DAYS = 7
const MONTHS_OF: Record<number, number> = { [Cycle.month]: 1, [Cycle.quarter]: 3, [Cycle.year]: 12 }

/** The day so many months after another; at the end of shorter months their last. */
export function monthsAfter(day: Day, months: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10) as Day
}
const before = (day: Day): Day => dayAt(dayNumber(day) - 1)
export interface Due {
  periodFrom: Day
  periodTo: Day
  amountFen: number
}
/**
 * The rent of a lease, cycle by cycle: whole cycles by their months, a part of one by its days, and the last takes what is left of the whole, so that no fen is lost.
 * `fromDay` is the first day that is paid for.
 */
export function duesOf({ fromDay, toDay, rentFen, cycle }: Pick<ContractRow, 'fromDay' | 'toDay' | 'rentFen' | 'cycle'>): Due[] {
  const months = MONTHS_OF[cycle]!
  const whole = Math.floor((rentFen * months) / 12)
  const dues: Due[] = []
  let full = 0
  for (let n = 0; ; n++) {
    const [periodFrom, next] = [monthsAfter(fromDay, n * months), monthsAfter(fromDay, (n + 1) * months)]
    if (periodFrom > toDay) break
    if (before(next) <= toDay) {
      dues.push({ periodFrom, periodTo: before(next), amountFen: whole })
      full++
    } else {
      const share = (dayNumber(toDay) - dayNumber(periodFrom) + 1) / (dayNumber(next) - dayNumber(periodFrom))
      dues.push({ periodFrom, periodTo: toDay, amountFen: Math.floor(whole * share) })
    }
  }
  const rest = Math.floor((rentFen * months * full) / 12) - whole * full
  const last = dues.at(-1)
  if (last) last.amountFen += rest
  return dues.filter(({ amountFen }) => amountFen > 0)
}

/** All bills of a lease, ahead; the earnest money pays the first of them. */
export async function addBills(tx: Tx, lease: ContractRow, earnestFen: number, at: Instant): Promise<void> {
  const dues = duesOf({ ...lease, fromDay: dayAt(dayNumber(lease.fromDay) + lease.freeDays) })
  let left = earnestFen
  for (const due of dues) {
    const creditFen = Math.min(left, due.amountFen)
    left -= creditFen
    await addBill(tx, lease, { ...due, kind: BillKind.rent, creditFen }, at)
  }
  // A renewal's deposit is there already.
  if (lease.depositFen > 0 && lease.renewsId === null)
    await addBill(
      tx,
      lease,
      { periodFrom: lease.fromDay, periodTo: lease.toDay, amountFen: lease.depositFen, kind: BillKind.deposit, creditFen: 0 },
      at,
    )
}
/** Due some days after its stretch begins, and after it is there: a lease that began before it was signed is not late on its first day. */
type NewBill = Due & { kind: BillRow['kind']; creditFen: number }
async function addBill(tx: Tx, { id, bidderId, parkCode }: ContractRow, bill: NewBill, at: Instant): Promise<void> {
  const covered = bill.creditFen === bill.amountFen
  await addRow(tx, bills, {
    ...bill,
    billNo: await numberOf(tx, 'ZD'),
    contractId: id,
    bidderId,
    parkCode,
    dueDay: dayAt(Math.max(dayNumber(bill.periodFrom), dayNumber(dayOf(at))) + DUE_DAYS),
    amountFen: bill.amountFen as Fen,
    creditFen: bill.creditFen as Fen,
    ...(covered && { state: BillState.paid, paidAt: at }),
    createdAt: at,
    updatedAt: at,
  })
}

/** Returns the penalty for a late bill, by the day; less the part that was waived. */
export function penaltyOf({ kind, amountFen, creditFen, dueDay, waivedFen }: BillRow, today: Day): number {
  if (kind !== BillKind.rent) return 0
  const owed = amountFen - creditFen
  const late = Math.max(0, dayNumber(today) - dayNumber(dueDay))
  return Math.max(0, Math.min(Math.floor(owed / 5), Math.floor((owed * late * PENALTY_E4) / 10_000)) - waivedFen)
}
/** Locks a bill after its order, as a payment does. Also returns whether its order may ask for another amount by now. */
export async function lockBill(tx: Tx, { id, version }: { id: string; version?: number }, at: Instant): Promise<{ found: BillRow; open: boolean }> {
  const [order] = await run<{ id: string }>(tx, { sql: ORDER_OF }, [id])
  const open = !order || (await mayRequote(tx, order.id, at))
  return { found: await lockRow(tx, bills, { id, version }), open }
}
const ORDER_OF = 'select order_id as id from rent.bill where enterprise_id = scope_enterprise() and id = $1 and order_id is not null'
/** The order of a bill, up to this day. @throws IllegalMove when nothing of it is due */
export async function orderBill(tx: Tx, id: string, at: Instant): Promise<{ orderId: string; payableFen: Fen }> {
  const { found } = await lockBill(tx, { id }, at)
  if (found.state !== BillState.toPay) throw IllegalMove({ state: found.state })
  const penaltyFen = penaltyOf(found, dayOf(at))
  const receivableFen = (found.amountFen - found.creditFen + penaltyFen) as Fen
  if (found.orderId) {
    const order = await orderOf(tx, found.orderId)
    if (order.receivableFen === receivableFen || order.status === OrderStatus.paying) return { orderId: order.id, payableFen: order.payableFen }
    await setRow(tx, bills, found, { penaltyFen: penaltyFen as Fen }, at)
    return { orderId: order.id, payableFen: (await requote(tx, order.id, { receivableFen, at })).payableFen }
  }
  const subject = Said[found.kind === BillKind.rent ? 'rent' : 'deposit']({ from: found.periodFrom, to: found.periodTo })
  const order = await openOrder(tx, { type: OrderType.rent, creditedTo: found.id, subject, parkCode: found.parkCode, receivableFen, at })
  await setRow(tx, bills, found, { orderId: order.id, penaltyFen: penaltyFen as Fen }, at)
  return { orderId: order.id, payableFen: receivableFen }
}

const DepositNotWaived = refusal('rent.deposit-not-waived', 42441, '押金不能减免，只能缴纳', 'A deposit cannot be waived: it must be paid', 422)
/** A bill was settled: rent and penalty are income from now on, a deposit stays whose it is. */
export async function hearBill(tx: Tx, { orderId, type, status, receivableFen, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.rent || status === OrderStatus.cancelled || status === OrderStatus.refunded) return undefined
  const [of] = await run<{ id: string }>(tx, { sql: 'select id from rent.bill where enterprise_id = scope_enterprise() and order_id = $1' }, [
    orderId,
  ])
  if (!of) return undefined
  const found = await lockRow(tx, bills, { id: of.id })
  if (found.kind === BillKind.deposit && status === OrderStatus.waived) throw DepositNotWaived()
  const penaltyFen = receivableFen - (found.amountFen - found.creditFen)
  if (found.kind === BillKind.rent)
    await post(tx, {
      bizType: 'rent.earned',
      bizNo: found.billNo,
      eventId: `rent-bill:${found.id}`,
      at,
      parkCode: found.parkCode,
      business: 'rent',
      lines: [
        { account: 'liability.deposit', sub: found.id, debitFen: receivableFen },
        { account: 'income.rent', creditFen: receivableFen - penaltyFen },
        ...(penaltyFen > 0 ? [{ account: 'income.penalty' as const, creditFen: penaltyFen }] : []),
      ],
    })
  const state = billCan.pay(found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  await setRow(tx, bills, found, { state, paidAt: at, penaltyFen: penaltyFen as Fen, waivingFen: 0 as Fen }, at)
  return true
}
/** The answer to `settlement.waiverAsked`. @throws DepositNotWaived */
export async function refuseWaiver(tx: Tx, { orderId, type }: { orderId: string; type: number }): Promise<undefined> {
  if (type !== OrderType.rent) return
  const [deposit] = await run(tx, { sql: DEPOSIT_OF }, [orderId])
  if (deposit) throw DepositNotWaived()
}
const DEPOSIT_OF = `select from rent.bill where enterprise_id = scope_enterprise() and order_id = $1 and kind = ${BillKind.deposit}`
/** Carries deposits over to a renewal that begins: the money stays where it is, for the new term. */
export async function carryDeposits(tx: Tx, { id: contractId, renewsId, fromDay, toDay }: ContractRow, at: Instant): Promise<void> {
  for (const of of await run<{ id: string }>(tx, { sql: CARRIED }, [renewsId]))
    await setRow(tx, bills, await lockRow(tx, bills, of), { contractId, periodFrom: fromDay, periodTo: toDay }, at)
}
const CARRIED = `select id from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 and kind = ${BillKind.deposit} and state <> ${BillState.void}`
/** Requests the refund of deposits that are still held when the lease is over. */
export async function returnDeposits(tx: Tx, contractId: string, reason: string, at: Instant): Promise<void> {
  for (const { orderId } of await run<{ orderId: string }>(tx, { sql: DEPOSITS }, [contractId])) {
    const { paidFen, refundFen, refundingFen } = await orderOf(tx, orderId)
    const amountFen = paidFen - refundFen - refundingFen
    if (amountFen > 0) await applyRefund(tx, { orderId, amountFen, reason, actor: { userId: null, userName: SYSTEM }, at })
  }
}
const DEPOSITS = `select order_id from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 and kind = ${BillKind.deposit} and state = ${BillState.paid} and order_id is not null`
