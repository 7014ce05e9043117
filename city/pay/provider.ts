import { randomBytes, randomInt } from 'node:crypto'
import { CITY_OFFSET_MS, cityTime, DAY_MS, instantAt, msOf } from '../../platform/contract/time.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { feeOf } from '../fees.ts'
import { type BillLine, billOf } from './bills.ts'
import { isGenuine, signed } from './signature.ts'

/** The faults that a driver's payment may be told to have. */
export interface Mischief {
  /** Nothing is notified before this. */
  delayMs?: number
  /** How often the notice is sent, each time as a new delivery; 0 = never. */
  times?: number
  /** Pays another amount than asked. */
  amountFen?: number
  /** Pays although the attempt was closed or paid: a second trade of its own. */
  insist?: boolean
}
interface Trade {
  mchId: string
  payNo: string
  channel: string
  amountFen: number
  subject: string
  notifyUrl: string
  expiresAt: Instant
  state: 'unpaid' | 'paid' | 'closed'
  /** Why a debit came to nothing. */
  failure?: 'balance' | 'agreement'
  /** Every payment made on it; the first is the one that counts. */
  paid: { tradeNo: string; amountFen: number; paidAt: Instant; refundedFen: number }[]
}
/** A payer's agreement with a merchant for one car. */
interface Agreement {
  mchId: string
  channel: string
  contractNo: string
  plateNo: string
  notifyUrl: string
  state: 'waiting' | 'signed' | 'ended'
  agreementNo: string
  /** Debits of more come to nothing: so much is in the payer's account. */
  limitFen: number
}
interface Refund {
  mchId: string
  refundNo: string
  payNo: string
  tradeNo: string
  amountFen: number
  channelRefundNo: string
  state: 'accepted' | 'done' | 'failed'
  channel: string
  doneAt?: Instant
}
export interface Answer {
  status: number
  body: Record<string, unknown>
}
export interface SandboxOptions {
  secret: string
  /** A refund ends this long after it was accepted. */
  refundAfterMs?: number
  /** A debit is made, or comes to nothing, this long after it was accepted. */
  debitAfterMs?: number
  /** Waits between tries of one delivery; the real ones go on for a day. */
  retryMs?: readonly number[]
  log?: (line: string) => void
}

const yes = (body: Record<string, unknown>): Answer => ({ status: 200, body })
const no = (status: number, error: string): Answer => ({ status, body: { error } })
/** Finished trades are kept for queries and refunds, this many at most. */
const KEPT = 200_000

/**
 * A payment channel as it is seen from outside: signed orders in, payments by drivers, signed notices out until they are answered with success.
 * All state is in memory: a restart forgets, as a sandbox may.
 */
export class SandboxChannel {
  readonly #secret: string
  readonly #refundAfterMs: number
  readonly #debitAfterMs: number
  readonly #retryMs: readonly number[]
  readonly #log: (line: string) => void
  readonly #trades = new Map<string, Trade>()
  readonly #byTradeNo = new Map<string, Trade>()
  readonly #agreements = new Map<string, Agreement>()
  readonly #refunds = new Map<string, Refund>()
  readonly #waiting = new Set<NodeJS.Timeout>()
  readonly #nonces = new Set<string>()
  #stopped = false
  /** Counts of its actions, for observers of the city. */
  readonly counts = { prepaid: 0, payments: 0, paidFen: 0, refunds: 0, refundedFen: 0, debitsFailed: 0, notices: 0, noticesFailed: 0 }

  constructor({
    secret,
    refundAfterMs = 1_000,
    debitAfterMs = 500,
    retryMs = [1_000, 3_000, 10_000, 30_000, 60_000],
    log = () => {},
  }: SandboxOptions) {
    this.#secret = secret
    this.#refundAfterMs = refundAfterMs
    this.#debitAfterMs = debitAfterMs
    this.#retryMs = retryMs
    this.#log = log
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#waiting) clearTimeout(timer)
  }

