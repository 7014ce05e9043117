import { entity, id, type Instant, type Of, orNone } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { rowsOver } from '../../../platform/server/row.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { Allocation, type allocation } from '../contract/allocation.ts'
import './tables.ts'

export type AllocationRow = Of<typeof Allocation>
/** With whoever changed it last before it was approved. */
const Kept = entity({ ...Allocation.properties, changedById: orNone(id('修改人编号', 'Changed by (id)')) })
export const allocationRows = rowsOver(Kept, 'fleet.allocation', Object.keys(Kept.properties) as (keyof Of<typeof Kept>)[])
/** A step of an allocation that somebody asked for. */
export interface Doing {
  tx: Tx
  found: Of<typeof Kept>
  input: Of<typeof allocation.update.input>
  actor: Actor
  at: Instant
}
