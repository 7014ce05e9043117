import type { CodeOf, Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { payCash } from '../../../settlement/server/api.ts'
import { FeeChoice } from '../../contract/gate.ts'
import { PayState, SessionAbnormal } from '../../contract/stay.ts'
import { askedAt } from './asked.ts'
import { FeeUnknown, SayFee } from '../lane/exitJudge.ts'
import { endHold } from './holding.ts'
import { asItWas } from '../lane/lane.ts'
import { inGrace } from '../lane/leaving.ts'
import { asSettled, type Bill, billStay, cancelDue, dueOf, oweRest } from './money.ts'
import { parkOf } from '../place/park.ts'
import { editStay, moveStay, readStay, type StayChanges, type StayRecord } from '../stay/stayMoves.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'

type Fee = CodeOf<typeof FeeChoice> | undefined
/** Nothing is due, or nobody can say how much. */
export const NO_FEE = null

/**
 * Returns the bill of a car that is gone; `NO_FEE` where nothing is due, or where the fee is unknown and waived. A second entry has closed its first record without a fee.
 * @throws SayFee, FeeUnknown
 */
export async function feeGoneFor(tx: Tx, stay: StayRecord, exitTime: Instant, fee: Fee): Promise<Bill | null> {
  if (stay.abnormalType === SessionAbnormal.twice || inGrace({ stay, at: exitTime })) return NO_FEE
  const park = await asItWas(tx, await parkOf(tx, stay.parkCode), exitTime)
  const { bill } = await askedAt(tx, park, stay, exitTime)
  const isUnknown = !bill || bill.held !== undefined
  if (!isUnknown && dueOf(stay, bill) === 0) return NO_FEE
  if (fee === undefined) throw SayFee()
  if (isUnknown && fee !== FeeChoice.free) throw FeeUnknown()
  return isUnknown ? NO_FEE : bill
}

interface Settling {
  bill: Bill | null
  fee: Fee
  reason: string
  actor: { userId: string; userName: string }
  at: Instant
}
/** Ends the stay of a car that is gone; its fee is waived, owed or booked as cash as the person says. */
export async function goneFor(tx: Tx, stay: StayRecord, gone: StayChanges, { bill, fee, reason, actor, at }: Settling): Promise<StayRecord> {
  if (stay.payState === PayState.checking) await endHold(tx, stay, actor.userName, at)
  if (bill === NO_FEE) {
    const due = stay.payState === PayState.toPay ? await cancelDue(tx, stay, reason, at) : stay.payState === PayState.checking ? asSettled(stay) : {}
    return moveStay(tx, stay, 'confirmExit', { ...due, ...gone })
  }
  const letOff = stay.settledFen
    ? { receivableFen: stay.settledFen, discountFen: 0 }
    : { receivableFen: bill.receivableFen, discountFen: bill.receivableFen }
  const left = await moveStay(tx, stay, 'confirmExit', { ...(await billStay(tx, stay, fee === FeeChoice.free ? letOff : bill, at)), ...gone })
  if (fee === FeeChoice.free) return left
  if (fee === FeeChoice.arrears) return editStay(tx, left, await oweRest(tx, left, LET_OUT, at))
  if (left.payState !== PayState.toPay) return left
  await payCash(tx, { orderId: left.orderId!, amountFen: left.payableFen - left.paidFen, actor, at, final: true })
  return readStay(tx, left.id)
}
/** The source of an arrears of a car that was let out. */
const LET_OUT = ArrearsSource.letOut
