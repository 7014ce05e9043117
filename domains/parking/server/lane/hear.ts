import { impliedColor, normalizePlate, plateColorOf, readsAsUnplated, unplatedToken } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import type { LaneEvent } from '../../../device/server/api.ts'
import { decideAgain } from './again.ts'
import { atEntrance } from './entrance.ts'
import { atExit } from './exit.ts'
import { asItWas, holdLane, laneNow, type LaneNow, laneRecordOf, UNREAD } from './lane.ts'
import { note, offlineEntrance, offlineExit } from './offline.ts'
import { readFromBehind } from './otherWay.ts'
import { BACK_OUT_MIN, barrierMoved, nextCar } from './passing.ts'
import { laneTopic, standingOf } from '../questions.ts'
import { knownAs, type Sighting, standsThere } from './sighting.ts'
import type { LaneRecord } from '../tables.ts'
import { minutesBetween, openStaysOf } from '../stay/stayMoves.ts'
import { betweenAreas, isInner } from './transfer.ts'
import { Direction } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { LaneOutcome, PassMode } from '../../contract/stay.ts'

/** The answer to `device.laneEvent`: what happened at a lane is decided and done in the transaction that keeps the message. */
export async function hearLane(tx: Tx, event: LaneEvent): Promise<void> {
  if (event.type === 'plate') return plateRead(tx, event)
  if (event.type !== 'gate' && event.type !== 'button') return
  // One round trip, the locks first: a barrier tells of itself twice for each car.
  const [, lane] = await Promise.all([holdLane(tx, event), laneRecordOf(tx, event.gateCode)])
  if (event.type === 'gate') return barrierMoved(tx, lane, event)
  if (!(await laneNow(tx, event.parkCode, event.gateCode))) return // a device was bound to a gate that nobody has set up
  await run(tx, CALLS, [event.parkCode, event.gateCode, event.deviceTime])
  await tell(tx, laneTopic, { park: event.parkCode, ids: [event.gateCode] })
}
/** The help button: the lane calls until a person or the next car answers. */
const CALLS = {
  sql: `insert into parking.lane (park_code, gate_code, state, since) values ($1, $2, 6, $3)
    on conflict (enterprise_id, gate_code) do update set state = ${LaneState.calling}, since = coalesce(parking.lane.since, excluded.since)`,
}

async function plateRead(tx: Tx, event: LaneEvent): Promise<void> {
  const read = readingOf(event)
  // One round trip: the locks first, so that what is read behind them is true until the end.
  const [, found, open, standing] = await Promise.all([
    holdLane(tx, { ...event, plateNo: read.plateNo }),
    laneNow(tx, event.parkCode, event.gateCode),
    openStaysOf(tx, event.parkCode, read),
    standingOf(tx, { parkCode: event.parkCode, gateCode: event.gateCode, ...read, at: event.deviceTime }),
  ])
  if (!found) return // a device was bound to a gate that nobody has set up
  const car = sightingOf(event, found, read)
  if (event.seq !== null && !(await firstTold(tx, event, read.plateNo))) return
  const now = car.gone ? { ...found, park: await asItWas(tx, found.park, car.at) } : found
  const known = { open, standing }
  const behind = await readFromBehind(tx, now, car, known)
  if (behind) return note(tx, car, behind, LaneOutcome.ignore, '对向相机重复识别，忽略', 'Read from behind by the other camera, ignored')
  if (isInner(now.gate)) return betweenAreas(tx, now, car, known)
  if (car.direction === Direction.entrance) {
    if (!car.plateNo) car.plateNo = unplatedToken()
    return void (car.gone ? await offlineEntrance(tx, now, car, known) : await atEntrance(tx, now, car, known))
  }
  if (!car.plateNo) car.plateNo = UNREAD
  if (car.gone) return offlineExit(tx, now, car, known)
  const stands = readAgain(now.lane, car)
  if (stands) {
    await holdLane(tx, stands)
    return decideAgain(tx, stands)
  }
  const next = await nextCar(tx, now.lane, car.plateNo, car.at)
  await atExit(tx, now, { ...car, ...next }, known)
}

/** The car that stands at an exit is read once more, as wrongly as before: whose it is has been said, by a person or by likeness. */
function readAgain(lane: LaneRecord | undefined, car: Sighting): Sighting | undefined {
  const before = lane?.stayId && lane.direction === Direction.exit ? standsThere(lane) : undefined
  if (car.plateNo === UNREAD || before?.readAs !== car.plateNo || minutesBetween(before.at, car.at) >= BACK_OUT_MIN) return undefined
  return knownAs(car, before)
}

/** What the camera read, in the form in which plates are kept; empty when it read none. A part of a plate is kept: it may be matched by likeness. */
function readingOf({ plate, color }: LaneEvent) {
  const text = normalizePlate(plate ?? '')
    .replace(NO_PLATE_CHARACTER, '')
    .slice(0, PLATE_MAX)
  const plateNo = readsAsUnplated(text) ? '' : text
  return { plateNo, plateColor: plateColorOf(color) ?? impliedColor(plateNo) }
}
const NO_PLATE_CHARACTER = /[^\p{Script=Han}A-Z0-9]/gu
const PLATE_MAX = 16

function sightingOf(event: LaneEvent, { gate }: LaneNow, read: ReturnType<typeof readingOf>): Sighting {
  const { confidence } = event
  return {
    parkCode: event.parkCode,
    gateCode: event.gateCode,
    direction: gate.direction === Direction.both ? (event.direction === 'out' ? Direction.exit : Direction.entrance) : gate.direction,
    at: event.deviceTime,
    receivedAt: event.receivedAt,
    ...read,
    confidence: confidence === undefined ? null : Math.round(Math.min(Math.max(confidence, 0), 1) * 1000),
    image: event.image ?? null,
    messageId: event.messageId,
    mode: PassMode.camera,
    offline: event.offline,
    live: event.mayOpen,
    gone: event.offline && !event.mayOpen && (event.seq !== null || minutesBetween(event.deviceTime, event.receivedAt) >= BACK_OUT_MIN),
  }
}

/** By the lane's own counting: what it uploads a second time was done the first time. A number whose event is of another car or time was counted by a lane that began anew. */
async function firstTold(tx: Tx, { parkCode, gateCode, seq, messageId, deviceTime }: LaneEvent, plateNo: string): Promise<boolean> {
  const told = await run(tx, FIRST_TOLD, [parkCode, gateCode, seq, messageId, deviceTime, plateNo])
  return told.length > 0
}
/** Between two tellings of one event a lane may have set its clock by this much. */
const SAME_EVENT = '10 minutes'
const FIRST_TOLD = {
  sql: `insert into parking.replayed (park_code, gate_code, seq, message_id, at, plate_no) values ($1, $2, $3, $4, $5, $6)
    on conflict (enterprise_id, gate_code, seq) do update set message_id = excluded.message_id, at = excluded.at, plate_no = excluded.plate_no
      where replayed.plate_no <> excluded.plate_no or replayed.at not between excluded.at - interval '${SAME_EVENT}' and excluded.at + interval '${SAME_EVENT}'
    returning seq`,
}
