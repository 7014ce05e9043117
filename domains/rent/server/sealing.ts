import {
  createDecipheriv,
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** As `platform/web/sealing.ts` closes it: the public part of a key made for one message alone, and then the text that only the holder of the other key opens. */
const INFO = 'kerbline seal 1'
const KEY_BYTES = 32
const TAG_BYTES = 16
/** Each message has a key of its own, so that one start will do. */
const START = Buffer.alloc(12)
const [PRIVATE, PUBLIC] = ['302e020100300506032b656e04220420', '302a300506032b656e032100'].map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer]

const privateOf = (raw: Buffer): KeyObject => createPrivateKey({ key: Buffer.concat([PRIVATE, raw]), format: 'der', type: 'pkcs8' })
const publicOf = (raw: Buffer): KeyObject => createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' })
const rawOf = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')
const cipherKey = (own: KeyObject, other: KeyObject, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey: own, publicKey: other }), salt, INFO, KEY_BYTES))

/** The key for sealing that belongs to a key for opening. */
export const sealKeyOf = (secret: Buffer): string => rawOf(privateOf(secret)).toString('base64url')
export const newSecret = (): Buffer => generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES)
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export function closed(sealKey: string, message: Buffer): string {
  const [once, to] = [privateOf(newSecret()), bytesOf(sealKey)]
  const from = rawOf(once)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(once, publicOf(to), Buffer.concat([from, to])), START)
  return Buffer.concat([from, cipher.update(message), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}
/** Undefined where the text was not encrypted for this key, or was changed since. */
export function opened(secret: Buffer, text: string): Buffer | undefined {
  const [key, bytes] = [privateOf(secret), bytesOf(text)]
  const [from, closed, tag] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES, -TAG_BYTES), bytes.subarray(-TAG_BYTES)]
  try {
    const decipher = createDecipheriv('aes-256-gcm', cipherKey(key, publicOf(from), Buffer.concat([from, rawOf(key)])), START, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(closed), decipher.final()])
  } catch {
    return undefined
  }
}

/** By Shamir, byte by byte, over the field of 256 with x⁸+x⁴+x³+x+1: a line through the secret at 0. Its points at 1, 2 and 3 are the parts: two give the line, one gives nothing. */
export function split(secret: Buffer): [Buffer, Buffer, Buffer] {
  const slope = randomBytes(secret.length)
  return [1, 2, 3].map((x) => Buffer.from(secret.map((byte, n) => byte ^ times(x, slope[n]!)))) as [Buffer, Buffer, Buffer]
}
export interface Part {
  at: number
  share: Buffer
}
export function joined(one: Part, other: Part): Buffer {
  const over = inverse(one.at ^ other.at)
  return Buffer.from(one.share.map((byte, n) => times(over, times(other.at, byte) ^ times(one.at, other.share[n]!))))
}
function times(a: number, b: number): number {
  let product = 0
  for (let [x, y] = [a, b]; y > 0; [x, y] = [(x << 1) ^ (x & 0x80 ? 0x11b : 0), y >> 1]) if (y & 1) product ^= x
  return product
}
/** Returns the inverse of `a` in the field of 256: `a` to the power of 254, since the power of 255 is 1. */
function inverse(a: number): number {
  let power = 1
  for (let n = 0; n < 254; n++) power = times(power, a)
  return power
}