  /** An order of a merchant. Unsigned, stale or repeated requests are refused. */
  merchantCall(path: string, body: Record<string, any>): Answer {
    const nonce = String(body['nonce'])
    if (!isGenuine(body, this.#secret, Date.now()) || this.#nonces.has(nonce)) return no(401, 'signature')
    this.#remember(nonce)
    switch (path) {
      case '/prepay':
        return this.#prepay(body)
      case '/query':
        return yes(this.#stateOf(String(body['payNo'])))
      case '/close':
        return this.#close(String(body['payNo']))
      case '/refund':
        return this.#refund(body)
      case '/agreement':
        return this.#offer(body)
      case '/agreement/query':
        return yes(agreementState(this.#agreements.get(String(body['contractNo']))))
      case '/agreement/end':
        return this.#end(String(body['contractNo']))
      case '/debit':
        return this.#debit(body)
      case '/bill':
        return this.#bill(String(body['mchId']), String(body['channel']), String(body['checkDate']))
      case '/refund/query':
        return yes(this.#refundState(this.#refunds.get(String(body['refundNo']))))
      default:
        return no(404, 'path')
    }
  }

  #prepay(body: Record<string, any>): Answer {
    const { mchId, payNo, channel, amountFen, subject, notifyUrl, expiresAt } = body as Trade
    const known = this.#trades.get(payNo)
    if (known && known.amountFen !== amountFen) return no(409, 'amount')
    if (!known) {
      if (this.#trades.size >= KEPT) this.#forgetOldest()
      this.#trades.set(payNo, { mchId, payNo, channel, amountFen, subject, notifyUrl, expiresAt, state: 'unpaid', paid: [] })
      this.counts.prepaid++
    }
    return yes({ payUrl: `/pay?payNo=${encodeURIComponent(payNo)}` })
  }

  #forgetOldest(): void {
    const oldest = this.#trades.values().next().value!
    this.#trades.delete(oldest.payNo)
    for (const { tradeNo } of oldest.paid) this.#byTradeNo.delete(tradeNo)
  }

  #stateOf(payNo: string): Record<string, unknown> {
    const trade = this.#trades.get(payNo)
    const first = trade?.paid[0]
    return {
      state: trade?.state ?? 'none',
      ...(trade?.failure && { failure: trade.failure }),
      ...(first && { tradeNo: first.tradeNo, amountFen: first.amountFen, paidAt: first.paidAt }),
    }
  }

  #close(payNo: string): Answer {
    const trade = this.#trades.get(payNo)
    if (trade?.state === 'unpaid') trade.state = 'closed'
    return yes(this.#stateOf(payNo))
  }

  #offer(body: Record<string, any>): Answer {
    const { mchId, channel, contractNo, plateNo, notifyUrl } = body as Agreement
    const known = this.#agreements.get(contractNo)
    if (known && known.state !== 'waiting') return no(409, known.state)
    if (!known) {
      const agreementNo = `A${Date.now()}${randomInt(1e6)}`
      this.#agreements.set(contractNo, { mchId, channel, contractNo, plateNo, notifyUrl, state: 'waiting', agreementNo, limitFen: Infinity })
    }
    return yes({ signUrl: `/sign?contractNo=${encodeURIComponent(contractNo)}` })
  }
  #end(contractNo: string): Answer {
    const known = this.#agreements.get(contractNo)
    if (known) known.state = 'ended'
    return yes(agreementState(known))
  }
  /** A driver signs, or ends what they signed, in their own app; the merchant hears of it by notice. */
  sign(contractNo: string, { end = false, limitFen = Infinity }: { end?: boolean; limitFen?: number } = {}): Answer {
    const agreement = this.#agreements.get(contractNo)
    if (!agreement) return no(404, 'no such agreement')
    if (agreement.state === 'ended' || (agreement.state === 'signed' && !end)) return no(409, agreement.state)
    agreement.state = end ? 'ended' : 'signed'
    agreement.limitFen = Number(limitFen)
    const { mchId, channel, agreementNo, notifyUrl } = agreement
    const result = end ? 'FAIL' : 'SUCCESS'
    const notice = {
      mchId,
      channel,
      kind: 'agreement',
      number: contractNo,
      tradeNo: agreementNo,
      amountFen: 0,
      result,
      finishedAt: instantAt(Date.now()),
    }
    this.#later(0, () => this.#deliver(notifyUrl, notice, 0))
    return yes(agreementState(agreement))
  }
  agreementOf(contractNo: string): Pick<Agreement, 'contractNo' | 'plateNo' | 'channel' | 'state'> | undefined {
    return this.#agreements.get(contractNo)
  }

  /** Made a moment later, and told by notice either way. An agreement that it has forgotten is taken on the merchant's word; one that is not in force is refused at once. */
  #debit(body: Record<string, any>): Answer {
    const { payNo } = body as Trade
    if (this.#trades.has(payNo)) return yes(this.#stateOf(payNo))
    const agreement = this.#agreements.get(String(body['contractNo']))
    this.#prepay(body)
    const trade = this.#trades.get(payNo)!
    if (agreement && agreement.state !== 'signed') [trade.state, trade.failure] = ['closed', 'agreement']
    else this.#later(this.#debitAfterMs, () => this.#take(trade, agreement?.limitFen ?? Infinity))
    return yes(this.#stateOf(payNo))
  }
  #take(trade: Trade, limitFen: number): void {
    if (trade.state !== 'unpaid') return
    if (trade.amountFen <= limitFen) return void this.pay(trade.payNo)
    ;[trade.state, trade.failure] = ['closed', 'balance']
    this.counts.debitsFailed++
    const { mchId, channel, payNo, amountFen, notifyUrl } = trade
    this.#deliver(
      notifyUrl,
      { mchId, channel, kind: 'payment', number: payNo, tradeNo: payNo, amountFen, result: 'FAIL', finishedAt: instantAt(Date.now()) },
      0,
    )
  }

  #refund(body: Record<string, any>): Answer {
    const { mchId, channel, refundNo, payNo, tradeNo, amountFen, notifyUrl } = body as Refund & { channel: string; notifyUrl: string }
    const known = this.#refunds.get(refundNo)
    if (known) return yes(this.#refundState(known))
    // A trade that it has forgotten, or that the city's past was filled with, is refunded on the merchant's word.
    const payment = this.#byTradeNo.get(tradeNo)?.paid.find((one) => one.tradeNo === tradeNo)
    const channelRefundNo = `R${Date.now()}${randomInt(1e6)}`
    const refund: Refund = { mchId, refundNo, payNo, tradeNo, amountFen, channelRefundNo, state: 'accepted', channel }
    this.#refunds.set(refundNo, refund)
    if (payment && payment.refundedFen + amountFen > payment.amountFen) {
      refund.state = 'failed'
      return yes(this.#refundState(refund))
    }
    if (payment) payment.refundedFen += amountFen
    this.#later(this.#refundAfterMs, () => {
      refund.state = 'done'
      refund.doneAt = instantAt(Date.now())
      this.counts.refunds++
      this.counts.refundedFen += amountFen
      const notice = {
        mchId,
        channel,
        kind: 'refund',
        number: refundNo,
        tradeNo: channelRefundNo,
        amountFen,
        result: 'SUCCESS',
        finishedAt: instantAt(Date.now()),
      }
      this.#deliver(notifyUrl, notice, 0)
    })
    return yes(this.#refundState(refund))
  }
  #refundState(refund: Refund | undefined): Record<string, unknown> {
    if (!refund) return { state: 'none' }
    const failure = refund.state === 'failed' && { failure: 'Less is left of the trade.' }
    return { state: refund.state, channelRefundNo: refund.channelRefundNo, ...failure }
  }

