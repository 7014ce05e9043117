import { randomBytes } from 'node:crypto'
import { cityDigits, type Span, within } from './clock.ts'
import { digits } from './keys.ts'

export type Channel = 'wechat' | 'alipay'
/** Of the driver's page by which it is paid, or `debit` for a fee that is taken by plate. */
export type Scene = 'native' | 'jsapi' | 'h5' | 'debit'
/** The order of a merchant. Times are in milliseconds. */
export interface Order {
  channel: Channel
  mchId: string
  appId: string
  number: string
  amountFen: number
  subject: string
  notifyUrl: string | undefined
  expiresAt: number
  scene: Scene
  attach?: string | undefined
  payer?: string | undefined
  /** Fields that the channel gives back as they came. */
  more?: Readonly<Record<string, unknown>> | undefined
}
export interface Trade extends Order {
  /** By which the driver's page finds it. */
  payId: string
  createdAt: number
  /** Since when its code or address can be used; asking again for one renews it. */
  issuedAt: number
  state: 'unpaid' | 'paid' | 'closed'
  closedAt?: number
  /** Alipay knows a trade only after a driver has opened it. */
  isOpened: boolean
  tradeNo?: string
  paidAt?: number
  /** The amount that was paid: another one than asked only by mischief. */
  paidFen: number
  refundedFen: number
  /** Refunds cannot go back to the payer's card. */
  isCardGone: boolean
  /** The channel has paid at once, and the driver still owes it. */
  isAdvanced: boolean
  /** Why a debit came to nothing. */
  failure?: 'balance'
  /** No refund any more: a year has passed. */
  isFinished: boolean
}
export interface Refund {
  trade: Trade
  number: string
  /** The channel's number. */
  id: string
  amountFen: number
  reason: string
  notifyUrl: string | undefined
  state: 'processing' | 'done' | 'abnormal'
  createdAt: number
  doneAt?: number
}
/** A car whose fees may be taken without asking. */
export interface Plate {
  channel: Channel
  plateNo: string
  color: string
  payer: string
  state: 'normal' | 'paused' | 'ended'
  openedAt: number
  /** A debit of more comes to nothing. */
  limitFen: number
  /** A debit of more is paid by the channel at first. */
  isTrusted: boolean
}
/** Trades and refunds are kept for queries, this many at most. */
const KEPT = 200_000
/** The wallet's code in the numbers of trades. */
const ALIPAY_MARK = '22001'

/** Trades, refunds and debit agreements of both played channels. All is in memory: a restart forgets. */
export class PayStore {
  readonly #now: () => number
  readonly #trades = new Map<string, Trade>()
  readonly #byTradeNo = new Map<string, Trade>()
  readonly #byPayId = new Map<string, Trade>()
  readonly #refunds = new Map<string, Refund>()
  readonly #plates = new Map<string, Plate>()
  /** Counts for observers of the city. */
  readonly counts = { prepaid: 0, payments: 0, paidFen: 0, refunds: 0, refundedFen: 0, debitsFailed: 0 }

  constructor(now: () => number) {
    this.#now = now
  }

  trade(channel: Channel, mchId: string, number: string): Trade | undefined {
    return this.#trades.get(key(channel, mchId, number))
  }
  byTradeNo(channel: Channel, tradeNo: string): Trade | undefined {
    return this.#byTradeNo.get(key(channel, tradeNo))
  }
  byPayId(channel: Channel, payId: string): Trade | undefined {
    return this.#byPayId.get(key(channel, payId))
  }

  add(order: Order): Trade {
    if (this.#trades.size >= KEPT) this.#forget(this.#trades.values().next().value!)
    const now = this.#now()
    const payId = `${order.channel === 'wechat' ? 'wx' : 'bax'}${cityDigits(now)}${randomBytes(11).toString('hex')}`
    const fresh = { payId, createdAt: now, issuedAt: now, state: 'unpaid', isOpened: false, paidFen: 0, refundedFen: 0 } as const
    const trade: Trade = { ...order, ...fresh, isCardGone: false, isAdvanced: false, isFinished: false }
    this.#trades.set(key(order.channel, order.mchId, order.number), trade)
    this.#byPayId.set(key(order.channel, payId), trade)
    this.counts.prepaid++
    return trade
  }
  #forget(oldest: Trade): void {
    this.#trades.delete(key(oldest.channel, oldest.mchId, oldest.number))
    this.#byPayId.delete(key(oldest.channel, oldest.payId))
    if (oldest.tradeNo) this.#byTradeNo.delete(key(oldest.channel, oldest.tradeNo))
  }

