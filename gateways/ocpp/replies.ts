import { type Authorised, HEARTBEAT_S } from '../../domains/charging/server/api.ts'
import type { Version } from './frames.ts'
import type { Reply } from './hear.ts'

/** Each pile's heartbeat is a little different, so that a town does not beat at once. */
const JITTER_S = 6
const statusOf = (authorised: Authorised) => (authorised.accepted ? 'Accepted' : authorised.why)

/** Writes the answer in the version's own words. */
export function payloadOf(reply: Reply, version: Version, nowMs: number): object {
  const currentTime = new Date(nowMs).toISOString()
  const info = reply.authorised && { status: statusOf(reply.authorised) }
  switch (reply.kind) {
    case 'boot':
      return { currentTime, interval: HEARTBEAT_S + Math.floor(Math.random() * JITTER_S), status: 'Accepted' }
    case 'beat':
      return { currentTime }
    case 'authorised':
      return version === '1.6' ? { idTagInfo: info } : { idTokenInfo: info }
    case 'began':
      return { transactionId: Number(reply.transaction), idTagInfo: info }
    case 'transaction':
      return info ? { idTokenInfo: info } : {}
    case 'data':
      return { status: 'UnknownVendorId' }
    case 'ended':
    case 'noted':
      return {}
  }
}
