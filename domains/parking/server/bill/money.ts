import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Id, Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { Stale } from '../../../../platform/server/refusal.ts'
import { cancelOrder, leaveUnpaid, lockOrders, mayRequote, openOrder, requote } from '../../../settlement/server/api.ts'
import { type Held, hold } from './holding.ts'
import { type Discount, discountsHeld } from '../questions.ts'
import { type AnyStay, lockStay, readStay, type StayChanges, type StayRecord } from '../stay/stayMoves.ts'
import { PayState, type StayId } from '../../contract/stay.ts'
import { Said } from '../../contract/said.ts'
import { Said as OrderSaid } from '../../../settlement/contract/said.ts'

/** The whole cost of a stay, before payments. */
export interface Bill {
  receivableFen: number
  discountFen: number
  /** Discounts from other domains on the rest to pay: the order that asks for the rest holds them. */
  taken?: readonly Discount[]
  /** Discounts that cannot be used now, each with a sentence that says why. */
  away?: readonly Discount[]
  /** The reason why the bill cannot be right: nobody pays before a person has looked. */
  held?: Held
}
const PARKING = 1

/** Returns the rest to pay of a bill: less what this stay's paid orders settled, never below 0; 0 while the bill is checked. */
export const dueOf = (stay: Pick<AnyStay, 'settledFen'>, bill: Bill): number => (bill.held ? 0 : restOf(stay, bill))
/** The same of a bill that is checked: the amount asked unless a person lets it go. */
export const restOf = (stay: Pick<AnyStay, 'settledFen'>, { receivableFen, discountFen, taken }: Bill): number =>
  Math.max(0, receivableFen - stay.settledFen - (stay.settledFen ? 0 : discountFen) - sumOf(taken))
/** Whether a bill changes what the stay is asked: money is due, or a person has to look first. */
export const isAsked = (stay: Pick<AnyStay, 'settledFen'>, bill: Bill): boolean => bill.held !== undefined || dueOf(stay, bill) > 0
export const sumOf = (taken: readonly Discount[] = []) => taken.reduce((sum, { amountFen }) => sum + amountFen, 0)

/**
 * Brings the stay's order in line with its bill and gives the figures to keep on the stay. An order that is being paid right now keeps its amount: the
 * stay then shows that one. @throws IllegalMove when the order was settled meanwhile: read the stay again.
 */
export async function billStay(tx: Tx, stay: AnyStay, bill: Bill, at: Instant): Promise<StayChanges> {
  if (bill.held) return { ...(await cancelDue(tx, stay, Said.checking, at)), ...(await hold(tx, stay, bill.held, at)) }
  const due = dueOf(stay, bill)
  const open = stay.payState === PayState.toPay ? stay.orderId : null
  // Before the stay is written, also where somebody is paying and nothing of the order changes: the next step that takes the fee holds it, and a payment that holds it waits for
  // the stay.
  if (open) await lockOrders(tx, [open])
  if (!open && (stay.paidFen || stay.settledFen) && due === 0) return { payState: stay.paidFen ? PayState.paid : PayState.free }
  const receivableFen = Math.max(0, bill.receivableFen - stay.settledFen)
  const amounts = { receivableFen, discountFen: receivableFen - due, at }
  const subject = OrderSaid.parking({ whose: stay.plateNo ?? stay.seatCode ?? '' })
  const held = { stayId: stay.id, discounts: bill.taken ?? [], used: due === 0, at }
  if (open && (bill.taken || isReduced(stay)) && (await mayRequote(tx, open, at))) await discountsHeld.ask(tx, { orderId: open, ...held })
  if (!open) await claim(tx, stay)
  const asked = open && (await requote(tx, open, amounts))
  const id = randomUUIDv7()
  if (open && asked && asked.status === CANCELLED) await discountsHeld.ask(tx, { ...held, orderId: open, discounts: [], used: false })
  if ((!asked || asked.status === CANCELLED) && bill.taken) await discountsHeld.ask(tx, { orderId: id, ...held })
  const order =
    asked && asked.status !== CANCELLED
      ? asked
      : await openOrder(tx, {
          id,
          type: PARKING,
          stayId: stay.id,
          subject,
          plateNo: stay.plateNo,
          plateColor: stay.plateColor,
          parkCode: stay.parkCode,
          ...amounts,
        })
  const settledDiscount = stay.settledFen ? stay.discountFen : 0
  // A discount is used up once: where it leaves nothing to pay, its order is settled as a paid one is.
  const used = order.payableFen === 0 && bill.taken && !bill.discountFen
  return {
    ...(used && { settledFen: stay.settledFen + order.receivableFen }),
    orderId: order.id as string as Id<'OrderId'>,
    payState: order.payableFen === 0 ? (stay.paidFen ? PayState.paid : PayState.free) : PayState.toPay,
    receivableFen: (stay.settledFen + order.receivableFen) as Fen,
    discountFen: (settledDiscount + order.discountFen) as Fen,
    payableFen: (stay.settledFen - settledDiscount + order.payableFen) as Fen,
  }
}
/**
 * A caller who opens an order for a stay claims the stay at the version that they read: of two at once, one fails and leaves no second order. They take turns before
 * they touch the row: a row that a caller waited for stays locked, and its first holder would then wait for the order in the wrong sequence. @throws Stale
 */
