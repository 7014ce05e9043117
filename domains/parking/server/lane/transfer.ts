import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { UseStatus } from '../../contract/park.ts'
import { type DecisionId, LaneCheck, LaneOutcome, type Tried } from '../../contract/stay.ts'
import type { Known } from './entrance.ts'
import { type GateRow, type LaneNow, openBarrier, setLane, showLines, writeDecision } from './lane.ts'
import type { Sighting } from './sighting.ts'
import { editStay, type StayRecord } from '../stay/stayMoves.ts'
import { Direction } from '../../contract/gate.ts'

export const isInner = ({ areaFrom, areaTo }: GateRow): boolean => areaFrom !== null && areaTo !== null

/**
 * An inner gate: the car moves from one area into another within its stay; from then on the other area's fee rule counts. One for both ways leads back, too. Shut, it moves
 * nobody: a person is asked.
 */
export async function betweenAreas(tx: Tx, now: LaneNow, car: Sighting, { open }: Pick<Known, 'open'>, by: string | null = null): Promise<void> {
  const { gate } = now
  const [stay] = open
  const id = randomUUIDv7() as Id<DecisionId>
  const back = gate.direction === Direction.both && car.direction === Direction.exit
  const [from, to] = back ? [gate.areaTo!, gate.areaFrom!] : [gate.areaFrom!, gate.areaTo!]
  // What a lane that was cut off let through has gone through.
  const shut = stay && !car.gone ? shutBecause(now, car, by) : undefined
  const passes = stay !== undefined && !shut
  const moves = passes && !(await run(tx, ELSEWHERE_SINCE, [stay.id, car.at])).length
  const checks: Tried[] = [
    shut ??
      (stay
        ? {
            check: LaneCheck.found,
            hit: true,
            zh: moves ? `进入区域 ${to}` : '之后已在其他通道识别，区域不变',
            en: moves ? `Moves into area ${to}` : 'Seen at another gate since: its area stays',
          }
        : { check: LaneCheck.noEntry, hit: true, zh: '不在场内，人工处理', en: 'Not inside: staff decide' }),
  ]
  if (moves) await moveInto(tx, stay, car, from, to)
  const opens = passes && car.live
  const commandId = opens ? await openBarrier(tx, now, { reason: by ? 'manual' : 'inner', ref: id }) : null
  const outcome = passes ? LaneOutcome.pass : LaneOutcome.ask
  await Promise.all([
    writeDecision(tx, car, { id, stayId: stay?.id ?? null, outcome, checks, commandId, by }),
    car.live && showLines(tx, gate, [car.plateNo, passes ? '请通行' : '请稍候 人工确认']),
    !car.gone &&
      setLane(tx, gate, {
        state: opens ? LaneState.opening : LaneState.asking,
        since: car.at,
        direction: Direction.entrance,
        stayId: null,
        decisionId: id,
        plateNo: car.plateNo,
        plateColor: car.plateColor,
        image: car.image,
        outcome,
        checks,
        asked: passes ? null : car,
        openRef: opens ? id : null,
        commandId,
      }),
  ])
}

/** Locked, nobody opens it; disabled, or seen by a camera that opens nothing, a person does. */
function shutBecause({ gate, park }: LaneNow, { live }: Sighting, by: string | null): Tried | undefined {
  const shut = (zh: string, en: string): Tried => ({ check: LaneCheck.open, hit: true, zh, en })
  if (park.openAllFrom) return undefined
  if (gate.lockedBy !== null) return shut('通道已锁闸，人工处理', 'This lane is locked: staff decide')
  if (!live) return shut('设备未启用或上报超时，转人工处理', 'Camera disabled or reported too late: staff decide')
  return gate.status !== UseStatus.inUse && by === null ? shut('通道停用，人工处理', 'This lane is disabled: staff decide') : undefined
}

async function moveInto(tx: Tx, stay: StayRecord, car: Sighting, from: string, to: string): Promise<void> {
  if (stay.areaCode === to) return // read twice
  const ended = await run(
    tx,
    { sql: 'update parking.segment set to_time = $2 where enterprise_id = scope_enterprise() and stay_id = $1 and to_time is null returning id' },
    [stay.id, car.at],
  )
  if (!ended.length)
    await addSegment(tx, stay, { areaCode: stay.areaCode ?? from, gateCode: stay.entryGate, fromTime: stay.entryTime, toTime: car.at })
  await addSegment(tx, stay, { areaCode: to, gateCode: car.gateCode, fromTime: car.at, toTime: null })
  await editStay(tx, stay, { areaCode: to })
}
/** Decided about, or told, only after another gate has seen it. */
const ELSEWHERE_SINCE = { sql: 'select from parking.segment where enterprise_id = scope_enterprise() and stay_id = $1 and from_time > $2 limit 1' }
const addSegment = (
  tx: Tx,
  stay: StayRecord,
  { areaCode, gateCode, fromTime, toTime }: { areaCode: string; gateCode: string | null; fromTime: string | null; toTime: string | null },
) =>
  run(
    tx,
    {
      sql: 'insert into parking.segment (park_code, stay_id, area_code, gate_code, from_time, to_time) values ($1, $2, $3, $4, coalesce($5::timestamptz, $6::timestamptz), $6)',
    },
    [stay.parkCode, stay.id, areaCode, gateCode, fromTime, toTime],
  )
