import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import type { LaneEvent } from '../../../device/server/api.ts'
import { takeOrders } from '../../../settlement/server/api.ts'
import { holdLane, isKeptOpen, type ParkRow, showIdle, tryHoldLane } from './lane.ts'
import { cancelDue, lockWithOrder, oweRest } from '../bill/money.ts'
import { noPassTime, passedAfterPaying } from '../report/passTime.ts'
import { laneTopic, parkTopic } from '../questions.ts'
import { lockStay, moveStay, type StayRecord } from '../stay/stayMoves.ts'
import type { LaneRecord } from '../tables.ts'
import { Direction } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { PayState, SessionAbnormal, SessionStatus, StayPlace } from '../../contract/stay.ts'
import { Said } from '../../contract/said.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'

/**
 * What becomes of a car after its decision: it passes, backs out, forces the barrier or follows another. The barrier tells by opening and closing; where it
 * tells nothing, the next car or ten minutes do.
 */

/** The barrier of a lane moved. Closed after having been open, with a car that was let through: that car has passed. */
export async function barrierMoved(tx: Tx, lane: LaneRecord | undefined, event: LaneEvent): Promise<void> {
  if (!lane || !event.state) return
  const down = event.state === 'closed' && lane.gateState === 'opened'
  if (down && lane.stayId === null && raisedFor(lane) && (await isBetweenAreas(tx, lane))) return clearLane(tx, lane, event)
  const cameDown = down && lane.stayId !== null
  const passed = cameDown && event.body['passed'] !== false
  if (passed && lane.direction === Direction.entrance) return clearLane(tx, lane, event)
  await tellBarrier(tx, lane, event)
  if (cameDown && !passed && lane.direction === Direction.entrance) return backedOutOfEntrance(tx, lane, event.deviceTime)
  if (!passed) return
  if (lane.openRef) return passedExit(tx, lane, event.deviceTime)
  // It was not opened for this car, and yet only after this car had come: it was raised by hand or by force.
  if (raisedFor(lane)) await escaped(tx, lane, FORCED, event.deviceTime)
}
/** Opened before the car that stands there had come, it was for the car ahead. */
const raisedFor = ({ since, gateAt }: LaneRecord) => since !== null && gateAt !== null && Date.parse(gateAt) > Date.parse(since)
/** An inner gate keeps no stay: whoever stood before it has gone through, or away. */
const isBetweenAreas = async (tx: Tx, { gateCode }: LaneRecord): Promise<boolean> => (await run(tx, INNER, [gateCode])).length > 0
const INNER = {
  sql: 'select from parking.gate where enterprise_id = scope_enterprise() and gate_code = $1 and area_from is not null and area_to is not null',
}
const FORCED = { abnormalType: SessionAbnormal.forced, sourceType: ArrearsSource.droveThrough } as const
const TAILGATED = { abnormalType: SessionAbnormal.tailgated, sourceType: ArrearsSource.tailgated } as const

/** A barrier that comes down is not kept open any more; one that comes down behind the car before, while it is still to hear of it, is. */
const KEPT_NO_LONGER = `kept_open_until = case when $2 = 'closed' and $3 > kept_open_from + interval '15 seconds' then null else kept_open_until end`
const tellBarrier = (tx: Tx, { parkCode, gateCode }: LaneRecord, { state, deviceTime }: LaneEvent) =>
  Promise.all([
    run(tx, { sql: `update parking.lane set gate_state = $2, gate_at = $3, ${KEPT_NO_LONGER} where gate_code = $1` }, [gateCode, state, deviceTime]),
    tell(tx, laneTopic, { park: parkCode, ids: [gateCode] }),
  ])

async function passedExit(tx: Tx, lane: LaneRecord, at: Instant): Promise<void> {
  const stay = await lockWithOrder(tx, lane.stayId!)
  if (stay.status === SessionStatus.leaving) {
    if (stay.paidFen > 0) await passedAfterPaying(tx, stay, at)
    await leave(tx, stay, at)
  }
  await clearLane(tx, lane)
}
/** The stay is over. What is not paid by now was let go in arrears by whoever opened. */
export async function leave(tx: Tx, stay: StayRecord, at: Instant): Promise<StayRecord> {
  const [gone] = await Promise.all([
    moveStay(tx, stay, 'leave', await oweRest(tx, stay, ArrearsSource.letOut, at)),
    tell(tx, parkTopic, { park: stay.parkCode, ids: [stay.parkCode] }),
    // How long it took nobody saw, unless the barrier has told it.
    stay.paidFen > 0 && noPassTime(tx, stay),
  ])
  return gone
}

