import type { Instant } from '../../../../platform/contract/field.ts'
import { refusal } from '../../../../platform/server/refusal.ts'

export const NoProvider = refusal(
  'settlement.no-provider',
  40501,
  '该支付方式尚未开通，请选择其他支付方式',
  'This payment method is not set up: choose another payment method',
  422,
)
export const PayAway = refusal(
  'settlement.pay-away',
  40502,
  '支付渠道暂时不可用，请稍后重试或收取现金',
  'The payment channel is not available; try again later, or take cash',
  503,
)
export const BadSignature = refusal('settlement.bad-signature', 40503, '签名不正确', 'The signature is not valid', 401)
export const Replayed = refusal('settlement.replayed', 40504, '通知已处理', 'This notification has already been handled')

/** The operations that a payment channel offers. Amounts in fen; every call is safe to repeat with the same number. */
export interface PayProvider {
  create(order: {
    merchant: number
    payNo: string
    channel: string
    amountFen: number
    subject: string
    expiresAt: Instant
  }): Promise<{ payUrl: string }>
  query(which: { merchant: number; payNo: string }): Promise<TradeState>
  close(which: { merchant: number; payNo: string }): Promise<void>
  refund(order: {
    merchant: number
    channel: string
    payNo: string
    tradeNo: string
    refundNo: string
    amountFen: number
    reason: string
  }): Promise<RefundState>
  queryRefund(which: { merchant: number; refundNo: string }): Promise<RefundState>
  /** Debits a fee without asking the driver each time. A channel that cannot leaves it out. */
  agreements?: DebitAgreements
  /** The channel's file of a day, in its own form; a channel without one leaves it out, and before it is written there is none. */
  dayFile?(which: { merchant: number; channel: string; checkDate: string }): Promise<Uint8Array | undefined>
  /** @throws BadSignature for anything but a fresh notice signed by the channel. */
  verifyNotice(notice: Record<string, unknown>, at: Instant): VerifiedNotice
}
/** A driver's standing permission, for one car, by our number of it. A debit is a trade like any other from then on: asked after by `query`, given back by `refund`. */
export interface DebitAgreements {
  /** Where the driver signs. */
  sign(order: { merchant: number; channel: string; contractNo: string; plateNo: string }): Promise<{ signUrl: string }>
  query(which: { merchant: number; contractNo: string }): Promise<AgreementState>
  end(which: { merchant: number; contractNo: string }): Promise<void>
  debit(order: {
    merchant: number
    channel: string
    contractNo: string
    payNo: string
    amountFen: number
    subject: string
    expiresAt: Instant
  }): Promise<TradeState>
}
export interface AgreementState {
  state: 'none' | 'waiting' | 'signed' | 'ended'
  agreementNo?: string
}
export interface TradeState {
  state: 'none' | 'unpaid' | 'paid' | 'closed'
  tradeNo?: string
  amountFen?: number
  paidAt?: Instant
  /** Why a debit was closed: the payer has too little, or there is no agreement any more. */
  failure?: 'balance' | 'agreement'
}
export interface RefundState {
  state: 'none' | 'accepted' | 'done' | 'failed'
  channelRefundNo?: string
  failure?: string
}
export interface VerifiedNotice {
  /** The enterprise whose merchant this is. */
  merchant: number
  channel: string
  /** Of an agreement `number` is ours, `tradeNo` the channel's; `ok` says that it was signed, not ok that it is over. */
  kind: 'payment' | 'refund' | 'agreement'
  number: string
  tradeNo: string
  amountFen: number
  ok: boolean
  finishedAt: Instant
  nonce: string
}

const providers = new Map<string, PayProvider>()
export const setProvider = (channels: readonly string[], provider: PayProvider | undefined): void => {
  for (const channel of channels) {
    if (provider) providers.set(channel, provider)
    else providers.delete(channel)
  }
}
/** Whether one is set up there that takes fees by agreement. */
export const debitsAt = (channel: string): boolean => providers.get(channel)?.agreements !== undefined
/** @throws NoProvider */
export function agreementsOf(channel: string): DebitAgreements {
  const { agreements } = providerOf(channel)
  if (!agreements) throw NoProvider()
  return agreements
}
/** @throws NoProvider */
export function providerOf(channel: string): PayProvider {
  const found = providers.get(channel)
  if (!found) throw NoProvider()
  return found
}
