import { listOf, shaped, text } from '../../../platform/contract/field.ts'

/** The form of a park's code. A scope is written as these with commas between, and `*` for all: neither may stand in one. */
export const PARK_CODE = '^[A-Z][A-Z0-9-]*$'
/** Parks that somebody may see. */
export const parkCodes = (zh: string, en: string) =>
  shaped(zh, en, listOf(text('车场编号', 'Car park code', { max: 16, pattern: PARK_CODE }), { max: 2000 }))