/** It is out and has not paid: abnormal, and what is due becomes arrears. */
async function escaped(tx: Tx, lane: LaneRecord, how: typeof FORCED | typeof TAILGATED, at: Instant): Promise<void> {
  const stay = await lockWithOrder(tx, lane.stayId!)
  if (stay.status === SessionStatus.leaving)
    await moveStay(tx, stay, 'leave', { abnormalType: how.abnormalType, ...(await oweRest(tx, stay, how.sourceType, at)) })
  await clearLane(tx, lane)
}

/** Admitted, but the barrier came down with nobody through. */
async function backedOutOfEntrance(tx: Tx, lane: LaneRecord, at: Instant): Promise<void> {
  const stay = await lockWithOrder(tx, lane.stayId!)
  if (stay.status === SessionStatus.present && stay.entryGate === lane.gateCode) {
    await moveStay(tx, stay, 'void', { abnormalType: SessionAbnormal.backedOut, ...(await cancelDue(tx, stay, Said.backedOut, at)) })
    await tell(tx, parkTopic, { park: stay.parkCode, ids: [stay.parkCode] })
  }
  await clearLane(tx, lane)
}

/** `barrier`: it came down just now. */
export async function clearLane(tx: Tx, { parkCode, gateCode }: Pick<LaneRecord, 'parkCode' | 'gateCode'>, barrier?: LaneEvent): Promise<void> {
  const values = [gateCode, barrier?.state ?? null, barrier?.deviceTime ?? null]
  await Promise.all([run(tx, CLEAR_LANE, values), tell(tx, laneTopic, { park: parkCode, ids: [gateCode] }), showIdle(tx, { parkCode, gateCode })])
}
const CLEAR_LANE = {
  sql: `update parking.lane set state = ${LaneState.free}, since = null, stay_id = null, decision_id = null, direction = null, plate_no = null, plate_color = null, image = null,
    due_fen = 0, due_order_id = null, outcome = null, checks = '[]', candidates = '[]', asked = null, open_ref = null, gate_state = coalesce($2, gate_state), gate_at = coalesce($3, gate_at), ${KEPT_NO_LONGER}
    where gate_code = $1`,
}

/**
 * Another car stands at an exit where one stood before: a lane is a queue, so the first has gone on. Let through, it passed; else, if it had come up while the
 * barrier was open for the one ahead of it, it followed that one out. Otherwise it may have backed away; ten minutes will tell.
 */
export async function nextCar(tx: Tx, lane: LaneRecord | undefined, plateNo: string, at: Instant): Promise<{ behind: boolean }> {
  const barrierUp = lane?.gateState === 'opened'
  if (!lane?.stayId || lane.direction !== Direction.exit || lane.plateNo === plateNo) return { behind: false }
  const stay = await lockWithOrder(tx, lane.stayId)
  if (stay.plateNo === plateNo || stay.status !== SessionStatus.leaving) return { behind: barrierUp && lane.openRef !== null }
  if (lane.openRef) await leave(tx, stay, at)
  else if (stay.tailing) await escaped(tx, lane, TAILGATED, at)
  return { behind: barrierUp && lane.openRef !== null }
}

/** A car that was seen at an exit and has not passed within this time is taken to have gone back in. */
export const BACK_OUT_MIN = 10
/** So many in one minute's round; the rest wait for the next. */
const ROUND_MAX = 200

