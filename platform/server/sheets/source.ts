import type { Paged } from '../../contract/call.ts'
import { type Speech, spokenJson, spokenOf } from '../../contract/said.ts'
import type { Instant } from '../../contract/field.ts'
import type { ExportCall, SheetColumn } from '../../contract/sheet.ts'
import type { Tx } from '../database.ts'
import { type List, page } from '../page.ts'
import type { Actor } from '../serve.ts'

type Rows = Record<string, unknown>[]
/** `at`: when the export began, one moment for all of its pages. */
type Context<C> = { tx: Tx; input: Paged<C>; actor: Pick<Actor, 'userId' | 'enterprise' | 'scope'>; at: Instant }
/**
 * Where an export's rows come from: the list itself; the list whose rows are told otherwise in a sheet; the list that a criterion chooses, asked with what it knows; or the
 * function that answers a page, where a row is more than one table. Only a list is read through a cursor, as it stood at one moment: a function is asked for page after page.
 */
export type Source<C = any> =
  | List<any>
  | { list: List<any>; told: (row: any) => Record<string, unknown> }
  | { choose: (input: Paged<C>) => { list: List<any>; input: Paged<any> } }
  | ((context: Context<C>) => Promise<{ records: readonly unknown[] }>)

export interface Exporting {
  call: ExportCall<any>
  source: Source
}
const known = new Map<string, Exporting>()
/** For the job that writes one later. */
export const exportNamed = (id: string) => known.get(id)
export const rememberExport = (call: ExportCall<any>, source: Source): void => void known.set(call.id, { call, source })

/** Those that were asked for, in the order in which they were asked for. */
export const chosen = (all: readonly SheetColumn[], wanted: readonly string[] | undefined): SheetColumn[] =>
  wanted?.length ? wanted.flatMap((name) => all.find((column) => column.name === name) ?? []) : [...all]
/** The fields that they are read from. */
export const fieldsOf = (columns: readonly SheetColumn[], speech: Speech): string[] =>
  columns.map(({ name, from = name, nameEn = from }) => (speech === 0 ? from : nameEn))
export const cellsOf = (rows: Rows, fields: readonly string[], speech: Speech): unknown[][] =>
  rows.map((row) =>
    spokenOf(
      fields.map((name) => row[name] ?? null),
      speech,
    ),
  )
export async function pageOf(source: Source, context: Context<any>): Promise<Rows> {
  const input = { ...context.input, queryMode: 'rows' as const }
  if (typeof source === 'function') return (await source({ ...context, input })).records as Rows
  const { list, input: asked } = chosenList(source, input)
  const { records } = await page(context.tx, list, asked)
  return 'told' in source ? records.map(source.told) : (records as Rows)
}
export const chosenList = (source: Exclude<Source, Function>, input: Paged<any>): { list: List<any>; input: Paged<any> } =>
  'choose' in source ? source.choose(input) : { list: 'told' in source ? source.list : source, input }
/** The columns that are read of each row for a sheet with these fields, and how its cells are written. */
export function readingOf(source: Exclude<Source, Function>, list: List<any>, fields: readonly string[], speech: Speech) {
  if (!('told' in source)) return { read: fields, written: (line: string) => spokenJson(line, speech) }
  const read = list.columns as readonly string[]
  const rowOf = (line: string) => Object.fromEntries((JSON.parse(line) as unknown[]).map((value, at) => [read[at], value]))
  return { read, written: (line: string) => JSON.stringify(cellsOf([source.told(rowOf(line))], fields, speech)[0]) }
}
