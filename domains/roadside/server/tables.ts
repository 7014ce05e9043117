import type { Generated } from 'kysely'
import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import type { StayId } from '../../parking/contract/stay.ts'
import type { Berth, BerthNow, Binding } from '../contract/berth.ts'
import type { Preset } from '../contract/dome.ts'
import type { IllegalStop } from '../contract/illegalStop.ts'
import type { Evidence, RoadStay } from '../contract/roadStay.ts'
import type { Section } from '../contract/section.ts'

/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Scoped = { enterpriseId: Generated<number> }
type Removable = Scoped & { deleted: Generated<boolean> }
type Kept = 'id' | 'version' | 'createdAt' | 'updatedAt'

export interface VisitRow {
  stayId: Id<StayId>
  parkCode: string
  detector: Of<typeof RoadStay>['detector']
  confirmState: Of<typeof RoadStay>['confirmState']
  tollNo: string | null
  /** Where the plate came from, 0 nobody; a better source may change it. */
  plateSource: 0 | 1 | 2 | 3 | 4
  plateConfidence: number | null
  collectable: boolean
  /** The stays that this one was made of, or the one that it is a part of. */
  cameOf: string[]
  /** The stays that were made of this one. */
  became: string[]
}
type EvidenceRow = Of<typeof Evidence> & {
  seatCode: string
  parkCode: string
  receivedAt: Instant
  by: string | null
  messageId: string | null
  createdAt: Instant
}

export interface PlayRow {
  id: string
  parkCode: string
  deviceNo: string
  sessionId: string
  personId: string
  personName: string
  askedAt: Instant
  expiresAt: Instant
  begunAt: Instant | null
  endedAt: Instant | null
  endedBecause: string | null
}

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'roadside.section': Filled<Of<typeof Section>, Kept | 'flag' | 'line' | 'remark'> & Removable
    'roadside.berth': Filled<Of<typeof Berth>, Kept | 'type' | 'chargeType' | 'lng' | 'lat' | 'status' | 'remark' | 'sectionCode' | 'areaCode'> &
      Removable
    'roadside.berthNow': Of<typeof BerthNow> & Scoped
    'roadside.binding': Filled<Of<typeof Binding>, 'id' | 'toAt' | 'action' | 'offOperName' | 'reason'> & Scoped
    'roadside.visit': Filled<VisitRow, 'confirmState' | 'tollNo' | 'plateSource' | 'plateConfidence' | 'collectable' | 'cameOf' | 'became'> & Scoped
    'roadside.evidence': Filled<EvidenceRow, 'id' | 'showsBerth' | 'showsPlate' | 'createdAt'> & Scoped
    'roadside.stay': Of<typeof RoadStay> & { seenAt: Instant } & Scoped
    'roadside.illegalStop': Filled<Of<typeof IllegalStop>, Kept | 'confidence' | 'count' | 'state' | 'holdMin'> & { filedBy: string[] } & Scoped
    'roadside.preset': Filled<Of<typeof Preset>, Kept | 'dayMask' | 'timeFrom' | 'timeTo' | 'status'> & Scoped
    'roadside.play': Filled<PlayRow, 'id'> & Scoped
  }
}
