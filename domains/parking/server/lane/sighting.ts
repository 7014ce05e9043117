import type { Instant } from '../../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../../platform/contract/plate.ts'
import { Direction } from '../../contract/gate.ts'
import type { StayRow } from '../../contract/stay.ts'

/** A car seen before a lane: by its camera, or put in by a person. */
export interface Sighting {
  parkCode: string
  gateCode: string
  direction: 1 | 2
  /** Business time: when it stood there. */
  at: Instant
  receivedAt: Instant
  plateNo: string
  /** What the camera read, where the plate is known to be another. */
  readAs?: string
  plateColor: PlateColorCode | null
  confidence: number | null
  image: string | null
  messageId: string | null
  mode: NonNullable<StayRow['entryMode']>
  /** Told late: the record is kept at its own time. */
  offline: boolean
  /** Signs and barrier may act. */
  live: boolean
  /** Told so late, or by a lane that was cut off and decided itself, that the car has gone on. Not live and not gone (told a little late, or by a camera that is not in use): it may still stand there; a person opens. */
  gone: boolean
  /** Read at an exit while the barrier was up for the car ahead. */
  behind?: boolean
}

/** A car that was seen, by the plate that is known to be its own. */
export const knownAs = (car: Sighting, { plateNo, plateColor }: Pick<Sighting, 'plateNo' | 'plateColor'>): Sighting =>
  plateNo === car.plateNo ? { ...car, plateColor } : { ...car, plateNo, plateColor, readAs: car.readAs ?? car.plateNo }
interface AtLane {
  asked: Sighting | null
  plateNo: string | null
  plateColor: PlateColorCode | null
}
/** The car that stands at a lane, as whose it is taken there by now. */
export const standsThere = ({ asked, plateNo, plateColor }: AtLane): Sighting | undefined =>
  asked && plateNo !== null ? knownAs(asked, { plateNo, plateColor }) : undefined
/** The car that a person answers for: at an exit by the plate of its stay, so that a match that was made once holds. */
export const askedAbout = (lane: AtLane & { direction: number | null }): Sighting | null =>
  lane.direction === Direction.exit ? (standsThere(lane) ?? lane.asked) : lane.asked
