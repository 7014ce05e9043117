import type { FormField, OwnField } from './FormDialog.tsx'
import type { Text } from './text.ts'

export const ownOf = <K extends string>(field: FormField<K>): OwnField<K> => (typeof field === 'string' ? { name: field } : field)

interface Part<K extends string> {
  /** Left out: what stands before the first section. */
  heading: Text | undefined
  fields: OwnField<K>[]
}
/** The fields by their sections, in their order. */
export function partsOf<K extends string>(fields: readonly FormField<K>[]): Part<K>[] {
  const parts: Part<K>[] = []
  for (const own of fields.map(ownOf)) {
    if (own.section || parts.length === 0) parts.push({ heading: own.section, fields: [] })
    parts.at(-1)!.fields.push(own)
  }
  return parts
}
