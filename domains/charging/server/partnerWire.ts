import type { Instant, Of } from '../../../platform/contract/field.ts'
import type { PartnerConnector, PartnerPrice, PartnerStation } from '../contract/partnerStation.ts'
import type { Partner } from './partner.ts'

/** What came of saying something to a partner. */
export interface Spoken {
  /** Their Ret; none where nothing readable came back. */
  ret: number | null
  /** What they answered, or why nothing came, for people. */
  said: string
  /** What stood inside their answer. */
  data: Record<string, unknown> | undefined
}
type Speak = (partner: Partner, name: string, data: object) => Promise<Spoken>
const silent: Speak = async () => ({ ret: null, said: 'no gateway speaks to partners here', data: undefined })
let speaker = silent
/** The gateway that knows the protocol brings its voice. */
export const speakBy = (one: Speak | undefined): void => void (speaker = one ?? silent)
export const speak: Speak = (partner, name, data) => speaker(partner, name, data)

/** What a partner answered to a question of ours. `reached`: it said no; otherwise nobody knows whether it heard us. */
export type Told<T> = { ok: true; value: T } | { ok: false; reached: boolean; said: string }
export type TheirStation = Omit<Of<typeof PartnerStation>, 'platformId' | 'heardAt'> & { guns: TheirGun[] }
export type TheirGun = Pick<Of<typeof PartnerConnector>, 'equipmentId' | 'connectorId' | 'connectorName' | 'connectorType' | 'power' | 'parkNo'>
export type TheirState = Pick<Of<typeof PartnerConnector>, 'connectorId' | 'status' | 'parkStatus' | 'lockStatus'>
export type TheirPrice = Of<typeof PartnerPrice>
/** How far a charge is, as its operator says it; a figure that it did not say, or not so that it can be read, is none. */
export interface TheirProgress {
  stage: 'starting' | 'charging' | 'stopping' | 'ended' | 'unknown'
  startTime: Instant | null
  endTime: Instant | null
  energyWh: number | null
  elecFen: number | null
  serviceFen: number | null
  soc: number | null
}
type Stage = TheirProgress['stage']
/** An operator of stations, as we ask it in any protocol. */
export interface OperatorLine {
  /** All that changed since, every page. */
  stations(partner: Partner, since: Instant | null): Promise<Told<TheirStation[]>>
  states(partner: Partner, stationIds: readonly string[]): Promise<Told<TheirState[]>>
  prices(partner: Partner, connectorId: string): Promise<Told<TheirPrice[]>>
  mayStart(partner: Partner, connectorId: string): Promise<Told<'yes' | 'unplugged' | 'no'>>
  start(partner: Partner, startChargeSeq: string, connectorId: string): Promise<Told<{ accepted: boolean; stage: Stage }>>
  /** `over`: it was over before. */
  stop(partner: Partner, startChargeSeq: string, connectorId: string): Promise<Told<{ accepted: boolean; over: boolean; stage: Stage }>>
  progress(partner: Partner, startChargeSeq: string): Promise<Told<TheirProgress>>
}
let line: OperatorLine | undefined
export const operatorsBy = (one: OperatorLine | undefined): void => void (line = one)
export function theOperators(): OperatorLine {
  if (!line) throw new Error('No gateway speaks to operators of stations here.')
  return line
}
