import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { sameVehicle, type PlateColorCode } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import type { StayId } from '../../parking/contract/stay.ts'
import type { AnyStay } from '../../parking/server/api.ts'
import { Detector } from '../contract/berth.ts'
import { type Evidence, EvidenceKind, PlateSource } from '../contract/roadStay.ts'
import type { Place } from './place.ts'
import { evidenceWhole } from './questions.ts'

/** One thing that was seen at a berth, by a device or by a person. */
export interface Seen {
  kind: Of<typeof Evidence>['kind']
  detector: Of<typeof Evidence>['detector']
  deviceNo: string | null
  at: Instant
  receivedAt: Instant
  image: string | null
  plateNo: string | null
  plateColor: PlateColorCode | null
  confidence: number | null
  showsBerth: boolean
  showsPlate: boolean
  by: string | null
  messageId: string | null
}

/** How far a plate is to be believed: a person who looked, a camera that is sure, a handheld's reading, a patrol car's, a camera that is not sure. */
export const rankOf = (source: number, confidence: number | null): number =>
  source === PlateSource.video && (confidence ?? 0) < SURE_PERMILLE ? UNSURE : source
export const SURE_PERMILLE = 950
const UNSURE = 0.5
export const sourceOf = ({ detector, by }: Pick<Seen, 'detector' | 'by'>): 1 | 2 | 3 | 4 =>
  detector === Detector.patrol ? PlateSource.patrol : detector === Detector.handheld || by !== null ? PlateSource.handheld : PlateSource.video

/** Whether the sighting may be of this car: neither plate contradicts the other. */
export const maybeSame = (seen: Pick<Seen, 'plateNo' | 'plateColor'>, stay: Pick<AnyStay, 'plateNo' | 'plateColor'>): boolean =>
  seen.plateNo === null || stay.plateNo === null || sameVehicle({ ...seen, plateNo: seen.plateNo }, { ...stay, plateNo: stay.plateNo })

/** Keeps a sighting, with its stay; one that fits none is kept too. */
export async function keep(
  tx: Tx,
  { parkCode, seatCode }: Pick<Place, 'parkCode' | 'seatCode'>,
  seen: Seen,
  stayId: Id<StayId> | null,
): Promise<void> {
  await tx
    .insertInto('roadside.evidence')
    .values({ ...seen, parkCode, seatCode, stayId })
    .execute()
  if (stayId && seen.image) await weigh(tx, stayId)
}

/** A debt may be asked for once a picture of its coming and one of its going show berth number and plate. */
export async function weigh(tx: Tx, stayId: Id<StayId>): Promise<void> {
  const [turned] = await run<{ collectable: boolean; parkCode: string }>(tx, WEIGH, [stayId])
  if (turned?.collectable) await announce(tx, evidenceWhole, { stayId, parkCode: turned.parkCode })
}
const SHOWN = `from roadside.evidence e where e.enterprise_id = v.enterprise_id and e.stay_id = v.stay_id and e.image is not null and e.shows_berth and e.shows_plate`
const WHOLE = `(exists (select ${SHOWN} and e.kind = ${EvidenceKind.arrive}) and exists (select ${SHOWN} and e.kind = ${EvidenceKind.leave}))`
const WEIGH = {
  sql: `update roadside.visit v set collectable = ${WHOLE} where v.enterprise_id = scope_enterprise() and v.stay_id = $1 and v.collectable <> ${WHOLE} returning v.collectable, v.park_code`,
}

/** Returns the evidence that a stay lacks before its debt may be asked for. */
export const lacking = (evidence: readonly Of<typeof Evidence>[]): (1 | 3)[] =>
  ([EvidenceKind.arrive, EvidenceKind.leave] as const).filter(
    (kind) => !evidence.some((one) => one.kind === kind && one.image !== null && one.showsBerth && one.showsPlate),
  )

const FIELDS = [
  'id',
  'stayId',
  'kind',
  'detector',
  'deviceNo',
  'at',
  'image',
  'plateNo',
  'plateColor',
  'confidence',
  'showsBerth',
  'showsPlate',
] as const
export const evidenceOf = (tx: Tx, stayId: Id<StayId>): Promise<Of<typeof Evidence>[]> =>
  tx.selectFrom('roadside.evidence').select(FIELDS).where('stayId', '=', stayId).orderBy('at').orderBy('id').limit(EVIDENCE_MOST).execute()
/** Sensors that flap for days must not make a page of thousands. */
const EVIDENCE_MOST = 500
