import { createHmac, timingSafeEqual } from 'node:crypto'

// Written apart from the platform's own, as a real channel's would be: if the two disagree, the tests say so.
type Fields = Record<string, unknown>
const FRESH_MS = 300_000

function signatureOf(fields: Fields, secret: string): string {
  const names = Object.keys(fields).filter((name) => name !== 'sign' && fields[name] !== undefined && fields[name] !== null)
  const text = names.sort().map((name) => `${name}=${String(fields[name])}`)
  return createHmac('sha256', secret).update(text.join('&')).digest('hex')
}
/** The fields with a fresh timestamp's signature: HMAC-SHA256 over `name=value`, sorted by name, joined by `&`. */
export const signed = <F extends Fields>(fields: F, secret: string): F & { sign: string } => ({ ...fields, sign: signatureOf(fields, secret) })

/** Signed with the secret, at most five minutes ago. */
export function isGenuine(fields: Fields, secret: string, nowMs: number): boolean {
  const sign = Buffer.from(String(fields['sign']))
  const wanted = Buffer.from(signatureOf(fields, secret))
  return Math.abs(nowMs - Number(fields['timestamp']) * 1000) <= FRESH_MS && sign.length === wanted.length && timingSafeEqual(sign, wanted)
}
