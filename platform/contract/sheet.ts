import { Unsafe } from 'typebox'
import { type Call, call, type Page, type Paged, type Permission, type Service } from './call.ts'
import {
  among,
  dictionary,
  entity,
  type Field,
  listOf,
  message,
  neededOf,
  nothing,
  object,
  only,
  orNone,
  partsOf,
  type Schema,
  shaped,
  text,
  upload,
  type Upload,
  whole,
  yes,
} from './field.ts'

type Text = readonly [zh: string, en: string]

/** The kinds of file that a list is written to. The first is what somebody gets who does not choose. */
export const SHEET_FORMATS = ['xls', 'xlsx', 'csv'] as const
export type SheetFormat = (typeof SHEET_FORMATS)[number]
/** The kinds of file that an import reads. */
export const IMPORT_ENDINGS = ['.xlsx', '.xls', '.csv'] as const
/** More than this is a migration and not an import: it would hold one transaction for a minute. */
export const IMPORT_ROWS_MAX = 50_000
/** So many rows are written at once; a longer list is sent while it is read, or written in the background for whoever asks for that. */
export const EXPORT_AT_ONCE = 5_000
/** An .xls holds 65,536 rows at most, and takes long to write well before; a longer list becomes an .xlsx. */
export const XLS_ROWS_MAX = 10_000
/** A report shows so many of its faults; the sheet of bad rows has them all. */
export const ERRORS_SHOWN = 200
/** The heads of a sheet stand in one of its first rows. */
export const HEADS_SHOWN = 10

/** One column of a sheet, as its entity's field says it. */
export interface SheetColumn {
  name: string
  label: Text
  field: Field<unknown>
  /** Of a value that is a list of objects: the property that is shown. */
  pick?: string
  /** The field that says the same in English. */
  nameEn?: string
  /** The field that is read, where it is not the one of its name. */
  from?: string
  /** The cell holds the code of such a thing; people see its name. */
  names?: Named
  /** The displayed words of codes that are words themselves. */
  words?: Readonly<Record<string, Text>>
}
/** Things that rows name by a code and people by a name. */
export type Named = 'park' | 'gate'

export interface ImportInput {
  file: Upload
  /** Everything is tried and nothing kept: what would happen, and what is wrong with which row. */
  dryRun?: boolean
  /** Good rows are taken and bad ones left; otherwise one bad row stops them all. */
  skipBad?: boolean
  /** `{"username": 0}`: of each field the column of the file, from 0. By the columns' names when left out. */
  mapping?: string
  /** The row in which the heads stand, as a spreadsheet counts. Found by their names when left out. */
  headRow?: number
  /** The catalogue's word for `skipBad`: 1 all or nothing, 2 bad rows are left. */
  mode?: 1 | 2
  /** Answers with a file instead: the bad rows as they were sent, with the reason behind each. */
  badRows?: SheetFormat
}
export interface BadCell {
  /** The row's number in the file, as a spreadsheet counts. */
  row: number
  /** The field that is wrong; none where the row as a whole is. */
  field: string | null
  /** The content of the cell. */
  value: string | null
  reason: string
}
export interface ImportReport {
  headers: string[]
  /** Where they stand, as a spreadsheet counts. */
  headRow: number
  /** The first rows of the file, one of which has the heads. */
  top: { row: number; cells: string[] }[]
  /** Of each field the column of the file that it is read from, or -1. */
  mapping: Record<string, number>
  /** Fields whose column has another name than theirs. Only a dry run guesses: what it found is sent back as `mapping`. */
  guessed: string[]
  sample: { row: number; cells: string[] }[]
  rows: number
  added: number
  changed: number
  same: number
  bad: number
  /** All that is wrong with each of the bad rows; the first ERRORS_SHOWN of them. */
  errors: BadCell[]
  /** Rows that somebody should look at before they are imported, with the reason. */
  marked: BadCell[]
  written: boolean
}
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
const BadCells = listOf(
  entity({
    row: counted('行', 'Row'),
    field: orNone(text('列', 'Column')),
    value: orNone(text('内容', 'Cell', { min: 0, max: 40_000 })),
    reason: text('原因', 'Reason', { max: 500 }),
  }),
) as Schema<BadCell[]>
const Lines = listOf(
  entity({ row: counted('行', 'Row'), cells: shaped('内容', 'Cells', listOf(text('内容', 'Cell', { min: 0, max: 40_000 }))) }),
) as Schema<ImportReport['sample']>
const Report: Schema<ImportReport> = entity({
  headers: shaped('表头', 'Headers', listOf(text('列名', 'Column', { min: 0, max: 300 }))),
  headRow: whole('表头行', 'Header row', { min: 1 }),
  top: shaped('前几行', 'First rows', Lines),
  guessed: shaped('推测的列', 'Guessed columns', listOf(text('字段', 'Field', { max: 100 }))),
  mapping: shaped<Record<string, number>>('对应关系', 'Mapping', { type: 'object', additionalProperties: { type: 'integer' } }),
  sample: shaped('预览', 'Preview', Lines),
  rows: counted('总行数', 'Rows'),
  added: counted('新增', 'Added'),
  changed: counted('修改', 'Changed'),
  same: counted('不变', 'Unchanged'),
  bad: counted('错误', 'Errors'),
  errors: shaped('错误', 'Error details', BadCells),
  marked: shaped('请留意', 'Please check', BadCells),
  written: yes('已写入', 'Written'),
})