/** Once a minute: cars that stand at exits for too long. Where somebody decides, pays or corrects just now the next round sees what came of it. */
export async function settleExits(tx: Tx, at: Instant): Promise<void> {
  const waiting = await run<Pick<StayRecord, 'id' | 'orderId'>>(tx, WAITING, [at])
  const free = []
  for (const stay of waiting) {
    const [lane] = await run<LaneRecord>(tx, STANDS_AT, [stay.id])
    if (!lane || (await tryHoldLane(tx, lane))) free.push(stay)
  }
  const orders = await takeOrders(
    tx,
    free.flatMap(({ orderId }) => orderId ?? []),
  )
  for (const { id } of await run<Pick<StayRecord, 'id'>>(tx, TAKE, [free.map(({ id }) => id)])) {
    const stay = await lockStay(tx, id)
    if (stay.orderId === null || orders.has(stay.orderId)) await settleExit(tx, stay, at)
  }
}
const WAITING = {
  sql: `select id, order_id from parking.stay where enterprise_id = scope_enterprise() and status = ${SessionStatus.leaving} and p_type = ${StayPlace.park} and third_platform is null and exit_time < $1::timestamptz - make_interval(mins => ${BACK_OUT_MIN}) order by seen_at limit ${ROUND_MAX}`,
}
const TAKE = {
  sql: 'select id from parking.stay where enterprise_id = scope_enterprise() and id = any ($1::uuid[]) order by id for no key update skip locked',
}
const STANDS_AT = { sql: `select * from parking.lane where enterprise_id = scope_enterprise() and stay_id = $1 and direction = ${Direction.exit}` }
async function settleExit(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  if (stay.status !== SessionStatus.leaving) return
  const [lane] = await run<LaneRecord>(tx, STANDS_AT, [stay.id])
  // A gate that never tells how its barrier moves, or is kept open: told to open, it is taken to have let the car out.
  if (lane?.openRef && (lane.gateState === null || isKeptOpen(lane, at))) await leave(tx, stay, at)
  else if (stay.tailing && stay.payState === PayState.toPay)
    await moveStay(tx, stay, 'leave', { abnormalType: TAILGATED.abnormalType, ...(await oweRest(tx, stay, TAILGATED.sourceType, at)) })
  else await backOut(tx, stay, at)
  if (lane) await clearLane(tx, lane)
}
/**
 * Once a minute: a car that an inner gate or a locked one did not let through has gone elsewhere by then. An unlock would move it, or let it in, all the same. One that an
 * entrance or exit asks a person about stays until that person has looked, and one that a loop of the gate feels is still there.
 */
export async function forgetGone(tx: Tx, at: Instant): Promise<void> {
  for (const lane of await run<GateOfCar>(tx, NOT_LET_THROUGH, [at, null])) {
    await holdLane(tx, lane)
    const [still] = await run<GateOfCar>(tx, NOT_LET_THROUGH, [at, lane.gateCode])
    if (still) await clearLane(tx, still)
  }
}
/** A gate tells how its loops are every minute: what it told longer ago is not believed. */
const LOOPS_TOLD_MIN = 3
type GateOfCar = Pick<LaneRecord, 'parkCode' | 'gateCode'>
const NOT_LET_THROUGH = {
  sql: `select l.park_code, l.gate_code from parking.lane l join parking.gate g on g.enterprise_id = l.enterprise_id and g.gate_code = l.gate_code
    where l.enterprise_id = scope_enterprise() and ($2::text is null or l.gate_code = $2) and l.asked is not null and l.stay_id is null
      and l.since < $1::timestamptz - make_interval(mins => ${BACK_OUT_MIN}) and (g.locked_by is not null or (g.area_from is not null and g.area_to is not null))
      and not exists (select from device.status d where d.enterprise_id = l.enterprise_id and d.park_code = l.park_code and d.gate_code = l.gate_code and d.online
        and d.last_seen_at > now() - interval '${LOOPS_TOLD_MIN} minutes' and '1' in (d.state ->> 'loop1', d.state ->> 'loop2'))
    order by l.gate_code limit ${ROUND_MAX}`,
}

/** It is inside again. What it paid stays with its stay, and its time to leave begins once more, but only once. */
async function backOut(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  if (!stay.entryTime) return void (await moveStay(tx, stay, 'flag')) // never seen coming in: a person must look
  const [park] = await run<Pick<ParkRow, 'exitGraceMin'>>(tx, { sql: 'select exit_grace_min from parking.park where park_code = $1' }, [
    stay.parkCode,
  ])
  if (stay.paidFen > 0) await noPassTime(tx, stay)
  const again = stay.paidFen > 0 && stay.graceRestarts === 0
  await moveStay(tx, stay, 'backOut', {
    exitGate: null,
    exitTime: null,
    exitImage: null,
    exitMode: null,
    durationMin: null,
    carKindOut: null,
    operatorOut: null,
    tailing: false,
    abnormalType: stay.abnormalType || 7,
    ...(again && { graceUntil: after(at, park!.exitGraceMin), graceRestarts: 1 }),
  })
}
export const after = (at: Instant, minutes: number): Instant => new Date(Date.parse(at) + minutes * 60_000).toISOString() as Instant
