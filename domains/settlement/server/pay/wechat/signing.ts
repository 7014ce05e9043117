import { type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Keys } from './keys.ts'

export const SCHEME = 'WECHATPAY2-SHA256-RSA2048'
const NONCE_BYTES = 16
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('hex').toUpperCase()
export const secondsOf = (ms: number): number => Math.floor(ms / 1000)

/** SHA-256 with RSA (PKCS #1 v1.5), in Base64. */
export const signatureOf = (text: string, key: KeyObject): string => sign('sha256', Buffer.from(text), key).toString('base64')
/** Every signed text of WeChat Pay is lines, each of which is ended, the last one too. */
const linesOf = (...lines: readonly (string | number)[]) => lines.map((line) => `${line}\n`).join('')

export interface Signed {
  method: 'GET' | 'POST'
  /** The path with the query, exactly as it is sent. */
  target: string
  /** The bytes of a POST as they are sent. */
  body: string
  timestamp: number
  nonce: string
}
export const textOfRequest = ({ method, target, body, timestamp, nonce }: Signed): string => linesOf(method, target, timestamp, nonce, body)

/** The header `Authorization` of one request. */
export function authorization({ mchId, serialNo, privateKey }: Pick<Keys, 'mchId' | 'serialNo' | 'privateKey'>, request: Signed): string {
  const signature = signatureOf(textOfRequest(request), privateKey)
  const fields = { mchid: mchId, nonce_str: request.nonce, timestamp: request.timestamp, serial_no: serialNo, signature }
  return `${SCHEME} ${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}`
}

/** What a page within WeChat hands to `getBrandWCPayRequest`. That one’s `ok` proves nothing: the trade is queried. */
export interface PageParams {
  appId: string
  timeStamp: string
  nonceStr: string
  package: string
  signType: 'RSA'
  paySign: string
}
export function pageParams({
  appId,
  prepayId,
  privateKey,
  timestamp,
  nonce,
}: {
  appId: string
  prepayId: string
  privateKey: KeyObject
  timestamp: number
  nonce: string
}): PageParams {
  const told = `prepay_id=${prepayId}`
  const paySign = signatureOf(linesOf(appId, timestamp, nonce, told), privateKey)
  return { appId, timeStamp: String(timestamp), nonceStr: nonce, package: told, signType: 'RSA', paySign }
}