/** A call that takes a sheet. `row` is what one row says, `title` what the rows are. */
export interface ImportCall<Row, Also = {}> extends Call<ImportInput & Also, ImportReport> {
  row: Schema<Row>
  title: Text
  /** The field that tells rows apart: twice in one file is a mistake. */
  unique: (keyof Row & string) | undefined
  /** A note that the user reads before importing. */
  note: Text | undefined
}
const imports = new Map<string, ImportCall<any>>()
/** Every import of the house, for the call that makes templates. */
export const importNamed = (id: string): ImportCall<any> | undefined => imports.get(id)

/**
 * `importOf('identity.person.import', { service: 'custom', post: '/person/import', needs: 'identity:person:edit', title: ['员工', 'Users'], row: PersonRow })`.
 * Columns, their names, what they may hold and which are needed come from the fields of `row`. `also`: what the whole sheet is about, beside its rows; `may`: the same where it can be left out. What is no file may stand in the
 * address instead.
 */
export function importOf<Row, A extends Record<string, Field<any>> = {}, M extends Record<string, Field<any>> = {}>(
  id: string,
  {
    title,
    row,
    unique,
    note,
    also,
    may,
    ...facts
  }: {
    service: Service
    post: string
    needs: Permission
    own?: boolean
    title: Text
    row: Schema<Row>
    unique?: keyof Row & string
    note?: Text
    also?: A
    may?: M
  },
): ImportCall<Row, { [K in keyof A]: A[K]['~unsafe'] } & { [K in keyof M]?: M[K]['~unsafe'] }> {
  const made = {
    ...call(id, {
      ...facts,
      writes: true,
      does: [`导入${title[0]}`, `Imported ${title[1].toLowerCase()}`],
      heavy: true,
      multipart: message(
        { file: upload('文件', 'File'), ...also },
        {
          dryRun: yes('只检查', 'Check only'),
          skipBad: yes('跳过错误行', 'Skip bad rows'),
          mode: among('方式', 'Mode', ImportMode),
          mapping: text('对应关系', 'Mapping', { max: 8_000 }),
          headRow: whole('表头行', 'Header row', { min: 1 }),
          badRows: formatField,
          ...may,
        },
      ) as Schema<any>,
      reply: Report,
    }),
    title,
    row,
    unique,
    note,
  }
  imports.set(id, made as ImportCall<any>)
  return made
}
const ImportMode = dictionary('import_mode', ['导入方式', 'Import mode'], {
  whole: [1, '全部', 'All or nothing'],
  skipping: [2, '跳过错误行', 'Skip bad rows'],
})
export const formatField = only(text('文件类型', 'File type'), SHEET_FORMATS)

/** The fields of a row, in the order in which its sheet shows them. */
export const columnsOf = (row: Schema<any>): (SheetColumn & { needed: boolean })[] => {
  const needed = neededOf(row)
  return Object.entries(partsOf(row)).map(([name, field]) => ({ name, label: [field['x-zh'], field['x-en']], field, needed: needed.includes(name) }))
}

const TEMPLATE: Text = ['下载导入模板', 'Downloaded an import template']
/** A template: the empty sheet of an import. Its own call where the catalogue has one; every import's by `system.sheet.template` besides. */
export const templateOf = (id: string, { service, get, needs }: { service: Service; get: string; needs: Permission }) =>
  call(id, { service, get, needs, does: TEMPLATE, file: true, query: message({}, { format: formatField }), reply: nothing })

