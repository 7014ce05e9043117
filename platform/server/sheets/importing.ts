import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type BadCell,
  columnsOf,
  ERRORS_SHOWN,
  HEADS_SHOWN,
  type ImportCall,
  type ImportInput,
  type ImportReport,
  type SheetFormat,
} from '../../contract/sheet.ts'
import { comesBack, isCovered } from '../../contract/personal.ts'
import type { Speech } from '../../contract/said.ts'
import type { Schema } from '../../contract/field.ts'
import type { Instant } from '../../contract/field.ts'
import { run, type Tx } from '../database.ts'
import type { House } from '../domain.ts'
import { fileOf } from '../call/fileReply.ts'
import { checkerOfSchema } from '../call/input.ts'
import { Refusal, refusal } from '../refusal.ts'
import { type Actor, phased, type Phased } from '../serve.ts'
import { refusalOf } from '../call/answer.ts'
import { valueOf } from './cells.ts'
import { type Head, headIn, mappingBy, mappingIn, type Mapped } from './heads.ts'
import { FORMATS } from './formats.ts'
import { LOST } from './limits.ts'
import { readSheet, type Sheet, type SheetRow, Unreadable, writeSheet } from './run.ts'

const NotASheet = refusal('sheet.ending', 40004, '请上传 .xlsx、.xls 或 .csv 文件', 'Please choose an .xlsx, .xls or .csv file', 422)
const NoRows = refusal('sheet.no-rows', 40005, '表格里没有数据行，请填写后再导入', 'The sheet has no rows: fill it in and import it again', 422)
const OldTemplate = refusal(
  'sheet.old-template',
  40006,
  '模板已更新，请重新下载模板后填写',
  'The template has been updated; download it again and fill it in',
  422,
)
const NotWritten = refusal(
  'sheet.not-written',
  40007,
  '有 {bad} 行不正确，未导入任何内容；请修改后重新导入',
  'Nothing was imported, {bad:row} wrong: correct and import again',
  422,
)
const Missing = refusal('sheet.missing-column', 40008, '缺少必填列：{zh}', 'A required column is missing: {en}', 422)

/** The result of one row; `changed` with a sentence where a person should check it before the import runs. */
export type Outcome = 'added' | 'changed' | 'same' | { changed: readonly [zh: string, en: string] }
export interface RowContext<Row, Known = undefined> {
  tx: Tx
  row: Row
  known: Known
  actor: Actor
  at: Instant
  house: House
}
interface Common<Row, Known, Also> {
  /** Reads once, before the first row, the data that all rows need. `input` has the fields that concern the sheet as a whole. */
  prepare?: (context: { tx: Tx; rows: readonly Row[]; actor: Actor; input: Also }) => Promise<Known>
  /** In which order rows are tried, where one builds on another that may stand below it. In the file's when left out. */
  order?: (rows: readonly Row[]) => readonly Row[]
  /** Everything that the rules have against a row and that can be said before it is written, so that nobody puts right one thing after the other: see `faultsOf`. */
  faults?: (context: { row: Row; known: Known; at: Instant }) => readonly Refusal[]
  /** Once behind the last row: what must hold of all together. Its refusal undoes everything. */
  finish?: (context: { tx: Tx; actor: Actor }) => Promise<unknown>
  /** The column that a refusal of the rules is about, by the refusal's id: `{ 'identity.import-parent': 'parentName' }`. The others are about the whole row. */
  columns?: Readonly<Record<string, keyof Row & string>>
  /** No row looks at what another writes: they are sent together, and one that fails is found by halving. */
  apart?: boolean
}
interface ByRow<Row, Known> {
  /** The same rules as when a person writes one record: whatever it refuses is that row's error. */
  row: (context: RowContext<Row, Known>) => Promise<Outcome>
  together?: undefined
}
interface ByMany<Row, Known> {
  /** Instead of `row` for many rows at once that do not look at one another: one statement for all of them. It says what each did. */
  together: (context: Omit<RowContext<Row, Known>, 'row'> & { rows: readonly Row[] }) => Promise<Outcome[]>
}
type Importing<Row, Known, Also> = Common<Row, Known, Also> & (ByRow<Row, Known> | ByMany<Row, Known>)

