import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { cancelOrder, leaveUnpaid, openOrder, requote } from '../../settlement/server/api.ts'
import type { StayChanges, StayRecord } from './stayMoves.ts'

/** What a stay costs in all, before what was paid. */
export interface Bill {
  receivableFen: number
  discountFen: number
}
const PARKING = 1

/** What is still to be paid of a bill: less what the paid orders of this stay were for, never below none. */
export const dueOf = (stay: Pick<StayRecord, 'settledFen'>, { receivableFen, discountFen }: Bill): number =>
  Math.max(0, receivableFen - stay.settledFen - (stay.settledFen ? 0 : discountFen))

/**
 * Brings the stay's order in line with its bill and gives the figures to keep on the stay. An order that is being paid right now keeps its amount: the
 * stay then shows that one. @throws IllegalMove when the order was settled meanwhile: read the stay again.
 */
export async function billStay(tx: Tx, stay: StayRecord, bill: Bill, at: Instant): Promise<StayChanges> {
  const due = dueOf(stay, bill)
  const open = stay.payState === TO_PAY ? stay.orderId : null
  if (!open && (stay.paidFen || stay.settledFen) && due === 0) return { payState: stay.payState === FREE ? FREE : PAID }
  const receivableFen = Math.max(0, bill.receivableFen - stay.settledFen)
  const amounts = { receivableFen, discountFen: receivableFen - due, at }
  const subject = `停车费 ${stay.plateNo}`
  const order = open
    ? await requote(tx, open, amounts)
    : await openOrder(tx, {
        type: PARKING,
        stayId: stay.id,
        subject,
        plateNo: stay.plateNo,
        plateColor: stay.plateColor,
        parkCode: stay.parkCode,
        ...amounts,
      })
  const settledDiscount = stay.settledFen ? stay.discountFen : 0
  return {
    orderId: order.id as string as Id<'OrderId'>,
    payState: order.payableFen === 0 ? (stay.paidFen ? PAID : FREE) : TO_PAY,
    receivableFen: (stay.settledFen + order.receivableFen) as Fen,
    discountFen: (settledDiscount + order.discountFen) as Fen,
    payableFen: (stay.settledFen - settledDiscount + order.payableFen) as Fen,
  }
}
const TO_PAY = 1
const PAID = 2
const FREE = 3
const OWED = 4

/** A stay that will never be paid as it stands: its open order goes. What was paid stays paid. */
export async function cancelDue(tx: Tx, stay: StayRecord, reason: string, at: Instant): Promise<StayChanges> {
  if (stay.payState === TO_PAY && stay.orderId) await cancelOrder(tx, stay.orderId, { reason, at })
  const kept = { receivableFen: stay.settledFen as Fen, discountFen: (stay.settledFen - stay.paidFen) as Fen, payableFen: stay.paidFen }
  return { ...kept, payState: stay.settledFen ? PAID : 0 }
}

/** How an arrears came about: 2 drove through the barrier, 3 tailgated, 4 let out in arrears. */
export type ArrearsSource = 2 | 3 | 4
/** The car is gone and its order is not paid: from now on it is arrears. Without an open order nothing happens. */
export async function oweRest(tx: Tx, stay: StayRecord, sourceType: ArrearsSource, at: Instant): Promise<StayChanges> {
  if (stay.payState !== TO_PAY || !stay.orderId) return {}
  const { status } = await leaveUnpaid(tx, stay.orderId, { sourceType, at })
  return { payState: status === 4 ? OWED : FREE }
}