/** The empty sheet of any import, for whoever may import: its columns, and behind them what each may hold. `call` is the import's id. */
export const anyTemplate = call('system.export.template', {
  forPrograms: true,
  service: 'basic',
  get: '/sysExport/template',
  needs: 'signed-in',
  does: TEMPLATE,
  own: true,
  file: true,
  query: message({ call: text('导入', 'Import', { max: 100 }) }, { format: formatField }),
  reply: nothing,
})

/** An export in the background: `id` finds it among the person's own. */
export interface Queued {
  id: string
  rows: number | null
}
/** A call that answers with its list's file, however long; with `background`, above EXPORT_AT_ONCE rows, it says that the file is being written. */
export interface ExportCall<Input> extends Call<Input, Queued> {
  /** The list whose rows it holds. */
  of: string
  columns: readonly SheetColumn[]
  title: Text
}
export type Exported<C> = C & { format?: SheetFormat; columns?: string[]; background?: boolean }

/** Beside a park's code in a sheet: its name. */
export const parkName = { name: 'parkName', from: 'parkCode', names: 'park', field: text('车场', 'Car park') } as const
/** Beside a gate's code in the field `from`: its name. */
export const gateName = <F extends string>(from: F, [zh, en]: Text) => ({ name: `${from}Name`, from, names: 'gate' as const, field: text(zh, en) })

/**
 * A column of an export: a field's name, with the property of its list that is shown or its twin in English; a field that the list itself has not; or the name of what a field
 * tells by its code.
 */
export type ExportColumn<T> =
  | (keyof T & string)
  | { name: keyof T & string; pick: string }
  | { name: keyof T & string; nameEn: keyof T & string }
  | { name: keyof T & string; words: Readonly<Record<string, Text>> }
  | { name: string; field: Field<any> }
  | { name: string; field: Field<any>; from: keyof T & string; names: Named }
/**
 * `exportOf('identity.person.export', { service: 'custom', get: '/person/export', needs: 'identity:person:view', title: ['员工', 'Users'], query: person.queryPage, columns: ['username', 'name'] })`:
 * the same criteria as the list `query`, and its rows' own columns. It writes: what somebody took away is in the log.
 */
export function exportOf<C extends object, T extends object>(
  id: string,
  {
    title,
    query,
    columns,
    ...facts
  }: { service: Service; needs: Permission; own?: boolean; title: Text; query: Call<C, Page<T>>; columns: readonly ExportColumn<T>[] } & (
    { get: string } | { post: string }
  ),
): ExportCall<Exported<Omit<C, keyof Paged<{}>> & Pick<Paged<{}>, 'orderByColumn' | 'isAsc'>>> {
  const { current: _, limit: __, queryMode: ___, exactTotal: ____, ...criteria } = partsOf(query.input)
  const record = (query.reply as any).properties.records.items.properties as Record<string, Field<unknown>>
  const drawn = columns.map((column): SheetColumn => {
    const own: Omit<SheetColumn, 'label' | 'field'> & { field?: Field<unknown> } = typeof column === 'string' ? { name: column } : column
    const { field = record[own.name] } = own
    if (!field || !(own.from === undefined || record[own.from])) throw new Error(`${id}: the list has no field ${own.from ?? own.name}.`)
    return { ...own, label: [field['x-zh'], field['x-en']], field }
  })
  const names = {
    type: 'array',
    items: { type: 'string', enum: drawn.map(({ name }) => name) },
    maxItems: drawn.length,
    'x-zh': '列',
    'x-en': 'Columns',
  }
  const background = yes('后台导出', 'Export in background')
  const input = object({}, { ...criteria, format: formatField, columns: Unsafe<string[]>(names), background })
  const payload = 'get' in facts ? { query: input } : { body: input }
  const does: Text = [`导出${title[0]}`, `Exported ${title[1].toLowerCase()}`]
  const made = call<any, Queued>(id, { ...facts, ...payload, does, reply: QueuedReply, writes: true, heavy: true, file: true })
  return { ...made, of: query.id, columns: drawn, title }
}
const QueuedReply: Schema<Queued> = entity({ id: text('编号', 'Id'), rows: orNone(counted('行数', 'Rows')) })
