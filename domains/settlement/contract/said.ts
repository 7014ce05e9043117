import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('settlement', {
  parking: ['停车费 {whose}', 'Parking fee {whose}'],
  repayment: ['停车欠费补缴 {plateNo}', 'Repayment of parking debts {plateNo}'],
  repaymentUnnamed: ['停车欠费补缴', 'Repayment of parking debts'],
  unpaid: ['超时未付', 'Not paid in time'],
  changed: ['所选欠费已变化', 'The selected debts have changed'],
  wrongAmount: ['支付金额不符', 'The amount paid does not match'],
  afterCancel: ['订单取消后支付，自动退回', 'Paid after the order was cancelled: refunded automatically'],
  paidTwice: ['重复支付，自动退回', 'Paid twice: refunded automatically'],
  channelFailed: ['渠道退款失败', 'The channel could not refund it'],
})
