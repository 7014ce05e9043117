import { randomUUIDv7 } from 'node:crypto'
import type { Id, Instant } from '../../../platform/contract/field.ts'
import { isOfficialPlate, vehicleClassOf, type VehicleClassCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { CarKind, type CarKindCode, PassMode, SessionStatus, StayPlace, type StayId } from '../../parking/contract/stay.ts'
import { type AnyStay, frozenOfBerth, insertStay, lockStay, type Standing, standingOf } from '../../parking/server/api.ts'
import { Detector } from '../contract/berth.ts'
import type { Place } from './place.ts'
import { rankOf, type Seen, sourceOf } from './seen.ts'
import type { VisitRow } from './tables.ts'

/** A stay of the street, read under the lock of its berth. @throws NotFound for one of a lane */
export async function lockRoadStay(tx: Tx, id: Id<StayId>, version?: number): Promise<AnyStay> {
  const stay = await lockStay<AnyStay>(tx, id, version)
  if (stay.seatCode === null) throw NotFound()
  return stay
}
export async function visitOf(tx: Tx, stayId: Id<StayId>): Promise<VisitRow> {
  const found = await tx.selectFrom('roadside.visit').selectAll().where('stayId', '=', stayId).executeTakeFirst()
  if (!found) throw NotFound()
  return found
}
export const setVisit = (tx: Tx, stayId: Id<StayId>, changes: Partial<Omit<VisitRow, 'stayId' | 'cameOf' | 'became'>>) =>
  tx.updateTable('roadside.visit').set(changes).where('stayId', '=', stayId).execute()

/** The stays of a berth that lie around a moment: the one that began last before it, and the first that began after it. Void ones never were. */
export async function staysAround(
  tx: Tx,
  { parkCode, seatCode }: Pick<Place, 'parkCode' | 'seatCode'>,
  at: Instant,
): Promise<{ prior: AnyStay | undefined; next: AnyStay | undefined }> {
  const [prior, next] = await Promise.all([run<AnyStay>(tx, PRIOR, [parkCode, seatCode, at]), run<AnyStay>(tx, NEXT, [parkCode, seatCode, at])])
  return { prior: prior[0], next: next[0] }
}
const OF_BERTH = `select * from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and status <> ${SessionStatus.void}`
const PRIOR = { sql: `${OF_BERTH} and seen_at <= $3 order by seen_at desc, id desc limit 1` }
const NEXT = { sql: `${OF_BERTH} and seen_at > $3 order by seen_at, id limit 1` }

/** A car stands on a berth from now on. Its rule is frozen; who it is may come later. */
export async function begin(tx: Tx, place: Place, seen: Seen): Promise<AnyStay> {
  const id = randomUUIDv7() as Id<StayId>
  const named = await namedBy(tx, place, seen, seen.at)
  await insertStay(tx, {
    id,
    parkCode: place.parkCode,
    pType: StayPlace.street,
    sectionCode: place.sectionCode,
    seatCode: place.seatCode,
    ...named,
    entryTime: seen.at,
    entryImage: seen.image,
    entryMode: seen.by ? PassMode.byHand : isLate(seen) ? PassMode.offline : PassMode.camera,
    operatorIn: seen.by,
    offline: isLate(seen) ? 1 : 0,
  })
  await tx
    .insertInto('roadside.visit')
    .values({ stayId: id, parkCode: place.parkCode, detector: seen.detector, tollNo: seen.by, ...plateFrom(seen) })
    .execute()
  return lockRoadStay(tx, id)
}
/** Told so long after it happened, the device was cut off. */
const LATE_MS = 60_000
const isLate = ({ at, receivedAt, by }: Seen) => by === null && Date.parse(receivedAt) - Date.parse(at) > LATE_MS

export const plateFrom = (seen: Seen): Pick<VisitRow, 'plateSource' | 'plateConfidence'> =>
  seen.plateNo === null ? { plateSource: 0, plateConfidence: null } : { plateSource: sourceOf(seen), plateConfidence: seen.confidence }
export const isBetter = (seen: Seen, { plateSource, plateConfidence }: VisitRow): boolean =>
  seen.plateNo !== null && rankOf(sourceOf(seen), seen.confidence) > rankOf(plateSource, plateConfidence)

interface Named extends Pick<AnyStay, 'plateNo' | 'plateColor' | 'vehicleClass' | 'carKindIn' | 'passId' | 'ruleVersionId'> {}
/** Returns the vehicle's class and so its rule, and the right by which it stands there, once its plate is known. */
export async function namedBy(
  tx: Tx,
  { parkCode, sectionCode }: Place,
  { plateNo, plateColor }: Pick<Seen, 'plateNo' | 'plateColor'>,
  at: Instant,
): Promise<Named> {
  const vehicleClass: VehicleClassCode = plateNo === null ? SMALL : vehicleClassOf(plateNo, plateColor)
  const standing = plateNo === null ? undefined : await standingOf(tx, { parkCode, plateNo, plateColor, at })
  const ruleVersionId = await frozenOfBerth(tx, { parkCode, sectionCode, vehicleClass, memberGroup: standing?.memberGroup, at })
  const carKindIn = standing ? kindOf(plateNo!, standing) : CarKind.temporary
  return { plateNo, plateColor, vehicleClass, carKindIn, passId: carKindIn === CarKind.pass ? standing!.pass!.passId : null, ruleVersionId }
}
/** The class of most cars. */
const SMALL = 1
function kindOf(plateNo: string, { special, white, black, pass }: Standing, was?: CarKindCode): CarKindCode {
  if (special || isOfficialPlate(plateNo)) return CarKind.special
  if (white && !black) return CarKind.free
  return pass && (!pass.full || was === CarKind.pass) ? CarKind.pass : CarKind.temporary
}
/** Decided again until the car has gone; its kind at entry stays on the record. */
export async function kindAt(tx: Tx, { parkCode, plateNo, plateColor, carKindIn, carKindOut, status }: AnyStay, at: Instant): Promise<CarKindCode> {
  if (status === SessionStatus.left && carKindOut !== null) return carKindOut
  return plateNo === null ? carKindIn : kindOf(plateNo, await standingOf(tx, { parkCode, plateNo, plateColor, at }), carKindIn)
}

/** Two devices see one arrival, or one leaving, within this time. */
export const SAME_MS = 10 * 60_000
/** A berth that is left and taken again by the same car within three minutes was never left. */
export const FLAP_MS = 3 * 60_000
export const msBetween = (from: Instant, to: Instant) => Date.parse(to) - Date.parse(from)
export const isSensor = ({ detector }: Pick<Seen, 'detector'>) => detector === Detector.sensor
