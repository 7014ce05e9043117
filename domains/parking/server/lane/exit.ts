import { randomUUIDv7 } from 'node:crypto'
import type { Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { FUZZY_CANDIDATES, FUZZY_MAX, FUZZY_SURE, isPlate, plateDistance, plateKind, vehicleClassOf } from '../../../../platform/contract/plate.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { type Candidate, LaneState } from '../../contract/laneBoard.ts'
import {
  CarKind,
  type DecisionId,
  LaneCheck,
  type LaneCheckCode,
  LaneOutcome,
  PassMode,
  PayState,
  SessionAbnormal,
  SessionStatus,
  type StayId,
  type Tried,
} from '../../contract/stay.ts'
import { insertStay, type Known, rightOf } from './entrance.ts'
import { asItWas, holdDebts, type LaneNow, openBarrier, type ParkRow, setLane, showLines, type SignEventCode, UNREAD, writeDecision } from './lane.ts'
import { judgeExit, type Leave } from './leaving.ts'
import { endHold, endHoldAnew } from '../bill/holding.ts'
import { enteredAt } from './enteredAt.ts'
import { noPassTime } from '../report/passTime.ts'
import { type Bill, billStay, cancelDue, dueOf, oweRest } from '../bill/money.ts'
import type { Priced } from '../bill/checking.ts'
import { explained, priceOf, ruleInForce } from '../bill/pricing.ts'
import { alsoDueOf, alsoLetOff, debts, exitWaits, parkTopic, type Standing, standingOf } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import {
  allInside,
  editStay,
  learnedColor,
  lockStay,
  minutesBetween,
  moveStay,
  readStay,
  type StayChanges,
  type StayRecord,
  withStay,
} from '../stay/stayMoves.ts'
import { Direction, FeeChoice, SignEvent } from '../../contract/gate.ts'
import { ExitArrears, NoEntry } from '../../contract/park.ts'
import { Said } from '../../contract/said.ts'
import { ArrearsSource } from '../../../settlement/contract/order.ts'

export const SayFee = refusal(
  'parking.say-fee',
  40803,
  '车辆尚未缴费，请选择费用处理：免费、欠费或已收现金',
  'The car has not paid: choose free, arrears or paid in cash',
  422,
)
export const FeeUnknown = refusal(
  'parking.fee-unknown',
  40860,
  '费用还没有确定，不能记欠费或收现金：请先核对费用，或选择免费放行',
  'The fee is not known yet, so it can be neither owed nor taken in cash: settle the fee first, or let the car out free',
  422,
)
const EntryUnknown = refusal(
  'parking.entry-unknown',
  40863,
  '没有入场时间，费用无法计算，不能记欠费或收现金：请先输入入场时间，或选择免费放行',
  'Without an entry time there is no fee that could be owed or taken in cash: enter the entry time first, or let the car out free',
  422,
)

const RuleKnown = refusal(
  'parking.rule-known',
  40869,
  '该车入场时已有生效的收费规则，不能改按现行规则：金额有误请核对费用或更正停车记录',
  'A fee rule was in force when this car came in, so the rule of now does not replace it: check the fee, or correct the stay',
)

const OtherUnread = refusal(
  'parking.other-unread',
  40815,
  '另一辆未识别车牌的车正在通道 {gate} 处理：请先修正本车车牌，或等那辆车离场后再处理',
  'Another car without a read plate is being handled at lane {gate}: correct the plate of this car first, or wait until the other has left',
)

const UnreadInside = refusal(
  'parking.unread-inside',
  40817,
  '停车场里已有一辆未识别车牌的车，入场时间会记到它的名下：请先修正本车车牌',
  'A car without a read plate is inside already, and the entry time would be written into its stay: correct the plate of this car first',
)

/** What a person at the lane has said about the car at an exit. */
export interface PersonSays {
  by: string
  /** It is in this stay. */
  stayId?: Id<StayId>
  /** It was not seen coming in: it came at this time. */
  entryTime?: Instant
  /** It may leave, and this becomes of what it has to pay. */
  fee?: keyof typeof FeeChoice.entries | undefined
  /** The plate is another than the camera read: it is looked for anew. Alone, it lets nobody pass. */
  otherPlate?: true
  /** No rule was in force when it came: the one that is in force now counts. */
  ruleNow?: true
}
/** Whoever says no more than which plate it is decides nothing yet. */
const onlyPlate = (person: PersonSays | undefined) => person?.otherPlate && !person.stayId && !person.entryTime

const letsGo = (person: PersonSays | undefined): boolean =>
  person !== undefined && !onlyPlate(person) && !person.stayId && !person.entryTime && !person.ruleNow
const feeStands = (person: PersonSays | undefined): boolean => person?.fee === FeeChoice.arrears || person?.fee === FeeChoice.cash

/**
 * Whoever lets a car go says what becomes of its fee, unless it is known to be nothing; what nobody has worked out can be neither owed nor taken in cash.
 * @throws SayFee, FeeUnknown, EntryUnknown
 */
function refuseUnsaid({ noEntry }: ParkRow, person: PersonSays, stay: StayRecord, { checks, also }: Leave, bill: Bill | undefined): void {
  const hit = (wanted: LaneCheckCode) => checks.some(({ check, hit }) => hit && check === wanted)
  const unknown = hit(LaneCheck.orderTimes) || (hit(LaneCheck.fee) && !also && (!bill || bill.held !== undefined))
  // A park that lets such cars go free means those that nobody asks about.
  const unseen = stay.entryTime === null && noEntry !== NoEntry.minimumFee && !hit(LaneCheck.free)
  if (feeStands(person) && unknown) throw FeeUnknown()
  if (feeStands(person) && unseen) throw EntryUnknown()
  const isDue = also !== undefined || (hit(LaneCheck.fee) && bill !== undefined && dueOf(stay, bill) > 0)
  if (person.fee === undefined && (unknown || unseen || isDue)) throw SayFee()
}

/** A car stands before an exit: find its stay, work out what is due, open or ask. */
export async function atExit(tx: Tx, now: LaneNow, car: Sighting, known: Known, person?: PersonSays): Promise<void> {
  const found = await findStay(tx, now, car, known, person)
  if ('asks' in found) return askPerson(tx, now, car, found)
  await withStay(tx, found.stay, (stay) => leaveBy(tx, now, car, stay, known.standing, found.checks, person))
}

type Found = { stay: StayRecord; checks: Tried[] }
type Asks = { asks: true; checks: Tried[]; candidates: Of<typeof Candidate>[] }

async function findStay(tx: Tx, { park, gate, lane }: LaneNow, car: Sighting, { open, standing }: Known, person?: PersonSays): Promise<Found | Asks> {
  const checks: Tried[] = []
  const say = (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void checks.push({ check, hit, zh, en })
  if (person?.stayId) {
    const stay = await readStay(tx, person.stayId)
    const readAs = car.readAs ?? car.plateNo
    say(LaneCheck.found, true, `人工匹配：${stay.plateNo}（识别为 ${readAs}）`, `Matched by staff: ${stay.plateNo}, read as ${readAs}`)
    return { stay, checks }
  }
  const [zhBy, enBy] = person ? ['人工修正车牌', 'Plate corrected by staff'] : ['沿用此前认定的车牌', 'Taken for the same car as before']
  const [zh, en] = car.readAs ? [`${zhBy}：${car.plateNo}（识别为 ${car.readAs}），`, `${enBy}: ${car.plateNo}, read as ${car.readAs}. `] : ['', '']
  const [stay] = open
  // Two cars whose plates were not read are two cars: what is said of one is not written into the stay of the other, nor does it end it. One that stands at no lane any more is in nobody's way.
  const isOthers = stay && (person?.entryTime ? stay.id !== lane?.stayId : stay.exitGate !== null && stay.exitGate !== gate.gateCode)
  if (isOthers && person && car.plateNo === UNREAD) throw stay.exitGate === null ? UnreadInside() : OtherUnread({ gate: stay.exitGate })
  if (stay) {
    const [zhTime, enTime] = person?.entryTime ? ['，人工补录入场时间', '. Entry time entered by staff'] : ['', '']
    say(LaneCheck.found, true, `${zh}找到在场记录${zhTime}`, `${en}Stay found${enTime}`)
    return { stay, checks }
  }
  say(LaneCheck.found, false, `${zh}没有同车牌的在场记录`, `${en}No car with this plate is inside`)

  const knownFree = standing.special || (standing.white && !standing.black)
  const decided = person !== undefined && !onlyPlate(person) && !person.ruleNow
  const candidates = knownFree || decided ? [] : await likeThis(tx, car)
  const [best] = candidates
  if (park.fuzzyAuto && best && candidates.length === 1 && best.halves <= FUZZY_SURE * 2 && best.plateColor === car.plateColor) {
    say(LaneCheck.fuzzy, true, `自动匹配 ${best.plateNo}`, `Matched automatically to ${best.plateNo}`)
    return { stay: await readStay(tx, best.stayId), checks }
  }
  say(
    LaneCheck.fuzzy,
    candidates.length > 0,
    candidates.length ? `${candidates.length} 个候选，人工选择` : '无相近车牌',
    candidates.length ? `${candidates.length} ${candidates.length === 1 ? 'candidate' : 'candidates'}: staff choose` : 'No similar plate',
  )
  if (candidates.length) return { asks: true, checks, candidates }

  const unread = !car.plateNo || car.plateNo === UNREAD
  if (!decided && (unread || (park.noEntry === NoEntry.ask && !knownFree))) {
    say(
      LaneCheck.noEntry,
      true,
      unread ? '未识别车牌，人工处理' : '无入场记录，人工输入入场时间',
      unread ? 'No plate was read: staff decide' : 'No entry record: staff enter the entry time',
    )
    return { asks: true, checks, candidates }
  }
  say(
    LaneCheck.noEntry,
    true,
    person?.entryTime ? '人工补录入场时间' : '无入场记录',
    person?.entryTime ? 'Entry time entered by staff' : 'No entry record',
  )
  return { stay: await withoutEntry(tx, gate.areaFrom, car, standing, person), checks }
}

/** Cars inside whose plates are like the one read, nearest first, then those that came last. A car without a plate may be any of those. */
async function likeThis(tx: Tx, car: Sighting): Promise<Of<typeof Candidate>[]> {
  const unplated = car.plateNo === UNREAD
  const found = []
  for (const inside of await allInside(tx, car.parkCode)) {
    if (Math.abs(inside.plateNo.length - car.plateNo.length) > 1 && !unplated) continue
    const distance = unplated ? (plateKind(inside.plateNo) === 'unplated' ? FUZZY_MAX : Infinity) : plateDistance(inside.plateNo, car.plateNo)
    if (distance <= FUZZY_MAX) found.push({ ...inside, halves: distance * 2 })
  }
  return found.sort((a, b) => a.halves - b.halves || (b.entryTime ?? '').localeCompare(a.entryTime ?? '')).slice(0, FUZZY_CANDIDATES)
}

/** A stay that begins at its end: abnormal 2, or a supplemented entry when a person knows the time. */
async function withoutEntry(tx: Tx, areaCode: string | null, car: Sighting, standing: Standing, person?: PersonSays): Promise<StayRecord> {
  const id = randomUUIDv7() as Id<StayId>
  const entryTime = person?.entryTime ?? null
  const { parkCode, plateNo, plateColor } = car
  const right = rightOf(entryTime ? await standingOf(tx, { parkCode, plateNo, plateColor, at: entryTime }) : standing)
  await insertStay(tx, {
    id,
    parkCode: car.parkCode,
    areaCode,
    plateNo: car.plateNo,
    plateColor: car.plateColor,
    vehicleClass: vehicleClassOf(car.plateNo, car.plateColor),
    ...right,
    ...(plateKind(car.plateNo) === 'unplated' && { carKindIn: CarKind.noPlate }),
    entryTime,
    entryMode: entryTime ? PassMode.entered : null,
    operatorIn: entryTime ? person!.by : null,
    exitTime: car.at,
    status: entryTime ? SessionStatus.present : SessionStatus.leaving,
    abnormalType: SessionAbnormal.noEntry,
    offline: car.offline ? 1 : 0,
  })
  return lockStay(tx, id)
}

/** From a stay to a decision, and the decision carried out. */
async function leaveBy(tx: Tx, now: LaneNow, car: Sighting, held: StayRecord, seen: Standing, found: Tried[], person?: PersonSays): Promise<void> {
  const { park } = now
  const stay = await asSaid(tx, held, car, person)
  // The plate of the stay counts, not the one misread at the exit.
  const standing = stay.plateNo === car.plateNo ? seen : await standingOf(tx, { ...car, plateNo: stay.plateNo })
  if (park.exitArrears === ExitArrears.payFirst) await holdDebts(tx, stay.plateNo)
  const also = await alsoDueOf(tx, stay.id, car.at)
  const [priced, owes] = await Promise.all([
    priceOf(tx, park, stay, car.at),
    park.exitArrears === ExitArrears.ignore ? [] : debts.ask(tx, { ...stay, before: stay.entryTime ?? car.at, atMost: park.exitArrearsCount }),
  ])
  const leave = judgeExit({
    park,
    stay,
    at: car.at,
    standing,
    debts: owes[0]?.answer ?? NO_DEBTS,
    also,
    bill: priced?.bill,
    locked: now.gate.lockedBy !== null,
    gone: car.gone,
    byPerson: letsGo(person),
    feeStands: feeStands(person),
  })
  if (letsGo(person)) refuseUnsaid(park, person!, stay, leave, priced?.bill)
  const billed = await bill(tx, stay, leave, car.at)
  if (leave.also && leave.outcome === LaneOutcome.pass) await alsoLetOff.ask(tx, { stayId: stay.id, at: car.at })
  if (stay.payState === PayState.checking && billed.payState === PayState.toPay) await endHoldAnew(tx, stay, person?.by ?? null, car.at)
  else if (stay.payState === PayState.checking && leave.outcome === LaneOutcome.pass) await endHold(tx, stay, person?.by ?? null, car.at)
  const seenStay = await keepExit(tx, now, car, stay, leave, billed, person)
  const waits = leave.outcome === WAIT && seenStay.payState === TO_PAY && seenStay.orderId !== null
  if (waits && car.live && (!person || person.otherPlate))
    await exitWaits.ask(tx, {
      parkCode: park.parkCode,
      gateCode: now.gate.gateCode,
      stayId: seenStay.id,
      orderId: seenStay.orderId!,
      dueFen: leave.dueFen,
      at: car.at,
    })
  await carryOut(tx, now, car, seenStay, { ...leave, checks: [...found, ...leave.checks] }, priced, person?.by ?? null)
  if (car.gone) await goneAlready(tx, seenStay, !isUnpriced(leave), car.at)
  else if (park.openAllFrom && leave.outcome === LaneOutcome.pass) await throughOpen(tx, seenStay, car.at)
}
/** The stay with what a person has said of it at the lane. */
function asSaid(tx: Tx, stay: StayRecord, car: Sighting, person?: PersonSays): Promise<StayRecord> | StayRecord {
  if (person?.ruleNow) return byRuleNow(tx, stay, car.at)
  return person?.entryTime ? enteredAt(tx, stay, person.entryTime, person.by) : stay
}
/** @throws RuleKnown */
async function byRuleNow(tx: Tx, stay: StayRecord, at: Instant): Promise<StayRecord> {
  if (stay.ruleVersionId) throw RuleKnown()
  return editStay(tx, stay, { ruleVersionId: await ruleInForce(tx, stay, at) })
}
const NO_DEBTS = { count: 0, amountFen: 0 }

/** A stay that a person must look at gets no order yet; of a bill that cannot be right it is kept why. */
const bill = (tx: Tx, stay: StayRecord, { outcome, bill: due }: Leave, at: Instant): Promise<StayChanges> | StayChanges =>
  outcome === LaneOutcome.ask && !due.held ? {} : billStay(tx, stay, due, at)

function keepExit(
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
      isPlate(car.plateNo) && { plateNo: car.plateNo, plateOriginal: stay.plateNo, abnormalType: stay.abnormalType || 4 }),
    ...(leave.backwards && { abnormalType: SessionAbnormal.inverted }),
    ...(leave.unpriced && { abnormalType: stay.abnormalType || SessionAbnormal.unpriced }),
  }
  if (leave.backwards) return moveStay(tx, stay, 'flag', changes)
  return stay.status === SessionStatus.present ? moveStay(tx, stay, 'toExit', changes) : editStay(tx, stay, changes)
}