/** A plan that was made while a table was small reads all of it for each row; within one transaction nothing else tells the planner that it has grown meanwhile. */
const PLANNED_ANEW = `select set_config('plan_cache_mode', 'force_custom_plan', true)`

/**
 * The handler of an `importOf` call. Reading happens in a process of its own; then all rows go through `row` in one transaction, which a dry run and a bad row (unless they
 * are to be left out) take back. Nothing is half written.
 */
export const importing = <Row extends object, Known = undefined, Also extends object = {}>(
  call: ImportCall<Row, Also>,
  how: Importing<Row, Known, Also>,
): Phased<ImportInput & Also, ImportReport> =>
  phased<ImportInput & Also, ImportReport>(async ({ input, actor, at, request, write, house }) => {
    const speech: Speech = request.language === 'zh' ? 0 : 1
    const sheet = await sheetIn(input, call)
    const lacking = columnsOf(call.row).filter(({ name, needed }) => needed && sheet.mapping[name] === -1)
    if (lacking.length > 0) {
      // The page then asks which column it is.
      if (input.dryRun) return new Tally(speech, new Map()).report(sheet, false)
      throw Missing({ zh: lacking.map(({ label }) => label[0]).join('、'), en: lacking.map(({ label }) => label[1]).join(', ') })
    }
    const read = await rowsOf<Row>(call, sheet, speech)
    const tried = new Tally<Row>(speech, read.bad, how.columns)
    const undo = new Undo()
    const takenBack = () => input.dryRun || input.badRows || (tried.bad.size > 0 && !input.skipBad && input.mode !== SKIPPING)
    await write(async (tx) => {
      await run(tx, { sql: PLANNED_ANEW }, [])
      const known = (await how.prepare?.({ tx, rows: read.good.map(({ value }) => value), actor, input })) as Known
      const all = (rows: readonly Row[]) => outcomesOf(how, { tx, known, actor, at, house }, rows)
      const inOrder = how.order ? ordered(read.good, how.order) : read.good
      for (let from = 0; from < inOrder.length; from += TOGETHER) {
        const some = inOrder.slice(from, from + TOGETHER)
        await setImmediate() // where all are at fault nothing else lets others have their turn
        await tryRows(tx, how.faults ? some.filter((one) => !tried.faulty(one, how.faults!({ row: one.value, known, at }))) : some, all, tried)
      }
      if (tried.count > 0) await how.finish?.({ tx, actor })
      if (takenBack()) throw undo
    }).catch((error: unknown) => {
      if (error !== undo) throw error
    })
    if (input.badRows) return badRowsFile(input.badRows, sheet, tried, speech)
    const report = tried.report(sheet, !takenBack())
    if (!input.dryRun && !report.written) throw NotWritten({ ...report })
    return report
  })

/** A row whose moments say, to the second, what is there already: as they are kept. A sheet shows no more than the second. */
export const momentsAsKept = <Row extends object>(row: Row, there: object): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      toSecond(value) !== undefined && toSecond(value) === toSecond((there as Record<string, unknown>)[name])
        ? (there as Record<string, unknown>)[name]
        : value,
    ]),
  ) as Row
const toSecond = (value: unknown) => (typeof value === 'string' && MOMENT.test(value) ? value.slice(0, 19) : undefined)
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** Whether each of what is told is there already. */
export const saysNothingNew = (told: object, there: object): boolean =>
  Object.entries(told).every(([name, value]) => JSON.stringify((there as Record<string, unknown>)[name]) === JSON.stringify(value))

/** Collects the refusals of some checks, each run by itself. @throws errors that are no refusals */
export const faultsOf = (...checks: readonly (() => unknown)[]): Refusal[] =>
  checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      if (error instanceof Refusal) return [error]
      throw error
    }
  })

