import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../../platform/server/start/config.ts'

/** A pile's secret has 128 bits, written as 32 hexadecimal digits: what 1.6 and 2.0.1 both can store and send. */
const SECRET_BYTES = 16
const KEY_BYTES = 32
const KEY_FILE = 'ocpp.key'

let key: Buffer | undefined
/** The server's own key, from the configuration or made once in the data directory. Without it nothing that the database holds of the secrets is of any use. */
export function openSecrets({ ocppKey, dataDir }: Pick<Config, 'ocppKey' | 'dataDir'>): void {
  if (ocppKey) return void (key = Buffer.from(ocppKey))
  const file = path.join(dataDir, KEY_FILE)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600, flag: 'wx' })
  }
  key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
}
const hmac = (text: string) => createHmac('sha256', key!).update(text)

export const newSalt = () => randomBytes(SECRET_BYTES).toString('hex')
/** Made again whenever the pile has to be told it, so that it is stored nowhere. */
export const secretFrom = (equipmentId: string, salt: string) =>
  hmac(`secret ${equipmentId} ${salt}`).digest().subarray(0, SECRET_BYTES).toString('hex')
export const digestOf = (secret: string) => hmac(`kept ${secret}`).digest('base64url')

/** In HTTP a pile may send the digits as they stand, or the bytes that they mean: the standard says the one, makers do the other. */
export function secretIs(given: Buffer, digest: string): boolean {
  const readings = [given.toString('utf8'), ...(given.length === SECRET_BYTES ? [given.toString('hex')] : []), given.toString('utf8').toLowerCase()]
  return readings.some((one) => same(digestOf(one), digest))
}
function same(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
