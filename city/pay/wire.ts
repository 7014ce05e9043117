import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as a played channel reads it: signatures are made over `target` and `body` as they came. */
export interface Asked {
  method: string
  path: string
  /** Path and query. */
  target: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** The address under which the caller reached the channel, `http://127.0.0.1:8602`. */
  base: string
}
export interface Told {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}
export type Said = Record<string, unknown>

/** Longer than any published call that is played. */
const BODY_MAX = 64 * 1024

export async function askedOf(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > BODY_MAX) throw new Error('too long')
    parts.push(part)
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  const base = `http://${headers['host'] ?? 'localhost'}`
  const target = request.url ?? '/'
  const { pathname, searchParams } = new URL(target, base)
  return { method: request.method ?? 'GET', path: pathname, target, query: searchParams, headers, body: Buffer.concat(parts).toString('utf8'), base }
}

export function tell(response: ServerResponse, { status, headers = {}, body }: Told): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
}

export const told = (status: number, body: unknown, headers: Record<string, string> = {}): Told => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
export const redirected = (to: string): Told => ({ status: 302, headers: { location: to } })

/** Fields of a form or of a JSON body, as texts. */
export function fieldsOf({ headers, body }: Asked): Record<string, string> {
  if (!headers['content-type']?.startsWith('application/json')) return Object.fromEntries(new URLSearchParams(body))
  const parsed = JSON.parse(body) as Record<string, unknown>
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
}
/** The page to which a payer goes back; a script or a file is none. */
export function pageAddress(text: string | null | undefined): URL | undefined {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}
