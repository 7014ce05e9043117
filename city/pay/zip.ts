import { crc32, deflateRawSync } from 'node:zlib'

export interface Packed {
  /** As it stands in the archive: without a mark for UTF-8, so in the encoding that its reader expects. */
  name: Uint8Array
  content: Uint8Array
}
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
const DEFLATED = 8
/** 1 January 1980, the first day that the format knows. */
const DAY = 0x21

/** A zip archive of a few small files. */
export function zipped(files: readonly Packed[]): Uint8Array {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, content } of files) {
    const packed = deflateRawSync(content)
    const about = shared(name, content, packed)
    const body = Buffer.concat([numbers([4, LOCAL]), about, name, packed])
    entries.push(Buffer.concat([numbers([4, CENTRAL], [2, VERSION]), about, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name]))
    bodies.push(body)
    offset += body.length
  }
  const list = Buffer.concat(entries)
  const count = files.length
  return Buffer.concat([...bodies, list, numbers([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, list.length], [4, offset], [2, 0])])
}
/** The part that a file's own head and its entry in the list have in common. */
const shared = (name: Uint8Array, content: Uint8Array, packed: Uint8Array) =>
  numbers(
    [2, VERSION],
    [2, 0],
    [2, DEFLATED],
    [2, 0],
    [2, DAY],
    [4, crc32(content)],
    [4, packed.length],
    [4, content.length],
    [2, name.length],
    [2, 0],
  )
/** Little-endian numbers of two or four bytes. */
function numbers(...of: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    of.map(([bytes, value]) => {
      const part = Buffer.alloc(bytes)
      part.writeUIntLE(value, 0, bytes)
      return part
    }),
  )
}
