import { id, instant } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Allocation } from '../contract/allocation.ts'
import { Fence } from '../contract/fence.ts'
import { changerIds } from './allocationRow.ts'

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  { table: 'fleet.fence', entity: Fence, also: { drawnAt: instant('起算时间', 'Counts from') } },
  {
    table: 'fleet.allocation',
    entity: Allocation,
    also: { changerIds, approverId: id('审批人编号', 'Approver (id)') },
  },
]
