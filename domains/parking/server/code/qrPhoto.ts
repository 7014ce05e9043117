import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { slotsOf } from '../../../../platform/server/job/slots.ts'

/** As many pixels as an upload takes. */
const PIXELS_MAX = 50_000_000
/** A telephone's photograph is read at the first; one with much noise or a code that fills it at the second. */
const SIDES_PX = [1_600, 800]
const DRAWN_S = 10
const READ_MS = 5_000
/** One core is left to the lanes; who would wait behind ten is told to come again. */
const slots = slotsOf(1, 10)

export interface Drawing {
  pixels: Uint8Array
  width: number
  height: number
}

/**
 * Returns the text of the QR code in a picture; undefined where none is found. The image library's threads scale it down, and a thread of its own reads it, because reading
 * takes some 100 ms. @throws TooMany
 */
export const textIn = (picture: Uint8Array): Promise<string | undefined> =>
  slots(async () => {
    for (const side of SIDES_PX) {
      const drawing = await drawn(picture, side)
      const text = drawing && (await inThread(drawing))
      if (text !== undefined) return text
    }
    return undefined
  })

async function drawn(picture: Uint8Array, side: number): Promise<Drawing | undefined> {
  try {
    const small = sharp(picture, { limitInputPixels: PIXELS_MAX })
      .timeout({ seconds: DRAWN_S })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    const { data, info } = await small
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { pixels: data, width: info.width, height: info.height }
  } catch {
    return undefined
  }
}

function inThread(drawing: Drawing): Promise<string | undefined> {
  const thread = new Worker(new URL('./qrPhotoThread.ts', import.meta.url), { workerData: drawing, execArgv: [] })
  return new Promise((resolve) => {
    const late = setTimeout(() => end(null), READ_MS)
    function end(text: string | null) {
      clearTimeout(late)
      resolve(text ?? undefined)
      void thread.terminate()
    }
    thread.once('message', end)
    thread.once('error', () => end(null))
    thread.once('exit', () => end(null))
  })
}
