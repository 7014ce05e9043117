/** The browser's own reader of codes, where it has one. */
interface Reader {
  detect(from: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type Readers = new (of: { formats: string[] }) => Reader
const { BarcodeDetector } = globalThis as { BarcodeDetector?: Readers }
let own: Reader | undefined
/** A telephone's picture is large, and a code is read as well from half of it. */
const SIDE_MOST = 960

/** The text of a code in what the camera sees this moment; undefined where there is none. */
export async function readCode(video: HTMLVideoElement): Promise<string | undefined> {
  if (BarcodeDetector) {
    own ??= new BarcodeDetector({ formats: ['qr_code'] })
    return (await own.detect(video).catch(() => []))[0]?.rawValue
  }
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0) return undefined
  const scale = Math.min(1, SIDE_MOST / Math.max(videoWidth, videoHeight))
  const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)]
  const canvas = new OffscreenCanvas(width, height)
  const drawn = canvas.getContext('2d')!
  drawn.drawImage(video, 0, 0, width, height)
  const { default: jsQR } = await import('jsqr')
  return jsQR(drawn.getImageData(0, 0, width, height).data, width, height)?.data || undefined
}
