import { randomUUIDv7 } from 'node:crypto'
import type { CodeOf, Id } from '../../../../platform/contract/field.ts'
import { colorsAgree, vehicleClassOf } from '../../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import {
  CarKind,
  type DecisionId,
  LaneCheck,
  LaneOutcome,
  PassMode,
  PayState,
  SessionAbnormal,
  SessionStatus,
  type StayId,
  type Tried,
} from '../../contract/stay.ts'
import { REPEATED_READ_MS } from './admission.ts'
import { replaceFinal } from '../stay/correction.ts'
import { atEntrance, insertStay, type Known, tellEntered, weighed } from './entrance.ts'
import { atExit, leaveAfterwards } from './exit.ts'
import { type LaneNow, writeDecision } from './lane.ts'
import { cancelDue } from '../bill/money.ts'
import type { Sighting } from './sighting.ts'
import { learnedColor, minutesBetween, moveStay, type StayRecord } from '../stay/stayMoves.ts'
import { Direction } from '../../contract/gate.ts'
import { Said } from '../../contract/said.ts'

/**
 * What a lane did while it was cut off, told afterwards in the order of its own clock. The cars have long gone on, so nothing is refused or opened: the records
 * are made as if the platform had been there. Where they cannot both be true with what the platform saw itself, they are marked (abnormal 9), never dropped.
 */
export async function offlineEntrance(tx: Tx, now: LaneNow, car: Sighting, known: Known): Promise<void> {
  const exitBefore = await exitWithoutEntry(tx, car)
  if (exitBefore) return joinEntry(tx, now, car, known, exitBefore)
  const [open] = known.open
  if (!open?.entryTime) return void (await atEntrance(tx, now, car, known, null))
  const later = Date.parse(open.entryTime) - Date.parse(car.at)
  if (Math.abs(later) < REPEATED_READ_MS && open.entryGate === car.gateCode)
    return note(tx, car, open.id, LaneOutcome.ignore, '重复识别，忽略', 'Read twice, ignored')
  if (later > 0) return conflicting(tx, now, car, open.id) // the platform saw it come in later: this one has no exit
  await moveStay(tx, open, 'flag', { abnormalType: SessionAbnormal.offlineConflict, ...(await cancelDue(tx, open, Said.offlineTwice, car.at)) })
  await atEntrance(tx, now, car, { ...known, open: [] })
}

/** The car is gone: its stay ends at the lane's own time, unpaid fees are owed. */
export async function offlineExit(tx: Tx, now: LaneNow, car: Sighting, known: Known): Promise<void> {
  const [open] = known.open
  if (open) return open.entryTime && Date.parse(open.entryTime) > Date.parse(car.at) ? conflicting(tx, now, car, null) : atExit(tx, now, car, known)
  const left = await leftAround(tx, car)
  if (left && left.exitGate === car.gateCode) return note(tx, car, left.id, LaneOutcome.ignore, '重复识别，忽略', 'Read twice, ignored')
  if (left) return conflicting(tx, now, car, null)
  const id = randomUUIDv7() as Id<StayId>
  await insertStay(tx, { ...exitOnly(car), id, status: SessionStatus.left, abnormalType: SessionAbnormal.noEntry, payState: PayState.free })
  await note(tx, car, id, LaneOutcome.pass, '离线出场，无入场记录', 'Left while the lane was offline; no entry record')
}

