import type { Reading } from './readings.ts'

/** A message of a pile, whatever its version. Moments are as the pile wrote them. */
export type Said =
  | { kind: 'boot'; vendor: string; model: string; serial: string | null; firmware: string | null; reason: string | null }
  | { kind: 'beat' }
  | { kind: 'authorise'; tag: string }
  | { kind: 'connector'; place: Place; raw: string; error: string | null; detail: string | null; stamp: string | null }
  | { kind: 'meter'; place: Place | null; transaction: string | null; readings: Reading[] }
  | { kind: 'began'; place: Place | null; tag: string | null; stamp: string | null; wh: number | null; reservation: string | null }
  | { kind: 'ended'; transaction: string; tag: string | null; stamp: string | null; wh: number | null; reason: string; readings: Reading[] }
  | TransactionSaid
  | { kind: 'firmware'; status: string; request: number | null }
  | { kind: 'log'; status: string; request: number | null }
  | { kind: 'security'; type: string; info: string | null; stamp: string | null }
  | { kind: 'report'; request: number; seqNo: number; more: boolean; variables: Variable[] }
  | { kind: 'reservation'; reservation: number; status: string }
  | { kind: 'data'; vendor: string; message: string | null; data: string | null }
  /** Taken note of and answered; the frame is kept, and nothing else follows. */
  | { kind: 'noted' }

/** The newer version numbers what it says of a transaction, and may say it late and in any order. */
export interface TransactionSaid {
  kind: 'transaction'
  event: 'Started' | 'Updated' | 'Ended'
  transaction: string
  /** None: it cannot be told from another, and counts each time. */
  seqNo: number | null
  offline: boolean
  place: Place | null
  tag: string | null
  /** Somebody was to be named, and nobody was. */
  nameless: boolean
  remoteStartId: number | null
  reservation: string | null
  chargingState: string | null
  trigger: string | null
  reason: string | null
  stamp: string | null
  readings: Reading[]
}
/** A gun as the pile numbers it: by connector alone, or by outlet and connector. 0 is the pile itself. */
export interface Place {
  connector: number
  evse: number | null
}
export interface Variable {
  component: string
  variable: string
  value: string | null
  readonly: boolean
}
