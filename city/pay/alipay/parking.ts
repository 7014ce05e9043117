import { cityText, yuan } from '../clock.ts'
import type { Plate, Trade } from '../store.ts'
import type { Said } from '../wire.ts'
import { type Call, LOGON_ID, PAID } from './context.ts'
import { tellRefund } from './notices.ts'
import { AlipayRefusal } from './refusals.ts'

/** Colours of plates as the calls name them; without one the car is blue. */
export const COLORS = ['blue', 'green', 'yellow', 'white', 'black', 'limegreen'] as const
const USUAL = 'blue'
/** 0 = fees can be debited. */
const AGREED = { yes: '0', no: '1' } as const
/** States of an order of the car owners' platform. */
const ORDER = { paid: 1, refunded: 8 } as const

const carOf = ({ content }: Call): [plateNo: string, color: string] => [
  content.text('car_number', 16),
  content.maybe('car_number_color', 16) ?? USUAL,
]
const agreedFor = (call: Call): Plate | undefined => {
  const plate = call.store.plate('alipay', ...carOf(call))
  return plate?.state === 'normal' ? plate : undefined
}

export function agreementQuery(call: Call): Said {
  const isAgreed = agreedFor(call) !== undefined
  return {
    ...PAID,
    agreement_status: isAgreed ? AGREED.yes : AGREED.no,
    agreement_scene: isAgreed ? 'PLATE_PAY' : 'NO_AGREEMENT_SCENE',
    car_status: isAgreed ? 'NON-SENSE-PAY' : 'NORMAL',
    current_time: cityText(call.now()),
  }
}

/** Taken at once, or refused. The same number again answers with the same payment. */
export function orderPay(call: Call): Said {
  const { app, store, content, parameters, now } = call
  const [number, subject, amountFen] = [content.text('out_trade_no', 64), content.text('subject', 128), content.fen('total_fee')]
  if (content.text('seller_id', 28) !== app.sellerId) throw new AlipayRefusal('ACQ.INVALID_PARAMETER', '参数无效：seller_id')
  const known = store.trade('alipay', app.sellerId, number)
  if (known && (known.amountFen !== amountFen || known.scene !== 'debit')) throw new AlipayRefusal('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改')
  if (known?.state === 'paid') return paidSaid(known)
  const plate = agreedFor(call)
  if (!plate) throw new AlipayRefusal('ACQ.AGREEMENT_NOT_EXIST', '车牌未签约代扣协议')
  if (amountFen > plate.limitFen) {
    store.counts.debitsFailed++
    throw new AlipayRefusal('ACQ.BUYER_BALANCE_NOT_ENOUGH', '买家余额不足')
  }
  const order = { channel: 'alipay', mchId: app.sellerId, appId: app.appId, number, amountFen, subject, scene: 'debit' } as const
  const trade = known ?? store.add({ ...order, notifyUrl: parameters['notify_url'], expiresAt: now(), payer: plate.payer })
  store.pay(trade)
  return paidSaid(trade)
}
const paidSaid = ({ number, tradeNo, payer, paidFen, paidAt }: Trade): Said => ({
  ...PAID,
  out_trade_no: number,
  trade_no: tradeNo,
  user_id: payer,
  total_fee: yuan(paidFen),
  gmt_payment: cityText(paidAt!),
  fund_bill_list: JSON.stringify([{ amount: yuan(paidFen), fund_channel: 'ALIPAYACCOUNT' }]),
})

/** As a refund of a trade, under the names that this call has for its fields. */
export function orderRefund(call: Call): Said {
  const { app, store, content, deliveries } = call
  const tradeNo = content.maybe('order_no', 64)
  const trade = tradeNo ? store.byTradeNo('alipay', tradeNo) : store.trade('alipay', app.sellerId, content.text('out_order_no', 64))
  const [number, amountFen] = [content.text('out_refund_no', 64), content.fen('refund_fee')]
  if (trade?.mchId !== app.sellerId || trade.state !== 'paid') throw new AlipayRefusal('ACQ.TRADE_NOT_EXIST', '交易不存在')
  const known = store.refundOf('alipay', app.sellerId, number)
  if (known && (known.trade !== trade || known.amountFen !== amountFen)) throw new AlipayRefusal('ACQ.DISCORDANT_REPEAT_REQUEST', '不一致的请求')
  if (!known && trade.refundedFen + amountFen > trade.paidFen) throw new AlipayRefusal('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
  const made = known ?? store.refund(trade, number, amountFen, { reason: content.maybe('refund_reason', 256) ?? '' })
  if (!known) {
    store.endRefund(made)
    deliveries.later(0, () => tellRefund(call, made))
  }
  return { ...PAID, order_no: trade.tradeNo, out_refund_no: number, refund_no: made.id, refund_fee: yuan(amountFen) }
}

export function orderQuery({ app, store, content }: Call): Said {
  const tradeNo = content.maybe('trade_no', 64)
  const trade = tradeNo ? store.byTradeNo('alipay', tradeNo) : store.trade('alipay', app.sellerId, content.text('out_biz_trade_no', 64))
  if (trade?.mchId !== app.sellerId || trade.scene !== 'debit') throw new AlipayRefusal('ACQ.TRADE_NOT_EXIST', '交易不存在')
  const isBack = trade.refundedFen > 0
  return {
    ...PAID,
    biz_trade_no: trade.payId,
    out_biz_trade_no: trade.number,
    trade_no: trade.tradeNo,
    buyer_id: trade.payer,
    buyer_logon_id: LOGON_ID,
    subject: trade.subject,
    total_fee: yuan(trade.amountFen),
    trade_status: isBack ? ORDER.refunded : ORDER.paid,
    gmt_created: cityText(trade.createdAt),
    gmt_payment: cityText(trade.paidAt!),
    gmt_payment_success: cityText(trade.paidAt!),
    ...(isBack && { send_back_fee: yuan(trade.refundedFen) }),
  }
}

/** Entries and exits are taken and not kept. */
export const taken = (): Said => ({ ...PAID })
