import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'
import type { ConnectorStatus } from '../contract/connector.ts'

/** What any protocol says of a gun, in the words of the domain. Moments are the pile's own, put right by the gateway as far as the pile's time mode and zone go; `receivedAt` is ours. */
export interface ConnectorSaid {
  connectorId: string
  status: CodeOf<typeof ConnectorStatus>
  /** The word of the protocol, `SuspendedEV` for example: occupancy looks at it. */
  raw: string
  errorCode?: string | null
  at: Instant
  receivedAt: Instant
}
/** Its link came up or went down, or it started again. What is left out stays as it was. */
export interface PileSaid {
  equipmentId: string
  online?: boolean
  bootAt?: Instant
  vendor?: string | null
  model?: string | null
  serialNo?: string | null
  firmware?: string | null
  skewSec?: number | null
  at: Instant
}

/** A limit that a pile was told is agreed to, refused or lost: whoever shares power hears of it with the change. */
export const profileTold = question<{ commandId: string; state: number; failure: number | null; method: number; at: Instant }, true>(
  'charging.profileTold',
)
/** A gun says another state than before. */
export const connectorChanged = event<{ connectorId: string; parkCode: string; status: number; raw: string; errorCode: string | null; at: Instant }>(
  'charging.connectorChanged',
)

/** To people these guns are something else than before, though they said nothing themselves: their pile went or came, a fault or a danger holds them or no longer does. */
export const gunsShown = event<{ connectorIds: string[] }>('charging.gunsShown')

/** Open pages look again. */
export const gunTopic = topic('charging.gun', 'charging:pile:view')
