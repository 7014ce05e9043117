import type { FormField, Mode, OwnField } from './FormDialog.tsx'
import type { Text } from '../text.ts'

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

const ACTS: Record<Mode, Text> = { view: ['查看', 'View'], edit: ['编辑', 'Edit'], new: ['新增', 'New'] }
/** A dialog that has no title of its own says what it adds or changes, and which one by its name. */
export function titleOf(mode: Mode, thing: Text | undefined, value: object): Text {
  const [zh, en] = ACTS[mode]
  const { name } = value as { name?: unknown }
  const which = mode !== 'new' && typeof name === 'string' && name !== '' ? ` · ${name}` : ''
  return thing ? [`${zh}${thing[0]}${which}`, `${en} ${inSentence(thing[1])}${which}`] : [`${zh}${which}`, `${en}${which}`]
}
/** An abbreviation keeps its capitals. */
const inSentence = (words: string) => (/^[A-Z][a-z]/.test(words) ? words[0]!.toLowerCase() + words.slice(1) : words)

/** Of values that are put into a form for somebody, those whose place is still empty: what was typed is never overwritten. */
export const intoEmpty = (typed: Readonly<Record<string, unknown>>, offered: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(offered).filter(([name]) => isEmpty(typed[name])))
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
