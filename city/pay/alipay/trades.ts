import { cityText, cityTextIn, yuan } from '../clock.ts'
import type { Scene, Trade } from '../store.ts'
import type { Said } from '../wire.ts'
import { type Call, LOGON_ID, PAID } from './context.ts'
import { refuse } from './content.ts'
import { tellRefund } from './notices.ts'
import { AlipayRefusal } from './refusals.ts'
import { statusOf } from './status.ts'

/** A code can be paid for two hours, another order for fifteen days. */
const EXPIRES_MS = { native: 2 * 3_600_000, jsapi: 15 * 86_400_000, h5: 15 * 86_400_000, debit: 0 } as const
const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The trade exists only after a driver has scanned the code. */
export const precreate = (call: Call): Said => {
  const trade = ordered(call, 'native')
  return { ...PAID, out_trade_no: trade.number, qr_code: `${call.asked.base}/alipay/qr/${trade.payId}` }
}
export function create(call: Call): Said {
  const buyer = call.content.maybe('buyer_open_id', 128) ?? call.content.text('buyer_id', 28)
  const trade = ordered(call, 'jsapi', buyer)
  trade.isOpened = true
  return { ...PAID, out_trade_no: trade.number, trade_no: call.store.numbered(trade) }
}
/** @throws AlipayRefusal for an order that is none, or that is not the one known by its number */
export function ordered(call: Call, scene: Scene, payer?: string): Trade {
  const { app, store, content, parameters, now } = call
  const [number, subject, amountFen] = [content.text('out_trade_no', 64), content.text('subject', 256), content.fen('total_amount')]
  const known = store.trade('alipay', app.sellerId, number)
  if (!known) {
    const order = { channel: 'alipay', mchId: app.sellerId, appId: app.appId, number, amountFen, subject, scene, payer } as const
    const more = {
      return_url: parameters['return_url'],
      quit_url: content.maybe('quit_url', 400),
      passback_params: content.maybe('passback_params', 512),
    }
    return store.add({ ...order, notifyUrl: parameters['notify_url'], expiresAt: expiryOf(call, scene, now()), more })
  }
  if (known.state === 'paid') throw new AlipayRefusal('ACQ.TRADE_HAS_SUCCESS', '交易已被支付')
  if (!store.isOpen(known)) throw new AlipayRefusal('ACQ.TRADE_HAS_CLOSE', '交易已经关闭')
  if (known.amountFen !== amountFen || known.subject !== subject) throw new AlipayRefusal('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改')
  return known
}
/** `time_expire`, or else `timeout_express`: `90m`, `1h`, `3d`. */
function expiryOf({ content }: Call, scene: Scene, now: number): number {
  const until = content.maybe('time_expire', 32)
  if (until) return later(cityTextIn(until), now, 'time_expire')
  const length = content.maybe('timeout_express', 6)
  if (!length) return now + EXPIRES_MS[scene]
  const found = /^(\d{1,5})([mhd])$/.exec(length)
  return later(found ? now + Number(found[1]) * UNITS_MS[found[2] as keyof typeof UNITS_MS] : undefined, now, 'timeout_express')
}
const later = (at: number | undefined, now: number, name: string): number => (at !== undefined && at > now ? at : refuse(name))

/**
 * By Alipay's number or by the merchant's.
 * @throws AlipayRefusal for a trade of somebody else, and for one that no driver has opened
 */
export function found({ app, store, content }: Call): Trade {
  const tradeNo = content.maybe('trade_no', 64)
  const trade = tradeNo ? store.byTradeNo('alipay', tradeNo) : store.trade('alipay', app.sellerId, content.text('out_trade_no', 64))
  if (trade?.mchId !== app.sellerId || !trade.isOpened) throw new AlipayRefusal('ACQ.TRADE_NOT_EXIST', '交易不存在')
  return trade
}
const numbersOf = ({ tradeNo, number }: Trade) => ({ trade_no: tradeNo, out_trade_no: number })

