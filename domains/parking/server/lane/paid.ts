import type { Fen, Id, Instant } from '../../../../platform/contract/field.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { addJob, task } from '../../../../platform/server/job/jobs.ts'
import type { Settled } from '../../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../../settlement/contract/order.ts'
import { LaneCheck, LaneOutcome, PayState, SessionStatus, type StayId } from '../../contract/stay.ts'
import { yuan } from './admission.ts'
import { decideAgain } from './again.ts'
import { askedAt } from '../bill/asked.ts'
import { currentOf } from '../stay/correction.ts'
import {
  debtsDecided,
  holdLane,
  isKeptOpen,
  type LaneNow,
  laneNow,
  laneRecordOf,
  openBarrier,
  type ParkRow,
  setLane,
  showLines,
  tryHoldLane,
} from './lane.ts'
import { asSettled, type Bill, billStay, isAsked, letDiscountsGo } from '../bill/money.ts'
import { parkOf } from '../place/park.ts'
import { paidAtExit } from '../report/passTime.ts'
import { standsThere } from './sighting.ts'
import { after } from './passing.ts'
import { type AnyStay, editStay, readStay, type StayRecord } from '../stay/stayMoves.ts'
import type { LaneRecord } from '../tables.ts'
import { alsoDueOf } from '../questions.ts'
import { Direction, SignEvent } from '../../contract/gate.ts'
import { ExitArrears } from '../../contract/park.ts'
import { LaneState } from '../../contract/laneBoard.ts'

/** Nothing more is asked of the stay: it was free, let off, or should never have been asked. */
const NOT_ASKED: readonly number[] = [OrderStatus.free, OrderStatus.cancelled, OrderStatus.refunded, OrderStatus.waived]

/**
 * An order was settled, in the transaction that settles it: the stay knows at once, and if its car stands at an exit the barrier opens. The command is repeated
 * until the device answers, while the car stands there; the device opens once for one order.
 */
export async function orderSettled(tx: Tx, settled: Settled): Promise<true | undefined> {
  if (settled.type !== OrderType.temporaryParking || !settled.stayId) return undefined
  const stay = await currentOf(tx, settled.stayId as Id<StayId>)
  if (stay.orderId !== (settled.orderId as string)) return undefined
  const [receivableFen, paidFen] = [(stay.settledFen + settled.receivableFen) as Fen, (stay.paidFen + settled.paidFen) as Fen]
  const paid = await editStay(tx, stay, {
    payState: NOT_ASKED.includes(settled.status) ? PayState.free : PayState.paid,
    ...{ paidFen, payableFen: paidFen, receivableFen, settledFen: receivableFen, discountFen: (receivableFen - paidFen) as Fen },
  })
  if (stay.status === SessionStatus.present || stay.status === SessionStatus.leaving) await paidInside(tx, paid, settled)
  if (stay.status !== SessionStatus.leaving) await letDebtorGo(tx, stay)
  return true
}

/** It may leave, and has a while for it; unless it paid an amount that was not good any more, and more is due by now. */
async function paidInside(tx: Tx, stay: StayRecord, { orderNo, inTime, paidAt, at }: Settled): Promise<void> {
  const park = await parkOf(tx, stay.parkCode)
  const rest = inTime ? undefined : await restOf(tx, park, stay, at)
  if (rest) return stay.status === SessionStatus.leaving ? askRest(tx, stay, rest, at) : undefined
  const free = await editStay(tx, stay, { graceUntil: later(stay.graceUntil, after(paidAt, park.exitGraceMin)) })
  if (stay.status === SessionStatus.leaving) await openFor(tx, free, orderNo, paidAt)
}

/** What a handheld has kept may be older than what was paid last: that one's time to leave stands. */
const later = (before: Instant | null, until: Instant): Instant => (before !== null && msOf(before) > msOf(until) ? before : until)
/** What a stay asks beyond what was paid for an amount that was not good any more. */
async function restOf(tx: Tx, park: ParkRow, stay: StayRecord, at: Instant): Promise<Bill | undefined> {
  const { bill } = await askedAt(tx, park, stay, at)
  return bill && isAsked(stay, bill) ? bill : undefined
}
/** A car at an exit is asked for the rest at once; one that is inside when it comes there. */
const askRest = async (tx: Tx, stay: StayRecord, bill: Bill, at: Instant): Promise<void> =>
  tellDue(tx, await editStay(tx, stay, await billStay(tx, stay, bill, at)), at)

