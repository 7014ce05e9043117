import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { sql } from 'kysely'
import path from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Instant } from '../../contract/field.ts'
import { instantAt } from '../../contract/time.ts'
import type { Personal } from '../../contract/personal.ts'
import type { Speech } from '../../contract/said.ts'
import { type SheetColumn, type SheetFormat, XLS_ROWS_MAX } from '../../contract/sheet.ts'
import { run, type Scope, reading, streaming, type Tx } from '../database.ts'
import type { House } from '../domain.ts'
import { announce, event } from '../events.ts'
import { addJob, longTask, type Task, task } from '../job/jobs.ts'
import { linesOf, page, lookedUp } from '../page.ts'
import { refusal } from '../refusal.ts'
import { json } from '../row.ts'
import { drawingsOf } from './cells.ts'
import { openWriter, type SheetWriter } from './run.ts'
import { cellsOf, chosen, chosenList, type Exporting, exportNamed, fieldsOf, pageOf, readingOf } from './source.ts'
import './tables.ts'

/** A background export is over, for whoever tells its person. */
/** `scheduled`: it was made by itself, at its time. */
export const exportOver = event<{ id: string; personId: string; title: string; titleEn: string; rows: number; done: boolean; scheduled: boolean }>(
  'sheet.export-over',
)
export const TooManyWaiting = refusal(
  'sheet.too-many-exports',
  40003,
  '您已有 {count} 个导出在进行，请等其完成',
  'You have {count:export} under way; please wait',
  429,
)
const TooManyAtOnce = refusal(
  'sheet.too-many-at-once',
  40016,
  '正在导出的大列表过多，请稍后再试，或改用后台导出',
  'Too many long lists are being exported; try again later, or export in the background',
  429,
)

/** Of one person. */
const WAITING_MAX = 5
/** In one process: each has a writer with 256 MB, and holds one of the four workers. */
const RUNNING_MAX = 2
const LATER_MS = 3_000
/** A person sees progress this often; a cancelled export stops as soon. */
const PROGRESS_MS = 1_000
/** A page of a list that is no single table. */
const PAGE = 500
/** In the list for seven days; a link to it is good for one. */
const KEPT = '7 days'
export const LINK_MS = 24 * 3_600_000
export const ExportIs = { waiting: 1, running: 2, done: 3, failed: 4, cancelled: 5 } as const

