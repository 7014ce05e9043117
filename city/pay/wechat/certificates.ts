import { rfc3339 } from '../clock.ts'
import { platformCertificate } from '../keys.ts'
import { type Told, told } from '../wire.ts'
import type { Call, WechatContext } from './context.ts'
import { sealed } from './sealed.ts'

/** Both the old and the new certificate are valid for so long. */
const OVERLAP_MS = 24 * 3_600_000

/** Every certificate that is valid, each encrypted with the merchant's APIv3 key. */
export const certificates = ({ keys, merchant, now }: Call): Told =>
  told(200, {
    data: keys.platform
      .filter(({ until }) => until > now())
      .map(({ serial, certificate, from, until }) => ({
        serial_no: serial,
        effective_time: rfc3339(from),
        expire_time: rfc3339(until),
        encrypt_certificate: sealed(certificate, merchant.apiV3Key, 'certificate'),
      })),
  })

/** Begins to sign with a new certificate beside the one that is in use, which ends a day later. */
export function roll({ keys, now }: Pick<WechatContext, 'keys' | 'now'>): void {
  for (const one of keys.platform) one.until = Math.min(one.until, now() + OVERLAP_MS)
  keys.platform = [...keys.platform.filter(({ until }) => until > now()), platformCertificate(now())]
}
