import net from 'node:net'

export interface Load {
  perSecond: number
  requests: number
}
/** A request as the bytes that go over the wire, so that the generator costs next to nothing beside what it measures. */
export const bytesOf = ({
  host,
  method,
  path,
  headers = {},
  body,
}: {
  host: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: object
}) => {
  const content = body ? JSON.stringify(body) : ''
  const lines = { host, ...headers, ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(content)) }) }
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${content}`,
  )
}

/** `connections` clients, each sending its next request when the last one is answered. An answer other than 200 stops the run. */
export async function loadOf(url: string, connections: number, seconds: number, next: () => Buffer): Promise<Load> {
  const { hostname, port } = new URL(url)
  const until = performance.now() + seconds * 1000
  const start = performance.now()
  const counts = await Promise.all(Array.from({ length: connections }, () => client(hostname, Number(port), until, next)))
  const requests = counts.reduce((sum, n) => sum + n, 0)
  return { requests, perSecond: requests / ((performance.now() - start) / 1000) }
}

function client(host: string, port: number, until: number, next: () => Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, noDelay: true })
    let waiting: Buffer = Buffer.alloc(0)
    let needed = 0
    let done = 0
    socket.on('connect', () => socket.write(next()))
    socket.on('error', reject)
    socket.on('data', (part: Buffer) => {
      waiting = waiting.length ? Buffer.concat([waiting, part]) : part
      needed ||= lengthOf(waiting)
      if (!needed || waiting.length < needed) return
      if (!waiting.subarray(9, 12).equals(OK)) return reject(new Error(waiting.toString('utf8').slice(0, 2000)))
      waiting = Buffer.alloc(0)
      needed = 0
      done++
      if (performance.now() < until) socket.write(next())
      else socket.end(() => resolve(done))
    })
  })
}
const OK = Buffer.from('200')

/** Bytes of the whole answer, or 0 while its head is not all there. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))
  return end + 4 + Number(length?.[1] ?? 0)
}
