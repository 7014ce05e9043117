/** JT/T 808 frames, 2013 and 2019: what stands between two 7e, unescaped, checked, with its header read. */

const MARK = 0x7e
const ESCAPE = 0x7d
/** The longest header, body and check, each byte escaped; what is longer is no frame. */
const FRAME_MAX = (21 + 1023 + 1) * 2
const HEADER_2013 = 12
const HEADER_2019 = 17
const PARTS = 4
const LENGTH = 0x03ff
const ENCRYPTED = 0x1c00
const FRAGMENT = 0x2000
const VERSIONED = 0x4000

export interface Frame {
  id: number
  /** As it stands in the header, padding and all: it is answered with the same. */
  phone: string
  is2019: boolean
  serial: number
  encrypted: boolean
  part?: { total: number; number: number }
  body: Buffer
}

/** Cuts a stream into what lies between the marks. Bytes before the first mark, and what is too long, are passed over. */
export function openSplitter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const found: Buffer[] = []
    let from = all.indexOf(MARK)
    while (from !== -1) {
      const to = all.indexOf(MARK, from + 1)
      if (to === -1) break
      if (to > from + 1 && to - from <= FRAME_MAX) found.push(all.subarray(from + 1, to))
      from = to
    }
    rest = from === -1 || all.length - from > FRAME_MAX ? Buffer.alloc(0) : Buffer.from(all.subarray(from))
    return found
  }
}

/** Undefined where the bytes are no frame: a wrong check, a wrong escape, a header that does not fit. */
export function readFrame(escaped: Buffer): Frame | undefined {
  const bytes = unescaped(escaped)
  if (!bytes || bytes.length < HEADER_2013 + 1) return undefined
  if (checkOf(bytes.subarray(0, -1)) !== bytes.at(-1)) return undefined
  const whole = bytes.subarray(0, -1)
  const attributes = whole.readUInt16BE(2)
  const versioned = (attributes & VERSIONED) !== 0
  // Some terminals set the flag of 2019 and send the short header.
  return (versioned ? headed(whole, true) : undefined) ?? headed(whole, false)
}
function headed(whole: Buffer, is2019: boolean): Frame | undefined {
  const attributes = whole.readUInt16BE(2)
  const fragment = (attributes & FRAGMENT) !== 0
  const head = (is2019 ? HEADER_2019 : HEADER_2013) + (fragment ? PARTS : 0)
  if (whole.length !== head + (attributes & LENGTH)) return undefined
  const [phoneAt, digits] = is2019 ? [5, 10] : [4, 6]
  const phone = whole.toString('hex', phoneAt, phoneAt + digits)
  if (!/^\d+$/.test(phone)) return undefined
  const serialAt = phoneAt + digits
  const serial = whole.readUInt16BE(serialAt)
  const part = fragment ? { total: whole.readUInt16BE(serialAt + 2), number: whole.readUInt16BE(serialAt + 4) } : undefined
  return {
    id: whole.readUInt16BE(0),
    phone,
    is2019,
    serial,
    encrypted: (attributes & ENCRYPTED) !== 0,
    ...(part && { part }),
    body: whole.subarray(head),
  }
}

/** The whole of a frame as it goes over the wire. The body of one frame has 1023 bytes at most. */
export function writeFrame({ id, phone, is2019, serial, body, part }: Pick<Frame, 'id' | 'phone' | 'is2019' | 'serial' | 'body' | 'part'>): Buffer {
  if (body.length > LENGTH) throw new Error(`A body of ${body.length} bytes fits no frame.`)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(body.length | (is2019 ? VERSIONED : 0) | (part ? FRAGMENT : 0), 2)
  const number = Buffer.from(phone.padStart(is2019 ? 20 : 12, '0'), 'hex')
  const counter = Buffer.alloc(2)
  counter.writeUInt16BE(serial & 0xffff)
  const of = Buffer.alloc(part ? PARTS : 0)
  if (part) of.writeUInt32BE(part.total * 0x10000 + part.number)
  const whole = Buffer.concat([head, ...(is2019 ? [Buffer.from([1])] : []), number, counter, of, body])
  return Buffer.concat([Buffer.from([MARK]), escaped(Buffer.concat([whole, Buffer.from([checkOf(whole)])])), Buffer.from([MARK])])
}

const checkOf = (bytes: Uint8Array): number => bytes.reduce((check, byte) => check ^ byte, 0)
function escaped(bytes: Buffer): Buffer {
  const out: number[] = []
  for (const byte of bytes) {
    if (byte === MARK) out.push(ESCAPE, 0x02)
    else if (byte === ESCAPE) out.push(ESCAPE, 0x01)
    else out.push(byte)
  }
  return Buffer.from(out)
}
function unescaped(bytes: Buffer): Buffer | undefined {
  const out: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== ESCAPE) {
      out.push(bytes[at]!)
      continue
    }
    const next = bytes[++at]
    if (next !== 0x01 && next !== 0x02) return undefined
    out.push(next === 0x01 ? ESCAPE : MARK)
  }
  return Buffer.from(out)
}
