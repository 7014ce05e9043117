import type { Generated } from 'kysely'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { AwardChange, AwardLine } from '../contract/award.ts'
import type { Bidder } from '../contract/bidder.ts'
import type { Enrollment, EnrollLine } from '../contract/enrollment.ts'
import type { Bill, Contract, ContractLine, OrderLine } from '../contract/lease.ts'
import type { NoticeLine, RentNotice } from '../contract/notice.ts'
import type { Project } from '../contract/project.ts'
import type { SealPart, Sealed } from '../contract/seal.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }
type None<T> = Generated<T | null>

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'rent.bidder': Filled<Of<typeof Bidder>, Row | 'ownerId' | 'state' | 'applicantId' | 'auditorName' | 'auditedAt' | 'opinion'> &
      Scoped & { auditorId: None<string> }
    'rent.project': Filled<
      Of<typeof Project>,
      | Row
      | 'stepFen'
      | 'reserveFen'
      | 'minBidders'
      | 'extendMin'
      | 'currentFen'
      | 'bids'
      | 'winnerId'
      | 'publicUntil'
      | 'signBy'
      | 'state'
      | 'files'
      | 'remark'
      | 'sealKey'
      | 'openedAt'
    > &
      Scoped & { leaderId: None<string>; reminded: Generated<number> }
    'rent.notice': Filled<
      Of<typeof RentNotice>,
      Row | 'files' | 'terms' | 'termsWere' | 'publishAt' | 'tollType' | 'tollNos' | 'state' | 'makerId' | 'publisherName' | 'withdrawnWhy'
    > &
      Scoped & { publisherId: None<string> }
    'rent.noticeLine': Of<typeof NoticeLine> & Seen
    'rent.enrollment': Filled<
      Of<typeof Enrollment>,
      | Row
      | 'state'
      | 'earnestState'
      | 'paidAt'
      | 'bidderNo'
      | 'bidFen'
      | 'bidAt'
      | 'award'
      | 'payAgainUntil'
      | 'refundId'
      | 'refundDue'
      | 'backFor'
      | 'applicantId'
      | 'auditorName'
      | 'auditedAt'
      | 'opinion'
      | 'reason'
    > &
      Scoped & { auditorId: None<string>; bidSeq: None<number>; warnedAt: None<Instant> }
    'rent.enrollLine': Of<typeof EnrollLine> & Seen
    'rent.awardChange': Filled<Of<typeof AwardChange>, Row | 'toId' | 'state' | 'makerId' | 'checkerName' | 'decidedAt' | 'opinion'> &
      Scoped & { checkerId: None<string> }
    'rent.sealPart': Filled<Of<typeof SealPart>, Row> & Scoped & { share: None<string> }
    'rent.sealed': Filled<Of<typeof Sealed>, 'id'> & Scoped
    'rent.awardLine': Of<typeof AwardLine> & Seen
    'rent.contract': Filled<
      Of<typeof Contract>,
      | Row
      | 'freeDays'
      | 'depositFen'
      | 'files'
      | 'state'
      | 'lessorId'
      | 'lessorName'
      | 'lessorSignedAt'
      | 'lesseeSignedAt'
      | 'lesseeById'
      | 'lesseeByName'
      | 'lesseeFiles'
      | 'endedAt'
      | 'endReason'
      | 'renewsId'
    > &
      Scoped
    'rent.contractLine': Of<typeof ContractLine> & Seen
    'rent.bill': Filled<
      Of<typeof Bill>,
      | Row
      | 'creditFen'
      | 'penaltyFen'
      | 'waivedFen'
      | 'withheldFen'
      | 'orderId'
      | 'state'
      | 'paidAt'
      | 'waivingFen'
      | 'waiveMakerId'
      | 'waiveMaker'
      | 'waiveReason'
      | 'waiveChecker'
    > &
      Scoped & { waiveCheckerId: None<string> }
    'rent.orderLine': Of<typeof OrderLine> & Seen
  }
}