/** Both cannot be true: kept beside the other record, for a person. */
async function conflicting(tx: Tx, { gate }: LaneNow, car: Sighting, otherId: Id<StayId> | null): Promise<void> {
  const id = randomUUIDv7() as Id<StayId>
  const remark = otherId ? Said.conflicts({ stayId: otherId }) : null
  await insertStay(tx, {
    ...(car.direction === Direction.exit
      ? exitOnly(car)
      : {
          ...vehicleOf(car),
          areaCode: gate.areaTo,
          entryGate: car.gateCode,
          entryTime: car.at,
          entryImage: car.image,
          entryMode: PassMode.offline,
          offline: 1,
        }),
    id,
    status: SessionStatus.abnormal,
    abnormalType: SessionAbnormal.offlineConflict,
    remark,
  })
  await note(tx, car, id, LaneOutcome.ask, '与平台记录冲突，人工处理', 'Conflicts with the platform’s record: staff decide')
}
const vehicleOf = (car: Sighting) => ({
  parkCode: car.parkCode,
  plateNo: car.plateNo,
  plateColor: car.plateColor,
  vehicleClass: vehicleClassOf(car.plateNo, car.plateColor),
  carKindIn: CarKind.temporary,
})
const exitOnly = (car: Sighting) => ({
  ...vehicleOf(car),
  entryTime: null,
  exitGate: car.gateCode,
  exitTime: car.at,
  exitImage: car.image,
  exitMode: PassMode.offline,
  durationMin: 0,
  offline: 1,
  carKindOut: CarKind.temporary,
})

/** An exit that was told before its entry, as two lanes do that come back one after the other. */
async function exitWithoutEntry(tx: Tx, car: Sighting): Promise<StayRecord | undefined> {
  const rows = await run<StayRecord>(
    tx,
    {
      sql: `select * from parking.stay where enterprise_id = scope_enterprise() and plate_no = $2 and park_code = $1 and third_platform is null and entry_time is null and offline = 1 and status = ${SessionStatus.left}
        and seen_at between $3::timestamptz and $3::timestamptz + interval '1 day' order by seen_at limit 1`,
    },
    [car.parkCode, car.plateNo, car.at],
  )
  return rows.find((row) => colorsAgree(row.plateColor, car.plateColor))
}
/** It is what it would have been, had both been told in their order: who it came in as, by which rule, and what it owes since it left. */
async function joinEntry(tx: Tx, now: LaneNow, read: Sighting, { standing }: Known, exit: StayRecord): Promise<void> {
  const car = { ...read, plateColor: learnedColor(read.plateColor, exit.plateColor) }
  const { verdict, entry } = await weighed(tx, now, car, { open: [], standing })
  const whole = await replaceFinal(tx, exit, {
    ...entry,
    status: SessionStatus.abnormal,
    abnormalType: SessionAbnormal.unpriced,
    payState: PayState.nothing,
    durationMin: minutesBetween(car.at, exit.exitTime!),
  })
  await tellEntered(tx, whole)
  await leaveAfterwards(tx, now.park, whole)
  await note(
    tx,
    car,
    whole.id,
    LaneOutcome.pass,
    '离线入场，与先到的出场记录合并',
    'Offline entry, merged with the exit received earlier',
    verdict.checks,
  )
}

/** The same car left this park about then, by the platform's own eyes. */
async function leftAround(tx: Tx, car: Sighting): Promise<StayRecord | undefined> {
  const rows = await run<StayRecord>(
    tx,
    {
      sql: `select * from parking.stay where enterprise_id = scope_enterprise() and plate_no = $2 and park_code = $1 and third_platform is null and status = ${SessionStatus.left}
        and exit_time between $3::timestamptz - interval '10 minutes' and $3::timestamptz + interval '10 minutes' order by seen_at desc limit 1`,
    },
    [car.parkCode, car.plateNo, car.at],
  )
  return rows[0]
}

/** A reading that changes nothing, or what it was taken for. */
export function note(
  tx: Tx,
  car: Sighting,
  stayId: Id<StayId>,
  outcome: CodeOf<typeof LaneOutcome>,
  zh: string,
  en: string,
  tried: readonly Tried[] = [],
): Promise<void> {
  const checks: Tried[] = [...tried, { check: car.direction === Direction.entrance ? LaneCheck.inside : LaneCheck.found, hit: true, zh, en }]
  return writeDecision(tx, car, { id: randomUUIDv7() as Id<DecisionId>, stayId, outcome, checks }).then(() => {})
}
