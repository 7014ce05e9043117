import jsQR from 'jsqr'
import { parentPort, workerData } from 'node:worker_threads'
import type { Drawing } from './qrPhoto.ts'

/** One picture, in a thread of its own: `qrPhoto.ts` starts it and ends it. */
const { pixels, width, height } = workerData as Drawing
parentPort!.postMessage(jsQR(new Uint8ClampedArray(pixels), width, height)?.data ?? null)
