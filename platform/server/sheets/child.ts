import { inflateRawSync } from 'node:zlib'
import { once } from 'node:events'
import { bare } from '../../contract/blank.ts'
import { type Drawing, drawn } from './cells.ts'
import { CSV_MARK, csvLine, unquoted } from './csv.ts'
import { type Asked, LOST, type Read, type Refused } from './limits.ts'
import { type XlsSheet, xlsBook } from './xls.ts'
import { type Cell, writeXlsx } from './xlsx.ts'
import { zipEntries } from './zip.ts'

// A process of its own, with a heap of its own, no network and no files but these: whatever a sheet does to the library that reads it ends here.

async function everything(): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}
async function say(line: Read | Refused | [number, string[]]): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
}
const refuse = (why: Refused['refused']) => say({ refused: why })

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLE = [0xd0, 0xcf, 0x11, 0xe0]
const begins = (file: Uint8Array, magic: readonly number[]) => magic.every((byte, i) => file[i] === byte)

async function reads(rowsMax: number, cellsMax: number): Promise<void> {
  const file = await everything()
  let rows = 0
  /** False when there are too many of them. */
  const row = async (number: number, values: readonly unknown[]): Promise<boolean> => {
    const cells = values.map(textOf)
    while (cells.length > 0 && bare(cells.at(-1)!) === '') cells.pop()
    if (cells.length === 0) return true
    if (++rows > rowsMax || cells.length > cellsMax) {
      await refuse(cells.length > cellsMax ? 'wide' : 'long')
      return false
    }
    await say([number, cells])
    return true
  }
  try {
    if (begins(file, ZIP)) {
      const sheet = visibleSheetOf(file)
      if ('refused' in sheet) return await refuse(sheet.refused)
      await say({ kind: 'xlsx', sheet: sheet.name })
      const { streamXlsxRows } = await import('hucre/xlsx')
      for await (const { index, values } of streamXlsxRows(file, { sheet: sheet.at })) if (!(await row(index + 1, values))) return
    } else if (begins(file, OLE)) {
      const { readXls } = await import('hucre/xlsx')
      const { sheets } = await readXls(file)
      const hidden = sheets.length > 1 ? await hiddenIn(file) : []
      const sheet = sheets.find((_, at) => !hidden[at]) ?? sheets[0]
      if (!sheet) return await refuse('broken')
      await say({ kind: 'xls', sheet: sheet.name })
      for (const [index, values] of sheet.rows.entries()) if (!(await row(index + 1, values))) return
    } else {
      const { parseCsv } = await import('hucre/csv')
      const text = decoded(file)
      if (text === undefined) return await refuse('broken')
      await say({ kind: 'csv', sheet: '' })
      // A hint for spreadsheet programs (`sep=;`) may stand before the rows.
      const [told = '', delimiter] = /^\ufeff?sep=([,;\t|])\r?\n/i.exec(text) ?? []
      const lines = parseCsv(text.slice(told.length), delimiter ? { delimiter } : {})
      const before = told ? 2 : 1
      for (const [index, values] of lines.entries()) if (!(await row(index + before, values.map(unquoted)))) return
    }
  } catch {
    await refuse('broken')
  }
}

/** The first sheet that whoever opens the file sees, after every part was unfolded to the size that the directory says: one that lies goes no further. */
function visibleSheetOf(file: Uint8Array): { name: string; at: number } | Refused {
  const entries = zipEntries(file)
  if (typeof entries === 'string') return { refused: entries }
  if (entries.some(({ name }) => name === 'word/document.xml')) return { refused: 'word' }
  let book = ''
  for (const { name, method, from, bytes, unfolded } of entries) {
    const folded = file.subarray(from, from + bytes)
    const part = method === 8 && bytes > 0 ? inflateRawSync(folded, { maxOutputLength: Math.max(1, unfolded) }) : folded
    if (name === 'xl/workbook.xml') book = Buffer.from(part).toString('utf8')
  }
  const sheets = [...book.matchAll(/<(?:\w+:)?sheet\s([^>]*)>/g)].map(([, facts = '']) => facts)
  const at = Math.max(
    0,
    sheets.findIndex((facts) => !/\bstate="(?:hidden|veryHidden)"/.test(facts)),
  )
  const name = /\bname="([^"]*)"/.exec(sheets[at] ?? '')?.[1]
  return name === undefined ? { refused: 'broken' } : { name, at }
}

