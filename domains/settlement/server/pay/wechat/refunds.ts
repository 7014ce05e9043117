import type { Client } from './client.ts'
import { type Fields, NotUnderstood } from './fields.ts'
import { CURRENCY, paidOf, withinBytes } from './trades.ts'
import type { RefundAsked, RefundTold, WechatAccount } from './types.ts'
import { WechatSaid } from './words.ts'

const REFUNDS = '/v3/refund/domestic/refunds'
/** WeChat counts bytes. */
const REASON_BYTES = 80
/** The column's. */
const FAILURE_MAX = 200

/** @throws PayAway where nobody knows: the same number is asked again */
export async function createRefund(client: Client, { notifyUrl }: Pick<WechatAccount, 'notifyUrl'>, order: RefundAsked): Promise<RefundTold> {
  const { tradeNo, refundNo, amountFen, reason, paidFen } = order
  try {
    const total = paidFen ?? (await paidOf(client, tradeNo))
    const body = {
      transaction_id: tradeNo,
      out_refund_no: refundNo,
      ...(reason && { reason: withinBytes(reason, REASON_BYTES) }),
      notify_url: notifyUrl,
      amount: { refund: amountFen, total, currency: CURRENCY },
    }
    return stateOf(await client.ask({ method: 'POST', path: REFUNDS, body }), refundNo)
  } catch (error) {
    if (!(error instanceof WechatSaid) || error.outcome === 'setUp') throw error
    // A no to this request says nothing of an earlier one whose answer was lost.
    const known = await queryRefund(client, refundNo)
    return known.state === 'none' ? { state: 'failed', failure: failureOf(error) } : known
  }
}
export async function queryRefund(client: Client, refundNo: string): Promise<RefundTold> {
  try {
    return stateOf(await client.ask({ method: 'GET', path: `${REFUNDS}/${encodeURIComponent(refundNo)}` }), refundNo)
  } catch (error) {
    if (error instanceof WechatSaid && error.outcome === 'none') return { state: 'none' }
    throw error
  }
}
const failureOf = ({ word, message }: WechatSaid) => `${word} ${message}`.trim().slice(0, FAILURE_MAX)

/** By what an answer, or a notice, calls it. `CLOSED`: the money stays with the merchant. */
const STATES = new Map<string, RefundTold['state']>([
  ['SUCCESS', 'done'],
  ['PROCESSING', 'accepted'],
  ['CLOSED', 'failed'],
  ['CLOSE', 'failed'],
  ['ABNORMAL', 'abnormal'],
])
/** @throws NotUnderstood */
export function refundStateOf(word: string): RefundTold['state'] {
  const state = STATES.get(word)
  if (!state) throw new NotUnderstood('a state of a refund that is not known')
  return state
}
function stateOf(fields: Fields, refundNo: string): RefundTold {
  if (fields.text('out_refund_no') !== refundNo) throw new NotUnderstood('another refund')
  const word = fields.text('status')
  const state = refundStateOf(word)
  return { state, channelRefundNo: fields.text('refund_id'), ...((state === 'failed' || state === 'abnormal') && { failure: word }) }
}
