import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('merchant', {
  unpaid: ['超时未支付', 'Not paid in time'],
  recharge: ['商户充值 {name}', 'Merchant top-up {name}'],
})
