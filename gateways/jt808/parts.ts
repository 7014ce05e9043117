import type { Frame } from './frames.ts'

/** A message in more parts is not put together: a quarter of a megabyte is more than a terminal's picture. */
const PARTS_MAX = 256
const WAITING_MS = 60_000
/** Messages that wait for their parts at once, on one line. */
const OPEN_MAX = 4

/** Puts a message together that came in several frames. Undefined while parts are missing. */
export function openParts(): (frame: Frame) => Frame | undefined {
  const open = new Map<number, { until: number; parts: (Buffer | undefined)[] }>()
  return (frame) => {
    if (!frame.part) return frame
    const { total, number } = frame.part
    if (total < 1 || total > PARTS_MAX || number < 1 || number > total) return undefined
    const now = performance.now()
    for (const [id, one] of open) if (one.until < now) open.delete(id)
    let one = open.get(frame.id)
    if (!one || one.parts.length !== total) {
      if (open.size >= OPEN_MAX) open.clear()
      open.set(frame.id, (one = { until: now + WAITING_MS, parts: Array.from({ length: total }) }))
    }
    one.parts[number - 1] = Buffer.from(frame.body)
    if (!one.parts.every((part) => part !== undefined)) return undefined
    open.delete(frame.id)
    return { ...frame, body: Buffer.concat(one.parts) }
  }
}
