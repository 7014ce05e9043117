import { createVerify, sign as signBytes, randomBytes, X509Certificate } from 'node:crypto'
import type { WechatKeys, WechatMerchant } from '../keys.ts'
import type { Asked } from '../wire.ts'
import { WechatRefusal } from './refusals.ts'

// APIv3 signatures written apart from the platform's own, as the real channel's are: if the two disagree, the tests say so.
const SCHEME = 'WECHATPAY2-SHA256-RSA2048'
/** The clocks may differ by so much. */
const APART_S = 300
/** So much of the signed text is told to a merchant whose signature is wrong. */
const TOLD_CHARACTERS = 128
/** A deliberately wrong signature begins with it. */
export const PROBE_MARK = 'WECHATPAY/SIGNTEST/'

export const lines = (...parts: readonly string[]): string => `${parts.join('\n')}\n`
export const signed = (text: string, privateKey: string): string => signBytes('sha256', Buffer.from(text), privateKey).toString('base64')
export const isSigned = (text: string, signature: string, certificate: string): boolean =>
  createVerify('sha256').update(text).verify(new X509Certificate(certificate).publicKey, signature, 'base64')

/**
 * The merchant that signed a request.
 * @throws WechatRefusal 401 SIGN_ERROR
 */
export function merchantOf(asked: Asked, merchants: readonly WechatMerchant[], nowMs: number): WechatMerchant {
  const given = asked.headers['authorization']
  if (!given) throw new WechatRefusal('SIGN_ERROR', 'Http头缺少Authorization')
  if (!given.startsWith(`${SCHEME} `)) throw new WechatRefusal('SIGN_ERROR', 'Http头Authorization认证类型不正确')
  const fields = new Map(
    [...given.matchAll(/\b(mchid|nonce_str|timestamp|serial_no|signature)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  )
  const [mchid, nonce, timestamp, serial, signature] = ['mchid', 'nonce_str', 'timestamp', 'serial_no', 'signature'].map((name) => {
    const value = fields.get(name)
    if (!value) throw new WechatRefusal('SIGN_ERROR', `Http头Authorization中缺少${name}`)
    return value
  }) as [string, string, string, string, string]
  const merchant = merchants.find((one) => one.mchid === mchid)
  if (!merchant) throw new WechatRefusal('SIGN_ERROR', '商户号不存在，请检查Authorization中的mchid')
  if (merchant.serial !== serial.toUpperCase()) throw new WechatRefusal('SIGN_ERROR', '商户证书序列号有误，请使用签名私钥匹配的证书序列号')
  if (!/^\d{10}$/.test(timestamp) || Math.abs(nowMs / 1_000 - Number(timestamp)) > APART_S)
    throw new WechatRefusal('SIGN_ERROR', 'Http头Authorization中的timestamp与发起请求的时间不得超过5分钟')
  const text = lines(asked.method, asked.target, timestamp, nonce, asked.body)
  if (!isSigned(text, signature, merchant.certificate)) throw notMatching(asked, text)
  return merchant
}
const notMatching = ({ method, target }: Asked, text: string) =>
  new WechatRefusal('SIGN_ERROR', '错误的签名，验签失败', {
    detail: { issue: 'sign not match' },
    field: 'signature',
    location: 'authorization',
    sign_information: {
      method,
      url: target,
      truncated_sign_message: text.slice(0, TOLD_CHARACTERS),
      sign_message_length: Buffer.byteLength(text),
    },
  })

export interface Signer {
  serial: string
  privateKey: string
}
/** The key that a merchant asks for with its header `Wechatpay-Serial`, or else a certificate that is valid. */
export function signerFor({ platform, publicKey }: WechatKeys, wanted: string | undefined, nowMs: number): Signer {
  if (wanted === publicKey.id) return { serial: publicKey.id, privateKey: publicKey.privateKey }
  const valid = platform.filter(({ from, until }) => from <= nowMs && nowMs < until)
  // While certificates are rolled, both sign: a merchant has to look the key up by its serial number.
  return valid[Math.floor(nowMs) % Math.max(valid.length, 1)] ?? platform.at(-1)!
}

/** Headers over a body that WeChat sends: an answer or a notice. */
export function signatureHeaders({ serial, privateKey }: Signer, body: string, nowMs: number): Record<string, string> {
  const [timestamp, nonce] = [String(Math.floor(nowMs / 1_000)), randomBytes(16).toString('hex')]
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': serial,
    'wechatpay-signature': signed(lines(timestamp, nonce, body), privateKey),
    'wechatpay-signature-type': SCHEME,
  }
}
/** The same headers with a signature that no key made. */
export const asProbe = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'wechatpay-signature': `${PROBE_MARK}${headers['wechatpay-signature']!.slice(PROBE_MARK.length)}`,
})
