import { onlyFields } from '../../../../platform/server/row.ts'
import { Stay, type StayRow } from '../../contract/stay.ts'
import type { AnyStay } from './stayMoves.ts'

/** Keeps the fields of a stay that people see. */
export const shown: (row: AnyStay) => StayRow = onlyFields(Stay)
