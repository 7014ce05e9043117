import { Stay, type StayRow } from '../contract/stay.ts'
import type { StayRecord } from './stayMoves.ts'

/** Of a row, only what the entity shows: a reply carries no field that its contract does not name. */
export const onlyFields = (entity: { properties: object }) => {
  const fields = Object.keys(entity.properties)
  return <T>(row: object) => Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown>)[field]])) as T
}
/** What people see of a stay. */
export const shown = onlyFields(Stay) as (row: StayRecord) => StayRow