function ordered<Row>(all: readonly Good<Row>[], order: (rows: readonly Row[]) => readonly Row[]): Good<Row>[] {
  const of = new Map(all.map((one) => [one.value, one]))
  return order(all.map(({ value }) => value)).map((value) => of.get(value)!)
}

const SKIPPING = 2
/** Takes a transaction back without being an error to anybody. */
class Undo extends Error {}

/** Rows that are sent behind one savepoint: more would be cheaper while all is well, and dearer for each that is not. */
const TOGETHER = 100

interface Good<Row> {
  row: number
  value: Row
}
type Wrong = Omit<BadCell, 'value'>
/** Counts the results of the rows so far. */
class Tally<Row> {
  readonly outcomes = { added: 0, changed: 0, same: 0 }
  /** By the row's number, all that is wrong with it. */
  readonly bad: Map<number, Wrong[]>
  readonly marked: Wrong[] = []
  readonly speech: Speech
  readonly columns: Readonly<Record<string, string>>
  constructor(speech: Speech, bad: Map<number, Wrong[]>, columns: Readonly<Record<string, string>> = {}) {
    this.speech = speech
    this.bad = bad
    this.columns = columns
  }
  get count() {
    return this.outcomes.added + this.outcomes.changed
  }
  took(outcomes: readonly Outcome[], rows: readonly Good<Row>[]) {
    for (const [at, outcome] of outcomes.entries()) {
      this.outcomes[typeof outcome === 'string' ? outcome : 'changed']++
      if (typeof outcome !== 'string') this.marked.push({ row: rows[at]!.row, field: null, reason: outcome.changed[this.speech] })
    }
  }
  faulty({ row }: Good<Row>, faults: readonly Refusal[]): boolean {
    if (faults.length > 0)
      this.bad.set(
        row,
        faults.map((fault) => this.wrongOf(row, fault)),
      )
    return faults.length > 0
  }
  wrongOf = (row: number, { id, texts }: Pick<Refusal, 'id' | 'texts'>, own?: string): Wrong => ({
    row,
    field: this.columns[id] ?? own ?? null,
    reason: texts[this.speech],
  })
  refused({ row, value }: Good<Row>, error: unknown) {
    const refusal = refusalOf(error)
    // A database that is away, or a fault of ours, is not the row's.
    if (!refusal || refusal.status >= 500) throw error
    const own = (refusal.data as { fields?: string[] } | null)?.fields?.findLast((name) => name in (value as object))
    this.bad.set(row, [this.wrongOf(row, refusal, own)])
  }
  report({ top, head, rows, mapping, guessed }: Chosen, written: boolean): ImportReport {
    const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]))
    const withCell = (wrong: Wrong): BadCell => ({ ...wrong, value: wrong.field && shown(cellsOf.get(wrong.row)?.[mapping[wrong.field]!] ?? '') })
    const asShown = ({ row, cells }: SheetRow) => ({ row, cells: cells.map(shown) })
    return {
      headers: head.cells,
      headRow: head.row,
      top: top.map(asShown),
      mapping,
      guessed,
      sample: rows.slice(0, SAMPLE_ROWS).map(asShown),
      rows: rows.length,
      ...this.outcomes,
      bad: this.bad.size,
      errors: [...this.bad.values()]
        .sort(([a], [b]) => a!.row - b!.row)
        .flat()
        .slice(0, ERRORS_SHOWN)
        .map(withCell),
      marked: this.marked.slice(0, ERRORS_SHOWN).map(withCell),
      written,
    }
  }
}
const SAMPLE_ROWS = 20
const shown = (cell: string) => (cell.startsWith(LOST) ? cell.slice(1) : cell)

