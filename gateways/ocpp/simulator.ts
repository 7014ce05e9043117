import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'

/** Any JSON; a pile believes what it reads. */
export type Json = ReturnType<typeof JSON.parse>
/** A charging pile's own side of the line, for tests and for the simulated city: it calls, it answers, it may misbehave. */
export interface PileWire {
  /** The payload of the answer; throws `PileError` where it is an error. */
  call(action: string, payload?: object, id?: string): Promise<Json>
  /** Sends text as it stands, for messages that no honest pile sends. */
  raw(text: string | Buffer): void
  /** The next frame that is no answer to a call of its own. */
  stray(): Promise<unknown[]>
  close(): Promise<void>
  cut(): void
  closed: Promise<{ code: number; reason: string }>
  subProtocol: string
}
export class PileError extends Error {
  readonly code: string
  constructor(code: string, description: string) {
    super(`${code}: ${description}`)
    this.code = code
  }
}
/** Answers a call of ours; undefined: it is not known. `SILENT`: no answer at all. */
export type Answers = Record<string, (payload: Json) => object | typeof SILENT | undefined | Promise<object | undefined>>
export const SILENT = Symbol('silent')
const ANSWER_MS = 20_000

export interface PileOptions {
  url: string
  id: string
  /** Left out: it sends no authorization at all. */
  secret?: string | Buffer
  protocols?: string[]
  /** Headers that an edge in front would add. */
  headers?: Record<string, string>
  answers?: Answers
}
/** @throws with the HTTP status in its message when it is not let in */
export async function connectPile({ url, id, secret, protocols = ['ocpp1.6'], headers = {}, answers = {} }: PileOptions): Promise<PileWire> {
  const user = Buffer.from(`${id}:`)
  const authorization = secret === undefined ? {} : { authorization: `Basic ${Buffer.concat([user, Buffer.from(secret)]).toString('base64')}` }
  const socket = new WebSocket(`${url}/ocpp/${encodeURIComponent(id)}`, protocols, { headers: { ...headers, ...authorization } })
  const open = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>()
  const strays: unknown[][] = []
  const waiting: ((frame: unknown[]) => void)[] = []
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      for (const one of open.values()) one.reject(new Error('The line was closed.'))
      open.clear()
      resolve({ code, reason: reason.toString() })
    })
  })
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as [number, string, Json, Json]
    const [type, messageId] = frame
    if (type === 2) return void answer(frame)
    const its = open.get(messageId)
    if (!its) return void (waiting.shift() ?? ((one) => strays.push(one)))(frame)
    open.delete(messageId)
    if (type === 3) its.resolve(frame[2])
    else its.reject(new PileError(frame[2], frame[3]))
  })
  async function answer([, messageId, action, payload]: [number, string, Json, Json]): Promise<void> {
    const reply = await answers[action]?.(payload)
    if (reply === SILENT || socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(reply ? [3, messageId, reply] : [4, messageId, 'NotImplemented', '', {}]))
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, reply) => reject(new Error(`HTTP ${reply.statusCode}`)))
    socket.on('error', reject)
  })
  return {
    call: (action, payload = {}, messageId = randomUUID()) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return reject(new Error('The line is closed.'))
        const timer = setTimeout(() => reject(new Error(`${action} was not answered.`)), ANSWER_MS)
        const over = (then: () => void) => {
          clearTimeout(timer)
          then()
        }
        open.set(messageId, { resolve: (value) => over(() => resolve(value)), reject: (error) => over(() => reject(error)) })
        socket.send(JSON.stringify([2, messageId, action, payload]))
      }),
    raw: (text) => socket.send(text),
    stray: () => new Promise((resolve) => (strays.length > 0 ? resolve(strays.shift()!) : waiting.push(resolve))),
    async close() {
      socket.close()
      await closed
    },
    cut: () => socket.terminate(),
    closed,
    subProtocol: socket.protocol,
  }
}