/** The barrier stands open: the car does not wait before it, and owes nothing; what is being paid just now goes back. */
async function throughOpen(tx: Tx, stay: StayRecord, at: Instant): Promise<void> {
  const letOff = stay.payState === PayState.toPay ? await cancelDue(tx, stay, Said.openLane, at) : {}
  await moveStay(tx, stay, 'leave', { ...letOff, exitMode: PassMode.remote })
  if (stay.paidFen > 0) await noPassTime(tx, stay)
}

/** Told afterwards: the lane let it out by its own lists, so it is gone; what was not paid is owed. Where no rule covers it a person looks: it never silently costs nothing. */
async function goneAlready(tx: Tx, stay: StayRecord, priced: boolean, at: Instant): Promise<void> {
  if (stay.status !== SessionStatus.leaving) return
  if (!priced && stay.payState === PayState.nothing) return void (await moveStay(tx, stay, 'flag', { abnormalType: SessionAbnormal.unpriced }))
  await moveStay(tx, stay, 'leave', { ...(await oweRest(tx, stay, LET_OUT, at)) })
}
/** Its entry was told after its exit: it left then, and owes since then what it would have been asked. One that no rule covers stays with a person. */
export async function leaveAfterwards(tx: Tx, parkNow: ParkRow, stay: StayRecord): Promise<void> {
  const at = stay.exitTime!
  const park = await asItWas(tx, parkNow, at)
  const { parkCode, plateNo, plateColor } = stay
  const [standing, priced] = await Promise.all([
    standingOf(tx, { parkCode, plateNo, plateColor, gateCode: stay.exitGate!, at }),
    priceOf(tx, park, stay, at),
  ])
  const leave = judgeExit({ park, stay, at, standing, debts: NO_DEBTS, bill: priced?.bill, gone: true })
  if (isUnpriced(leave)) return
  const abnormalType = SessionAbnormal.none
  const left = await moveStay(tx, stay, 'confirmExit', { abnormalType, ...(await bill(tx, stay, leave, at)), carKindOut: leave.carKind })
  await editStay(tx, left, await oweRest(tx, left, LET_OUT, at))
}
const LET_OUT = ArrearsSource.letOut
/** Nothing says what it costs. */
const isUnpriced = ({ outcome, bill: due }: Leave) => outcome === LaneOutcome.ask && !due.held