/** All behind one savepoint; if one fails, the halves by themselves, down to the one that is wrong. */
async function tryRows<Row>(tx: Tx, rows: readonly Good<Row>[], all: (rows: readonly Row[]) => Promise<Outcome[]>, tally: Tally<Row>): Promise<void> {
  if (rows.length === 0) return
  const saved = savepoint(tx)
  const outcomes = await all(rows.map(({ value }) => value)).catch((reason: unknown) => ({ reason }))
  await saved
  if (Array.isArray(outcomes)) {
    await run(tx, { sql: 'release savepoint row_of_sheet' }, [])
    return tally.took(outcomes, rows)
  }
  await run(tx, { sql: 'rollback to savepoint row_of_sheet' }, [])
  await run(tx, { sql: 'release savepoint row_of_sheet' }, [])
  if (rows.length === 1) return tally.refused(rows[0]!, outcomes.reason)
  const half = rows.length >> 1
  await tryRows(tx, rows.slice(0, half), all, tally)
  await tryRows(tx, rows.slice(half), all, tally)
}
const savepoint = async (tx: Tx) => void (await run(tx, { sql: 'savepoint row_of_sheet' }, []))
/** @throws what the first row that is wrong was refused with, when everything that was sent has been answered. */
async function outcomesOf<Row, Known>(
  how: Importing<Row, Known, never>,
  context: Omit<RowContext<Row, Known>, 'row'>,
  rows: readonly Row[],
): Promise<Outcome[]> {
  if (how.together) return how.together({ ...context, rows })
  const outcomes: Outcome[] = []
  if (how.apart) {
    const results = await Promise.allSettled(rows.map((row) => how.row({ ...context, row })))
    for (const result of results)
      if (result.status === 'fulfilled') outcomes.push(result.value)
      else throw result.reason
    return outcomes
  }
  for (const row of rows) outcomes.push(await how.row({ ...context, row }))
  return outcomes
}

/** A sheet with its heads found and each column's place. */
interface Chosen extends Mapped {
  kind: Sheet['kind']
  name: string
  /** The first rows, as they stand in the file. */
  top: SheetRow[]
  head: Head
  /** Those below the heads. */
  rows: SheetRow[]
}
async function sheetIn({ file, headRow, mapping, dryRun = false }: ImportInput, call: ImportCall<any>): Promise<Chosen> {
  if (!(file?.bytes instanceof Uint8Array) || file.bytes.length === 0) throw NotASheet()
  if (!/\.(xlsx|xls|csv|docx?)$/i.test(String(file.name))) throw NotASheet()
  const sheet = await readSheet(file.bytes)
  const version = TEMPLATE.exec(sheet.name)?.[1]
  if (version && version !== versionOf(call.row)) throw OldTemplate()
  const columns = columnsOf(call.row)
  const head = sheet.rows.length > 0 ? headIn(sheet.rows, columns, headRow) : undefined
  // Any text reads as a CSV: under the name of a workbook it is a broken one, not one without rows.
  if (!head || head.at + 1 >= sheet.rows.length) throw sheet.kind === 'csv' && /\.xlsx?$/i.test(String(file.name)) ? Unreadable() : NoRows()
  const mapped =
    mapping === undefined ? mappingBy(head.cells, columns, dryRun) : { mapping: mappingIn(mapping, columns, head.cells.length), guessed: [] }
  const { kind, name, rows } = sheet
  return { kind, name, top: rows.slice(0, HEADS_SHOWN), head, rows: rows.slice(head.at + 1), ...mapped }
}

/** A template says in its sheet's name which columns it was made for. */
const TEMPLATE = /^v-([0-9a-f]{8})$/
export const templateName = (call: ImportCall<any>) => `v-${versionOf(call.row)}`
const versionOf = (row: Schema<any>) => hash('sha256', JSON.stringify(columnsOf(row).map(({ name, needed }) => [name, needed]))).slice(0, 8)

