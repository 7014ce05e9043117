import type { IncomingHttpHeaders } from 'node:http'
import type { Instant } from '../../../../../platform/contract/field.ts'
import type { DebitAgreements, RefundState, TradeState, VerifiedNotice } from '../provider.ts'

/** Where the driver is: before a code at the lane, within Alipay, or in any other browser. */
export type Scene = 'native' | 'jsapi' | 'h5'
export interface CreateOrder {
  payNo: string
  amountFen: number
  subject: string
  expiresAt: Instant
  scene: Scene
  /** The payer's open id or account number, where the driver is within Alipay. */
  payer?: string
  clientIp: string
}
export type Started = { payUrl: string } | { codeUrl: string } | { jsapi: Readonly<Record<string, string>> } | { form: string }

/** `abnormal`: the money of the refund has reached nobody and lies with the merchant until a person acts. */
export type WiderRefund = Omit<RefundState, 'state'> & { state: RefundState['state'] | 'abnormal' }

/** The operations of `PayProvider` as they are to be: by the scene, by the raw notice, and with a third end of a refund. */
export interface AlipayProvider {
  create(order: CreateOrder): Promise<Started>
  query(which: { payNo: string }): Promise<TradeState>
  close(which: { payNo: string }): Promise<void>
  refund(order: { payNo: string; tradeNo: string; refundNo: string; amountFen: number; reason: string }): Promise<WiderRefund>
  /** Alipay finds a refund by its payment and its own number together. */
  queryRefund(which: { payNo: string; refundNo: string }): Promise<WiderRefund>
  agreements?: DebitAgreements
  plates?: PlateDebits
  dayFile(which: { checkDate: string }): Promise<Uint8Array | undefined>
  /** Undefined for a notice of Alipay's that changes nothing, which is answered `ANSWER` all the same. @throws BadSignature */
  verifyNotice(rawBody: Buffer, headers: IncomingHttpHeaders, at?: Instant): VerifiedNotice | undefined
}

/** Debits by number plate: the agreement is between the driver and Alipay, and has no number of ours. */
export interface PlateDebits {
  /** Whether the car's fee may be debited now. Alipay knows no more than the moment: ask again before each debit. */
  query(car: { plateNo: string }): Promise<boolean>
  entered(car: { plateNo: string; at: Instant }): Promise<void>
  left(car: { plateNo: string; at: Instant }): Promise<void>
  debit(order: { plateNo: string; color: 'blue' | 'green'; payNo: string; amountFen: number; subject: string }): Promise<TradeState>
  tradeOf(which: { payNo: string }): Promise<TradeState>
  refund(order: { payNo: string; tradeNo: string; refundNo: string; amountFen: number; reason: string }): Promise<WiderRefund>
}
