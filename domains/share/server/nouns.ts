import { instant, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Reservation, ShareBooking, terms } from '../contract/booking.ts'
import { Payout } from '../contract/payout.ts'
import { SharedPark, ShareFees, ShareOffer } from '../contract/sharing.ts'

export const nouns: Noun[] = [
  { table: 'share.fees', entity: ShareFees },
  { table: 'share.park', entity: SharedPark },
  { table: 'share.offer', entity: ShareOffer },
  {
    table: 'share.booking',
    entity: ShareBooking,
    also: terms,
  },
  { table: 'share.place', entity: Reservation },
  {
    table: 'share.ban',
    entity: Reservation,
    also: {
      withCar: yes('车辆一并暂停预约', 'Car suspended too'),
      defaults: whole('违约次数', 'No-shows'),
      until: instant('暂停预约至', 'Bookings suspended until'),
      liftedAt: instant('解除时间', 'Lifted at'),
      liftedName: text('解除人', 'Lifted by'),
    },
  },
  { table: 'share.payout', entity: Payout, also: { secondApproverId: text('二审编号', 'Second reviewer id') } },
]
