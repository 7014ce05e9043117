import type { Deliveries } from '../deliveries.ts'
import type { WechatKeys, WechatMerchant } from '../keys.ts'
import type { PayStore, Trade } from '../store.ts'
import type { Asked } from '../wire.ts'

export interface WechatSettings {
  /** A refund ends this long after it was accepted. */
  refundAfterMs: number
  /** A debit by plate is made, or comes to nothing, this long after it was accepted. */
  debitAfterMs: number
  /** Waits between the tries of a notice about a payment or a refund. */
  waitsMs: readonly number[]
  /** The same for notices of the parking service. */
  parkingWaitsMs: readonly number[]
  /** Before every so-manieth notice goes one with a wrong signature; 0 = never. */
  probeEvery: number
  /** Every so-manieth answer is signed wrongly instead; 0 = never. */
  probeAnswerEvery: number
  /** Every so-manieth notice is sent twice at once; 0 = never. */
  twiceEvery: number
  /** The bills of a day are there so long after its end. */
  billsAfterMs: number
}
const SECOND_MS = 1_000
/** 15 tries in about a day, as the document of the payment notice says. */
const LADDER_S = [15, 15, 30, 180, 600, 1_200, 1_800, 1_800, 1_800, 3_600, 10_800, 10_800, 10_800, 21_600, 21_600]
/** Three times after ten seconds, three times after thirty, then every five minutes. */
const PARKING_LADDER_S = [10, 10, 10, 30, 30, 30, ...Array.from({ length: 23 }, () => 300)]
export const REAL: WechatSettings = {
  refundAfterMs: SECOND_MS,
  debitAfterMs: 500,
  waitsMs: LADDER_S.map((wait) => wait * SECOND_MS),
  parkingWaitsMs: PARKING_LADDER_S.map((wait) => wait * SECOND_MS),
  probeEvery: 20,
  probeAnswerEvery: 0,
  twiceEvery: 10,
  billsAfterMs: 10 * 3_600 * SECOND_MS,
}

/** What all calls of the played WeChat share. */
export interface WechatContext {
  keys: WechatKeys
  store: PayStore
  deliveries: Deliveries
  settings: WechatSettings
  now: () => number
}
/** A call of a merchant whose signature is right; `names` are the variable parts of its path. */
export interface Call extends WechatContext {
  asked: Asked
  merchant: WechatMerchant
  names: readonly string[]
}
export const merchantOfTrade = ({ keys }: WechatContext, { mchId }: Trade): WechatMerchant => keys.merchants.find(({ mchid }) => mchid === mchId)!
