import type { Cell } from './xlsx.ts'

/** One sheet of a book. */
export interface XlsSheet {
  name: string
  heads: readonly string[]
  rows: Cell[][]
}

/** A record holds 8,224 bytes, and a cell's text stands in one record: what is longer is cut. No field of ours is. */
const TEXT_MAX = 4_000
const TEXT_STYLE = 16
const HEAD_STYLE = 17
const PLAIN_STYLE = 15

/**
 * An Excel 97 workbook, [MS-XLS] in [MS-CFB]: text as LABEL records under the format "text", numbers as NUMBER. Written by hand because the library takes 2.5 GB and a minute
 * for the 10,000 rows of 15 columns that this writes in 60 MB and a second.
 */
export function xlsBook(sheets: readonly XlsSheet[]): Buffer {
  const bodies = sheets.map(sheetStream)
  const named = (from: number) => {
    let at = from
    return sheets.map(({ name }, i) => {
      const bound = boundSheet(name, at)
      at += bodies[i]!.length
      return bound
    })
  }
  const top = [bof(5), record(0x0042, u16(1200)), record(0x003d, u16(0, 0, 0x3c00, 0x2000, 0x38, 0, 0, 1, 600)), ...fonts(), ...styles()]
  const size = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0)
  const end = record(0x000a, Buffer.alloc(0))
  return compound(Buffer.concat([...top, ...named(size(top) + size(named(0)) + end.length), end, ...bodies]))
}

function sheetStream({ heads, rows }: XlsSheet): Buffer {
  const pages = new Pages()
  pages.add(bof(0x10))
  heads.forEach((head, i) => pages.add(record(0x007d, u16(i, i, Math.min(40, Math.max(12, Buffer.byteLength(head) + 6)) * 256, PLAIN_STYLE, 0, 0))))
  pages.add(record(0x0200, Buffer.concat([u32(0, rows.length + 1), u16(0, heads.length, 0)])))
  heads.forEach((head, i) => pages.cell(0, i, HEAD_STYLE, head))
  rows.forEach((row, at) => row.forEach((value, i) => pages.cell(at + 1, i, TEXT_STYLE, value)))
  // The head stays in sight.
  pages.add(record(0x023e, Buffer.concat([u16(0x07be, 0, 0), u32(0x40), u16(0, 0), u32(0)])))
  pages.add(record(0x0041, u16(0, 1, 1, 0, 2)))
  pages.add(record(0x000a, Buffer.alloc(0)))
  return pages.whole()
}

/** Records one behind the other in a few large buffers: one for each cell is what costs the library its memory. */
class Pages {
  readonly #full: Buffer[] = []
  #page = Buffer.allocUnsafe(PAGE)
  #at = 0
  #room(bytes: number) {
    if (this.#at + bytes <= PAGE) return
    this.#full.push(this.#page.subarray(0, this.#at))
    this.#page = Buffer.allocUnsafe(PAGE)
    this.#at = 0
  }
  add(bytes: Buffer) {
    this.#room(bytes.length)
    this.#at += bytes.copy(this.#page, this.#at)
  }
  cell(row: number, column: number, style: number, value: Cell) {
    if (value === null || value === '') return
    if (typeof value === 'number') {
      this.#room(18)
      this.#head(0x0203, 14, row, column, PLAIN_STYLE)
      this.#at = this.#page.writeDoubleLE(value, this.#at)
      return
    }
    const text = value.slice(0, TEXT_MAX)
    this.#room(13 + text.length * 2)
    this.#head(0x0204, 9 + text.length * 2, row, column, style)
    this.#at = this.#page.writeUInt16LE(text.length, this.#at)
    this.#at = this.#page.writeUInt8(1, this.#at) // two bytes a character
    this.#at += this.#page.write(text, this.#at, 'utf16le')
  }
  #head(type: number, bytes: number, ...fields: number[]) {
    for (const field of [type, bytes, ...fields]) this.#at = this.#page.writeUInt16LE(field, this.#at)
  }
  whole = () => Buffer.concat([...this.#full, this.#page.subarray(0, this.#at)])
}
const PAGE = 1024 * 1024

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, i) => bytes.writeUInt16LE(value, i * 2))
  return bytes
}
function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4))
  return bytes
}
const record = (type: number, data: Buffer) => Buffer.concat([u16(type, data.length), data])
/** Version 8 of the format; `kind` 5 is the book, 16 a sheet. */
const bof = (kind: number) => record(0x0809, Buffer.concat([u16(0x0600, kind, 0x0dbb, 0x07cc), u32(0, 6)]))
const wide = (text: string) => Buffer.concat([Buffer.from([text.length, 1]), Buffer.from(text, 'utf16le')])
/** A sheet's name has 31 characters at most, and none of these. */
const boundSheet = (name: string, at: number) =>
  record(0x0085, Buffer.concat([u32(at), u16(0), wide(name.replaceAll(/[[\]:*?/\\]/g, ' ').slice(0, 31))]))

