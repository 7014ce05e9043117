import type { CodeOf, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'
import type { ConnectorStatus } from '../contract/connector.ts'
import type { MeterSample } from '../contract/meter.ts'
import type { Offer, StartMode, StopReason } from '../contract/session.ts'
import type { Period } from '../contract/strategy.ts'

/**
 * What any protocol says of a pile, in the words of the domain, and what the domain asks of a pile. A gateway maps its messages to these and knows nothing of money;
 * the domain knows nothing of messages. Moments are the pile's own, put right by the gateway as far as the pile's time mode and zone go; `receivedAt` is ours.
 */
export interface ConnectorSaid {
  connectorId: string
  status: CodeOf<typeof ConnectorStatus>
  /** The word of the protocol, `SuspendedEV` for example: occupancy looks at it. */
  raw: string
  errorCode?: string | null
  at: Instant
  receivedAt: Instant
}
/** One moment's measurements; what was not measured is left out. Wh is the register, whichever way the pile tells it. */
export type Sample = Pick<Of<typeof MeterSample>, 'at'> &
  Partial<Pick<Of<typeof MeterSample>, 'meterWh' | 'powerW' | 'currentMa' | 'voltageDv' | 'soc' | 'temperatureC'>>
export interface MeterSaid {
  connectorId: string
  /** None: measured outside a charge. */
  transactionId: string | null
  samples: readonly Sample[]
  receivedAt: Instant
}
/** Who wants to charge: a card's number, the one-time token of an order, or a car's VIN. */
export interface AuthoriseSaid {
  equipmentId: string
  /** Not known at an Authorize of 1.6. */
  connectorId?: string | null
  idTag: string
  vin?: string | null
  at: Instant
}
export type Refused = 'Invalid' | 'Blocked' | 'Expired' | 'ConcurrentTx'
export type Authorised = { accepted: true; orderNo: string | null } | { accepted: false; why: Refused }

/** A transaction has begun at the pile, now or while it was off line. */
export interface BeganSaid {
  connectorId: string
  /** What the pile calls it (2.0.1); none where we name it (1.6). */
  transactionId: string | null
  /** The number of the wish to start that it answers, where the protocol says it. */
  startNo?: number | null
  idTag: string | null
  vin?: string | null
  meterWh: number | null
  /** The pile told no register: the one here is what was known. */
  unread?: boolean
  soc?: number | null
  at: Instant
  /** The pile said no moment that makes sense: told again, it is known by what charges there. */
  untimed?: boolean
  receivedAt: Instant
  offline: boolean
}
/** `transactionId` also where it is refused: the pile goes on naming it. */
export interface BeganAnswer {
  orderNo: string | null
  transactionId: string
  authorised: Authorised
}
export interface EndedSaid {
  equipmentId: string
  connectorId?: string | null
  transactionId: string
  idTag?: string | null
  meterWh: number | null
  reason: CodeOf<typeof StopReason>
  at: Instant
  receivedAt: Instant
  offline: boolean
  /** Messages of the transaction are missing, or its meter said nothing at the end. */
  gap?: boolean
  samples?: readonly Sample[]
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

/** Asked of a gateway, after the commit: start this order at its gun. The answer comes by `startAnswered`, the transaction by `began`. */
export const startWanted = event<{ orderNo: string; equipmentId: string; connectorId: string; token: string; startNo: number }>(
  'charging.startWanted',
)
/** Asked of a gateway, after the commit: end this transaction. The end comes by `ended`; until it does, the pile is asked again. */
export const stopWanted = event<{ orderNo: string; equipmentId: string; connectorId: string; transactionId: string }>('charging.stopWanted')
export interface StartAnswered {
  orderNo: string
  accepted: boolean
  why?: string
  at: Instant
}

/** Asked before anything starts: what keeps this gun from it, in both languages (a fault, a danger, a reservation). */
export const startBlocked = question<
  { stationId: string; equipmentId: string; connectorId: string; idTag: string | null; at: Instant },
  { zh: string; en: string }
>('charging.startBlocked')
/** A limit that a pile was told is agreed to, refused or lost: whoever shares power hears of it with the change. */
export const profileTold = question<{ commandId: string; state: number; failure: number | null; method: number; at: Instant }, true>(
  'charging.profileTold',
)
/** Whose charge it is to be. */
export interface Charger {
  stationId: string
  startMode: CodeOf<typeof StartMode>
  ownerId: string | null
  cardNo: string | null
  plateNo: string | null
  vin: string | null
  platformId: string | null
  at: Instant
}
/** Which discounts are open to a charge as it begins; they are frozen with it. */
export const offersFor = question<Charger, Of<typeof Offer>[]>('charging.offers')
/** At the final bill the best discount is taken: false when its budget does not suffice, and then the next best is tried. */
export const offerTaken = question<{ offer: Of<typeof Offer>; orderNo: string; ownerKey: string | null; fen: number; at: Instant }, boolean>(
  'charging.offerTaken',
)
/** A partner's prices differ from ours: what they are to be, before they are frozen. */
export const repriced = question<Charger & { periods: readonly Of<typeof Period>[] }, Of<typeof Period>[]>('charging.repriced')

/** A charge moved, or measured something: whoever tells partners, drivers or screens. */
export interface Moved {
  id: Id<'ChargeOrderId'>
  orderNo: string
  startChargeSeq: string
  connectorId: string
  parkCode: string
  platformId: string | null
  status: number
  at: Instant
}
export const chargeMoved = event<Moved>('charging.moved')
/** A bill is final: waivers of parking, partners and statements follow it. */
export const billed = event<{ orderNo: string; billNo: string; kind: 1 | 2 | 3; parkCode: string; at: Instant }>('charging.billed')
/** A partner is to be asked whether it knows these charges. */
export const checkWanted = event<{ checkId: string }>('charging.checkWanted')
/** A partner took a letter: what it was told and what it answered, for whoever knows the protocol. It throws nothing: the letter would be sent again. */
export const letterTaken = question<{ platformId: string; name: string; said: string; data: Record<string, unknown>; at: Instant }, true>(
  'charging.letterTaken',
)
/**
 * A dead letter is to be sent again: what it says now, where it tells of something that goes on changing; `data` null: there is nothing to tell any more.
 * Not answered: it says what it said.
 */
export const letterAnew = question<{ platformId: string; name: string; connectorId: string | null; orderNo: string | null }, { data: object | null }>(
  'charging.letterAnew',
)
/** A gun says another state than before. */
export const connectorChanged = event<{ connectorId: string; parkCode: string; status: number; raw: string; errorCode: string | null; at: Instant }>(
  'charging.connectorChanged',
)

/** To people these guns are something else than before, though they said nothing themselves: their pile went or came, a fault or a danger holds them or no longer does. */
export const gunsShown = event<{ connectorIds: string[] }>('charging.gunsShown')

/** Open pages look again. */
export const chargeTopic = topic('charging.order', 'charging:order:view')
export const gunTopic = topic('charging.gun', 'charging:pile:view')
