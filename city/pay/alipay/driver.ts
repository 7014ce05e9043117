import { cityText, yuan } from '../clock.ts'
import { driverAt, type Mischief, mischiefIn, newDriver, remembering } from '../driver.ts'
import { type Both, pageTo } from '../pages.ts'
import type { Trade } from '../store.ts'
import { type Asked, fieldsOf, pageAddress, redirected, type Told, told } from '../wire.ts'
import { type AlipayContext, appOfTrade } from './context.ts'
import { tellTrade } from './notices.ts'
import { withSign } from './signature.ts'

/** White text on it is readable. */
export const BLUE = '#1060c8'
const TITLE: Both = ['支付宝（沙箱）', 'Alipay (sandbox)']
const NONE: Both = ['订单不存在', 'No such order']
/** Results of `tradePay` in a page inside Alipay. */
const RESULTS = { ok: '9000', cancel: '6001', fail: '4000' } as const

/** Behind the code of `precreate`, `/alipay/qr/<code>`, and the cashier of a wap order. */
export const payIdPage = (context: AlipayContext, asked: Asked, payId: string): Told =>
  payPage(context, asked, context.store.byPayId('alipay', payId), {})
/** Stands for `tradePay`: takes the trade's number, and goes back with its `resultCode`. */
export function tradePage(context: AlipayContext, asked: Asked): Told {
  const back = pageAddress(asked.query.get('redirect_url'))
  const trade = context.store.byTradeNo('alipay', asked.query.get('tradeNO') ?? '')
  return payPage(context, asked, trade, back ? { redirect_url: back.href } : {})
}

function payPage(context: AlipayContext, asked: Asked, trade: Trade | undefined, hidden: Record<string, string>): Told {
  const why = reasonAgainst(context, trade)
  if (!trade || why) return refusedPage(asked, why ?? NONE)
  const driver = driverAt(asked) ?? newDriver()
  trade.isOpened = true
  context.store.numbered(trade)
  const page = pageTo(asked, {
    title: TITLE,
    color: BLUE,
    heading: `¥${yuan(trade.amountFen)}`,
    facts: [
      [['商品', 'For'], trade.subject],
      [['收款方', 'Seller'], trade.mchId],
      [['商家订单号', 'Order'], trade.number],
      [['支付截止', 'Pay by'], cityText(trade.expiresAt)],
    ],
    form: {
      to: '/alipay/pay',
      hidden: { pay_id: trade.payId, ...hidden },
      acts: [
        { act: 'pay', text: ['确认付款', 'Pay'], isMain: true },
        { act: 'cancel', text: ['取消', 'Cancel'] },
      ],
    },
  })
  return remembering(page, driver)
}
function reasonAgainst({ store }: AlipayContext, trade: Trade | undefined): Both | undefined {
  if (!trade) return NONE
  if (trade.state === 'paid') return ['交易已被支付', 'This trade is paid']
  return store.isOpen(trade) ? undefined : ['交易已经关闭', 'This trade is closed']
}
export const refusedPage = (asked: Asked, note: Both): Told => pageTo(asked, { title: TITLE, color: BLUE, heading: '—', note })

/** A driver pays or cancels. A program that plays one sends JSON and is answered with JSON. */
export function payOrCancel(context: AlipayContext, asked: Asked): Told {
  const fields = fieldsOf(asked)
  const isProgram = asked.headers['content-type']?.startsWith('application/json') ?? false
  const trade = context.store.byPayId('alipay', fields['pay_id'] ?? '')
  const isCancelled = fields['act'] === 'cancel'
  const why = isCancelled ? undefined : reasonAgainst(context, trade)
  if (!trade || why) return isProgram ? told(409, { error: why?.[1] ?? NONE[1] }) : refusedPage(asked, why ?? NONE)
  if (!isCancelled) paid(context, trade, driverAt(asked) ?? newDriver(), mischiefIn(fields))
  if (isProgram) return told(200, { state: trade.state, trade_no: trade.tradeNo, amountFen: trade.paidFen })
  const back = backTo(context, trade, fields['redirect_url'], isCancelled)
  if (back) return redirected(back)
  const note: Both = isCancelled ? ['已取消，未扣款', 'Cancelled, nothing was paid'] : ['支付成功', 'Paid']
  return pageTo(asked, { title: TITLE, color: BLUE, heading: `¥${yuan(trade.amountFen)}`, note })
}
/** The page that waits for `tradePay`, or the addresses of a wap order. */
function backTo(context: AlipayContext, trade: Trade, waiting: string | undefined, isCancelled: boolean): string | undefined {
  const page = pageAddress(waiting)
  if (page) {
    page.searchParams.set('resultCode', isCancelled ? RESULTS.cancel : RESULTS.ok)
    return page.href
  }
  const given = trade.more?.[isCancelled ? 'quit_url' : 'return_url']
  const back = pageAddress(typeof given === 'string' ? given : undefined)
  if (!back || isCancelled) return back?.href
  const { appId, sellerId } = appOfTrade(context, trade)
  const facts = {
    app_id: appId,
    auth_app_id: appId,
    charset: 'utf-8',
    method: 'alipay.trade.wap.pay.return',
    out_trade_no: trade.number,
    seller_id: sellerId,
    timestamp: cityText(context.now()),
    total_amount: yuan(trade.paidFen),
    trade_no: trade.tradeNo!,
    version: '1.0',
  }
  for (const [name, value] of Object.entries(withSign(facts, context.keys))) back.searchParams.set(name, value)
  return back.href
}

function paid(context: AlipayContext, trade: Trade, driver: string, { delayMs, times, amountFen }: Mischief): void {
  context.store.pay(trade, { payer: driver, amountFen })
  if (times > 0) context.deliveries.later(delayMs, () => tellTrade(context, trade, times))
}
