import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('coupon', {
  claimed: ['车主领取', 'Claimed by the driver'],
  given: ['商户发放', 'Issued by the merchant'],
  takenBack: ['商户撤回', 'Taken back by the merchant'],
  byDriver: ['车主取消', 'Cancelled by the driver'],
  points: ['积分商品 {name} ×{qty}', 'Points article {name} ×{qty}'],
  billCancelled: ['订单已取消', 'The order was cancelled'],
  unpaid: ['超时未支付', 'Not paid in time'],
  merged: ['合并车主', 'Drivers merged'],
})
