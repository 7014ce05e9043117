import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { rowsOver } from '../../../platform/server/row.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { Allocation, type allocation } from '../contract/allocation.ts'
import './tables.ts'

export type AllocationRow = Of<typeof Allocation>
export const allocationRows = rowsOver(Allocation, 'fleet.allocation', Object.keys(Allocation.properties) as (keyof AllocationRow)[])
/** A step of an allocation that somebody asked for. */
export interface Doing {
  tx: Tx
  found: AllocationRow
  input: Of<typeof allocation.update.input>
  actor: Actor
  at: Instant
}
