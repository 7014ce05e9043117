import { randomUUIDv7 } from 'node:crypto'
import type { CodeOf, Fen, Id } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { Direction, SignEvent } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { type DecisionId, LaneOutcome, PayState } from '../../contract/stay.ts'
import { explained } from '../bill/pricing.ts'
import type { AsksWhose } from './exitFind.ts'
import type { Judged } from './exitJudge.ts'
import { goneAlready, keepJudged, throughOpen } from './exitKeep.ts'
import { type LaneNow, openBarrier, setLane, showLines, type SignEventCode, writeDecision } from './lane.ts'
import type { Leave } from './leaving.ts'
import type { PersonSays } from './personSays.ts'
import { exitWaits, parkTopic } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import type { StayRecord } from '../stay/stayMoves.ts'

/** The fourth step of an exit: order and stay are written, barrier, sign and lane are told. A car that does not wait for the barrier has left with that. */
export async function carryOut(tx: Tx, now: LaneNow, car: Sighting, judged: Judged, person?: PersonSays): Promise<void> {
  const { leave } = judged
  const stay = await keepJudged(tx, now, car, judged, person)
  if (car.live && (!person || person.otherPlate)) await tellWaits(tx, now, car, stay, leave)
  await tellLane(tx, now, car, { ...judged, stay }, person?.by ?? null)
  if (car.gone) await goneAlready(tx, stay, leave, car.at)
  else if (now.park.openAllFrom && leave.outcome === LaneOutcome.pass) await throughOpen(tx, stay, car.at)
}

/** It is to pay the order of its stay: whoever can take that without its driver begins. */
async function tellWaits(tx: Tx, { park, gate }: LaneNow, { at }: Sighting, stay: StayRecord, { outcome, dueFen }: Leave): Promise<void> {
  const { id: stayId, orderId, payState } = stay
  if (outcome !== LaneOutcome.toPay || payState !== PayState.toPay || orderId === null) return
  await exitWaits.ask(tx, { parkCode: park.parkCode, gateCode: gate.gateCode, stayId, orderId, dueFen, at })
}

async function tellLane(tx: Tx, now: LaneNow, car: Sighting, { stay, leave, priced }: Judged, by: string | null): Promise<void> {
  const { gate, park } = now
  const { outcome, checks } = leave
  const id = randomUUIDv7() as Id<DecisionId>
  const passes = outcome === LaneOutcome.pass
  const opens = passes && car.live
  const [commandId] = await Promise.all([
    opens ? openBarrier(tx, now, { reason: by ? 'manual' : stay.paidFen ? 'paid' : 'free', ref: id, persist: true }) : null,
    car.live && showLines(tx, gate, leave.says, SIGN[outcome], { plateNo: stay.plateNo, dueFen: leave.dueFen, parkName: park.name }),
  ])
  await Promise.all([
    writeDecision(tx, car, { id, stayId: stay.id, outcome, checks, quote: explained(priced), commandId, by }),
    tell(tx, parkTopic, { park: park.parkCode, ids: [park.parkCode] }),
    !car.gone &&
      setLane(tx, gate, {
        state: passes && !opens ? LaneState.asking : STATE_AFTER[outcome],
        since: car.at,
        direction: Direction.exit,
        stayId: stay.id,
        decisionId: id,
        plateNo: stay.plateNo,
        plateColor: stay.plateColor,
        image: car.image,
        dueFen: leave.dueFen as Fen,
        dueOrderId: leave.dueFen > 0 ? (leave.also?.orderId ?? null) : null,
        outcome,
        checks,
        asked: car,
        openRef: opens ? id : null,
        commandId,
      }),
  ])
}
const SIGN: Partial<Record<Leave['outcome'], SignEventCode>> = {
  [LaneOutcome.pass]: SignEvent.paid,
  [LaneOutcome.toPay]: SignEvent.toPay,
  [LaneOutcome.refuse]: SignEvent.refused,
}
const STATE_AFTER: Record<Leave['outcome'], CodeOf<typeof LaneState>> = {
  [LaneOutcome.pass]: LaneState.opening,
  [LaneOutcome.refuse]: LaneState.refused,
  [LaneOutcome.ask]: LaneState.asking,
  [LaneOutcome.ignore]: LaneState.free,
  [LaneOutcome.toPay]: LaneState.toPay,
}

/** No stay could be chosen: the lane waits for a person. */
export async function askWhose(tx: Tx, { gate }: LaneNow, car: Sighting, { checks, candidates }: AsksWhose): Promise<void> {
  const id = randomUUIDv7() as Id<DecisionId>
  await Promise.all([
    writeDecision(tx, car, { id, stayId: null, outcome: LaneOutcome.ask, checks }),
    car.live && showLines(tx, gate, [car.plateNo, '请稍候 人工确认']),
    !car.gone &&
      setLane(tx, gate, {
        state: LaneState.asking,
        since: car.at,
        direction: Direction.exit,
        decisionId: id,
        plateNo: car.plateNo,
        plateColor: car.plateColor,
        image: car.image,
        outcome: LaneOutcome.ask,
        checks,
        candidates,
        asked: car,
      }),
  ])
}
