import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { EXPORT_AT_ONCE, IMPORT_ROWS_MAX, type SheetFormat } from '../../contract/sheet.ts'
import { refusal } from '../refusal.ts'
import { slotsOf } from '../job/slots.ts'
import { type Drawing, drawn } from './cells.ts'
import { CSV_MARK, csvLine } from './csv.ts'
import type { Asked, Notes, Read, Refused } from './limits.ts'

export type { Notes }
import { xlsBook } from './xls.ts'
import { writeXlsx } from './xlsx.ts'
import { zipEntries } from './zip.ts'

export const Unreadable = refusal(
  'sheet.unreadable',
  40009,
  '文件无法读取，请确认是未加密、未损坏的 .xlsx、.xls 或 .csv 文件',
  'The file cannot be read; check that it is an undamaged .xlsx, .xls or .csv without a password',
  422,
)
const TooHeavy = refusal(
  'sheet.too-heavy',
  40012,
  '文件展开后过大，已拒绝读取；请拆分后再导入',
  'The file is too large once unpacked and was not read: split it and import the parts',
  422,
)
const Word = refusal(
  'sheet.word',
  40013,
  '此处不接受 Word 文档，请使用 .xlsx、.xls 或 .csv 表格',
  'Word documents are not accepted here; use an .xlsx, .xls or .csv sheet',
  422,
)
const TooLong = refusal('sheet.too-long', 40014, `一次最多导入 ${IMPORT_ROWS_MAX} 行`, `Import ${IMPORT_ROWS_MAX} rows at most at once`, 422)
const TooWide = refusal(
  'sheet.too-wide',
  40015,
  '表格的列太多，请只保留模板中的列',
  'The sheet has too many columns: keep the template’s columns only',
  422,
)
const REFUSALS = { broken: Unreadable, locked: Unreadable, bomb: TooHeavy, word: Word, long: TooLong, wide: TooWide } as const

/** Of the heap; the process as a whole is stopped at MEMORY_MAX. */
const HEAP_MB = 160
const MEMORY_MAX = 256 * 1024 * 1024
const LOOK_MS = 50
/** Of the processor; a busy machine may take longer over it. */
const CPU_S = 30
const TIME_MS = 60_000
/** A background export may take as long as its list is. */
const LONG_MS = 30 * 60_000
/** Two cores: a third would only slow the other two. */
const inTurn = slotsOf(2, 20)
/** The niceness of work that nobody waits for, so that it stands behind the calls of people. */
const NICE = 10
const COLUMNS_MAX = 200
const ROOT = path.resolve(import.meta.dirname, '../../..')
const CHILD = path.join(import.meta.dirname, 'child.ts')

export interface Sheet {
  kind: Read['kind']
  /** The sheet's name; '' in a CSV. */
  name: string
  rows: SheetRow[]
}
export interface SheetRow {
  /** As the spreadsheet counts, from 1. */
  row: number
  cells: string[]
}

/** The first sheet of an .xlsx, .xls or .csv as text. The directory of a zip is looked at here, everything else in a process of its own. @throws a refusal that says what is wrong with the file */
export const readSheet = (file: Uint8Array): Promise<Sheet> => read(file, { does: 'read', rowsMax: IMPORT_ROWS_MAX + 1, cellsMax: COLUMNS_MAX })
/** The paragraphs of a .doc or .docx. Only for the import that takes Word text. */
export const readWords = async (file: Uint8Array): Promise<string[]> => (await read(file, { does: 'words' })).rows.map(({ cells }) => cells[0]!)

async function read(file: Uint8Array, asked: Asked): Promise<Sheet> {
  if (file[0] === 0x50 && file[1] === 0x4b) {
    const entries = zipEntries(file)
    if (typeof entries === 'string') throw REFUSALS[entries]()
  }
  return inTurn(async () => {
    const child = start(asked, TIME_MS)
    const gone = ended(child)
    child.stdin!.on('error', () => {}) // it stopped reading: its answer says why
    child.stdin!.end(file)
    const sheet: Sheet = { kind: 'csv', name: '', rows: [] }
    for await (const line of linesOf(child.stdout!)) {
      const said = JSON.parse(line) as Read | Refused | [number, string[]]
      if (Array.isArray(said)) sheet.rows.push({ row: said[0], cells: said[1] })
      else if ('refused' in said) {
        child.kill('SIGKILL')
        await gone
        throw REFUSALS[said.refused]()
      } else Object.assign(sheet, { kind: said.kind, name: said.sheet })
    }
    const code = await gone
    if (code === null) throw TooHeavy()
    if (code !== 0) throw Unreadable()
    return sheet
  })
}

type Rows = readonly (readonly unknown[])[]
/** A sheet of rows that are all here, EXPORT_AT_ONCE or some more. */
export function writeSheet(format: SheetFormat, name: string, columns: readonly Drawing[], rows: Rows, notes?: Notes): Promise<Buffer> {
  if (format === 'csv') return writeCsv(columns, rows)
  return rows.length > FEW || notes ? writeApart(format, name, columns, rows, notes) : writeFew(format, name, columns, rows)
}

