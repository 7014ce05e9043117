import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '../../../../platform/contract/field.ts'
import { vehicleClassOf } from '../../../../platform/contract/plate.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { announce } from '../../../../platform/server/events.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import {
  CarKind,
  type DecisionId,
  LaneCheck,
  LaneOutcome,
  SessionAbnormal,
  SessionStatus,
  type StayId,
  type StayRow,
  PassMode,
} from '../../contract/stay.ts'
import { admit, type Verdict } from './admission.ts'
import { openBarrier, type LaneNow, setLane, showLines, type SignEventCode, writeDecision } from './lane.ts'
import { cancelDue } from '../bill/money.ts'
import { insidePark, roomIn } from '../place/occupancy.ts'
import { frozenRule } from '../bill/pricing.ts'
import { debts, entered, parkTopic, type Standing, stayTopic } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import { moveStay, type StayRecord, withStay } from '../stay/stayMoves.ts'
import { elsewhere, twinOf } from './twin.ts'
import { Direction, SignEvent } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { EntryArrears, RuleBind } from '../../contract/park.ts'
import { Said } from '../../contract/said.ts'
import { paired } from '../../../../platform/contract/said.ts'

/** What is known of a car before anything is decided about it. */
export interface Known {
  /** Its open stays in this park, the best match first. */
  open: StayRecord[]
  standing: Standing
}

/** A car stands before an entrance: decide, keep the stay, open. Answers with the stay that it is now in, if any. */
export async function atEntrance(tx: Tx, now: LaneNow, car: Sighting, known: Known, by: string | null = null): Promise<Id<StayId> | null> {
  const { verdict, entry } = await weighed(tx, now, car, known, by)
  if (verdict.closesOpen) for (const old of known.open) await closeDouble(tx, old, car)
  const stayId = verdict.keepsOpen ? known.open[0]!.id : verdict.outcome === LaneOutcome.pass ? (randomUUIDv7() as Id<StayId>) : null
  const begins = verdict.outcome === LaneOutcome.pass && !verdict.keepsOpen
  await Promise.all([begins && insertStay(tx, { ...entry, id: stayId! }), carryOut(tx, now, car, verdict, stayId, by)])
  return stayId
}
/** What an entrance decides about a car, and as what it would come in; nothing is done yet. */
export async function weighed(
  tx: Tx,
  now: LaneNow,
  car: Sighting,
  known: Known,
  by: string | null = null,
): Promise<{ verdict: Verdict; entry: Omit<NewStay, 'id'> }> {
  const { gate, park } = now
  const [inside, others, debtAnswers, ruleVersionId] = await Promise.all([
    insidePark(tx, park.parkCode),
    elsewhere(tx, car),
    park.entryArrears === EntryArrears.ignore ? [] : debts.ask(tx, { ...car, before: car.at, atMost: DEBTS_LOOKED_AT }),
    park.ruleBind === RuleBind.entry ? frozenRule(tx, park, gate.areaTo, { ...car, memberGroup: known.standing.memberGroup }) : null,
  ])
  const verdict = admit({
    park,
    gateStatus: gate.status,
    gateLocked: gate.lockedBy !== null,
    gateCode: gate.gateCode,
    at: car.at,
    plateNo: car.plateNo,
    plateColor: car.plateColor,
    standing: known.standing,
    open: known.open[0],
    debts: debtAnswers[0]?.answer ?? { count: 0, amountFen: 0 },
    remaining: roomIn(park, inside),
    leaving: inside.leaving,
    decided: by !== null || car.gone,
  })
  const twin = verdict.keepsOpen || verdict.outcome === LaneOutcome.pass ? twinOf(park, car.at, others) : undefined
  if (twin) verdict.checks.push(twin)
  return { verdict, entry: entryOf(now, car, verdict, known.standing, { ruleVersionId, by, remark: twin ? paired([twin.zh, twin.en]) : null }) }
}
/** More debts than this make no difference to an entrance. */
const DEBTS_LOOKED_AT = 100

/** The old record of a car that came in twice: to be looked at by a person, without a fee and never an unpaid order. */
const closeDouble = (tx: Tx, old: StayRecord, { at }: Sighting) =>
  withStay(tx, old, async (stay) => {
    if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) return
    await moveStay(tx, stay, 'flag', { abnormalType: SessionAbnormal.twice, ...(await cancelDue(tx, stay, Said.twice, at)) })
  })