/** Four alike, because number 4 is left out of the count; the fifth is bold. */
const fonts = () =>
  [400, 400, 400, 400, 700].map((weight) => record(0x0031, Buffer.concat([u16(220, 0, 0x7fff, weight, 0), Buffer.alloc(4), wide('Calibri')])))
/** Fifteen styles that the format wants, then the three of our cells: as it comes, text (49), and text in bold. */
const styles = () => [
  ...Array.from({ length: 15 }, () => xf(0, 0, 0xfff5, 0xf4)),
  xf(0, 0, 1, 0),
  xf(0, 49, 1, 0x04),
  xf(5, 49, 1, 0x0c),
  record(0x0293, Buffer.concat([u16(0x8000), Buffer.from([0, 0xff])])),
]
const xf = (font: number, format: number, flags: number, own: number) =>
  record(0x00e0, Buffer.concat([u16(font, format, flags), Buffer.from([0x20, 0, 0, own]), u32(0, 0), u16(0x20c0)]))

const SECTOR = 512
const IN_FAT = SECTOR / 4
/** As many sectors of the table stand in the header; those behind it in sectors of their own. */
const IN_HEADER = 109
const FREE = 0xffff_ffff
const LAST = 0xffff_fffe
const OF_FAT = 0xffff_fffd
const OF_DIFAT = 0xffff_fffc
/** Shorter streams would have to lie in a stream of their own. */
const STREAM_MIN = 4096

/** One stream, `Workbook`, in a compound file: header, the stream, its table of sectors, the directory. */
function compound(stream: Buffer): Buffer {
  const padded = Buffer.concat([stream, Buffer.alloc(Math.max(STREAM_MIN - stream.length, (SECTOR - (stream.length % SECTOR)) % SECTOR))])
  const body = padded.length % SECTOR === 0 ? padded : Buffer.concat([padded, Buffer.alloc(SECTOR - (padded.length % SECTOR))])
  const sectors = body.length / SECTOR
  let fats = 0
  let difats = 0
  while (fats * IN_FAT < sectors + fats + difats + 1) {
    fats++
    difats = Math.ceil(Math.max(0, fats - IN_HEADER) / (IN_FAT - 1))
  }
  const firstFat = sectors
  const firstDifat = firstFat + fats
  const directory = firstDifat + difats
  const fat = Buffer.alloc(fats * SECTOR, 0xff)
  const put = (sector: number, next: number) => void fat.writeUInt32LE(next, sector * 4)
  for (let i = 0; i < sectors; i++) put(i, i === sectors - 1 ? LAST : i + 1)
  for (let i = 0; i < fats; i++) put(firstFat + i, OF_FAT)
  for (let i = 0; i < difats; i++) put(firstDifat + i, OF_DIFAT)
  put(directory, LAST)
  const ids = Array.from({ length: fats }, (_, i) => firstFat + i)
  const difat = Array.from({ length: difats }, (_, i) => {
    const part = ids.slice(IN_HEADER + i * (IN_FAT - 1), IN_HEADER + (i + 1) * (IN_FAT - 1))
    return u32(...part, ...Array.from({ length: IN_FAT - 1 - part.length }, () => FREE), i === difats - 1 ? LAST : firstDifat + i + 1)
  })
  const inHeader = [...ids.slice(0, IN_HEADER), ...Array.from({ length: Math.max(0, IN_HEADER - fats) }, () => FREE)]
  const header = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(16),
    u16(0x3e, 3, 0xfffe, 9, 6, 0, 0, 0),
    u32(0, fats, directory, 0, STREAM_MIN, LAST, 0, difats > 0 ? firstDifat : LAST, difats),
    u32(...inHeader),
  ])
  return Buffer.concat([
    header,
    body,
    fat,
    ...difat,
    entry('Root Entry', 5, LAST, 0, 1),
    entry('Workbook', 2, 0, body.length, FREE),
    Buffer.alloc(2 * 128),
  ])
}

/** One of the directory's entries: the root, or the stream below it. */
function entry(name: string, type: number, from: number, bytes: number, child: number): Buffer {
  const one = Buffer.alloc(128)
  one.write(name, 0, 'utf16le')
  one.writeUInt16LE(name.length * 2 + 2, 64)
  one.writeUInt8(type, 66)
  one.writeUInt8(1, 67)
  for (const [at, value] of [
    [68, FREE],
    [72, FREE],
    [76, child],
    [116, from],
    [120, bytes],
  ] as const)
    one.writeUInt32LE(value, at)
  return one
}
