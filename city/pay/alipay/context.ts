import type { Deliveries } from '../deliveries.ts'
import type { AlipayApp, AlipayKeys } from '../keys.ts'
import type { PayStore, Trade } from '../store.ts'
import type { Asked, Said } from '../wire.ts'
import type { Content } from './content.ts'
import type { Parameters } from './signature.ts'

export interface AlipaySettings {
  /** Waits between the tries of a notice. */
  waitsMs: readonly number[]
  /** Every so-manieth notice is sent twice at once; 0 = never. */
  twiceEvery: number
  /** The bill of a day is there so long after its end. */
  billsAfterMs: number
}
const MINUTE_MS = 60_000
/** Eight tries within 25 hours. */
const LADDER_MIN = [4, 10, 10, 60, 120, 360, 900]
export const REAL: AlipaySettings = { waitsMs: LADDER_MIN.map((wait) => wait * MINUTE_MS), twiceEvery: 10, billsAfterMs: 9 * 60 * MINUTE_MS }

/** What all calls of the played Alipay share. */
export interface AlipayContext {
  keys: AlipayKeys
  store: PayStore
  deliveries: Deliveries
  settings: AlipaySettings
  now: () => number
}
/** A call of an application whose signature is right. */
export interface Call extends AlipayContext {
  asked: Asked
  app: AlipayApp
  parameters: Parameters
  content: Content
}
export type Work = (call: Call) => Said

export const appOfTrade = ({ keys }: Pick<AlipayContext, 'keys'>, { appId }: Trade): AlipayApp => keys.apps.find((one) => one.appId === appId)!
/** The payer's name as merchants see it. */
export const LOGON_ID = 'dri***@sandbox.com'
export const PAID = { code: '10000', msg: 'Success' } as const
