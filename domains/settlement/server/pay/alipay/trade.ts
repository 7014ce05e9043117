import { MINUTE_MS, msOf } from '../../../../../platform/contract/time.ts'
import { PayAway, type TradeState } from '../provider.ts'
import type { AlipayAccount } from './account.ts'
import type { Node } from './answer.ts'
import { fenIn, instantIn, numberIn, timeOf, titleOf, yuanOf } from './fields.ts'
import { type Answer, ask, pageOf } from './gateway.ts'
import type { CreateOrder, Started } from './port.ts'
import { Declined, NotFromAlipay, PayerUnknown } from './refusals.ts'

/** @throws PayAway, Declined, PayerUnknown, NotFromAlipay, WrongSetup */
export function startTrade(account: AlipayAccount, order: CreateOrder): Promise<Started> {
  return STARTS[order.scene](account, order)
}
const STARTS = { native: precreate, jsapi: createInApp, h5: wapPage } as const

const basics = ({ sellerId }: AlipayAccount, { payNo, amountFen, subject }: CreateOrder) => ({
  out_trade_no: payNo,
  total_amount: yuanOf(amountFen),
  subject: titleOf(subject),
  seller_id: sellerId,
})

/** A code for the driver to scan. It dies with the payment's time, lest the next driver pays an old one. */
async function precreate(account: AlipayAccount, order: CreateOrder): Promise<Started> {
  const lives = `${Math.max(1, Math.ceil((msOf(order.expiresAt) - Date.now()) / MINUTE_MS))}m`
  const content = { ...basics(account, order), product_code: 'FACE_TO_FACE_PAYMENT', timeout_express: lives, qr_code_timeout_express: lives }
  const { node } = begun(await ask(account, 'alipay.trade.precreate', { content, notified: true }), order.payNo)
  const codeUrl = node['qr_code']
  if (typeof codeUrl !== 'string' || !URL.canParse(codeUrl)) throw NotFromAlipay()
  return { codeUrl }
}

const USER_NUMBER = /^2088\d{12}$/
/** For a page or small program within Alipay: it opens the payment by the trade's number. */
async function createInApp(account: AlipayAccount, order: CreateOrder): Promise<Started> {
  if (!order.payer) throw PayerUnknown()
  const content = {
    ...basics(account, order),
    product_code: 'JSAPI_PAY',
    op_app_id: account.appId,
    [USER_NUMBER.test(order.payer) ? 'buyer_id' : 'buyer_open_id']: order.payer,
    time_expire: timeOf(order.expiresAt),
  }
  const { node } = begun(await ask(account, 'alipay.trade.create', { content, notified: true }), order.payNo)
  const tradeNO = numberIn(node['trade_no'])
  if (!tradeNO) throw NotFromAlipay()
  return { jsapi: { tradeNO } }
}

/** Any other browser goes to a page of Alipay's. Nothing is asked beforehand: the trade begins with the page. */
function wapPage(account: AlipayAccount, order: CreateOrder): Promise<Started> {
  const content = { ...basics(account, order), product_code: 'QUICK_WAP_WAY', time_expire: timeOf(order.expiresAt) }
  const fields = account.returnUrl ? { return_url: account.returnUrl } : {}
  return Promise.resolve({ payUrl: pageOf(account, 'alipay.trade.wap.pay', { content, fields, notified: true }) })
}

function begun(answer: Answer, payNo: string): Answer {
  if (answer.verdict === 'unknown') throw PayAway()
  if (answer.verdict !== 'done') throw Declined({ word: answer.subCode })
  return about(answer, 'out_trade_no', payNo)
}
/** An answer of another trade is as good as forged: it may be an old one that somebody kept. @throws NotFromAlipay */
export function about(answer: Answer, name: string, number: string): Answer {
  if (answer.node[name] !== number) throw NotFromAlipay()
  return answer
}

/** @throws PayAway, NotFromAlipay, WrongSetup */
export async function queryTrade(account: AlipayAccount, { payNo }: { payNo: string }): Promise<TradeState> {
  const answer = await ask(account, 'alipay.trade.query', { content: { out_trade_no: payNo } })
  if (answer.verdict === 'absent') return { state: 'none' }
  if (answer.verdict !== 'done') throw PayAway()
  const { node } = about(answer, 'out_trade_no', payNo)
  return tradeIn(node, { amount: 'total_amount', paid: 'send_pay_date' })
}

const STATES = new Map<unknown, TradeState['state']>([
  ['WAIT_BUYER_PAY', 'unpaid'],
  ['TRADE_SUCCESS', 'paid'],
  ['TRADE_FINISHED', 'paid'],
  // Nobody paid in time, or all of it was given back: either way no money is left.
  ['TRADE_CLOSED', 'closed'],
])
/** The trade that a node tells, by the names that its method has for the amount and the time. A payment without a number or an amount is none. @throws NotFromAlipay */
export function tradeIn(node: Node, names: { amount: string; paid: string }, status = node['trade_status']): TradeState {
  const state = STATES.get(status)
  if (!state) throw NotFromAlipay()
  if (state !== 'paid') return { state }
  const [tradeNo, amountFen, paidAt] = [numberIn(node['trade_no']), fenIn(node[names.amount]), instantIn(node[names.paid])]
  if (!tradeNo || !amountFen) throw NotFromAlipay()
  return { state, tradeNo, amountFen, ...(paidAt && { paidAt }) }
}

/** A trade that Alipay does not know, or that was paid a moment ago, has nothing to close: its money is told by a notice. @throws PayAway */
export async function closeTrade(account: AlipayAccount, { payNo }: { payNo: string }): Promise<void> {
  const { verdict } = await ask(account, 'alipay.trade.close', { content: { out_trade_no: payNo } })
  if (verdict === 'unknown') throw PayAway()
}

/** Closes a trade whose outcome nobody knows, or gives its money back if it was paid. @throws PayAway while that is not done */
export async function cancelTrade(account: AlipayAccount, { payNo }: { payNo: string }): Promise<'closed' | 'refunded'> {
  const { verdict, node } = await ask(account, 'alipay.trade.cancel', { content: { out_trade_no: payNo } })
  if (verdict === 'absent') return 'closed'
  if (verdict !== 'done' || node['retry_flag'] === 'Y') throw PayAway()
  return node['action'] === 'refund' ? 'refunded' : 'closed'
}
