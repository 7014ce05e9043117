import type { Generated } from 'kysely'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import type { Area } from '../contract/area.ts'
import type { CallOut } from '../contract/callOut.ts'
import type { ClearedCar } from '../contract/clearedCar.ts'
import type { Cleared } from '../contract/clearing.ts'
import type { Gate } from '../contract/gate.ts'
import type { HeldBill } from '../contract/heldBill.ts'
import type { Candidate, Lane } from '../contract/laneBoard.ts'
import type { Park } from '../contract/park.ts'
import type { PassTime } from '../contract/passTime.ts'
import type { Qrcode } from '../contract/qrcode.ts'
import type { CarKindCode, Decision, Stay, StayId, Tried } from '../contract/stay.ts'
import type { Sighting } from './lane/sighting.ts'

/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Scoped = { enterpriseId: Generated<number> }
/** Stays go on naming a park or gate that is gone from the lists, and its code is never given again. */
type Removable = Scoped & { deleted: Generated<boolean> }
type Kept = 'id' | 'version' | 'createdAt' | 'updatedAt'

type ParkRow = Of<typeof Park>
/** Everything that has a default: all but what a park cannot be without. */
type ParkDefaults = Exclude<keyof ParkRow, 'parkCode' | 'name' | 'pType' | 'regionCode' | 'totalBays'>

/** Fields of a stay that only the server uses, beside those it shows. */
export interface StayInside {
  seenAt: Instant
  settledFen: number
  graceUntil: Instant | null
  graceRestarts: number
  tailing: boolean
  clearingId: Id<'ClearingId'> | null
  correctedFrom: Id<StayId> | null
}

type LaneShown = Pick<
  Of<typeof Lane>,
  'parkCode' | 'gateCode' | 'state' | 'since' | 'stayId' | 'decisionId' | 'plateNo' | 'plateColor' | 'image' | 'dueFen' | 'outcome'
>
export type LaneRecord = LaneShown & {
  direction: number | null
  checks: Tried[]
  candidates: Of<typeof Candidate>[]
  asked: Sighting | null
  openRef: string | null
  commandId: string | null
  /** Where it is not the fee of the stay: the order that is asked. */
  dueOrderId: string | null
  gateState: string | null
  gateAt: Instant | null
  keptOpenFrom: Instant | null
  keptOpenUntil: Instant | null
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'parking.park': Filled<ParkRow, ParkDefaults> & Removable & { filingBy: Generated<string | null> }
    'parking.area': Filled<Of<typeof Area>, Kept | 'status' | 'nested' | 'parentArea' | 'remark'> & Removable
    'parking.gate': Filled<
      Of<typeof Gate>,
      Kept | 'status' | 'programs' | 'areaFrom' | 'areaTo' | 'lane' | 'cameraId' | 'barrierId' | 'ledId' | 'lockedBy' | 'remark'
    > &
      Removable
    'parking.callOut': Filled<Of<typeof CallOut>, Kept | 'waitSec'> & Scoped
    'parking.heldBill': Filled<Of<typeof HeldBill>, Kept | 'state' | 'setFen' | 'reason' | 'decidedBy' | 'decidedAt'> & Scoped
    'parking.passTime': Filled<Of<typeof PassTime>, 'id' | 'passedAt' | 'seconds'> & Scoped
    'parking.qrcodeShown': Of<typeof Qrcode> & Scoped
    'parking.stay': Of<typeof Stay> & StayInside & Scoped
    'parking.present': {
      stayId: Id<StayId>
      parkCode: string
      plateNo: string | null
      plateColor: PlateColorCode | null
      areaCode: string | null
      seatCode: string | null
      carKind: CarKindCode
      status: 1 | 2
    } & Scoped
    'parking.segment': {
      id: Generated<string>
      parkCode: string
      stayId: Id<StayId>
      areaCode: string | null
      gateCode: string | null
      fromTime: Instant
      toTime: Instant | null
    } & Scoped
    'parking.decision': Of<typeof Decision> & Scoped
    'parking.lane': LaneRecord & Scoped
    'parking.clearing': Filled<Of<typeof Cleared>, Kept | 'clearedAt' | 'revertedAt' | 'approverId' | 'approverName' | 'verdict'> & Scoped
    'parking.clearedCar': Of<typeof ClearedCar> & Scoped
  }
}
