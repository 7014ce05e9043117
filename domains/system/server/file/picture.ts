import sharp, { type Metadata, type Sharp } from 'sharp'
import { slotsOf } from '../../../../platform/server/job/slots.ts'

// No picture is drawn twice.
sharp.cache(false)

/** A picture of more pixels would take more memory than an upload is worth. */
const PIXELS_MAX = 50_000_000
/** Of one picture in memory: 50 million pixels of three bytes. */
const HELD_BYTES_MAX = 3 * PIXELS_MAX
/** No camera's picture takes so long. */
const DRAWN_S = 20
/** Large pictures are drawn one after the other, and hold nobody up who sends a small one. A waiting picture is in memory too. */
const SMALL_PIXELS = 4_000_000
const largeOnes = slotsOf(1, 10)
const smallOnes = slotsOf(2, 50)

/** Returns the picture type by the first bytes; the declared type and the name's ending are not believed. */
export function typeOf(bytes: Uint8Array): 'image/jpeg' | 'image/png' | undefined {
  const begins = (...wanted: number[]) => wanted.every((byte, i) => bytes[i] === byte)
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return undefined
}

/** Why a picture is not drawn: it is none, or a flood of pixels. */
export type Unfit = 'unreadable' | 'flood'

/** Checks the head of a picture, before anything of it is drawn: a file of a kilobyte may claim to be as large as a field. */
export async function unfitToDraw(bytes: Uint8Array): Promise<Unfit | undefined> {
  const head = await headOf(bearable(bytes))
  return head ? tooLarge(head) : 'unreadable'
}

/** Drawn anew, so that nothing but a picture is left of it: no script behind it, no place in its metadata. @throws TooMany */
export async function redrawn(sent: Uint8Array, type: 'image/jpeg' | 'image/png'): Promise<Buffer | Unfit> {
  const bytes = bearable(sent)
  const head = await headOf(bytes)
  if (!bytes || !head) return 'unreadable'
  const refused = tooLarge(head)
  if (refused) return refused
  const inTurn = head.width * head.height > SMALL_PIXELS ? largeOnes : smallOnes
  return inTurn(async () => {
    try {
      const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).timeout({ seconds: DRAWN_S })
      return await (type === 'image/png' ? picture.rotate().png() : jpegOf(picture, head)).toBuffer()
    } catch {
      return 'unreadable'
    }
  })
}

/**
 * It keeps the one remark that says which way is up: every browser follows it, and to turn the picture would hold all of it in memory. So would tables of its own,
 * which make it a little smaller.
 */
const jpegOf = (picture: Sharp, { orientation = 1 }: Metadata) =>
  (orientation > 1 ? picture.withExif({ IFD0: { Orientation: String(orientation) } }) : picture).jpeg({ quality: 88, optimiseCoding: false })

const headOf = async (bytes: Uint8Array | undefined): Promise<Metadata | undefined> =>
  bytes &&
  sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
const tooLarge = (head: Metadata): Unfit | undefined =>
  head.width * head.height > PIXELS_MAX || heldBytes(head) > HELD_BYTES_MAX ? 'flood' : undefined

/** Returns the bytes in memory at once: a few lines, but all of a PNG that has to be turned, and of a picture that comes in several passes. */
function heldBytes({ format, width, height, channels, depth, orientation = 1, isProgressive, chromaSubsampling = '' }: Metadata): number {
  const pixels = width * height
  const drawn = pixels * channels * (depth === 'ushort' ? 2 : 1)
  const passes = format === 'jpeg' ? pixels * (COEFFICIENTS[chromaSubsampling] ?? channels) * 2 : drawn
  return (format === 'png' && orientation > 1 ? drawn : 0) + (isProgressive ? passes : 0)
}
/** Per pixel of a progressive JPG, two bytes each. */
const COEFFICIENTS: Record<string, number> = { '4:2:0': 1.5, '4:2:2': 2 }

/** A PNG without what may be folded a thousandfold and is no part of the picture. Undefined where its parts, or a JPG's passes, are too many for any camera. */
function bearable(bytes: Uint8Array): Uint8Array | undefined {
  if (typeOf(bytes) !== 'image/png') return passesOf(bytes) > PASSES_MAX ? undefined : bytes
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const kept = [png.subarray(0, SIGNATURE)]
  for (let at = SIGNATURE; at + PART_MIN <= png.length;) {
    const end = at + PART_MIN + png.readUInt32BE(at)
    if (!REMARKS.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end))
    if (kept.length > PARTS_MAX) return undefined
    at = end
  }
  return Buffer.concat(kept)
}
const SIGNATURE = 8
/** Of each part: its length, its name and its sum. */
const PART_MIN = 12
const PARTS_MAX = 50_000
const REMARKS = new Set(['tEXt', 'zTXt', 'iTXt'])

/** Each draws all of a JPG once more, and costs a few bytes. */
const PASSES_MAX = 100
const PASS = Buffer.from([0xff, 0xda])
function passesOf(bytes: Uint8Array): number {
  const jpg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let passes = 0
  for (let at = jpg.indexOf(PASS); at >= 0 && passes <= PASSES_MAX; at = jpg.indexOf(PASS, at + PASS.length)) passes++
  return passes
}
