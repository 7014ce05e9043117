import type { Instant } from '../../../platform/contract/field.ts'
import { plateDistance, FUZZY_MAX } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { SessionAbnormal, SessionStatus } from '../../parking/contract/stay.ts'
import { type AnyStay, editStay, moveStay } from '../../parking/server/api.ts'
import { EvidenceKind, PlateSource } from '../contract/roadStay.ts'
import { stoppedWhereClosed } from './caught.ts'
import { besideOpen, settle, vacate } from './leaving.ts'
import { elsewhere, nameStay } from './naming.ts'
import type { Place } from './place.ts'
import { berthTopic } from './questions.ts'
import { keep, maybeSame, rankOf, type Seen, sourceOf } from './seen.ts'
import { begin, FLAP_MS, isSensor, lockRoadStay, msBetween, SAME_MS, staysAround } from './visit.ts'

/**
 * A car was seen on a berth: it came, or it stands there. By the device's clock it belongs to the stay that lies around that moment, begins one, or says that
 * the one before had ended. The caller holds the berth.
 */
export async function arrives(tx: Tx, place: Place, seen: Seen): Promise<AnyStay | null> {
  const { prior, next } = await staysAround(tx, place, seen.at)
  const stay = await stayOf(tx, place, seen, prior, next)
  await Promise.all([keep(tx, place, seen, stay?.id ?? null), tell(tx, berthTopic, { park: place.parkCode, ids: [place.seatCode] })])
  if (!stay || seen.plateNo === null) return stay
  return elsewhere(tx, await nameStay(tx, place, stay, seen))
}

async function stayOf(tx: Tx, place: Place, seen: Seen, prior: AnyStay | undefined, next: AnyStay | undefined): Promise<AnyStay | null> {
  if (prior && lasts(prior, seen.at)) {
    if (!isAnother(seen, prior) || prior.status !== SessionStatus.present) return prior
    // The leave of the one before was missed: it is gone, and nobody has a picture of its going.
    await goneUnseen(tx, place, prior, seen)
  } else if (prior?.status === SessionStatus.leaving) {
    const held = await lockRoadStay(tx, prior.id)
    if (held.status === SessionStatus.leaving && msBetween(held.exitTime!, seen.at) <= FLAP_MS && maybeSame(seen, held)) return back(tx, held)
    await settle(tx, held, seen.at)
  }
  if (next) return before(tx, place, seen, next)
  if (!place.inForce) {
    await stoppedWhereClosed(tx, place, seen)
    return null
  }
  const begun = await begin(tx, place, seen)
  const left = await orphanLeave(tx, place, seen.at, null)
  return left ? endAt(tx, place, begun, left, seen) : begun
}

/** The moment lies within the stay, its end included. */
const lasts = ({ exitTime }: AnyStay, at: Instant): boolean => exitTime === null || Date.parse(at) <= Date.parse(exitTime)

/** Surely not the car of this stay: both plates are known, the new one is sure, and it is no misreading of the other. */
const isAnother = (seen: Seen, stay: AnyStay): boolean =>
  !maybeSame(seen, stay) && rankOf(sourceOf(seen), seen.confidence) >= PlateSource.handheld && plateDistance(seen.plateNo!, stay.plateNo!) > FUZZY_MAX

async function goneUnseen(tx: Tx, place: Place, stay: AnyStay, { at }: Seen): Promise<void> {
  await settle(tx, await vacate(tx, place, stay, at), at)
}

/** Takes a leave back: a sensor lost the car for a moment, or the driver straightened it. */
const back = (tx: Tx, stay: AnyStay): Promise<AnyStay> =>
  moveStay(tx, stay, 'backOut', { exitTime: null, exitImage: null, exitMode: null, durationMin: null, operatorOut: null })

/** Told late: a car stood there before the one that is known already. */
async function before(tx: Tx, place: Place, seen: Seen, next: AnyStay): Promise<AnyStay | null> {
  const left = await orphanLeave(tx, place, seen.at, next.entryTime)
  // Two devices saw one arrival; the sensor's clock says when.
  if (!left && msBetween(seen.at, next.entryTime!) <= SAME_MS && maybeSame(seen, next)) return isSensor(seen) ? sooner(tx, next, seen.at) : next
  return besideOpen(tx, place, async () => {
    const begun = await begin(tx, place, seen)
    if (left) return settle(tx, await endAt(tx, place, begun, left, seen), left.at)
    // The car came, another stood there afterwards, and nobody saw it go: a person decides.
    return moveStay(tx, begun, 'flag', { abnormalType: SessionAbnormal.offlineConflict })
  })
}
const sooner = (tx: Tx, stay: AnyStay, at: Instant): Promise<AnyStay> =>
  stay.status === SessionStatus.present || stay.status === SessionStatus.leaving ? editStay(tx, stay, { entryTime: at }) : Promise.resolve(stay)

/** The leave of a car whose coming was told afterwards. */
async function orphanLeave(
  tx: Tx,
  { parkCode, seatCode }: Place,
  after: Instant,
  until: Instant | null,
): Promise<{ id: string; at: Instant } | undefined> {
  const [found] = await run<{ id: string; at: Instant }>(tx, ORPHAN, [parkCode, seatCode, after, until])
  return found
}
const ORPHAN = {
  sql: `select id, at from roadside.evidence where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and stay_id is null and kind = ${EvidenceKind.leave}
    and at >= $3 and ($4::timestamptz is null or at <= $4) order by at limit 1`,
}
async function endAt(tx: Tx, place: Place, stay: AnyStay, left: { id: string; at: Instant }, seen: Seen): Promise<AnyStay> {
  await run(tx, { sql: 'update roadside.evidence set stay_id = $2 where enterprise_id = scope_enterprise() and id = $1' }, [left.id, stay.id])
  // Named first: the fee depends on the vehicle.
  return vacate(tx, place, seen.plateNo === null ? stay : await nameStay(tx, place, stay, seen), left.at)
}
