import { type KeyObject, verify } from 'node:crypto'
import { FRESH_S } from '../../../../../platform/server/call/signature.ts'
import { secondsOf, SCHEME } from './signing.ts'

/** As node gives them: names in small letters. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>
/** WeChat's signature of an answer or a notice. */
export interface Stamp {
  timestamp: string
  nonce: string
  signature: string
  /** Of the platform certificate, or the id of the public key. */
  serial: string
}
const WHEN = /^\d{1,12}$/
const NONCE = /^[!-~]{1,128}$/
/** WeChat sends wrong signatures on purpose, with this before them, to see that they are refused. */
const PROBE = 'WECHATPAY/SIGNTEST/'

/** Undefined where a part of it is missing, stands there twice or is of another scheme, and for a probe. */
export function stampOf(headers: Headers): Stamp | undefined {
  const said = (name: string) => (typeof headers[name] === 'string' ? (headers[name] as string).trim() : '')
  const stamp = {
    timestamp: said('wechatpay-timestamp'),
    nonce: said('wechatpay-nonce'),
    signature: said('wechatpay-signature'),
    serial: said('wechatpay-serial'),
  }
  if (!WHEN.test(stamp.timestamp) || !NONCE.test(stamp.nonce) || stamp.serial === '' || stamp.signature === '') return undefined
  if (stamp.signature.startsWith(PROBE) || (said('wechatpay-signature-type') || SCHEME) !== SCHEME) return undefined
  return stamp
}
/** Within five minutes of now, on either side. */
export const isFresh = ({ timestamp }: Stamp, nowMs: number): boolean => Math.abs(secondsOf(nowMs) - Number(timestamp)) < FRESH_S

/** Over the bytes as they came: read and written again they would be others. */
export function isSignedBy(key: KeyObject, { timestamp, nonce, signature }: Stamp, body: Buffer): boolean {
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')])
  return verify('sha256', text, key, Buffer.from(signature, 'base64'))
}
