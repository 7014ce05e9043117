import { listOf, shaped, text } from '../../../platform/contract/field.ts'

const code = text('车场编号', 'Park code', { max: 16, pattern: '^[A-Z][A-Z0-9-]*$' })
/** Parks that somebody may see. Their codes have the form of a park's own: a scope is written as these with commas between, and `*` for all. */
export const parkCodes = (zh: string, en: string) => shaped(zh, en, listOf(code, { max: 2000 }))
