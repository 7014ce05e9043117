import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { BadCertificate, BadKey } from './refusals.ts'

/** RSA2 signs with 2048 bits or more; Alipay itself gives out nothing shorter. */
const BITS_MIN = 2048
/** A root bundle has four certificates, some 5 KB. */
const TEXT_MAX = 64 * 1024
const BASE64 = /^[A-Za-z0-9+/]{64,}={0,2}$/
const MARK = /-----(?:BEGIN|END) [A-Z0-9 ]{1,40}-----/g

/** Alipay's tool writes keys as bare Base64, other tools as PEM, of PKCS #8 or PKCS #1. @throws BadKey */
export const privateKeyIn = (text: string): KeyObject => privateIn(text) ?? refused('应用私钥', 'app’s private key')
/** Node would make the public half of a private key: whoever pastes their own by mistake would then verify what they signed themselves. @throws BadKey */
export const publicKeyIn = (text: string): KeyObject =>
  (privateIn(text) ? undefined : publicIn(text)) ?? refused('支付宝公钥', 'public key of Alipay')

const privateIn = (text: string) =>
  rsa(text, (key) => createPrivateKey({ key, format: 'der', type: 'pkcs8' })) ??
  rsa(text, (key) => createPrivateKey({ key, format: 'der', type: 'pkcs1' }))
const publicIn = (text: string) =>
  rsa(text, (key) => createPublicKey({ key, format: 'der', type: 'spki' })) ??
  rsa(text, (key) => createPublicKey({ key, format: 'der', type: 'pkcs1' }))
function refused(zh: string, en: string): never {
  throw BadKey({ zh, en })
}

function rsa(text: string, read: (der: Buffer) => KeyObject): KeyObject | undefined {
  const der = derIn(text)
  if (!der) return undefined
  try {
    const key = read(der)
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= BITS_MIN ? key : undefined
  } catch {
    return undefined
  }
}
/** Of one key: what stands between its marks, if it has them. */
function derIn(text: string): Buffer | undefined {
  if (text.length > TEXT_MAX) return undefined
  const plain = text.replaceAll(MARK, '').replaceAll(/\s/g, '')
  return BASE64.test(plain) ? Buffer.from(plain, 'base64') : undefined
}

/** All certificates of a file, in its order. @throws BadCertificate naming the file as `zh` and `en` do */
export function certificatesIn(text: string, zh: string, en: string): X509Certificate[] {
  const pieces = text.length > TEXT_MAX ? [] : text.split('-----BEGIN CERTIFICATE-----').slice(1)
  const found = pieces.map((piece) => certificateIn(piece.split('-----END CERTIFICATE-----')[0]!))
  const whole = found.filter((one) => one !== undefined)
  if (whole.length === 0 || whole.length < found.length) throw BadCertificate({ zh, en })
  return whole
}
function certificateIn(text: string): X509Certificate | undefined {
  const plain = text.replaceAll(/\s/g, '')
  try {
    return BASE64.test(plain) ? new X509Certificate(Buffer.from(plain, 'base64')) : undefined
  } catch {
    return undefined
  }
}

/** Alipay's name for a certificate: the MD5 of its issuer, most particular part first, with its serial number in decimal behind. */
export function serialOf({ issuer, serialNumber }: X509Certificate): string {
  const name = issuer.split('\n').reverse().join(',')
  return createHash('md5').update(`${name}${BigInt(`0x${serialNumber}`)}`).digest('hex')
}
/** The bundle has certificates of other algorithms beside; only those signed with RSA are named. @throws BadCertificate */
export function rootSerialsIn(text: string): string {
  const [zh, en] = ['支付宝根证书', 'root certificate of Alipay']
  const serials = certificatesIn(text, zh, en).flatMap((one) => (RSA_SIGNED.test(one.signatureAlgorithmOid ?? '') ? [serialOf(one)] : []))
  if (serials.length === 0) throw BadCertificate({ zh, en })
  return serials.join('_')
}
const RSA_SIGNED = /^1\.2\.840\.113549\.1\.1\./
