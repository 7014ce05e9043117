import type { Of } from '../../../platform/contract/field.ts'
import { shift } from '../../settlement/contract/shift.ts'
import { till, type Till } from '../contract/till.ts'

/** A till as its acts need it, from the list or from its keeper's own page. */
export type TillOf = Pick<Of<typeof Till>, 'id' | 'version' | 'shiftNo' | 'overFen' | 'underFen'>
/** Calls whose answers an act on a till makes old. */
export const CHANGES = [till.shifts, till.people, shift.mine, shift.toTake, shift.detail]
export const ref = ({ id, version }: { id: string; version: number }) => ({ id: id as never, version })
