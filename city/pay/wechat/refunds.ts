import { rfc3339 } from '../clock.ts'
import type { Refund, Trade } from '../store.ts'
import { type Said, type Told, told } from '../wire.ts'
import { type Call, merchantOfTrade, type WechatContext } from './context.ts'
import { bodyOf, type Fields, NUMBER, REFUND_NUMBER } from './fields.ts'
import { tell } from './notices.ts'
import { WechatRefusal } from './refusals.ts'

const RECEIVER = '支付用户零钱'
const STATUS = { processing: 'PROCESSING', done: 'SUCCESS', abnormal: 'ABNORMAL' } as const

/** Accepted at once, and done a moment later. The same number again answers with the same refund. */
export function refund(call: Call): Told {
  const { asked, merchant, store, settings, deliveries } = call
  const body = bodyOf(asked)
  const number = body.text('out_refund_no', REFUND_NUMBER)
  const trade = tradeOf(call, body)
  const amount = body.within('amount')
  const [amountFen, totalFen] = [amount.whole('refund', 1), amount.whole('total', 1)]
  if (amount.text('currency', { most: 16 }) !== 'CNY') amount.refuse('currency', '仅支持CNY')
  const reason = body.maybe('reason', { most: 80 })
  const notifyUrl = body.has('notify_url') ? body.address('notify_url') : undefined
  const known = store.refundOf('wechat', merchant.mchid, number)
  if (known && (known.trade !== trade || known.amountFen !== amountFen || totalFen !== trade.paidFen))
    throw new WechatRefusal('INVALID_REQUEST', '订单金额或退款金额与之前请求不一致，请核实后再试')
  if (known) return told(200, refundSaid(known))
  if (trade.state !== 'paid') throw new WechatRefusal('INVALID_REQUEST', '订单状态错误，未支付的订单不能退款')
  if (totalFen !== trade.paidFen) throw new WechatRefusal('INVALID_REQUEST', '订单金额不一致')
  if (trade.refundedFen + amountFen > trade.paidFen) throw new WechatRefusal('INVALID_REQUEST', '申请退款金额大于订单可退金额')
  const made = store.refund(trade, number, amountFen, { ...(reason && { reason }), notifyUrl })
  deliveries.later(settings.refundAfterMs, () => ended(call, made))
  return told(200, refundSaid(made))
}

/** By WeChat's number or by the merchant's. */
function tradeOf({ store, merchant }: Call, body: Fields): Trade {
  const trade = body.has('transaction_id')
    ? store.byTradeNo('wechat', body.text('transaction_id', { most: 32 }))
    : store.trade('wechat', merchant.mchid, body.text('out_trade_no', NUMBER))
  if (trade?.mchId !== merchant.mchid) throw new WechatRefusal('RESOURCE_NOT_EXISTS', '订单不存在')
  return trade
}

export function refundQuery({ store, merchant, names }: Call): Told {
  const known = store.refundOf('wechat', merchant.mchid, names[0]!)
  if (!known) throw new WechatRefusal('RESOURCE_NOT_EXISTS', '退款单不存在')
  return told(200, refundSaid(known))
}

function ended(context: WechatContext, refund: Refund): void {
  const { store, settings } = context
  store.endRefund(refund)
  const { trade, notifyUrl, number, id, doneAt, amountFen } = refund
  if (!notifyUrl) return
  const status = STATUS[refund.state]
  const resource = {
    mchid: trade.mchId,
    out_trade_no: trade.number,
    transaction_id: trade.tradeNo,
    out_refund_no: number,
    refund_id: id,
    refund_status: status,
    ...(status === 'SUCCESS' && { success_time: rfc3339(doneAt!) }),
    user_received_account: RECEIVER,
    amount: { total: trade.paidFen, refund: amountFen, payer_total: trade.paidFen, payer_refund: amountFen },
  }
  const summary = status === 'SUCCESS' ? '退款成功' : '退款异常'
  const happened = { event: `REFUND.${status}`, summary, of: 'refund', resource, url: notifyUrl, number }
  tell(context, merchantOfTrade(context, trade), happened, { waitsMs: settings.waitsMs })
}

function refundSaid({ id, number, trade, createdAt, doneAt, state, amountFen }: Refund): Said {
  return {
    refund_id: id,
    out_refund_no: number,
    transaction_id: trade.tradeNo,
    out_trade_no: trade.number,
    channel: 'ORIGINAL',
    user_received_account: RECEIVER,
    ...(state === 'done' && { success_time: rfc3339(doneAt!) }),
    create_time: rfc3339(createdAt),
    status: STATUS[state],
    funds_account: 'AVAILABLE',
    amount: {
      total: trade.paidFen,
      refund: amountFen,
      payer_total: trade.paidFen,
      payer_refund: amountFen,
      settlement_refund: amountFen,
      settlement_total: trade.paidFen,
      discount_refund: 0,
      currency: 'CNY',
    },
    promotion_detail: [],
  }
}
