import type { Session } from '../../domains/device/server/api.ts'

/** The work that a broker, ours or an owner's, does for the gateway. */
export interface Wire {
  /** Can a command reach this device now? */
  reaches(sn: string): Session | undefined
  /** QoS 1, not retained; false when it could not be put on the wire. `ttlMs`: worth nothing afterwards. */
  publish(sn: string, topic: string, payload: string, options: { qos: 0 | 1; ttlMs?: number }): Promise<boolean>
  sessions(): Session[]
  /** Its secret, its use or its existence has changed: whoever is connected as it has to come in again. */
  shut(sn: string): void
  port: number | undefined
  stop(): Promise<void>
}
/** The work that the gateway does for a broker. */
export interface Ear {
  /** Resolves when the message is kept, or refused for good: only now it may be acknowledged. Rejects: not now, let the device repeat it. */
  took(session: Session, topic: string, payload: Uint8Array, isGone: () => boolean): Promise<void>
  /** The device did something that is not allowed, other than a message. */
  refused(session: Session, topic: string, bytes: number): void
  connected(session: Session, address: string): void
  /** Commands reach it from now on. */
  listening(session: Session): void
  disconnected(session: Session): void
  /** A command's receipt. */
  acked(topic: string): void
}
