import { zipEntries } from '../../../../platform/server/sheets/zip.ts'

/** A stored document's type, by which it is sent, and the ending that its name gets here. */
export interface DocumentKind {
  type: string
  ending: string
}
const office = 'application/vnd.openxmlformats-officedocument'
type Look = (bytes: Uint8Array) => boolean

/** The kinds that are taken, by the ending of the name; each is believed only when the bytes say the same. */
const KINDS: Record<string, { type: string; is: Look }> = {
  pdf: { type: 'application/pdf', is: (bytes) => begins(bytes, '%PDF-') },
  docx: { type: `${office}.wordprocessingml.document`, is: isOffice('word/document.xml') },
  xlsx: { type: `${office}.spreadsheetml.sheet`, is: isOffice('xl/workbook.xml') },
  pptx: { type: `${office}.presentationml.presentation`, is: isOffice('ppt/presentation.xml') },
  doc: { type: 'application/msword', is: isCompound },
  xls: { type: 'application/vnd.ms-excel', is: isCompound },
  ppt: { type: 'application/vnd.ms-powerpoint', is: isCompound },
  txt: { type: 'text/plain; charset=utf-8', is: isText },
  csv: { type: 'text/csv; charset=utf-8', is: isText },
}

/** Returns a file's type when the last ending of its name and its bytes agree; undefined for a type that is not accepted. */
export function documentTypeOf(name: string, bytes: Uint8Array): DocumentKind | undefined {
  const ending = /\.(\w{2,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const kind = Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined
  return kind?.is(bytes) ? { type: kind.type, ending } : undefined
}

/** A name as it may be shown and saved: its last part, without signs that are not seen or that turn its direction (`exe.fdp` read backwards). */
export function plainName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1)!
  return last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '').trim() || 'file'
}

const begins = (bytes: Uint8Array, text: string) => Array.from(text).every((letter, i) => bytes[i] === letter.charCodeAt(0))
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
function isCompound(bytes: Uint8Array) {
  return COMPOUND.every((byte, i) => bytes[i] === byte)
}

/** An Office document of the new form: a zip that unfolds to something bearable and whose parts say what it is. Macros make it another kind, whatever it is called. */
function isOffice(main: string): Look {
  return (bytes) => {
    const parts = zipEntries(bytes)
    if (typeof parts === 'string') return false
    const names = parts.map(({ name }) => name.toLowerCase())
    return names.includes('[content_types].xml') && names.includes(main) && !names.some((name) => name.endsWith('vbaproject.bin'))
  }
}

/** Text has no zero bytes and can be read in one of the two encodings that people here use. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  return ['utf-8', 'gb18030'].some((encoding) => {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(bytes)
      return true
    } catch {
      return false
    }
  })
}
