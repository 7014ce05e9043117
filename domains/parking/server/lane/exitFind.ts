import { randomUUIDv7 } from 'node:crypto'
import type { Id, Of } from '../../../../platform/contract/field.ts'
import { FUZZY_CANDIDATES, FUZZY_MAX, FUZZY_SURE, plateDistance, plateKind, vehicleClassOf } from '../../../../platform/contract/plate.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import type { Candidate } from '../../contract/laneBoard.ts'
import { NoEntry } from '../../contract/park.ts'
import { CarKind, LaneCheck, type LaneCheckCode, PassMode, SessionAbnormal, SessionStatus, type StayId, type Tried } from '../../contract/stay.ts'
import { insertStay, type Known, rightOf } from './entrance.ts'
import { type LaneNow, UNREAD } from './lane.ts'
import { knowsCar, type PersonSays } from './personSays.ts'
import { type Standing, standingOf } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import { allInside, lockStay, readStay, type StayRecord } from '../stay/stayMoves.ts'

/** The first step of an exit: which stay the car is in, and what was tried to find it. */
export interface Found {
  stay: StayRecord
  checks: Tried[]
  /** What is known of the plate that was read; the stay may have another. */
  standing: Standing
}
/** No stay can be chosen: a person says whose car it is, of these or of others. */
export interface AsksWhose {
  asks: true
  checks: Tried[]
  candidates: Of<typeof Candidate>[]
}

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

interface Look {
  tx: Tx
  now: LaneNow
  car: Sighting
  known: Known
  person: PersonSays | undefined
  say: (check: LaneCheckCode, hit: boolean, zh: string, en: string) => void
}

/** By the word of a person, then by its plate, then by a plate like it, then by what the park does with cars that nobody saw coming in. @throws OtherUnread, UnreadInside */
export async function findStay(tx: Tx, now: LaneNow, car: Sighting, known: Known, person?: PersonSays): Promise<Found | AsksWhose> {
  const checks: Tried[] = []
  const look: Look = { tx, now, car, known, person, say: (check, hit, zh, en) => void checks.push({ check, hit, zh, en }) }
  const stay = (await matched(look)) ?? inside(look) ?? (await alike(look)) ?? (await unseen(look))
  return 'ask' in stay ? { asks: true, checks, candidates: stay.ask } : { stay, checks, standing: known.standing }
}
interface Ask {
  ask: Of<typeof Candidate>[]
}

async function matched({ tx, car, person, say }: Look): Promise<StayRecord | undefined> {
  if (!person?.stayId) return undefined
  const stay = await readStay(tx, person.stayId)
  const readAs = car.readAs ?? car.plateNo
  say(LaneCheck.found, true, `人工匹配：${stay.plateNo}（识别为 ${readAs}）`, `Matched by staff: ${stay.plateNo}, read as ${readAs}`)
  return stay
}

function inside({ now: { gate, lane }, car, known, person, say }: Look): StayRecord | undefined {
  const [stay] = known.open
  // Two cars whose plates were not read are two cars: what is said of one is not written into the stay of the other, nor does it end it. One that stands at no lane any more is in nobody's way.
  const isOthers = stay && (person?.entryTime ? stay.id !== lane?.stayId : stay.exitGate !== null && stay.exitGate !== gate.gateCode)
  if (isOthers && person && car.plateNo === UNREAD) throw stay.exitGate === null ? UnreadInside() : OtherUnread({ gate: stay.exitGate })
  const [zh, en] = takenFor(car, person)
  if (!stay) return void say(LaneCheck.found, false, `${zh}没有同车牌的在场记录`, `${en}No car with this plate is inside`)
  const [zhTime, enTime] = person?.entryTime ? ['，人工补录入场时间', '. Entry time entered by staff'] : ['', '']
  say(LaneCheck.found, true, `${zh}找到在场记录${zhTime}`, `${en}Stay found${enTime}`)
  return stay
}
/** Where the plate is known to be another than the camera read: by whom. */
function takenFor({ plateNo, readAs }: Sighting, person: PersonSays | undefined): [zh: string, en: string] {
  if (!readAs) return ['', '']
  const [zhBy, enBy] = person ? ['人工修正车牌', 'Plate corrected by staff'] : ['沿用此前认定的车牌', 'Taken for the same car as before']
  return [`${zhBy}：${plateNo}（识别为 ${readAs}），`, `${enBy}: ${plateNo}, read as ${readAs}. `]
}

/** It may go whatever stay it is in. */
const isKnownFree = ({ special, white, black }: Standing): boolean => special === true || (white === true && !black)

async function alike({ tx, now: { park }, car, known, person, say }: Look): Promise<StayRecord | Ask | undefined> {
  const candidates = isKnownFree(known.standing) || knowsCar(person) ? [] : await likeThis(tx, car)
  const [best] = candidates
  if (park.fuzzyAuto && best && candidates.length === 1 && best.halves <= FUZZY_SURE * 2 && best.plateColor === car.plateColor) {
    say(LaneCheck.fuzzy, true, `自动匹配 ${best.plateNo}`, `Matched automatically to ${best.plateNo}`)
    return readStay(tx, best.stayId)
  }
  if (!best) return void say(LaneCheck.fuzzy, false, '无相近车牌', 'No similar plate')
  const { length } = candidates
  say(LaneCheck.fuzzy, true, `${length} 个候选，人工选择`, `${length} ${length === 1 ? 'candidate' : 'candidates'}: staff choose`)
  return { ask: candidates }
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

async function unseen(look: Look): Promise<StayRecord | Ask> {
  const { now, car, known, person, say } = look
  const unread = !car.plateNo || car.plateNo === UNREAD
  if (!knowsCar(person) && (unread || (now.park.noEntry === NoEntry.ask && !isKnownFree(known.standing)))) {
    const [zh, en] = unread
      ? ['未识别车牌，人工处理', 'No plate was read: staff decide']
      : ['无入场记录，人工输入入场时间', 'No entry record: staff enter the entry time']
    say(LaneCheck.noEntry, true, zh, en)
    return { ask: [] }
  }
  const [zh, en] = person?.entryTime ? ['人工补录入场时间', 'Entry time entered by staff'] : ['无入场记录', 'No entry record']
  say(LaneCheck.noEntry, true, zh, en)
  return withoutEntry(look)
}

/** A stay that begins at its end: abnormal 2, or a supplemented entry when a person knows the time. */
async function withoutEntry({ tx, now: { gate }, car, known, person }: Look): Promise<StayRecord> {
  const id = randomUUIDv7() as Id<StayId>
  const entryTime = person?.entryTime ?? null
  const { parkCode, plateNo, plateColor } = car
  const right = rightOf(entryTime ? await standingOf(tx, { parkCode, plateNo, plateColor, at: entryTime }) : known.standing)
  await insertStay(tx, {
    id,
    parkCode,
    areaCode: gate.areaFrom,
    plateNo,
    plateColor,
    vehicleClass: vehicleClassOf(plateNo, plateColor),
    ...right,
    ...(plateKind(plateNo) === 'unplated' && { carKindIn: CarKind.noPlate }),
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
