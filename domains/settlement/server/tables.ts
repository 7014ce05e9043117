import type { Of } from '../../../platform/contract/field.ts'
import type { Generated } from 'kysely'
import type { Addition, CheckDetail, CheckTotal } from '../contract/liquidation.ts'
import type { Order } from '../contract/order.ts'
import type { Payment } from '../contract/payment.ts'
import type { Refund, RefundLine } from '../contract/refund.ts'
import type { Recharge } from '../contract/recharge.ts'
import type { DoubleLine } from '../contract/report.ts'
import type { ShiftDetail } from '../contract/shift.ts'
import type { Waiver, WaiverLine } from '../contract/waiver.ts'

type Row<T> = T & { enterpriseId: number }
/** Columns that have a default in the database. */
type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> } & { enterpriseId: Generated<number> }
type Own = 'id' | 'version' | 'createdAt' | 'updatedAt'
declare module '../../../platform/server/database.ts' {
  interface Tables {
    'settlement.order': Row<Of<typeof Order>>
    'settlement.payment': Row<Of<typeof Payment> & Pick<Of<typeof DoubleLine>, 'ownerId' | 'ownerName' | 'ownedAt'>>
    'settlement.refund': Row<Of<typeof Refund>>
    'settlement.refundLine': Row<Of<typeof RefundLine>>
    'settlement.waiverLine': Row<Of<typeof WaiverLine>>
    'settlement.shiftLine': Row<Omit<Of<typeof ShiftDetail>, 'moves' | 'takings'>>
    'settlement.waiver': Row<Of<typeof Waiver>>
    'settlement.paymentLine': Row<Of<typeof DoubleLine>>
    'settlement.rechargeLine': Row<Of<typeof Recharge>>
    'settlement.checkTotal': Row<Of<typeof CheckTotal>> & { digest: string | null; entryIds: string[] }
    'settlement.checkDetail': Row<Of<typeof CheckDetail>> & { matchKey: string; inFile: boolean }
    'settlement.addition': Filled<
      Of<typeof Addition>,
      Own | 'state' | 'approvals' | 'verdict' | 'firstApproverId' | 'firstApproverName' | 'secondApproverName'
    > & {
      secondApproverId: Generated<string | null>
    }
  }
}
