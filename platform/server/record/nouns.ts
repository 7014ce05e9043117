import { type Entity, type Facts, type Field, instant, type NamedEntity, text, whole, yes } from '../../contract/field.ts'
import { camelOf, snakeOf } from '../../contract/names.ts'
import type { Columns, NounTold } from '../../contract/nouns.ts'

/**
 * The words for the rows of a table: its name, which is its entity's where none is given, and its columns by the fields of the
 * contract. `also`: columns that no contract names, by their names in TypeScript.
 */
export type Noun = { table: string; also?: Readonly<Record<string, Field<any>>> } & Called
/** An entity that has a name needs no other. */
export type Called = { label?: Text; entity: NamedEntity<any> } | { label: Text; entity?: Entity<any> }
type Text = readonly [zh: string, en: string]
export const labelOf = ({ label, entity }: Called): Text => label ?? (entity as NamedEntity<any>).label

const nouns = new Map<string, Noun>()
/** Registers the nouns of all domains; called once, at start. Of two about one table the later counts. */
export function openNouns(all: readonly Noun[]): void {
  nouns.clear()
  for (const one of all) nouns.set(one.table, one)
}
/** The name of a row of a table; undefined where no noun gives one. */
export const labelOfTable = (table: string): Text | undefined => {
  const noun = nouns.get(table)
  return noun && labelOf(noun)
}
/** The field behind a column as SQL names it. Undefined where nobody says what it is. */
export function fieldOf(table: string, column: string): Field<unknown> | undefined {
  const { entity, also } = nouns.get(table) ?? {}
  const name = camelOf(column)
  return also?.[name] ?? entity?.properties[name] ?? EVERYWHERE[name]
}

/** Every noun with what a page needs to draw its columns. */
export const nounsTold = (): { nouns: NounTold[]; everywhere: Columns } => ({
  nouns: [...nouns.values()].map((noun) => {
    const [zh, en] = labelOf(noun)
    return { table: noun.table, zh, en, columns: columnsOf({ ...noun.entity?.properties, ...noun.also }) }
  }),
  everywhere: columnsOf(EVERYWHERE),
})
const columnsOf = (fields: Readonly<Record<string, Field<unknown>>>): Columns =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [snakeOf(name), factsOf(field as Part)]))
/** Bounds and patterns are for writing. */
function factsOf(field: Part): Columns[string] {
  const facts = Object.fromEntries(DRAWN.flatMap((name) => (name in field ? [[name, (field as Record<string, unknown>)[name]]] : [])))
  const { items, properties } = field
  const parts = properties && Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, factsOf(part)]))
  return { ...facts, ...(items && { items: factsOf(items) }), ...(parts && { properties: parts }) } as never
}
interface Part {
  items?: Part
  properties?: Record<string, Part>
}
const DRAWN: readonly (keyof Facts | 'type' | 'format')[] = [
  'type',
  'format',
  'x-zh',
  'x-en',
  'x-unit',
  'x-dictionary',
  'x-plate',
  'x-image',
  'x-rich',
  'x-attachments',
  'x-personal',
]

/** Columns that any table may have beside its own. */
const EVERYWHERE: Readonly<Record<string, Field<any>>> = {
  id: text('编号', 'Id'),
  enterpriseId: whole('企业编号', 'Enterprise'),
  parkCode: text('车场编号', 'Car park code'),
  personId: text('人员', 'Person'),
  authorId: text('创建人编号', 'Author’s id'),
  authorName: text('创建人', 'Author'),
  remark: text('备注', 'Remark'),
  deleted: yes('已删除', 'Deleted'),
  deletedAt: instant('删除时间', 'Deleted at'),
  deletedBy: text('删除人', 'Deleted by'),
  deletedWith: text('随上级删除', 'Deleted with'),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
}
