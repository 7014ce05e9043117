import type { Id, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { PassMode, SessionAbnormal, SessionStatus, StayPlace, type StayId } from '../../parking/contract/stay.ts'
import {
  type AnyStay,
  type Bill,
  billStay,
  editStay,
  minutesBetween,
  moveStay,
  oweRest,
  priceOf,
  type StayChanges,
  withStay,
} from '../../parking/server/api.ts'
import { EvidenceKind } from '../contract/roadStay.ts'
import { freeBecause } from './free.ts'
import { type Place, placeOnceOf } from './place.ts'
import { berthTopic } from './questions.ts'
import { keep, type Seen } from './seen.ts'
import { FLAP_MS, isSensor, kindAt, lockRoadStay, msBetween, SAME_MS, staysAround, visitOf } from './visit.ts'
import { ArrearsSource } from '../../settlement/contract/order.ts'

/** A berth was seen empty. The caller holds it. A sighting that fits no stay is kept for an arrival that may be told later. */
export async function leaves(tx: Tx, place: Place, seen: Seen): Promise<AnyStay | null> {
  const { prior } = await staysAround(tx, place, seen.at)
  const stay = prior && (await leaveOf(tx, place, seen, prior))
  await Promise.all([keep(tx, place, seen, stay?.id ?? null), tell(tx, berthTopic, { park: place.parkCode, ids: [place.seatCode] })])
  return stay ?? null
}

/** A person says of this stay that its car has gone: it is this one that they mean, whatever else stood on the berth. */
export async function leavesOf(tx: Tx, place: Place, stay: AnyStay, seen: Seen): Promise<AnyStay | undefined> {
  const gone = await leaveOf(tx, place, seen, stay)
  await Promise.all([keep(tx, place, seen, stay.id), tell(tx, berthTopic, { park: place.parkCode, ids: [place.seatCode] })])
  return gone
}

async function leaveOf(tx: Tx, place: Place, seen: Seen, prior: AnyStay): Promise<AnyStay | undefined> {
  if (prior.status === SessionStatus.abnormal) return prior.exitTime === null ? editStay(tx, prior, { exitTime: seen.at }) : prior
  if (prior.status === SessionStatus.present) return (await contradicted(tx, prior, seen)) ? prior : vacate(tx, place, prior, seen.at, seen)
  const apart = Math.abs(msBetween(prior.exitTime!, seen.at))
  if (apart > SAME_MS) return undefined
  // Another device saw it go too; the sensor's clock says when.
  return prior.status === SessionStatus.leaving && isSensor(seen) && apart > 0 ? vacate(tx, place, prior, seen.at, seen) : prior
}

/** A device of another kind saw the car standing there afterwards: it has not gone. */
async function contradicted(tx: Tx, { id }: AnyStay, { at, detector }: Seen): Promise<boolean> {
  const [found] = await run(tx, SEEN_AFTER, [id, at, detector])
  return found !== undefined
}
const SEEN_AFTER = {
  sql: `select 1 from roadside.evidence where enterprise_id = scope_enterprise() and stay_id = $1 and at > $2 and detector <> $3 and kind in (${EvidenceKind.arrive}, ${EvidenceKind.stands}) limit 1`,
}

/** The car is gone as far as anybody can see. Its fee is worked out now; it is owed for good when three minutes have shown that it does not stand there after all. */
export const vacate = (tx: Tx, place: Place, stay: AnyStay, at: Instant, seen?: Seen): Promise<AnyStay> =>
  withStay(tx, stay, (current) => vacated(tx, place, current, at, seen))

async function vacated(tx: Tx, place: Place, stay: AnyStay, at: Instant, seen?: Seen): Promise<AnyStay> {
  if (stay.status !== SessionStatus.present && stay.status !== SessionStatus.leaving) return stay
  const bill = await billAt(tx, place, stay, at)
  const seenOff = {
    exitTime: at,
    durationMin: minutesBetween(stay.entryTime!, at),
    carKindOut: await kindAt(tx, stay, at),
    ...(seen && { exitImage: seen.image, exitMode: seen.by ? PassMode.byHand : PassMode.camera, operatorOut: seen.by }),
  }
  // Nothing silently costs nothing: a person looks.
  if (!bill) return moveStay(tx, stay, 'flag', { ...seenOff, abnormalType: SessionAbnormal.unpriced })
  const changes: StayChanges = { ...(await billStay(tx, stay, bill, at)), ...seenOff }
  return stay.status === SessionStatus.present ? moveStay(tx, stay, 'toExit', changes) : editStay(tx, stay, changes)
}

/** Prices the stay until then, before payments; `undefined` where no rule covers it. */
export async function billAt(tx: Tx, place: Place, stay: AnyStay, at: Instant): Promise<Bill | undefined> {
  const inGrace = stay.graceUntil !== null && Date.parse(at) <= Date.parse(stay.graceUntil)
  if (inGrace || (await freeBecause(tx, place, stay, at))) return { receivableFen: stay.settledFen, discountFen: 0 }
  return (await priceOf(tx, place.park, stay, at))?.bill
}

/** The stay is over. An unpaid fee is a debt from now on: no barrier holds anybody on the street. */
export const settle = (tx: Tx, stay: AnyStay, at: Instant): Promise<AnyStay> =>
  withStay(tx, stay, async (current) => {
    if (current.status !== SessionStatus.leaving) return current
    const left = await moveStay(tx, current, 'leave', await owedOf(tx, current, at))
    await tell(tx, berthTopic, { park: left.parkCode, ids: [left.seatCode!] })
    return left
  })
async function owedOf(tx: Tx, stay: AnyStay, at: Instant): Promise<StayChanges> {
  const { collectable } = await visitOf(tx, stay.id)
  const exceptionType = stay.plateNo === null ? PLATE_UNKNOWN : collectable ? NOTHING_MISSING : EVIDENCE_MISSING
  return oweRest(tx, stay, ArrearsSource.roadside, at, { sectionCode: stay.sectionCode, exceptionType })
}

const Unpriced = refusal(
  'roadside.unpriced',
  41139,
  '没有适用的收费规则，无法计费：请先发布并关联驶入时已生效的规则，不应收费的请作废',
  'No fee rule covers this stay: publish and link one that was in force when the car arrived, or void the stay if nothing is to be billed',
  422,
)
/**
 * A person has decided about a stay: that its bill is right, or that its car has gone. Gone, it is billed, and owed where it is over. One that stands there is billed when somebody
 * asks. @throws Unpriced
 */
export async function goOn(tx: Tx, { stayId, at }: { stayId: Id<StayId>; at: Instant }): Promise<true> {
  const stay = await lockRoadStay(tx, stayId)
  if (stay.exitTime === null) return true
  const bill = await billAt(tx, await placeOfStay(tx, stay), stay, stay.exitTime)
  if (!bill) throw Unpriced()
  const billed = await editStay(tx, stay, await billStay(tx, stay, bill, at))
  if (billed.status === SessionStatus.left) await editStay(tx, billed, await owedOf(tx, billed, at))
  return true
}
/** Why a debt may not be asked for yet. */
const NOTHING_MISSING = 0
const EVIDENCE_MISSING = 1
const PLATE_UNKNOWN = 2

/** The rows in one minute's round; the rest wait for the next. */
const ROUND_MAX = 500
/** Once a minute: cars that have been gone for as long as a sensor may be mistaken. */
export async function settleGone(tx: Tx, at: Instant): Promise<void> {
  const gone = await run<{ id: Id<StayId> }>(tx, GONE, [at])
  for (const { id } of gone) await settle(tx, await lockRoadStay(tx, id), at)
}
const GONE = {
  sql: `select id from parking.stay where enterprise_id = scope_enterprise() and status = ${SessionStatus.leaving} and p_type = ${StayPlace.street} and third_platform is null
    and exit_time < $1::timestamptz - make_interval(secs => ${FLAP_MS / 1000}) order by seen_at limit ${ROUND_MAX}`,
}

/** Once a minute: a stay whose plate nobody has brought within the district's time is abnormal. It still stands there and counts. */
export async function markPlateless(tx: Tx, at: Instant): Promise<void> {
  const late = await run<{ id: Id<StayId>; parkCode: string; seatCode: string }>(tx, PLATELESS, [at])
  for (const { id, parkCode, seatCode } of late) {
    const stay = await lockRoadStay(tx, id)
    if (stay.plateNo !== null || stay.abnormalType !== SessionAbnormal.none) continue
    await editStay(tx, stay, { abnormalType: SessionAbnormal.noPlate })
    await tell(tx, berthTopic, { park: parkCode, ids: [seatCode] })
  }
}
const PLATELESS = {
  sql: `select s.id, s.park_code, s.seat_code from parking.present c join parking.stay s on s.id = c.stay_id join parking.park p on p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
    where c.enterprise_id = scope_enterprise() and c.seat_code is not null and c.plate_no is null and s.abnormal_type = ${SessionAbnormal.none}
      and s.entry_time < $1::timestamptz - make_interval(mins => p.plate_fill_min) order by s.entry_time limit ${ROUND_MAX}`,
}
export const tasks = [
  task('roadside.settle-gone', ({ tx, at }) => settleGone(tx, at), { every: '* * * * *' }),
  task('roadside.mark-plateless', ({ tx, at }) => markPlateless(tx, at), { every: '* * * * *' }),
]

/**
 * Corrects the past of a berth, which holds one open stay: the stay that is open now is set aside meanwhile, and put back as before.
 * The caller holds the berth.
 */
export async function besideOpen<T>(tx: Tx, { parkCode, seatCode }: Place, work: () => Promise<T>): Promise<T> {
  const [open] = await run<{ stayId: Id<StayId> }>(tx, OPEN, [parkCode, seatCode])
  if (!open) return work()
  const stay = await lockRoadStay(tx, open.stayId)
  const aside = await moveStay(tx, stay, 'flag', { abnormalType: SessionAbnormal.offlineConflict })
  const done = await work()
  const restored = await moveStay(tx, aside, 'restore', { abnormalType: stay.abnormalType })
  if (stay.status === SessionStatus.leaving) await moveStay(tx, restored, 'toExit')
  return done
}
const OPEN = { sql: 'select stay_id from parking.present where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2' }

/** The place of a stay, also of one that is long over. */
export const placeOfStay = (tx: Tx, { parkCode, seatCode }: AnyStay) => placeOnceOf(tx, { parkCode, seatCode: seatCode! })
