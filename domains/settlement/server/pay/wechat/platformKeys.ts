import type { KeyObject } from 'node:crypto'
import { instantAt } from '../../../../../platform/contract/time.ts'
import { type Fields, fieldsIn } from './fields.ts'
import { certificateOf, type Keys, type PlatformCertificate, serialOf } from './keys.ts'
import { unsealed } from './sealed.ts'

/** The keys that WeChat signs with, by the serial number that each signature names. Around a change two are good at once. */
export interface PlatformKeys {
  /** Fetches them anew where the serial number is not known yet. */
  of(serial: string, nowMs: number): Promise<KeyObject | undefined>
}
/** A stranger may name any serial number: that makes us ask WeChat no more often than this. */
const AGAIN_MS = 60_000
/** After it could not be reached. */
const AGAIN_AFTER_FAILURE_MS = 5_000
const CERTIFICATE_SERIAL = /^[0-9A-F]{8,64}$/
/** Never more at once than WeChat has ever had. */
const CERTIFICATES_MAX = 20

/** `download` is `GET /v3/certificates`. A merchant with a public key alone may have none there. */
export function platformKeys({ apiV3Key, published }: Pick<Keys, 'apiV3Key' | 'published'>, download: () => Promise<string>): PlatformKeys {
  let known: ReadonlyMap<string, PlatformCertificate> = new Map()
  let asking: Promise<void> | undefined
  let askedMs = -Infinity
  const refresh = (nowMs: number) => {
    if (!asking && Math.abs(nowMs - askedMs) >= AGAIN_MS) {
      askedMs = nowMs
      asking = download()
        .then((body) => void (known = certificatesIn(body, apiV3Key)))
        .catch(() => void (askedMs = nowMs - AGAIN_MS + AGAIN_AFTER_FAILURE_MS))
        .finally(() => (asking = undefined))
    }
    return asking
  }
  const good = (serial: string, nowMs: number) => {
    const found = known.get(serial)
    const now = instantAt(nowMs)
    return found && found.from <= now && now < found.until ? found.key : undefined
  }
  return {
    async of(told, nowMs) {
      if (told === published?.id) return published.key
      const serial = serialOf(told)
      if (!CERTIFICATE_SERIAL.test(serial)) return undefined
      const found = good(serial, nowMs)
      if (found) return found
      await refresh(nowMs)
      return good(serial, nowMs)
    },
  }
}

/**
 * The certificates of an answer. They are believed because they were locked under the APIv3 key, which only WeChat and the merchant have: no signature can be checked before
 * there is a first one.
 */
export function certificatesIn(body: string, apiV3Key: Buffer): Map<string, PlatformCertificate> {
  const found = new Map<string, PlatformCertificate>()
  for (const one of fieldsIn(body).parts('data').slice(0, CERTIFICATES_MAX)) {
    const pem = unsealed(sealedIn(one.part('encrypt_certificate')), apiV3Key)
    const certificate = pem === undefined ? undefined : certificateOf(pem)
    if (certificate && certificate.serial === serialOf(one.text('serial_no'))) found.set(certificate.serial, certificate)
  }
  return found
}
/** As WeChat writes what it has locked, here and in notices. */
export const sealedIn = (fields: Fields) => ({
  algorithm: fields.text('algorithm'),
  ciphertext: fields.text('ciphertext'),
  nonce: fields.text('nonce'),
  associatedData: fields.textOr('associated_data', ''),
})
