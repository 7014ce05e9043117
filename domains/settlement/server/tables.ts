import type { Of } from '../../../platform/contract/field.ts'
import type { Order } from '../contract/order.ts'
import type { Payment } from '../contract/payment.ts'
import type { Refund } from '../contract/refund.ts'
import type { PaymentLine } from '../contract/report.ts'
import type { Waiver } from '../contract/waiver.ts'

type Row<T> = T & { enterpriseId: number }
declare module '../../../platform/server/database.ts' {
  interface Tables {
    'settlement.order': Row<Of<typeof Order>>
    'settlement.payment': Row<Of<typeof Payment>>
    'settlement.refund': Row<Of<typeof Refund>>
    'settlement.waiver': Row<Of<typeof Waiver>>
    'settlement.paymentLine': Row<Of<typeof PaymentLine>>
  }
}
