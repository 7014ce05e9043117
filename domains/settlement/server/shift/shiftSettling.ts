import type { Instant, Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { type shift, shiftCan, type ShiftRow, ShiftMoveKind, ShiftState, ShiftWay } from '../../contract/shift.ts'
import { BANK, bookDifference, cashOf, lockTill, moveCash, setTill, type Till, unbooked } from './shiftCash.ts'
import { tellTaker } from './shiftClosing.ts'

type Person = { userId: string; userName: string }
type Line = Of<typeof ShiftRow>
const OwnShift = refusal(
  'settlement.own-shift',
  40588,
  '收费员、接班人和处理、确认差异的人不能处理或核验同一收银班次；请由其他人办理',
  'The outgoing or incoming cashier, or a person who settled or confirmed the difference, cannot settle or verify the same shift: another person must',
  422,
)
const WrongWay = refusal(
  'settlement.wrong-way',
  40589,
  '长款只能按长款处理，短款只能补缴或由公司承担',
  'A surplus can only be booked as one; a shortage must be repaid, or borne by the enterprise',
  422,
)

const WhyBorne = refusal('settlement.why-borne', 40515, '由公司承担的短款须填写说明', 'Say why the enterprise bears this shortage', 422)
const ConfirmedByAnother = refusal(
  'settlement.borne-by-two',
  40516,
  '您已提出由公司承担，须由另一人确认',
  'You proposed that the enterprise bears it: another person has to confirm',
  422,
)

/**
 * A difference is made good, kept, or borne by the company, which one person proposes with the reason and another confirms; then the shift goes on to its taker,
 * or to be verified.
 */
export async function settle(tx: Tx, { id, version, way, note }: Of<typeof shift.settle.input>, by: Person, at: Instant): Promise<Line> {
  const till = await lockTill(tx, { id, version })
  if (till.state !== ShiftState.difference) throw IllegalMove({ state: till.state })
  if (by.userId === till.personId || by.userId === till.takerId) throw OwnShift()
  if ((way === ShiftWay.over) !== till.openFen > 0) throw WrongWay()
  if (way === ShiftWay.borne) return bear(tx, till, note, by, at)
  if (way === ShiftWay.over) await bookDifference(tx, till, await cashOf(tx, id), till.openFen, by, at)
  const counted = way === ShiftWay.madeGood ? till.countedFen! - till.openFen : till.countedFen!
  return goOn(tx, await setTill(tx, till, SETTLED, [nextOf(till), counted, way, note ?? null, by.userId, by.userName], at), at)
}
const SETTLED = `state = $3, counted_fen = $4, open_fen = 0, settled_way = $5, settled_note = $6, settled_by_id = $7, settled_by_name = $8, settled_at = $2,
  confirmed_by_id = null, confirmed_by_name = null`

const isProposed = ({ settledWay, confirmedById }: Till): boolean => settledWay === ShiftWay.borne && confirmedById === null
/** A loss of the company is nobody's word alone. */
async function bear(tx: Tx, till: Till, note: string | undefined, by: Person, at: Instant): Promise<Line> {
  if (!isProposed(till)) {
    if (!note) throw WhyBorne()
    return setTill(tx, till, PROPOSED, [note, by.userId, by.userName], at)
  }
  if (by.userId === till.settledById) throw ConfirmedByAnother()
  await bookDifference(tx, till, await cashOf(tx, till.id), till.openFen, by, at)
  return goOn(tx, await setTill(tx, till, CONFIRMED, [nextOf(till), by.userId, by.userName], at), at)
}
const PROPOSED = `settled_way = ${ShiftWay.borne}, settled_note = $3, settled_by_id = $4, settled_by_name = $5, settled_at = $2, confirmed_by_id = null, confirmed_by_name = null`
const CONFIRMED = 'state = $3, open_fen = 0, confirmed_by_id = $4, confirmed_by_name = $5, settled_at = $2'

async function goOn(tx: Tx, settled: Line, at: Instant): Promise<Line> {
  if (settled.state === ShiftState.toTakeOver) await tellTaker(tx, settled, at)
  return settled
}
const nextOf = ({ takerId, takenAt }: Till) => (takerId && !takenAt ? ShiftState.toTakeOver : ShiftState.toSettle)

/** Verifies a till by somebody who had no part in it and has seen the cash: the rest in the till is the company's. */
export async function verify(tx: Tx, { id, version }: Of<typeof shift.verify.input>, by: Person, at: Instant): Promise<Line> {
  const till = await lockTill(tx, { id, version })
  const next = shiftCan.verify(till.state)
  if (next === undefined) throw IllegalMove({ state: till.state })
  if ([till.personId, till.takerId, till.settledById, till.confirmedById].includes(by.userId)) throw OwnShift()
  const found = await cashOf(tx, id)
  const cash = await bookDifference(tx, till, found, await unbooked(tx, till, found), by, at)
  for (const { parkCode, fen } of cash) await moveCash(tx, { till, kind: ShiftMoveKind.broughtIn, parkCode, fen: -fen, against: BANK, by, at })
  return setTill(tx, till, 'state = $3, verified_by_id = $4, verified_by_name = $5, verified_at = $2', [next, by.userId, by.userName], at)
}

/** A receipt whose handheld had no network belongs to the shift in which it was taken, and makes a difference of that one, never of the next. */
export async function comeLate(tx: Tx, { id, keeper, fen, at }: { id: string; keeper: string; fen: number; at: Instant }): Promise<void> {
  const till = await lockTill(tx, { id }, keeper)
  const openFen = till.openFen - fen
  const state = openFen === 0 ? nextOf(till) : ShiftState.difference
  await setTill(tx, till, isProposed(till) ? `${LATE}, ${UNPROPOSED}` : LATE, [state, fen, openFen, (await expectedOf(tx, till)) + fen], at)
}
/** Shifts that were settled before tills were counted here are taken to have been right. */
const LATE = `state = $3, late_fen = late_fen + $4, open_fen = $5, expected_fen = $6, counted_fen = coalesce(counted_fen, $6 - $4), counted = coalesce(counted, '[]'),
  verified_by_id = null, verified_by_name = null, verified_at = null`
/** Clears a proposal that was for another amount. */
const UNPROPOSED = 'settled_way = null, settled_note = null, settled_by_id = null, settled_by_name = null, settled_at = null'
async function expectedOf(tx: Tx, till: Till): Promise<number> {
  return till.expectedFen ?? till.openingFloatFen + (await cashOf(tx, till.id)).reduce((sum, { fen }) => sum + fen, 0)
}
