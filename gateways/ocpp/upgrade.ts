import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { PileProtocol } from '../../domains/charging/server/api.ts'
import type { Version } from './frames.ts'

/** Some put together their address with a stroke too many. */
const PATH = /^\/+ocpp\/+([^/?#]{1,200})\/*$/
const WORDS: Record<string, Version> = { 'ocpp1.6': '1.6', 'ocpp2.0.1': '2.0.1' }
const VERSION_OF: Partial<Record<number, Version>> = { [PileProtocol.ocpp16]: '1.6', [PileProtocol.ocpp201]: '2.0.1' }

/** Whom the address names. */
export function pointIn(url: string | undefined): string | undefined {
  const [, name] = PATH.exec((url ?? '').split('?')[0]!) ?? []
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}
/** The secret of HTTP Basic, as bytes: some piles send what its digits mean. The user's name must be the one in the address. */
export function secretIn(header: string | undefined, point: string): Buffer | undefined {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=_-]{1,500})\s*$/i.exec(header ?? '') ?? []
  if (!encoded) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const colon = bytes.indexOf(':'.charCodeAt(0), Buffer.byteLength(point))
  if (colon === -1 || bytes.subarray(0, colon).toString('utf8') !== point) return undefined
  return bytes.subarray(colon + 1)
}
export const offered = (header: string | undefined) =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/**
 * Which version is spoken: the pile's record says it, so that a maker's broken newer one can be pinned to the older. A pile that offers nothing is taken by its record, which its page shows.
 * Undefined: it offers only others.
 */
export function versionFor(protocol: number, words: readonly string[]): { version: Version; word: string | null } | undefined {
  const version = VERSION_OF[protocol]
  if (!version) return undefined
  if (words.length === 0) return { version, word: null }
  const word = words.find((one) => WORDS[one.toLowerCase()] === version)
  return word === undefined ? undefined : { version, word }
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}
/** Refused before there is a socket: the pile learns it by HTTP. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => {})
  const ask = status === 401 ? 'www-authenticate: Basic realm="ocpp", charset="UTF-8"\r\n' : ''
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${ask}connection: close\r\ncontent-length: 0\r\n\r\n`)
}
export const addressOf = (request: IncomingMessage) => request.socket.remoteAddress ?? ''
