import type { Generated } from 'kysely'
import type { Of } from '../../../platform/contract/field.ts'
import type { KeptBooking, PayLine, Reservation, ShareBooking } from '../contract/booking.ts'
import type { Payout } from '../contract/payout.ts'
import type { SharedPark, ShareFees, ShareOffer } from '../contract/sharing.ts'

type Scoped = { enterpriseId: Generated<number> }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }
type Row = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Seen = { enterpriseId: number }

declare module '../../../platform/server/database.ts' {
  interface Tables {
    'share.fees': Filled<Of<typeof ShareFees>, Row | 'status' | 'capFen'> & Scoped
    'share.offer': Filled<Of<typeof ShareOffer>, Row | 'status' | 'reason' | 'ownerId' | 'phone' | 'proof'> & Scoped
    'share.payout': Filled<
      Of<typeof Payout>,
      | Row
      | 'state'
      | 'approvals'
      | 'verdict'
      | 'paidAt'
      | 'firstApproverId'
      | 'firstApproverName'
      | 'secondApproverName'
      | 'transferNo'
      | 'settledName'
      | 'failure'
    > &
      Scoped & { secondApproverId: Generated<string | null> }
    'share.parkLine': Of<typeof SharedPark> & Seen
    'share.bookingLine': Of<typeof ShareBooking> & Seen
    'share.reservation': Of<typeof Reservation> & Seen
    'share.payLine': Of<typeof PayLine> & Seen
    'share.booking': BookingTable & Scoped
  }
}
type BookingTable = Filled<
  Of<typeof KeptBooking>,
  | Row
  | 'state'
  | 'refundFen'
  | 'splitFen'
  | 'splitAt'
  | 'orderId'
  | 'payUntil'
  | 'stayId'
  | 'enteredAt'
  | 'leftAt'
  | 'overMin'
  | 'overFen'
  | 'overOrderId'
  | 'reason'
  | 'completedAt'
  | 'earlierOver'
>
