import type { Instant } from '../../../platform/contract/field.ts'
import { event } from '../../../platform/server/events.ts'
import { question } from '../../../platform/server/question.ts'
import { topic } from '../../../platform/server/realtime.ts'

/** Something happened once at a lane. `sn` is the device's serial number (deviceNo); the gate follows from it. */
export interface LaneEvent {
  messageId: string
  sn: string
  parkCode: string
  gateCode: string
  /** `plate`, `gate`, `button`, or whatever else the device calls it. */
  type: string
  mid: string
  /** Business time: the device's own clock. */
  deviceTime: Instant
  receivedAt: Instant
  /** Taken while the lane was cut off, or late by more than LATE_MS: kept at its own time. */
  offline: boolean
  seq: number | null
  /** False: the car has gone on long since, or the device is not in use. Keep the record, open nothing. */
  mayOpen: boolean
  /** Of a `plate` event, as the camera read it. `color` is the wire's word: blue, green, yellow, white, black, yellow-green. */
  plate?: string
  color?: string
  direction?: 'in' | 'out'
  confidence?: number
  /** The reference that the picture's upload answered with. */
  image?: string
  /** Of a `gate` event. */
  state?: 'opened' | 'closed' | 'blocked'
  cause?: 'command' | 'manual' | 'timeout' | 'remote'
  /** Of a `button` event. */
  name?: string
  /** All that was sent. */
  body: Readonly<Record<string, unknown>>
}
/** Asked in the transaction that keeps the message: parking decides at once, and its commands go out as soon as this is committed. */
export const laneEvent = question<LaneEvent, void | object>('device.laneEvent')

/** A report of a device other than a lane's: a measurement, an alarm, that it is online again. */
export interface Report {
  messageId: string
  sn: string
  deviceType: number
  kind: 'event' | 'telemetry' | 'attributes' | 'status'
  /** Of an event its own; of the others their kind. */
  type: string
  deviceTime: Instant
  receivedAt: Instant
  body: Readonly<Record<string, unknown>>
}
/** Asked in the transaction that keeps the message: its follow-up is queued with it. */
export const reported = question<Report, void | object>('device.reported')

/** May a barrier that did not answer be told again? Only while the paid car still stands at that gate. */
export const stillWaiting = question<{ orderId: string; sn: string; parkCode: string | null; gateCode: string | null }, boolean>(
  'device.stillWaiting',
)

/** Is there such a park, and such a gate of it? Asked before a device may stand there. */
export const standsAt = question<{ parkCode: string; gateCode: string | null }, boolean>('device.standsAt')

/** Asks for the names of a park and its gate. */
export const placeName = question<{ parkCode: string; gateCode: string | null }, string>('device.placeName')

/** A command has come to its end: 3 done, 4 failed, 5 expired, 6 cancelled. */
export const commandOver = event<{ commandId: string; sn: string; method: string; orderId: string | null; state: 3 | 4 | 5 | 6 }>(
  'device.commandOver',
)
/** The same of a lamp's box alone: its listener gets no job for every barrier of the city. */
export const lampCommandOver = event<{ commandId: string; sn: string; method: string; state: 3 | 4 | 5 | 6 }>('device.lampCommandOver')
/** A warning was raised or counted up. */
export interface Warned {
  warningId: string
  sn: string
  parkCode: string | null
  gateCode: string | null
  type: number
  level: number
  subject: string
  count: number
  /** The people that its rule names; none: those who watch devices, where it is critical. */
  people: string[]
  roles: string[]
}
export const warned = event<Warned>('device.warned')

export const statusTopic = topic('device.status', 'device:device:view')
export const commandTopic = topic('device.command', 'device:message:view')
export const warningTopic = topic('device.warning', 'device:device:view')

/** An ETC antenna was taken out of service: its deductions under way end. */
export const etcDisabled = event<{ deviceNo: string; laneNo: string }>('device.etcDisabled')
/** A device is scrapped: a domain that bound it releases it, in the same transaction. */
export const scrapping = question<{ deviceNo: string; at: Instant }, void | object>('device.scrapping')
/** A person puts a device that is in repair into the store by hand: a domain with an open repair refuses, in the same transaction. */
export const shelving = question<{ deviceNo: string }, void | object>('device.shelving')