  /** Whether a driver can still pay it. One whose time is over closes here. */
  isOpen(trade: Trade): boolean {
    if (trade.state === 'unpaid' && trade.expiresAt <= this.#now()) this.close(trade)
    return trade.state === 'unpaid'
  }
  close(trade: Trade): void {
    if (trade.state !== 'unpaid') return
    trade.state = 'closed'
    trade.closedAt = this.#now()
  }

  /** The channel gives the trade its number: Alipay when a driver opens it, WeChat when it is paid. */
  numbered(trade: Trade): string {
    if (trade.tradeNo) return trade.tradeNo
    const day = cityDigits(this.#now()).slice(0, 8)
    const tradeNo = trade.channel === 'wechat' ? `4200${digits(6)}${day}${digits(10)}` : `${day}${ALIPAY_MARK}${digits(15)}`
    trade.tradeNo = tradeNo
    this.#byTradeNo.set(key(trade.channel, tradeNo), trade)
    return tradeNo
  }
  pay(trade: Trade, { payer, amountFen = trade.amountFen }: { payer?: string | undefined; amountFen?: number | undefined } = {}): void {
    this.numbered(trade)
    trade.isOpened = true
    trade.state = 'paid'
    trade.paidAt = this.#now()
    trade.paidFen = amountFen
    trade.payer ??= payer
    this.counts.payments++
    this.counts.paidFen += amountFen
  }

  refund(
    trade: Trade,
    number: string,
    amountFen: number,
    { reason = '', notifyUrl }: { reason?: string; notifyUrl?: string | undefined } = {},
  ): Refund {
    const id = trade.channel === 'wechat' ? `5030${digits(6)}${cityDigits(this.#now()).slice(0, 8)}${digits(11)}` : number
    const refund: Refund = { trade, number, id, amountFen, reason, notifyUrl, state: 'processing', createdAt: this.#now() }
    trade.refundedFen += amountFen
    if (this.#refunds.size >= KEPT) this.#refunds.delete(this.#refunds.keys().next().value!)
    this.#refunds.set(key(trade.channel, trade.mchId, number), refund)
    return refund
  }
  refundOf(channel: Channel, mchId: string, number: string): Refund | undefined {
    return this.#refunds.get(key(channel, mchId, number))
  }
  /** The money is back, or the payer's card does not take it and a person has to act. */
  endRefund(refund: Refund): void {
    refund.state = refund.trade.isCardGone ? 'abnormal' : 'done'
    refund.doneAt = this.#now()
    if (refund.state === 'abnormal') return
    this.counts.refunds++
    this.counts.refundedFen += refund.amountFen
  }

  paidIn(channel: Channel, mchId: string, span: Span): Trade[] {
    return [...this.#trades.values()].filter((one) => one.channel === channel && one.mchId === mchId && within(one.paidAt, span))
  }
  refundsIn(channel: Channel, mchId: string, span: Span): Refund[] {
    return [...this.#refunds.values()].filter(({ trade, createdAt }) => trade.channel === channel && trade.mchId === mchId && within(createdAt, span))
  }

  plate(channel: Channel, plateNo: string, color: string): Plate | undefined {
    return this.#plates.get(key(channel, plateNo, color))
  }
  /** A driver opens, pauses or ends the service for a car. */
  setPlate({ channel, plateNo, color, ...rest }: Pick<Plate, 'channel' | 'plateNo' | 'color' | 'payer' | 'state'> & Partial<Plate>): Plate {
    const known = this.plate(channel, plateNo, color)
    const plate: Plate = { channel, plateNo, color, openedAt: this.#now(), limitFen: Infinity, isTrusted: false, ...known, ...rest }
    this.#plates.set(key(channel, plateNo, color), plate)
    return plate
  }
}
const key = (...parts: readonly string[]) => parts.join(' ')

/** The whole past, up to a moment. */
export const before = (until: number): Span => ({ from: 0, until })