/** Which sheets of an older workbook nobody sees: the reader of its cells does not say. */
async function hiddenIn(file: Uint8Array): Promise<boolean[]> {
  const { default: XLSX } = await import('@e965/xlsx')
  const { Workbook } = XLSX.read(file, { type: 'array', sheetRows: 1, sheets: [] })
  return (Workbook?.Sheets ?? []).map(({ Hidden }) => Boolean(Hidden))
}

/** A moment in a spreadsheet has no zone: it is what stands there. */
const momentOf = (date: Date) => {
  const text = date.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : momentOf(value)
  if (typeof value === 'number') return numberText(value)
  return String(value)
}
/** A spreadsheet shows fifteen digits of a number, and keeps what it has worked out to the last bit: 3.3000000000000003 is 3.3. */
const DIGITS = 15
const LONGEST = 10 ** DIGITS
const numberText = (value: number) =>
  Number.isInteger(value) && Math.abs(value) >= LONGEST ? `${LOST}${value}` : String(Number(value.toPrecision(DIGITS)))

/** UTF-8, with or without its mark, UTF-16 with its mark, or else GB18030, which every older Chinese spreadsheet writes. */
function decoded(file: Uint8Array): string | undefined {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file)
  if (file[0] === 0xfe && file[1] === 0xff) return new TextDecoder('utf-16be').decode(file)
  if (file.includes(0)) return undefined
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file)
    } catch {
      // not this one
    }
  return undefined
}

async function words(): Promise<void> {
  const file = await everything()
  try {
    if (begins(file, ZIP)) {
      const entries = zipEntries(file)
      if (typeof entries === 'string') return await refuse(entries)
      for (const { method, from, bytes, unfolded } of entries)
        if (method === 8 && bytes > 0) inflateRawSync(file.subarray(from, from + bytes), { maxOutputLength: Math.max(1, unfolded) })
    }
    const { default: WordExtractor } = (await import('word-extractor' as string)) as {
      default: new () => { extract(file: Buffer): Promise<{ getBody(): string }> }
    }
    const text = (await new WordExtractor().extract(Buffer.from(file))).getBody()
    await say({ kind: begins(file, ZIP) ? 'docx' : 'doc', sheet: '' })
    for (const [index, line] of text.split(/\r?\n/).entries()) if (line.trim()) await say([index + 1, [line]])
  } catch {
    await refuse('broken')
  }
}

async function* rowsIn(columns: readonly Drawing[]): AsyncGenerator<Cell[][]> {
  // As a stream of lines an event for each row would cost more than the row.
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    yield lines.map((line) => (JSON.parse(line) as unknown[]).map((value, i) => drawn(columns[i]!, value)))
  }
}

async function writes({ format, name, columns, notes }: Extract<Asked, { does: 'write' }>): Promise<void> {
  const heads = columns.map(({ label }) => label)
  const { stdout } = process
  if (format === 'csv') {
    stdout.write(`${CSV_MARK}${csvLine(heads)}`)
    for await (const rows of rowsIn(columns)) if (!stdout.write(rows.map(csvLine).join(''))) await once(stdout, 'drain')
  } else if (format === 'xlsx' && !notes) await writeXlsx(stdout, heads, rowsIn(columns), name)
  else {
    const rows: Cell[][] = []
    for await (const some of rowsIn(columns)) rows.push(...some)
    const sheets = [{ name, heads, rows }, ...(notes ? [{ name: notes.name, heads: notes.rows[0]!, rows: notes.rows.slice(1) }] : [])]
    stdout.write(format === 'xls' ? xlsBook(sheets) : await template(sheets))
  }
}

/** A template is small: the library may hold it. */
async function template(sheets: readonly XlsSheet[]): Promise<Buffer> {
  const { default: XLSX } = await import('@e965/xlsx')
  const book = XLSX.utils.book_new()
  for (const { name, heads, rows } of sheets) {
    const cells = [[...heads], ...rows].map((row) => row.map((value) => (typeof value === 'string' ? { t: 's', v: value, z: '@' } : value)))
    const sheet = XLSX.utils.aoa_to_sheet(cells)
    sheet['!cols'] = heads.map((head) => ({ wch: Math.min(40, Math.max(12, Buffer.byteLength(head) + 6)) }))
    XLSX.utils.book_append_sheet(book, sheet, name)
  }
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
}
// Last, when everything above has its value.
const asked = JSON.parse(process.argv[2]!) as Asked
if (asked.does === 'read') await reads(asked.rowsMax, asked.cellsMax)
else if (asked.does === 'words') await words()
else await writes(asked)
