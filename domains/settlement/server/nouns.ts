import { instant, text, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Order } from '../contract/order.ts'
import { Payment } from '../contract/payment.ts'
import { Refund } from '../contract/refund.ts'
import { Shift } from '../contract/shift.ts'
import { Waiver } from '../contract/waiver.ts'

const operatorId = text('收费员编号', 'Taken by (id)')

export const nouns: Noun[] = [
  {
    table: 'settlement.order',
    label: ['订单', 'Order'],
    entity: Order,
    also: { operatorId, payingUntil: instant('支付中至', 'Being paid until'), owed: yes('欠费已入账', 'Arrears are booked') },
  },
  { table: 'settlement.payment', label: ['支付', 'Payment'], entity: Payment, also: { operatorId, payUrl: text('支付地址', 'Address to pay at') } },
  { table: 'settlement.refund', label: ['退款', 'Refund'], entity: Refund, also: { secondApproverId: text('二审编号', 'Second approver id') } },
  {
    table: 'settlement.waiver',
    label: ['减免', 'Waiver'],
    entity: Waiver,
    also: { applicantId: text('申请人编号', 'Asked by (id)'), approverId: text('审核人编号', 'Decided by (id)') },
  },
  { table: 'settlement.shift', label: ['班次', 'Shift'], entity: Shift },
]
