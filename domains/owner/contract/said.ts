import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('owner', {
  erased: ['已注销', 'Account deleted'],
  named: ['车主{digits}', 'Driver {digits}'],
  driver: ['车主', 'Driver'],
  recharge: ['储值充值 {name}', 'Stored value top-up {name}'],
  cardRecharge: ['储值卡充值 {cardNo}', 'Stored-value card top-up {cardNo}'],
  charging: ['充电 {orderNo}', 'Charging {orderNo}'],
  unbound: ['车主自行解绑', 'Unbound by the driver'],
  merged: ['合并车主', 'Drivers merged'],
  gone: ['车主注销', 'The driver deleted the account'],
  verifiedElsewhere: ['车牌已由他人认证', 'The plate was verified by somebody else'],
  refund: ['储值退款 {refundNo}', 'Stored-value refund {refundNo}'],
  notRefunded: ['退款未成功', 'The refund did not succeed'],
  payoutFailed: ['打款失败', 'The payout failed'],
  unpaid: ['超时未支付', 'Not paid in time'],
  refundAsked: ['退款申请', 'Refund requested'],
  refundRejected: ['退款驳回', 'Refund rejected'],
  returned: ['订单 {orderNo} 退回', 'Returned from order {orderNo}'],
})