/** Up to so many rows our own writers finish within a few milliseconds: a process of its own would take half a second to begin. */
const FEW = 300
async function writeFew(format: SheetFormat, name: string, columns: readonly Drawing[], rows: Rows): Promise<Buffer> {
  const heads = columns.map(({ label }) => label)
  const cells = rows.map((row) => row.map((value, i) => drawn(columns[i]!, value)))
  if (format === 'xls') return xlsBook([{ name, heads, rows: cells }])
  const file = new PassThrough()
  const [whole] = await Promise.all([buffer(file), writeXlsx(file, heads, Readable.from([cells]), name).finally(() => file.end())])
  return whole
}

/** Lines of text are nothing that a library could stumble over: a process of its own would cost fifty times as much as they do. Others get their turn between the pieces. */
async function writeCsv(columns: readonly Drawing[], rows: Rows): Promise<Buffer> {
  const pieces = [Buffer.from(`${CSV_MARK}${csvLine(columns.map(({ label }) => label))}`)]
  for (let at = 0; at < rows.length; at += LINES) {
    pieces.push(
      Buffer.from(
        rows
          .slice(at, at + LINES)
          .map((row) => csvLine(row.map((value, i) => drawn(columns[i]!, value))))
          .join(''),
      ),
    )
    await setImmediate()
  }
  return Buffer.concat(pieces)
}

const writeApart = (format: SheetFormat, name: string, columns: readonly Drawing[], rows: Rows, notes?: Notes): Promise<Buffer> =>
  inTurn(async () => {
    const child = start({ does: 'write', format, name, columns, ...(notes && { notes }) }, TIME_MS)
    const gone = ended(child)
    child.stdin!.on('error', () => {})
    void (async () => {
      for (let at = 0; at < rows.length; at += LINES) if (!child.stdin!.write(linesFor(rows.slice(at, at + LINES)))) await once(child.stdin!, 'drain')
      child.stdin!.end()
    })().catch(() => {})
    const pieces: Buffer[] = []
    for await (const piece of child.stdout as AsyncIterable<Buffer>) pieces.push(piece)
    if ((await gone) !== 0) throw new Error(`The process that writes a sheet of ${rows.length} rows failed.`)
    return Buffer.concat(pieces)
  })
const LINES = Math.min(500, EXPORT_AT_ONCE)
const linesFor = (rows: readonly (readonly unknown[])[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export interface SheetWriter {
  /** Rows as JSON, a line each. Waits while the writer is behind. */
  put(lines: string): Promise<void>
  file: Readable
  /** After the last row: true when the file is whole. */
  end(): Promise<boolean>
  stop(): void
}
/** A sheet written while its rows come. */
export function openWriter(format: SheetFormat, name: string, columns: readonly Drawing[]): SheetWriter {
  const child = start({ does: 'write', format, name, columns }, LONG_MS, NICE)
  const gone = ended(child)
  child.stdin!.on('error', () => {})
  return {
    file: child.stdout!,
    async put(lines) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('The process that writes a sheet is gone.')
      if (!child.stdin!.write(lines)) await Promise.race([once(child.stdin!, 'drain'), gone])
    },
    async end() {
      child.stdin!.end()
      return (await gone) === 0
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

/** Neither environment nor network nor a place to write: what it needs is handed in, what it makes is handed out. */
function start(asked: Asked, timeMs: number, nice = 0): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--permission', `--allow-fs-read=${ROOT}`, `--max-old-space-size=${HEAP_MB}`, '--no-warnings', CHILD, JSON.stringify(asked)],
    { stdio: ['pipe', 'pipe', 'ignore'], env: { TZ: 'UTC' }, timeout: timeMs, killSignal: 'SIGKILL' },
  )
  if (child.pid !== undefined) watch(child, child.pid, nice)
  return child
}

function watch(child: ChildProcess, pid: number, nice: number): void {
  try {
    if (nice > 0) setPriority(pid, nice)
  } catch {
    // gone already, or not allowed: slower for others, not wrong
  }
  const timer = setInterval(async () => {
    const { bytes, seconds } = await usedBy(pid)
    if (bytes > MEMORY_MAX || (nice === 0 && seconds > CPU_S)) child.kill('SIGKILL')
  }, LOOK_MS)
  child.once('close', () => clearInterval(timer))
}
/** The kernel's figures for a process; none where there is no /proc, and then only the heap and the clock bound it. */
async function usedBy(pid: number): Promise<{ bytes: number; seconds: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return { bytes: (fields[21] ?? 0) * PAGE_BYTES, seconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / TICKS }
}
const PAGE_BYTES = 4096
/** USER_HZ of every Linux. */
const TICKS = 100

/** The exit code, or null when it was stopped. Everything it wrote has been read by then. */
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