function entryOf(
  { gate, park }: LaneNow,
  car: Sighting,
  { carKind }: Verdict,
  standing: Standing,
  own: { ruleVersionId: string | null; by: string | null; remark: string | null },
): Omit<NewStay, 'id'> {
  return {
    parkCode: park.parkCode,
    areaCode: gate.areaTo,
    plateNo: car.plateNo,
    plateColor: car.plateColor,
    vehicleClass: vehicleClassOf(car.plateNo, car.plateColor),
    carKindIn: carKind,
    entryGate: gate.gateCode,
    entryTime: car.at,
    entryImage: car.image,
    entryMode: own.by ? PassMode.byHand : car.offline ? PassMode.offline : car.mode,
    ruleVersionId: own.ruleVersionId,
    passId: carKind === CarKind.pass ? standing.pass!.passId : null,
    reserveId: carKind === CarKind.reserved ? standing.reserve!.reserveId : null,
    operatorIn: own.by,
    offline: car.offline ? 1 : 0,
    remark: own.remark,
  }
}

/** By what right a car comes in, for whoever makes its stay otherwise than an entrance does. */
export function rightOf({ special, white, black, pass, reserve }: Standing): Pick<StayRow, 'carKindIn' | 'passId' | 'reserveId'> {
  const none = { passId: null, reserveId: null }
  if (special) return { ...none, carKindIn: CarKind.special }
  if (white && !black) return { ...none, carKindIn: CarKind.free }
  if (pass && !pass.full) return { ...none, carKindIn: CarKind.pass, passId: pass.passId }
  return reserve ? { ...none, carKindIn: CarKind.reserved, reserveId: reserve.reserveId } : { ...none, carKindIn: CarKind.temporary }
}

export type NewStay = Pick<StayRow, 'id' | 'parkCode' | 'plateNo' | 'plateColor' | 'vehicleClass' | 'carKindIn'> &
  Partial<Omit<StayRow, 'version' | 'createdAt' | 'updatedAt'> & { correctedFrom: Id<StayId> | null }>
/** Every stay begins here, whoever brings it. */
export async function insertStay(tx: Tx, stay: NewStay): Promise<void> {
  const { chargeOrderIds, ...fields } = stay
  const values = { ...fields, ...(chargeOrderIds && { chargeOrderIds: JSON.stringify(chargeOrderIds) }) }
  await Promise.all([
    tx
      .insertInto('parking.stay')
      .values(values as never)
      .execute(),
    tell(tx, stayTopic, { park: stay.parkCode, ids: [stay.id] }),
    tell(tx, parkTopic, { park: stay.parkCode, ids: [stay.parkCode] }),
    (stay.status ?? SessionStatus.present) === SessionStatus.present && tellEntered(tx, stay),
  ])
}
/** Whose car it is that has come in: once more when it is found to be another's than was told. */
export const tellEntered = (tx: Tx, { id, parkCode, plateNo, plateColor }: Pick<StayRow, 'id' | 'parkCode' | 'plateNo' | 'plateColor'>) =>
  announce(tx, entered, { stayId: id, parkCode, plateNo, plateColor })

/** The decision as the lane shows it and does it. A repeated read leaves the lane as it is: the car before it is the same one. */
async function carryOut(tx: Tx, now: LaneNow, car: Sighting, verdict: Verdict, stayId: Id<StayId> | null, by: string | null): Promise<void> {
  const { gate, park } = now
  const id = randomUUIDv7() as Id<DecisionId>
  const { outcome, checks } = verdict
  const passes = outcome === LaneOutcome.pass
  const [commandId] = await Promise.all([
    passes && car.live ? openBarrier(tx, now, { reason: by ? 'manual' : 'admitted', ref: id }) : null,
    car.live && outcome !== LaneOutcome.ignore && showLines(tx, gate, verdict.says, signAt(verdict), { plateNo: car.plateNo, parkName: park.name }),
  ])
  await Promise.all([
    writeDecision(tx, car, { id, stayId, outcome, checks, commandId, by }),
    outcome !== LaneOutcome.ignore &&
      !car.gone &&
      setLane(tx, gate, {
        state: passes
          ? car.live
            ? LaneState.opening
            : LaneState.asking
          : outcome === LaneOutcome.ask
            ? LaneState.asking
            : outcome === LaneOutcome.refuse
              ? LaneState.refused
              : LaneState.free,
        since: car.at,
        direction: Direction.entrance,
        stayId,
        decisionId: id,
        plateNo: car.plateNo,
        plateColor: car.plateColor,
        image: car.image,
        outcome,
        checks,
        asked: outcome === LaneOutcome.ask || outcome === LaneOutcome.refuse ? car : null,
        openRef: passes && car.live ? id : null,
        commandId,
      }),
  ])
}
const signAt = ({ outcome, checks }: Verdict): SignEventCode | undefined => {
  if (outcome === LaneOutcome.pass) return SignEvent.entered
  if (outcome !== LaneOutcome.refuse) return undefined
  return checks.some(({ check, hit }) => hit && check === LaneCheck.bays) ? SignEvent.full : SignEvent.refused
}
