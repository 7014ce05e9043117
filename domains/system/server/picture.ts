import sharp from 'sharp'

/** A picture of more pixels would take more memory than an upload is worth. */
const PIXELS_MAX = 50_000_000

/** What the first bytes say; the declared type and the name's ending are not believed. */
export function typeOf(bytes: Uint8Array): 'image/jpeg' | 'image/png' | undefined {
  const begins = (...wanted: number[]) => wanted.every((byte, i) => bytes[i] === byte)
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  return undefined
}

/** Drawn anew, so that nothing but a picture is left of it: no script behind it, no place in its metadata. Undefined when it cannot be read as one. */
export async function redrawn(bytes: Uint8Array, type: 'image/jpeg' | 'image/png'): Promise<Buffer | undefined> {
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).rotate()
    return await (type === 'image/png' ? picture.png() : picture.jpeg({ quality: 88 })).toBuffer()
  } catch {
    return undefined
  }
}
