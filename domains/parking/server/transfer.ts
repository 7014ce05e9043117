import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type DecisionId, LaneCheck, type Tried } from '../contract/stay.ts'
import type { Known } from './entrance.ts'
import { type LaneNow, openBarrier, setLane, showLines, writeDecision } from './lane.ts'
import type { Sighting } from './sighting.ts'
import { editStay, type StayRecord } from './stayMoves.ts'
import { Direction } from '../contract/gate.ts'

/** An inner gate: the car moves from one area into another within its stay; from then on the other area's fee rule counts. */
export async function betweenAreas(tx: Tx, now: LaneNow, car: Sighting, { open }: Known): Promise<void> {
  const { gate } = now
  const [stay] = open
  const id = randomUUIDv7() as Id<DecisionId>
  const checks: Tried[] = [
    stay
      ? { check: LaneCheck.found, hit: true, zh: `进入区域 ${gate.areaTo}`, en: `Moves into area ${gate.areaTo}` }
      : { check: LaneCheck.noEntry, hit: true, zh: '不在场内，人工处理', en: 'Not inside: staff decide' },
  ]
  if (stay) await moveInto(tx, stay, car, gate.areaFrom!, gate.areaTo!)
  const commandId = stay && car.live ? await openBarrier(tx, now, { reason: 'inner', ref: id }) : null
  await Promise.all([
    writeDecision(tx, car, { id, stayId: stay?.id ?? null, outcome: stay ? 1 : 3, checks, commandId }),
    car.live && showLines(tx, gate, [car.plateNo, stay ? '请通行' : '请稍候 人工确认']),
    !car.gone &&
      setLane(tx, gate, {
        state: stay && car.live ? 4 : 2, since: car.at, direction: Direction.entrance, stayId: null, decisionId: id, plateNo: car.plateNo, plateColor: car.plateColor, image: car.image, outcome: stay ? 1 : 3,
        checks, asked: stay ? null : car, openRef: stay && car.live ? id : null, commandId,
      }),
  ]) // prettier-ignore
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
    [
      stay.parkCode,
      stay.id,
      areaCode,
      gateCode,
      fromTime,
      toTime, // prettier-ignore
    ],
  )
