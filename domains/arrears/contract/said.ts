import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('arrears', {
  owner: ['车主扫码', 'Driver (scanned code)'],
  repaid: ['已补缴，申诉撤回', 'Repaid: the appeal is withdrawn'],
  revoked: ['欠费已撤销，申诉撤回', 'The debt was revoked: the appeal is withdrawn'],
  waived: ['欠费已减免，申诉撤回', 'The debt was waived: the appeal is withdrawn'],
  evidence: ['取证已补齐', 'The missing pictures have arrived'],
  notOpened: ['未能发起支付', 'The payment could not be opened'],
})
