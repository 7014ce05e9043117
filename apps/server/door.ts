import type { FastifyServerOptions } from 'fastify'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { bodyOf, refusalOf } from '../../platform/server/call/answer.ts'
import type { Log } from '../../platform/server/log.ts'

/** On every answer, whoever gives it. */
export const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** The one address of a WebSocket. */
const CHANNEL = /^\/lbs\/message\/innerMessage\/channel\/[\w-]{1,40}$/
const HEADER_MAX = 16 * 1024
/** A request is complete after 15 s at the latest: 13 s, and up to 2 s until somebody looks. */
const WHOLE_MS = 13_000
const HEAD_MS = 5_000
const KEEP_ALIVE_MS = 72_000
/** Node looks for sockets that are too slow only every 30 s by itself. */
const LOOK_MS = 1_000

/** The server below Fastify: what is refused before there is a request, and the wall behind which nothing that a request throws is heard. */
export const door = (log: Log): Pick<FastifyServerOptions, 'serverFactory' | 'clientErrorHandler'> => ({
  serverFactory(handle) {
    const times = { requestTimeout: WHOLE_MS, headersTimeout: HEAD_MS, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: LOOK_MS }
    // A request for a WebSocket where there is none is answered as plain HTTP: an upgraded socket is out of reach of every time
    // limit.
    const shouldUpgradeCallback = ({ url = '' }: IncomingMessage) => CHANNEL.test(url)
    return createServer({ maxHeaderSize: HEADER_MAX, shouldUpgradeCallback, ...times }, (request, response) => {
      try {
        handle(request, response)
      } catch (error) {
        // Thrown outside every route and hook: without this the whole process would end.
        log.fatal({ err: error }, 'A request was given up: the framework threw.')
        request.socket.destroy()
      }
    })
  },
  clientErrorHandler(error, socket) {
    if (error.code !== 'ECONNRESET' && socket.writable) socket.write(answerTo(error.code))
    ;(socket as Socket).destroy(error)
  },
})

/** Input that is no HTTP, or too slow or too large to become a request, has no language: it is answered in Chinese. */
function answerTo(code: string | undefined): string {
  const status = STATUSES[code ?? ''] ?? 400
  const body = bodyOf(refusalOf({ statusCode: status })!, true)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
    'x-request-id': randomUUID(),
    ...HEADERS,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}
const STATUSES: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }
