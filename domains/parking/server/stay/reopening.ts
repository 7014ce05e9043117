import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { impliedColor, vehicleClassOf } from '../../../../platform/contract/plate.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { BadInput, IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { lockOrders } from '../../../settlement/server/api.ts'
import { CarKind, PayState, SessionAbnormal, SessionStatus, type stay, type StayId } from '../../contract/stay.ts'
import { AlreadyInside, NothingToRestore, OUT_AGAIN, ordinaryPlate, replaceFinal } from './correction.ts'
import { insertStay, type NewStay } from '../lane/entrance.ts'
import { endHold } from '../bill/holding.ts'
import { holdLane } from '../lane/lane.ts'
import { cancelDue } from '../bill/money.ts'
import { cameToExit, chainOf, historiesOf } from './story.ts'
import { lockStay, minutesBetween, moveStay, openStaysOf, readStay, type StayRecord } from './stayMoves.ts'

const NoExit = refusal(
  'parking.no-exit-to-undo',
  40896,
  '只能撤销经出口车道离场的记录；清场请到「清场记录」撤销',
  'Only an exit through a lane can be undone; a clearing is undone under “Clearings”',
  422,
)
const OwedUnder = refusal(
  'parking.owed-under',
  40897,
  '该记录有欠费：请先在欠费管理中撤销，再撤销离场',
  'This record is in arrears: revoke them under Arrears first, then undo the exit',
)
const CameAgain = refusal(
  'parking.came-again',
  40898,
  '车辆 {plateNo} 之后又有停车记录，说明它确已离场；请核对车牌',
  '{plateNo} has a later stay, so it did leave: check the plate',
)
const CameAfter = refusal(
  'parking.came-after',
  40895,
  '车辆 {plateNo} 在这次离场之后才入场或又到出口，请核对实际离场的车牌',
  '{plateNo} came in, or came to an exit, after this one: check which plate left',
)
const AtExitUnseen = refusal(
  'parking.at-exit-unseen',
  40870,
  '车辆 {plateNo} 正在出口且没有入场记录：请先放行，或作废该记录，再撤销离场',
  '{plateNo} stands at an exit without an entry record: let it leave first, or void that record, then undo this exit',
)

/**
 * A car left in another's record, because the plate was put right to the wrong one. The record's own car is still inside: the record is voided, as all that are
 * over, and a new one goes on in its place with what that car had paid itself. Who left gets the exit, and what was paid there: it is asked for nothing more, and
 * what it paid too much goes back by a refund of that order.
 */
export async function undoExit(
  tx: Tx,
  { id, version, leftPlateNo, reason }: Of<typeof stay.undoExit.input>,
  at: Instant,
  by: string,
): Promise<StayRecord> {
  const seen = await readStay(tx, id)
  const { parkCode, exitGate, plateNo } = seen
  const gonePlate = ordinaryPlate(leftPlateNo)
  if (seen.status !== SessionStatus.left) throw IllegalMove({ status: seen.status })
  if (!exitGate || seen.clearingId) throw NoExit()
  if (!seen.entryTime) throw NothingToRestore()
  if (seen.payState === PayState.owed) throw OwedUnder()
  for (const one of [plateNo, gonePlate].toSorted()) await holdLane(tx, { parkCode, gateCode: exitGate, plateNo: one })
  const gone = await insideOrUnseen(tx, seen, gonePlate)
  await lockOrders(tx, gone?.orderId ? [gone.orderId] : [])
  const wrong = await lockStay(tx, id, version)
  await because(tx, reason)
  await refuseInside(tx, wrong)
  const left = gone && (await lockStay(tx, gone.id, gone.version))
  for (const one of [wrong, left]) if (one?.payState === PayState.checking) await endHold(tx, one, by, at)
  const own = await paidBefore(tx, wrong)
  const again = await replaceFinal(tx, wrong, {
    ...OUT_AGAIN,
    ...own,
    status: SessionStatus.present,
    abnormalType: SessionAbnormal.none,
    graceUntil: null,
  })
  await run(tx, SAME_WAY, [wrong.id, again.id])
  await leaves(tx, left, { wrong, own, gonePlate, reason, at, by })
  return again
}
/** The way through the areas of the park is that of the car which is still inside. */
const SAME_WAY = { sql: 'update parking.segment set stay_id = $2 where enterprise_id = scope_enterprise() and stay_id = $1' }

/** A car that is inside, or has come again since, cannot have stayed. One that was only seen leaving since has: it came in by no record but this. */
async function refuseInside(tx: Tx, wrong: StayRecord): Promise<void> {
  const { id, parkCode, plateNo, plateColor, exitTime } = wrong
  const open = await openStaysOf(tx, parkCode, wrong)
  if (open.length) throw (open.some((one) => one.entryTime) ? AlreadyInside : AtExitUnseen)({ plateNo })
  const later = await run(tx, LATER, [parkCode, plateNo, plateColor, exitTime, id])
  if (later.length) throw CameAgain({ plateNo })
}
const LATER = {
  sql: `select from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and (plate_color = $3 or plate_color is null or $3::smallint is null)
    and seen_at > $4 and entry_time is not null and status <> ${SessionStatus.void} and id <> $5 limit 1`,
}

