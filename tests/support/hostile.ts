import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A file that somebody made to do more than be looked at. */
export interface Hostile {
  /** The attack that it tries. */
  what: string
  name: string
  type: string
  bytes: Buffer
}

/** Runs in every way that a browser knows if the file is ever taken for a page, a script or a drawing. */
const SCRIPT = 'alert(document.domain);document.title="executed";new Image().src="/executed"'
const HTML = `<!doctype html><html><body onload='${SCRIPT}'><script>${SCRIPT}</script><svg onload='${SCRIPT}'></svg><img src=x onerror='${SCRIPT}'></body></html>`
const SVG = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject></svg>`
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`

export async function hostileFiles(): Promise<Hostile[]> {
  const of = (what: string, name: string, type: string, bytes: Buffer | string): Hostile => ({
    what,
    name,
    type,
    bytes: Buffer.from(bytes as string),
  })
  const jpg = await sharp({ create: { width: 24, height: 16, channels: 3, background: '#2F6FDE' } })
    .jpeg()
    .toBuffer()
  const png = await sharp({ create: { width: 24, height: 16, channels: 4, background: '#2F6FDE' } })
    .png()
    .toBuffer()
  const disguised = [HTML, SVG, XHTML].flatMap((text, i) => {
    const kind = ['a page', 'a drawing with scripts', 'an XML page'][i]!
    const type = ['text/html', 'image/svg+xml', 'application/xhtml+xml'][i]!
    const endings = ['jpg', 'jpeg', 'png', 'pdf', 'docx', 'txt', 'csv', 'html', 'svg', 'html.jpg', 'jpg.html', 'pdf.svg']
    return endings.map((ending) => of(`${kind} called .${ending}`, `x.${ending}`, type, text))
  })
  const polyglots = [HTML, SVG].flatMap((text, i) => [
    of(`a picture with ${i ? 'a drawing' : 'a page'} behind it`, 'x.jpg', 'image/jpeg', Buffer.concat([jpg, Buffer.from(text)])),
    of(`a PNG with ${i ? 'a drawing' : 'a page'} behind it`, 'x.png', 'image/png', Buffer.concat([png, Buffer.from(text)])),
    of(
      `a picture with ${i ? 'a drawing' : 'a page'} in its comment`,
      'x.jpg',
      'text/html',
      Buffer.concat([jpg.subarray(0, 2), segment(0xfe, text), jpg.subarray(2)]),
    ),
    of(
      `a PNG with ${i ? 'a drawing' : 'a page'} in a text chunk`,
      'x.png',
      'image/svg+xml',
      Buffer.concat([png.subarray(0, 33), chunk('tEXt', `c\0${text}`), png.subarray(33)]),
    ),
    of(
      `the first bytes of a JPG before ${i ? 'a drawing' : 'a page'}`,
      'x.jpg',
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(text)]),
    ),
    of(`the first bytes of a PNG before ${i ? 'a drawing' : 'a page'}`, 'x.png', 'image/png', Buffer.concat([png.subarray(0, 8), Buffer.from(text)])),
    of(`the first bytes of a GIF before ${i ? 'a drawing' : 'a page'}`, 'x.jpg', 'image/gif', `GIF89a/*${text}*/=1;`),
    of(`a PDF that is also ${i ? 'a drawing' : 'a page'}`, 'x.pdf', 'text/html', `%PDF-1.4\n${text}`),
    of(`a table of values that is ${i ? 'a drawing' : 'a page'}`, 'x.csv', 'text/html', text),
  ])
  return [
    ...disguised,
    ...polyglots,
    of('a PDF that runs a script when it is opened', 'x.pdf', 'application/pdf', PDF_WITH_SCRIPT),
    of('a name that reads backwards', 'invoice\u202efdp.html', 'text/html', HTML),
    of('a name with a zero byte', 'x.html\u0000.png', 'image/png', HTML),
    of('a name that is a path', '../../../../dist/index.html', 'text/html', HTML),
    of('a name that breaks the header', 'x.png"\r\nContent-Type: text/html\r\n\r\n', 'text/html', png),
    of('a flood of pixels', 'x.png', 'image/png', pngOf(60_000, 60_000)),
    of('a picture of more pixels than are taken', 'x.png', 'image/png', pngOf(8_000, 7_000)),
    of(
      'a zip bomb called a workbook',
      'x.xlsx',
      'application/zip',
      zip([
        ['[Content_Types].xml', '<Types/>'],
        ['xl/workbook.xml', '<workbook/>'],
        ['xl/worksheets/sheet1.xml', Buffer.alloc(600 * 1024 * 1024)],
      ]),
    ),
    of('a zip bomb called a picture', 'x.png', 'image/png', zip([['x', Buffer.alloc(64 * 1024 * 1024)]])),
    of(
      'a document with macros under the name of one without',
      'x.docx',
      'application/zip',
      zip([
        ['[Content_Types].xml', '<Types/>'],
        ['word/document.xml', '<w/>'],
        ['word/vbaProject.bin', 'x'],
      ]),
    ),
    of('a program called a document', 'x.doc', 'application/msword', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])),
    of('a script of the shell called text', 'x.sh.txt.exe', 'text/plain', '#!/bin/sh\nid'),
    of('an archive with a page in it', 'x.docx', 'application/zip', zip([['index.html', HTML]])),
    of(
      'a web archive',
      'x.mht',
      'multipart/related',
      `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n${HTML}\n--x--`,
    ),
    of('a style sheet with an import', 'x.css', 'text/css', '@import "/executed";'),
    of('a module', 'x.mjs', 'text/javascript', SCRIPT),
    of('WebAssembly', 'x.wasm', 'application/wasm', Buffer.from([0, 97, 115, 109, 1, 0, 0, 0])),
    of('nothing at all', 'x.png', 'image/png', ''),
  ]
}

const PDF_WITH_SCRIPT = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>`

/** A segment of a JPG. */
const segment = (marker: number, text: string) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(text) + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, Buffer.from(text)])
}
/** A chunk of a PNG. */
export function chunk(kind: string, data: Buffer | string) {
  const body = Buffer.concat([Buffer.from(kind), Buffer.from(data as string)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
/** A PNG that says it has so many pixels, all black: a few kilobytes. */
export function pngOf(width: number, height: number) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min(height, 4_000) * (1 + Math.ceil(width / 8))))
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', '')])
}

/** A zip of these parts. */
export function zip(parts: readonly (readonly [name: string, data: Buffer | string])[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, given] of parts) {
    const data = Buffer.from(given as string)
    const folded = deflateRawSync(data)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(folded.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), folded])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, place, Buffer.from(name)]))
    bodies.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, list, end])
}
