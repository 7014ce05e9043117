import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('fleet', {
  notFetched: [
    '超过计划出车时间 {hours} 小时未取车，自动取消',
    'Not collected within {hours:hour} after the planned departure: cancelled automatically',
  ],
})
