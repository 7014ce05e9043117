import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk, type Hostile, pngOf } from './hostile.ts'

/** Fifty million pixels but one line: the most that is drawn at all. */
const SIDE = 7_000
const blue = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#2F6FDE' }, limitInputPixels: false })

/** Small files that would be gigantic pictures. */
export async function pixelBombs(): Promise<Hostile[]> {
  const [small, staged, progressive, interlaced, webp] = await Promise.all([
    blue(24, 16).jpeg().toBuffer(),
    blue(1_000, 1_000).jpeg({ progressive: true }).toBuffer(),
    blue(SIDE, SIDE).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    blue(SIDE, SIDE, 4).png({ progressive: true, compressionLevel: 9 }).toBuffer(),
    blue(24, 16).webp().toBuffer(),
  ])
  const of = (what: string, name: string, bytes: Buffer): Hostile => ({ what, name, type: `image/${name.split('.').at(-1)}`, bytes })
  return [
    of('a PNG of 3.6 billion pixels', 'x.png', pngOf(60_000, 60_000)),
    of('a PNG of a few more pixels than are taken', 'x.png', pngOf(8_000, 7_000)),
    of('a PNG whose every line comes in seven passes', 'x.png', interlaced),
    of('a JPG that says it has four billion pixels', 'x.jpg', withSize(small, 65_500, 65_500)),
    of('a JPG of several passes over fifty million pixels', 'x.jpg', progressive),
    of('a JPG of ten thousand passes', 'x.jpg', passesOver(staged, 10_000)),
    of('a WebP', 'x.webp', webp),
    of('a GIF of five thousand frames', 'x.gif', movingGif(5_000)),
    of('a GIF of five thousand frames, called a PNG', 'x.png', movingGif(5_000)),
    of(
      'a drawing of a billion pixels, called a PNG',
      'x.png',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"><rect width="99999" height="99999"/></svg>`),
    ),
  ]
}

/** Two megabytes of remarks that unfold to two gigabytes, around a harmless picture: it is taken without them. */
export const remarkBomb = (): Hostile => ({ what: 'gigabytes of remarks', name: 'x.png', type: 'image/png', bytes: remarked(pngOf(24, 16), 40) })

/** An honest picture of the largest kind, on its side: it is taken, and costs as much as any may. */
export const largestPicture = (): Promise<Buffer> => blue(SIDE, SIDE).jpeg().withMetadata({ orientation: 6 }).toBuffer()

/** The size stands in the frame's head, two bytes behind its length. */
function withSize(jpg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpg)
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, at + 5)
  copy.writeUInt16BE(width, at + 7)
  return copy
}
/** The last pass of a progressive picture, again and again. */
function passesOver(jpg: Buffer, times: number): Buffer {
  const last = jpg.lastIndexOf(Buffer.from([0xff, 0xda]))
  const end = jpg.length - 2
  return Buffer.concat([jpg.subarray(0, last), ...Array.from({ length: times }, () => jpg.subarray(last, end)), jpg.subarray(end)])
}
/** Remarks that unfold to fifty megabytes each, behind the head. */
function remarked(png: Buffer, times: number): Buffer {
  const remark = chunk('zTXt', Buffer.concat([Buffer.from('c\0\0'), deflateSync(Buffer.alloc(50 * 1024 * 1024))]))
  const HEAD = 33
  return Buffer.concat([png.subarray(0, HEAD), ...Array.from({ length: times }, () => remark), png.subarray(HEAD)])
}
/** Each frame is one pixel of a canvas that is as large as a GIF can say. */
function movingGif(frames: number): Buffer {
  const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff])])
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}