  /** A driver pays. Answers with the trade's number; the merchant hears of it by notice. */
  pay(payNo: string, { delayMs = 0, times = 1, amountFen, insist = false }: Mischief = {}): Answer {
    const trade = this.#trades.get(payNo)
    if (!trade) return no(404, 'no such payment')
    const open = trade.state === 'unpaid' && msOf(trade.expiresAt) > Date.now()
    if (!open && !insist) return no(409, trade.state === 'paid' ? 'paid' : 'closed')
    const payment = {
      tradeNo: `T${Date.now()}${String(randomInt(1e9)).padStart(9, '0')}`,
      amountFen: amountFen ?? trade.amountFen,
      paidAt: instantAt(Date.now()),
      refundedFen: 0,
    }
    trade.paid.push(payment)
    this.#byTradeNo.set(payment.tradeNo, trade)
    trade.state = 'paid'
    this.counts.payments++
    this.counts.paidFen += payment.amountFen
    const notice = {
      mchId: trade.mchId,
      channel: trade.channel,
      kind: 'payment',
      number: payNo,
      tradeNo: payment.tradeNo,
      amountFen: payment.amountFen,
      result: 'SUCCESS',
      finishedAt: payment.paidAt,
    }
    for (let i = 0; i < times; i++) this.#later(delayMs, () => this.#deliver(trade.notifyUrl, notice, 0))
    return yes({ tradeNo: payment.tradeNo, amountFen: payment.amountFen })
  }

