import { createHash } from 'node:crypto'
import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { PaymentState } from '../contract/payment.ts'

/** A receipt is one collector's, of one stay, at one moment: nobody takes cash twice for the same car within one second. */
export interface ReceiptKey {
  stayId: string
  userId: string
  deviceTime: Instant
}
/**
 * A receipt that a handheld printed offline has no number of ours: its number derives from who took the cash, for which stay and when, so telling it again gives the same
 * number.
 */
export const receiptNoOf = ({ stayId, userId, deviceTime }: ReceiptKey): string =>
  `LX${createHash('sha256')
    .update([stayId, userId, Date.parse(deviceTime)].join(' '))
    .digest('hex')
    .slice(0, NO_SIGNS)
    .toUpperCase()}`
const NO_SIGNS = 20
/** The receipt number of the part of the cash above what was due, which is kept apart. */
export const apartOf = (receiptNo: string): string => `${receiptNo}-D`

export interface BookedReceipt {
  orderNo: string
  shiftId: Id<'ShiftId'>
  amountFen: Fen
  /** The part of it that goes back to the driver. */
  overFen: Fen
}
/** The receipts of a stay are booked one after the other. Returns the result of this one, if it was told before. */
export async function bookedReceipt(tx: Tx, stayId: string, receiptNo: string): Promise<BookedReceipt | undefined> {
  await run(tx, { sql: TURN }, [stayId])
  const [booked] = await run<BookedReceipt>(tx, { sql: BOOKED }, [receiptNo, apartOf(receiptNo)])
  return booked
}
const TURN = `select pg_advisory_xact_lock(hashtextextended('settlement.receipt of ' || $1, 0))`
const BOOKED = `select min(o.order_no) as order_no, p.shift_id, sum(p.received_fen)::bigint as amount_fen,
    coalesce(sum(p.received_fen) filter (where p.state <> ${PaymentState.received}), 0)::bigint as over_fen
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.enterprise_id = scope_enterprise() and p.channel = 'cash' and p.trade_no in ($1, $2) group by p.shift_id`

/** Returns the fen paid on a stay's orders after that moment: a receipt written then did not know of them. */
export const paidAfter = async (tx: Tx, stayId: string, moment: Instant): Promise<number> =>
  (await run<{ fen: number }>(tx, { sql: `select coalesce(sum(received_fen), 0)::bigint as fen ${LATER}` }, [stayId, moment]))[0]!.fen
const LATER = `from settlement.payment p where p.enterprise_id = scope_enterprise() and p.state = ${PaymentState.received} and p.paid_at > $2
  and p.order_id in (select id from settlement.order where enterprise_id = scope_enterprise() and stay_id = $1)`

/** An earlier receipt that comes after a later one explains what the later one seemed to lack. */
export const explainLater = (tx: Tx, { stayId, moment, amountFen, at }: { stayId: string; moment: Instant; amountFen: number; at: Instant }) =>
  run(tx, { sql: EXPLAINED }, [stayId, moment, amountFen, at])
const EXPLAINED = `update settlement.payment set amount_fen = greatest(received_fen, amount_fen - $3), version = version + 1, updated_at = $4
  where enterprise_id = scope_enterprise() and id in (select id ${LATER} and p.channel = 'cash' and p.amount_fen > p.received_fen)`
