import { randomUUID } from 'node:crypto'
import { rfc3339 } from '../clock.ts'
import type { Delivery } from '../deliveries.ts'
import type { WechatMerchant } from '../keys.ts'
import type { Said } from '../wire.ts'
import type { WechatContext } from './context.ts'
import { sealed } from './sealed.ts'
import { asProbe, signatureHeaders, signerFor } from './signature.ts'

export interface Happened {
  event: string
  /** In words, as the merchant's people read it. */
  summary: string
  /** `transaction`, `refund` or `parking`. */
  of: string
  resource: Said
  /** Where the merchant wants to be told. */
  url: string
  number: string
}
export interface Manner {
  waitsMs: readonly number[]
  /** At least so often at once. */
  times?: number
}

/** Tells a merchant until it is taken. The number of the notice and its ciphertext stay the same, every try has a signature of its own. */
export function tell(context: WechatContext, merchant: WechatMerchant, happened: Happened, { waitsMs, times = 1 }: Manner): void {
  const { keys, deliveries, settings, now } = context
  const body = JSON.stringify({
    id: randomUUID(),
    create_time: rfc3339(now()),
    resource_type: 'encrypt-resource',
    event_type: happened.event,
    summary: happened.summary,
    resource: { original_type: happened.of, ...sealed(JSON.stringify(happened.resource), merchant.apiV3Key, happened.of) },
  })
  const headers = () => ({
    'content-type': 'application/json',
    'user-agent': 'Mozilla/4.0',
    'request-id': randomUUID(),
    ...signatureHeaders(signerFor(keys, undefined, now()), body, now()),
  })
  const delivery: Delivery = {
    name: happened.number,
    url: happened.url,
    make: () => ({ headers: headers(), body }),
    isTaken: (status) => status === 200 || status === 204,
    waitsMs,
  }
  const isEvery = (count: number) => count > 0 && deliveries.counts.notices % count === count - 1
  if (isEvery(settings.probeEvery)) deliveries.probe({ ...delivery, make: () => ({ headers: asProbe(headers()), body }) })
  const atOnce = isEvery(settings.twiceEvery) ? Math.max(times, 2) : times
  for (let sent = 0; sent < atOnce; sent++) deliveries.send(delivery)
}