async function claim(tx: Tx, { id, version }: AnyStay): Promise<void> {
  const [, held] = await Promise.all([run(tx, TURN, [id]), run(tx, HOLD, [id, version])])
  if (held.length === 0) throw Stale()
}
const TURN = { sql: `select pg_advisory_xact_lock(hashtextextended('parking.order of ' || $1, 0))` }
const HOLD = { sql: 'select from parking.stay where enterprise_id = scope_enterprise() and id = $1 and version = $2 for no key update' }
/** A stay and its order, the order first, as a payment holds them. @throws NotFound, and Stale when `version` is not the row's */
export async function lockWithOrder(tx: Tx, id: Id<StayId>, version?: number): Promise<StayRecord> {
  const { orderId } = await readStay(tx, id)
  if (orderId) await lockOrders(tx, [orderId])
  return lockStay(tx, id, version)
}
/** Of an order: over, as if there were none. */
const CANCELLED = 5

/** Of what is asked now, something has been taken off. */
const isReduced = ({ discountFen, settledFen, paidFen }: AnyStay) => discountFen > (settledFen ? settledFen - paidFen : 0)

/** A stay that will never be paid as it stands: its open order is cancelled. Payments stay. */
export async function cancelDue(tx: Tx, stay: AnyStay, reason: string, at: Instant): Promise<StayChanges> {
  if (stay.payState === PayState.toPay && stay.orderId) {
    await cancelOrder(tx, stay.orderId, { reason, at })
    await letDiscountsGo(tx, stay, at)
  }
  return asSettled(stay)
}
/** The order that held them is cancelled. */
export const letDiscountsGo = async (tx: Tx, stay: AnyStay, at: Instant): Promise<unknown> =>
  isReduced(stay) && discountsHeld.ask(tx, { orderId: stay.orderId!, stayId: stay.id, discounts: [], used: false, at })
/** The amounts of a stay that is asked for nothing: those settled before. */
export const asSettled = (stay: AnyStay): StayChanges => ({
  orderId: stay.settledFen ? stay.orderId : null,
  receivableFen: stay.settledFen as Fen,
  discountFen: (stay.settledFen - stay.paidFen) as Fen,
  payableFen: stay.paidFen,
  payState: stay.paidFen ? PayState.paid : stay.settledFen ? PayState.free : PayState.nothing,
})

/** How an arrears came about: 1 from a berth, where no barrier holds anybody; 2 drove through the barrier, 3 tailgated, 4 let out in arrears. */
export type ArrearsSource = 1 | 2 | 3 | 4
/** Where on the street it arose, and what keeps it from being asked for yet: 1 evidence is missing, 2 nobody knows the plate. */
export interface OfStreet {
  sectionCode?: string | null
  exceptionType?: 0 | 1 | 2
}
/** The car is gone and its order is not paid: from now on it is arrears. Without an open order nothing happens. */
export async function oweRest(tx: Tx, stay: AnyStay, sourceType: ArrearsSource, at: Instant, street: OfStreet = {}): Promise<StayChanges> {
  if (stay.payState !== PayState.toPay || !stay.orderId) return {}
  await leaveUnpaid(tx, stay.orderId, { sourceType, at, ...street })
  return { payState: PayState.owed }
}
