import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Instant } from '../../../../../platform/contract/field.ts'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { refusal } from '../../../../../platform/server/refusal.ts'

export const BadKey = refusal('settlement.pay-key', 40551, '微信支付商户资料不可用：{zh}', 'The WeChat Pay account cannot be used: {en}', 422)

/** The algorithm's name says so: SHA256-RSA2048. */
const RSA_BITS_MIN = 2048
const API_KEY_BYTES = 32
const MERCHANT = /^\d{6,32}$/
const SERIAL = /^[0-9A-F]{8,64}$/
const KEY_ID = /^PUB_KEY_ID_\d{8,64}$/
const PEM = /-----BEGIN [A-Z ]{3,40}-----/

/** What a person copies from WeChat's merchant page. */
export interface KeysGiven {
  mchId: string
  /** Of the merchant's certificate. */
  serialNo: string
  /** The text of `apiclient_key.pem`. */
  privateKey: string
  apiV3Key: string
  /** The key that WeChat signs with, of merchants that have no platform certificates: its id, `PUB_KEY_ID_…`, and the text of `pub_key.pem`. */
  publicKeyId?: string
  publicKey?: string
}
export interface Keys {
  mchId: string
  serialNo: string
  privateKey: KeyObject
  apiV3Key: Buffer
  published?: { id: string; key: KeyObject }
}

/** Reads every key before anything is asked with it. @throws BadKey, which says what was pasted wrongly */
export function keysOf({ mchId, serialNo, privateKey, apiV3Key, publicKeyId, publicKey }: KeysGiven): Keys {
  if (!MERCHANT.test(mchId)) throw BadKey({ zh: '商户号应为数字', en: 'the merchant number has digits only' })
  const serial = serialOf(serialNo)
  if (!SERIAL.test(serial)) throw BadKey({ zh: '商户证书序列号应为十六进制', en: 'the serial number of the merchant certificate is hexadecimal' })
  const keys = { mchId, serialNo: serial, privateKey: merchantKeyOf(privateKey), apiV3Key: apiKeyOf(apiV3Key) }
  if (!publicKeyId && !publicKey) return keys
  if (!publicKeyId || !KEY_ID.test(publicKeyId))
    throw BadKey({ zh: '微信支付公钥 ID 应以 PUB_KEY_ID_ 开头', en: 'the id of WeChat’s public key begins with PUB_KEY_ID_' })
  return { ...keys, published: { id: publicKeyId, key: publicKeyOf(publicKey ?? '') } }
}

/** One form for what is compared: pages and programs write it in either case, some with colons. */
export const serialOf = (text: string): string => text.trim().replaceAll(':', '').toUpperCase()

function merchantKeyOf(text: string): KeyObject {
  if (!PEM.test(text))
    throw BadKey({
      zh: '商户私钥不是 PEM 文本，请粘贴 apiclient_key.pem 的全部内容',
      en: 'the merchant’s private key is no PEM text. Paste all of apiclient_key.pem',
    })
  const key = quietly(() => createPrivateKey(text))
  if (!key)
    throw BadKey({
      zh: '商户私钥无法读取，请核对是否误用了证书或缺少行',
      en: 'the merchant’s private key cannot be read. Check that it is no certificate and that no line is missing',
    })
  if (!isStrong(key))
    throw BadKey({ zh: '商户私钥应为 2048 位以上的 RSA 密钥', en: 'the merchant’s private key must be an RSA key of 2048 bits or more' })
  return key
}

function publicKeyOf(text: string): KeyObject {
  // From a private key node would make the public one: whoever pastes that has given away a secret of another.
  const key = PEM.test(text) && !text.includes('PRIVATE') ? quietly(() => createPublicKey(text)) : undefined
  if (!key)
    throw BadKey({
      zh: '微信支付公钥不是 PEM 公钥，请粘贴 pub_key.pem 的全部内容',
      en: 'WeChat’s public key is no public key in PEM. Paste all of pub_key.pem',
    })
  if (!isStrong(key))
    throw BadKey({ zh: '微信支付公钥应为 2048 位以上的 RSA 密钥', en: 'WeChat’s public key must be an RSA key of 2048 bits or more' })
  return key
}

function apiKeyOf(text: string): Buffer {
  const key = Buffer.from(text)
  if (key.length !== API_KEY_BYTES)
    throw BadKey({ zh: `APIv3 密钥应为 ${API_KEY_BYTES} 个字节`, en: `the APIv3 key must have exactly ${API_KEY_BYTES} bytes` })
  return key
}

export interface PlatformCertificate {
  serial: string
  key: KeyObject
  from: Instant
  until: Instant
}
/** One of WeChat's own certificates, under the serial number that it carries itself. @throws BadKey */
export function certificateOf(pem: string): PlatformCertificate {
  const read = quietly(() => new X509Certificate(pem))
  if (!read || !isStrong(read.publicKey))
    throw BadKey({ zh: '微信支付平台证书无法读取', en: 'a certificate of the WeChat Pay platform cannot be read' })
  return {
    serial: serialOf(read.serialNumber),
    key: read.publicKey,
    from: instantAt(Date.parse(read.validFrom)),
    until: instantAt(Date.parse(read.validTo)),
  }
}

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
  asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN
/** What a library says of a bad key may show parts of it. */
function quietly<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
