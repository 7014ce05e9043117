import type { Fen, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { NoRule } from '../../fee/server/api.ts'
import { PayState, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import { after, type AnyStay, type Bill, billStay, dueOf, editStay, isAsked } from '../../parking/server/api.ts'
import {
  apartOf,
  bookedReceipt,
  type CashPayment,
  explainLater,
  HANDHELD,
  keepApart,
  momentTaken,
  openRepayment,
  orderOf,
  ordersOfStay,
  paidAfter,
  payCash,
  receiptNoOf,
  waive,
} from '../../settlement/server/api.ts'
import type { Receipt } from '../contract/roadStay.ts'
import { billAt, placeOfStay } from './leaving.ts'
import type { Place } from './place.ts'
import { Said } from '../contract/said.ts'

export const NothingDue = refusal('roadside.nothing-due', 41115, '该车目前无需缴费', 'Nothing is due for this car now')
export const BeingChecked = refusal(
  'roadside.being-checked',
  41138,
  '该车费用异常，正在核对，请勿收款；请联系值班人员在「异常停车」中放行或更正',
  'This car’s fee is being checked: do not take payment. Ask the attendant to release or correct it under “Problem stays”',
)
const NothingWasDue = refusal(
  'roadside.nothing-was-due',
  41136,
  '{at} 时该车无需缴费，所收 {taken} 元请退还车主或交班时说明',
  'Nothing was due at {at}: give the ¥{taken} back, or explain it at handover',
)
const BookedOtherwise = refusal(
  'roadside.receipt-booked-otherwise',
  41137,
  '{at} 的这笔收款已按 {booked} 元入账，不能再按 {taken} 元入账',
  'This receipt of {at} was booked with ¥{booked} already, not with ¥{taken}',
)

interface Taken {
  id: Id<StayId>
  amountFen: number
  deviceTime: Instant
}
/** The result of a receipt: where it was booked, and how much of it goes back to the driver. */
export type Received = Pick<Of<typeof Receipt>, 'orderNo' | 'shiftId' | 'overFen'>

/**
 * Cash that was taken while the handheld had no network: it lies in the till, so it is booked, once, however often it is told. It pays what the stay cost at that moment, never
 * before it began and not beyond its end, and what the fee has risen by since unless the car left within the time that a payment gives. More than the stay owes goes back to
 * the
 * driver. A difference from the amount due then is told at the close of the shift. @throws WrongClock, NothingWasDue, BookedOtherwise
 */
export async function receive(tx: Tx, { id, amountFen, deviceTime }: Taken, actor: Actor, at: Instant): Promise<Received> {
  const takenAt = momentTaken(deviceTime, at)
  const receiptNo = receiptNoOf({ stayId: id, userId: actor.userId, deviceTime })
  const booked = await bookedReceipt(tx, id, receiptNo)
  const said = { at: cityTime(takenAt), taken: yuan(amountFen) }
  if (booked && booked.amountFen !== amountFen) throw BookedOtherwise({ ...said, booked: yuan(booked.amountFen) })
  if (booked) return booked
  const stay = await stayOf(tx, id)
  const place = await placeOfStay(tx, stay)
  const owing = { stay, place, takenAt, moment: momentOf(stay, takenAt) }
  const { pays, dueFen } = stay.payState === PayState.owed ? await debtOf(tx, owing) : await dueOfThen(tx, owing, at)
  if (dueFen === 0 && stay.settledFen === 0) throw NothingWasDue(said)
  const part = Math.min(amountFen, pays.uptoFen)
  const cash = { actor, at, deviceTime, receiptNo }
  const orderId = part > 0 ? await pays.by(part, { ...cash, askedFen: Math.min(dueFen, pays.uptoFen) }) : await lastPaid(tx, id)
  if (!orderId) throw NothingWasDue(said)
  const overFen = amountFen - part
  if (overFen > 0) await keepApart(tx, { orderId, ...cash, amountFen: overFen, receiptNo: apartOf(receiptNo) })
  return (await bookedReceipt(tx, id, receiptNo))!
}
const yuan = (fen: number) => (fen / 100).toFixed(2)

async function stayOf(tx: Tx, id: Id<StayId>): Promise<AnyStay> {
  const [stay] = await run<AnyStay>(
    tx,
    { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = $1 and seat_code is not null' },
    [id],
  )
  if (!stay) throw NotFound()
  return stay
}
const momentOf = ({ entryTime, exitTime }: AnyStay, takenAt: Instant): Instant =>
  instantAt(Math.min(Math.max(msOf(takenAt), msOf(entryTime!)), exitTime === null ? Infinity : msOf(exitTime)))

/** The order that was paid last: an excess amount is told there. */
const lastPaid = async (tx: Tx, id: Id<StayId>) => (await ordersOfStay(tx, id)).findLast(({ paidFen }) => paidFen > 0)?.id

interface Owing {
  stay: AnyStay
  place: Place
  moment: Instant
  takenAt: Instant
}
type Cash = Omit<CashPayment, 'orderId' | 'amountFen'>
/** The amount due at a moment, and how a receipt of then can pay it: up to how much, and by which way. `by` answers with the order that it paid. */
interface Due {
  dueFen: number
  pays: { uptoFen: number; by: (partFen: number, cash: Cash) => Promise<string> }
}

/** Of a stay that owes nothing from before. */
async function dueOfThen(tx: Tx, { stay, place, moment, takenAt }: Owing, at: Instant): Promise<Due> {
  const laterFen = await paidAfter(tx, stay.id, takenAt)
  // A later payment, and the grace that it gave, did not exist at that moment.
  const asItWas = laterFen > 0 ? { ...stay, settledFen: (stay.settledFen - laterFen) as Fen, graceUntil: null } : stay
  const then = await billAt(tx, place, asItWas, moment)
  if (!then) throw NoRule()
  if (then.held) throw BeingChecked()
  const until = stay.exitTime ?? at
  const now = (await billAt(tx, place, stay, until)) ?? then
  const dueFen = dueOf(asItWas, then)
  const owesFen = dueOf(stay, now.held ? then : now)
  const inTime = msOf(until) <= msOf(after(takenAt, place.park.exitGraceMin))
  const by = async (partFen: number, cash: Cash) => {
    if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) throw IllegalMove({ status: stay.status })
    const bill = dueOf(stay, then) < partFen ? now : then
    const { orderId } = await editStay(tx, stay, await billStay(tx, stay, lessened(bill, dueOf(stay, bill) - partFen), at))
    await payCash(tx, { orderId: orderId!, amountFen: partFen, ...cash })
    await explainLater(tx, { stayId: stay.id, moment: takenAt, amountFen: partFen, at })
    await askRest(tx, place, stay, partFen < dueFen, at)
    return orderId!
  }
  return { dueFen, pays: { uptoFen: inTime ? Math.min(dueFen, owesFen) : owesFen, by } }
}
const lessened = (bill: Bill, byFen: number): Bill => ({ ...bill, receivableFen: bill.receivableFen - byFen })

/** The car stood on, or had gone before anybody heard of the payment: the rest is asked by an order of its own. A payment of less than was due then gave no grace. */
async function askRest(tx: Tx, place: Place, { id, graceUntil }: AnyStay, isShort: boolean, at: Instant): Promise<void> {
  const paid = await stayOf(tx, id)
  const stay = isShort ? await editStay(tx, paid, { graceUntil }) : paid
  const rest = await billAt(tx, place, stay, stay.exitTime ?? at)
  if (rest && isAsked(stay, rest)) await editStay(tx, stay, await billStay(tx, stay, rest, at))
}

/** The stay was over and owed before its receipt came: a repayment of the whole or a part; a car that left in time owes no more than was due then. */
async function debtOf(tx: Tx, { stay, place, moment, takenAt }: Owing): Promise<Due> {
  const { id: orderId, payableFen, paidFen, discountFen, parkCode } = await orderOf(tx, stay.orderId!)
  const owedFen = payableFen - paidFen
  const then = moment === stay.exitTime ? undefined : await billAt(tx, place, stay, moment)
  const dueFen = then ? Math.min(owedFen, Math.max(0, then.receivableFen - stay.settledFen - discountFen - paidFen)) : owedFen
  const inTime = msOf(stay.exitTime!) <= msOf(after(takenAt, place.park.exitGraceMin))
  const by = async (amountFen: number, cash: Cash) => {
    const { plateNo, plateColor } = stay
    const repay = await openRepayment(tx, { parts: [{ orderId, amountFen }], place: HANDHELD, plateNo, plateColor, parkCode, at: cash.at })
    await payCash(tx, { orderId: repay.id, amountFen, ...cash })
    if (inTime && dueFen < owedFen) await waive(tx, { orderId, amountFen: (owedFen - dueFen) as Fen, reason: Said.inTime }, cash.at)
    return orderId as string
  }
  return { dueFen, pays: { uptoFen: inTime ? dueFen : owedFen, by } }
}
