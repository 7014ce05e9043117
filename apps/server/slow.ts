import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** An answer of which nothing is taken for so long is not being read: its socket goes, and with it the memory that holds the rest. Node gives it the time twice. */
const UNREAD_MS = 7_000
/** Smaller answers lie in the system's own buffers. In bytes. */
const LARGE = 256 * 1024
/** Besides so much, a large answer has as long as this line takes for it; none that a console can be used on is slower. */
const GRACE_MS = 15_000
const BYTES_PER_MS = 32
/** Nobody knows how long a stream is: so much of it has to be taken each time one looks. */
const TAKEN_MIN = 64 * 1024

/** Gives up readers so slow that they would hold an answer in memory for hours. */
export function giveUpSlowReaders(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { socket } = request.raw
    if (payload instanceof Readable) return watch(socket, reply.raw)
    // Node takes the time back when the answer is out, and cuts the socket when it runs out.
    socket.setTimeout(UNREAD_MS)
    const bytes = typeof payload === 'string' || payload instanceof Buffer ? Buffer.byteLength(payload) : 0
    if (bytes <= LARGE) return
    const late = setTimeout(() => socket.destroy(), GRACE_MS + bytes / BYTES_PER_MS)
    reply.raw.once('close', () => clearTimeout(late))
  })
}

/** A reader is slow where something waited for it at both looks. Where nothing waits it is the source that takes its time, and nobody is cut off for that. */
function watch(socket: Socket, answer: ServerResponse): void {
  const look = () => ({ taken: socket.bytesWritten - socket.writableLength, waits: socket.writableLength > 0 })
  let before = look()
  const timer = setInterval(() => {
    const now = look()
    if (before.waits && now.waits && now.taken - before.taken < TAKEN_MIN) socket.destroy()
    before = now
  }, GRACE_MS)
  answer.once('close', () => clearInterval(timer))
}
