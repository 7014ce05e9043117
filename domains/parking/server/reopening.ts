import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { impliedColor, vehicleClassOf } from '../../../platform/contract/plate.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { lockOrders, type OrderRow, ordersOfStay } from '../../settlement/server/api.ts'
import { CarKind, PayState, SessionAbnormal, SessionStatus, type stay, type StayId } from '../contract/stay.ts'
import { AlreadyInside, NothingToRestore, OUT_AGAIN, ordinaryPlate, replaceFinal } from './correction.ts'
import { insertStay, type NewStay } from './entrance.ts'
import { endHold } from './holding.ts'
import { holdLane } from './lane.ts'
import { cancelDue } from './money.ts'
import { chainOf } from './story.ts'
import { lockStay, minutesBetween, moveStay, openStaysOf, readStay, type StayRecord } from './stayMoves.ts'

const NoExit = refusal(
  'parking.no-exit-to-undo',
  40896,
  '只能撤销经出口车道离场的记录；清场请到“清场记录”撤销',
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
  '车辆 {plateNo} 之后又有停车记录，说明它确已离场',
  '{plateNo} has a later stay, so it did leave',
)
const CameAfter = refusal(
  'parking.came-after',
  40895,
  '车辆 {plateNo} 在这次离场之后才入场，请核对实际离场的车牌',
  '{plateNo} came in after this exit: check which plate left',
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
  for (const one of [plateNo, gonePlate]) await holdLane(tx, { parkCode, gateCode: exitGate, plateNo: one })
  const gone = await insideOrUnseen(tx, seen, gonePlate)
  await lockOrders(tx, gone?.orderId ? [gone.orderId] : [])
  const wrong = await lockStay(tx, id, version)
  await because(tx, reason)
  await refuseInside(tx, wrong)
  const left = gone && (await lockStay(tx, gone.id))
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

/** A car that is inside, or has come again since, cannot have stayed. */
async function refuseInside(tx: Tx, wrong: StayRecord): Promise<void> {
  const { id, parkCode, plateNo, plateColor, exitTime } = wrong
  if ((await openStaysOf(tx, parkCode, wrong)).length) throw AlreadyInside({ plateNo })
  const later = await run(tx, LATER, [parkCode, plateNo, plateColor, exitTime, id])
  if (later.length) throw CameAgain({ plateNo })
}
const LATER = {
  sql: `select from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and (plate_color = $3 or plate_color is null or $3::smallint is null)
    and seen_at > $4 and status <> ${SessionStatus.void} and id <> $5 limit 1`,
}

/** The stay of who left, as it stands inside; none where nobody saw it coming in. */
async function insideOrUnseen(tx: Tx, { parkCode, plateNo, exitTime }: StayRecord, gonePlate: string): Promise<StayRecord | undefined> {
  if (gonePlate === plateNo) throw BadInput({ zh: '实际离场的车牌与本记录相同', en: 'the car that left cannot be the car of this record' })
  const [inside] = await openStaysOf(tx, parkCode, { plateNo: gonePlate, plateColor: impliedColor(gonePlate) })
  if (inside?.entryTime && msOf(inside.entryTime) > msOf(exitTime!)) throw CameAfter({ plateNo: gonePlate })
  return inside && readStay(tx, inside.id)
}

type Money = Pick<StayRecord, 'orderId' | 'payState' | 'settledFen' | 'receivableFen' | 'discountFen' | 'payableFen' | 'paidFen'>
const moneyOf = (orderId: StayRecord['orderId'], settledFen: number, paidFen: number, nothing: StayRecord['payState']): Money => ({
  orderId: settledFen ? orderId : null,
  payState: settledFen ? PayState.paid : nothing,
  settledFen,
  receivableFen: settledFen as Fen,
  discountFen: (settledFen - paidFen) as Fen,
  payableFen: paidFen as Fen,
  paidFen: paidFen as Fen,
})
/** What the record's own car had paid before another one stood at the exit in its name. */
async function paidBefore(tx: Tx, wrong: StayRecord): Promise<Money> {
  const ids = [wrong.id, ...(await chainOf(tx, wrong))]
  const orders = (await Promise.all(ids.map((one) => ordersOfStay(tx, one)))).flat()
  const own = orders.filter(({ payTime }) => payTime !== null && msOf(payTime) <= msOf(wrong.exitTime!))
  const sum = (of: 'receivableFen' | 'paidFen') => own.reduce((all, order: OrderRow) => all + order[of], 0)
  return moneyOf((own.at(-1)?.id ?? null) as StayRecord['orderId'], sum('receivableFen'), sum('paidFen'), PayState.nothing)
}

interface Exit {
  wrong: StayRecord
  own: Money
  gonePlate: string
  reason: string
  at: Instant
  by: string
}
/** Who left, left there and then, and paid what was paid there. */
async function leaves(tx: Tx, gone: StayRecord | undefined, { wrong, own, gonePlate, reason, at, by }: Exit): Promise<unknown> {
  const { parkCode, areaCode, exitGate, exitImage, exitMode } = wrong
  const exitTime = wrong.exitTime!
  const exit = { exitGate, exitImage, exitMode, exitTime, operatorOut: by }
  const there = { settledFen: wrong.settledFen - own.settledFen, paidFen: wrong.paidFen - own.paidFen }
  if (gone) {
    await cancelDue(tx, gone, reason, at)
    const money = moneyOf(
      there.settledFen ? wrong.orderId : gone.orderId,
      gone.settledFen + there.settledFen,
      gone.paidFen + there.paidFen,
      PayState.free,
    )
    const durationMin = gone.entryTime ? minutesBetween(gone.entryTime, exitTime) : 0
    return moveStay(tx, gone, 'leave', { ...exit, ...money, durationMin, carKindOut: gone.carKindIn })
  }
  const plateColor = impliedColor(gonePlate)
  return insertStay(tx, {
    ...exit,
    ...moneyOf(wrong.orderId, there.settledFen, there.paidFen, PayState.free),
    ...{ id: randomUUIDv7() as Id<StayId>, parkCode, areaCode, plateNo: gonePlate, plateColor, vehicleClass: vehicleClassOf(gonePlate, plateColor) },
    ...{ carKindIn: CarKind.temporary, status: SessionStatus.left, abnormalType: SessionAbnormal.noEntry, durationMin: 0, remark: reason },
  } as NewStay)
}
