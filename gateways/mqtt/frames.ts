import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** The beginning of an MQTT control packet, as far as it is needed to decide about the rest. */
export interface Head {
  type: number
  qos: number
  /** Bytes that follow the fixed header. */
  remaining: number
  /** Of a PUBLISH. */
  topic?: string
  payloadBytes?: number
  /** Of a PUBLISH with QoS above 0, and of a PUBACK. */
  packetId?: number
}
const CONNECT = 1
const PUBLISH = 3
const PUBACK = 4
const LENGTH_BYTES_MAX = 4
const TOPIC_BYTES_MAX = 1024

/** Follows the packets in a stream of bytes. `decide` sees each head and lets the packet pass, or puts another in its place; the rest of it is then skipped, not kept. */
export class FrameReader {
  #head: number[] = []
  #left = 0
  #skipping = false
  readonly #decide: (head: Head) => Buffer | undefined
  constructor(decide: (head: Head) => Buffer | undefined) {
    this.#decide = decide
  }

  /** Returns the packets to pass on, in order. @throws when the bytes are no MQTT. */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = []
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const part = chunk.subarray(at, at + this.#left)
        at += part.length
        this.#left -= part.length
        if (!this.#skipping) out.push(part)
        continue
      }
      this.#head.push(chunk[at++]!)
      const head = headOf(this.#head)
      if (!head) continue
      const instead = this.#decide(head)
      out.push(instead ?? Buffer.from(this.#head))
      this.#left = head.remaining - (this.#head.length - head.fixedBytes)
      this.#skipping = instead !== undefined
      this.#head = []
    }
    return out
  }
}

/** Undefined: more bytes are needed. */
function headOf(bytes: number[]): (Head & { fixedBytes: number }) | undefined {
  let remaining = 0
  let at = 1
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++]
    if (byte === undefined) return undefined
    remaining += (byte & 127) * factor
    if (byte < 128) break
    if (at > LENGTH_BYTES_MAX) throw new Error('The length of a packet is malformed.')
  }
  const type = bytes[0]! >> 4
  const qos = (bytes[0]! >> 1) & 3
  const head = { type, qos, remaining, fixedBytes: at }
  if (type === PUBACK && remaining >= 2) return bytes.length < at + 2 ? undefined : { ...head, packetId: (bytes[at]! << 8) | bytes[at + 1]! }
  if (type !== PUBLISH) return head
  if (bytes.length < at + 2) return remaining < 2 ? head : undefined
  const topicBytes = (bytes[at]! << 8) | bytes[at + 1]!
  const needed = 2 + topicBytes + (qos > 0 ? 2 : 0)
  if (topicBytes > TOPIC_BYTES_MAX || needed > remaining) throw new Error('The topic of a packet is malformed.')
  if (bytes.length < at + needed) return undefined
  const topic = Buffer.from(bytes.slice(at + 2, at + 2 + topicBytes)).toString()
  const packetId = qos > 0 ? (bytes[at + needed - 2]! << 8) | bytes[at + needed - 1]! : undefined
  return { ...head, topic, payloadBytes: remaining - needed, ...(packetId !== undefined && { packetId }) }
}

/** A payload larger than this is not kept for a moment, whatever its length says. */
export const PAYLOAD_MAX = 8 * 1024
/** Sign-in with a last will, subscriptions. */
const CONTROL_MAX = 16 * 1024
/** In place of a payload that was too large: no device can mean it, since it is no JSON. */
export const OVERSIZED = 'oversized '

function instead({ topic = '', qos, packetId, payloadBytes }: Head): Buffer {
  const payload = Buffer.from(`${OVERSIZED}${payloadBytes}`)
  const name = Buffer.from(topic)
  const id = packetId === undefined ? [] : [packetId >> 8, packetId & 255]
  const length = 2 + name.length + id.length + payload.length
  return Buffer.concat([
    Buffer.from([
      (PUBLISH << 4) | (qos << 1),
      ...(length < 128 ? [length] : [(length & 127) | 128, length >> 7]),
      name.length >> 8,
      name.length & 255,
    ]),
    name,
    Buffer.from(id),
    payload,
  ])
}

/**
 * A device's connection as the broker sees it: what is too large comes in as a small stand-in, so that a device can neither fill the memory nor get stuck repeating
 * one message for ever. `acked` hears the topic of each message that the device has confirmed; the broker itself forgets that for clean sessions.
 */
export function guarded(socket: Socket, acked: (topic: string) => void): Duplex {
  const sent = new Map<number, string>()
  const incoming = new FrameReader((head) => {
    if (head.type === PUBLISH) return head.payloadBytes! > PAYLOAD_MAX ? instead(head) : undefined
    if (head.remaining > CONTROL_MAX) throw new Error(head.type === CONNECT ? 'The sign-in is too large.' : 'A control packet is too large.')
    const topic = head.type === PUBACK ? sent.get(head.packetId!) : undefined
    if (topic !== undefined) {
      sent.delete(head.packetId!)
      acked(topic)
    }
    return undefined
  })
  const outgoing = new FrameReader(({ type, topic, packetId }) => {
    if (type === PUBLISH && packetId !== undefined) sent.set(packetId, topic!)
    return undefined
  })
  const stream = new Duplex({
    read: () => void socket.resume(),
    writev(chunks, done) {
      const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))
      outgoing.push(bytes)
      socket.write(bytes, (error) => done(error))
    },
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  // The broker reads once per 'readable' and expects all there is; this Node gives one piece at a time, and the rest would lie until the next packet.
  const readOne = stream.read.bind(stream)
  stream.read = (size?: number) => {
    if (typeof size === 'number') return readOne(size)
    const parts: Buffer[] = []
    for (let part = readOne(); part !== null; part = readOne()) parts.push(part as Buffer)
    return parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? null)
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      const flows = incoming
        .push(chunk)
        .map((part) => stream.push(part))
        .every(Boolean)
      if (!flows) socket.pause()
    } catch (error) {
      stream.destroy(error as Error)
    }
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  return stream
}
