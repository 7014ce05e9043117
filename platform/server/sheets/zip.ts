/**
 * The largest unfolded size of a sheet. The child that reads it has 256 MB; a workbook of 50,000 rows and 20 columns is some 60 MB
 * of XML.
 */
export const UNFOLDED_MAX = 100 * 1024 * 1024
/** A workbook has some twenty parts, with pictures some hundred. */
const ENTRIES_MAX = 2_000

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
/** A comment behind the directory is at most this long. */
const COMMENT_MAX = 65_535
const IN_ZIP64 = 0xffff_ffff

export interface ZipEntry {
  name: string
  method: number
  /** In the file, folded. */
  from: number
  bytes: number
  unfolded: number
}
export type ZipFault = 'broken' | 'bomb' | 'locked'

/**
 * The directory at the end of a zip, read before anything is unfolded: how much it would become costs nothing to ask. Entries may not lie over one another (that is how
 * a small file repeats one part a thousand times), hide their size or be encrypted.
 */
export function zipEntries(file: Uint8Array): ZipEntry[] | ZipFault {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = endOf(view)
  if (end === undefined) return 'broken'
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > ENTRIES_MAX || at === IN_ZIP64) return 'bomb'
  const entries: ZipEntry[] = []
  for (let i = 0; i < count; i++) {
    const entry = at + ENTRY_BYTES <= end && view.getUint32(at, true) === ENTRY ? entryAt(file, view, at) : 'broken'
    if (typeof entry === 'string') return entry
    entries.push(entry)
    at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  const unfolded = entries.reduce((sum, entry) => sum + entry.unfolded, 0)
  return unfolded > UNFOLDED_MAX || overlap(entries) ? 'bomb' : entries
}

function endOf(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX); at--) if (view.getUint32(at, true) === END) return at
  return undefined
}

function entryAt(file: Uint8Array, view: DataView, at: number): ZipEntry | ZipFault {
  const encrypted = (view.getUint16(at + 8, true) & 1) === 1
  const bytes = view.getUint32(at + 20, true)
  const unfolded = view.getUint32(at + 24, true)
  const local = view.getUint32(at + 42, true)
  if (encrypted) return 'locked'
  // A part that says it is empty and is not would be unfolded without an end.
  if (bytes === IN_ZIP64 || unfolded === IN_ZIP64 || (unfolded === 0 && bytes > 2)) return 'bomb'
  if (local + LOCAL_BYTES > view.byteLength || view.getUint32(local, true) !== LOCAL) return 'broken'
  const from = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  if (from + bytes > view.byteLength) return 'broken'
  const name = new TextDecoder().decode(file.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + view.getUint16(at + 28, true)))
  return { name, method: view.getUint16(at + 10, true), from, bytes, unfolded }
}

function overlap(entries: readonly ZipEntry[]): boolean {
  const inOrder = entries.filter(({ bytes }) => bytes > 0).sort((a, b) => a.from - b.from)
  return inOrder.some(({ from }, i) => i > 0 && from < inOrder[i - 1]!.from + inOrder[i - 1]!.bytes)
}
