import type { Instant } from '../../../../../platform/contract/field.ts'
import { msOf } from '../../../../../platform/contract/time.ts'
import { BadSignature } from '../provider.ts'
import type { Client } from './client.ts'
import { type Fields, fieldsIn, NotUnderstood } from './fields.ts'
import { type ParkingNotice, parkingNoticeIn } from './parkingNotice.ts'
import { sealedIn } from './platformKeys.ts'
import { refundStateOf } from './refunds.ts'
import { unsealed } from './sealed.ts'
import { type Headers, isFresh, isSignedBy, stampOf } from './stamp.ts'
import { fenIn, ofOurs } from './trades.ts'
import type { RefundTold, WechatAccount } from './types.ts'

export interface PaymentNotice {
  kind: 'payment'
  payNo: string
  tradeNo: string
  amountFen: number
  paidAt: Instant
  openid: string | undefined
}
export interface RefundNotice {
  kind: 'refund'
  refundNo: string
  channelRefundNo: string
  payNo: string
  amountFen: number
  state: RefundTold['state']
  /** Only of money that has gone back. */
  doneAt: Instant | undefined
}
/** What a genuine notice tells; of an event that nobody here knows, only its name. */
export type NoticeFacts = PaymentNotice | RefundNotice | ParkingNotice | { kind: 'other'; event: string }
export interface Notice {
  /** New in each delivery, the second one of the same event too. */
  nonce: string
  /** WeChat's number of the event. */
  id: string
  toldAt: Instant
  facts: NoticeFacts
}
type Of = Pick<WechatAccount, 'appId'>

/**
 * Whether WeChat has just sent it, and what it says. Anything else is refused in the same words: whoever tries learns nothing.
 * @throws BadSignature, which the door answers with a status that is no success: WeChat's own probes have to see that
 */
export async function readNotice(client: Client, account: Of, body: Buffer, headers: Headers, at: Instant): Promise<Notice> {
  const nonce = await verified(client, body, headers, at)
  try {
    const told = fieldsIn(body.toString())
    const facts = factsOf(told.text('event_type'), () => contentOf(client, told), { mchId: client.keys.mchId, appId: account.appId })
    return { nonce, id: told.text('id'), toldAt: told.moment('create_time'), facts }
  } catch (error) {
    throw error instanceof NotUnderstood ? BadSignature() : error
  }
}
async function verified({ platform }: Client, body: Buffer, headers: Headers, at: Instant): Promise<string> {
  const stamp = stampOf(headers)
  if (!stamp || !isFresh(stamp, msOf(at))) throw BadSignature()
  const key = await platform.of(stamp.serial, msOf(at))
  if (!key || !isSignedBy(key, stamp, body)) throw BadSignature()
  return stamp.nonce
}
function contentOf({ keys: { apiV3Key } }: Client, told: Fields): Fields {
  const content = unsealed(sealedIn(told.part('resource')), apiV3Key)
  if (content === undefined) throw new NotUnderstood('locked under another key')
  return fieldsIn(content)
}

interface Ours {
  mchId: string
  appId: string
}
function factsOf(event: string, content: () => Fields, ours: Ours): NoticeFacts {
  if (event.startsWith('VEHICLE.') || event.startsWith('TRANSACTION.')) {
    const fields = content()
    const parking = parkingNoticeIn(event, fields, ours)
    if (parking) return parking
    if (event === 'TRANSACTION.SUCCESS') return paymentIn(fields, ours)
  }
  if (event.startsWith('REFUND.')) return refundIn(content(), ours)
  return { kind: 'other', event }
}
function paymentIn(fields: Fields, { mchId, appId }: Ours): PaymentNotice {
  ofOurs(fields, mchId, appId)
  if (fields.text('trade_state') !== 'SUCCESS') throw new NotUnderstood('a payment that is none')
  return {
    kind: 'payment',
    payNo: fields.text('out_trade_no'),
    tradeNo: fields.text('transaction_id'),
    amountFen: fenIn(fields),
    paidAt: fields.moment('success_time'),
    openid: fields.part('payer').textOr('openid', undefined),
  }
}
/** A refund names the merchant and no app; of a debit for parking it may name the merchant as `sp_mchid`. */
function refundIn(fields: Fields, { mchId }: Ours): RefundNotice {
  if ((fields.textOr('mchid', undefined) ?? fields.text('sp_mchid')) !== mchId) throw new NotUnderstood('of another merchant')
  return {
    kind: 'refund',
    refundNo: fields.text('out_refund_no'),
    channelRefundNo: fields.text('refund_id'),
    payNo: fields.text('out_trade_no'),
    amountFen: fenIn(fields, 'refund'),
    state: refundStateOf(fields.text('refund_status')),
    doneAt: fields.momentOr('success_time', undefined),
  }
}
