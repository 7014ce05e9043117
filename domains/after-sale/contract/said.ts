import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('after-sale', {
  customer: ['客户', 'Customer'],
  objects: ['账单异议：{reason}', 'Objection to a bill: {reason}'],
  unsolved: ['回访未解决', 'Not solved, says the follow-up call'],
  unsolvedFor: ['回访未解决：{why}', 'Not solved, says the follow-up call: {why}'],
  quiet: ['{days} 天未反馈，自动关闭', 'No feedback for {days:day}: closed automatically'],
  level: ['{from} → {to}', '{from} → {to}'],
})