export function query(call: Call): Said {
  const trade = found(call)
  const status = statusOf(call, trade)
  const { paidAt, paidFen, amountFen, payer } = trade
  const paid = paidAt !== undefined && {
    receipt_amount: yuan(paidFen),
    buyer_pay_amount: yuan(paidFen),
    send_pay_date: cityText(paidAt),
    buyer_open_id: payer,
  }
  const whole = { buyer_logon_id: LOGON_ID, trade_status: status, total_amount: yuan(paidAt === undefined ? amountFen : paidFen) }
  return { ...PAID, ...numbersOf(trade), ...whole, ...paid, point_amount: '0.00', invoice_amount: yuan(paidAt === undefined ? 0 : paidFen) }
}

export function close(call: Call): Said {
  const trade = found(call)
  if (!call.store.isOpen(trade)) throw new AlipayRefusal('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  call.store.close(trade)
  return { ...PAID, ...numbersOf(trade) }
}

/** Closes what is not paid, refunds what is; an order that nobody has opened can be paid no more. */
export function cancel(call: Call): Said {
  const { app, store, content, deliveries } = call
  const tradeNo = content.maybe('trade_no', 64)
  const number = tradeNo ? store.byTradeNo('alipay', tradeNo)?.number : content.text('out_trade_no', 64)
  const trade = number === undefined ? undefined : store.trade('alipay', app.sellerId, number)
  if (!trade) return { ...PAID, out_trade_no: number, retry_flag: 'N' }
  const isPaid = trade.state === 'paid'
  const leftFen = trade.paidFen - trade.refundedFen
  if (!isPaid) store.close(trade)
  else if (leftFen > 0) {
    const refund = store.refund(trade, trade.number, leftFen, { reason: '撤销' })
    store.endRefund(refund)
    deliveries.later(0, () => tellRefund(call, refund))
  }
  return { ...PAID, ...numbersOf(trade), retry_flag: 'N', action: isPaid ? 'refund' : 'close' }
}

/** Done at once. The same number with the same amount moves nothing again. */
export function refund(call: Call): Said {
  const { app, store, content, deliveries } = call
  const trade = found(call)
  const amountFen = content.fen('refund_amount')
  const number = content.maybe('out_request_no', 64) ?? trade.number
  const known = store.refundOf('alipay', app.sellerId, number)
  if (known && (known.trade !== trade || known.amountFen !== amountFen)) throw new AlipayRefusal('ACQ.DISCORDANT_REPEAT_REQUEST', '不一致的请求')
  if (known) return refunded(trade, 'N')
  if (trade.isFinished) throw new AlipayRefusal('ACQ.TRADE_HAS_FINISHED', '交易已完结')
  if (trade.state !== 'paid') throw new AlipayRefusal('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  if (trade.refundedFen + amountFen > trade.paidFen) throw new AlipayRefusal('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
  const made = store.refund(trade, number, amountFen, { reason: content.maybe('refund_reason', 256) ?? '' })
  store.endRefund(made)
  deliveries.later(0, () => tellRefund(call, made))
  return refunded(trade, 'Y')
}
/** `refund_fee` is the sum of all refunds of the trade. */
const refunded = (trade: Trade, change: 'Y' | 'N'): Said => {
  const sum = yuan(trade.refundedFen)
  return {
    ...PAID,
    ...numbersOf(trade),
    buyer_logon_id: LOGON_ID,
    buyer_open_id: trade.payer,
    fund_change: change,
    refund_fee: sum,
    send_back_fee: sum,
  }
}

/** A refund that there is not is answered with success, without its fields. */
export function refundQuery(call: Call): Said {
  const trade = found(call)
  const known = call.store.refundOf('alipay', call.app.sellerId, call.content.text('out_request_no', 64))
  if (known?.trade !== trade) return { ...PAID }
  return {
    ...PAID,
    ...numbersOf(trade),
    out_request_no: known.number,
    total_amount: yuan(trade.paidFen),
    refund_amount: yuan(known.amountFen),
    refund_status: 'REFUND_SUCCESS',
    gmt_refund_pay: cityText(known.doneAt!),
  }
}
