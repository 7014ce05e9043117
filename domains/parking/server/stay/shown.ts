import { onlyFields } from '../../../../platform/server/row.ts'
import { Stay, type StayRow } from '../../contract/stay.ts'
import type { AnyStay } from './stayMoves.ts'

/** What people see of a stay. */
export const shown: (row: AnyStay) => StayRow = onlyFields(Stay)
