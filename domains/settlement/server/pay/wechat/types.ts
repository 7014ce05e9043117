import type { Day, Instant } from '../../../../../platform/contract/field.ts'
import type { RefundState, TradeState, VerifiedNotice } from '../provider.ts'
import type { KeysGiven } from './keys.ts'
import type { PageParams } from './signing.ts'
import type { Headers } from './stamp.ts'

export const WECHAT_HOST = 'https://api.mch.weixin.qq.com'
/** The same from elsewhere, when that one cannot be reached. */
export const WECHAT_SPARE_HOST = 'https://api2.mch.weixin.qq.com'

/** One merchant of an enterprise. */
export interface WechatAccount extends KeysGiven {
  /** The enterprise. */
  merchant: number
  appId: string
  /** Under which name the ledger keeps the money in transit. */
  channel: string
  /** Where WeChat sends its notices: https, without a query. */
  notifyUrl: string
  /** WECHAT_HOST, unless something else plays WeChat. */
  host?: string
  /** Hears of every request, for the log: nothing in it is secret or personal. */
  heard?: (call: Heard) => void
}
export interface Heard {
  method: string
  /** Without the query, in which a plate or an openid may stand. */
  path: string
  /** Missing where no answer came. */
  status?: number
  /** WeChat's word, or what was wrong with the answer. */
  word?: string
  requestId?: string
  ms: number
}

export interface Asked {
  merchant: number
  payNo: string
  channel: string
  amountFen: number
  subject: string
  expiresAt: Instant
  /** `jsapi` within WeChat, `h5` in another browser of a phone, `native` a code to be scanned. */
  scene: 'native' | 'jsapi' | 'h5'
  /** The openid, which `jsapi` needs. */
  payer?: string
  clientIp?: string
  /** Where the browser returns to from WeChat. */
  returnUrl?: string
}
export type Prepaid = { payUrl: string } | { codeUrl: string } | { jsapi: PageParams } | { form: string }

/** `abnormal`: the payer's account cannot take it any more. A person sends it elsewhere on the merchant's page; it is neither back nor kept. */
export interface RefundTold extends Omit<RefundState, 'state'> {
  state: RefundState['state'] | 'abnormal'
}
export interface NoticeTold extends VerifiedNotice {
  refund?: RefundTold['state']
}
export interface RefundAsked {
  merchant: number
  channel: string
  payNo: string
  tradeNo: string
  refundNo: string
  amountFen: number
  /** Of the whole trade. Without it WeChat is asked for it first. */
  paidFen?: number
  reason: string
}
interface OfDay {
  merchant: number
  channel: string
  checkDate: Day
}
/** The channel as the rest of settlement is to see it. */
export interface WechatProvider {
  create(order: Asked): Promise<Prepaid>
  query(which: { merchant: number; payNo: string }): Promise<TradeState>
  close(which: { merchant: number; payNo: string }): Promise<void>
  refund(order: RefundAsked): Promise<RefundTold>
  queryRefund(which: { merchant: number; refundNo: string }): Promise<RefundTold>
  /** The bill of trades, checked; before there is one, none. */
  dayFile(which: OfDay): Promise<Uint8Array | undefined>
  /** The bill of the account's money: settlements, fees, withdrawals. */
  fundFile(which: OfDay): Promise<Uint8Array | undefined>
  /** @returns none for a genuine notice of something else. @throws BadSignature for anything but a fresh notice signed by WeChat */
  verifyNotice(rawBody: Buffer, headers: Headers, at: Instant): Promise<NoticeTold | undefined>
}