/** Somebody is about to pay an order whose amount is old: it asks what is due now. */
export async function orderDue(tx: Tx, { orderId, stayId, at }: { orderId: string; stayId: string; at: Instant }): Promise<true | undefined> {
  const stay = await currentOf(tx, stayId as Id<StayId>)
  if (
    stay.orderId !== orderId ||
    stay.payState !== PayState.toPay ||
    (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving)
  )
    return undefined
  const { bill, free } = await askedAt(tx, await parkOf(tx, stay.parkCode), stay, at)
  if (!bill) return undefined
  const asked = await editStay(tx, stay, await billStay(tx, stay, bill, at))
  if (asked.status === SessionStatus.leaving) await (free ? lookAgain(tx, asked) : tellDue(tx, asked, at))
  return true
}

/** A person cancelled the order of a stay: it has none any more. A car that stands at an exit is asked anew, by an order of its own. */
export async function orderGone(tx: Tx, { orderId, stayId, at }: { orderId: string; stayId: string | null; at: Instant }): Promise<true | undefined> {
  if (stayId === null) return undefined
  const stay = await currentOf(tx, stayId as Id<StayId>)
  if (stay.orderId !== orderId) return undefined
  await letDiscountsGo(tx, stay, at)
  await editStay(tx, stay, asSettled(stay))
  if (stay.status === SessionStatus.leaving) await lookAgain(tx, stay)
  return true
}
/** The car of a stay stands at an exit that has not opened: it is decided about anew. Its order may be held already. */
export async function lookAgain(tx: Tx, stay: StayRecord): Promise<void> {
  const lane = await heldExitOf(tx, stay)
  const car = lane && standsThere(lane)
  if (car && !lane.openRef) await decideAgain(tx, { ...car, live: true, gone: false })
}

/** The same by its number: an order beside its fee was settled. Nothing where the car stands at no exit. */
export const lookAgainAt = async (tx: Tx, stayId: Id<StayId>): Promise<void> => lookAgain(tx, await readStay(tx, stayId))

/** The lane and its sign show what the car before it owes by now: the fee first, then what is asked beside it. */
export async function tellDue(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  const lane = await heldExitOf(tx, stay)
  const now = lane && (await laneNow(tx, lane.parkCode, lane.gateCode))
  if (!now || lane.openRef) return
  const restFen = stay.payableFen - stay.paidFen
  const [also] = restFen > 0 ? [] : await alsoDueOf(tx, stay.id, at)
  const dueFen = (also?.dueFen ?? restFen) as Fen
  await Promise.all([
    showLines(tx, now.gate, [stay.plateNo, `请缴费 ${yuan(dueFen)} 元`], SignEvent.toPay, { dueFen, parkName: now.park.name }),
    setLane(tx, now.gate, { ...lane, dueFen, dueOrderId: also?.orderId ?? null }),
  ])
}
/**
 * The same, held. None while somebody else decides there, which may be about the next car, or about this one as it was: what is said now holds, and the lane is looked at again as
 * soon as they are done.
 */
async function heldExitOf(tx: Tx, stay: StayRecord): Promise<LaneRecord | undefined> {
  const seen = await exitOf(tx, stay)
  return seen && (await heldOrLater(tx, seen)) ? exitOf(tx, stay) : undefined
}
type LaneAt = Pick<LaneRecord, 'gateCode'>
async function heldOrLater(tx: Tx, { gateCode }: LaneAt): Promise<boolean> {
  const held = await tryHoldLane(tx, { gateCode })
  if (!held) await addJob(tx, lookTask, { gateCode }, { key: `${lookTask.name}:${gateCode}` })
  return held
}
/** An exit at which somebody else was deciding while its car's order was settled, or what it owed from before. */
export const lookTask = task<LaneAt>('parking.look-again', ({ tx, data }) => lookAt(tx, data))
export async function lookAt(tx: Tx, { gateCode }: LaneAt): Promise<void> {
  const seen = await laneRecordOf(tx, gateCode)
  if (!seen) return
  await holdLane(tx, { parkCode: seen.parkCode, gateCode })
  const lane = await laneRecordOf(tx, gateCode)
  const car = lane?.stayId && lane.direction === Direction.exit && !lane.openRef && standsThere(lane)
  if (car) await decideAgain(tx, { ...car, live: true, gone: false })
}
/** The exit at which the car of a stay stands. */
export const exitOf = async (tx: Tx, { id }: Pick<StayRecord, 'id'>): Promise<LaneRecord | undefined> =>
  (
    await run<LaneRecord>(
      tx,
      { sql: `select * from parking.lane where enterprise_id = scope_enterprise() and stay_id = $1 and direction = ${Direction.exit}` },
      [id],
    )
  )[0]

