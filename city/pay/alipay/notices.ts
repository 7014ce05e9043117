import { randomBytes } from 'node:crypto'
import { cityText, yuan } from '../clock.ts'
import type { Refund, Trade } from '../store.ts'
import { type AlipayContext, appOfTrade, LOGON_ID } from './context.ts'
import { withSign } from './signature.ts'
import { statusOf } from './status.ts'

/** Tells that a trade was paid, or that it is finished. */
export const tellTrade = (context: AlipayContext, trade: Trade, times = 1): void => tell(context, trade, {}, times)
/** A refund repeats the notice of its trade, with its own fields beside. */
export const tellRefund = (context: AlipayContext, { trade, number, doneAt }: Refund): void =>
  tell(context, trade, { out_biz_no: number, refund_fee: yuan(trade.refundedFen), gmt_refund: `${cityText(doneAt!)}.000` }, 1)

/** Until the merchant answers with nothing but `success`. Its number stays the same. */
function tell(context: AlipayContext, trade: Trade, more: Record<string, string>, times: number): void {
  const { keys, deliveries, settings, now } = context
  if (!trade.notifyUrl) return
  const told = {
    ...factsOf(context, trade),
    ...more,
    notify_id: `${cityText(now()).slice(0, 10).replaceAll('-', '')}${randomBytes(12).toString('hex')}`,
  }
  const make = () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(withSign({ ...told, notify_time: cityText(now()) }, keys)).toString(),
  })
  const isTaken = (_: number, body: string) => body === 'success'
  const every = settings.twiceEvery
  const atOnce = every > 0 && deliveries.counts.notices % every === every - 1 ? Math.max(times, 2) : times
  for (let sent = 0; sent < atOnce; sent++) deliveries.send({ name: trade.number, url: trade.notifyUrl, make, isTaken, waitsMs: settings.waitsMs })
}

function factsOf(context: AlipayContext, trade: Trade): Record<string, string> {
  const { appId, sellerId } = appOfTrade(context, trade)
  const paid = yuan(trade.paidFen)
  const passed = trade.more?.['passback_params']
  return {
    notify_type: 'trade_status_sync',
    charset: 'utf-8',
    version: '1.0',
    app_id: appId,
    auth_app_id: appId,
    seller_id: sellerId,
    trade_no: trade.tradeNo!,
    out_trade_no: trade.number,
    trade_status: statusOf(context, trade),
    subject: trade.subject,
    total_amount: paid,
    receipt_amount: paid,
    buyer_pay_amount: paid,
    point_amount: '0.00',
    invoice_amount: paid,
    buyer_open_id: trade.payer!,
    buyer_logon_id: LOGON_ID,
    gmt_create: cityText(trade.createdAt),
    gmt_payment: cityText(trade.paidAt!),
    fund_bill_list: JSON.stringify([{ amount: paid, fundChannel: 'ALIPAYACCOUNT' }]),
    ...(typeof passed === 'string' && { passback_params: passed }),
  }
}
