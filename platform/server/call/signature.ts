import { createHmac, timingSafeEqual } from 'node:crypto'

type Fields = Record<string, unknown>
/** HMAC-SHA256 in hexadecimal over all fields but `sign`, sorted by name, as `name=value` joined by `&`. Both sides of the sandbox use it. */
export function signatureOf(fields: Fields, secret: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(text).digest('hex')
}
export const signed = <F extends Fields>(fields: F, secret: string): F & { sign: string } => ({ ...fields, sign: signatureOf(fields, secret) })

/** Older or younger than this is not believed, in seconds. */
export const FRESH_S = 300
/** Signed by who knows the secret, and not long ago. Compared in constant time. */
export function isGenuine(fields: Fields, secret: string, nowMs: number): boolean {
  const { sign, timestamp } = fields
  if (typeof sign !== 'string' || typeof timestamp !== 'number' || Math.abs(nowMs / 1000 - timestamp) > FRESH_S) return false
  const given = Buffer.from(sign)
  const wanted = Buffer.from(signatureOf(fields, secret))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
