import { fen, instant, permille, text, whole } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Reservation, ShareBooking } from '../contract/booking.ts'
import { Payout } from '../contract/payout.ts'
import { SharedPark, ShareFees, ShareOffer } from '../contract/sharing.ts'

export const nouns: Noun[] = [
  { table: 'share.fees', entity: ShareFees },
  { table: 'share.park', entity: SharedPark },
  { table: 'share.offer', entity: ShareOffer },
  {
    table: 'share.booking',
    entity: ShareBooking,
    also: {
      ownerId: text('业主编号', 'Owner id'),
      priceFen: fen('单价', 'Price'),
      graceMin: whole('超时宽限', 'Grace', { unit: 'minute' }),
      overtimePermille: permille('超时费率', 'Overrun rate'),
      cancelFreeMin: whole('免费取消提前', 'Free to cancel before', { unit: 'minute' }),
      holdMin: whole('保留时长', 'Held for', { unit: 'minute' }),
      splitPermille: permille('业主分成比例', 'Owner’s part'),
      completedAt: instant('完成时间', 'Completed at'),
      earlierOver: text('先前的超时订单', 'Earlier overrun orders'),
    },
  },
  { table: 'share.place', entity: Reservation },
  {
    table: 'share.ban',
    entity: Reservation,
    also: {
      defaults: whole('违约次数', 'Defaults'),
      until: instant('停约至', 'Suspended until'),
      liftedAt: instant('解除时间', 'Lifted at'),
      liftedName: text('解除人', 'Lifted by'),
    },
  },
  { table: 'share.payout', entity: Payout, also: { secondApproverId: text('二审编号', 'Second reviewer id') } },
]
