import { isPlate, normalizePlate } from '../../platform/contract/plate.ts'
import { node } from '../driver/node.ts'
import { say } from '../driver/say.ts'

/** The browser's own reader of codes, where it has one. */
interface Reader {
  detect(from: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type Readers = new (of: { formats: string[] }) => Reader
const { BarcodeDetector } = globalThis as { BarcodeDetector?: Readers }
export const canScan = BarcodeDetector !== undefined && navigator.mediaDevices !== undefined
const LOOK_MS = 150

/** The plate in a car's code: alone, or as a part of an address or of a ticket's text. */
export const plateIn = (text: string): string | undefined =>
  text
    .split(/[^\p{L}\p{N}·]+/u)
    .map(normalizePlate)
    .find(isPlate)

/** Looks through the camera until there is a plate, or whoever looks has had enough. */
export async function scan(found: (plate: string) => void, trouble: (why: string) => void): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).catch(() => undefined)
  if (!stream) return trouble(say(['无法使用摄像头，请输入车牌', 'The camera cannot be used: enter the plate']))
  const video = node('video', { playsInline: true, muted: true, srcObject: stream })
  let open = true
  const close = () => {
    open = false
    for (const track of stream.getTracks()) track.stop()
    frame.remove()
  }
  const frame = node(
    'div',
    { className: 'scan' },
    video,
    node('button', { type: 'button', className: 'main', textContent: say(['取消', 'Cancel']), onclick: close }),
  )
  document.body.append(frame)
  await video.play()
  const reader = new BarcodeDetector!({ formats: ['qr_code'] })
  while (open) {
    const seen = await reader.detect(video).catch(() => [])
    const plates = seen.map(({ rawValue }) => decoded(rawValue)).flatMap((text) => plateIn(text) ?? [])
    if (plates[0] !== undefined) {
      close()
      return found(plates[0])
    }
    await new Promise((go) => setTimeout(go, LOOK_MS))
  }
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