  /** The day's file of a merchant, as the channel writes it; a day that is not over has none. */
  #bill(mchId: string, channel: string, checkDate: string): Answer {
    const end = Date.parse(`${checkDate}T00:00:00Z`) - CITY_OFFSET_MS + DAY_MS
    if (Number.isNaN(end)) return no(400, 'date')
    if (Date.now() < end) return yes({ bill: null })
    const within = (at: Instant | undefined) => at !== undefined && msOf(at) >= end - DAY_MS && msOf(at) < end
    const paid = [...this.#trades.values()]
      .filter((one) => one.mchId === mchId && one.channel === channel)
      .flatMap(({ payNo, paid }) => paid.filter(({ paidAt }) => within(paidAt)).map((one) => ({ ...one, payNo })))
    const back = [...this.#refunds.values()].filter((one) => one.mchId === mchId && one.channel === channel && within(one.doneAt))
    const lines: BillLine[] = [
      ...paid.map(({ tradeNo, payNo, amountFen, paidAt }) => ({
        kind: 'payment' as const,
        tradeNo,
        number: payNo,
        amountFen,
        feeFen: feeOf(channel, amountFen),
        at: cityTime(paidAt),
      })),
      ...back.map(({ channelRefundNo, refundNo, amountFen, doneAt }) => ({
        kind: 'refund' as const,
        tradeNo: channelRefundNo,
        number: refundNo,
        amountFen,
        feeFen: 0,
        at: cityTime(doneAt!),
      })),
    ]
    return yes({ bill: Buffer.from(billOf(channel, lines)).toString('base64') })
  }

  /** Refunds done on a day of the city, of all merchants. */
  returnedOn(day: string): { channelRefundNo: string; payNo: string; amountFen: number; doneAt: Instant }[] {
    return [...this.#refunds.values()].flatMap(({ channelRefundNo, payNo, amountFen, doneAt }) =>
      doneAt && cityTime(doneAt).startsWith(day) ? [{ channelRefundNo, payNo, amountFen, doneAt }] : [],
    )
  }

  /** The trade that a payer's page shows. */
  tradeOf(payNo: string): Pick<Trade, 'payNo' | 'subject' | 'amountFen' | 'channel' | 'state'> | undefined {
    return this.#trades.get(payNo)
  }

  /** Until the merchant answers with success. */
  #deliver(url: string, notice: Record<string, unknown>, tried: number): void {
    const again = () => {
      this.counts.noticesFailed++
      const wait = this.#retryMs[tried]
      if (wait !== undefined) this.#later(wait, () => this.#deliver(url, notice, tried + 1))
      else this.#log(`Notice of ${String(notice['number'])} given up.`)
    }
    const fresh = signed({ ...notice, timestamp: Math.floor(Date.now() / 1000), nonce: randomBytes(16).toString('hex') }, this.#secret)
    this.counts.notices++
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fresh),
      signal: AbortSignal.timeout(NOTICE_MS),
    })
      .then(async (answer) => {
        const said = (await answer.json().catch(() => ({}))) as { data?: unknown }
        if (!answer.ok || said.data !== 'success') again()
      })
      .catch(again)
  }

  #later(ms: number, work: () => void): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      work()
    }, ms)
    this.#waiting.add(timer)
  }
  #remember(nonce: string): void {
    if (this.#nonces.size >= KEPT) this.#nonces.delete(this.#nonces.values().next().value!)
    this.#nonces.add(nonce)
  }
}
const agreementState = (agreement: Agreement | undefined) => ({
  state: agreement?.state ?? 'none',
  ...(agreement && { agreementNo: agreement.agreementNo }),
})
const NOTICE_MS = 5_000
