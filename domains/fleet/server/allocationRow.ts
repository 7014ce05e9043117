import { entity, id, type Instant, listOf, type Of, shaped } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { rowsOver } from '../../../platform/server/row.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { Allocation, type allocation } from '../contract/allocation.ts'
import './tables.ts'

export type AllocationRow = Of<typeof Allocation>
/** With everybody who changed it since it was last approved: none of them approves it. */
export const changerIds = shaped('修改人编号', 'Changed by (ids)', listOf(id<'PersonId'>()))
const Kept = entity({ ...Allocation.properties, changerIds })
export const allocationRows = rowsOver(Kept, 'fleet.allocation', Object.keys(Kept.properties) as (keyof Of<typeof Kept>)[])
/** A step of an allocation that somebody asked for. */
export interface Doing {
  tx: Tx
  found: Of<typeof Kept>
  input: Of<typeof allocation.update.input>
  actor: Actor
  at: Instant
}
