import type { Instant } from '../../../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../../../platform/contract/time.ts'
import { BadSignature } from '../provider.ts'
import { type AlipayAccount, alipayKey } from './account.ts'
import { fenIn, instantIn, numberIn } from './fields.ts'
import { isSigned, textOf } from './signing.ts'

/** Nothing but this word ends the repeats: eight tries within 25 hours. A notice that was heard before is answered with it as well. */
export const ANSWER = 'success'

/** A notice that was verified, by what it tells. `noticeId` is of the notice: each of its repeats has the same one. */
export type AlipayNotice = { noticeId: string } & Facts
type Facts =
  | { kind: 'payment'; payNo: string; tradeNo: string; amountFen: number; ok: boolean; at: Instant }
  /** `refundedFen` is all that was given back of the trade so far: Alipay does not tell the amount of this refund. */
  | { kind: 'refund'; payNo: string; refundNo: string; tradeNo: string; refundedFen: number; at: Instant }
  | { kind: 'agreement'; contractNo: string; agreementNo: string; ok: boolean; at: Instant }
  /** A trade that has begun, or news of something that nobody here waits for. */
  | { kind: 'other' }

/** The whole ladder of repeats, and an hour for slow clocks: what is older was kept by somebody. */
const OLDEST_MS = 26 * 60 * MINUTE_MS
const AHEAD_MS = 5 * MINUTE_MS

/**
 * The order of the fields means nothing; a field that is there twice, or a value that is not what its name says, makes the notice none: it would let the same
 * signed text be read in two ways. @throws BadSignature for anything but a notice that Alipay signed for this app and this account
 */
export function noticeIn(rawBody: Buffer, account: AlipayAccount, at: Instant): AlipayNotice {
  const fields = formIn(rawBody)
  const told = (name: string) => fields.get(name)
  const key = alipayKey(account, told('alipay_cert_sn'))
  const text = textOf([...fields].filter(([name]) => name !== 'sign' && name !== 'sign_type'))
  if (!key || (told('sign_type') ?? 'RSA2') !== 'RSA2' || !isSigned(text, told('sign') ?? '', key)) throw BadSignature()
  if (told('app_id') !== account.appId) throw BadSignature()
  const age = msOf(at) - msOf(instantIn(told('notify_time')) ?? wrong())
  if (age > OLDEST_MS || age < -AHEAD_MS) throw BadSignature()
  const noticeId = numberIn(told('notify_id')) ?? wrong()
  return { noticeId, ...factsIn(told, account, at) }
}
function wrong(): never {
  throw BadSignature()
}

/** The fields of a form as they were sent, decoded. */
function formIn(rawBody: Buffer): Map<string, string> {
  if (rawBody.length > BODY_MAX) throw BadSignature()
  const fields = new Map<string, string>()
  for (const pair of rawBody.toString('latin1').split('&', FIELDS_MAX)) {
    const cut = pair.indexOf('=')
    const name = pair.slice(0, cut)
    if (cut < 1 || !NAME.test(name) || fields.has(name)) throw BadSignature()
    fields.set(name, decoded(pair.slice(cut + 1)))
  }
  return fields
}
/** A notice has some thirty fields and 2 KB. */
const BODY_MAX = 64 * 1024
const FIELDS_MAX = 200
const NAME = /^[a-z][a-z0-9_]{0,63}$/i
function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return wrong()
  }
}

type Told = (name: string) => string | undefined

function factsIn(told: Told, account: AlipayAccount, at: Instant): Facts {
  const type = told('notify_type')
  if (type === 'trade_status_sync') {
    if (told('seller_id') !== account.sellerId) throw BadSignature()
    return tradeFacts(told, at)
  }
  if (type === 'dut_user_sign' || type === 'dut_user_unsign') return agreementFacts(told, at)
  return { kind: 'other' }
}

/**
 * A refund repeats the notice of its trade with three fields more, and closes the trade once all is given back; `TRADE_FINISHED`, up to a year later, says again
 * that it was paid.
 */
function tradeFacts(told: Told, at: Instant): Facts {
  const [payNo, tradeNo] = [numberIn(told('out_trade_no')) ?? wrong(), numberIn(told('trade_no')) ?? wrong()]
  const amountFen = fenIn(told('total_amount')) ?? wrong()
  const status = told('trade_status')
  if (told('refund_fee') !== undefined && told('gmt_refund') !== undefined) {
    const [refundNo, refundedFen] = [told('out_biz_no'), fenIn(told('refund_fee')) ?? wrong()]
    if (refundedFen < 1 || refundedFen > amountFen) throw BadSignature()
    // One that somebody made in Alipay's own console has no number of ours; the day's bill has it.
    if (refundNo === undefined) return { kind: 'other' }
    return { kind: 'refund', payNo, refundNo: numberIn(refundNo) ?? wrong(), tradeNo, refundedFen, at: instantIn(told('gmt_refund')) ?? at }
  }
  if (amountFen < 1) throw BadSignature()
  const paid = { kind: 'payment', payNo, tradeNo, amountFen } as const
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED') return { ...paid, ok: true, at: instantIn(told('gmt_payment')) ?? at }
  return status === 'TRADE_CLOSED' ? { ...paid, ok: false, at: instantIn(told('gmt_close')) ?? at } : { kind: 'other' }
}

function agreementFacts(told: Told, at: Instant): Facts {
  const [contractNo, agreementNo] = [numberIn(told('external_agreement_no')) ?? wrong(), numberIn(told('agreement_no')) ?? wrong()]
  const ok = told('notify_type') === 'dut_user_sign'
  if (told('status') !== (ok ? 'NORMAL' : 'UNSIGN')) return { kind: 'other' }
  return { kind: 'agreement', contractNo, agreementNo, ok, at: instantIn(told(ok ? 'sign_time' : 'unsign_time')) ?? at }
}