/** The stay of who left, as it stands inside; none where nobody saw it coming in. */
async function insideOrUnseen(tx: Tx, { parkCode, plateNo, exitTime }: StayRecord, gonePlate: string): Promise<StayRecord | undefined> {
  if (gonePlate === plateNo) throw BadInput({ zh: '实际离场的车牌与本记录相同', en: 'the car that left cannot be the car of this record' })
  const [inside] = await openStaysOf(tx, parkCode, { plateNo: gonePlate, plateColor: impliedColor(gonePlate) })
  for (const seen of [inside?.entryTime, inside?.exitTime]) if (seen && msOf(seen) > msOf(exitTime!)) throw CameAfter({ plateNo: gonePlate })
  return inside
}

type Money = Pick<StayRecord, 'orderId' | 'payState' | 'settledFen' | 'receivableFen' | 'discountFen' | 'payableFen' | 'paidFen'>
type Sums = Pick<StayRecord, 'settledFen' | 'receivableFen' | 'paidFen'>
const moneyOf = (orderId: StayRecord['orderId'], { settledFen, receivableFen, paidFen }: Sums, nothing: StayRecord['payState']): Money => ({
  orderId: receivableFen ? orderId : null,
  payState: paidFen ? PayState.paid : receivableFen ? PayState.free : nothing,
  settledFen,
  receivableFen,
  discountFen: (receivableFen - paidFen) as Fen,
  payableFen: paidFen,
  paidFen,
})
/**
 * Returns what the record's own car had paid when another one left in its name, from the stay's history. A record that was stored only
 * after it was over knows of no payment but the one at the exit.
 */
async function paidBefore(tx: Tx, wrong: StayRecord): Promise<Money> {
  const then: Record<string, unknown> = { order_id: wrong.orderId, pay_state: wrong.payState, settled_fen: wrong.settledFen, paid_fen: wrong.paidFen }
  let inside = false
  for (const change of (await historiesOf(tx, [wrong.id, ...(await chainOf(tx, wrong))])).flat()) {
    Object.assign(then, change.before)
    inside ||= cameToExit(change)
    // An order that was open then was paid at the exit: the one before it is its own.
    if (inside && then['pay_state'] !== PayState.toPay) break
  }
  const [settledFen, paidFen] = (inside ? [then['settled_fen'], then['paid_fen']] : [0, 0]) as [Fen, Fen]
  return moneyOf(then['order_id'] as StayRecord['orderId'], { settledFen, receivableFen: settledFen, paidFen }, PayState.nothing)
}

interface Exit {
  wrong: StayRecord
  own: Money
  gonePlate: string
  reason: string
  at: Instant
  by: string
}
/** The car that left, left there and then, and paid what was paid there. */
async function leaves(tx: Tx, gone: StayRecord | undefined, { wrong, own, gonePlate, reason, at, by }: Exit): Promise<unknown> {
  const { parkCode, areaCode, exitGate, exitImage, exitMode } = wrong
  const exitTime = wrong.exitTime!
  const exit = { exitGate, exitImage, exitMode, exitTime, operatorOut: by }
  const there = {
    settledFen: wrong.settledFen - own.settledFen,
    receivableFen: (wrong.receivableFen - own.receivableFen) as Fen,
    paidFen: (wrong.paidFen - own.paidFen) as Fen,
  }
  if (gone) {
    await cancelDue(tx, gone, reason, at)
    const all = {
      settledFen: gone.settledFen + there.settledFen,
      receivableFen: (gone.settledFen + there.receivableFen) as Fen,
      paidFen: (gone.paidFen + there.paidFen) as Fen,
    }
    const money = moneyOf(there.receivableFen ? wrong.orderId : gone.orderId, all, PayState.free)
    const durationMin = gone.entryTime ? minutesBetween(gone.entryTime, exitTime) : 0
    return moveStay(tx, gone, 'leave', { ...exit, ...money, durationMin, carKindOut: gone.carKindIn })
  }
  const plateColor = impliedColor(gonePlate)
  return insertStay(tx, {
    ...exit,
    ...moneyOf(wrong.orderId, there, PayState.free),
    ...{ id: randomUUIDv7() as Id<StayId>, parkCode, areaCode, plateNo: gonePlate, plateColor, vehicleClass: vehicleClassOf(gonePlate, plateColor) },
    ...{ carKindIn: CarKind.temporary, status: SessionStatus.left, abnormalType: SessionAbnormal.noEntry, durationMin: 0, remark: reason },
  } as NewStay)
}