async function carryOut(
  tx: Tx,
  now: LaneNow,
  car: Sighting,
  stay: StayRecord,
  leave: Leave,
  priced: Priced | undefined,
  by: string | null,
): Promise<void> {
  const { gate, park } = now
  const id = randomUUIDv7() as Id<DecisionId>
  const passes = leave.outcome === LaneOutcome.pass
  const [commandId] = await Promise.all([
    passes && car.live ? openBarrier(tx, now, { reason: by ? 'manual' : stay.paidFen ? 'paid' : 'free', ref: id, persist: true }) : null,
    car.live && showLines(tx, gate, leave.says, SIGN[leave.outcome], { plateNo: stay.plateNo, dueFen: leave.dueFen, parkName: park.name }),
  ])
  await Promise.all([
    writeDecision(tx, car, { id, stayId: stay.id, outcome: leave.outcome, checks: leave.checks, quote: explained(priced), commandId, by }),
    tell(tx, parkTopic, { park: park.parkCode, ids: [park.parkCode] }),
    !car.gone &&
      setLane(tx, gate, {
        state: passes && !car.live ? LaneState.asking : STATE_AFTER[leave.outcome],
        since: car.at,
        direction: Direction.exit,
        stayId: stay.id,
        decisionId: id,
        plateNo: stay.plateNo,
        plateColor: stay.plateColor,
        image: car.image,
        dueFen: leave.dueFen as Fen,
        dueOrderId: leave.dueFen > 0 ? (leave.also?.orderId ?? null) : null,
        outcome: leave.outcome,
        checks: leave.checks,
        asked: car,
        openRef: passes && car.live ? id : null,
        commandId,
      }),
  ])
}
const SIGN: Partial<Record<Leave['outcome'], SignEventCode>> = {
  [LaneOutcome.pass]: SignEvent.paid,
  [LaneOutcome.toPay]: SignEvent.toPay,
  [LaneOutcome.refuse]: SignEvent.refused,
}
const WAIT = 5
const TO_PAY = 1
const STATE_AFTER: Record<keyof typeof LaneOutcome.entries, 1 | 2 | 3 | 4 | 5> = { 1: 4, 2: 5, 3: 2, 4: 1, 5: 3 }

/** No stay could be chosen: the lane waits for a person. */
async function askPerson(tx: Tx, { gate }: LaneNow, car: Sighting, { checks, candidates }: Asks): Promise<void> {
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
export type { Bill }