/** Rows that are looked at in one go, some three milliseconds: then it is the others' turn. */
const IN_ONE_GO = 500
/** Every row as the entity's values, or what is wrong with it. */
async function rowsOf<Row extends object>(call: ImportCall<Row>, { rows, mapping }: Chosen, speech: Speech) {
  const columns = columnsOf(call.row)
  const check = checkerOfSchema(call.row)
  const good: Good<Row>[] = []
  const bad = new Map<number, Wrong[]>()
  const seen = new Map<string, number>()
  for (const [at, { row, cells }] of rows.entries()) {
    if (at % IN_ONE_GO === 0) await setImmediate()
    const value: Record<string, unknown> = {}
    const unread = columns.flatMap((column) => unreadable(column, cells[mapping[column.name]!]) ?? [])
    for (const { name, field } of columns) {
      const read = mapping[name]! < 0 ? undefined : valueOf(field, cells[mapping[name]!] ?? '')
      // An exported sheet may hold covered values: they leave what is there as it is.
      if (read !== undefined && !(comesBack(field['x-personal']) && isCovered(read))) value[name] = read
    }
    // An unreadable cell is a fault by itself: no other fault of its column is reported.
    const told = new Set(unread.map(({ field }) => field))
    const wrong = [...unread, ...check(value).filter(({ field }) => !told.has(field!)), ...repeated(value, call.unique, row, seen)]
    if (wrong.length > 0)
      bad.set(
        row,
        wrong.map(({ field, texts }) => ({ row, field, reason: texts[speech] })),
      )
    else good.push({ row, value: value as Row })
  }
  return { good, bad }
}

/** Error values that a spreadsheet writes when a formula fails. */
const ERROR = /^#(?:N\/A|DIV\/0!|REF!|NAME\?|VALUE!|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/
/** An error, or a number too long for a spreadsheet, which has other digits now than somebody typed. */
function unreadable({ name: field, label: [zh, en] }: Columns[number], cell = '') {
  if (cell.startsWith(LOST))
    return {
      field,
      texts: [
        `「${zh}」是过长的数字，末几位已丢失；请把该列设为文本后重新填写`,
        `“${en}” is a number too long for a spreadsheet and has lost its last digits; set the column to text and enter it again`,
      ] as const,
    }
  return ERROR.test(cell)
    ? {
        field,
        texts: [
          `「${zh}」的单元格是错误值 ${cell}；请改正其公式，或直接填写内容`,
          `“${en}” is the error ${cell}: put its formula right, or enter the value`,
        ] as const,
      }
    : undefined
}

/** Twice the same in one file: the second is the mistake. */
function repeated(value: Record<string, unknown>, unique: string | undefined, row: number, seen: Map<string, number>) {
  if (!unique || value[unique] === undefined) return []
  const key = String(value[unique]).toLowerCase()
  const first = seen.get(key)
  seen.set(key, first ?? row)
  return first === undefined ? [] : [{ field: unique, texts: [`与第 ${first} 行重复`, `The same as row ${first}`] as const }]
}

type Columns = ReturnType<typeof columnsOf>
/** The bad rows as they were sent, and behind each what is wrong with it: to be put right and sent again. */
async function badRowsFile<Row>(format: SheetFormat, { head, rows, name }: Chosen, { bad }: Tally<Row>, speech: Speech): Promise<never> {
  const wrong = rows.filter(({ row }) => bad.has(row))
  const width = Math.max(head.cells.length, ...wrong.map(({ cells }) => cells.length))
  const filled = (cells: readonly string[]) => Array.from({ length: width }, (_, i) => shown(cells[i] ?? ''))
  const reasonOf = (row: number) =>
    bad
      .get(row)!
      .map(({ reason }) => reason)
      .join(['；', '; '][speech])
  const lines = wrong.map(({ row, cells }) => [...filled(cells), reasonOf(row)])
  const columns = [...filled(head.cells), REASON[speech]].map((label) => ({ label, kind: 'text' as const }))
  const body = await writeSheet(format, name || 'Sheet1', columns, lines)
  return fileOf({ name: `${['错误行', 'Bad rows'][speech]}.${format}`, type: FORMATS[format].type, body })
}
const REASON = ['原因', 'Reason'] as const
