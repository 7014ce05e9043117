import { day, fen, instant, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Addition, CheckDetail, CheckTotal } from '../contract/liquidation.ts'
import { Order } from '../contract/order.ts'
import { Payment } from '../contract/payment.ts'
import { Refund } from '../contract/refund.ts'
import { DoubleLine } from '../contract/report.ts'
import { Shift, ShiftLine } from '../contract/shift.ts'
import { Waiver } from '../contract/waiver.ts'

const operatorId = text('收费员编号', 'Collector (id)')
const { ownerId, ownerName, ownedAt } = DoubleLine.properties
const { cashInFen: _in, cashOutFen: _out, depositFen: _deposit, ...closing } = ShiftLine.properties
const OWNER = { ownerId, ownerName, ownedAt }

export const nouns: Noun[] = [
  {
    table: 'settlement.order',
    entity: Order,
    also: {
      operatorId,
      payingUntil: instant('支付中至', 'Payment pending until'),
      owed: yes('欠费已入账', 'Arrears booked'),
      writtenOffFen: fen('已核销（坏账）', 'Written off'),
      place: whole('补缴地点', 'Repayment place'),
    },
  },
  {
    table: 'settlement.payment',
    entity: Payment,
    also: {
      operatorId,
      payUrl: text('支付地址', 'Payment URL'),
      heardAt: instant('收到通知时间', 'Notified at'),
      clearedOn: day('对账日期', 'Cleared on'),
      contractNo: text('签约单号', 'Agreement number'),
      ...OWNER,
    },
  },
  { table: 'settlement.refund', entity: Refund, also: { secondApproverId: text('二审编号', 'Second approver id') } },
  {
    table: 'settlement.waiver',
    entity: Waiver,
    also: { secondApproverId: text('二审编号', 'Second approver id') },
  },
  {
    table: 'settlement.shift',
    entity: Shift,
    also: { ...closing, counted: text('清点', 'Counted'), begunIn: text('开班车场', 'Opened at car park') },
  },
  {
    table: 'settlement.check_total',
    entity: CheckTotal,
    also: { digest: text('校验值', 'Checksum'), entryIds: text('关账分录', 'Closing entries') },
  },
  {
    table: 'settlement.check_detail',
    entity: CheckDetail,
    also: { matchKey: text('对账键', 'Clearing key'), inFile: yes('在当日文件中', 'In the day’s file') },
  },
  { table: 'settlement.addition', entity: Addition, also: { secondApproverId: text('二审编号', 'Second approver id') } },
]
