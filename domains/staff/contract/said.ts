import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('staff', {
  rest: ['休息', 'Rest'],
  onLeave: ['{shift}（请假）', '{shift} (on leave)'],
})
