import { PayAway } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import { fenIn, numberIn, yuanOf } from './fields.ts'
import { ask } from './gateway.ts'
import type { WiderRefund } from './port.ts'
import { NotFromAlipay } from './refusals.ts'
import { about } from './trade.ts'
import { isStranded } from './words.ts'

export interface RefundOrder {
  payNo: string
  tradeNo: string
  refundNo: string
  amountFen: number
  reason: string
}
/** As many signs as Alipay keeps. */
const REASON_MAX = 256

/** The same number again is the same refund. What Alipay has not decided is `accepted`, and is asked again. @throws PayAway, NotFromAlipay, WrongSetup */
export async function refundTrade(account: AlipayAccount, order: RefundOrder): Promise<WiderRefund> {
  const { payNo, refundNo, amountFen, reason } = order
  const content = { out_trade_no: payNo, out_request_no: refundNo, refund_amount: yuanOf(amountFen), refund_reason: reason.slice(0, REASON_MAX) }
  const answer = await ask(account, 'alipay.trade.refund', { content })
  if (answer.verdict === 'done') {
    const { node } = about(answer, 'out_trade_no', payNo)
    // Without a change of funds this call moved nothing: it was done before, or is still being done.
    return node['fund_change'] === 'Y' ? done(node['trade_no']) : pending(await queryRefund(account, { payNo, refundNo, amountFen }))
  }
  if (answer.verdict === 'unknown' || answer.verdict === 'waiting') return pending(await queryRefund(account, { payNo, refundNo, amountFen }))
  return { state: isStranded(answer.subCode) ? 'abnormal' : 'failed', failure: answer.said || answer.subCode }
}
const done = (tradeNo: unknown): WiderRefund => ({ state: 'done', ...(numberIn(tradeNo) && { channelRefundNo: numberIn(tradeNo)! }) })
/** A refund that was asked for a moment ago may not be found yet. */
const pending = (state: WiderRefund): WiderRefund => (state.state === 'none' ? { state: 'accepted' } : state)

/** A refund is known once it was made; one that was never asked for and one that failed look alike. @throws PayAway, NotFromAlipay, WrongSetup */
export async function queryRefund(
  account: AlipayAccount,
  { payNo, refundNo, amountFen }: { payNo: string; refundNo: string; amountFen?: number },
): Promise<WiderRefund> {
  const answer = await ask(account, 'alipay.trade.fastpay.refund.query', { content: { out_trade_no: payNo, out_request_no: refundNo } })
  if (answer.verdict === 'absent') return { state: 'none' }
  if (answer.verdict !== 'done') throw PayAway()
  const { node } = answer
  if (node['refund_status'] !== 'REFUND_SUCCESS') return { state: 'none' }
  about(about(answer, 'out_trade_no', payNo), 'out_request_no', refundNo)
  if (amountFen !== undefined && fenIn(node['refund_amount']) !== amountFen) throw NotFromAlipay()
  return done(node['trade_no'])
}
