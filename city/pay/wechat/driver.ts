import { createPublicKey, verify } from 'node:crypto'
import { cityText, yuan } from '../clock.ts'
import { driverAt, type Mischief, mischiefIn, newDriver, remembering } from '../driver.ts'
import { type Both, pageTo } from '../pages.ts'
import type { Trade } from '../store.ts'
import { type Asked, fieldsOf, pageAddress, redirected, type Told, told } from '../wire.ts'
import { merchantOfTrade, type WechatContext } from './context.ts'
import { GREEN } from './look.ts'
import { tell } from './notices.ts'
import { openidOf } from './openid.ts'
import { transactionOf } from './orders.ts'
import { lines } from './signature.ts'

/** A code or a `prepay_id` can be used so long, the address of an H5 page shorter. */
const USABLE_MS = { native: 2 * 3_600_000, jsapi: 2 * 3_600_000, h5: 5 * 60_000, debit: 0 } as const
const TITLE: Both = ['微信支付（沙箱）', 'WeChat Pay (sandbox)']
const RESULT = 'get_brand_wcpay_request'

/** Behind a native order's code, and behind the address of an H5 order. */
export const codePage = (context: WechatContext, asked: Asked): Told => payPage(context, asked, asked.query.get('pr'))
export function h5Page(context: WechatContext, asked: Asked): Told {
  const back = pageAddress(asked.query.get('redirect_url'))
  return payPage(context, asked, asked.query.get('prepay_id'), back && { redirect_url: back.href })
}
/** Stands for `getBrandWCPayRequest`: takes its parameters, and goes back with its result as `err_msg`. */
export function jsapiPage(context: WechatContext, asked: Asked): Told {
  const field = (name: string) => asked.query.get(name) ?? ''
  const back = pageAddress(field('redirect_url'))
  const prepayId = /^prepay_id=(\w+)$/.exec(field('package'))?.[1]
  const trade = prepayId ? context.store.byPayId('wechat', prepayId) : undefined
  const text = lines(field('appId'), field('timeStamp'), field('nonceStr'), field('package'))
  const merchant = trade && merchantOfTrade(context, trade)
  const isRight =
    merchant?.appid === field('appId') &&
    field('signType') === 'RSA' &&
    verify('sha256', Buffer.from(text), createPublicKey(merchant.privateKey), Buffer.from(field('paySign'), 'base64'))
  if (!isRight) return back ? redirected(resultAt(back, 'fail')) : refusedPage(asked, ['支付验证签名失败', 'The signature of the payment is wrong'])
  return payPage(context, asked, prepayId, { kind: 'jsapi', ...(back && { redirect_url: back.href }) })
}

function payPage(context: WechatContext, asked: Asked, payId: string | null | undefined, hidden: Record<string, string> = {}): Told {
  const trade = payId ? context.store.byPayId('wechat', payId) : undefined
  const why = reasonAgainst(context, trade)
  if (!trade || why) return refusedPage(asked, why ?? NONE)
  trade.isOpened = true
  const driver = driverAt(asked) ?? newDriver()
  const page = pageTo(asked, {
    title: TITLE,
    color: GREEN,
    heading: `¥${yuan(trade.amountFen)}`,
    facts: [
      [['商品', 'For'], trade.subject],
      [['商户号', 'Merchant'], trade.mchId],
      [['商户单号', 'Order'], trade.number],
      [['支付截止', 'Pay by'], cityText(trade.expiresAt)],
    ],
    form: {
      to: '/wechat/pay',
      hidden: { prepay_id: trade.payId, ...hidden },
      acts: [
        { act: 'pay', text: ['立即支付', 'Pay'], isMain: true },
        { act: 'cancel', text: ['取消', 'Cancel'] },
      ],
    },
  })
  return remembering(page, driver)
}
const NONE: Both = ['订单不存在', 'No such order']
function reasonAgainst({ store, now }: WechatContext, trade: Trade | undefined): Both | undefined {
  if (!trade) return NONE
  if (trade.state === 'paid') return ['该订单已支付', 'This order is paid']
  if (!store.isOpen(trade)) return ['该订单已关闭', 'This order is closed']
  return now() >= trade.issuedAt + USABLE_MS[trade.scene] ? ['二维码或链接已过期', 'The code or link has expired'] : undefined
}
const refusedPage = (asked: Asked, note: Both): Told => pageTo(asked, { title: TITLE, color: GREEN, heading: '—', note })

/** A driver pays or cancels. A program that plays one sends JSON and is answered with JSON. */
export function payOrCancel(context: WechatContext, asked: Asked): Told {
  const fields = fieldsOf(asked)
  const isProgram = asked.headers['content-type']?.startsWith('application/json') ?? false
  const trade = context.store.byPayId('wechat', fields['prepay_id'] ?? '')
  const isCancelled = fields['act'] === 'cancel'
  const why = isCancelled ? undefined : reasonAgainst(context, trade)
  if (!trade || why) return isProgram ? told(409, { error: why?.[1] ?? NONE[1] }) : refusedPage(asked, why ?? NONE)
  if (!isCancelled) paid(context, trade, driverAt(asked) ?? newDriver(), mischiefIn(fields))
  if (isProgram) return told(200, { state: trade.state, transaction_id: trade.tradeNo, amountFen: trade.paidFen })
  const back = pageAddress(fields['redirect_url'])
  if (back) return redirected(fields['kind'] === 'jsapi' ? resultAt(back, isCancelled ? 'cancel' : 'ok') : back.href)
  const note: Both = isCancelled ? ['已取消，未扣款', 'Cancelled, nothing was paid'] : ['支付成功', 'Paid']
  return pageTo(asked, { title: TITLE, color: GREEN, heading: `¥${yuan(trade.amountFen)}`, note })
}
function resultAt(back: URL, result: 'ok' | 'cancel' | 'fail'): string {
  const url = new URL(back)
  url.searchParams.set('err_msg', `${RESULT}:${result}`)
  return url.href
}

function paid(context: WechatContext, trade: Trade, driver: string, { delayMs, times, amountFen, isCardGone }: Mischief): void {
  const { store, deliveries, settings } = context
  trade.isCardGone = isCardGone
  store.pay(trade, { payer: openidOf(trade.appId, driver), amountFen })
  if (times === 0) return
  const resource = transactionOf(context, trade)
  const happened = { event: 'TRANSACTION.SUCCESS', summary: '支付成功', of: 'transaction', resource, url: trade.notifyUrl!, number: trade.number }
  deliveries.later(delayMs, () => tell(context, merchantOfTrade(context, trade), happened, { waitsMs: settings.waitsMs, times }))
}
