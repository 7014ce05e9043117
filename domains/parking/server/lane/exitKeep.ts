import type { Instant } from '../../../../platform/contract/field.ts'
import { isPlate } from '../../../../platform/contract/plate.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { Said } from '../../contract/said.ts'
import { LaneOutcome, PassMode, PayState, SessionAbnormal, SessionStatus } from '../../contract/stay.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'
import { endHold, endHoldAnew } from '../bill/holding.ts'
import { billStay, cancelDue, oweRest } from '../bill/money.ts'
import type { Judged } from './exitJudge.ts'
import type { LaneNow } from './lane.ts'
import type { Leave } from './leaving.ts'
import type { PersonSays } from './personSays.ts'
import { alsoLetOff } from '../questions.ts'
import { noPassTime } from '../report/passTime.ts'
import type { Sighting } from './sighting.ts'
import { editStay, learnedColor, minutesBetween, moveStay, type StayChanges, type StayRecord } from '../stay/stayMoves.ts'

/** What an exit writes of its decision: the order, what held its bill, and the stay, in the order in which these are locked. */
export async function keepJudged(tx: Tx, now: LaneNow, car: Sighting, { stay, leave }: Judged, person?: PersonSays): Promise<StayRecord> {
  const passes = leave.outcome === LaneOutcome.pass
  const by = person?.by ?? null
  const billed = await bill(tx, stay, leave, car.at)
  if (leave.also && passes) await alsoLetOff.ask(tx, { stayId: stay.id, at: car.at })
  if (stay.payState === PayState.checking && billed.payState === PayState.toPay) await endHoldAnew(tx, stay, by, car.at)
  else if (stay.payState === PayState.checking && passes) await endHold(tx, stay, by, car.at)
  return seenAtExit(tx, now, car, stay, leave, billed, person)
}

/** A stay that a person must look at gets no order yet; of a bill that cannot be right it is kept why. */
const bill = (tx: Tx, stay: StayRecord, leave: Leave, at: Instant): Promise<StayChanges> | StayChanges =>
  isUnpriced(leave) ? {} : billStay(tx, stay, leave.bill, at)
/** Nothing says what it costs. */
const isUnpriced = ({ outcome, bill: due }: Leave) => outcome === LaneOutcome.ask && !due.held

function seenAtExit(
  tx: Tx,
  { gate }: LaneNow,
  car: Sighting,
  stay: StayRecord,
  leave: Leave,
  billed: StayChanges,
  person?: PersonSays,
): Promise<StayRecord> {
  const { entryTime } = stay
  const changes: StayChanges = {
    ...billed,
    exitGate: gate.gateCode,
    exitTime: car.at,
    exitImage: car.image,
    exitMode: person ? PassMode.byHand : car.offline ? PassMode.offline : car.mode,
    durationMin: entryTime && !leave.backwards ? minutesBetween(entryTime, car.at) : 0,
    carKindOut: leave.carKind,
    plateColor: stay.plateNo === car.plateNo ? learnedColor(stay.plateColor, car.plateColor) : stay.plateColor,
    tailing: stay.status === SessionStatus.present ? car.behind === true : stay.tailing,
    ...(person && { operatorOut: person.by }),
    // A misread entry is put right by an exit that was read whole.
    ...(stay.plateNo !== car.plateNo &&
      !isPlate(stay.plateNo) &&
      isPlate(car.plateNo) && {
        plateNo: car.plateNo,
        plateOriginal: stay.plateNo,
        abnormalType: stay.abnormalType || SessionAbnormal.corrected,
      }),
    ...(leave.backwards && { abnormalType: SessionAbnormal.inverted }),
    ...(leave.unpriced && { abnormalType: stay.abnormalType || SessionAbnormal.unpriced }),
  }
  if (leave.backwards) return moveStay(tx, stay, 'flag', changes)
  return stay.status === SessionStatus.present ? moveStay(tx, stay, 'toExit', changes) : editStay(tx, stay, changes)
}

/** The barrier stands open: the car does not wait before it, and owes nothing; what is being paid just now goes back. */
export async function throughOpen(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  const letOff = stay.payState === PayState.toPay ? await cancelDue(tx, stay, Said.openLane, at) : {}
  await moveStay(tx, stay, 'leave', { ...letOff, exitMode: PassMode.remote })
  if (stay.paidFen > 0) await noPassTime(tx, stay)
}

/** Told afterwards: the lane let it out by its own lists, so it is gone; what was not paid is owed. Where no rule covers it a person looks: it never silently costs nothing. */
export async function goneAlready(tx: Tx, stay: StayRecord, leave: Leave, at: Instant): Promise<void> {
  if (stay.status !== SessionStatus.leaving) return
  if (isUnpriced(leave) && stay.payState === PayState.nothing)
    return void (await moveStay(tx, stay, 'flag', { abnormalType: SessionAbnormal.unpriced }))
  await moveStay(tx, stay, 'leave', { ...(await oweRest(tx, stay, ArrearsSource.letOut, at)) })
}

/** The same of a stay whose exit was kept before its entry was told. */
export async function leftThen(tx: Tx, stay: StayRecord, leave: Leave, at: Instant): Promise<void> {
  if (isUnpriced(leave)) return
  const abnormalType = SessionAbnormal.none
  const left = await moveStay(tx, stay, 'confirmExit', { abnormalType, ...(await bill(tx, stay, leave, at)), carKindOut: leave.carKind })
  await editStay(tx, left, await oweRest(tx, left, ArrearsSource.letOut, at))
}
