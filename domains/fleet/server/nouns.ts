import { id } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Allocation } from '../contract/allocation.ts'

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  {
    table: 'fleet.allocation',
    entity: Allocation,
    also: { changedById: id('修改人编号', 'Changed by (id)'), approverId: id('审批人编号', 'Approver (id)') },
  },
]
