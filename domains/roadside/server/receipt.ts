import type { Fen, Id, Instant } from '../../../platform/contract/field.ts'
import { cityTime, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { NoRule } from '../../fee/server/api.ts'
import { PayState, SessionStatus, type StayId } from '../../parking/contract/stay.ts'
import { after, type AnyStay, billStay, dueOf, editStay, isAsked } from '../../parking/server/api.ts'
import { HANDHELD, momentTaken, openRepayment, orderOf, type OrderRow, payCash, waive } from '../../settlement/server/api.ts'
import { billAt, placeOfStay } from './leaving.ts'
import type { Place } from './place.ts'

export const NothingDue = refusal('roadside.nothing-due', 41115, '该车目前无需缴费', 'Nothing is due for this car now')
export const BeingChecked = refusal(
  'roadside.being-checked',
  41138,
  '该车费用异常，正在核对，请勿收款；请联系值班人员在「异常记录」中放行或更正',
  'This car’s fee is being checked: do not take payment. Ask the attendant to release or correct it in Abnormal records',
)
const NothingWasDue = refusal(
  'roadside.nothing-was-due',
  41136,
  '{at} 时该车无需缴费（可能已由他人缴清），所收 {taken} 元请退还车主或交班时说明',
  'Nothing was due at {at} (someone else may have paid): return the ¥{taken} to the driver, or explain it when closing the shift',
)
const OtherWasDue = refusal(
  'roadside.other-was-due',
  41137,
  '{at} 时应付 {due} 元，与所收 {taken} 元不符：请先补传更早的收款，仍不符时由班组长处理',
  '¥{due} was due at {at}, not the ¥{taken} taken: upload earlier receipts first; if it still differs, your group leader handles it',
)

interface Taken {
  id: Id<StayId>
  amountFen: number
  deviceTime: Instant
}

/**
 * Cash that was taken while the handheld had no network. It pays what the stay cost at that moment, never before it began and not beyond its end. What the fee has risen by
 * since is still due, unless the car left within the time to leave that a payment gives. @throws WrongClock, NothingWasDue, OtherWasDue
 */
export async function receive(tx: Tx, { id, amountFen, deviceTime }: Taken, actor: Actor, at: Instant): Promise<OrderRow> {
  const takenAt = momentTaken(deviceTime, at)
  const stay = await stayOf(tx, id)
  const place = await placeOfStay(tx, stay)
  const cash = { amountFen, actor, at, deviceTime }
  const moment = momentOf(stay, takenAt)
  if (stay.payState === PayState.owed) return receiveDebt(tx, { stay, place, moment, takenAt }, cash)
  const due = await billAt(tx, place, stay, moment)
  if (!due) throw NoRule()
  if (due.held) throw BeingChecked()
  refuseOther(dueOf(stay, due), amountFen, takenAt)
  if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) throw IllegalMove({ status: stay.status })
  const { orderId } = await editStay(tx, stay, await billStay(tx, stay, due, at))
  const paid = await payCash(tx, { orderId: orderId!, ...cash })
  await askRest(tx, place, id, at)
  return paid
}

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

function refuseOther(dueFen: number, amountFen: number, takenAt: Instant): void {
  const said = { at: cityTime(takenAt), taken: (amountFen / 100).toFixed(2) }
  if (dueFen === 0) throw NothingWasDue(said)
  if (dueFen !== amountFen) throw OtherWasDue({ ...said, due: (dueFen / 100).toFixed(2) })
}

/** The car stood on, or had gone before anybody heard of the payment: what was not paid for is asked by an order of its own. */
async function askRest(tx: Tx, place: Place, id: Id<StayId>, at: Instant): Promise<void> {
  const stay = await stayOf(tx, id)
  const rest = await billAt(tx, place, stay, stay.exitTime ?? at)
  if (rest && isAsked(stay, rest)) await editStay(tx, stay, await billStay(tx, stay, rest, at))
}

interface Owing {
  stay: AnyStay
  place: Place
  moment: Instant
  takenAt: Instant
}
/** The stay was over and owed before its receipt came: a repayment of the whole or a part; a car that left in time owes no more. */
async function receiveDebt(
  tx: Tx,
  { stay, place, moment, takenAt }: Owing,
  cash: Pick<Parameters<typeof payCash>[1], 'amountFen' | 'actor' | 'at' | 'deviceTime'>,
): Promise<OrderRow> {
  const { id: orderId, payableFen, paidFen, discountFen, parkCode } = await orderOf(tx, stay.orderId!)
  const owedFen = payableFen - paidFen
  const then = moment === stay.exitTime ? undefined : await billAt(tx, place, stay, moment)
  const dueFen = then ? Math.min(owedFen, Math.max(0, then.receivableFen - stay.settledFen - discountFen - paidFen)) : owedFen
  const { amountFen, at } = cash
  refuseOther(dueFen, amountFen, takenAt)
  const { plateNo, plateColor } = stay
  const repay = await openRepayment(tx, { parts: [{ orderId, amountFen }], place: HANDHELD, plateNo, plateColor, parkCode, at })
  const paid = await payCash(tx, { orderId: repay.id, ...cash })
  const inTime = msOf(stay.exitTime!) <= msOf(after(takenAt, place.park.exitGraceMin))
  if (inTime && amountFen < owedFen) await waive(tx, { orderId, amountFen: (owedFen - amountFen) as Fen, reason: '缴费后在离场时限内驶离' }, at)
  return paid
}