/** Arrears were paid: a car that stands at an exit because of them is looked at again. */
async function letDebtorGo(tx: Tx, { plateNo, status }: AnyStay): Promise<void> {
  if (plateNo === null) return
  if (status !== SessionStatus.present) await addJob(tx, debtorTask, { plateNo })
  for (const { gateCode } of await run<LaneRecord>(tx, WAITS_TO_PAY, [plateNo, null])) {
    if (!(await heldOrLater(tx, { gateCode }))) continue
    const [lane] = await run<LaneRecord>(tx, WAITS_TO_PAY, [plateNo, gateCode])
    const car = lane && standsThere(lane)
    if (car) await decideAgain(tx, { ...car, live: true, gone: false })
  }
}
/** An exit that was deciding by what the car owed from before, while that was being paid, looks again. */
export const debtorTask = task<{ plateNo: string }>('parking.debtor-paid', ({ tx, data }) => lookAtDebtor(tx, data))
export async function lookAtDebtor(tx: Tx, { plateNo }: { plateNo: string }): Promise<void> {
  await debtsDecided(tx, plateNo)
  for (const { gateCode } of await run<LaneAt>(tx, WAITS_FOR_DEBTS, [plateNo, null])) await addJob(tx, lookTask, { gateCode })
}
const WAITS_TO_PAY = {
  sql: `select * from parking.lane where enterprise_id = scope_enterprise() and plate_no = $1 and ($2::text is null or gate_code = $2) and direction = ${Direction.exit}
    and outcome = ${LaneOutcome.toPay} and open_ref is null order by gate_code`,
}
const WAITS_FOR_DEBTS = {
  sql: WAITS_TO_PAY.sql.replace('order by', `and checks @> '[{"check": ${LaneCheck.exitArrears}, "hit": true}]' order by`),
}

/** Opens the exit at which this stay's car stands, unless it has been told to open already. */
export async function openFor(tx: Tx, stay: StayRecord, orderNo: string, paidAt: Instant): Promise<void> {
  const seen = await exitOf(tx, stay)
  if (!seen || seen.openRef) return
  await paidAtExit(tx, seen, stay, orderNo, paidAt)
  const lane = await heldExitOf(tx, stay)
  if (!lane || lane.openRef) return
  const now = await laneNow(tx, lane.parkCode, lane.gateCode)
  if (!now) return
  const car = standsThere(lane)
  const owesMore = now.park.exitArrears === ExitArrears.payFirst || (await alsoDueOf(tx, stay.id, stay.exitTime ?? paidAt)).length > 0
  if (owesMore && car) return decideAgain(tx, { ...car, live: true, gone: false })
  const commandId = await openBarrier(tx, now, { reason: 'paid', ref: orderNo, persist: true })
  await Promise.all([
    showLines(tx, now.gate, [stay.plateNo, '已缴费', '一路平安'], SignEvent.paid, { parkName: now.park.name }),
    setOpening(tx, now, lane, orderNo, commandId),
  ])
}
const setOpening = (tx: Tx, { gate }: LaneNow, lane: LaneRecord, openRef: string, commandId: string | null) =>
  setLane(tx, gate, { ...lane, state: LaneState.opening, outcome: LaneOutcome.pass, dueFen: 0 as Fen, dueOrderId: null, openRef, commandId })

/** May a barrier that did not answer be told again? Only while this very car still stands before it, and nobody keeps it open since. */
export async function stillStands(tx: Tx, { orderId, gateCode }: { orderId: string; gateCode: string | null }): Promise<boolean> {
  const sql = 'select * from parking.lane where gate_code = $1 and open_ref = $2 and stay_id is not null'
  const [lane] = await run<LaneRecord>(tx, { sql }, [gateCode, orderId])
  return lane !== undefined && !isKeptOpen(lane, begunAt(tx))
}
