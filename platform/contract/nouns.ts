import { anything, entity, type Facts, listOf, message, type Schema, shaped, text } from './field.ts'

/** Columns as SQL names them, with as much of their fields as is needed to draw a value. */
export type Columns = Record<string, Facts & { type?: string | string[]; format?: string; items?: Part }>
/** An element of a list: a value, or an object of values. */
interface Part extends Partial<Facts> {
  properties?: Columns
}
/** The words for the rows of a table. */
export interface NounTold {
  table: string
  zh: string
  en: string
  columns: Columns
}
const columns = shaped<Columns>('字段', 'Fields', anything as Schema<never>)
const NounTold: Schema<NounTold> = entity({
  table: text('表', 'Table'),
  zh: text('名称', 'Name'),
  en: text('英文名称', 'English name'),
  columns,
})
/** `everywhere`: columns that any table may have. */
export const NounsTold = message({ nouns: listOf(NounTold), everywhere: columns })