interface Log {
  personId: string
  call: string
  title: string
  titleEn: string
  criteria: Record<string, unknown>
  format: SheetFormat
}
export async function queueExport(
  tx: Tx,
  log: Log,
  { columns, scope, hidden, language, name }: { columns: string[]; scope: Scope; hidden: readonly Personal[]; language: Speech; name: string },
): Promise<string> {
  const waiting = await tx
    .selectFrom('platform.myExport')
    .select('id')
    .where('personId', '=', log.personId)
    .where('state', 'in', [ExportIs.waiting, ExportIs.running])
    .execute()
  if (waiting.length >= WAITING_MAX) throw TooManyWaiting({ count: waiting.length })
  const { id } = await tx
    .insertInto('platform.export')
    .values({ ...log, rows: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const parks = scope.parks && [...scope.parks]
  const departments = scope.people ? [...scope.people.departments] : null
  const file = {
    id,
    personId: log.personId,
    columns: json(columns),
    parks,
    departments,
    hidden: [...hidden],
    language,
    format: log.format,
    name,
  }
  await tx.insertInto('platform.exportFile').values(file).execute()
  await addJob(tx, writeExport, { id })
  return id
}

let house: House | undefined
/** Said once at start: where the files lie, and how the job reaches the database. */
export const exportsIn = (of: House) => void (house = of)
const folder = () => path.join(house!.config.dataDir, 'exports')
export const exportPath = (id: string) => path.join(folder(), id)

/** The request behind an export, whether it runs now or later. */
interface Reading extends Exporting {
  criteria: Record<string, unknown>
  scope: Scope
  personId: string
  enterprise: number
  language: Speech
  /** When it began. */
  at: Instant
}
interface Streamed extends Reading {
  columns: readonly SheetColumn[]
  hidden: readonly Personal[]
  format: SheetFormat
}
/** In one process: each has a writer with 256 MB, and a connection for as long as its reader takes. */
const STREAMS_MAX = 2
let streams = 0

/** A long list as the answer itself, sent while it is read. `logged` notes how long it is, where that can be told. What fails or is broken off ends the answer broken, never as a file that looks whole. */
export async function streamedExport(
  wanted: Streamed,
  logged: (rows: number | null, format: SheetFormat) => Promise<unknown>,
): Promise<{ format: SheetFormat; body: Readable }> {
  if (streams >= STREAMS_MAX) throw TooManyAtOnce()
  streams++
  try {
    const total = await totalOf(wanted)
    const format = fitting(wanted.format, total)
    const drawings = await reading(house!.pool, wanted.scope, (tx) => drawingsOf(tx, wanted.columns, wanted.language, wanted.hidden))
    await logged(total, format)
    const writer = openWriter(format, wanted.call.title[wanted.language], drawings)
    const body = new PassThrough()
    body.once('close', () => {
      streams--
      writer.stop()
    })
    writer.file.pipe(body, { end: false })
    void sent(wanted, writer).then(
      () => body.end(),
      (error: Error) => {
        if (!body.destroyed) house!.log.error({ err: error, call: wanted.call.id }, 'A long export broke off.')
        body.destroy(error)
      },
    )
    return { format, body }
  } catch (error) {
    streams--
    throw error
  }
}
async function sent(wanted: Streamed, writer: SheetWriter): Promise<void> {
  for await (const lines of batches(wanted, fieldsOf(wanted.columns, wanted.language))) await writer.put(`${lines.join('\n')}\n`)
  if (!(await writer.end())) throw new Error('The process that writes a sheet failed.')
}
/** An .xls only where it is known that all rows fit. */
const fitting = (format: SheetFormat, total: number | null): SheetFormat =>
  format === 'xls' && (total === null || total > XLS_ROWS_MAX) ? 'xlsx' : format

let running = 0
const writeExport: Task<{ id: string }> = longTask<{ id: string }>('platform.export', async ({ enterprise, data: { id } }) => {
  if (running >= RUNNING_MAX) {
    const later = new Date(Date.now() + LATER_MS)
    return house!.writing(enterprise, 'platform.export', (tx) => addJob(tx, writeExport, { id }, { runAt: later }))
  }
  running++
  try {
    await written(enterprise, id)
  } finally {
    running--
  }
})
export const exportTasks = [writeExport, task('platform.forget-exports', forget, { every: '43 * * * *' })]

interface Wanted extends Reading {
  id: string
  columns: string[]
  hidden: readonly Personal[]
  format: SheetFormat
  name: string
  title: string
  titleEn: string
}

async function written(enterprise: number, id: string): Promise<void> {
  const wanted = await house!.reading(enterprise, (tx) => wantedBy(tx, enterprise, id))
  if (!wanted) return
  const rowsTotal = await totalOf(wanted)
  wanted.format = fitting(wanted.format, rowsTotal)
  await change(wanted, { state: ExportIs.running, rowsTotal, format: wanted.format, name: `${wanted.name}.${wanted.format}` })
  await mkdir(folder(), { recursive: true, mode: 0o700 })
  const columns = chosen(wanted.call.columns, wanted.columns)
  const drawings = await reading(house!.pool, wanted.scope, (tx) => drawingsOf(tx, columns, wanted.language, wanted.hidden))
  const writer = openWriter(wanted.format, wanted.call.title[wanted.language], drawings)
  try {
    const [rows] = await Promise.all([
      pump(wanted, writer, fieldsOf(columns, wanted.language)),
      pipeline(writer.file, createWriteStream(exportPath(id), { mode: 0o600 })),
    ])
    if (rows === undefined) return await rm(exportPath(id), { force: true })
    await over(wanted, { state: ExportIs.done, rowsDone: rows, bytes: (await stat(exportPath(id))).size })
  } catch (error) {
    house!.log.error({ err: error, export: id }, 'An export failed.')
    writer.stop()
    await rm(exportPath(id), { force: true })
    await over(wanted, { state: ExportIs.failed })
  }
}

/** All rows to the writer. Undefined when the person took it back meanwhile. */
async function pump(wanted: Wanted, writer: SheetWriter, fields: readonly string[]): Promise<number | undefined> {
  let rows = 0
  let told = performance.now()
  for await (const lines of batches(wanted, fields)) {
    rows += lines.length
    await writer.put(`${lines.join('\n')}\n`)
    if (performance.now() - told < PROGRESS_MS) continue
    told = performance.now()
    if (!(await change(wanted, { rowsDone: rows }))) {
      writer.stop()
      return undefined
    }
  }
  if (!(await writer.end())) throw new Error('The process that writes a sheet failed.')
  return rows
}

async function* batches(
  { source, criteria, scope, personId, enterprise, language, at }: Reading,
  fields: readonly string[],
): AsyncGenerator<string[]> {
  if (typeof source !== 'function') {
    const { list, input: asked } = chosenList(source, criteria)
    const input = await reading(house!.pool, scope, (tx) => lookedUp(tx, list, asked))
    const { read, written } = readingOf(source, list, fields, language)
    for await (const lines of streaming(house!.plainPool, scope, linesOf(list, input, read, scope.parks))) yield lines.map(written)
    return
  }
  const actor = { userId: personId, enterprise, scope }
  for (let current = 1; ; current++) {
    const rows = await reading(house!.pool, scope, (tx) => pageOf(source, { tx, input: { ...criteria, current, limit: PAGE }, actor, at }))
    if (rows.length > 0) yield cellsOf(rows, fields, language).map((row) => JSON.stringify(row))
    if (rows.length < PAGE) return
  }
}

/** Only to show how far it is: where counting takes too long nobody waits for it. */
function totalOf({ source, criteria, scope }: Reading): Promise<number | null> {
  if (typeof source === 'function') return Promise.resolve(null)
  const { list, input } = chosenList(source, { ...criteria, queryMode: 'total' })
  return reading(house!.pool, scope, (tx) => page(tx, list, input)).then(
    ({ total }) => total,
    () => null,
  )
}

async function wantedBy(tx: Tx, enterprise: number, id: string): Promise<Wanted | undefined> {
  const found = await tx
    .selectFrom('platform.exportFile as f')
    .innerJoin('platform.export as e', (join) => join.onRef('e.enterpriseId', '=', 'f.enterpriseId').onRef('e.id', '=', 'f.id'))
    .select([
      'f.personId',
      'f.columns',
      'f.parks',
      'f.departments',
      'f.hidden',
      'f.language',
      'f.format',
      'f.name',
      'f.state',
      'e.call',
      'e.criteria',
      'e.title',
      'e.titleEn',
    ])
    .where('f.enterpriseId', '=', enterprise)
    .where('f.id', '=', id)
    .executeTakeFirst()
  const known = found && exportNamed(found.call)
  if (!known || found.state === ExportIs.cancelled || found.state === ExportIs.done) return undefined
  const { personId, columns, criteria, parks, departments, hidden, language, format, name, title, titleEn } = found
  return {
    ...known,
    id,
    enterprise,
    personId,
    hidden,
    format,
    title,
    titleEn,
    name: name.replace(/\.\w+$/, ''),
    language: language as Speech,
    at: instantAt(Date.now()),
    scope: { enterprise, parks, people: departments ? { self: personId, departments } : undefined },
    columns,
    criteria,
  }
}

type Changes = Partial<{
  state: number
  rowsDone: number
  rowsTotal: number | null
  bytes: number
  format: SheetFormat
  name: string
  finishedAt: Instant
  linkUntil: Instant
}>
/** False when it was taken back. */
const change = (wanted: Wanted, changes: Changes): Promise<boolean> =>
  house!.writing(wanted.enterprise, 'platform.export', (tx) => changeIn(tx, wanted, changes))
async function changeIn(tx: Tx, { id, enterprise }: Wanted, changes: Changes): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.exportFile')
    .set((of) => ({ ...changes, heardAt: of.fn<Instant>('now') }))
    .where('enterpriseId', '=', enterprise)
    .where('id', '=', id)
    .where('state', '<>', ExportIs.cancelled)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
async function over(wanted: Wanted, changes: Changes): Promise<void> {
  const now = Date.now()
  const at = new Date(now).toISOString() as Instant
  const done = changes.state === ExportIs.done
  await house!.writing(wanted.enterprise, 'platform.export', async (tx) => {
    const linkUntil = new Date(now + LINK_MS).toISOString() as Instant
    if (!(await changeIn(tx, wanted, { ...changes, finishedAt: at, ...(done && { linkUntil }) }))) return
    const { id, personId, title, titleEn } = wanted
    const scheduled = (await run(tx, { sql: OF_A_SCHEDULE }, [id])).length > 0
    await announce(tx, exportOver, { id, personId, title, titleEn, rows: changes.rowsDone ?? 0, done, scheduled })
  })
}
const OF_A_SCHEDULE = 'select from platform.scheduled_run where enterprise_id = scope_enterprise() and export_id = $1'

/** Lines of the list that are too old, and files that no line speaks of any more. */
async function forget({ tx }: { tx: Tx }): Promise<void> {
  const gone = await tx
    .deleteFrom('platform.exportFile')
    .where('createdAt', '<', sql<Instant>`now() - ${KEPT}::interval`)
    .returning('id')
    .execute()
  for (const { id } of gone) await rm(exportPath(id), { force: true })
}
