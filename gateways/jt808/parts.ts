import type { Frame } from './frames.ts'

/** A message in more parts is not put together: a quarter of a megabyte is more than a terminal's picture. */
const PARTS_MAX = 256
const WAITING_MS = 60_000
/** Messages that wait for their parts at once, on one line. */
const OPEN_MAX = 4
/** Nothing came of it for so long: what is missing was lost, and is asked for again. */
const QUIET_MS = 5_000
const ASKED_MAX = 3
/** One byte says how many are asked for. */
const ASKED_AT_ONCE = 255

/** A message of which parts were lost: the number of its first part, what that one says where it came, and which are missing. */
export interface Unfinished {
  id: number
  serial: number
  first: Buffer | undefined
  missing: number[]
}
interface Open {
  id: number
  serial: number
  parts: (Buffer | undefined)[]
  until: number
  quietFrom: number
  asked: number
}
const missingOf = ({ parts }: Open) =>
  [...parts.keys()]
    .filter((at) => parts[at] === undefined)
    .map((at) => at + 1)
    .slice(0, ASKED_AT_ONCE)

/** Puts a message together that came in several frames, each by its place in the count of the terminal: parts of two messages are never mixed. */
export function openParts(ticks: () => number = () => performance.now()) {
  const open = new Map<string, Open>()
  /** Undefined while parts are missing. */
  function whole(frame: Frame): Frame | undefined {
    if (!frame.part) return frame
    const { total, number } = frame.part
    if (total < 1 || total > PARTS_MAX || number < 1 || number > total) return undefined
    const now = ticks()
    for (const [key, one] of open) if (one.until < now) open.delete(key)
    const serial = (frame.serial - number + 1) & 0xffff
    const key = `${frame.id} ${serial} ${total}`
    const one = open.get(key) ?? begin(key, { id: frame.id, serial, parts: Array.from({ length: total }), until: 0, quietFrom: 0, asked: 0 })
    one.parts[number - 1] = Buffer.from(frame.body)
    one.until = now + WAITING_MS
    // The last one came: what is missing now was lost on the way.
    one.quietFrom = number === total && one.asked === 0 ? now : now + QUIET_MS
    if (!one.parts.every((part) => part !== undefined)) return undefined
    open.delete(key)
    return { ...frame, body: Buffer.concat(one.parts) }
  }
  function begin(key: string, one: Open): Open {
    if (open.size >= OPEN_MAX) open.delete(open.keys().next().value!)
    open.set(key, one)
    return one
  }
  /** Returns the messages whose missing parts are to be asked for again now. */
  function unfinished(): Unfinished[] {
    const now = ticks()
    const due = [...open.values()].filter((one) => one.quietFrom <= now && one.asked < ASKED_MAX)
    return due.map((one) => {
      one.asked++
      one.quietFrom = now + QUIET_MS
      return { id: one.id, serial: one.serial, first: one.parts[0], missing: missingOf(one) }
    })
  }
  return { whole, unfinished }
}
